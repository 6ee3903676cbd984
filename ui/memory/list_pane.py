"""The list with its header: how many, and how they were found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.entries.browse import Browse
from app.recall.query import TYPED_HITS
from store.instants import Clock
from ui.memory.entry_card import EntryDelegate
from ui.memory.entry_model import Column, EntryModel, ListRow, Places
from ui.memory.live_search import HITS, Listing
from ui.memory.sidebar import SidebarItem
from ui.toolkit.formatting import entry_title, memories, number_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.widgets import ElidedLabel, button, frame, tool

EMPTY_WRAP = Qt.AlignmentFlag.AlignHCenter.value | Qt.TextFlag.TextWordWrap.value
HEAD_EDGES = 42  # pixels of the head that nothing is written in: two margins and a gap
KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class EntryList(QTableView):
    """A one-column table, because a table's layout costs the same for any number of rows."""

    opened = Signal(int)  # the number of the memory to show
    emptied = Signal()  # nothing is selected
    several_chosen = Signal()  # others than before, or no longer
    menu_asked = Signal(QPoint)
    forget_asked = Signal()
    clear_asked = Signal()  # of what leaves the list empty: filters, or words

    def __init__(
        self, model: EntryModel, theme: Theme, clock: Clock, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._entries = model
        self.cards = model
        self._theme = theme
        self._cards = EntryDelegate(theme, clock, self)
        self._quiet = False
        self._several = False
        self._fitting = False
        self._own_height: set[int] = set()  # rows that are not as high as a full card
        self._title = self._hint = ""
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("list")
        self.setAccessibleName(self.tr("Memories"))
        self.setItemDelegate(self._cards)
        self.setModel(self._entries)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.clear_button = button("")
        self.clear_button.setParent(self.viewport())
        self.clear_button.hide()
        self._resize_rows()

    def _connect(self) -> None:
        self._theme.changed.connect(self._resize_rows)
        self.customContextMenuRequested.connect(self.menu_asked)
        self._entries.arrived.connect(self._fit)
        self.verticalScrollBar().valueChanged.connect(self._fit)
        self.clear_button.clicked.connect(self.clear_asked)

    def startDrag(self, actions: Qt.DropAction) -> None:
        """With a small name beside the pointer: a whole card would cover where it is to go."""
        chosen = self.selectedIndexes()
        if not chosen:
            return
        drag = QDrag(self)
        drag.setMimeData(self._entries.mimeData(chosen))
        drag.setPixmap(self.drag_picture())
        drag.setHotSpot(QPoint(-14, -6))
        drag.exec(actions)

    def dragged_name(self) -> str:
        """What is dragged: its name, or how many there are."""
        rows = self.selected_rows()
        entry = self._entries.entry_at(rows[0]) if len(rows) == 1 else None
        return memories(len(rows)) if entry is None else entry_title(entry)

    def drag_picture(self) -> QPixmap:
        words = self.dragged_name()
        words = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, 180)
        size = self.fontMetrics().size(0, words) + QSize(20, 10)
        ratio, tokens = self.devicePixelRatioF(), self._theme.tokens
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        painter.setPen(tokens.color("accent"))
        painter.setBrush(tokens.color("accent_ground"))
        box = QRect(QPoint(0, 0), size).adjusted(0, 0, -1, -1)
        painter.drawRoundedRect(box, 6, 6)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()
        return picture

    def _resize_rows(self) -> None:
        self._even()
        self.verticalScrollBar().setSingleStep(self._cards.height // 3)
        self._fit()
        self.viewport().update()

    # Heights: every row is as high as a full card until it is looked at, so that a list of any
    # length is there at once; then as high as its memory needs.

    def _even(self) -> None:
        header, tall = self.verticalHeader(), self._cards.height
        if header.defaultSectionSize() != tall:
            header.setDefaultSectionSize(tall)
        for row in [row for row in self._own_height if row < self._entries.rowCount()]:
            self._set_height(row, tall)
        self._own_height.clear()

    def _fit(self) -> None:
        """Gives the rows on screen their height. What is read stays where it is: the row that
        begins above the screen grows and shrinks upwards."""
        if self._fitting:
            return
        self._fitting = True
        top = self.rowAt(0)
        misfits = self._misfits(top)
        bar = self.verticalScrollBar()
        was, moved = bar.value(), 0  # near the end, a shorter list alone moves the bar
        for row, tall in misfits:
            if row == top and self.rowViewportPosition(row) < 0:
                moved = tall - self.rowHeight(row)
            self._set_height(row, tall)
        if misfits:
            self.updateGeometries()
        if moved and not self._quiet:
            bar.setValue(was + moved)
        self._fitting = False

    def _misfits(self, top: int) -> list[tuple[int, int]]:
        """The rows on screen that are too high or too low, and how high they should be."""
        found: list[tuple[int, int]] = []
        wide, below = self.viewport().width(), self.viewport().height()
        row, at = max(top, 0), self.rowViewportPosition(max(top, 0))
        while at < below and row < self._entries.rowCount():
            known = self._entries.row_at(row)
            tall = self._cards.height_of(known, wide) if known else self.rowHeight(row)
            if tall != self.rowHeight(row):
                found.append((row, tall))
            at += tall
            row += 1
        return found

    def _set_height(self, row: int, tall: int) -> None:
        # With updates off the header does not look for the row's place, which costs all the others.
        header = self.verticalHeader()
        header.setUpdatesEnabled(False)
        self.setRowHeight(row, tall)
        header.setUpdatesEnabled(True)
        self._own_height.add(row)

    def set_trash_days(self, days: int) -> None:
        """How long the trash keeps what is listed, which its cards tell; 0 where it is none."""
        self._cards.trash_days = days

    def say_when_empty(self, title: str, hint: str, clear: str = "") -> None:
        """What the list says when there is nothing in it; `clear` is on the button that takes away
        what was asked for."""
        self._title, self._hint = title, hint
        self.clear_button.setText(clear)
        self.clear_button.setAccessibleName(clear)
        self._place_clear()
        self.viewport().update()

    def _place_clear(self) -> None:
        """Below the words, in the middle; once it goes, the list has the keyboard."""
        made, held = self.clear_button, self.clear_button.hasFocus()
        made.setVisible(bool(made.text()) and not self._entries.rowCount())
        if made.isHidden() and held:
            self.setFocus()
        elif not made.isHidden():
            made.adjustSize()
            left = (self.viewport().width() - made.width()) // 2
            made.move(left, self._empty_boxes()[1].bottom() + self._theme.px(14))

    # What is selected

    def selected_rows(self) -> list[int]:
        """In order; cheap for a few, fair for all."""
        chosen = self.selectionModel().selection()
        parts = [chosen.at(place) for place in range(chosen.size())]
        spans = sorted((part.top(), part.bottom()) for part in parts)
        return [row for top, bottom in spans for row in range(top, bottom + 1)]

    def selected_numbers(self) -> list[int]:
        return self._entries.numbers_at(self.selected_rows())

    def current_number(self) -> int | None:
        row = self.currentIndex().row()
        return self._entries.number_at(row) if row >= 0 else None

    def select_number(self, number: int) -> bool:
        """Selects that memory if the list has it; says whether it has."""
        row = self._entries.row_of(number)
        if row >= 0:
            self.select_row(row)
        return row >= 0

    def select_numbers(self, numbers: Sequence[int]) -> bool:
        """Selects those of them that the list has, the first of them in hand; says whether it has
        the first."""
        if not numbers or not self.select_number(numbers[0]):
            return False
        if len(numbers) > 1:
            self._select_again(list(numbers), numbers[0])
        return True

    def mark_number(self, number: int) -> bool:
        """Selects that memory without opening it: it is in hand. Says whether it is here."""
        quiet, self._quiet = self._quiet, True
        try:
            return self.select_number(number)
        finally:
            self._quiet = quiet

    def select_row(self, row: int) -> None:
        # Not setCurrentIndex: with Ctrl still held after Ctrl+S it would toggle the row instead.
        index = self._entries.index(row, Column.CARD)
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect)
        self.scrollTo(index)

    def show_numbers(
        self,
        numbers: Sequence[int],
        rows: Sequence[ListRow] = (),
        places: Places | None = None,
        *,
        stay: bool,
    ) -> None:
        """Another list. With `stay` the selection and the place on screen are kept by memory; a
        list at its top stays at its top, where the best is."""
        scrolled = self.verticalScrollBar().value() > 0
        chosen = self.selected_numbers() if stay else []
        current = self.current_number() if stay else None
        top = self.rowAt(1)
        anchor = self._entries.number_at(top) if stay and top >= 0 else None
        offset = self.rowViewportPosition(top) if anchor is not None else 0
        self._quiet = True
        self._entries.show(numbers, rows, places)
        self._even()
        if stay:
            self._select_again(chosen, current)
        if stay and scrolled:
            self._scroll_back(anchor, offset)
        else:
            self.scrollToTop()
        self._fit()
        self._quiet = False

    def _select_again(self, chosen: list[int], current: int | None) -> None:
        picked = QItemSelection()
        rows = sorted(row for number in chosen if (row := self._entries.row_of(number)) >= 0)
        for top, bottom in ranges(rows):
            first = self._entries.index(top, Column.CARD)
            picked.select(first, self._entries.index(bottom, Column.CARD))
        flag = QItemSelectionModel.SelectionFlag
        if current is not None and (row := self._entries.row_of(current)) >= 0:
            self.selectionModel().setCurrentIndex(
                self._entries.index(row, Column.CARD), flag.NoUpdate
            )
        self.selectionModel().select(picked, flag.ClearAndSelect)

    def _scroll_back(self, anchor: int | None, offset: int) -> None:
        row = self._entries.row_of(anchor) if anchor is not None else -1
        if row >= 0:
            self.updateGeometries()
            self.verticalScrollBar().setValue(row * self._cards.height - offset)

    # Qt's own

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._cards.ringed = event.reason() in KEYBOARD
        super().focusInEvent(event)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._cards.ringed = False
        super().mousePressEvent(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        several = len(self.selected_rows()) > 1
        if several or self._several:
            self.several_chosen.emit()
        self._several = several
        if self._quiet:
            return
        if not self.selectionModel().hasSelection():
            self.emptied.emit()
            return
        number = self.current_number()
        if number is not None:
            self.opened.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._cards.ringed = True
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.forget_asked.emit()
            return
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            last = self._entries.rowCount() - 1
            if last >= 0:
                self.select_row(0 if event.key() == Qt.Key.Key_Home else last)
            return
        if event.text() and event.text().isalnum() and not event.modifiers():
            event.ignore()  # single letters are shortcuts of the window, not a search in the list
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self._place_clear()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._resize_rows()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._entries.rowCount() or not self._title:
            return
        painter, tokens = QPainter(self.viewport()), self._theme.tokens
        for box, words, size, color in zip(
            self._empty_boxes(), (self._title, self._hint), (15, 13), ("text", "mute"), strict=True
        ):
            painter.setFont(self._empty_font(size))
            painter.setPen(tokens.color(color))
            painter.drawText(box, EMPTY_WRAP, words)

    def _empty_boxes(self) -> tuple[QRect, QRect]:
        """Where the title and the hint stand while there is nothing in the list."""
        room = self.viewport().rect().adjusted(28, self.height() // 3, -28, 0)
        title = QFontMetrics(self._empty_font(15)).boundingRect(room, EMPTY_WRAP, self._title)
        below = room.adjusted(0, title.height() + self._theme.px(8), 0, 0)
        hint = QFontMetrics(self._empty_font(13)).boundingRect(below, EMPTY_WRAP, self._hint)
        return room, QRect(below.left(), below.top(), below.width(), hint.height())

    def _empty_font(self, size: int) -> QFont:
        font = self.font()
        font.setPixelSize(self._theme.px(size))
        font.setBold(size > 13)
        return font


def ranges(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Sorted rows as (first, last) of each unbroken run."""
    start = last = None
    for row in rows:
        if start is None or last is None or row != last + 1:
            if start is not None and last is not None:
                yield start, last
            start = row
        last = row
    if start is not None and last is not None:
        yield start, last


class ListPane(QFrame):
    empty_asked = Signal()  # of the trash

    def __init__(
        self, browse: Browse, jobs: Jobs, theme: Theme, clock: Clock, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("listPane")
        self.setMinimumWidth(240)
        self.model = EntryModel(browse, jobs, self)
        self.list = EntryList(self.model, theme, clock)
        self._counted = ""
        self._several = False
        self._count = ElidedLabel()
        self._count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._how = plain_label()
        self.change = tool(self.tr("Change ▾"))
        self.change.setProperty("look", "link")
        self.change.setAccessibleName(self.tr("Change the selected memories"))
        explain(self.change, self.tr("What can be done with all selected memories at once."))
        self.change.clicked.connect(self._ask_menu)
        self.change.hide()
        self.empty = tool(self.tr("Empty…"))
        self.empty.setProperty("look", "link")
        self.empty.setAccessibleName(self.tr("Empty the trash"))
        explain(self.empty, self.tr("Erases for good what is in the trash."))
        self.empty.clicked.connect(self.empty_asked)
        self.empty.hide()
        header = frame("listHeader")
        header.setFixedHeight(theme.px(34))
        row = QHBoxLayout(header)
        row.setContentsMargins(HEAD_EDGES // 3, 0, HEAD_EDGES // 3, 0)
        row.addWidget(self._count, 1)
        row.addWidget(self._how)
        row.addWidget(self.change)
        row.addWidget(self.empty)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self.list, 1)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._restate())

    def add_strip(self, strip: QWidget) -> None:
        """What stands above all: the filters that are on, say."""
        self._column.insertWidget(0, strip)

    def _restate(self) -> None:
        """How many there are; while several are selected, how many those are and what to do."""
        number = len(self.list.selected_rows())
        several = number > 1
        selected = counted("%Ln selected", number)
        self._count.setText(selected if several else self._counted)
        self._several = several
        self._fit_how()
        self.change.setVisible(several)

    def _fit_how(self) -> None:
        """How many there are goes before how they were found."""
        count, how = self._count.sizeHint().width(), self._how.sizeHint().width()
        self._how.setVisible(not self._several and count + how + HEAD_EDGES <= self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_how()

    def _ask_menu(self) -> None:
        below = self.change.mapTo(self, self.change.rect().bottomLeft())
        self.list.menu_asked.emit(self.list.viewport().mapFrom(self, below))

    def take_keyboard(self) -> None:
        """Goes on to the list, with a row in hand."""
        self.list.setFocus()
        if self.model.rowCount() and not self.list.selectionModel().hasSelection():
            self.list.select_row(0)

    def show_listing(self, listing: Listing, place: SidebarItem, total: int) -> None:
        if listing.how == "all":
            self.model.plain() if listing.first else None
        self.list.show_numbers(
            listing.numbers, listing.rows, listing.places, stay=not listing.first
        )
        self.list.set_trash_days(listing.trash_days)
        self._head(listing, place, total)

    def _head(self, listing: Listing, place: SidebarItem, total: int) -> None:
        number = len(listing.numbers)
        if listing.how == "all" and not listing.query:
            self._counted = memories(number)
        elif listing.how == "all":
            words = self.tr("{n} of {total}")
            self._counted = words.format(n=number_text(number), total=number_text(total))
        else:
            full = number in (HITS, TYPED_HITS)
            shown = f"{number}+" if full else number_text(number)
            words = self.tr("{n} of {total} match “{query}”")
            self._counted = words.format(n=shown, total=number_text(total), query=listing.words)
        how = {"words": self.tr("words"), "both": self.tr("words and meaning"), "all": ""}
        self._how.setText(how[listing.how])
        self.empty.setVisible(place.name == "trash" and bool(listing.numbers))
        self._restate()
        self.list.say_when_empty(*self._empty(listing, place))

    def _empty(self, listing: Listing, place: SidebarItem) -> tuple[str, ...]:
        if listing.query and listing.query == listing.words:
            words = self.tr("Try other words.")
            return self.tr("Nothing found"), words, self.tr("Clear the search")
        if listing.query:
            fewer = self.tr("Try other words, or take a filter away.")
            return self.tr("Nothing found"), fewer, self.tr("Clear filters")
        match place.name:
            case "trash":
                waits = counted(
                    "What you forget waits here for %Ln days; until then you can bring it back.",
                    listing.trash_days,
                )
                return self.tr("The trash is empty"), waits
            case "expiring":
                return (
                    self.tr("Nothing expires soon"),
                    self.tr(
                        "What goes away by itself is listed here before it goes: daily memories, "
                        "and those with a day under “Until when”."
                    ),
                )
            case _:
                return (
                    self.tr("No memories here yet"),
                    self.tr("Press Ctrl+N to write one, or let an agent do it."),
                )
