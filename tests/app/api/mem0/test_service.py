"""What the clients of mem0's service send, byte for byte as they sent it (mem0ai 2.2.1 of PyPI and
3.3.1 of npm, November 2026), and what they read in the answers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.app.api.conftest import OWNER_TOKEN, Served

AS_PYTHON = {"X-Mem0-Client": "mem0-python/2.2.1", "Mem0-User-ID": "0cc175b9c0f1b6a8"}


@pytest.fixture(params=["owner", "agent"])
def client(served: Served, request: pytest.FixtureRequest) -> httpx.Client:
    """Any program with a token: the owner's, or one of an agent."""
    token = OWNER_TOKEN if request.param == "owner" else served.vault.agents.add("bot")[1]
    return mem0_client(served, token)


@pytest.fixture
def owner(served: Served) -> httpx.Client:
    return mem0_client(served, OWNER_TOKEN)


def mem0_client(served: Served, token: str) -> httpx.Client:
    headers = {"Authorization": f"Token {token}", **AS_PYTHON}
    client = httpx.Client(base_url=served.url, headers=headers, trust_env=False, timeout=30)
    served.clients.append(client)
    return client


def add(client: httpx.Client, text: str, **more: object) -> str:
    body = {"messages": [{"role": "user", "content": text}], **more}
    answer = client.post("/v3/memories/add/", json=body)
    assert answer.status_code == 200, answer.text
    (added,) = answer.json()["results"]
    assert (added["memory"], added["event"]) == (text, "ADD")
    return str(added["id"])


def found(client: httpx.Client, query: str, **more: object) -> list[str]:
    answer = client.post("/v3/memories/search/", json={"query": query, **more})
    assert answer.status_code == 200, answer.text
    return [row["memory"] for row in answer.json()["results"]]


def test_a_client_begins_with_a_ping(served: Served, client: httpx.Client) -> None:
    told = client.get("/v1/ping/").json()
    assert told["status"] == "ok"
    # The Python client does not start without these two.
    assert told["org_id"]
    assert told["project_id"]
    stranger = httpx.get(
        served.url + "/v1/ping/", headers={"Authorization": "Token kps_no"}, trust_env=False
    )
    assert stranger.status_code == 401


def test_the_life_of_a_memory(client: httpx.Client) -> None:
    ident = add(
        client,
        "I am vegetarian",
        user_id="alice",
        metadata={"topic": "food"},
        expiration_date="2031-05-01",
    )
    url = f"/v1/memories/{ident}/"
    row = client.get(url).json()
    assert (row["memory"], row["user_id"], row["metadata"], row["expiration_date"]) == (
        "I am vegetarian",
        "alice",
        {"topic": "food"},
        "2031-05-01",
    )
    assert client.put(url, json={"text": "I am vegan"}).json()["memory"] == "I am vegan"
    assert client.put(url, json={"expiration_date": None}).json()["expiration_date"] is None
    listed = client.post("/v3/memories/", json={"filters": {"user_id": "alice"}}).json()
    assert (listed["count"], listed["next"], listed["previous"]) == (1, None, None)
    assert [row["id"] for row in listed["results"]] == [ident]
    (user,) = client.get("/v1/entities/").json()["results"]
    assert (user["type"], user["name"], user["total_memories"]) == ("user", "alice", 1)
    assert client.delete(url).json() == {"message": "Memory deleted successfully!"}
    assert client.get(url).status_code == 404
    assert client.put(url, json={"text": "x"}).status_code == 404
    told = client.get(f"{url}history/").json()
    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in told] == [
        ("ADD", None, "I am vegetarian"),
        ("UPDATE", "I am vegetarian", "I am vegan"),
        ("UPDATE", "I am vegan", "I am vegan"),
        ("DELETE", "I am vegan", None),
    ]


def test_two_users_never_see_each_others_memories(client: httpx.Client) -> None:
    alices = add(client, "I am diabetic and drink tea", user_id="alice")
    add(client, "I like sugar in my tea", filters={"user_id": "bob"})
    for user, own in (("alice", "I am diabetic and drink tea"), ("bob", "I like sugar in my tea")):
        filters = {"user_id": user}
        assert found(client, "tea, sugar, diabetes", filters=filters, top_k=10) == [own]
        listed = client.post("/v3/memories/", json={"filters": filters}).json()["results"]
        assert [row["memory"] for row in listed] == [own]
    assert client.get(f"/v1/memories/{alices}/", params={"user_id": "bob"}).status_code == 404
    gone = client.delete("/v1/memories/", params={"user_id": "bob"})
    assert gone.json() == {"message": "1 memory deleted successfully!"}
    assert found(client, "tea", filters={"user_id": "alice"}) == ["I am diabetic and drink tea"]


