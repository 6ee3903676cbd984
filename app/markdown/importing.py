"""Import: first a plan that changes nothing, then one undoable action that carries it out."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.access.secret_policy import noticed_in, redacted_draft
from app.blocks.blocks import Blocks
from app.entries.entries import Entries
from app.errors import Invalid
from app.markdown import note_file
from app.markdown.chats import Chats
from app.markdown.found import (
    Found,
    FoundBlock,
    FoundClaim,
    FoundConversation,
    FoundEntry,
    Ignored,
    Refusal,
)
from app.markdown.import_plan import (
    CHANGED,
    COMPARED,
    DUPLICATE,
    NEW,
    REFUSED,
    ImportPlan,
    PlanRow,
    beside,
    checked,
    compared,
    entry_key,
)
from app.markdown.importers import Recognised, recognise
from app.markdown.note_file import Note
from app.markdown.source_files import Sources, open_sources
from app.rules.blocks import check_content
from app.settings import Settings
from store.file.database import Connection, Database
from store.instants import Clock
from store.records import OWNER, Block, Entry, EntryDraft, Scope
from store.tables import blocks as block_rows
from store.tables import erasures
from store.tables.change_log import Recorder, recording
from store.tables.entries import by_entry_keys
from store.tables.erasures import HandedOut

SKIP, UPDATE, BOTH = "skip", "update", "both"
CHOICES = (SKIP, UPDATE, BOTH)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: one change group, to be undone as a whole."""

    group: int | None
    created: int
    updated: int
    kept_both: int
    skipped: int
    blocks: int
    conversations: int
    proposals: int
    refused: int
    evicted: int = 0  # what went into the trash because an agent's memory is full


class Importing:
    """Reads other people's files into the vault."""

    def __init__(
        self,
        database: Database,
        entries: Entries,
        blocks: Blocks,
        chats: Chats,
        clock: Clock,
        settings: Settings,
    ) -> None:
        self._database = database
        self._settings = settings
        self._entries = entries
        self._blocks = blocks
        self._chats = chats
        self._clock = clock

    def plan(
        self,
        path: Path,
        *,
        scope: Scope | None = None,
        format: str | None = None,
        progress: Progress | None = None,
    ) -> ImportPlan:
        """A dry run over a file, a folder or a zip. `progress` may raise to cancel."""
        with open_sources(path) as sources:
            plan = self.plan_sources(sources, scope=scope, format=format, progress=progress)
        return replace(plan, source=str(path.absolute()))

    def plan_sources(
        self,
        sources: Sources,
        *,
        scope: Scope | None = None,
        format: str | None = None,
        progress: Progress | None = None,
    ) -> ImportPlan:
        recognised = recognise(sources, format)
        found, ignored = _collected(recognised, sources, scope, progress)
        with self._database.read() as db:
            found += self._chats.claims_in(db, found, scope, progress)
            rows = self._rows(db, found)
        importers = [part.importer for part in recognised.parts]
        return ImportPlan(
            sources.name,
            ", ".join(importer.name for importer in importers) or str(format),
            ", ".join(importer.label for importer in importers) or str(format),
            tuple(rows),
            (*ignored, *recognised.ignored),
        )

    def apply(
        self,
        plan: ImportPlan,
        *,
        conflict: str = SKIP,
        choices: dict[int, str] | None = None,
        actor: str = OWNER,
        progress: Progress | None = None,
    ) -> Imported:
        """Carry the plan out as one undoable group, or nothing of it. `choices` decides single
        rows by their number where `conflict` does not fit. `progress` may raise to cancel."""
        for choice in {conflict, *(choices or {}).values()}:
            if choice not in CHOICES:
                raise Invalid(f"{choice!r} is no choice. These are: {', '.join(CHOICES)}.")
        with recording(
            self._database,
            actor=actor,
            action="imported",
            clock=self._clock,
            reason=f"{plan.label}: {plan.name}",
        ) as rec:
            work = self._sorted(rec.db, plan, conflict, choices or {})
            done = self._write(rec, work, progress)
            if plan.source:  # an erase may want to know where the words came from
                erasures.hand_out(rec.db, HandedOut(rec.now, "import", plan.source))
        self._entries.index_words()
        return done

    def diff(self, row: PlanRow) -> str:
        """What a changed row would change, as a unified diff of the two notes."""
        match row.thing, row.current:
            case FoundEntry() as found, Entry() as current:
                old, new = note_file.of_entry(current), _as_note(found.draft, current)
                return _unified(note_file.write(old), note_file.write(new))
            case FoundEntry() as found, _:
                return _unified("", note_file.write(_as_note(found.draft, None)))
            case FoundBlock() as found, current:
                return _unified(
                    current.content if isinstance(current, Block) else "", found.content
                )
            case _:
                return ""

    def _rows(self, db: Connection, found: Sequence[Found]) -> list[PlanRow]:
        rows: list[PlanRow] = []
        entries: list[FoundEntry] = []
        talks: list[FoundConversation | FoundClaim] = []
        for one in found:
            match one:
                case Refusal():
                    rows.append(PlanRow(one.origin, REFUSED, reason=one.reason))
                case FoundEntry():
                    clean = checked(one)
                    if isinstance(clean, FoundEntry):
                        held = self._held_back(clean)
                        if isinstance(held, FoundClaim):
                            talks.append(held)
                        else:
                            entries.append(held)
                    else:
                        rows.append(clean)
                case FoundBlock():
                    rows.append(self._block_row(db, one))
                case FoundConversation() | FoundClaim():
                    talks.append(one)
        rows += compared(db, entries)
        rows += self._chats.compared(db, talks)
        return sorted(rows, key=lambda row: (row.what == "file", row.origin))

    def _held_back(self, one: FoundEntry) -> FoundEntry | FoundClaim:
        """An entry that looks as if it held a credential waits for review, or is redacted."""
        found = noticed_in(self._settings, one.draft)
        draft = redacted_draft(one.draft, found)
        if found.waits:
            why = f"Found in {one.origin}. {found.sentence}"
            return FoundClaim(one.origin, draft, one.format, why)
        return replace(one, draft=draft)

    def _block_row(self, db: Connection, found: FoundBlock) -> PlanRow:
        try:
            check_content(found.name, found.content, self._blocks.limits())
        except Invalid as error:
            return PlanRow(found.origin, REFUSED, found, reason=str(error))
        current = block_rows.read(db, found.scope, found.name)
        same = current is not None and current.content == found.content
        status = DUPLICATE if same else CHANGED if current else NEW
        return PlanRow(found.origin, status, found, current)

    def _sorted(
        self, db: Connection, plan: ImportPlan, conflict: str, choices: dict[int, str]
    ) -> _Work:
        """What is to be written, looked at again inside the transaction: the vault may have moved
        on since the plan was made."""
        work = _Work()
        entry_keys = [entry_key(r.thing) for r in plan.rows if isinstance(r.thing, FoundEntry)]
        now = by_entry_keys(db, entry_keys)
        taken = set(entry_keys) | now.keys()
        for number, row in enumerate(plan.rows):
            choice = choices.get(number, conflict)
            match row.thing:
                case _ if row.status in (REFUSED, DUPLICATE):
                    work.refused += row.status == REFUSED
                    work.skipped += row.status == DUPLICATE
                case FoundEntry() as found:
                    current = now.get(entry_key(found))
                    if current is None:
                        work.new.append(found)
                    elif choice == UPDATE:
                        work.changed.append(found)
                    elif choice == BOTH:
                        draft = beside(db, found.draft, taken)
                        work.both.append(replace(found, draft=draft))
                    else:
                        work.skipped += 1
                case FoundBlock() as found:
                    if row.status == NEW or choice == UPDATE:
                        work.blocks.append(found)
                    else:
                        work.skipped += 1
                case FoundConversation() | FoundClaim() as found:
                    work.chats.append(found)
        return work

    def _write(self, rec: Recorder, work: _Work, progress: Progress | None) -> Imported:
        done = evicted = 0
        written = [*work.new, *work.changed, *work.both]

        def counted(number: int, _total: int) -> None:
            if progress:
                progress(done + number, len(written))

        for name, drafts in _by_format(written).items():
            stored = self._entries.writes.put_many(rec, drafts, f"import:{name}", counted)
            evicted += stored.evicted
            done += len(drafts)
        for block in work.blocks:
            source = f"import:{block.format}"
            self._blocks.put(rec, block.scope, block.name, block.content, source)
        conversations, proposals = self._chats.write(rec, work.chats)
        return Imported(
            group=rec.group if rec.size else None,
            created=len(work.new),
            updated=len(work.changed),
            kept_both=len(work.both),
            skipped=work.skipped,
            blocks=len(work.blocks),
            conversations=conversations,
            proposals=proposals,
            refused=work.refused,
            evicted=evicted,
        )


