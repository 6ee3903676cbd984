"""The change log: every write appends to it in its transaction; all else follows its numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from store.file.database import Connection, Database, Row
from store.instants import Clock, Instant, to_instant
from store.records import Change, ChangeGroup, Scope
from store.tables import fulltext

INDEX_AT_ONCE = 64  # more waiting rows than this are indexed after the commit, in chunks


class Recorder:
    """One action being written: a transaction and the change group that will describe it."""

    def __init__(
        self, db: Connection, now: Instant, actor: str, action: str, reason: str, undoes: int | None
    ) -> None:
        self.db = db
        self.now = now
        self.actor = actor
        self.action = action
        self.reason = reason
        self.undoes = undoes
        self.group = last_seq(db) + 1
        self._lines: list[tuple[object, ...]] = []

    @property
    def size(self) -> int:
        return len(self._lines)

    @property
    def thing_ids(self) -> list[str]:
        """What was touched, each once."""
        return list(dict.fromkeys(str(line[4]) for line in self._lines))

    def touched(self, action: str, since: int = 0) -> list[str]:
        """What this was done to, from the line number `since` on."""
        return [str(line[4]) for line in self._lines[since:] if line[2] == action]

    @contextmanager
    def attempt(self) -> Iterator[Callable[[], None]]:
        """A part of the action that may be taken back without the rest: by calling what is given,
        or by an error."""
        before, kept = len(self._lines), True
        self.db.execute("SAVEPOINT attempt")

        def take_back() -> None:
            nonlocal kept
            kept = False

        try:
            yield take_back
        except BaseException:
            kept = False
            raise
        finally:
            if not kept:
                self.db.execute("ROLLBACK TO attempt")
                del self._lines[before:]
            self.db.execute("RELEASE attempt")

    def add(
        self,
        action: str,
        thing: str,
        thing_id: str,
        scope: Scope | str,
        before: dict[str, object] | None = None,
        after: dict[str, object] | None = None,
    ) -> None:
        seq = self.group + len(self._lines)
        texts = (_json(before), _json(after))
        self._lines.append((seq, self.group, action, thing, thing_id, str(scope), *texts))

    def add_created(self, thing: str, things: Iterable[tuple[str, Scope]]) -> None:
        """Many `created` lines at once."""
        for seq, (thing_id, scope) in enumerate(things, self.group + len(self._lines)):
            self._lines.append(
                (seq, self.group, "created", thing, thing_id, str(scope), None, None)
            )

    def finish(self) -> None:
        if not self._lines:
            return
        self.db.executemany(
            """INSERT INTO changes
               (seq, group_id, action, thing, thing_id, scope, before, after)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            self._lines,
        )
        self.db.execute(
            """INSERT INTO change_groups (id, at, actor, action, reason, size, undoes)
               VALUES (:id, :at, :actor, :action, :reason, :size, :undoes)""",
            {
                "id": self.group,
                "at": self.now,
                "actor": self.actor,
                "action": self.action,
                "reason": self.reason,
                "size": len(self._lines),
                "undoes": self.undoes,
            },
        )


# Runs in the transaction of every action recorded in this context, after its last change: how a
# door notes a retried call together with the write it stands for.
alongside: ContextVar[Callable[[Recorder], None] | None] = ContextVar("alongside", default=None)


@contextmanager
def recording(
    database: Database,
    *,
    actor: str,
    action: str,
    clock: Clock,
    reason: str = "",
    undoes: int | None = None,
    frees_room: bool = False,
) -> Iterator[Recorder]:
    """One write transaction that ends with its change group; no group if nothing was added."""
    with database.write(frees_room=frees_room) as db:
        rec = Recorder(db, to_instant(clock()), actor, action, reason, undoes)
        with recorded(rec):
            yield rec


@contextmanager
def recorded(rec: Recorder) -> Iterator[None]:
    """The end of an action whose transaction is somebody else's."""
    yield
    rec.finish()
    if (note := alongside.get()) is not None and rec.size:
        note(rec)
    if fulltext.waiting(rec.db, INDEX_AT_ONCE + 1) <= INDEX_AT_ONCE:
        fulltext.drain(rec.db)


def last_seq(db: Connection) -> int:
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'changes'").fetchone()
    return int(row[0]) if row else 0


def first_at(db: Connection) -> Instant | None:
    """When the log begins."""
    row = db.execute("SELECT min(at) FROM change_groups").fetchone()
    return row[0] if row else None


def go_on_from(db: Connection, seq: int) -> None:
    """Let the next change have a number after `seq`."""
    number = max(last_seq(db), seq)
    # The engine has no row for a log that is empty yet.
    db.execute("DELETE FROM sqlite_sequence WHERE name = 'changes'")
    db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('changes', :seq)", {"seq": number})


