"""What the words of the window mean, said where they stand: tips, *What is this?*, and Help.

Every word is declared once, in `terms()`: what a person would call it, the word that agents and the
docs use, one sentence, and the page that says more.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTabBar,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

import resources
from ui.toolkit.fonts import CODE_FAMILY
from ui.toolkit.plain_text import plain_label, plain_tip
from ui.toolkit.translation import tr
from ui.toolkit.widgets import button, fit_screen, side_by_side

PAGE = "helpPage"  # the property of a widget that says which page is about it
GLOSSARY = "glossary"
FIRST = ("index", "tutorial", "desk", "window", "rules", "settings")  # what people look for
LETTERS = 62  # of one line of a tip
COMMENT = re.compile(r"<!--.*?-->|\[\[\[cog.*?\]\]\]|\[\[\[end\]\]\]", re.DOTALL)
PICTURES = (".png", ".svg", ".jpg")


class Term(NamedTuple):
    """A word of the window: in everybody's words (`plain`), and as agents and the docs say."""

    plain: str
    word: str
    sentence: str
    page: str = "rules"


# In the words of the code; `terms()` says them in the window's language.
TERMS = {
    "memory": Term(
        "One thing to remember",
        "memory",
        "A short text your assistants can use later, with who wrote it and when.",
        "desk",
    ),
    "scope": Term(
        "Whose it is",
        "scope",
        "Who may see it: everybody, one agent, everyone in a workspace, or one conversation.",
        "rules#who-sees-what",
    ),
    "kind": Term(
        "What it is",
        "kind",
        "A fact, a preference, an instruction and so on; it helps you find and sort.",
        "rules#where-a-memory-goes",
    ),
    "category": Term(
        "How long it stays",
        "category",
        "Core is always told first and stays; daily things go away by themselves.",
        "rules#lifetimes",
    ),
    "core": Term(
        "Always told",
        "core",
        "What an agent is told at every start, before anything else, as far as it fits.",
        "rules#hydration",
    ),
    "importance": Term(
        "How important",
        "importance",
        "From 1 to 10; below 3 it goes after a month, unless it is core.",
        "rules#lifetimes",
    ),
    "tags": Term(
        "Labels",
        "tags",
        "Words of your own to find it by; type one and press Enter.",
        "desk#finding",
    ),
    "hook": Term(
        "When it matters",
        "hook",
        "One line that tells an agent when to look this memory up.",
        "rules#hydration",
    ),
    "key": Term(
        "Short name",
        "key",
        "How agents and files call it; made from the text if you leave it empty.",
        "desk#changing",
    ),
    "expires": Term(
        "Until when",
        "expires",
        "After this moment nobody is told it any more, and it goes to the trash.",
        "rules#lifetimes",
    ),
    "true_from": Term(
        "True since",
        "true_from",
        "Before this moment it did not hold; agents are not told it as true now before then.",
        "proof#when-it-is-true",
    ),
    "true_until": Term(
        "True until",
        "true_until",
        "After this moment it stays here and is found by questions about then, not told as now.",
        "proof#when-it-is-true",
    ),
    "stale_after": Term(
        "Ask me again",
        "stale_after",
        "After this moment you are asked whether it is still true.",
        "proof#when-it-is-true",
    ),
    "muted_for": Term(
        "Never told to",
        "muted_for",
        "Agents that are never told it: their names, cloud for those with a cloud model, or *.",
        "proof#keep-it-never-tell-it",
    ),
    "draft": Term(
        "Not saved yet",
        "draft",
        "What you typed and did not save; agents still get the saved text.",
        "desk#changing",
    ),
    "agent": Term(
        "An assistant",
        "agent",
        "A program such as Claude or Cursor that reads this memory and may write to it.",
        "mcp",
    ),
    "hydration": Term(
        "What it is told at the start",
        "hydration",
        "The text an agent gets before you say a word: blocks, core memories, the newest.",
        "rules#hydration",
    ),
    "budget": Term(
        "How much it is told",
        "budget",
        "The room for that text, in bytes; about four bytes are one token of a model.",
        "rules#hydration",
    ),
    "recall": Term(
        "What it looks up",
        "recall",
        "Searching memory in the middle of a conversation, by words and by meaning.",
        "recall",
    ),
    "trust": Term(
        "What it may do by itself",
        "trust",
        "Write at once, only propose so that you decide in Review, or only read.",
        "rules#trust",
    ),
    "workspace": Term(
        "A shared project",
        "workspace",
        "Memory that several agents share, such as one project or one team.",
        "rules#who-sees-what",
    ),
    "dialect": Term(
        "How it conversations to Keepsake",
        "dialect",
        "The names of the tools an agent is offered; standard suits nearly all.",
        "mcp#dialects",
    ),
    "layers": Term(
        "Which memory it has",
        "layers",
        "Working is the conversation at hand, session the notes of past ones, long-term memories.",
        "conversations#session-memory",
    ),
    "sleep": Term(
        "Learns by itself",
        "learns asleep",
        "After a conversation it reads what was said and keeps what is worth keeping.",
        "conversations#sleep-time",
    ),
    "block": Term(
        "A page the agent keeps",
        "block",
        "A longer text of fixed size that is always told whole, such as who you are.",
        "rules#blocks",
    ),
    "archival": Term(
        "The store room",
        "archival",
        "A block that is not told at the start: an agent looks its lines up when needed.",
        "rules#blocks",
    ),
    "summary": Term(
        "What was said so far",
        "summary",
        "A block written when a conversation ends, so that the next one can go on from there.",
        "conversations",
    ),
    "session": Term(
        "Notes of past conversations",
        "session",
        "A block of short dated lines from past conversations; the next one starts with it.",
        "conversations#session-memory",
    ),
    "proposal": Term(
        "Something to decide",
        "proposal",
        "What an agent would like to write; nothing happens until you approve it.",
        "window#what-did-it-propose-review-alt6",
    ),
    "embedded": Term(
        "Ready for search by meaning",
        "embedded",
        "A small model on this machine has read it, so other words find it too.",
        "recall",
    ),
    "vault": Term(
        "The file all this is in",
        "vault",
        "One file on this machine; nothing is sent anywhere unless you set it up.",
        "reliability",
    ),
    "mirror": Term(
        "A folder kept in step",
        "mirror",
        "Memories as notes in a folder; a change on either side reaches the other.",
        "markdown#mirrors",
    ),
}


