"""The owner's machines, which share one memory through a folder that somebody else carries: taking
part, inviting, leaving, taking one out, and what is known of each."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.access.secret_store import SecretStore, open_secrets
from app.errors import Invalid, NotFound, Refused
from app.sync import exchange, shared_rows
from app.sync.document import Document
from app.sync.exchange import Keyring, SyncFolder
from app.sync.participant import Membership, Participant
from app.sync.rounds import INVITED_HOURS, REMOVED, SyncRounds
from app.sync.status import MachineState, SyncRound, SyncStatus, Unconfirmed
from store.care.removal import Removal
from store.file.database import Database
from store.instants import Clock, Instant, from_instant
from store.tables import change_log, machines
from store.tables.erasures import Hindrance
from store.tables.machines import MachineRow

if TYPE_CHECKING:
    from app.care.erasure import Erasure

ROUND_SECONDS = 1.0  # how often what was written here is looked for


class Machines:
    def __init__(self, participant: Participant, rounds: SyncRounds) -> None:
        self._us = participant
        self._rounds = rounds

    # Taking part

    @property
    def membership(self) -> Membership | None:
        return self._us.membership

    def add(self, folder: Path, name: str = "") -> str:
        """Share this vault through a folder, as its first machine; the phrase for the next one."""
        self._not_yet_member()
        made = SyncFolder.made(folder.absolute())
        self._us.enter(made, Keyring.new(), name)
        self._rounds.sync()
        return self.pair()

    def join(self, folder: Path, phrase: str, name: str = "") -> SyncRound:
        """Take part in what other machines share. What is in this vault comes in, too."""
        self._not_yet_member()
        found = SyncFolder.found(folder.absolute())
        invitations = found.pairings()
        for raw in invitations.values():
            fits = exchange.paired(phrase, raw)
            if fits and self._hours_since(fits[1]) <= INVITED_HOURS:
                break
        else:
            raise Refused(
                "No phrase fits here. Ask for a new one with keepsake sync pair on a machine that "
                f"takes part; it is good for {INVITED_HOURS:g} hours, and its file has to arrive "
                "in this folder first."
                if invitations
                else "No machine has asked another one in. Run keepsake sync pair on one that takes"
                " part, and wait until its file is in this folder."
            )
        self._us.enter(found, fits[0], name)
        read, changed = self._rounds.read_first(found)
        done = self._rounds.sync()
        return replace(done, read=done.read + read, changed=done.changed + changed)

    def pair(self) -> str:
        """A phrase by which one more machine may join, while it is fresh."""
        member, folder = self._us.member()
        phrase = exchange.new_phrase()
        folder.check()
        keys = self._us.held(member)
        folder.invite(member.machine, exchange.pairing(phrase, keys, self._us.now()))
        return phrase

    def leave(self) -> None:
        """Share nothing any more. What is in the vault stays, and so do the files of others."""
        member, folder = self._us.member()
        with suppress(Refused, OSError):
            folder.check()
            folder.invite(member.machine, None)
        self._us.quit(member)

    def remove(self, named: str) -> MachineState:
        """Take a machine out: it can read nothing that is written once the others heard of it."""
        member, _ = self._us.member()
        with self._us.database.read() as db:
            rows = machines.listed(db)
        found = [row for row in rows if named in (row.id, row.name) and not row.removed_at]
        if len(found) != 1:
            known = ", ".join(f"{row.name} ({row.id})" for row in rows if not row.removed_at)
            raise NotFound(f"There is no one machine {named!r}. These take part: {known}.")
        if found[0].id == member.machine:
            raise Invalid("That is this machine. keepsake sync leave takes it out.")
        self._rounds.sync()
        self._rounds.change_locks(found[0].id)
        self._rounds.sync()
        return MachineState(found[0].id, found[0].name, found[0].heard_at, removed=True)

    # Looking

    def status(self) -> SyncStatus:
        member, folder = self._us.member()
        problem = ""
        try:
            folder.check()
        except Refused as error:
            problem = str(error)
        if member.removed:
            problem = REMOVED
        with self._us.turn, self._us.database.read() as db:
            document = self._us.loaded(db, member)
            rows = machines.listed(db)
            waiting = len(machines.outbox(db))
            waiting += bool(shared_rows.changed_things(db, member.cursor))
        return SyncStatus(
            member.folder,
            problem,
            tuple(_state(row, member) for row in rows),
            waiting,
            tuple(document.clashes()),
            _unconfirmed(document, rows, member.machine),
        )

    def elsewhere(self) -> str:
        """What an erase's receipt says of the other machines; empty where there are none."""
        member = self._us.membership
        if member is None:
            return ""
        others = [one.name for one in self.status().machines if not one.mine and not one.removed]
        if not others:
            return ""
        return (
            f" Your other machines ({', '.join(others)}) are told to erase it too; keepsake sync "
            "status says which have confirmed. What carries the folder may keep old files "
            "(a cloud's versions, the history of git)."
        )

    # Rounds

    def sync(self) -> SyncRound:
        """Send what is new here and take in what arrived."""
        return self._rounds.sync()

    def watch(self, stop: threading.Event, notify: Callable[[str], None]) -> None:
        """A round whenever something was written here or arrived in the folder, until `stop`."""
        last_problem = ""
        seen: tuple[object, ...] = ()
        while not stop.wait(ROUND_SECONDS):
            member = self._us.membership
            if member is None or member.removed:
                continue
            now = self._signs(member)
            if now == seen:
                continue
            try:
                done = self._rounds.sync()
                problem = done.waits[0] if done.waits else ""
            except (Refused, OSError) as error:
                problem = str(error)
            if problem and problem != last_problem:
                notify(problem)
            last_problem = problem
            seen = self._signs(self._us.membership or member)

    def forget_erased(self, removal: Removal | None = None) -> tuple[Hindrance, ...]:
        """A step of every erase; what hindered it."""
        return self._rounds.forget_erased(removal)

    def _not_yet_member(self) -> None:
        if (member := self._us.membership) is not None:
            raise Invalid(
                f"This vault is shared through {member.folder} already. keepsake sync leave ends "
                "that."
            )

    def _signs(self, member: Membership) -> tuple[object, ...]:
        """What changes when there may be something to do: cheap to look at."""
        with self._us.database.read() as db:
            seq = change_log.last_seq(db)
        try:
            names = tuple(sorted(path.name for path in Path(member.folder).iterdir()))
        except OSError:
            names = ()
        return seq == member.cursor, seq, names

    def _hours_since(self, at: Instant) -> float:
        return (self._us.clock() - from_instant(at)).total_seconds() / 3600


