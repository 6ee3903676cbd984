"""Backups: on a schedule when something changed, before upgrades, on demand; thinned with age."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.care.rescue import chosen
from app.rules.lifetimes import keep
from app.settings import Settings
from store.care import backups as files
from store.care.backups import Backup as Backup
from store.care.erasure import Removal
from store.file.database import Connection, Database, Row
from store.instants import Clock, from_instant, to_instant
from store.records import OWNER
from store.tables import agents, change_log, pending_erasures, vault_values
from store.tables.change_log import Recorder, last_seq, recorded


@dataclass(frozen=True, slots=True)
class Difference:
    """What restoring a backup would change."""

    only_now: int  # memories that are here and not in the backup
    only_then: int
    changed: int


@dataclass(frozen=True, slots=True)
class _Lasting:
    """What no restore takes back: the log's last number, who may use the vault, and what an erase
    still has to do."""

    seq: int
    agents: list[Row]
    unfinished: list[Row]


class Backups:
    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    @property
    def folder(self) -> Path:
        return files.folder_of(self._database.path)

    def list(self) -> list[Backup]:
        """Newest first."""
        return files.listed(self._database.path)

    def damaged(self) -> Sequence[Path]:
        """Broken vaults that a backup took the place of: kept until a person removes them."""
        return files.damaged(self._database.path)

    def now(self, why: str = "on-demand") -> Backup:
        with self._database.read() as db:
            seq = last_seq(db)
        made = files.make(self._database, to_instant(self._clock()), why)
        with self._database.write() as db:
            vault_values.put(db, "backup_seq", str(seq))
        self._thin()
        return made

    def if_due(self) -> Backup | None:
        """The scheduled one, when it is time and something changed since the last."""
        hours = self._settings["backup_hours"]
        if not hours or not self._changed_since_last():
            return None
        # One of the future was made while the clock was wrong, and says nothing.
        if any(0 <= self._age_hours(backup) < hours for backup in self.list()):
            return None
        return self.now("scheduled")

    def find(self, name: str) -> Backup:
        """By file name, or `latest`."""
        return chosen(self._database.path, name)

    def difference(self, backup: Backup) -> Difference:
        """A look at what restoring would change, before it does."""
        return Difference(*files.compare(self._database, backup.path))

    def restore(self, backup: Backup) -> Backup:
        """Put the memory back as it was then; what is there now is backed up first and returned.

        Who may use the vault stays as it is now: going back must not let a revoked agent in. A
        vault where nothing ever happened has revoked nobody, and was made because the old one is
        lost: it gets the agents of the backup."""
        files.verify(self._database, backup.path)
        with self._database.exclusive():
            safety = files.make(self._database, to_instant(self._clock()), files.ASIDE)
            with self._database.read() as db:
                lasting = _Lasting(last_seq(db), agents.copied(db), pending_erasures.copied(db))
            files.put_in_place(
                self._database, backup.path, lambda copy: self._carry_over(lasting, copy)
            )
        return safety

    def _carry_over(self, lasting: _Lasting, copy: Connection) -> None:
        # Followers go by the log's numbers, so these never go back.
        change_log.go_on_from(copy, lasting.seq)
        if lasting.seq or lasting.agents:
            agents.put_back(copy, lasting.agents)
            pending_erasures.put_back(copy, lasting.unfinished)
        rec = Recorder(copy, to_instant(self._clock()), OWNER, "reloaded", "", None)
        with recorded(rec):
            rec.add("reloaded", "vault", "vault", "user")

    def purge(self, removal: Removal) -> int:
        """Take what was erased out of every backup; how many held any of it."""
        cleaned = 0
        for backup in self.list():
            cleaned += files.purge(self._database, backup.path, removal)
        return cleaned

    def purge_damaged(self, removal: Removal | None) -> Sequence[Path]:
        """Take what was erased (None: everything) out of the broken vaults that were kept; those
        that could not be looked into."""
        return [
            path
            for path in self.damaged()
            if not files.purge_damaged(self._database, path, removal)
        ]

    def delete_all(self) -> int:
        known = self.list()
        for backup in known:
            backup.path.unlink(missing_ok=True)
        return len(known)

    def _thin(self) -> None:
        known = self.list()
        kept = keep(
            [backup.at for backup in known],
            daily=self._settings["backup_keep_daily"],
            weekly=self._settings["backup_keep_weekly"],
            monthly=self._settings["backup_keep_monthly"],
        )
        for backup in known:
            if backup.at not in kept and backup.why == "scheduled":
                backup.path.unlink(missing_ok=True)

    def _changed_since_last(self) -> bool:
        with self._database.read() as db:
            return last_seq(db) > int(vault_values.read(db, "backup_seq") or 0)

    def _age_hours(self, backup: Backup) -> float:
        now: datetime = self._clock()
        return (now - from_instant(backup.at)).total_seconds() / 3600