def terms() -> dict[str, Term]:
    """Every word there is something to say about, in the window's language."""
    return {
        name: Term(tr(plain), tr(word), tr(sentence), page)
        for name, (plain, word, sentence, page) in TERMS.items()
    }


# Where words stand


def tip(sentence: str) -> str:
    """A sentence as a tip shows it: in lines a person reads at a glance."""
    return plain_tip(textwrap.fill(sentence, LETTERS))


def explain(widget: QWidget, sentence: str, page: str = "") -> None:
    """Has `widget` say that when the mouse rests on it, and to a screen reader; F1 opens `page`."""
    widget.setToolTip(tip(sentence))
    if not widget.accessibleDescription():
        widget.setAccessibleDescription(sentence)
    if page:
        widget.setProperty(PAGE, page)


def explain_tabs(tabs: QTabBar, *sentences: str) -> None:
    """One sentence for each tab, in their order; the bar itself is named by its owner."""
    for place, sentence in enumerate(sentences):
        tabs.setTabToolTip(place, tip(sentence))


def explain_term(widget: QWidget, name: str) -> None:
    term = terms()[name]
    explain(widget, term.sentence, term.page)


def page_about(widget: QWidget | None) -> str:
    """The page that is about `widget`, or about what it is in; none if nobody said."""
    while widget is not None:
        page = widget.property(PAGE)
        if page:
            return str(page)
        widget = widget.parentWidget()
    return ""


class WhatIsThis(QToolButton):
    """A small question mark beside a word; says what it means, and where more is said."""

    def __init__(self, *names: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names = names
        self.setText("?")
        self.setObjectName("whatIsThis")
        self.setProperty("look", "quiet")
        self.setCursor(Qt.CursorShape.WhatsThisCursor)
        explain(self, self.tr("What is this?"), terms()[names[0]].page)
        self.setAccessibleName(self._heading())
        self.clicked.connect(self._say)

    def sizeHint(self) -> QSize:
        return QSize(20, 20)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _heading(self) -> str:
        said = terms()
        words = ", ".join(said[name].word for name in self.names)
        return self.tr("What is this? {words}").format(words=words)

    def _say(self) -> None:
        popup = WordsPopup([terms()[name] for name in self.names], self)
        popup.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))


