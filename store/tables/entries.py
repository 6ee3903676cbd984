"""Rows of the table `entries`: reading by id, key or filter, and writing through a Recorder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, cast

from store.cjk_pairs import index_text
from store.file.database import Connection, Row
from store.file.migrations import CORE_RANK
from store.instants import Instant, after, microseconds
from store.records import (
    ACTIVE,
    DIGESTED,
    DIGESTED_IF_SET,
    LOGGED,
    TRASHED,
    Entry,
    EntryFields,
    Hearing,
    Scope,
    digest_of,
    entry_names,
)
from store.tables.change_log import Recorder, compare_and_set

EntryKey = tuple[Scope, str]  # a scope and a key in it

RANK_BITS = 58  # microseconds since 1970 until the year 9999 fit

_DERIVED = ("rank", "pairs")  # columns that follow from the others
_FIELDS = entry_names()
COLUMNS = (*_FIELDS[1:], *_DERIVED)
_SELECTED = ", ".join(f"e.{name}" for name in _FIELDS)
_INSERT = f"INSERT INTO entries ({', '.join(COLUMNS)}) VALUES ({', '.join('?' for _ in COLUMNS)})"
# What history compares and undo gives back; the rest is bookkeeping of the row itself.
TRACKED = entry_names(LOGGED)
_DIGESTED = entry_names(DIGESTED)
_LISTS = ("tags", "muted_for")  # kept as JSON
_SCOPE, _TAGS, _MUTED, _DIGEST = map(_FIELDS.index, ("scope", *_LISTS, "digest"))
_all_fields, _digested_fields = attrgetter(*_FIELDS), attrgetter(*_DIGESTED)
_DIGESTED_IF_SET = entry_names(DIGESTED_IF_SET)
_later_fields = attrgetter(*_DIGESTED_IF_SET)
_UNSET = tuple(one.default for one in fields(Entry) if one.name in _DIGESTED_IF_SET)
_DIGESTED_TAGS = _DIGESTED.index("tags")


def rank_of(importance: int, written_at: Instant) -> int:
    """Importance, then recency, as one number."""
    moment = min(max(microseconds(written_at), 0), (1 << RANK_BITS) - 1)
    return importance << RANK_BITS | moment


def digest_of_entry(entry: Entry) -> bytes:
    values = list(_digested_fields(entry))
    values[_DIGESTED_TAGS] = ",".join(entry.tags)
    if (later := _later_fields(entry)) != _UNSET:
        pairs = zip(_DIGESTED_IF_SET, later, strict=True)
        said = ((name, ",".join(v) if isinstance(v, tuple) else v) for name, v in pairs)
        values += [f"{name}={value}" for name, value in said if value]
    return digest_of(*values)


@lru_cache(maxsize=8192)
def _tags(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=8192)
def _tags_text(tags: tuple[str, ...]) -> str:
    return json.dumps(tags, ensure_ascii=False) if tags else "[]"


def entry_from(row: Row) -> Entry:
    """From a row selected with `selected()`."""
    values = list(row)
    values[_SCOPE] = Scope.of(values[_SCOPE])
    values[_TAGS] = _tags(values[_TAGS])
    values[_MUTED] = _tags(values[_MUTED])
    return Entry(*values)


def _values(entry: Entry) -> tuple[object, ...]:
    """The values of COLUMNS."""
    values = list(_all_fields(entry))
    values[_SCOPE] = str(entry.scope)
    values[_TAGS] = _tags_text(entry.tags)
    values[_MUTED] = _tags_text(entry.muted_for)
    values[_DIGEST] = digest_of_entry(entry)
    rank = rank_of(entry.importance, entry.written_at)
    return *values[1:], rank, index_text(entry.key, entry.content, entry.hook, *entry.tags)


def selected() -> str:
    """The columns `entry_from` expects, of `entries e`."""
    return _SELECTED


def read(db: Connection, ident: str) -> Entry | None:
    row = db.execute(
        f"SELECT {_SELECTED} FROM entries e WHERE e.id = :id", {"id": ident}
    ).fetchone()
    return entry_from(row) if row else None


def read_many(db: Connection, idents: Sequence[str]) -> list[Entry]:
    """In the order asked for; unknown ids are left out."""
    rows = db.execute(
        f"""SELECT {_SELECTED} FROM json_each(:ids) j JOIN entries e ON e.id = j.value
             ORDER BY j.key""",
        {"ids": json.dumps(list(idents))},
    )
    return [entry_from(row) for row in rows.fetchall()]


def read_rows(db: Connection, numbers: Iterable[int]) -> list[Entry]:
    """By row number, in the order asked for."""
    rows = db.execute(
        f"""SELECT {_SELECTED} FROM json_each(:ns) j JOIN entries e ON e.n = j.value
             ORDER BY j.key""",
        {"ns": json.dumps(list(numbers))},
    )
    return [entry_from(row) for row in rows.fetchall()]


def edges(db: Connection, numbers: Iterable[int]) -> list[tuple[int, str, str, int]]:
    """(row number, how the content starts, how it ends, its length): enough to judge a text by."""
    whole = db.execute(
        """SELECT e.n, iif(octet_length(e.content) <= 600, e.content, NULL)
             FROM json_each(:ns) j JOIN entries e ON e.n = j.value""",
        {"ns": json.dumps(list(numbers))},
    ).fetchall()
    found = [(n, text, text[-200:], len(text)) for n, text in whole if text is not None]
    if len(found) < len(whole):
        found += db.execute(
            """SELECT e.n, substr(e.content, 1, 600), substr(e.content, -200), length(e.content)
                 FROM json_each(:ns) j JOIN entries e ON e.n = j.value""",
            {"ns": json.dumps([n for n, text in whole if text is None])},
        ).fetchall()
    return found


def find(db: Connection, scope: Scope, key: str) -> Entry | None:
    """The active entry of that key."""
    row = db.execute(
        f"""SELECT {_SELECTED} FROM entries e
             WHERE e.scope = :scope AND e.key = :key AND e.state = 'active'""",
        {"scope": str(scope), "key": key},
    ).fetchone()
    return entry_from(row) if row else None


def of_key(db: Connection, key: str, scopes: Sequence[Scope]) -> list[Entry]:
    """The active entries of that key in these scopes, in their order."""
    rows = db.execute(
        f"""SELECT {_SELECTED} FROM json_each(:scopes) j JOIN entries e
                ON e.scope = j.value AND e.key = :key AND e.state = 'active' ORDER BY j.key""",
        {"scopes": json.dumps([str(scope) for scope in scopes]), "key": key},
    )
    return [entry_from(row) for row in rows.fetchall()]


def ids_by_key(db: Connection, entry_keys: Iterable[EntryKey]) -> dict[EntryKey, str]:
    """The active entries that hold those keys; a free key is left out."""
    wanted = [(str(scope), key) for scope, key in entry_keys]
    rows = db.execute(
        """SELECT e.scope, e.key, e.id FROM json_each(:wanted) j JOIN entries e
            ON e.scope = j.value ->> 0 AND e.key = j.value ->> 1 AND e.state = 'active'""",
        {"wanted": json.dumps(wanted)},
    )
    return {(Scope.of(scope), key): ident for scope, key, ident in rows.fetchall()}


def count_active(db: Connection, scope: Scope) -> int:
    row = db.execute(
        "SELECT count(*) FROM entries WHERE scope = :scope AND state = 'active'",
        {"scope": str(scope)},
    ).fetchone()
    return int(row[0])


def count_core(db: Connection, scope: Scope, source: str) -> int:
    """How many core memories an agent, the source, placed in one scope that others see: of the
    owner's own none is looked at."""
    row = db.execute(
        f"""SELECT count(*) FROM entries INDEXED BY entries_by_turn
             WHERE scope = :scope AND state = 'active' AND {CORE_RANK} = 1 AND source = :source""",
        {"scope": str(scope), "source": source},
    ).fetchone()
    return int(row[0])


