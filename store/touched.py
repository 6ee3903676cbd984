"""What change groups were about, by the names the things have now."""

from __future__ import annotations

import json
from collections.abc import Iterable

from store.database import Connection

MOST = 8  # things of one group that are named; a larger one is counted
# What an action is about, when it touches several sorts of things; entries unless named here.
_ABOUT = {
    "block": "block", "edited": "block", "session": "block", "agent": "agent",
    "proposed": "proposal", "started": "conversation", "appended": "conversation",
    "renamed": "conversation", "ended": "conversation",
}  # fmt: skip


def names(db: Connection, groups: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """The names of what each group touched, in order; none for a large group, or for one that
    touched what has no name any more."""
    rows = db.execute(
        """SELECT g.id, g.action, c.thing,
                  coalesce(e.key, b.name, nullif(v.title, ''), a.name,
                           json_extract(p.payload, '$.key'))
             FROM json_each(:groups) j
             JOIN change_groups g ON g.id = j.value AND g.size <= :most
             JOIN changes c ON c.seq >= g.id AND c.seq < g.id + g.size
             LEFT JOIN entries e ON c.thing = 'entry' AND e.id = c.thing_id
             LEFT JOIN blocks b ON c.thing = 'block' AND b.id = c.thing_id
             LEFT JOIN conversations v ON c.thing = 'conversation' AND v.id = c.thing_id
             LEFT JOIN agents a ON c.thing = 'agent' AND a.id = c.thing_id
             LEFT JOIN proposals p ON c.thing = 'proposal' AND p.id = c.thing_id
            ORDER BY c.seq""",
        {"groups": json.dumps(list(groups)), "most": MOST},
    ).fetchall()
    found: dict[int, list[tuple[str, str | None]]] = {}
    actions: dict[int, str] = {}
    for group, action, thing, name in rows:
        found.setdefault(group, []).append((thing, name))
        actions[group] = action
    return {group: _main(actions[group], things) for group, things in found.items()}


def _main(action: str, things: list[tuple[str, str | None]]) -> tuple[str, ...]:
    about = _ABOUT.get(action, "entry")
    main = [name for thing, name in things if thing == about] or [name for _, name in things]
    known = [name for name in main if name]
    return tuple(dict.fromkeys(known)) if len(known) == len(main) else ()
