"""Every word is explained where it stands, and every control has a name: a walk over the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from time import process_time

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QUrl
from PySide6.QtGui import QAccessible, QHelpEvent, QTextDocument
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QRadioButton,
    QSlider,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

import resources
from app.samples import Samples
from app.vault import Vault
from tests.ui.conftest import press, settle
from ui.memory.entry_card import chip_tips, chips_of
from ui.memory.entry_model import ROW_ROLE
from ui.memory.field_form import ImportanceDots, TagField
from ui.memory.overview import BATCH_MS
from ui.toolkit.help import TERMS, term
from ui.toolkit.help_window import (
    GLOSSARY,
    HelpPages,
    HelpWindow,
    WhatIsThis,
    WordsPopup,
    anchor_of,
    glossary,
    headings,
    show_help,
)
from ui.vault.first_run import FirstMinute, FirstRun
from ui.window.main_window import MainWindow
from ui.window.window_actions import VIEW_PAGES

DIALOGS = (
    "settings",
    "backups",
    "agents",
    "mirrors",
    "wipe_vault",
    "capture",
    "palette",
    "help",
)
FIELDS = (
    QLineEdit,
    QComboBox,
    QAbstractSpinBox,
    QCheckBox,
    QRadioButton,
    QPlainTextEdit,
    QTextEdit,
    QSlider,
    ImportanceDots,
    TagField,
)
INSIDE = (QComboBox, QAbstractSpinBox, TagField)


@pytest.fixture
def full(make_window: Callable[[Vault], MainWindow], vault: Vault) -> MainWindow:
    """The window over the samples."""
    Samples(vault).load()
    return make_window(vault)


def rooms(qtbot: QtBot, window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Every view of the window and every dialog, one after the other, with all their pages."""
    items = [window.sidebar_items.at(row) for row in range(window.sidebar_items.rowCount())]
    for name in [item.name for item in items if item and not item.heading and not item.scope]:
        window.sidebar.choose(name)
        settle(qtbot, window)
        for tab in pages(window):
            settle(qtbot, window)
            yield f"{name} {tab}", window
    window.sidebar.choose("all")
    settle(qtbot, window)
    for name in DIALOGS:
        window.actions_[name].trigger()
        settle(qtbot, window)
        shown = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
        for top in (top for top in shown if top is not window):
            for tab in pages(top):
                settle(qtbot, window)
                yield f"{name} {tab}", top
            top.close()


def pages(room: QWidget) -> Iterator[str]:
    """Turns the pages of what is in sight: its tabs, or the sections of the settings."""
    yield ""
    bars = [bar for bar in room.findChildren(QTabBar) if bar.isVisible()]
    for bar in bars:
        for place in range(bar.count()):
            bar.setCurrentIndex(place)
            yield bar.tabText(place)
        bar.setCurrentIndex(0)
    for sections in room.findChildren(QListWidget, "sections"):
        for place in range(sections.count() if not isinstance(room, HelpWindow) else 0):
            sections.setCurrentRow(place)
            yield sections.item(place).text()


def unexplained(room: QWidget) -> list[str]:
    """The fields, chips, tabs and rows in sight that say nothing about themselves."""
    found = []
    for widget in room.findChildren(QWidget):
        if not widget.isVisible():
            continue
        chip = isinstance(widget, QToolButton) and "chip" in str(widget.property("look"))
        inner = isinstance(widget.parentWidget(), INSIDE)
        read = isinstance(widget, QTextEdit | QPlainTextEdit) and widget.isReadOnly()
        asked = (isinstance(widget, FIELDS) and not read) or chip
        if asked and not inner and not widget.toolTip():
            found.append(f"{type(widget).__name__} {widget.accessibleName()!r}")
        if isinstance(widget, QTabBar):
            found += [
                f"tab {widget.tabText(place)!r}"
                for place in range(widget.count())
                if not widget.tabToolTip(place)
            ]
    return found


def test_every_view_says_what_it_is(full: MainWindow) -> None:
    model = full.sidebar_items
    for row in range(model.rowCount()):
        said = model.index(row).data(Qt.ItemDataRole.ToolTipRole)
        assert said, model.at(row)
        assert said != model.at(row).label


def test_every_page_that_is_named_is_there() -> None:
    pages = {name: resources.docs_page(name) for name in resources.docs_pages()}
    named = [*VIEW_PAGES.values(), *(one.page for one in TERMS.values())]
    for page in named:
        name, _, anchor = page.partition("#")
        assert name in pages, page
        assert not anchor or anchor in map(anchor_of, headings(pages[name])), page


