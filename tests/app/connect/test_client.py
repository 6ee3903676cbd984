"""The client, waiting and awaiting, against a real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import httpx
import pytest

from app.connect import discovery
from app.connect.client import AsyncKeepsake, BlockView, EntryView, Keepsake, ProposedView, error_of
from app.errors import (
    ConflictError,
    DiskFull,
    Invalid,
    KeepsakeError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    ScopeDenied,
    TooLarge,
    TooMany,
    Unavailable,
)
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
    assert isinstance(updated, BlockView)
    with pytest.raises(ConflictError) as conflict:
        client.memory.update("core", "- Other", expected_updated_at=core.updated_at)
    assert conflict.value.current == updated
    scope = {"scope": "agent", "agent_id": "agent_emails"}
    client.memory.update("core", "- Emails", expected_updated_at=None, **scope)
    assert client.memory.get("core", **scope).agent_id == "agent_emails"
    assert len(client.memory.list(scope="all")) == 2
    assert client.memory.edit("core", [("New York", "Boston")]).content == "- Concise\n- Boston"  # type: ignore[union-attr]


def test_entries_are_stored_found_changed_and_forgotten(client: Keepsake) -> None:
    entry = client.memory.store("Likes tea.", key="tea", tags=["taste"])
    assert isinstance(entry, EntryView)
    assert entry.tags == ("taste",)
    assert client.memory.read(entry.id) == entry
    assert [match.key for match in client.memory.recall(key="tea")] == ["tea"]
    assert [match.id for match in client.memory.search("tea", mode="keyword")] == [entry.id]
    assert [match.scope for match in client.memory.recall("tea", limit=1)] == ["user"]
    changed = client.memory.change(entry.id, importance=9)
    assert isinstance(changed, EntryView)
    assert changed.importance == 9
    assert client.memory.entries(limit=1).entries == (changed,)
    assert client.memory.forget(entry.id)["forgotten"] == [entry.id]


def test_an_agent_is_told_and_proposes(served: Served) -> None:
    _, token = served.vault.agents.add("shy", trust="review")
    served.owner.post("/memory/entries", json={"content": "Likes tea."})
    with Keepsake(served.url, token) as client:
        assert "Likes tea." in client.memory.hydrate(budget_bytes=1000).text
        assert "Likes tea." in client.memory.preload("tea?").text
        assert isinstance(client.memory.store("may I?"), ProposedView)
        with pytest.raises(ScopeDenied):
            client.memory.get("core", scope="agent", agent_id="other")


def test_events_go_on_where_they_stopped(served: Served, client: Keepsake) -> None:
    made = [client.memory.store(f"n{n}") for n in range(3)]
    ids = [entry.id for entry in made if isinstance(entry, EntryView)]
    seen = [event for event, _ in zip(client.events(after=0), range(2), strict=False)]
    rest = next(client.events(after=seen[-1].seq))
    assert [event.id for event in (*seen, rest)] == ids


def test_the_same_to_be_awaited(served: Served) -> None:
    async def use() -> None:
        async with AsyncKeepsake(served.url, OWNER_TOKEN) as client:
            entry = await client.memory.store("Likes tea.", key="tea")
            assert isinstance(entry, EntryView)
            await client.memory.update("core", "- x", expected_updated_at=None)
            core = await client.memory.get("core")
            assert (await client.memory.list()) == [core]
            edited = await client.memory.edit("core", [("x", "y")])
            assert isinstance(edited, BlockView)
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
    assert isinstance(entry, EntryView)
    assert served.vault.entries.count() == 1


def test_a_running_api_is_found_by_its_vault(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KEEPSAKE_RUNTIME", str(tmp_path / "runtime"))
    assert discovery.find(served.vault.path) is not None
    with Keepsake.running(served.vault.path, OWNER_TOKEN) as client:
        assert client.memory.list() == []
    with pytest.raises(Unavailable, match="keepsake serve"):
        Keepsake.running(tmp_path / "other.db", OWNER_TOKEN)


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
        (409, "MEM-004", ConflictError),
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
