"""What can be told from a mirrored folder before its notes are looked at: that it is ours, that it
is there, that nobody is at work in it."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

from app.errors import Refused
from app.markdown.folder import Folder

MARKER = ".keepsake-mirror"
_GIT_BUSY_SECONDS = 600


def marker_in(folder: Folder) -> str | None:
    try:
        ident = json.loads(folder.read(MARKER))["id"]
    except (OSError, ValueError, LookupError, TypeError, Refused):
        return None
    return ident if isinstance(ident, str) and re.fullmatch(r"[0-9a-z]{26}", ident) else None


def marker_text(ident: str) -> str:
    about = "Keepsake mirrors notes here. Keep this file: without it the mirror halts."
    return json.dumps({"id": ident, "about": about}, indent=1) + "\n"


def git_at_work(folder: Path) -> str:
    for place in (folder, *folder.parents):
        if (place / ".git").is_dir():
            lock = place / ".git" / "index.lock"
            try:
                young = time.time() - lock.stat().st_mtime < _GIT_BUSY_SECONDS
            except OSError:
                return ""
            return f"git is at work in {place}" if young else ""
    return ""


def lost(folder: Path, marked: str | None) -> str:
    if not folder.exists():
        return f"{folder} is not there. Nothing was forgotten; it goes on when it is back."
    what = "is gone" if marked is None else "is another mirror's"
    return (
        f"The marker file {MARKER} in {folder} {what}: the folder may be emptied, not mounted, or "
        "not the one it was. Nothing was forgotten. Say restore to write the notes there again, "
        "or accept to forget what is missing."
    )


def vanished(gone: int, tracked: int) -> str:
    return (
        f"{gone} of {tracked} notes vanished at once. Nothing was forgotten. Say restore to write "
        "them again, or accept to put their memories in the trash."
    )
