"""Rows of the tables `vectors`, `word_vectors`, `matrix_parts`, `vector_queue` and
`block_vectors`: text that became numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from store.file.database import Connection, Cursor
from store.records import Hearing, Scope
from store.tables import settings
from store.tables.entries import untold_rows

if TYPE_CHECKING:
    import numpy as np

    from store.models.embedder import Vectors

    Packed = np.ndarray[Any, np.dtype[np.uint8]]

PART = 2_048  # entries a row of `matrix_parts`, by their row numbers; in its trigger too
PARTED = 50_000  # with more entries than this there are parts
LARGE = 200_000  # with more than this the matrix holds bytes: exact cosines are read from the file
_STALE = 5_000  # changes after which parts are made anew; more where there are many entries
_STEPS = 7  # each way from nothing: what four bits tell apart
_SCAN = 20_000  # how far back the waiting writes of one source are looked for


@dataclass(frozen=True, slots=True)
class WaitingVector:
    """An entry whose text has no vector of the current model yet."""

    n: int
    key: str
    content: str
    hook: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """One window of an entry's text and its vector."""

    n: int
    part: int
    text_digest: bytes
    vector: bytes


@dataclass(frozen=True, slots=True)
class MatrixPart:
    """PART entries from row number `first` on, as of a line of the log and a vector: the columns
    that filters ask for, and the vectors at eight bits a number."""

    first: int
    change: int
    seq: int
    entries: bytes
    vectors: bytes


def waiting(
    db: Connection, limit: int, source: str | None = None, learned: bool = False
) -> list[WaitingVector]:
    """The newest waiting entries, those of one source or the learned ones if asked; trashed ones
    too, since they may come back."""
    rows = db.execute(
        """SELECT e.n, e.key, e.content, e.hook
             FROM (SELECT n FROM vector_queue ORDER BY n DESC LIMIT :scan) q
             JOIN entries e ON e.n = q.n
            WHERE (:source IS NULL OR e.source = :source)
              AND (NOT :learned OR e.source GLOB 'sleep:*' OR e.source GLOB 'channel:*')
            ORDER BY q.n DESC LIMIT :limit""",
        {"source": source, "learned": learned, "limit": limit, "scan": _SCAN},
    )
    return [WaitingVector(*row) for row in rows.fetchall()]


def any_waiting(db: Connection) -> bool:
    return db.execute("SELECT 1 FROM vector_queue LIMIT 1").fetchone() is not None


def count_waiting(db: Connection) -> int:
    return int(db.execute("SELECT count(*) FROM vector_queue").fetchone()[0])


def count_waiting_in(
    db: Connection, scopes: Sequence[Scope] | None, most: int, hearing: Hearing | None = None
) -> int:
    """How many active entries of these scopes (None: of all) wait that `hearing` (None: everybody)
    is told, counted up to `most`."""
    if not any_waiting(db):
        return 0
    parts, values = untold_rows(hearing or Hearing(()), None)
    told = "".join(f" AND e.n NOT IN ({part})" for part in parts)
    row = db.execute(
        f"""SELECT count(*) FROM
             (SELECT 1 FROM vector_queue q CROSS JOIN entries e ON e.n = q.n
               WHERE e.state = 'active' AND (:scopes IS NULL
                     OR e.scope IN (SELECT value FROM json_each(:scopes))){told}
               LIMIT :most)""",
        {
            **values,
            "scopes": None if scopes is None else json.dumps([str(scope) for scope in scopes]),
            "most": most,
        },
    ).fetchone()
    return int(row[0])


def count_missing(db: Connection) -> int:
    """How many entries have no vector of the vault's model and do not wait for one either."""
    return int(
        db.execute(
            """SELECT count(*) FROM entries e
                WHERE NOT EXISTS (SELECT 1 FROM vector_queue q WHERE q.n = e.n)
                  AND NOT EXISTS (SELECT 1 FROM vectors v
                                   WHERE v.n = e.n AND v.model IS :model)""",
            {"model": known_model(db)},
        ).fetchone()[0]
    )


def queue_all(db: Connection) -> None:
    """Every entry waits again: after a change of model, or to rebuild."""
    db.execute("INSERT OR IGNORE INTO vector_queue (n) SELECT n FROM entries")


