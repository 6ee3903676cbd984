from __future__ import annotations

import importlib.util
import re
import string
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import ModuleType

import PySide6
import pytest
from PySide6.QtCore import QLocale, QTranslator, QUrl
from PySide6.QtGui import QKeySequence, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

import resources
from app.errors import Refused
from app.proof.bisect import BisectStep
from app.proof.checks import CheckResult
from app.proof.expectations import Expectation
from app.settings import SETTINGS
from app.vault import Vault
from store.file.database import engine, explain
from store.records import CATEGORIES, KINDS, USER, ChangeGroup
from tests.ui.conftest import settle
from ui.memory.change_text import describe
from ui.memory.entry_card import chips_of
from ui.memory.search_bar import chip_text
from ui.proof.bisect import change_words
from ui.proof.install import red_since
from ui.toolkit import translation
from ui.toolkit.fonts import CODE_FAMILY
from ui.toolkit.formatting import word_of, word_text
from ui.toolkit.help_window import HelpPages, show_help
from ui.toolkit.translation import counted, heard, spoken, translate
from ui.window.main_window import MainWindow

SCRIPT = Path(__file__).resolve().parents[3] / "packaging" / "translations.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return translations_script()


@cache
def translations_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("translations", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["translations"] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    translate(qapp, "de")
    yield
    translate(qapp, "en")
    QLocale.setDefault(before)


@pytest.mark.parametrize("language", spoken())
def test_every_language_says_everything(script: ModuleType, language: str) -> None:
    assert script.missing(language) == []


def names_in(text: str) -> set[str]:
    named = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    return named | {mark for mark in ("%Ln", "%n") if mark in text}


@pytest.mark.parametrize("language", spoken())
def test_translations_keep_every_placeholder(script: ModuleType, language: str) -> None:
    said = script.read(language)
    wrong = [
        (text.source, form)
        for text, forms in said.items()
        for form in forms
        if names_in(text.source) != names_in(form)
    ]
    assert wrong == []


def test_what_qt_reads_is_what_its_own_compiler_makes(script: ModuleType, tmp_path: Path) -> None:
    """Text by text, in every plural form: `.ts` through us, and through Qt's lrelease."""
    lrelease = Path(PySide6.__file__).parent / "lrelease"
    for language in spoken():
        path = resources.TRANSLATIONS / f"{language}.ts"
        subprocess.run([lrelease, "-silent", path, "-qm", tmp_path / "qt.qm"], check=True)
        ours, theirs = QTranslator(), QTranslator()
        words = resources.qm(path)
        assert ours.load(words)
        assert theirs.load(str(tmp_path / "qt.qm"))
        for text in script.read(language):
            for number in (0, 1, 2, 5, 11, 21) if text.counted else (-1,):
                asked = (text.context, text.source, text.comment or None, number)
                assert ours.translate(*asked) == theirs.translate(*asked) != ""


POLISH = """<TS version="2.1" language="pl" sourcelanguage="en"><context><name>ui</name>
<message numerus="yes"><source>%Ln memories</source><translation><numerusform>%Ln wspomnienie
</numerusform><numerusform>%Ln wspomnienia</numerusform><numerusform>%Ln wspomnień</numerusform>
</translation></message></context></TS>"""


def test_a_third_language_has_the_plural_forms_it_needs(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "TRANSLATIONS", tmp_path)
    translation.made.cache_clear()
    (tmp_path / "pl.ts").write_text(POLISH.replace("nie\n<", "nie<"), encoding="utf-8")
    (tmp_path / "en.ts").write_text(POLISH.replace('"pl"', '"en"'), encoding="utf-8")
    try:
        assert translate(qapp, "pl")
        said = [counted("%Ln memories", number) for number in (1, 3, 5, 12, 22)]
    finally:
        monkeypatch.undo()
        translation.made.cache_clear()
        translate(qapp, "en")
    ends = [text.split()[1] for text in said]
    assert ends == ["wspomnienie", "wspomnienia", "wspomnień", "wspomnień", "wspomnienia"]


def test_english_and_german_count_in_their_own_forms(qapp: QApplication, german: None) -> None:
    assert [counted("%Ln memories", n) for n in (1, 2, 1200)] == [
        "1 Erinnerung",
        "2 Erinnerungen",
        "1.200 Erinnerungen",
    ]
    translate(qapp, "en")
    assert [counted("%Ln memories", n) for n in (1, 2, 1200)] == [
        "1 memory",
        "2 memories",
        "1,200 memories",
    ]


def test_qts_own_words_and_keys_are_german(qapp: QApplication, german: None) -> None:
    assert QKeySequence("Ctrl+Shift+S").toString(QKeySequence.SequenceFormat.NativeText) == (
        "Strg+Umschalt+S"
    )
    assert qapp.translate("QPlatformTheme", "Cancel") == "Abbrechen"


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
    spec = translations_script()
    words = {text.source: forms for text, forms in spec.read("de").items()}
    german = {form for forms in words.values() for form in forms}
    english = words.keys() - german
    said = [
        getattr(widget, name)()
        for widget in in_sight(room)
        for name in ("text", "accessibleName", "toolTip", "placeholderText", "windowTitle")
        if hasattr(widget, name) and not (name == "text" and isinstance(widget, QLineEdit))
    ]
    return [text for text in said if " ".join(text.split()) in english]


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
    assert not translate(qapp, "fi")
    assert QLocale().name().startswith("en")


def test_a_heading_that_begins_with_a_name_writes_it_as_it_is(german: None) -> None:
    group = ChangeGroup(1, datetime(2026, 11, 5, tzinfo=UTC), "agent:travel", "proposed", "", 1)
    assert describe(group, ["hotels"], heading=True) == "„hotels“ vorgeschlagen"
    block = replace(group, action="block")
    assert describe(block, ["core"], heading=True) == "Block „core“ geschrieben"


def test_by_whom_is_another_word_than_who(german: None) -> None:
    group = ChangeGroup(1, "2026-11-05T10:00:00Z", "owner", "forgot", "", 1)
    assert change_words(group, BisectStep(1, 0)).endswith(", von dir")
    red = CheckResult(Expectation("1", "test", "claude is told `tea`."), False, "", group)
    assert red_since(red).endswith(", von dir.")


@pytest.mark.parametrize("said", ["database is locked", "disk is full", "malformed", "readonly"])
def test_what_the_file_of_the_vault_says_is_german(german: None, said: str) -> None:
    error = explain(engine.Error(said), Path("vault.db"), None)
    assert heard(error) != str(error)


def test_a_text_nobody_translated_stays(qapp: QApplication, german: None) -> None:
    assert qapp.translate("Any", "Not in the table") == "Not in the table"
    assert qapp.translate("MemoryFeature", "Forget") == "Forget"  # no class of that name says it
    assert qapp.translate("ui", "Forget") == "Vergessen"


def test_german_names_the_writer_in_the_case_that_fits_you_too(script: ModuleType) -> None:
    """`you` is “dir” there, so what names a writer says “von {who}”."""
    named = [form for forms in script.read("de").values() for form in forms if "{who}" in form]
    assert named
    assert [text for text in named if "von {who}" not in text] == []


def test_an_error_of_the_layers_below_is_said_in_german(german: None) -> None:
    assert heard("There is no memory 'tea'.") == "Es gibt keine Erinnerung 'tea'."
    assert heard("The tag has 70 characters; 64 is the most.") == (
        "tag hat 70 Zeichen; 64 sind das Höchste."
    )
    nested = "The key was not kept: The keyring failed: locked. Nothing was changed."
    assert heard(nested) == (
        "Der Schlüssel wurde nicht behalten: Der Schlüsselbund hat versagt: locked. "
        "Nichts wurde geändert."
    )
    assert heard("Nobody translated this.") == "Nobody translated this."


def test_why_something_was_found_is_all_german(german: None) -> None:
    """As `app/recall/search.py` says it, with every reason there is."""
    assert heard("Found because it says “tea”, “cups” and its meaning is close (0.42).") == (
        "Gefunden, weil „tea“, „cups“ darin steht und die Bedeutung nahe ist (0,42)."
    )
    three = "it says “tea”, its meaning is related (0.17) and it was written next to a better match"
    assert heard(f"It was true until 1 March 2026. Found because {three}.") == (
        "Sie war wahr bis 1. März 2026. Gefunden, weil „tea“ darin steht, die Bedeutung verwandt "
        "ist (0,17) und sie neben einem besseren Treffer geschrieben wurde."
    )
    assert heard(
        "The content has 70,000 bytes; 65,536 is the most. Store the conclusion, or split it."
    ).startswith("Der Inhalt hat 70.000 Byte; 65.536 sind")


def test_why_an_expectation_is_red_is_all_german(german: None) -> None:
    """As `app/proof/checks.py` says it."""
    assert heard("`plan` is not found; found are `a`, `b`.") == (
        "„plan“ wird nicht gefunden; gefunden werden `a`, `b`."
    )
    assert heard("It was never green.") == "Es war nie grün."
    assert heard("`plan` is number 2, `other` number 1.").startswith("„plan“ steht an Stelle 2,")


def test_the_window_tells_an_error_in_german(
    qtbot: QtBot, german: None, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.settings.set("language", "de")
    window = make_window(stocked)
    window.messages.fail(Refused("There is nothing to undo."))
    assert window.messages.toast.message.text == "Es gibt nichts rückgängig zu machen."


def test_the_settings_offer_every_language_there_is() -> None:
    (setting,) = (one for one in SETTINGS if one.name == "language")
    assert set(setting.choices) == {"system", *spoken()}


# Help


def test_help_is_german_where_there_is_a_german_page(qtbot: QtBot, german: None) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    help_ = show_help("tutorial", over)
    assert "Du brauchst kein Konto" in help_.pages.toPlainText()
    assert help_.list.currentItem().text() == "Zehn Minuten mit Keepsake"
    kind = int(QTextDocument.ResourceType.ImageResource.value)
    assert help_.pages.loadResource(kind, QUrl("../pictures/main-light.png"))
    for name in resources.docs_pages():
        help_.show_page(name)
        alone = "Diese Seite gibt es nur auf Englisch." in help_.pages.toPlainText()
        assert alone == (name not in resources.docs_pages("de")), name
    help_.close()


def test_a_link_from_a_german_page_leads_on(qtbot: QtBot, german: None) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    help_ = show_help("concepts/hydration", over)
    help_.pages.anchorClicked.emit(QUrl("scopes.md"))
    assert help_.page == "concepts/scopes"
    help_.pages.anchorClicked.emit(QUrl("../../rules.md"))
    assert help_.page == "rules"
    help_.pages.anchorClicked.emit(QUrl("../README.md"))
    assert help_.page == "rules", "it leads out of the docs"
    help_.close()


@pytest.mark.parametrize(
    ("page", "heading"),
    [
        ("window#what-did-it-propose-review-alt6", "Was hat er vorgeschlagen? (Prüfen, Alt+6)"),
        ("desk#changing", "Ändern"),
        ("desk#ändern", "Ändern"),
    ],
)
def test_what_f1_names_is_found_in_german_too(
    qtbot: QtBot, german: None, page: str, heading: str
) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    help_ = show_help(page, over)
    qtbot.waitUntil(lambda: help_.pages.textCursor().block().text() == heading)
    assert help_.pages.verticalScrollBar().value() > 0
    help_.close()


def test_code_in_help_has_its_own_type(qtbot: QtBot) -> None:
    pages = HelpPages()
    qtbot.addWidget(pages)
    pages.show_text("Type `keepsake`.", "desk")
    found = pages.document().find("keepsake")
    assert found.charFormat().fontFamilies() == [CODE_FAMILY]
    assert pages.document().find("Type").charFormat().fontFamilies() != [CODE_FAMILY]


def test_the_field_for_a_key_speaks_to_the_person_as_the_window_does(
    qtbot: QtBot, german: None
) -> None:
    field = QKeySequenceEdit()
    qtbot.addWidget(field)
    field.setKeySequence(QKeySequence())
    assert [line.placeholderText() for line in field.findChildren(QLineEdit)] == [
        "Tastenkürzel drücken"
    ]


def test_german_says_du(script: ModuleType) -> None:
    said = [form for forms in script.read("de").values() for form in forms]
    formal = re.compile(r"(?<![.:!?…] )(?<!^)\b(Sie|Ihnen|Ihre[mnrs]?|Ihr)\b")
    assert [text for text in said if formal.search(text)] == []


def test_categories_and_kinds_are_german_and_stay_what_they_are(
    qtbot: QtBot, german: None, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.settings.set("language", "de")
    window = make_window(stocked)
    entry = window.list_pane.model.entry_at(0)
    assert entry is not None
    stocked.entries.change(entry.id, {"category": "core", "kind": "decision"})
    window.changes.look()
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    fields = window.editor.form.fields
    assert (fields.category.currentText(), fields.kind.currentText()) == ("Kern", "Entscheidung")
    assert (fields.fields().category, fields.fields().kind) == ("core", "decision")
    assert chip_text("category:core") == "Kern"
    assert chips_of(window.list_pane.model.entry_at(0), datetime.now(UTC))[0][0] == "Kern"
    assert [word_text(word) for word in (*CATEGORIES, *KINDS) if word_text(word) == word] == []
    assert {word_of(word_text(word)) for word in KINDS} == set(KINDS)
    assert word_of("Eigenes") == "eigenes"


@pytest.mark.parametrize("own", ["kern", "täglich"])
def test_a_category_that_reads_like_a_german_one_of_ours_stays_what_it_is(
    qtbot: QtBot,
    german: None,
    stocked: Vault,
    make_window: Callable[[Vault], MainWindow],
    own: str,
) -> None:
    stocked.settings.set("language", "de")
    window = make_window(stocked)
    entry = window.list_pane.model.entry_at(0)
    assert entry is not None
    stocked.entries.change(entry.id, {"category": own, "kind": "notiz"})
    window.changes.look()
    window.list_pane.list.select_row(0)
    settle(qtbot, window)
    fields = window.editor.form.fields
    assert (fields.fields().category, fields.fields().kind) == (own, "notiz")
    assert not window.editor.dirty
    fields.category.setCurrentText("Kern")
    assert fields.fields().category == "core"


def test_words_that_differ_by_a_capital_letter_only_are_told_apart(german: None) -> None:
    known = ("core", "daily", "kern")
    assert [word_of(text, known) for text in ("Kern", "kern", "KERN")] == ["core", "kern", "core"]
    assert word_of(" kern ") == "core"  # nobody has one of that name


def test_why_something_could_not_be_taken_back_is_german(
    qtbot: QtBot, german: None, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.settings.set("language", "de")
    window = make_window(stocked)
    entry = stocked.entries.find(USER, "marie")
    stocked.entries.change(entry.id, {"content": "One."})
    older = stocked.history.groups(limit=1)[0].id
    stocked.entries.change(entry.id, {"content": "Two."})
    window.undoing.undo_all([older])
    settle(qtbot, window)
    said = window.messages.toast.message.text
    assert "; 1 nicht: " in said
    assert "undo the newer change" not in said
