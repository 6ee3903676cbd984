"""A body that trickles in is given up on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.api.middleware import IMPORT_PATH, Bodies
from app.errors import NotUnderstood


async def answered(guard: Bodies, receive: Any) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "path": "/x", "method": "POST", "headers": headers}
    await guard(scope, receive, send)
    return sent


async def never(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("the route must not run")


def test_a_body_that_does_not_come_in_time_is_400() -> None:
    async def receive() -> dict[str, Any]:
        await asyncio.sleep(10)
        return {}

    sent = asyncio.run(answered(Bodies(never, seconds=0.01), receive))
    assert sent[0]["status"] == 400
    assert b"did not arrive" in sent[1]["body"]


def test_a_client_that_goes_away_in_the_middle_reaches_no_route() -> None:
    messages = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    assert asyncio.run(answered(Bodies(never), receive)) == []


def test_an_import_that_trickles_is_given_up_and_a_large_one_is_not() -> None:
    headers = [(b"content-type", b"application/zip"), (b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "path": IMPORT_PATH, "method": "POST", "headers": headers}
    read = 0

    async def route(scope: Any, receive: Any, send: Any) -> None:
        nonlocal read
        for _ in range(20):
            read += len((await receive())["body"])

    async def trickle(size: int) -> dict[str, Any]:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x" * size, "more_body": True}

    guard = Bodies(route, seconds=0.1)
    with pytest.raises(NotUnderstood, match="too slowly"):
        asyncio.run(guard(scope, lambda: trickle(1), never))
    assert read < 20
    read = 0
    asyncio.run(guard(scope, lambda: trickle(64 * 1024), never))
    assert read == 20 * 64 * 1024
