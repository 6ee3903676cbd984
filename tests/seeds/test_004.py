"""Blocks with compare-and-set, a policy for each run, and archival recall."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import keepsake_client
import pytest

from tests.seeds.conftest import OWNER_TOKEN, World
from tests.seeds.rows import rows

ARCHIVAL = "\n".join(
    (
        "Acme renewal: CFO wants pricing options before the May 12 exec review.",
        "Globex implementation: legal approved the DPA on 2026-04-18.",
        "The office plants are watered on Mondays.",
    )
)
POLICY: dict[str, Any] = {
    "archival_mode": "tool_only",
    "archival_limit": 10,
    "archival_min_score": None,
    "include_user_core": True,
    "include_agent_core": True,
}


def put(rest: httpx.Client, name: str, content: str, **where: str) -> httpx.Response:
    """Create a block, or replace the one that is there."""
    url = f"/memory/blocks/{name}"
    now = rest.get(url, params=where)
    seen = now.json()["updated_at"] if now.status_code == 200 else None
    body = {"content": content, "expected_updated_at": seen}
    return rest.put(url, params=where, json=body)


@contextmanager
def blocks(world: World, **profile: object) -> Iterator[tuple[str, str, httpx.Client]]:
    """An agent with core and archival blocks of its own and the user's."""
    agent_id, token = world.agent(dialect="blocks", **profile)
    rest = world.rest(token)
    assert put(rest, "core", "- Prefers concise account summaries").status_code in (200, 201)
    assert put(rest, "core", "- Only for emails", scope="agent").status_code == 201
    assert put(rest, "archival", ARCHIVAL, scope="agent").status_code == 201
    yield agent_id, token, rest


@rows(181, 182, 189, 190)
def test_core_is_in_every_request_and_archival_is_not(world: World) -> None:
    with blocks(world) as (agent_id, token, _):
        told = world.hydrate(token)["text"]
        shown = world.cli("hydrate", "--agent", agent_id, "--text")
        with world.mcp(token) as agent:
            given = agent.instructions
        with world.mcp(token, "?dialect=standard") as agent:
            asked = agent.text("memory_hydrate")
        for text in (told, shown, given, asked):
            assert "Prefers concise account summaries" in text
            assert "Only for emails" in text
            assert "Acme renewal" not in text


@rows(183, 185)
def test_blocks_have_their_limits(world: World) -> None:
    _, token = world.agent(dialect="blocks")
    rest = world.rest(token)
    for name, most in (("core", 4_000), ("archival", 8_000)):
        large = put(rest, name, "x" * (most + 1), scope="agent")
        assert (large.status_code, large.json()["code"]) == (413, "MEM-006")
        assert put(rest, name, "x" * most, scope="agent").status_code == 201
    many = "\n".join(f"- item {number}" for number in range(21))
    assert put(rest, "core", many, scope="agent").status_code == 413
    with world.mcp(token) as agent:
        for name, most in (("core", 4_001), ("archival", 8_001)):
            said = agent.refused(
                "update_memory", block=name, content="x" * most, expected_updated_at=None
            )
            assert "MEM-006" in said


@rows(186, 187, 188, 209)
def test_blocks_are_replaced_whole_and_belong_to_user_or_agent(world: World) -> None:
    other_id, _ = world.agent()
    with blocks(world) as (agent_id, token, rest):
        assert put(rest, "core", "- All new", scope="agent").json()["content"] == "- All new"
        foreign = rest.get(f"/memory/blocks/core?scope=agent&agent_id={other_id}")
        assert (foreign.status_code, foreign.json()["code"]) == (403, "MEM-001")
        listed = rest.get("/memory/blocks?scope=all").json()["blocks"]
        assert {(one["name"], one["scope"]) for one in listed} >= {
            ("core", "user"),
            ("core", "agent"),
            ("archival", "agent"),
        }
        assert [one["name"] for one in rest.get("/memory/blocks").json()["blocks"]] != []
        own = world.rest().get(f"/memory/blocks/core?scope=agent&agent_id={agent_id}")
        assert own.json()["content"] == "- All new"
        ignored = world.rest().get("/memory/blocks/core", params={"agent_id": agent_id})
        assert ignored.status_code == 422
        with world.mcp(token) as agent:
            scope = agent.tools()["update_memory"].input_schema["properties"]["scope"]
            assert scope["enum"][:2] == ["user", "agent"]
            assert "only when you are asked" not in scope["description"]


