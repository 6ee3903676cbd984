"""mem0's routes and row shape, over the same memory."""

from __future__ import annotations

import httpx
import pytest

from app.access.caller_scope import Caller
from app.outcomes import Saved
from store.records import EntryDraft, Scope
from tests.app.api.conftest import OWNER_TOKEN, Served


@pytest.fixture
def mem0(served: Served) -> httpx.Client:
    client = httpx.Client(
        base_url=served.url, headers={"X-API-Key": OWNER_TOKEN}, trust_env=False, timeout=30
    )
    served.clients.append(client)
    return client


def test_the_life_of_a_memory_in_mem0s_words(served: Served, mem0: httpx.Client) -> None:
    messages = [
        {"role": "user", "content": "I am vegetarian"},
        {"role": "assistant", "content": "Noted!"},
    ]
    body = {"messages": messages, "user_id": "me", "metadata": {"topic": "food"}, "infer": True}
    (added,) = mem0.post("/memories", json=body).json()["results"]
    assert (added["memory"], added["event"]) == ("I am vegetarian", "ADD")
    url = f"/memories/{added['id']}"
    row = mem0.get(url).json()
    assert row["metadata"] == {"topic": "food"}
    assert {"id", "memory", "hash", "created_at", "updated_at", "user_id"} <= set(row)
    (listed,) = mem0.get("/memories", params={"user_id": "me"}).json()["results"]
    assert (listed["id"], listed["user_id"]) == (added["id"], "me")
    assert mem0.put(url, json={"text": "I am vegan"}).status_code == 200
    (found,) = mem0.post("/search", json={"query": "vegan", "user_id": "me"}).json()["results"]
    assert found["memory"] == "I am vegan"
    assert 0 < found["score"] <= 1
    events = mem0.get(f"{url}/history").json()
    assert [(e["event"], e["old_memory"], e["new_memory"]) for e in events] == [
        ("ADD", None, "I am vegetarian"),
        ("UPDATE", "I am vegetarian", "I am vegan"),
    ]
    assert mem0.delete(url).json()["message"].startswith("Memory deleted")
    assert mem0.get("/memories", params={"user_id": "me"}).json() == {"results": []}
    assert served.vault.entries.count() == 0


def test_history_tells_an_agent_nothing_from_before_it(served: Served, mem0: httpx.Client) -> None:
    row = said(mem0, "The PIN is 4711", user_id="owner")
    place = f"/memories/{row}"
    mem0.put(place, json={"text": "The PIN is at home"})
    _, late = served.agent("late")
    for told in (
        late.get(f"{served.url}{place}/history", params={"user_id": "owner"}),
        late.get(f"/memory/entries/{row}/history"),
    ):
        assert told.status_code == 200
        assert "at home" in told.text
        assert "4711" not in told.text
    first = served.vault.history.of(row)[-1].seq
    refused = late.post(f"/memory/entries/{row}/restore", json={"seq": first})
    assert refused.status_code == 422
    assert served.vault.entries.read(row).content == "The PIN is at home"


def test_whose_memory_must_be_said(mem0: httpx.Client) -> None:
    body = {"messages": [{"role": "user", "content": "x"}]}
    assert mem0.post("/memories", json=body).status_code == 422


def test_an_agents_token_keeps_to_its_own(served: Served, mem0: httpx.Client) -> None:
    _, client = served.agent("a")
    body = {"messages": [{"role": "user", "content": "x"}], "agent_id": "b"}
    assert client.post(served.url + "/memories", json=body).status_code == 403
    own = client.post(served.url + "/memories", json={**body, "agent_id": "a"})
    assert own.json()["results"][0]["event"] == "ADD"
    raw = {
        **body,
        "agent_id": "a",
        "infer": False,
        "messages": [{"role": "assistant", "content": "y"}],
    }
    assert len(client.post(served.url + "/memories", json=raw).json()["results"]) == 1


def said(mem0: httpx.Client, text: str, **whose: object) -> str:
    body = {"messages": [{"role": "user", "content": text}], **whose}
    (added,) = mem0.post("/memories", json=body).json()["results"]
    return str(added["id"])


def listed(mem0: httpx.Client, **whose: str) -> set[str]:
    rows = mem0.get("/memories", params=whose).json()["results"]
    return {row["memory"] for row in rows}


def found(mem0: httpx.Client, query: str, **more: object) -> set[str]:
    answer = mem0.post("/search", json={"query": query, **more})
    assert answer.status_code == 200, answer.text
    return {row["memory"] for row in answer.json()["results"]}


