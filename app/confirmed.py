"""What the person at this machine agreed to of what a vault names: its file may be somebody else's,
and say where to send what is remembered, or which model to fetch and run."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs

from app.default_vault import APP
from app.private_file import write_private
from store.errors import KeepsakeError

FILE_NAME = "confirmed.json"
WRITERS, MODELS = "writers", "models"


class Confirmed:
    """Names of one kind, to the letter: another path on the same host may be somebody else's."""

    def __init__(self, kind: str, folder: Path | None = None) -> None:
        self._kind = kind
        self._folder = folder

    def __contains__(self, name: str) -> bool:
        return name in self._all().get(self._kind, ())

    def add(self, name: str) -> None:
        if name in self:
            return
        kept = self._all()
        kept[self._kind] = sorted({*kept.get(self._kind, ()), name})
        try:
            write_private(self._path, json.dumps(kept))
        except OSError as error:
            raise KeepsakeError(f"It could not be noted in {self._path}: {error}.") from error

    @property
    def _path(self) -> Path:
        return (self._folder or Path(platformdirs.user_state_path(APP))) / FILE_NAME

    def _all(self) -> dict[str, list[str]]:
        """What cannot be read confirms nothing: it is asked for again."""
        try:
            held = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(held, dict):
            return {}
        return {
            str(kind): [str(name) for name in names]
            for kind, names in held.items()
            if isinstance(names, list)
        }
