"""Memory as one caller has it: what it may read and write, with visibility and trust applied.

The vault's `memory_for(caller)` gives it; the window, REST, MCP and the command line ask nothing
else to read and write memories and blocks. The owner is a caller, too, and has one that the vault
keeps. What is the owner's alone has services of its own: undoing and the vault's history, deciding
on proposals, erasing, backups.

Reads give records, writes give outcomes: `Saved`, `BlockSaved`, `Forgotten` and the like when it
happened, `Proposed` when the caller's trust is `review`, `Conflict` or `KeyTaken` when nothing was
changed. Refusals are raised: ScopeDenied, NotFound, NotAllowed, Invalid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.access.caller_scope import Caller, Reach
from app.blocks.blocks import BlockSaved, saw
from app.errors import Invalid, NotAllowed, Refused
from app.memory.entries import (
    CallerEntries,
    credentials,
    must_wait,
    proposed_change,
    with_notice,
)
from app.memory.services import MemoryPart, MemoryServices
from app.outcomes import UNSET, Conflict, Expected, KeyTaken, Proposed, Saved
from app.rules.blocks import BlockLimits, Edit, Gauge, check_content, check_name, edited, template
from app.rules.policy import Run
from app.rules.preload import Preload
from app.rules.visibility import Standing
from app.text.credentials import redacted
from app.text.days import named_spans
from store.instants import Instant, from_instant, from_microseconds
from store.records import USER, Block, Change, Entry, Scope
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.entries.corrections import LineMoved
    from app.hydration.hydrator import NarrowedHydration
    from app.hydration.why import AgentsView
    from app.recall.search import Hit, Match
    from app.rules.explanation import Explanation, Remedy
    from app.rules.hydration import Hydration


class CallerBlocks(MemoryPart):
    """Each write happens, becomes a proposal or is refused, as the caller's trust has it."""

    __slots__ = ()

    def find(self, name: str, scope: Scope = USER) -> Block | None:
        return self.services.blocks.find(self.reach.readable(scope), name)

    def read(self, name: str, scope: Scope = USER) -> Block:
        return self.services.blocks.get(self.reach.readable(scope), name)

    def listed(self, scopes: Sequence[Scope] | None = None) -> list[Block]:
        """Those of `scopes`, or all the caller may read."""
        if scopes is None:
            return self.services.blocks.listed(self.reach.reading())
        return self.services.blocks.listed([self.reach.readable(scope) for scope in scopes])

    def replace(
        self,
        name: str,
        content: str,
        *,
        expected_updated_at: Expected = UNSET,
        scope: Scope = USER,
        reason: str = "",
    ) -> BlockSaved | Conflict | Proposed:
        now = self.reach.writes_now(scope)
        found = credentials(self, [content])
        content = redacted(content, found.redacted) if found.redacted else content
        if now and not must_wait(self.reach.caller, found):
            return self.services.blocks.replace(
                scope,
                name,
                content,
                expected_updated_at=expected_updated_at,
                actor=self.reach.actor,
                reason=reason,
            )
        reason = with_notice(reason, found)
        if expected_updated_at is UNSET:
            raise Invalid("Say which block you read: expected_updated_at, or null to create it.")
        check_content(name, content, self.services.blocks.limits())
        current = self.services.blocks.find(scope, name)
        if not saw(current, expected_updated_at):
            return Conflict(current, creating=expected_updated_at is None)
        payload = {"name": name, "content": content, "expected_updated_at": _stamp(current)}
        return self.proposed("block", scope, payload, current.id if current else "", reason)

    def edit(
        self,
        name: str,
        edits: Sequence[Edit],
        *,
        expected_updated_at: Expected = UNSET,
        scope: Scope = USER,
        reason: str = "",
    ) -> BlockSaved | Conflict | Proposed:
        """All edits or none; without an expectation they apply to what is there."""
        now = self.reach.writes_now(scope)
        found = credentials(self, [edit.new for edit in edits])
        if found.redacted:
            edits = [Edit(edit.old, redacted(edit.new, found.redacted)) for edit in edits]
        if now and not must_wait(self.reach.caller, found):
            return self.services.blocks.edit(
                scope,
                name,
                edits,
                expected_updated_at=expected_updated_at,
                actor=self.reach.actor,
                reason=reason,
            )
        current = self.services.blocks.find(scope, check_name(name))
        if not (expected_updated_at is UNSET or saw(current, expected_updated_at)):
            return Conflict(current, creating=expected_updated_at is None)
        content = edited(template(name) if current is None else current.content, edits)
        check_content(name, content, self.services.blocks.limits())
        pairs: list[object] = [{"oldText": edit.old, "newText": edit.new} for edit in edits]
        payload = {"name": name, "edits": pairs}
        why = with_notice(reason, found)
        return self.proposed("edit", scope, payload, current.id if current else "", why)

    def limits(self) -> BlockLimits:
        """How large each block may be."""
        return self.services.blocks.limits()

    def gauge(self, block: Block) -> Gauge:
        """How full a block is."""
        return self.services.blocks.gauge(block.name, block.content)


