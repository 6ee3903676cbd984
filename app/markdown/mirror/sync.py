"""One round of keeping a folder and a scope in step.

Nothing is lost on the way: a file is overwritten or removed only while it is still the one that was
looked at, an entry changed only from the version that was read, and what is deleted goes to the
trash. Stopping half-way is harmless: what was not remembered as agreed is looked at again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from app.access.secret_policy import SCANNED, redacted_draft
from app.entries.entries import Entries
from app.errors import KeepsakeError
from app.markdown import index, note_file
from app.markdown.mirror.folder import MirrorFolder
from app.markdown.mirror.scan import SeenFile, is_conflict_copy
from app.markdown.mirror.steps import (
    ADOPT,
    CREATE,
    DROP,
    FORGET,
    MERGE,
    REMOVE,
    REVIVE,
    TAKE,
    WRITE,
    Step,
    as_file,
    note_of,
    said_by,
)
from app.markdown.note_file import Note
from app.memory.entries import credentials, must_wait
from app.memory.memory import Memory
from app.outcomes import Forgotten, KeyTaken, Proposed, Restored, Saved
from app.rules.fields import clean_draft, clean_fields
from app.text.three_way import CLASH, choose, merge_tags, merge_text
from store.instants import Instant
from store.records import ENDABLE, OWNERS, SET, TRASHED, Entry, EntryDraft, entry_names
from store.tables.mirrors import Mirror

# What a file may change of its memory; the folder says whose it is.
_FIELDS = (*(name for name in entry_names(SET) if name != "scope"), "extra")
_ENDABLE, _OWNERS = entry_names(ENDABLE), entry_names(OWNERS)
_LISTS = ("tags", "muted_for")
_WORDS = tuple(name for name in _FIELDS if name not in ("content", *_LISTS, *_ENDABLE))


@dataclass(frozen=True, slots=True)
class FieldClash:
    """Both sides changed these in different ways."""

    fields: tuple[str, ...]


def merge(base: Note, mine: Note, theirs: Note) -> Note | FieldClash:
    """One note with both sides' changes, or what they disagree on."""
    values: dict[str, Any] = {}
    clashes: list[str] = []
    for name in _WORDS:
        merged = choose(getattr(base, name), getattr(mine, name), getattr(theirs, name))
        if merged is CLASH:
            clashes.append(name)
        else:
            values[name] = merged
    content = merge_text(base.content, mine.content, theirs.content)
    if content is None:
        clashes.append("content")
    if clashes:
        return FieldClash(tuple(clashes))
    for name in _LISTS:
        sides = (getattr(note, name) or () for note in (base, mine, theirs))
        values[name] = merge_tags(*sides) or (() if name == "tags" else None)
    for name in _ENDABLE:
        moved = getattr(theirs, name) != getattr(base, name)
        values[name] = getattr(theirs if moved else mine, name)
    return replace(theirs, **values, content=content or "")


CONFLICT_TAG = "conflict"


