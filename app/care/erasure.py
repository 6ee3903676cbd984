"""Erase: remove memories for good, and say in a receipt what went and from where."""

from __future__ import annotations

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
from store.file.database import Database
from store.instants import Clock, Instant, to_instant
from store.records import OWNER, IdMaker, Scope
from store.tables import pending_erasures
from store.tables.change_log import Recorder, recording

# Removes what other parts keep outside the vault (mirrored files); gives back what it removed.
Outside = Callable[[Sequence[str]], dict[str, int]]


@dataclass(frozen=True, slots=True)
class Receipt:
    """`done`: the bytes are gone from every file but the `unsearched`, damaged vaults that were
    kept. `pending`: a reader still holds old pages; the next upkeep finishes it."""

    id: str
    at: Instant
    what: str
    state: str
    removed: dict[str, int]
    backups_cleaned: int
    vacuumed: bool
    sentence: str
    unsearched: tuple[str, ...] = ()  # paths


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
            backups = len(self.backups.list())
            if idents:
                what = f"{len(idents)} {'memory' if len(idents) == 1 else 'memories'}"
                counts = bytes_.counts_of_entries(db, idents)
                origins = origin_erasure.count_origins(db, idents)
                return Extent(what=what, **counts, backups=backups, origins=origins)
            what = "everything" if scope is None else str(scope)
            return Extent(what=what, **bytes_.counts_in(db, scope), backups=backups, origins=0)

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
                removal = Removal(tuple(bytes_.entry_ids(rec.db)))
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
            waiting = pending_erasures.count(db)
        if not waiting or not bytes_.settle(self.database, thorough=True).truncated:
            return 0
        with self.database.write() as db:
            pending_erasures.clear(db)
        bytes_.checkpoint(self.database)
        return waiting

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
        unsearched = tuple(map(str, self.backups.purge_damaged(None if whole else removal)))
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
            sentence + _unsearched_in_words(unsearched),
            unsearched,
        )
        if not settled.clean:
            self._remember(receipt)
        return receipt

    def _remember(self, receipt: Receipt) -> None:
        with self.database.write() as db:
            pending_erasures.add(db, receipt.id, receipt.at, receipt.what)


def _unsearched_in_words(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    which = "a damaged vault that was" if len(paths) == 1 else "damaged vaults that were"
    return (
        f" It may still be in {', '.join(paths)}: {which} kept and cannot be looked into. "
        "Remove what you do not need any more."
    )
