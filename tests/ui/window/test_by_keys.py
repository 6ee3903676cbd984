"""The five tasks people come for, by keys alone: no click, no method of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import focused, press, settle, type_text
from ui.hydration.items_list import HydrationList
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.english
Make = Callable[[Vault], MainWindow]


def tab_to(window: QWidget, words: str) -> QPushButton:
    """Presses Tab until a button that begins so has the keyboard."""
    for _ in range(60):
        here = focused(window)
        if isinstance(here, QPushButton) and here.text().startswith(words):
            return here
        press(window, "Tab")
    raise AssertionError(f"Tab does not come to {words!r}")


def test_find_a_memory_and_fix_it(qtbot: QtBot, stocked: Vault, make_window: Make) -> None:
    window = make_window(stocked)
    press(window, "Slash")
    type_text(window, "freeze")
    settle(qtbot, window)
    press(window, "Return")
    settle(qtbot, window)
    press(window, "Ctrl+2")
    press(window, "Ctrl+End")
    type_text(window, " Ask Jonas.")
    press(window, "Ctrl+S")
    settle(qtbot, window)
    kept = stocked.entries.find(USER, "freeze_window")
    assert kept is not None
    assert kept.content.endswith("Ask Jonas.")


def test_let_in_what_did_not_fit(qtbot: QtBot, vault: Vault, make_window: Make) -> None:
    """One key on what is left out does what its row offers."""
    vault.agents.add("claude")
    for number in range(12):
        vault.entries.store(EntryDraft(f"{number} " * 40, key=f"fact{number}", category="daily"))
    vault.agents.change("claude", {"hydration_budget": 1024})
    window = make_window(vault)
    press(window, "Ctrl+3")
    listed = focused(window)
    assert isinstance(listed, HydrationList)
    for _ in range(20):
        item = listed.items.at(listed.currentIndex().row())
        if item is not None and item.id in listed.items.remedies:
            break
        press(window, "Down")
    assert item is not None
    assert not item.included
    assert listed.items.remedies[item.id].action == "make_core"
    press(window, "Space")
    settle(qtbot, window)
    kept = vault.entries.find(USER, item.key)
    assert kept is not None
    assert kept.category == "core"

    def is_in() -> bool:  # once the window has heard of its own write
        shown = [one for one in listed.items.values if one is not None and one.id == item.id]
        return bool(shown) and shown[0].included

    qtbot.waitUntil(is_in)


def test_share_what_an_agent_does_not_see(qtbot: QtBot, stocked: Vault, make_window: Make) -> None:
    stocked.agents.add("travel")
    window = make_window(stocked)
    press(window, "Slash")
    type_text(window, "quota")
    settle(qtbot, window)
    press(window, "Return")
    settle(qtbot, window)
    press(window, "Ctrl+Shift+H")
    settle(qtbot, window)
    press(window, "Down")
    settle(qtbot, window)
    tab_to(window, "Share with")
    press(window, "Return")
    settle(qtbot, window)
    assert stocked.entries.find(USER, "ci_minutes") is not None


def test_review_ten_proposals(qtbot: QtBot, stocked: Vault, make_window: Make) -> None:
    for number in range(10):
        change = {"key": f"p{number}", "content": f"Proposed number {number}."}
        stocked.review.propose("claude", "store", USER, change)
    window = make_window(stocked)
    press(window, "Alt+6")
    settle(qtbot, window)
    for _ in range(10):
        press(window, "A")
        settle(qtbot, window)
    kept = [stocked.entries.find(USER, f"p{number}") for number in range(10)]
    assert all(kept)


def test_undo_the_last_hour_of_an_agent(qtbot: QtBot, stocked: Vault, make_window: Make) -> None:
    for number in range(3):
        draft = EntryDraft(f"Written {number}.", Scope("agent", "claude"), f"w{number}")
        stocked.entries.store(draft, actor="agent:claude")
    window = make_window(stocked)
    press(window, "Alt+4")
    settle(qtbot, window)
    tab_to(window, "Undo the last hour of claude")
    press(window, "Return")
    settle(qtbot, window)
    found = stocked.entries.find(Scope("agent", "claude"), "w0")
    assert found is None or found.state != "active"


def test_bring_notes_in(
    qtbot: QtBot,
    stocked: Vault,
    make_window: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "tea.md").write_text("Tea is at five.\n", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a, **_k: str(notes))
    window = make_window(stocked)
    QTimer.singleShot(0, window, lambda: agree(window))
    press(window, "Ctrl+Shift+O")
    qtbot.waitUntil(lambda: any("Tea is at five" in one for one in contents(stocked)))


def agree(window: MainWindow) -> None:
    """Answers the dialog that comes, with the keyboard, once the keyboard is there."""
    dialog = QApplication.activeModalWidget()
    if not isinstance(dialog, QDialog) or not dialog.isAncestorOf(focused(window)):
        QTimer.singleShot(50, window, lambda: agree(window))
        return
    tab_to(dialog, "Import")
    press(dialog, "Space")


def contents(vault: Vault) -> list[str]:
    return [entry.content for entry in vault.browse.rows(vault.browse.numbers(EntryFilter()))]
