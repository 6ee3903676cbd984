"""What mem0's calls do to a vault.

`run_id` names a conversation's memory, `agent_id` an agent's, else it is in scope `user`: the
narrowest one given decides where a memory is. A vault has one owner, so `user_id` is kept with the
entry, and one user's memories are never found as another's; what carries none is the owner's own,
whose id is `owner`. A run that an agent makes up is its own: it is started when the agent first
keeps something in it, and read as empty before. What a message says is kept in its own words, as an
entry of category `memory`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from app.api.mem0.filters import IDS, OWNER_ID, Condition, Facts, facts_of, own_word, read_filters
from app.api.middleware import Visit
from app.api.responses import conflict_of
from app.errors import Invalid, NotFound, NotUnderstood
from app.memory.memory import Memory
from app.outcomes import Conflict, KeyTaken, Proposed, Saved
from app.recall.search import Hit
from app.rules.visibility import is_live
from app.text.days import day_of, next_day, start_of, time_named
from store.instants import Instant, from_instant, plus, to_instant
from store.records import ACTIVE, Change, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

TYPES = {"user": "user_id", "agent": "agent_id", "run": "run_id"}
EVENTS = {"created": "ADD", "forgot": "DELETE", "pruned": "DELETE", "erased": "DELETE"}


@dataclass(frozen=True, slots=True)
class Mem0Selection:
    """Entries that pass the filter and, if there is one, the condition."""

    filter: EntryFilter
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class Mem0Entity:
    """Somebody whose memories there are."""

    type: str
    name: str
    memories: int
    first: Instant
    latest: Instant


class Mem0Memories:
    """One caller's memory in mem0's words."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._memory: Memory = visit.memory()
        self._agent = visit.caller.agent.id if visit.caller.agent else ""

    # Writing

    def add(
        self,
        contents: Sequence[str],
        ids: Mapping[str, str],
        metadata: Mapping[str, object] | None,
        expires: str | None,
        timestamp: int | None,
    ) -> list[Saved | Proposed]:
        """Each as an entry of its own."""
        if timestamp is not None and self._agent:
            raise NotUnderstood(
                "timestamp is taken with the owner's token only: when an agent's memory was made "
                "is the vault's to say."
            )
        said_at = None if timestamp is None else datetime.fromtimestamp(timestamp, UTC)
        draft = EntryDraft(
            content="",
            scope=self._scope_to_write(ids),
            category="memory",
            extra=json.dumps({**_own_metadata(metadata), **_marks(ids)}),
            expires_at=None if expires is None else _end_of(expires),
            created_at=None if said_at is None else to_instant(said_at),
        )
        outcomes: list[Saved | Proposed] = []
        for content in contents:
            outcome = self._memory.entries.store(replace(draft, content=content))
            if isinstance(outcome, Conflict):
                raise conflict_of(outcome)
            if isinstance(outcome, Saved):
                self._visit.note_shown([outcome.entry.id])
            outcomes.append(outcome)
        return outcomes

    def change(self, entry: Entry, given: Mapping[str, Any]) -> Entry | None:
        """Only what is given; None when it waits for the owner's review."""
        fields: dict[str, object] = {}
        text = given.get("text") or given.get("data") or given.get("memory")
        if text is not None:
            fields["content"] = text
        if given.get("metadata") is not None:
            marks = {name: value for name, value in json.loads(entry.extra).items() if name in IDS}
            fields["extra"] = json.dumps({**_own_metadata(given["metadata"]), **marks})
        if "expiration_date" in given:
            day = given["expiration_date"]
            fields["expires_at"] = None if day is None else _end_of(day)
        if not fields:
            raise Invalid("Send the new text as `text`.")
        self._visit.note_shown([entry.id])
        outcome = self._memory.entries.change(entry.id, fields)
        if isinstance(outcome, Conflict | KeyTaken):
            raise conflict_of(outcome)
        return outcome.entry if isinstance(outcome, Saved) else None

    def forget(self, entries: Iterable[Entry]) -> bool:
        """All at once. False: it waits for the owner's review."""
        idents = [entry.id for entry in entries]
        self._visit.note_shown(idents)
        return not (idents and isinstance(self._memory.entries.forget(idents), Proposed))

    # Reading

    def read(self, ident: str, ids: Mapping[str, str]) -> Entry:
        """One memory, as long as it is that user's, agent's or run's where one is named."""
        entry = self._memory.entries.read(ident)
        if entry.state != ACTIVE or not is_live(entry, self._memory.reach.now):
            raise _missing(ident)
        self._check_whose(entry, ids)
        self._visit.note_shown([entry.id])
        return entry

    def every(
        self, ids: Mapping[str, str], filters: Mapping[str, Any] | None = None
    ) -> list[Entry]:
        """Those that all of it fits, the newest first."""
        found = self._matching(self._selection(ids, filters))
        return sorted(found, key=lambda entry: (entry.written_at, entry.n), reverse=True)

    def newest(self, ids: Mapping[str, str], most: int) -> list[Entry]:
        selection = self._selection(ids, None)
        if selection.condition is not None:
            return self.every(ids)[:most]
        return self._memory.entries.page(selection.filter, most, order="newest").entries

    def search(
        self,
        query: str,
        ids: Mapping[str, str],
        filters: Mapping[str, Any] | None,
        most: int,
        threshold: float | None,
    ) -> list[Hit]:
        self._visit.asked = query
        selection = self._selection(ids, filters)
        within = selection.filter
        if selection.condition is not None:
            within = replace(within, ids=tuple(entry.id for entry in self._matching(selection)))
        hits = self._memory.finding.search(query, filter=within, limit=most)
        return [hit for hit in hits if threshold is None or hit.score >= threshold]

    def history(self, ident: str, ids: Mapping[str, str]) -> tuple[Entry, list[Change]]:
        """What happened, newest first; also to a memory that the caller itself deleted."""
        entry, changes = self._memory.history.with_deleted(ident)
        self._check_whose(entry, ids)
        self._visit.note_shown([entry.id])
        return entry, changes

    def entities(self) -> list[Mem0Entity]:
        """Whose memories the caller sees, users first."""
        spans: dict[tuple[str, str], list[Entry]] = {}
        for entry in self._memory.entries.every(EntryFilter(now=self._memory.reach.now)):
            row = self.row(entry)
            for type_, name in TYPES.items():
                if row[name] is not None:
                    spans.setdefault((type_, row[name]), []).append(entry)
        order = list(TYPES)
        return [
            Mem0Entity(
                type_,
                name,
                len(entries),
                min(entry.created_at for entry in entries),
                max(entry.updated_at for entry in entries),
            )
            for (type_, name), entries in sorted(
                spans.items(), key=lambda one: (order.index(one[0][0]), one[0][1])
            )
        ]

    def row(self, entry: Entry) -> dict[str, Any]:
        """An entry as mem0 shows a memory."""
        facts = self._facts(entry)
        user = facts["user_id"]
        return {
            "id": entry.id,
            "memory": entry.content,
            "hash": entry.digest.hex(),
            "metadata": facts["metadata"] or None,
            "created_at": entry.created_at,
            "updated_at": entry.updated_at,
            "expiration_date": _last_day(entry.expires_at),
            "user_id": user if entry.scope.kind == "user" or user != OWNER_ID else None,
            "agent_id": facts["agent_id"],
            "run_id": facts["run_id"],
        }

    # Whose

    def _facts(self, entry: Entry) -> Facts:
        return facts_of(entry, self._agent)

    def _check_whose(self, entry: Entry, ids: Mapping[str, str]) -> None:
        facts = self._facts(entry)
        for name, value in ids.items():
            if facts[name] != (own_word(value, self._agent) if name == "run_id" else value):
                raise _missing(entry.id)

    def _scope_to_write(self, ids: Mapping[str, str]) -> Scope:
        if not ids:
            raise Invalid("At least one of user_id, agent_id and run_id is needed.")
        if "run_id" in ids and self._agent:
            if "agent_id" in ids:
                self._memory.reach.named("agent", agent_id=ids["agent_id"])
            started = self._visit.vault.conversations.start(
                self._visit.caller, ident=own_word(ids["run_id"], self._agent)
            )
            return started.scope
        return self._scope(ids) or self._memory.reach.named("user")

    def _scope(self, ids: Mapping[str, str]) -> Scope | None:
        """Where such a memory is; None for a user's, who may be named in any scope."""
        reach = self._memory.reach
        if "run_id" in ids:
            return reach.named("conversation", conversation_id=ids["run_id"])
        if "agent_id" in ids:
            return reach.named("agent", agent_id=ids["agent_id"])
        return reach.named("user") if ids.get("user_id") == OWNER_ID else None

    def _selection(
        self, ids: Mapping[str, str], filters: Mapping[str, Any] | None
    ) -> Mem0Selection:
        asked = read_filters(filters)
        differing = [name for name, value in asked.ids.items() if ids.get(name, value) != value]
        if differing:
            raise NotUnderstood(f"{differing[0]} is one in filters and another beside them.")
        ids = checked({**ids, **asked.ids})
        user = ids.get("user_id")
        conditions = [asked.condition] if asked.condition else []
        if "run_id" in ids and "agent_id" in ids:
            agents = (None, ids["agent_id"])
            conditions.append(lambda facts: facts["agent_id"] in agents)
        if self._not_begun(ids):
            nothing = EntryFilter(ids=(), now=self._memory.reach.now)
            return Mem0Selection(nothing, None)
        scope = self._scope(ids)
        return Mem0Selection(
            EntryFilter(
                scopes=(scope,) if scope else None,
                now=self._memory.reach.now,
                extra=(("user_id", None if user == OWNER_ID else user),) if user else (),
            ),
            (lambda facts: all(fits(facts) for fits in conditions)) if conditions else None,
        )

    def _not_begun(self, ids: Mapping[str, str]) -> bool:
        """Whether a run is named by an agent's own word that it has not used yet. Another's run is
        none of its own either, and is told apart by nothing."""
        if not self._agent or "run_id" not in ids:
            return False
        try:
            self._visit.vault.conversations.read(self._visit.caller, ids["run_id"])
        except NotFound:
            return True
        return False

    def _matching(self, selection: Mem0Selection) -> list[Entry]:
        """Every entry that the selection lets through."""
        found = self._memory.entries.every(selection.filter)
        fits = selection.condition
        return found if fits is None else [entry for entry in found if fits(self._facts(entry))]