class WordsPopup(QFrame):
    """A few words and what they mean, over the window until the person clicks elsewhere."""

    WIDTH = 340

    def __init__(self, words: Iterable[Term], asker: QWidget) -> None:
        super().__init__(asker, Qt.WindowType.Popup)
        self.setObjectName("explanation")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._asker = asker
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.setSpacing(4)
        shown = list(words)
        for term in shown:
            head = plain_label(f"{term.plain} · {term.word}", wordWrap=True)
            head.setProperty("look", "heading")
            words_ = plain_label(term.sentence, wordWrap=True)
            words_.setProperty("look", "mute")
            column.addWidget(head)
            column.addWidget(words_)
            column.addSpacing(6)
        self.more = button(self.tr("More in Help (F1)"), "link")
        self.more.clicked.connect(lambda: self._open(shown[0].page))
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeading)
        self.setAccessibleName(" ".join(f"{term.plain}: {term.sentence}" for term in shown))
        self.setFixedWidth(self.WIDTH)

    def popup(self, at: QPoint) -> None:
        """Shows itself at that point of the screen, or as near as all of it is seen."""
        self.setFixedHeight(self.heightForWidth(self.WIDTH))
        window = self._asker.window().frameGeometry()
        room = self._asker.screen().availableGeometry().intersected(window)
        left = min(max(at.x(), room.left()), room.right() - self.WIDTH)
        top = min(at.y(), room.bottom() - self.height())
        self.move(left, top)
        self.show()
        self.more.setFocus()

    def _open(self, page: str) -> None:
        self.close()
        show_help(page, self._asker.window())


# Help


def show_help(page: str, over: QWidget) -> HelpWindow:
    """Opens Help at `page` over a window, or turns the one that is open there."""
    for shown in over.findChildren(HelpWindow, options=Qt.FindChildOption.FindDirectChildrenOnly):
        shown.show_page(page)
        shown.raise_()
        shown.activateWindow()
        return shown
    window = HelpWindow(over)
    window.show_page(page)
    window.show()
    return window


