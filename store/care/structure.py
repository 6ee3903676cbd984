"""Is the vault's structure the one Keepsake makes? Whoever can write the file can also leave a
trigger in it, which copies or changes what is stored from then on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from store.file.database import Connection, engine
from store.file.migrations import migrate
from store.file.schema_tools import tools_over

if TYPE_CHECKING:
    from sqlite_utils import Database as UtilsDatabase

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"'(?:[^']|'')*'|[\"\[`]?(\w+)[\"\]`]?|[^\s\w]")
# The engine's own (statistics, sequences), and the record of steps, which sqlite-utils keeps.
_OTHERS = re.compile(r"sqlite_|_sqlite_migrations")

Parts = dict[tuple[str, str], str]


def structure(db: Connection) -> list[str]:
    """What differs from a vault made now, in words."""
    made = engine.connect(":memory:", isolation_level=None)
    try:
        migrate(made)
        return _differences(tools_over(made), tools_over(db))
    finally:
        made.close()


def meaning(sql: str) -> list[str]:
    """A statement without its layout: the same for everybody who wrote it another way."""
    found = _TOKEN.finditer(_COMMENT.sub(" ", sql))
    tokens = [(one[1] or one[0]) if one[0][0] != "'" else one[0] for one in found]
    return tokens[:-1] if tokens[-1:] == [";"] else tokens


def _differences(made: UtilsDatabase, found: UtilsDatabase) -> list[str]:
    wanted, present = _parts(made), _parts(found)
    problems = [_foreign(found, *part) for part in present if part not in wanted]
    problems += [
        f"the {kind} {name} is missing" for kind, name in wanted if (kind, name) not in present
    ]
    for (kind, name), sql in wanted.items():
        if (kind, name) in present and meaning(present[kind, name]) != meaning(sql):
            problems.append(_changed(made, found, kind, name))
    return problems


def _parts(db: UtilsDatabase) -> Parts:
    rows = db.query("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    return {
        (row["type"], row["name"]): row["sql"] for row in rows if not _OTHERS.match(row["name"])
    }


def _foreign(found: UtilsDatabase, kind: str, name: str) -> str:
    on = {trigger.name: f" on {trigger.table}" for trigger in found.triggers}
    return f"the {kind} {name!r}{on.get(name, '') if kind == 'trigger' else ''} is not Keepsake's"


def _changed(made: UtilsDatabase, found: UtilsDatabase, kind: str, name: str) -> str:
    if kind == "table":
        wanted, present = (db.table(name).columns_dict.keys() for db in (made, found))
        if extra := present - wanted:
            return f"the table {name} has columns that are not Keepsake's: {', '.join(extra)}"
        if gone := wanted - present:
            return f"the table {name} lacks its columns {', '.join(gone)}"
    return f"the {kind} {name} is not as Keepsake makes it"
