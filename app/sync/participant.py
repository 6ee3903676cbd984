"""This machine as one of those that share one memory: where it takes part, its keys, its copy of
the shared document, and the transactions in which document, rows and the place in the log move
together."""

from __future__ import annotations

import json
import platform
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from app.access.secret_store import SecretStore
from app.errors import Refused
from app.rules.fields import clean_hook
from app.sync import exchange
from app.sync.document import Document
from app.sync.exchange import Keyring, SealedMessage, SyncFolder
from store.file.database import Connection, Database
from store.instants import Clock, Instant, to_instant
from store.tables import change_log, machines, vault_values
from store.tables.change_log import Recorder
from store.tables.machines import MachineRow

SNAPSHOT_AT = "sync_snapshot"  # under which the number of our last whole file is kept


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


@dataclass(slots=True)
class Participant:
    """`secrets` holds this machine's keys; they are never in the vault nor in the folder. `turn` is
    held by who uses the document."""

    database: Database
    clock: Clock
    secrets: Callable[[], SecretStore]
    document: Document | None = None
    span: tuple[int, int] = (0, 0)  # the first and last update in the document
    turn: AbstractContextManager[object] = field(default_factory=threading.RLock)
    _keys: Keyring | None = None

    @property
    def membership(self) -> Membership | None:
        with self.database.read() as db:
            return membership_in(db)

    def member(self) -> tuple[Membership, SyncFolder]:
        """Returns as whom this vault takes part, and the folder. Raises Refused where it does
        not."""
        member = self.membership
        if member is None:
            raise Refused(
                "This vault is not shared with other machines. keepsake sync add FOLDER begins it, "
                "keepsake sync join FOLDER takes part in what another machine began."
            )
        return member, SyncFolder(Path(member.folder), member.folder_id)

    def enter(self, folder: SyncFolder, keys: Keyring, name: str) -> None:
        """Makes this vault take part from now on, as a new machine of that name."""
        name = clean_hook(name or platform.node() or "this machine")
        epoch = list(keys.epochs)[-1]
        member = Membership(str(folder.path), folder.ident, exchange.new_machine(), name, epoch)
        self.hold(member, keys)
        with self.database.write() as db:
            machines.clear(db)
            vault_values.delete(db, SNAPSHOT_AT)
            machines.put(db, MachineRow(member.machine, name, keys.public, heard_at=self.now()))
            keep(db, member)
        self.document = None

    def quit(self, member: Membership) -> None:
        """Makes it take part no more; what is in the vault stays."""
        with self.database.write() as db:
            machines.clear(db)
            vault_values.delete(db, machines.MEMBERSHIP)
        self.secrets().drop(_secret_name(member))
        self.forget()

    def forget(self) -> None:
        """Drops what is held in memory: the vault says it anew."""
        self.document, self._keys, self.span = None, None, (0, 0)

    def name_of(self, machine: str) -> str:
        with self.database.read() as db:
            return next((row.name for row in machines.listed(db) if row.id == machine), machine)

    def now(self) -> Instant:
        return to_instant(self.clock())

    # Keys

    def held(self, member: Membership) -> Keyring:
        """Returns the keys of this machine. Raises Refused where they are not kept here."""
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

    def hold(self, member: Membership, keys: Keyring) -> None:
        """Keeps the keys where secrets are kept."""
        self.secrets().keep(_secret_name(member), keys.to_json())
        self._keys = keys

    def sealed(self, member: Membership, message: SealedMessage) -> bytes:
        keys = self.held(member)
        return exchange.sealed(message, keys, member.epoch, member.machine, member.counter)

    # The document

    @contextmanager
    def writing(self) -> Iterator[tuple[Connection, Membership, Document]]:
        """Opens a transaction that changes the document, and no memory."""
        with self._fresh_on_failure(), self.database.write() as db:
            member = known_member(db)
            yield db, member, self.loaded(db, member)

    @contextmanager
    def recording(self, who: str) -> Iterator[tuple[Recorder, Membership, Document]]:
        """Opens a transaction that may change memories, as changes of `sync:<who>`."""
        recording = change_log.recording(
            self.database, actor=f"sync:{who}", action="synced", clock=self.clock
        )
        with self._fresh_on_failure(), recording as rec:
            member = known_member(rec.db)
            yield rec, member, self.loaded(rec.db, member)

    @contextmanager
    def _fresh_on_failure(self) -> Iterator[None]:
        """What was written into the document in a transaction that failed is not in the vault."""
        try:
            yield
        except BaseException:
            self.document = None
            raise

    def loaded(self, db: Connection, member: Membership) -> Document:
        """Returns the document with all that any process of this machine put into it."""
        first, last = machines.document_span(db)
        known = self.document
        if known is None or known.machine != member.machine or first != self.span[0]:
            rows = machines.document(db)
            self.document = Document(member.machine, [data for _, data in rows])
        elif last != self.span[1]:
            for _, data in machines.document(db, self.span[1]):
                known.apply(data)
        self.span = (first, last)
        assert self.document is not None
        return self.document

    def note(
        self, db: Connection, member: Membership, document: Document, made: list[bytes]
    ) -> Membership:
        """Keeps an update of the document, with the file that tells the others of it."""
        if made:
            member = replace(member, counter=member.counter + 1)
            machines.append(db, made[0])
            message = SealedMessage(exchange.UPDATE, self.now(), needs(db, member), made[0])
            machines.enqueue(db, member.counter, self.sealed(member, message))
            self.span = machines.document_span(db)
        keep(db, member)
        return member

    def compact(self) -> None:
        """Keeps all of the document as one update, here and in the folder: of what was deleted
        from it nothing is left."""
        with self.writing() as (db, member, document):
            state = document.state()
            member = replace(member, counter=member.counter + 1)
            machines.replace_document(db, state)
            machines.dequeue(db, member.counter, member.keys_at)
            message = SealedMessage(exchange.SNAPSHOT, self.now(), needs(db, member), state)
            machines.enqueue(db, member.counter, self.sealed(member, message))
            vault_values.put(db, SNAPSHOT_AT, str(member.counter))
            self.span = machines.document_span(db)
            keep(db, member)


def membership_in(db: Connection) -> Membership | None:
    text = vault_values.read(db, machines.MEMBERSHIP)
    if not text:
        return None
    kept = json.loads(text)
    return Membership(**{**kept, "keys_at": tuple(kept["keys_at"])})


def known_member(db: Connection) -> Membership:
    member = membership_in(db)
    if member is None:
        raise Refused("This vault was taken out of the folder it was shared through.")
    return member


def moved(rec: Recorder, member: Membership) -> Membership:
    """Moves the cursor past what was just recorded: it is in the document already."""
    return replace(member, cursor=rec.group + rec.size - 1) if rec.size else member


def keep(db: Connection, member: Membership) -> None:
    vault_values.put(db, machines.MEMBERSHIP, json.dumps(asdict(member)))


def _secret_name(member: Membership) -> str:
    return f"sync:{member.folder_id}:{member.machine}"


def needs(db: Connection, member: Membership) -> dict[str, int]:
    """Returns how far every other machine was read: what a file of ours builds on."""
    return {
        row.id: row.counter
        for row in machines.listed(db)
        if row.id != member.machine and row.counter
    }
