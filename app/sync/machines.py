"""The owner's machines, which share one memory through a folder that somebody else carries.

A round: what was written here goes into the shared document and from it into a file of ours; what
others wrote comes out of their files into the document and from it into the vault, as changes of
`sync:<machine>`. Document, rows and the place in the log move in one transaction, so that a kill at
any moment leaves all of it or nothing."""

from __future__ import annotations

import json
import platform
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.access.secret_store import SecretStore, open_secrets
from app.errors import Invalid, NotFound, Refused
from app.rules.fields import clean_hook
from app.sync import exchange, shared_rows
from app.sync.document import Document
from app.sync.exchange import Foreign, Keyring, NotYet, SealedMessage, SyncFolder
from app.sync.status import MachineState, SyncRound, SyncStatus, Thing, Unconfirmed
from store.care.removal import Removal
from store.file.database import Connection, Database
from store.instants import Clock, Instant, from_instant, to_instant
from store.tables import change_log, erasures, machines, proposals, vault_values
from store.tables.change_log import Recorder
from store.tables.erasures import AWAY, Hindrance
from store.tables.machines import MachineRow

if TYPE_CHECKING:
    from app.care.erasure import Erasure

FILES_MOST = 64  # of ours in the folder before they are put together
UPDATES_MOST = 200  # of the document in the vault before they are put together
INVITED_HOURS = 24.0
ROUND_SECONDS = 1.0  # how often what was written here is looked for
SORTS = ("entry", "block", "proposal")  # what can be erased by itself
PAST = "past"  # of a block that stays: `<id>@<when>`
REMOVED = (
    "Another machine took this one out: nothing more is read from the folder or written to it. "
    "What is in this vault stays. keepsake sync leave forgets about it."
)
_SNAPSHOT = "sync_snapshot"


@dataclass(frozen=True, slots=True)
class Membership:
    """Where and as whom this vault takes part. `cursor`: the last change that is in the document;
    -1 when everything is to be compared. `removed`: another machine took us out."""

    folder: str
    folder_id: str
    machine: str
    name: str
    epoch: str  # the key new files are sealed with
    counter: int = 0
    cursor: int = -1
    removed: bool = False
    keys_at: tuple[int, ...] = ()  # files of ours that give keys: never put together with others


@dataclass(frozen=True, slots=True)
class _Arrived:
    machine: str
    counter: int
    message: SealedMessage


