"""What a stranger found on a real display: each stays mended."""

from __future__ import annotations

from collections.abc import Callable

from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.ui.display.conftest import Driven

Drive = Callable[[], Driven]
COLUMNS = "[window.sidebar.width(), window.room.pane.width(), window.room.pane.x()]"
BUTTON = (
    "place_of([b for b in app.allWidgets() if b.inherits('QAbstractButton') and b.isVisible()"
    " and b.text() == '{text}'][0])"
)


def store_many(vault: Vault, number: int, text: str = "Fact {n} about nothing.") -> None:
    for n in range(number):
        vault.entries.store(EntryDraft(text.format(n=n), USER, f"fact_{n}"))


def test_scrolling_the_settings_changes_none(drive: Drive, stocked: Vault) -> None:
    """A1"""
    window = drive()
    before = stocked.settings.all()
    window.ask("window.shell.open('setting', 'trash_days')")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    field = "dialogs(window)[0].fields['{name}'].field"
    window.wheel(field.format(name="trash_days"), 5)
    window.wheel(field.format(name="low_importance_days"), 5)
    window.settle()
    assert stocked.settings.all() == before


def test_erased_text_leaves_the_window_and_no_key_brings_it_back(
    drive: Drive, stocked: Vault
) -> None:
    """A2, A15, A26: the dialog lies over the window, and Return presses what has the focus."""
    saved = stocked.entries.store(EntryDraft("Ida starts school in August.", USER, "school"))
    stocked.entries.forget([saved.entry.id])
    window = drive()
    window.key("alt+5")
    window.settle()
    window.click_at("row_place(window.list_pane.list, 0)")
    window.settle()
    window.key("ctrl+shift+Delete")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    x, y, _, _ = window.ask("place_of(dialogs(window)[0])")
    left, top, _, _ = window.ask("place_of(window)")
    assert x > left
    assert y > top
    erase = "button_in(dialogs(window)[0], 'rase')"
    window.wait(f"{erase}.isEnabled()")
    window.ask(f"{erase}.setFocus()")
    window.key("Return")
    close = "button_in(dialogs(window)[0], 'Close')"
    window.wait(f"{close}.isVisible()")
    window.ask(f"{close}.setFocus()")
    window.key("Return")
    window.wait("dialogs(window) == []")
    window.settle()
    assert window.ask("window.editor.entry") is None
    window.key("z")
    window.settle()
    assert stocked.drafts.all() == []


def test_what_is_typed_into_a_block_is_there_again(drive: Drive, stocked: Vault) -> None:
    """A4"""
    window = drive()
    window.ask("window.shell.go_to('blocks')")
    window.settle()
    editor = "[w for w in app.allWidgets() if type(w).__name__ == 'BlockEditor'][0]"
    window.ask(f"{editor}.list.choose('user/core')")
    window.settle()
    window.click(f"{editor}.pages.body")
    window.type("Lives in Graz")
    window.ask(f"{editor}.list.choose('user/archival')")
    window.settle()
    window.ask(f"{editor}.list.choose('user/core')")
    window.settle()
    window.wait(f"{editor}.pages.body.text() == 'Lives in Graz'")


def test_an_agent_that_writes_after_an_undo_leaves_the_view(drive: Drive, stocked: Vault) -> None:
    """A7"""
    store_many(stocked, 3)
    window = drive()
    window.key("ctrl+BackSpace")
    window.wait("window.overview.tally.trash == 1")
    window.key("ctrl+z")
    window.wait("window.overview.tally.trash == 0")
    window.settle()
    window.key("alt+9")
    window.settle()
    stocked.entries.store(EntryDraft("By an agent."), actor="agent:claude")
    window.wait("window.overview.tally.total == 4")
    window.settle()
    assert not window.ask("window.middle.shows_memories")


def test_hits_stay_while_a_word_is_typed_and_the_list_at_its_top(
    drive: Drive, stocked: Vault
) -> None:
    """A8, A9, A11: unfinished words keep their hits, filters their neighbours, Escape goes back."""
    store_many(stocked, 40)
    stocked.entries.store(EntryDraft("We deploy on Fridays.", USER, "deploys", tags=("infra",)))
    window = drive()
    window.key("slash")
    window.type("deplo")
    window.wait("window.list_pane.model.rowCount() > 0")
    window.settle()
    assert window.ask("window.list_pane.model.row_at(0).entry.key") == "deploys"
    assert window.ask("window.list_pane.list.verticalScrollBar().value()") == 0
    assert window.ask("window.editor.entry.key") == "deploys"
    window.type("y tag:infra fridays")
    window.settle()
    assert window.ask("window.toolbar.search.field.text()") == "deploy fridays"
    assert window.ask("window.list_pane.model.rowCount()") == 1
    window.key("Escape", "Escape")
    window.settle()
    assert window.ask("window.list_pane.list.hasFocus()")


def test_views_and_options_move_no_column(drive: Drive, stocked: Vault) -> None:
    """A20"""
    stocked.agents.add("claude")
    store_many(stocked, 5)
    window = drive()
    window.ask("window.resize(1300, 700)")
    window.settle()
    before = window.ask(COLUMNS)
    for name in ("review", "activity", "blocks", "timeline", "drafts", "conversations", "all"):
        window.ask(f"window.shell.go_to('{name}')")
        window.settle()
        assert window.ask(COLUMNS) == before, name
    pane = "[w for w in app.allWidgets() if type(w).__name__ == 'HydrationPane'][0]"
    window.click(f"{pane}.widgets.more")
    window.settle()
    assert window.ask(COLUMNS) == before


def test_what_was_selected_stays_so_after_an_undo(drive: Drive, stocked: Vault) -> None:
    """A23"""
    store_many(stocked, 5)
    window = drive()
    window.click_at("row_place(window.list_pane.list, 0)")
    window.key("shift+Down", "shift+Down")
    window.settle()
    window.key("ctrl+BackSpace")
    window.wait("window.overview.tally.trash == 3")
    window.settle()
    window.key("ctrl+z")
    window.wait("window.overview.tally.trash == 0")
    window.settle()
    assert len(window.ask("window.list_pane.list.selected_rows()")) == 3
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 0


def test_the_keys_of_the_editor_work_from_its_fields(drive: Drive, stocked: Vault) -> None:
    """A26"""
    store_many(stocked, 2)
    window = drive()
    window.click_at("row_place(window.list_pane.list, 0)")
    window.settle()
    window.click("window.editor.form.fields.hook")
    window.wait("window.editor.form.fields.hook.hasFocus()")
    window.key("ctrl+e")
    window.wait("window.editor.form.body.hasFocus()")


def test_a_long_scope_is_not_cut_in_its_letters(drive: Drive, stocked: Vault) -> None:
    """A19"""
    scope = Scope("workspace", "the-shop-in-the-old-town")
    stocked.entries.store(EntryDraft("Opens at nine.", scope, "opening"))
    window = drive()
    window.click_at("row_place(window.list_pane.list, 0)")
    window.settle()
    field = "window.editor.form.fields.scope"
    shown, all_of_it = window.ask(f"[{field}.shown_text(), {field}.currentText()]")
    wide = window.ask(f"{field}.fontMetrics().horizontalAdvance({field}.shown_text())")
    assert wide < window.ask(f"{field}.width()") - 20  # the arrow has its room
    assert shown == all_of_it or shown.endswith("…")
