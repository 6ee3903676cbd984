"""Full-text rows: derived from entries, indexed a moment after they are written; and asking them.

Everything a person or agent typed reaches FTS5 through `quoted`, so its own syntax is never heard.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence

from store.cjk_pairs import is_unspaced, phrases, query_words
from store.file.database import Connection

MOST_WORDS = 64
RANKED_ROWS = 4_000  # a few milliseconds of bm25(); words that match more are left out
_READ_CHARS = 20_000
# key, content, hook, tags, pairs: a tag or hook that holds the word was chosen with care.
_WEIGHTS = "1.0, 1.0, 1.2, 1.5, 1.0"
_SCORE = f"-bm25(fulltext, {_WEIGHTS})"
EVERYWHERE = 1e-6  # the score of a match among too many to rank; bm25() never gives less


def waiting(db: Connection, limit: int) -> int:
    """How many rows wait to be indexed, counted no further than `limit`."""
    row = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM fulltext_queue LIMIT :limit)", {"limit": limit}
    ).fetchone()
    return int(row[0])


def drain(db: Connection, limit: int = 1000) -> int:
    """Index up to `limit` waiting rows, inside the caller's write transaction; how many it did."""
    last = db.execute(
        """SELECT max(n), count(*) FROM (SELECT n FROM fulltext_queue ORDER BY n LIMIT :limit)""",
        {"limit": limit},
    ).fetchone()
    if not last[1]:
        return 0
    # CROSS: begins with the queue, whatever the planner guesses. It would walk through every entry.
    db.execute(
        """INSERT INTO fulltext (rowid, key, content, hook, tags, pairs)
           SELECT e.n, e.key, e.content, e.hook, e.tags, e.pairs
             FROM fulltext_queue q CROSS JOIN entries e ON e.n = q.n WHERE q.n <= :last""",
        {"last": last[0]},
    )
    db.execute("DELETE FROM fulltext_queue WHERE n <= :last", {"last": last[0]})
    return int(last[1])


def words(text: str) -> list[str]:
    """The distinct words of `text` as the index splits them, at most MOST_WORDS, lower case."""
    letters = [
        char if unicodedata.category(char)[0] in "LNM" else " " for char in text[:_READ_CHARS]
    ]
    found = dict.fromkeys(
        part.lower()
        for word in "".join(letters).split()
        if _says(word)
        for part in query_words(word)
    )
    return list(found)[:MOST_WORDS]


def quoted(text: str, prefix: bool = False) -> str:
    """`text` as one FTS5 phrase: whatever is in it, nothing is syntax."""
    clean = "".join(" " if char < " " or "\ud800" <= char <= "\udfff" else char for char in text)
    if not is_unspaced(clean):
        return _quoted(clean, prefix)
    # Pairs are in a column of their own: no phrase reaches from them into another.
    *others, last = phrases(clean)
    single = is_unspaced(last) and len(last.split()[-1]) == 1  # there it begins a pair
    return f"({all_of([*map(_quoted, others), _quoted(last, prefix or single)])})"


def _quoted(clean: str, prefix: bool = False) -> str:
    return '"' + clean.replace('"', '""') + '"' + ("*" if prefix else "")


def any_of(terms: Iterable[str]) -> str:
    return " OR ".join(terms)


def all_of(terms: Iterable[str]) -> str:
    return " AND ".join(terms)


def frequency(db: Connection, expression: str) -> int:
    """How many rows match, counted no further than one more than are worth ranking."""
    row = db.execute(
        """SELECT count(*) FROM
            (SELECT 1 FROM fulltext WHERE fulltext MATCH :q LIMIT :most)""",
        {"q": expression, "most": RANKED_ROWS + 1},
    ).fetchone()
    return int(row[0])


def counted_once(db: Connection, term: str, known: dict[str, int]) -> int:
    """Its frequency, from those that are known or by counting."""
    if term not in known:
        known[term] = frequency(db, term)
    return known[term]


def worth_ranking(
    frequencies: Sequence[tuple[str, int]], most: int = RANKED_ROWS
) -> list[tuple[str, int]]:
    """The terms to rank by, rarest first: all of them while together they match at most `most`
    rows. A term that matches a large share costs much and says little when rarer ones exist."""
    rarest = sorted(((term, count) for term, count in frequencies if count), key=lambda t: t[1])
    kept: list[tuple[str, int]] = []
    total = 0
    for term, count in rarest:
        total += count
        if kept and total > most:
            break
        kept.append((term, count))
    return kept


