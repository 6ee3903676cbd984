"""Rows of the tables `conversations` and `turns`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from store.file.database import Connection, Row
from store.instants import Instant, after
from store.records import Conversation, ConversationFields, Turn, digest_of
from store.tables import calls
from store.tables.change_log import Recorder, compare_and_set

OPEN, ENDED = "open", "ended"
_COLUMNS = "id, agent_id, workspace_id, title, state, created_at, updated_at, ended_at, learned_at"
_TURN = "n, id, conversation_id, role, content, created_at, digest"
# What history compares and undo gives back.
TRACKED = ("title", "state", "ended_at")


class TurnProgress(NamedTuple):
    """How far a conversation was worked through, as the numbers of its turns."""

    last_n: int
    learned_n: int
    merged_n: int


def digest_of_turn(turn: Turn) -> bytes:
    return digest_of(turn.id, turn.conversation_id, turn.role, turn.content, turn.created_at)


def read(db: Connection, ident: str) -> Conversation | None:
    row = db.execute(
        f"SELECT {_COLUMNS} FROM conversations WHERE id = :id", {"id": ident}
    ).fetchone()
    return Conversation(*row) if row else None


def own_id(db: Connection, agent_id: str, ident: str) -> str | None:
    """The id of that agent's run, named by its id or by the agent's own word for it."""
    row = db.execute(
        """SELECT id FROM conversations WHERE agent_id = :agent AND id IN (:id, :named)
            ORDER BY id = :id DESC LIMIT 1""",
        {"agent": agent_id, "id": ident, "named": named_by(agent_id, ident)},
    ).fetchone()
    return row[0] if row else None


def named_by(agent_id: str, ident: str) -> str:
    """The id of a run that an agent names itself: in a space of its own, so that no agent learns
    or takes another's."""
    return f"{ident}@{agent_id}"


def listed(
    db: Connection,
    agent_id: str | None = None,
    state: str | None = None,
    before: tuple[Instant, str] | None = None,
    limit: int = 50,
) -> list[Conversation]:
    """Latest first; `before` is the (updated_at, id) the page before ended at."""
    rows = db.execute(
        f"""SELECT {_COLUMNS} FROM conversations
             WHERE (:agent IS NULL OR agent_id = :agent) AND (:state IS NULL OR state = :state)
               AND (:at IS NULL OR (updated_at, id) < (:at, :id))
             ORDER BY updated_at DESC, id DESC LIMIT :limit""",
        {
            "agent": agent_id,
            "state": state,
            "at": before[0] if before else None,
            "id": before[1] if before else None,
            "limit": limit,
        },
    )
    return [Conversation(*row) for row in rows.fetchall()]


def insert(rec: Recorder, conversation: Conversation) -> Conversation:
    rec.db.execute(
        f"""INSERT INTO conversations ({_COLUMNS})
            VALUES (:id, :agent_id, :workspace_id, :title, :state, :created_at, :updated_at,
                    :ended_at, :learned_at)""",
        {name: getattr(conversation, name) for name in _COLUMNS.split(", ")},
    )
    rec.add("created", "conversation", conversation.id, conversation.scope)
    return conversation


def update(
    rec: Recorder, conversation: Conversation, fields: ConversationFields, action: str = "changed"
) -> Conversation:
    """Set tracked fields; unchanged ones write nothing."""
    if all(getattr(conversation, name) == value for name, value in fields.items()):
        return conversation
    new = replace(conversation, **fields)
    new = replace(new, updated_at=after(rec.now, conversation.updated_at))
    columns = {**as_fields(new), "updated_at": new.updated_at}
    return compare_and_set(rec, "conversation", conversation, new, columns, as_fields, action)


def append(
    rec: Recorder, conversation: Conversation, turns: Sequence[Turn], said_at: Instant | None = None
) -> list[Turn]:
    """The turns with their numbers; the log says that something was said, not what. `said_at`:
    the moment of the last one, where that is not now."""
    added = []
    for turn in turns:
        turn = replace(turn, digest=digest_of_turn(turn))
        number = rec.db.execute(
            """INSERT INTO turns (id, conversation_id, role, content, created_at, digest)
               VALUES (:id, :conversation_id, :role, :content, :created_at, :digest)""",
            {name: getattr(turn, name) for name in _TURN.split(", ") if name != "n"},
        ).lastrowid
        added.append(replace(turn, n=int(number or 0)))
    if added:
        rec.db.execute(
            "UPDATE conversations SET updated_at = :at WHERE id = :id",
            {"at": after(said_at or rec.now, conversation.updated_at), "id": conversation.id},
        )
        rec.add("appended", "conversation", conversation.id, conversation.scope)
    return added


def turns(
    db: Connection, conversation_id: str, after_n: int = 0, limit: int = 100_000
) -> list[Turn]:
    """In the order they were said."""
    rows = db.execute(
        f"""SELECT {_TURN} FROM turns WHERE conversation_id = :id AND n > :after
             ORDER BY n LIMIT :limit""",
        {"id": conversation_id, "after": after_n, "limit": limit},
    )
    return [_turn(row) for row in rows.fetchall()]