def test_two_users_never_see_each_others_memories(served: Served, mem0: httpx.Client) -> None:
    served.vault.entries.store(EntryDraft("I drink tea"))
    alices = said(mem0, "I am diabetic and drink tea", user_id="alice")
    bobs = said(mem0, "I like sugar in my tea", user_id="bob")
    for user, own, text in (
        ("alice", alices, "I am diabetic and drink tea"),
        ("bob", bobs, "I like sugar in my tea"),
    ):
        assert listed(mem0, user_id=user) == {text}
        assert found(mem0, "tea", user_id=user) == {text}
        assert found(mem0, "what about diabetes or sugar", user_id=user) == {text}
        assert mem0.get(f"/memories/{own}").json()["user_id"] == user
    assert listed(mem0, user_id="owner") == {"I drink tea"}
    assert found(mem0, "tea", user_id="owner") == {"I drink tea"}
    assert listed(mem0, user_id="Alice") == set()
    for route in ("", "/history"):
        url = f"/memories/{alices}{route}"
        assert mem0.get(url, params={"user_id": "alice"}).status_code == 200
        assert mem0.get(url, params={"user_id": "bob"}).status_code == 404
    as_bob = {"user_id": "bob"}
    url = f"/memories/{alices}"
    assert mem0.put(url, params=as_bob, json={"text": "x"}).status_code == 404
    assert mem0.delete(url, params=as_bob).status_code == 404
    assert mem0.delete("/memories", params=as_bob).status_code == 200
    assert (listed(mem0, user_id="bob"), len(listed(mem0, user_id="alice"))) == (set(), 1)
    assert listed(mem0, user_id="owner") == {"I drink tea"}


def test_users_of_one_agent_and_of_one_run_are_apart_too(
    served: Served, mem0: httpx.Client
) -> None:
    bot, _ = served.agent("bot")
    run = served.vault.conversations.start(Caller(bot)).id
    for user in ("alice", "bob"):
        said(mem0, f"of {user} and the bot", user_id=user, agent_id="bot")
        said(mem0, f"of {user} in the run", user_id=user, agent_id="bot", run_id=run)
    assert listed(mem0, user_id="bob", agent_id="bot") == {"of bob and the bot"}
    assert listed(mem0, user_id="bob", run_id=run) == {"of bob in the run"}
    assert listed(mem0, user_id="bob", run_id=run, agent_id="bot") == {"of bob in the run"}
    assert listed(mem0, run_id=run, agent_id="other") == set()
    assert listed(mem0, user_id="bob") == {"of bob and the bot", "of bob in the run"}
    assert listed(mem0, agent_id="bot") == {"of alice and the bot", "of bob and the bot"}
    assert listed(mem0, user_id="owner") == set()


def test_new_metadata_does_not_make_a_memory_somebody_elses(mem0: httpx.Client) -> None:
    ident = said(mem0, "I am diabetic", user_id="alice", metadata={"topic": "health"})
    url = f"/memories/{ident}"
    assert mem0.put(url, json={"metadata": {"topic": "food"}}).status_code == 200
    row = mem0.get(url).json()
    assert (row["user_id"], row["metadata"]) == ("alice", {"topic": "food"})
    forged = {"metadata": {"user_id": "bob"}}
    assert mem0.put(url, json=forged).status_code == 400
    body = {"messages": [{"role": "user", "content": "x"}], "user_id": "alice", **forged}
    assert mem0.post("/memories", json=body).status_code == 400


def test_deleting_all_needs_to_know_whose(served: Served, mem0: httpx.Client) -> None:
    said(mem0, "I am diabetic", user_id="alice")
    for params in ({}, {"app_id": "x"}, {"user_id": "alice", "app_id": "x"}):
        assert mem0.delete("/memories", params=params).status_code == 400
    assert served.vault.entries.count() == 1
    assert mem0.delete("/memories", params={"user_id": "nobody"}).status_code == 200
    assert mem0.delete("/memories", params={"user_id": "alice"}).status_code == 200
    assert served.vault.entries.count() == 0


def test_who_is_reviewed_is_told_that_nothing_was_changed_yet(served: Served) -> None:
    _, client = served.agent("a", trust="review")
    entry = EntryDraft("x", scope=Scope("agent", "a"))
    saved = served.vault.entries.store(entry)
    assert isinstance(saved, Saved)
    url = f"{served.url}/memories/{saved.entry.id}"
    for answer in (
        client.put(url, json={"text": "y"}),
        client.delete(url),
        client.delete(f"{served.url}/memories", params={"agent_id": "a"}),
    ):
        assert "waits" in answer.json()["message"]
    assert served.vault.entries.read(saved.entry.id).content == "x"