def test_a_run_is_what_the_program_calls_it(client: httpx.Client) -> None:
    run = {"run_id": "session-2026-11-17"}
    assert found(client, "red", filters=run) == []
    ident = add(client, "The tests are red", **run, user_id="alice")
    assert found(client, "red", filters=run) == ["The tests are red"]
    row = client.get(f"/v1/memories/{ident}/", params=run).json()
    assert (row["run_id"], row["user_id"]) == ("session-2026-11-17", "alice")
    assert found(client, "red", filters={"run_id": "another"}) == []
    assert client.get(f"/v1/memories/{ident}/", params={"run_id": "x"}).status_code == 404
    listed = client.post("/v3/memories/", json={"filters": {"AND": [run]}}).json()
    assert [one["run_id"] for one in listed["results"]] == ["session-2026-11-17"]


def test_a_run_that_two_agents_name_alike_is_not_one(served: Served) -> None:
    one, two = (mem0_client(served, served.vault.agents.add(name)[1]) for name in ("one", "two"))
    ident = add(one, "Of one alone", run_id="daily")
    assert found(two, "alone", filters={"run_id": "daily"}) == []
    # Neither its own name for it nor its id in the vault opens another's run.
    assert found(two, "alone", filters={"run_id": "daily@one"}) == []
    assert two.get(f"/v1/memories/{ident}/").status_code == 404
    add(two, "Of two alone", run_id="daily")
    assert found(one, "alone", filters={"run_id": "daily"}) == ["Of one alone"]


def test_who_did_not_delete_a_memory_reads_no_history_of_it(served: Served) -> None:
    one, two = (mem0_client(served, served.vault.agents.add(name)[1]) for name in ("one", "two"))
    ident = add(one, "The PIN is 4711", user_id="owner")
    url = f"/v1/memories/{ident}/history/"
    assert one.delete(f"/v1/memories/{ident}/").status_code == 200
    assert [event["event"] for event in one.get(url).json()] == ["ADD", "DELETE"]
    assert two.get(url).status_code == 404
    served.vault.entries.restore([ident])
    served.vault.entries.change(ident, {"content": "The PIN is 0815"})
    served.vault.entries.forget([ident])
    assert one.get(url).status_code == 404  # the owner deleted it this time


def test_messages_may_be_a_text_or_one_message(client: httpx.Client) -> None:
    for said in ("I ski", {"role": "user", "content": "I swim"}):
        answer = client.post("/memories", json={"messages": said, "user_id": "alice"})
        assert answer.json()["results"][0]["event"] == "ADD"


def test_a_memory_is_told_until_its_last_day_is_over(served: Served, client: httpx.Client) -> None:
    past = {"messages": "Old news about tea", "user_id": "alice", "expiration_date": "2020-01-31"}
    client.post("/v3/memories/add/", json=past)
    add(client, "New news about tea", user_id="alice", expiration_date="2099-01-31")
    assert found(client, "tea", filters={"user_id": "alice"}) == ["New news about tea"]
    for wrong in ("2099-02-31", "tomorrow", "2099-01-31T10:00:00Z"):
        answer = client.post("/v3/memories/add/", json={**past, "expiration_date": wrong})
        assert answer.status_code in (400, 422), answer.text


@pytest.mark.utc
def test_pages_and_days_and_fields(owner: httpx.Client) -> None:
    for number in range(5):
        day = 1_577_836_800 + number * 86_400  # from 2020-01-01 on
        add(owner, f"fact {number}", user_id="alice", timestamp=day + 43_200)
    body = {"filters": {"user_id": "alice"}}
    page = owner.post("/v3/memories/", params={"page": 2, "page_size": 2}, json=body).json()
    assert (page["count"], len(page["results"])) == (5, 2)
    again = owner.post(page["next"], json=body).json()
    assert len(again["results"]) == 1
    assert again["next"] is None
    dated = {**body, "start_date": "2020-01-02", "end_date": "2020-01-03", "fields": ["memory"]}
    rows = owner.post("/v3/memories/", json=dated).json()["results"]
    assert sorted(rows, key=str) == [{"memory": "fact 1"}, {"memory": "fact 2"}]
    search = {"query": "fact", **body, "fields": ["id", "score"], "output_format": "v1.1"}
    hits = owner.post("/v3/memories/search/", json=search).json()["results"]
    assert {tuple(sorted(hit)) for hit in hits} == {("id", "score")}


