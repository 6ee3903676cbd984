"""Every route × {no token, wrong, revoked, another agent's, read-only, owner}."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.app.api.conftest import OWNER_TOKEN, Serve, Served
from tests.app.api.routes_under_test import Operation, operations

WRITES_OF_AGENTS = (
    ("post", "/api/v1/memory/entries"),
    ("put", "/api/v1/memory/blocks/{name}"),
    ("patch", "/api/v1/memory/blocks/{name}"),
    ("post", "/api/v1/conversations"),
    ("post", "/api/v1/channels/{channel}/messages"),
    ("post", "/memories"),
)


@pytest.fixture(scope="module")
def callers(shared: Served) -> dict[str, httpx.Client]:
    shared.vault.settings.set("api_rate", 0)
    revoked, revoked_client = shared.agent("revoked")
    shared.vault.agents.revoke(revoked.id)
    return {
        "none": shared.client(None),
        "wrong": shared.client("kps_" + "x" * 43),
        "revoked": revoked_client,
        "agent": shared.agent("direct")[1],
        "read_only": shared.agent("reader", trust="read_only")[1],
        "owner": shared.client(OWNER_TOKEN),
    }


@pytest.fixture(scope="module")
def all_operations(shared: Served) -> list[Operation]:
    found = operations(shared.owner.get(shared.url + "/openapi.json").json())
    assert len(found) > 50
    return found


def assert_problem(response: httpx.Response, status: int, code: str) -> None:
    assert response.headers["content-type"] == "application/problem+json"
    told = response.json()
    assert (response.status_code, told["code"]) == (status, code), told
    assert told["status"] == status
    assert told["type"] == f"urn:keepsake:problem:{code}"
    assert told["title"]
    assert told["detail"]


@pytest.mark.parametrize("stranger", ["none", "wrong", "revoked"])
def test_a_stranger_gets_401_on_every_route(
    shared: Served,
    callers: dict[str, httpx.Client],
    all_operations: list[Operation],
    stranger: str,
) -> None:
    for operation in all_operations:
        if operation.open:
            continue
        response = operation.send(callers[stranger], shared.url)
        assert_problem(response, 401, "MEM-007")
        assert response.headers["www-authenticate"].startswith("Bearer")


def test_a_stranger_cannot_tell_which_routes_there_are(
    shared: Served, callers: dict[str, httpx.Client]
) -> None:
    assert_problem(callers["none"].get("/no/such/route"), 401, "MEM-007")


@pytest.mark.parametrize("agent", ["agent", "read_only"])
def test_an_agent_gets_403_on_every_route_of_the_owner(
    shared: Served, callers: dict[str, httpx.Client], all_operations: list[Operation], agent: str
) -> None:
    owners = [operation for operation in all_operations if operation.owners_only]
    assert len(owners) > 15
    for operation in owners:
        assert_problem(operation.send(callers[agent], shared.url), 403, "MEM-008")


def test_an_agent_is_let_in_everywhere_else(
    shared: Served, callers: dict[str, httpx.Client], all_operations: list[Operation]
) -> None:
    for operation in all_operations:
        if not operation.owners_only:
            response = operation.send(callers["agent"], shared.url)
            assert response.status_code in (200, 201, 404, 422), (operation, response.text)


def test_a_read_only_agent_writes_nowhere(
    shared: Served, callers: dict[str, httpx.Client], all_operations: list[Operation]
) -> None:
    before = shared.vault.history.last_seq()
    for operation in all_operations:
        if operation.owners_only or operation.method == "get":
            continue
        response = operation.send(callers["read_only"], shared.url)
        if (operation.method, operation.path) in WRITES_OF_AGENTS:
            assert_problem(response, 403, "MEM-008")
        else:
            assert response.status_code in (200, 403, 404), (operation, response.text)
    assert shared.vault.history.last_seq() == before


def test_the_owner_is_let_in_everywhere(
    shared: Served, callers: dict[str, httpx.Client], all_operations: list[Operation]
) -> None:
    for operation in all_operations:
        response = operation.send(callers["owner"], shared.url)
        assert response.status_code not in (401, 403), (operation, response.text)
        assert response.status_code < 500, (operation, response.text)


def test_naming_a_foreign_scope_is_403_whether_it_exists_or_not(
    shared: Served, callers: dict[str, httpx.Client]
) -> None:
    for foreign in ("reader", "never-heard-of"):
        read = callers["agent"].get(
            "/memory/entries", params={"scope": "agent", "agent_id": foreign}
        )
        written = callers["agent"].post(
            "/memory/entries", json={"content": "x", "scope": "agent", "agent_id": foreign}
        )
        assert_problem(read, 403, "MEM-001")
        assert_problem(written, 403, "MEM-001")
        assert "workspace" in read.json()["detail"]


def test_a_token_is_taken_as_bearer_or_api_key_but_not_two_different_ones(
    shared: Served,
) -> None:
    url = shared.url + "/api/v1/stats"
    bearer = {"Authorization": f"Bearer {OWNER_TOKEN}"}
    with httpx.Client(trust_env=False) as client:
        assert client.get(url, headers=bearer).status_code == 200
        assert client.get(url, headers={"X-API-Key": OWNER_TOKEN}).status_code == 200
        assert client.get(url, headers={**bearer, "X-API-Key": "other"}).status_code == 401
        assert client.get(url, params={"token": OWNER_TOKEN}).status_code == 401


def test_rotating_a_token_stops_the_old_one_at_once(shared: Served) -> None:
    agent, client = shared.agent("rotated")
    assert client.get("/memory/entries").status_code == 200
    fresh = shared.owner.post(f"/agents/{agent.id}/rotate").json()["token"]
    assert client.get("/memory/entries").status_code == 401
    assert shared.client(fresh).get("/memory/entries").status_code == 200


@pytest.fixture
def limited(serve: Serve, tmp_path: Path) -> Iterator[Served]:
    running = serve(tmp_path)
    running.vault.settings.set("api_rate", 5)
    yield running
    running.close()


def test_an_agent_over_its_rate_is_told_to_wait_and_others_are_not(limited: Served) -> None:
    _, busy = limited.agent("busy")
    _, calm = limited.agent("calm")
    answers = [busy.get("/memory/entries") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert_problem(answers[-1], 429, "MEM-009")
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 12
    assert calm.get("/memory/entries").status_code == 200
    assert limited.owner.get("/memory/entries").status_code == 200
