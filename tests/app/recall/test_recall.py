from __future__ import annotations

from app.recall.query import NOTHING_NEAR
from app.recall.search import anything_near
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter


def test_entries_and_archival_lines_come_in_one_list(vault: Vault) -> None:
    vault.entries.store(EntryDraft("Anna is allergic to peanuts"))
    vault.entries.store(EntryDraft("The build runs on Tuesdays"))
    block = vault.blocks.replace(
        USER,
        "archival",
        "# Food\n- Loves hiking in the Alps\n- Eats no shellfish, an allergy",
        expected_updated_at=None,
    )
    found = vault.recall.recall("any food allergies?", limit=2)
    assert {match.type for match in found} == {"entry", "archival"}
    assert {match.content for match in found} == {
        "Anna is allergic to peanuts",
        "Eats no shellfish, an allergy",
    }
    line = next(match.line for match in found if match.line)
    assert (line.block_id, line.line, line.scope) == (block.block.id, 3, USER)


def test_min_score_leaves_out_what_is_far(vault: Vault) -> None:
    vault.entries.store(EntryDraft("The build runs on Tuesdays"))
    assert vault.recall.recall("favourite opera singer", min_score=0.4) == []
    assert len(vault.recall.recall("when does the build run", min_score=0.4)) == 1


def test_what_is_merely_nearest_is_told_from_what_is_near(vault: Vault) -> None:
    vault.entries.store(EntryDraft("The build runs on Tuesdays"))
    vault.entries.store(EntryDraft("Anna is allergic to peanuts"))
    assert anything_near(vault.recall.recall("when does the build run?"))
    assert anything_near(vault.recall.recall("which nuts must she not eat?"))
    far = vault.recall.recall("favourite opera singer")
    assert far
    assert not anything_near(far)


def test_a_preload_brings_nothing_unless_something_is_near(vault: Vault) -> None:
    vault.entries.store(EntryDraft("The build runs on Tuesdays"))
    vault.entries.store(EntryDraft("Anna is allergic to peanuts"))
    usual = float(vault.settings["preload_min_relevance"])
    assert usual == NOTHING_NEAR

    def told(message: str, least: float = usual) -> list[str]:
        found = vault.search.preload(message, filter=EntryFilter(), most=5, least=least)
        return [entry.content for entry in found.entries]

    assert told("when does the build run?") == ["The build runs on Tuesdays"]
    # One word in common was the best match by words, and so it was told.
    assert told("he runs for mayor of Chicago") == []
    assert len(told("he runs for mayor of Chicago", least=0)) == 2


def test_the_limit_holds_over_both(vault: Vault) -> None:
    for number in range(5):
        vault.entries.store(EntryDraft(f"tea number {number}"))
    vault.blocks.replace(
        USER, "archival", "\n".join(f"- tea line {n}" for n in range(5)), expected_updated_at=None
    )
    found = vault.recall.recall("tea", limit=4)
    assert len(found) == 4
    assert [match.score for match in found] == sorted((m.score for m in found), reverse=True)


def test_only_archival_blocks_give_lines_and_best_first(vault: Vault) -> None:
    scope = Scope("agent", "claude")
    core = vault.blocks.replace(scope, "core", "- likes tea", expected_updated_at=None).block
    archival = vault.blocks.replace(
        scope, "archival", "- drinks green tea daily\n- owns a bicycle", expected_updated_at=None
    ).block
    lines = vault.recall.archival("which tea", [core, archival], 10)
    assert lines[0].text == "drinks green tea daily"
    assert "likes tea" not in [line.text for line in lines]
    assert vault.recall.archival("?!", [archival], 10) == []


def test_lines_are_embedded_once_and_old_ones_dropped(vault: Vault) -> None:
    first = "- one fact\n- two"
    block = vault.blocks.replace(USER, "archival", first, expected_updated_at=None).block
    vault.recall.archival("fact", [block], 5)
    with vault.database.read() as db:
        kept = db.execute("SELECT line_digest FROM block_vectors").fetchall()
    assert len(kept) == 2
    block = vault.blocks.replace(
        USER, "archival", "- one fact\n- three", expected_updated_at=block.updated_at
    ).block
    vault.recall.archival("fact", [block], 5)
    with vault.database.read() as db:
        now = db.execute("SELECT line_digest FROM block_vectors").fetchall()
    assert len(now) == 2
    assert len(set(now) & set(kept)) == 1


def test_a_message_is_taken_as_it_is_said(vault: Vault) -> None:
    vault.entries.store(EntryDraft("The build runs on Tuesdays"))
    for message in ('When "exactly" does the build run -tuesdays?', "kind:note build tuesdays"):
        assert len(vault.recall.recall(message)) == 1
