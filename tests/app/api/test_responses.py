"""The log of calls: nothing an agent was told goes unnamed."""

from __future__ import annotations

import time

import httpx

from store.tables.calls import Call
from tests.app.api.conftest import Served


def noted(served: Served, number: int) -> list[Call]:
    """The agent's calls, oldest first. Each is noted just after it was answered."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = served.vault.calls.of("claude")
        if len(found) >= number:
            break
        time.sleep(0.01)
    return found[::-1]


def test_the_log_of_calls_names_everything_an_agent_was_told(served: Served) -> None:
    tea = served.owner.post("/memory/entries", json={"content": "tea", "key": "tea"}).json()["id"]
    block = served.owner.put(
        "/memory/blocks/archival",
        json={"content": "- The bicycle is green", "expected_updated_at": None},
    ).json()["id"]
    _, client = served.agent("claude")
    run = client.post("/conversations", json={"id": "run-1"}).json()["id"]
    said = client.post(f"/conversations/{run}/turns", json={"role": "user", "content": "Hello"})
    turn = f"turn:{said.json()['turns'][0]['id']}"
    client.get("/export")
    client.get("/memory/blocks")
    client.get("/memory/blocks/archival")
    client.get(f"/conversations/{run}/turns")
    client.post("/memory/recall", json={"query": "The bicycle is green"})
    client.put("/memory/blocks/archival", json={"content": "- Red", "expected_updated_at": None})
    httpx.get(
        f"{served.url}/memories/{tea}/history",
        headers=client.headers,
        trust_env=False,
    )
    block = f"block:{block}"
    told = [set(call.entry_ids) for call in noted(served, 9)]
    assert told[1:5] == [{turn}, {tea, block}, {block}, {block}]
    assert told[5] == {turn}
    assert block in told[6]
    assert told[7:] == [{block}, {tea}]


def test_a_hydration_is_logged_with_its_blocks(served: Served) -> None:
    made = served.owner.put(
        "/memory/blocks/core", json={"content": "- Lives in Lisbon", "expected_updated_at": None}
    ).json()
    _, client = served.agent("claude")
    assert "Lisbon" in client.post("/memory/hydrate", json={}).json()["text"]
    (call,) = noted(served, 1)
    assert call.entry_ids == (f"block:{made['id']}",)
