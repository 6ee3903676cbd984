"""`Idempotency-Key`: a retried call is one write, and is answered as the first was.

The key is noted in the transaction of the write itself, so neither a crash nor two retries at
once make two writes. Only successes are remembered: a refused call may be tried again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from anyio.to_thread import run_sync
from fastapi import Header, Request, Response
from fastapi.routing import APIRoute

from app.errors import Invalid, Refused
from app.memory.call_log import REPLY_HOURS as KEPT_HOURS
from app.vault import Vault
from store.file.database import Database
from store.instants import Clock, plus, to_instant
from store.tables import idempotency
from store.tables.change_log import Recorder, alongside
from store.tables.idempotency import Reply

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
_KEY = re.compile(r"[\x21-\x7e]{1,255}\Z")
_REPEATED_HEADERS = ("content-type", "etag", "location", "x-change-group")

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Replies:
    """What retried calls are answered from."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def find(self, caller: str, key: str, digest: bytes) -> Reply | None:
        """Raises Invalid for the same key with another request, Refused while the first call
        is not answered."""
        now = to_instant(self._clock())
        with self._database.read() as db:
            reply = idempotency.read(db, caller, key, plus(now, hours=-KEPT_HOURS))
        if reply is None:
            return None
        if reply.request_digest != digest:
            raise Invalid(
                f"This {HEADER} was used for another request; take a new one for a new request."
            )
        if reply.status == idempotency.UNANSWERED:
            raise Refused(
                "The first call with this key was written; its answer is not known (yet). "
                "Read the memory to see what it wrote."
            )
        return reply

    @contextmanager
    def claiming(self, caller: str, key: str, digest: bytes) -> Iterator[None]:
        """Makes every write in this context note the key in its own transaction."""
        claimed = False

        def claim(rec: Recorder) -> None:
            nonlocal claimed
            if claimed:
                idempotency.add_things(rec.db, caller, key, rec.thing_ids)
                return
            idempotency.prune(rec.db, plus(rec.now, hours=-KEPT_HOURS))
            if not idempotency.claim(rec.db, caller, key, digest, rec.now, rec.thing_ids):
                raise Refused("Another call with this key is being answered; ask again.")
            claimed = True

        reset = alongside.set(claim)
        try:
            yield
        finally:
            alongside.reset(reset)

    def answer(self, caller: str, key: str, status: int, body: bytes) -> None:
        with self._database.write() as db:
            idempotency.answer(db, caller, key, status, body)


WRITERS = 24
"""Of the server's forty threads, at most so many write at once: they wait for one another in any
case, and a program that holds the vault's lock does not keep anybody from reading."""


class WriteRoute(APIRoute):
    """A route whose calls may be retried."""

    def get_route_handler(self) -> Handler:
        route: Handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            async with request.app.state.writers:
                return await route(request)

        async def handle_once(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None:
                return await handle(request)
            if not _KEY.match(key):
                raise Invalid(f"An {HEADER} has 1 to 255 visible ASCII characters.")
            vault: Vault = request.app.state.vault
            replies = Replies(vault.database, vault.clock)
            caller = request.state.caller.actor
            digest = await _digest(request)
            reply = await run_sync(replies.find, caller, key, digest)
            if reply is not None:
                return _unpacked(reply)
            with replies.claiming(caller, key, digest):
                response = await handle(request)
            if response.status_code < 300:
                await run_sync(replies.answer, caller, key, response.status_code, _packed(response))
            return response

        return handle_once


async def idempotency_key(
    key: Annotated[
        str | None,
        Header(
            alias=HEADER,
            description="Any text of your own; a retry with it and the same body is one write. "
            f"Kept for {KEPT_HOURS} hours.",
            min_length=1,
            max_length=255,
            pattern=r"^[\x21-\x7e]+$",
        ),
    ] = None,
) -> None:
    """For the documentation: WriteRoute has read the header already."""


async def _digest(request: Request) -> bytes:
    target = f"{request.method} {request.url.path}?{request.url.query}\n"
    return hashlib.blake2b(target.encode() + await request.body(), digest_size=16).digest()


def _packed(response: Response) -> bytes:
    given = response.headers
    headers = {name: given[name] for name in _REPEATED_HEADERS if name in given}
    return json.dumps(headers).encode() + b"\n" + bytes(response.body)


def _unpacked(reply: Reply) -> Response:
    head, _, body = reply.body.partition(b"\n")
    return Response(body, reply.status, headers={**json.loads(head), REPLAYED: "true"})
