from __future__ import annotations

import random
from pathlib import Path

import pytest

from app.care.doctor import Finding
from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.records import EntryDraft
from tests.fakes import FakeEmbedder


def wrong(findings: list[Finding]) -> set[str]:
    return {finding.check for finding in findings if not finding.ok}


def test_a_healthy_vault_has_nothing_wrong(vault: Vault) -> None:
    vault.entries.store_many([EntryDraft(f"memory {n}", tags=("a", "b")) for n in range(50)])
    assert wrong(vault.doctor.examine()) == set()


def test_a_changed_byte_in_any_field_is_found_by_the_digest(vault: Vault) -> None:
    saved = vault.entries.store(EntryDraft("Prefers tea", key="drink", tags=("food",)))
    assert isinstance(saved, Saved)
    for column, value in (
        ("content", "'Prefers tee'"),
        ("importance", "6"),
        ("category", "'corf'"),
        ("source", "'agent:x'"),
        ("expires_at", "'2026-01-01T00:00:00.000000Z'"),
        ("created_at", "'2020-01-01T00:00:00.000000Z'"),
    ):
        with vault.database.write() as db:
            before = db.execute(f"SELECT {column} FROM entries").fetchone()[0]
            db.execute(f"UPDATE entries SET {column} = {value}")
        assert "memories" in wrong(vault.doctor.examine()), column
        with vault.database.write() as db:
            db.execute(f"UPDATE entries SET {column} = :v", {"v": before})
    assert wrong(vault.doctor.examine()) == set()


def test_bit_flips_inside_stored_texts_are_found(tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "v.db")
    vault.entries.store_many([EntryDraft("needlework " * 8 + str(n)) for n in range(20)])
    with vault.database.outside_transaction() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    vault.close()
    whole = (tmp_path / "v.db").read_bytes()
    rng = random.Random(3)
    positions = [at for at in range(len(whole)) if whole[at : at + 11] == b"needlework "]
    for at in rng.sample(positions, 12):
        broken = bytearray(whole)
        broken[at + rng.randrange(10)] ^= 1
        (tmp_path / "v.db").write_bytes(bytes(broken))
        for leftover in ("v.db-wal", "v.db-shm"):
            (tmp_path / leftover).unlink(missing_ok=True)
        opened = open_vault(tmp_path / "v.db")
        assert "memories" in wrong(opened.doctor.examine())
        opened.close()


def test_rebuild_makes_derived_rows_anew(vault: Vault) -> None:
    vault.entries.store_many([EntryDraft(f"memory {n}", tags=("a",)) for n in range(10)])
    with vault.database.write() as db:
        db.execute("DELETE FROM entry_tags WHERE n % 2")
        db.execute("INSERT INTO fulltext (fulltext) VALUES ('delete-all')")
    assert wrong(vault.doctor.examine()) == {"words", "order"}
    assert wrong(vault.doctor.rebuild()) == set()


def test_a_file_others_may_read_is_reported(vault: Vault) -> None:
    vault.path.chmod(0o644)
    assert wrong(vault.doctor.examine()) == {"permissions"}


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (
            "CREATE TRIGGER spy AFTER INSERT ON entries BEGIN INSERT INTO settings"
            " VALUES (new.id, new.content); END",
            "the trigger 'spy' on entries is not Keepsake's",
        ),
        ("CREATE TABLE loot (text)", "the table 'loot' is not Keepsake's"),
        ("CREATE VIEW seen AS SELECT content FROM entries", "the view 'seen' is not Keepsake's"),
        ("CREATE INDEX mine ON entries (content)", "the index 'mine' is not Keepsake's"),
        ("DROP INDEX entries_by_key", "the index entries_by_key is missing"),
        ("DROP TRIGGER fulltext_delete", "the trigger fulltext_delete is missing"),
        (
            "ALTER TABLE settings ADD COLUMN spare TEXT",
            "the table settings has columns that are not Keepsake's: spare",
        ),
    ],
)
def test_a_structure_that_is_not_ours_is_found(vault: Vault, statement: str, says: str) -> None:
    with vault.database.write() as db:
        db.execute(statement)
    (found,) = [finding for finding in vault.doctor.examine() if finding.check == "structure"]
    assert (found.ok, found.detail) == (False, says)
    assert "backup restore" in found.advice


def test_a_trigger_under_a_name_of_ours_is_found(vault: Vault) -> None:
    with vault.database.write() as db:
        db.execute("DROP TRIGGER fulltext_delete")
        db.execute("CREATE TRIGGER fulltext_delete AFTER DELETE ON entries BEGIN SELECT 1; END")
    assert "structure" in wrong(vault.doctor.examine())


def said_of_vectors(findings: list[Finding]) -> str:
    return next(finding.detail for finding in findings if finding.check == "vectors")


def test_after_a_rebuild_meaning_still_finds_what_shares_no_word(vault: Vault) -> None:
    texts = ("She keeps two kittens at home", "The build failed on Tuesday", "Rent is due in May")
    vault.entries.store_many([EntryDraft(text) for text in texts])
    vault.embedding.embed_waiting()
    assert "by meaning" in said_of_vectors(vault.doctor.examine())
    assert "3 memories wait" in said_of_vectors(vault.doctor.rebuild())
    assert vault.embedding.state().waiting == 3
    opened = open_vault(vault.path)  # nothing in memory helps it
    hits = opened.search.search("which pets live there?", mode="semantic", limit=1)
    assert [hit.entry.content for hit in hits] == [texts[0]]
    opened.embedding.embed_waiting()
    assert "by meaning" in said_of_vectors(opened.doctor.examine())
    opened.close()


def test_memories_that_nothing_will_embed_are_reported_and_mended(tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "v.db", embedder=lambda _: FakeEmbedder())
    vault.entries.store_many([EntryDraft(f"memory {n}") for n in range(4)])
    vault.embedding.embed_waiting()
    with vault.database.write() as db:
        db.execute("DELETE FROM vectors WHERE n % 2")
    findings = vault.doctor.examine()
    assert wrong(findings) == {"vectors"}
    assert "2 memories have no vector" in said_of_vectors(findings)
    assert wrong(vault.doctor.rebuild()) == set()
    vault.close()