def _stamp(block: Block | None) -> str | None:
    return block.updated_at if block else None


class CallerCore(MemoryPart):
    """Core is what an agent is always told: entries of that category, lines of the core block."""

    __slots__ = ()

    def pin(self, ident: str, *, reason: str = "") -> Saved | Proposed:
        """Make an entry core."""
        entry = self.reach.entry(ident)
        if self.reach.writes_now(entry.scope):
            return self.services.corrections.pin(ident, actor=self.reach.actor, reason=reason)
        return self.proposed("promote", entry.scope, {"key": entry.key}, ident, reason)

    def unpin(
        self, ident: str, category: str | None = None, *, reason: str = ""
    ) -> Saved | Proposed:
        """Give a core entry back the category it had, or the one named."""
        entry = self.reach.entry(ident)
        if self.reach.writes_now(entry.scope):
            return self.services.corrections.unpin(
                ident, category, actor=self.reach.actor, reason=reason
            )
        payload = {"key": entry.key, "category": category}
        return self.proposed("demote", entry.scope, payload, ident, reason)

    def pin_line(self, text: str, scope: Scope = USER, *, reason: str = "") -> LineMoved | Proposed:
        """Move an archival line to the core block of its scope."""
        if self.reach.writes_now(scope):
            return self.services.corrections.pin_line(
                scope, text, actor=self.reach.actor, reason=reason
            )
        return self.proposed("promote", scope, {"line": text}, "", reason)

    def unpin_line(
        self, text: str, scope: Scope = USER, *, reason: str = ""
    ) -> LineMoved | Proposed:
        """Move a line of the core block to the archival block of its scope."""
        if self.reach.writes_now(scope):
            return self.services.corrections.unpin_line(
                scope, text, actor=self.reach.actor, reason=reason
            )
        return self.proposed("demote", scope, {"line": text}, "", reason)


