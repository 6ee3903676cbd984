"""One round: what was written here goes into the shared document and from it into a file of ours;
what others wrote comes out of their files into the document and from it into the vault, as changes
of `sync:<machine>`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import Refused
from app.sync import exchange, shared_rows
from app.sync.document import Document
from app.sync.exchange import Foreign, Keyring, NotYet, SealedMessage, SyncFolder
from app.sync.participant import (
    SNAPSHOT_AT,
    Membership,
    Participant,
    keep,
    known_member,
    moved,
    needs,
)
from app.sync.status import SyncRound, Thing
from store.care.removal import Removal
from store.file.database import Connection
from store.instants import Instant
from store.tables import change_log, erasures, machines, proposals, vault_values
from store.tables.change_log import Recorder
from store.tables.erasures import AWAY, Hindrance
from store.tables.machines import MachineRow

if TYPE_CHECKING:
    from app.care.erasure import Erasure

FILES_MOST = 64  # of ours in the folder before they are put together
UPDATES_MOST = 200  # of the document in the vault before they are put together
INVITED_HOURS = 24.0
SORTS = ("entry", "block", "proposal")  # what can be erased by itself
PAST = "past"  # of a block that stays: `<id>@<when>`
REMOVED = (
    "Another machine took this one out: nothing more is read from the folder or written to it. "
    "What is in this vault stays. keepsake sync leave forgets about it."
)


@dataclass(frozen=True, slots=True)
class _Arrived:
    """A file of another machine whose turn it is."""

    machine: str
    counter: int
    message: SealedMessage


class SyncRounds:
    """Document, rows and the place in the log move in one transaction, so that a kill at any moment
    leaves all of it or nothing."""

    def __init__(self, participant: Participant, erasure: Callable[[], Erasure]) -> None:
        self._us = participant
        self._erasure = erasure

    def sync(self) -> SyncRound:
        """Send what is new here and take in what arrived."""
        member, folder = self._us.member()
        if member.removed:
            raise Refused(REMOVED)
        with self._us.turn:
            self._publish()
            folder.check()
            self._fork_if_behind(folder)
            sent = self._send(folder)
            read, changed, waits = self._receive(folder)
            self._erase_here()
            self._tidy(folder)
            sent += self._send(folder)
        return SyncRound(sent, read, changed, waits)

    def read_first(self, folder: SyncFolder) -> tuple[int, int]:
        """What is shared comes in before anything of ours goes out, so that what both have is
        compared and not written twice: of one memory the later writing stands, the other is in
        its history. How many files were read, and changes made."""
        read = 0
        with self._us.turn:
            while isinstance(found := self._next_file(folder), _Arrived):
                self._apply(found, rows=False)
                read += 1
            with self._us.recording("joined") as (rec, member, document):
                member = self._published(rec, member, document, newer_only=True)
                shared_rows.take_over(rec, document, document.things)
                keep(rec.db, moved(rec, member))
            return read, rec.size

    def forget_erased(self, removal: Removal | None = None) -> tuple[Hindrance, ...]:
        """A step of every erase: the shared document and our files lose what was erased, and the
        other machines are told. What hindered it."""
        member = self._us.membership
        if member is None or member.removed:
            return ()
        folder = SyncFolder(Path(member.folder), member.folder_id)
        with self._us.turn:
            with self._us.writing() as (db, state, document):
                gone = _gone(db, document, removal, self._us.now())
                erasures.bury(db, [thing for thing in gone if thing[0] in SORTS])
                with document.writing() as made:
                    for thing in gone:
                        document.erase(thing, self._us.now())
                    for thing in document.leftovers():
                        document.drop(thing)
                self._us.note(db, state, document, made)
            self._us.compact()
            try:
                folder.check()
                self._send(folder)
            except (Refused, OSError):
                return (Hindrance(member.folder, AWAY, ""),)
        return ()

    # What was written here

    def _publish(self) -> None:
        """Puts what was written here since the last time into the document and a file of ours."""
        with self._us.recording("settled") as (rec, member, document):
            if change_log.last_seq(rec.db) != member.cursor or self._loose_changed(
                rec.db, document
            ):
                keep(rec.db, moved(rec, self._published(rec, member, document)))

    def _published(
        self, rec: Recorder, member: Membership, document: Document, newer_only: bool = False
    ) -> Membership:
        """Brings the document to say all that the rows say; with `newer_only` not what it knows of
        a later time. What that settles in another way is written here too, so that the rows are
        always what the document shows."""
        db, now = rec.db, self._us.now()
        things = shared_rows.changed_things(db, member.cursor) if member.cursor >= 0 else None
        if things is None:
            things = shared_rows.all_things(db, document)
        with document.writing() as made:
            about = {"name": member.name, "key": self._us.held(member).public.hex()}
            if document.machines().get(member.machine) != about:
                document.introduce(member.machine, about)
            shared_rows.bury(db, document, now)
            shared_rows.publish(db, document, things, now, newer_only)
        if not newer_only:
            shared_rows.take_over(rec, document, document.affected)
        member = replace(member, cursor=change_log.last_seq(db))
        return self._us.note(db, member, document, made)

    def _loose_changed(self, db: Connection, document: Document) -> bool:
        return document.machine not in document.machines() or shared_rows.loose_differ(db, document)

    def _send(self, folder: SyncFolder) -> int:
        member, _ = self._us.member()
        with self._us.database.read() as db:
            waiting = machines.outbox(db)
            snapshot = int(vault_values.read(db, SNAPSHOT_AT) or 0)
        for counter, raw in waiting:
            folder.write(member.machine, counter, raw)
        if waiting:
            with self._us.database.write() as db:
                machines.dequeue(db, waiting[-1][0])
        if snapshot:
            folder.remove_before(member.machine, snapshot, member.keys_at)
        return len(waiting)

    # What arrived

    def _receive(self, folder: SyncFolder) -> tuple[int, int, tuple[str, ...]]:
        read = changed = 0
        while not isinstance(found := self._next_file(folder), tuple):
            read += 1
            changed += self._apply(found)
        return read, changed, found

    def _next_file(self, folder: SyncFolder) -> _Arrived | tuple[str, ...]:
        """Returns a file whose turn it is, or what keeps the rest waiting."""
        member, _ = self._us.member()
        keys = self._us.held(member)
        with self._us.database.read() as db:
            known = {row.id: row for row in machines.listed(db)}
        waits: list[str] = []
        for machine, counters in folder.files().items():
            row = known.get(machine, MachineRow(machine, machine, b""))
            if machine == member.machine or row.removed_at:
                continue
            why = ""
            for counter in (one for one in counters if one > row.counter):
                try:
                    message = _opened(folder, keys, machine, counter)
                    if message.kind == exchange.KEYS and counter != row.counter + 1:
                        # A key may be needed to read what comes before it in turn.
                        if message.about["epoch"] in keys.epochs:
                            continue
                    elif message.kind != exchange.SNAPSHOT:
                        _check_turn(message, row, counter, known, member.machine)
                    return _Arrived(machine, counter, message)
                except (NotYet, Foreign) as error:
                    left_out = " is left out" if isinstance(error, Foreign) else ""
                    name = exchange.file_name(machine, counter)
                    why = why or f"{row.name}: {name}{left_out}: {error}."
            if why != row.waits and machine in known:
                with self._us.database.write() as db:
                    machines.put(db, replace(row, waits=why))
            waits += [why] if why else []
        return tuple(waits)

    def _apply(self, arrived: _Arrived, rows: bool = True) -> int:
        """Takes in one file of another machine, in one transaction; returns how many things it
        changed. Without `rows` it goes into the document alone."""
        if arrived.message.kind == exchange.KEYS:
            self._take_keys(arrived)
            return 0
        with self._us.recording(self._us.name_of(arrived.machine)) as (rec, member, document):
            if rows and change_log.last_seq(rec.db) > member.cursor:  # somebody wrote meanwhile
                member = self._published(rec, member, document)
            touched = document.apply(arrived.message.data)
            if rows:
                shared_rows.take_over(rec, document, touched)
            machines.append(rec.db, arrived.message.data)
            self._us.span = machines.document_span(rec.db)
            if self._heard(rec.db, document, arrived):
                SyncFolder(Path(member.folder), member.folder_id).invite(member.machine, None)
            keep(rec.db, moved(rec, member))
            return rec.size

    def _heard(self, db: Connection, document: Document, arrived: _Arrived) -> bool:
        """Notes the machines the document knows, and how far we have read them; says whether there
        is one more now."""
        known = {row.id: row for row in machines.listed(db)}
        before = set(known)
        for ident, about in document.machines().items():
            row = known.get(ident, MachineRow(ident, "", b""))
            known[ident] = replace(row, name=about["name"], public_key=bytes.fromhex(about["key"]))
        if arrived.message.kind == exchange.SNAPSHOT:
            for ident, counter in arrived.message.needs.items():
                if ident in known and counter > known[ident].counter:
                    known[ident] = replace(known[ident], counter=counter)
        row = known.get(arrived.machine, MachineRow(arrived.machine, arrived.machine, b""))
        known[arrived.machine] = replace(
            row, counter=arrived.counter, heard_at=self._us.now(), waits=""
        )
        for row in known.values():
            machines.put(db, row)
        return set(known) != before

    def _erase_here(self) -> None:
        """Erase what was erased elsewhere, and say so once nothing of it is left here."""
        with self._us.database.read() as db:
            member = known_member(db)
            document = self._us.loaded(db, member)
            confirmed = document.confirmed()
            asked = {
                thing: by
                for thing, (_, by) in document.erased().items()
                if member.machine not in confirmed.get(thing, ())
            }
            left = document.leftovers()
        if not asked and not left:
            return
        with self._us.database.write() as db:
            erasures.bury(db, [thing for thing in asked if thing[0] in SORTS])
        # Also where nothing of it is a row here: it came with what was read, and is in the file.
        for by in sorted({*asked.values(), *([member.machine] if left else [])}):
            wanted = {thing for thing, who in asked.items() if who == by}
            wanted |= set(left) if by == member.machine else set()
            self._erasure().remove(_removal(wanted), actor=f"sync:{self._us.name_of(by)}")
        with self._us.database.read() as db:
            pending = [Removal.from_json(row.removal) for row in erasures.listed(db)]
        held = {thing for removal in pending for thing in removal.things}
        with self._us.writing() as (db, member, document):
            with document.writing() as made:
                for thing in asked:
                    if thing not in held:
                        document.confirm(thing, self._us.now())
            self._us.note(db, member, document, made)

    # The folder and its keys

    def _tidy(self, folder: SyncFolder) -> None:
        """Puts many files together, ends old invitations, and changes the locks where somebody who
        was taken out still has the key."""
        member, _ = self._us.member()
        folder.end_invitation(member.machine, INVITED_HOURS)
        with self._us.database.read() as db:
            first, last = machines.document_span(db)
            rows = machines.listed(db)
        if len(folder.files().get(member.machine, ())) > FILES_MOST or last - first > UPDATES_MOST:
            self._us.compact()
        readers = self._us.held(member).readers.get(member.epoch, ())
        removed = {row.id for row in rows if row.removed_at}
        remaining = sorted(row.id for row in rows if not row.removed_at)
        # Two machines were taken out at once, each by a key that the other still has.
        if removed & set(readers) and remaining[:1] == [member.machine]:
            self.change_locks()

    def _fork_if_behind(self, folder: SyncFolder) -> None:
        """A vault brought back from an old copy must not write files again that others have read:
        it goes on as another machine."""
        member, _ = self._us.member()
        written = folder.files().get(member.machine, [0])[-1]
        if written <= member.counter:
            return
        with self._us.database.write() as db:
            known = {row.id: row for row in machines.listed(db)}
            row = known.get(member.machine, MachineRow(member.machine, member.name, b""))
            machines.put(db, replace(row, counter=member.counter))
            machines.dequeue(db, member.counter)
            vault_values.delete(db, SNAPSHOT_AT)
            keep(db, replace(member, machine=exchange.new_machine(), counter=0, cursor=-1))
        held = self._us.held(member)
        self._us.forget()
        self._us.hold(self._us.member()[0], held)
        self._publish()

    def change_locks(self, removed: str = "") -> None:
        """Makes another key for what is written from now on, given to all who still take part."""
        member, _ = self._us.member()
        keys = self._us.held(member)
        with self._us.database.read() as db:
            rows = machines.listed(db)
        gone = {row.id for row in rows if row.removed_at} | ({removed} if removed else set())
        stay = {row.id: row.public_key for row in rows if row.id not in gone and row.public_key}
        epoch, secret = exchange.new_epoch(), exchange.new_secret()
        readers = tuple(sorted({*stay, member.machine}))
        about = {
            "epoch": epoch,
            "removed": sorted(gone),
            "readers": readers,
            "sealed": {
                ident: exchange.sealed_for(public, secret)
                for ident, public in stay.items()
                if ident != member.machine
            },
        }
        self._us.hold(member, keys.with_epoch(epoch, secret, readers))
        with self._us.writing() as (db, now_member, _):
            counter = now_member.counter + 1
            message = SealedMessage(
                exchange.KEYS, self._us.now(), needs(db, now_member), about=about
            )
            machines.enqueue(
                db, counter, self._us.sealed(replace(now_member, counter=counter), message)
            )
            for row in rows:
                if row.id in gone and not row.removed_at:
                    machines.put(db, replace(row, removed_at=self._us.now()))
            keys_at = (*now_member.keys_at, counter)
            keep(db, replace(now_member, counter=counter, epoch=epoch, keys_at=keys_at))
        # Nothing that was sealed before needs to be read by whoever stays.
        self._us.compact()

    def _take_keys(self, arrived: _Arrived) -> None:
        """Takes the new key that another machine gives. Raises Refused when it takes us out."""
        member, _ = self._us.member()
        about = arrived.message.about
        keys, epoch = self._us.held(member), str(about["epoch"])
        given = about["sealed"].get(member.machine)
        if given:
            secret = exchange.unsealed(keys.private, given)
            self._us.hold(member, keys.with_epoch(epoch, secret, tuple(about["readers"])))
        with self._us.database.write() as db:
            member = known_member(db)
            out = member.machine in about["removed"]
            for row in machines.listed(db):
                if row.id == arrived.machine and row.counter + 1 == arrived.counter:
                    row = replace(row, counter=arrived.counter, heard_at=self._us.now())
                if row.id in about["removed"] and not row.removed_at:
                    row = replace(row, removed_at=arrived.message.at)
                machines.put(db, row)
            if given or out:
                epoch = epoch if given else member.epoch
                keep(db, replace(member, epoch=epoch, removed=out))
        if out:
            raise Refused(REMOVED)


def _opened(folder: SyncFolder, keys: Keyring, machine: str, counter: int) -> SealedMessage:
    raw = folder.read(machine, counter)
    if raw is None:
        raise NotYet("it has been taken away")
    return exchange.opened(raw, keys, machine, counter)


def _check_turn(
    message: SealedMessage, row: MachineRow, counter: int, known: dict[str, MachineRow], mine: str
) -> None:
    """Raises NotYet while something it builds on is missing."""
    if counter != row.counter + 1:
        raise NotYet(f"number {row.counter + 1} has not arrived")
    for machine, needed in message.needs.items():
        there = known.get(machine)
        if machine != mine and (there is None or there.counter < needed):
            name = there.name if there else machine
            raise NotYet(f"it builds on number {needed} of {name}, which has not arrived")


def _gone(db: Connection, document: Document, removal: Removal | None, now: Instant) -> list[Thing]:
    """What the document must not say any more."""
    buried = erasures.all_buried(db)
    found = {(sort, ident) for sort in SORTS for ident in buried.get(sort, ())}
    if removal is not None:
        found |= {thing for thing in removal.things if thing[0] in SORTS}
        found |= {(PAST, f"{ident}@{now}") for ident in removal.versions}
        if removal.everything:
            found |= {thing for thing in document.things if thing[0] in SORTS}
    # An erase takes the proposals along from which it came; the log has no line of that.
    found |= {
        thing
        for thing, merged in document.things.items()
        if thing[0] == "proposal" and not merged.gone and proposals.read(db, thing[1]) is None
    }
    return sorted(thing for thing in found if not document.is_erased(thing))


def _removal(things: set[Thing]) -> Removal:
    by_sort: dict[str, list[str]] = {}
    for sort, ident in sorted(things):
        by_sort.setdefault(sort, []).append(ident.partition("@")[0] if sort == PAST else ident)
    return Removal(
        entries=tuple(by_sort.get("entry", ())),
        blocks=tuple(by_sort.get("block", ())),
        proposals=tuple(by_sort.get("proposal", ())),
        versions=tuple(by_sort.get(PAST, ())),
    )
