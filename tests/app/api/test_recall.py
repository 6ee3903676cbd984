"""Search, recall, hydrate and preload over the wire."""

from __future__ import annotations

import pytest

from tests.app.api.conftest import Served

FAR = "Which green did the parliament choose for its tower clock last winter?"


@pytest.fixture
def told(served: Served) -> Served:
    served.agent("claude")
    for key, content in (("tea", "Drinks green tea"), ("city", "Lives in Lisbon")):
        served.owner.post("/memory/entries", json={"content": content, "key": key})
    body = {"content": "Acme renewal is in May\nGlobex signed", "expected_updated_at": None}
    served.owner.put("/memory/blocks/archival", json=body)
    return served


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_search_finds_in_every_mode(told: Served, mode: str) -> None:
    answer = told.owner.post("/memory/search", json={"query": "green tea", "mode": mode})
    best = answer.json()["matches"][0]
    assert (best["type"], best["key"], best["content"]) == ("entry", "tea", "Drinks green tea")
    assert best["why"]
    assert 0 < best["score"] <= 1


def test_a_search_says_that_nothing_is_near_as_a_recall_does(told: Served) -> None:
    for route in ("search", "recall"):
        found = told.owner.post(f"/memory/{route}", json={"query": FAR}).json()
        assert found["matches"], route
        assert found["near"] is False, route
        near = told.owner.post(f"/memory/{route}", json={"query": "Drinks green tea"}).json()
        assert near["near"] is True, route
    assert told.owner.post("/memory/search", json={"query": "*"}).json()["near"] is True


def test_recall_by_key_is_one_entry_or_none_and_never_an_error(told: Served) -> None:
    found = told.owner.post("/memory/recall", json={"key": "city"}).json()["matches"]
    assert [match["content"] for match in found] == ["Lives in Lisbon"]
    assert told.owner.post("/memory/recall", json={"key": "none"}).json()["matches"] == []
    assert told.owner.post("/memory/recall", json={}).status_code == 422


def test_recall_by_meaning_brings_archival_lines_too(told: Served) -> None:
    body = {"query": "Acme renewal", "agent_id": "claude", "limit": 10}
    matches = told.owner.post("/memory/recall", json=body).json()["matches"]
    line = next(match for match in matches if match["type"] == "archival")
    assert (line["line"], line["content"], line["scope"]) == (1, "Acme renewal is in May", "user")
    assert line["block"]
    best = told.owner.post("/memory/recall", json={**body, "min_score": 0.9}).json()["matches"]
    assert all(match["score"] >= 0.9 for match in best)


def test_hydration_answers_text_within_its_budget_and_every_verdict(told: Served) -> None:
    body = {"agent_id": "claude", "budget_bytes": 300}
    answer = told.owner.post("/memory/hydrate", json=body).json()
    assert len(answer["text"].encode()) == answer["used_bytes"] <= 300
    assert {"id", "key", "scope", "category", "bytes", "included", "reason", "why", "rank"} <= set(
        answer["items"][0]
    )
    again = told.owner.post("/memory/hydrate", json=body).json()
    assert again["text"] == answer["text"]
    assert told.owner.post("/memory/hydrate", json={}).status_code == 422


def test_a_policy_speaks_per_run(told: Served) -> None:
    block = {"content": "- Works at night", "expected_updated_at": None}
    told.owner.put("/memory/blocks/core", json=block)
    body = {"agent_id": "claude", "message": "Acme renewal"}

    def text(**policy: object) -> str:
        wish = {**body, "memory_policy": policy}
        return str(told.owner.post("/memory/hydrate", json=wish).json()["text"])

    assert "Works at night" in text()
    assert "Works at night" not in text(include_user_core=False)
    assert "Acme renewal" not in text(archival_mode="off")
    assert "Acme renewal" in text(archival_mode="auto")


def test_preload_is_ready_text_and_a_list(told: Served) -> None:
    body = {"message": "what tea?", "agent_id": "claude", "limit": 1}
    answer = told.owner.post("/memory/preload", json=body).json()
    assert "green tea" in answer["text"]
    assert [match["key"] for match in answer["matches"]] == ["tea"]
