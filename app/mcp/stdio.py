"""`keepsake mcp`: one client over standard input and output."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server

from app.mcp.desk import Seat
from app.mcp.server import MemoryServer
from app.mcp.tending import Tending


def serve(seat: Seat) -> None:
    """Until the client hangs up."""
    tending = Tending(seat.vault)
    tending.start()
    try:
        anyio.run(_serve, seat)
    finally:
        tending.stop()
        seat.leave()


async def _serve(seat: Seat) -> None:
    memory = MemoryServer(lambda _: seat, seat.vault.history.last_seq)
    async with stdio_server() as (read, write):
        await memory.server.run(read, write, memory.options())
