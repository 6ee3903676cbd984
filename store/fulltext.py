"""Full-text rows: derived from entries, indexed a moment after they are written."""

from __future__ import annotations

from store.database import Connection


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
    db.execute(
        """INSERT INTO fulltext (rowid, key, content, hook, tags)
           SELECT e.n, e.key, e.content, e.hook, e.tags
             FROM fulltext_queue q JOIN entries e ON e.n = q.n WHERE q.n <= :last""",
        {"last": last[0]},
    )
    db.execute("DELETE FROM fulltext_queue WHERE n <= :last", {"last": last[0]})
    return int(last[1])
