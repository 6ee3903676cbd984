"""Draws the window for the README and the docs: `python packaging/screenshots.py`.

`--all FOLDER` draws every view and dialog there, to be looked at: light, dark, at twice the pixels,
at 1366×768, 1040 and 760 pixels wide, in German, from right to left, and on machines whose only
fonts are DejaVu, or none at all.

Light, dark, at twice the pixels, small, and in German; over the sample memories in a vault that
is thrown away. Needs no display. The clock, the place on earth and the window's fonts are fixed, so
that the pictures come out the same on every machine, to the pixel."""

from __future__ import annotations

import argparse
import json
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
    from PySide6.QtWidgets import QWidget

    from app.vault import Vault
    from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 11, 5, 9, 30, tzinfo=UTC)
PAUSE_MS, PATIENCE_SECONDS = 1_500, 60
BRIEF_MS = 250  # where many pictures are drawn one after the other


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


@dataclass(frozen=True, slots=True)
class Variant:
    """One way everything is looked at."""

    name: str
    look: str = "light"
    scale: int = 1
    width: int = 1440
    height: int = 900
    language: str = "en"
    mirrored: bool = False
    fonts: str = ""  # the only folder with fonts; "none" where there is none
    family: str = ""


DEJAVU = "/usr/share/fonts/truetype/dejavu"
VARIANTS = (
    Variant("light"),
    Variant("dark", look="dark"),
    Variant("2x", scale=2),
    Variant("1366", width=1366, height=768),
    Variant("1040", width=1040, height=720),
    Variant("760", width=760, height=720),
    Variant("german", language="de", width=1280, height=800),
    Variant("rtl", mirrored=True),
    Variant("dejavu", fonts=DEJAVU, family="DejaVu Sans"),
    Variant("nofonts", fonts="none"),
)


class Ticking:
    """A clock that stands still but for a microsecond a look, so that no two writes are one."""

    def __init__(self) -> None:
        self._looks = 0

    def __call__(self) -> datetime:
        self._looks += 1
        return NOW + timedelta(microseconds=self._looks)


def settle(window: MainWindow, pause: int = PAUSE_MS) -> None:
    """Turns the event loop for longer than any pause of the window, then until no work is left.

    The look for changes from elsewhere is work as well, four times a second: a few quiet turns in
    a row are all the rest there is."""
    from PySide6.QtTest import QTest

    QTest.qWait(pause)
    end, quiet = time.monotonic() + PATIENCE_SECONDS, 0
    while quiet < 5:
        QTest.qWait(10)
        quiet = 0 if window.jobs.busy or window.workbench.finder.pausing else quiet + 1
        if time.monotonic() > end:
            raise TimeoutError("the window does not come to rest")


def opened(shot: Shot | Variant, *, empty: bool) -> tuple[MainWindow, Vault]:
    """The window over the samples, or over nothing; every start has a process of its own."""
    from ui.toolkit import formatting

    clock = Ticking()
    formatting.local_now = clock  # before the window's modules take it from there

    from PySide6.QtCore import QSettings, Qt

    from app.samples import Samples
    from app.vault import open_vault
    from ui.window import startup as windows

    app = windows.application([""])
    app.setCursorFlashTime(0)
    if getattr(shot, "mirrored", False):
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    vault = open_vault(Path("vault.db"), clock=clock)
    if not empty:
        Samples(vault).load()
        vault.embedding.embed_waiting()
    family = getattr(shot, "family", "")
    for name, value in (("appearance", shot.look), ("language", shot.language), ("font", family)):
        vault.settings.set(name, value)
    places = QSettings(str(vault.path.parent / "window.ini"), QSettings.Format.IniFormat)
    window = windows.build(app, vault, places)
    window.resize(shot.width, shot.height)
    window.show()
    windows.start(window, vault)
    windows.furnish(app, window, vault)
    window.resize(shot.width, shot.height)
    settle(window)
    return window, vault


def draw(shot: Shot, folder: Path) -> None:
    """Draws one picture; the scale is fixed at the start of a process, so each has its own."""
    window, vault = opened(shot, empty=shot.place == "empty")

    from PySide6.QtWidgets import QDialog

    from ui.window import startup as windows

    go_to(window, shot)
    window.status.tell("api", "● API on 127.0.0.1:8377")
    window.status.tell("search", windows.QApplication.translate("Background", "ready to search"))
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


def draw_all(variant: Variant, folder: Path) -> None:
    """Draws every view with its pages and every dialog with its own."""
    window, vault = opened(variant, empty=False)

    from gallery import Desk, Gallery

    desk = Desk(window, vault, lambda window: settle(window, BRIEF_MS))
    Gallery(desk, variant.name, folder).draw()
    window.close()
    vault.close()


def only_fonts(folder: str, home: str) -> dict[str, str]:
    """Has fontconfig know the fonts of that folder alone; "none": no font at all."""
    if not folder:
        return {}
    path = Path(home) / "fonts.conf"
    inside = "" if folder == "none" else f"<dir>{folder}</dir>"
    head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
    path.write_text(f"{head}<fontconfig>{inside}</fontconfig>")
    return {"FONTCONFIG_FILE": str(path)}


def platform(shot: Shot | Variant, home: str) -> str:
    """Qt without a display, on a screen as large as the window is meant to be seen on."""
    wide, high = (shot.width, shot.height) if shot.width == 1366 else (1440, 900)
    size = {"width": wide * shot.scale, "height": high * shot.scale}
    screen = {"name": "screen", "x": 0, "y": 0, **size, "logicalDpi": 96, "dpr": 1}
    path = Path(home) / "screen.json"
    path.write_text(json.dumps({"screens": [{**screen, "logicalBaseDpi": 96}]}))
    return f"offscreen:configfile={path}"


def bare(shot: Shot | Variant, home: str) -> dict[str, str]:
    """The environment without what a person or a desktop sets: no scale, style, language, zone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
    return {
        **kept,
        "HOME": home,
        "XDG_CONFIG_HOME": home,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": platform(shot, home),
        "QT_SCALE_FACTOR": str(shot.scale),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "pictures")
    parser.add_argument("--all", action="store_true", help="every view and dialog, ten ways")
    parser.add_argument("--only", default="")
    parser.add_argument("--in-process", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    folder = given.folder.resolve()
    wanted: tuple[Shot | Variant, ...] = VARIANTS if given.all else SHOTS
    for shot in wanted:
        if given.only and shot.name != given.only:
            continue
        if given.in_process:
            draw_all(shot, folder) if isinstance(shot, Variant) else draw(shot, folder)
            continue
        command = [sys.executable, __file__, str(folder), "--only", shot.name, "--in-process"]
        command += ["--all"] if given.all else []
        with tempfile.TemporaryDirectory() as home:
            env = {**bare(shot, home), **only_fonts(getattr(shot, "fonts", ""), home)}
            if subprocess.run(command, env=env, cwd=home).returncode:
                return 1
        print(folder / f"{shot.name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
