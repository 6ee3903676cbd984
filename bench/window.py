"""How quick the window is: start, each key of a search, scrolling, writes from elsewhere.

    python bench/window.py [--entries 100000] [--rounds 5]
    python bench/window.py --vault FILE --typed WORD --figures    one line of JSON, for others

Start: processor time and wall time from an empty process to the window on screen, beside a bare
PySide6 window with one list, in turns. Keys: from the key to the list showing its answer, beside
the bare full-text query for the same letters, in turns. Stalls: the longest the event loop went
without a turn, in wall time and in processor time of its thread, beside a bare loop.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSettings, QTimer  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402

from app.vault import Vault, open_vault  # noqa: E402
from bench.corpus import Corpus  # noqa: E402
from store.records import USER, EntryDraft, Scope  # noqa: E402
from ui.window import startup as windows  # noqa: E402

BARE = """
import os, sys, time
from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QApplication, QListView, QMainWindow
app = QApplication([])
window, view = QMainWindow(), QListView()
view.setModel(QStringListModel([str(n) for n in range(1000)]))
window.setCentralWidget(view)
window.resize(1440, 900)
window.show()
app.processEvents()
print(sum(os.times()[:2])); sys.stdout.flush(); os._exit(0)
"""
OURS = """
import gc, os, sys
from pathlib import Path
gc.disable()
import ui.main
from ui.window import startup as windows
app = windows.application([""])
window = windows.build(app, windows.open_vault(Path(sys.argv[1])))
window.show()
app.processEvents()
print(sum(os.times()[:2])); sys.stdout.flush(); os._exit(0)
"""
TYPED = "production"


def turn(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def fill(vault: Vault, number: int) -> None:
    chance = random.Random(7)
    places = (USER, Scope("agent", "claude"), Scope("agent", "ops"), Scope("workspace", "shop"))
    said = ("", "", "", "", "", "", TYPED, "products", "a process", "proud")
    vault.settings.set("entry_cap", 0)
    vault.entries.store_many(
        EntryDraft(
            f"{text} {chance.choice(said)}",
            places[n % 4],
            key=f"key_{n}",
            importance=chance.randint(3, 10),
            tags=(f"tag{n % 40}",),
        )
        for n, text in enumerate(Corpus().texts(number))
    )


def started(code: str, *arguments: str) -> tuple[float, float]:
    """(processor seconds, wall seconds) of a process until its window was shown."""
    begin = time.perf_counter()
    # Modules are compiled once, as in an installed program.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout), time.perf_counter() - begin


def measure_start(path: Path, rounds: int) -> float:
    """Returns the wall seconds of ours; prints them beside the bare window's."""
    started(BARE), started(OURS, str(path))
    bare, ours = [], []
    for _ in range(rounds):
        bare.append(started(BARE))
        ours.append(started(OURS, str(path)))
    for place, what in enumerate(("processor", "wall")):
        one = statistics.median(run[place] for run in bare)
        other = statistics.median(run[place] for run in ours)
        print(f"start, {what:9}: {other:.3f} s, bare {one:.3f} s, ratio {other / one:.2f}")
    return other


class Pulse:
    """The longest gap between two turns of the event loop."""

    def __init__(self) -> None:
        self._timer = QTimer(interval=1)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        self.again()

    def again(self) -> None:
        self.wall = self.processor = 0.0
        self._last = (time.perf_counter(), time.thread_time())

    def _beat(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        self.wall = max(self.wall, now[0] - self._last[0])
        self.processor = max(self.processor, now[1] - self._last[1])
        self._last = now

    def tell(self, what: str) -> None:
        print(
            f"{what:22}: longest turn {self.processor * 1000:5.1f} ms of processor, "
            f"{self.wall * 1000:5.1f} ms of wall time"
        )
        self.again()


def measure_window(vault: Vault, rounds: int, typed: str) -> float:
    """Returns the milliseconds from a key to the list that answers it."""
    app = windows.application([""])
    places = QSettings(str(vault.path.parent / "window.ini"), QSettings.Format.IniFormat)
    pulse = Pulse()
    turn(2_000)
    pulse.tell("a bare loop")
    window = windows.build(app, vault, places)
    window.show()
    windows.start(window, vault)
    windows.furnish(app, window, vault)
    turn(4_000)
    window.workbench.finder.wait_for_meaning(1_000_000)  # words only: each key on its own
    pulse.again()
    key = measure_keys(window, vault, rounds, pulse, typed)
    bar = window.list_pane.list.verticalScrollBar()
    for step in range(200):
        bar.setValue(bar.maximum() * step // 199)
        turn(3)
    pulse.tell("scrolling end to end")
    for number in range(5):
        vault.entries.store(EntryDraft(f"From elsewhere {number}."), actor="agent:claude")
        turn(400)
    pulse.tell("writes from elsewhere")
    window.close()
    return key


def measure_keys(
    window: windows.MainWindow, vault: Vault, rounds: int, pulse: Pulse, typed: str
) -> float:
    shown: list[str] = []
    window.workbench.finder.found.connect(lambda listing: shown.append(listing.query))
    taken: dict[str, list[float]] = {}
    bare: dict[str, list[float]] = {}
    for _ in range(rounds):
        window.toolbar.search.field.setFocus()
        for letters in range(1, len(typed) + 1):
            word = typed[:letters]
            begin = time.perf_counter()
            QTest.keyClicks(window.toolbar.search.field, word[-1])
            # Asleep until it is shown, as a window is: a loop that spins starves the search.
            loop = QEventLoop()
            window.workbench.finder.found.connect(loop.quit)
            while not shown or shown[-1] != word:
                loop.exec()
            window.workbench.finder.found.disconnect(loop.quit)
            taken.setdefault(word, []).append(time.perf_counter() - begin)
            pulse_wall, pulse_processor = pulse.wall, pulse.processor
            bare.setdefault(word, []).append(bare_query(vault, word))
            pulse.again()
            pulse.wall, pulse.processor = pulse_wall, pulse_processor
        window.toolbar.search.set_query("")
        turn(300)
    total = bare_total = 0.0
    for word in taken:
        one, other = statistics.median(taken[word]) * 1000, statistics.median(bare[word]) * 1000
        total, bare_total = total + one, bare_total + other
        print(f"key {word!r:13}: {one:6.1f} ms, bare query {other:6.1f} ms")
    middle = statistics.median(value for values in taken.values() for value in values) * 1000
    print(f"keys: median {middle:.1f} ms; the whole word {total / bare_total:.2f} x the queries")
    pulse.tell("typing")
    return middle


def bare_query(vault: Vault, word: str) -> float:
    with vault.database.read() as db:
        begin = time.perf_counter()
        db.execute(
            """SELECT rowid, snippet(fulltext, 1, '', '', '', 12) FROM fulltext
                WHERE fulltext MATCH :q ORDER BY bm25(fulltext) LIMIT 40""",
            {"q": f'"{word}"*'},
        ).fetchall()
        return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--vault", type=Path, help="one that is filled already")
    parser.add_argument("--typed", default=TYPED)
    parser.add_argument("--figures", action="store_true", help="a last line of JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault = open_vault(given.vault or Path(folder) / "vault.db")
        if given.vault is None:
            fill(vault, given.entries)
            print(f"{given.entries:,} entries, load {os.getloadavg()[0]:.1f}")
        start = measure_start(vault.path, given.rounds)
        key = measure_window(vault, given.rounds, given.typed)
        vault.close()
    if given.figures:
        print(json.dumps({"window_ms": start * 1000, "key_ms": key}))


if __name__ == "__main__":
    main()