def best(
    db: Connection, terms: Sequence[str], limit: int, known: dict[str, int] | None = None
) -> list[tuple[int, float]]:
    """(row number, BM25 score) of the best matches of any of the terms, best first. `known`: the
    frequencies of terms that were counted already; more are added."""
    if not terms:
        return []
    known = {} if known is None else known
    counted = [(term, counted_once(db, term, known)) for term in terms]
    few = sum(count for _, count in counted) <= RANKED_ROWS
    most = max(count for _, count in counted)
    if few or (most <= RANKED_ROWS and frequency(db, any_of(terms)) <= RANKED_ROWS):
        return _ranked(db, any_of(terms), limit)
    kept = worth_ranking(counted)
    if not kept:
        return []
    if kept[0][1] <= RANKED_ROWS:
        return _ranked(db, any_of(term for term, _ in kept), limit)
    return _narrowed(db, [term for term, count in counted if count], limit)


def best_of_all(db: Connection, terms: Sequence[str], limit: int) -> list[tuple[int, float]]:
    """Like `best`, of rows that match every term: what a person typing expects. Where they are too
    many to rank, the newest come, newest first."""
    if not terms:
        return []
    if frequency(db, all_of(terms)) <= RANKED_ROWS:
        return _ranked(db, all_of(terms), limit)
    # No bm25() here: to weigh a beginning it walks through all that match, however few are wanted.
    rows = db.execute(
        f"""SELECT rowid, {EVERYWHERE} FROM fulltext WHERE fulltext MATCH :q
             ORDER BY rowid DESC LIMIT :limit""",
        {"q": all_of(terms), "limit": limit},
    )
    return rows.fetchall()


def among(
    db: Connection, expression: str, numbers: Iterable[int], limit: int
) -> list[tuple[int, float]]:
    """The best matches among these rows."""
    rows = db.execute(
        f"""SELECT rowid, {_SCORE} AS score FROM fulltext
             WHERE fulltext MATCH :q AND +rowid IN (SELECT value FROM json_each(:ns))
             ORDER BY score DESC, rowid DESC LIMIT :limit""",
        {"q": expression, "ns": json.dumps(list(numbers)), "limit": limit},
    )
    return rows.fetchall()


def matching(db: Connection, expression: str) -> list[int]:
    """Row numbers of all that match, newest first."""
    rows = db.execute(
        "SELECT rowid FROM fulltext WHERE fulltext MATCH :q ORDER BY rowid DESC", {"q": expression}
    )
    return [row[0] for row in rows.fetchall()]


def _ranked(db: Connection, expression: str, limit: int) -> list[tuple[int, float]]:
    rows = db.execute(
        f"""SELECT rowid, {_SCORE} AS score FROM fulltext WHERE fulltext MATCH :q
             ORDER BY score DESC, rowid DESC LIMIT :limit""",
        {"q": expression, "limit": limit},
    )
    return rows.fetchall()


def _newest(db: Connection, expression: str, limit: int) -> list[tuple[int, float]]:
    """For a term on almost every row: its newest matches, in the order of their score."""
    rows = db.execute(
        f"""SELECT rowid, {_SCORE} FROM fulltext WHERE fulltext MATCH :q
             ORDER BY rowid DESC LIMIT :limit""",
        {"q": expression, "limit": limit},
    )
    return sorted(rows.fetchall(), key=lambda row: (-row[1], -row[0]))


def _narrowed(db: Connection, terms: Sequence[str], limit: int) -> list[tuple[int, float]]:
    """Matches of so many of the terms together as are needed to be few enough."""
    used = list(terms[:1])
    while len(used) < len(terms) and frequency(db, all_of(used)) > RANKED_ROWS:
        used.append(terms[len(used)])
    if frequency(db, all_of(used)) > RANKED_ROWS:
        return _newest(db, all_of(used), limit)
    return _ranked(db, all_of(used), limit)


def _says(word: str) -> bool:
    """Whether the word holds a letter or digit: punctuation alone finds nothing."""
    return any(unicodedata.category(char)[0] in "LN" for char in word)
