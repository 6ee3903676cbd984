"""The list's model: it knows every row's number, and the records of the rows on screen."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Protocol

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt, QTimer, Signal

from app.entries.browse import Browse
from app.text.words import is_made_key
from store.records import Entry
from ui.toolkit.formatting import entry_title, snippet_of
from ui.toolkit.jobs import Jobs
from ui.toolkit.list_view import Index, TableModel
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.translation import heard

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
DRAFT_ROLE = Qt.ItemDataRole.UserRole + 2
MIME = "application/x-keepsake-entries"
AHEAD = 24  # rows fetched before and after the ones asked for
KEPT = 4_000  # records kept in memory
SHOWN_ROLES = (
    ROW_ROLE,
    DRAFT_ROLE,
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)


Marks = tuple[tuple[int, int], ...]  # (start, end) of each match


class Places(Protocol):
    """Tells the row of a memory's number."""

    def get(self, number: int, default: int, /) -> int: ...


class Column(IntEnum):
    CARD = 0


class ListRow(NamedTuple):
    """A memory as the list shows it. `marks` are (start, end) of matches within the snippet."""

    entry: Entry
    snippet: str
    marks: Marks = ()
    why: str = ""

    @property
    def title(self) -> str:
        return entry_title(self.entry)

    @staticmethod
    def of(entry: Entry) -> ListRow:
        """As it is listed when nothing was searched for."""
        return ListRow(entry, snippet_of(entry.content))

    @property
    def flows(self) -> bool:
        """Whether the name is the start of the snippet, which then goes on below it."""
        made = is_made_key(self.entry.key)
        return made and self.snippet.startswith(self.title.rstrip("…"))


class RecordFetcher(QObject):
    """Reads the records of rows that are looked at and of their neighbours, off the GUI thread."""

    fetched = Signal(object)  # entries

    def __init__(
        self, browse: Browse, jobs: Jobs, known: Container[int], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._browse = browse
        self._jobs = jobs
        self._known = known  # the numbers that need not be read
        self._numbers: Sequence[int] = ()
        self._asked: set[int] = set()
        self._fetching = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._fetch)

    def start_over(self, numbers: Sequence[int]) -> None:
        """Fetches from another list from now on."""
        self._numbers = numbers
        self._asked.clear()

    def want(self, row: int) -> None:
        self._asked.add(row)
        if not self._timer.isActive() and not self._fetching:
            self._timer.start()

    def _fetch(self) -> None:
        """Reads the rows asked for and their neighbours, the last asked region first."""
        if not self._asked:
            return
        low = max(0, min(self._asked) - AHEAD)
        high = min(len(self._numbers), max(self._asked) + AHEAD)
        far = high - low > 400  # a long jump: only what was asked for last
        wanted = sorted(self._asked)[-200:] if far else list(range(low, high))
        self._asked.clear()
        numbers = [
            self._numbers[row]
            for row in wanted
            if row < len(self._numbers) and self._numbers[row] not in self._known
        ]
        if numbers:
            self._fetching = True
            self._jobs.run(
                lambda: self._browse.rows(numbers), self._deliver, self._failed, urgent=True
            )

    def _deliver(self, entries: Sequence[Entry]) -> None:
        self._fetching = False
        self.fetched.emit(entries)
        if self._asked:
            self._timer.start()

    def _failed(self, error: Exception) -> None:
        self._fetching = False
        self._jobs.failed.emit(error)


class EntryModel(TableModel[int]):
    """Holds row numbers first, records for what is looked at: as quick for 100,000 as for ten."""

    arrived = Signal()  # records of rows that may be on screen

    def __init__(self, browse: Browse, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(Column, parent)
        self._rows: dict[int, ListRow] = {}
        self._places: Places | None = None
        self._drafts: frozenset[str] = frozenset()
        self._fetcher = RecordFetcher(browse, jobs, self._rows, self)
        self._fetcher.fetched.connect(self.put)

    def display_data(self, value: int, role: int, column: int, row: int) -> Any:
        if role not in SHOWN_ROLES:
            return None
        known = self._rows.get(value)
        if known is None:
            self._fetcher.want(row)
            return None
        draft = known.entry.id in self._drafts
        if role == DRAFT_ROLE:
            return draft
        if role == Qt.ItemDataRole.AccessibleTextRole and draft:
            return f"{self.tr('Draft')}: {_shown(known, role)}"
        return _shown(known, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        able = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return able | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.NoItemFlags

    def mimeTypes(self) -> list[str]:
        return [MIME, "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        entries = [entry for index in indexes if (entry := self.entry_at(index.row()))]
        carried = QMimeData()
        carried.setData(MIME, "\n".join(entry.id for entry in entries).encode())
        carried.setText("\n\n".join(entry.content for entry in entries))
        return carried

    # What the view asks

    def number_at(self, row: int) -> int:
        return self.values[row]

    def numbers_at(self, rows: Sequence[int]) -> list[int]:
        return [self.values[row] for row in rows]

    def row_of(self, number: int) -> int:
        """Returns the row of a memory, or -1."""
        if self._places is None:
            self._places = {n: row for row, n in enumerate(self.values)}
        return self._places.get(number, -1)

    def entry_at(self, row: int) -> Entry | None:
        known = self.row_at(row)
        return known.entry if known else None

    def row_at(self, row: int) -> ListRow | None:
        number = self.at(row)
        return None if number is None else self._rows.get(number)

    # What the view is given

    def show(
        self,
        numbers: Sequence[int],
        rows: Sequence[ListRow] = (),
        places: Places | None = None,
    ) -> None:
        """Shows another list. `rows` are the records already at hand; others keep what was known.
        `places` is where each number stands, if somebody worked that out already."""
        self._places = places
        self._fetcher.start_over(numbers)
        if len(self._rows) > KEPT:
            self._rows.clear()
        self._rows.update((row.entry.n, row) for row in rows)
        self.replace(numbers)

    def mark_drafts(self, idents: Collection[str]) -> None:
        """These have an edit that is not saved."""
        if self._drafts != frozenset(idents):
            self._drafts = frozenset(idents)
            if self.rowCount():
                last = self.index(self.rowCount() - 1, Column.CARD)
                self.dataChanged.emit(self.index(0, Column.CARD), last)

    def plain(self) -> None:
        """Forgets what a search said about the rows."""
        self._rows.clear()

    def put(self, entries: Sequence[Entry]) -> None:
        """Takes in newer records of rows that may be on screen."""
        for entry in entries:
            known = self._rows.get(entry.n)
            same = known is not None and known.entry.content == entry.content
            if known is not None and same:
                self._rows[entry.n] = ListRow(entry, known.snippet, known.marks, known.why)
            else:
                self._rows[entry.n] = ListRow.of(entry)
            row = self.row_of(entry.n)
            if row >= 0:
                index = self.index(row, Column.CARD)
                self.dataChanged.emit(index, index)
        self.arrived.emit()

    def forget(self, idents: Collection[str]) -> None:
        """Drops what is known of memories that were erased for good."""
        for number in [n for n, row in self._rows.items() if row.entry.id in idents]:
            del self._rows[number]


def _shown(row: ListRow, role: int) -> Any:
    if role == ROW_ROLE:
        return row
    if role == Qt.ItemDataRole.ToolTipRole:
        return plain_tip(heard(row.why)) or None
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return f"{row.title}. {row.snippet}"
    return row.title
