"""`keepsake mcp`: one client over standard input and output.

A client waits for the first answer before its model's first turn, so the handshake and everyday
requests are answered here, without the protocol's own library, which takes longer to import than
all of ours. Whatever is not plainly an everyday request goes to that library (app/mcp/server.py):
another generation of the protocol, following a resource, anything malformed. A test holds both to
the same answers.

Somebody has to embed, learn and keep up a vault whose owner has no window open: one of the servers
that clients started for themselves does so."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from app.connect import discovery
from app.ending import end_within
from app.errors import KeepsakeError
from app.mcp import requests
from app.mcp.requests import call_tool, speakable
from app.mcp.session import call_for
from app.version import our_version
from store.instants import plus, to_instant
from store.tables import leases

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from app.background import VaultBackground
    from app.mcp.server import LibraryServer
    from app.mcp.session import Seat
    from app.vault import Vault

# Generations of the protocol in which our answers are shaped as they are here.
VERSIONS = ("2025-06-18", "2025-11-25")
THREADS = 4
LAST_ANSWERS_SECONDS = 5.0
LEASE = "tending"
LOOK_SECONDS = 15.0  # it looks for a window when its first answers are out
STOP_SECONDS = 5.0
_MODERN = "io.modelcontextprotocol/protocolVersion"  # a request that brings its own envelope

_log = logging.getLogger("keepsake.mcp")

Message = dict[str, Any]
Write = Callable[[bytes], None]


class StdioServer:
    """Answers the lines of one client; `write` puts one line on the wire, whole."""

    def __init__(self, seat: Seat, write: Write) -> None:
        self._seat = seat
        self._write = write
        self._writing = threading.Lock()
        self._opening: list[bytes] = []  # the handshake, for the library if it comes in later
        self._agreed = False
        self._pool: ThreadPoolExecutor | None = None
        self._library: LibraryServer | None = None
        self._running: set[int | str] = set()
        self._futures: set[Future[None]] = set()
        self._cancelled: set[int | str] = set()

    def take(self, line: bytes) -> None:
        """One line from the client. What takes long is answered in a thread."""
        message = parsed(line)
        if message is None:
            self._to_library(line)
        elif self._library is not None and not self._agreed:
            self._library.feed(line)  # it opened this connection
        elif "id" not in message:
            self._hear(message, line)
        elif not self._agreed:
            self._open(message, line)
        else:
            self._answer(message, line)

    def close(self) -> None:
        """The client has left: answers that are being made are still given, for a moment."""
        if self._pool is not None:
            from concurrent.futures import wait

            wait(list(self._futures), LAST_ANSWERS_SECONDS)
            self._pool.shutdown(wait=False, cancel_futures=True)
        if self._library is not None:
            self._library.close()

    # The handshake

    def _open(self, message: Message, line: bytes) -> None:
        if not is_handshake(message):
            self._to_library(line)
            return
        params = message["params"]
        try:
            text = requests.told_at_connection(call_for(self._seat), params)
        except KeepsakeError as error:
            self._say(message, {"error": requests.protocol_error(error)})
            return
        server = {"name": requests.NAME, "title": requests.TITLE, "version": our_version()}
        result = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": requests.CAPABILITIES,
            "serverInfo": server,
            "instructions": text,
        }
        self._agreed = True
        self._opening.append(line)
        self._say(message, {"result": result})
        self._seat.vault.calls.settle()

    def _hear(self, message: Message, line: bytes) -> None:
        """A notification: nobody waits for an answer."""
        if message["method"] == "notifications/initialized" and self._agreed:
            self._opening.append(line)
        elif message["method"] == "notifications/cancelled":
            ident = message.get("params", {}).get("requestId")
            if isinstance(ident, int | str) and ident in self._running:
                self._cancelled.add(ident)
        if self._library is not None:
            self._library.feed(line)

    # Everyday requests

    def _answer(self, message: Message, line: bytes) -> None:
        work = self._everyday(message)
        if work is None:
            self._to_library(line)
        elif message["method"] == "ping":
            self._say(message, work())
        else:
            self._in_thread(message, work)

    def _everyday(self, message: Message) -> Callable[[], Message] | None:
        """What answers the request; None for one that is not plainly an everyday one."""
        method, params = message["method"], message.get("params", {})
        if not _plain_meta(params) or "cursor" in params:
            return None
        if method == "ping":
            return lambda: {"result": {}}
        if method == "tools/call":
            return self._tool_call(params)
        read, needed = requests.READING.get(method, (None, ""))
        if read is None or (needed and not isinstance(params.get(needed), str)):
            return None
        if params.keys() - {needed, "_meta"}:
            return None

        def reading() -> Message:
            try:
                return {"result": read(call_for(self._seat), params)}
            except KeepsakeError as error:
                return {"error": requests.protocol_error(error)}

        return reading

    def _tool_call(self, params: Message) -> Callable[[], Message] | None:
        name, arguments = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return None
        if params.keys() - {"name", "arguments", "_meta"}:
            return None

        def calling() -> Message:
            return {"result": requests.tool_answer(call_tool(self._seat, name, arguments))}

        return calling

    def _in_thread(self, message: Message, work: Callable[[], Message]) -> None:
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor  # after the handshake

            self._pool = ThreadPoolExecutor(THREADS, "mcp")
        ident = message["id"]
        self._running.add(ident)
        self._cancelled.discard(ident)

        def run() -> None:
            try:
                answer = work()
            except Exception as error:  # the library answers a failure of ours so
                answer = {"error": {"code": 0, "message": speakable(str(error))}}
            self._running.discard(ident)
            if ident in self._cancelled:  # who cancelled waits for nothing
                self._cancelled.discard(ident)
            else:
                self._say(message, answer)

        future = self._pool.submit(run)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)

    def _say(self, message: Message, answer: Message) -> None:
        self._put({"jsonrpc": "2.0", "id": message["id"], **answer})

    def _put(self, message: Message) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        with self._writing:
            self._write(text.encode("utf-8", "replace") + b"\n")

    def _to_library(self, line: bytes) -> None:
        if self._library is None:
            from app.mcp.server import LibraryServer  # slow to import, and seldom needed

            self._library = LibraryServer(self._seat, self._put, self._opening)
        self._library.feed(line)


def parsed(line: bytes) -> Message | None:
    """A request or a notification, or None for anything else."""
    try:
        message = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return None
    if not isinstance(message.get("method"), str) or message.keys() & {"result", "error"}:
        return None
    ident = message.get("id", 0)
    known = isinstance(ident, int | str) and not isinstance(ident, bool)
    return message if known and isinstance(message.get("params", {}), dict) else None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def is_handshake(message: Message) -> bool:
    """Whether it opens a connection in a generation that is answered here."""
    params = message.get("params", {})
    client = params.get("clientInfo")
    return (
        message["method"] == "initialize"
        and params.get("protocolVersion") in VERSIONS
        and isinstance(params.get("capabilities"), dict)
        and isinstance(client, dict)
        and isinstance(client.get("name"), str)
        and isinstance(client.get("version"), str)
        and _plain_meta(params)
    )


def _plain_meta(params: Message) -> bool:
    meta = params.get("_meta", {})
    return isinstance(meta, dict) and _MODERN not in meta


class Tending:
    """A thread that tends the vault while nobody else does."""

    def __init__(self, vault: Vault, look_seconds: float = LOOK_SECONDS) -> None:
        self._vault = vault
        self._seconds = look_seconds
        self._holder = f"{os.getpid()}-{vault.ids()}"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tending", daemon=True)
        self._background: VaultBackground | None = None

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                self.look()
            except KeepsakeError as error:
                _log.warning("The vault could not be tended: %s", error)
        self._leave_it()

    def look(self) -> None:
        """Begin, go on, or leave it to a window or server that has come up."""
        if discovery.find(self._vault.path) is not None:
            self._leave_it()
        elif self._leased() and self._background is None:
            from app.background import VaultBackground  # only one of several comes to this

            self._background = VaultBackground(self._vault, _log.warning)
            self._background.start()

    def _leased(self) -> bool:
        now = to_instant(self._vault.clock())
        with self._vault.database.read() as db:
            if leases.holder_of(db, LEASE, now) not in (None, self._holder):
                return False
        with self._vault.database.write() as db:
            return leases.take(db, LEASE, self._holder, now, plus(now, seconds=self._seconds * 4))

    def _leave_it(self) -> None:
        if self._background is None:
            return
        self._background.stop()
        self._background = None
        try:
            with self._vault.database.write() as db:
                leases.release(db, LEASE, self._holder)
        except KeepsakeError as error:
            _log.warning("The lease runs out by itself: %s", error)


class _Ended(Exception):
    """Somebody asked this process to end."""


def serve(seat: Seat) -> None:
    """Serves one client until it hangs up, or until the process is asked to end: then, too, the
    run ends and its calls are written."""
    lines, write = _wire()
    server = StdioServer(seat, write)
    listening = _Listening(lines)
    tending = None
    try:
        for line in listening:
            server.take(line)
            if tending is None:
                tending = Tending(seat.vault)
                tending.start()
    finally:
        server.close()
        if tending is not None:
            tending.stop()
        seat.leave()


class _Listening:
    """The lines of the client. SIGTERM and SIGINT end them, but nothing in the middle of its work:
    the main thread is interrupted only while it waits for a line."""

    def __init__(self, lines: BinaryIO) -> None:
        self._lines = lines
        self._waiting = self._ended = False
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, self._end)

    def __iter__(self) -> _Listening:
        return self

    def __next__(self) -> bytes:
        try:
            self._waiting = True
            if self._ended:
                raise StopIteration
            line = self._lines.readline()
            self._waiting = False
        except (_Ended, ValueError, OSError):
            raise StopIteration from None
        if not line:
            raise StopIteration
        return line

    def _end(self, signal_number: int, frame: object) -> None:
        self._ended = True
        end_within()
        if self._waiting:
            self._waiting = False
            raise _Ended


def _wire() -> tuple[BinaryIO, Write]:
    """Standard input and output for the protocol alone: what anything else prints goes to standard
    error, and what a child reads is empty."""
    sys.stdout.flush()
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    lines = os.fdopen(reading, "rb")
    output = os.fdopen(writing, "wb")

    def write(line: bytes) -> None:
        try:
            output.write(line)
            output.flush()
        except (BrokenPipeError, ValueError, OSError):
            pass  # the client has left; the end of its lines says so

    return lines, write