def test_the_glossary_has_every_word(qtbot: QtBot) -> None:
    page = glossary()
    for said in map(term, TERMS):
        assert said.word in page
        assert said.sentence in page


@pytest.mark.english
def test_the_words_nobody_knows_have_a_question_mark(qtbot: QtBot, full: MainWindow) -> None:
    asked: set[str] = set()
    for _, room in rooms(qtbot, full):
        for mark in room.findChildren(WhatIsThis):
            asked |= set(mark.names) if mark.isVisible() else set()
    assert {"block", "core", "hydration", "archival", "dialect", "layers"} <= asked
    fields = full.editor.form.fields
    for field, sentence in ((fields.kind, "kind"), (fields.category, "category")):
        assert term(sentence).sentence in " ".join(field.toolTip().split())


@pytest.mark.english
def test_a_question_mark_says_it_and_leads_to_help(qtbot: QtBot, full: MainWindow) -> None:
    mark = next(one for one in full.findChildren(WhatIsThis) if one.isVisible())
    mark.click()
    (popup,) = full.findChildren(WordsPopup)
    assert term("hydration").sentence in popup.accessibleName()
    popup.more.click()
    (help_,) = full.findChildren(HelpWindow)
    assert help_.page == "rules"
    qtbot.waitUntil(lambda: help_.pages.verticalScrollBar().value() > 0)
    help_.close()


@pytest.mark.parametrize(("view", "page"), [("blocks", "rules"), ("timeline", "window")])
def test_f1_opens_the_page_about_what_is_in_front(
    qtbot: QtBot, full: MainWindow, view: str, page: str
) -> None:
    full.sidebar.choose(view)
    settle(qtbot, full)
    full.sidebar.setFocus()
    full.actions_["help"].trigger()
    (help_,) = full.findChildren(HelpWindow)
    assert help_.page == page
    help_.close()


def test_f1_in_a_dialog_opens_the_page_about_it(qtbot: QtBot, full: MainWindow) -> None:
    full.actions_["settings"].trigger()
    settle(qtbot, full)
    (dialog,) = (one for one in full.findChildren(QDialog) if one.isVisible())
    dialog.activateWindow()
    dialog.sections.setFocus()  # type: ignore[attr-defined]
    press(dialog, "F1")
    qtbot.waitUntil(lambda: bool(dialog.findChildren(HelpWindow)))
    (help_,) = dialog.findChildren(HelpWindow)
    assert help_.page == "settings"
    help_.close()
    dialog.close()


def test_help_loads_nothing_but_its_own_pictures(qtbot: QtBot) -> None:
    pages = HelpPages()
    qtbot.addWidget(pages)
    pages.show_text("![](https://example.com/a.png) ![](../pyproject.toml)", "desk")
    kind = int(QTextDocument.ResourceType.ImageResource.value)
    for name in (
        "https://example.com/a.png",
        "file:///etc/hostname",
        "../pyproject.toml",
        "/etc/x",
    ):
        assert pages.loadResource(kind, QUrl(name)) is None
    assert pages.loadResource(kind, QUrl("pictures/main-light.png"))


def test_the_longest_page_is_laid_out_once(qtbot: QtBot) -> None:
    longest = max((resources.docs_page(name) for name in resources.docs_pages()), key=len)
    pages, plain = HelpPages(), QTextBrowser()
    for shown in (pages, plain):
        qtbot.addWidget(shown)
        shown.resize(690, 680)
        shown.show()

    def cost(show: Callable[[], None]) -> float:
        begun = process_time()
        show()
        return process_time() - begun

    bare = min(cost(lambda: plain.setMarkdown(longest)) for _ in range(3))
    assert min(cost(lambda: pages.show_text(longest, "api")) for _ in range(3)) < 6 * bare


def test_help_shows_every_page_and_finds_in_them(qtbot: QtBot) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    help_ = show_help(GLOSSARY, over)
    assert help_.list.count() == len(resources.docs_pages()) + 1
    for name in resources.docs_pages():
        help_.show_page(name)
        assert help_.pages.toPlainText().strip()
        assert "[[[cog" not in help_.pages.toPlainText()
    help_.asked.setText("hydration budget")
    left = [row for row in range(help_.list.count()) if not help_.list.item(row).isHidden()]
    assert 0 < len(left) < help_.list.count()
    assert show_help("desk", over) is help_
    help_.close()


