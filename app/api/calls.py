"""Notes every call of an agent once it was answered."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.visit import Visit
from app.calls import Calls
from app.reach import Caller

NOTED_ELSEWHERE = ("/mcp",)  # tools note what they were asked, not the transport


class CallsNoted:
    def __init__(self, app: ASGIApp, calls: Calls) -> None:
        self.app = app
        self._calls = calls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        caller: Caller | None = scope.get("state", {}).get("caller")
        if caller is None or caller.agent is None or scope["path"] in NOTED_ELSEWHERE:
            await self.app(scope, receive, send)
            return
        status = 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        finally:
            visit: Visit | None = scope["state"].get("visit")
            self._calls.record(
                caller.agent.id,
                "api",
                f"{scope['method']} {scope['path']}",
                visit.asked if visit else "",
                visit.told if visit else (),
                str(status),
            )
