from __future__ import annotations

import importlib.util
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.vault import Vault
from tests.ui.conftest import settle
from ui.toolkit.translation import translate, words_of
from ui.window.main_window import MainWindow

SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "translations.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    translate(qapp, "de")
    yield
    translate(qapp, "en")
    QLocale.setDefault(before)


def test_german_is_complete(script: ModuleType) -> None:
    assert script.missing("de") == {}


def names_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_translations_keep_every_placeholder() -> None:
    words = words_of("de") or {}
    wrong = [text for text, said in words.items() if names_in(text) != names_in(said)]
    assert wrong == []


def test_the_window_speaks_german(
    qtbot: QtBot, german: None, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.settings.set("language", "de")
    window = make_window(stocked)
    assert window.toolbar.new.text() == "+ Neue Erinnerung"
    assert window.sidebar_items.at(0).label == "Alle Erinnerungen"
    assert window.actions_["forget"].text() == "Vergessen"


VIEWS = (
    "all",
    "review",
    "expiring",
    "duplicates",
    "conversations",
    "activity",
    "trash",
    "blocks",
    "map",
    "timeline",
)
DIALOGS = ("settings", "backups", "agents", "mirrors", "wipe_vault", "upkeep")


def in_sight(room: QWidget) -> list[QWidget]:
    return [widget for widget in (room, *room.findChildren(QWidget)) if widget.isVisible()]


def untranslated(room: QWidget) -> list[str]:
    """What is still said as the code says it; what a person may write is theirs."""
    words = words_of("de") or {}
    english = {text for text, said in words.items() if text not in words.values()}
    said = [
        getattr(widget, name)()
        for widget in in_sight(room)
        for name in ("text", "accessibleName", "toolTip", "placeholderText", "windowTitle")
        if hasattr(widget, name) and not (name == "text" and isinstance(widget, QLineEdit))
    ]
    return [text for text in said if text in english]


def cut_off(room: QWidget) -> list[str]:
    """What has less room than its words need, and neither wraps nor elides."""
    return [
        widget.text()
        for widget in in_sight(room)
        if (isinstance(widget, QAbstractButton) or type(widget) is QLabel)
        and widget.text()
        and not (isinstance(widget, QLabel) and widget.wordWrap())
        and widget.width() < widget.minimumSizeHint().width()
    ]


def test_every_view_and_dialog_is_all_german_and_has_room_for_it(
    qtbot: QtBot, german: None, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.settings.set("language", "de")
    window = make_window(stocked)
    window.resize(1280, 800)
    seen: dict[str, tuple[list[str], list[str]]] = {}
    for name in VIEWS:
        window.sidebar.choose(name)
        settle(qtbot, window)
        seen[name] = untranslated(window), cut_off(window)
    for name in DIALOGS:
        window.actions_[name].trigger()
        settle(qtbot, window)
        (dialog,) = (made for made in window.findChildren(QDialog) if made.isVisible())
        seen[name] = untranslated(dialog), cut_off(dialog)
        dialog.close()
    assert {name: found for name, found in seen.items() if found != ([], [])} == {}


def test_an_unknown_language_is_english(qapp: QApplication) -> None:
    assert translate(qapp, "fi") is None
    assert QLocale().name().startswith("en")


def test_a_text_nobody_translated_stays(qapp: QApplication, german: None) -> None:
    assert qapp.translate("Any", "Not in the table") == "Not in the table"
    assert qapp.translate("Any", "Forget") == "Vergessen"


def test_german_names_the_writer_in_the_case_that_fits_you_too() -> None:
    """`you` is “dir” there, so what names a writer says “von {who}”."""
    named = [text for text in words_of("de").values() if "{who}" in text]
    assert named
    assert [text for text in named if "von {who}" not in text] == []