def with_key(db: Connection, key: str, scope: Scope | None, state: str) -> list[Entry]:
    """Newest first. Scopes are few: each is stepped to, and looked up by the index of keys."""
    within = _EACH_SCOPE if state == ACTIVE and scope is None else "SELECT :scope"
    anywhere = state != ACTIVE and scope is None
    rows = db.execute(
        f"""SELECT {_SELECTED} FROM entries e
             WHERE e.key = :key AND e.state = {"'active'" if state == ACTIVE else ":state"}
               AND ({"1" if anywhere else f"e.scope IN ({within})"})
             ORDER BY e.updated_at DESC, e.n DESC""",
        {"key": key, "state": state, "scope": str(scope) if scope else None},
    )
    return [entry_from(row) for row in rows.fetchall()]


_EACH_SCOPE = """
    WITH RECURSIVE each(scope) AS (
        SELECT min(scope) FROM entries WHERE state = 'active'
        UNION ALL
        SELECT (SELECT min(e.scope) FROM entries e
                 WHERE e.state = 'active' AND e.scope > each.scope)
          FROM each WHERE each.scope IS NOT NULL)
    SELECT scope FROM each"""


def insert(rec: Recorder, entry: Entry) -> Entry:
    number = rec.db.execute(_INSERT, _values(entry)).lastrowid or 0
    _derive(rec.db, number - 1)
    rec.add("created", "entry", entry.id, entry.scope)
    return replace(entry, n=number, digest=digest_of_entry(entry))


