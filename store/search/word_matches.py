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
_COLUMNS = ("e.content", "e.key", "e.hook", "e.tags")
_WHOLE = " || char(10) || ".join(_COLUMNS)
_TEXT = f"lower({_WHOLE})"
_MAY_HOLD = " OR ".join(f"{c} LIKE :holding OR octet_length({c}) > length({c})" for c in _COLUMNS)


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
    for first in (found[: limit * 2], found):
        passing = allowed(db, filter, [n for n, _ in first])
        kept = [pair for pair in first if pair[0] in passing]
        if len(kept) >= limit or len(first) == len(found):
            break
    if len(kept) < limit and len(found) == reach:
        join = fulltext.all_of if every else fulltext.any_of
        kept = fulltext.among(db, join(terms), numbers(db, filter), limit)
    return kept[:limit]


def last_number(db: Connection) -> int:
    """The row number of the newest entry: about how many there are, without counting them."""
    return int(db.execute("SELECT ifnull(max(n), 0) FROM entries").fetchone()[0])


def newest_texts(
    db: Connection, letters: str, most: int, skipped: int = 0
) -> list[tuple[int, str]]:
    """(row number; content, key, hook and tags) of those of the newest `most` rows, without the
    first `skipped`, that may hold these ASCII letters, newest first. With accents a text may always
    hold them."""
    rows = db.execute(
        f"""SELECT e.n, {_WHOLE} FROM entries e NOT INDEXED
             WHERE e.n > (SELECT max(n) FROM entries) - :most
               AND e.n <= (SELECT max(n) FROM entries) - :skipped AND ({_MAY_HOLD})
             ORDER BY e.n DESC""",
        {"most": most, "skipped": skipped, "holding": f"%{letters}%"},
    )
    return rows.fetchall()


def few_texts(
    db: Connection, letters: str, filter: EntryFilter, most: int
) -> list[tuple[int, str]]:
    """The same of all rows that the filter lets through; none where they are more than `most`, or
    no scope tells which."""
    if filter.scopes is None:
        return []
    sql, values = conditions(filter)
    passing = db.execute(
        f"SELECT e.n FROM entries e WHERE {' AND '.join(sql)} LIMIT :limit",
        {**values, "limit": most + 1},
    ).fetchall()
    if len(passing) > most:
        return []
    rows = db.execute(
        f"""SELECT e.n, {_WHOLE} FROM json_each(:ns) j JOIN entries e ON e.n = j.value
             WHERE {_MAY_HOLD} ORDER BY e.n DESC""",
        {"ns": json.dumps([n for (n,) in passing]), "holding": f"%{letters}%"},
    )
    return rows.fetchall()


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
