"""`keepsake hook`, what coding agents run (the quick way past this is app/hooks/quick.py), and
`keepsake learn`, for the sessions there were before."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from datetime import date
from pathlib import Path

import click

from app.background import VaultBackground
from app.cli.command import Terminal, vault_command
from app.cli.formatting import plural
from app.connect.mcp_clients import CLIENTS
from app.hooks.backfill import (
    Backfill,
    BackfillReport,
    FoundSession,
    found_sessions,
    sessions_in,
)
from app.hooks.calls import CLIENTS as HOOK_CLIENTS
from app.hooks.calls import EVENTS
from app.hooks.folder import HookFolder
from app.hooks.quick import HELPER
from app.hooks.transcripts import READABLE
from app.vault import Vault, open_vault
from store.errors import KeepsakeError
from store.instants import plus, to_instant
from store.tables import leases

LEASE = "hook-helper"
LEASE_SECONDS = 60.0
LOOK_SECONDS = 1.0


@click.command("hook")
@click.argument("client", metavar=f"{{{'|'.join(HOOK_CLIENTS)}}}")
@click.argument("event", metavar=f"{{{'|'.join(EVENTS)}}}", default="")
@click.option("--agent", metavar="ID", help="Which agent it is; the client's name by default.")
@click.option("--vault", metavar="PATH", help="The vault's file, as everywhere.")
def hook(client: str, event: str, agent: str | None, vault: str | None) -> None:
    """Answer one event of a coding agent: JSON on standard input, JSON on standard output.

    It ends with 0 whatever happens, and says nothing where there is nothing to say. `keepsake
    connect CLIENT --hooks --write` tells a client to run this."""
    # All but the helper are answered by app/hooks/quick.py before the command line is read.
    if client == HELPER and vault:
        help_hooks(Path(vault))


def help_hooks(path: Path) -> None:
    """Answer hooks and learn from what they left, until nobody has called for a while. One such
    process a vault."""
    try:
        vault = open_vault(path)
    except KeepsakeError as error:
        HookFolder(path).note_trouble("helper", "start", str(error))
        return
    background = VaultBackground(vault)
    try:
        if not _leased(vault):
            return
        with suppress(OSError, AttributeError):
            os.chdir(path.parent)  # no project's folder is kept busy
            os.nice(5)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        background.start()
        with suppress(KeepsakeError):  # the model is there before the first prompt needs it
            vault.memory.finding.preload("ready", looking=True)
        minutes = float(vault.settings["hook_helper_minutes"])
        _stay(vault, background, minutes * 60)
    finally:
        background.stop()
        with suppress(KeepsakeError), vault.database.write() as db:
            leases.release(db, LEASE, vault.holder)
        vault.close()


def _stay(vault: Vault, background: VaultBackground, seconds: float) -> None:
    renewed = time.monotonic()
    while background.hooks.idle <= seconds:
        time.sleep(LOOK_SECONDS)
        if time.monotonic() - renewed > LEASE_SECONDS / 2:
            renewed = time.monotonic()
            if not _leased(vault):
                return


def _leased(vault: Vault) -> bool:
    now = to_instant(vault.clock())
    with vault.database.write() as db:
        return leases.take(db, LEASE, vault.holder, now, plus(now, seconds=LEASE_SECONDS))


# Past sessions


@vault_command("learn")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--found", is_flag=True, help="List the sessions on this machine.")
@click.option("--all", "everything", is_flag=True, help="Learn from all of those.")
@click.option("--client", "clients", multiple=True, type=click.Choice(READABLE), help="Only its.")
def learn(
    terminal: Terminal,
    paths: tuple[Path, ...],
    found: bool,
    everything: bool,
    clients: tuple[str, ...],
) -> None:
    """Learn from past sessions of Claude Code, Codex, Gemini CLI and Cursor: files, folders, or all
    that are found.

    They become conversations; what they say about you and the project waits in the inbox. Nothing
    is sent anywhere. Stopped or said again, it goes on where it was."""
    sessions = sessions_in(paths) if paths else found_sessions(clients or READABLE)
    if clients:
        sessions = [one for one in sessions if one.client in clients]
    if found or not (paths or everything):
        _list_found(terminal, sessions)
        return
    report = Backfill(terminal.vault).run(sessions, _Shown(terminal.as_json))
    terminal.show(report, lambda: report_text(report))
    if report.cancelled:
        raise SystemExit(1)


def _list_found(terminal: Terminal, sessions: list[FoundSession]) -> None:
    rows = []
    for client in dict.fromkeys(one.client for one in sessions):
        times = [one.modified for one in sessions if one.client == client]
        first, last = (str(date.fromtimestamp(at)) for at in (min(times), max(times)))
        rows.append({"client": client, "sessions": len(times), "first": first, "last": last})
    lines = [
        f"{CLIENTS[str(row['client'])].label}: {plural(int(str(row['sessions'])), 'session')}, "
        f"{row['first']} to {row['last']}"
        for row in rows
    ]
    hint = "keepsake learn --all reads them; what they say waits in your inbox."
    nothing = "There is no session of a known client on this machine."
    terminal.show(rows, "\n".join([*lines, hint]) if rows else nothing)


class _Shown:
    """Progress on standard error. Ctrl+C ends after the session at hand."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet or not sys.stderr.isatty()
        self._stopped = False
        with suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, self._stop)

    def _stop(self, *_: object) -> None:
        self._stopped = True

    def __call__(self, done: int, total: int, found: FoundSession) -> bool:
        if not self._quiet:
            click.echo(f"\r{done:,} of {total:,} sessions", nl=False, err=True)
        return not self._stopped


def report_text(report: BackfillReport) -> str:
    wait = "waits" if report.proposals == 1 else "wait"
    parts = [
        f"{plural(report.sessions, 'session')} with {plural(report.turns, 'turn')} taken in; "
        f"{plural(report.proposals, 'new proposal')} in {plural(len(report.projects), 'project')} "
        f"{wait} in your inbox (keepsake review list)."
    ]
    if not (report.sessions or report.proposals or report.entries or report.cancelled):
        parts = ["There is nothing new in them."]
    if report.cancelled:
        parts.append("Stopped; say it again to go on.")
    return "\n".join([*parts, *report.failed])
