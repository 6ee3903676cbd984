"""Opens a vault for the window: its list at once, the rest of its services a moment later.

Wiring every service takes longer than drawing the window. So the window gets stand-ins, appears
with its list, and the services are wired in a thread meanwhile.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.vault import Vault

AT_ONCE = ("path", "database", "clock", "settings", "browse")  # what the first list needs


class _Soon:
    """Stands for a service. Asking it anything wires it if need be, so until all are wired it is
    only asked in the threads of jobs, never by the window itself."""

    def __init__(self, vault: Vault, name: str) -> None:
        self._vault = vault
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(getattr(self._vault, self._name), attribute)


class VaultOpening(QObject):
    """A vault whose services are on their way; `ready` says when all are there."""

    ready = Signal()
    failed = Signal(object)

    def __init__(self, vault: Vault) -> None:
        super().__init__()
        self._whole = vault
        self._thread = threading.Thread(target=self._wire, name="vault", daemon=True)

    def vault(self) -> Vault:
        """The vault as the window's parts take it."""
        return cast("Vault", self)

    @property
    def whole(self) -> Vault:
        return self._whole

    def wire(self) -> None:
        """Begin with the rest of the services."""
        self._thread.start()

    def close(self) -> None:
        if self._thread.is_alive():
            self._thread.join(30)
        self._whole.close()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._whole, name) if name in AT_ONCE else _Soon(self._whole, name)

    def _wire(self) -> None:
        try:
            self._whole.wire_all()
        except Exception as error:  # the window tells it; what is wired works
            self.failed.emit(error)
        self.ready.emit()
