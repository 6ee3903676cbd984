"""Draws the window for the README and the docs: `python packaging/screenshots.py`.

Light, dark, at twice the pixels, small, and in German; over the sample memories in a vault that
is thrown away. Needs no display. The clock, the place on earth and the window's fonts are fixed, so
that the pictures come out the same on every machine, to the pixel."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
PAUSE_MS, PATIENCE_SECONDS = 1_500, 60


@dataclass(frozen=True, slots=True)
class Shot:
    name: str
    look: str = "light"
    scale: int = 1
    width: int = 1440
    height: int = 900
    language: str = "en"
    search: str = "deploy"
    place: str = "all"
    edit: str = ""
    action: str = ""  # opens a dialog, which is drawn instead of the window


SHOTS = (
    Shot("main-light"),
    Shot("main-dark", look="dark"),
    Shot("main-light@2x", scale=2),
    Shot("editing", search="", place="workspace:shop", edit=" Ask Priya first."),
    Shot("activity", search="", place="activity"),
    Shot("medium", width=1040, height=720),
    Shot("small", width=760, height=720, search=""),
    Shot("german", language="de"),
    Shot("first-run", search="", place="empty"),
    Shot("review", search="", place="review"),
    Shot("review-dark", search="", place="review", look="dark"),
    Shot("blocks", search="", place="blocks"),
    Shot("duplicates", search="", place="duplicates"),
    Shot("map", search="", place="map"),
    Shot("timeline", search="", place="timeline"),
    Shot("agents", search="", action="agents"),
    Shot("agents-dark", search="", action="agents", look="dark"),
    Shot("settings", search="", action="settings"),
    Shot("backups", search="", action="backups"),
)


class Ticking:
    """A clock that stands still but for a microsecond a look, so that no two writes are one."""

    def __init__(self) -> None:
        self._looks = 0

    def __call__(self) -> datetime:
        self._looks += 1
        return NOW + timedelta(microseconds=self._looks)


def settle(window: MainWindow) -> None:
    """Turns the event loop for longer than any pause of the window, then until no work is left.

    The look for changes from elsewhere is work as well, four times a second: a few quiet turns in
    a row are all the rest there is."""
    from PySide6.QtTest import QTest

    QTest.qWait(PAUSE_MS)
    end, quiet = time.monotonic() + PATIENCE_SECONDS, 0
    while quiet < 5:
        QTest.qWait(10)
        quiet = 0 if window.jobs.busy or window.workbench.finder.pausing else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("the window does not come to rest")


def draw(shot: Shot, folder: Path) -> None:
    """Draws one picture; the scale is fixed at the start of a process, so each has its own."""
    from ui.toolkit import formatting

    clock = Ticking()
    formatting.local_now = clock  # before the window's modules take it from there

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QDialog, QWidget

    from app.samples import Samples
    from app.vault import open_vault
    from ui.window import startup as windows

    app = windows.application([""])
    app.setCursorFlashTime(0)
    vault = open_vault(Path("vault.db"), clock=clock)
    if shot.place != "empty":
        samples = Samples(vault)
        samples.load()
        vault.embedding.embed_waiting()
    for name, value in (("appearance", shot.look), ("language", shot.language)):
        vault.settings.set(name, value)
    places = QSettings(str(vault.path.parent / "window.ini"), QSettings.Format.IniFormat)
    window = windows.build(app, vault, places)
    window.resize(shot.width, shot.height)
    window.show()
    windows.start(window, vault)
    windows.furnish(app, window, vault)
    window.resize(shot.width, shot.height)
    settle(window)
    go_to(window, shot)
    window.status.tell("api", "● API on 127.0.0.1:8377")
    window.status.tell("search", windows.QApplication.translate("Background", "all embedded"))
    settle(window)
    shown: QWidget = window
    if shot.action:
        window.actions_[shot.action].trigger()
        settle(window)
        shown = window.findChildren(QDialog)[-1]
    shown.grab().save(str(folder / f"{shot.name}.png"))
    window.close()
    vault.close()


def go_to(window: MainWindow, shot: Shot) -> None:
    """Chooses, searches and types what the picture shows."""
    if shot.place not in ("all", "empty"):
        window.sidebar.choose(shot.place)
        settle(window)
    if shot.search:
        window.toolbar.search.set_query(shot.search)
        settle(window)
    if shot.edit:
        body = window.editor.form.body
        body.moveCursor(body.textCursor().MoveOperation.End)
        body.insertPlainText(shot.edit)
        settle(window)


def bare(home: str, scale: int) -> dict[str, str]:
    """The environment without what a person or a desktop sets: no scale, style, language, zone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
    return {
        **kept,
        "HOME": home,
        "XDG_CONFIG_HOME": home,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(scale),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "pictures")
    parser.add_argument("--only", default="")
    parser.add_argument("--in-process", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    for shot in SHOTS:
        if given.only and shot.name != given.only:
            continue
        if given.in_process:
            draw(shot, folder)
            continue
        command = [sys.executable, __file__, str(folder), "--only", shot.name, "--in-process"]
        with tempfile.TemporaryDirectory() as home:
            if subprocess.run(command, env=bare(home, shot.scale), cwd=home).returncode:
                return 1
        print(folder / f"{shot.name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