@pytest.mark.english
def test_a_chip_of_a_card_says_what_it_is(qtbot: QtBot, full: MainWindow) -> None:
    listed = full.list_pane.list
    index = listed.model().index(0, 0)
    entry = index.data(ROW_ROLE).entry
    assert len(chip_tips(entry)) == len(chips_of(entry, datetime.now(UTC)))
    card = listed.visualRect(index)
    at = QPoint(card.x() + 24, card.bottom() - 18)
    QApplication.sendEvent(
        listed.viewport(), QHelpEvent(QEvent.Type.ToolTip, at, listed.viewport().mapToGlobal(at))
    )
    assert term("category").sentence in " ".join(QToolTip.text().split())


# The first minute


@pytest.mark.parametrize("width", [1440, 1040, 760])
def test_the_first_minute_has_three_steps_over_the_samples(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow], width: int
) -> None:
    window = make_window(vault)
    window.resize(width, 800)
    (welcome,) = window.findChildren(FirstRun)
    welcome.cards[0].clicked.emit()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: bool(window.findChildren(FirstMinute)))
    (tour,) = window.findChildren(FirstMinute)
    assert len(tour.steps) == 3
    for step in tour.steps:
        assert tour.title.text() == step.title
        part = window.findChild(QWidget, step.part)
        assert part is not None
        assert part.isVisible(), "a step speaks of what is in sight"
        assert window.rect().contains(tour.geometry())
        tour.next.click()
    assert tour.isHidden()
    assert not window.room.drawer_open
    qtbot.wait(BATCH_MS + 500)
    told = [message.text for message in window.messages.log if "Claude" in message.text]
    assert told == [], "the samples are no news of agents"
    settle(qtbot, window)
    assert window.editor.entry == window.list_pane.model.entry_at(0), "the newest is in hand"
    drafts = window.sidebar_items.at(window.sidebar_items.row_of("drafts"))
    assert drafts.count == len(vault.drafts.slots()) > 0


@pytest.mark.parametrize("meanwhile", ["closed by the person", "made room for"])
def test_the_first_minute_takes_away_only_a_pane_that_it_opened(
    qtbot: QtBot, window: MainWindow, meanwhile: str
) -> None:
    window.resize(1000, 800)
    window.actions_["tour"].trigger()
    settle(qtbot, window)
    (tour,) = window.findChildren(FirstMinute)
    tour.next.click()
    assert window.room.drawer_open
    if meanwhile == "made room for":
        window.resize(1440, 800)
    else:
        window.actions_["pane"].trigger()
    there = window.room.pane.isVisible()
    assert there == (meanwhile == "made room for")
    tour.next.click()
    assert window.room.pane.isVisible() == there
    tour.next.click()
    assert window.room.pane.isVisible() == there


def test_escape_skips_the_first_minute_and_help_brings_it_back(
    qtbot: QtBot, full: MainWindow
) -> None:
    full.actions_["tour"].trigger()
    (tour,) = full.findChildren(FirstMinute)
    press(full, "Escape")
    assert tour.isHidden()
    assert full.list_pane.list.hasFocus()


# Names

ROLES = {
    QAccessible.Role.Button,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.SpinBox,
    QAccessible.Role.Slider,
    QAccessible.Role.List,
    QAccessible.Role.Table,
    QAccessible.Role.Tree,
    QAccessible.Role.PageTabList,
    QAccessible.Role.PageTab,
    QAccessible.Role.ListItem,
    QAccessible.Role.MenuItem,
    QAccessible.Role.ButtonMenu,
}


def unnamed(room: QWidget) -> list[str]:
    """What a screen reader meets that has no name, in sight in `room`."""
    found: list[str] = []

    def walk(node: object, path: str) -> None:
        for place in range(min(node.childCount(), 200)):  # type: ignore[attr-defined]
            child = node.child(place)  # type: ignore[attr-defined]
            if child is None or not child.isValid() or child.state().invisible:
                continue
            thing = child.object()
            own = f"{path}/{type(thing).__name__ if thing else child.role().name}"
            if child.role() in ROLES and not child.text(QAccessible.Text.Name).strip():
                found.append(f"{own} {child.role().name}")
            walk(child, own)

    walk(QAccessible.queryAccessibleInterface(room), type(room).__name__)
    return found
