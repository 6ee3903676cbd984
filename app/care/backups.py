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
from store.care.erasure import hindrance
from store.care.pieces import Pieces, Sought
from store.care.removal import Removal, scopes_of
from store.errors import KeepsakeError
from store.file.database import Connection, Database, Row, engine
from store.instants import Clock, Instant, from_instant, to_instant
from store.records import OWNER
from store.tables import agents, change_log, erasures, machines, vault_values
from store.tables.change_log import Recorder, last_seq, recorded


@dataclass(frozen=True, slots=True)
class Difference:
    """What restoring a backup would change."""

    only_now: int  # memories that are here and not in the backup
    only_then: int
    changed: int


@dataclass(frozen=True, slots=True)
class _Lasting:
    """What no restore takes back: the log's last number, who may use the vault, the machines it is
    shared with, and what was erased or is still to be."""

    seq: int
    agents: list[Row]
    machines: dict[str, list[Row]]
    erased: dict[str, list[Row]]
    things: dict[str, list[str]]
    wiped: list[Removal]


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

    def restore(self, backup: Backup, *, undoes: int | None = None) -> Backup:
        """Put the memory back as it was then; what is there now is backed up first and returned.
        `undoes`: the going back that this takes back.

        Who may use the vault stays as it is now: going back must not let a revoked agent in. A
        vault where nothing ever happened has revoked nobody, and was made because the old one is
        lost: it gets the agents of the backup."""
        files.verify(self._database, backup.path)
        with self._database.exclusive():
            safety = files.make(self._database, to_instant(self._clock()), files.ASIDE)
            with self._database.read() as db:
                lasting = _Lasting(
                    last_seq(db),
                    agents.copied(db),
                    machines.copied(db),
                    erasures.copied(db),
                    _gone(db),
                    [Removal.from_json(row.removal) for row in erasures.listed(db)],
                )
            files.put_in_place(
                self._database,
                backup.path,
                lambda copy: self._carry_over(lasting, copy, safety, undoes),
            )
        return safety

    def _carry_over(
        self, lasting: _Lasting, copy: Connection, safety: Backup, undoes: int | None
    ) -> bool:
        """Whether something was taken out of the copy that was erased since, or is to be."""
        # Followers go by the log's numbers, so these never go back.
        change_log.go_on_from(copy, lasting.seq)
        removed = False
        if lasting.seq or lasting.agents:
            agents.put_back(copy, lasting.agents)
            machines.put_back(copy, lasting.machines)
            removed = self._erase_again(lasting, copy)
            erasures.put_back(copy, lasting.erased)
        # What takes it back is named by the log.
        reason = safety.path.name
        rec = Recorder(copy, to_instant(self._clock()), OWNER, "reloaded", reason, undoes)
        with recorded(rec):
            rec.add("reloaded", "vault", "vault", "user")
        return removed

    def _erase_again(self, lasting: _Lasting, copy: Connection) -> bool:
        things = Removal(
            tuple(lasting.things.get("entry", ())),
            tuple(lasting.things.get("block", ())),
            proposals=tuple(lasting.things.get("proposal", ())),
            conversations=tuple(lasting.things.get("conversation", ())),
        )
        wanted = [
            one for one in (things, *lasting.wiped) if one != Removal() and not one.everything
        ]
        return any([files.remove_from(self._database, copy, one, Pieces()) for one in wanted])

    def purge(
        self, removal: Removal, pieces: Sought | None, known: Sequence[str], at: Instant
    ) -> tuple[int, Sequence[erasures.Hindrance]]:
        """Take what was erased out of every backup; of a whole scope out of those `known` then or
        made before. How many held any of it, and what could not be cleaned."""
        cleaned, hindered = 0, []
        # An agent may give another run the name of one that was erased.
        whole = bool(removal.scope or removal.conversations) or removal.everything
        for backup in self.list():
            if whole and backup.path.name not in known and backup.at > at:
                continue  # there may be memories again
            try:
                if removal.everything:
                    backup.path.unlink(missing_ok=True)
                    cleaned += 1
                else:
                    cleaned += files.purge(self._database, backup.path, removal, pieces)
            except (KeepsakeError, OSError, engine.Error) as error:
                hindered.append(hindrance(str(backup.path), error))
        return cleaned, hindered

    def purge_damaged(self, removal: Removal, pieces: Sought | None) -> Sequence[Path]:
        """Take what was erased out of the broken vaults that were kept; those that could not be
        looked into."""
        return [
            path
            for path in self.damaged()
            if not files.purge_damaged(self._database, path, removal, pieces)
        ]

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


def _gone(db: Connection) -> dict[str, list[str]]:
    """What was erased, by what it was, but for runs whose name was given to another one since."""
    buried = erasures.all_buried(db)
    there = scopes_of(db, [(thing, ident) for thing in buried for ident in buried[thing]])
    return {
        thing: [ident for ident in idents if (thing, ident) not in there]
        for thing, idents in buried.items()
    }
