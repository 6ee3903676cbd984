"""mem0's routes and row shape, over the same memory."""

from __future__ import annotations

import httpx
import pytest

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
    place = f"/memories/{added['id']}"
    row = mem0.get(place).json()
    assert row["metadata"] == {"topic": "food"}
    assert {"id", "memory", "hash", "created_at", "updated_at", "user_id"} <= set(row)
    (listed,) = mem0.get("/memories", params={"user_id": "me"}).json()["results"]
    assert (listed["id"], listed["user_id"]) == (added["id"], "me")
    assert mem0.put(place, json={"text": "I am vegan"}).status_code == 200
    (found,) = mem0.post("/search", json={"query": "vegan", "user_id": "me"}).json()["results"]
    assert found["memory"] == "I am vegan"
    assert 0 < found["score"] <= 1
    events = mem0.get(f"{place}/history").json()
    assert [(e["event"], e["old_memory"], e["new_memory"]) for e in events] == [
        ("ADD", None, "I am vegetarian"),
        ("UPDATE", "I am vegetarian", "I am vegan"),
    ]
    assert mem0.delete(place).json()["message"].startswith("Memory deleted")
    assert mem0.get("/memories", params={"user_id": "me"}).json() == {"results": []}
    assert served.vault.entries.count() == 0


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
