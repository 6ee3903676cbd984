"""Calls of agents of every trust through every door, made at random: nothing is read or changed
that trust forbids."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from app.access.caller_scope import Caller
from app.errors import KeepsakeError
from app.mcp.dialects import DIALECTS
from app.mcp.instructions import instructions_for
from app.mcp.requests import call_tool, noted_resource
from app.mcp.session import Seat, call_for
from app.vault import Vault
from store.records import Agent, EntryDraft, Scope
from tests.app.api.conftest import Served

USER = Scope("user")
MEMBERS = {"shop": ("direct", "review", "read_only"), "vaulted": ("other",)}
TRUST = {"direct": "direct", "review": "review", "read_only": "read_only", "other": "direct"}
SCOPES = (
    USER,
    *(Scope("agent", name) for name in TRUST),
    *(Scope("workspace", name) for name in MEMBERS),
)
RESOURCES = ("keepsake://memory", "keepsake://index", "keepsake://summary", "keepsake://entry/")


def canary(scope: Scope) -> str:
    return f"canary{scope.kind}{scope.id}zq"


@dataclass
class World:
    served: Served
    agents: dict[str, Agent]
    tokens: dict[str, str]
    clients: dict[str, httpx.Client]
    runs: dict[str, str]
    ids: list[str]
    rng: random.Random

    @property
    def vault(self) -> Vault:
        return self.served.vault

    def may_read(self, name: str) -> set[Scope]:
        own = {USER, Scope("agent", name), Scope("conversation", self.runs[name])}
        return own | {Scope("workspace", w) for w, who in MEMBERS.items() if name in who}

    def forbidden(self, name: str) -> list[str]:
        runs = [Scope("conversation", run) for run in self.runs.values()]
        return [canary(s) for s in (*SCOPES, *runs) if s not in self.may_read(name)]

    # What a call is made of

    def scope(self) -> dict[str, str]:
        scope = self.rng.choice([*SCOPES, *(Scope("conversation", r) for r in self.runs.values())])
        return {"scope": scope.kind, **({f"{scope.kind}_id": scope.id} if scope.id else {})}

    def ident(self) -> str:
        return self.rng.choice([*self.ids, *self.runs.values(), "nobody"])

    def words(self) -> str:
        picked = self.rng.choice(
            [canary(self.rng.choice(SCOPES))[:-2], "canary", "lunch", "*", "fact"]
        )
        return f"{picked} {self.rng.randrange(1000)}"

    def key(self) -> str:
        return self.rng.choice(
            ["shared", "secret", "k1", "k2", "MEMORY", f"n{self.rng.randrange(9)}"]
        )


@pytest.fixture
def world(served: Served) -> World:
    vault = served.vault
    vault.settings.set("api_rate", 0)
    vault.settings.set("proposals_per_agent", 100_000)
    agents, tokens = {}, {}
    for name, trust in TRUST.items():
        spaces = [space for space, who in MEMBERS.items() if name in who]
        agents[name], tokens[name] = vault.agents.add(name, trust=trust, workspaces=spaces)
    ids, runs = [], {}
    for name, agent in agents.items():
        writer = Caller(agent) if agent.trust != "read_only" else Caller()
        run = vault.conversations.start(writer, agent_id=name)
        runs[name] = run.id
        vault.conversations.append(
            writer, run.id, [("user", canary(Scope("conversation", run.id)))]
        )
    for scope in (*SCOPES, *(Scope("conversation", run) for run in runs.values())):
        for key in ("shared", "secret"):
            draft = EntryDraft(f"{canary(scope)} about lunch", scope, key=key, category="memory")
            ids.append(vault.entries.store(draft).entry.id)
        if scope.kind != "conversation":
            for block in ("core", "archival"):
                text = f"- {canary(scope)} is a fact"
                ids.append(
                    vault.blocks.replace(scope, block, text, expected_updated_at=None).block.id
                )
    clients = {name: served.client(token) for name, token in tokens.items()}
    return World(served, agents, tokens, clients, runs, ids, random.Random(20261117))


# The doors; each gives what the agent was told


def by_rest(world: World, name: str) -> str:
    rng, scope = world.rng, world.scope()
    body: dict[str, Any] = {"content": world.words(), "key": world.key(), **scope}
    stamp = {"expected_updated_at": None}
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/memory/entries", {"params": {**scope, "q": world.words()}}),
        ("GET", "/memory/entries", {"params": rng.choice([{}, scope])}),
        ("POST", "/memory/entries", {"json": body}),
        ("GET", f"/memory/entries/{world.ident()}", {}),
        ("PATCH", f"/memory/entries/{world.ident()}", {"json": {"content": world.words()}}),
        ("PATCH", f"/memory/entries/{world.ident()}", {"json": {**scope, "category": "core"}}),
        ("DELETE", f"/memory/entries/{world.ident()}", {}),
        ("GET", f"/memory/entries/{world.ident()}/history", {}),
        ("POST", f"/memory/entries/{world.ident()}/restore", {"json": {"seq": rng.randrange(60)}}),
        ("GET", f"/memory/entries/{world.ident()}/why", {}),
        ("POST", "/memory/search", {"json": {"query": world.words(), **rng.choice([{}, scope])}}),
        ("POST", "/memory/recall", {"json": {"query": world.words()}}),
        ("POST", "/memory/recall", {"json": {"key": world.key()}}),
        ("POST", "/memory/hydrate", {"json": {"agent_id": rng.choice(list(TRUST))}}),
        ("POST", "/memory/hydrate", {"json": {"workspace_id": rng.choice(list(MEMBERS))}}),
        ("POST", "/memory/preload", {"json": {"message": world.words()}}),
        ("GET", "/memory/blocks", {"params": {"scope": "all"}}),
        ("PUT", "/memory/blocks/core", {"json": {"content": world.words(), **stamp, **scope}}),
        (
            "PATCH",
            "/memory/blocks/core",
            {"json": {"edits": [{"oldText": "is a fact", "newText": "x"}], **scope}},
        ),
        ("GET", "/export", {"params": rng.choice([{}, scope])}),
        ("GET", "/review", {}),
        ("POST", "/wipe", {"json": {"scope": "user"}}),
        ("POST", "/erase", {"json": {"ids": [world.ident()]}}),
        ("POST", f"/changes/{rng.randrange(60)}/undo", {"json": {}}),
        ("PATCH", f"/agents/{name}", {"json": {"trust": "direct"}}),
        ("GET", "/agents", {}),
        ("GET", "/stats", {}),
    ]
    method, path, how = rng.choice(calls)
    return told(world.clients[name].request(method, path, **how))


def told(answer: httpx.Response) -> str:
    assert answer.status_code < 500, answer.text
    if answer.headers.get("content-type", "").startswith("application/zip"):
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return "\n".join(archive.read(one).decode() for one in archive.namelist())
    return answer.text


def by_conversation(world: World, name: str) -> str:
    run = world.rng.choice([*world.runs.values(), "nobody"])
    turns = {"turns": [{"role": "user", "content": world.words()}]}
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/conversations", {}),
        ("POST", "/conversations", {"json": {"title": world.words()}}),
        ("GET", f"/conversations/{run}", {}),
        ("GET", f"/conversations/{run}/turns", {}),
        ("POST", f"/conversations/{run}/turns", {"json": turns}),
        (
            "POST",
            f"/channels/{world.key()}/messages",
            {"json": {"id": world.key(), "author": "a", "text": world.words(), "addressed": False}},
        ),
    ]
    if run != world.runs[name]:  # its own it may end, and the run is wanted on
        calls += [
            ("POST", f"/conversations/{run}/end", {}),
            ("DELETE", f"/conversations/{run}", {}),
        ]
    method, path, how = world.rng.choice(calls)
    return told(world.clients[name].request(method, path, **how))


def by_mem0(world: World, name: str) -> str:
    who = {"user_id": "u", "agent_id": world.rng.choice(list(TRUST))}
    say = {"messages": [{"role": "user", "content": world.words()}], **who}
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/memories", {"params": who}),
        ("POST", "/memories", {"json": say}),
        ("POST", "/search", {"json": {"query": world.words(), **who}}),
        ("GET", f"/memories/{world.ident()}", {}),
        ("PUT", f"/memories/{world.ident()}", {"json": {"text": world.words()}}),
        ("DELETE", f"/memories/{world.ident()}", {}),
        ("GET", f"/memories/{world.ident()}/history", {}),
        ("DELETE", "/memories", {"params": who}),
    ]
    method, path, how = world.rng.choice(calls)
    return told(world.clients[name].request(method, f"{world.served.url}{path}", **how))


def by_mcp(world: World, name: str) -> str:
    rng = world.rng
    dialect = rng.choice(list(DIALECTS))
    space = rng.choice(["", *MEMBERS])
    seat = Seat(world.vault, world.tokens[name], dialect, space)
    try:
        call = call_for(seat)
        if rng.random() < 0.15:
            uri = rng.choice(RESOURCES)
            uri += world.ident() if uri.endswith("/") else ""
            return noted_resource(call, uri)[0]
        if rng.random() < 0.1:
            return instructions_for(call, "").text
    except KeepsakeError as error:
        return str(error)
    tool = rng.choice([t for t in DIALECTS[dialect].tools])
    values: dict[str, Any] = {
        param.name: _value(world, param.name) for param in tool.params if rng.random() < 0.7
    }
    answer = call_tool(seat, tool.name, values)
    assert "error in Keepsake" not in answer.text, (tool.name, values)
    seat.leave()
    return answer.text + json.dumps(answer.data, default=str)


def _value(world: World, name: str) -> Any:
    rng = world.rng
    made: dict[str, Any] = {
        "scope": rng.choice(["agent", "user", "workspace", *map(str, SCOPES)]),
        "ids": [world.ident()],
        "memory_id": world.ident(),
        "key": world.key(),
        "name": world.key(),
        "limit": rng.randrange(1, 60),
        "tags": ["t"],
        "importance": rng.randrange(1, 11),
        "category": rng.choice(["core", "memory", "workspace", "conversation", "fact"]),
        "block": rng.choice(["core", "archival", "summary"]),
        "command": rng.choice(["view", "create", "delete", "str_replace", "rename"]),
        "path": f"/memories/{world.key()}",
        "old_path": f"/memories/{world.key()}",
        "new_path": f"/memories/{world.key()}",
        "edits": [{"oldText": "is a fact", "newText": world.words()}],
        "expected_updated_at": None,
        "entities": [{"name": world.key(), "entityType": "t", "observations": [world.words()]}],
        "observations": [{"entityName": world.key(), "contents": [world.words()]}],
        "relations": [{"from": world.key(), "to": world.key(), "relationType": "r"}],
        "deletions": [{"entityName": world.key(), "observations": [world.words()]}],
        "entityNames": [world.key()],
        "names": [world.key()],
        "filter": {"category": "memory"},
        "budget_bytes": 4096,
        "memory_policy": {"archival_mode": "auto"},
        "type": "fact",
    }
    return made.get(name, world.words())


def by_import(world: World, name: str) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        head = f"---\nkey: {world.key()}\nscope: {world.rng.choice(SCOPES)}\nsource: owner\n---\n"
        archive.writestr("a.md", head + world.words())
        archive.writestr("b.md", world.words())
    how = {"params": world.scope(), "content": packed.getvalue()}
    kind = {"Content-Type": "application/zip"}
    return told(world.clients[name].post("/import", headers=kind, **how))  # type: ignore[arg-type]


def by_folder(world: World, name: str) -> str:
    """A file tool in the notes of a workspace the agent is in."""
    folder = world.vault.notes.open("shop")
    notes = [path for path in sorted(folder.glob("*.md")) if path.name != "MEMORY.md"]
    chosen = world.rng.choice([folder / f"{world.key()}.md", *notes])
    if chosen.exists() and world.rng.random() < 0.2:
        chosen.unlink()
    else:
        chosen.write_text(f"---\nscope: user\ncategory: core\n---\n{world.words()}")
    world.vault.notes.refresh("shop")
    return ""


DOORS: dict[str, tuple[Callable[[World, str], str], int]] = {
    "rest": (by_rest, 30),
    "conversations": (by_conversation, 12),
    "mem0": (by_mem0, 12),
    "mcp": (by_mcp, 36),
    "import": (by_import, 4),
    "folder": (by_folder, 6),
}


def changed_since(vault: Vault, seq: int) -> list[tuple[int, str, str, str, str]]:
    """(seq, thing, scope, scope before, actor) of every change after that one, but for wishes to
    be let into a workspace: those anybody may put before the owner who may write."""
    with vault.database.read() as db:
        rows = db.execute(
            """SELECT c.seq, c.thing, c.scope, coalesce(c.before ->> 'scope', c.scope), g.actor
                 FROM changes c JOIN change_groups g ON g.id = c.group_id
                WHERE c.seq > ? AND NOT (c.thing = 'proposal' AND EXISTS (
                      SELECT 1 FROM proposals p WHERE p.id = c.thing_id AND p.action = 'join'))
                ORDER BY c.seq""",
            (seq,),
        )
        return list(rows.fetchall())


def check_changes(world: World, name: str, door: str, rows: list[Any]) -> None:
    trust = TRUST[name]
    may = {str(scope) for scope in world.may_read(name)}
    for _, thing, scope, before, actor in rows:
        said = f"{name} ({trust}) by {door}: {thing} in {scope} by {actor}"
        assert trust != "read_only", said
        mine = scope in may or (scope.startswith("conversation:") and _owns(world, name, scope))
        assert mine, said
        assert before in may or before == scope, said
        assert actor != "owner", said
        if trust == "review":
            assert thing in ("proposal", "conversation"), said


def _owns(world: World, name: str, scope: str) -> bool:
    with world.vault.database.read() as db:
        ident = scope.partition(":")[2]
        row = db.execute("SELECT agent_id FROM conversations WHERE id = ?", (ident,)).fetchone()
    return row is not None and row[0] == name


def run(world: World, count: int) -> Counter[str]:
    made: Counter[str] = Counter()
    names, weights = list(DOORS), [weight for _, weight in DOORS.values()]
    seq = world.vault.history.last_seq()
    for _ in range(count):
        name = world.rng.choice(list(TRUST))
        door = world.rng.choices(names, weights)[0]
        if door == "folder" and name not in MEMBERS["shop"]:
            continue
        text = DOORS[door][0](world, name)
        leaked = [one for one in world.forbidden(name) if one in text]
        assert not leaked, f"{name} by {door} was told {leaked}: {text[:400]}"
        rows = changed_since(world.vault, seq)
        if door == "folder":  # two of three who work there are not trusted: whoever wrote, it waits
            assert {row[1] for row in rows} <= {"proposal"}, rows
        else:
            check_changes(world, name, door, rows)
        seq = rows[-1][0] if rows else seq
        made[f"{door} {TRUST[name]}"] += 1
    return made


def test_nothing_is_read_or_changed_that_trust_forbids(world: World) -> None:
    assert sum(run(world, 250).values()) > 200


@pytest.mark.slow
def test_of_5000_calls_none_reads_or_changes_what_trust_forbids(world: World) -> None:
    made: Counter[str] = Counter()
    while sum(made.values()) < 5000:
        made += run(world, 500)
    print(sum(made.values()), dict(sorted(made.items())))  # noqa: T201
    assert len(made) == len(DOORS) * 3
