"""What one view needs around it, without the rest of the window: quicker to make by far."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.vault import Vault
from ui.memory.undo import Undoing
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Look, Theme
from ui.toolkit.toasts import Messages


@dataclass(frozen=True, slots=True)
class Bare:
    room: QWidget
    jobs: Jobs
    messages: Messages
    undoing: Undoing
    theme: Theme

    @property
    def said(self) -> str:
        return self.messages.toast.message.text

    def settle(self, qtbot: QtBot) -> None:
        """Waits until no work is under way, nor any that this work begins."""
        quiet = 0

        def calm() -> bool:
            nonlocal quiet
            quiet = 0 if self.jobs.busy else quiet + 1
            return quiet >= 3

        qtbot.waitUntil(calm)


def bare(qtbot: QtBot, app: QApplication, vault: Vault) -> Bare:
    room = QWidget()
    qtbot.addWidget(room)
    room.resize(900, 640)
    jobs, messages, theme = Jobs(room), Messages(room), Theme(app, Look.LIGHT)
    jobs.failed.connect(messages.fail)
    theme.apply()
    return Bare(room, jobs, messages, Undoing(vault, jobs, messages, room), theme)