_CHANGE = """
    SELECT c.seq, c.group_id, g.at, g.actor, c.action, c.thing, c.thing_id, c.scope,
           c.before, c.after, c.compacted
      FROM changes c JOIN change_groups g ON g.id = c.group_id
"""
_GROUP = "SELECT id, at, actor, action, reason, size, undoes, undone_by FROM change_groups"


def _change(row: Row) -> Change:
    seq, group, at, actor, action, thing, thing_id, scope, before, after, compacted = row
    return Change(
        seq,
        group,
        at,
        actor,
        action,
        thing,
        thing_id,
        Scope.of(scope),
        _dict(before),
        _dict(after),
        bool(compacted),
    )


def of_thing(db: Connection, thing_id: str) -> list[Change]:
    """Newest first."""
    rows = db.execute(f"{_CHANGE} WHERE c.thing_id = :id ORDER BY c.seq DESC", {"id": thing_id})
    return [_change(row) for row in rows.fetchall()]


def scopes_of(db: Connection, thing_ids: Iterable[str]) -> set[Scope]:
    """Where these things ever were."""
    found = db.execute(
        """SELECT DISTINCT scope FROM changes
            WHERE thing_id IN (SELECT value FROM json_each(:ids))""",
        {"ids": json.dumps(list(thing_ids))},
    )
    return {Scope.of(scope) for (scope,) in found.fetchall()}


def of_group(db: Connection, group: int) -> list[Change]:
    """In the order they were made."""
    rows = db.execute(
        f"""{_CHANGE} WHERE c.seq >= :first AND c.seq <
            :first + (SELECT size FROM change_groups WHERE id = :first) ORDER BY c.seq""",
        {"first": group},
    )
    return [_change(row) for row in rows.fetchall()]


def after_seq(db: Connection, seq: int, limit: int) -> list[Change]:
    """The feed: what came after `seq`, oldest first."""
    rows = db.execute(
        f"{_CHANGE} WHERE c.seq > :seq ORDER BY c.seq LIMIT :limit", {"seq": seq, "limit": limit}
    )
    return [_change(row) for row in rows.fetchall()]


def entries_after(db: Connection, seq: int) -> tuple[list[str], bool]:
    """Ids of the entries touched after `seq`, and whether some were erased and so have no row."""
    rows = db.execute(
        """SELECT DISTINCT thing_id, action = 'erased' FROM changes
            WHERE seq > :seq AND (thing = 'entry' OR action = 'erased')""",
        {"seq": seq},
    ).fetchall()
    return [ident for ident, erased in rows if not erased], any(erased for _, erased in rows)


def things_after(db: Connection, seq: int) -> list[tuple[str, str]]:
    """(sort, id) of everything touched after `seq`, each once."""
    rows = db.execute(
        "SELECT DISTINCT thing, thing_id FROM changes WHERE seq > :seq ORDER BY 1, 2", {"seq": seq}
    )
    return [(thing, ident) for thing, ident in rows.fetchall()]


def since_instant(db: Connection, at: Instant) -> list[Change]:
    """Everything after a moment, newest first: what to walk back to see the past."""
    rows = db.execute(f"{_CHANGE} WHERE g.at > :at ORDER BY c.seq DESC", {"at": at})
    return [_change(row) for row in rows.fetchall()]


def since(db: Connection, seq: int) -> list[Change]:
    """Everything after a change, newest first."""
    rows = db.execute(f"{_CHANGE} WHERE c.seq > :seq ORDER BY c.seq DESC", {"seq": seq})
    return [_change(row) for row in rows.fetchall()]


def groups_after(db: Connection, seq: int) -> list[ChangeGroup]:
    """Every action after a change, oldest first."""
    rows = db.execute(f"{_GROUP} WHERE id > :seq ORDER BY id", {"seq": seq})
    return [ChangeGroup(*row) for row in rows.fetchall()]


def read_group(db: Connection, group_id: int) -> ChangeGroup | None:
    row = db.execute(f"{_GROUP} WHERE id = :id", {"id": group_id}).fetchone()
    return ChangeGroup(*row) if row else None


def groups(
    db: Connection,
    *,
    actor: str | None = None,
    before: int | None = None,
    since: Instant | None = None,
    limit: int = 50,
) -> list[ChangeGroup]:
    """Newest first."""
    rows = db.execute(
        f"""{_GROUP} WHERE (:actor IS NULL OR actor = :actor) AND (:before IS NULL OR id < :before)
              AND (:since IS NULL OR at >= :since)
            ORDER BY id DESC LIMIT :limit""",
        {"actor": actor, "before": before, "since": since, "limit": limit},
    )
    return [ChangeGroup(*row) for row in rows.fetchall()]