def clear(db: Connection) -> None:
    """Throw all vectors away and queue every entry."""
    db.execute("DELETE FROM vectors")
    db.execute("DELETE FROM word_vectors")
    db.execute("DELETE FROM matrix_parts")
    db.execute("DELETE FROM block_vectors")
    remember_words(db, "")
    queue_all(db)


def digests(
    db: Connection, numbers: Iterable[int], model: str, words: bool = False
) -> dict[int, tuple[bytes, ...]]:
    """The digests of the windows that each entry has vectors of, in order of part; with `words`
    only of entries that have those of their words too."""
    rows = db.execute(
        """SELECT v.n, v.text_digest FROM json_each(:ns) j JOIN vectors v ON v.n = j.value
            WHERE v.model = :model AND (NOT :words OR EXISTS (SELECT 1 FROM word_vectors w
                  WHERE w.n = v.n AND w.model = :model)) ORDER BY v.n, v.part""",
        {"ns": json.dumps(list(numbers)), "model": model, "words": words},
    )
    found: dict[int, tuple[bytes, ...]] = {}
    for n, digest in rows.fetchall():
        found[n] = (*found.get(n, ()), digest)
    return found


def keep(
    db: Connection,
    model: str,
    done: Sequence[WaitingVector],
    embedded: Sequence[Embedded],
    words: Mapping[int, bytes],
) -> None:
    """Replace the vectors of the entries in `embedded` and of their `words`, and take `done` out of
    the queue.

    An entry whose text changed meanwhile, or that was erased, stays as it is."""
    unchanged = {
        row[0]
        for row in db.execute(
            """SELECT e.n FROM json_each(:seen) j JOIN entries e
                ON e.n = j.value ->> 0 AND e.content = j.value ->> 1 AND e.key = j.value ->> 2
                   AND e.hook = j.value ->> 3""",
            {"seen": json.dumps([(item.n, item.content, item.key, item.hook) for item in done])},
        ).fetchall()
    }
    fresh = [item for item in embedded if item.n in unchanged]
    _replace(db, model, fresh, {n: packed for n, packed in words.items() if n in unchanged})
    db.execute(
        "DELETE FROM vector_queue WHERE n IN (SELECT value FROM json_each(:ns))",
        {"ns": json.dumps(sorted(unchanged))},
    )


def _replace(
    db: Connection, model: str, fresh: Sequence[Embedded], words: Mapping[int, bytes]
) -> None:
    for table in ("vectors", "word_vectors"):
        db.execute(
            f"DELETE FROM {table} WHERE n IN (SELECT value FROM json_each(:ns))",
            {"ns": json.dumps(sorted({item.n for item in fresh}))},
        )
    db.executemany(
        "INSERT OR REPLACE INTO word_vectors (n, model, words) VALUES (:n, :model, :words)",
        [{"n": n, "model": model, "words": packed} for n, packed in words.items()],
    )
    db.executemany(
        """INSERT INTO vectors (n, part, model, text_digest, vector)
           VALUES (:n, :part, :model, :digest, :vector)""",
        [
            {
                "n": item.n,
                "part": item.part,
                "model": model,
                "digest": item.text_digest,
                "vector": item.vector,
            }
            for item in fresh
        ],
    )


def words(db: Connection, numbers: Sequence[int], model: str, most: int) -> dict[int, bytes]:
    """The packed vectors of the words of these entries, of those that have any: in their order,
    until there are `most` bytes."""
    # CROSS: in the order of the list, with nothing to sort.
    rows = db.execute(
        """SELECT w.n, w.words FROM json_each(:ns) j CROSS JOIN word_vectors w ON w.n = j.value
            WHERE w.model = :model AND length(w.words)""",
        {"ns": json.dumps(list(numbers)), "model": model},
    )
    found: dict[int, bytes] = {}
    size = 0
    for n, packed in rows:
        found[n] = packed
        size += len(packed)
        if size > most:
            break
    return found


def sampled_words(db: Connection, model: str, most: int) -> list[bytes]:
    """What `words` gives, of any so many entries: by their digests, so that the same texts give the
    same sample in whatever order they were written."""
    rows = db.execute(
        """SELECT w.words FROM vectors v JOIN word_vectors w ON w.n = v.n
            WHERE v.part = 0 AND w.model = :model AND length(w.words)
            ORDER BY v.text_digest LIMIT :most""",
        {"model": model, "most": most},
    )
    return [row[0] for row in rows.fetchall()]