class Round:
    """Carries steps out; `folder` collects what both sides agree on then."""

    def __init__(
        self, mirror: Mirror, folder: MirrorFolder, entries: Entries, memory: Memory, now: Instant
    ) -> None:
        self._mirror = mirror
        self._folder = folder
        self._tally = folder.tally
        self._seen = folder.seen
        self._entries = entries
        self._memory = memory
        self._owners = memory.caller.agent is None
        self._says_as_owner = memory.entries.says_as_owner(mirror.scope)
        self._now = now
        self._hooks: dict[str, str] = {}
        self._do: dict[str, Callable[[Step], None]] = {
            TAKE: self._take,
            WRITE: self._rewrite,
            MERGE: self._merge,
            REMOVE: self._remove,
            REVIVE: self._revive,
            ADOPT: self._adopt,
            DROP: lambda step: self._folder.gone.add(step.path),
        }

    def carry_out(self, steps: Iterable[Step], unwritten: Iterable[Entry]) -> None:
        steps = list(steps)
        self._create_all([step for step in steps if step.do == CREATE])
        self._forget_all([step for step in steps if step.do == FORGET])
        for step in steps:
            if step.do in self._do:
                self._folder.guarded(step.path, self._do[step.do], step)
            if step.was:
                self._folder.gone.add(step.was)
        for entry in unwritten:
            self._folder.write_new(entry)

    # From the folder into the vault

    def _take(self, step: Step) -> None:
        assert step.entry is not None
        assert step.base is not None
        file = self._seen[step.path]
        base = note_of(step.base.base)
        said = said_by(file.note(), base)
        pairs = ((name, getattr(said, name), getattr(base, name)) for name in _FIELDS)
        fields = {n: () if v is None and n in _LISTS else v for n, v, was in pairs if v != was}
        self._change(step, step.entry, fields, file)

    def _change(
        self,
        step: Step,
        entry: Entry,
        fields: dict[str, object],
        file: SeenFile,
        rewrite: bool = False,
    ) -> None:
        if not self._says_as_owner:
            fields = {name: value for name, value in fields.items() if name not in _OWNERS}
        if not fields:
            self._folder.agree(step.path, entry, file.digest)
            return
        outcome = self._memory.entries.change(
            entry.id, fields, expected_updated_at=entry.updated_at, reason=f"edited in {step.path}"
        )
        match outcome:
            case Saved():
                self._tally.changed += 1
                if rewrite:
                    self._folder.write(step.path, outcome.entry, file.digest)
                else:
                    self._folder.agree(step.path, outcome.entry, file.digest)
            case Proposed():
                self._tally.proposed += 1
                self._folder.agree(step.path, entry, file.digest)
            case KeyTaken():
                self._tally.refused[step.path] = f"another memory has the key {outcome.key}"

    def _create_all(self, steps: list[Step]) -> None:
        """New files. The owner's come in as one action, however many they are."""
        drafts: dict[str, EntryDraft] = {}
        if steps and self._folder.index:
            self._hooks = index.parse(self._folder.index.text)
        for step in steps:
            self._folder.guarded(step.path, self._draft_into, drafts, step.path)
        renamed = self._give_free_keys(drafts)
        held = self._held_back(drafts)
        if self._owners and drafts:
            self._entries.store_many(
                [draft for path, draft in drafts.items() if path not in held],
                actor=self._memory.caller.actor,
                reason=f"found in {self._folder.name}",
                action="mirrored",
            )
        for path, draft in drafts.items():
            if not self._owners or path in held:
                self._folder.guarded(path, self._propose_or_store, path, draft)
            elif entry := self._entries.find(draft.scope, draft.key or ""):
                self._tally.created += 1
                digest = self._seen[path].digest
                if path in renamed:
                    self._folder.guarded(path, self._folder.write, path, entry, digest)
                else:
                    self._folder.agree(path, entry, digest)
            else:
                self._folder.wait(path, "full")
                self._tally.refused[path] = f"{draft.scope} is full: it went to the trash at once"

    def _held_back(self, drafts: dict[str, EntryDraft]) -> set[str]:
        """Files that look as if they held a credential and wait for the owner's word; what is to
        be redacted is, in `drafts`."""
        held = set()
        for path, draft in drafts.items():
            texts = [getattr(draft, name) for name in SCANNED]
            found = credentials(self._memory.entries, texts)
            drafts[path] = redacted_draft(draft, found)
            if must_wait(self._memory.caller, found):
                held.add(path)
        return held

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
        if not self._says_as_owner:
            note = replace(note, verified_at=None, muted_for=None)
        stem = path.rsplit("/", 1)[-1].removesuffix(".md")
        drafts[path] = clean_draft(note_file.draft(note, self._mirror.scope, stem))

    def _propose_or_store(self, path: str, draft: EntryDraft) -> None:
        file = self._seen[path]
        outcome = self._memory.entries.store(
            draft, expected_updated_at=None, reason=f"found in {path}"
        )
        match outcome:
            case Saved():
                self._tally.created += 1
                self._folder.agree(path, outcome.entry, file.digest)
            case Proposed():
                self._tally.proposed += 1
                self._folder.wait(path, outcome.proposal.id)

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
            outcome = self._memory.entries.forget(idents, reason=f"deleted in {self._folder.name}")
        except KeepsakeError as error:
            outcome = None
            self._tally.refused.update((step.path, str(error)) for step in steps)
        if isinstance(outcome, Forgotten):
            self._tally.forgotten += len(idents)
            self._folder.gone.update(step.path for step in steps)
            return
        # The owner decides about them in the inbox, if at all; until then the notes stand.
        self._tally.proposed += outcome is not None
        for step in steps:
            self._folder.guarded(step.path, self._folder.write, step.path, step.entry, None)

    def _revive(self, step: Step) -> None:
        """Forgotten in the vault, edited in the folder: the edit counts."""
        assert step.base is not None
        file = self._seen[step.path]
        gone = self._entries.read_many([step.base.entry_id])
        if self._owners and gone and gone[0].state == TRASHED:
            back = self._entries.restore(
                [gone[0].id],
                rename=True,
                actor=self._memory.caller.actor,
                reason=f"edited in {step.path}",
            )
            assert isinstance(back, Restored)
            said = said_by(file.note(), note_of(step.base.base))
            self._change(step, back.entries[0], _differing(said, back.entries[0]), file)
        elif gone:
            self._folder.remove(step.path, file.digest)
        else:
            self._create_all([step])

    # From the vault into the folder

    def _rewrite(self, step: Step) -> None:
        assert step.entry is not None
        file = self._seen.get(step.path)
        self._folder.write(step.path, step.entry, file.digest if file else None)

    def _remove(self, step: Step) -> None:
        assert step.base is not None
        self._folder.remove(step.path, step.base.file_digest)

    # Both

    def _merge(self, step: Step) -> None:
        assert step.entry is not None
        assert step.base is not None
        file = self._seen[step.path]
        base = note_of(step.base.base)
        mine, theirs = said_by(file.note(), base), note_of(as_file(step.entry))
        merged = merge(base, mine, theirs)
        if isinstance(merged, FieldClash):
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
            self._folder.agree(step.path, step.entry, file.digest)

    def _keep_both(self, step: Step, entry: Entry, mine: Note, file: SeenFile) -> None:
        """The file keeps its place. The vault's version waits in the trash, where no agent is told
        it, as a memory of its own until the person decides."""
        stamp = "".join(c for c in self._now[:19] if c.isdigit())
        copy = replace(
            note_file.draft(note_of(as_file(entry)), entry.scope, None),
            key=f"{entry.key[:170]}-conflict-{stamp}",
            tags=tuple(dict.fromkeys((*entry.tags, CONFLICT_TAG))),
        )
        if self._owners:
            copy = self._with_free_key(copy)
            kept = self._memory.entries.store(
                copy, expected_updated_at=None, reason="kept both versions"
            )
            if not isinstance(kept, Saved):
                return
            self._memory.entries.forget([kept.entry.id], reason="waits for a decision")
        self._change(step, entry, _differing(mine, entry), file)
        self._tally.conflicts.append(step.path)


def _differing(note: Note, entry: Entry) -> dict[str, object]:
    """The fields to set, as they would be stored: form alone is no difference."""
    pairs = ((name, getattr(note, name), getattr(entry, name)) for name in _FIELDS)
    # What a file leaves out is None, what an entry lacks may be empty: both say nothing.
    said = {n: v or () if n in _LISTS else v for n, v, now in pairs if (v or None) != (now or None)}
    clean = clean_fields(said)
    return {name: value for name, value in clean.items() if value != getattr(entry, name)}
