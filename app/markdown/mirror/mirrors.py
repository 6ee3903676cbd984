"""Mirrors: a folder and a scope kept in step, both ways.

A marker file says that a folder is a mirror. Absence is not deletion: without the marker, or with
many files gone at once, the mirror halts and asks (`RESTORE` or `ACCEPT`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout

from app.care.erasure import FilesErased
from app.entries.entries import Entries
from app.errors import Invalid, KeepsakeError, NotFound, Refused
from app.markdown.folder import Folder
from app.markdown.index import IndexLine, edited_hooks, parse, shown_hook
from app.markdown.mirror.erased import erase_files, keep_erased_away
from app.markdown.mirror.folder import (
    MARKER,
    MirrorFolder,
    MirrorTally,
    git_at_work,
    lost,
    marker_in,
    marker_text,
    vanished,
)
from app.markdown.mirror.scan import Scanner, SeenFile, Unreadable, is_temporary
from app.markdown.mirror.steps import FORGET, WRITE, decide
from app.markdown.mirror.sync import Round
from app.memory.memory import Memory
from app.outcomes import Proposed
from app.rules.fields import HOOK_CHARS
from app.rules.visibility import hearing_of_anybody
from store.file.database import Database
from store.instants import Clock, to_instant
from store.records import OWNER, USER, Entry, Hearing, IdMaker, Scope
from store.tables import change_log, erasures, settings
from store.tables import mirrors as rows
from store.tables.entry_filter import EntryFilter
from store.tables.erasures import HandedOut, MirroredFile
from store.tables.mirrors import ANYONE, HALTED, REVIEWED, RUNNING, Mirror, MirrorFile

RESTORE, ACCEPT = "restore", "accept"  # what to do with files that vanished
_WAIT_SECONDS = 60
_CHUNK = 1000


@dataclass(frozen=True, slots=True)
class Synced:
    """One round. `mirror.state` says whether it halted, `mirror.problem` why."""

    mirror: Mirror
    tally: MirrorTally
    waiting: str = ""  # why nothing was looked at: somebody is at work in the folder


class Mirrors:
    """The mirrored folders of one vault. `memory_of` gives the memory of a mirror's writer, or of
    the owner when the edit is known to be theirs."""

    def __init__(
        self,
        database: Database,
        entries: Entries,
        clock: Clock,
        ids: IdMaker,
        memory_of: Callable[[Mirror, bool], Memory],
    ) -> None:
        self._database = database
        self._entries = entries
        self._clock = clock
        self._ids = ids
        self._memory_of = memory_of
        self._scanners: dict[str, Scanner] = {}
        self._threads = threading.RLock()
        self._processes = FileLock(
            f"{database.path}.mirrors.lock", thread_local=False, mode=0o600, poll_interval=0.05
        )

    def watch(self, stop: threading.Event, notify: Callable[[str], None]) -> None:
        """Bring every mirror in step and keep it so until `stop`; `notify` hears in plain words
        what the owner should know."""

        def on_synced(done: Synced) -> None:
            if text := notice(done):
                notify(text)

        MirrorWatch(self, on_synced).run(stop)

    # Which

    def listed(self) -> list[Mirror]:
        with self._database.read() as db:
            return rows.listed(db)

    def named(self, name: str | Path) -> Mirror:
        """By id or folder."""
        path = Path(name).expanduser().resolve()
        for mirror in self.listed():
            if mirror.id == str(name) or mirror.folder == path:
                return mirror
        raise NotFound(f"{name} is not a mirrored folder. See keepsake mirror list.")

    def notes_in(self, ident: str) -> list[tuple[str, Entry]]:
        """(path, entry) of every note as of the last round, by path."""
        with self._database.read() as db:
            mirror, files = rows.read(db, ident), rows.files(db, ident)
        entries = self._entries_of(mirror) if mirror else {}
        return [(path, entries[f.entry_id]) for path, f in files.items() if f.entry_id in entries]

    def add(self, folder: Path, scope: Scope, writer: str = OWNER) -> Synced:
        """Mirror `scope` in `folder` from now on. Notes that are there already come in."""
        folder = folder.expanduser().resolve()
        self._check_folder(folder)
        target = Folder(folder)
        target.make()
        ident = self._marked_id(target)
        mirror = Mirror(ident, folder, scope, writer, created_at=to_instant(self._clock()))
        with self._database.write() as db:
            if rows.read(db, ident):
                rows.delete(db, ident)  # its folder was moved here
            rows.insert(db, mirror)
            erasures.take_in(db, "mirror", str(folder))
        return self.sync(ident)

    def ensure(self, folder: Path, scope: Scope, writer: str) -> Mirror:
        """The mirror of `scope` in `folder`, added if there is none yet: once, whoever asks at the
        same time."""
        folder = folder.resolve()

        def known() -> Mirror | None:
            found = (one for one in self.listed() if (one.scope, one.folder) == (scope, folder))
            return next(found, None)

        if mirror := known():
            return mirror
        with self._one_round():
            return known() or self.add(folder, scope, writer).mirror

    def remove(self, name: str | Path) -> Mirror:
        """Stop mirroring. The files stay where they are, where no erase finds them any more: it
        names the folder instead."""
        mirror = self.named(name)
        copy = HandedOut(to_instant(self._clock()), "mirror", str(mirror.folder))
        with self._one_round():
            with self._database.write() as db:
                rows.delete(db, mirror.id)
                erasures.hand_out(db, copy, [str(mirror.scope)])
            self._scanners.pop(mirror.id, None)
            if marker_in(Folder(mirror.folder)) == mirror.id:
                (mirror.folder / MARKER).unlink(missing_ok=True)
        return mirror

    # In step

    def sync_all(self) -> list[Synced]:
        return [self.sync(mirror.id) for mirror in self.listed()]

    def put(self, ident: str, path: str, text: str, *, instead_of: str) -> Synced:
        """The owner's own edit of a file, whoever else works in the folder. Refused if the file
        no longer says `instead_of`."""
        with self._one_round():
            folder = Folder(self.sync(ident).mirror.folder)
            if folder.read(path) != instead_of:
                raise Refused(f"{path} was changed meanwhile; nothing was written.")
            folder.write(path, text)
            return self.sync(ident, owners=True)

    def sync(self, ident: str, answer: str | None = None, *, owners: bool = False) -> Synced:
        """One round. `answer` to a halt: RESTORE writes the missing notes again, ACCEPT puts
        their memories in the trash. `owners`: what is found is the owner's, whoever the mirror's
        writer is."""
        if answer not in (None, RESTORE, ACCEPT):
            raise Invalid(f"{answer!r} is no answer. Say {RESTORE} or {ACCEPT}.")
        with self._one_round():
            with self._database.read() as db:
                mirror = rows.read(db, ident)
                digests = rows.digests(db, ident)
                seq = change_log.last_seq(db)
            if mirror is None:
                raise NotFound("That folder is no longer mirrored.")
            if busy := git_at_work(mirror.folder):
                return Synced(mirror, MirrorTally(), busy)
            folder = Folder(mirror.folder)
            scanner = self._scanners.setdefault(mirror.id, Scanner(folder))
            if (marked := marker_in(folder)) != mirror.id:
                if answer is None:
                    return self._halt(mirror, lost(mirror.folder, marked), seq)
                folder.make()
                folder.write(MARKER, marker_text(mirror.id))
            try:
                seen = scanner.scan()
            except Unreadable as error:
                return self._halt(mirror, f"{error}. Nothing was changed.", seq)
            moved = {path: file for path, file in seen.items() if file.digest != digests.get(path)}
            back = keep_erased_away(self._database, mirror.id, folder, moved)
            seen = {path: file for path, file in seen.items() if path not in back.paths}
            now = {path: file.digest for path, file in seen.items()}
            if not back and _in_step(mirror, seq) and digests == now:
                return Synced(mirror, MirrorTally())
            there = MirrorFolder(folder, scanner, seen)
            there.tally.erased += back.removed
            there.tally.refused.update(back.refused)
            there.gone |= back.paths
            return self._round(mirror, there, seq, answer, owners)

    def writes_unreviewed(self, mirror: Mirror) -> bool:
        """Whether all who may write in the folder are trusted to write without review."""
        agent = self._memory_of(mirror, False).caller.agent
        return agent is None or agent.trust == "direct"

    def behind(self, mirror: Mirror) -> bool:
        """Whether the vault has moved on since the mirror last looked."""
        with self._database.read() as db:
            return change_log.last_seq(db) > mirror.seq

    def erase(self, files: Sequence[MirroredFile], idents: Sequence[str]) -> FilesErased:
        """Remove the files of erased entries, whatever is in them now, and their lines in the
        index. Those that cannot be reached are left, and why."""
        with self._one_round():
            with self._database.read() as db:
                late = rows.of_entries(db, idents)
                mirrored = {mirror.id: mirror for mirror in rows.listed(db)}
            if late:  # a round that was under way has agreed on them since
                with self._database.write(frees_room=True) as db:
                    for one in late:
                        rows.put_files(db, one.mirror_id, [], [one.path])
            more = (MirroredFile(one.mirror_id, one.folder, one.path) for one in late)
            wanted = list(dict.fromkeys([*files, *more]))
            erased = [
                erase_files(self._database, mirrored.get(ident), of_it)
                for ident in sorted({file.mirror_id for file in wanted})
                if (of_it := [file for file in wanted if file.mirror_id == ident])
            ]
        for ident in sorted({file.mirror_id for file in wanted} & mirrored.keys()):
            with suppress(KeepsakeError, OSError):  # in step again at the next round
                self.sync(ident)
        return FilesErased(
            sum(one.removed for one in erased),
            tuple(file for one in erased for file in one.left),
            tuple(why for one in erased for why in one.hindrances),
            tuple(folder for one in erased for folder in one.unmirrored),
        )

    # Parts

    def _round(
        self, mirror: Mirror, folder: MirrorFolder, seq: int, answer: str | None, owners: bool
    ) -> Synced:
        with self._database.read() as db:
            tracked = rows.files(db, mirror.id)
        memory = self._memory_of(mirror, owners)
        proposed = self._take_hooks(memory, tracked, folder.seen)
        steps = decide(tracked, folder.seen, self._entries_of(mirror))
        if steps.too_many_vanished and answer is None:
            return self._halt(mirror, vanished(len(steps.vanished), steps.tracked), seq)
        wanted = [
            replace(step, do=WRITE) if answer == RESTORE and step.do == FORGET else step
            for step in steps.steps
        ]
        work = Round(mirror, folder, self._entries, memory, to_instant(self._clock()))
        folder.tally.proposed += proposed
        try:
            work.carry_out(wanted, steps.unwritten)
            folder.note_problems()
            lines = self._lines(mirror, tracked, folder)
            folder.update_index(lines, f"Memory of {mirror.scope}", _index_row(tracked))
        finally:
            self._remember(mirror, folder, seq)
        return Synced(self.named(mirror.id), folder.tally)

    def _remember(self, mirror: Mirror, folder: MirrorFolder, seq: int) -> None:
        refused = [f"{path}: {reason}" for path, reason in sorted(folder.tally.refused.items())]
        more = f" (and {len(refused) - 3} more)" if len(refused) > 3 else ""
        with self._database.write() as db:
            rows.put_files(db, mirror.id, folder.agreed.values(), folder.gone)
            rows.set_state(db, mirror.id, RUNNING, "; ".join(refused[:3]) + more, seq, mirror.seq)

    def _halt(self, mirror: Mirror, problem: str, seq: int) -> Synced:
        with self._database.write() as db:
            rows.set_state(db, mirror.id, HALTED, problem, seq, mirror.seq)
        return Synced(replace(mirror, state=HALTED, problem=problem, seq=seq), MirrorTally())

    def _take_hooks(
        self, memory: Memory, tracked: dict[str, MirrorFile], seen: Mapping[str, SeenFile]
    ) -> int:
        """Hooks that somebody edited in MEMORY.md; how many of them wait in the inbox."""
        row = _index_row(tracked)
        file = seen.get(row.path) if row else None
        if row is None or file is None or file.problem or file.digest == row.file_digest:
            return 0
        proposed = 0
        for name, hook in edited_hooks(file.text, parse(row.base)).items():
            note = tracked.get(name)
            if note is None or not note.entry_id:
                continue
            try:
                outcome = memory.entries.change(
                    note.entry_id, {"hook": hook[:HOOK_CHARS]}, reason=f"edited in {row.path}"
                )
            except (Invalid, NotFound):
                continue
            proposed += isinstance(outcome, Proposed)
        return proposed

    def _entries_of(self, mirror: Mirror) -> dict[str, Entry]:
        now = to_instant(self._clock())
        hearing = self._readers_of(mirror)
        wanted = EntryFilter(scopes=(mirror.scope,), now=now, hearing=hearing)
        idents = self._entries.ids(wanted)
        found: dict[str, Entry] = {}
        for start in range(0, len(idents), _CHUNK):
            for entry in self._entries.read_many(idents[start : start + _CHUNK]):
                found[entry.id] = entry
        return found

    def _readers_of(self, mirror: Mirror) -> Hearing | None:
        """The owner's folder of the user's memory is the owner's; any agent reads the files of the
        others, so what somebody is never told stays out of them."""
        if mirror.scope == USER and mirror.writer == OWNER:
            return None
        with self._database.read() as db:
            return hearing_of_anybody(settings.text(db, "muted_tags"))

    def _lines(
        self, mirror: Mirror, tracked: dict[str, MirrorFile], folder: MirrorFolder
    ) -> list[IndexLine]:
        entries = self._entries_of(mirror)
        files = {**tracked, **folder.agreed}
        return [
            IndexLine(path, entry.key, shown_hook(entry.hook, entry.content))
            for path, row in files.items()
            if path not in folder.gone and (entry := entries.get(row.entry_id))
        ]

    def _check_folder(self, folder: Path) -> None:
        if folder in (Path.home(), Path(folder.anchor)):
            raise Refused(f"{folder} is too much to mirror; choose a folder of its own.")
        if self._database.path.resolve().parent == folder:
            raise Refused(f"{folder} holds the vault itself; choose another folder.")
        for other in self.listed():
            if other.folder == folder:
                raise Refused(f"{folder} is mirrored already, as {other.scope}.")
            if other.folder in folder.parents or folder in other.folder.parents:
                raise Refused(f"{folder} and the mirrored {other.folder} lie in one another.")

    def _marked_id(self, target: Folder) -> str:
        """The id in the folder's marker, or a new one written there."""
        ident = marker_in(target)
        if ident is None:
            ident = self._ids()
            try:
                target.write(MARKER, marker_text(ident))
            except OSError as error:
                raise Refused(
                    f"{target.root} cannot be written to: {error.strerror}. A mirror goes both "
                    "ways; keepsake import reads a folder once."
                ) from error
            return ident
        for other in self.listed():
            if other.id == ident and marker_in(Folder(other.folder)) == ident:
                raise Refused(
                    f"{target.root} is a copy of the mirrored {other.folder}. "
                    f"Delete its {MARKER} file to mirror it by itself."
                )
        return ident

    @contextmanager
    def _one_round(self) -> Iterator[None]:
        """One at a time: of this process's threads, then of the processes."""
        with self._threads:
            try:
                self._processes.acquire(timeout=_WAIT_SECONDS)
            except Timeout as error:
                raise Refused(
                    f"Another Keepsake has been busy with the mirrors for {_WAIT_SECONDS} seconds."
                ) from error
            try:
                yield
            finally:
                self._processes.release()


