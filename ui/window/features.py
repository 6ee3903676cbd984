"""Every feature of the window. Imported once the window is on screen, in a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.agents import install as agents
from ui.blocks import install as blocks
from ui.conversations import install as conversations
from ui.files import install as files
from ui.hydration import install as hydration
from ui.insight import install as insight
from ui.memory.shell import Shell
from ui.review import install as review
from ui.vault import install as vault_dialogs
from ui.window.background_work import Background
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.vault import Vault

FEATURES = (files, hydration, review, agents, vault_dialogs, blocks, insight, conversations)


class Features:
    """What comes once the window is on screen."""

    def install(self, shell: Shell, vault: Vault) -> None:
        for feature in FEATURES:
            feature.install(shell, vault)

    def work_aside(self, window: MainWindow, vault: Vault) -> None:
        """Starts what runs beside the window: embedding, upkeep, backups, the API."""
        Background(vault, window.shell, window.status, window.closing, window).start()
