"""The composition root: opens a vault's file and wires the services over it."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from app.agents import Agents
from app.entries import Entries
from app.history import History, Undoable, UndoableEntries
from app.settings import Settings
from store.database import Database
from store.ids import IdMaker
from store.instants import Clock, system_clock
from store.opening import open_database

APP = "keepsake"


def default_path() -> Path:
    """`KEEPSAKE_VAULT`, or the vault in the user's data folder."""
    named = os.environ.get("KEEPSAKE_VAULT")
    return Path(named) if named else Path(platformdirs.user_data_path(APP)) / "vault.db"


@dataclass(slots=True)
class Vault:
    """One open vault. It only holds the services; widgets, routes and tools receive the one they
    need."""

    path: Path
    database: Database
    clock: Clock
    ids: IdMaker
    settings: Settings
    entries: Entries
    history: History
    agents: Agents
    _throw_away: Path | None = None

    def close(self) -> None:
        self.database.close()
        if self._throw_away:
            shutil.rmtree(self._throw_away, ignore_errors=True)


def open_vault(
    path: Path | None = None,
    *,
    ephemeral: bool = False,
    clock: Clock = system_clock,
    key: bytes | None = None,
) -> Vault:
    """Open the vault at `path` (made if it is not there), or a throw-away one."""
    throw_away = Path(tempfile.mkdtemp(prefix="keepsake-")) if ephemeral else None
    path = throw_away / "vault.db" if throw_away else (path or default_path())
    database = open_database(path, key=key, clock=clock)
    ids = IdMaker()
    settings = Settings(database)
    things: dict[str, Undoable] = {"entry": UndoableEntries()}
    return Vault(
        path=path,
        database=database,
        clock=clock,
        ids=ids,
        settings=settings,
        entries=Entries(database, settings, clock, ids),
        history=History(database, clock, things),
        agents=Agents(database, clock),
        _throw_away=throw_away,
    )
