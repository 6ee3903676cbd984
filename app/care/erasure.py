"""Erase: remove memories for good, and say in a receipt what went and from where."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from app.care.backups import Backups
from app.entries.entries import found
from store.care import erasure as bytes_
from store.care import origin_erasure, scope_erasure
from store.care.backups import discard_leftovers
from store.care.erasure import Removal
from store.file.database import Connection, Database
from store.ids import IdMaker
from store.instants import Clock, Instant, to_instant
from store.records import OWNER, Scope
from store.tables.change_log import Recorder, recording

# Removes what other parts keep outside the vault (mirrored files); gives back what it removed.
Outside = Callable[[Sequence[str]], dict[str, int]]


@dataclass(frozen=True, slots=True)
class Receipt:
    """`done`: the bytes are gone from every file. `pending`: a reader still holds old pages; the
    next upkeep finishes it."""

    id: str
    at: Instant
    what: str
    state: str
    removed: dict[str, int]
    backups_cleaned: int
    vacuumed: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Extent:
    """What an erase would take: shown before it is confirmed."""

    what: str
    entries: int
    blocks: int = 0
    conversations: int = 0
    turns: int = 0
    proposals: int = 0
    versions: int = 0
    backups: int = 0
    origins: int = 0  # turns and messages they were learned from: they go when asked for
    messages: int = 0

    @property
    def empty(self) -> bool:
        """Whether there is nothing to take."""
        return not (
            self.entries or self.blocks or self.conversations or self.proposals or self.messages
        )


@dataclass(slots=True)
class Erasure:
    database: Database
    clock: Clock
    ids: IdMaker
    backups: Backups
    outside: list[Outside] = field(default_factory=list)

    # Beforehand

    def extent(self, idents: Sequence[str] = (), scope: Scope | None = None) -> Extent:
        """What erasing these entries, this scope, or (neither given) everything would take."""
        with self.database.read() as db:
            if idents:
                among = "id IN (SELECT value FROM json_each(:ids))"
                what = f"{len(idents)} {'memory' if len(idents) == 1 else 'memories'}"
                return self._extent(db, what, among, {"ids": json.dumps(list(idents))})
            if scope is not None:
                within = json.dumps(scope_erasure.scopes_within(db, str(scope)))
                values = {"scope": str(scope), "scopes": within}
                among = "scope IN (SELECT value FROM json_each(:scopes))"
                return self._extent(db, str(scope), among, values)
            return self._extent(db, "everything", "1", {})

    def _extent(self, db: Connection, what: str, where: str, values: dict[str, str]) -> Extent:
        def number(sql: str) -> int:
            return int(db.execute(sql, values).fetchone()[0])

        entries = number(f"SELECT count(*) FROM entries WHERE {where}")
        whole = not where.startswith("id IN")
        kind, _, ident = values.get("scope", "").partition(":")
        mine = {"agent": "agent_id = :ident", "conversation": "id = :ident"}.get(kind, "0")
        talks = mine if "scope" in values else "1" if whole else "0"
        heard = talks if kind != "conversation" else "0"
        values = {**values, "ident": ident}
        return Extent(
            what=what,
            entries=entries,
            blocks=number(f"SELECT count(*) FROM blocks WHERE {where}") if whole else 0,
            conversations=number(f"SELECT count(*) FROM conversations WHERE {talks}"),
            turns=number(
                f"""SELECT count(*) FROM turns WHERE conversation_id IN
                    (SELECT id FROM conversations WHERE {talks})"""
            ),
            proposals=number(f"SELECT count(*) FROM proposals WHERE {where}")
            if whole
            else number(
                "SELECT count(*) FROM proposals WHERE thing_id IN "
                "(SELECT value FROM json_each(:ids))"
            ),
            versions=number(
                f"""SELECT count(*) FROM changes WHERE thing_id IN
                    (SELECT id FROM entries WHERE {where})"""
            ),
            backups=len(self.backups.list()),
            origins=0 if whole else origin_erasure.count_origins(db, json.loads(values["ids"])),
            messages=number(f"SELECT count(*) FROM channel_messages WHERE {heard}"),
        )

    # Doing it

    def erase(self, idents: Sequence[str], *, actor: str = OWNER, said: bool = False) -> Receipt:
        """Remove these entries, trashed ones too, and everything derived from or said of them.

        `said`: also the turns and channel messages they were learned from."""
        idents = list(dict.fromkeys(idents))
        with self._recording(actor) as rec:
            scopes = {ident: found(rec.db, ident).scope for ident in idents}
            texts = bytes_.texts_of(rec.db, idents)
            if said:
                texts += origin_erasure.origin_texts(rec.db, idents)
            left = 0 if said else origin_erasure.count_origins(rec.db, idents)
            pieces, thorough = bytes_.needles(texts), not bytes_.can_look_for(texts)
            removal = Removal(tuple(idents), said)
            removed = Counter(bytes_.remove(rec.db, removal))
            if removed["session lines"]:
                for ident, scope in origin_erasure.summaries(rec.db, scopes.values()):
                    rec.add("erased", "block", ident, scope)
            for ident, scope in scopes.items():
                rec.add("erased", "entry", ident, scope)
        what = f"{len(idents)} {'memory' if len(idents) == 1 else 'memories'}"
        receipt = self._settled(what, removed, removal, pieces, thorough)
        if not left:
            return receipt
        stays = " What was said where it was learned is still in its conversation or channel."
        return replace(receipt, sentence=receipt.sentence + stays)

    def wipe(self, scope: Scope | None, *, actor: str = OWNER) -> Receipt:
        """Erase a whole scope, or with None all memory of the vault."""
        with self._recording(actor) as rec:
            if scope is None:
                removal = Removal(tuple(_ids(rec.db)))
                removed = Counter(bytes_.remove_everything(rec.db))
                rec.add("erased", "vault", "vault", "user")
            else:
                removal = Removal(
                    tuple(scope_erasure.entries_within(rec.db, str(scope))), scope=str(scope)
                )
                removed = self._wipe_scope(rec, scope, removal)
        return self._settled(str(scope or "everything"), removed, removal, whole=scope is None)

    def finish_pending(self) -> int:
        """Complete what a reader had kept from completing; how many receipts are done now."""
        with self.database.read() as db:
            waiting = db.execute("SELECT count(*) FROM pending_erasures").fetchone()[0]
        if not waiting or not bytes_.settle(self.database, thorough=True).truncated:
            return 0
        with self.database.write() as db:
            db.execute("DELETE FROM pending_erasures")
        bytes_.checkpoint(self.database)
        return int(waiting)

    def pending(self) -> list[str]:
        with self.database.read() as db:
            rows = db.execute("SELECT receipt FROM pending_erasures ORDER BY at").fetchall()
        return [row[0] for row in rows]

    # Parts

    def _recording(self, actor: str) -> AbstractContextManager[Recorder]:
        return recording(
            self.database, actor=actor, action="erased", clock=self.clock, frees_room=True
        )

    def _wipe_scope(self, rec: Recorder, scope: Scope, removal: Removal) -> Counter[str]:
        held = scope_erasure.held(rec.db, str(scope))
        removed = Counter(bytes_.remove(rec.db, removal))
        for thing, idents in (
            ("entry", removal.entries),
            ("block", held["blocks"]),
            ("conversation", held["conversations"]),
        ):
            for ident in idents:
                rec.add("erased", thing, ident, scope)
        return removed

    def _settled(
        self,
        what: str,
        removed: Counter[str],
        removal: Removal,
        pieces: Sequence[bytes] = (),
        thorough: bool = True,
        *,
        whole: bool = False,
    ) -> Receipt:
        for outside in self.outside:
            removed += Counter(outside(removal.entries))
        discard_leftovers(self.database.path)
        cleaned = self.backups.delete_all() if whole else self.backups.purge(removal)
        settled = bytes_.settle(self.database, pieces, thorough)
        state = "done" if settled.clean else "pending"
        sentence = (
            "Gone from the vault, its log and its backups."
            if settled.clean
            else "Gone from sight; another program still reads an old copy. The next upkeep "
            "finishes it, or run keepsake upkeep when that program is closed."
        )
        receipt = Receipt(
            self.ids(),
            to_instant(self.clock()),
            what,
            state,
            dict(removed),
            cleaned,
            settled.vacuumed,
            sentence,
        )
        if not settled.clean:
            self._remember(receipt)
        return receipt

    def _remember(self, receipt: Receipt) -> None:
        with self.database.write() as db:
            db.execute(
                "INSERT INTO pending_erasures (id, at, receipt) VALUES (:id, :at, :receipt)",
                {"id": receipt.id, "at": receipt.at, "receipt": receipt.what},
            )


def _ids(db: Connection) -> list[str]:
    return [row[0] for row in db.execute("SELECT id FROM entries").fetchall()]
