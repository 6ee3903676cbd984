"""Lists of entries under filters, in order, page by page.

A page must cost about what a bare indexed SELECT costs, whatever the filter. So one filtered field
leads (the one that matches fewest), its index gives the order, and time bounds become ranges of
`rank` within each importance.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from store.file.database import Connection
from store.instants import Instant, microseconds
from store.records import ACTIVE, TRASHED, Entry, Hearing, Scope
from store.tables.entries import RANK_BITS, entry_from, rank_of, selected, untold_rows

WRITTEN_BITS = (1 << RANK_BITS) - 1
ORDERS = {
    "rank": "e.rank DESC, e.n DESC",
    # The time of writing as the lower bits of the rank: its index answers without the rows.
    "newest": f"e.rank & {WRITTEN_BITS} DESC, e.n DESC",
    "oldest": f"e.rank & {WRITTEN_BITS}, e.n",
    "created": "e.created_at DESC, e.n DESC",
    "key": "e.key COLLATE NOCASE, e.n",
    "size": "length(CAST(e.content AS BLOB)) DESC, e.n DESC",
}
# The newest of every importance hold the newest of all, and the index by rank has each in order.
_NEWEST = "({}) e".format(
    " UNION ALL ".join(
        f"""SELECT * FROM (SELECT e.n, e.rank FROM entries e
             WHERE e.rank BETWEEN {importance << RANK_BITS} AND {importance + 1 << RANK_BITS} - 1
               AND {{conditions}} ORDER BY e.rank DESC, e.n DESC LIMIT :limit)"""
        for importance in range(1, 11)
    )
)
_SMALL = 5000  # so few rows are filtered faster than a clever statement is compiled
_LEADS = 16  # values of one field that may lead; each is a part of the statement
_PROBE = 300  # a leading field that matches fewer rows than this is cheap whatever follows


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Which entries. Several values of one field mean any of them; several fields mean all."""

    scopes: tuple[Scope, ...] | None = None
    scope_kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    min_importance: int | None = None
    max_importance: int | None = None
    since: Instant | None = None  # written at or after
    before: Instant | None = None  # written before
    state: str | None = ACTIVE  # None: active and trashed
    ids: tuple[str, ...] | None = None
    now: Instant | None = None  # hide what has expired by then
    expiring_before: Instant | None = None
    extra: tuple[tuple[str, str | None], ...] = ()  # its fields of these names; None: it has none
    hearing: Hearing | None = None  # leave out what is not told to whom it is for

    @property
    def describes_entries(self) -> bool:
        """Whether it names what only an entry has: a line of a block has no kind, tag or time."""
        return bool(
            self.categories
            or self.kinds
            or self.tags
            or self.sources
            or self.extra
            or any(
                bound is not None
                for bound in (self.min_importance, self.max_importance, self.since, self.before)
            )
        )


class Page(NamedTuple):
    """Some entries of a list, and the cursor that goes on behind them."""

    entries: list[Entry]
    next: str | None


def conditions(filter: EntryFilter) -> tuple[list[str], dict[str, object]]:
    """The filter as SQL over `entries e`, to be joined with AND, and its parameters."""
    sql: list[str] = []
    values: dict[str, object] = {}
    if filter.state is not None:
        # A literal, so that the partial indexes serve.
        sql.append(f"e.state = '{ACTIVE if filter.state == ACTIVE else TRASHED}'")
    for name, column, wanted in _any_of(filter):
        sql.append(f"{column} IN (SELECT value FROM json_each(:{name}))")
        values[name] = json.dumps(wanted)
    for number, tag in enumerate(filter.tags):
        sql.append(
            f"EXISTS (SELECT 1 FROM entry_tags t WHERE t.tag = :tag{number} "
            "AND t.rank = e.rank AND t.n = e.n)"
        )
        values[f"tag{number}"] = tag
    for number, (field, value) in enumerate(filter.extra):
        sql.append(f"json_extract(e.extra, :field{number}) IS :extra{number}")
        values |= {f"field{number}": f'$."{field}"', f"extra{number}": value}
    for name, condition, bound in _bounds(filter):
        sql.append(condition)
        values[name] = bound
    if filter.hearing is not None:
        parts, more = untold_rows(filter.hearing, filter.scopes)
        sql += [f"e.n NOT IN ({part})" for part in parts]
        values |= more
    return sql or ["1"], values


