"""Settings as they are declared, applied as they are changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.connect import autostart
from app.recall.embedding import packs_of
from app.recall.language_packs import listed
from app.settings import SETTINGS
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from tests.app.recall.test_language_packs import written_dictionary
from tests.ui.conftest import settle
from tests.ui.hydration.test_pane import calm, pane_of
from ui.toolkit.theme import Look
from ui.vault import settings_pages as extras
from ui.vault.settings_dialog import ORDER, SettingsDialog, as_json, as_words
from ui.vault.writer_settings import OWN_FIELDS
from ui.window.main_window import MainWindow

PAST = "2020-01-01T00:00:00.000000Z"


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow) -> SettingsDialog:
    window.actions_["settings"].trigger()
    settle(qtbot, window)
    found = window.findChild(SettingsDialog)
    assert found is not None
    for section in reversed(ORDER):  # each is made when it is looked at
        found.go_to(section)
    settle(qtbot, window)
    return found


def test_a_page_is_made_when_it_is_looked_at_and_knows_the_values(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.settings.set("trash_days", 11)
    window.actions_["settings"].trigger()
    settle(qtbot, window)
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    made = {setting.name for setting in SETTINGS if setting.section == ORDER[0]}
    assert set(dialog.fields) == made - set(OWN_FIELDS)
    dialog.go_to("Lifetimes")
    number = dialog.fields["trash_days"].field
    assert isinstance(number, QSpinBox)
    assert number.value() == 11
    dialog.go_to("Vault")
    dialog.go_to("Lifetimes")
    assert dialog.fields["trash_days"].field is number


def page_of(dialog: SettingsDialog, widget: QWidget) -> QWidget:
    pages = [dialog.pages.widget(row) for row in range(dialog.pages.count())]
    return next(page for page in pages if page.isAncestorOf(widget))


def test_every_declared_setting_has_its_field_and_keys_reach_every_section(
    dialog: SettingsDialog,
) -> None:
    assert set(dialog.fields) | set(OWN_FIELDS) == {setting.name for setting in SETTINGS}
    assert {setting.section for setting in SETTINGS} <= set(ORDER)
    for field in dialog.fields.values():
        assert field.field.accessibleName()
    dialog.sections.setFocus()
    for row in range(1, len(ORDER)):
        QTest.keyClick(dialog.sections, Qt.Key.Key_Down)
        assert dialog.pages.currentIndex() == row


def test_each_kind_of_field_is_kept_applied_and_reset(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog, stocked: Vault
) -> None:
    share = dialog.fields["preload_min_relevance"]
    assert isinstance(share.field, QDoubleSpinBox)
    share.field.setValue(0.55)
    settle(qtbot, window)
    assert stocked.settings["preload_min_relevance"] == 0.55
    number = dialog.fields["hydration_budget"]
    assert isinstance(number.field, QSpinBox)
    number.field.setValue(9_000)
    switch = dialog.fields["close_to_tray"]
    assert isinstance(switch.field, QCheckBox)
    switch.field.setChecked(True)
    look = dialog.fields["appearance"].field
    assert isinstance(look, QComboBox)
    look.setCurrentIndex(look.findData("dark"))
    settle(qtbot, window)
    assert stocked.settings["hydration_budget"] == 9_000
    assert stocked.settings["close_to_tray"] is True
    assert window.theme.look is Look.DARK
    calm(qtbot, window)
    assert pane_of(window).shown.hydration.budget == 9_000
    number.reset.click()
    settle(qtbot, window)
    assert stocked.settings["hydration_budget"] == 16_384
    assert number.field.value() == 16_384
    assert number.reset.isHidden()


def test_all_that_the_settings_offer_stands_in_their_window(
    dialog: SettingsDialog, window: MainWindow
) -> None:
    place = dialog.findChild(extras.VaultPlace)
    assert place is not None
    dialog.sections.setCurrentRow(dialog.pages.indexOf(page_of(dialog, place)))
    for button in (place.show_folder, place.open_other, place.backup, place.restore, place.encrypt):
        assert button.window() is dialog, button.text()
        assert button.isVisible(), button.text()
    strays = [
        widget
        for widget in QApplication.topLevelWidgets()
        if widget.isVisible() and isinstance(widget, QAbstractButton)
    ]
    assert strays == []


@pytest.mark.english
def test_retention_is_written_in_words_and_refused_with_a_reason(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog, stocked: Vault
) -> None:
    field = dialog.fields["retention"]
    assert isinstance(field.field, QLineEdit)
    field.field.setText("category:event 90, scope:agent:claude 365")
    field.field.editingFinished.emit()
    settle(qtbot, window)
    assert '"category:event": 90' in stocked.settings["retention"]
    field.field.setText("nonsense 5")
    field.field.editingFinished.emit()
    settle(qtbot, window)
    assert "no retention subject" in field.problem.text()
    assert '"category:event": 90' in stocked.settings["retention"]


def test_words_and_json_say_the_same() -> None:
    words = "category:event 90, scope:user 1.5"
    assert as_words(as_json(words)) == words
    assert as_words("broken") == "broken"
    assert as_json("half a word") == "half a word"


def test_what_would_go_is_shown_before_it_goes_and_can_be_undone(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog, stocked: Vault
) -> None:
    old = stocked.entries.store(
        EntryDraft("Old.", USER, "old", category="daily", expires_at=PAST)
    ).entry
    preview = dialog.findChild(extras.UpkeepPreview)
    preview.look.click()
    settle(qtbot, window)
    assert [row.title for row in preview.list.rows.values] == ["old"]
    assert stocked.entries.find(USER, "old") is not None
    preview.tidy.click()
    settle(qtbot, window)
    assert stocked.entries.read(old.id).state == TRASHED
    window.undoing.undo_last()
    settle(qtbot, window)
    assert stocked.entries.find(USER, "old") is not None


@pytest.mark.english
def test_a_backup_vectors_again_and_starting_at_login(
    qtbot: QtBot,
    window: MainWindow,
    dialog: SettingsDialog,
    stocked: Vault,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    place = dialog.findChild(extras.VaultPlace)
    place.backup.click()
    dialog.findChild(extras.ModelState).rebuild.click()
    login = dialog.findChild(extras.StartAtLogin)
    login.box.setChecked(True)
    settle(qtbot, window)
    settle(qtbot, window)
    assert len(stocked.backups.list()) == 1
    assert "Backed up" in place.state.text()
    assert stocked.embedding.state().waiting == 0
    assert autostart.is_on()
    login.box.setChecked(False)
    settle(qtbot, window)
    assert not autostart.is_on()

    asked: list[list[str]] = []

    def started(command: str, arguments: list[str]) -> tuple[bool, int]:
        asked.append([command, *arguments])
        return True, 1

    monkeypatch.setattr(extras.QProcess, "startDetached", started)
    assert extras.open_vault_window(tmp_path / "other.db")
    assert asked[0][-2:] == ["--vault", str(tmp_path / "other.db")]


def test_what_was_typed_last_is_kept_and_applied_though_the_dialog_is_closed(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog, stocked: Vault
) -> None:
    told: list[tuple[str, object]] = []
    window.shell.setting_changed.connect(lambda name, value: told.append((name, value)))
    field = dialog.fields["retention"].field
    assert isinstance(field, QLineEdit)
    dialog.go_to("Lifetimes")
    field.setFocus()
    field.setText("category:event 90")
    dialog.close()
    settle(qtbot, window)
    assert told == [("retention", '{"category:event": 90.0}')]
    assert "90" in stocked.settings["retention"]


def test_leaving_a_field_writes_nothing(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog
) -> None:
    told: list[object] = []
    dialog.changed.connect(lambda *given: told.append(given))
    for name in ("retention", "capture_key"):
        dialog.fields[name].field.editingFinished.emit()
    settle(qtbot, window)
    assert told == []


@pytest.mark.english
def test_a_larger_dictionary_is_added_and_removed_in_the_settings(
    qtbot: QtBot, window: MainWindow, dialog: SettingsDialog, stocked: Vault, tmp_path: Path
) -> None:
    words = dialog.findChild(extras.Dictionaries)
    assert words is not None
    assert page_of(dialog, words) is dialog.pages.widget(ORDER.index("Search"))
    assert not words.remove.isEnabled()
    words.take(tmp_path / "nowhere")
    settle(qtbot, window)
    assert "no dictionary" in words.state.text()
    words.take(written_dictionary(tmp_path / "dictd"))
    settle(qtbot, window)
    assert words.state.text() == "2 words were added."
    assert [pack.code for pack in listed(packs_of(stocked.path))] == ["de"]
    words.remove.click()
    settle(qtbot, window)
    assert listed(packs_of(stocked.path)) == []
    assert not words.remove.isEnabled()
