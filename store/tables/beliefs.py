"""Rows of `beliefs`: what other assistants say of the owner, as far as something came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from store.file.database import Connection
from store.instants import Instant

WRONG, IGNORED = "wrong", "ignored"  # what the owner decided about a statement
DIFFERS = "differs"  # noticed, and not decided yet
PAST = "past"  # it agreed, and they do not say it any more


class BeliefRow(NamedTuple):
    source: str
    statement: str
    entry: int | None
    decision: str
    agreed_at: Instant | None
    seen_at: Instant

    @property
    def known(self) -> bool:
        """Whether they say it still, and it is what the memory said."""
        return self.agreed_at is not None and not self.decision


def of_source(db: Connection, source: str | None) -> list[BeliefRow]:
    """What is kept of one source, or of all of them."""
    rows = db.execute(
        """SELECT source, statement, entry, decision, agreed_at, seen_at FROM beliefs
            WHERE :source IS NULL OR source = :source ORDER BY source, statement""",
        {"source": source},
    )
    return [BeliefRow(*row) for row in rows]


def sources(db: Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT DISTINCT source FROM beliefs ORDER BY source")]


def begin(db: Connection, source: str) -> None:
    """A comparison begins: of what they said before, nothing counts until they say it again."""
    db.execute(
        "UPDATE beliefs SET decision = :past WHERE source = :source AND decision = ''",
        {"source": source, "past": PAST},
    )


def agree(db: Connection, source: str, pairs: Iterable[tuple[str, int]], now: Instant) -> None:
    """Notes that these statements and memories said the same. Agreeing takes back that it was
    wrong or ignored."""
    db.executemany(
        """INSERT INTO beliefs (source, statement, entry, decision, agreed_at, seen_at)
           VALUES (:source, :statement, :entry, '', :now, :now)
               ON CONFLICT (source, statement) DO UPDATE SET
                  entry = excluded.entry, decision = '', agreed_at = excluded.agreed_at,
                  seen_at = excluded.seen_at""",
        [
            {"source": source, "statement": statement, "entry": entry, "now": now}
            for statement, entry in pairs
        ],
    )


def differ(db: Connection, source: str, pairs: Iterable[tuple[str, int]], now: Instant) -> None:
    """Notes which statements contradict a memory now; what was noted before and is not said any
    more goes. What the owner decided stays."""
    db.execute(
        """DELETE FROM beliefs WHERE source = :source AND decision = :differs AND agreed_at IS NULL
        """,
        {"source": source, "differs": DIFFERS},
    )
    db.execute(
        "UPDATE beliefs SET decision = :past WHERE source = :source AND decision = :differs",
        {"source": source, "differs": DIFFERS, "past": PAST},
    )
    db.executemany(
        """INSERT INTO beliefs (source, statement, entry, decision, agreed_at, seen_at)
           VALUES (:source, :statement, :entry, :differs, NULL, :now)
               ON CONFLICT (source, statement) DO UPDATE SET
                  entry = excluded.entry, seen_at = excluded.seen_at,
                  decision = CASE WHEN decision = :past THEN excluded.decision ELSE decision END""",
        [
            {
                "source": source,
                "statement": said,
                "entry": n,
                "differs": DIFFERS,
                "past": PAST,
                "now": now,
            }
            for said, n in pairs
        ],
    )


def last_agreed(db: Connection, source: str) -> dict[str, Instant]:
    """When each memory, by its id, last said the same as this source."""
    return dict(
        db.execute(
            """SELECT e.id, max(b.agreed_at) FROM beliefs b JOIN entries e ON e.n = b.entry
                WHERE b.source = :source AND b.agreed_at IS NOT NULL GROUP BY e.id""",
            {"source": source},
        ).fetchall()
    )


def decide(
    db: Connection, source: str, statement: str, entry: int | None, decision: str, now: Instant
) -> None:
    """Keeps what the owner decided; an empty decision takes it back."""
    db.execute(
        """INSERT INTO beliefs (source, statement, entry, decision, agreed_at, seen_at)
           VALUES (:source, :statement, :entry, :decision, NULL, :now)
               ON CONFLICT (source, statement) DO UPDATE SET
                  entry = coalesce(excluded.entry, entry), decision = excluded.decision,
                  seen_at = excluded.seen_at""",
        {
            "source": source,
            "statement": statement,
            "entry": entry,
            "decision": decision,
            "now": now,
        },
    )
    db.execute("DELETE FROM beliefs WHERE decision = '' AND agreed_at IS NULL")
