"""Reach: the scopes a caller may name, the entries it may see, and whether it may write them.

The rules of visibility and trust are applied to the store here and nowhere else. The owner may
reach everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.errors import Invalid, NotAllowed, NotFound
from app.rules.fields import clean_filter, parse_scope, scope_kind_of, scope_of
from app.rules.visibility import (
    Standing,
    admit,
    denied,
    hearing_of,
    is_live,
    may_read,
    muted_by,
    readable_scopes,
    working_scopes,
)
from store.file.database import Connection, Database
from store.instants import Clock, Instant, to_instant
from store.records import ACTIVE, OWNER, USER, Agent, Change, Entry, Hearing, Scope
from store.tables import agents, conversations, entries, entry_candidates, settings
from store.tables.entry_filter import EntryFilter


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the owner (`agent` None) or an agent, working in a workspace, in a run. `folder`
    names a folder whose files say it, where nobody knows whose hand it was: it has the trust of
    `agent`, and a name of its own. `allows_secrets`: the owner was asked about a likely credential
    and wants it kept."""

    agent: Agent | None = None
    workspace_id: str = ""
    conversation_id: str = ""
    folder: str = ""
    allows_secrets: bool = False

    @property
    def is_owner(self) -> bool:
        """Whether the owner's own hand writes."""
        return self.agent is None and not self.folder

    @property
    def actor(self) -> str:
        """As it stands in the change log and as the source of what it writes."""
        if self.folder:
            return f"folder:{self.folder}"
        return OWNER if self.agent is None else f"agent:{self.agent.id}"

    @property
    def name(self) -> str:
        """Under which its proposals stand in the inbox."""
        return self.actor if self.agent is None else self.agent.id

    @property
    def standing(self) -> Standing:
        return Standing(self.workspace_id, self.conversation_id)


class Home(NamedTuple):
    """Where an entry is stored; `elsewhere` is where the caller may hold the same key, because
    another category had put it there."""

    scope: Scope
    elsewhere: tuple[Scope, ...] = ()


