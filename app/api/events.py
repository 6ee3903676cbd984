"""The change feed as server-sent events: what the caller may see, without a gap or a repeat.

An event says what happened to which thing and leaves its content to be read: by then the caller
sees what it may. The event's id is the change's number in the log, so a client that reconnects
with `Last-Event-ID` goes on exactly where it stopped.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace

from anyio.to_thread import run_sync

from app.access.caller_scope import Caller, Reach
from app.api.schemas import scope_fields
from app.errors import NotAuthenticated
from app.rules.visibility import is_live, may_read
from app.vault import Vault
from store.file.database import Connection
from store.records import TRASHED, Agent, Change, Scope
from store.tables import entries, entry_candidates

BATCH = 500
POLL_SECONDS = 0.1
HEARTBEAT_SECONDS = 15.0
AGENTS_THINGS = ("entry", "block")
GONE = ("erased", "removed")


class Pulse:
    """Tells every open feed when the log has grown, with one look at the vault for all.

    Made in the server's event loop."""

    def __init__(self, last_seq: Callable[[], int], seconds: float = POLL_SECONDS) -> None:
        self._loop = asyncio.get_running_loop()
        self._last_seq = last_seq
        self._seconds = seconds
        self._seq = 0
        self._moved = asyncio.Event()
        self._feeds = 0
        self._fed = asyncio.Event()
        self.closed = asyncio.Event()

    async def run(self) -> None:
        """Wakes the feeds whenever the vault moves on, until it is cancelled. Without a feed it
        does not look."""
        while True:
            await self._fed.wait()
            await asyncio.sleep(self._seconds)
            if self._feeds:
                seq = await run_sync(self._last_seq)
                if seq != self._seq:
                    self._seq = seq
                    self._wake()

    def close(self) -> None:
        """End every feed."""
        self.closed.set()
        self._wake()

    def close_from_outside(self) -> None:
        """The same, from another thread."""
        with suppress(RuntimeError):  # the loop has ended, and every feed with it
            self._loop.call_soon_threadsafe(self.close)

    async def moved(self, seconds: float) -> None:
        """Returns when the log grew, the server closes, or the time is over."""
        self._feeds += 1
        self._fed.set()
        try:
            async with asyncio.timeout(seconds):
                await self._moved.wait()
        except TimeoutError:
            return
        finally:
            self._feeds -= 1
            if not self._feeds:
                self._fed.clear()

    def _wake(self) -> None:
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


class Feed:
    """One client's events."""

    def __init__(self, vault: Vault, caller: Caller, pulse: Pulse, heartbeat: float) -> None:
        self._vault = vault
        self._caller = caller
        self._pulse = pulse
        self._heartbeat = heartbeat

    async def lines(self, after: int | None) -> AsyncIterator[bytes]:
        last = await run_sync(self._vault.history.last_seq)
        seq = last if after is None else min(after, last)
        yield b"retry: 1000\n\n"
        while not self._pulse.closed.is_set():
            batch = await run_sync(self._vault.history.feed, seq, BATCH)
            if not batch:
                yield b": heartbeat\n\n"
                await self._pulse.moved(self._heartbeat)
                continue
            seq = batch[-1].seq
            try:
                visible = await run_sync(self.visible, batch)
            except NotAuthenticated:
                return
            for change in visible:
                yield event(change)

    def visible(self, batch: list[Change]) -> list[Change]:
        """Those the caller may know of, as it stands with them now. Its access is read afresh: a
        feed lives long, and a revoked agent's ends."""
        if self._caller.agent is None:
            return batch
        agent = self._vault.agents.read(self._caller.agent.id)
        if agent.revoked_at is not None:
            raise NotAuthenticated("This agent was shut out.")
        reach = Reach(self._vault.database, self._vault.clock, Caller(agent))
        with self._vault.database.read() as db:
            shown = [_as_seen_by(db, reach, agent, change) for change in batch]
        return [change for change in shown if change is not None]


def event(change: Change) -> bytes:
    """One change on the wire."""
    shown = {
        "seq": change.seq,
        "at": change.at,
        "actor": change.actor,
        "action": change.action,
        "thing": change.thing,
        "id": change.thing_id,
        **scope_fields(change.scope),
    }
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return f"id: {change.seq}\nevent: change\ndata: {text}\n\n".encode()


def _as_seen_by(db: Connection, reach: Reach, agent: Agent, change: Change) -> Change | None:
    """An agent learns of what it may read now, and that something it could read is gone; of what
    it is never told, neither, nor of what was before it could read there."""
    if change.thing not in AGENTS_THINGS:
        return None
    entry = entries.read(db, change.thing_id) if change.thing == "entry" else None
    if reach.was_muted(change) if entry is None else reach.is_muted(entry):
        return None
    if not _readable(db, agent, change.scope):
        return _left(db, reach, agent, change)
    if not reach.saw(change):
        return None
    trashed = (change.after or {}).get("state") == TRASHED
    if change.thing == "block" or change.action in GONE or trashed:
        return change
    if entry is None or not is_live(entry, reach.now) or not _readable(db, agent, entry.scope):
        return None
    return change


def _left(db: Connection, reach: Reach, agent: Agent, change: Change) -> Change | None:
    """What moved out of the agent's sight is gone for it; where to is not said."""
    before = (change.before or {}).get("scope")
    scope = None if before is None else Scope.of(str(before))
    if scope is None or not (_readable(db, agent, scope) and reach.saw(change, scope)):
        return None
    return replace(change, action="forgot", scope=scope)


def _readable(db: Connection, agent: Agent, scope: Scope) -> bool:
    own = (
        scope.kind == "conversation"
        and entry_candidates.conversation_agent(db, scope.id) == agent.id
    )
    return may_read(agent, scope, own)