def all_turns(db: Connection) -> Iterator[Turn]:
    """Of every conversation: for checking them."""
    for row in db.execute(f"SELECT {_TURN} FROM turns ORDER BY n"):
        yield _turn(row)


def newest_turns(db: Connection, conversation_id: str, budget: int) -> tuple[list[Turn], int]:
    """The newest whole turns whose contents fit in `budget` bytes, in order, and how many older
    ones were left out. One that does not fit ends it: what is reloaded has no holes."""
    taken: list[Turn] = []
    rows = db.execute(
        f"SELECT {_TURN} FROM turns WHERE conversation_id = :id ORDER BY n DESC",
        {"id": conversation_id},
    )
    for row in rows:
        turn = _turn(row)
        budget -= len(turn.content.encode("utf-8", "surrogatepass"))
        if budget < 0:
            break
        taken.append(turn)
    total = count_turns(db, conversation_id)
    return taken[::-1], total - len(taken)


def read_turn(db: Connection, ident: str) -> Turn | None:
    row = db.execute(f"SELECT {_TURN} FROM turns WHERE id = :id", {"id": ident}).fetchone()
    return _turn(row) if row else None


def workspaces_of_turns(db: Connection, idents: Sequence[str]) -> dict[str, str]:
    """For each of these turns that is there, the workspace its conversation was held in."""
    rows = db.execute(
        """SELECT t.id, c.workspace_id FROM turns t JOIN conversations c ON c.id = t.conversation_id
            WHERE t.id IN (SELECT value FROM json_each(:ids))""",
        {"ids": json.dumps(list(idents))},
    )
    return dict(rows.fetchall())


def last_turn_at(db: Connection, conversation_id: str) -> Instant | None:
    row = db.execute(
        "SELECT max(created_at) FROM turns WHERE conversation_id = :id", {"id": conversation_id}
    ).fetchone()
    return row[0] if row else None


def count_turns(db: Connection, conversation_id: str) -> int:
    row = db.execute(
        "SELECT count(*) FROM turns WHERE conversation_id = :id", {"id": conversation_id}
    ).fetchone()
    return int(row[0])


def progress(db: Connection, ident: str) -> TurnProgress:
    row = db.execute(
        """SELECT coalesce((SELECT max(n) FROM turns WHERE conversation_id = c.id), 0),
                  learned_n, merged_n
             FROM conversations c WHERE id = :id""",
        {"id": ident},
    ).fetchone()
    return TurnProgress(*row)


def settled(
    db: Connection, quiet_since: Instant, limit: int = 100, but_of: Sequence[str] = ()
) -> list[str]:
    """Conversations with something to learn from or merge: ended, or quiet since that moment; none
    of the agents `but_of`."""
    rows = db.execute(
        """SELECT c.id FROM conversations c
            WHERE (c.state = 'ended' OR c.updated_at <= :quiet)
              AND c.agent_id NOT IN (SELECT value FROM json_each(:but_of))
              AND EXISTS (SELECT 1 FROM turns t WHERE t.conversation_id = c.id
                             AND (t.n > c.learned_n OR (c.state = 'ended' AND t.n > c.merged_n)))
            ORDER BY c.updated_at, c.id LIMIT :limit""",
        {"quiet": quiet_since, "limit": limit, "but_of": json.dumps(list(but_of))},
    )
    return [row[0] for row in rows.fetchall()]


def mark_learned(db: Connection, ident: str, upto: int, at: Instant) -> None:
    db.execute(
        "UPDATE conversations SET learned_n = :n, learned_at = :at WHERE id = :id",
        {"n": upto, "at": at, "id": ident},
    )


def mark_merged(db: Connection, ident: str, upto: int) -> None:
    db.execute("UPDATE conversations SET merged_n = :n WHERE id = :id", {"n": upto, "id": ident})


def delete(db: Connection, ident: str) -> None:
    """The conversation and its turns, for good; the calls they were said in quote nothing."""
    turns = db.execute("SELECT id FROM turns WHERE conversation_id = :id", {"id": ident})
    calls.blank(db, [f"turn:{row[0]}" for row in turns.fetchall()])
    db.execute("DELETE FROM conversations WHERE id = :id", {"id": ident})


def delete_turns(db: Connection, idents: Sequence[str]) -> list[str]:
    """Take out turns by id; returns the conversations they were in."""
    calls.blank(db, [f"turn:{ident}" for ident in idents])
    touched = []
    for ident in idents:
        row = db.execute(
            "DELETE FROM turns WHERE id = :id RETURNING conversation_id", {"id": ident}
        ).fetchone()
        if row:
            touched.append(row[0])
    return sorted(set(touched))


def turns_older_than(db: Connection, at: Instant) -> list[Turn]:
    rows = db.execute(f"SELECT {_TURN} FROM turns WHERE created_at < :at ORDER BY n", {"at": at})
    return [_turn(row) for row in rows.fetchall()]


def as_fields(conversation: Conversation) -> dict[str, object]:
    """The tracked fields as they stand in the change log."""
    return {name: getattr(conversation, name) for name in TRACKED}


def _turn(row: Row) -> Turn:
    return Turn(*row)
