"""Letting agents in and out, and what they may do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.connect.connections import Connections
from app.errors import NotAuthenticated
from app.vault import Vault
from store.records import USER, Layers
from store.tables.calls import Call
from tests.ui.conftest import settle
from ui.agents.dialog import AgentsDialog
from ui.window.main_window import MainWindow


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow) -> AgentsDialog:
    window.actions_["agents"].trigger()
    settle(qtbot, window)
    found = window.findChild(AgentsDialog)
    assert found is not None
    return found


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person says yes."""
    monkeypatch.setattr("ui.agents.dialog.sure", lambda *_args: True)


def test_a_new_agents_token_is_shown_once_and_opens_the_door(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault
) -> None:
    dialog.name.setText("Code Bot")
    QTest.keyClick(dialog.name, "\r")
    settle(qtbot, window)
    assert dialog.current.id == "code-bot"
    token = dialog.page.token.field.text()
    assert stocked.agents.authenticate(token).id == "code-bot"
    assert token in dialog.connecting.snippet.toPlainText()
    dialog.page.token.copy.click()
    assert QApplication.clipboard().text() == token
    dialog.close()
    window.actions_["agents"].trigger()
    settle(qtbot, window)
    again = window.findChildren(AgentsDialog)[-1]
    again.list.choose("code-bot")
    assert again.page.token.isHidden()


@pytest.mark.english
def test_a_name_that_is_taken_is_said_to_be(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog
) -> None:
    dialog.name.setText("claude")
    dialog.add.click()
    settle(qtbot, window)
    assert "already" in dialog.page.state.text()


def test_settings_are_saved_and_only_those_that_changed(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault
) -> None:
    form = dialog.form
    assert form.profile() == {}
    assert not dialog.page.save.isEnabled()
    form.trust.setCurrentIndex(form.trust.findData("review"))
    form.budget.setValue(4_096)
    form.layers["long_term"].setChecked(False)
    form.workspaces.setText("shop, thesis,")
    form.workspaces.textEdited.emit("")
    form.scopes["user"].setChecked(False)
    assert set(form.profile()) == {
        "trust",
        "hydration_budget",
        "layers",
        "workspaces",
        "write_scopes",
    }
    dialog.page.save.click()
    settle(qtbot, window)
    agent = stocked.agents.read("claude")
    assert (agent.trust, agent.hydration_budget) == ("review", 4_096)
    assert agent.layers == Layers(True, ("working",))
    assert agent.workspaces == ("shop", "thesis")
    assert "user" not in agent.write_scopes
    assert form.profile() == {}


def test_discard_goes_back(qtbot: QtBot, window: MainWindow, dialog: AgentsDialog) -> None:
    dialog.form.cap.setValue(10)
    assert dialog.form.profile() == {"cap": 10}
    dialog.page.discard.click()
    assert dialog.form.profile() == {}


def test_revoking_stops_the_token_and_keeps_the_memory(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault, sure: None
) -> None:
    dialog.page.rotate.click()
    settle(qtbot, window)
    token = dialog.page.token.field.text()
    assert stocked.agents.authenticate(token).id == "claude"
    dialog.page.revoke.click()
    settle(qtbot, window)
    with pytest.raises(NotAuthenticated):
        stocked.agents.authenticate(token)
    assert stocked.entries.find(dialog.current.scope, "deploy_target") is not None


@pytest.mark.parametrize("before", [None, '{"mcpServers": {"other": {}}}\n'])
def test_one_click_connects_and_disconnects_a_client(
    qtbot: QtBot,
    window: MainWindow,
    dialog: AgentsDialog,
    stocked: Vault,
    sure: None,
    before: str | None,
) -> None:
    path = Connections(stocked.agents, stocked.path, stocked.clock).config_file("cursor")
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_text(before)
    dialog.page.rotate.click()
    settle(qtbot, window)
    connecting = dialog.connecting
    connecting.client.setCurrentIndex(connecting.client.findData("cursor"))
    connecting.join.click()
    settle(qtbot, window)
    assert dialog.page.token.field.text() in path.read_text()
    assert "Cursor" in connecting.state.text()
    assert dialog.page.state.shown() == dialog.page.state.text() != ""  # also what to do next
    connecting.part.click()
    settle(qtbot, window)
    assert (path.read_text() if path.exists() else None) == before


def test_connecting_without_a_token_asks_for_a_new_one(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault, sure: None
) -> None:
    dialog.connecting.join.click()
    settle(qtbot, window)
    assert stocked.agents.authenticate(dialog.page.token.field.text()).id == "claude"


