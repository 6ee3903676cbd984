"""Keyed facts: four categories, four tools, hydration and eviction."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.seeds.conftest import World
from tests.seeds.rows import rows

SAMPLE = """---
key: customer_bob_chen_acme
category: core
tags: [customer, plan_pro]
---
Bob Chen, Acme. Pro since Jan 15. API user (not dashboard), webhooks → Slack.
Prefers technical responses. Prior: Feb 3 signature issue (NTP).
"""


@rows(1, 2, 17, 19, 26, 27, 52, 53, 59)
def test_what_one_event_stores_the_next_recalls_corrects_and_forgets(world: World) -> None:
    _, token = world.agent(dialect="keyed")
    bob = "customer_bob_chen_acme"
    with world.mcp(token) as first:
        assert first.text("memory_store", key=bob, category="core", content="Pro plan").startswith(
            "Stored"
        )
        again = first.text("memory_store", key=bob, category="core", content="Pro since Jan 15")
        assert again.startswith("Updated")
    with world.mcp(token) as second:
        assert "Pro since Jan 15" in second.text("memory_recall", key=bob)
        assert f"`{bob}`" in second.text("memory_recall", key="customer_bob_chen")
        assert "MEM-005" in second.refused("memory_recall", query="which plan?")
        assert "Forgot" in second.text("memory_forget", key=bob)
        assert "nothing was forgotten" in second.text("memory_forget", key=bob)
        second.text("memory_store", key=bob, category="core", content="Enterprise plan")
    with world.mcp(token) as third:
        assert "Enterprise plan" in third.text("memory_recall", key=bob)
        assert third.text("memory_recall", key="nobody") == "no entry `nobody`"


@rows(3, 5, 6, 14, 61)
def test_daily_memories_end_after_three_days_and_the_others_do_not(own_world: World) -> None:
    world = own_world
    _, token = world.agent(workspaces=["shop"])
    rest = world.rest(token)

    def store(key: str, category: str, **more: str) -> None:
        body = {"key": key, "category": category, "content": key, **more}
        assert rest.post("/memory/entries", json=body).status_code in (200, 201)

    def keys() -> set[str]:
        found = rest.get("/memory/entries").json()["entries"]
        return {entry["key"] for entry in found}

    store("fact", "core")
    store("shared", "workspace", workspace_id="shop")
    store("ticket", "daily")
    store("reminder", "daily")
    world.clock.forward(hours=50)
    store("reminder", "daily")
    world.clock.forward(hours=21)
    assert {"ticket", "reminder"} <= keys()
    world.clock.forward(hours=2)
    assert keys() == {"fact", "shared", "reminder"}
    assert [one["key"] for one in world.upkeep()["taken"]] == ["ticket"]
    world.clock.forward(hours=50)
    assert keys() == {"fact", "shared"}
    world.clock.forward(days=1095)
    world.upkeep()
    assert keys() == {"fact", "shared"}


@rows(7, 8)
def test_scratch_goes_with_the_run(world: World) -> None:
    _, token = world.agent(dialect="keyed")
    with world.mcp(token) as run:
        run.text("memory_store", key="scratch", category="conversation", content="checkpoint")
        assert "checkpoint" in run.text("memory_recall", key="scratch")
    with world.mcp(token) as other:
        assert other.text("memory_recall", key="scratch") == "no entry `scratch`"
    with world.mcp(token, mode="auto") as sessionless:
        assert sessionless.text("memory_recall", key="scratch") == "no entry `scratch`"
        said = sessionless.refused(
            "memory_store", key="scratch", category="conversation", content="mine"
        )
        assert "without a session" in said


@rows(9)
def test_scratch_over_rest_belongs_to_a_run_and_goes_at_its_end(world: World) -> None:
    _, token = world.agent()
    rest = world.rest(token)
    scratch = {"key": "s", "category": "conversation", "content": "checkpoint"}
    alone = rest.post("/memory/entries", json=scratch)
    assert (alone.status_code, "conversation_id" in alone.json()["detail"]) == (422, True)
    run = rest.post("/conversations", json={}).json()["id"]
    stored = rest.post("/memory/entries", json={**scratch, "conversation_id": run}).json()
    assert (stored["scope"], stored["conversation_id"]) == ("conversation", run)
    rest.post(f"/conversations/{run}/end", json={})
    assert rest.get(f"/memory/entries/{stored['id']}").status_code == 404


@rows(10, 13)
def test_a_category_with_a_scope_of_its_own_means_it_on_the_command_line(world: World) -> None:
    for category in ("conversation", "Workspace "):
        said = world.cli("store", "x", "--category", category, fails=True)
        assert "belongs to one, and none is named" in said
    stored = world.cli_json(
        "store", "x", "--category", "workspace", "--scope", "workspace:shop", "--key", "cli_shared"
    )
    assert stored["scope"] == "workspace:shop"


@rows(11, 12)
def test_a_workspace_fact_is_shared_by_its_category(world: World) -> None:
    _, alpha = world.agent(dialect="keyed", workspaces=["warehouse"])
    _, beta = world.agent(dialect="keyed", workspaces=["warehouse"])
    with world.mcp(alpha, "?workspace=warehouse") as one:
        one.text("memory_store", key="deploy", category="workspace", content="eu-west-1")
    body = {
        "key": "owner",
        "category": "workspace",
        "content": "Marie",
        "workspace_id": "warehouse",
    }
    assert world.rest(alpha).post("/memory/entries", json=body).json()["scope"] == "workspace"
    with world.mcp(beta, "?workspace=warehouse") as other:
        assert "eu-west-1" in other.text("memory_recall", key="deploy")
        assert "Marie" in other.text("memory_recall", key="owner")
    ignored = {"key": "k", "content": "x", "category": "core", "workspace_id": "warehouse"}
    refused = world.rest(alpha).post("/memory/entries", json=ignored)
    assert (refused.status_code, "would be ignored" in refused.json()["detail"]) == (422, True)
    nowhere = {"key": "k", "content": "x", "category": "workspace"}
    assert (
        "workspace_id" in world.rest(alpha).post("/memory/entries", json=nowhere).json()["detail"]
    )


@rows(15, 16, 28, 29, 45, 46)
def test_the_tools_say_when_to_use_each_category(world: World) -> None:
    _, token = world.agent(dialect="keyed")
    with world.mcp(token) as agent:
        store = agent.tools()["memory_store"]
        assert store.input_schema["required"] == ["key", "category", "content"]
        assert "tags" in store.input_schema["properties"]
        for rule in (
            "future event want to know",
            "expire on its own",
            "scratch",
            "several agents need the same",
            "deploy_target, not deploy_target_jun12",
        ):
            assert rule in store.description
        for habit in ("Recall before deciding", "store what was learned", "scratch", "stale"):
            assert habit in agent.instructions


@rows(18)
def test_a_key_stored_under_another_category_moves(world: World) -> None:
    agent_id, token = world.agent(dialect="keyed", workspaces=["yard"])
    with world.mcp(token, "?workspace=yard") as agent:
        for category, content in (
            ("core", "mine"),
            ("workspace", "ours"),
            ("daily", "for three days"),
            ("conversation", "for this run"),
            ("Core", "mine again"),
        ):
            agent.text("memory_store", key="moves", category=category, content=content)
            assert content in agent.text("memory_recall", key="moves")
            (entry,) = world.vault.entries.with_key("moves")
            assert entry.content == content
        assert (str(entry.scope), entry.category) == (f"agent:{agent_id}", "core")
        assert entry.expires_at is None


@rows(18)
def test_a_move_under_review_waits_and_then_moves(world: World) -> None:
    agent_id, token = world.agent(dialect="keyed", workspaces=["pier"])
    with world.mcp(token, "?workspace=pier") as agent:
        agent.text("memory_store", key="pending", category="core", content="mine")
        world.vault.agents.change(agent_id, {"trust": "review"})
        agent.text("memory_store", key="pending", category="workspace", content="ours")
        assert "mine" in agent.text("memory_recall", key="pending")
        (proposal,) = world.rest().get("/review").json()["proposals"]
        assert world.rest().post(f"/review/{proposal['id']}/approve", json={}).status_code == 200
        assert "ours" in agent.text("memory_recall", key="pending")
    (entry,) = world.vault.entries.with_key("pending")
    assert str(entry.scope) == "workspace:pier"


@rows(18)
def test_what_somebody_else_shared_is_not_taken_away(world: World) -> None:
    _, one = world.agent(dialect="keyed", workspaces=["quay"])
    _, other = world.agent(dialect="keyed", workspaces=["quay"])
    with world.mcp(one, "?workspace=quay") as first, world.mcp(other, "?workspace=quay") as second:
        first.text("memory_store", key="berth", category="workspace", content="nine")
        second.text("memory_store", key="berth", category="core", content="mine is ten")
        assert "nine" in first.text("memory_recall", key="berth")
        assert "ten" in second.text("memory_recall", key="berth")


@rows(20, 21)
def test_exact_lookup_through_the_other_doors(world: World) -> None:
    assert world.rest().post("/memory/recall", json={"key": "zz"}).json()["matches"] == []
    world.cli("store", "Runs on EKS", "--key", "target_of_row_21")
    assert "Runs on EKS" in world.cli("recall", "target_of_row_21")
    found = world.rest().post("/memory/recall", json={"key": " target_of_row_21 "}).json()
    assert [match["content"] for match in found["matches"]] == ["Runs on EKS"]


@rows(22, 23, 24, 25)
def test_lists_filter_by_the_words_that_were_stored(world: World) -> None:
    _, token = world.agent(dialect="keyed")
    with world.mcp(token) as agent:
        for key, category, tags in (
            ("a", "Core", ["Customer", "#Plan_Pro"]),
            ("b", "daily", ["customer"]),
            ("c", "runbook", ["A B"]),
        ):
            agent.text("memory_store", key=key, category=category, content=f"is {key}", tags=tags)

        def listed(**filter: object) -> str:
            text = agent.text("memory_list", filter=filter)
            return "".join(key for key in "abc" if f"is {key}" in text)

        assert listed(category="daily") == listed(category=" DAILY ") == "b"
        assert listed(category=["core", "Daily"]) == "ab"
        assert (
            listed(tags=["customer", "plan_pro"]) == listed(tags=["Customer", "#plan_pro"]) == "a"
        )
        assert listed(tags="a  b") == "c"
        assert listed(since="1h") == "abc"
        assert listed(since="0d") == ""
        assert "since" in agent.refused("memory_list", filter={"since": "whenever"})
    world.cli(
        "store", "Vegetarian", "--key", "diet_of_row_24", "--tag", "Food", "--category", "Core"
    )
    for wanted in (["--tag", "Food"], ["--tag", "#food"], ["--category", "CORE", "--tag", "food"]):
        assert "diet_of_row_24" in world.cli("list", *wanted)
        assert "diet_of_row_24" in world.cli("search", "vegetarian", *wanted)
    for typed in ("tag:Food", "tag:#food", "category:CORE vegetarian", "kind:Fact vegetarian"):
        assert "diet_of_row_24" in world.cli("search", typed)
    found = world.rest().get("/memory/entries", params={"tag": "#Food"}).json()["entries"]
    assert [entry["key"] for entry in found] == ["diet_of_row_24"]


@rows(30, 31, 32, 33, 34, 35, 36, 43)
def test_hydration_keeps_core_in_context_within_its_bytes(own_world: World) -> None:
    world = own_world
    agent_id, token = world.agent(dialect="keyed")
    rest = world.rest(token)

    def store(key: str, category: str, content: str) -> None:
        body = {"key": key, "category": category, "content": content}
        assert rest.post("/memory/entries", json=body).status_code == 201

    store("plan_owner", "core", "Marie owns the plan")
    store("core2", "core", "Deploys on Fridays")
    store("big_core", "core", "x" * 20_000)
    for number in range(60):
        store(f"noise{number:02}", "daily", "noise " * 100)
    told = world.hydrate(token)
    assert len(told["text"].encode()) == told["used_bytes"] <= told["budget_bytes"] == 16_384
    assert told == world.hydrate(token)
    kept = [item["key"] for item in told["items"] if item["included"]]
    assert kept[:4] == ["core2", "plan_owner", "noise59", "noise58"]
    reasons = {item["key"]: item["reason"] for item in told["items"]}
    assert (reasons["big_core"], reasons["noise00"]) == ("too_big", "over_budget")
    assert world.hydrate(token, budget_bytes=700)["used_bytes"] <= 700
    assert world.cli("hydrate", "--agent", agent_id, "--text") == told["text"]
    with world.mcp(token) as agent:
        assert "Marie owns the plan" in agent.instructions
    with world.mcp(token, "?dialect=standard") as agent:
        assert "Marie owns the plan" in agent.text("memory_hydrate")


@rows(4, 37, 38, 39, 40, 41)
def test_the_cap_takes_the_coldest_says_so_and_core_last(world: World) -> None:
    _, token = world.agent(dialect="keyed", cap=4)
    rest = world.rest(token)

    def store(key: str, category: str = "daily") -> dict[str, object]:
        body = {"key": key, "category": category, "content": key}
        return dict(rest.post("/memory/entries", json=body).json())

    def keys() -> set[str]:
        own = rest.get("/memory/entries", params={"scope": "agent"}).json()["entries"]
        return {entry["key"] for entry in own}

    for key in ("d0", "d1", "d2"):
        assert "evicted" not in store(key)
    store("c0", "core")
    rest.post("/memory/recall", json={"key": "d0"})  # recalled, it is warm
    assert store("c1", "core")["evicted"] == ["d1"]
    assert keys() == {"d0", "d2", "c0", "c1"}
    with world.mcp(token) as agent:
        said = agent.text("memory_store", key="c2", category="core", content="c2")
        assert re.search("d[02] went to make room", said)
        agent.text("memory_store", key="c3", category="core", content="c3")
        assert keys() == {"c0", "c1", "c2", "c3"}
        refused = agent.refused("memory_store", key="dd", category="daily", content="dd")
        assert "Nothing was stored" in refused
        assert "Forget what is stale" in refused
        assert agent.text("memory_recall", key="dd") == "no entry `dd`"
    full = rest.post("/memory/entries", json={"key": "dd", "category": "daily", "content": "x"})
    assert (full.status_code, full.json()["code"]) == (409, "MEM-004")
    assert store("c4", "core")["evicted"] == ["c0"]
    (gone,) = [entry for entry in world.vault.entries.with_key("c0", state="trashed")]
    assert world.vault.history.of(gone.id)[0].action == "evicted"


@rows(42, 44)
def test_other_words_are_windowed_and_why_has_an_answer(world: World) -> None:
    agent_id, token = world.agent()
    rest = world.rest(token)
    made = rest.post(
        "/memory/entries", json={"key": "rb", "category": "runbook", "content": "x" * 900}
    ).json()
    items = {item["key"]: item for item in world.hydrate(token)["items"]}
    assert items["rb"]["reason"] == "window"
    why = rest.get(f"/memory/entries/{made['id']}/why", params={"budget_bytes": 400}).json()
    assert (why["hydrated"], why["remedies"] != []) == (False, True)
    assert "bytes" in why["why"]
    assert "runbook" in world.cli("why", "rb", "--agent", agent_id)


@rows(47)
def test_a_transcript_is_refused_as_too_large(world: World) -> None:
    _, token = world.agent()
    answer = world.rest(token).post("/memory/entries", json={"content": "x" * 65_537})
    assert (answer.status_code, answer.json()["code"]) == (413, "MEM-006")
    assert "Store the conclusion" in answer.json()["detail"]


@rows(49, 50, 51)
def test_the_sample_file_comes_in_and_goes_out(own_world: World, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "bob.md").write_text(SAMPLE, encoding="utf-8")
    own_world.cli("import", str(source), "--yes")
    (entry,) = own_world.vault.entries.with_key("customer_bob_chen_acme")
    assert (entry.category, entry.tags) == ("core", ("customer", "plan_pro"))
    assert entry.content.strip() == SAMPLE.split("---\n")[2].strip()
    own_world.cli("export", str(tmp_path / "out"))
    (written,) = (tmp_path / "out").rglob("customer_bob_chen_acme.md")
    text = written.read_text(encoding="utf-8")
    head = text.split("---\n")[1].splitlines()
    named = [line for line in head if line.split(":")[0] in ("key", "category", "tags")]
    assert named == SAMPLE.split("---\n")[1].splitlines()
    zipped = own_world.rest().get("/export")
    assert (zipped.status_code, zipped.content[:2]) == (200, b"PK")


@rows(54)
def test_the_owner_steers_in_one_undoable_step(world: World) -> None:
    world.cli("store", "Bob is on the Pro plan", "--key", "bob_plan")
    world.cli("correct", "bob_plan", "Bob is on the Enterprise plan", "--reason", "he moved")
    assert "Enterprise" in world.cli("recall", "bob_plan")
    world.cli("undo")
    assert "Pro plan" in world.cli("recall", "bob_plan")


@rows(55, 57)
def test_one_agent_cannot_read_another(world: World) -> None:
    other_id, other = world.agent(dialect="keyed")
    _, token = world.agent(dialect="keyed")
    world.rest(other).post("/memory/entries", json={"key": "secret_k", "content": "hidden"})
    with world.mcp(token) as agent:
        assert agent.text("memory_recall", key="secret_k") == "no entry `secret_k`"
    said = set()
    for name in (other_id, "nobody-at-all"):
        answer = world.rest(token).get(
            "/memory/entries", params={"scope": "agent", "agent_id": name}
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "MEM-001")
        said.add(answer.json()["detail"].replace(name, "it"))
    assert len(said) == 1
    assert "workspace" in said.pop()


@rows(58)
def test_a_store_that_cannot_be_written_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = world.agent()
    monkeypatch.setattr("store.file.database.LOCK_SECONDS", 0.2)
    with world.vault.database.write():
        answer = world.rest(token).post("/memory/entries", json={"content": "x"})
    assert (answer.status_code, answer.json()["code"]) == (503, "MEM-003")
    assert world.rest(token).post("/memory/entries", json={"content": "x"}).status_code == 201


@rows(60)
def test_the_owner_audits_what_an_agent_asked(world: World) -> None:
    agent_id, token = world.agent(dialect="keyed")
    with world.mcp(token) as agent:
        agent.text("memory_recall", key="customer_row_60")
    assert "memory_recall" in world.cli("calls", agent_id)
    assert "customer_row_60" in world.cli("calls", agent_id)
    calls = world.rest().get(f"/agents/{agent_id}/calls").json()["calls"]
    assert "memory_recall" in [call["call"] for call in calls]
