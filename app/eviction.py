"""Eviction: an agent over its cap loses its coldest entries, in the transaction that stored one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.rules.eviction import Warmth, cap_of, evicted
from app.settings import Settings
from app.usage import Usage
from store import entries, usage
from store.changes import Recorder
from store.database import Connection
from store.records import Agent, Scope

AgentOf = Callable[[Connection, str], Agent | None]


class Eviction:
    """Given to Entries as its `after_store`."""

    def __init__(self, settings: Settings, agent_of: AgentOf, used: Usage) -> None:
        self._settings = settings
        self._agent_of = agent_of
        self._used = used

    def __call__(self, rec: Recorder, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            if scope.kind == "agent":
                self._keep_to_cap(rec, scope)

    def _keep_to_cap(self, rec: Recorder, scope: Scope) -> None:
        cap = cap_of(self._agent_of(rec.db, scope.id), self._settings["entry_cap"])
        if cap is None or usage.count_active(rec.db, scope) <= cap:
            return
        self._used.flush_into(rec.db)
        candidates = [Warmth(*row) for row in usage.warmth(rec.db, scope, rec.now)]
        cold = [one.id for one in evicted(candidates, cap)]
        for entry in entries.read_many(rec.db, cold):
            entries.trash(rec, entry, "evicted")