def without_words(db: Connection, model: str, limit: int) -> list[WaitingVector]:
    """Entries that have a vector, but none of their words."""
    rows = db.execute(
        """SELECT e.n, e.key, e.content, e.hook FROM entries e
            WHERE NOT EXISTS (SELECT 1 FROM word_vectors w WHERE w.n = e.n AND w.model = :model)
            ORDER BY e.n DESC LIMIT :limit""",
        {"model": model, "limit": limit},
    )
    return [WaitingVector(*row) for row in rows.fetchall()]


def clear_words(db: Connection) -> None:
    db.execute("DELETE FROM word_vectors")
    remember_words(db, "")


def known_words(db: Connection) -> str:
    """The identity of the embedder by which every entry has vectors of its words; "" if none."""
    return settings.read(db, "word_vectors") or ""


def remember_words(db: Connection, identity: str) -> None:
    settings.put(db, "word_vectors", identity)


def spoken(db: Connection) -> frozenset[str]:
    """The languages that memories were put into English from before they were embedded."""
    return frozenset((settings.read(db, "spoken") or "").split())


def put_by(db: Connection) -> str:
    """Which dictionaries put memories into English when their vectors were made."""
    return settings.read(db, "put_by") or ""


def remember_put_by(db: Connection, dictionaries: str) -> None:
    settings.put(db, "put_by", dictionaries)


def remember_spoken(db: Connection, languages: frozenset[str]) -> None:
    settings.put(db, "spoken", " ".join(sorted(languages)))


def highest(db: Connection) -> int:
    """About how many entries there are, without counting them."""
    return int(db.execute("SELECT coalesce(max(n), 0) FROM entries").fetchone()[0])


def last_seq(db: Connection) -> int:
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM vectors").fetchone()[0])


def count(db: Connection) -> int:
    """How many there are, of whatever model."""
    return int(db.execute("SELECT count(*) FROM vectors").fetchone()[0])


def parted(db: Connection) -> bool:
    return highest(db) > PARTED


def large(db: Connection) -> bool:
    return highest(db) > LARGE


def parts(db: Connection, format: str, since: int, with_vectors: bool) -> Iterator[MatrixPart]:
    """Those that show the log as of `since` or later, by their first row, streamed; without vectors
    if they are not wanted."""
    vectors = "vectors" if with_vectors else "x''"
    rows = db.execute(
        f"""SELECT first, change, seq, entries, {vectors} FROM matrix_parts
             WHERE format = :format AND change >= :since ORDER BY first""",
        {"format": format, "since": since},
    )
    return (MatrixPart(*row) for row in rows)


