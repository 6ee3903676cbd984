"""Markdown as people write it: a text field that colours it, and a preview that loads nothing."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import (
    QDesktopServices,
    QFont,
    QKeyEvent,
    QKeySequence,
    QSyntaxHighlighter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QMessageBox, QTextBrowser, QTextEdit, QWidget

from ui.toolkit.fonts import CODE_FAMILY
from ui.toolkit.formatting import to_qt
from ui.toolkit.plain_text import asked, tell
from ui.toolkit.theme import Theme

OPENABLE = ("http", "https", "mailto")
LINE_PERCENT = 135.0
PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
LONGEST_LINE = 4_000  # longer lines are shown plain: colouring them would stall the window

# As text, compiled by `re` at their first use: an empty editor needs none of them to start.
_INLINE = (
    ("strong", r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"),
    ("emphasis", r"(?<![\w*])([*_])(?=[^\s*_])([^*_]+?)(?<=\S)\1(?![\w*])"),
    ("code", r"`[^`]+`"),
    ("link", r"\[[^\]]*\]\([^)]*\)|https?://\S+"),
    ("wiki", r"\[\[[^\]]+\]\]"),
)
_HEADING = r"#{1,6}\s"
_LIST = r"\s*(?:[-*+]|\d+\.)\s"
_QUOTE = r"\s{0,3}>"
_FENCE = r"\s{0,3}(```|~~~)"


class MarkdownHighlighter(QSyntaxHighlighter):
    """Quiet colours: marks fade, headings and emphasis show as what they are."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        self._formats: dict[str, QTextCharFormat] = {}
        self._refresh_formats()
        theme.changed.connect(self._refresh_formats)

    def _refresh_formats(self) -> None:
        tokens = self._theme.tokens
        for name, color, weight, italic in (
            ("heading", "text", QFont.Weight.DemiBold, False),
            ("strong", "text", QFont.Weight.DemiBold, False),
            ("emphasis", "text", QFont.Weight.Normal, True),
            ("code", "recent_text", QFont.Weight.Normal, False),
            ("link", "accent", QFont.Weight.Normal, False),
            ("wiki", "accent", QFont.Weight.Normal, False),
            ("mark", "accent", QFont.Weight.DemiBold, False),
            ("quote", "mute", QFont.Weight.Normal, True),
        ):
            style = QTextCharFormat()
            style.setForeground(tokens.color(color))
            style.setFontWeight(weight)
            style.setFontItalic(italic)
            self._formats[name] = style
        self._formats["code"].setFontFamilies([CODE_FAMILY])
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        fenced = self.previousBlockState() == 1
        fence = bool(text and re.match(_FENCE, text))
        self.setCurrentBlockState(int(fenced != fence))
        if fenced or fence:
            self.setFormat(0, to_qt(text, len(text)), self._formats["code"])
            return
        if not text or len(text) > LONGEST_LINE:
            return
        if re.match(_HEADING, text):
            self.setFormat(0, to_qt(text, len(text)), self._formats["heading"])
        elif re.match(_QUOTE, text):
            self.setFormat(0, to_qt(text, len(text)), self._formats["quote"])
        elif found := re.match(_LIST, text):
            self.setFormat(0, found.end(), self._formats["mark"])
        for name, pattern in _INLINE:
            for match in re.finditer(pattern, text):
                start, end = to_qt(text, match.start()), to_qt(text, match.end())
                self.setFormat(start, end - start, self._formats[name])


class MarkdownEdit(QTextEdit):
    """Plain text; Tab leaves it; Ctrl+Z is the window's when there is nothing to undo here.

    What is not touched comes back as it was given, to the byte: Qt's own text would turn
    no-break spaces and line ends into others."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given = self._shown = ""
        self.setObjectName("body")
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(6)
        self._highlighter = MarkdownHighlighter(self.document(), theme)
        self.set_text("")

    def text(self) -> str:
        shown = self._raw()
        return self._given if shown == self._shown else shown

    def set_text(self, text: str) -> None:
        """Another text, with nothing to undo; the cursor stays where it can."""
        place = self.textCursor().position()
        self.setUndoRedoEnabled(False)
        self.setPlainText(text)
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(LINE_PERCENT, PROPORTIONAL)
        cursor.mergeBlockFormat(spaced)
        cursor.setPosition(min(place, max(self.document().characterCount() - 1, 0)))
        self.setTextCursor(cursor)
        self.setUndoRedoEnabled(True)
        self._given, self._shown = text, self._raw()

    def _raw(self) -> str:
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:
            for key, able in (
                (QKeySequence.StandardKey.Undo, self.document().isUndoAvailable()),
                (QKeySequence.StandardKey.Redo, self.document().isRedoAvailable()),
            ):
                if event.matches(key) and not able:  # type: ignore[attr-defined]
                    event.ignore()
                    return False
        return super().event(event)


class InPlaceEdit(MarkdownEdit):
    """A text being edited where it is read: Ctrl+Enter approves it, Escape gives it up."""

    approved = Signal(str)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if held and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_S):
            self.approved.emit(self.text())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class Preview(QTextBrowser):
    """Shows markdown without raw HTML; fetches nothing; a link asks before it opens."""

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.document().setIndentWidth(20)
        self.document().setDefaultStyleSheet(
            "p, li { line-height: 135%; } h1, h2, h3 { margin-top: 14px; margin-bottom: 6px; }"
            f"code, pre {{ font-family: '{CODE_FAMILY}'; }}"
        )
        self.anchorClicked.connect(self._ask)

    def show_markdown(self, text: str) -> None:
        self.setHtml(to_html(text))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Nothing is ever loaded: no picture, no style, from neither net nor disk."""
        return None

    def _ask(self, link: QUrl) -> None:
        address = link.toString()[:400]
        self.asked.emit(address)
        if link.scheme() not in OPENABLE:
            tell(
                QMessageBox.Icon.Information,
                self.tr("Link not opened"),
                self.tr(
                    "Only web and mail links open from a memory. This one says:\n{link}"
                ).format(link=address[:400]),
                self,
            )
            return
        leads = self.tr("It leads to:\n{link}").format(link=address[:400])
        if asked(self.tr("Open this link?"), leads, self):
            QDesktopServices.openUrl(link)


def to_html(text: str) -> str:
    """CommonMark and tables; HTML in the text stays text, pictures become their words."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.add_render_rule("image", _as_words)
    return str(parser.render(text))


def _as_words(self: Any, tokens: Any, place: int, options: Any, env: Any) -> str:
    from markdown_it.common.utils import escapeHtml

    return f"<i>[{escapeHtml(tokens[place].content or 'image')}]</i>"
