"""Opens a vault for the window: its list at once, the rest of its services a moment later.

Composing all services takes longer than drawing the window. So the file is opened and listed
first, and the composition runs in a thread while the window appears.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal

from app.browse import Browse
from app.settings import Settings
from store.instants import Clock, system_clock
from store.opening import open_database

if TYPE_CHECKING:
    from app.vault import Vault


class _Soon:
    """Stands for a service until it is there. Asking it anything waits, so it is only asked in
    the threads of jobs, never by the window itself."""

    def __init__(self, opening: VaultOpening, name: str) -> None:
        self._opening = opening
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(getattr(self._opening.wait(), self._name), attribute)


class VaultOpening(QObject):
    """A vault being opened. What lists need is there from the start; `ready` says when all is."""

    ready = Signal()
    failed = Signal(object)

    def __init__(self, path: Path, clock: Clock = system_clock) -> None:
        """Raises what opening the file raises: no vault, damaged, from a newer Keepsake."""
        super().__init__()
        self.path = path
        self.clock = clock
        self.database = open_database(path, clock=clock)
        self.settings = Settings(self.database)
        self.browse = Browse(self.database, clock)
        self._there = threading.Event()
        self._vault: Vault | None = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._compose, name="vault", daemon=True)

    def compose(self) -> None:
        """Begin with the rest of the services."""
        self._thread.start()

    def vault(self) -> Vault:
        """The vault as the window's parts take it."""
        return cast("Vault", self)

    def wait(self) -> Vault:
        """The whole vault; waits for it. Raises what kept it from being composed."""
        self._there.wait()
        if self._vault is None:
            raise self._error or RuntimeError("the vault is closed")
        return self._vault

    def close(self) -> None:
        if self._thread.is_alive():
            self._thread.join(30)
        if self._vault is not None:
            self._vault.close()
        self.database.close()

    def __getattr__(self, name: str) -> Any:
        """Any other service of the vault, now or soon."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._vault, name) if self._vault is not None else _Soon(self, name)

    def _compose(self) -> None:
        try:
            from app.vault import open_vault

            self._vault = open_vault(self.path, clock=self.clock)
        except Exception as error:  # told to whoever waits, and to the window
            self._error = error
            self._there.set()
            self.failed.emit(error)
        else:
            self._there.set()
            self.ready.emit()
