"""Rows of the table `channel_messages`: what was said in channels, waiting to be learned from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from store.file.database import Connection
from store.instants import Instant

_COLUMNS = "n, agent_id, channel, message_id, author, text, sent_at, received_at, batch, learned_at"


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    n: int
    agent_id: str
    channel: str
    message_id: str
    author: str
    text: str
    sent_at: Instant
    received_at: Instant
    batch: str | None = None  # the batch it was learned in; None while it waits
    learned_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """One channel as one agent listens to it."""

    agent_id: str
    channel: str
    waiting: int
    oldest: Instant | None  # when the oldest waiting one was received
    learned: int
    last_learned_at: Instant | None


def insert(db: Connection, message: ChannelMessage) -> bool:
    """False when this message of the channel was there already."""
    row = db.execute(
        """INSERT INTO channel_messages
               (agent_id, channel, message_id, author, text, sent_at, received_at)
           VALUES (:agent_id, :channel, :message_id, :author, :text, :sent_at, :received_at)
           ON CONFLICT (agent_id, channel, message_id) DO NOTHING RETURNING n""",
        {
            "agent_id": message.agent_id,
            "channel": message.channel,
            "message_id": message.message_id,
            "author": message.author,
            "text": message.text,
            "sent_at": message.sent_at,
            "received_at": message.received_at,
        },
    ).fetchone()
    return row is not None


def queues(db: Connection, agent_id: str | None = None) -> list[Queue]:
    rows = db.execute(
        """SELECT agent_id, channel, sum(batch IS NULL),
                  min(CASE WHEN batch IS NULL THEN received_at END),
                  sum(batch IS NOT NULL), max(learned_at)
             FROM channel_messages WHERE :agent IS NULL OR agent_id = :agent
            GROUP BY agent_id, channel ORDER BY agent_id, channel""",
        {"agent": agent_id},
    )
    return [Queue(*row) for row in rows.fetchall()]


def due(db: Connection, size: int, received_by: Instant) -> list[tuple[str, str]]:
    """Agents and channels with a full batch waiting, or one received by that moment."""
    rows = db.execute(
        """SELECT agent_id, channel FROM channel_messages WHERE batch IS NULL
            GROUP BY agent_id, channel
           HAVING count(*) >= :size OR min(received_at) <= :by
            ORDER BY min(received_at), agent_id, channel""",
        {"size": size, "by": received_by},
    )
    return [(row[0], row[1]) for row in rows.fetchall()]


def waiting(db: Connection, agent_id: str, channel: str, limit: int) -> list[ChannelMessage]:
    """The oldest that wait."""
    rows = db.execute(
        f"""SELECT {_COLUMNS} FROM channel_messages
             WHERE agent_id = :agent AND channel = :channel AND batch IS NULL
             ORDER BY n LIMIT :limit""",
        {"agent": agent_id, "channel": channel, "limit": limit},
    )
    return [ChannelMessage(*row) for row in rows.fetchall()]


def claim(db: Connection, numbers: Sequence[int], batch: str, at: Instant) -> bool:
    """Mark them as learned in `batch`; False, and nothing marked, unless all of them waited."""
    values = {"ns": json.dumps(list(numbers)), "batch": batch, "at": at}
    still = db.execute(
        """SELECT count(*) FROM channel_messages
            WHERE n IN (SELECT value FROM json_each(:ns)) AND batch IS NULL""",
        values,
    ).fetchone()
    if still[0] != len(numbers):
        return False
    db.execute(
        """UPDATE channel_messages SET batch = :batch, learned_at = :at
            WHERE n IN (SELECT value FROM json_each(:ns))""",
        values,
    )
    return True


def listed(db: Connection, agent_id: str, channel: str, limit: int = 100) -> list[ChannelMessage]:
    """Newest first."""
    rows = db.execute(
        f"""SELECT {_COLUMNS} FROM channel_messages
             WHERE agent_id = :agent AND channel = :channel ORDER BY n DESC LIMIT :limit""",
        {"agent": agent_id, "channel": channel, "limit": limit},
    )
    return [ChannelMessage(*row) for row in rows.fetchall()]


def delete_older_than(db: Connection, at: Instant) -> list[int]:
    """The numbers of the messages taken out: learned ones, and waiting ones past their time."""
    rows = db.execute(
        "DELETE FROM channel_messages WHERE received_at < :at RETURNING n", {"at": at}
    )
    return [row[0] for row in rows.fetchall()]