REFUSED: tuple[tuple[str, str, dict[str, object] | None], ...] = (
    ("POST", "/v3/memories/add/", {"messages": "x", "custom_instructions": "be brief"}),
    ("POST", "/v3/memories/add/", {"messages": "x", "custom_categories": [{"a": "b"}]}),
    ("POST", "/v3/memories/add/", {"messages": "x", "immutable": True}),
    ("POST", "/v3/memories/add/", {"messages": "x", "user_id": "*"}),
    ("POST", "/v3/memories/add/", {"messages": "x", "filters": {"topic": "food"}}),
    ("POST", "/memories", {"messages": "x", "prompt": "find facts"}),
    ("POST", "/v3/memories/search/", {"query": "x"}),
    ("POST", "/v3/memories/search/", {"query": "x", "rerank": True}),
    ("POST", "/v3/memories/search/", {"query": "x", "reference_date": "2026-01-01"}),
    ("POST", "/v3/memories/search/", {"query": "x", "fields": ["embedding"]}),
    ("POST", "/search", {"query": "x", "explain": True}),
    ("POST", "/v3/memories/", {}),
    ("POST", "/v3/memories/", {"categories": ["food"]}),
    ("POST", "/v3/memories/", {"show_expired": True}),
    ("DELETE", "/v1/memories/", None),
    ("DELETE", "/v1/memories/?filters=%7B%27user_id%27%3A+%27alice%27%7D", None),
    ("DELETE", "/v1/memories/?user_id=*", None),
    ("DELETE", "/v2/entities/app/shop/", None),
    ("GET", "/memories?user_id=alice&show_expired=true", None),
)


def test_what_is_not_supported_is_refused_and_changes_nothing(
    served: Served, owner: httpx.Client
) -> None:
    add(owner, "I drink tea", user_id="alice")
    for method, path, given in REFUSED:
        body = given
        if body is not None and len(body) > 1 and "user_id" not in body:
            named: dict[str, object] = {"user_id": "alice"}
            body = {**body, **({"filters": named} if "filters" not in body else named)}
        answer = owner.request(method, path, json=body)
        assert answer.status_code in (400, 422), (path, given, answer.text)
        assert answer.json()["detail"]
        assert served.vault.entries.count() == 1


def test_a_parameter_that_is_refused_is_named(owner: httpx.Client) -> None:
    body = {"messages": "x", "user_id": "a", "custom_instructions": "y", "immutable": None}
    told = owner.post("/v3/memories/add/", json=body).json()["detail"]
    assert "custom_instructions is not supported here" in told
    assert owner.post(
        "/v3/memories/add/", json={"messages": "x", "user_id": "a", "prompt": None}
    ).is_success


def test_several_at_once_are_all_or_none(client: httpx.Client) -> None:
    idents = [add(client, f"fact {number}", user_id="alice") for number in range(2)]
    texts = [{"memory_id": ident, "text": "new"} for ident in idents]
    bad = [*texts, {"memory_id": "nothing", "text": "new"}]
    assert client.put("/v1/batch/", json={"memories": bad}).status_code == 404
    assert client.get(f"/v1/memories/{idents[0]}/").json()["memory"] == "fact 0"
    assert client.put("/v1/batch/", json={"memories": texts}).is_success
    assert client.get(f"/v1/memories/{idents[0]}/").json()["memory"] == "new"
    gone = [{"memory_id": ident} for ident in idents]
    told = client.request("DELETE", "/v1/batch/", json={"memories": gone})
    assert told.json() == {"message": "Successfully deleted 2 memories"}
    assert client.get(f"/v1/memories/{idents[1]}/").status_code == 404


def test_entities_are_listed_and_deleted(served: Served, owner: httpx.Client) -> None:
    add(owner, "of alice", user_id="alice")
    add(owner, "of a bot nobody registered", agent_id="travel-bot")
    add(owner, "of a run", run_id="r1")
    told = owner.get("/v1/entities/").json()
    assert [(one["type"], one["name"]) for one in told["results"]] == [
        ("user", "alice"),
        ("agent", "travel-bot"),
        ("run", "r1"),
    ]
    assert (told["total_users"], told["total_agents"], told["total_runs"]) == (1, 1, 1)
    assert [one["id"] for one in owner.get("/entities").json()] == ["alice", "travel-bot", "r1"]
    assert owner.delete("/v2/entities/agent/travel-bot/").is_success
    assert owner.delete("/entities/run/r1").is_success
    assert [one.content for one in served.vault.entries.page().entries] == ["of alice"]


@pytest.mark.slow
def test_mem0s_own_client_works_with_only_another_host(served: Served) -> None:
    """KEEPSAKE_MEM0_PYTHON names a Python that has mem0ai; nothing of it is installed for us."""
    python = os.environ.get("KEEPSAKE_MEM0_PYTHON")
    if not python:
        pytest.skip("KEEPSAKE_MEM0_PYTHON is not set")
    script = Path(__file__).with_name("real_client.py")
    _, agent_token = served.vault.agents.add("bot")
    for token in (OWNER_TOKEN, agent_token):
        ran = subprocess.run(
            [python, str(script), served.url, token], capture_output=True, text=True, timeout=120
        )
        assert ran.returncode == 0, ran.stderr
