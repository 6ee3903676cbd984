"""The small server of standard input and the protocol's own library give the same answers."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.access.caller_scope import Caller
from app.mcp.dialects import DIALECTS
from app.mcp.server import LibraryServer
from app.mcp.session import Seat
from app.mcp.stdio import VERSIONS, StdioServer, is_handshake, parsed
from app.vault import Vault
from store.records import USER, EntryDraft
from tests.app.mcp.clients import environment, keepsake
from tests.fakes import Lag

CLIENT = {"name": "differential", "version": "1"}
# Ids and times differ between two runs of the same thing.
_VARIES = re.compile(r"\b01[0-9a-z]{24}\b|\d{4}-\d\d-\d\dT[\d:.]+Z")


def handshake(version: str = VERSIONS[0], **more: Any) -> dict[str, Any]:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT, **more}
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


def asking(ident: Any, method: str, **params: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {"jsonrpc": "2.0", "id": ident, "method": method}
    return {**asked, "params": params} if params else asked


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Recorder:
    """What a server says, by the id of the request."""

    def __init__(self) -> None:
        self.said: dict[Any, dict[str, Any]] = {}
        self.lines = 0
        self._more = threading.Condition()

    def take(self, message: dict[str, Any] | bytes) -> None:
        told = json.loads(message) if isinstance(message, bytes) else message
        with self._more:
            self.said[told.get("id")] = json.loads(_VARIES.sub("…", json.dumps(told)))
            self.lines += 1
            self._more.notify_all()

    def wait_for(self, ident: Any) -> None:
        with self._more:
            assert self._more.wait_for(lambda: ident in self.said, 20), ident


def through(server: Any, feed: str, told: Recorder, messages: list[dict[str, Any]]) -> None:
    for message in messages:
        getattr(server, feed)(json.dumps(message).encode() + b"\n")
        if "id" in message and message.get("method") != "unanswered":
            told.wait_for(message["id"])
    server.close()


def both(vault: Vault, token: str, messages: list[dict[str, Any]], **seat: Any) -> tuple[Any, Any]:
    ours, theirs = Recorder(), Recorder()
    through(StdioServer(Seat(vault, token, **seat), ours.take), "take", ours, messages)
    library = LibraryServer(Seat(vault, token, **seat), theirs.take)
    through(library, "feed", theirs, messages)
    return ours, theirs


def script(dialect: str) -> list[dict[str, Any]]:
    """Everyday requests and odd ones, in an order that leaves the vault as it was."""
    tools = [tool.name for tool in DIALECTS[dialect].tools]
    return [
        asking("early", "tools/list"),
        handshake(),
        INITIALIZED,
        asking(1, "ping"),
        asking(2, "tools/list"),
        asking(3, "tools/call", name=tools[0], arguments={}),
        asking(4, "tools/call", name="memory_hydrate", arguments={"budget_bytes": 900}),
        asking(5, "tools/call", name="memory_hydrate"),
        asking(6, "tools/call", name="nothing", arguments={"a": "\u2028🦊"}),
        asking(7, "tools/call", name=tools[-2], arguments={"query": "tea", "names": ["tea"]}),
        asking(8, "resources/list"),
        asking(9, "resources/templates/list"),
        asking(10, "resources/read", uri="keepsake://memory"),
        asking(11, "resources/read", uri="keepsake://nothing"),
        asking(12, "prompts/list"),
        asking(13, "prompts/get", name="use-memory"),
        asking(14, "prompts/get", name="other"),
        asking("text id", "ping", _meta={"progressToken": 1}),
        asking(15, "tools/call", arguments={}),
        asking(16, "tools/call", name=7),
        asking(17, "resources/read"),
        asking(18, "no/such"),
        asking(19, "completion/complete", ref={}),
        asking(20, "resources/subscribe", uri="keepsake://memory"),
        asking(21, "tools/list", cursor="x"),
        asking(22, "tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "2026-07-28"}),
        asking(23, "logging/setLevel", level="debug"),
        asking(24, "ping"),
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_both_servers_answer_the_same(home: Vault, dialect: str) -> None:
    home.entries.store(EntryDraft(content="Prefers tea 🦊", scope=USER, key="tea"))
    _, token = home.agents.add("ana", dialect=dialect, workspaces=("shop",), guidance="Birthdays.")
    messages = script(dialect)
    ours, theirs = both(
        home, token, messages, workspace_id="shop", add_ons=("search", "conversations")
    )
    assert ours.said.keys() == {one["id"] for one in messages if "id" in one}
    for ident, answer in theirs.said.items():
        assert ours.said[ident] == answer


@pytest.mark.parametrize(
    "opening",
    [
        handshake("2024-11-05"),
        handshake("1999-01-01"),
        handshake(VERSIONS[-1]),
        handshake(clientInfo={"name": 1}),
        {"jsonrpc": "2.0", "id": 0, "method": "initialize"},
        asking(0, "server/discover"),
        asking(0, "ping"),
    ],
)
def test_a_connection_may_open_in_any_way_the_library_takes(
    home: Vault, opening: dict[str, Any]
) -> None:
    _, token = home.agents.add("ana")
    ours, theirs = both(home, token, [opening, INITIALIZED, asking(1, "tools/list")])
    assert ours.said == theirs.said


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"[1]",
        b"null",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_message_is_left_to_the_library(line: bytes) -> None:
    assert parsed(line) is None


def test_only_plain_handshakes_are_answered_here() -> None:
    assert is_handshake(handshake())
    assert not is_handshake(asking(1, "ping"))
    assert not is_handshake(handshake("2026-07-28"))


def test_an_everyday_connection_never_loads_the_library(running: subprocess.Popen[bytes]) -> None:
    for message in script("standard")[1:17]:
        said(running, message)
    loaded = Path(f"/proc/{running.pid}/maps")
    assert not loaded.exists() or "pydantic_core" not in loaded.read_text()


def test_a_cancelled_request_is_not_answered(home: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = home.agents.add("ana")
    told, go = Recorder(), threading.Event()

    def slow(*_: Any) -> Any:
        go.wait(10)
        raise ValueError("slow")

    monkeypatch.setattr("app.mcp.stdio.call_tool", slow)
    server = StdioServer(Seat(home, token), told.take)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    for message in (handshake(), INITIALIZED, asking(1, "tools/call", name="x"), cancel):
        server.take(json.dumps(message).encode())
    server.take(json.dumps(asking(2, "tools/call", name="y")).encode())
    server.take(json.dumps(asking(3, "ping")).encode())
    told.wait_for(3)  # a long call holds nobody up
    go.set()
    told.wait_for(2)
    server.close()
    assert told.said.keys() == {0, 2, 3}
    assert told.said[2]["error"] == {"code": 0, "message": "slow"}


@pytest.fixture
def running(home: Vault) -> Iterator[subprocess.Popen[bytes]]:
    _, token = home.agents.add("ana")
    process = subprocess.Popen(
        keepsake("mcp", "--vault", str(home.path), "--with", "conversations"),
        env=environment(KEEPSAKE_TOKEN=token),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    yield process
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()


def said(process: subprocess.Popen[bytes], message: dict[str, Any]) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline()) if "id" in message else None


@pytest.mark.parametrize("end", ["stdin", signal.SIGTERM, signal.SIGINT])
def test_however_a_client_ends_it_its_calls_are_kept_and_its_run_is_over(
    home: Vault, running: subprocess.Popen[bytes], end: str | signal.Signals
) -> None:
    said(running, handshake())
    said(running, INITIALIZED)
    scratch = {"content": "scratch", "key": "k", "category": "conversation"}
    stored = said(running, asking(1, "tools/call", name="memory_store", arguments=scratch))
    assert not stored["result"]["isError"]
    noted = [call.call for call in home.calls.of("ana")]  # before anything else happens
    assert noted == ["memory_store", "instructions"]
    with Lag() as lag:
        begun = time.monotonic()
        if isinstance(end, str):
            assert running.stdin is not None
            running.stdin.close()
        else:
            running.send_signal(end)
        assert running.wait(20) == 0
        took = time.monotonic() - begun
    assert took < 2 + lag.seconds, (took, lag.seconds)
    (conversation,) = home.conversations.page(Caller()).conversations
    assert conversation.ended_at is not None