@dataclass(slots=True)
class Machines:
    """`secrets` holds this machine's keys; they are never in the vault nor in the folder."""

    database: Database
    clock: Clock
    secrets: Callable[[], SecretStore]
    erasure: Callable[[], Erasure]
    _document: Document | None = None
    _span: tuple[int, int] = (0, 0)
    _keys: Keyring | None = None
    _turn: AbstractContextManager[object] = field(default_factory=threading.RLock)

    # Taking part

    @property
    def membership(self) -> Membership | None:
        with self.database.read() as db:
            return _membership(db)

    def add(self, folder: Path, name: str = "") -> str:
        """Share this vault through a folder, as its first machine; the phrase for the next one."""
        self._not_yet_member()
        made = SyncFolder.made(folder.absolute())
        self._enter(made, Keyring.new(), name)
        self.sync()
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
        self._enter(found, fits[0], name)
        read, changed = self._read_first(found)
        done = self.sync()
        return replace(done, read=done.read + read, changed=done.changed + changed)

    def pair(self) -> str:
        """A phrase by which one more machine may join, while it is fresh."""
        member, folder = self._member()
        phrase = exchange.new_phrase()
        folder.check()
        keys = self._held(member)
        folder.invite(member.machine, exchange.pairing(phrase, keys, self._now()))
        return phrase

    def leave(self) -> None:
        """Share nothing any more. What is in the vault stays, and so do the files of others."""
        member, folder = self._member()
        with suppress(Refused, OSError):
            folder.check()
            folder.invite(member.machine, None)
        with self.database.write() as db:
            machines.clear(db)
            vault_values.delete(db, machines.MEMBERSHIP)
        self.secrets().drop(_secret_name(member))
        self._forget()

    def remove(self, named: str) -> MachineState:
        """Take a machine out: it can read nothing that is written from now on."""
        member, _ = self._member()
        with self.database.read() as db:
            rows = machines.listed(db)
        found = [row for row in rows if named in (row.id, row.name) and not row.removed_at]
        if len(found) != 1:
            known = ", ".join(f"{row.name} ({row.id})" for row in rows if not row.removed_at)
            raise NotFound(f"There is no one machine {named!r}. These take part: {known}.")
        if found[0].id == member.machine:
            raise Invalid("That is this machine. keepsake sync leave takes it out.")
        self.sync()
        self._change_locks(found[0].id)
        self.sync()
        return MachineState(found[0].id, found[0].name, found[0].heard_at, removed=True)

    # Looking

    def status(self) -> SyncStatus:
        member, folder = self._member()
        problem = ""
        try:
            folder.check()
        except Refused as error:
            problem = str(error)
        if member.removed:
            problem = REMOVED
        with self._turn, self.database.read() as db:
            document = self._loaded(db, member)
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
        member = self.membership
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

    # A round

    def sync(self) -> SyncRound:
        """Send what is new here and take in what arrived."""
        member, folder = self._member()
        if member.removed:
            raise Refused(REMOVED)
        with self._turn:
            self._publish()
            folder.check()
            self._fork_if_behind(folder)
            sent = self._send(folder)
            read, changed, waits = self._receive(folder)
            self._erase_here()
            self._tidy(folder)
            sent += self._send(folder)
        return SyncRound(sent, read, changed, waits)

    def watch(self, stop: threading.Event, notify: Callable[[str], None]) -> None:
        """A round whenever something was written here or arrived in the folder, until `stop`."""
        told = ""
        seen: tuple[object, ...] = ()
        while not stop.wait(ROUND_SECONDS):
            member = self.membership
            if member is None or member.removed:
                continue
            now = self._signs(member)
            if now == seen:
                continue
            try:
                done = self.sync()
                problem = done.waits[0] if done.waits else ""
            except (Refused, OSError) as error:
                problem = str(error)
            if problem and problem != told:
                notify(problem)
            told = problem
            seen = self._signs(self.membership or member)

    def forget_erased(self, removal: Removal | None = None) -> tuple[Hindrance, ...]:
        """A step of every erase: the shared document and our files lose what was erased, and the
        other machines are told. What hindered it."""
        member = self.membership
        if member is None or member.removed:
            return ()
        folder = SyncFolder(Path(member.folder), member.folder_id)
        with self._turn:
            with self._writing() as (db, state, document):
                gone = _gone(db, document, removal, self._now())
                erasures.bury(db, [thing for thing in gone if thing[0] in SORTS])
                with document.writing() as made:
                    for thing in gone:
                        document.erase(thing, self._now())
                    for thing in document.leftovers():
                        document.drop(thing)
                self._note(db, state, document, made)
            self._compact()
            try:
                folder.check()
                self._send(folder)
            except (Refused, OSError):
                return (Hindrance(member.folder, AWAY, ""),)
        return ()

    # Parts of a round

    def _publish(self) -> None:
        """What was written here since the last time, into the document and a file of ours."""
        with self._recording("settled") as (rec, member, document):
            if change_log.last_seq(rec.db) != member.cursor or self._loose_changed(
                rec.db, document
            ):
                _keep(rec.db, _moved(rec, self._published(rec, member, document)))

    def _published(
        self, rec: Recorder, member: Membership, document: Document, newer_only: bool = False
    ) -> Membership:
        """Brings the document to say all that the rows say; with `newer_only` not what it knows of
        a later time. What that settles in another way is written here too, so that the rows are
        always what the document shows."""
        db, now = rec.db, self._now()
        things = shared_rows.changed_things(db, member.cursor) if member.cursor >= 0 else None
        if things is None:
            things = shared_rows.all_things(db, document)
        with document.writing() as made:
            about = {"name": member.name, "key": self._held(member).public.hex()}
            if document.machines().get(member.machine) != about:
                document.introduce(member.machine, about)
            shared_rows.bury(db, document, now)
            shared_rows.publish(db, document, things, now, newer_only)
        if not newer_only:
            shared_rows.take_over(rec, document, document.affected)
        member = replace(member, cursor=change_log.last_seq(db))
        return self._note(db, member, document, made)

    def _loose_changed(self, db: Connection, document: Document) -> bool:
        return document.machine not in document.machines() or shared_rows.loose_differ(db, document)

    def _note(
        self, db: Connection, member: Membership, document: Document, made: list[bytes]
    ) -> Membership:
        """Keep an update of the document, with the file that tells the others of it."""
        if made:
            member = replace(member, counter=member.counter + 1)
            machines.append(db, made[0])
            message = SealedMessage(exchange.UPDATE, self._now(), _needs(db, member), made[0])
            machines.enqueue(db, member.counter, self._sealed(member, message))
            self._span = machines.document_span(db)
        _keep(db, member)
        return member

    def _compact(self) -> None:
        """All of the document as one update, here and in the folder: of what was deleted from it
        nothing is left."""
        with self._writing() as (db, member, document):
            state = document.state()
            member = replace(member, counter=member.counter + 1)
            machines.replace_document(db, state)
            machines.dequeue(db, member.counter, member.keys_at)
            message = SealedMessage(exchange.SNAPSHOT, self._now(), _needs(db, member), state)
            machines.enqueue(db, member.counter, self._sealed(member, message))
            vault_values.put(db, _SNAPSHOT, str(member.counter))
            self._span = machines.document_span(db)
            _keep(db, member)

    def _send(self, folder: SyncFolder) -> int:
        member, _ = self._member()
        with self.database.read() as db:
            waiting = machines.outbox(db)
            snapshot = int(vault_values.read(db, _SNAPSHOT) or 0)
        for counter, raw in waiting:
            folder.write(member.machine, counter, raw)
        if waiting:
            with self.database.write() as db:
                machines.dequeue(db, waiting[-1][0])
        if snapshot:
            folder.remove_before(member.machine, snapshot, member.keys_at)
        return len(waiting)

    def _receive(self, folder: SyncFolder) -> tuple[int, int, tuple[str, ...]]:
        read = changed = 0
        while not isinstance(found := self._next_file(folder), tuple):
            read += 1
            changed += self._apply(found)
        return read, changed, found

    def _next_file(self, folder: SyncFolder) -> _Arrived | tuple[str, ...]:
        """A file whose turn it is, or what keeps the rest waiting."""
        member, _ = self._member()
        keys = self._held(member)
        with self.database.read() as db:
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
                with self.database.write() as db:
                    machines.put(db, replace(row, waits=why))
            waits += [why] if why else []
        return tuple(waits)

    def _apply(self, arrived: _Arrived, rows: bool = True) -> int:
        """One file of another machine, in one transaction; how many things it changed. Without
        `rows` it goes into the document alone."""
        if arrived.message.kind == exchange.KEYS:
            self._take_keys(arrived)
            return 0
        with self._recording(self._name_of(arrived.machine)) as (rec, member, document):
            if rows and change_log.last_seq(rec.db) > member.cursor:  # somebody wrote meanwhile
                member = self._published(rec, member, document)
            touched = document.apply(arrived.message.data)
            if rows:
                shared_rows.take_over(rec, document, touched)
            machines.append(rec.db, arrived.message.data)
            self._span = machines.document_span(rec.db)
            if self._heard(rec.db, document, arrived):
                SyncFolder(Path(member.folder), member.folder_id).invite(member.machine, None)
            _keep(rec.db, _moved(rec, member))
            return rec.size

    def _heard(self, db: Connection, document: Document, arrived: _Arrived) -> bool:
        """Note the machines the document knows, and how far we have read them; whether there is
        one more now."""
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
            row, counter=arrived.counter, heard_at=self._now(), waits=""
        )
        for row in known.values():
            machines.put(db, row)
        return set(known) != before

    def _erase_here(self) -> None:
        """Erase what was erased elsewhere, and say so once nothing of it is left here."""
        with self.database.read() as db:
            member = _known_member(db)
            document = self._loaded(db, member)
            confirmed = document.confirmed()
            asked = {
                thing: by
                for thing, (_, by) in document.erased().items()
                if member.machine not in confirmed.get(thing, ())
            }
            left = document.leftovers()
        if not asked and not left:
            return
        with self.database.write() as db:
            erasures.bury(db, [thing for thing in asked if thing[0] in SORTS])
        # Also where nothing of it is a row here: it came with what was read, and is in the file.
        for by in sorted({*asked.values(), *([member.machine] if left else [])}):
            wanted = {thing for thing, who in asked.items() if who == by}
            wanted |= set(left) if by == member.machine else set()
            self.erasure().remove(_removal(wanted), actor=f"sync:{self._name_of(by)}")
        with self.database.read() as db:
            pending = [Removal.from_json(row.removal) for row in erasures.listed(db)]
        held = {thing for removal in pending for thing in removal.things}
        with self._writing() as (db, member, document):
            with document.writing() as made:
                for thing in asked:
                    if thing not in held:
                        document.confirm(thing, self._now())
            self._note(db, member, document, made)

    def _tidy(self, folder: SyncFolder) -> None:
        member, _ = self._member()
        folder.end_invitation(member.machine, INVITED_HOURS)
        with self.database.read() as db:
            first, last = machines.document_span(db)
            rows = machines.listed(db)
        if len(folder.files().get(member.machine, ())) > FILES_MOST or last - first > UPDATES_MOST:
            self._compact()
        readers = self._held(member).readers.get(member.epoch, ())
        removed = {row.id for row in rows if row.removed_at}
        remaining = sorted(row.id for row in rows if not row.removed_at)
        # Two machines were taken out at once, each by a key that the other still has.
        if removed & set(readers) and remaining[:1] == [member.machine]:
            self._change_locks()

    def _fork_if_behind(self, folder: SyncFolder) -> None:
        """A vault brought back from an old copy must not write files again that others have read:
        it goes on as another machine."""
        member, _ = self._member()
        written = folder.files().get(member.machine, [0])[-1]
        if written <= member.counter:
            return
        with self.database.write() as db:
            known = {row.id: row for row in machines.listed(db)}
            row = known.get(member.machine, MachineRow(member.machine, member.name, b""))
            machines.put(db, replace(row, counter=member.counter))
            machines.dequeue(db, member.counter)
            vault_values.delete(db, _SNAPSHOT)
            _keep(db, replace(member, machine=exchange.new_machine(), counter=0, cursor=-1))
        held = self._held(member)
        self._forget()
        self._hold(self._member()[0], held)
        self._publish()

    # Keys

    def _change_locks(self, removed: str = "") -> None:
        """Another key for what is written from now on, given to all who still take part."""
        member, _ = self._member()
        keys = self._held(member)
        with self.database.read() as db:
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
        self._hold(member, keys.with_epoch(epoch, secret, readers))
        with self._writing() as (db, now_member, _):
            counter = now_member.counter + 1
            message = SealedMessage(exchange.KEYS, self._now(), _needs(db, now_member), about=about)
            machines.enqueue(
                db, counter, self._sealed(replace(now_member, counter=counter), message)
            )
            for row in rows:
                if row.id in gone and not row.removed_at:
                    machines.put(db, replace(row, removed_at=self._now()))
            keys_at = (*now_member.keys_at, counter)
            _keep(db, replace(now_member, counter=counter, epoch=epoch, keys_at=keys_at))
        # Nothing that was sealed before needs to be read by whoever stays.
        self._compact()

    def _take_keys(self, arrived: _Arrived) -> None:
        member, _ = self._member()
        about = arrived.message.about
        keys, epoch = self._held(member), str(about["epoch"])
        given = about["sealed"].get(member.machine)
        if given:
            secret = exchange.unsealed(keys.private, given)
            self._hold(member, keys.with_epoch(epoch, secret, tuple(about["readers"])))
        with self.database.write() as db:
            member = _known_member(db)
            out = member.machine in about["removed"]
            for row in machines.listed(db):
                if row.id == arrived.machine and row.counter + 1 == arrived.counter:
                    row = replace(row, counter=arrived.counter, heard_at=self._now())
                if row.id in about["removed"] and not row.removed_at:
                    row = replace(row, removed_at=arrived.message.at)
                machines.put(db, row)
            if given or out:
                epoch = epoch if given else member.epoch
                _keep(db, replace(member, epoch=epoch, removed=out))
        if out:
            raise Refused(REMOVED)

    def _held(self, member: Membership) -> Keyring:
        if self._keys is None:
            kept = self.secrets().read(_secret_name(member))
            if kept is None:
                raise Refused(
                    "The keys of this machine are not here: the vault was paired on another "
                    "computer, or its keyring is locked. keepsake sync leave forgets the pairing; "
                    "then join again."
                )
            self._keys = Keyring.from_json(kept)
        return self._keys

    def _hold(self, member: Membership, keys: Keyring) -> None:
        self.secrets().keep(_secret_name(member), keys.to_json())
        self._keys = keys

    def _sealed(self, member: Membership, message: SealedMessage) -> bytes:
        keys = self._held(member)
        return exchange.sealed(message, keys, member.epoch, member.machine, member.counter)

    # The document and where we stand

    def _enter(self, folder: SyncFolder, keys: Keyring, name: str) -> None:
        name = clean_hook(name or platform.node() or "this machine")
        epoch = list(keys.epochs)[-1]
        member = Membership(str(folder.path), folder.ident, exchange.new_machine(), name, epoch)
        self._hold(member, keys)
        with self.database.write() as db:
            machines.clear(db)
            vault_values.delete(db, _SNAPSHOT)
            machines.put(db, MachineRow(member.machine, name, keys.public, heard_at=self._now()))
            _keep(db, member)
        self._document = None

    def _read_first(self, folder: SyncFolder) -> tuple[int, int]:
        """What is shared comes in before anything of ours goes out, so that what both have is
        compared and not written twice: of one memory the later writing stands, the other is in
        its history. How many files were read, and changes made."""
        read = 0
        with self._turn:
            while isinstance(found := self._next_file(folder), _Arrived):
                self._apply(found, rows=False)
                read += 1
            with self._recording("joined") as (rec, member, document):
                member = self._published(rec, member, document, newer_only=True)
                shared_rows.take_over(rec, document, document.things)
                _keep(rec.db, _moved(rec, member))
            return read, rec.size

    def _member(self) -> tuple[Membership, SyncFolder]:
        member = self.membership
        if member is None:
            raise Refused(
                "This vault is not shared with other machines. keepsake sync add FOLDER begins it, "
                "keepsake sync join FOLDER takes part in what another machine began."
            )
        return member, SyncFolder(Path(member.folder), member.folder_id)

    def _not_yet_member(self) -> None:
        if (member := self.membership) is not None:
            raise Invalid(
                f"This vault is shared through {member.folder} already. keepsake sync leave ends "
                "that."
            )

    @contextmanager
    def _writing(self) -> Iterator[tuple[Connection, Membership, Document]]:
        with self._fresh_on_failure(), self.database.write() as db:
            member = _known_member(db)
            yield db, member, self._loaded(db, member)

    @contextmanager
    def _recording(self, who: str) -> Iterator[tuple[Recorder, Membership, Document]]:
        """A transaction that may change memories, as changes of `sync:<who>`."""
        recording = change_log.recording(
            self.database, actor=f"sync:{who}", action="synced", clock=self.clock
        )
        with self._fresh_on_failure(), recording as rec:
            member = _known_member(rec.db)
            yield rec, member, self._loaded(rec.db, member)

    @contextmanager
    def _fresh_on_failure(self) -> Iterator[None]:
        """What was written into the document in a transaction that failed is not in the vault."""
        try:
            yield
        except BaseException:
            self._document = None
            raise

    def _loaded(self, db: Connection, member: Membership) -> Document:
        """The document with all that any process of this machine put into it."""
        first, last = machines.document_span(db)
        known = self._document
        if known is None or known.machine != member.machine or first != self._span[0]:
            rows = machines.document(db)
            self._document = Document(member.machine, [data for _, data in rows])
        elif last != self._span[1]:
            for _, data in machines.document(db, self._span[1]):
                known.apply(data)
        self._span = (first, last)
        assert self._document is not None
        return self._document

    def _forget(self) -> None:
        self._document, self._keys, self._span = None, None, (0, 0)

    def _name_of(self, machine: str) -> str:
        with self.database.read() as db:
            return next((row.name for row in machines.listed(db) if row.id == machine), machine)

    def _signs(self, member: Membership) -> tuple[object, ...]:
        """What changes when there may be something to do: cheap to look at."""
        with self.database.read() as db:
            seq = change_log.last_seq(db)
        try:
            names = tuple(sorted(path.name for path in Path(member.folder).iterdir()))
        except OSError:
            names = ()
        return seq == member.cursor, seq, names

    def _hours_since(self, at: Instant) -> float:
        return (self.clock() - from_instant(at)).total_seconds() / 3600

    def _now(self) -> Instant:
        return to_instant(self.clock())