def count_answers(db: Connection, since: Instant, action: str, reasons: Sequence[str]) -> int:
    """How many actions of the owner's of that name, or for one of these reasons, stand since."""
    row = db.execute(
        """SELECT count(*) FROM change_groups
            WHERE actor = 'owner' AND at >= :since AND undoes IS NULL AND undone_by IS NULL
              AND (action = :action OR reason IN (SELECT value FROM json_each(:reasons)))""",
        {"since": since, "action": action, "reasons": json.dumps(list(reasons))},
    ).fetchone()
    return int(row[0])


# What is done to an agent is changed under Agents, not by undoing the last action.
OF_AGENTS = ("agent", "configured", "rotated", "revoked")


def last_undoable(db: Connection, actor: str) -> ChangeGroup | None:
    """The actor's latest action that still stands. One that went back to a backup says in its
    reason what takes it back."""
    row = db.execute(
        f"""{_GROUP} WHERE actor = :actor AND undoes IS NULL AND undone_by IS NULL
             AND action NOT IN (SELECT value FROM json_each(:others))
             AND (action <> 'reloaded' OR reason <> '')
             ORDER BY id DESC LIMIT 1""",
        {"actor": actor, "others": json.dumps(["erased", *OF_AGENTS])},
    ).fetchone()
    return ChangeGroup(*row) if row else None


def last_redoable(db: Connection, actor: str) -> ChangeGroup | None:
    """What the actor's latest undo took back, while nothing new was done since."""
    row = db.execute(
        f"""{_GROUP} WHERE id = (
                SELECT u.undoes FROM change_groups u JOIN change_groups g ON g.id = u.undoes
                 WHERE u.actor = :actor AND u.action = 'undo' AND g.undone_by = u.id
                   AND u.id > coalesce((SELECT max(id) FROM change_groups
                                         WHERE actor = :actor AND undoes IS NULL), 0)
                 ORDER BY u.id DESC LIMIT 1)""",
        {"actor": actor},
    ).fetchone()
    return ChangeGroup(*row) if row else None


def last_return(db: Connection, actor: str) -> ChangeGroup | None:
    """The actor's latest action, if it took back that it went back to a backup: the log that it
    brought back knows nothing of what it undid."""
    row = db.execute(
        f"""{_GROUP} WHERE action = 'reloaded' AND undoes IS NOT NULL AND reason <> ''
             AND id = (SELECT max(id) FROM change_groups WHERE actor = :actor)""",
        {"actor": actor},
    ).fetchone()
    return ChangeGroup(*row) if row else None


def mark_undone(db: Connection, group_id: int, by: int | None) -> None:
    db.execute(
        "UPDATE change_groups SET undone_by = :by WHERE id = :id", {"by": by, "id": group_id}
    )


def scrub(db: Connection, thing_ids: Iterable[str]) -> int:
    """Delete what the log says of these things, leaving content-free lines. For erasing."""
    ids = json.dumps(list(thing_ids))
    touched = db.execute(
        """UPDATE changes SET before = NULL, after = NULL, compacted = 1
            WHERE thing_id IN (SELECT value FROM json_each(:ids)) RETURNING group_id""",
        {"ids": ids},
    ).fetchall()
    # A reason may quote what it was about; those of touched groups go with the content.
    db.execute(
        """UPDATE change_groups SET reason = ''
            WHERE reason <> '' AND id IN (SELECT value FROM json_each(:groups))""",
        {"groups": json.dumps(sorted({row[0] for row in touched}))},
    )
    return len(touched)


def compact(db: Connection, older_than: Instant) -> int:
    """Drop the content of old lines, keeping who did what and when. Returns how many."""
    return len(
        db.execute(
            """UPDATE changes SET before = NULL, after = NULL, compacted = 1
                WHERE compacted = 0 AND (before IS NOT NULL OR after IS NOT NULL)
                  AND group_id < (SELECT coalesce(min(id), 9e18) FROM change_groups WHERE at >= :at)
            RETURNING seq""",
            {"at": older_than},
        ).fetchall()
    )


def _json(fields: dict[str, object] | None) -> str | None:
    return None if fields is None else json.dumps(fields, ensure_ascii=False)


def _dict(text: str | None) -> dict[str, object] | None:
    return None if text is None else json.loads(text)


