"""One round of keeping a folder and a scope in step.

Nothing is lost on the way: a file is overwritten or removed only while it is still the one that was
looked at, an entry changed only from the version that was read, and what is deleted goes to the
trash. Stopping half-way is harmless: what was not remembered as agreed is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from app.entries import Entries
from app.errors import Invalid, KeepsakeError
from app.markdown import index, note_file
from app.markdown.file_names import INDEX, folded, free_name
from app.markdown.folder import Folder
from app.markdown.mirror_merge import Clash, merge
from app.markdown.mirror_scan import Scanner, SeenFile, digest_of, is_conflict_copy, is_index
from app.markdown.mirror_steps import (
    ADOPT,
    CREATE,
    DROP,
    FORGET,
    MERGE,
    REMOVE,
    REVIVE,
    TAKE,
    WAITING,
    WRITE,
    Step,
    as_file,
    note_of,
    said_by,
)
from app.markdown.note_file import Note
from app.memory import Memory
from app.outcomes import Forgotten, KeyTaken, Proposed, Restored, Saved
from app.rules.fields import clean_draft, clean_fields
from store.instants import Instant
from store.mirrors import Mirror, MirrorFile
from store.records import TRASHED, Entry, EntryDraft

CONFLICT_TAG = "conflict"
_FIELDS = (
    "key",
    "content",
    "hook",
    "category",
    "kind",
    "importance",
    "tags",
    "expires_at",
    "extra",
)


@dataclass(slots=True)
class Tally:
    """What a round did. `conflicts`: files whose other version was kept as a memory of its own;
    `refused`: files that are left alone, and why."""

    written: int = 0
    removed: int = 0
    created: int = 0
    changed: int = 0
    forgotten: int = 0
    proposed: int = 0
    conflicts: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def moved_something(self) -> bool:
        return bool(
            self.written or self.removed or self.created or self.changed or self.forgotten
            or self.proposed
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A folder and what was seen in it."""

    folder: Folder
    scanner: Scanner
    seen: Mapping[str, SeenFile]