def insert_many(rec: Recorder, entries: Sequence[Entry]) -> None:
    last = rec.db.execute("SELECT coalesce(max(n), 0) FROM entries").fetchone()[0]
    rec.db.executemany(_INSERT, map(_values, entries))
    _derive(rec.db, last)
    rec.add_created("entry", [(entry.id, entry.scope) for entry in entries])


def _derive(db: Connection, after_n: int) -> None:
    """Insert tag rows and a place in both queues, words and vectors, for what was just inserted.

    One sorted statement each: as triggers they made a batch cost half as much again."""
    db.execute(
        """INSERT INTO entry_tags SELECT j.value, e.rank, e.n FROM entries e, json_each(e.tags) j
            WHERE e.n > :after ORDER BY 1, 2, 3""",
        {"after": after_n},
    )
    for queue in ("fulltext_queue", "vector_queue"):
        db.execute(
            f"INSERT INTO {queue} SELECT n FROM entries WHERE n > :after", {"after": after_n}
        )


def update(rec: Recorder, entry: Entry, fields: EntryFields, action: str = "changed") -> Entry:
    """Set `fields`, moving updated_at strictly on; equal fields write nothing."""
    if all(getattr(entry, name) == value for name, value in fields.items()):
        return entry
    new = replace(entry, **fields)
    new = replace(new, updated_at=after(rec.now, entry.updated_at))
    new = replace(new, digest=digest_of_entry(new))
    columns = dict(zip(COLUMNS, _values(new), strict=True))
    return compare_and_set(rec, "entry", entry, new, columns, as_fields, action)


def trash(rec: Recorder, entry: Entry, action: str = "forgot") -> Entry:
    return update(rec, entry, {"state": TRASHED}, action)


def untrash(rec: Recorder, entry: Entry, key: str | None = None) -> Entry:
    return update(rec, entry, {"state": ACTIVE, "key": key or entry.key}, "restored")


def delete(rec: Recorder, numbers: Iterable[int]) -> None:
    """Take the rows out; vectors and words go with them. For erasing only."""
    rec.db.execute(
        "DELETE FROM entries WHERE n IN (SELECT value FROM json_each(:ns))",
        {"ns": json.dumps(list(numbers))},
    )


