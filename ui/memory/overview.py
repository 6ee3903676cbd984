"""What is known of the vault as a whole: how many of everything, who writes, the words in use;
and what agents did to it meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.entries.browse import Browse, VaultTally, Vocabulary
from store.instants import from_instant
from store.records import Change, Scope
from ui.memory.undo import Undoing
from ui.toolkit.changes import BEGINNING, Changes, News
from ui.toolkit.formatting import know_agent_names, memories, number_text, who
from ui.toolkit.jobs import Jobs
from ui.toolkit.toasts import Message, Messages
from ui.toolkit.translation import counted

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.entries.browse import SavedSearches
    from ui.memory.live_search import SearchCount

SEARCHES = "searches"  # the thing told when a search is saved or dropped
WORDS = {"tags", "category", "kind", "scope", "state"}  # fields that a vocabulary is made of


class OverviewServices(Protocol):
    @property
    def browse(self) -> Browse: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def saved_searches(self) -> SavedSearches: ...


class Counts(NamedTuple):
    """What an overview is made of."""

    tally: VaultTally
    agents: list[str]
    names: dict[str, str]
    searches: dict[str, str]


class Overview(QObject):
    """Read again with every change; `counted` and `learned` say when it came out otherwise."""

    counted = Signal()
    learned = Signal()

    def __init__(
        self, services: OverviewServices, changes: Changes, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self.known = False
        self.tally = VaultTally()
        self.agents: list[str] = []  # in the order they came, as their colours go
        self.names: dict[str, str] = {}  # of all agents, those that were shut out too, by id
        self.searches: dict[str, str] = {}
        self.words = Vocabulary()
        changes.follow(self._count, self._show_counts)
        changes.follow(self._learn, self._show_words)

    def scopes(self) -> list[Scope]:
        """Those in use, and those of agents that have written nothing yet."""
        return sorted({*self.words.scopes, *(Scope("agent", ident) for ident in self.agents)})

    def _count(self, news: News) -> Counts:
        agents, names, searches = self.agents, self.names, self.searches
        if news.things & {BEGINNING, "agent", "vault"}:
            known = sorted(self._services.agents.list(), key=lambda a: (a.created_at, a.id))
            agents = [one.id for one in known if one.revoked_at is None]
            names = {one.id: one.name for one in known}
        if news.things & {BEGINNING, SEARCHES}:
            searches = self._services.saved_searches.all()
        return Counts(self._services.browse.tally(), agents, names, searches)

    def _show_counts(self, counts: Counts) -> None:
        before = Counts(replace(self.tally, seq=0), self.agents, self.names, self.searches)
        self.tally, self.agents, self.names, self.searches = counts
        if not self.known or before != counts._replace(tally=replace(self.tally, seq=0)):
            self.known = True
            know_agent_names(self.names)
            self.counted.emit()
            if before.names != self.names:
                self.learned.emit()  # scopes are called otherwise

    def _learn(self, news: News) -> Vocabulary:
        """What only changed a text brought no new word for the fields."""
        same = all(
            change.action == "changed" and not WORDS & set(change.after or WORDS)
            for change in news.changes
            if change.thing == "entry"
        )
        if same and not news.things & {BEGINNING, "vault"}:
            return self.words
        return self._services.browse.vocabulary()

    def _show_words(self, words: Vocabulary) -> None:
        if words != self.words:
            self.words = words
            self.learned.emit()


RECOUNT_MS = 600  # after a write: what saved searches find


class SavedSearchCounts(QObject):
    """Says of each saved search how many it finds, a moment after a write. One that cannot
    be read says so when it is opened. `count` is asked in a job."""

    counted = Signal(str, object)  # its name, and how many it finds, a SearchCount

    def __init__(
        self,
        overview: Overview,
        changes: Changes,
        jobs: Jobs,
        count: Callable[[str], SearchCount],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._overview = overview
        self._jobs = jobs
        self._one = count
        changes.soon(RECOUNT_MS, self._count)

    def _count(self) -> None:
        searches = dict(self._overview.searches)
        if searches:
            self._jobs.run(
                lambda: {name: self._one(query) for name, query in searches.items()},
                self._tell,
                lambda _error: None,
                key="search-counts",
            )

    def _tell(self, found: dict[str, SearchCount]) -> None:
        for name, number in found.items():
            self.counted.emit(name, number)


BATCH_MS = 2_500  # what comes within this time is told at once
WRITES = ("entry", "block")
GONE = ("forgot", "evicted")


PAST = timedelta(days=1)


def _is_past(heard: Sequence[Change]) -> bool:
    """What came in a moment and was written over days is a past that was brought in, such as the
    samples; nobody did it just now."""
    moments = [from_instant(change.at) for change in heard]
    return max(moments) - min(moments) > PAST


class AgentNotices(QObject):
    """Says quietly what agents wrote and proposed, once for all that came within a moment, with
    Undo and the way to it. `noticed` carries the sentence and how much was not looked at yet."""

    noticed = Signal(str, int)

    def __init__(
        self,
        wanted: Callable[[], bool],
        changes: Changes,
        undoing: Undoing,
        messages: Messages,
        go_to: Callable[[str], None],
        open_proposal: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._wanted = wanted
        self._undoing = undoing
        self._messages = messages
        self._go_to = go_to
        self._open_proposal = open_proposal
        self._heard: list[Change] = []
        self._unseen = 0
        self._timer = QTimer(self, singleShot=True, interval=BATCH_MS)
        self._timer.timeout.connect(self._tell)
        changes.heard.connect(self._hear)

    def looked(self) -> None:
        """The person has the window in front."""
        if self._unseen:
            self._unseen = 0
            self.noticed.emit("", 0)

    def _hear(self, news: News) -> None:
        told = [
            change
            for change in news.changes
            if change.actor.startswith("agent:") and change.thing in (*WRITES, "proposal")
        ]
        if told and self._wanted():
            self._heard += told
            if not self._timer.isActive():
                self._timer.start()

    def _tell(self) -> None:
        heard, self._heard = self._heard, []
        if _is_past(heard):
            return
        written = {(c.thing, c.thing_id) for c in heard if c.thing in WRITES}
        proposed = list(dict.fromkeys(c.thing_id for c in heard if c.thing == "proposal"))
        groups = sorted({c.group for c in heard if c.thing in WRITES})
        names = ", ".join(dict.fromkeys(who(change.actor) for change in heard))
        text = self._sentence(names, heard)
        self._messages.tell(
            Message(
                text,
                button=self.tr("Undo") if written else "",
                act=partial(self._undoing.undo_all, groups) if written else None,
                other=self.tr("Review") if proposed else self.tr("Look"),
                act_otherwise=partial(self._open_proposal, proposed[0])
                if proposed
                else partial(self._go_to, "activity"),
            )
        )
        window = self.parent()
        if not (isinstance(window, QWidget) and window.isActiveWindow()):
            self._unseen += len(written) + len(proposed)
        self.noticed.emit(text, self._unseen)

    def _sentence(self, names: str, heard: Sequence[Change]) -> str:
        """What became of each thing in the end: who forgot a memory wrote none."""
        last = {(change.thing, change.thing_id): change.action for change in heard}
        number = Counter(
            "forgot" if thing == "entry" and action in GONE else thing
            for (thing, _), action in last.items()
        )
        deeds = [
            words
            for what, words in (
                ("entry", self.tr("wrote {what}").format(what=memories(number["entry"]))),
                ("forgot", self.tr("forgot {what}").format(what=memories(number["forgot"]))),
                ("block", counted("wrote %Ln blocks", number["block"])),
                ("proposal", self.tr("proposed {n}").format(n=number_text(number["proposal"]))),
            )
            if number[what]
        ]
        *first, final = deeds
        both = self.tr("{deeds} and {deed}").format(deeds=", ".join(first), deed=final)
        return self.tr("{agents} {deeds}").format(agents=names, deeds=both if first else final)
