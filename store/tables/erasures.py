"""Rows of `erasures` (what an erase still has to do), of `erased_things` and `erased_files` (what
must not come back) and of `handed_out` (copies nobody can follow). None holds a word of memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from store.file.database import Connection, Row
from store.instants import Instant

_TRACES, _COPIES = "_traces", "_copies"  # kept with the counts
# The steps, in the order they are done.
MACHINES, COPIES, FILES, BACKUPS, FILE = "machines", "copies", "files", "backups", "file"
CARRIED = ("erasures", "erased_things", "erased_files")  # what no restore takes back


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What keeps an erase from being done: where, and why in one of the words below, with what
    the system said."""

    where: str
    why: str
    detail: str = ""


# Why
AWAY = "away"  # a folder that is not there, or is another one
LINK = "link"
READ_ONLY = "read-only"
FULL = "full"
READER = "reader"  # another program still reads an old copy
BUSY = "busy"
WORDS = "words"  # a piece is still found there
OTHER = "other"


@dataclass(frozen=True, slots=True)
class MirroredFile:
    """A file that holds what was erased."""

    mirror_id: str
    folder: str
    path: str


@dataclass(frozen=True, slots=True)
class ErasureRow:
    id: str
    at: Instant
    removal: str
    removed: dict[str, int]
    files: tuple[MirroredFile, ...]
    backups: tuple[str, ...]  # names of those there were: what a later one holds is newer
    steps: tuple[str, ...]
    hindrances: tuple[Hindrance, ...] = field(default=())
    traces: list[Any] = field(default_factory=list)  # marks of its words (store/care/pieces.py)
    copies: list[Any] = field(default_factory=list)  # files it goes from (app/care/copies.py)


def put(db: Connection, row: ErasureRow) -> None:
    """As it stands now; whatever was known of it before is replaced."""
    db.execute(
        """INSERT OR REPLACE INTO erasures VALUES
           (:id, :at, :removal, :removed, :files, :backups, :steps, :hindrances)""",
        {
            "id": row.id,
            "at": row.at,
            "removal": row.removal,
            "removed": json.dumps(
                {
                    **row.removed,
                    _TRACES: row.traces,
                    **({_COPIES: row.copies} if row.copies else {}),
                }
            ),
            "files": json.dumps([[one.mirror_id, one.folder, one.path] for one in row.files]),
            "backups": json.dumps(row.backups),
            "steps": json.dumps(row.steps),
            "hindrances": json.dumps([[h.where, h.why, h.detail] for h in row.hindrances]),
        },
    )


def delete(db: Connection, ident: str) -> None:
    db.execute("DELETE FROM erasures WHERE id = :id", {"id": ident})


def listed(db: Connection) -> list[ErasureRow]:
    """Oldest first."""
    rows = db.execute(
        """SELECT id, at, removal, removed, files, backups, steps, hindrances FROM erasures
            ORDER BY at, id"""
    )
    return [_row(row) for row in rows.fetchall()]


def count(db: Connection) -> int:
    return int(db.execute("SELECT count(*) FROM erasures").fetchone()[0])


def file_is_unclean(db: Connection) -> bool:
    """Whether the vault's own file may still hold bytes of what was erased."""
    row = db.execute(
        "SELECT EXISTS (SELECT 1 FROM erasures WHERE instr(steps, :step))",
        {"step": json.dumps(FILE)},
    ).fetchone()
    return bool(row[0])


def bury(db: Connection, things: Iterable[tuple[str, str]]) -> None:
    """Note that these (sort, id) are erased."""
    db.executemany("INSERT OR IGNORE INTO erased_things (thing, id) VALUES (?, ?)", list(things))


def buried(db: Connection, thing: str, idents: Iterable[str]) -> set[str]:
    """Which of these were erased."""
    rows = db.execute(
        """SELECT id FROM erased_things WHERE thing = :thing
              AND id IN (SELECT value FROM json_each(:ids))""",
        {"thing": thing, "ids": json.dumps(list(idents))},
    )
    return {row[0] for row in rows.fetchall()}


def all_buried(db: Connection) -> dict[str, list[str]]:
    """Ids by what they were of."""
    found: dict[str, list[str]] = {}
    for thing, ident in db.execute("SELECT thing, id FROM erased_things").fetchall():
        found.setdefault(thing, []).append(ident)
    return found


@dataclass(frozen=True, slots=True)
class ErasedFile:
    """A mirrored file that was erased, without its name: `gone` once it was seen to be."""

    mirror_id: str
    path_digest: bytes
    file_digest: bytes
    note_digest: bytes
    gone: bool


