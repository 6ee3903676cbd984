"""Which workspace a folder on this machine is."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from store.records import Agent


def workspace_of_folder(folder: Path) -> str:
    """Each folder has a workspace of its own, wherever it is reached from."""
    real = os.path.normcase(folder.resolve())
    mark = hashlib.blake2b(real.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    name = " ".join((folder.resolve().name or "root").split())[:180]
    return f"{name}-{mark}"


def project_folder(folder: Path) -> Path:
    """The folder that a project is kept in: the nearest above that holds a repository, else the
    folder itself. A home folder is nobody's project."""
    home = Path.home()
    for above in (folder, *folder.parents):
        if above == home:
            break
        if (above / ".git").exists():
            return above
    return folder


def workspace_worked_in(agent: Agent, folder: str) -> str:
    """The workspace of the agent's that the folder belongs to: by a folder it was let into, the
    nearest first, or by the project's name alone. Empty where it was let into none."""
    try:
        path = Path(folder).resolve() if folder else None
    except (OSError, RuntimeError, ValueError):
        path = None
    if path is None or not agent.workspaces:
        return ""
    own = set(agent.workspaces)
    for above in (path, *path.parents):
        if (named := workspace_of_folder(above)) in own:
            return named
    plain = project_folder(path).name
    return plain if plain in own else ""