class CallerFinding(MemoryPart):
    """What an agent recalls counts as used; the owner looks without a trace."""

    __slots__ = ()

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        filter: EntryFilter | None = None,
        limit: int = 20,
        prefix: bool = False,
    ) -> list[Hit]:
        """Entries by words and meaning, wherever the caller may read. `prefix`: the last word may
        be half typed."""
        wanted = self._then(query, self.reach.limited(filter or EntryFilter()))
        return self.services.search.search(
            query,
            mode=mode,
            filter=wanted,
            limit=limit,
            prefix=prefix,
            source=self._own_writes(),
        )

    def holding(
        self, query: str, filter: EntryFilter, limit: int, offset: int = 0
    ) -> tuple[list[Entry], int]:
        """Entries by words and parts of words, by importance and then recency, wherever the caller
        may read; and how many there are in all."""
        return self.services.search.holding(query, self.reach.limited(filter), limit, offset)

    def recall(
        self,
        query: str,
        *,
        filter: EntryFilter | None = None,
        limit: int | None = None,
        min_score: float | None = None,
    ) -> list[Match]:
        """Entries and archival lines by meaning, from where the caller works. Counts as use."""
        wanted = self.reach.limited(filter or EntryFilter(), self.reach.working())
        wanted = self._then(query, wanted)
        matches = self.services.recall.recall(
            query,
            filter=wanted,
            limit=self.recall_budget if limit is None else limit,
            min_score=min_score,
            source=self._own_writes(),
        )
        self.mark_used([match.entry for match in matches if match.entry])
        return matches

    def _then(self, query: str, wanted: EntryFilter) -> EntryFilter:
        """With what was true at a time that the query names, beside what is true now."""
        hearing = wanted.hearing
        if hearing is None or not (named := named_spans(query, from_instant(self.reach.now))):
            return wanted
        spans = tuple((from_microseconds(start), from_microseconds(end)) for start, end in named)
        return replace(wanted, hearing=replace(hearing, spans=spans))

    def waiting(self) -> int:
        """How many of the memories the caller may read are not found by meaning yet."""
        return self.services.search.waiting(self.reach.reading(), self.reach.hearing())

    def by_key(self, key: str, scopes: Sequence[Scope] | None = None) -> Entry | None:
        """The entry of that key, in the first of the scopes that has one; without any named, in
        the nearest where the caller works. Counts as use."""
        for scope in scopes or (None,):
            found = self.reach.entries_of_key(key, scope)
            if found:
                self.mark_used(found[:1])
                return found[0]
        return None

    def preload(
        self,
        message: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        min_relevance: float | None = None,
        looking: bool = False,
    ) -> Preload:
        """The entries that match a user's message, as ready text and as a list. Nothing for an
        agent whose long-term memory is off. `looking`: it does not count as use."""
        agent = self.reach.caller.agent
        if not message.strip() or (agent is not None and not agent.layers.long_term):
            return Preload("", ())
        most = self.recall_budget if limit is None else limit
        wanted = self.reach.limited(EntryFilter(now=self.reach.now), self.reach.working())
        usual = float(self.services.settings["preload_min_relevance"])
        found = self.services.search.preload(
            message,
            filter=wanted,
            most=most,
            least=usual if min_relevance is None else min_relevance,
            budget=budget,
            source=self._own_writes(),
            day=self.told_day,
        )
        if not looking:
            self.mark_used(found.entries)
        return found

    @property
    def told_day(self) -> str:
        """The day by which it is said how long ago something was confirmed; empty where the owner
        does not want that said."""
        return self.reach.now[:10] if self.services.settings["tell_confirmed"] else ""

    @property
    def recall_budget(self) -> int:
        """How many memories one recall or pre-load brings unless asked otherwise."""
        agent = self.reach.caller.agent
        own = agent.recall_budget if agent is not None else None
        return int(own or self.services.settings["recall_budget"])

    def _own_writes(self) -> str | None:
        """Whose fresh writes are embedded before a search, so that a caller finds its own."""
        return None if self.reach.caller.agent is None else self.reach.actor

    def mark_used(self, entries: Sequence[Entry]) -> None:
        """What an agent was shown stays warm; the owner looks without a trace."""
        if self.reach.caller.agent is not None:
            self.services.usage.mark(entry.n for entry in entries)


_BROUGHT_BACK = ("content", "hook", "category", "kind", "importance", "tags")


class CallerHistory(MemoryPart):
    __slots__ = ()

    def of(self, ident: str) -> list[Change]:
        """Newest first, as far back as the caller could see it."""
        self.reach.entry(ident)
        return self.reach.changes(self.services.history.of(ident))

    def with_deleted(self, ident: str) -> tuple[Entry, list[Change]]:
        """A memory and its history, also when the caller itself put it in the trash and nobody
        touched it since: that tells it nothing it did not know. The owner knows all."""
        lines = self.services.history.of(ident)
        last = next(iter(lines), None)
        own = last is not None and last.action == "forgot" and last.actor == self.reach.actor
        entry = self.reach.entry(ident, forgotten=own)
        return entry, self.reach.changes(lines)

    def believed(self, at: Instant, wanted: EntryFilter) -> list[Entry]:
        """What there was then, as it was then, and true at the time that the filter names."""
        if self.reach.caller.agent is not None:
            raise NotAllowed("Only the owner looks at what was believed before.")
        return self.services.history.believed(at, wanted)

    def bring_back(self, ident: str, seq: int) -> Entry | KeyTaken | Proposed:
        """Make the version that change `seq` left the current one."""
        entry = self.reach.entry(ident)
        if seq not in {change.seq for change in self.of(ident)}:
            raise Invalid(
                f"Change {seq} did not make a version of {entry.key}. What was there before a "
                "correction comes back by undoing the correction."
            )
        version = next(v for v in self.services.history.versions(ident) if v.change.seq == seq)
        was = version.fields or {}
        # The version may have been elsewhere: bringing it back writes there too.
        now = self.reach.writes_now(entry.scope, Scope.of(str(was.get("scope", entry.scope))))
        actor = self.reach.actor
        if now and not self._makes_core(entry, was):
            return self.services.history.bring_back(ident, seq, actor=actor)
        if not was:
            raise Refused("That version is not kept any more: its content was compacted.")
        fields = {name: was[name] for name in _BROUGHT_BACK}
        if now:
            outcome = self.services.entries.change(ident, fields, actor=actor)
            assert isinstance(outcome, Saved)  # nothing was expected of it, and no key is set
            return outcome.entry
        return proposed_change(self, "change", entry, fields, "")

    def _makes_core(self, entry: Entry, was: Mapping[str, object]) -> bool:
        """Whether an agent would make it core again: that is counted like any such write."""
        by_agent = self.reach.caller.agent is not None
        return by_agent and was.get("category") == "core" != entry.category


