"""Three layers: working, session and long-term memory, recalled by meaning."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.vault import open_vault
from store.records import EntryDraft
from tests.app.learning.writers.chat_server import chat_server, streams
from tests.fakes import FakeEmbedder
from tests.seeds.conftest import World
from tests.seeds.rows import rows

DIET = "what are my dietary restrictions?"


def talk(rest: httpx.Client, *said: str, title: str = "") -> str:
    """A conversation in which the user says these things."""
    run = str(rest.post("/conversations", json={"title": title}).json()["id"])
    turns = [{"role": "user", "content": text} for text in said]
    assert rest.post(f"/conversations/{run}/turns", json={"turns": turns}).status_code == 201
    return run


def remembered(world: World, token: str, *contents: str) -> httpx.Client:
    rest = world.rest(token)
    for content in contents:
        body = {"content": content, "category": "memory"}
        assert rest.post("/memory/entries", json=body).status_code == 201
    return rest


@rows(138, 139)
def test_working_memory_reloads_the_newest_whole_turns(world: World) -> None:
    _, token = world.agent()
    rest = world.rest(token)
    run = talk(rest, "first turn", "second turn", "third turn")
    turns = rest.get(f"/conversations/{run}/turns").json()["turns"]
    assert [turn["content"] for turn in turns] == ["first turn", "second turn", "third turn"]
    some = rest.get(f"/conversations/{run}/turns", params={"budget_bytes": 25}).json()
    assert ([turn["content"] for turn in some["turns"]], some["left_out"]) == (
        ["second turn", "third turn"],
        1,
    )


@rows(141)
def test_a_writing_model_merges_the_session_summary(own_world: World) -> None:
    answer = json.dumps({"lines": [{"text": "Plans a trip to Lisbon."}]})
    with chat_server(streams(answer)) as server:
        own_world.cli("writer", "--endpoint", server.url, "--model", "small")
        agent_id, token = own_world.agent(sleep="off")
        rest = own_world.rest(token)
        run = talk(rest, "I am planning a trip to Lisbon in May.")
        rest.post(f"/conversations/{run}/end", json={})
        own_world.cli("conversations", run, "--learn")
        assert any("trip to Lisbon" in str(asked) for asked in server.seen)
    block = own_world.rest().get(f"/memory/blocks/session?scope=agent&agent_id={agent_id}")
    assert "Lisbon" in block.json()["content"]


@rows(142, 143, 144, 145, 146)
def test_the_session_summary_is_there_in_the_next_conversation(own_world: World) -> None:
    world = own_world
    agent_id, token = world.agent(dialect="semantic")
    _, other = world.agent(dialect="semantic")
    rest = world.rest(token)
    run = talk(rest, "I am planning a trip to Lisbon in May.", "Hello there!", "How are you?")
    rest.post(f"/conversations/{run}/end", json={})
    told = world.hydrate(token)["text"]
    assert "Lisbon" in told
    assert "Hello there" not in told  # a summary, no transcript
    assert "Lisbon" in world.cli("hydrate", "--agent", agent_id, "--text")
    assert "Lisbon" not in world.hydrate(other)["text"]
    with world.mcp(token, "?with=conversations") as agent:
        assert "Lisbon" in agent.instructions
        assert "Lisbon" in agent.text("conversation_start")
    with world.mcp(token, "?dialect=standard") as agent:
        assert "Lisbon" in agent.text("memory_hydrate")


@rows(147)
def test_nothing_is_saved_silently(own_world: World) -> None:
    world = own_world
    agent_id, token = world.agent()
    rest = world.rest(token)
    run = talk(rest, "I am a vegetarian and I live in Porto.")
    rest.post(f"/conversations/{run}/end", json={})
    world.cli("conversations", run, "--learn")
    assert rest.get("/memory/entries", params={"scope": "agent"}).json()["entries"] == []
    proposals = world.rest().get("/review").json()["proposals"]
    assert proposals != []
    assert {one["by"] for one in proposals} == {agent_id}


@rows(148, 149, 150, 152)
def test_the_layers_are_switched_on_their_own(world: World) -> None:
    agent_id, token = world.agent(dialect="semantic")
    owner = world.rest()
    for layers, tools in (
        ({"session_memory": False, "types": ["working"]}, False),
        ({"session_memory": True, "types": []}, False),
        ({"session_memory": False, "types": ["long_term"]}, True),
        ({"session_memory": True, "types": ["working", "long_term"]}, True),
    ):
        changed = owner.patch(f"/agents/{agent_id}", json={"layers": layers}).json()
        assert changed["layers"] == layers
        with world.mcp(token) as agent:
            assert ("memory_remember" in agent.tools()) == tools
            if not tools:
                assert "MEM-005" in agent.refused("memory_recall", query="x")
    for name, layers in (
        ("one-shot", {"session_memory": False, "types": []}),
        ("chat", {"session_memory": False, "types": ["working"]}),
        ("recurring", {"session_memory": True, "types": ["working"]}),
        ("personal", {"session_memory": True, "types": ["working", "long_term"]}),
    ):
        world.cli("agents", "set", agent_id, "--preset", name)
        assert owner.get(f"/agents/{agent_id}").json()["layers"] == layers


@rows(153, 154, 155, 159, 162, 165, 166, 170)
def test_remember_recall_and_forget_by_meaning(world: World) -> None:
    _, token = world.agent(dialect="semantic")
    with world.mcp(token) as agent:
        types = agent.tools()["memory_remember"].input_schema["properties"]["type"]["enum"]
        assert types == ["fact", "preference", "relationship", "instruction"]
        for content, type_, tags in (
            ("The user is vegetarian", "preference", ["HEALTH ", "food"]),
            ("Works with Marie on the onboarding project", "relationship", ["work"]),
            ("Eats no meat at work", "fact", ["work"]),
        ):
            agent.text("memory_remember", content=content, type=type_, tags=tags)
        found = agent.text("memory_recall", query=DIET)
        assert found.splitlines()[1].strip() == "The user is vegetarian"
        assert "#health #food" in found
        scores = [float(score) for score in re.findall(r"score (\d\.\d+)", found)]
        assert len(scores) == 2, "Marie has nothing to do with it, though it was told just before"
        assert scores == sorted(scores, reverse=True)
        of_type = agent.text("memory_recall", query=DIET, type="Preference")
        assert "vegetarian" in of_type
        assert "Marie" not in of_type
        tagged = agent.text("memory_recall", query=DIET, tags=["Work"])
        assert "no meat" in tagged
        assert "vegetarian" not in tagged
        (ident,) = re.findall(r"id (\w+)", of_type)
        assert "Forgot" in agent.text("memory_forget", memory_id=ident)
        assert "vegetarian" not in agent.text("memory_recall", query=DIET)


@rows(154)
def test_what_was_approved_just_now_is_recalled_at_once(own_world: World) -> None:
    agent_id, token = own_world.agent(dialect="semantic", trust="review")
    owner = own_world.rest()
    with own_world.mcp(token) as agent:
        agent.text("memory_remember", content="The owner is vegetarian", type="fact")
        (proposal,) = owner.get("/review").json()["proposals"]
        assert "vegetarian" not in agent.text("memory_recall", query=DIET)
        own_world.vault.embedding.embed_waiting()
        assert owner.post(f"/review/{proposal['id']}/approve", json={}).status_code == 200
        assert "The owner is vegetarian" in agent.text("memory_recall", query=DIET)
    owner.post("/memory/entries", json={"content": "Allergic to nuts", "category": "memory"})
    found = own_world.rest(token).post("/memory/recall", json={"query": DIET}).json()
    assert "Allergic to nuts" in [match["content"] for match in found["matches"]]
    assert (found["waiting"], agent_id) == (0, agent_id)


@rows(156, 157, 158)
def test_a_message_brings_what_is_relevant_to_it(world: World) -> None:
    agent_id, token = world.agent()
    rest = remembered(
        world, token, "The user is vegetarian", "Works with Marie on the onboarding project"
    )
    found = rest.post("/memory/preload", json={"message": "I am hungry"}).json()
    assert "vegetarian" in found["text"]
    assert "Marie" not in found["text"]
    all_of_it = {"message": "I am hungry", "min_relevance": 0}
    assert "Marie" in rest.post("/memory/preload", json=all_of_it).json()["text"]
    assert found["text"] == world.cli("preload", "I am hungry", "--agent", agent_id, "--text")
    world.vault.calls.flush()  # the server writes its log in batches; the command is another reader
    assert "preload" in world.cli("calls", agent_id)
    nothing = world.cli("preload", "What is the weather like?", "--agent", agent_id)
    assert "Nothing in memory matches" in nothing


@rows(160)
def test_vectors_survive_a_rebuild(own_world: World) -> None:
    _, token = own_world.agent()
    rest = remembered(own_world, token, "The user is vegetarian")
    own_world.cli("doctor", "--rebuild")
    found = rest.post("/memory/search", json={"query": DIET, "mode": "semantic"}).json()
    assert [match["content"] for match in found["matches"]] == ["The user is vegetarian"]


@rows(161)
def test_another_model_embeds_anew_when_asked(tmp_path: Path) -> None:
    class Other(FakeEmbedder):
        identity = "fake/2"

    for model in (FakeEmbedder, Other):
        vault = open_vault(tmp_path / "v.db", embedder=lambda _, model=model: model())
        vault.entries.store(EntryDraft("The user is vegetarian", key="diet"))
        hits = vault.search.search("vegetarian", mode="semantic")
        assert [hit.entry.key for hit in hits] == ["diet"]
        vault.embedding.embed_waiting()
        vault.close()


@rows(163, 164)
def test_a_memory_is_for_one_agent_or_for_all(world: World) -> None:
    _, one = world.agent(dialect="semantic")
    _, other = world.agent(dialect="semantic")
    with world.mcp(one) as first, world.mcp(other) as second:
        first.text(
            "memory_remember", content="Prefers haiku answers", type="preference", scope="user"
        )
        first.text("memory_remember", content="Check haiku tickets first", type="instruction")
        found = second.text("memory_recall", query="haiku")
        assert "haiku answers" in found
        assert "haiku tickets" not in found


@rows(168)
def test_the_recall_budget_is_50_and_settable(own_world: World) -> None:
    agent_id, token = own_world.agent()
    rest = own_world.rest(token)
    # No two that differ in a number: of those an agent gets one.
    for sort in [
        "cold",
        "warm",
        "hot",
        "weak",
        "strong",
        "green",
        "black",
        "white",
        "sweet",
        "bitter",
        "spiced",
    ]:
        for taste in ("milk", "honey", "lemon", "ginger", "mint"):
            rest.post("/memory/entries", json={"content": f"Likes {sort} tea with {taste}"})

    def counts() -> tuple[int, int]:
        recalled = rest.post("/memory/recall", json={"query": "tea"}).json()["matches"]
        given = rest.post("/memory/preload", json={"message": "some tea"}).json()["matches"]
        return len(recalled), len(given)

    assert counts() == (50, 50)
    own_world.vault.agents.change(agent_id, {"recall_budget": 7})
    assert counts() == (7, 7)


@rows(169)
def test_the_owners_guidance_reaches_the_agent(world: World) -> None:
    _, token = world.agent(dialect="semantic", guidance="Remember birthdays.")
    with world.mcp(token) as agent:
        assert "Remember birthdays." in agent.instructions
        assert "Remember birthdays." in agent.tools()["memory_remember"].description


@rows(171)
def test_a_wipe_leaves_nothing_and_agents_may_not(own_world: World) -> None:
    world = own_world
    _, token = world.agent()
    rest = world.rest(token)
    mark = "zebrafinch-canary"
    rest.post("/memory/entries", json={"content": mark, "scope": "user"})
    wish: dict[str, Any] = {"scope": "user", "confirm": "wipe"}
    assert rest.post("/wipe", json=wish).status_code == 403
    receipt = world.rest().post("/wipe", json=wish)
    assert (receipt.status_code, receipt.json()["state"]) == (200, "done"), receipt.text
    left = [
        path
        for path in world.vault.path.parent.rglob("*")
        if path.is_file() and mark.encode() in path.read_bytes()
    ]
    assert left == []


@rows(173)
def test_the_owners_retention_applies(own_world: World) -> None:
    world = own_world
    agent_id, token = world.agent()
    remembered(world, token, "Only for ten days")
    world.cli("settings", "retention", json.dumps({f"scope:agent:{agent_id}": 10}))
    world.clock.forward(days=9)
    assert world.upkeep()["taken"] == []
    world.clock.forward(days=2)
    assert len(world.upkeep()["taken"]) == 1


@rows(174, 175)
def test_the_memories_of_two_users_never_meet(world: World) -> None:
    refused = world.rest().post("/memory/entries", json={"content": "x", "user_id": "bob"})
    assert refused.status_code == 422
    mem0 = httpx.Client(
        base_url=world.server.url, headers=world.rest().headers, trust_env=False, timeout=60
    )
    with mem0:
        said = {"messages": [{"role": "user", "content": "I am diabetic"}], "user_id": "alice"}
        assert mem0.post("/memories", json={**said, "infer": False}).status_code == 200
        for user, seen in (("alice", True), ("bob", False)):
            found = mem0.post("/search", json={"query": "diabetic", "user_id": user}).text
            listed = mem0.get("/memories", params={"user_id": user}).text
            assert ("diabetic" in found, "diabetic" in listed) == (seen, seen)


@rows(177, 179)
def test_the_owner_reviews_cleans_and_sees_every_call(world: World) -> None:
    agent_id, token = world.agent(dialect="semantic")
    with world.mcp(token) as agent:
        agent.text("memory_remember", content="Plays the oboe", type="fact")
        agent.text("memory_recall", query="instruments")
    (entry,) = world.rest().get("/memory/entries", params={"agent_id": agent_id}).json()["entries"]
    assert world.rest().delete(f"/memory/entries/{entry['id']}").status_code == 200
    calls = [one["call"] for one in world.rest().get(f"/agents/{agent_id}/calls").json()["calls"]]
    assert {"memory_remember", "memory_recall"} <= set(calls)


@pytest.mark.parametrize("word", ["knowledge base", "audit", "tables"])
@rows(178)
def test_the_docs_say_what_memory_is_not_for(word: str) -> None:
    docs = Path(__file__).parents[2] / "docs"
    assert word in (docs / "recall.md").read_text(encoding="utf-8")


@rows(176, 180)
def test_the_docs_say_how_users_and_tenants_map() -> None:
    text = (Path(__file__).parents[2] / "docs" / "users.md").read_text(encoding="utf-8")
    assert "A vault has one owner." in text
    assert "a tenant is a vault" in text
