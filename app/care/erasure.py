"""Erase: remove memories for good, and say in a receipt what went and from where.

It is a job with a journal. The transaction that deletes the rows notes what is left to do, by id
and without a word of memory: mirrored files, backups, the file itself. Each step can be repeated;
whatever cuts the job short, the next start and every upkeep go on with it. Until all is done the
receipt says `pending`, and what hinders it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace

from app.care import copies as other_files
from app.care.backups import Backups
from app.care.copies import CopyToClean, FoundCopy, Sweep
from app.errors import NotFound
from app.rules.visibility import never_told, parse_muted_tags
from store.care import erasure as bytes_
from store.care import origin_erasure, purge
from store.care.backups import discard_leftovers
from store.care.pieces import Marks, Sought, Traces
from store.care.removal import Removal, born_and_scopes, scopes_of, widened
from store.errors import KeepsakeError
from store.file import locks
from store.file.database import Connection, Database, engine
from store.instants import Clock, Instant
from store.records import OWNER, IdMaker, Scope
from store.tables import entries, erasures, machines, mirrors, settings
from store.tables.change_log import Recorder, recording
from store.tables.erasures import (
    BACKUPS,
    BUSY,
    COPIES,
    FILE,
    FILES,
    FULL,
    MACHINES,
    OTHER,
    READ_ONLY,
    READER,
    WORDS,
    ErasedFile,
    ErasureRow,
    HandedOut,
    Hindrance,
    MirroredFile,
)

__all__ = [
    "Erasure",
    "Extent",
    "FilesErased",
    "HandedOut",
    "Hindrance",
    "Receipt",
    "Removal",
]

_WAIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class FilesErased:
    """What became of mirrored files. `unmirrored`: folders that are no longer mirrored and may
    hold some still."""

    removed: int = 0
    left: tuple[MirroredFile, ...] = ()
    hindrances: tuple[Hindrance, ...] = ()
    unmirrored: tuple[str, ...] = ()


# Removes the mirrored files of erased entries: those named, and what a round that was under way
# wrote of these ids since.
EraseFiles = Callable[[Sequence[MirroredFile], Sequence[str]], FilesErased]


@dataclass(frozen=True, slots=True)
class Receipt:
    """`done`: the bytes are gone from every file but the `unsearched`, which could not be looked
    into. `pending`: the `hindrances` keep it from being done; every upkeep tries again."""

    id: str
    at: Instant
    what: str
    state: str
    removed: dict[str, int]
    backups_cleaned: int
    vacuumed: bool
    sentence: str
    unsearched: tuple[str, ...] = ()  # paths
    hindrances: tuple[Hindrance, ...] = ()
    said_stays: bool = False  # the turns it was learned from are still there
    handed_out: tuple[HandedOut, ...] = ()  # copies that no erase reaches
    # What was looked for outside the vault before, the files it was taken out of, and those that
    # say it still.
    sweep: Sweep | None = None
    copies_removed: tuple[str, ...] = ()
    copies_left: tuple[FoundCopy, ...] = ()


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
    handed_out: tuple[HandedOut, ...] = ()  # copies that no erase reaches

    @property
    def empty(self) -> bool:
        """Whether there is nothing to take."""
        return not (
            self.entries
            or self.blocks
            or self.conversations
            or self.proposals
            or self.messages
            or self.versions
        )


@dataclass(frozen=True, slots=True)
class _Job:
    """`pieces`: what to look for; None when nobody knows it any more (an erase that was begun by an
    earlier Keepsake). `hindered`: what came in the
    way in this run."""

    row: ErasureRow
    pieces: Sought | None
    hindered: tuple[Hindrance, ...] = ()
    unsearched: tuple[str, ...] = ()

    @property
    def removal(self) -> Removal:
        return Removal.from_json(self.row.removal)


@dataclass(slots=True)
class Erasure:
    """`erase_files` and `erase_shared` are asked for what other parts keep outside the vault."""

    database: Database
    clock: Clock
    ids: IdMaker
    backups: Backups
    erase_files: EraseFiles = lambda files, idents: FilesErased(left=tuple(files))
    # What the owner's other machines share: it goes from there, and they are told.
    erase_shared: Callable[[Removal], Sequence[Hindrance]] = lambda removal: ()
    elsewhere: Callable[[], str] = lambda: ""  # a sentence about them
    # Writes anew the files that hold memories as the vault has them; the folders that are away and
    # may hold one of these entries still.
    refresh_written: Callable[[Sequence[str]], Sequence[str]] = lambda idents: ()

    # Beforehand

    def extent(
        self,
        idents: Sequence[str] = (),
        scope: Scope | None = None,
        removal: Removal | None = None,
    ) -> Extent:
        """What erasing these entries, this scope, this removal, or (none given) everything would
        take."""
        removal = removal or _asked(idents, scope)
        with self.database.read() as db:
            held = widened(db, removal)
            return Extent(
                what=in_words(removal),
                **bytes_.counts_of(db, removal),
                backups=len(self.backups.list()),
                origins=0 if held != removal else origin_erasure.count_origins(db, held.entries),
                handed_out=tuple(_handed_out(db, held)),
            )

    # Doing it

    def erase(self, idents: Sequence[str], *, actor: str = OWNER, said: bool = False) -> Receipt:
        """Remove these entries, trashed ones too, and everything derived from or said of them.

        `said`: also the turns and channel messages they were learned from."""
        return self.remove(Removal(tuple(dict.fromkeys(idents)), said=said), actor=actor)

    def wipe(self, scope: Scope | None, *, actor: str = OWNER) -> Receipt:
        """Erase a whole scope, or with None all memory of the vault."""
        return self.remove(_asked((), scope), actor=actor)

    def remove(
        self, removal: Removal, *, actor: str = OWNER, copies: Sequence[CopyToClean] = ()
    ) -> Receipt:
        """Erase what the removal names, and from these files. It can be asked again: what is gone
        already is looked for once more. Raises NotFound for what never was."""
        with self._recording(actor) as rec:
            finish = self.begun(rec, removal, copies)
        return finish()

    def begun(
        self, rec: Recorder, removal: Removal, clean: Sequence[CopyToClean] = ()
    ) -> Callable[[], Receipt]:
        """The deleting half, in somebody's transaction: rows go, and what is left to do is noted.
        Call what is returned once that is committed."""
        held = widened(rec.db, removal)
        scopes = _checked(rec.db, held)
        stays = (
            removal == held
            and not removal.said
            and origin_erasure.count_origins(rec.db, held.entries) > 0
        )
        copies = tuple(_handed_out(rec.db, held))
        pieces = purge.pieces_of(rec.db, held)
        files = _buried_files(rec.db, held)
        again = [
            row for row in erasures.listed(rec.db) if _same(Removal.from_json(row.removal), held)
        ]
        others = [one.to_json() for one in clean]
        for row in again:
            files += [file for file in row.files if file not in files]
            others += row.copies
            erasures.delete(rec.db, row.id)
        muted = _muted(rec.db, held.entries)
        removed = purge.purge(rec.db, held)
        if removed.get("session lines"):
            entry_scopes = [scopes["entry", ident] for ident in held.entries]
            for ident, scope in origin_erasure.summaries(rec.db, entry_scopes):
                rec.add("erased", "block", ident, scope)
        _log_and_bury(rec, held, scopes, muted)
        steps = _steps(rec.db, bool(files or held.entries), bool(others))
        known = tuple(backup.path.name for backup in self.backups.list())
        before = [one for row in again for one in Traces.from_json(row.traces).marks]
        traces = Traces((Marks.of(pieces), *before))
        row = ErasureRow(
            self.ids(),
            rec.now,
            held.to_json(),
            dict(removed),
            tuple(files),
            known,
            steps,
            traces=traces.to_json(),
            copies=others,
        )
        erasures.put(rec.db, row)
        job = _Job(row, _sought(row) if again else pieces)
        return lambda: replace(
            self._receipt(self._finished(job), in_words(removal), stays), handed_out=copies
        )

    def pending(self) -> list[Receipt]:
        """Erasures that are not done yet, oldest first, and what hindered them last."""
        with self.database.read() as db:
            rows = erasures.listed(db)
        return [self._receipt(_Job(row, None, row.hindrances), _named(row), False) for row in rows]

    def resume(self) -> list[Receipt]:
        """Go on with every erasure that is not done; how each stands now."""
        with self.database.read() as db:
            rows = erasures.listed(db)
        return [
            self._receipt(self._finished(_Job(row, _sought(row))), _named(row), False)
            for row in rows
        ]

    # The steps that can be repeated

    def _finished(self, job: _Job) -> _Job:
        hold = locks.erasing(self.database.path, _WAIT_SECONDS)
        if hold is None:
            return replace(job, hindered=(Hindrance(str(self.database.path), BUSY),))
        asked = job.row.steps
        with closing(hold):
            for step, work in (
                (MACHINES, self._clean_shared),
                (COPIES, self._clean_copies),  # before a mirrored folder is read again
                (FILES, self._clean_files),
                (BACKUPS, self._clean_backups),
                (FILE, self._clean_file),
            ):
                if step in job.row.steps:
                    job = self._stepped(job, step, work)
            if job.row.steps == () and FILE not in asked:
                # While a folder was out of reach the vault may have taken words in from it.
                job = self._stepped(job, FILE, self._clean_file)
            return self._noted(job)

    def _stepped(self, job: _Job, step: str, work: Callable[[_Job], _Job]) -> _Job:
        before = len(job.hindered)
        try:
            job = work(job)
        except (KeepsakeError, OSError, engine.Error) as error:
            job = replace(job, hindered=(*job.hindered, self._hindrance(error)))
        if len(job.hindered) > before:
            return job
        left = tuple(one for one in job.row.steps if one != step)
        job = replace(job, row=replace(job.row, steps=left))
        return job if step == FILE else self._noted(job)

    def _noted(self, job: _Job) -> _Job:
        """Write down how far it is; nothing is left of it once it is done."""
        row = replace(job.row, hindrances=job.hindered)
        try:
            with self.database.write(frees_room=True) as db:
                if row.steps:
                    erasures.put(db, row)
                else:
                    erasures.delete(db, row.id)
            if not row.steps:
                bytes_.checkpoint(self.database)  # the marks of its words go from the log too
        except (KeepsakeError, OSError, engine.Error) as error:
            # It is done again from the last step that was noted.
            return replace(job, hindered=(*job.hindered, self._hindrance(error)))
        return replace(job, row=row)

    def _clean_shared(self, job: _Job) -> _Job:
        return replace(job, hindered=(*job.hindered, *self.erase_shared(job.removal)))

    def _clean_files(self, job: _Job) -> _Job:
        done = self.erase_files(job.row.files, job.removal.entries)
        away = self.refresh_written(job.removal.entries)
        removed = Counter(job.row.removed)
        removed["mirrored files"] += done.removed
        return replace(
            job,
            row=replace(job.row, files=done.left, removed=dict(+removed)),
            hindered=(*job.hindered, *done.hindrances),
            unsearched=(*job.unsearched, *done.unmirrored, *away),
        )

    def _clean_copies(self, job: _Job) -> _Job:
        """The files of others that the person chose."""
        left, hindered, removed = [], [], Counter(job.row.removed)
        for place, value in enumerate(job.row.copies):
            copy = CopyToClean.from_json(value)

            def note(number: int, place: int = place, copy: CopyToClean = copy) -> None:
                job.row.copies[place] = replace(copy, going=number).to_json()
                self._noted(job)

            try:
                removed["copies"] += other_files.clean(copy, note)
            except (KeepsakeError, OSError) as error:
                left.append(value)
                hindered.append(bytes_.hindrance(copy.path, error))
        row = replace(job.row, copies=left, removed=dict(+removed))
        return replace(job, row=row, hindered=(*job.hindered, *hindered))

    def _clean_backups(self, job: _Job) -> _Job:
        discard_leftovers(self.database.path)
        cleaned, hindered = self.backups.purge(job.removal, job.pieces, job.row.backups, job.row.at)
        removed = Counter(job.row.removed)
        removed["_backups"] += cleaned
        kept = self.backups.purge_damaged(job.removal, job.pieces)
        return replace(
            job,
            row=replace(job.row, removed=dict(+removed)),
            hindered=(*job.hindered, *hindered),
            unsearched=(*job.unsearched, *map(str, kept)),
        )

    def _clean_file(self, job: _Job) -> _Job:
        if job.pieces:
            with self.database.write(frees_room=True) as db:
                purge.purge_quotes(db, job.pieces)  # what was logged meanwhile
        settled = bytes_.settle(self.database, job.pieces)
        removed = {**job.row.removed, **({"_vacuumed": 1} if settled.vacuumed else {})}
        job = replace(job, row=replace(job.row, removed=removed))
        if settled.truncated and not settled.left:
            return job
        held = Hindrance(str(self.database.path), WORDS if settled.left else READER)
        return replace(job, hindered=(*job.hindered, held))

    # Parts

    def _recording(self, actor: str) -> AbstractContextManager[Recorder]:
        return recording(
            self.database, actor=actor, action="erased", clock=self.clock, frees_room=True
        )

    def _hindrance(self, error: Exception) -> Hindrance:
        return bytes_.hindrance(str(self.database.path), error)

    def _receipt(self, job: _Job, what: str, stays: bool) -> Receipt:
        row, hindered = job.row, job.hindered
        pending = bool(row.steps or hindered)
        return Receipt(
            row.id,
            row.at,
            what,
            "pending" if pending else "done",
            {name: n for name, n in row.removed.items() if not name.startswith("_")},
            row.removed.get("_backups", 0),
            bool(row.removed.get("_vacuumed")),
            _sentence(pending, hindered, job.unsearched, stays) + self.elsewhere(),
            job.unsearched,
            hindered,
            stays,
        )


def in_words(removal: Removal) -> str:
    """What is erased, for a person: counts, never names."""
    if removal.everything:
        return "everything"
    if removal.scope:
        return removal.scope
    parts = [
        f"{len(ids)} {one if len(ids) == 1 else many}"
        for ids, one, many in (
            (removal.entries, "memory", "memories"),
            (removal.blocks, "block", "blocks"),
            (removal.versions, "block's past", "blocks' past"),
            (removal.proposals, "proposal", "proposals"),
            (removal.conversations, "conversation", "conversations"),
        )
        if ids
    ]
    return ", ".join(parts) or "what was erased before"


_WHY = {
    erasures.AWAY: "{where} is not there, or is not the folder it was",
    erasures.LINK: "{where} is a symbolic link, which Keepsake does not follow; remove it",
    READ_ONLY: "{where} cannot be written",
    FULL: "the disk that holds {where} is full",
    WORDS: "words of it still stand in {where}",
    READER: "another program still reads an old copy of {where}",
    BUSY: "another program is at work on {where}",
    OTHER: "{where}: {detail}",
}


def hindrance_in_words(one: Hindrance) -> str:
    return _WHY.get(one.why, _WHY[OTHER]).format(where=one.where, detail=one.detail)


def _sentence(
    pending: bool, hindered: Sequence[Hindrance], unsearched: Sequence[str], stays: bool
) -> str:
    if pending:
        why = "; ".join(hindrance_in_words(one) for one in hindered) or "it was cut short"
        said = (
            f"Gone from sight, and not yet from everywhere: {why}. Every upkeep goes on with it; "
            "keepsake upkeep does so now."
        )
    else:
        said = "Gone from the vault, its log and its backups."
    if unsearched:
        said += (
            f" It may still be in {', '.join(unsearched)}, which cannot be looked into. "
            "Remove what you do not need any more."
        )
    if stays:
        said += " What was said where it was learned is still in its conversation or channel."
    return said


def _muted(db: Connection, idents: Sequence[str]) -> dict[str, dict[str, object]]:
    """Who was never told each of these, by its id: nor are they told that it is gone."""
    tags = parse_muted_tags(settings.text(db, "muted_tags"))
    if not tags and not entries.any_muted(db):
        return {}
    found = {entry.id: never_told(entry, tags) for entry in entries.read_many(db, idents)}
    return {ident: {"muted_for": sorted(names)} for ident, names in found.items() if names}


def _log_and_bury(
    rec: Recorder,
    held: Removal,
    scopes: dict[tuple[str, str], Scope],
    muted: dict[str, dict[str, object]],
) -> None:
    """Say in the log what went, and see to it that it does not come back."""
    if held.everything:
        rec.add("erased", "vault", "vault", "user")
        return
    for (thing, ident), scope in scopes.items():
        rec.add("erased", thing, ident, scope, before=muted.get(ident))
    erasures.bury(rec.db, held.things)


def _steps(db: Connection, in_files: bool, in_copies: bool) -> tuple[str, ...]:
    """What is left to do once the rows are gone."""
    shared = (MACHINES,) if machines.takes_part(db) else ()
    copies = (COPIES,) if in_copies else ()
    return (*shared, *copies, *((FILES,) if in_files else ()), BACKUPS, FILE)


def _asked(idents: Sequence[str], scope: Scope | None) -> Removal:
    if idents:
        return Removal(tuple(dict.fromkeys(idents)))
    return Removal(scope=str(scope)) if scope is not None else Removal(everything=True)


def _sought(row: ErasureRow) -> Traces | None:
    """What is known of the words of an erase that was cut short."""
    return Traces.from_json(row.traces) if row.traces else None


def _named(row: ErasureRow) -> str:
    return in_words(Removal.from_json(row.removal))


def _same(before: Removal, now: Removal) -> bool:
    """Whether an erasure that is not done is about what is erased now."""
    if now.everything or (now.scope and now.scope == before.scope):
        return True
    return bool(
        {*before.things, *((("past", i)) for i in before.versions)}
        & {*now.things, *((("past", i)) for i in now.versions)}
    )


def _checked(db: Connection, removal: Removal) -> dict[tuple[str, str], Scope]:
    """(sort, id) of each thing that is still there, with its scope. Raises NotFound for what
    neither is nor was."""
    wanted = [*removal.things, *(("block", ident) for ident in removal.versions)]
    there = scopes_of(db, wanted)
    for thing, ident in wanted:
        if (thing, ident) not in there and not erasures.buried(db, thing, [ident]):
            named = "memory" if thing == "entry" else thing
            raise NotFound(f"There is no {named} {ident!r}.")
    return there


def _buried_files(db: Connection, removal: Removal) -> list[MirroredFile]:
    """The mirrored files of these entries, each noted so that it does not come back."""
    found = mirrors.of_entries(db, removal.entries)
    for one in found:
        erasures.bury_file(
            db,
            ErasedFile(
                one.mirror_id,
                erasures.path_digest(one.path),
                one.file_digest,
                erasures.note_digest(one.key, one.created_at),
                gone=False,
            ),
        )
    return [MirroredFile(one.mirror_id, one.folder, one.path) for one in found]


def _handed_out(db: Connection, removal: Removal) -> list[HandedOut]:
    """Copies made since the oldest of these came to be."""
    born, scopes = born_and_scopes(db, removal)
    return erasures.handed_out(db, scopes, removal.entries, born) if scopes else []
