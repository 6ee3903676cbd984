"""The five things people come for, done on the shown window and counted: clicks, drops and keys,
but for the words that are typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.access.caller_scope import Caller
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.ui.display.conftest import Driven

Drive = Callable[[], Driven]
CLAUDE = Scope("agent", "claude")
VISIBLE = (
    "[b for b in app.allWidgets() if b.inherits('QAbstractButton') and b.isVisible()"
    " and b.text().startswith('{text}')][0]"
)


def button(text: str) -> str:
    return f"place_of({VISIBLE.format(text=text)})"


def fill(vault: Vault) -> None:
    for number in range(30):
        vault.entries.store(
            EntryDraft(f"Fact {number} about nothing much.", USER, f"fact_{number}")
        )
    vault.entries.store(EntryDraft("The deploy runs on Fridays.", USER, "deploys"))


def test_find_a_memory_and_fix_it(drive: Drive, stocked: Vault) -> None:
    fill(stocked)
    window = drive()
    window.key("ctrl+k")
    window.type("deploys")
    window.key("Return")
    window.wait("window.editor.entry is not None and window.editor.entry.key == 'deploys'")
    window.wait("window.editor.form.body.hasFocus()")
    window.type(" Never on Mondays.")
    window.key("ctrl+s")
    window.wait("not window.editor.dirty")
    window.settle()
    entry = stocked.entries.find(USER, "deploys")
    assert entry is not None
    assert entry.content == "The deploy runs on Fridays. Never on Mondays."
    assert window.deeds <= 3


def test_an_agent_is_told_what_did_not_fit_its_budget(drive: Drive, stocked: Vault) -> None:
    stocked.agents.add("claude", hydration_budget=512)
    for number in range(12):
        text = f"Fact {number} takes its room from the others. " + "Word. " * number
        stocked.entries.store(EntryDraft(text, USER, f"fact_{number}"))
    window = drive()
    shown = "[w for w in app.allWidgets() if type(w).__name__ == 'HydrationList' and w.isVisible()]"
    raised = f"remedy_place({shown}[0], 'raise_budget')"
    window.wait(f"bool({shown}) and bool({raised})")
    told = f"sum(item.included for item in {shown}[0].items.values)"
    before = window.ask(told)
    window.click_at(raised)
    window.wait(f"{told} > {before}")
    assert (stocked.agents.read("claude").hydration_budget or 0) > 512
    assert window.deeds <= 1


def test_an_agent_is_shared_what_it_does_not_see(drive: Drive, stocked: Vault) -> None:
    fill(stocked)
    stocked.agents.add("claude")
    stocked.agents.add("travel")
    saved = stocked.entries.store(
        EntryDraft("Watching flights to Kyoto.", Scope("agent", "travel"), "flights")
    )
    window = drive()
    window.key("slash")
    window.type("kyoto")
    window.wait("window.editor.entry is not None and window.editor.entry.key == 'flights'")
    window.key("ctrl+shift+h")
    window.settle()
    window.click_at(button("Share with"))
    window.settle()
    assert stocked.entries.read(saved.entry.id).scope == USER
    assert window.deeds <= 3


def test_ten_proposals_are_reviewed(drive: Drive, stocked: Vault) -> None:
    agent, _token = stocked.agents.add("scout", trust="review")
    for number in range(10):
        stocked.memory_for(Caller(agent)).entries.store(
            EntryDraft(f"Prefers tea number {number}.", USER, f"tea_{number}")
        )
    window = drive()
    window.key("alt+6")
    window.settle()
    for left in range(9, -1, -1):
        window.key("a")
        window.wait(f"window.overview.tally.proposed == {left}")
        window.settle()
    assert stocked.entries.count(EntryFilter()) == 10
    assert window.deeds <= 11


def test_the_last_hour_of_an_agent_is_undone(drive: Drive, stocked: Vault) -> None:
    stocked.agents.add("claude")
    stocked.entries.store(EntryDraft("Yours.", USER, "yours"))
    for number in range(4):
        draft = EntryDraft(f"Fact {number}.", CLAUDE, f"fact_{number}")
        stocked.entries.store(draft, actor="agent:claude")
    window = drive()
    window.key("alt+4")
    window.settle()
    window.click_at(button("Undo the last hour of claude"))
    window.settle()
    assert stocked.entries.count(EntryFilter()) == 1
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 4
    assert window.deeds <= 2


def test_notes_are_brought_in(drive: Drive, stocked: Vault, tmp_path: Path) -> None:
    note = tmp_path / "plumber.md"
    note.write_text("The plumber comes on Friday.\n", encoding="utf-8")
    window = drive()
    assert window.drop(note, "place_of(window)") == "dropped CopyAction"
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    window.click_at(button("Import"))
    window.settle()
    window.wait("window.overview.tally.total == 1")
    assert note.exists()
    assert window.deeds <= 2
