"""What did this agent read yesterday? Every call of an agent, through whichever door.

Calls are noted in memory and written in batches by a thread of this service, so that asking is
not slowed by being logged; `close` writes the rest.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.errors import KeepsakeError
from app.settings import Settings
from store.file.database import Database
from store.instants import Clock, Instant, plus, to_instant
from store.records import Block, Proposal, Turn
from store.tables import agents, calls, idempotency
from store.tables.calls import Call

if TYPE_CHECKING:
    from app.recall.search import Match
    from app.rules.verdict import Item


BLOCK, TURN, PROPOSAL, MORE = "block:", "turn:", "proposal:", "more:"


def blocks(found: Iterable[Block]) -> list[str]:
    return [f"{BLOCK}{block.id}" for block in found]


def turns(found: Iterable[Turn]) -> list[str]:
    return [f"{TURN}{turn.id}" for turn in found]


def matches(found: Iterable[Match]) -> list[str]:
    """Names an archival line by its block."""
    names = []
    for match in found:
        if match.entry is not None:
            names.append(match.entry.id)
        elif match.line is not None:
            names.append(f"{BLOCK}{match.line.block_id}")
    return names


def items(found: Iterable[Item]) -> list[str]:
    """Names what went into a hydration, a block's line by its block."""
    return [
        item.id if item.type == "entry" else f"{BLOCK}{item.id.partition(':')[0]}" for item in found
    ]


def proposal(proposed: Proposal) -> list[str]:
    """Names the proposal, and what it is about if that is there already: what was asked goes with
    either."""
    of_block = BLOCK if proposed.action in ("block", "edit") else ""
    about = [f"{of_block}{proposed.thing_id}"] if proposed.thing_id else []
    return [f"{PROPOSAL}{proposed.id}", *about]


def entries(shown_ids: Iterable[str]) -> list[str]:
    """The ids of entries among what a call showed."""
    return [name for name in shown_ids if ":" not in name]


__all__ = ["Call", "Calls"]

ASKED_CHARS = 500
SHOWN_MOST = 500
BATCH_SECONDS = 0.5
WAITING_MOST = 10_000
REPLY_HOURS = 24  # how long a call may be retried under its Idempotency-Key

_log = logging.getLogger("keepsake.calls")


class Calls:
    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._waiting: list[Call] = []
        self._served: dict[str, Instant] = {}  # when each agent last called this process
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def record(
        self,
        agent_id: str,
        door: str,
        call: str,
        asked: str = "",
        entry_ids: Iterable[str] = (),
        status: str = "ok",
    ) -> None:
        """Note one call; returns at once. What was asked is kept short; what was shown is named by
        the functions above."""
        shown_ids = _noted(entry_ids)
        asked = asked if len(asked) <= ASKED_CHARS else asked[: ASKED_CHARS - 1] + "…"
        noted = Call(to_instant(self._clock()), agent_id, door, call, asked, shown_ids, status)
        with self._lock:
            self._served[agent_id] = noted.at
            # A store that cannot be written for long must not fill the memory.
            if len(self._waiting) < WAITING_MOST:
                self._waiting.append(noted)
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name="calls", daemon=True)
                self._thread.start()
        self._wake.set()

    def served_since(self, moment: Instant) -> list[str]:
        """The agents that called this very process since then; those that start a Keepsake of their
        own are not among them."""
        with self._lock:
            return sorted(agent for agent, at in self._served.items() if at >= moment)

    def of(
        self,
        agent_id: str,
        *,
        since: Instant | None = None,
        before: Instant | None = None,
        before_n: int | None = None,
        limit: int = 100,
    ) -> list[Call]:
        """Newest first, up to this moment; nothing older than the owner wants kept."""
        self.flush()
        oldest = self._oldest()
        since = oldest if since is None else max(since, oldest)
        with self._database.read() as db:
            return calls.listed(db, agent_id, since, before, before_n, limit)

    def prune(self, now: Instant) -> int:
        """Remove calls past the owner's retention, and answers kept for retries past their day.
        For upkeep; how many went."""
        with self._database.write() as db:
            gone = calls.prune(db, self._oldest())
            return gone + idempotency.prune(db, plus(now, hours=-REPLY_HOURS))

    def flush(self) -> None:
        """Write what waits."""
        with self._writing:
            with self._lock:
                batch, self._waiting = self._waiting, []
            if not batch:
                return
            kept = batch if self._settings["call_log_days"] else []
            oldest = self._oldest()
            with self._database.write() as db:
                calls.insert_many(db, kept)
                calls.prune(db, oldest)
                counted = Counter(call.agent_id for call in batch)
                latest = {call.agent_id: call.at for call in batch}
                for agent_id, number in counted.items():
                    agents.seen(db, agent_id, latest[agent_id], number)

    def settle(self) -> None:
        """Write what waits, before the answer to it goes out; what cannot be written is said in our
        own log and stops nobody."""
        self._flush_or_say()

    def last_asked(self, agent_id: str, call: str) -> str | None:
        """What that agent asked when it last made this call; None when that is not known."""
        self.flush()
        with self._database.read() as db:
            return calls.last_asked(db, agent_id, call)

    def close(self) -> None:
        with self._lock:
            self._closing.set()
            thread = self._thread
        self._wake.set()
        if thread is not None:
            thread.join(5)
        self._flush_or_say()

    def _oldest(self) -> Instant:
        return plus(to_instant(self._clock()), days=-float(self._settings["call_log_days"]))

    def _run(self) -> None:
        while not self._closing.is_set():
            self._wake.wait()
            self._wake.clear()
            # Calls gather meanwhile: one transaction for all of half a second.
            self._closing.wait(BATCH_SECONDS)
            self._flush_or_say()

    def _flush_or_say(self) -> None:
        try:
            self.flush()
        except KeepsakeError as error:
            _log.warning("Calls of agents could not be logged: %s", error)


def _noted(shown_ids: Iterable[str]) -> tuple[str, ...]:
    """Each thing once; of very many the first, and how many more there were."""
    names = tuple(dict.fromkeys(shown_ids))
    if len(names) <= SHOWN_MOST:
        return names
    return (*names[:SHOWN_MOST], f"{MORE}{len(names) - SHOWN_MOST}")
