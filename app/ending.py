"""Ending on SIGTERM or Ctrl+C: what must not be lost is done first, and nothing keeps it longer.

A thread that embeds, a client that holds its connection or a writing model that thinks would each
be waited for at the interpreter's end; the vault does not need them to be.
"""

from __future__ import annotations

import os
import signal
import threading

ENDING_SECONDS = 1.7  # together with a busy machine's start of it, less than two
SIGNALS = (signal.SIGTERM, signal.SIGINT)


def end_within(seconds: float = ENDING_SECONDS) -> threading.Timer:
    """The process is gone after so long, whatever still runs. Cancel it to go on."""
    watchdog = threading.Timer(seconds, os._exit, (0,))
    watchdog.daemon = True
    watchdog.start()
    return watchdog
