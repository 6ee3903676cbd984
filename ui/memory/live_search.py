"""From a place in the sidebar and a query to a list: words at once, meaning a moment later."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.entries.browse import Browse
from app.recall.query import TYPED_HITS, Query, both, parse
from store.instants import Clock, to_instant
from store.records import TRASHED
from store.tables.entry_filter import EntryFilter
from ui.memory.entry_model import ListRow, Places
from ui.memory.sidebar import SidebarItem
from ui.toolkit.formatting import plain_snippet
from ui.toolkit.jobs import Jobs

if TYPE_CHECKING:
    from app.memory.memory import Memory
    from app.recall.search import Hit
    from app.settings import Settings

HITS = 200  # what a search brings; the best are what anybody looks at
LONG = 10_000  # rows of a list
PEEK = 100  # rows of the first look; all of them follow
PATIENCE_MS = 10_000  # nobody waits longer than this for meaning
CLOSE = 0.3  # cosine from which a memory without the words is worth showing
BEST, NEWEST = "rank", "newest"  # orders of a list
EVERYTHING = Query()  # what no words ask for
MEANING_MS = 180  # after the last key: words answer each of them, meaning the pause


class FinderServices(Protocol):
    clock: Clock
    settings: Settings

    @property
    def browse(self) -> Browse: ...
    @property
    def memory(self) -> Memory: ...


class Question(NamedTuple):
    """What is listed: the query, read once, within a place. `number`: how many the person asked
    before. `first`: it was not answered yet."""

    number: int
    query: str
    parsed: Query
    within: EntryFilter
    order: str
    first: bool

    @property
    def lists(self) -> bool:
        """Nothing to rank by: all that the filters let through is listed."""
        return self.parsed is EVERYTHING or self.parsed.everything


class SearchCount(NamedTuple):
    """How many a saved search finds; `more`: at least so many, where a search ends."""

    number: int
    more: bool = False


class Listing(NamedTuple):
    """What the list shows: `how` is `all`, `words` or `both`; `first` a new question's first
    answer, so that the list starts at its top."""

    numbers: Sequence[int]
    places: Places  # where each number stands
    rows: Sequence[ListRow]
    how: str
    query: str
    words: str  # the query without its filters
    first: bool
    question: int = 0  # the number of what it answers
    trash_days: int = 0  # how long the trash keeps them, where these are in it


def listing(numbers: Sequence[int], rows: Sequence[ListRow], how: str, asked: Question) -> Listing:
    """With the places worked out here, in the thread of the job, and not while painting. A long
    list is kept as plain memory: it is let go on the GUI thread, and a million objects take as long
    as three keys."""
    places: Places
    if len(numbers) < LONG:
        places = {n: row for row, n in enumerate(numbers)}
    else:
        numbers = array("q", numbers)
        places = LongPlaces(numbers)
    text = asked.parsed.text
    return Listing(numbers, places, rows, how, asked.query, text, asked.first, asked.number)


class LongPlaces:
    """Where each number of a long list stands."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._rows = array("q", [-1]) * (max(numbers) + 1)
        for row, number in enumerate(numbers):
            self._rows[number] = row

    def get(self, number: int, default: int, /) -> int:
        row = self._rows[number] if 0 <= number < len(self._rows) else -1
        return default if row < 0 else row


