from __future__ import annotations

import random
import shutil
import string
import subprocess
import sys
from pathlib import Path

import pytest

from app.entries.browse import Draft
from app.errors import NotFound
from app.outcomes import Conflict, Saved
from app.vault import Vault, open_vault
from store.file.database import Database
from store.records import USER, EntryDraft, Scope
from store.tables import erasures
from store.tables.entry_filter import EntryFilter


def stored(vault: Vault, content: str, scope: Scope = USER, key: str | None = None) -> str:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, key=key))
    assert isinstance(outcome, Saved)
    return outcome.entry.id


def bytes_on_disk(vault: Vault) -> bytes:
    """Everything the vault has written anywhere: file, WAL, backups."""
    return b"\x00".join(
        path.read_bytes() for path in sorted(vault.path.parent.rglob("*")) if path.is_file()
    )


def test_an_erased_entry_is_gone_from_every_table_and_file(vault: Vault) -> None:
    secret = stored(vault, "The vault code is xyloquartzite", key="vault_code")
    vault.entries.change(secret, {"content": "The vault code is zirconflamingo"})
    other = stored(vault, "Prefers tea")
    vault.backups.now()
    receipt = vault.erasure.erase([secret])
    assert receipt.state == "done"
    assert receipt.removed["entries"] == 1
    assert receipt.backups_cleaned == 1
    raw = bytes_on_disk(vault)
    for piece in (b"xyloquartz", b"quartzite", b"zirconflam", b"flamingo", b"vault_code"):
        assert piece not in raw
    assert vault.entries.read(other).content == "Prefers tea"
    with pytest.raises(NotFound):
        vault.entries.read(secret)


@pytest.mark.parametrize("times", [1, 2])
def test_after_an_erase_another_process_may_come_and_go(vault: Vault, times: int) -> None:
    """The engine's locks stand: who closes the vault last does not take this one for gone."""
    for number in range(times):
        ident = stored(vault, f"xyloquartzite{number} is erased")
        assert vault.erasure.erase([ident]).state == "done"
    come_and_go = "import sys; from pathlib import Path; from app.vault import open_vault; "
    come_and_go += "open_vault(Path(sys.argv[1])).close()"
    subprocess.run([sys.executable, "-c", come_and_go, str(vault.path)], check=True)
    assert Path(f"{vault.path}-wal").exists()
    stored(vault, "written after it")


def test_the_log_keeps_one_content_free_line_of_it(vault: Vault) -> None:
    ident = stored(vault, "secret", key="k")
    vault.erasure.erase([ident])
    lines = vault.history.of(ident)
    assert [line.action for line in lines] == ["erased", "created"]
    assert all(line.before is None and line.after is None for line in lines)


def test_a_cleaned_backup_still_restores_the_rest(vault: Vault) -> None:
    secret = stored(vault, "xyloquartzite")
    kept = stored(vault, "Prefers tea")
    backup = vault.backups.now()
    vault.erasure.erase([secret])
    vault.entries.forget([kept])
    vault.backups.restore(backup)
    assert [entry.id for entry in vault.entries.page().entries] == [kept]


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_killed_backup_left_is_erased_too(vault: Vault, whole: bool) -> None:
    secret = stored(vault, "xyloquartzite")
    kept = vault.backups.now()
    for left in ("partial", "partial-journal", "cleaning"):
        shutil.copy(kept.path, kept.path.with_suffix(f".{left}"))
    vault.erasure.wipe(None) if whole else vault.erasure.erase([secret])
    assert b"xyloquartz" not in bytes_on_disk(vault)


def test_erasing_a_scope_takes_all_of_it_and_nothing_else(vault: Vault) -> None:
    agent = Scope("agent", "bot")
    mine, theirs = stored(vault, "mine"), stored(vault, "theirs xyloquartzite", agent)
    vault.entries.forget([theirs])
    extent = vault.erasure.extent(scope=agent)
    assert (extent.entries, extent.what) == (1, "agent:bot")
    receipt = vault.erasure.wipe(agent)
    assert receipt.state == "done"
    assert b"xyloquartz" not in bytes_on_disk(vault)
    assert vault.entries.count(EntryFilter(state=None)) == 1
    assert vault.entries.read(mine)