def _in_step(mirror: Mirror, seq: int) -> bool:
    return mirror.state == RUNNING and not mirror.problem and mirror.seq == seq


def _index_row(tracked: dict[str, MirrorFile]) -> MirrorFile | None:
    return next((row for row in tracked.values() if not row.entry_id), None)


__all__ = ["ACCEPT", "ANYONE", "HALTED", "RESTORE", "REVIEWED", "Mirror", "Mirrors", "Synced"]


LOOK_EVERY_MS = 500  # at the vault, and at folders that tell us nothing
NO_MIRROR_SECONDS = 2.0  # where there is none, the first one is waited for at leisure

OnSynced = Callable[[Synced], None]


class MirrorWatch:
    """Calls `on_synced` after every round that did something or halted, on the watching thread."""

    def __init__(self, mirrors: Mirrors, on_synced: OnSynced | None = None) -> None:
        self._mirrors = mirrors
        self._on_synced = on_synced

    def run(self, stop: threading.Event) -> None:
        """Bring every mirror in step, then keep it so until `stop`."""
        while not stop.is_set():
            try:
                mirrors = self._mirrors.listed()
                for mirror in mirrors:
                    self._sync(mirror)
                folders = [mirror.folder for mirror in mirrors if mirror.folder.is_dir()]
                if folders:
                    self._follow(folders, stop)
                else:
                    stop.wait(LOOK_EVERY_MS / 1000 if mirrors else NO_MIRROR_SECONDS)
            except KeepsakeError:
                # The vault is busy for a moment, or a folder just went; look again.
                stop.wait(LOOK_EVERY_MS / 1000)

    def _follow(self, folders: list[Path], stop: threading.Event) -> None:
        """Until the list of mirrors changes: whatever moves, the mirrors concerned are synced."""
        from watchfiles import watch

        for changed in watch(
            *folders,
            watch_filter=lambda _change, path: _matters(Path(path)),
            debounce=400,
            step=50,
            stop_event=stop,
            rust_timeout=LOOK_EVERY_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
        ):
            mirrors = self._mirrors.listed()
            touched = [Path(path) for _, path in changed]
            for mirror in mirrors:
                if self._mirrors.behind(mirror) or any(
                    mirror.folder in path.parents for path in touched
                ):
                    self._sync(mirror)
            if sorted(m.folder for m in mirrors if m.folder.is_dir()) != sorted(folders):
                return

    def _sync(self, mirror: Mirror) -> None:
        done = self._mirrors.sync(mirror.id)
        tally = done.tally
        news = tally.moved_something or tally.conflicts or done.mirror.state != mirror.state
        if self._on_synced and news:
            self._on_synced(done)


def notice(done: Synced) -> str:
    """What the owner should hear of a round, in plain words; empty if nothing."""
    kept = "".join(f" Both versions of {path} were kept." for path in done.tally.conflicts)
    waits = " Edits of its files wait in the review inbox." if done.tally.proposed else ""
    text = f"{done.mirror.problem}{kept}{waits}".strip()
    return f"Mirror {done.mirror.folder}: {text}" if text else ""


def _matters(path: Path) -> bool:
    return path.name == MARKER or (path.suffix.lower() == ".md" and not is_temporary(path.name))
