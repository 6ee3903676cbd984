"""What a write of an entry looks at first: is it there, is it what the writer saw, is its key
free."""

from __future__ import annotations

from app.errors import Invalid, NotFound
from app.outcomes import UNSET, Expected, KeyTaken
from store import entries as rows
from store.database import Connection
from store.instants import Instant, parse_instant
from store.records import Entry, Scope


def found(db: Connection, ident: str) -> Entry:
    entry = rows.read(db, ident)
    if entry is None:
        raise NotFound(f"There is no memory {ident!r}.")
    return entry


def matches(current: Entry | None, expected: Expected) -> bool:
    """Whether the writer saw what is there: instants compared, not their spelling."""
    if expected is UNSET:
        return True
    if expected is None or current is None:
        return expected is None and current is None
    return _parsed(str(expected)) == current.updated_at


def _parsed(text: str) -> Instant:
    try:
        return parse_instant(text)
    except ValueError as error:
        raise Invalid(f"expected_updated_at: {error}.") from error


def key_taken(
    db: Connection, entry: Entry, key: str, scope: Scope | None = None
) -> KeyTaken | None:
    """Whether another active entry holds `key`, with a free one to use instead."""
    scope = scope or entry.scope
    holder = rows.find(db, scope, key)
    if holder is None or holder.id == entry.id:
        return None
    number = 2
    while rows.find(db, scope, f"{key[:190]}-{number}"):
        number += 1
    return KeyTaken(holder, key, f"{key[:190]}-{number}")