class Round:
    """Carries steps out and collects what both sides agree on now."""

    def __init__(
        self, mirror: Mirror, place: Place, entries: Entries, memory: Memory, now: Instant
    ) -> None:
        self.tally = Tally()
        self.agreed: dict[str, MirrorFile] = {}
        self.gone: set[str] = set()
        self._mirror = mirror
        self._folder = place.folder
        self._scanner = place.scanner
        self._seen = place.seen
        self._entries = entries
        self._memory = memory
        self._owners = memory.caller.agent is None
        self._now = now
        self._index = next((file for path, file in self._seen.items() if is_index(path)), None)
        self._hooks: dict[str, str] = {}
        self._names = {folded(path) for path in self._seen}
        self._do: dict[str, Callable[[Step], None]] = {
            TAKE: self._take,
            WRITE: self._rewrite,
            MERGE: self._merge,
            REMOVE: self._remove,
            REVIVE: self._revive,
            ADOPT: self._adopt,
            DROP: lambda step: self.gone.add(step.path),
        }

    def carry_out(self, steps: Iterable[Step], unwritten: Iterable[Entry]) -> None:
        steps = list(steps)
        self._create_all([step for step in steps if step.do == CREATE])
        self._forget_all([step for step in steps if step.do == FORGET])
        for step in steps:
            if step.do in self._do:
                self._guarded(step.path, self._do[step.do], step)
            if step.was:
                self.gone.add(step.was)
        for entry in unwritten:
            self._write_new(entry)

    def note_problems(self) -> None:
        for path, file in self._seen.items():
            if file.problem:
                self.tally.refused.setdefault(path, file.problem)

    # From the folder into the vault

    def _take(self, step: Step) -> None:
        assert step.entry is not None
        assert step.base is not None
        file = self._seen[step.path]
        base = note_of(step.base.base)
        said = said_by(file.note(), base)
        fields = {n: getattr(said, n) for n in _FIELDS if getattr(said, n) != getattr(base, n)}
        self._change(step, step.entry, fields, file)

    def _change(
        self, step: Step, entry: Entry, fields: dict[str, object], file: SeenFile,
        rewrite: bool = False,
    ) -> None:  # fmt: skip
        if not fields:
            self._agree(step.path, entry, file.digest)
            return
        outcome = self._memory.change(
            entry.id, fields, expected_updated_at=entry.updated_at, reason=f"edited in {step.path}"
        )
        match outcome:
            case Saved():
                self.tally.changed += 1
                if rewrite:
                    self._write(step.path, outcome.entry, file.digest)
                else:
                    self._agree(step.path, outcome.entry, file.digest)
            case Proposed():
                self.tally.proposed += 1
                self._agree(step.path, entry, file.digest)
            case KeyTaken():
                self.tally.refused[step.path] = f"another memory has the key {outcome.key}"

    def _create_all(self, steps: list[Step]) -> None:
        """New files. The owner's come in as one action, however many they are."""
        drafts: dict[str, EntryDraft] = {}
        if steps and self._index:
            self._hooks = index.parse(self._index.text)
        for step in steps:
            self._guarded(step.path, self._draft_into, drafts, step.path)
        renamed = self._give_free_keys(drafts)
        if self._owners and drafts:
            self._entries.store_many(
                drafts.values(), reason=f"found in {self._folder.root.name}", action="mirrored"
            )
        for path, draft in drafts.items():
            if not self._owners:
                self._guarded(path, self._propose_or_store, path, draft)
            elif entry := self._entries.find(draft.scope, draft.key or ""):
                self.tally.created += 1
                if path in renamed:
                    self._guarded(path, self._write, path, entry, self._seen[path].digest)
                else:
                    self._agree(path, entry, self._seen[path].digest)
            else:
                self._wait(path, "full")
                self.tally.refused[path] = f"{draft.scope} is full: it went to the trash at once"

    def _draft_into(self, drafts: dict[str, EntryDraft], path: str) -> None:
        note = self._seen[path].note()
        tags = note.tags or ()
        if is_conflict_copy(path):
            tags = (*tags, CONFLICT_TAG)
        note = replace(
            note,
            scope=self._mirror.scope,
            hook=note.hook if note.hook is not None else self._hooks.get(path),
            category=note.category or "note",
            kind=note.kind or "note",
            tags=tags,
        )
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        drafts[path] = clean_draft(note_file.draft(note, self._mirror.scope, stem))

    def _propose_or_store(self, path: str, draft: EntryDraft) -> None:
        file = self._seen[path]
        outcome = self._memory.store(draft, expected_updated_at=None, reason=f"found in {path}")
        match outcome:
            case Saved():
                self.tally.created += 1
                self._agree(path, outcome.entry, file.digest)
            case Proposed():
                self.tally.proposed += 1
                self._wait(path, outcome.proposal.id)

    def _wait(self, path: str, why: str) -> None:
        """Remember the file without an entry: it is not stored again until it changes."""
        file = self._seen[path]
        self.agreed[path] = MirrorFile(path, f"{WAITING}{why}", file.digest, file.text, "")

    def _give_free_keys(self, drafts: dict[str, EntryDraft]) -> set[str]:
        """No two files share a key, nor one with a memory that has its own file."""
        taken: set[str] = set()
        renamed = set()
        for path, draft in drafts.items():
            free = self._with_free_key(draft, taken)
            taken.add(free.key or "")
            if free.key != draft.key:
                drafts[path] = free
                renamed.add(path)
        return renamed

    def _with_free_key(self, draft: EntryDraft, taken: Collection[str] = ()) -> EntryDraft:
        key, number = draft.key or "note", 2
        while self._entries.find(draft.scope, key) or key in taken:
            key = f"{(draft.key or 'note')[:190]}-{number}"
            number += 1
        return replace(draft, key=key)

    def _forget_all(self, steps: list[Step]) -> None:
        idents = [step.entry.id for step in steps if step.entry]
        if not idents:
            return
        try:
            outcome = self._memory.forget(idents, reason=f"deleted in {self._folder.root.name}")
        except KeepsakeError as error:
            outcome = None
            self.tally.refused.update((step.path, str(error)) for step in steps)
        if isinstance(outcome, Forgotten):
            self.tally.forgotten += len(idents)
            self.gone.update(step.path for step in steps)
            return
        # The owner decides about them in the inbox, if at all; until then the notes stand.
        self.tally.proposed += outcome is not None
        for step in steps:
            self._guarded(step.path, self._write, step.path, step.entry, None)

    def _revive(self, step: Step) -> None:
        """Forgotten in the vault, edited in the folder: the edit counts."""
        assert step.base is not None
        file = self._seen[step.path]
        gone = self._entries.read_many([step.base.entry_id])
        if self._owners and gone and gone[0].state == TRASHED:
            back = self._entries.restore([gone[0].id], rename=True, reason=f"edited in {step.path}")
            assert isinstance(back, Restored)
            said = said_by(file.note(), note_of(step.base.base))
            self._change(step, back.entries[0], _differing(said, back.entries[0]), file)
        elif gone:
            self._remove(replace(step, base=replace(step.base, file_digest=file.digest)))
        else:
            self._create_all([step])

    # From the vault into the folder

    def _rewrite(self, step: Step) -> None:
        assert step.entry is not None
        file = self._seen.get(step.path)
        self._write(step.path, step.entry, file.digest if file else None)

    def _write_new(self, entry: Entry) -> None:
        name = free_name(entry.key, self._names)
        self._names.add(folded(name))
        self._guarded(name, self._write, name, entry, None)

    def _write(self, path: str, entry: Entry, expected: bytes | None) -> None:
        """Put the entry's note in its file, unless somebody wrote there a moment ago."""
        now = self._scanner.look(path)
        if (now.digest if now else None) != expected:
            return
        text = as_file(entry)
        if now is None or now.text != text:
            self._folder.write(path, text)
            self.tally.written += 1
        self._agree(path, entry, digest_of(text))

    def _remove(self, step: Step) -> None:
        assert step.base is not None
        now = self._scanner.look(step.path)
        if now is not None and now.digest != step.base.file_digest:
            return
        self._folder.remove(step.path)
        self.tally.removed += 1
        self.gone.add(step.path)

    # Both

    def _merge(self, step: Step) -> None:
        assert step.entry is not None
        assert step.base is not None
        file = self._seen[step.path]
        base = note_of(step.base.base)
        mine, theirs = said_by(file.note(), base), note_of(as_file(step.entry))
        merged = merge(base, mine, theirs)
        if isinstance(merged, Clash):
            self._keep_both(step, step.entry, mine, file)
        else:
            self._change(step, step.entry, _differing(merged, step.entry), file, rewrite=True)

    def _adopt(self, step: Step) -> None:
        """A file turned up beside an entry of the same key: the same, or two versions."""
        assert step.entry is not None
        file = self._seen[step.path]
        mine = said_by(file.note(), note_of(as_file(step.entry)))
        if _differing(mine, step.entry):
            self._keep_both(step, step.entry, mine, file)
        else:
            self._agree(step.path, step.entry, file.digest)

    def _keep_both(self, step: Step, entry: Entry, mine: Note, file: SeenFile) -> None:
        """The file keeps its place; the vault's version becomes a memory beside it."""
        stamp = "".join(c for c in self._now[:19] if c.isdigit())
        copy = replace(
            note_file.draft(note_of(as_file(entry)), entry.scope, None),
            key=f"{entry.key[:170]}-conflict-{stamp}",
            tags=tuple(dict.fromkeys((*entry.tags, CONFLICT_TAG))),
        )
        if self._owners:
            copy = self._with_free_key(copy)
            kept = self._memory.store(copy, expected_updated_at=None, reason="kept both versions")
            if not isinstance(kept, Saved):
                return
            self._write_new(kept.entry)
        self._change(step, entry, _differing(mine, entry), file)
        self.tally.conflicts.append(step.path)

    # Parts

    def _agree(self, path: str, entry: Entry, digest: bytes) -> None:
        self.agreed[path] = MirrorFile(path, entry.id, digest, as_file(entry), entry.updated_at)
        self.gone.discard(path)

    def _guarded(self, path: str, do: Callable[..., None], *arguments: object) -> None:
        """One file's trouble is told and does not stop the others."""
        try:
            do(*arguments)
        except (Invalid, ValueError) as error:
            self.tally.refused[path] = str(error)
        except OSError as error:
            self.tally.refused[path] = f"it cannot be written: {error.strerror}"
        except KeepsakeError as error:
            self.tally.refused[path] = str(error)

    def update_index(
        self, lines: list[index.IndexLine], title: str, last: MirrorFile | None
    ) -> None:
        """Bring MEMORY.md up to date; a person's own words in it stay. `last`: as it was when we
        wrote it; lines of files that were in it and are gone go too."""
        before = self._index
        if before is not None and before.problem:
            return
        if before is None and not lines:
            return
        path = before.path if before else INDEX
        shown = index.parse(last.base).keys() if last else set()
        dropped = self.gone | (shown - self._seen.keys())
        text = index.updated(before.text if before else "", title, lines, dropped)
        now = self._scanner.look(path)
        if (now.digest if now else None) != (before.digest if before else None):
            return
        if before is None or text != before.text:
            self._guarded(path, self._folder.write, path, text)
        if path not in self.tally.refused:
            self.agreed[path] = MirrorFile(path, "", digest_of(text), text, "")


def _differing(note: Note, entry: Entry) -> dict[str, object]:
    """The fields to set, as they would be stored: form alone is no difference."""
    said = {n: getattr(note, n) for n in _FIELDS if getattr(note, n) != getattr(entry, n)}
    clean = clean_fields(said)
    return {name: value for name, value in clean.items() if value != getattr(entry, name)}
