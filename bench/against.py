"""Compares this checkout with another one, in turns: window start, `keepsake list`, the first
recall, one key in the search box.

    git worktree add /tmp/before COMMIT
    python bench/against.py /tmp/before [--rounds 15] [--only start key]

Each round runs every task once in either checkout, in its own process over a vault that the
checkout made itself. What is compared is processor time: on a busy machine the clock on the wall
tells of the others. The best of many rounds moves least. dec40f4 is the commit before one feature
became one folder; none of the four may take more than 1.05 times as long as there.

Where even that moves too much, `--counted` runs the start and the list under valgrind and compares
instructions, which are the same to a thousandth from run to run.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]

FILL = """
import sys
from pathlib import Path
from app.vault import open_vault
from store.records import EntryDraft, Scope
vault = open_vault(Path(sys.argv[1]))
scopes = (Scope("user", ""), Scope("workspace", "shop"))
said = ("go out on Fridays", "wait for the review", "need two keys", "are logged")
vault.entries.store_many([
    EntryDraft(f"Deploys of {n} {said[n % 4]}, never on Mondays.", scopes[n % 2], f"key_{n}")
    for n in range(600)
])
vault.embedding.embed_waiting()
vault.close()
"""
# Checkouts from before there was a folder ui/window start from a module of that name.
WINDOW = """
import gc, os, sys, time
from pathlib import Path
gc.disable()
import ui.main
try:
    from ui.window import startup as windows
except ImportError:
    from ui import window as windows
def opened():
    vault = windows.open_vault(Path(sys.argv[1]))
    return windows.VaultOpening(vault).vault() if hasattr(windows, "VaultOpening") else vault
app = windows.application([""])
"""
TASKS = {
    "start": WINDOW
    + """
window = windows.build(app, opened())
window.show()
app.processEvents()
print(time.process_time(), flush=True)
os._exit(0)
""",
    "key": WINDOW
    + """
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
vault = windows.open_vault(Path(sys.argv[1]))
sizes = QSettings(sys.argv[1] + ".ini", QSettings.Format.IniFormat)
window = windows.build(app, vault, sizes)
window.show()
windows.start(window, vault)
windows.furnish(app, window, vault)
# It looks at the change log every quarter second, whatever is typed: nothing settles with it.
(window.changes if hasattr(window, "changes") else window.desk._watcher).stop()
field = window.toolbar.search.field
def settled():
    quiet = time.monotonic()
    while time.monotonic() - quiet < 0.35:
        QTest.qWait(20)
        if window.jobs.busy:
            quiet = time.monotonic()
for letter in "deploy":
    QTest.keyClicks(field, letter)
    settled()
spent = []
for _ in range(8):
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    settled()
    before = time.process_time()
    QTest.keyClicks(field, "y")
    settled()
    spent.append(time.process_time() - before)
print(sorted(spent)[len(spent) // 2], flush=True)
os._exit(0)
""",
    "list": """
import sys, time
vault, sys.argv = sys.argv[1], ["keepsake", "list", "--vault", sys.argv[1]]
import io, contextlib, os
from ui.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(time.process_time(), flush=True)
""",
    "recall": """
import sys, time
from pathlib import Path
from app.vault import open_vault
vault = open_vault(Path(sys.argv[1]))
assert vault.recall.recall("when do deploys go out?", limit=10)
print(time.process_time(), flush=True)
vault.close()
""",
}


COUNTED = ("start", "list")
VALGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1")


def ran(checkout: Path, code: str, vault: Path, before: Sequence[str] = ()) -> str:
    # Modules are compiled once, as in an installed program.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(checkout)}
    done = subprocess.run(
        [*before, sys.executable, "-c", code, str(vault)],
        cwd=checkout,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def compare(task: str, checkouts: Sequence[Path], vaults: Sequence[Path], rounds: int) -> str:
    spent: tuple[list[float], list[float]] = ([], [])
    for round_ in range(rounds + 1):
        for checkout, vault, times in zip(checkouts, vaults, spent, strict=True):
            seconds = float(ran(checkout, TASKS[task], vault).split()[-1])
            if round_:  # the first one compiles
                times.append(seconds)
    (old, new), (least, least_new) = map(statistics.median, spent), map(min, spent)
    return (
        f"{task}: median {old * 1000:.0f} → {new * 1000:.0f} ms ({new / old:.2f}), "
        f"best {least * 1000:.0f} → {least_new * 1000:.0f} ms ({least_new / least:.2f})"
    )


def count(task: str, checkouts: Sequence[Path], vaults: Sequence[Path]) -> str:
    counted = []
    for checkout, vault in zip(checkouts, vaults, strict=True):
        ran(checkout, TASKS[task], vault)  # compiles
        said = re.search(r"Collected : (\d+)", ran(checkout, TASKS[task], vault, VALGRIND))
        assert said is not None
        counted.append(int(said[1]))
    old, new = counted
    return f"{task}: {old / 1e6:.0f} → {new / 1e6:.0f} million instructions ({new / old:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", type=Path)
    parser.add_argument("--here", type=Path, default=HERE)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", nargs="+", choices=list(TASKS), default=list(TASKS))
    parser.add_argument("--counted", action="store_true", help="instructions, under valgrind")
    asked = parser.parse_args()
    checkouts = (asked.other.resolve(), asked.here.resolve())
    with tempfile.TemporaryDirectory() as folder:
        vaults = [Path(folder) / f"{number}.db" for number in range(2)]
        for checkout, vault in zip(checkouts, vaults, strict=True):
            ran(checkout, FILL, vault)
        for task in asked.only:
            if not asked.counted:
                print(compare(task, checkouts, vaults, asked.rounds), flush=True)
            elif task in COUNTED:
                print(count(task, checkouts, vaults), flush=True)


if __name__ == "__main__":
    main()
