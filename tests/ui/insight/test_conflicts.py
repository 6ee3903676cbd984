"""The view of contradictions: both sides, and what each answer does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import TRASHED, EntryDraft
from tests.ui.conftest import settle
from ui.insight.conflicts import ConflictsView, SinceDialog
from ui.window.main_window import MainWindow

OLD, NEW = "The shop runs on Heroku.", "The shop runs on Hetzner."
MakeWindow = Callable[[Vault], MainWindow]


@pytest.fixture
def opposed(vault: Vault) -> Vault:
    vault.entries.store(EntryDraft(OLD, key="old"))
    vault.entries.store(EntryDraft(NEW, key="new"))
    return vault


@pytest.fixture
def view(qtbot: QtBot, opposed: Vault, make_window: MakeWindow) -> ConflictsView:
    window = make_window(opposed)
    window.shell.go_to("conflicts")
    settle(qtbot, window)
    found = window.findChild(ConflictsView)
    assert found is not None
    assert found.current is not None
    return found


def settled(qtbot: QtBot, view: ConflictsView) -> None:
    window = view.window()
    assert isinstance(window, MainWindow)
    settle(qtbot, window)


def test_both_sides_are_shown_with_who_is_told_meanwhile(view: ConflictsView) -> None:
    assert view.current is not None
    assert (view.current.older.content, view.current.newer.content) == (OLD, NEW)
    window = view.window()
    assert isinstance(window, MainWindow)
    assert window.shell.actions["go_conflicts"].text()


def test_the_new_one_is_true_from_the_day_that_was_asked_for(
    qtbot: QtBot, opposed: Vault, view: ConflictsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SinceDialog, "exec", lambda _self: QDialog.DialogCode.Accepted)
    view.newer.click()
    settled(qtbot, view)
    older, newer = (opposed.memory.entries.find(key) for key in ("old", "new"))
    assert older is not None
    assert newer is not None
    assert older.true_until == newer.true_from is not None
    assert view.current is None


def test_nothing_happens_when_the_question_is_not_answered(
    qtbot: QtBot, opposed: Vault, view: ConflictsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SinceDialog, "exec", lambda _self: QDialog.DialogCode.Rejected)
    view.newer.click()
    settled(qtbot, view)
    assert opposed.conflicts.count() == 1


def test_both_are_true(qtbot: QtBot, opposed: Vault, view: ConflictsView) -> None:
    view.both.click()
    settled(qtbot, view)
    assert (opposed.conflicts.count(), view.current) == (0, None)


def test_the_old_one_stays(qtbot: QtBot, opposed: Vault, view: ConflictsView) -> None:
    view.older.click()
    settled(qtbot, view)
    assert [one.key for one in opposed.entries.with_key("new", state=TRASHED)] == ["new"]
    assert view.current is None
