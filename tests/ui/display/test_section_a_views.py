"""What a stranger found in cards, views and dialogs on a real display: each stays mended."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from app.access.caller_scope import Caller
from app.vault import Vault
from store.records import ACTIVE, TRASHED, USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.ui.display.conftest import Driven

Drive = Callable[[], Driven]
SHOWN = "[w for w in app.allWidgets() if type(w).__name__ == '{kind}' and w.isVisible()][0]"
BUTTON = (
    "place_of([b for b in app.allWidgets() if b.inherits('QAbstractButton') and b.isVisible()"
    " and '{text}' in b.text()][0])"
)
LONG = "The kitchen has two windows to the yard, and basil grows on the sill of the larger one. "


def shown(kind: str) -> str:
    return SHOWN.format(kind=kind)


def button(text: str) -> str:
    return BUTTON.format(text=text)


def test_matches_are_marked_where_they_stand_and_no_line_lies_under_chips(
    drive: Drive, stocked: Vault
) -> None:
    """A10, A16"""
    for number in range(12):
        tags = ("garden", "kitchen", "reading")[: number % 4]
        text = LONG[: 20 + number * 13] + "🌱" * (number % 5) + " for the basil plants."
        stocked.entries.store(EntryDraft(text, USER, tags=tags))
    stocked.entries.store(EntryDraft("🌱🌱🌱🌱 watering **plants** and basil", USER, "garden"))
    window = drive()
    window.key("slash")
    window.type("basil plants")
    window.wait("window.list_pane.list.model().rowCount() == 13")
    window.settle()
    marked = window.ask("marked_words(window.list_pane.list)")
    assert set(marked) == {"basil", "plants"}
    for wide in (1366, 1200, 1000, 820):
        window.ask(f"window.resize({wide}, 700)")
        window.settle()
        assert window.ask("lines_under_chips(window.list_pane.list)") == []
    window.ask("window.workbench.open_number(13)")
    window.wait("window.editor.entry is not None and window.editor.entry.key == 'garden'")
    window.wait("bold_words(window.editor.form.body) == ['**plants**']")


def test_a_large_cluster_leaves_the_window_alive_and_is_asked_about(
    drive: Drive, stocked: Vault
) -> None:
    """A12"""
    for number in range(30):
        stocked.entries.store(EntryDraft("Drinks green tea.", USER, f"tea_{number}"))
    stocked.embedding.embed_waiting()
    window = drive()
    window.ask("hold_back('ui.insight.duplicates', 'said_once')")
    window.key("alt+8")
    page = f"{shown('DuplicatesView')}.page"
    window.wait("held_back()")
    assert window.ask(f"{page}.merge.isEnabled()") is False
    window.key("alt+1")
    window.wait("window.middle.shows_memories")
    window.key("alt+8")
    window.ask("let_go()")
    window.wait(f"{page}.merge.isEnabled()")
    window.click(f"{page}.merge")
    window.wait("len(dialogs(window)) == 1")
    window.key("Escape")
    window.wait("dialogs(window) == []")
    window.settle()
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 0


def test_the_map_is_never_black_and_names_what_the_mouse_is_on(
    drive: Drive, stocked: Vault
) -> None:
    """A13"""
    for number, word in enumerate(("tea", "Kyoto", "deploys", "Marie", "garden", "school")):
        stocked.entries.store(EntryDraft(f"Something about {word}.", USER, f"fact_{number}"))
    stocked.embedding.embed_waiting()
    window = drive()
    window.ask("hold_back('ui.insight.map', 'regions')")
    window.ask("window.shell.go_to('map')")
    window.wait("held_back()")
    window.wait(f"not {shown('MapView')}.plot.isVisible()")
    window.ask("let_go()")
    window.wait(f"{shown('MapView')}.plot.isVisible()")
    window.settle()
    ground = f"{shown('MapView')}.plot.grab().toImage().pixelColor(2, 2).name()"
    assert window.ask(ground) == window.ask("window.theme.tokens.color('bg').name()")
    view = shown("MapView")
    window.move(f"dot_place({view}, 0)")
    window.wait("tip_text().startswith('fact_')")
    time.sleep(1)  # the library's own tip would come after half a second, over ours
    assert "data=" not in window.ask("tip_text()")


def test_what_would_bring_a_memory_in_is_computed_and_why_agrees(
    drive: Drive, stocked: Vault
) -> None:
    """A21, A22"""
    stocked.agents.add("claude", hydration_budget=700)
    for number in range(9):
        text = f"Fact {number} takes its room from the others. " + "Word. " * number * 3
        stocked.entries.store(EntryDraft(text, USER, f"fact_{number}"))
    window = drive()
    listed = shown("HydrationList")
    window.wait(f"bool({listed}.items.remedies)")
    window.settle()
    offered = window.ask(
        f"{{one: [r.action, r.bytes] for one, r in {listed}.items.remedies.items()}}"
    )
    raised = {one: size for one, (action, size) in offered.items() if action == "raise_budget"}
    assert raised
    memory = stocked.memory.hydration
    for ident, budget in raised.items():  # the least that does, and nothing more
        assert memory.why(ident, agent_id="claude", budget=budget).hydrated
        assert not memory.why(ident, agent_id="claude", budget=budget - 1).hydrated
    for ident, (action, size) in offered.items():
        remedies = memory.why(ident, agent_id="claude", budget=700).remedies
        assert (action, size) in [(one.action, one.bytes) for one in remedies]
    told = window.ask(f"[i.id for i in {listed}.items.values if i.included and i.type == 'entry']")
    number = stocked.entries.read(told[0]).n
    window.ask(f"window.workbench.open_number({number})")
    window.settle()
    window.key("ctrl+shift+h")
    window.settle()
    why = f"{shown('WhyPanel')}.list.rows.values[0].value.explanation.hydrated"
    window.wait(why)
    window.ask(f"{shown('HydrationPane')}.widgets.options.budget.setValue(320)")
    included = f"{listed}.items.at({listed}.items.row_of('{told[0]}')).included"
    window.wait(f"not {included}")
    window.wait(f"not {why}")
    assert window.ask(f"{shown('WhyPanel')}.tried.isVisible()")


def test_a_sentence_in_the_agents_dialog_does_not_resize_it_and_connect_goes_on(
    drive: Drive, stocked: Vault
) -> None:
    """A17"""
    stocked.agents.add("claude")
    window = drive()
    window.ask("window.actions_['agents'].trigger()")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    dialog = "dialogs(window)[0]"
    before = window.ask(f"[{dialog}.width(), {dialog}.height()]")
    window.ask(
        f"{dialog}.connecting.client.setCurrentIndex({dialog}.connecting.client.findData('cursor'))"
    )
    window.ask(f"{dialog}.page.tabs.setCurrentWidget({dialog}.connecting)")
    window.settle()
    window.click(f"{dialog}.connecting.join")
    window.wait("len(dialogs(window)) == 2")  # its token is not known: a new one is asked for
    window.settle()
    box = "[one for one in dialogs(window) if one.inherits('QMessageBox')][0]"
    window.click(f"button_in({box}, 'New token')")
    window.wait("len(dialogs(window)) == 1")
    window.wait(f"'Cursor' in {dialog}.connecting.state.text()")  # it went on by itself
    window.settle()
    assert window.ask(f"{dialog}.page.state.text()")
    assert window.ask(f"[{dialog}.width(), {dialog}.height()]") == before


def test_a_proposal_shows_every_field_that_it_changes(drive: Drive, stocked: Vault) -> None:
    """A24"""
    agent, _token = stocked.agents.add("scout", trust="review")
    kept = EntryDraft("No peanuts.", USER, "diet", importance=10, tags=("me", "health"))
    stocked.entries.store(kept)
    stocked.memory_for(Caller(agent)).entries.store(
        EntryDraft("No peanuts, no milk.", USER, "diet", importance=6, tags=("proposed",))
    )
    window = drive()
    window.key("alt+6")
    window.settle()
    fields = f"{shown('ProposalView')}.fields"
    window.wait(f"{fields}.isVisible()")
    lines = window.ask(f"{fields}.text()").splitlines()
    assert "Importance: 10 → 6" in lines
    assert [line for line in lines if line.startswith("Tags:") and line.endswith("→ proposed")]
    assert window.ask(f"{fields}.visibleRegion().boundingRect().height()") == window.ask(
        f"{fields}.height()"
    )


def test_until_a_conflict_is_settled_an_agent_is_told_one_version(
    drive: Drive, stocked: Vault, tmp_path: Path
) -> None:
    """A25"""
    stocked.agents.add("claude")
    entry = stocked.entries.store(EntryDraft("Works with Marie on onboarding.", USER, "marie"))
    folder = tmp_path / "Memories"
    mirror = stocked.mirrors.add(folder, USER).mirror
    window = drive()
    window.ask("window.actions_['mirrors'].trigger()")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    conflicts = "dialogs(window)[0].conflicts"
    assert window.ask(f"{conflicts}.isVisible()") is False
    note = folder / "marie.md"
    note.write_text(note.read_text("utf-8").replace("onboarding", "hiring"), encoding="utf-8")
    stocked.entries.change(entry.entry.id, {"content": "Works with Marie on payroll."})
    stocked.mirrors.sync(mirror.id)
    window.wait(f"{conflicts}.isVisible()")  # the open dialog follows
    window.settle()
    text = stocked.memory.hydration.hydrate(agent_id="claude").text
    assert text.count("Works with Marie") == 1
    window.click(f"{conflicts}.take_vault")
    window.wait(f"not {conflicts}.isVisible()")
    window.settle()
    assert "on payroll" in stocked.memory.hydration.hydrate(agent_id="claude").text


def test_removing_the_samples_asks_spares_and_can_be_undone(drive: Drive, stocked: Vault) -> None:
    """A6"""
    window = drive()
    window.click(f"{shown('FirstRun')}.cards[0]")
    window.wait("window.overview.tally.total > 10")
    window.settle()
    before = window.ask("window.overview.tally.total")
    rewritten = next(e for e in stocked.memory.entries.page(EntryFilter(), 1).entries)
    stocked.entries.change(rewritten.id, {"content": "Mine now."})
    connected = stocked.agents.list()[0].id
    stocked.agents.rotate(connected)  # the person has it connected
    window.ask("later(window.actions_['no_samples'].trigger)")
    window.wait("len(dialogs(window)) == 1")
    window.key("Escape")
    window.wait("dialogs(window) == []")
    window.settle()
    assert window.ask("window.overview.tally.total") == before
    window.ask("later(window.actions_['no_samples'].trigger)")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    window.click("button_in(dialogs(window)[0], 'Remove')")
    window.wait("window.overview.tally.total < 10")
    window.settle()
    assert stocked.entries.read(rewritten.id).content == "Mine now."
    assert stocked.entries.read(rewritten.id).state == ACTIVE
    assert [a.id for a in stocked.agents.list() if a.revoked_at is None] == [connected]
    window.click_at(button("Undo"))
    window.wait(f"window.overview.tally.total == {before}")
    window.settle()
    assert all(agent.revoked_at is None for agent in stocked.agents.list())


def test_the_key_takes_all_of_removing_the_samples_back(drive: Drive, stocked: Vault) -> None:
    """Not only the last of what it did: the blocks, the proposals, the memories, the agents."""
    window = drive()
    window.click(f"{shown('FirstRun')}.cards[0]")
    window.wait("window.overview.tally.total > 10")
    window.settle()
    tally = "[window.overview.tally.total, window.overview.tally.proposed]"
    before = window.ask(tally)
    window.ask("later(window.actions_['no_samples'].trigger)")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    window.click("button_in(dialogs(window)[0], 'Remove')")
    window.wait("window.overview.tally.total == 0")
    window.settle()
    window.key("ctrl+z")
    window.wait(f"{tally} == {before}")
    window.settle()
    assert all(agent.revoked_at is None for agent in stocked.agents.list())
