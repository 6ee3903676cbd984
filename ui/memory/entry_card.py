"""Paints one memory as a card: its name, age, two lines with the matches marked, chips."""

from __future__ import annotations

import re
from collections.abc import Hashable
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QHelpEvent,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from store.instants import Clock, plus, to_instant
from store.records import Entry
from ui.memory.entry_model import DRAFT_ROLE, ROW_ROLE, ListRow, Marks
from ui.toolkit.formatting import (
    age,
    from_qt,
    goes_text,
    scope_name,
    scope_text,
    size_text,
    time_left,
    to_qt,
    who,
    word_text,
)
from ui.toolkit.help import term, tip
from ui.toolkit.theme import SMALL_PX, TEXT_PX, Theme
from ui.toolkit.translation import tr

PAD_X, PAD_Y = 14, 10
LINES = 2
CARDS_KEPT = 200  # laid out; some screens full
EDGE = 3

ROUNDED = 2  # pixels: advances are rounded, and a fraction too few takes a second line

Chip = tuple[str, str, str]  # text, colour of the text, colour of the ground


class CardLayout(NamedTuple):
    """What a card shows of a memory, laid out for one width."""

    title: QTextLayout
    when: str
    below: QTextLayout
    lines: int


class EntryDelegate(QStyledItemDelegate):
    """Draws a memory as a card. A card is laid out once: its height is asked for and it is drawn
    several times for each letter of a search."""

    def __init__(self, theme: Theme, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self.trash_days = 0  # how long the trash keeps what is shown; 0 outside of it
        self.ringed = False  # the card the keyboard is on has a ring, also when it is selected
        self._laid_out: dict[Hashable, CardLayout] = {}
        self._refresh_fonts()
        theme.changed.connect(self._refresh_fonts)

    def _refresh_fonts(self) -> None:
        px = self._theme.px
        self._font = QFont()
        self._font.setPixelSize(px(TEXT_PX))
        self._bold = QFont(self._font)
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small = QFont(self._font)
        self._small.setPixelSize(px(SMALL_PX))
        self._line = QFontMetrics(self._font).height() + px(2)
        self._chip = px(20)
        self._laid_out.clear()

    @property
    def height(self) -> int:
        """Of a card with its full two lines, and of one whose memory is not at hand yet."""
        return self._tall(LINES)

    def height_of(self, row: ListRow, width: int) -> int:
        """Of one card in a list so wide: a memory of a few words takes a line less. Laid out as it
        is painted, so that no line comes to stand under the chips."""
        card = self._card(row, width - 2 * PAD_X, Qt.LayoutDirection.LeftToRight, self._clock())
        return self._tall(card.lines)

    def _card(
        self, row: ListRow, width: int, direction: Qt.LayoutDirection, now: datetime
    ) -> CardLayout:
        when = age(row.entry.written_at, now)
        key = (row.entry.digest, row.snippet, row.marks, when, width, direction)
        card = self._laid_out.get(key)
        if card is None:
            if len(self._laid_out) >= CARDS_KEPT:
                self._laid_out.clear()
            room = self._title_room(width, when)
            name, marks, below = self._named(row, room)
            title, _ = self._laid(name, marks, room + ROUNDED, direction, self._bold)
            layout, lines = self._lines(below, width, direction)
            card = self._laid_out[key] = CardLayout(title, when, layout, len(lines))
        return card

    def _title_room(self, width: int, when: str) -> int:
        """What the age beside it leaves to the name."""
        return width - QFontMetrics(self._small).horizontalAdvance(when) - 10

    def _named(self, row: ListRow, room: int) -> tuple[str, Marks, ListRow]:
        """The name that there is room for, the matches in it, and what stands below it. A memory
        without a key begins with its name: what did not fit goes on below."""
        bold = QFontMetrics(self._bold)
        if not row.flows:
            return bold.elidedText(row.title, Qt.TextElideMode.ElideRight, room), (), row
        if bold.horizontalAdvance(row.snippet) <= room:
            return row.snippet, row.marks, row._replace(snippet="", marks=())
        end = 0
        for word in re.finditer(r"\S+\s*", row.snippet):
            if bold.horizontalAdvance(row.snippet[: word.end()].rstrip()) > room:
                break
            end = word.end()
        if not end:
            return bold.elidedText(row.snippet, Qt.TextElideMode.ElideRight, room), (), row
        above, below = split_marks(row.marks, end)
        rest = row._replace(snippet=row.snippet[end:], marks=below)
        return row.snippet[:end].rstrip(), above, rest

    def _tall(self, lines: int) -> int:
        return 2 * PAD_Y + self._line * (1 + lines) + 8 + self._chip

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        row = index.data(ROW_ROLE)
        tall = self.height_of(row, option.rect.width()) if row is not None else self.height
        return QSize(120, tall)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        tokens = self._theme.tokens
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # each by its own words
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        self._paint_ground(painter, option.rect, chosen, option)
        row = index.data(ROW_ROLE)
        box = option.rect.adjusted(PAD_X, PAD_Y, -PAD_X, -PAD_Y)
        if row is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color("chip"))
            for top, part in ((4, 0.4), (28, 0.9), (48, 0.7)):
                painter.drawRoundedRect(box.x(), box.y() + top, int(box.width() * part), 9, 4, 4)
        else:
            self._paint_card(painter, box, row, option.direction)
            if index.data(DRAFT_ROLE):
                self._paint_draft(painter, option)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRect, chosen: bool, option: QStyleOptionViewItem
    ) -> None:
        tokens = self._theme.tokens
        rtl = option.direction is Qt.LayoutDirection.RightToLeft
        if chosen:
            painter.fillRect(rect, tokens.color("accent_ground"))
            edge = rect.right() - EDGE + 1 if rtl else rect.x()
            painter.fillRect(edge, rect.y(), EDGE, rect.height(), tokens.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, tokens.color("bg"))
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, tokens.color("line"))
        focused = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_Active
        if option.state & focused == focused and (self.ringed or not chosen):
            painter.setPen(tokens.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(1, 1, -2, -2))

    def _paint_draft(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        """A dot in the margin: an edit of this memory is not saved."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.tokens.color("recent"))
        dot = QRect(option.rect.x() + 4, option.rect.y() + PAD_Y + self._line // 2 - 3, 7, 7)
        painter.drawEllipse(QStyle.visualRect(option.direction, option.rect, dot))

    def _paint_card(
        self, painter: QPainter, box: QRect, row: ListRow, direction: Qt.LayoutDirection
    ) -> None:
        now = self._clock()
        top = QRect(box.x(), box.y(), box.width(), self._line)
        card = self._card(row, box.width(), direction, now)
        self._paint_title(painter, top, card.title, card.when, direction)
        painter.setPen(self._theme.tokens.color("mute"))
        card.below.draw(painter, QPointF(box.x(), top.bottom() + 3))
        chips = chips_of(row.entry, now, self.trash_days)
        self._paint_chips(painter, self._chip_row(box), chips, direction)

    def _chip_row(self, box: QRect) -> QRect:
        return QRect(box.x(), box.bottom() - self._chip + 2, box.width(), self._chip)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Says what a chip means when the mouse rests on it; elsewhere what the card says."""
        row = index.data(ROW_ROLE)
        if row is not None and event.type() is QEvent.Type.ToolTip:
            now, box = self._clock(), option.rect.adjusted(PAD_X, PAD_Y, -PAD_X, -PAD_Y)
            chips = chips_of(row.entry, now, self.trash_days)
            boxes = self._chip_boxes(self._chip_row(box), chips, option.direction)
            tips = chip_tips(row.entry, self.trash_days)
            for place, words in zip(boxes, tips, strict=False):
                if place.contains(event.pos()):
                    QToolTip.showText(event.globalPos(), tip(words), view)
                    return True
        return super().helpEvent(event, view, option, index)

    def _paint_title(
        self,
        painter: QPainter,
        box: QRect,
        title: QTextLayout,
        when: str,
        direction: Qt.LayoutDirection,
    ) -> None:
        tokens = self._theme.tokens
        end = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTrailing
        painter.setFont(self._small)
        painter.setPen(tokens.color("faint"))
        painter.drawText(box, int(_aligned(end, direction)), when)
        room = self._title_room(box.width(), when) + ROUNDED
        rtl = direction is Qt.LayoutDirection.RightToLeft
        spare = (box.height() - QFontMetrics(self._bold).height()) / 2
        painter.setPen(tokens.color("text"))
        title.draw(painter, QPointF(box.right() + 1 - room if rtl else box.x(), box.y() + spare))

    def _lines(
        self, row: ListRow, width: int, direction: Qt.LayoutDirection
    ) -> tuple[QTextLayout, list[QTextLine]]:
        """The snippet as the card shows it: at most two lines, the second with an ellipsis that
        fits on it when there is more."""
        if not row.snippet:
            return QTextLayout(), []
        layout, shown = self._laid(row.snippet, row.marks, width, direction, self._font)
        if len(shown) <= LINES:
            return layout, shown
        last = shown[LINES - 1]
        end = from_qt(row.snippet, last.textStart() + last.textLength())
        while True:
            cut = f"{row.snippet[:end].rstrip()}…"
            layout, shown = self._laid(cut, row.marks, width, direction, self._font)
            if len(shown) <= LINES:
                return layout, shown
            end -= 1

    def _laid(
        self,
        text: str,
        marks: Marks,
        width: float,
        direction: Qt.LayoutDirection,
        font: QFont,
    ) -> tuple[QTextLayout, list[QTextLine]]:
        """The text in lines of `width`, one more than is shown if there are more."""
        marked = QTextCharFormat()
        marked.setBackground(self._theme.tokens.color("highlight"))
        marked.setForeground(self._theme.tokens.color("text"))
        layout = QTextLayout(text, font)
        rtl = direction is Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(side | Qt.AlignmentFlag.AlignAbsolute)
        # By its first letter: an Arabic sentence ends at its own end, in whatever window.
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(
            [
                _range(to_qt(text, start), to_qt(text, end), marked)
                for start, end in marks
                if end <= len(text)
            ]
        )
        lines: list[QTextLine] = []
        layout.beginLayout()
        while len(lines) <= LINES and (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, len(lines) * self._line))
            lines.append(line)
        layout.endLayout()
        return layout, lines

    def _paint_chips(
        self, painter: QPainter, box: QRect, chips: list[Chip], direction: Qt.LayoutDirection
    ) -> None:
        tokens = self._theme.tokens
        painter.setFont(self._small)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (text, ink, ground) in zip(
            self._chip_boxes(box, chips, direction), chips, strict=False
        ):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tokens.color(ground))
            painter.drawRoundedRect(place, self._chip / 2, self._chip / 2)
            painter.setPen(tokens.color(ink))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _chip_boxes(
        self, box: QRect, chips: list[Chip], direction: Qt.LayoutDirection
    ) -> list[QRect]:
        """Where each stands; those that have no room are left out."""
        metrics, used = QFontMetrics(self._small), 0
        rtl = direction is Qt.LayoutDirection.RightToLeft
        found: list[QRect] = []
        for text, _, _ in chips:
            wide = metrics.horizontalAdvance(text) + 14
            if used + wide > box.width():
                break
            x = box.right() - used - wide if rtl else box.x() + used
            found.append(QRect(x, box.y(), wide, self._chip))
            used += wide + 5
        return found


