"""The vault as it was at a past moment, rebuilt by walking the change log back.

What was erased since, and what the log no longer holds, cannot be rebuilt: it is counted, never
guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.rules.visibility import is_live
from store import agents as agent_rows
from store import blocks as block_rows
from store import changes, entries
from store.database import Connection, Database
from store.entry_filter import EntryFilter, ids
from store.instants import Instant
from store.records import Agent, Block, Change, Entry, Layers, Scope

Fields = dict[str, object]


@dataclass(frozen=True, slots=True)
class Past:
    """Live entries, blocks and the agent as they were. `lost` counts things whose state of then
    is not kept any more."""

    at: Instant
    agent: Agent
    entries: tuple[Entry, ...]
    blocks: tuple[Block, ...]
    lost: int = 0


class AsOf:
    def __init__(self, database: Database) -> None:
        self._database = database

    def first(self) -> Instant | None:
        """When the log begins."""
        with self._database.read() as db:
            row = db.execute("SELECT min(at) FROM change_groups").fetchone()
        return row[0] if row else None

    def past(self, at: Instant, agent: Agent, scopes: Iterable[Scope]) -> Past:
        """What there was in `scopes` at the end of the instant `at`."""
        wanted = frozenset(scopes)
        with self._database.read() as db:
            since = _by_thing(changes.since_instant(db, at))
            then, lost_entries = _entries(db, since.get("entry", {}), wanted)
            blocks, lost_blocks = _blocks(db, since.get("block", {}), wanted)
            was = _agent(agent, since.get("agent", {}).get(agent.id, ()))
        live = tuple(entry for entry in then if entry.scope in wanted and is_live(entry, at))
        return Past(at, was, live, tuple(blocks), lost_entries + lost_blocks)


def _by_thing(lines: Iterable[Change]) -> dict[str, dict[str, list[Change]]]:
    """Changes by what they are of, newest first each."""
    found: dict[str, dict[str, list[Change]]] = {}
    for change in lines:
        found.setdefault(change.thing, {}).setdefault(change.thing_id, []).append(change)
    return found


def walked_back(current: Fields | None, lines: Iterable[Change]) -> Fields | None:
    """A thing's fields before `lines` (newest first), or None if it was not there yet.

    Raises LookupError when the log does not say."""
    state = current
    for change in lines:
        if change.action == "created":
            state = None
        elif change.compacted or change.action == "erased":
            raise LookupError(change.thing_id)
        elif change.action == "removed":
            state = dict(change.before or {})
        elif state is None:
            raise LookupError(change.thing_id)
        else:
            state = {**state, **(change.before or {})}
    return state


def _entries(
    db: Connection, touched: dict[str, list[Change]], scopes: frozenset[Scope]
) -> tuple[list[Entry], int]:
    untouched = EntryFilter(scopes=tuple(sorted(scopes)))
    found = entries.read_many(db, [one for one in ids(db, untouched) if one not in touched])
    now = {entry.id: entry for entry in entries.read_many(db, list(touched))}
    lost = 0
    for ident, lines in touched.items():
        entry = now.get(ident)
        try:
            was = walked_back(entries.as_fields(entry) if entry else None, lines)
        except LookupError:
            lost += any(line.scope in scopes for line in lines)
            continue
        if was is not None and entry is not None:
            found.append(replace(entry, **entries.from_fields(was)))  # type: ignore[arg-type]
    return found, lost


def _blocks(
    db: Connection, touched: dict[str, list[Change]], scopes: frozenset[Scope]
) -> tuple[list[Block], int]:
    now = {block.id: block for block in block_rows.of_scopes(db, sorted(scopes))}
    found = [block for block in now.values() if block.id not in touched]
    lost = 0
    for ident, lines in touched.items():
        if not any(line.scope in scopes for line in lines):
            continue
        block = now.get(ident)
        try:
            was = walked_back(block_rows.as_fields(block) if block else None, lines)
        except LookupError:
            lost += 1
            continue
        if was is not None:
            found.append(_block(ident, was))
    return found, lost


def _block(ident: str, was: Fields) -> Block:
    at = str(was["created_at"])
    return Block(
        ident, Scope.of(str(was["scope"])), str(was["name"]), str(was["content"]),
        str(was["source"]), at, at, b"",
    )  # fmt: skip


def _agent(agent: Agent, lines: Iterable[Change]) -> Agent:
    """The agent's profile of then; one made later is taken as it is now."""
    return replace(agent, **dict(_profile(agent, lines)))  # type: ignore[arg-type]


def _profile(agent: Agent, lines: Iterable[Change]) -> Iterator[tuple[str, object]]:
    fields: Fields = {}
    for change in lines:
        fields |= change.before or {}
    known = agent_rows.profile_of(agent)
    for name, value in fields.items():
        if name == "layers" and isinstance(value, dict):
            yield name, Layers(bool(value["session_memory"]), tuple(value["types"]))
        elif name in known:
            yield name, tuple(value) if isinstance(value, list) else value