class SharedVault(Protocol):
    """What is asked of a vault."""

    path: Path
    database: Database
    clock: Clock

    @property
    def erasure(self) -> Erasure: ...


def machines_of(vault: SharedVault, secrets: SecretStore | None = None) -> Machines:
    return Machines(
        vault.database,
        vault.clock,
        lambda: secrets or open_secrets(vault.path.parent),
        lambda: vault.erasure,
    )


def _membership(db: Connection) -> Membership | None:
    text = vault_values.read(db, machines.MEMBERSHIP)
    if not text:
        return None
    told = json.loads(text)
    return Membership(**{**told, "keys_at": tuple(told["keys_at"])})


def _known_member(db: Connection) -> Membership:
    member = _membership(db)
    if member is None:
        raise Refused("This vault was taken out of the folder it was shared through.")
    return member


def _moved(rec: Recorder, member: Membership) -> Membership:
    """Past what was just recorded: it is in the document already."""
    return replace(member, cursor=rec.group + rec.size - 1) if rec.size else member


def _keep(db: Connection, member: Membership) -> None:
    vault_values.put(db, machines.MEMBERSHIP, json.dumps(asdict(member)))


def _secret_name(member: Membership) -> str:
    return f"sync:{member.folder_id}:{member.machine}"


def _needs(db: Connection, member: Membership) -> dict[str, int]:
    return {
        row.id: row.counter
        for row in machines.listed(db)
        if row.id != member.machine and row.counter
    }


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
