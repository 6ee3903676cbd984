"""What a conversation and its turns may look like. Pure."""

from __future__ import annotations

import re

from app.errors import Invalid, TooLarge
from store.instants import Instant

TURN_BYTES = 262_144
TURNS_AT_ONCE = 1_000
TITLE_CHARS = 200
_IDENT = re.compile(r"[\w.@+-]{1,128}")
_ROLE = re.compile(r"[^\W_][\w .@-]{0,63}")


def clean_turn(role: str, content: str) -> tuple[str, str]:
    role = role.strip()
    if not _ROLE.fullmatch(role):
        raise Invalid("A turn's role is a word like user or assistant, at most 64 characters.")
    if not content.strip():
        raise Invalid("A turn needs content.")
    if len(content.encode("utf-8", "surrogatepass")) > TURN_BYTES:
        raise TooLarge(f"A turn is at most {TURN_BYTES:,} bytes.")
    return role, content


def clean_ident(ident: str) -> str:
    """An id that also stands in a scope, `conversation:<id>`."""
    if not _IDENT.fullmatch(ident):
        raise Invalid("A conversation's id is 1 to 128 letters, digits and . _ @ + -")
    return ident


def clean_title(title: str) -> str:
    text = " ".join(title.split())
    if len(text) > TITLE_CHARS:
        raise Invalid(f"A title has at most {TITLE_CHARS} characters.")
    return text


def page_end(cursor: str | None) -> tuple[Instant, str] | None:
    """Where the page before ended: the time and id of its last conversation. Raises Invalid."""
    if not cursor:
        return None
    at, _, ident = cursor.partition(" ")
    if not ident:
        raise Invalid("That cursor is not one of ours; leave it out to start again.")
    return at, ident
