"""Adds the agents: who they are, how they connect, what they called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from app.connect.connections import Connections
from app.entries.timeline import Timeline
from app.hooks.backfill import Backfill, BackfillReport, FoundSession, found_sessions
from ui.agents.dialog import AgentsDialog
from ui.memory.shell import Shell
from ui.toolkit.jobs import Progress
from ui.toolkit.translation import tr

if TYPE_CHECKING:
    from app.vault import Vault


def install(shell: Shell, vault: Vault) -> None:
    def show(ident: str = "") -> None:
        dialog = AgentsDialog(
            vault.agents,
            Connections(vault.agents, vault.path, vault.clock),
            vault.calls,
            vault.memory,
            lambda: f"http://127.0.0.1:{vault.settings['api_port']}",
            shell.jobs,
            shell.theme,
            vault.clock,
            vault.settings,
            shell.dialog_parent,
            Timeline(vault.database, vault.clock),
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.done_.connect(shell.changes.look)
        dialog.open_asked.connect(lambda ident: shell.open("entry", ident))
        dialog.choose(ident)
        dialog.refresh()
        dialog.open()

    shell.add_opener("agent", show)

    shell.actions.add(
        "agents",
        tr("Agents…"),
        show,
        "Ctrl+Shift+G",
        menu=tr("Vault"),
        icon="agent",
        also="connect token trust claude cursor client calls revoke",
    )
    shell.actions.add(
        "learn_sessions",
        tr("Learn from past sessions"),
        lambda: _learn(shell, vault),
        menu=tr("Vault"),
        icon="agent",
        also="backfill history transcripts claude code codex gemini cursor",
    )


def _learn(shell: Shell, vault: Vault) -> None:
    """Reads past sessions of coding agents, with Cancel; asked again it goes on where it was."""

    def work(progress: Progress) -> BackfillReport:
        def go_on(done: int, total: int, found: FoundSession) -> bool:
            if progress.cancelled:
                return False
            progress(done, total)
            return True

        return Backfill(vault).run(found_sessions(), go_on)

    def done(report: BackfillReport) -> None:
        shell.changes.look()
        if report.proposals:
            words = tr("{turns} turns were read; {proposals} proposals wait for your review.")
            shell.go_to("review")
        else:
            words = tr("{turns} turns were read; they say nothing that is new.")
        shell.messages.say(words.format(turns=report.turns, proposals=report.proposals))

    shell.jobs.run_long(tr("Learning from past sessions"), work, done)