def _any_of(filter: EntryFilter) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(parameter, column, values) of the fields that may be any of several."""
    if filter.scopes is not None:
        yield "scopes", "e.scope", tuple(map(str, filter.scopes))
    if filter.ids is not None:
        yield "ids", "e.id", filter.ids
    for name, column, wanted in (
        ("scope_kinds", "substr(e.scope, 1, instr(e.scope || ':', ':') - 1)", filter.scope_kinds),
        ("category", "e.category", filter.categories),
        ("kind", "e.kind", filter.kinds),
        ("sources", "e.source", filter.sources),
    ):
        if wanted:
            yield name, column, wanted


def _bounds(filter: EntryFilter) -> Iterator[tuple[str, str, object]]:
    """(parameter, condition, value) of the fields with a bound."""
    for name, condition, bound in (
        ("importance_low", "e.importance >= :importance_low", filter.min_importance),
        ("importance_high", "e.importance <= :importance_high", filter.max_importance),
        ("written_low", "e.written_at >= :written_low", filter.since),
        ("written_high", "e.written_at < :written_high", filter.before),
        ("ending", "e.expires_at < :ending", filter.expiring_before),
        ("now", "(e.expires_at IS NULL OR e.expires_at > :now)", filter.now),
    ):
        if bound is not None:
            yield name, condition, bound


def page(
    db: Connection,
    filter: EntryFilter,
    limit: int = 50,
    cursor: str | None = None,
    order: str = "rank",
) -> Page:
    """One page and the cursor of the next. Raises ValueError for a cursor that is not ours."""
    if order != "rank" or filter.state != ACTIVE or filter.ids is not None:
        return _page_by_offset(db, filter, limit, cursor, order)
    start = _decoded(cursor, "r") if cursor else None
    found = _ranked(db, filter, start, limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    return Page(
        found[:limit],
        _encoded("r", rank_of(last.importance, last.written_at), last.n) if last else None,
    )


def ids(db: Connection, filter: EntryFilter, order: str = "rank") -> list[str]:
    """Every id, in order: what a virtual list needs to know its length and fetch the rest later."""
    sql, values = conditions(filter)
    rows = db.execute(
        f"SELECT e.id FROM entries e WHERE {' AND '.join(sql)} ORDER BY {ORDERS[order]}", values
    )
    return [row[0] for row in rows.fetchall()]


def numbers(db: Connection, filter: EntryFilter) -> list[int]:
    """Row numbers of all that match, in no order: the candidates of a search."""
    sql, values = conditions(filter)
    rows = db.execute(f"SELECT e.n FROM entries e WHERE {' AND '.join(sql)}", values)
    return [row[0] for row in rows.fetchall()]


def count(db: Connection, filter: EntryFilter) -> int:
    sql, values = conditions(filter)
    row = db.execute(f"SELECT count(*) FROM entries e WHERE {' AND '.join(sql)}", values).fetchone()
    return int(row[0])


def counts_by_scope(db: Connection) -> dict[Scope, int]:
    """Active entries per scope."""
    rows = db.execute(
        "SELECT scope, count(*) FROM entries WHERE state = 'active' GROUP BY scope ORDER BY scope"
    )
    return {Scope.of(scope): number for scope, number in rows.fetchall()}


def _rank_ranges(filter: EntryFilter) -> Iterator[tuple[int, int]]:
    """Inclusive ranges of rank that hold every match, best first."""
    lowest = max(filter.min_importance or 1, 1)
    highest = min(filter.max_importance or 10, 10)
    full = (1 << RANK_BITS) - 1
    if lowest > highest:  # and a rank of such an importance may be larger than SQLite's numbers
        return
    if filter.since is None and filter.before is None:
        yield lowest << RANK_BITS, highest << RANK_BITS | full
        return
    since = min(max(microseconds(filter.since), 0), full) if filter.since else 0
    before = min(max(microseconds(filter.before), 0), full) if filter.before else full
    for importance in range(highest, lowest - 1, -1):
        yield importance << RANK_BITS | since, importance << RANK_BITS | before


def _ranked(
    db: Connection, filter: EntryFilter, start: tuple[int, int] | None, limit: int
) -> list[Entry]:
    """The best matches after `start`, range by range until there are enough: the statement is the
    same each time, so it is compiled once."""
    small = (db.execute("SELECT max(n) FROM entries").fetchone()[0] or 0) <= _SMALL
    leads = [("e", "", "")] if small else _leads(db, filter)
    ranges = [(0, 11 << RANK_BITS)] if small else list(_rank_ranges(filter))
    statement, values = _statement(filter, leads, start)
    found: list[Entry] = []
    for low, high in ranges:
        if start and start[0] < low:
            continue
        bounds = {"low": low, "high": high, "limit": limit - len(found)}
        found += [entry_from(row[:-1]) for row in db.execute(statement, values | bounds).fetchall()]
        if len(found) == limit:
            break
    return found


def _statement(
    filter: EntryFilter, leads: list[tuple[str, str, str]], start: tuple[int, int] | None
) -> tuple[str, dict[str, object]]:
    sql, values = conditions(filter)
    after = ""
    if start:
        after = " AND ({0}.rank, {0}.n) < (:start_rank, :start_n)"
        values |= {"start_rank": start[0], "start_n": start[1]}
    parts = []
    for number, (table, column, value) in enumerate(leads):
        lead = f" AND {table}.{column} = :lead{number}" if column else ""
        values[f"lead{number}"] = value
        source = "entries e" if table == "e" else "entry_tags t JOIN entries e ON e.n = t.n"
        parts.append(
            f"""SELECT * FROM (SELECT {selected()}, e.rank AS rank FROM {source}
                 WHERE {table}.rank BETWEEN :low AND :high{after.format(table)}{lead}
                   AND {" AND ".join(sql)}
                 ORDER BY {table}.rank DESC, {table}.n DESC LIMIT :limit)"""
        )
    together = " UNION ALL ".join(parts)
    if len(parts) > 1:
        together += " ORDER BY rank DESC, n DESC LIMIT :limit"
    return together, values


def _leads(db: Connection, filter: EntryFilter) -> list[tuple[str, str, str]]:
    """(table, column, value) of the field whose index gives the order: one part per value."""
    fields: list[tuple[str, str, tuple[str, ...]]] = []
    if filter.tags:
        fields.append(("t", "tag", filter.tags[:1]))
    fields += [
        ("e", "scope", tuple(map(str, filter.scopes or ()))),
        ("e", "category", filter.categories),
        ("e", "kind", filter.kinds),
    ]
    # A value left out or named twice would lose or repeat entries: such a field cannot lead.
    fields = [field for field in fields if 0 < len(field[2]) == len(set(field[2])) <= _LEADS]
    if not fields:
        return [("e", "", "")]
    best = fields[0] if len(fields) == 1 else min(fields, key=lambda field: _matches(db, *field))
    return [(best[0], best[1], value) for value in best[2]]


def _matches(db: Connection, table: str, column: str, values: tuple[str, ...]) -> int:
    """How many rows the field lets through, counted no further than needed to choose."""
    source = "entry_tags" if table == "t" else "entries"
    state = "" if table == "t" else " AND state = 'active'"
    total = 0
    for value in values:
        row = db.execute(
            f"""SELECT count(*) FROM
                (SELECT 1 FROM {source} WHERE {column} = :value{state} LIMIT {_PROBE})""",
            {"value": value},
        ).fetchone()
        total += int(row[0])
    return total


def _page_by_offset(
    db: Connection, filter: EntryFilter, limit: int, cursor: str | None, order: str
) -> Page:
    """Orders and states that no index serves: still stable while nothing changes."""
    sql, values = conditions(filter)
    offset = _decoded(cursor, "o")[0] if cursor else 0
    rows = db.execute(
        f"""SELECT {selected()} FROM entries e WHERE {" AND ".join(sql)}
             ORDER BY {ORDERS[order]} LIMIT :limit OFFSET :offset""",
        {**values, "limit": limit + 1, "offset": offset},
    ).fetchall()
    more = len(rows) > limit
    return Page(
        [entry_from(row) for row in rows[:limit]],
        _encoded("o", offset + limit, 0) if more else None,
    )


def _encoded(kind: str, first: int, second: int) -> str:
    return base64.urlsafe_b64encode(f"{kind}.{first}.{second}".encode()).decode().rstrip("=")


def _decoded(cursor: str, kind: str) -> tuple[int, int]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        found, first, second = text.split(".")
        if found != kind or not (first + second).isdigit():
            raise ValueError(cursor)
        return int(first), int(second)
    except (ValueError, binascii.Error) as error:
        raise ValueError(
            "The cursor is not one that this list gave; start again without it."
        ) from error


_WORDS = {"category": "entries_by_category", "kind": "entries_by_kind"}


def ordered_numbers(
    db: Connection, filter: EntryFilter, order: str = "rank", limit: int = -1
) -> list[int]:
    """The row number of every match, in order, or of the first `limit`.

    What has expired is taken out afterwards, so that the index alone answers the common case."""
    sql, values = conditions(replace(filter, now=None))
    source = "entries e"
    if order == "newest" and limit >= 0 and filter.state == ACTIVE:
        source = _NEWEST.format(conditions=" AND ".join(sql))
        sql = ["1"]
    gone = expired(db, filter.now) if filter.now is not None else set()
    # Row by row: to let go of a million at once keeps every other thread waiting.
    rows = db.execute(
        f"""SELECT e.n FROM {source} WHERE {" AND ".join(sql)} ORDER BY {ORDERS[order]}
             LIMIT :limit""",
        {**values, "limit": limit},
    )
    return [n for (n,) in rows if n not in gone] if gone else [n for (n,) in rows]


def expired(db: Connection, now: Instant) -> set[int]:
    """Rows whose time is over, though upkeep has not come by yet."""
    rows = db.execute(
        "SELECT n FROM entries WHERE expires_at IS NOT NULL AND expires_at <= :now", {"now": now}
    )
    return {n for (n,) in rows.fetchall()}


def number_of(db: Connection, ident: str) -> int | None:
    """The row number of an entry."""
    row = db.execute("SELECT n FROM entries WHERE id = :id", {"id": ident}).fetchone()
    return int(row[0]) if row else None


def words(db: Connection, column: str) -> dict[str, int]:
    """Every category or kind in use among active entries, with how often."""
    rows = db.execute(
        f"""SELECT {column}, count(*) FROM entries INDEXED BY {_WORDS[column]}
             WHERE state = 'active' GROUP BY {column} ORDER BY count(*) DESC, {column}"""
    )
    return dict(rows.fetchall())


def tags(db: Connection) -> dict[str, int]:
    """Every tag in use, the most used first."""
    rows = db.execute("SELECT tag, count(*) FROM entry_tags GROUP BY tag ORDER BY 2 DESC, tag")
    return dict(rows.fetchall())


def trashed(db: Connection) -> int:
    row = db.execute("SELECT count(*) FROM entries WHERE state = 'trashed'").fetchone()
    return int(row[0])


def expiring(db: Connection, now: Instant, before: Instant) -> int:
    row = db.execute(
        """SELECT count(*) FROM entries
            WHERE expires_at > :now AND expires_at < :before AND state = 'active'""",
        {"now": now, "before": before},
    ).fetchone()
    return int(row[0])


def proposed(db: Connection) -> int:
    row = db.execute("SELECT count(*) FROM proposals WHERE state = 'pending'").fetchone()
    return int(row[0])


def ids_with_extra(db: Connection, name: str) -> list[str]:
    """Entries, trashed ones too, that carry an extra field of that name."""
    rows = db.execute(
        "SELECT id FROM entries WHERE extra <> '{}' AND extra -> ('$.' || :name) IS NOT NULL",
        {"name": name},
    )
    return [ident for (ident,) in rows.fetchall()]
