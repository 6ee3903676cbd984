from __future__ import annotations

import importlib.util
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.vault import Vault
from ui.main_window import MainWindow
from ui.translation import translate, words_of

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "translations.py"


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
    assert window.places.at(0).label == "Alle Erinnerungen"
    assert window.actions_["forget"].text() == "Vergessen"


def test_an_unknown_language_is_english(qapp: QApplication) -> None:
    assert translate(qapp, "fi") is None
    assert QLocale().name().startswith("en")


def test_a_text_nobody_translated_stays(qapp: QApplication, german: None) -> None:
    assert qapp.translate("Any", "Not in the table") == "Not in the table"
    assert qapp.translate("Any", "Forget") == "Vergessen"