@rows(191, 192, 196, 200, 201, 202, 203)
def test_the_policy_of_a_run_says_what_is_loaded(world: World) -> None:
    with blocks(world) as (agent_id, token, rest):

        def told(**policy: object) -> str:
            wanted = {"message": "the Acme renewal", "memory_policy": {**POLICY, **policy}}
            return str(world.hydrate(token, **wanted)["text"])

        assert "Acme renewal" not in told()
        assert "[reminders for this message]" in told(archival_mode="auto")
        assert told(archival_mode="auto").count("renewal: CFO") == 1
        one = told(archival_mode="auto", archival_limit=1)
        assert "Acme renewal" in one
        assert "Globex" not in one
        near = told(archival_mode="auto", archival_min_score=0.5)
        assert "Acme renewal" in near
        assert "plants" not in near
        off = told(archival_mode="off")
        assert "Acme renewal" not in off
        assert "Prefers concise" in off
        recalled = rest.post("/memory/recall", json={"query": "Acme renewal"}).json()["matches"]
        assert recalled[0]["type"] == "archival"
        assert "Only for emails" not in told(include_agent_core=False)
        assert "Prefers concise" not in told(include_user_core=False)
        unknown = {"memory_policy": {"archival": True}}
        assert rest.post("/memory/hydrate", json=unknown).status_code == 422
        world.vault.agents.change(agent_id, {"archival_mode": "auto"})
        with world.mcp(token) as agent:
            assert "Acme renewal" in agent.text("memory_hydrate", message="the Acme renewal")


@rows(198, 199)
def test_the_policy_is_whole_on_the_command_line_and_over_mcp(world: World) -> None:
    with blocks(world) as (agent_id, token, _):
        said = world.cli(
            *("hydrate", "--agent", agent_id, "--text", "--message", "the Acme renewal"),
            *("--archival-mode", "auto", "--archival-limit", "1", "--no-agent-core"),
        )
        assert "Acme renewal" in said
        assert "Globex" not in said
        assert "Only for emails" not in said
        with world.mcp(token, "?dialect=standard") as agent:
            told = agent.text(
                "memory_hydrate",
                message="the Acme renewal",
                memory_policy={**POLICY, "archival_mode": "auto", "include_agent_core": False},
            )
        assert "Acme renewal" in told
        assert "Only for emails" not in told


@rows(193)
def test_a_settled_conversation_is_learned_from(own_world: World) -> None:
    world = own_world
    agent_id, token = world.agent(sleep="direct")
    rest = world.rest(token)
    run = rest.post("/conversations", json={}).json()["id"]
    said = {"turns": [{"role": "user", "content": "I am vegetarian and I live in Porto."}]}
    rest.post(f"/conversations/{run}/turns", json=said)
    world.clock.forward(minutes=29)
    assert not world.vault.sleep.anything_due()
    world.clock.forward(minutes=2)
    world.vault.sleep.run_due()
    found = rest.get("/memory/entries", params={"scope": "agent"}).json()["entries"]
    assert any("vegetarian" in entry["content"] for entry in found)
    assert {entry["source"] for entry in found} == {f"sleep:{agent_id}"}


@rows(194, 195)
def test_an_agent_does_not_overwrite_what_it_has_not_read(world: World) -> None:
    agent_id, token = world.agent(dialect="blocks")
    scope = {"block": "core", "scope": "agent"}
    with world.mcp(token) as agent:
        made = agent.text("update_memory", content="- One", expected_updated_at=None, **scope)
        (stamp,) = re.findall(r"updated_at is now (\S+)\.$", made)
        owner = world.rest()
        put(owner, "core", "- The owner's words", scope="agent", agent_id=agent_id)
        stale = agent.refused("update_memory", content="- Two", expected_updated_at=stamp, **scope)
        assert "MEM-004" in stale
        assert "The owner's words" in stale
    with world.mcp(token, "?dialect=standard") as agent:
        unseen = agent.refused("update_memory", content="- Three", **scope)
        assert "expected_updated_at" in unseen
    block = world.rest().get(f"/memory/blocks/core?scope=agent&agent_id={agent_id}").json()
    assert block["content"] == "- The owner's words"


