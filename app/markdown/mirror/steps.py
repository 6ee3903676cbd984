"""Which side of a mirror changed, and so what is to be done. Pure: touches no file and no vault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.markdown import note_file
from app.markdown.mirror.scan import SeenFile, digest_of, is_index
from app.markdown.note_file import Note
from store.records import ENDABLE, Entry, entry_names
from store.tables.mirrors import MirrorFile

WAITING = "waiting:"  # stands for the entry of a file that has none yet, with the reason
MOST_VANISHED = 20
MOST_VANISHED_SHARE = 0.10

TAKE, WRITE, MERGE, FORGET, REMOVE, REVIVE, ADOPT, CREATE, DROP = (
    "take",
    "write",
    "merge",
    "forget",
    "remove",
    "revive",
    "adopt",
    "create",
    "drop",
)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do.

    take    the file changed: into its entry         write   the entry changed: into its file
    merge   both changed                             forget  the file is gone: entry to the trash
    remove  the entry is gone: the file goes         revive  entry gone, but the file was edited
    adopt   a new file whose key has an entry        create  a new file
    drop    both are gone
    """

    do: str
    path: str
    entry: Entry | None = None
    base: MirrorFile | None = None
    was: str = ""  # the path before somebody renamed the file


@dataclass(frozen=True, slots=True)
class Steps:
    steps: tuple[Step, ...]
    unwritten: tuple[Entry, ...]  # entries without a file yet
    vanished: tuple[str, ...]
    tracked: int

    @property
    def too_many_vanished(self) -> bool:
        """One missing file is a deletion; a tenth of them, or twenty, is an accident."""
        gone = len(self.vanished)
        return gone > MOST_VANISHED or (gone > 1 and gone > MOST_VANISHED_SHARE * self.tracked)


def decide(
    tracked: Mapping[str, MirrorFile], seen: Mapping[str, SeenFile], entries: Mapping[str, Entry]
) -> Steps:
    """What to do, in a fixed order: known files by path, then new ones."""
    known = {
        path: row
        for path, row in tracked.items()
        if row.entry_id and not row.entry_id.startswith(WAITING)
    }
    fresh = [path for path in sorted(seen) if path not in known and not is_index(path)]
    missing = [path for path in sorted(known) if path not in seen]
    moved = _moves(known, seen, missing, fresh)
    steps: list[Step] = []
    vanished: list[str] = []
    for path in sorted(known):
        row, now = known[path], moved.get(path, path)
        step = _known(row, now, seen.get(now), entries.get(row.entry_id))
        if step:
            steps.append(replace(step, was=path if now != path else ""))
            if step.do == FORGET:
                vanished.append(path)
        elif now != path:
            steps.append(Step(TAKE, now, entries.get(row.entry_id), row, was=path))
    taken = {row.entry_id for row in known.values()}
    by_key = {entry.key: entry for entry in entries.values() if entry.id not in taken}
    arrived = set(moved.values())
    for path in fresh:
        if path not in arrived and not seen[path].problem:
            entry = by_key.pop(_key_of(seen[path]), None)
            waits = path in tracked and tracked[path].file_digest == seen[path].digest
            if entry or not waits:
                steps.append(Step(ADOPT if entry else CREATE, path, entry))
            taken |= {entry.id} if entry else set()
    steps += [Step(DROP, path) for path in sorted(tracked.keys() - known.keys() - seen.keys())]
    unwritten = tuple(entry for entry in entries.values() if entry.id not in taken)
    return Steps(tuple(steps), unwritten, tuple(vanished), len(known))


def _known(row: MirrorFile, path: str, file: SeenFile | None, entry: Entry | None) -> Step | None:
    if file is not None and file.problem:
        return None  # unreadable is not gone: left alone until it can be read
    vault_changed = entry is not None and (
        entry.updated_at != row.seen_at and as_file(entry) != row.base
    )
    if file is None:
        if entry is None:
            return Step(DROP, path, None, row)
        return Step(WRITE if vault_changed else FORGET, path, entry, row)
    file_changed = file.digest != row.file_digest
    if entry is None:
        return Step(REVIVE if file_changed else REMOVE, path, None, row)
    if file_changed:
        return Step(MERGE if vault_changed else TAKE, path, entry, row)
    return Step(WRITE, path, entry, row) if vault_changed else None


def _moves(
    known: Mapping[str, MirrorFile],
    seen: Mapping[str, SeenFile],
    missing: list[str],
    fresh: list[str],
) -> dict[str, str]:
    """Old path to new path, where a missing file turned up under another name."""
    moved: dict[str, str] = {}
    free = [path for path in fresh if not seen[path].problem]
    keys = {path: _key_of(seen[path]) for path in free}
    for old in missing:
        row = known[old]
        key = note_of(row.base).key
        new = next((path for path in free if seen[path].digest == row.file_digest), None)
        new = new or next((path for path in free if keys[path] == key), None)
        if new:
            moved[old] = new
            free.remove(new)
    return moved


def as_file(entry: Entry) -> str:
    """The text of an entry's file in a mirror, where the folder stands for the scope."""
    return note_file.write(note_file.of_entry(entry, with_scope=False))


def note_of(text: str) -> Note:
    """A note that we wrote ourselves."""
    note = note_file.read(text)
    assert isinstance(note, Note)
    return note


def said_by(file: Note, base: Note) -> Note:
    """The file's note with what it leaves unsaid taken from `base`.

    A file that Keepsake wrote says everything: a field missing there was taken away. Times follow
    from writes, and so does the end of a daily entry: the file's may be older than the last one."""
    whole = file.key is not None and file.created_at is not None
    times = {
        name: getattr(file if whole or getattr(file, name) else base, name)
        for name in entry_names(ENDABLE)
    }
    if base.category == "daily":
        times["expires_at"] = base.expires_at
    return replace(
        file,
        key=file.key or base.key,
        scope=base.scope,
        hook=file.hook if file.hook is not None else "" if whole else base.hook,
        category=file.category or base.category,
        kind=file.kind or base.kind,
        importance=file.importance or base.importance,
        tags=file.tags if file.tags is not None else () if whole else base.tags,
        muted_for=file.muted_for if file.muted_for or whole else base.muted_for,
        **times,
        created_at=base.created_at,
        written_at=base.written_at,
        extra=file.extra if whole or file.extra != "{}" else base.extra,
    )


def _key_of(file: SeenFile) -> str:
    """The key a file stands for: the one it names, or its own name."""
    try:
        named = file.note().key
    except ValueError:
        named = None
    return named or file.path.rsplit("/", 1)[-1].removesuffix(".md")


__all__ = ["Step", "Steps", "as_file", "decide", "digest_of", "note_of", "said_by"]
