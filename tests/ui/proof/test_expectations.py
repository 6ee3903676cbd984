"""Memory tests in the window: expecting, seeing red, undoing what broke it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.vault import Vault
from store.records import EXPECTATIONS
from store.tables.entry_filter import EntryFilter
from tests.ui.conftest import settle
from ui.proof.bisect import BisectDialog
from ui.proof.install import ExpectationsDialog, ExpectDialog
from ui.window.main_window import MainWindow


def expected(vault: Vault) -> list[str]:
    found = vault.memory.entries.page(EntryFilter(scopes=(EXPECTATIONS,)))
    return [entry.content for entry in found.entries]


def expect_dialog(qtbot: QtBot, window: MainWindow) -> ExpectDialog:
    qtbot.waitUntil(lambda: window.findChild(ExpectDialog) is not None)
    dialog = window.findChild(ExpectDialog)
    assert dialog is not None
    return dialog


@pytest.mark.english
def test_expect_this_writes_a_sentence_and_a_red_one_is_undone(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.memory.entries.with_key("deploy_target")[0]
    window.shell.open("expectation", f"{entry.id}\nclaude\n")
    dialog = expect_dialog(qtbot, window)
    assert dialog.sentence.text() == "claude is told `deploy_target`."
    dialog.question.setText("where do we deploy?")
    asked = 'Asked "where do we deploy?", claude gets `deploy_target` among the first 3.'
    assert dialog.sentence.text() == asked
    dialog.sentence.setText("nonsense")
    assert not dialog.ok.isEnabled()
    dialog.question.setText("")
    dialog.accept()
    qtbot.waitUntil(lambda: expected(stocked) == ["- claude is told `deploy_target`."])
    window.shell.actions["memory_tests"].trigger()
    tests = window.findChild(ExpectationsDialog)
    assert tests is not None
    qtbot.waitUntil(lambda: "as expected" in tests.state.text())
    stocked.memory.entries.forget([entry.id])
    window.shell.changes.look()
    qtbot.waitUntil(lambda: "red" in tests.state.text())
    assert tests.undo.isEnabled()
    tests.undo.click()
    qtbot.waitUntil(lambda: "as expected" in tests.state.text())
    tests.close()
    settle(qtbot, window)


def test_an_agent_that_was_shut_out_is_expected_nothing_of(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.agents.add("aaron")
    stocked.agents.revoke("aaron")
    entry = stocked.memory.entries.with_key("deploy_target")[0]
    window.shell.open("expectation", f"{entry.id}\n\n")
    dialog = expect_dialog(qtbot, window)
    assert dialog.agent.findData("claude") == dialog.agent.currentIndex() == 0
    assert dialog.agent.findData("aaron") < 0
    dialog.reject()
    window.shell.actions["bisect"].trigger()
    qtbot.waitUntil(lambda: window.findChild(BisectDialog) is not None)
    bisect = window.findChild(BisectDialog)
    assert bisect is not None
    qtbot.waitUntil(lambda: bisect.agent.count() > 1)
    names = [bisect.agent.itemText(row) for row in range(bisect.agent.count())]
    assert names[-1] == "aaron"
    bisect.close()
    settle(qtbot, window)


def test_where_nothing_is_expected_the_keyboard_is_on_the_one_button_there_is(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.shell.actions["memory_tests"].trigger()
    tests = window.findChild(ExpectationsDialog)
    assert tests is not None
    qtbot.waitUntil(tests.again.hasFocus)
    tests.close()


@pytest.mark.english
def test_what_is_not_so_yet_is_said_at_once(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.memory.entries.with_key("deploy_target")[0]
    for sentence, said in (
        ("claude is told `deploy_target`.", "Expected from now on."),
        ("claude is never told anything tagged `infra`.", "not so yet: "),
    ):
        stocked.memory.entries.change(entry.id, {"tags": ["infra"]})
        window.shell.open("expectation", f"{entry.id}\nclaude\n")
        dialog = expect_dialog(qtbot, window)
        dialog.sentence.setText(sentence)
        dialog.accept()
        qtbot.waitUntil(lambda said=said: said in window.messages.toast.message.text)
        dialog.deleteLater()
        settle(qtbot, window)


def test_the_menu_expects_the_memory_in_hand(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    entry = stocked.memory.entries.with_key("deploy_target")[0]
    window.shell.open("entry", entry.id)
    settle(qtbot, window)
    window.shell.actions["expect"].trigger()
    dialog = expect_dialog(qtbot, window)
    assert "`deploy_target`" in dialog.sentence.text()
    dialog.reject()