def per_quarter_hour(
    db: Connection, since: Instant, before: Instant
) -> list[tuple[Instant, str, int]]:
    """(start, actor, changes) of every quarter of an hour between two moments in which somebody
    wrote memories: the largest part that lies in one day of every zone, for offsets are whole
    quarters."""
    rows = db.execute(
        """SELECT substr(at, 1, 14) || printf('%02d', substr(at, 15, 2) / 15 * 15) || ':00.000000Z'
                  AS quarter, actor, sum(size) FROM change_groups
            WHERE at >= :since AND at < :before
              AND action NOT IN (SELECT value FROM json_each(:others))
            GROUP BY quarter, actor ORDER BY quarter, actor""",
        {"since": since, "before": before, "others": json.dumps([*ABOUT, "rejected"])},
    )
    return [(row[0], row[1], int(row[2])) for row in rows.fetchall()]


MOST = 8  # things of one group that are named; a larger one is counted
# What an action is about, when it touches several sorts of things; entries unless named here.
ABOUT = {
    "block": "block",
    "edited": "block",
    "session": "block",
    **dict.fromkeys(OF_AGENTS, "agent"),
    "proposed": "proposal",
    "started": "conversation",
    "appended": "conversation",
    "renamed": "conversation",
    "ended": "conversation",
}


def names(
    db: Connection,
    groups: Iterable[int],
    title: Callable[[str, str], str] = lambda key, content: key,
) -> dict[int, tuple[str, ...]]:
    """The names of what each group touched, in order; none for a large group, or for one that
    touched what has no name any more. `title` makes the name of an entry from its key and text."""
    rows = db.execute(
        """SELECT g.id, g.action, c.thing,
                  coalesce(e.key, b.name, nullif(v.title, ''), a.name,
                           json_extract(p.payload, '$.key'), t.key),
                  substr(e.content, 1, 400)
             FROM json_each(:groups) j
             JOIN change_groups g ON g.id = j.value AND g.size <= :most
             JOIN changes c ON c.seq >= g.id AND c.seq < g.id + g.size
             LEFT JOIN entries e ON c.thing = 'entry' AND e.id = c.thing_id
             LEFT JOIN blocks b ON c.thing = 'block' AND b.id = c.thing_id
             LEFT JOIN conversations v ON c.thing = 'conversation' AND v.id = c.thing_id
             LEFT JOIN agents a ON c.thing = 'agent' AND a.id = c.thing_id
             LEFT JOIN proposals p ON c.thing = 'proposal' AND p.id = c.thing_id
             LEFT JOIN entries t ON t.id = p.thing_id
            ORDER BY c.seq""",
        {"groups": json.dumps(list(groups)), "most": MOST},
    ).fetchall()
    found: dict[int, list[tuple[str, str | None]]] = {}
    actions: dict[int, str] = {}
    for group, action, thing, name, content in rows:
        named = title(name, content) if content is not None else name
        found.setdefault(group, []).append((thing, named))
        actions[group] = action
    return {group: _main(actions[group], things) for group, things in found.items()}


def _main(action: str, things: list[tuple[str, str | None]]) -> tuple[str, ...]:
    about = ABOUT.get(action, "entry")
    main = [name for thing, name in things if thing == about] or [name for _, name in things]
    known = [name for name in main if name]
    return tuple(dict.fromkeys(known)) if len(known) == len(main) else ()


_TABLES = {
    "entry": "entries",
    "block": "blocks",
    "conversation": "conversations",
    "proposal": "proposals",
}


class Versioned(Protocol):
    """A record whose `updated_at` moves on with every write."""

    @property
    def id(self) -> str: ...
    @property
    def scope(self) -> Scope: ...
    @property
    def updated_at(self) -> Instant: ...


Record = TypeVar("Record", bound=Versioned)


def compare_and_set(
    rec: Recorder,
    thing: str,
    was: Record,
    new: Record,
    columns: Mapping[str, object],
    as_fields: Callable[[Record], dict[str, object]],
    action: str,
) -> Record:
    """Write `columns` of `new` over the row of `was`, and log the fields that differ.

    Raises RuntimeError where the row is not `was` any more: within one transaction it must be."""
    assigned = ", ".join(f"{name} = :{name}" for name in columns)
    row = rec.db.execute(
        f"""UPDATE {_TABLES[thing]} SET {assigned}
             WHERE id = :id AND updated_at = :expected RETURNING id""",
        {**columns, "id": was.id, "expected": was.updated_at},
    ).fetchone()
    if row is None:
        raise RuntimeError(f"{thing} {was.id} was changed outside its transaction")
    before, after = as_fields(was), as_fields(new)
    names = [name for name in before if before[name] != after[name]]
    rec.add(
        action,
        thing,
        new.id,
        new.scope,
        {name: before[name] for name in names},
        {name: after[name] for name in names},
    )
    return new
