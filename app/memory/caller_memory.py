"""Memory as one caller has it: what it may read and write, with visibility and trust applied.

Every door (REST, MCP, CLI) goes through this one object. Reads give records, writes give outcomes:
`Saved`, `BlockSaved`, `Forgotten` and the like when it happened, `Proposed` when the caller's trust
is `review`, `Conflict` or `KeyTaken` when nothing was changed. Refusals are raised: ScopeDenied,
NotFound, NotAllowed, Invalid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.access.caller_scope import Caller, Reach
from app.entries.entries import PAGE_MOST
from app.entries.entry_writes import matches
from app.errors import Invalid, NotAllowed, Refused
from app.hydration.hydrator import Run
from app.hydration.why import AgentsView
from app.memory.caller_blocks import BlockMemory, MemoryServices
from app.outcomes import UNSET, Conflict, Expected, Forgotten, KeyTaken, Proposed, Restored, Saved
from app.recall.recall import Match
from app.recall.search import Hit
from app.review.review import payload_of
from app.rules import fields as field_rules
from app.rules.explanation import Explanation
from app.rules.hydration import Hydration
from app.rules.preload import Preload, preload
from app.rules.visibility import Place
from store.records import Change, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter, Page

__all__ = ["Caller", "Memory", "MemoryServices"]


class Memory(BlockMemory):
    """Entries, what is found and what is told; blocks are in BlockMemory."""

    # Entries

    def store(
        self, draft: EntryDraft, *, expected_updated_at: Expected = UNSET, reason: str = ""
    ) -> Saved | Conflict | Proposed:
        """Upsert by scope and key. Take the draft's scope from `reach.named`. When an agent's
        memory was made is the vault's to say."""
        draft = field_rules.clean_draft(draft)
        if self.caller.agent is not None:
            draft = replace(draft, created_at=None, written_at=None)
        if self.reach.writes_now(draft.scope):
            return self._on.entries.store(
                draft,
                actor=self.caller.actor,
                expected_updated_at=expected_updated_at,
                reason=reason,
            )
        current = self._on.entries.find(draft.scope, draft.key) if draft.key else None
        if not matches(current, expected_updated_at):
            return Conflict(current)
        payload = payload_of(draft)
        if draft.key:
            payload["expected_updated_at"] = current.updated_at if current else None
        return self._proposed("store", draft.scope, payload, current.id if current else "", reason)

    def read(self, ident: str) -> Entry:
        return self.reach.entry(ident)

    def find(self, key: str, scope: Scope | None = None) -> Entry | None:
        """The entry of that key, in the nearest scope that has one."""
        return next(iter(self.reach.entries_of_key(key, scope)), None)

    def page(
        self,
        filter: EntryFilter | None = None,
        limit: int = 50,
        cursor: str | None = None,
        order: str = "rank",
    ) -> Page:
        wanted = self.reach.limited(filter or EntryFilter())
        return self._on.entries.page(wanted, limit, cursor, order)

    def every(self, filter: EntryFilter) -> list[Entry]:
        """All of them, in the order of the list."""
        page = self.page(filter, PAGE_MOST)
        found = list(page.entries)
        while page.next is not None:
            page = self.page(filter, PAGE_MOST, page.next)
            found += page.entries
        return found

    def count(self, filter: EntryFilter | None = None) -> int:
        return self._on.entries.count(self.reach.limited(filter or EntryFilter()))

    def change(
        self,
        ident: str,
        fields: Mapping[str, object],
        *,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
    ) -> Saved | Conflict | KeyTaken | Proposed:
        entry = self.reach.entry(ident)
        clean = field_rules.clean_fields(fields)
        if self._writes_now(entry, clean):
            return self._on.entries.change(
                ident,
                clean,
                expected_updated_at=expected_updated_at,
                actor=self.caller.actor,
                reason=reason,
            )
        if not matches(entry, expected_updated_at):
            return Conflict(entry)
        return self._proposed_change("change", entry, clean, reason)

    def correct(
        self,
        ident: str,
        content: str,
        fields: Mapping[str, object] | None = None,
        *,
        expected_updated_at: Expected = UNSET,
        reason: str = "",
    ) -> Saved | Conflict | Proposed:
        """Forget what is wrong and store what is right, as one change."""
        entry = self.reach.entry(ident)
        clean = field_rules.clean_fields({**(fields or {}), "content": content})
        if self._writes_now(entry, clean):
            return self._on.corrections.correct(
                ident,
                content,
                fields=fields,
                expected_updated_at=expected_updated_at,
                reason=reason,
                actor=self.caller.actor,
            )
        if not matches(entry, expected_updated_at):
            return Conflict(entry)
        return self._proposed_change("correct", entry, clean, reason)

    def forget(self, idents: Sequence[str], *, reason: str = "") -> Forgotten | Proposed:
        """All of them or, when one is not there, none."""
        found = [self.reach.entry(ident) for ident in idents]
        if not found:
            raise Invalid("Which memory? Name at least one to forget.")
        if self.reach.writes_now(*{entry.scope for entry in found}):
            return self._on.entries.forget(idents, actor=self.caller.actor, reason=reason)
        ids: list[object] = [entry.id for entry in found]
        return self._proposed("forget", found[0].scope, {"ids": ids}, found[0].id, reason)

    def restore(
        self, ident: str, seq: int | None = None, *, key: str | None = None
    ) -> Restored | Entry | KeyTaken | Proposed:
        """Without `seq`: out of the trash (owner). With it: the version that change left."""
        if seq is None:
            if self.caller.agent is not None:
                raise NotAllowed("Only the owner takes memories out of the trash.")
            return self._on.entries.restore([ident], key=key, actor=self.caller.actor)
        entry = self.reach.entry(ident)
        if seq not in {change.seq for change in self.history(ident)}:
            raise Invalid(f"Memory {ident} has no version {seq}.")
        version = next(v for v in self._on.history.versions(ident) if v.change.seq == seq)
        was = version.fields or {}
        # The version may have been elsewhere: bringing it back writes there too.
        if self.reach.writes_now(entry.scope, Scope.of(str(was.get("scope", entry.scope)))):
            return self._on.history.bring_back(ident, seq, actor=self.caller.actor)
        if not was:
            raise Refused("That version is not kept any more: its content was compacted.")
        names = ("content", "hook", "category", "kind", "importance", "tags")
        return self._proposed_change("change", entry, {name: was[name] for name in names}, "")

    def history(self, ident: str) -> list[Change]:
        """Newest first, as far back as the caller could see it."""
        self.reach.entry(ident)
        return self.reach.changes(self._on.history.of(ident))

    # Finding

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        filter: EntryFilter | None = None,
        limit: int = 20,
    ) -> list[Hit]:
        """Entries by words and meaning, wherever the caller may read."""
        wanted = self.reach.limited(filter or EntryFilter())
        return self._on.search.search(
            query, mode=mode, filter=wanted, limit=limit, source=self._own_writes()
        )

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
        archival = [b for b in self._on.blocks.listed(wanted.scopes) if b.name == "archival"]
        matches = self._on.recall.recall(
            query,
            filter=wanted,
            blocks=archival,
            limit=self.recall_budget if limit is None else limit,
            min_score=min_score,
            source=self._own_writes(),
        )
        self._used([match.entry for match in matches if match.entry])
        return matches

    def preload(
        self, message: str, *, limit: int | None = None, budget: int | None = None
    ) -> Preload:
        """The entries that match a user's message, as ready text and as a list. Nothing for an
        agent whose long-term memory is off."""
        agent = self.caller.agent
        if not message.strip() or (agent is not None and not agent.layers.long_term):
            return Preload("", ())
        most = self.recall_budget if limit is None else limit
        wanted = self.reach.limited(EntryFilter(now=self.reach.now), self.reach.working())
        hits = self._on.search.search(
            message, filter=wanted, limit=max(most, 1), plain=True, source=self._own_writes()
        )
        found = preload([hit.entry for hit in hits], most, budget)
        self._used(found.entries)
        chosen = {entry.id for entry in found.entries}
        told = [hit for hit in hits if hit.entry.id in chosen]
        scores, whys = tuple(hit.score for hit in told), tuple(hit.why for hit in told)
        return replace(found, scores=scores, whys=whys)

    @property
    def recall_budget(self) -> int:
        """How many memories one recall or pre-load brings unless asked otherwise."""
        agent = self.caller.agent
        own = agent.recall_budget if agent is not None else None
        return int(own or self._on.settings["recall_budget"])

    # What an agent is told

    def hydrate(
        self,
        *,
        agent_id: str | None = None,
        place: Place | None = None,
        budget: int | None = None,
        message: str = "",
        policy: Mapping[str, object] | None = None,
    ) -> Hydration:
        """The agent's own start of a run; the owner, naming an agent, sees the same text and what
        was withheld."""
        run = self._run(agent_id, place, budget, message, policy)
        if self.caller.agent is None:
            return self._on.hydrator.preview(run)
        return self._on.hydrator.hydrate(run)

    def why(
        self,
        ident: str,
        *,
        agent_id: str | None = None,
        place: Place | None = None,
        budget: int | None = None,
    ) -> Explanation:
        """Why an agent knows an entry or not, and what would change that."""
        self.reach.entry(ident)
        return self._on.why.explain(ident, self._run(agent_id, place, budget, "", None))

    def why_for_all(self, ident: str) -> list[AgentsView]:
        """The owner's view: every agent as a row."""
        if self.caller.agent is not None:
            raise NotAllowed("Only the owner sees how other agents stand to a memory.")
        return self._on.why.explain_to_all(ident)

    # Core and back

    def pin(self, ident: str, *, reason: str = "") -> Saved | Proposed:
        """Make an entry core."""
        entry = self.reach.entry(ident)
        if self.reach.writes_now(entry.scope):
            return self._on.corrections.pin(ident, actor=self.caller.actor, reason=reason)
        return self._proposed("promote", entry.scope, {"key": entry.key}, ident, reason)

    def unpin(
        self, ident: str, category: str | None = None, *, reason: str = ""
    ) -> Saved | Proposed:
        """Give a core entry back the category it had, or the one named."""
        entry = self.reach.entry(ident)
        if self.reach.writes_now(entry.scope):
            return self._on.corrections.unpin(
                ident, category, actor=self.caller.actor, reason=reason
            )
        payload = {"key": entry.key, "category": category}
        return self._proposed("demote", entry.scope, payload, ident, reason)

    # Parts

    def _writes_now(self, entry: Entry, fields: Mapping[str, object]) -> bool:
        """Where the entry is, and where the fields would move it."""
        target = fields.get("scope", entry.scope)
        assert isinstance(target, Scope)
        return self.reach.writes_now(entry.scope, target)

    def _own_writes(self) -> str | None:
        """Whose fresh writes are embedded before a search, so that a caller finds its own."""
        return None if self.caller.agent is None else self.caller.actor

    def _used(self, entries: Sequence[Entry]) -> None:
        if self.caller.agent is not None:
            self._on.usage.mark(entry.n for entry in entries)

    def _run(
        self,
        agent_id: str | None,
        place: Place | None,
        budget: int | None,
        message: str,
        policy: Mapping[str, object] | None,
    ) -> Run:
        place = place or self.caller.place
        agent = self.reach.as_agent(agent_id)
        if agent is None:
            agent = self._on.agents.read(str(agent_id))
        # The owner, too, is told when this agent may not stand there.
        standing = Reach(
            self._on.database,
            self._on.clock,
            Caller(agent, place.workspace_id, place.conversation_id),
        )
        return Run(agent, standing.caller.place, budget, message, policy)

    def _proposed_change(
        self, action: str, entry: Entry, fields: Mapping[str, object], reason: str
    ) -> Proposed:
        payload: dict[str, object] = {
            "fields": {name: _plain(value) for name, value in fields.items()},
            "expected_updated_at": entry.updated_at,
            "key": entry.key,
        }
        return self._proposed(action, entry.scope, payload, entry.id, reason)


def _plain(value: object) -> object:
    if isinstance(value, Scope):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
