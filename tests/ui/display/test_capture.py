"""Quick capture from any program: by a key that X gives us, and by the command people bind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.vault import Vault
from store.tables.entry_filter import EntryFilter
from tests.ui.display.conftest import ENGLISH, PATIENCE, Driven

Drive = Callable[[], Driven]
CAPTURE = (
    "[w for w in app.topLevelWidgets() if type(w).__name__ == 'QuickCapture' and w.isVisible()]"
)


def contents(vault: Vault) -> set[str]:
    return {entry.content for entry in vault.memory.entries.page(EntryFilter(), 10).entries}


def test_it_opens_while_another_program_is_in_front(drive: Drive, stocked: Vault) -> None:
    stocked.settings.set("capture_key", "Ctrl+Alt+K")
    window = drive()
    window.settle()
    with window.in_front():  # of another program
        window.key("ctrl+alt+k")
        window.wait(f"len({CAPTURE}) == 1 and {CAPTURE}[0].isActiveWindow()")
        window.type("Oat milk. #home")
        window.key("ctrl+Return")
        window.wait(f"{CAPTURE} == []")
        window.settle()
        assert contents(stocked) == {"Oat milk."}
        window.ask("window.showMinimized()")
        window.wait("window.isMinimized()")
        window.key("ctrl+alt+k")
        window.wait(f"len({CAPTURE}) == 1 and {CAPTURE}[0].isActiveWindow()")
        window.key("Escape")
        window.wait(f"{CAPTURE} == []")
        assert window.ask("window.isMinimized()")
    window.ask("window.shell.open('setting', 'capture_key')")
    window.wait("len(dialogs(window)) == 1")
    window.settle()
    field = "dialogs(window)[0].fields['capture_key']"
    window.wait(f"{field}.field.hasFocus()")
    window.key("ctrl+alt+j")
    window.wait("vault.settings['capture_key'] == 'Ctrl+Alt+J'")
    window.settle()
    window.key("Escape")
    window.wait("dialogs(window) == []")
    window.key("ctrl+alt+k")  # nobody's any more
    window.key("ctrl+alt+j")
    window.wait(f"len({CAPTURE}) == 1")


@pytest.mark.usefixtures("short_runtime")
def test_the_command_asks_the_window_that_runs(drive: Drive, stocked: Vault) -> None:
    window = drive()
    asked = [sys.executable, "-m", "ui.main", "capture", "--vault", str(stocked.path)]
    root = Path(__file__).parents[3]
    env = os.environ | ENGLISH | {"DISPLAY": window.display}
    subprocess.run(asked, cwd=root, env=env, check=True, timeout=PATIENCE)
    window.wait(f"len({CAPTURE}) == 1")