def test_wiping_the_vault_leaves_agents_and_settings(vault: Vault) -> None:
    vault.agents.add("bot")
    vault.settings.set("entry_cap", 5)
    stored(vault, "xyloquartzite")
    vault.backups.now()
    vault.erasure.wipe(None)
    assert vault.entries.count(EntryFilter(state=None)) == 0
    assert b"xyloquartz" not in bytes_on_disk(vault)
    assert vault.settings["entry_cap"] == 5
    assert [agent.id for agent in vault.agents.list()] == ["bot"]
    assert vault.backups.list() == []


def pending(vault: Vault) -> int:
    with vault.database.read() as db:
        return erasures.count(db)


def test_a_reader_makes_the_receipt_pending_and_upkeep_finishes_it(vault: Vault) -> None:
    ident = stored(vault, "xyloquartzite")
    reader = Database(vault.path)
    with reader.read() as db:
        db.execute("SELECT count(*) FROM entries").fetchone()
        receipt = vault.erasure.erase([ident])
        assert receipt.state == "pending"
        assert "upkeep" in receipt.sentence
        assert pending(vault) == 1
    vault.upkeep.run()
    assert pending(vault) == 0
    assert b"xyloquartz" not in bytes_on_disk(vault)


def made_up_word(rng: random.Random) -> str:
    return "".join(rng.choice(string.ascii_lowercase) for _ in range(16))


def erase_canaries(folder: Path, entries: int, canaries: int) -> list[str]:
    """Store, change, draft, propose, ask, mirror, search, back up, forget half, erase all; which
    pieces are still on disk."""
    rng = random.Random(7)
    vault = open_vault(folder / "v.db")
    vault.agents.add("bot")
    mirrored = Scope("workspace", "shop")
    mirror = vault.mirrors.add(folder / "notes", mirrored).mirror
    common = [made_up_word(rng) for _ in range(2000)]

    def text(*extra: str) -> str:
        words = [rng.choice(common) for _ in range(12)]
        words[3:3] = extra
        return " ".join(words)

    vault.entries.store_many([EntryDraft(text()) for _ in range(entries - canaries)])
    words: list[str] = []
    idents: list[str] = []
    for number in range(canaries):
        first, second = made_up_word(rng), made_up_word(rng)
        words += [first, second]
        idents.append(stored(vault, text(first), USER if number % 5 else mirrored))
        if number % 3 == 0:
            vault.entries.change(idents[-1], {"content": text(second), "hook": first})
        if number % 4 == 0:
            told_elsewhere(vault, idents[-1], text(first, second))
        if number % 50 == 0:
            with vault.database.read() as db:
                db.execute("SELECT * FROM fulltext(:w)", {"w": first}).fetchall()
    vault.mirrors.sync(mirror.id)
    vault.backups.now()
    raw = bytes_on_disk(vault)
    assert all(word.encode() in raw for word in words[::50])
    vault.entries.forget(idents[::2])
    assert vault.erasure.erase(idents).state == "done"
    raw = bytes_on_disk(vault)
    vault.close()
    # A longer suffix on disk would hold the shortest one too.
    return [word for word in words if word.encode()[-8:] in raw]


def told_elsewhere(vault: Vault, ident: str, text: str) -> None:
    """In a draft of it, a proposal about it, and the log of who asked and was told it."""
    vault.drafts.keep(Draft(f"entry:{ident}", "", {"content": text}))
    vault.review.propose("bot", "change", USER, {"fields": {"content": text}}, ident)
    vault.calls.record("bot", "api", "recall", text, [ident])
    vault.calls.flush()


def test_of_200_canaries_no_byte_is_left_in_any_file(tmp_path: Path) -> None:
    assert erase_canaries(tmp_path, 3000, 200) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_of_1000_canaries_no_byte_is_left_in_any_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert erase_canaries(tmp_path, 20_000, 1000) == []
    with capsys.disabled():
        sys.stdout.write("\n1,000 memories of two canaries each erased, 0 pieces found\n")


def test_erasing_a_block_erases_what_agents_asked_when_they_were_told_it(vault: Vault) -> None:
    agent, _ = vault.agents.add("a")
    scope = Scope("workspace", "shop")
    made = vault.blocks.replace(scope, "core", "- swordfish", expected_updated_at=None)
    assert not isinstance(made, Conflict)
    vault.calls.record(agent.id, "mcp", "update_memory", "swordfish", [f"block:{made.block.id}"])
    vault.calls.flush()
    assert vault.erasure.wipe(scope).removed["calls"] == 1
    (call,) = vault.calls.of(agent.id)
    assert call.asked == ""
