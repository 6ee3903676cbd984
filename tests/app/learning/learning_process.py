"""A process that learns until it is killed; started by the tests as `python -m`."""

from __future__ import annotations

import sys
from pathlib import Path

from app.access.caller_scope import Caller
from app.vault import open_vault
from tests.fakes import FakeEmbedder, FixedClock


def main(path: str, minutes: str) -> None:
    clock = FixedClock()
    clock.forward(minutes=float(minutes))
    vault = open_vault(Path(path), clock=clock, embedder=lambda _: FakeEmbedder())
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for conversation in vault.conversations.page(Caller(), limit=500).conversations[::-1]:
        vault.sleep.settle(conversation.id)
    vault.channels.learn_due()
    vault.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
