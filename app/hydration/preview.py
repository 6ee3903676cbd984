"""What an agent would be told, asked again at every keystroke.

Reading ten thousand memories costs far more than choosing from them, so what was read is kept
until somebody writes or an entry's time is over.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from app.history.history import AsOf
from app.hydration.hydrator import Hydrator, shown_blocks
from app.recall.search import Hit, Search, relevant
from app.rules.hydration import (
    ArchivalLine,
    Candidate,
    Comparison,
    Hydration,
    compare,
    hydrate,
    kept_bytes,
)
from app.rules.lifetimes import Lifetimes, expiry, fresh_expiry
from app.rules.next_fit import Fit, next_fit
from app.rules.policy import MemoryPolicy, Run
from app.rules.preload import preload
from app.rules.rendering import FRAME_BYTES
from app.rules.verdict import Item
from app.rules.visibility import is_told, working_scopes
from app.settings import Settings
from app.text.words import is_made_key, title_of
from store.file.database import Database
from store.instants import Clock, Instant, after, to_instant
from store.records import ACTIVE, Agent, Block, Entry, EntryDraft, Hearing
from store.tables import calls, change_log, entry_candidates
from store.tables import entries as entry_rows
from store.tables.entry_filter import EntryFilter

BELOW_THE_CUT = 10  # how many of those not given with a message are shown

LAYERS = {
    "block": "block",
    "cut": "block",
    "core": "core",
    "recalled": "recalled",
    "window": "recent",
}


@dataclass(frozen=True, slots=True)
class HydrationPreview:
    """A hydration and what a person wants to know of it. `items` are those in, and of those left
    out the nearest; `moved` is what an unsaved edit changes; `lost` what the past no longer has."""

    hydration: Hydration
    items: tuple[Item, ...]
    shares: dict[str, int]
    agent: Agent
    moved: Comparison | None = None
    fit: Fit | None = None
    lost: int = 0

    @property
    def hidden(self) -> int:
        return len(self.hydration.items) + self.hydration.more - len(self.items)

    def called(self, titles: Mapping[str, str]) -> HydrationPreview:
        """The same with these names instead of keys, by id; the text keeps its keys."""

        def named(items: tuple[Item, ...]) -> tuple[Item, ...]:
            return tuple(one._replace(key=titles.get(one.id, one.key)) for one in items)

        moved, fit = self.moved, self.fit
        if moved is not None:
            moved = replace(moved, entered=named(moved.entered), left=named(moved.left))
        if fit is not None:
            fit = fit._replace(key=titles.get(fit.id, fit.key))
        return replace(self, items=named(self.items), moved=moved, fit=fit)


@dataclass(frozen=True, slots=True)
class MessageMatches:
    """What matches a message, best first: `given` to the agent, at most `most` with `size` bytes of
    text, and the next `below` that are not; `reminders` are the archival lines that the policy adds
    to what the agent is told."""

    given: tuple[Hit, ...]
    below: tuple[Hit, ...]
    most: int
    size: int
    reminders: tuple[ArchivalLine, ...] = ()


@dataclass(frozen=True, slots=True)
class LastStart:
    """What an agent was told when its last run began, beside what it would be told now: of its
    `used` bytes the first `kept` would be the same."""

    at: Instant
    used: int
    kept: int


@dataclass(frozen=True, slots=True)
class _Sight:
    """What one agent saw from one standing, good until `seq` or the clock moves past it, and for
    the day it was told on."""

    run: Run
    seq: int
    until: Instant | None
    candidates: tuple[Candidate, ...]
    hearing: Hearing
    conflicts: tuple[object, ...]
    day: str

    def good_for(self, run: Run, seq: int, now: Instant, day: str) -> bool:
        mine, agent = self.run.agent, run.agent
        same = (mine.id, mine.layers, mine.workspaces) == (agent.id, agent.layers, agent.workspaces)
        live = self.until is None or now < self.until
        stands = self.run.standing == run.standing and self.day == day
        return self.seq == seq and same and stands and live

    def heard_as(self, hearing: Hearing) -> bool:
        """Whether the agent is kept from the same as then."""
        return replace(hearing, true_at=None) == replace(self.hearing, true_at=None)


class PreviewServices(Protocol):
    """What a preview asks; the vault is one."""

    database: Database
    settings: Settings
    clock: Clock

    @property
    def hydrator(self) -> Hydrator: ...
    @property
    def search(self) -> Search: ...


class LiveHydration:
    """Safe to ask from several threads; the last question's memories are kept."""

    def __init__(self, services: PreviewServices) -> None:
        self._on = services
        self._past = AsOf(services.database)
        self._lock = threading.Lock()
        self._sight: _Sight | None = None
        self._saved: tuple[Run, int, Hydration] | None = None

    def answer(
        self, run: Run, draft: Entry | None = None, block: Block | None = None
    ) -> HydrationPreview:
        """`draft` and `block` are what is being edited, as it would be if it were saved now."""
        try:
            return self._answered(run, draft, block)
        except KeyError:  # erased between reading it and choosing it
            with self._lock:
                self._sight = None
            return self._answered(run, draft, block)

    def answer_as_of(
        self, run: Run, at: Instant, true_at: Instant | None = None
    ) -> HydrationPreview:
        """What the agent would have been told then, with the profile it had; with `true_at`, of
        what was believed then about that other moment."""
        scopes = working_scopes(run.agent, run.standing)
        past = self._past.past(at, run.agent, scopes)
        run = replace(run, agent=past.agent)
        policy = self._on.hydrator.policy_of(run)
        budget = self._on.hydrator.budget_of(run.agent) if run.budget is None else run.budget
        visible = set(working_scopes(run.agent, run.standing))
        blocks, _ = shown_blocks(run, [b for b in past.blocks if b.scope in visible], policy)
        hearing = replace(self._on.hydrator.hearing(run.agent), true_at=true_at or at)
        entries = [
            entry
            for entry in past.entries
            if entry.scope in visible and run.agent.layers.long_term and is_told(entry, hearing)
        ]
        found = hydrate(entries, blocks, budget, policy, day=self._on.hydrator.told_day(at))
        return replace(_answer(found, run.agent), lost=past.lost)

    def last_start(self, run: Run, now: Hydration) -> LastStart | None:
        """`now` beside the text of that agent's last start, as the log has it; None where it never
        started or the log no longer says with what."""
        with self._on.database.read() as db:
            at = calls.last_start(db, run.agent.id)
        if at is None:
            return None
        then = self.answer_as_of(replace(run, message=""), at)
        if then.lost or not then.hydration.used:
            return None
        before = then.hydration
        return LastStart(at, before.used, kept_bytes(before.text, now.text))

    def start_of(self, agent: Agent) -> tuple[int, MemoryPolicy]:
        """The budget and the policy that the agent's runs start from."""
        return self._on.hydrator.budget_of(agent), self._on.hydrator.policy_of(Run(agent))

    def began(self) -> Instant | None:
        """The earliest moment `answer_as_of` can tell of."""
        return self._past.first()

    def matches(self, run: Run) -> MessageMatches:
        """What the agent would be given with the run's message, and what comes next without being
        given; looking does not count as use."""
        most = int(run.agent.recall_budget or self._on.settings["recall_budget"])
        if not run.message.strip() or not run.agent.layers.long_term:
            return MessageMatches((), (), most, 0)
        wanted = EntryFilter(
            scopes=working_scopes(run.agent, run.standing),
            now=to_instant(self._on.clock()),
            hearing=self._on.hydrator.hearing(run.agent),
        )
        least = float(self._on.settings["preload_min_relevance"])
        hits = self._on.search.search(
            run.message, filter=wanted, limit=max(most, 1) + BELOW_THE_CUT, plain=True
        )
        near = relevant(hits, least)[:most]
        day = self._on.hydrator.told_day(wanted.now or "")
        given = preload([hit.entry for hit in near], most, day=day)
        chosen = {entry.id for entry in given.entries}
        above = tuple(hit for hit in hits if hit.entry.id in chosen)
        below = [hit for hit in hits if hit.entry.id not in chosen][:BELOW_THE_CUT]
        size = len(given.text.encode())
        reminders = tuple(self._on.hydrator.archival_lines(run))
        return MessageMatches(above, tuple(below), most, size, reminders)

    def _answered(self, run: Run, draft: Entry | None, block: Block | None) -> HydrationPreview:
        sight = self._seen(run)
        found = self._on.hydrator.preview(run, draft, sight.candidates, block)
        edited = draft is not None or block is not None
        moved = compare(self._without_draft(run, sight), found) if edited else None
        return self._named(_answer(found, run.agent, moved), draft)

    def _named(self, answer: HydrationPreview, draft: Entry | None) -> HydrationPreview:
        """Calls entries whose key nobody chose by their first line, as everything does."""
        moved = answer.moved
        listed = [*answer.items, *(moved.entered + moved.left if moved else ())]
        made = {one.id for one in listed if one.type == "entry" and is_made_key(one.key)}
        if answer.fit is not None and is_made_key(answer.fit.key):
            made.add(answer.fit.id)
        if not made:
            return answer
        with self._on.database.read() as db:
            known = entry_rows.read_many(db, sorted(made))
        if draft is not None:
            known = [*(one for one in known if one.id != draft.id), draft]
        titles = {one.id: title_of(one.key, one.content) for one in known}
        return answer.called(titles)

    def _seen(self, run: Run) -> _Sight:
        now = to_instant(self._on.clock())
        with self._on.database.read() as db:
            seq, opposed = change_log.last_seq(db), entry_candidates.conflicts_mark(db)
        with self._lock:
            sight = self._sight
        hearing, day = self._on.hydrator.hearing(run.agent), self._on.hydrator.told_day(now)
        if (
            sight is not None
            and sight.good_for(run, seq, now, day)
            and sight.heard_as(hearing)
            and sight.conflicts == opposed
        ):
            return sight
        with self._on.database.read() as db:
            until = entry_candidates.next_expiry(db, now)
        seen = self._on.hydrator.candidates(run)
        sight = _Sight(run, seq, until, seen, hearing, opposed, day)
        with self._lock:
            self._sight, self._saved = sight, None
        return sight

    def _without_draft(self, run: Run, sight: _Sight) -> Hydration:
        with self._lock:
            saved = self._saved
        if saved is not None and saved[0] == run and saved[1] == sight.seq:
            return saved[2]
        found = self._on.hydrator.preview(run, None, sight.candidates)
        with self._lock:
            self._saved = (run, sight.seq, found)
        return found


