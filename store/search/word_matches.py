"""Which of the rows that words found a filter lets through, straight from the file."""

from __future__ import annotations

import json
from collections.abc import Iterable

from store.file.database import Connection
from store.records import Entry
from store.tables import fulltext
from store.tables.entries import entry_from, selected
from store.tables.entry_filter import EntryFilter, conditions, numbers

SHORTEST_PART = 3
_TEXT = "lower(e.key || char(10) || e.content || char(10) || e.hook || char(10) || e.tags)"


def allowed(db: Connection, filter: EntryFilter, found: Iterable[int]) -> set[int]:
    """The row numbers among `found` that the filter lets through."""
    sql, values = conditions(filter)
    rows = db.execute(
        f"""SELECT e.n FROM json_each(:found) j JOIN entries e ON e.n = j.value
             WHERE {" AND ".join(sql)}""",
        {**values, "found": json.dumps(list(found))},
    )
    return {row[0] for row in rows.fetchall()}


def best(
    db: Connection, terms: list[str], filter: EntryFilter, limit: int, *, every: bool = False
) -> list[tuple[int, float]]:
    """(row number, BM25 score) of the best allowed matches of any (or every) term, best first.

    The filter comes before the ranking: when the first matches do not yield enough that pass, the
    allowed rows alone are ranked."""
    reach = max(limit, 200) * 5
    find = fulltext.best_of_all if every else fulltext.best
    found = find(db, terms, reach)
    passing = allowed(db, filter, [n for n, _ in found])
    kept = [pair for pair in found if pair[0] in passing]
    if len(kept) < limit and len(found) == reach:
        join = fulltext.all_of if every else fulltext.any_of
        kept = fulltext.among(db, join(terms), numbers(db, filter), limit)
    return kept[:limit]


def newest(db: Connection, expression: str, filter: EntryFilter) -> list[str]:
    """Ids of all allowed matches in the list's own order, importance then recency."""
    sql, values = conditions(filter)
    rows = db.execute(
        f"""SELECT e.id FROM fulltext f CROSS JOIN entries e ON e.n = f.rowid
             WHERE f.fulltext MATCH :expression AND {" AND ".join(sql)}
             ORDER BY e.rank DESC, e.n DESC""",
        {**values, "expression": expression},
    )
    return [row[0] for row in rows.fetchall()]


def holding(
    db: Connection,
    words: str,
    parts: Iterable[str],
    without: str,
    filter: EntryFilter,
    limit: int,
    offset: int = 0,
) -> tuple[list[Entry], int]:
    """Allowed entries that the full-text expression `words` finds, or whose key, content, hook or
    tags hold every one of `parts`, whatever their case; none that `without` finds. By importance
    and then recency, so many of them, and how many there are in all. Parts shorter than three
    letters say too little."""
    sql, values = conditions(filter)
    found = [_in_fulltext("words")] if words else []
    wanted = [part.lower() for part in parts if len(part) >= SHORTEST_PART]
    if wanted:
        found.append(" AND ".join(f"instr({_TEXT}, :part{n}) > 0" for n in range(len(wanted))))
    if found:
        sql = [*sql, f"(({') OR ('.join(found)}))"]
    if without:
        sql = [*sql, f"NOT {_in_fulltext('without')}"]
    values |= {f"part{number}": part for number, part in enumerate(wanted)}
    values |= {"words": words, "without": without}
    where = f"FROM entries e WHERE {' AND '.join(sql)}"
    rows = db.execute(
        f"SELECT {selected()} {where} ORDER BY e.rank DESC, e.n DESC LIMIT :limit OFFSET :offset",
        {**values, "limit": limit, "offset": offset},
    ).fetchall()
    total = db.execute(f"SELECT count(*) {where}", values).fetchone()[0]
    return [entry_from(row) for row in rows], int(total)


def _in_fulltext(parameter: str) -> str:
    return f"e.n IN (SELECT rowid FROM fulltext WHERE fulltext MATCH :{parameter})"


def same_content(db: Connection, filter: EntryFilter) -> list[tuple[int, int, float]]:
    """Pairs of entries of one scope with the same content, each with the first of its group, and
    how alike they are."""
    sql, values = conditions(filter)
    found = db.execute(
        f"""SELECT first, n FROM (
                SELECT e.n, min(e.n) OVER (PARTITION BY e.scope, e.content) AS first
                  FROM entries e WHERE {" AND ".join(sql)})
             WHERE first <> n""",
        values,
    )
    return [(first, n, 1.0) for first, n in found.fetchall()]
