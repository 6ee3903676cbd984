"""What was said in a conversation, turn by turn, so that words can be selected and kept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from store.records import Turn
from ui.toolkit.formatting import agent_name, moment_text
from ui.toolkit.help import explain
from ui.toolkit.theme import Theme

TURN = QTextFormat.Property.UserProperty + 1  # a block's turn, by its index in the list
HEAD = QTextFormat.Property.UserProperty + 2  # a block that says who speaks, not what was said
CHUNK = 8_000  # characters laid out at once: more would be felt as a stall
EACH = 400  # what beginning a turn costs, in characters
PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value


@dataclass(frozen=True, slots=True)
class Passage:
    """Words somebody selected, and the turn in which they begin."""

    turn: Turn
    text: str


@dataclass(frozen=True, slots=True)
class TurnWriter:
    """Writes turns into a document: a line that says who speaks, and what was said."""

    theme: Theme
    agent: str

    def write(self, cursor: QTextCursor, index: int, turn: Turn) -> None:
        tokens = self.theme.tokens
        head = QTextBlockFormat()
        head.setProperty(TURN, index)
        head.setProperty(HEAD, True)
        head.setTopMargin(14 if index else 0)
        head.setBottomMargin(2)
        _begin(cursor, head, first=index == 0)
        who = self._font(12, tokens.color(self._color(turn.role)))
        who.setFontWeight(QFont.Weight.DemiBold)
        cursor.insertText(self._speaker(turn.role), who)
        faint = self._font(11, tokens.color("faint"))
        cursor.insertText(f"   {moment_text(turn.created_at)}", faint)
        said = QTextBlockFormat()
        said.setProperty(TURN, index)
        said.setLineHeight(135, PROPORTIONAL)
        _begin(cursor, said, first=False)
        # One paragraph per turn: a line break inside it costs far less than another paragraph.
        text = turn.content.replace("\r\n", "\n").replace("\u2029", "\n")
        cursor.insertText(text.replace("\n", "\u2028"), self._font(14, tokens.color("text")))

    def _font(self, size: int, color: QColor) -> QTextCharFormat:
        made = QTextCharFormat()
        made.setProperty(QTextFormat.Property.FontPixelSize, self.theme.px(size))
        made.setForeground(color)
        return made

    def _color(self, role: str) -> str:
        """An agent's own, as everywhere; the person and all others are neutral."""
        if role == "assistant":
            return self.theme.agent_color(self.agent)
        return "text" if role == "user" else "mute"

    def _speaker(self, role: str) -> str:
        translate = QCoreApplication.translate
        words = {
            "user": translate("TurnsView", "You"),
            "assistant": agent_name(self.agent),
            "tool": translate("TurnsView", "Tool"),
            "system": translate("TurnsView", "System"),
        }
        return words.get(role, role)


class TurnsView(QTextEdit):
    """Shows plain words, never rendered: nothing said can load or pose as anything."""

    picked = Signal(bool)  # whether words are selected that could be kept

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._turns: list[Turn] = []
        self._agent = ""
        self._marked: frozenset[str] = frozenset()
        self._written = 0  # turns laid out so far
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("turns")
        self.setAccessibleName(self.tr("What was said"))
        explain(self, self.tr("Every turn; select words to save them as a memory."))
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(8)

    def _connect(self) -> None:
        self.selectionChanged.connect(lambda: self.picked.emit(self.passage() is not None))
        self._theme.changed.connect(self._draw)
        self._later.timeout.connect(self._write)

    @property
    def turns(self) -> Sequence[Turn]:
        return self._turns

    def show_turns(self, turns: Sequence[Turn], agent: str) -> None:
        """What is shown already stays as it is, with what is selected in it; a conversation that
        went on grows at its end."""
        held = len(self._turns)
        same = [turn.id for turn in turns[:held]] == [turn.id for turn in self._turns]
        if same and held and agent == self._agent:
            if len(turns) > held:
                self.add_turns(turns[held:])
            return
        self._turns, self._agent = list(turns), agent
        self._marked = frozenset()
        self._draw()

    def add_turns(self, turns: Sequence[Turn]) -> None:
        """Adds more of the same conversation at its end."""
        self._turns += turns
        self._write()

    def mark(self, idents: Collection[str]) -> bool:
        """Marks these turns and goes to the first; False if none of them is shown."""
        self._marked = frozenset(idents)
        self._highlight()
        return any(turn.id in self._marked for turn in self._turns)

    def passage(self) -> Passage | None:
        """The selected words without the lines that say who speaks."""
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        turn: Turn | None = None
        lines: list[str] = []
        block = self.document().findBlock(start)
        while block.isValid() and block.position() < end:
            if not block.blockFormat().hasProperty(HEAD):
                first = max(start - block.position(), 0)
                part = block.text()[first : end - block.position()].replace("\u2028", "\n")
                if part and turn is None:
                    turn = self._turn_of(block)
                lines.append(part)
            block = block.next()
        text = "\n".join(lines).strip()
        return Passage(turn, text) if turn is not None and text else None

    def _turn_of(self, block: QTextBlock) -> Turn | None:
        index = block.blockFormat().property(TURN)
        return self._turns[index] if isinstance(index, int) else None

    # Drawing

    def _draw(self) -> None:
        self.clear()
        self._written = 0
        self._write()

    def _write(self) -> None:
        """Lays out the next turns, as many as go unnoticed; the rest in a moment."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        writer, room = TurnWriter(self._theme, self._agent), CHUNK
        while self._written < len(self._turns) and room > 0:
            turn = self._turns[self._written]
            writer.write(cursor, self._written, turn)
            room -= EACH + len(turn.content)
            self._written += 1
        cursor.endEditBlock()
        if self._written < len(self._turns):
            self._later.start(0)
        else:
            self._later.stop()
            self._highlight()

    def _highlight(self) -> None:
        """Draws the marks once all is there, and goes to the first."""
        if self._written < len(self._turns):
            return
        marks: list[QTextEdit.ExtraSelection] = []
        block = self.document().begin() if self._marked else QTextBlock()
        while block.isValid():
            turn = self._turn_of(block)
            said = not block.blockFormat().hasProperty(HEAD)
            if said and turn is not None and turn.id in self._marked:
                if not marks:
                    self._go_to(block.previous())
                marks.append(self._mark(block))
            block = block.next()
        self.setExtraSelections(marks)

    def _mark(self, block: QTextBlock) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(block)
        mark.cursor.movePosition(
            QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
        )
        mark.format.setBackground(self._theme.tokens.color("highlight"))
        return mark

    def _go_to(self, block: QTextBlock) -> None:
        cursor = QTextCursor(block)
        self.setTextCursor(cursor)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - 12)


def _begin(cursor: QTextCursor, block: QTextBlockFormat, *, first: bool) -> None:
    if first:
        cursor.setBlockFormat(block)
    else:
        cursor.insertBlock(block)