def checked(ids: Mapping[str, str | None]) -> dict[str, str]:
    """The ids that are given. Raises NotUnderstood for one that is not meant so here."""
    if ids.get("app_id"):
        raise NotUnderstood("There is no app_id here: send user_id, agent_id or run_id.")
    given = {name: value for name in IDS if (value := ids.get(name))}
    every = [name for name, value in given.items() if value == "*"]
    if every:
        raise NotUnderstood(f'{every[0]}: "*" is for filters; name one here.')
    return given


def happened(entry: Entry, changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Its changes, oldest first, each with what it put in place of what: the text now, walked
    back."""
    rows: list[dict[str, Any]] = []
    text: str | None = entry.content
    for change in changes:
        event = EVENTS.get(change.action, "UPDATE")
        logged = (change.before or {}).get("content", text)
        before = None if logged is None else str(logged)
        rows.append(
            {
                "id": str(change.seq),
                "memory_id": entry.id,
                "old_memory": None if event == "ADD" else before,
                "new_memory": None if event == "DELETE" else text,
                "event": event,
                "created_at": entry.created_at,
                "updated_at": change.at,
                "is_deleted": event == "DELETE",
                "actor_id": change.actor,
                "user_id": facts_of(entry)["user_id"],
                "input": [],
            }
        )
        text = before
    return rows[::-1]


def between(start: str | None, end: str | None, now: Instant) -> list[dict[str, Any]]:
    """Conditions for what was made from the day `start` to the day `end`, both included."""
    conditions: list[dict[str, Any]] = []
    try:
        if start is not None:
            conditions.append({"created_at": {"gte": time_named(start, from_instant(now))}})
        if end is not None:
            last = (
                _end_of(end)
                if len(end) == len("2026-05-15")
                else time_named(end, from_instant(now))
            )
            conditions.append({"created_at": {"lt": last}})
    except ValueError as error:
        raise NotUnderstood(f"start_date, end_date: {error}.") from error
    return conditions


def _own_metadata(given: Mapping[str, object] | None) -> dict[str, object]:
    named = sorted(set(given or ()) & set(IDS))
    if named:
        raise NotUnderstood(f"Send {named[0]} beside metadata, not in it.")
    return dict(given or {})


def _marks(ids: Mapping[str, str]) -> dict[str, str]:
    """What is kept with an entry because its scope does not say it."""
    marks = {}
    if ids.get("user_id", OWNER_ID) != OWNER_ID:
        marks["user_id"] = ids["user_id"]
    if "run_id" in ids and "agent_id" in ids:
        marks["agent_id"] = ids["agent_id"]
    return marks


def _missing(ident: str) -> NotFound:
    return NotFound(f"There is no memory {ident!r}.")


def _end_of(day: str) -> Instant:
    """The first moment after `day`: on the day itself the memory is still told."""
    try:
        return start_of(next_day(date.fromisoformat(day)))
    except ValueError as error:
        raise NotUnderstood(f"{day} is no day: {error}.") from error


def _last_day(expires_at: Instant | None) -> str | None:
    if expires_at is None:
        return None
    return day_of(from_instant(plus(expires_at, microseconds=-1))).isoformat()
