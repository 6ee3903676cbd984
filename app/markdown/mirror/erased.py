"""What was erased goes from mirrored folders, and does not come back by way of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from app.care.erasure import FilesErased
from app.errors import KeepsakeError
from app.markdown import index
from app.markdown.file_names import INDEX
from app.markdown.folder import TEMPORARY, Folder
from app.markdown.mirror.folder import marker_in
from app.markdown.mirror.scan import SeenFile, is_index
from store.care.erasure import hindrance
from store.file.database import Database
from store.tables import erasures
from store.tables.erasures import AWAY, LINK, Hindrance, MirroredFile
from store.tables.mirrors import Mirror


@dataclass(slots=True)
class CameBack:
    """Files of erased memories that turned up: removed ones, and changed copies that are left
    alone, with what to do about them."""

    removed: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.paths)

    @property
    def paths(self) -> set[str]:
        return {*self.removed, *self.refused}


def erase_files(
    database: Database, mirror: Mirror | None, files: Sequence[MirroredFile]
) -> FilesErased:
    """Remove one mirror's files of erased entries. The caller sees to it that no round is under
    way. Of a folder that is not mirrored any more nobody can say what is in it."""
    if mirror is None:
        return FilesErased(unmirrored=tuple(sorted({file.folder for file in files})))
    folder = Folder(mirror.folder)
    if marker_in(folder) != mirror.id:
        return FilesErased(left=tuple(files), hindrances=(Hindrance(str(mirror.folder), AWAY),))
    removed, left, hindered = 0, [], []
    for file in files:
        why = _hindered(folder, file.path)
        if why is None:
            removed += 1
            with database.write(frees_room=True) as db:
                erasures.file_is_gone(db, mirror.id, file.path)
        else:
            left.append(file)
            hindered.append(why)
    try:
        _forget_lines(folder, {file.path for file in files})
        _remove_temporary(folder)
    except (OSError, ValueError, KeepsakeError) as error:
        left = list(files)
        hindered.append(_why(folder, INDEX, error))
    return FilesErased(removed, tuple(left), tuple(hindered))


def keep_erased_away(
    database: Database, mirror_id: str, folder: Folder, seen: Mapping[str, SeenFile]
) -> CameBack:
    """Remove files that hold what was erased: those that were out of reach then, whatever is in
    them, and any that is the same as one that was. A changed copy is somebody's work: it is
    neither taken in nor removed. `seen`: what is new or was changed since the last round."""
    back = CameBack()
    with database.read() as db:
        known = erasures.erased_files(db, mirror_id)
    if not known:
        return back
    digests = {one.file_digest for one in known}
    notes = {one.note_digest for one in known}
    missed = {one.path_digest for one in known if one.mirror_id == mirror_id and not one.gone}
    for path, file in seen.items():
        if is_index(path):
            continue
        if file.digest in digests or erasures.path_digest(path) in missed:
            if (why := _hindered(folder, path)) is None:
                back.removed.append(path)
            else:
                back.refused[path] = (
                    f"what it holds was erased, and it cannot be removed: {why.why}"
                )
        elif _digest_of_note(file) in notes:
            back.refused[path] = (
                "it is a changed copy of a memory that was erased, and was not taken in. Delete "
                "it, or take its created_at line out to store it as a new one"
            )
    if back.removed:
        with database.write(frees_room=True) as db:
            for path in back.removed:
                erasures.file_is_gone(db, mirror_id, path)
    return back


def _digest_of_note(file: SeenFile) -> bytes:
    try:
        note = file.note()
    except ValueError:
        return b""
    return erasures.note_digest(note.key, note.created_at) if note.key and note.created_at else b""


def _hindered(folder: Folder, path: str) -> Hindrance | None:
    """Remove a file; what keeps it there, if anything does."""
    try:
        folder.remove(path)
    except (OSError, KeepsakeError) as error:
        return _why(folder, path, error)
    return None


def _why(folder: Folder, path: str, error: Exception) -> Hindrance:
    place = folder.root
    for part in path.split("/"):
        place = place / part
        if place.is_symlink():
            return Hindrance(str(place), LINK)
    return hindrance(str(folder.root / path), error)


def _forget_lines(folder: Folder, paths: set[str]) -> None:
    """Their lines in MEMORY.md, which quote a hook."""
    with suppress(FileNotFoundError):
        text = folder.read(INDEX)
        if (without := index.without(text, paths)) != text:
            folder.write(INDEX, without)


def _remove_temporary(folder: Folder) -> None:
    """What a kill left of a file that was being written."""
    for where, _, names in os.walk(folder.root):
        for name in names:
            if name.startswith(TEMPORARY) and name.endswith(".tmp"):
                os.unlink(os.path.join(where, name))  # noqa: PTH108, PTH118  (a walk's own words)
