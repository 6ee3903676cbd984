"""Who calls: the token of a request becomes the owner or an agent."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from app.access.agents import Agents, hash_token
from app.access.caller_scope import Caller
from app.errors import NotAuthenticated

TOKEN_MOST = 512
SAY_HOW = (
    "Send your token as `Authorization: Bearer …`. The owner's is printed by `keepsake token`; "
    "agents get theirs from `keepsake agents add`."
)


class Gate:
    """Tells callers by their tokens. Tokens are compared as hashes, in constant time."""

    def __init__(self, agents: Agents, owner_token: str) -> None:
        self._agents = agents
        self._owner = hash_token(owner_token)

    def caller(self, token: str | None) -> Caller:
        """Raises NotAuthenticated."""
        if not token or len(token) > TOKEN_MOST:
            raise NotAuthenticated(SAY_HOW)
        if hmac.compare_digest(hash_token(token), self._owner):
            return Caller()
        return Caller(self._agents.authenticate(token))


def token_in(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The token of `Authorization: Bearer` or `X-API-Key`; two different ones are none."""
    found: set[str] = set()
    for name, value in headers:
        text = value.decode("latin-1").strip()
        if name == b"authorization":
            kind, _, token = text.partition(" ")
            if kind.lower() in ("bearer", "token"):  # mem0 clients say Token
                found.add(token.strip())
            else:
                return None
        elif name == b"x-api-key":
            found.add(text)
    return found.pop() if len(found) == 1 else None
