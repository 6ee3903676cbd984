from __future__ import annotations

import logging
import threading
import time

import anyio
import anyio.to_thread
import httpx2
import pytest

from app.access.caller_scope import Caller
from app.serving import ApiServer
from app.vault import Vault
from tests.app.mcp.clients import over_http
from tests.app.mcp.conftest import BEGIN
from tests.app.mcp.scripts import Talk
from tests.fakes import Lag


def test_stopping_ends_open_streams_and_runs_without_a_noise(
    home: Vault, api: ApiServer, caplog: pytest.LogCaptureFixture
) -> None:
    _, token = home.agents.add("ana")

    async def main() -> None:
        async with (
            over_http(api.url, token) as modern,
            over_http(api.url, token, mode="legacy") as old,
            modern.listen(resource_subscriptions=["keepsake://memory"]),
        ):
            await Talk(old).text("memory_store", content="x", category="conversation")
            await anyio.to_thread.run_sync(api.stop)

    anyio.run(main)
    (run,) = home.conversations.page(Caller()).conversations
    assert run.state == "ended"
    # What did not end by itself would have been cancelled, with an error.
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []


def test_a_stream_without_an_end_of_its_own_ends_whole_when_the_server_stops(
    home: Vault, api: ApiServer
) -> None:
    _, token = home.agents.add("ana")
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "application/json, text/event-stream",
    }
    with httpx2.Client(headers=headers, trust_env=False, timeout=20) as client:
        session = client.post(f"{api.url}/mcp", json=BEGIN).headers["mcp-session-id"]
        with client.stream("GET", f"{api.url}/mcp", headers={"mcp-session-id": session}) as stream:
            assert stream.status_code == 200
            with Lag() as lag:
                begun = time.monotonic()
                threading.Thread(target=api.stop).start()
                stream.read()  # raises when the answer is cut off
                took = time.monotonic() - begun
            assert took < 5 + lag.seconds, (took, lag.seconds)


def test_the_path_is_exact_and_answers_only_its_methods(home: Vault, api: ApiServer) -> None:
    _, token = home.agents.add("ana")
    headers = {"Authorization": f"Bearer {token}"}
    for path, method, status in (
        ("/mcp/", "POST", 404),
        ("/mcp/x", "GET", 404),
        ("/mcp", "PUT", 405),
        ("/mcp", "POST", 400),
    ):
        answer = httpx2.request(method, api.url + path, headers=headers, json={})
        assert (path, method, answer.status_code) == (path, method, status)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer kps_wrong"}, 401),
        ({"Host": "evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
    ],
)
def test_strangers_and_websites_are_refused(
    home: Vault, api: ApiServer, headers: dict[str, str], status: int
) -> None:
    _, token = home.agents.add("ana")
    sent = {"Authorization": f"Bearer {token}", **headers} if headers else {}
    assert httpx2.post(f"{api.url}/mcp", headers=sent, json={}).status_code == status


def test_a_run_named_in_the_address_is_begun_and_stays_open(home: Vault, api: ApiServer) -> None:
    _, token = home.agents.add("ana")

    async def main() -> None:
        async with over_http(api.url, token, "?conversation=incident-7&dialect=keyed") as client:
            stored = await Talk(client).text(
                "memory_store", key="k", category="conversation", content="scratch"
            )
            assert "conversation:incident-7@ana" in stored

    anyio.run(main)
    assert home.conversations.read(Caller(), "incident-7@ana").state == "open"


def stored_scratch(home: Vault, api: ApiServer, token: str, mode: str) -> None:
    async def main() -> None:
        async with over_http(api.url, token, "?dialect=keyed", mode=mode) as client:
            await Talk(client).text(
                "memory_store", key="k", category="conversation", content="scratch"
            )
            assert "scratch" in await Talk(client).text("memory_recall", key="k")

    anyio.run(main)


def test_a_run_ends_when_its_client_ends_the_session(home: Vault, api: ApiServer) -> None:
    _, token = home.agents.add("ana")
    stored_scratch(home, api, token, "legacy")
    give_up = time.monotonic() + 5
    while home.entries.with_key("k") and time.monotonic() < give_up:
        time.sleep(0.02)
    assert home.entries.with_key("k") == []
    (run,) = home.conversations.page(Caller()).conversations
    assert run.state == "ended"


def test_two_sessions_of_one_agent_do_not_share_a_run(home: Vault, api: ApiServer) -> None:
    _, token = home.agents.add("ana")

    async def main() -> None:
        async with (
            over_http(api.url, token, "?dialect=keyed", mode="legacy") as one,
            over_http(api.url, token, "?dialect=keyed", mode="legacy") as other,
        ):
            await Talk(one).text("memory_store", key="k", category="conversation", content="mine")
            assert await Talk(other).text("memory_recall", key="k") == "no entry `k`"

    anyio.run(main)


def test_without_a_session_scratch_is_refused_and_says_what_to_do(
    home: Vault, api: ApiServer
) -> None:
    _, token = home.agents.add("ana")

    async def main() -> None:
        async with over_http(api.url, token, "?dialect=keyed") as client:
            said = await Talk(client).refused(
                "memory_store", key="k", category="conversation", content="scratch"
            )
            assert "without a session" in said
            assert "conversation=NAME" in said
            assert await Talk(client).text("memory_recall", key="k") == "no entry `k`"

    anyio.run(main)
    assert home.conversations.page(Caller()).conversations == []


def test_without_a_session_a_conversation_is_named_in_every_call(
    home: Vault, api: ApiServer
) -> None:
    _, token = home.agents.add("ana")

    async def main() -> None:
        async with over_http(api.url, token, "?with=conversations") as client:
            talk = Talk(client)
            begun = await talk.text("conversation_start", title="Lunch")
            assert "Name it as conversation_id" in begun
            ident = begun.split("conversation ")[1].split(".")[0]
            lost = await talk.refused("conversation_turn", role="user", content="Hello")
            assert "Which one?" in lost
            await talk.text("conversation_turn", content="Hello", conversation_id=ident)

    anyio.run(main)
    (run,) = home.conversations.page(Caller()).conversations
    assert [turn.content for turn in home.conversations.turns(Caller(), run.id)] == ["Hello"]
