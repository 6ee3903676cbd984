"""How other processes find a running API: one small file per served vault in the runtime folder."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from app.default_vault import APP, announcement
from store.file.database import make_private
from store.instants import Instant

ASK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Running:
    """An API somebody announced."""

    url: str
    pid: int
    vault: str
    started_at: Instant


def announce(running: Running, folder: Path | None = None) -> Path:
    """Write the file, readable by the owner alone from its first byte."""
    path = _path(Path(running.vault), folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    make_private(path.parent)
    fresh = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(running), file)
    fresh.replace(path)
    return path


def withdraw(running: Running, folder: Path | None = None) -> None:
    """Take our announcement back; one that another process made since stays."""
    path = _path(Path(running.vault), folder)
    if _read(path) == running:
        path.unlink(missing_ok=True)


def find(vault: Path, folder: Path | None = None) -> Running | None:
    """The API serving this vault, if it answers. A stale announcement is removed."""
    path = _path(vault, folder)
    running = _read(path)
    if running is None:
        return None
    if answers(running):
        return running
    path.unlink(missing_ok=True)
    return None


def answers(running: Running) -> bool:
    """Whether a Keepsake is there: a process may have died, and its port found another user."""
    url = urlsplit(running.url)
    import http.client  # every stdio server comes by here, and few ask

    connection = http.client.HTTPConnection(url.hostname or "", url.port, timeout=ASK_SECONDS)
    try:
        connection.request("GET", "/api/v1/health")
        health = json.loads(connection.getresponse().read(10_000))
        return isinstance(health, dict) and health.get("name") == APP
    except (OSError, ValueError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _path(vault: Path, folder: Path | None) -> Path:
    return announcement("api", vault, folder)


def _read(path: Path) -> Running | None:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return Running(
            str(held["url"]), int(held["pid"]), str(held["vault"]), str(held["started_at"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
