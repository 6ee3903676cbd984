"""The protocol's own library at standard input and output, for what is rare there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from anyio.from_thread import start_blocking_portal
from mcp.shared.message import SessionMessage

from app.mcp.server import MemoryServer

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from app.mcp.session import Seat

Put = Callable[[dict[str, Any]], None]


class LibraryServer:
    """A server of the library in a thread of its own, fed line by line; what it says is `put`.

    `opening` is a handshake that has been answered already: the library hears it, too, so that it
    knows its client, and its answer to it is dropped."""

    def __init__(self, seat: Seat, put: Put, opening: Sequence[bytes] = ()) -> None:
        self._put = put
        self._silent = bool(opening)
        self._memory = MemoryServer(
            lambda _: seat, seat.vault.history.last_seq, welcomes=not opening
        )
        self._portal_context = start_blocking_portal()
        self._portal = self._portal_context.__enter__()
        self._lines: MemoryObjectSendStream[SessionMessage | Exception]
        self._lines, read = self._portal.call(_stream)
        self._served = self._portal.start_task_soon(self._serve, read)
        for line in opening:
            self.feed(line)

    def feed(self, line: bytes) -> None:
        self._portal.call(self._lines.send, _message(line))

    def close(self) -> None:
        self._portal.call(self._lines.aclose)
        self._served.result()
        self._portal_context.__exit__(None, None, None)

    async def _serve(self, read: MemoryObjectReceiveStream[SessionMessage | Exception]) -> None:
        write, said = anyio.create_memory_object_stream[SessionMessage](math.inf)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._hand_on, said)
            await self._memory.server.run(read, write, self._memory.options())

    async def _hand_on(self, said: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with said:
            async for one in said:
                if self._silent:  # the handshake is answered before anything else is
                    self._silent = False
                    continue
                message = one.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
                await anyio.to_thread.run_sync(self._put, message)


async def _stream() -> tuple[
    MemoryObjectSendStream[SessionMessage | Exception],
    MemoryObjectReceiveStream[SessionMessage | Exception],
]:
    return anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        text = line.decode("utf-8", "replace")
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except Exception as error:  # as the library's own transport does: it decides what to say
        return error
