"""Measures two ways through the window: `python packaging/measure_window.py key save start`.

A way is one thing a person does; its figure is how many of our modules run a function meanwhile, in
whichever thread, and how many background jobs it takes. The window is the real one, drawn off
screen over a small vault; its periodic look at the change log is stopped, because it goes on
whatever the person does.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("app", "store", "ui", "resources")
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.window.main_window import MainWindow

QUIET_MS = 700  # longer than any timer that one key or one save starts
START = """
import gc, os, sys, time
from pathlib import Path
gc.disable()
import ui.main
from ui.window import startup
app = startup.application([""])
window = startup.build(app, startup.open_vault(Path(sys.argv[1])))
window.show()
app.processEvents()
sys.stdout.write(str(time.process_time()))
sys.stdout.flush()
os._exit(0)
"""


@dataclass(slots=True)
class Way:
    """What ran: the modules, and the jobs by the function that asked for each."""

    modules: set[str] = field(default_factory=set)
    jobs: list[str] = field(default_factory=list)
    _recording: bool = False

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        self._recording = True
        try:
            yield
        finally:
            self._recording = False

    def called(self, frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if not self._recording or event != "call" or not path.startswith(str(ROOT)):
            return
        parts = Path(path).relative_to(ROOT).with_suffix("").parts
        if parts[0] in PACKAGES and not _importing(frame):
            self.modules.add(".".join(parts).removesuffix(".__init__"))

    def asked(self, frame: FrameType) -> None:
        if self._recording:
            self.jobs.append(f"{frame.f_globals['__name__']}.{frame.f_code.co_name}")


def _importing(frame: FrameType | None) -> bool:
    """Whether a module's own code is on the stack: then it runs because that module is loaded."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals["__name__"] != "__main__":
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def watched() -> Iterator[Way]:
    """Looks at this thread, and at every job in its own: Qt's threads are not Python's to hook."""
    from ui.toolkit import jobs

    way = Way()
    run, start = jobs._Work.run, jobs.Jobs.run

    def profiled(work: jobs._Work) -> None:
        sys.setprofile(way.called)
        run(work)
        sys.setprofile(None)

    def counted(self: jobs.Jobs, *arguments: Any, **named: Any) -> jobs.Job:
        way.asked(sys._getframe(1))
        return start(self, *arguments, **named)

    jobs._Work.run, jobs.Jobs.run = profiled, counted  # type: ignore[method-assign]
    sys.setprofile(way.called)
    try:
        yield way
    finally:
        sys.setprofile(None)
        jobs._Work.run, jobs.Jobs.run = run, start  # type: ignore[method-assign]


def stocked(path: Path) -> Vault:
    from app.vault import open_vault
    from store.records import EntryDraft, Scope

    vault = open_vault(path)
    for number in range(40):
        scope = Scope("workspace", "shop") if number % 2 else Scope("user", "")
        text = f"Deploys of service {number} go out on Fridays, never on Mondays."
        vault.entries.store(EntryDraft(text, scope, f"deploys_{number}", tags=("infra",)))
    vault.embedding.embed_waiting()
    return vault


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[MainWindow]:
    """The whole window over a vault, with nothing under way."""
    from PySide6.QtCore import QSettings

    from ui.window import startup

    app = startup.application([""])
    with contextlib.closing(stocked(folder / "v.db")) as vault:
        kept = QSettings(str(folder / "window.ini"), QSettings.Format.IniFormat)
        window = startup.build(app, vault, kept)
        window.show()
        startup.start(window, vault)
        startup.furnish(app, window, vault)
        window.changes.stop()
        settle(window)
        yield window
        window.close()


def settle(window: MainWindow) -> None:
    """Waits until no work was under way for a while."""
    from PySide6.QtTest import QTest

    quiet = time.monotonic()
    while time.monotonic() - quiet < QUIET_MS / 1000:
        QTest.qWait(10)
        if window.jobs.busy:
            quiet = time.monotonic()


def way_of_key(folder: Path) -> Way:
    """One key in the search box until its last answer is painted."""
    from PySide6.QtTest import QTest

    with watched() as way, opened(folder) as window:
        field = window.toolbar.search.field
        field.setFocus()
        QTest.keyClicks(field, "deplo")
        settle(window)
        with way.recording():
            QTest.keyClicks(field, "y")
            settle(window)
        assert window.list_pane.model.rowCount()
    return way


def way_of_save(folder: Path) -> Way:
    """One letter typed into a memory, and Ctrl+S."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    with watched() as way, opened(folder) as window:
        window.list_pane.list.select_row(1)
        settle(window)
        before = window.editor.entry
        with way.recording():
            QTest.keyClicks(window.editor.form.body, "x")
            QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            settle(window)
        assert window.editor.entry is not None
        assert window.editor.entry != before
    return way


WAYS: dict[str, Callable[[Path], Way]] = {"key": way_of_key, "save": way_of_save}


def seconds_to_start(folder: Path, rounds: int = 9) -> list[float]:
    """Processor seconds from an empty process to the window on screen, once per round."""
    stocked(folder / "v.db").close()
    command = [sys.executable, "-c", START, str(folder / "v.db")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    runs = [
        subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(rounds + 1)
    ]
    return [float(run) for run in runs[1:]]


def main(names: list[str]) -> None:
    for name in names or [*WAYS, "start"]:
        with tempfile.TemporaryDirectory() as folder:
            if name == "start":
                runs = seconds_to_start(Path(folder))
                print(f"start: median {statistics.median(runs):.3f} s, best {min(runs):.3f} s")
                continue
            way = WAYS[name](Path(folder))
        print(f"{name}: {len(way.modules)} modules, {len(way.jobs)} jobs")
        for listed in (*sorted(way.modules), *way.jobs):
            print(f"  {listed}")


if __name__ == "__main__":
    main(sys.argv[1:])
