"""Which Keepsake this is, and what it is made of."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import resources
from store.file.database import engine
from store.file.migrations import STEPS
from store.models.minilm import IDENTITY

COMMIT_FILE = "commit"  # beside the resources of what was built; a source tree asks git


def our_version() -> str:
    """The installed version; "0" in a source tree that is not installed."""
    try:
        return version("keepsake-desk")
    except PackageNotFoundError:
        return "0"


def our_commit(folder: Path = Path(resources.__path__[0])) -> str:
    """The commit it was built from, or the one checked out; "" where nobody knows."""
    noted = folder / COMMIT_FILE
    if noted.exists():
        return noted.read_text("utf-8").strip()
    history = folder.parent / ".git"
    if not history.exists():
        return ""
    import subprocess  # only a source tree needs it

    asked = ["git", f"--git-dir={history}", "rev-parse", "--short", "HEAD"]  # of no folder above
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def described() -> list[str]:
    """What a report of a fault should begin with, a line each."""
    commit = our_commit()
    return [
        f"keepsake {our_version()}" + (f" (commit {commit})" if commit else ""),
        f"engine SQLite {engine.sqlite_version}",
        f"model {IDENTITY}",
        f"vault format {len(STEPS)}",
    ]