@pytest.fixture
def teas(served: Served, mem0: httpx.Client) -> httpx.Client:
    """One tea each, with what can be asked of it."""
    served.agent("bot")
    for text, whose, metadata in (
        ("green tea", {"user_id": "alice"}, {"stars": 5, "shop": "Kyoto", "kinds": ["leaf"]}),
        ("black tea", {"user_id": "alice"}, {"stars": 3, "shop": "London"}),
        ("white tea", {"user_id": "bob"}, {"stars": 5, "shop": "Kyoto"}),
        ("mint tea", {"agent_id": "bot"}, {}),
    ):
        said(mem0, text, **whose, metadata=metadata)
    return mem0


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"user_id": "alice"}, "green black"),
        ({"agent_id": "bot"}, "mint"),
        ({"AND": [{"user_id": "alice"}]}, "green black"),
        ({"AND": [{"user_id": "alice"}, {"metadata": {"stars": 5}}]}, "green"),
        ({"AND": [{"user_id": "alice"}, {"AND": [{"user_id": "bob"}]}]}, ""),
        ({"OR": [{"user_id": "bob"}, {"agent_id": "bot"}]}, "white mint"),
        ({"user_id": "alice", "OR": [{"stars": 3}, {"stars": 4}]}, "black"),
        ({"NOT": [{"user_id": "alice"}]}, "white mint"),
        ({"user_id": {"in": ["bob", "carol"]}}, "white"),
        ({"user_id": {"ne": "alice"}}, "white mint"),
        ({"agent_id": "*"}, "mint"),
        ({"user_id": "alice", "stars": {"gte": 4}}, "green"),
        ({"user_id": "alice", "stars": {"gte": 3, "lte": 3}}, "black"),
        ({"stars": {"gt": 3, "lt": 6}, "user_id": "bob"}, "white"),
        ({"shop": {"contains": "yot"}, "user_id": "alice"}, "green"),
        ({"shop": {"icontains": "LON"}, "user_id": "alice"}, "black"),
        ({"kinds": {"contains": "leaf"}}, "green"),
        ({"shop": {"nin": ["Kyoto"]}, "user_id": "alice"}, "black"),
        ({"stars": "5", "user_id": "alice"}, ""),
        ({"created_at": {"gte": "2020-01-01", "lte": "2099-12-31"}}, "green black white mint"),
        ({"created_at": {"lt": "2020-01-01T00:00:00Z"}}, ""),
        ({}, "green black white mint"),
    ],
)
def test_filters_of_a_search_are_honoured(
    teas: httpx.Client, filters: dict[str, object], wanted: str
) -> None:
    assert found(teas, "tea", filters=filters) == {f"{word} tea" for word in wanted.split()}


@pytest.mark.parametrize(
    "filters",
    [
        {"app_id": "x"},
        {"categories": {"contains": "food"}},
        {"keywords": {"contains": "tea"}},
        {"XOR": [{"user_id": "alice"}]},
        {"AND": {"user_id": "alice"}},
        {"AND": []},
        {"OR": ["alice"]},
        {"user_id": 5},
        {"user_id": ["alice"]},
        {"user_id": ""},
        {"user_id": {}},
        {"user_id": {"like": "a"}},
        {"user_id": {"in": "alice"}},
        {"stars": {"gte": True}},
        {"stars": {"gte": None}},
        {"stars": [5]},
        {"metadata": "x"},
        {"created_at": {"gte": "yesterday"}},
        {"created_at": 5},
    ],
)
def test_a_filter_that_is_not_understood_is_refused(
    mem0: httpx.Client, filters: dict[str, object]
) -> None:
    answer = mem0.post("/search", json={"query": "tea", "user_id": "alice", "filters": filters})
    assert answer.status_code == 400, answer.text
    assert "filters" in answer.json()["detail"]


def test_filters_and_ids_that_contradict_each_other_are_refused(mem0: httpx.Client) -> None:
    body = {"query": "tea", "user_id": "bob", "filters": {"user_id": "alice"}}
    assert mem0.post("/search", json=body).status_code == 400
    nested: dict[str, object] = {"user_id": "alice"}
    for _ in range(50):
        nested = {"OR": [nested]}
    assert mem0.post("/search", json={"query": "tea", "filters": nested}).status_code == 400


def test_a_filter_widens_nobodys_sight(served: Served, teas: httpx.Client) -> None:
    _, client = served.agent("a")
    for filters in ({"OR": [{"agent_id": "bot"}, {"agent_id": "a"}]}, {"agent_id": {"ne": "x"}}):
        answer = client.post(f"{served.url}/search", json={"query": "tea", "filters": filters})
        assert "mint tea" not in answer.text
    named = {"query": "tea", "filters": {"agent_id": "bot"}}
    assert client.post(f"{served.url}/search", json=named).status_code == 403


def test_no_more_memories_are_listed_than_asked_for(teas: httpx.Client) -> None:
    for name in ("limit", "top_k"):
        (row,) = teas.get("/memories", params={"user_id": "alice", name: 1}).json()["results"]
        assert row["memory"] == "black tea"
