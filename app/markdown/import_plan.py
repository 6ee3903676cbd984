"""What an import would mean: each thing found, beside what the vault has. Nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from app.errors import Invalid
from app.markdown.found import FoundBlock, FoundClaim, FoundConversation, FoundEntry, Ignored
from app.rules.fields import clean_draft
from store.file.database import Connection
from store.records import SET, Block, Entry, EntryDraft, Scope, entry_names
from store.tables.entries import EntryKey, by_contents, by_entry_keys

NEW, CHANGED, DUPLICATE, REFUSED = "new", "changed", "duplicate", "refused"
COMPARED = (*(name for name in entry_names(SET) if name not in ("scope", "key")), "extra")

Thing = FoundEntry | FoundBlock | FoundConversation | FoundClaim


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One thing found, and what importing it would mean."""

    origin: str
    status: str  # new, changed, duplicate, refused
    thing: Thing | None = None
    current: Entry | Block | None = None
    reason: str = ""

    @property
    def what(self) -> str:
        match self.thing:
            case FoundEntry():
                return "entry"
            case FoundBlock():
                return "block"
            case FoundConversation():
                return "conversation"
            case FoundClaim():
                return "proposal"
            case _:
                return "file"


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do. Nothing was written."""

    name: str
    format: str  # several, with commas, where the files are of several
    label: str
    rows: tuple[PlanRow, ...]
    ignored: tuple[Ignored, ...]  # what holds no memories: pictures, hidden files, unknown tables
    source: str = ""  # the file or folder it was read from; empty for what was pasted or sent

    def count(self, status: str, what: str | None = None) -> int:
        return sum(r.status == status and what in (None, r.what) for r in self.rows)

    def ignored_by_reason(self) -> list[tuple[str, list[str]]]:
        """What holds no memories, gathered under why, the most first."""
        names: dict[str, list[str]] = {}
        for one in self.ignored:
            names.setdefault(one.reason, []).append(one.origin)
        return sorted(names.items(), key=lambda found: (-len(found[1]), found[0]))

    @property
    def is_empty(self) -> bool:
        return not any(row.status in (NEW, CHANGED) for row in self.rows)


def checked(found: FoundEntry) -> FoundEntry | PlanRow:
    try:
        return FoundEntry(found.origin, clean_draft(found.draft), found.keyed, found.format)
    except Invalid as error:
        return PlanRow(found.origin, REFUSED, found, reason=str(error))


def compared(db: Connection, found: Sequence[FoundEntry]) -> list[PlanRow]:
    """Each entry beside what the vault has under its scope and key, or says elsewhere in the
    scope."""
    there = by_entry_keys(db, [entry_key(one) for one in found])
    said = _said_elsewhere(db, found)
    seen: dict[EntryKey, EntryDraft] = {}
    rows = []
    for one in found:
        at = entry_key(one)
        current = there.get(at)
        if current is None and not one.keyed:
            current = said.get((at[0], one.draft.content))
        if at in seen:
            if _same_words(seen[at], one.draft):
                rows.append(
                    PlanRow(one.origin, DUPLICATE, one, reason="it is in this import twice")
                )
                continue
            one, current = _numbered(db, one, seen)
            at = entry_key(one)
        seen[at] = one.draft
        if current is None:
            rows.append(PlanRow(one.origin, NEW, one))
        else:
            same = not one.keyed or _says_the_same(one.draft, current)
            rows.append(PlanRow(one.origin, DUPLICATE if same else CHANGED, one, current))
    return rows


def _numbered(
    db: Connection, found: FoundEntry, seen: Mapping[EntryKey, EntryDraft]
) -> tuple[FoundEntry, Entry | None]:
    """The second of a key in one import under `key-2`, the third under `key-3` …: the same file
    has the same key at every import. What the vault has there, if an import put it there; somebody
    else's memory keeps its key."""
    draft, number = found.draft, 2
    base = (draft.key or "memory")[:190]
    while True:
        at = (draft.scope, f"{base}-{number}")
        current = by_entry_keys(db, [at]).get(at)
        if at not in seen and (current is None or current.source.startswith("import:")):
            return replace(found, draft=replace(draft, key=at[1])), current
        number += 1


def _said_elsewhere(db: Connection, found: Sequence[FoundEntry]) -> dict[tuple[Scope, str], Entry]:
    by_scope: dict[Scope, list[str]] = {}
    for one in found:
        if not one.keyed:
            by_scope.setdefault(one.draft.scope, []).append(one.draft.content)
    return {
        (scope, content): entry
        for scope, contents in by_scope.items()
        for content, entry in by_contents(db, scope, contents).items()
    }


def entry_key(found: FoundEntry) -> EntryKey:
    return found.draft.scope, found.draft.key or ""


def beside(db: Connection, draft: EntryDraft, taken: set[EntryKey]) -> EntryDraft:
    """The draft under a key nobody has, `key-2`, `key-3` …; added to `taken`."""
    base, number = (draft.key or "memory")[:190], 2
    while (at := (draft.scope, f"{base}-{number}")) in taken or by_entry_keys(db, [at]):
        number += 1
    taken.add(at)
    return replace(draft, key=at[1])


def _same_words(one: EntryDraft, other: EntryDraft) -> bool:
    return one.content == other.content


def _says_the_same(draft: EntryDraft, current: Entry) -> bool:
    given = ((name, getattr(draft, name)) for name in COMPARED)
    return all(value is None or value == getattr(current, name) for name, value in given)
