"""Rows of the table `agents`. A token is never stored, only its hash."""

from __future__ import annotations

import dataclasses
import json

from store.file.database import Connection, Row
from store.instants import Instant, after
from store.records import Agent, Layers, Scope
from store.tables.change_log import Recorder, of_thing

_ROW_FIELDS = ("id", "name", "created_at", "updated_at", "revoked_at", "last_seen_at", "calls")
PROFILE = tuple(f.name for f in dataclasses.fields(Agent) if f.name not in _ROW_FIELDS)
_SELECT = f"SELECT {', '.join(_ROW_FIELDS)}, profile FROM agents"


def _agent(row: Row) -> Agent:
    *values, profile = row
    stored = json.loads(profile)
    stored = {name: stored[name] for name in PROFILE if name in stored}
    if "layers" in stored:
        layers = stored["layers"]
        stored["layers"] = Layers(layers["session_memory"], tuple(layers["types"]))
    for name in ("write_scopes", "workspaces"):
        if name in stored:
            stored[name] = tuple(stored[name])
    return Agent(**dict(zip(_ROW_FIELDS, values, strict=True)), **stored)


def profile_of(agent: Agent) -> dict[str, object]:
    fields: dict[str, object] = {name: getattr(agent, name) for name in PROFILE}
    layers = {"session_memory": agent.layers.session_memory, "types": list(agent.layers.types)}
    return {
        **fields,
        "layers": layers,
        "write_scopes": list(agent.write_scopes),
        "workspaces": list(agent.workspaces),
    }


def read(db: Connection, ident: str) -> Agent | None:
    row = db.execute(f"{_SELECT} WHERE id = :id", {"id": ident}).fetchone()
    return _agent(row) if row else None


def by_token(db: Connection, token_hash: bytes) -> Agent | None:
    """Looked up by the hash of a 256-bit secret: nothing about it can be learned by timing."""
    row = db.execute(f"{_SELECT} WHERE token_hash = :hash", {"hash": token_hash}).fetchone()
    return _agent(row) if row else None


def listed(db: Connection) -> list[Agent]:
    """By name, capitals or not."""
    found = [_agent(row) for row in db.execute(_SELECT).fetchall()]
    return sorted(found, key=lambda agent: (agent.name.casefold(), agent.id))


def sees_since(db: Connection, agent: Agent, scope: Scope) -> int:
    """The change since which the agent reads a scope: a workspace from when it was last let in,
    all else from when it was made. 0 when the log does not say."""
    lines = [line for line in of_thing(db, agent.id) if line.thing == "agent"]
    if scope.kind == "workspace":
        for line in lines:
            let_in = _workspaces(line.after) - _workspaces(line.before)
            if scope.id in let_in:
                return line.seq
    return next((line.seq for line in lines if line.action == "created"), 0)


def _workspaces(fields: dict[str, object] | None) -> set[str]:
    names = (fields or {}).get("workspaces")
    return set(names) if isinstance(names, list) else set()


def insert(rec: Recorder, agent: Agent, token_hash: bytes | None) -> Agent:
    """Without a token nobody comes in as this agent until it is given one."""
    agent = dataclasses.replace(agent, created_at=rec.now, updated_at=rec.now)
    rec.db.execute(
        """INSERT INTO agents (id, name, token_hash, profile, created_at, updated_at)
           VALUES (:id, :name, :hash, :profile, :now, :now)""",
        {
            "id": agent.id,
            "name": agent.name,
            "hash": token_hash,
            "profile": json.dumps(profile_of(agent), ensure_ascii=False),
            "now": rec.now,
        },
    )
    rec.add("created", "agent", agent.id, agent.scope)
    return agent


def update(rec: Recorder, agent: Agent, changed: Agent) -> Agent:
    """Replace name and profile."""
    new = dataclasses.replace(changed, updated_at=after(rec.now, agent.updated_at))
    rec.db.execute(
        """UPDATE agents SET name = :name, profile = :profile, updated_at = :at WHERE id = :id""",
        {
            "id": agent.id,
            "name": new.name,
            "profile": json.dumps(profile_of(new), ensure_ascii=False),
            "at": new.updated_at,
        },
    )
    old_fields, new_fields = profile_of(agent), profile_of(new)
    names = [name for name in new_fields if old_fields[name] != new_fields[name]]
    rec.add(
        "changed",
        "agent",
        agent.id,
        agent.scope,
        {name: old_fields[name] for name in names},
        {name: new_fields[name] for name in names},
    )
    return new


def set_token(rec: Recorder, agent: Agent, token_hash: bytes | None) -> None:
    """Another token, or none: the agent is revoked and its memory stays."""
    revoked = rec.now if token_hash is None else None
    rec.db.execute(
        """UPDATE agents SET token_hash = :hash, revoked_at = :revoked, updated_at = :at
            WHERE id = :id""",
        {
            "hash": token_hash,
            "revoked": revoked,
            "at": after(rec.now, agent.updated_at),
            "id": agent.id,
        },
    )
    rec.add(
        "changed",
        "agent",
        agent.id,
        agent.scope,
        {"revoked": agent.revoked_at is not None},
        {"revoked": revoked is not None},
    )


def seen(db: Connection, ident: str, at: Instant, calls: int) -> None:
    """Counts calls of an agent. It is no change of memory, so the change log does not record it."""
    db.execute(
        """UPDATE agents SET last_seen_at = max(coalesce(last_seen_at, ''), :at),
                             calls = calls + :calls WHERE id = :id""",
        {"id": ident, "at": at, "calls": calls},
    )


def copied(db: Connection) -> list[Row]:
    """Returns every row as it is, tokens' hashes too, for `put_back`."""
    return db.execute("SELECT * FROM agents").fetchall()


def put_back(db: Connection, rows: list[Row]) -> None:
    """Replaces all agents by these rows."""
    db.execute("DELETE FROM agents")
    for row in rows:
        db.execute(f"INSERT INTO agents VALUES ({', '.join('?' for _ in row)})", row)
