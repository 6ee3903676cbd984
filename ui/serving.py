"""The localhost API beside the window: started once it is on screen, ended with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from ui.jobs import Jobs

if TYPE_CHECKING:
    from app.vault import Vault


class Serving(QObject):
    """Runs the API in its own thread. Another Keepsake serving this vault is left to do so."""

    told = Signal(str, str)  # what to say in the status line, and its look

    def __init__(self, vault: Vault, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._jobs = jobs
        self._server: Any = None

    def start(self) -> None:
        if self._vault.settings["api_enabled"]:
            self._jobs.run(self._serve, self._up, self._down)

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def again(self) -> None:
        """As the settings say now: on, off or on another port."""
        server, self._server = self._server, None
        self.told.emit("", "")
        self._jobs.run(
            lambda: server.stop() if server is not None else None, lambda _: self.start()
        )

    def _serve(self) -> str:
        """FastAPI is imported here, long after the window is on screen."""
        from app import discovery

        running = discovery.find(self._vault.path)
        if running is not None:
            return running.url
        from app.api.server import ApiServer
        from app.mcp.http import extras

        server = ApiServer(self._vault, extras=extras)
        url = server.start()
        self._server = server
        return url

    def _up(self, url: str) -> None:
        place = url.removeprefix("http://")
        self.told.emit(self.tr("● API on {place}").format(place=place), "")

    def _down(self, error: Exception) -> None:
        self.told.emit(self.tr("○ API off: {why}").format(why=str(error)[:60]), "bad")
