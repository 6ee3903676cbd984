"""*What is this?* beside a word, and Help: the glossary, the pages of the documentation, the
shortcuts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QLocale, QPoint, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QImage, QTextCharFormat, QTextCursor, QTextTable
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QStyle,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

import resources
from ui.toolkit.action_registry import Actions, shortcut_text
from ui.toolkit.fonts import CODE_FAMILY
from ui.toolkit.help import TERMS, Term, explain, term
from ui.toolkit.plain_text import plain_label
from ui.toolkit.translation import SPOKEN_IN_CODE, tr
from ui.toolkit.widgets import button, fit_screen, side_by_side

Line = tuple[str, Sequence[str]]  # what it does, and the keys held together

GLOSSARY = "glossary"
FIRST = ("index", "tutorial", "desk", "window", "rules", "settings")  # what people look for
COMMENT = re.compile(r"<!--.*?-->|\[\[\[cog.*?\]\]\]|\[\[\[end\]\]\]", re.DOTALL)
PICTURES = (".png", ".svg", ".jpg")


class WhatIsThis(QToolButton):
    """A small question mark beside a word; says what it means, and where more is said."""

    def __init__(self, *names: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names = names
        self.setText("?")
        self.setObjectName("whatIsThis")
        self.setProperty("look", "quiet")
        self.setCursor(Qt.CursorShape.WhatsThisCursor)
        explain(self, self.tr("What is this?"), term(names[0]).page)
        self.setAccessibleName(self._heading())
        self.clicked.connect(self._say)

    def sizeHint(self) -> QSize:
        return QSize(20, 20)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _heading(self) -> str:
        words = ", ".join(term(name).word for name in self.names)
        return self.tr("What is this? {words}").format(words=words)

    def _say(self) -> None:
        popup = WordsPopup([term(name) for name in self.names], self)
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
        for said in shown:
            head = plain_label(f"{said.plain} · {said.word}", wordWrap=True)
            head.setProperty("look", "heading")
            words_ = plain_label(said.sentence, wordWrap=True)
            words_.setProperty("look", "mute")
            column.addWidget(head)
            column.addWidget(words_)
            column.addSpacing(6)
        self.more = button(self.tr("More in Help (F1)"), "link")
        self.more.clicked.connect(lambda: self._open(shown[0].page))
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeading)
        self.setAccessibleName(" ".join(f"{said.plain}: {said.sentence}" for said in shown))
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

    def show_text(self, markdown: str, name: str, language: str = "") -> None:
        self._folder = (resources.docs_folder() / language / name).parent
        self.setMarkdown(COMMENT.sub("", markdown))
        self.document().setDocumentMargin(20)
        whole = QTextCursor(self.document())
        whole.beginEditBlock()  # laid out once, not after each part
        block = self.document().begin()
        while block.isValid():  # Qt sets markdown without any room between its parts
            airy = block.blockFormat()
            airy.setTopMargin(18 if airy.headingLevel() else 0)
            airy.setBottomMargin(4 if block.textList() else 8)
            QTextCursor(block).setBlockFormat(airy)
            block = block.next()
        self._set_code(whole)
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._draw_finely(frame)
        whole.endEditBlock()

    def _set_code(self, cursor: QTextCursor) -> None:
        """In the type that came along: a system may have none whose letters are equally wide."""
        found = []
        block = self.document().begin()
        while block.isValid():
            pieces = block.begin()
            while not pieces.atEnd():
                if pieces.fragment().charFormat().fontFixedPitch():
                    found.append((pieces.fragment().position(), pieces.fragment().length()))
                pieces += 1
            block = block.next()
        ours = QTextCharFormat()
        ours.setFontFamilies([CODE_FAMILY])
        for start, length in found:
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(ours)

    def _draw_finely(self, table: QTextTable) -> None:
        """One thin line between cells with room around their words."""
        fine = table.format().toTableFormat()
        fine.setBorderCollapse(True)
        fine.setBorderBrush(self.palette().mid())
        fine.setCellPadding(6)
        table.setFormat(fine)

    def show_heading(self, place: int) -> None:
        """Scrolls to the heading that is so many headings down the page."""
        block = self.document().begin()
        while block.isValid() and (not block.blockFormat().headingLevel() or place):
            place -= bool(block.blockFormat().headingLevel())
            block = block.next()
        if block.isValid():
            self.moveCursor(QTextCursor.MoveOperation.End)  # so that it comes to the top
            self.setTextCursor(QTextCursor(block))
            self.verticalScrollBar().setValue(
                round(self.document().documentLayout().blockBoundingRect(block).y())
            )

    def page_of(self, link: QUrl) -> str:
        """The name of the page that a link of this one leads to, in whatever language it is."""
        docs = resources.docs_folder().resolve()
        path = (self._folder / link.path()).resolve().with_suffix("")
        if not path.is_relative_to(docs):
            return ""
        parts = path.relative_to(docs).parts
        return "/".join(parts[1:] if len(parts[0]) == 2 else parts)

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
        if not picture.width() > room > 0:
            return picture
        ratio, smooth = self.devicePixelRatioF(), Qt.TransformationMode.SmoothTransformation
        fitted = picture.scaledToWidth(min(round(room * ratio), picture.width()), smooth)
        fitted.setDevicePixelRatio(fitted.width() / room)
        return fitted


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
        side.setObjectName("helpSide")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column.setContentsMargins(0, 12, 0, 0)
        asked = QHBoxLayout()
        asked.setContentsMargins(12, 0, 12, 0)
        asked.addWidget(self.asked)
        column.addLayout(asked)
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
        self._language = QLocale().name().partition("_")[0]
        self._ours = resources.docs_pages(self._language)
        self._texts = {GLOSSARY: glossary()}
        pages = resources.docs_pages()
        first = [name for name in FIRST if name in pages]
        self._texts |= {name: self._text_of(name) for name in [*first, *pages]}
        for name, text in self._texts.items():
            item = QListWidgetItem(title_of_page(text, name))
            item.setData(Qt.ItemDataRole.UserRole, name)
            self.list.addItem(item)

    def _text_of(self, name: str) -> str:
        """In the window's language; otherwise in English, and it says so."""
        if name in self._ours:
            return resources.docs_page(name, self._language)
        text = resources.docs_page(name)
        if self._language == SPOKEN_IN_CODE:
            return text
        heading, _, rest = text.partition("\n")
        return f"{heading}\n\n*{self.tr('This page is there in English only.')}*\n{rest}"

    def show_page(self, page: str) -> None:
        """`page` is a name of the docs, with `#heading` where it is about one part of it."""
        name, _, anchor = page.partition("#")
        name = name if name in self._texts else GLOSSARY
        for row in range(self.list.count()):
            if _name_of(self.list.item(row)) == name:
                self.list.setCurrentRow(row)
        self._turn(name)
        place = self._place_of(anchor, name) if anchor and name != GLOSSARY else -1
        if place >= 0:  # once it is laid out
            QTimer.singleShot(0, self.pages, lambda: self.pages.show_heading(place))

    def _place_of(self, anchor: str, name: str) -> int:
        """How many headings down the page: by its own words, or by those of the English page, whose
        headings stand in the same order."""
        for text in (self._texts[name], resources.docs_page(name)):
            anchors = [anchor_of(heading) for heading in headings(text)]
            if anchor in anchors:
                return anchors.index(anchor)
        return -1

    def _chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._turn(_name_of(item))

    def _turn(self, name: str) -> None:
        if name != self.page:
            self.page = name
            language = self._language if name in self._ours else ""
            self.pages.show_text(self._texts[name], name, language)

    def _narrow(self, words: str) -> None:
        asked = words.casefold().split()
        for row in range(self.list.count()):
            item = self.list.item(row)
            text = self._texts[_name_of(item)].casefold()
            item.setHidden(not all(word in text for word in asked))

    def _follow(self, link: QUrl) -> None:
        """Another page of ours is turned to; what is elsewhere opens where such things open."""
        if link.isRelative():
            anchor = link.fragment()
            name = self.pages.page_of(link) if link.path() else self.page
            if name in self._texts:
                self.show_page(f"{name}#{anchor}" if anchor else name)
        elif link.scheme() in ("https", "http", "mailto"):
            QDesktopServices.openUrl(link)