class SharedVault(Protocol):
    """What is asked of a vault."""

    path: Path
    database: Database
    clock: Clock

    @property
    def erasure(self) -> Erasure: ...


def machines_of(vault: SharedVault, secrets: SecretStore | None = None) -> Machines:
    participant = Participant(
        vault.database, vault.clock, lambda: secrets or open_secrets(vault.path.parent)
    )
    return Machines(participant, SyncRounds(participant, lambda: vault.erasure))


def _state(row: MachineRow, member: Membership) -> MachineState:
    return MachineState(
        row.id,
        row.name,
        row.heard_at,
        row.waits,
        row.id == member.machine,
        bool(row.removed_at),
    )


def _unconfirmed(document: Document, rows: list[MachineRow], mine: str) -> tuple[Unconfirmed, ...]:
    """Erased things by when and where they were, while some machine has not said it did so."""
    names = {row.id: row.name for row in rows if not row.removed_at}
    confirmed = document.confirmed()
    found: dict[tuple[Instant, tuple[str, ...]], int] = {}
    for thing, (at, by) in document.erased().items():
        away = tuple(sorted(set(names) - confirmed.get(thing, set()) - {by}))
        if away:
            found[at, away] = found.get((at, away), 0) + 1
    return tuple(
        Unconfirmed(
            at,
            number,
            tuple(names[one] for one in sorted(set(names) - set(away))),
            tuple(names[one] for one in away),
        )
        for (at, away), number in sorted(found.items())
    )