class HelpPages(QTextBrowser):
    """Shows a page of the documentation that came along; loads nothing but its pictures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.setOpenLinks(False)
        self.setAccessibleName(self.tr("Page"))
        self.document().setIndentWidth(20)
        self.document().setDefaultStyleSheet(f"code, pre {{ font-family: '{CODE_FAMILY}'; }}")
        self._folder = resources.docs_folder()

    def show_text(self, markdown: str, name: str) -> None:
        self._folder = (resources.docs_folder() / name).parent
        self.setMarkdown(COMMENT.sub("", markdown))
        self.document().setDocumentMargin(20)
        block = self.document().begin()
        while block.isValid():  # Qt sets markdown without any room between its parts
            airy = block.blockFormat()
            airy.setTopMargin(18 if airy.headingLevel() else 0)
            airy.setBottomMargin(4 if block.textList() else 8)
            QTextCursor(block).setBlockFormat(airy)
            block = block.next()

    def show_heading(self, anchor: str) -> None:
        """Scrolls to the heading that a link of the docs would name `anchor`."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
                self.moveCursor(QTextCursor.MoveOperation.End)  # so that it comes to the top
                self.setTextCursor(QTextCursor(block))
                self.verticalScrollBar().setValue(
                    round(self.document().documentLayout().blockBoundingRect(block).y())
                )
                return
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Pictures of the docs themselves; nothing from the net, nor from elsewhere on the disk."""
        address = QUrl(name) if isinstance(name, str) else name
        docs = resources.docs_folder().resolve()
        path = (self._folder / address.path()).resolve()
        ours = address.isRelative() and path.is_relative_to(docs)
        night = path.with_name(path.name.replace("-light.", "-dark."))
        if self.palette().base().color().lightness() < 128 and night.is_file():
            path = night
        if not (ours and path.suffix in PICTURES and path.is_file()):
            return None
        picture, room = QImage(str(path)), self.viewport().width() - 60
        smooth = Qt.TransformationMode.SmoothTransformation
        return picture.scaledToWidth(room, smooth) if picture.width() > room > 0 else picture


class HelpWindow(QDialog):
    """The glossary and the pages of the documentation, without a network."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Help"))
        fit_screen(self, 960, 680)
        self.page = ""
        self._build()
        self._connect()

    def _build(self) -> None:
        self.asked = QLineEdit(clearButtonEnabled=True)
        self.asked.setPlaceholderText(self.tr("Find in the pages"))
        self.asked.setAccessibleName(self.tr("Find in the pages"))
        explain(self.asked, self.tr("Leaves the pages that hold these words."))
        self.list = QListWidget()
        self.list.setObjectName("sections")
        self.list.setAccessibleName(self.tr("Pages"))
        explain(self.list, self.tr("The pages of Help; the glossary explains every word."))
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(12, 12, 0, 12)
        column.addWidget(self.asked)
        column.addWidget(self.list, 1)
        side.setMinimumWidth(200)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pages = HelpPages()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(side_by_side(side, self.pages, sizes=(270, 690)))
        self._list_pages()

    def _connect(self) -> None:
        self.asked.textChanged.connect(self._narrow)
        self.list.currentItemChanged.connect(self._chosen)
        self.pages.anchorClicked.connect(self._follow)

    def _list_pages(self) -> None:
        self._texts = {GLOSSARY: glossary()}
        pages = resources.docs_pages()
        first = [name for name in FIRST if name in pages]
        self._texts |= {name: resources.docs_page(name) for name in [*first, *pages]}
        for name, text in self._texts.items():
            item = QListWidgetItem(title_of_page(text, name))
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.list.addItem(item)

    def show_page(self, page: str) -> None:
        """`page` is a name of the docs, with `#heading` where it is about one part of it."""
        name, _, anchor = page.partition("#")
        name = name if name in self._texts else GLOSSARY
        for row in range(self.list.count()):
            if _name_of(self.list.item(row)) == name:
                self.list.setCurrentRow(row)
        self._turn(name)
        if anchor:  # once it is laid out
            QTimer.singleShot(0, self.pages, lambda: self.pages.show_heading(anchor))

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._turn(_name_of(item))

    def _turn(self, name: str) -> None:
        if name != self.page:
            self.page = name
            self.pages.show_text(self._texts[name], name)

    def _narrow(self, words: str) -> None:
        asked = words.casefold().split()
        for row in range(self.list.count()):
            item = self.list.item(row)
            text = self._texts[_name_of(item)].casefold()
            item.setHidden(not all(word in text for word in asked))

    def _follow(self, link: QUrl) -> None:
        """Another page of ours is turned to; what is elsewhere opens where such things open."""
        if link.isRelative():
            path, anchor = link.path(), link.fragment()
            here = Path(self.page).parent
            name = (here / path).with_suffix("").as_posix() if path else self.page
            if name in self._texts:
                self.show_page(f"{name}#{anchor}" if anchor else name)
        elif link.scheme() in ("https", "http", "mailto"):
            QDesktopServices.openUrl(link)


def glossary() -> str:
    """Every word of the window as a page, by what people would call it."""
    lines = [f"# {tr('Glossary')}", "", tr("What the words of the window mean."), ""]
    for term in sorted(terms().values(), key=lambda one: one.word.casefold()):
        lines += [f"**{escape(term.word)}** · {term.plain}  ", term.sentence, ""]
    return "\n".join(lines)


def title_of_page(text: str, name: str) -> str:
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return heading.group(1).strip() if heading else name


def anchor_of(heading: str) -> str:
    """As a link of the docs names a heading: `who-sees-what`."""
    letters = re.sub(r"[^\w\- ]", "", heading.casefold())
    return letters.strip().replace(" ", "-")


def _name_of(item: QListWidgetItem) -> str:
    return str(item.data(Qt.ItemDataRole.UserRole))
