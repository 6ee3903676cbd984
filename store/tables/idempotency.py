"""Rows of the table `idempotency`: what a retried call was answered, so that it is one write.

The row is made in the transaction of the write it stands for, with no answer yet (`status` 0);
the answer follows once it is known. So a crash between the two leaves a write that a retry will
not repeat.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from store.file.database import Connection
from store.instants import Instant

UNANSWERED = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered; `body` holds the headers worth repeating too, as the door packed them."""

    request_digest: bytes
    status: int
    body: bytes
    at: Instant


def read(db: Connection, caller: str, key: str, since: Instant) -> Reply | None:
    row = db.execute(
        """SELECT request_digest, status, body, at FROM idempotency
            WHERE caller = :caller AND idempotency_key = :key AND at >= :since""",
        {"caller": caller, "key": key, "since": since},
    ).fetchone()
    return Reply(*row) if row else None


def claim(
    db: Connection, caller: str, key: str, digest: bytes, at: Instant, thing_ids: Iterable[str]
) -> bool:
    """Note a write about to be committed. False when another call has done it already."""
    row = db.execute(
        """INSERT INTO idempotency VALUES (:caller, :key, :digest, 0, x'', :at, :things)
           ON CONFLICT DO NOTHING RETURNING at""",
        {
            "caller": caller,
            "key": key,
            "digest": digest,
            "at": at,
            "things": json.dumps(list(thing_ids)),
        },
    ).fetchone()
    return row is not None


def add_things(db: Connection, caller: str, key: str, thing_ids: Iterable[str]) -> None:
    """A call may write more than once; erasing any of it erases what the call was told."""
    db.execute(
        """UPDATE idempotency SET thing_ids =
             (SELECT json_group_array(value) FROM (SELECT value FROM json_each(thing_ids)
               UNION SELECT value FROM json_each(:things)))
            WHERE caller = :caller AND idempotency_key = :key""",
        {"caller": caller, "key": key, "things": json.dumps(list(thing_ids))},
    )


def answer(db: Connection, caller: str, key: str, status: int, body: bytes) -> None:
    """What a claimed call was told. Does nothing if the row was erased meanwhile."""
    db.execute(
        """UPDATE idempotency SET status = :status, body = :body
            WHERE caller = :caller AND idempotency_key = :key AND status = 0""",
        {"caller": caller, "key": key, "status": status, "body": body},
    )


def prune(db: Connection, before: Instant) -> int:
    return len(
        db.execute(
            "DELETE FROM idempotency WHERE at < :before RETURNING at", {"before": before}
        ).fetchall()
    )