def _answer(found: Hydration, agent: Agent, moved: Comparison | None = None) -> HydrationPreview:
    shares = dict.fromkeys(("frame", "block", "core", "recalled", "recent"), 0)
    if found.used:
        shares["frame"] = FRAME_BYTES
    for item in found.items:
        if item.included:
            shares[LAYERS[item.reason]] += item.bytes
    return HydrationPreview(found, tuple(found.overview()), shares, agent, moved, next_fit(found))


def as_if_changed(
    base: Entry, patch: Mapping[str, object], now: Instant, rules: Lifetimes
) -> Entry:
    """`base` as saving `patch` at `now` would leave it, as far as hydration looks."""
    values = dict(patch)
    written = values.get("content", base.content) != base.content
    if written:
        values["written_at"] = after(now, base.updated_at)
    category = str(values.get("category", base.category))
    if "expires_at" not in values and (written or category != base.category):
        written_at = str(values.get("written_at", base.written_at))
        ruled = expiry(category, written_at, None, rules)
        over = base.expires_at is not None and base.expires_at <= now
        if ruled is not None or base.category == "daily" or (written and over):
            values["expires_at"] = fresh_expiry(category, ruled, now, rules)
    return replace(base, **values)  # type: ignore[arg-type]


def as_if_new(draft: EntryDraft, key: str, now: Instant, rules: Lifetimes) -> Entry:
    """`draft` as storing it at `now` would; `key` is for one whose key is still to be made."""
    category = draft.category or "core"
    return Entry(
        n=0,
        id="draft",
        scope=draft.scope,
        key=draft.key or key,
        content=draft.content,
        hook=draft.hook or "",
        category=category,
        kind=draft.kind or "fact",
        importance=draft.importance or 5,
        tags=draft.tags or (),
        source="owner",
        state=ACTIVE,
        created_at=now,
        written_at=now,
        updated_at=now,
        expires_at=expiry(category, now, draft.expires_at, rules),
        extra="{}",
        digest=b"",
        true_from=draft.true_from,
        true_until=draft.true_until,
        verified_at=draft.verified_at,
        stale_after=draft.stale_after,
        muted_for=draft.muted_for or (),
    )
