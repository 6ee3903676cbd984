"""The writing model's page: trying, keeping and clearing it, and seeing what is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.access.caller_scope import Caller
from app.access.secret_store import FileSecrets, Secrets
from app.learning.writing_model import Writing
from app.vault import Vault
from tests.app.learning.writers.chat_server import ChatServer, chat_server, streams
from tests.ui.conftest import settle
from ui.toolkit.jobs import Jobs
from ui.vault.settings_dialog import SettingsDialog
from ui.vault.writer_settings import WriterSettings, latest_prompt
from ui.window.main_window import MainWindow


@pytest.fixture
def writing(vault: Vault, tmp_path: Path) -> Writing:
    secrets = Secrets(None, FileSecrets(tmp_path / "secrets"))
    return Writing(vault.settings, lambda: secrets, lambda: None)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server(streams("ready")) as running:
        yield running


@pytest.fixture
def page(qtbot: QtBot, vault: Vault, writing: Writing) -> Iterator[WriterSettings]:
    jobs = Jobs()
    made = WriterSettings(writing, latest_prompt(vault.conversations, vault.sleep), jobs)
    qtbot.addWidget(made)
    made.show()
    made.refresh()
    rest(qtbot, made)
    yield made
    jobs.close()


def rest(qtbot: QtBot, page: WriterSettings) -> None:
    qtbot.waitUntil(lambda: not page._jobs.busy)


def fill(page: WriterSettings, endpoint: str, key: str = "") -> None:
    page.fields.endpoint.setText(endpoint)
    page.fields.model.setText("small")
    page.fields.key.setText(key)


@pytest.mark.english
def test_without_a_model_it_says_that_nothing_is_sent(page: WriterSettings) -> None:
    assert "Nothing is sent anywhere" in page.who.text()
    assert not page.save.isEnabled()
    assert not page.test.isEnabled()
    assert not page.clear.isEnabled()


@pytest.mark.english
def test_what_is_typed_is_tried_before_it_is_saved(
    qtbot: QtBot, page: WriterSettings, writing: Writing, server: ChatServer
) -> None:
    fill(page, server.url, "k3y")
    page.test.click()
    assert page.state.text() == "Asking…"
    rest(qtbot, page)
    assert page.state.text().startswith("✓")
    assert server.keys == ["Bearer k3y"]
    assert not writing.model().configured


def test_an_endpoint_that_does_not_answer_is_said_to_fail(
    qtbot: QtBot, page: WriterSettings, writing: Writing
) -> None:
    with chat_server(lambda request: request.whole(b"{}", 401)) as server:
        fill(page, server.url)
        page.test.click()
        rest(qtbot, page)
    assert page.state.text().startswith("✗")
    assert page.test.isEnabled()


@pytest.mark.english
def test_saving_keeps_the_key_out_of_sight_and_says_where_it_went(
    qtbot: QtBot, page: WriterSettings, writing: Writing
) -> None:
    assert page.fields.key.echoMode() is QLineEdit.EchoMode.Password
    fill(page, "http://127.0.0.1:9/v1", "k3y")
    QTest.keyClick(page.fields.key, Qt.Key.Key_Return)
    rest(qtbot, page)
    assert writing.model().has_key
    assert page.fields.key.text() == ""
    assert "kept" in page.fields.key.placeholderText()
    assert "no keyring" in page.notice.text()
    assert "127.0.0.1:9" in page.who.text()


@pytest.mark.english
def test_an_untouched_key_stays_and_clearing_drops_it_all(
    qtbot: QtBot, page: WriterSettings, writing: Writing
) -> None:
    fill(page, "http://127.0.0.1:9/v1", "k3y")
    page.save.click()
    rest(qtbot, page)
    page.fields.model.setText("other")
    page.save.click()
    rest(qtbot, page)
    assert (writing.model().model, writing.model().has_key) == ("other", True)
    page.clear.click()
    rest(qtbot, page)
    assert not writing.model().configured
    assert not writing.model().has_key
    assert page.fields.endpoint.text() == ""
    assert "Nothing is sent anywhere" in page.who.text()


@pytest.mark.english
def test_a_model_the_vault_brought_is_used_only_when_confirmed(
    qtbot: QtBot, page: WriterSettings, writing: Writing, vault: Vault, server: ChatServer
) -> None:
    assert page.confirm.isHidden()
    vault.settings.set("writer_endpoint", server.url)
    vault.settings.set("writer_model", "small")
    page.refresh()
    rest(qtbot, page)
    assert "nothing is sent" in page.who.text()
    assert server.url in page.who.text()
    page.test.click()
    rest(qtbot, page)
    assert "not confirmed" in page.state.text()
    assert server.seen == []
    page.confirm.click()
    rest(qtbot, page)
    assert writing.model().confirmed
    assert page.confirm.isHidden()
    assert "is sent to" in page.who.text()
    page.test.click()
    rest(qtbot, page)
    assert page.state.text().startswith("✓")


def test_an_address_that_is_none_is_refused_in_words(
    qtbot: QtBot, page: WriterSettings, writing: Writing
) -> None:
    fill(page, "ftp://somewhere")
    page.save.click()
    rest(qtbot, page)
    assert "http" in page.state.text()
    assert not writing.model().configured


@pytest.mark.english
def test_the_exact_prompt_of_the_latest_conversation_is_shown(
    qtbot: QtBot, page: WriterSettings, vault: Vault
) -> None:
    page.sent.ask.click()
    rest(qtbot, page)
    assert "no conversation yet" in page.sent.words.text()
    vault.agents.add("claude")
    held = vault.conversations.start(Caller(), agent_id="claude")
    vault.conversations.append(Caller(), held.id, [("user", "I am vegetarian.")])
    page.sent.ask.click()
    rest(qtbot, page)
    assert "Nothing is sent" in page.sent.words.text()
    fill(page, "http://127.0.0.1:9/v1")
    page.save.click()
    rest(qtbot, page)
    page.sent.ask.click()
    rest(qtbot, page)
    assert page.sent.text.toPlainText() == vault.sleep.prompt(held.id)
    assert "I am vegetarian." in page.sent.text.toPlainText()


def test_it_is_a_page_of_the_settings_and_has_its_fields_once(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.actions_["settings"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    dialog.go_to("Writing model")
    assert len(dialog.pages.currentWidget().findChildren(WriterSettings)) == 1
    assert "writer_endpoint" not in dialog.fields
    assert "writer_seconds" in dialog.fields
