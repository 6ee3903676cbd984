"""How quick the hydration pane follows a keystroke over many visible entries.

    python -m bench.pane [--entries 10000] [--keys 21]

Types letters into the editor and prints the median from the pane's asking to its answer on screen,
beside hydrating alone, in turns in the same run, and the processor time the answer takes on the
GUI thread. Passes when a refresh costs at most twice the hydration and its showing at most 10 ms.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtTest import QTest

from app.rules.policy import Run
from app.vault import Vault, open_vault
from bench.hydration import drafts
from ui.hydration.pane import HydrationPane
from ui.window import startup as windows
from ui.window.main_window import MainWindow


def wait(signal: object, start: Callable[[], None]) -> None:
    loop = QEventLoop()
    signal.connect(loop.quit)  # type: ignore[attr-defined]
    start()
    QTimer.singleShot(30_000, loop.quit)
    loop.exec()


def pause(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def shown(folder: Path, vault: Vault) -> MainWindow:
    app = windows.application([])
    places = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
    window = windows.build(app, vault, places)
    window.show()
    windows.start(window, vault)
    windows.furnish(app, window, vault)
    pause(2_000)
    return window


def measure(vault: Vault, window: MainWindow, keys: int) -> tuple[float, float, float]:
    """Medians of refreshing and of hydrating, and the most an answer took on the GUI thread."""
    pane = window.findChild(HydrationPane)
    assert pane is not None
    run = Run(vault.agents.read("bench"))
    on_gui: list[float] = []
    plain = pane._show

    def timed(*answer: object) -> None:
        start = time.thread_time()
        plain(*answer)  # type: ignore[arg-type]
        on_gui.append(time.thread_time() - start)

    pane._show = timed  # type: ignore[method-assign, assignment]
    refreshing, alone = [], []
    for _ in range(keys):
        QTest.keyClicks(window.editor.form.body, "x")
        pane._pause.stop()
        start = time.perf_counter()
        wait(pane.answered, pane._ask)
        refreshing.append(time.perf_counter() - start)
        start = time.perf_counter()
        vault.hydrator.hydrate(run, everything=True)
        alone.append(time.perf_counter() - start)
    return statistics.median(refreshing), statistics.median(alone), max(on_gui)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=21)
    asked = parser.parse_args()
    vault = open_vault(ephemeral=True)
    vault.settings.set("entry_cap", 0)
    vault.agents.add("bench")
    vault.entries.store_many(drafts(asked.entries, random.Random(7)))
    with tempfile.TemporaryDirectory() as folder:
        window = shown(Path(folder), vault)
        refresh, alone, on_gui = measure(vault, window, asked.keys)
        window.close()
    vault.close()
    print(
        f"{asked.entries:,} entries: refresh {refresh * 1000:.1f} ms, hydrate alone "
        f"{alone * 1000:.1f} ms, ratio {refresh / alone:.2f}, GUI thread {on_gui * 1000:.1f} ms"
    )
    return 0 if refresh <= 2 * alone and on_gui <= 0.010 else 1


if __name__ == "__main__":
    sys.exit(main())