def test_its_last_calls_and_what_it_was_told(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    stocked.calls.record("claude", "mcp", "memory_recall", "who is Marie", [marie.id])
    dialog.page.tabs.setCurrentWidget(dialog.calls)
    qtbot.waitUntil(lambda: dialog.calls.list.rows.rowCount() == 1)
    settle(qtbot, window)
    assert "who is Marie" in dialog.calls.list.current.below
    assert [row.title for row in dialog.calls.shown.rows.values] == ["marie"]
    dialog.calls.shown.doubleClicked.emit(dialog.calls.shown.currentIndex())
    settle(qtbot, window)
    assert window.editor.entry.key == "marie"


def test_without_agents_it_says_what_to_do(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(vault)
    window.actions_["agents"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(AgentsDialog)
    assert dialog._stack.currentIndex() == 1


def test_connect_goes_on_once_the_new_token_is_there_and_the_dialog_keeps_its_size(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault, sure: None
) -> None:
    size = dialog.size()
    connecting = dialog.connecting
    connecting.client.setCurrentIndex(connecting.client.findData("cursor"))
    connecting.join.click()  # its token is not known: a new one is asked for, and used
    settle(qtbot, window)
    path = Connections(stocked.agents, stocked.path, stocked.clock).config_file("cursor")
    assert dialog.page.token.field.text() in path.read_text()
    dialog.page.say("It says something that takes far more room than there is. " * 10)
    QApplication.processEvents()
    assert dialog.size() == size


@pytest.mark.english
def test_a_proposal_is_no_error_among_the_calls(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog
) -> None:
    at = "2026-04-30T12:00:00.000000Z"
    rows = [
        dialog.calls._row(Call(at, "claude", "api", "store", "diet", (), status))
        for status in ("ok", "proposed", "MEM-004", "201", "202", "409")
    ]
    assert [row.look for row in rows] == ["", "", "bad", "", "", "bad"]
    assert rows[1].below.startswith("waits in review")
    assert rows[4].below.startswith("waits in review")
    assert "201" not in rows[3].below


@pytest.mark.english
def test_a_number_of_the_vaults_is_said(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault
) -> None:
    assert dialog.form.budget.text() == "16,384 (as the vault)"
    stocked.settings.set("hydration_budget", 4_096)
    dialog.refresh()
    settle(qtbot, window)
    assert dialog.form.budget.text() == "4,096 (as the vault)"
    assert dialog.form.profile() == {}


def test_a_token_that_nobody_has_is_not_lost_by_escape(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("ui.agents.dialog.sure", lambda _on, _do, words: asked.append(words))
    dialog.name.setText("Code Bot")
    dialog.add.click()
    settle(qtbot, window)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert len(asked) == 1
    dialog.page.token.copy.click()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert len(asked) == 1


def test_a_client_that_is_here_is_connected_with_one_click(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    path = Connections(vault.agents, vault.path, vault.clock).config_file("cursor")
    assert path is not None
    path.parent.mkdir(parents=True)
    window = make_window(vault)
    window.actions_["agents"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(AgentsDialog)
    assert dialog is not None
    (offered,) = [one for one in dialog.found.findChildren(QPushButton) if one.isVisible()]
    offered.click()
    settle(qtbot, window)
    (agent,) = vault.agents.list()
    assert agent.name == "Cursor"
    token = dialog.page.token.field.text()
    assert vault.agents.authenticate(token).id == agent.id
    assert token in path.read_text()
    dialog.close()  # it asks nothing: the client has the token
    assert not dialog.isVisible()


@pytest.mark.english
def test_connecting_says_what_was_done_and_that_the_program_is_missing(
    qtbot: QtBot,
    window: MainWindow,
    dialog: AgentsDialog,
    stocked: Vault,
    sure: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    connecting = dialog.connecting
    connecting.client.setCurrentIndex(connecting.client.findData("cursor"))
    assert not connecting.part.isEnabled()  # there is nothing to take back
    connecting.join.click()
    settle(qtbot, window)
    path = Connections(stocked.agents, stocked.path, stocked.clock).config_file("cursor")
    assert connecting.state.text().startswith(
        f"Written to {path}. Cursor was not found on this machine"
    )
    assert "last seen" in connecting.state.text()
    assert connecting.part.isEnabled()
    connecting.client.setCurrentIndex(connecting.client.findData("zed"))
    assert not connecting.part.isEnabled()
    assert connecting.state.text() == "Set up in Cursor."
    connecting.client.setCurrentIndex(connecting.client.findData("cursor"))
    connecting.part.click()
    settle(qtbot, window)
    assert not connecting.part.isEnabled()


@pytest.mark.english
def test_a_program_with_a_token_that_was_replaced_can_be_disconnected(
    qtbot: QtBot, window: MainWindow, dialog: AgentsDialog, stocked: Vault, sure: None
) -> None:
    connections = Connections(stocked.agents, stocked.path, stocked.clock)
    connections.connect("cursor", "claude", stocked.agents.rotate("claude"))
    stocked.agents.rotate("claude")
    connecting = dialog.connecting
    connecting.client.setCurrentIndex(connecting.client.findData("cursor"))
    connecting.show_agent(stocked.agents.read("claude"), "")
    settle(qtbot, window)
    assert connecting.state.text().startswith("The settings of Cursor hold a token that no agent")
    connecting.part.click()
    settle(qtbot, window)
    assert connections.stale() == []
    assert not connecting.part.isEnabled()
