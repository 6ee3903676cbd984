"""The owner's token: made at first need, kept where secrets are kept.

`KEEPSAKE_OWNER_TOKEN` overrides it for one process, which then keeps nothing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from app.access.agents import new_token
from app.access.secret_store import SecretStore
from app.errors import Invalid

NAME = "owner-token"
VARIABLE = "KEEPSAKE_OWNER_TOKEN"
SHORTEST = 16


@dataclass(frozen=True, slots=True)
class OwnerToken:
    """`notice` is what the owner must be told about where it lies; empty when all is well."""

    token: str
    where: str  # environment, kept (from before), keyring, file, nowhere
    notice: str = ""


def owner_token(secrets: SecretStore, environment: Mapping[str, str] | None = None) -> OwnerToken:
    """The token that is the owner's, made now if there is none."""
    named = (os.environ if environment is None else environment).get(VARIABLE)
    if named is not None:
        if len(named) < SHORTEST or not named.isascii() or not named.isprintable():
            raise Invalid(
                f"{VARIABLE} must be at least {SHORTEST} printable characters, as "
                "`keepsake token` makes them."
            )
        return OwnerToken(named, "environment")
    held = secrets.read(NAME)
    if held:
        return OwnerToken(held, "kept")
    token = new_token()
    kept = secrets.keep(NAME, token)
    return OwnerToken(token, kept.where, kept.notice)


def unkept_owner_token() -> OwnerToken:
    """One that nobody is told: over HTTP nobody is the owner."""
    return OwnerToken(new_token(), "nowhere")


def renewed_owner_token(secrets: SecretStore) -> OwnerToken:
    """Another token; the one before stops with the next start of the API."""
    token = new_token()
    kept = secrets.keep(NAME, token)
    return OwnerToken(token, kept.where, kept.notice)
