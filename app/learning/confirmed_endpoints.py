"""The endpoints this machine may send to, in the person's own state folder.

An address that stands in a vault's file may have come with the file. Where to send something is
the word of the person at this machine, so it is kept outside every vault.
"""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs

from app.access.secret_store import write_private
from app.default_vault import APP
from store.errors import KeepsakeError

FILE_NAME = "confirmed.json"
WRITERS = "writers"


class ConfirmedEndpoints:
    """Addresses to the letter: another path on the same host may be somebody else's."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def __contains__(self, address: str) -> bool:
        return address in self._all()

    def add(self, address: str) -> None:
        if address in self:
            return
        text = json.dumps({WRITERS: sorted({*self._all(), address})})
        try:
            write_private(self._path, text)
        except OSError as error:
            raise KeepsakeError(f"It could not be noted in {self._path}: {error}.") from error

    @property
    def _path(self) -> Path:
        return (self._folder or Path(platformdirs.user_state_path(APP))) / FILE_NAME

    def _all(self) -> list[str]:
        """What cannot be read confirms nothing: it is asked for again."""
        try:
            held = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        named = held.get(WRITERS) if isinstance(held, dict) else None
        return [str(address) for address in named] if isinstance(named, list) else []
