"""sqlite-utils over our engine.

It is imported here alone, and only when a step, the doctor or an import needs it: it pulls in
numpy, which neither the window nor a headless command needs to start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from store.file.database import Connection, engine

if TYPE_CHECKING:
    import sqlite_utils
    import sqlite_utils.db

RowForm = Literal["CSV", "JSON"]


def tools_over(db: Connection) -> sqlite_utils.Database:
    """The connection as sqlite-utils works on it; transactions stay the caller's."""
    _name_the_engine()
    from sqlite_utils import Database

    return Database(db)


def migration_set(name: str) -> sqlite_utils.Migrations:
    _name_the_engine()
    from sqlite_utils import Migrations

    return Migrations(name)


def going_with(
    table: str, column: str, other_table: str, other_column: str
) -> sqlite_utils.db.ForeignKey:
    """A reference whose row is deleted together with the one it points at."""
    _name_the_engine()
    from sqlite_utils.db import ForeignKey

    return ForeignKey(table, column, other_table, other_column, on_delete="CASCADE")


def rows_in(text: str, form: RowForm, delimiter: str = ",") -> Iterator[object]:
    """The rows of a table: cells under the names of its header, or JSON values.

    Raises ValueError where it is none. The form is said, because sniffing takes letters of plain
    sentences for delimiters."""
    import csv
    import io

    _name_the_engine()
    from sqlite_utils.utils import Format, RowsFromFileError, rows_from_file

    cells = type("Cells", (csv.excel,), {"delimiter": delimiter})
    try:
        rows, _ = rows_from_file(
            io.BytesIO(text.encode()), Format[form], dialect=cells, ignore_extras=True
        )
        yield from rows
    except (RowsFromFileError, csv.Error, RecursionError) as error:
        raise ValueError(str(error)) from error


def _name_the_engine() -> None:
    # sqlite-utils catches the exceptions of the engine it finds under these names when it is first
    # imported; ours are sqlcipher3's, and its own handling fails on them otherwise.
    import sqlcipher3

    sys.modules.setdefault("pysqlite3", sqlcipher3)
    sys.modules.setdefault("pysqlite3.dbapi2", engine)