def glossary() -> str:
    """Every word of the window as a page, by what people would call it."""
    lines = [f"# {tr('Glossary')}", "", tr("What the words of the window mean."), ""]
    for said in sorted(map(term, TERMS), key=lambda one: one.word.casefold()):
        lines += [f"**{escape(said.word)}** · {said.plain}  ", said.sentence, ""]
    return "\n".join(lines)


def title_of_page(text: str, name: str) -> str:
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return heading.group(1).strip() if heading else name


def headings(markdown: str) -> list[str]:
    """Those of a page, from its title on; a comment in a piece of code is none."""
    text = re.sub(r"^```.*?^```", "", COMMENT.sub("", markdown), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def anchor_of(heading: str) -> str:
    """As a link of the docs names a heading: `who-sees-what`."""
    letters = re.sub(r"[^\w\- ]", "", heading.casefold())
    return letters.strip().replace(" ", "-")


def _name_of(item: QListWidgetItem) -> str:
    return str(item.data(Qt.ItemDataRole.UserRole))


class ShortcutSheet(QDialog):
    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        fit_screen(self, 560, 640)
        self._build(actions)

    def _build(self, actions: Actions) -> None:
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(24, 8, 24, 8)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(6)
        for heading, listed in actions.menus().items():
            keyed = [one.action for one in listed if not one.action.shortcut().isEmpty()]
            self._add(heading, [(a.text(), shortcut_text(a).split(" ")) for a in keyed])
        self._add(self.tr("In one place"), self._others())
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        area = QScrollArea(widgetResizable=True)
        area.setAccessibleName(self.tr("Shortcuts"))
        area.setWidget(inside)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(area, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 4, 24, 16)
        foot.addWidget(buttons)
        column.addLayout(foot)

    def _others(self) -> list[Line]:
        """Keys that belong to a place, not to the window."""
        return [
            (self.tr("From the search to the list"), ["↓"]),
            (self.tr("Take the last filter back (in an empty search)"), ["Backspace"]),
            (self.tr("Forget the selected memories (in the list)"), ["Del"]),
            (self.tr("Set importance (on its dots)"), ["←", "→", "1 … 0"]),
        ]

    def _add(self, heading: str, lines: Sequence[Line]) -> None:
        if not lines:
            return
        row = self._grid.rowCount()
        title = plain_label(heading)
        title.setProperty("look", "section")
        title.setIndent(0)  # level with what is listed under it
        self._grid.addWidget(title, row, 0, 1, 2)
        for place, (text, keys) in enumerate(lines, row + 1):
            self._grid.addWidget(plain_label(text), place, 0)
            caps = _caps(keys)
            end = QStyle.visualAlignment(self.layoutDirection(), Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(caps, place, 1, end)


def _caps(keys: Sequence[str]) -> QWidget:
    """Each key in a little box; Ctrl comes first, also where the window goes from right to left."""
    caps = QWidget()
    caps.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    row = QHBoxLayout(caps)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for key in keys:
        cap = plain_label(key, alignment=Qt.AlignmentFlag.AlignCenter)
        cap.setProperty("look", "key")
        row.addWidget(cap)
    return caps