def path_digest(path: str) -> bytes:
    return _digest("path", path)


def note_digest(key: str, created_at: Instant) -> bytes:
    """Names a note, whatever became of its text."""
    return _digest("note", key, created_at)


def bury_file(db: Connection, file: ErasedFile) -> None:
    db.execute(
        "INSERT OR REPLACE INTO erased_files VALUES (:mirror, :path, :file, :note, :gone)",
        {
            "mirror": file.mirror_id,
            "path": file.path_digest,
            "file": file.file_digest,
            "note": file.note_digest,
            "gone": int(file.gone),
        },
    )


def erased_files(db: Connection, mirror_id: str) -> list[ErasedFile]:
    """Those of one mirror, and of any other the files that are the same byte for byte."""
    rows = db.execute(
        "SELECT * FROM erased_files ORDER BY mirror_id = :id DESC, path_digest", {"id": mirror_id}
    )
    return [ErasedFile(m, p, f, n, bool(gone)) for m, p, f, n, gone in rows.fetchall()]


def file_is_gone(db: Connection, mirror_id: str, path: str) -> None:
    db.execute(
        "UPDATE erased_files SET gone = 1 WHERE mirror_id = :mirror AND path_digest = :path",
        {"mirror": mirror_id, "path": path_digest(path)},
    )


def copied(db: Connection) -> dict[str, list[Row]]:
    """Every row of these tables as it is."""
    return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in CARRIED}


def put_back(db: Connection, tables: dict[str, list[Row]]) -> None:
    """Those rows, beside what is there."""
    for table, rows in tables.items():
        for row in rows:
            marks = ", ".join("?" for _ in row)
            db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)


@dataclass(frozen=True, slots=True)
class HandedOut:
    """A copy of memory outside the vault's reach."""

    at: Instant
    way: str  # export, skill, mirror (until then), import (what was read)
    path: str  # empty for what went through the API


def hand_out(
    db: Connection, copy: HandedOut, scopes: Iterable[str] = ("",), entry_ids: Iterable[str] = ()
) -> None:
    """Note a copy of these scopes (an empty one: everything), or of these entries alone."""
    rows = [(copy.at, copy.way, copy.path, "", ident) for ident in entry_ids]
    rows = rows or [(copy.at, copy.way, copy.path, scope, "") for scope in scopes]
    db.executemany(
        "DELETE FROM handed_out WHERE way = ? AND path = ? AND scope = ? AND entry_id = ?",
        [row[1:] for row in rows],
    )
    db.executemany(
        "INSERT INTO handed_out (at, way, path, scope, entry_id) VALUES (?, ?, ?, ?, ?)", rows
    )


def take_in(db: Connection, way: str, path: str) -> None:
    """A copy is within reach again."""
    db.execute("DELETE FROM handed_out WHERE way = ? AND path = ?", (way, path))


def handed_out(
    db: Connection, scopes: Iterable[str], entry_ids: Iterable[str], since: Instant
) -> list[HandedOut]:
    """Copies that may hold something of these scopes made `since`, or one of these entries;
    the newest first."""
    rows = db.execute(
        """SELECT max(at), way, path FROM handed_out
            WHERE way <> 'import' AND at >= :since AND entry_id = ''
              AND (scope = '' OR scope IN (SELECT value FROM json_each(:scopes)))
               OR entry_id <> '' AND entry_id IN (SELECT value FROM json_each(:ids))
            GROUP BY way, path ORDER BY 1 DESC, way, path""",
        {
            "scopes": json.dumps(list(scopes)),
            "ids": json.dumps(list(entry_ids)),
            "since": since,
        },
    )
    return [HandedOut(*row) for row in rows.fetchall()]


def read_from(db: Connection) -> list[HandedOut]:
    """The files and folders that memories were imported from, the newest first."""
    rows = db.execute(
        """SELECT max(at), way, path FROM handed_out WHERE way = 'import'
            GROUP BY way, path ORDER BY 1 DESC, path"""
    )
    return [HandedOut(*row) for row in rows.fetchall()]


def _digest(*parts: str) -> bytes:
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).digest()


def _row(row: Row) -> ErasureRow:
    ident, at, removal, counts, files, backups, steps, hindrances = row
    removed = json.loads(counts)
    traces, copies = removed.pop(_TRACES, []), removed.pop(_COPIES, [])
    return ErasureRow(
        ident,
        at,
        removal,
        removed,
        tuple(MirroredFile(*one) for one in json.loads(files)),
        tuple(json.loads(backups)),
        tuple(json.loads(steps)),
        tuple(Hindrance(*one) for one in json.loads(hindrances)),
        traces,
        copies,
    )
