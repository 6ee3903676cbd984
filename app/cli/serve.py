"""`keepsake serve`. FastAPI and the MCP SDK come with this module."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading

import click

from app.background import VaultBackground
from app.cli.command import Terminal, vault_command
from app.ending import SIGNALS, end_within
from app.serving import ApiServer


@vault_command("serve")
@click.option("--port", type=click.IntRange(0, 65_535), help="0 picks a free one.")
@click.option("--quiet", is_flag=True, help="Log warnings only.")
def serve(terminal: Terminal, port: int | None, quiet: bool) -> None:
    """Serve agents on this machine, without a window.

    When ready it prints one line of JSON: url, pid and vault. Logs go to stderr. Ends on SIGTERM
    or Ctrl+C."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING if quiet else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("httpx").setLevel(logging.WARNING)
    ended = threading.Event()
    for number in SIGNALS:
        signal.signal(number, lambda *_: ended.set())
    server = ApiServer(terminal.vault, port)
    if server.token.notice:
        click.echo(server.token.notice, err=True)
    server.start()
    assert server.running is not None
    ready = {"url": server.url, "pid": server.running.pid, "vault": server.running.vault}
    click.echo(json.dumps(ready))
    sys.stdout.flush()
    background = VaultBackground(terminal.vault, logging.getLogger("keepsake").warning)
    background.start()
    while not ended.wait(1):  # a wait without an end has swallowed a signal
        pass
    end_within()
    server.stop()
    terminal.vault.calls.close()
    background.stop()
    terminal.close()
    # Threads that embed or hold a connection would be waited for, up to a minute.
    os._exit(0)
