"""The API's life: its own thread, a port on 127.0.0.1, an announcement others can find.

server = ApiServer(vault, port)
server.start()      # listening, or an error that says why not
server.url
server.stop()
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import re
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio.to_thread
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.access.owner_token import OwnerToken, owner_token, unkept_owner_token
from app.access.secret_store import open_secrets
from app.api.application import Extra, build
from app.care.vault_key import key_was_typed
from app.connect import discovery
from app.connect.discovery import Running
from app.errors import Unavailable
from app.mcp.http import extras as mcp_door
from app.vault import Vault
from store.instants import to_instant

HOST = "127.0.0.1"
START_SECONDS = 30.0
STOP_SECONDS = 1.0  # what a call in flight may still take
HEADER_SECONDS = 15.0
KEEP_ALIVE_SECONDS = 30
TICKS_A_SECOND = 10  # uvicorn's own: it does something at every tenth
GIVE_BACK_TICKS = 15 * TICKS_A_SECOND
HEAD_ENDS = re.compile(rb"\n\r?\n")

MakeExtras = Callable[[Vault], Sequence[Extra]]


class PatientProtocol(H11Protocol):
    """A connection that sends no whole request head in time is closed: the first, and every later
    one from its first byte on.

    Uvicorn has no setting for it. What is overridden here is asyncio's, whatever uvicorn does."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def _await_head(self) -> None:
        self._last = b""
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(HEADER_SECONDS, self.transport.close)

    def data_received(self, data: bytes) -> None:
        if self._deadline.cancelled() and self.cycle is not None and self.cycle.response_complete:
            self._await_head()
        if not self._deadline.cancelled():
            received = self._last + data
            self._last = received[-3:]
            if HEAD_ENDS.search(received):
                self._deadline.cancel()
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)


class CalmServer(uvicorn.Server):
    """Looks at itself once a second, where uvicorn does so ten times, hears at once when it is to
    end, and gives back what a busy moment took."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        tick = 0
        while not await self.on_tick(tick):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._ending.wait()
            tick = (tick + TICKS_A_SECOND) % 864_000
            if tick % GIVE_BACK_TICKS == 0:
                await anyio.to_thread.run_sync(give_memory_back)

    def end(self) -> None:
        """From any thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._ending.set)


def give_memory_back() -> None:
    """Returns freed memory to the system where its allocator keeps it. Being run in a worker thread
    it also lets those end that idled long: they are looked at when one is asked for."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another allocator than glibc's
            ctypes.CDLL(None).malloc_trim(0)


class ApiServer:
    def __init__(
        self,
        vault: Vault,
        port: int | None = None,
        *,
        token: OwnerToken | None = None,
        extras: MakeExtras = mcp_door,
        runtime: Path | None = None,
    ) -> None:
        """`port` None is the vault's setting, 0 any free one. Where the vault's key was typed, the
        owner's token is kept nowhere either."""
        self._vault = vault
        self._port = int(vault.settings["api_port"]) if port is None else port
        self.token = token or self._owners()
        self._extras = extras
        self._runtime = runtime
        self._server: CalmServer | None = None
        self._app: FastAPI
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None
        self.running: Running | None = None

    def _owners(self) -> OwnerToken:
        if key_was_typed():
            return unkept_owner_token()
        return owner_token(open_secrets(self._vault.path.parent))

    @property
    def url(self) -> str:
        """Where it answers; empty while it does not run."""
        return self.running.url if self.running else ""

    def start(self) -> str:
        """Returns its url once it answers. Raises Unavailable when the port is taken."""
        if self.running is not None:
            return self.running.url
        listener = self._bound()
        port = listener.getsockname()[1]
        self._app = app = build(self._vault, self.token.token, port, self._extras(self._vault))
        self._server = CalmServer(_config(app))
        self._thread = threading.Thread(
            target=self._run, args=(self._server, listener), name="api", daemon=True
        )
        self._thread.start()
        self._wait_until_up()
        self.running = Running(
            f"http://{HOST}:{port}",
            os.getpid(),
            str(self._vault.path.resolve()),
            to_instant(self._vault.clock()),
        )
        discovery.announce(self.running, self._runtime)
        return self.running.url

    def stop(self) -> None:
        """Ends feeds, lets calls in flight finish for a moment, and is gone."""
        if self.running is not None:
            discovery.withdraw(self.running, self._runtime)
            self.running = None
        if self._server is not None:
            self._app.state.pulse.close_from_outside()
            self._server.end()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS + 5)
            self._thread = None
        self._server = None

    def _bound(self) -> socket.socket:
        # Named as TCP, or asyncio leaves Nagle's algorithm on and every answer takes 40 ms longer.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            # On Windows this would let two programs share the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, self._port))
            listener.listen(128)
        except OSError as error:
            listener.close()
            raise Unavailable(
                f"Port {self._port} cannot be used ({error.strerror}): perhaps another Keepsake "
                "serves there already. Choose another under Settings › API, or with "
                "keepsake serve --port; 0 is any free one."
            ) from error
        return listener

    def _run(self, server: uvicorn.Server, listener: socket.socket) -> None:
        try:
            server.run(sockets=[listener])
        except BaseException as error:  # told to whoever waits in start
            self._failure = error
        finally:
            listener.close()

    def _wait_until_up(self) -> None:
        assert self._server is not None
        assert self._thread is not None
        waited = 0.0
        while not self._server.started:
            self._thread.join(0.01)
            waited += 0.01
            if not self._thread.is_alive() or waited > START_SECONDS:
                raise Unavailable(f"The API could not start: {self._failure or 'no answer'}.")


def _config(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,  # its lines would hold query strings
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(STOP_SECONDS),
        h11_max_incomplete_event_size=64 * 1024,
    )
