"""A journal with importance, a summary that is always loaded, and learning from channels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx

from tests.seeds.conftest import World
from tests.seeds.rows import rows

SECTIONS = ("Important Decisions", "Known Issues", "Entity Knowledge", "Patterns")


def importances(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"importance (\d+)", text)]


@rows(63, 66, 67, 68, 69, 70, 71, 81, 82, 83, 89, 90, 101, 102, 106)
def test_a_journal_is_written_and_searched(world: World) -> None:
    _, token = world.agent(dialect="journal")
    with world.mcp(token) as agent:
        write = agent.tools()["memory_write"]
        assert "9-10 critical" in write.description
        assert write.input_schema["properties"]["importance"]["default"] == 5
        for content, category, importance in (
            ("Deployment rollback of the shop", "action", 8),
            ("We decided that a rollback needs two people", "decision", 8),
            ("Checked the pods after the rollback", "observation", 2),
            ("Production DB credentials rotate every 90 days", "decision", 9),
        ):
            agent.text("memory_write", content=content, category=category, importance=importance)
        usual = agent.text("memory_write", content="Looked at StatefulSets", category="event")
        assert "Stored" in usual
        assert "fact" in agent.refused("memory_write", content="x", category="fact")
        for wrong in (0, 11):
            agent.refused("memory_write", content="x", category="event", importance=wrong)
        found = agent.text("memory_search", query="deployment rollback")
        assert importances(found) == [8, 8, 2]
        assert found.index("two people") < found.index("of the shop")  # of two 8s the newer first
        both = agent.text(
            "memory_search", query="deployment rollback", category=["action", "Decision"]
        )
        assert importances(both) == [8, 8]
        assert re.search(r"20\d\d-\d\d-\d\d", both)
        for query in ("PRODUCTION", "cred", "redential"):
            assert "credentials" in agent.text("memory_search", query=query)
        assert importances(agent.text("memory_search", query="StatefulS")) == [5]
        for step in ("Search before", "outcome", "summary"):
            assert step in agent.instructions


@rows(64)
def test_a_journal_has_no_limit(own_world: World) -> None:
    own_world.cli("settings", "entry_cap", "3")
    _, token = own_world.agent(dialect="journal")
    with own_world.mcp(token) as agent:
        for number in range(6):
            agent.text("memory_write", content=f"event {number}", category="event")
    found = own_world.rest(token).get("/memory/entries", params={"scope": "agent"}).json()
    assert found["total"] == 6


@rows(72)
def test_the_most_important_come_first_over_rest_too(world: World) -> None:
    _, token = world.agent()
    rest = world.rest(token)
    for importance, content in ((5, "parsnip parsnip"), (8, "one parsnip among others")):
        rest.post("/memory/entries", json={"content": content, "importance": importance})
    found = rest.get("/memory/entries", params={"q": "parsnip"}).json()["entries"]
    assert [entry["importance"] for entry in found] == [8, 5]


@rows(73, 74, 75, 77, 104, 105)
def test_the_summary_is_loaded_edited_and_replaced(world: World) -> None:
    agent_id, token = world.agent(dialect="journal")
    with world.mcp(token) as agent:
        read = agent.text("memory_summary")
        assert all(section in read for section in SECTIONS)
        agent.text(
            "update_memory",
            edits=[{"oldText": "## Patterns", "newText": "## Patterns\n- StatefulSet for the DB"}],
        )
        missing = [{"oldText": "nowhere", "newText": "x"}]
        assert "nowhere" in agent.refused("update_memory", edits=missing)
    with world.mcp(token) as agent:
        assert "StatefulSet for the DB" in agent.instructions
        assert "StatefulSet for the DB" in agent.text("memory_summary")
        agent.text("update_memory", content="# Summary\n- Only this")
    assert "Only this" in world.hydrate(token)["text"]
    world.cli(
        "block", "edit", "summary", "--scope", f"agent:{agent_id}", "--old", "Only", "--new", "Just"
    )
    assert "Just this" in world.cli("hydrate", "--agent", agent_id, "--text")
    url = f"/memory/blocks/summary?scope=agent&agent_id={agent_id}"
    edit = {"edits": [{"oldText": "Just", "newText": "But"}]}
    assert world.rest().patch(url, json=edit).json()["content"].endswith("But this")
    assert all(section in world.cli("block", "show", "summary") for section in SECTIONS)


@rows(76)
def test_the_summary_is_a_markdown_file_in_an_export(own_world: World, tmp_path: Path) -> None:
    agent_id, token = own_world.agent(dialect="journal")
    with own_world.mcp(token) as agent:
        agent.text("update_memory", content="# Summary\n- A line")
    own_world.cli("export", str(tmp_path / "out"))
    (file,) = (tmp_path / "out").rglob("summary.md")
    assert "- A line" in file.read_text(encoding="utf-8")
    assert agent_id in file.as_posix()


@rows(78)
def test_the_template_is_told_over_rest(world: World) -> None:
    _, token = world.agent()
    rest = world.rest(token)
    answer = rest.get("/memory/blocks/summary", params={"scope": "agent"})
    assert answer.status_code == 404
    assert all(section in answer.json()["template"] for section in SECTIONS)
    edit = {"edits": [{"oldText": "## Patterns", "newText": "## Patterns\n- One"}]}
    made = rest.patch("/memory/blocks/summary?scope=agent", json=edit)
    assert (made.status_code, "- One" in made.json()["content"]) == (201, True)


@rows(79, 80)
def test_who_makes_the_summary_long_is_told(world: World) -> None:
    agent_id, token = world.agent(dialect="journal")
    with world.mcp(token) as agent:
        assert "lines" not in agent.text("update_memory", content="- short")
        long = "\n".join(f"- fact {number}" for number in range(200))
        assert "200 lines, which are read on every run" in agent.text("update_memory", content=long)
        assert "MEM-006" in agent.refused("update_memory", content="x" * 8_001)
    shown = world.cli("block", "show", "summary", "--scope", f"agent:{agent_id}")
    assert "200 lines" in shown
    assert "token" in shown


@rows(84, 85, 91, 92, 93)
def test_what_is_old_and_unimportant_goes_and_the_rest_stays(own_world: World) -> None:
    world = own_world
    _, token = world.agent(dialect="journal")
    with world.mcp(token) as agent:
        for importance in (1, 2, 3):
            agent.text(
                "memory_write",
                content=f"weight{importance} of zinc",
                category="event",
                importance=importance,
            )
        agent.text("update_memory", content="- kept for good")
        world.clock.forward(days=31)
        assert agent.text("memory_search", query="zinc") == "No memories match."
        assert importances(agent.text("memory_search", query="zinc", daysBack=90)) == [3, 2, 1]
        world.upkeep()
        assert importances(agent.text("memory_search", query="zinc", daysBack=90)) == [3]
        world.clock.forward(days=400)
        world.upkeep()
        assert importances(agent.text("memory_search", query="zinc", daysBack=900)) == [3]
        assert "kept for good" in agent.text("memory_summary")


@rows(86, 87, 88)
def test_wildcards_return_all_or_say_how_many_more(world: World) -> None:
    _, token = world.agent(dialect="journal")
    rest = world.rest(token)
    with world.mcp(token) as agent:
        for number in range(60):
            rest.post("/memory/entries", json={"content": f"entry {number}", "kind": "event"})
        for query in ("*", "all", ""):
            text = agent.text("memory_search", query=query)
            assert len(importances(text)) == 50
            assert "These are 50 of" in text
            assert len(importances(agent.text("memory_search", query=query, limit=1000))) >= 60
            listed = rest.get("/memory/entries", params={"q": query, "scope": "agent"}).json()
            assert (len(listed["entries"]), listed["total"]) == (50, 60)
            found = rest.post("/memory/search", json={"query": query, "limit": 500})
            assert (found.status_code, len(found.json()["matches"]) >= 60) == (200, True)
            assert "entry 59" in world.cli("search", query, "--limit", "1000")


def heard(rest: httpx.Client, channel: str, number: int, **more: Any) -> dict[str, Any]:
    texts = (
        "We decided to move the launch to May 12.",
        "The payments service is owned by Marie now.",
        "Our staging database lives in Frankfurt.",
    )
    message = {"id": f"m{number}", "author": "mia", "text": texts[number % 3], **more}
    return dict(rest.post(f"/channels/{channel}/messages", json=message).json())


@rows(94, 95, 96, 97, 98, 99)
def test_a_team_agent_learns_from_what_it_overhears(own_world: World) -> None:
    world = own_world
    agent_id, token = world.agent()
    rest = world.rest(token)
    assert heard(rest, "ops", 0) == {"queued": False, "reason": "not_team"}
    said = world.cli("channels", "ops", "--say", "x", "--agent", agent_id, fails=True)
    assert "--team" in said
    world.vault.agents.change(agent_id, {"team": True, "sleep": "direct"})
    assert heard(rest, "ops", 1, addressed=True)["reason"] == "addressed"
    for number in range(2):
        assert heard(rest, "ops", number)["queued"]
    world.cli(
        *("channels", "random", "--say", "We use Berlin time for everything."),
        *("--author", "tom", "--agent", agent_id),
    )
    assert "No batch is due" in world.cli("channels", "--learn")
    world.clock.forward(minutes=6)
    batches = world.vault.channels.learn_due()
    assert sorted((batch.channel, batch.messages) for batch in batches) == [
        ("ops", 2),
        ("random", 1),
    ]
    for number in range(10, 22):
        heard(rest, "ops", number)
    (full,) = world.vault.channels.learn_due()
    assert (full.channel, full.messages) == ("ops", 10)
    assert "ops" in world.cli("channels")


@rows(103)
def test_entries_are_deleted_by_id_with_a_reason(world: World) -> None:
    _, token = world.agent(dialect="journal")
    with world.mcp(token) as agent:
        wrote = agent.text("memory_write", content="Wrong entry", category="event")
        (ident,) = re.findall(r"id (\w+)", wrote)
        agent.text("memory_delete", ids=[ident], reason="it was wrong")
        assert "MEM-002" in agent.refused("memory_delete", ids=["nothing"])
    history = world.cli_json("history", ident)
    assert "it was wrong" in str(history)


@rows(107)
def test_the_owner_intervenes(world: World) -> None:
    agent_id, token = world.agent(dialect="journal", trust="review")
    with world.mcp(token) as agent:
        agent.text("memory_write", content="A doubtful claim", category="event")
        assert agent.text("memory_search", query="doubtful") == "No memories match."
    (proposal,) = [one for one in world.rest().get("/review").json()["proposals"]]
    assert proposal["by"] == agent_id
    world.rest().post(f"/review/{proposal['id']}/reject", json={})
    assert world.rest().get("/review").json()["proposals"] == []