def as_fields(entry: Entry) -> dict[str, object]:
    """The tracked fields as they stand in the change log."""
    fields: dict[str, object] = {name: getattr(entry, name) for name in TRACKED}
    lists = {name: list(getattr(entry, name)) for name in _LISTS}
    return {**fields, "scope": str(entry.scope), **lists}


def from_fields(fields: Mapping[str, object]) -> EntryFields:
    """Logged fields as values of Entry; the log is trusted."""
    values: dict[str, Any] = dict(fields)
    if "scope" in values:
        values["scope"] = Scope.of(values["scope"])
    for name in _LISTS:
        if name in values:
            values[name] = tuple(values[name])
    return cast("EntryFields", values)


def by_entry_keys(db: Connection, entry_keys: Iterable[EntryKey]) -> dict[EntryKey, Entry]:
    """The active entry of each scope and key that has one."""
    wanted = json.dumps([(str(scope), key) for scope, key in entry_keys], ensure_ascii=False)
    rows = db.execute(
        f"""SELECT {selected()} FROM json_each(:wanted) j JOIN entries e
                ON e.scope = j.value ->> 0 AND e.key = j.value ->> 1 AND e.state = 'active'""",
        {"wanted": wanted},
    )
    entries = [entry_from(row) for row in rows.fetchall()]
    return {(entry.scope, entry.key): entry for entry in entries}


def existing(db: Connection, ids: Iterable[str]) -> list[str]:
    """Those of these ids that an entry has, trashed or not."""
    rows = db.execute(
        "SELECT e.id FROM json_each(:ids) j JOIN entries e ON e.id = j.value",
        {"ids": json.dumps(list(ids))},
    )
    return [row[0] for row in rows.fetchall()]


def by_contents(db: Connection, scope: Scope, contents: Iterable[str]) -> dict[str, Entry]:
    """The oldest active entry of the scope that says each of these."""
    rows = db.execute(
        f"""SELECT {selected()} FROM entries e
             WHERE e.scope = :scope AND e.state = 'active'
               AND e.content IN (SELECT value FROM json_each(:contents))
             ORDER BY e.n DESC""",
        {"scope": str(scope), "contents": json.dumps(list(contents), ensure_ascii=False)},
    )
    return {entry.content: entry for entry in (entry_from(row) for row in rows.fetchall())}


def speaking(db: Connection) -> list[Entry]:
    """The active memories whose text names others, `[[so]]`, and those that are relations."""
    found = db.execute(
        f"""SELECT {_SELECTED} FROM entries e
             WHERE e.state = 'active'
               AND (instr(e.content, '[[') > 0 OR e.kind = 'relationship') ORDER BY e.n"""
    )
    return [entry_from(row) for row in found.fetchall()]


def called(db: Connection, names: Iterable[str]) -> list[Entry]:
    """The active memories of these keys, or whose text begins with one as its first line."""
    wanted = json.dumps(sorted(name.lower() for name in names))
    found = db.execute(
        f"""SELECT {_SELECTED} FROM entries e
             WHERE e.state = 'active'
               AND (lower(e.key) IN (SELECT value FROM json_each(:names))
                 OR lower(trim(substr(e.content, 1, instr(e.content || char(10), char(10)) - 1),
                               '# .')) IN (SELECT value FROM json_each(:names)))
             ORDER BY e.n""",
        {"names": wanted},
    )
    return [entry_from(row) for row in found.fetchall()]


# What is not told, and to whom

_MUTED_ROWS = """SELECT m.n FROM entries m WHERE m.muted_for <> '[]' AND EXISTS (SELECT 1 FROM
    json_each(m.muted_for) j WHERE j.value IN (SELECT value FROM json_each(:hearer)))"""
