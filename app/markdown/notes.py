"""Notes of a workspace: markdown files in a real folder, with MEMORY.md beside them.

The folder is a mirror of the workspace's scope, so files, index and vault are one memory: agents
may use tools or edit the files, and a person may open them in any editor.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from app.entries.entries import Entries
from app.errors import Invalid, NotFound, Refused
from app.markdown.file_names import INDEX, stem
from app.markdown.folder import Folder
from app.markdown.found import slug
from app.markdown.frontmatter_fields import join
from app.markdown.index import shown_hook
from app.markdown.mirror.mirrors import Mirrors, Synced
from app.memory.memory import Memory
from app.outcomes import Conflict, Proposed, Saved
from store.records import Entry, EntryDraft, Scope
from store.tables.mirrors import ANYONE, HALTED, Mirror

NAME_CHARS = 64
DESCRIPTION_CHARS = 1024
FILE = "SKILL.md"


@dataclass(frozen=True, slots=True)
class Skill:
    """What agents look for: a folder of that name with SKILL.md in it."""

    name: str
    description: str
    text: str


def skill_of(entry: Entry, name: str | None = None, description: str | None = None) -> Skill:
    """The note as a skill. Its hook says when it matters, so it is the description."""
    called = slug(name or entry.key)[:NAME_CHARS].strip("-")
    called = re.sub(r"[^a-z0-9-]", "", called)
    if not called:
        raise Invalid("A skill needs a name of letters, digits and hyphens; give one with --name.")
    about = " ".join((description or shown_hook(entry.hook, entry.content)).split())
    about = re.sub(r"[<>]", "", about)[:DESCRIPTION_CHARS]
    body = entry.content.strip("\n")
    title = "" if body.startswith("#") else f"# {entry.key}\n\n"
    head = {"name": called, "description": about}
    return Skill(called, about, join(head, title + body))


def promote(
    entry: Entry,
    to: Path,
    *,
    name: str | None = None,
    description: str | None = None,
    replace: bool = False,
) -> Path:
    """Write the skill below `to`. An existing one is left alone unless `replace`."""
    skill = skill_of(entry, name, description)
    folder = Folder(to.expanduser())
    folder.make()
    path = folder.path_of(f"{skill.name}/{FILE}")
    if path.exists() and not replace:
        raise Refused(f"{path} is there already; say --replace to write it anew.")
    try:
        folder.write(f"{skill.name}/{FILE}", skill.text)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from error
    return path


CATEGORY = KIND = "note"
_HASHED = re.compile(r"-[0-9a-f]{8}\Z")


@dataclass(frozen=True, slots=True)
class NoteFile:
    """An entry and where its file is."""

    entry: Entry
    path: Path


class WorkspaceNotes:
    """`root` holds one folder per workspace."""

    def __init__(self, root: Path, entries: Entries, mirrors: Mirrors) -> None:
        self._root = root
        self._entries = entries
        self._mirrors = mirrors

    def open(self, workspace: str, writer: str = ANYONE) -> Path:
        """The workspace's folder, made and mirrored at first need. `writer` says whose writes
        edits of its files are: anyone's who works there, unless told otherwise."""
        return self._mirror(workspace, writer).folder

    def refresh(self, workspace: str) -> Synced:
        """Take in what was edited in the folder, and write there what was stored. Quick when
        nothing happened; call it before an agent reads and after one wrote."""
        mirror = self._mirror(workspace)
        return self._mirrors.sync(mirror.id)

    def index(self, workspace: str) -> str:
        """MEMORY.md as it is now."""
        mirror = self._current(workspace)
        try:
            return Folder(mirror.folder).read(INDEX)
        except FileNotFoundError:
            return f"# Memory of {mirror.scope}\n"

    def remarks_are_trusted(self, workspace: str) -> bool:
        """Whether what stands between the lines of MEMORY.md may be told to agents: it goes through
        no review, so only while nobody who may edit the file needs one."""
        return self._mirrors.writes_unreviewed(self._mirror(workspace))

    def listed(self, workspace: str) -> list[NoteFile]:
        """Every note, by file name."""
        mirror = self._current(workspace)
        return [
            NoteFile(entry, mirror.folder / path)
            for path, entry in self._mirrors.notes_in(mirror.id)
        ]

    def find(self, workspace: str, name: str) -> NoteFile:
        """By key, or by file name with or without `.md`."""
        wanted = name.removesuffix(".md")
        notes = self.listed(workspace)
        for note in notes:
            if note.entry.key in (name, wanted) or note.path.stem == wanted:
                return note
        raise NotFound(f"There is no note {name!r} in this workspace. See keepsake memory.")

    def remember(
        self, workspace: str, note: str, hook: str, name: str | None = None, *, memory: Memory
    ) -> Saved | Conflict | Proposed:
        """Write a note down and index it, as `memory`'s caller. A name that is there is updated."""
        scope = Scope("workspace", workspace)
        self.refresh(workspace)
        outcome = memory.entries.store(
            EntryDraft(
                content=note,
                scope=scope,
                key=name.removesuffix(".md") if name else None,
                hook=hook,
                category=CATEGORY,
                kind=KIND,
            )
        )
        self.refresh(workspace)
        return outcome

    def text(self, workspace: str, name: str | None = None) -> tuple[Path, str]:
        """A note's file, or (no name) the index, and what it says."""
        mirror = self._current(workspace)
        path = self.find(workspace, name).path if name else mirror.folder / INDEX
        try:
            return path, Folder(mirror.folder).read(path.relative_to(mirror.folder).as_posix())
        except FileNotFoundError as error:
            raise NotFound("There is no note here yet, so there is no index to edit.") from error

    def edit(self, workspace: str, path: Path, text: str, *, instead_of: str) -> Synced:
        """The owner's own edit of a note's file or the index. Refused if it changed meanwhile."""
        mirror = self._current(workspace)
        name = path.relative_to(mirror.folder).as_posix()
        return self._mirrors.put(mirror.id, name, text, instead_of=instead_of)

    def _mirror(self, workspace: str, writer: str = ANYONE) -> Mirror:
        root = Folder(self._root)
        root.make()
        root.make_private()  # its folders bear the names of workspaces
        folder = self._root / folder_name(workspace)
        return self._mirrors.ensure(folder, Scope("workspace", workspace), writer)

    def _current(self, workspace: str) -> Mirror:
        synced = self.refresh(workspace)
        if synced.mirror.state == HALTED:
            raise Refused(synced.mirror.problem)
        return synced.mirror


def folder_name(workspace: str) -> str:
    """The readable name, and enough of a hash to keep apart what a file system would not. A name
    that looks as if it ended in such a hash gets one, too: it may be the folder of another."""
    digest = hashlib.blake2b(workspace.encode(), digest_size=4).hexdigest()
    name = stem(workspace)
    plain = name == workspace and name == name.lower() and not _HASHED.search(name)
    return name if plain else f"{name}-{digest}"