class CallerHydration(MemoryPart):
    __slots__ = ()

    def hydrate(
        self,
        *,
        agent_id: str | None = None,
        standing: Standing | None = None,
        budget: int | None = None,
        message: str = "",
        policy: Mapping[str, object] | None = None,
        looking: bool = False,
        everything: bool = False,
    ) -> Hydration:
        """The agent's own start of a run; the owner, naming an agent, sees the same text and what
        was withheld. `looking` does not count as use, as the owner's never does. Of what is left
        out, the nearest have a verdict, or with `everything` all."""
        run = self._run(agent_id, standing, budget, message, policy)
        if looking or self.reach.caller.agent is None:
            return self.services.hydrator.look(run, everything=everything)
        return self.services.hydrator.hydrate(run, everything=everything)

    def hydrate_within(
        self,
        room: int | None,
        *,
        budget: int,
        policy: Mapping[str, object] | None = None,
        looking: bool = False,
    ) -> NarrowedHydration:
        """The same start of a run where it may have only `room` characters, without the verdicts
        on what is left out."""
        run = self._run(None, None, budget, "", policy)
        return self.services.hydrator.hydrate_within(run, room, looking=looking, nearest=0)

    @property
    def budget(self) -> int:
        """How many bytes the caller's hydration has unless asked otherwise."""
        agent = self.reach.caller.agent
        return self.services.hydrator.budget_of(agent) if agent is not None else 0

    def why(
        self,
        ident: str,
        *,
        agent_id: str | None = None,
        standing: Standing | None = None,
        budget: int | None = None,
        message: str = "",
        policy: Mapping[str, object] | None = None,
    ) -> Explanation:
        """Why an agent knows an entry or not, and what would change that."""
        self.reach.entry(ident)
        run = self._run(agent_id, standing, budget, message, policy)
        return self.services.why.explain(ident, run)

    def why_for_all(
        self, ident: str, trial: Run | None = None, draft: Entry | None = None
    ) -> list[AgentsView]:
        """The owner's view: every agent as a row; that of `trial` as this run has it, and `draft`
        as if it were saved."""
        if self.reach.caller.agent is not None:
            raise NotAllowed("Only the owner sees how other agents stand to a memory.")
        return self.services.why.explain_to_all(ident, trial, draft)

    def nearest_remedies(
        self, idents: Sequence[str], run: Run, draft: Entry | None = None
    ) -> dict[str, Remedy]:
        """The owner's view: the nearest single change that brings each of these into `run`."""
        if self.reach.caller.agent is not None:
            raise NotAllowed("Only the owner sees what would change what an agent is told.")
        return self.services.why.nearest_remedies(idents, run, draft)

    def _run(
        self,
        agent_id: str | None,
        standing: Standing | None,
        budget: int | None,
        message: str,
        policy: Mapping[str, object] | None,
    ) -> Run:
        standing = standing or self.reach.caller.standing
        agent = self.reach.as_agent(agent_id)
        if agent is None:
            agent = self.services.agents.read(str(agent_id))
        # The owner, too, is told when this agent may not stand there.
        reach = Reach(
            self.services.database,
            self.services.clock,
            Caller(agent, standing.workspace_id, standing.conversation_id),
        )
        return Run(agent, reach.caller.standing, budget, message, policy)


class Memory:
    """Raises ScopeDenied for a caller that says it stands where it may not."""

    def __init__(self, services: MemoryServices, caller: Caller) -> None:
        self._services = services
        reach = self.reach = Reach(services.database, services.clock, caller)
        self.caller = reach.caller
        self.entries = CallerEntries(services, reach)
        self.blocks = CallerBlocks(services, reach)
        self.core = CallerCore(services, reach)
        self.history = CallerHistory(services, reach)
        self.finding = CallerFinding(services, reach)
        self.hydration = CallerHydration(services, reach)

    def allowing_secrets(self) -> Memory:
        """The same, for an owner who was asked about a likely credential and wants it kept."""
        return Memory(self._services, replace(self.caller, allows_secrets=True))