_ANYBODY = "SELECT m.n FROM entries m WHERE m.muted_for <> '[]'"
_TAGGED = "SELECT t.n FROM entry_tags t WHERE t.tag IN (SELECT value FROM json_each(:muted_tags))"
_NOT_TRUE = """SELECT m.n FROM entries m
    WHERE (m.true_from IS NOT NULL OR m.true_until IS NOT NULL)
      AND (m.true_from > :true_at OR m.true_until <= :true_at)"""
_NOR_THEN = """ AND NOT EXISTS (SELECT 1 FROM json_each(:spans) s
    WHERE coalesce(m.true_from < s.value ->> 1, 1) AND coalesce(m.true_until > s.value ->> 0, 1))"""
# Of two that contradict each other one comes first, where it may be told: the other is withheld.
_RIVALS = """FROM conflicts c JOIN entries w ON w.n = c.older + c.newer - c.withheld
    WHERE c.settled = '' AND w.state = 'active'
      AND (w.expires_at IS NULL OR w.expires_at > :true_at)"""


def any_muted(db: Connection) -> bool:
    """Whether some memory names somebody who is never told it."""
    return db.execute(f"{_ANYBODY} LIMIT 1").fetchone() is not None


def untold_rows(
    hearing: Hearing, scopes: tuple[Scope, ...] | None
) -> tuple[list[str], dict[str, object]]:
    """SELECTs of the row numbers that are not told, and their parameters."""
    muted, values = _muted_rows(hearing)
    if hearing.true_at is None:
        return muted, values
    values["true_at"] = hearing.true_at
    untrue = _NOT_TRUE
    if hearing.spans:
        untrue += _NOR_THEN
        values["spans"] = json.dumps(hearing.spans)
    if hearing.names == ():
        return [*muted, untrue], values
    rivals = _rivals(muted, scopes, values)
    return [*muted, untrue, f"SELECT c.withheld {rivals}"], values


def _muted_rows(hearing: Hearing) -> tuple[list[str], dict[str, object]]:
    values: dict[str, object] = {}
    muted: list[str] = []
    if hearing.names is None:
        muted.append(_ANYBODY)
    elif hearing.names:
        muted.append(_MUTED_ROWS)
        values["hearer"] = json.dumps(hearing.names)
    if hearing.muted_tags:
        muted.append(_TAGGED)
        values["muted_tags"] = json.dumps(hearing.muted_tags)
    return muted, values


def _rivals(muted: list[str], scopes: tuple[Scope, ...] | None, values: dict[str, object]) -> str:
    """FROM open conflicts `c`, and the memory `w` of each that comes first and may be told."""
    rivals = _RIVALS + "".join(f" AND w.n NOT IN ({part})" for part in (*muted, _NOT_TRUE))
    if scopes is not None:
        rivals += " AND w.scope IN (SELECT value FROM json_each(:seen))"
        values["seen"] = json.dumps([str(scope) for scope in scopes])
    return rivals


def withheld_for(db: Connection, hearing: Hearing, scopes: tuple[Scope, ...]) -> dict[int, str]:
    """For which memory, by its key, each row that this hearing withholds is: that contradicts it
    and comes first. One that is told itself is named before one that is withheld for a third."""
    if hearing.true_at is None or hearing.names == ():
        return {}
    muted, values = _muted_rows(hearing)
    values["true_at"] = hearing.true_at
    rivals = _rivals(muted, scopes, values)
    found = db.execute(f"SELECT c.withheld, w.n, w.key {rivals} ORDER BY w.n DESC", values)
    pairs = found.fetchall()
    withheld = {n for n, _, _ in pairs}
    told_last = sorted(pairs, key=lambda pair: pair[1] not in withheld)
    return {n: key for n, _, key in told_last}


def untold(db: Connection, hearing: Hearing | None, scopes: tuple[Scope, ...] | None) -> list[int]:
    """The row numbers that a hearing leaves out of what is in these scopes."""
    parts, values = untold_rows(hearing or Hearing(()), scopes)
    found = db.execute(" UNION ".join(parts), values).fetchall() if parts else []
    return [n for (n,) in found]
