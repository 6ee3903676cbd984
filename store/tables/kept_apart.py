"""Rows of `kept_apart`: entries the owner said are not the same, however alike they read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from store.file.database import Connection


def keep(db: Connection, numbers: Iterable[int]) -> int:
    """Notes one judgement over all of these entries. Returns its number, for `drop`."""
    last = db.execute("SELECT coalesce(max(judgement), 0) FROM kept_apart").fetchone()
    judgement = int(last[0]) + 1
    db.execute(
        """INSERT INTO kept_apart (judgement, n, written_at)
           SELECT :judgement, e.n, e.written_at
             FROM json_each(:numbers) j JOIN entries e ON e.n = j.value""",
        {"judgement": judgement, "numbers": json.dumps(list(numbers))},
    )
    return judgement


def drop(db: Connection, judgement: int) -> None:
    db.execute("DELETE FROM kept_apart WHERE judgement = :judgement", {"judgement": judgement})


def judgements(db: Connection) -> Mapping[int, frozenset[int]]:
    """The judgements each row is under. One over a text that was rewritten since says nothing."""
    rows = db.execute(
        """SELECT k.n, k.judgement FROM kept_apart k
             JOIN entries e ON e.n = k.n AND e.written_at = k.written_at"""
    )
    found: dict[int, set[int]] = {}
    for n, judgement in rows.fetchall():
        found.setdefault(n, set()).add(judgement)
    return {n: frozenset(those) for n, those in found.items()}
