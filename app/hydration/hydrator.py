"""Hydration as a service: reads what an agent may see and lets the rule choose from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.entries.usage import Usage
from app.errors import Invalid
from app.rules.explanation import Situation
from app.rules.hydration import (
    OVERVIEW,
    ArchivalLine,
    Candidate,
    Hydration,
    HydrationPlan,
    and_withheld,
    best_lines,
    blocks_in_order,
    candidate,
    choose,
    render,
    with_places,
)
from app.rules.policy import MemoryPolicy, Run, agents_policy, with_request
from app.rules.rendering import (
    LEAST_HEAD_BYTES,
    block_title,
    character_count,
    confirmed_note,
    entry_bytes,
)
from app.rules.verdict import Item, untold_because, withheld
from app.rules.visibility import hearing_of, is_live, is_told, working_scopes
from app.settings import Settings
from app.text.words import title_of
from store.file.database import Connection, Database, Row
from store.instants import Clock, Instant, to_instant
from store.records import JOIN, Agent, Block, Entry, Hearing, Scope
from store.tables import blocks as block_rows
from store.tables import entries, entry_candidates, proposals
from store.tables.entry_filter import EntryFilter

MOST_BYTES = 16 * 1024 * 1024
MOST_WITHHELD = 200
TRIED_FIRST = 400
NO_CORE = (1, "", "")  # the turn after all core memories

Archival = Callable[[str, Sequence[Block], int], Sequence[ArchivalLine]]
"""The archival lines that match a message best: (message, archival blocks, limit)."""


def no_archival(message: str, blocks: Sequence[Block], limit: int) -> Sequence[ArchivalLine]:
    return ()


class NarrowedHydration(NamedTuple):
    """A hydration, and the bytes it has where nothing narrows it."""

    hydration: Hydration
    whole_bytes: int


class Hydrator:
    """Answers what an agent is told. `hydrate` is the agent's own question and counts as use;
    `preview` is the owner looking, with an unsaved draft if there is one, and does not."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        usage: Usage,
        clock: Clock,
        archival: Archival = no_archival,
    ) -> None:
        self._database = database
        self._settings = settings
        self._usage = usage
        self._clock = clock
        self._archival = archival

    def hydrate(self, run: Run, *, everything: bool = False) -> Hydration:
        """With a verdict on what is in and on the nearest left out, or on `everything`."""
        nearest = None if everything else OVERVIEW
        return self.hydrate_within(run, None, nearest=nearest).hydration

    def hydrate_within(
        self, run: Run, room: int | None, *, looking: bool = False, nearest: int | None = None
    ) -> NarrowedHydration:
        """The run's text in at most `room` characters: hydrated anew for a smaller budget where it
        has more, never cut. `looking` is the owner's eye and does not count as use. The verdicts
        are on all, or on what is in and the `nearest` left out, which reads only those; with 0, the
        text alone is asked for, and how many were left out is not counted."""
        with self._database.read() as db:
            day = self.told_day(self._now())
            first = None if nearest is None else self._next(db, run, day)
            situation, scopes = self._situation(db, run, first, day=day)
            whole = None
            while True:
                plan = self._plan(db, situation, run, scopes, day, nearest)
                contents = _contents(db, plan.entry_ids, None)
                found = render(plan, contents, day)
                whole = found.used if whole is None else whole
                taken = character_count(found.text)
                if room is None or taken <= room:
                    break
                # No text has more characters than bytes: as many bytes as there is room do.
                less = min(found.used - 1, found.used * room // taken)
                situation = replace(situation, budget=max(room, less))
        if not looking:
            self._usage.mark(entry.n for entry in contents.values())
        return NarrowedHydration(found, whole)

    def look(self, run: Run, *, everything: bool = False) -> Hydration:
        """What `hydrate` answers, with what was withheld and why; it does not count as use."""
        nearest = None if everything else OVERVIEW
        with self._database.read() as db:
            day = self.told_day(self._now())
            first = None if nearest is None else self._next(db, run, day)
            situation, scopes = self._situation(db, run, first, day=day)
            plan = self._plan(db, situation, run, scopes, day, nearest)
            plan = and_withheld(plan, self._withheld(db, run, scopes))
            return render(plan, _contents(db, plan.entry_ids, None), day)

    def preview(
        self,
        run: Run,
        draft: Entry | None = None,
        among: tuple[Candidate, ...] | None = None,
        block: Block | None = None,
    ) -> Hydration:
        """The same text, with what was withheld and why; `draft` stands in for its saved entry,
        or is one more, and so does `block`. `among` are the run's candidates, when the caller read
        them already."""
        with self._database.read() as db:
            day = self.told_day(self._now())
            situation, scopes = self._situation(db, run, among, block, day)
            situation = self._with_draft(situation, draft, scopes, run.agent)
            plan = choose(
                situation.candidates,
                situation.blocks,
                situation.budget,
                situation.policy,
                situation.lines,
                self._withheld(db, run, scopes),
            )
            contents = _contents(db, plan.entry_ids, draft)
        return render(plan, contents, day)

    def situation(self, run: Run, draft: Entry | None = None) -> Situation:
        """What the choice is made from: for explaining and for trying budgets."""
        with self._database.read() as db:
            situation, scopes = self._situation(db, run)
        return self._with_draft(situation, draft, scopes, run.agent)

    def archival_lines(self, run: Run) -> list[ArchivalLine]:
        """The archival lines that the run's policy adds for its message, best first."""
        policy = self.policy_of(run)
        with self._database.read() as db:
            blocks = block_rows.of_scopes(db, working_scopes(run.agent, run.standing))
        return best_lines(self._lines(run, policy, blocks), policy)

    def budget_of(self, agent: Agent) -> int:
        return int(agent.hydration_budget or self._settings["hydration_budget"])

    def policy_of(self, run: Run) -> MemoryPolicy:
        policy = agents_policy(run.agent, self._settings["archival_limit"])
        return with_request(policy, run.policy or {})

    def candidates(self, run: Run) -> tuple[Candidate, ...]:
        """Every entry the run's agent sees where it stands."""
        with self._database.read() as db:
            scopes = working_scopes(run.agent, run.standing)
            return self._candidates(db, run, scopes, self.told_day(self._now()))

    # Parts

    def _situation(
        self,
        db: Connection,
        run: Run,
        among: tuple[Candidate, ...] | None = None,
        block: Block | None = None,
        day: str | None = None,
    ) -> tuple[Situation, tuple[Scope, ...]]:
        day = self.told_day(self._now()) if day is None else day
        policy = self.policy_of(run)
        scopes = working_scopes(run.agent, run.standing)
        blocks = with_block(block_rows.of_scopes(db, scopes), block, scopes)
        shown, _ = shown_blocks(run, blocks, policy)
        found = self._candidates(db, run, scopes, day) if among is None else among
        lines = self._lines(run, policy, blocks)
        return Situation(found, shown, self._budget(run), policy, lines), scopes

    def _with_draft(
        self, situation: Situation, draft: Entry | None, scopes: Sequence[Scope], agent: Agent
    ) -> Situation:
        if draft is None:
            return situation
        told = is_told(draft, self.hearing(agent))
        now = self._now()
        return with_draft(situation, draft, scopes if told else (), now, self.told_day(now))

    def _budget(self, run: Run) -> int:
        budget = self.budget_of(run.agent) if run.budget is None else run.budget
        if isinstance(budget, bool) or not 0 <= budget <= MOST_BYTES:
            raise Invalid(f"The budget is from 0 to {MOST_BYTES:,} bytes, not {budget!r}.")
        return budget

    def _candidates(
        self, db: Connection, run: Run, scopes: Sequence[Scope], day: str
    ) -> tuple[Candidate, ...]:
        if not run.agent.layers.long_term:
            return ()
        return _made(entry_candidates.visible(db, self._visible(run, scopes)), day)

    def _next(
        self, db: Connection, run: Run, day: str, before: Sequence[Candidate] = ()
    ) -> tuple[Candidate, ...]:
        """Those that are tried first, which most often fill the budget; or as many as `before`,
        behind them."""
        if not run.agent.layers.long_term:
            return ()
        wanted = self._visible(run, working_scopes(run.agent, run.standing))
        number, after = (len(before), before[-1].turn) if before else (TRIED_FIRST, None)
        return _made(entry_candidates.next_visible(db, wanted, number, after), day)

    def _plan(
        self,
        db: Connection,
        situation: Situation,
        run: Run,
        scopes: Sequence[Scope],
        day: str,
        nearest: int | None,
    ) -> HydrationPlan:
        """The plan of all that is visible, where the situation has those tried first: more are read
        until there are `nearest` left out and the next is likely to be another. What comes behind
        has only the room they leave, so that only what may fit there is read."""
        plan, tried = situation.plan(), situation.candidates
        whole = nearest is None or len(tried) < TRIED_FIRST
        while not whole and (tried[-1].bytes <= plan.left or _entries_out(plan) < (nearest or 0)):
            more = self._next(db, run, day, tried)
            whole = len(more) < len(tried)
            tried += more
            plan = replace(situation, candidates=tried).plan()
        if whole:
            return plan
        wanted, last = self._visible(run, scopes), tried[-1].turn
        lines = sum(one.bytes for one in plan.items if one.type == "archival" and one.included)
        most = plan.left + lines - LEAST_HEAD_BYTES
        rest = _made(entry_candidates.visible_after(db, wanted, last, most), day)
        plan = replace(situation, candidates=(*tried, *rest)).plan()
        if not nearest:
            return plan
        chosen = set(plan.entry_ids)
        places = {
            one.id: entry_candidates.visible_count(db, wanted, one.turn)
            for one in rest
            if one.id in chosen
        }
        entries = entry_candidates.visible_count(db, wanted)
        cores = entry_candidates.visible_count(db, wanted, NO_CORE) if situation.lines else 0
        return with_places(plan, len(tried), entries, cores, places)

    def _lines(
        self, run: Run, policy: MemoryPolicy, blocks: Sequence[Block]
    ) -> Sequence[ArchivalLine]:
        archival = [block for block in blocks if block.name == "archival"]
        wanted = run.message.strip() and policy.recalls and run.agent.layers.long_term
        if not (archival and wanted):
            return ()
        return self._archival(run.message, archival, policy.archival_limit)

    def _withheld(self, db: Connection, run: Run, scopes: Sequence[Scope]) -> list[Item]:
        """For the owner: what the agent is not even considered for, and why."""
        _, kept_out = shown_blocks(run, block_rows.of_scopes(db, scopes), self.policy_of(run))
        items = [
            withheld("block", block.id, block_title(block), block.scope, "policy", why)
            for block, why in kept_out
        ]
        if not run.agent.layers.long_term:
            for row in entry_candidates.visible(db, self._visible(run, scopes)):
                if len(items) >= MOST_WITHHELD:
                    break
                scope = Scope.of(row[5])
                items.append(withheld("entry", row[2], row[4], scope, "policy", _LONG_TERM_OFF))
        for ident, key, scope, at in entry_candidates.expired(
            db, scopes, self._now(), MOST_WITHHELD
        ):
            items.append(withheld("entry", ident, key, Scope.of(scope), "expired", at))
        hearing = self.hearing(run.agent)
        wanted = self._visible(run, scopes)
        first = entries.withheld_for(db, hearing, tuple(scopes))
        for entry in entry_candidates.withheld(db, wanted, MOST_WITHHELD):
            reason, note = untold_because(entry, hearing, first.get(entry.n))
            items.append(withheld("entry", entry.id, entry.key, entry.scope, reason, note))
        for proposal in proposals.listed(db, limit=MOST_WITHHELD):
            if proposal.scope in scopes and proposal.action != JOIN:
                named, text = proposal.payload.get("key"), proposal.payload.get("content")
                key = title_of(str(named or ""), str(text or "")) or proposal.action
                by = proposal.agent_id
                items.append(withheld("entry", proposal.id, key, proposal.scope, "pending", by))
        return items

    def hearing(self, agent: Agent) -> Hearing:
        """What the agent is told now."""
        return hearing_of(agent, self._settings["muted_tags"], self._now())

    def _visible(self, run: Run, scopes: Sequence[Scope]) -> EntryFilter:
        return EntryFilter(scopes=tuple(scopes), now=self._now(), hearing=self.hearing(run.agent))

    def told_day(self, at: Instant) -> str:
        """The day by which an agent is told how long ago something was confirmed; empty where the
        owner does not want that."""
        return at[:10] if self._settings["tell_confirmed"] else ""

    def _now(self) -> Instant:
        return to_instant(self._clock())


def _entries_out(plan: HydrationPlan) -> int:
    return sum(item.type == "entry" and not item.included for item in plan.items)


def _made(rows: Iterable[Row], day: str) -> tuple[Candidate, ...]:
    make = Candidate._make  # the quickest way: this runs once per visible entry
    return tuple(
        make(
            (
                *head,
                entry_bytes(
                    head[4],
                    kind,
                    head[1],
                    content,
                    confirmed_note(verified_at, stale_after, day) if stale_after else "",
                ),
                others,
            )
        )
        for *head, kind, content, others, verified_at, stale_after in rows
    )


_LONG_TERM_OFF = "long-term memory is off for this agent"


def with_draft(
    situation: Situation,
    draft: Entry | None,
    scopes: Sequence[Scope],
    now: Instant,
    day: str = "",
) -> Situation:
    """The situation as if `draft` were saved, told on that day; a draft the agent would not see
    takes its saved entry out."""
    if draft is None:
        return situation
    others = tuple(one for one in situation.candidates if one.id != draft.id)
    seen = draft.scope in scopes and is_live(draft, now)
    return replace(situation, candidates=(*others, candidate(draft, day)) if seen else others)


def with_block(
    blocks: Sequence[Block], draft: Block | None, scopes: Sequence[Scope]
) -> Sequence[Block]:
    """The blocks as if `draft` were saved."""
    if draft is None or draft.scope not in scopes:
        return blocks
    others = [one for one in blocks if (one.scope, one.name) != (draft.scope, draft.name)]
    return [*others, draft]


def shown_blocks(
    run: Run, blocks: Sequence[Block], policy: MemoryPolicy
) -> tuple[list[Block], list[tuple[Block, str]]]:
    """Blocks that go in, and those left out with the switch that says so."""
    workspace = run.standing.workspace_id
    scope = Scope("workspace", workspace) if workspace in run.agent.workspaces else None
    shown, kept_out = blocks_in_order(blocks, run.agent.scope, scope, policy)
    layers = run.agent.layers
    off = [(block, f"include_{block.scope.kind}_core is off") for block in kept_out]
    for block in shown:
        if block.name == "session" and not layers.session_memory:
            off.append((block, "session memory is off for this agent"))
        elif block.name != "session" and not layers.long_term:
            off.append((block, _LONG_TERM_OFF))
    left_out = {block.id for block, _ in off}
    return [block for block in shown if block.id not in left_out], off


def _contents(db: Connection, idents: Sequence[str], draft: Entry | None) -> dict[str, Entry]:
    contents = {entry.id: entry for entry in entries.read_many(db, idents)}
    if draft is not None:
        contents[draft.id] = draft
    return contents
