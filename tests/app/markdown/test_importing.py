"""Import: a plan that changes nothing, then one action that can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import Invalid, NotFound
from app.markdown.import_plan import ImportPlan
from app.markdown.source_files import from_text
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

SAMPLES = Path(__file__).parents[2] / "samples"


def note(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)


def statuses(plan: ImportPlan) -> dict[str, str]:
    return {row.origin: row.status for row in plan.rows}


@pytest.fixture
def folder(vault: Vault, tmp_path: Path) -> Path:
    vault.entries.store(EntryDraft("Green", key="tea", category="core", kind="fact"))
    vault.entries.store(EntryDraft("Black", key="coffee", category="core", kind="fact"))
    folder = tmp_path / "notes"
    note(folder, "tea.md", "---\nkey: tea\n---\nGreen")
    note(folder, "coffee.md", "---\nkey: coffee\n---\nWith milk\n")
    note(folder, "water.md", "Still\n")
    note(folder, "bad.md", "---\nkey: [\n---\n")
    return folder


def test_the_dry_run_says_what_is_new_changed_duplicate_and_refused(
    vault: Vault, folder: Path
) -> None:
    vault.entries.change(_id(vault, "tea"), {"category": "note", "kind": "note"})
    plan = vault.importing.plan(folder)
    assert statuses(plan) == {
        "tea.md": "duplicate",
        "coffee.md": "changed",
        "water.md": "new",
        "bad.md": "refused",
    }
    changed = next(row for row in plan.rows if row.status == "changed")
    assert "-Black" in vault.importing.diff(changed)
    assert "+With milk" in vault.importing.diff(changed)
    assert vault.entries.count() == 2


@pytest.mark.parametrize(
    ("choice", "contents"),
    [
        ("skip", {"coffee": "Black"}),
        ("update", {"coffee": "With milk"}),
        ("both", {"coffee": "Black", "coffee-2": "With milk"}),
    ],
)
def test_a_conflict_is_skipped_updated_or_kept_beside(
    vault: Vault, folder: Path, choice: str, contents: dict[str, str]
) -> None:
    vault.importing.apply(vault.importing.plan(folder), conflict=choice)
    for key, content in contents.items():
        found = vault.entries.find(USER, key)
        assert found
        assert found.content == content
    assert (vault.entries.find(USER, "coffee-2") is not None) == (choice == "both")


def test_one_row_may_be_decided_by_itself(vault: Vault, folder: Path) -> None:
    plan = vault.importing.plan(folder)
    number = [row.origin for row in plan.rows].index("coffee.md")
    done = vault.importing.apply(plan, conflict="skip", choices={number: "update"})
    assert done.updated == 1
    assert vault.entries.read(_id(vault, "coffee")).content == "With milk"


def test_a_whole_import_is_one_undo(vault: Vault, folder: Path) -> None:
    done = vault.importing.apply(vault.importing.plan(folder), conflict="update")
    assert done.group is not None
    assert vault.entries.read(_id(vault, "water")).source == "import:notes"
    vault.history.undo(done.group)
    assert vault.entries.read(_id(vault, "coffee")).content == "Black"
    assert vault.entries.find(USER, "water") is None
    assert vault.entries.count() == 2


def test_cancelling_leaves_nothing_behind(vault: Vault, folder: Path) -> None:
    class Cancelled(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Cancelled

    plan = vault.importing.plan(folder)
    with pytest.raises(Cancelled):
        vault.importing.apply(plan, progress=stop)
    with pytest.raises(Cancelled):
        vault.importing.plan(folder, progress=stop)
    assert vault.entries.count() == 2
    assert vault.entries.find(USER, "water") is None


def test_what_was_stored_after_the_plan_is_not_overwritten(vault: Vault, folder: Path) -> None:
    plan = vault.importing.plan(folder)
    vault.entries.store(EntryDraft("Sparkling", key="water"))
    vault.importing.apply(plan, conflict="skip")
    assert vault.entries.read(_id(vault, "water")).content == "Sparkling"


def test_importing_the_same_twice_finds_only_duplicates(vault: Vault) -> None:
    for sample in ("list.md", "mem0.json", "memory.jsonl", "table.csv", "obsidian", "claude_code"):
        vault.importing.apply(vault.importing.plan(SAMPLES / sample))
        again = vault.importing.plan(SAMPLES / sample)
        assert {row.status for row in again.rows} <= {"duplicate", "refused"}, sample


def test_words_said_already_under_another_key_are_a_duplicate(vault: Vault) -> None:
    vault.entries.store(EntryDraft("Has a daughter named Lio.", key="family"))
    plan = vault.importing.plan(SAMPLES / "saved_memories.txt")
    assert plan.count("duplicate") == 1
    assert plan.count("new") == 2


def test_two_files_with_one_key_are_both_kept(vault: Vault, tmp_path: Path) -> None:
    note(tmp_path / "n", "a.md", "---\nkey: tea\n---\nGreen")
    note(tmp_path / "n", "b.md", "---\nkey: tea\n---\nBlack")
    vault.importing.apply(vault.importing.plan(tmp_path / "n"))
    assert {e.key for e in vault.entries.page(EntryFilter()).entries} == {"tea", "tea-2"}


def test_conversations_are_kept_and_what_they_say_waits_in_the_inbox(vault: Vault) -> None:
    plan = vault.importing.plan(SAMPLES / "chatgpt")
    done = vault.importing.apply(plan)
    assert done.conversations == 2
    waiting = [proposal.payload["content"] for proposal in vault.review.listed()]
    assert "Is vegetarian." in waiting
    assert any("Ana" in str(said) for said in waiting)
    assert len(waiting) == done.proposals == len(set(map(str, waiting)))
    assert vault.entries.count() == 0
    again = vault.importing.plan(SAMPLES / "chatgpt")
    assert {row.status for row in again.rows} == {"duplicate", "refused"}


def test_imported_chats_stand_where_they_were_last_spoken_in(vault: Vault) -> None:
    caller = Caller()
    vault.agents.add("ana")
    vault.conversations.start(caller, agent_id="ana")
    vault.importing.apply(vault.importing.plan(SAMPLES / "chatgpt"))
    oldest = vault.conversations.page(caller).conversations[-1]
    assert oldest.title == "Weekend in Porto"
    assert oldest.updated_at == vault.conversations.turns(caller, oldest.id)[-1].created_at


def test_unknown_fields_come_back_on_export(vault: Vault, tmp_path: Path) -> None:
    vault.importing.apply(vault.importing.plan(SAMPLES / "obsidian"))
    vault.export.to_folder(tmp_path / "out")
    text = (tmp_path / "out/user/Tea.md").read_text()
    assert "rating: 4.50\n" in text
    assert "aliases: [Brewing, Cha]\n" in text
    assert "created: 2023-11-02\n" in text


def test_a_chosen_scope_takes_everything(vault: Vault, folder: Path) -> None:
    vault.importing.apply(vault.importing.plan(folder, scope=Scope("workspace", "shop")))
    assert vault.entries.count(EntryFilter(scopes=(Scope("workspace", "shop"),))) == 3


def test_a_note_beyond_the_limits_is_refused_not_cut(vault: Vault) -> None:
    plan = vault.importing.plan_sources(from_text("x" * 70_000, "big.md"))
    (row,) = plan.rows
    assert (row.status, "65,536 is the most" in row.reason) == ("refused", True)


def test_a_path_that_is_not_there_is_said_so(vault: Vault, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="cannot be opened"):
        vault.importing.plan(tmp_path / "nowhere")
    with pytest.raises(Invalid, match="no choice"):
        vault.importing.apply(ImportPlan("x", "notes", "x", (), 0), conflict="perhaps")


def _id(vault: Vault, key: str) -> str:
    entry = vault.entries.find(USER, key)
    assert entry is not None, key
    return entry.id


def test_undoing_an_import_of_chats_takes_conversations_and_proposals_back(vault: Vault) -> None:
    done = vault.importing.apply(vault.importing.plan(SAMPLES / "claude_export"))
    assert (done.conversations, done.group is not None) == (1, True)
    assert vault.entries.count() > 0
    assert done.group is not None
    vault.history.undo(done.group)
    assert vault.entries.count() == 0
    assert vault.review.listed() == []
    again = vault.importing.plan(SAMPLES / "claude_export")
    assert again.count("new", "conversation") == 1


def test_a_rejected_claim_is_not_proposed_again(vault: Vault) -> None:
    vault.importing.apply(vault.importing.plan(SAMPLES / "chatgpt"))
    vault.review.reject([proposal.id for proposal in vault.review.listed()])
    again = vault.importing.plan(SAMPLES / "chatgpt")
    assert again.count("new") == 0