@rows(204, 205, 206, 207, 208)
def test_the_client_runs_the_documents_lines(own_world: World) -> None:
    own_world.vault.agents.add("agent_emails")
    own_world.vault.agents.add("agent_records")
    rest = own_world.rest()
    put(rest, "core", "- Old")
    put(rest, "core", "- For emails", scope="agent", agent_id="agent_emails")
    put(rest, "archival", ARCHIVAL, scope="agent", agent_id="agent_records")

    async def main() -> None:
        async with keepsake_client.AsyncKeepsake(own_world.server.url, OWNER_TOKEN) as client:
            assert [block.name for block in await client.memory.list()] == ["core"]
            core = await client.memory.get("core")
            agent_core = await client.memory.get("core", scope="agent", agent_id="agent_emails")
            assert (core.content, agent_core.content) == ("- Old", "- For emails")
            updated = await client.memory.update(
                "core",
                "- Prefers concise account summaries\n- Works in America/New_York",
                expected_updated_at=core.updated_at.isoformat(),
            )
            assert updated.content.endswith("America/New_York")
            with pytest.raises(keepsake_client.Conflict):
                await client.memory.update(
                    "core", "- x", expected_updated_at=core.updated_at.isoformat()
                )
            matches = await client.memory.recall("Acme renewal", agent_id="agent_records")
            first = matches[0]
            assert str(first.scope).startswith("agent")
            assert first.score > 0
            assert first.content.startswith("Acme renewal")

    asyncio.run(main())


@rows(210, 211, 212, 213)
def test_compare_and_set_over_rest(world: World) -> None:
    _, token = world.agent()
    rest = world.rest(token)
    url = "/memory/blocks/core?scope=agent"

    def write(content: str, **more: object) -> httpx.Response:
        return rest.put(url, json={"content": content, **more})

    assert write("x").status_code == 422
    made = write("- One", expected_updated_at=None)
    assert made.status_code == 201
    assert write("- Again", expected_updated_at=None).status_code == 409
    stamp = made.json()["updated_at"]
    assert write("- Two", expected_updated_at=stamp).status_code == 200
    stale = write("- Three", expected_updated_at=stamp)
    assert (stale.status_code, stale.json()["current"]["content"]) == (409, "- Two")


@pytest.mark.parametrize("spelling", ["naive", "offset", "zulu"])
@rows(210)
def test_instants_are_compared_not_their_spelling(world: World, spelling: str) -> None:
    _, token = world.agent()
    rest = world.rest(token)
    url = "/memory/blocks/core?scope=agent"
    stamp = rest.put(url, json={"content": "- One", "expected_updated_at": None}).json()[
        "updated_at"
    ]
    spelt = {
        "naive": stamp.removesuffix("Z"),
        "offset": stamp.removesuffix("Z") + "+00:00",
        "zulu": stamp,
    }[spelling]
    done = rest.put(url, json={"content": "- Two", "expected_updated_at": spelt})
    assert done.status_code == 200, done.text


@rows(214, 215)
def test_archival_lines_are_recalled_with_scope_and_score(world: World) -> None:
    with blocks(world) as (agent_id, token, _):
        wanted = {"query": "Acme renewal", "agent_id": agent_id, "limit": 2}
        found = world.rest().post("/memory/recall", json=wanted).json()["matches"]
        lines = [match for match in found if match["type"] == "archival"]
        assert lines[0]["content"].startswith("Acme renewal")
        assert (lines[0]["scope"], lines[0]["agent_id"]) == ("agent", agent_id)
        assert len(found) <= 2
        with world.mcp(token) as agent:
            text = agent.text("memory_recall", query="Acme renewal")
        assert re.search(rf"agent:{agent_id} \[score 0\.\d+\]|\[score 1\.00\]", text)


@rows(216)
def test_the_instructions_say_what_belongs_where(world: World) -> None:
    _, token = world.agent(dialect="blocks")
    with world.mcp(token) as agent:
        for rule in ("stable and high-signal", "one fact a line", "4,000 characters"):
            assert rule in agent.instructions