def stale_parts(db: Connection, format: str, last: int) -> tuple[list[int], list[int]]:
    """Which parts are to be made anew, and which are merely to be told that they show the log up to
    `last` too; none of the latter while few things changed."""
    states = {
        first: (change, seq)
        for first, change, seq in db.execute(
            "SELECT first, change, seq FROM matrix_parts WHERE format = :format", {"format": format}
        ).fetchall()
    }
    wanted = set(range(0, highest(db) + 1, PART)) if parted(db) else set()
    missing = wanted - states.keys()
    known = [states[first] for first in wanted & states.keys()]
    change = min((change for change, _ in known), default=last)
    seq = min((seq for _, seq in known), default=0)
    late = max(last - change, last_seq(db) - seq)
    if not known or late <= max(_STALE, len(wanted) * PART // 50):
        return sorted(missing), []
    touched = db.execute(
        f"""SELECT e.n / {PART} * {PART} FROM changes c JOIN entries e ON e.id = c.thing_id
             WHERE c.seq > :change AND c.thing = 'entry'
             UNION SELECT n / {PART} * {PART} FROM vectors WHERE seq > :seq""",
        {"change": change, "seq": seq},
    )
    made = missing | {first for (first,) in touched.fetchall()} & wanted
    return sorted(made), sorted(wanted - made)


def keep_part(db: Connection, format: str, part: MatrixPart) -> None:
    db.execute(
        """INSERT OR REPLACE INTO matrix_parts (first, format, change, seq, entries, vectors)
           VALUES (:first, :format, :change, :seq, :entries, :vectors)""",
        {
            "first": part.first,
            "format": format,
            "change": part.change,
            "seq": part.seq,
            "entries": part.entries,
            "vectors": part.vectors,
        },
    )


def still_true(db: Connection, first: int, change: int, seq: int) -> None:
    """The part shows the log and the vectors up to there as well."""
    db.execute(
        "UPDATE matrix_parts SET change = :change, seq = :seq WHERE first = :first",
        {"first": first, "change": change, "seq": seq},
    )


def known_model(db: Connection) -> str | None:
    """The identity of the embedder whose vectors the vault holds."""
    return settings.read(db, "embedder")


def remember_model(db: Connection, identity: str) -> None:
    settings.put(db, "embedder", identity)


def since(db: Connection, seq: int, model: str) -> Cursor:
    """(row number, vector) of what came after `seq`, in order, to be fetched in steps."""
    return db.execute(
        "SELECT n, vector FROM vectors WHERE seq > :seq AND model = :model ORDER BY seq",
        {"seq": seq, "model": model},
    )


def within(db: Connection, first: int, model: str) -> list[tuple[int, bytes]]:
    """(row number, vector) of the entries of one part, in their order."""
    rows = db.execute(
        """SELECT n, vector FROM vectors
            WHERE n >= :first AND n < :first + :part AND model = :model ORDER BY n, part""",
        {"first": first, "part": PART, "model": model},
    )
    return rows.fetchall()


def of_rows(db: Connection, numbers: Sequence[int], model: str) -> list[tuple[int, bytes]]:
    """(row number, vector) of these entries, every window, in the order of their numbers."""
    rows = db.execute(
        """SELECT v.n, v.vector FROM json_each(:ns) j CROSS JOIN vectors v ON v.n = j.value
            WHERE v.model = :model ORDER BY j.key, v.part""",
        {"ns": json.dumps(list(numbers)), "model": model},
    )
    return rows.fetchall()


def lines(db: Connection, block_id: str, model: str) -> dict[bytes, bytes]:
    """Vectors of a block's lines by the digest of the line."""
    rows = db.execute(
        "SELECT line_digest, vector FROM block_vectors WHERE block_id = :id AND model = :model",
        {"id": block_id, "model": model},
    )
    return dict(rows.fetchall())


def keep_lines(
    db: Connection, block_id: str, model: str, wanted: Iterable[bytes], new: dict[bytes, bytes]
) -> None:
    """Add `new`, drop the lines that are no longer `wanted`. A block that is gone keeps none."""
    digests = json.dumps([digest.hex() for digest in wanted])
    db.execute(
        """DELETE FROM block_vectors WHERE block_id = :id AND (model <> :model OR
            lower(hex(line_digest)) NOT IN (SELECT value FROM json_each(:wanted)))""",
        {"id": block_id, "model": model, "wanted": digests},
    )
    db.executemany(
        """INSERT OR REPLACE INTO block_vectors (block_id, line_digest, model, vector)
           SELECT id, :digest, :model, :vector FROM blocks WHERE id = :id""",
        [
            {"id": block_id, "digest": digest, "model": model, "vector": vector}
            for digest, vector in new.items()
        ],
    )


def pack_words(words: Vectors) -> bytes:
    """Unit vectors of words, four bits a number."""
    import numpy as np

    largest = np.maximum(np.abs(words).max(axis=1, keepdims=True, initial=0), 1e-6)
    steps = (np.round(words * (_STEPS / largest)) + _STEPS + 1).astype(np.uint8)
    return bytes((steps[:, 0::2] << 4 | steps[:, 1::2]).tobytes())


def unpack_words(packed: Packed) -> Vectors:
    """What `pack_words` kept, a row a word, as unit vectors again."""
    import numpy as np

    # Two numbers at once: a byte is looked up, and the eight bytes that it stands for are copied.
    words = _pairs().take(packed, mode="clip").view(np.float32)
    words *= 1 / np.maximum(np.sqrt(np.vecdot(words, words)), 1e-6)[:, None]
    return words


@cache
def _pairs() -> np.ndarray[Any, np.dtype[np.float64]]:
    """What each byte of packed words stands for: two floats, seen as one number."""
    import numpy as np

    byte = np.arange(256)
    both = np.stack([byte >> 4, byte & 15], axis=1) - (_STEPS + 1)
    return both.astype(np.float32).view(np.float64).ravel()


def packed(vectors: Vectors) -> list[bytes]:
    return [row.tobytes() for row in vectors]