class Reach:
    """Raises ScopeDenied for a caller that says it stands where it may not."""

    def __init__(self, database: Database, clock: Clock, caller: Caller) -> None:
        self._database = database
        self._clock = clock
        self.caller = caller
        self.actor, self.is_owner = caller.actor, caller.is_owner
        self._hearing: Hearing | None = None
        self._sight: _Sight | None = None
        if caller.agent is not None:
            if caller.workspace_id:
                self.readable(Scope("workspace", caller.workspace_id))
            if caller.conversation_id:
                run = self.run(caller.conversation_id)
                self.readable(Scope("conversation", run))
                self.caller = replace(caller, conversation_id=run)

    @property
    def now(self) -> Instant:
        return to_instant(self._clock())

    # Scopes

    def named(
        self,
        scope: Scope | str | None,
        *,
        agent_id: str = "",
        workspace_id: str = "",
        conversation_id: str = "",
        default: Scope | None = None,
    ) -> Scope:
        """The readable scope a request names: `agent` alone is the caller's own, `workspace` and
        `conversation` alone are where it stands, `agent:claude` says all. None is `default`, else
        an agent's own scope and the owner's `user`. Raises Invalid for an id that is not of that
        scope: it would be ignored."""
        given = {"agent": agent_id, "workspace": workspace_id, "conversation": conversation_id}
        if scope is None or scope == "":
            agent = self.caller.agent
            wanted = default or (USER if agent is None else agent.scope)
        elif isinstance(scope, Scope):
            wanted = scope
        elif ":" in scope:
            wanted = parse_scope(scope)
            if wanted.kind == "conversation":
                wanted = Scope(wanted.kind, self.run(wanted.id))
        else:
            wanted = self._named_by_kind(scope, given)
        for kind, ident in given.items():
            if ident and kind != wanted.kind:
                raise Invalid(
                    f"{kind}_id would be ignored, since this is about the scope {wanted}. "
                    f"Leave it out, or send the scope {kind}."
                )
        return self.readable(wanted)

    def _named_by_kind(self, kind: str, given: Mapping[str, str]) -> Scope:
        ids = {
            "agent": given["agent"] or (self.caller.agent.id if self.caller.agent else ""),
            "workspace": given["workspace"] or self.caller.workspace_id,
            "conversation": self.run(given["conversation"]) or self.caller.conversation_id,
        }
        if kind in ids and not ids[kind]:
            raise Invalid(f"Which {kind}? Send {kind}_id.")
        return scope_of(kind, ids.get(kind, ""))

    def home(
        self,
        category: str | None,
        scope: str | None = None,
        *,
        agent_id: str = "",
        workspace_id: str = "",
        conversation_id: str = "",
    ) -> Home:
        """Where a memory of that category is stored. Unless a scope is named the category says:
        the workspace where the caller works, its run, else its default. Raises Invalid where there
        is none, and for an id that would be ignored."""
        ids = {"agent": agent_id, "workspace": workspace_id, "conversation": conversation_id}
        kind = None if scope else scope_kind_of(category)
        standing = self.caller.standing
        if kind and not (ids[kind] or getattr(standing, f"{kind}_id")):
            raise Invalid(
                f"Which {kind}? A memory of the category {kind} belongs to one, and none is named: "
                f"send {kind}_id, or the scope {kind}:<id>."
            )
        target = self.named(
            scope or kind,
            agent_id=agent_id,
            workspace_id=workspace_id,
            conversation_id=conversation_id,
        )
        return Home(target, () if scope else self._other_homes(target))

    def _other_homes(self, target: Scope) -> tuple[Scope, ...]:
        """Where categories put the caller's memories, but for one scope; nearest first, and only
        where it may write."""
        agent, standing = self.caller.agent, self.caller.standing
        homes = [
            Scope("conversation", standing.conversation_id),
            USER if agent is None else agent.scope,
            Scope("workspace", standing.workspace_id),
        ]
        return tuple(
            home
            for home in homes
            if home != target
            and (home.id or home == USER)
            and (agent is None or home.kind in agent.write_scopes)
        )

    def run(self, ident: str) -> str:
        """The id of the agent's own run that it calls `ident`; else `ident` itself."""
        agent = self.caller.agent
        if agent is None or not ident:
            return ident
        with self._database.read() as db:
            return conversations.own_id(db, agent.id, ident) or ident

    def readable(self, scope: Scope) -> Scope:
        """`scope`, or ScopeDenied in the same words whether it exists or not."""
        agent = self.caller.agent
        if agent is not None and not may_read(agent, scope, self._own(scope)):
            raise denied(agent, scope)
        return scope

    def writes_now(self, *scopes: Scope) -> bool:
        """True: write. False: propose. Raises ScopeDenied or NotAllowed."""
        agent = self.caller.agent
        if agent is None:
            return True
        return all([admit(agent, scope, self._own(scope)) for scope in scopes])

    def working(self) -> tuple[Scope, ...] | None:
        """What hydration and recall draw from; None is everything (the owner)."""
        agent = self.caller.agent
        return None if agent is None else working_scopes(agent, self.caller.standing)

    def reading(self) -> tuple[Scope, ...] | None:
        """What lists and searches draw from; None is everything (the owner)."""
        agent = self.caller.agent
        if agent is None:
            return None
        run = self.caller.conversation_id
        return readable_scopes(agent, (run,) if run else ())

    # Entries

    def limited(self, wanted: EntryFilter, base: Sequence[Scope] | None = None) -> EntryFilter:
        """`wanted` within the caller's sight. Naming a foreign scope is denied, not ignored."""
        if wanted.categories or wanted.kinds or wanted.tags:
            wanted = clean_filter(wanted)
        agent = self.caller.agent
        if agent is None:
            return wanted
        if wanted.state != ACTIVE:
            raise NotAllowed("Only the owner looks into the trash.")
        if wanted.scopes is None:
            scopes = tuple(base if base is not None else self.reading() or ())
        else:
            scopes = tuple(self.readable(scope) for scope in wanted.scopes)
        if wanted.scope_kinds:
            scopes = tuple(scope for scope in scopes if scope.kind in wanted.scope_kinds)
        return replace(
            wanted, scopes=scopes, scope_kinds=(), now=self.now, hearing=self._heard(wanted.hearing)
        )

    def hearing(self) -> Hearing | None:
        """What the calling agent is told, and of what time; None: all of it (the owner)."""
        agent = self.caller.agent
        if agent is None:
            return None
        if self._hearing is None:
            with self._database.read() as db:
                muted = settings.text(db, "muted_tags")
            self._hearing = hearing_of(agent, muted, self.now)
        return replace(self._hearing, true_at=self.now)

    def _heard(self, wanted: Hearing | None) -> Hearing | None:
        """The agent's own hearing, of the times that a filter names if it names some."""
        own = self.hearing()
        if own is None or wanted is None or wanted.true_at is None:
            return own
        return replace(own, true_at=wanted.true_at, spans=wanted.spans)

    def entry(self, ident: str, *, forgotten: bool = False) -> Entry:
        """Raises NotFound for what is not there and for what the caller may not know of.
        `forgotten`: it may know of it in the trash, too."""
        with self._database.read() as db:
            found = entries.read(db, ident)
            if found is None or not self._sees(db, found, forgotten):
                raise NotFound(f"There is no memory {ident!r}.")
            return found

    def entries(self, idents: Sequence[str]) -> list[Entry]:
        """Those of `idents` that are there and that the caller may know of."""
        with self._database.read() as db:
            return [one for one in entries.read_many(db, idents) if self._sees(db, one)]

    def knows(self, entry: Entry) -> bool:
        """Whether the caller may know of it."""
        with self._database.read() as db:
            return self._sees(db, entry)

    def is_muted(self, entry: Entry) -> bool:
        """Whether the caller is never told it, wherever it is: also in the trash."""
        hearing = self.hearing()
        return hearing is not None and bool(muted_by(entry, hearing))

    def was_muted(self, change: Change) -> bool:
        """Whether the caller was never to be told what a change found."""
        hearing = self.hearing()
        return hearing is not None and _was_muted(change, hearing)

    def anything_muted(self) -> bool:
        """Whether there may be something that the caller is never told."""
        hearing = self.hearing()
        if hearing is None:
            return False
        with self._database.read() as db:
            return bool(hearing.muted_tags) or entries.any_muted(db)

    def entries_of_key(self, key: str, scope: Scope | None) -> list[Entry]:
        """Live entries of that key, nearest scope first: the run's, the agent's, the workspace's,
        the user's."""
        scopes = self.working() if scope is None else (self.readable(scope),)
        key = " ".join(key.split())  # as it is stored
        with self._database.read() as db:
            found = entry_candidates.ids_of_key(db, key, scopes)
            seen = [entry for entry in entries.read_many(db, found) if self._sees(db, entry)]
        nearest = ("conversation", "agent", "workspace", "user")
        return sorted(seen, key=lambda entry: (nearest.index(entry.scope.kind), entry.id))

    def changes(self, lines: Iterable[Change]) -> list[Change]:
        """An entry's history (newest first) as far as the caller may know it: from the moment it
        came into sight, nothing older. What it said at that moment is the oldest version."""
        agent = self.caller.agent
        if agent is None:
            return list(lines)
        known = []
        hearing = self.hearing() or Hearing(())
        for change in lines:
            came_from = Scope.of(str((change.before or {}).get("scope", change.scope)))
            if not self._may_read(agent, change.scope):
                break
            if _was_muted(change, hearing):
                known.append(replace(change, before=None))
                break
            seen = self.saw(change, came_from) and self.saw(change)
            if not (self._may_read(agent, came_from) and seen):
                known.append(replace(change, before=None))
                break
            known.append(change)
        return known

    def saw(self, change: Change, scope: Scope | None = None) -> bool:
        """Whether the caller saw that scope, or the change's own, when the change was made."""
        agent = self.caller.agent
        if agent is None:
            return True
        if self._sight is None:
            self._sight = _Sight(self._database, agent)
        return self._sight.had(change, scope or change.scope)

    def as_agent(self, agent_id: str | None) -> Agent | None:
        """The agent a request is about, if it is the caller itself or names nobody."""
        agent = self.caller.agent
        if agent is not None and agent_id not in (None, "", agent.id):
            raise denied(agent, Scope("agent", str(agent_id)))
        if agent is None and not agent_id:
            raise Invalid("Which agent? The owner names one with agent_id.")
        return agent

    # Parts

    def _sees(self, db: Connection, entry: Entry, forgotten: bool = False) -> bool:
        agent = self.caller.agent
        if agent is None:
            return True
        own = (
            entry.scope.kind == "conversation"
            and entry_candidates.conversation_agent(db, entry.scope.id) == agent.id
        )
        if self.is_muted(entry):
            return False
        return may_read(agent, entry.scope, own) and (forgotten or is_live(entry, self.now))

    def _may_read(self, agent: Agent, scope: Scope) -> bool:
        return may_read(agent, scope, self._own(scope))

    def _own(self, scope: Scope) -> bool:
        """Whether a run is the calling agent's."""
        agent = self.caller.agent
        if agent is None or scope.kind != "conversation":
            return False
        with self._database.read() as db:
            return entry_candidates.conversation_agent(db, scope.id) == agent.id


def _was_muted(change: Change, hearing: Hearing) -> bool:
    before = change.before or {}

    def among(field: str, names: Iterable[str]) -> bool:
        held = before.get(field)
        return isinstance(held, list) and not set(names).isdisjoint(held)

    return among("muted_for", hearing.names or ()) or among("tags", hearing.muted_tags)


class _Sight:
    """Since when one agent sees each scope, looked up once."""

    def __init__(self, database: Database, agent: Agent) -> None:
        self._database = database
        self._agent = agent
        self._since: dict[Scope, int] = {}

    def had(self, change: Change, scope: Scope) -> bool:
        """Whether the agent saw that scope when the change was made."""
        if scope not in self._since:
            with self._database.read() as db:
                self._since[scope] = agents.sees_since(db, self._agent, scope)
        since = self._since[scope]
        # The numbers of the log come first: a clock may have been set back in between.
        return change.seq > since if since else change.at >= self._agent.created_at