class Finder(QObject):
    """Holds the question; `found` brings each better answer to it."""

    found = Signal(object)

    def __init__(self, services: FinderServices, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._on = services
        self._browse = services.browse
        self._jobs = jobs
        self._place = SidebarItem("all", "")
        self._query = ""
        self._order = BEST
        self._first = True
        self._number = 0
        self._pause = QTimer(self, singleShot=True, interval=MEANING_MS)
        self._pause.timeout.connect(self._ask_meaning)

    @property
    def place(self) -> SidebarItem:
        return self._place

    @property
    def query(self) -> str:
        return self._query

    @property
    def question(self) -> int:
        """How many questions the person asked so far; those that are asked again do not count."""
        return self._number

    @property
    def pausing(self) -> bool:
        """Whether the better answer is still to be asked for."""
        return self._pause.isActive() and self._pause.interval() < PATIENCE_MS

    def wait_for_meaning(self, milliseconds: int) -> None:
        """How long after the last key the search by meaning begins."""
        self._pause.setInterval(milliseconds)

    def peek(self) -> None:
        """The first rows of everything, at once: what the window shows when it appears."""
        asked = Question(self._number, "", EVERYTHING, self.filter(), NEWEST, True)
        first = partial(self._browse.numbers, asked.within, asked.order, PEEK)
        self._jobs.run(
            lambda: listing(first(), (), "all", asked),
            self._tell,
            key="list",
            urgent=True,
        )

    def go(self, place: SidebarItem) -> None:
        self._place = place
        self._ask_new()

    def ask(self, query: str) -> None:
        self._query = query
        self._ask_new()

    def order(self, order: str) -> None:
        self._order = order
        self._ask_new()

    def again(self) -> None:
        """The same question, because something was written; a first one while none was answered."""
        self._ask(first=self._first)

    def filter(self) -> EntryFilter:
        """The place as a filter; what has expired is out of sight."""
        now = to_instant(self._on.clock())
        match self._place.name:
            case "trash":
                return EntryFilter(state=TRASHED)
            case "expiring":
                return self._browse.expiring()
            case _ if self._place.scope is not None:
                return EntryFilter(scopes=(self._place.scope,), now=now)
            case _:
                return EntryFilter(now=now)

    def _ask_new(self) -> None:
        self._number += 1
        self._ask(first=True)

    def _ask(self, *, first: bool) -> None:
        self._pause.stop()
        self._jobs.drop("meaning")
        self._first = first
        asked = self._asked(first)
        if asked.lists or asked.order != BEST:
            self._jobs.run(lambda: self._all(asked), self._tell, key="list", urgent=True)
            return
        self._jobs.run(
            lambda: self._hits(asked, "keyword"), self._words_found, key="list", urgent=True
        )

    def _asked(self, first: bool) -> Question:
        parsed = parse(self._query) if self._query else EVERYTHING
        return Question(self._number, self._query, parsed, self.filter(), self._order, first)

    def count(self, query: str) -> SearchCount:
        """How many a saved search lists, as it would be shown; for a job."""
        everywhere = EntryFilter(now=to_instant(self._on.clock()))
        asked = Question(self._number, query, parse(query), everywhere, BEST, True)
        if asked.lists:
            return SearchCount(len(self._all(asked).numbers))
        number = len(self._hits(asked, "hybrid").numbers)
        return SearchCount(number, more=number == HITS)

    def _listed(
        self, numbers: Sequence[int], rows: Sequence[ListRow], how: str, asked: Question
    ) -> Listing:
        found = listing(numbers, rows, how, asked)
        if asked.within.state != TRASHED:
            return found
        return found._replace(trash_days=self._on.settings["trash_days"])

    def _all(self, asked: Question) -> Listing:
        within = both(asked.within, asked.parsed.filter) if asked.query else asked.within
        if asked.lists:
            # Nothing to match best: what is new comes on top.
            order = NEWEST if asked.order == BEST else asked.order
            return self._listed(self._browse.numbers(within, order), (), "all", asked)
        hits = self._on.memory.finding.search(
            asked.query, mode="keyword", filter=within, limit=HITS, prefix=True
        )
        rows = [row_of(hit) for hit in hits]
        within = replace(within, ids=tuple(row.entry.id for row in rows))
        return self._listed(self._browse.numbers(within, asked.order), rows, "words", asked)

    def _hits(self, asked: Question, mode: str) -> Listing:
        words = mode == "keyword"
        limit = TYPED_HITS if words else HITS
        # A pause is not the end of a word: meaning is asked with the last one half typed, too.
        hits = self._on.memory.finding.search(
            asked.query, mode=mode, filter=asked.within, limit=limit, prefix=True
        )
        rows = [row_of(hit) for hit in hits if words or near(hit)]
        return self._listed(
            [row.entry.n for row in rows], rows, "words" if words else "both", asked
        )

    def _tell(self, listing: Listing) -> None:
        self._first = False
        self.found.emit(listing)

    def _words_found(self, listing: Listing) -> None:
        self._tell(listing)
        self._pause.start()

    def _ask_meaning(self) -> None:
        asked = self._asked(first=False)
        self._jobs.run(lambda: self._hits(asked, "hybrid"), self._tell, key="meaning")


def near(hit: Hit) -> bool:
    """It holds a word, or means something close; the rest is only the nearest there is."""
    return hit.keyword > 0 or hit.meaning >= CLOSE


def row_of(hit: Hit) -> ListRow:
    if not hit.snippet:
        return ListRow.of(hit.entry)._replace(why=hit.why)
    snippet, marks = plain_snippet(hit.snippet, hit.matches)
    return ListRow(hit.entry, snippet, marks, hit.why)
