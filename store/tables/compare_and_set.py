"""How a row is changed: only while it is as it was read, and with a line in the change log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from store.instants import Instant
from store.records import Scope
from store.tables.change_log import Recorder

_TABLES = {
    "entry": "entries",
    "block": "blocks",
    "conversation": "conversations",
    "proposal": "proposals",
}


class Versioned(Protocol):
    """A record whose `updated_at` moves on with every write."""

    @property
    def id(self) -> str: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def updated_at(self) -> Instant: ...


Record = TypeVar("Record", bound=Versioned)


def compare_and_set(
    rec: Recorder,
    thing: str,
    was: Record,
    new: Record,
    columns: Mapping[str, object],
    as_fields: Callable[[Record], dict[str, object]],
    action: str,
) -> Record:
    """Write `columns` of `new` over the row of `was`, and log the fields that differ.

    Raises RuntimeError where the row is not `was` any more: within one transaction it must be."""
    assigned = ", ".join(f"{name} = :{name}" for name in columns)
    row = rec.db.execute(
        f"""UPDATE {_TABLES[thing]} SET {assigned}
             WHERE id = :id AND updated_at = :expected RETURNING id""",
        {**columns, "id": was.id, "expected": was.updated_at},
    ).fetchone()
    if row is None:
        raise RuntimeError(f"{thing} {was.id} was changed outside its transaction")
    before, after = as_fields(was), as_fields(new)
    names = [name for name in before if before[name] != after[name]]
    rec.add(
        action,
        thing,
        new.id,
        new.scope,
        {name: before[name] for name in names},
        {name: after[name] for name in names},
    )
    return new
