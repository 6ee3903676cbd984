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
