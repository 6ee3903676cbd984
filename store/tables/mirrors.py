"""Rows of `mirrors` and `mirror_files`: folders kept in step, and what was last agreed on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from store.file.database import Connection, Row
from store.instants import Instant
from store.records import OWNER, Scope

RUNNING, HALTED = "running", "halted"
ANYONE = "workspace"  # as writer: whoever works there, so the least trusted of them
REVIEWED = "review:"  # before an agent's id, as writer: its edits wait, however far it is trusted
_COLUMNS = "id, folder, scope, writer, state, problem, seq, created_at"
_FILE = "path, entry_id, file_digest, base, seen_at"


@dataclass(frozen=True, slots=True)
class Mirror:
    """A folder and the scope it mirrors. `problem` says in words what needs the owner."""

    id: str
    folder: Path
    scope: Scope
    writer: str = OWNER
    state: str = RUNNING
    problem: str = ""
    seq: int = 0
    created_at: Instant = ""


@dataclass(frozen=True, slots=True)
class MirrorFile:
    """What the folder and the vault last agreed on, for one note or (no entry) the index."""

    path: str
    entry_id: str
    file_digest: bytes
    base: str
    seen_at: Instant


@dataclass(frozen=True, slots=True)
class EntryFile:
    """Where an entry's note is, and what names it."""

    mirror_id: str
    folder: str
    path: str
    file_digest: bytes
    key: str
    created_at: Instant


def listed(db: Connection) -> list[Mirror]:
    rows = db.execute(f"SELECT {_COLUMNS} FROM mirrors ORDER BY created_at, id")
    return [_mirror(row) for row in rows.fetchall()]


def read(db: Connection, ident: str) -> Mirror | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM mirrors WHERE id = :id", {"id": ident}).fetchone()
    return _mirror(row) if row else None


def insert(db: Connection, mirror: Mirror) -> None:
    db.execute(
        f"""INSERT INTO mirrors ({_COLUMNS})
            VALUES (:id, :folder, :scope, :writer, :state, :problem, :seq, :created_at)""",
        {
            "id": mirror.id,
            "folder": str(mirror.folder),
            "scope": str(mirror.scope),
            "writer": mirror.writer,
            "state": mirror.state,
            "problem": mirror.problem,
            "seq": mirror.seq,
            "created_at": mirror.created_at,
        },
    )


def set_state(db: Connection, ident: str, state: str, problem: str, seq: int, since: int) -> None:
    """How a round ended that found the mirror at `since`: one that fell behind meanwhile stays
    behind."""
    db.execute(
        """UPDATE mirrors SET state = :state, problem = :problem,
                  seq = CASE WHEN seq = :since THEN :seq ELSE seq END
            WHERE id = :id""",
        {"id": ident, "state": state, "problem": problem, "seq": seq, "since": since},
    )


def fall_behind(db: Connection) -> None:
    """Every folder is looked at again: what it holds follows from more than the change log."""
    db.execute("UPDATE mirrors SET seq = min(seq, 0) - 1")  # never what a round found


def delete(db: Connection, ident: str) -> None:
    """The mirror and what it remembered; the folder is not touched."""
    db.execute("DELETE FROM mirrors WHERE id = :id", {"id": ident})


def files(db: Connection, ident: str) -> dict[str, MirrorFile]:
    rows = db.execute(
        f"SELECT {_FILE} FROM mirror_files WHERE mirror_id = :id ORDER BY path", {"id": ident}
    )
    return {row[0]: MirrorFile(*row) for row in rows.fetchall()}


def digests(db: Connection, ident: str) -> dict[str, bytes]:
    """Of every file at the last round, by path."""
    rows = db.execute(
        "SELECT path, file_digest FROM mirror_files WHERE mirror_id = :id", {"id": ident}
    )
    return dict(rows.fetchall())


def put_files(
    db: Connection, ident: str, agreed: Iterable[MirrorFile], gone: Iterable[str]
) -> None:
    """Remember what is agreed now, and forget the paths that are no more."""
    db.execute(
        """DELETE FROM mirror_files
            WHERE mirror_id = :id AND path IN (SELECT value FROM json_each(:gone))""",
        {"id": ident, "gone": json.dumps(list(gone))},
    )
    db.executemany(
        """INSERT INTO mirror_files (mirror_id, path, entry_id, file_digest, base, seen_at)
           VALUES (?, ?, ?, ?, ?, ?)
               ON CONFLICT (mirror_id, path) DO UPDATE SET entry_id = excluded.entry_id,
                  file_digest = excluded.file_digest, base = excluded.base,
                  seen_at = excluded.seen_at""",
        [(ident, f.path, f.entry_id, f.file_digest, f.base, f.seen_at) for f in agreed],
    )


def of_entries(db: Connection, entry_ids: Iterable[str]) -> list[EntryFile]:
    """Every file that holds one of these entries."""
    rows = db.execute(
        """SELECT f.mirror_id, m.folder, f.path, f.file_digest, coalesce(e.key, ''),
                  coalesce(e.created_at, '')
             FROM mirror_files f JOIN mirrors m ON m.id = f.mirror_id
             LEFT JOIN entries e ON e.id = f.entry_id
            WHERE f.entry_id IN (SELECT value FROM json_each(:ids)) ORDER BY f.mirror_id, f.path""",
        {"ids": json.dumps(list(entry_ids))},
    )
    return [EntryFile(*row) for row in rows.fetchall()]


def _mirror(row: Row) -> Mirror:
    ident, folder, scope, writer, state, problem, seq, created_at = row
    return Mirror(ident, Path(folder), Scope.of(scope), writer, state, problem, seq, created_at)