def split_marks(marks: Marks, at: int) -> tuple[Marks, Marks]:
    """The marks before that place and those behind it, counted from there; one across it is in
    both."""
    before = tuple((start, min(stop, at)) for start, stop in marks if start < at)
    behind = tuple((max(start - at, 0), stop - at) for start, stop in marks if stop > at)
    return before, behind


def _range(start: int, end: int, style: QTextCharFormat) -> QTextLayout.FormatRange:
    piece = QTextLayout.FormatRange()
    piece.start, piece.length, piece.format = start, end - start, style
    return piece


def _aligned(flags: Qt.AlignmentFlag, direction: Qt.LayoutDirection) -> int:
    return QStyle.visualAlignment(direction, flags).value


def chip_tips(entry: Entry, trash_days: int = 0) -> list[str]:
    """What each of `chips_of` means, in one sentence."""
    goes = tr("The trash erases it then, for good; until then it can be brought back.")
    labels = [tr("One of its labels: {tag}.").format(tag=tag) for tag in entry.tags[:4]]
    wrote = entry.source != "owner" and who(entry.source) != scope_name(entry.scope)
    category, scope = term("category"), term("scope")
    return [
        *([goes] if trash_days else []),
        f"{category.plain}: {word_text(entry.category)}. {category.sentence}",
        *labels,
        f"{scope.plain}: {scope_text(entry.scope)}.",
        *([tr("Who wrote it: {who}.").format(who=who(entry.source))] if wrote else []),
        tr("How much of a budget its text takes."),
    ]