def _by_format(found: Sequence[FoundEntry]) -> dict[str, list[EntryDraft]]:
    drafts: dict[str, list[EntryDraft]] = {}
    for one in found:
        drafts.setdefault(one.format, []).append(one.draft)
    return drafts


class _Work:
    def __init__(self) -> None:
        self.new: list[FoundEntry] = []
        self.changed: list[FoundEntry] = []
        self.both: list[FoundEntry] = []
        self.blocks: list[FoundBlock] = []
        self.chats: list[FoundConversation | FoundClaim] = []
        self.skipped = self.refused = 0


def _collected(
    recognised: Recognised, sources: Sources, scope: Scope | None, progress: Progress | None
) -> tuple[list[Found], list[Ignored]]:
    found: list[Found] = [Refusal(name, reason) for name, reason in sources.refused]
    ignored: list[Ignored] = []
    number = 0
    for part in recognised.parts:
        for one in part.importer.read(part.sources, scope):
            number += 1
            if isinstance(one, Ignored):
                ignored.append(one)
            elif isinstance(one, Refusal):
                found.append(one)
            elif isinstance(one, FoundEntry):  # by the ten thousand: replace() takes its time
                found.append(FoundEntry(one.origin, one.draft, one.keyed, part.importer.name))
            else:
                found.append(replace(one, format=part.importer.name))
            if progress and number % 50 == 0:
                progress(number, max(number, len(sources.files)))
    if progress:
        progress(len(found), len(found))
    return found, ignored


def _as_note(draft: EntryDraft, current: Entry | None) -> Note:
    """The draft as the note it would become."""
    note = note_file.of_entry(current) if current else Note(content="", key=draft.key)
    given = {name: getattr(draft, name) for name in (*COMPARED, "written_at")}
    known = {name: value for name, value in given.items() if value is not None}
    return replace(note, scope=draft.scope, **known)


def _unified(old: str, new: str) -> str:
    lines = difflib.unified_diff(
        old.splitlines(), new.splitlines(), "in the vault", "in the file", lineterm=""
    )
    return "\n".join(lines)
