"""The client, waiting and awaiting, against a real server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC
from typing import Any

import httpx
import pytest
from api_reference import our_document
from keepsake_client import (
    AsyncKeepsake,
    Block,
    Conflict,
    DiskFull,
    Entry,
    Forgotten,
    Invalid,
    Keepsake,
    KeepsakeError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    Proposed,
    ScopeDenied,
    TooLarge,
    TooMany,
    Unavailable,
    answers,
    calls,
)
from keepsake_client.calls import Ask
from keepsake_client.errors import error_of

from tests.app.api.conftest import OWNER_TOKEN, Served
from tests.app.api.conftest import serve as serve
from tests.app.api.conftest import served as served


@pytest.fixture
def client(served: Served) -> Iterator[Keepsake]:
    with Keepsake(served.url, OWNER_TOKEN) as opened:
        yield opened


def test_blocks_in_the_shape_of_the_first_clients(served: Served, client: Keepsake) -> None:
    served.agent("agent_emails")
    client.memory.update("core", "- Concise", expected_updated_at=None)
    core = client.memory.get("core")
    assert (core.content, core.updated_at.tzinfo) == ("- Concise", UTC)
    updated = client.memory.update(
        "core", "- Concise\n- New York", expected_updated_at=core.updated_at.isoformat()
    )
    assert isinstance(updated, Block)
    with pytest.raises(Conflict) as conflict:
        client.memory.update("core", "- Other", expected_updated_at=core.updated_at)
    assert isinstance(conflict.value.current, dict)
    assert answers.block(conflict.value.current) == updated
    scope = {"scope": "agent", "agent_id": "agent_emails"}
    client.memory.update("core", "- Emails", expected_updated_at=None, **scope)
    assert client.memory.get("core", **scope).agent_id == "agent_emails"
    assert len(client.memory.list(scope="all")) == 2
    assert client.memory.edit("core", [("New York", "Boston")]).content == "- Concise\n- Boston"  # type: ignore[union-attr]


def test_entries_are_stored_found_changed_and_forgotten(client: Keepsake) -> None:
    entry = client.memory.store("Likes tea.", key="tea", tags=["taste"])
    assert isinstance(entry, Entry)
    assert entry.tags == ("taste",)
    assert client.memory.read(entry.id) == entry
    assert [match.key for match in client.memory.recall(key="tea")] == ["tea"]
    assert [match.id for match in client.memory.search("tea", mode="keyword")] == [entry.id]
    assert [match.scope for match in client.memory.recall("tea", limit=1)] == ["user"]
    changed = client.memory.change(entry.id, importance=9)
    assert isinstance(changed, Entry)
    assert changed.importance == 9
    assert client.memory.entries(limit=1).entries == (changed,)
    gone = client.memory.forget(entry.id)
    assert isinstance(gone, Forgotten)
    assert gone.forgotten == (entry.id,)


def test_an_agent_is_told_and_proposes(served: Served) -> None:
    _, token = served.vault.agents.add("shy", trust="review")
    served.owner.post("/memory/entries", json={"content": "Likes tea."})
    with Keepsake(served.url, token) as client:
        assert "Likes tea." in client.memory.hydrate(budget_bytes=1000).text
        assert "Likes tea." in client.memory.preload("tea?").text
        assert isinstance(client.memory.store("may I?"), Proposed)
        with pytest.raises(ScopeDenied):
            client.memory.get("core", scope="agent", agent_id="other")


def test_events_go_on_where_they_stopped(served: Served, client: Keepsake) -> None:
    made = [client.memory.store(f"n{n}") for n in range(3)]
    ids = [entry.id for entry in made if isinstance(entry, Entry)]
    seen = [event for event, _ in zip(client.events(after=0), range(2), strict=False)]
    rest = next(client.events(after=seen[-1].seq))
    assert [event.id for event in (*seen, rest)] == ids


def test_the_same_to_be_awaited(served: Served) -> None:
    async def use() -> None:
        async with AsyncKeepsake(served.url, OWNER_TOKEN) as client:
            entry = await client.memory.store("Likes tea.", key="tea")
            assert isinstance(entry, Entry)
            await client.memory.update("core", "- x", expected_updated_at=None)
            core = await client.memory.get("core")
            assert (await client.memory.list()) == [core]
            edited = await client.memory.edit("core", [("x", "y")])
            assert isinstance(edited, Block)
            assert [m.key for m in await client.memory.recall("tea")] == ["tea"]
            assert [m.key for m in await client.memory.search("tea")] == ["tea"]
            assert (await client.memory.read(entry.id)).key == "tea"
            await client.memory.change(entry.id, hook="about drinks")
            assert len((await client.memory.entries()).entries) == 1
            assert (await client.memory.preload("tea")).matches
            async for event in client.events(after=0):
                assert event.id == entry.id
                break
            await client.memory.forget(entry.id)
            with pytest.raises(NotFound):
                await client.memory.read("nothing")
            with pytest.raises(Invalid):
                await client.memory.hydrate()

    asyncio.run(use())


def test_a_write_whose_answer_is_lost_is_sent_again_and_happens_once(
    served: Served, client: Keepsake
) -> None:
    class Lossy(httpx.HTTPTransport):
        lost = 0

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = super().handle_request(request)
            if self.lost < 2:
                self.lost += 1
                answer.close()
                raise httpx.ReadError("lost on the way")
            return answer

    client._http._transport = transport = Lossy()
    entry = client.memory.store("once")
    assert transport.lost == 2
    assert isinstance(entry, Entry)
    assert served.vault.entries.count() == 1


def test_address_and_token_are_read_from_the_environment(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEEPSAKE_TOKEN", raising=False)
    with pytest.raises(Invalid, match="agents add"):
        Keepsake(served.url)
    monkeypatch.setenv("KEEPSAKE_URL", served.url)
    monkeypatch.setenv("KEEPSAKE_TOKEN", OWNER_TOKEN)
    with Keepsake() as client:
        assert client.memory.list() == []


def test_nobody_there_is_said_in_words() -> None:
    with Keepsake("http://127.0.0.1:9", "x") as client, pytest.raises(Unavailable, match="answer"):
        client.memory.list()


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (403, "MEM-001", ScopeDenied),
        (404, "MEM-002", NotFound),
        (503, "MEM-003", Unavailable),
        (507, "MEM-003", DiskFull),
        (409, "MEM-004", Conflict),
        (422, "MEM-005", Invalid),
        (413, "MEM-006", TooLarge),
        (401, "MEM-007", NotAuthenticated),
        (403, "MEM-008", NotAllowed),
        (429, "MEM-009", TooMany),
        (500, "other", Unavailable),
    ],
)
def test_every_problem_is_an_error_of_the_tree(
    status: int, code: str, kind: type[KeepsakeError]
) -> None:
    error = error_of(status, json.dumps({"code": code, "detail": "because"}), "7")
    assert type(error) is kind
    assert str(error) == "because"
    if isinstance(error, TooMany):
        assert error.retry_after == 7
    assert isinstance(error_of(status, "<html>", None), Unavailable)


ASKED: dict[str, Ask[Any]] = {
    "list": calls.list_blocks(scope="agent", agent_id="a"),
    "get": calls.get("core", scope="agent", agent_id="a"),
    "update": calls.update("core", "x", expected_updated_at=None, scope="workspace"),
    "edit": calls.edit("core", [("a", "b")], scope="agent", agent_id="a"),
    "store": calls.store("x", key="k", tags=["t"], importance=5, hook="h", category="core"),
    "read": calls.read("1"),
    "change": calls.change("1", importance=5),
    "forget": calls.forget("1", "why"),
    "entries": calls.entries("q", category="core", tag=["a"], days_back=3, state="all", limit=1),
    "recall": calls.recall("q", limit=1, min_score=0.1, category="core", agent_id="a"),
    "search": calls.search("q", mode="keyword", limit=1, kind="fact"),
    "hydrate": calls.hydrate(agent_id="a", budget_bytes=1, message="m", memory_policy={}),
    "preload": calls.preload("m", limit=1, budget_bytes=1, agent_id="a"),
}
ANSWERED = {
    "BlockResponse": answers.Block,
    "EntryResponse": answers.Entry,
    "ProposedResponse": answers.Proposed,
    "ForgottenResponse": answers.Forgotten,
    "EntriesResponse": answers.Page,
    "MatchResponse": answers.Match,
    "HydrationResponse": answers.Hydration,
    "PreloadResponse": answers.Preload,
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return our_document()


def test_every_call_is_asked_about() -> None:
    methods = {name for name in vars(Keepsake("http://x", "t").memory.__class__) if name[0] != "_"}
    assert methods == ASKED.keys()


@pytest.mark.parametrize("name", ASKED)
def test_a_call_is_in_the_openapi_document(name: str, document: dict[str, Any]) -> None:
    ask = ASKED[name]
    path = re.sub(r"/(core|1)$", "/{}", "/api/v1" + ask.path)
    paths = {re.sub(r"{\w+}", "{}", each): methods for each, methods in document["paths"].items()}
    operation = paths[path][ask.method.lower()]
    assert set(ask.params) <= {each["name"] for each in operation.get("parameters", ())}
    if ask.body is not None:
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert set(ask.body) <= set(named(document, schema)["properties"])


@pytest.mark.parametrize("name", ANSWERED)
def test_an_answer_has_the_fields_we_read(name: str, document: dict[str, Any]) -> None:
    schema = document["components"]["schemas"][name]
    read = {each.name for each in fields(ANSWERED[name])}
    assert read <= set(schema["properties"])


def named(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    return document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