def chips_of(entry: Entry, now: datetime, trash_days: int = 0) -> list[Chip]:
    """In the trash, which keeps it so long, when it goes; then category, tags, whose it is, who
    wrote it, its size."""
    category = word_text(entry.category)
    if entry.expires_at:
        category = f"{category} · {time_left(entry.expires_at, now)}"
    if entry.true_until and entry.true_until <= to_instant(now):
        category = f"{category} · {tr('was true')}"
    if entry.muted_for:
        category = f"{category} · {tr('muted')}"
    ink, ground = "mute", "chip"
    if entry.category == "core":
        ink, ground = "accent", "accent_ground"
    elif entry.expires_at or entry.category in ("daily", "journal"):
        ink = "recent_text"
    chips = [(category, ink, ground)]
    if trash_days:
        goes_at = plus(entry.updated_at, days=trash_days)
        chips.insert(0, (goes_text(goes_at, now), "recent_text", "chip"))
    chips += [(f"#{tag}", "mute", "chip") for tag in entry.tags[:4]]
    chips.append((scope_name(entry.scope)[:24], "mute", "chip"))
    writer = who(entry.source)
    if entry.source != "owner" and writer != scope_name(entry.scope):
        chips.append((writer[:24], "mute", "chip"))
    chips.append((size_text(entry.size), "mute", "chip"))
    return chips
