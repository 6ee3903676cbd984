"""Mouse, keyboard and focus of the real display: what offscreen tests cannot see."""

from __future__ import annotations

from collections.abc import Callable

from app.vault import Vault
from store.records import USER, EntryDraft
from tests.ui.display.conftest import Driven

Drive = Callable[[], Driven]


def test_the_first_window_fits_a_small_screen(drive: Drive, stocked: Vault) -> None:
    window = drive()
    left, top, width, height = window.ask(
        "[window.frameGeometry().x(), window.frameGeometry().y(),"
        " window.frameGeometry().width(), window.frameGeometry().height()]"
    )
    assert left >= 0
    assert top >= 0
    assert left + width <= 1366
    assert top + height <= 768


def test_the_wheel_changes_no_field_and_a_tag_is_taken_whole(drive: Drive, stocked: Vault) -> None:
    stocked.entries.store(EntryDraft("Packs light.", USER, "packing", tags=("travel",)))
    stocked.entries.store(EntryDraft("Runs on EKS.", USER, "cluster", tags=("infra",)))
    window = drive()
    window.ask("window.list_pane.list.select_row(0)")
    window.settle()
    fields = "window.editor.form.fields"
    before = window.ask(f"str({fields}.fields())")
    for name in ("category", "kind", "scope", "importance"):
        window.wheel(f"{fields}.{name}", 3)
    assert window.ask(f"str({fields}.fields())") == before
    window.click(f"{fields}.tags.field")
    window.type("infr")
    window.key("a", "Return")
    window.wait(f"'infra' in {fields}.fields().tags")
    assert "i" not in window.ask(f"list({fields}.fields().tags)")


def test_small_windows_open_over_the_large_one(drive: Drive, stocked: Vault) -> None:
    stocked.entries.store(EntryDraft("Packs light.", USER, "packing"))
    window = drive()
    left, top, width, height = window.ask("place_of(window)")
    window.key("ctrl+shift+n")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    x, y, wide, tall = window.ask("place_of(dialogs(window)[0])")
    assert left < x
    assert top < y
    assert x + wide < left + width
    assert y + tall < top + height
    window.type("Oat milk.")
    window.key("ctrl+Return")
    window.wait("dialogs(window) == []")
    window.ask("window.actions_['settings'].trigger()")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    inside = (
        "[b.window() is dialogs(window)[0] for b in app.allWidgets()"
        " if b.inherits('QPushButton') and b.text() == app.translate('', 'Encrypt…')]"
    )
    assert window.ask(inside) == [True]  # and no stray window of its own


def test_opening_a_memory_moves_no_column(drive: Drive, stocked: Vault) -> None:
    for number in range(6):
        stocked.entries.store(EntryDraft(f"Fact {number}.", USER, f"fact_{number}"))
    window = drive()
    columns = "[window.sidebar.width(), window.list_pane.width(), window.editor.width()]"
    window.ask("window.editor.show_nothing()")
    window.settle()
    before = window.ask(columns)
    window.click_at("row_place(window.list_pane.list, 3)")
    window.wait("window.editor.entry is not None")
    window.settle()
    assert window.ask(columns) == before
