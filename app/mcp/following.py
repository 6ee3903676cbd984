"""Who follows which resources, and telling them when one says something else."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import blake2b

import anyio
import anyio.to_thread

from app.errors import KeepsakeError
from app.mcp.dialects import call_for
from app.mcp.resources import read
from app.mcp.session import Seat

_log = logging.getLogger("keepsake.mcp")

LOOK_SECONDS = 0.5
Announce = Callable[[str], Awaitable[None]]


@dataclass(slots=True, eq=False)
class Follower:
    """Somebody following some resources."""

    seat: Seat
    announce: Announce
    seen: dict[str, bytes] = field(default_factory=dict)  # uri: digest of the text it knows


class Announcer:
    def __init__(self, last_seq: Callable[[], int]) -> None:
        self._last_seq = last_seq
        self._followers: list[Follower] = []
        self._followed = anyio.Event()
        self._seq = -1

    @property
    def count(self) -> int:
        return len(self._followers)

    async def follow(self, follower: Follower, uri: str) -> None:
        """Announces changes of the resource to `follower` from now on; one that is not there never
        changes."""
        follower.seen[uri] = await anyio.to_thread.run_sync(_digest, follower.seat, uri)
        if follower not in self._followers:
            self._followers.append(follower)
            self._followed.set()

    def leave(self, follower: Follower, uri: str | None = None) -> None:
        """Stops announcing one resource, or with None all of them."""
        if uri is not None:
            follower.seen.pop(uri, None)
        if (uri is None or not follower.seen) and follower in self._followers:
            self._followers.remove(follower)

    async def run(self) -> None:
        """Look every half second while somebody follows, and never else; ends by being
        cancelled."""
        while True:
            await self._followed.wait()
            self._followed = anyio.Event()
            while self._followers:
                await anyio.sleep(LOOK_SECONDS)
                await self.look()

    async def look(self) -> None:
        """Tell everybody what changed since the last look."""
        try:
            seq = await anyio.to_thread.run_sync(self._last_seq)
        except KeepsakeError as error:
            _log.warning("Changes could not be followed: %s", error)
            return
        if seq == self._seq:
            return
        self._seq = seq
        for follower in list(self._followers):
            await self._look_for(follower)

    async def _look_for(self, follower: Follower) -> None:
        for uri, known in list(follower.seen.items()):
            digest = await anyio.to_thread.run_sync(_digest, follower.seat, uri)
            if digest == known or uri not in follower.seen:
                continue
            follower.seen[uri] = digest
            try:
                await follower.announce(uri)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                self.leave(follower)
                return


def _digest(seat: Seat, uri: str) -> bytes:
    try:
        call = call_for(seat)
        call.looking = True
        text, _ = read(call, uri)
    except KeepsakeError:
        return b""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
