"""`keepsake hook`: what coding agents run. The quick way past this is app/hooks/quick.py."""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import click

from app.background import VaultBackground
from app.hooks.calls import CLIENTS, EVENTS
from app.hooks.folder import HookFolder
from app.vault import Vault, open_vault
from store.errors import KeepsakeError
from store.instants import plus, to_instant
from store.tables import leases

LEASE = "hook-helper"
LEASE_SECONDS = 60.0
LOOK_SECONDS = 1.0


@click.command("hook")
@click.argument("client", type=click.Choice(CLIENTS))
@click.argument("event", type=click.Choice(EVENTS))
@click.option("--agent", metavar="ID", help="Which agent it is; the client's name by default.")
@click.option("--vault", metavar="PATH", help="The vault's file, as everywhere.")
def hook(client: str, event: str, agent: str | None, vault: str | None) -> None:
    """Answer one event of a coding agent: JSON on standard input, JSON on standard output.

    It ends with 0 whatever happens, and says nothing where there is nothing to say. `keepsake
    connect CLIENT --hooks --write` tells a client to run this."""
    raise AssertionError("app/hooks/quick.py answers before the command line is read")


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
