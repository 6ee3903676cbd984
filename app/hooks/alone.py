"""A hook's answer by a process that opens the vault for it alone: by words, without a model, and
without a write."""

from __future__ import annotations

from pathlib import Path

from app.hooks.answers import HookAnswers
from app.hooks.calls import HookAnswer, HookCall
from app.vault import open_vault


def answer(call: HookCall, path: Path) -> HookAnswer:
    """The vault is not closed in order: the process ends, and nothing of it waits to be written."""
    return HookAnswers(open_vault(path), by_meaning=False).answer(call)
