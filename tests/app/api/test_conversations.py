"""/conversations and /channels."""

from __future__ import annotations

import pytest

from tests.app.api.conftest import Served


def test_a_run_is_kept_reloaded_within_a_budget_and_ended(served: Served) -> None:
    _, client = served.agent("claude")
    run = client.post("/conversations", json={"title": "week"}).json()
    assert (run["state"], run["agent_id"]) == ("open", "claude")
    turns = f"/conversations/{run['id']}/turns"
    client.post(turns, json={"role": "user", "content": "one"})
    both = [{"role": "assistant", "content": "two"}, {"role": "user", "content": "three"}]
    assert client.post(turns, json={"turns": both}).status_code == 201
    told = client.get(turns).json()
    assert [turn["content"] for turn in told["turns"]] == ["one", "two", "three"]
    short = client.get(turns, params={"budget_bytes": 8}).json()
    assert ([turn["content"] for turn in short["turns"]], short["left_out"]) == (
        ["two", "three"],
        1,
    )
    note = {"content": "for now", "scope": "conversation", "conversation_id": run["id"]}
    kept = client.post("/memory/entries", json=note).json()
    ended = client.post(f"/conversations/{run['id']}/end").json()
    assert ended["conversation"]["state"] == "ended"
    assert ended["forgotten"] == [kept["id"]]
    late = client.post(turns, json={"role": "user", "content": "late"})
    assert late.status_code == 409
    assert client.delete(f"/conversations/{run['id']}").json()["turns"] == 3
    assert client.get(f"/conversations/{run['id']}").status_code == 404


def test_another_agents_run_is_not_there(served: Served) -> None:
    _, mine = served.agent("a")
    _, theirs = served.agent("b")
    run = theirs.post("/conversations", json={}).json()["id"]
    for answer in (
        mine.get(f"/conversations/{run}"),
        mine.get(f"/conversations/{run}/turns"),
        mine.post(f"/conversations/{run}/turns", json={"role": "user", "content": "x"}),
        mine.post(f"/conversations/{run}/end"),
        mine.delete(f"/conversations/{run}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "MEM-002")
    assert mine.get("/conversations").json()["conversations"] == []
    assert len(served.owner.get("/conversations").json()["conversations"]) == 1


def test_a_run_in_a_foreign_workspace_is_denied_like_any_foreign_scope(served: Served) -> None:
    _, client = served.agent("claude")
    refused = client.post("/conversations", json={"workspace_id": "shop"})
    asked = client.post("/memory/hydrate", json={"workspace_id": "shop"})
    assert (refused.status_code, refused.json()["code"]) == (403, "MEM-001")
    assert refused.json()["detail"] == asked.json()["detail"]
    wrong = served.owner.post("/conversations", json={"agent_id": "claude", "workspace_id": "shop"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "MEM-005")


def test_trust_counts_for_every_change_of_a_run(served: Served) -> None:
    _, client = served.agent("claude")
    run = client.post("/conversations", json={}).json()["id"]
    said = {"role": "user", "content": "hello"}
    client.post(f"/conversations/{run}/turns", json=said)
    served.vault.agents.change("claude", {"trust": "review"})
    refused = client.delete(f"/conversations/{run}")
    assert (refused.status_code, refused.json()["code"]) == (403, "MEM-008")
    served.vault.agents.change("claude", {"trust": "read_only"})
    for answer in (
        client.post(f"/conversations/{run}/turns", json=said),
        client.post(f"/conversations/{run}/end"),
        client.delete(f"/conversations/{run}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "MEM-008")
    told = served.owner.get(f"/conversations/{run}/turns").json()
    assert [turn["content"] for turn in told["turns"]] == ["hello"]
    assert served.owner.get(f"/conversations/{run}").json()["state"] == "open"


def test_a_channel_message_is_heard_once_by_an_agent_in_team_mode(served: Served) -> None:
    _, client = served.agent("a", team=True)
    body = {"id": "m1", "author": "mia", "text": "The launch moved to May."}
    url = "/channels/general/messages"
    assert client.post(url, json=body).json() == {"queued": True, "reason": ""}
    assert client.post(url, json=body).json() == {"queued": False, "reason": "known"}
    spoken = {**body, "id": "m2", "addressed": True}
    assert client.post(url, json=spoken).json()["reason"] == "addressed"
    assert served.owner.post(url, json=body).status_code == 422
    assert served.owner.post(url, json={**body, "agent_id": "a"}).json()["reason"] == "known"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"role": "user"}, ["content"]),
        ({"turns": [{"role": "user"}]}, ["turns.0.content"]),
        ({"role": "user", "content": "x", "mood": "good"}, ["mood"]),
        ("hello", [""]),
    ],
)
def test_a_turn_that_is_wrong_is_explained_in_the_clients_words(
    shared: Served, body: object, fields: list[str]
) -> None:
    answer = shared.owner.post("/conversations/any/turns", json=body)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == fields
    assert "Wanted" not in answer.text


def test_a_turn_too_large_is_413(served: Served) -> None:
    _, client = served.agent("claude")
    run = client.post("/conversations", json={}).json()["id"]
    turn = {"role": "user", "content": "x" * 1_100_000}
    answer = client.post(f"/conversations/{run}/turns", json=turn)
    assert (answer.status_code, answer.json()["code"]) == (413, "MEM-006")


def test_a_run_named_by_the_agent_is_reached_by_that_name(served: Served) -> None:
    _, theirs = served.agent("a")
    _, mine = served.agent("b")
    told = [client.post("/conversations", json={"id": "run-1"}) for client in (theirs, mine)]
    assert [(answer.status_code, answer.json()["id"]) for answer in told] == [
        (201, "run-1@a"),
        (201, "run-1@b"),
    ]
    note = {"content": "for now", "scope": "conversation", "conversation_id": "run-1"}
    kept = mine.post("/memory/entries", json=note).json()
    assert kept["conversation_id"] == "run-1@b"
    found = mine.post("/memory/recall", json={"query": "for now", "conversation_id": "run-1"})
    assert [match["id"] for match in found.json()["matches"]] == [kept["id"]]
    told = mine.post("/memory/hydrate", json={"conversation_id": "run-1"}).json()
    assert "for now" in told["text"]
    ended = mine.post("/conversations/run-1/end").json()
    assert ended["forgotten"] == [kept["id"]]
    assert theirs.get("/conversations/run-1").json()["state"] == "open"
    assert mine.get("/conversations/run-1@a").status_code == 404
