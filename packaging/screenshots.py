"""Draws the window for the README and the docs: `python packaging/screenshots.py`.

Light, dark, at twice the pixels, small, and in German; over the sample memories in a vault that
is thrown away. Needs no display."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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


def draw(shot: Shot, folder: Path) -> None:
    """Draws one picture; the scale is fixed at the start of a process, so each has its own."""
    from PySide6.QtCore import QEventLoop, QSettings, QTimer
    from PySide6.QtWidgets import QDialog, QWidget

    from app.samples import Samples
    from app.vault import open_vault
    from ui import window as windows

    def wait(milliseconds: int) -> None:
        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    app = windows.application([""])
    vault = open_vault(ephemeral=True)
    if shot.place != "empty":
        samples = Samples(
            vault.database, vault.clock, vault.entries, vault.blocks, vault.agents,
            vault.conversations, vault.erasure, vault.review,
        )  # fmt: skip
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
    wait(1_000)
    if shot.place not in ("all", "empty"):
        window.sidebar.choose(shot.place)
        wait(600)
    if shot.search:
        window.toolbar.search.set_query(shot.search)
        wait(1_500)
    if shot.edit:
        window.editor.form.body.moveCursor(window.editor.form.body.textCursor().MoveOperation.End)
        window.editor.form.body.insertPlainText(shot.edit)
        wait(1_800)
    window.status.tell("api", "● API on 127.0.0.1:8377")
    window.status.tell("search", windows.QApplication.translate("Background", "all embedded"))
    wait(300)
    shown: QWidget = window
    if shot.action:
        window.actions_[shot.action].trigger()
        wait(800)
        shown = window.findChildren(QDialog)[-1]
    shown.grab().save(str(folder / f"{shot.name}.png"))
    window.close()
    vault.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "docs" / "pictures")
    parser.add_argument("--only", default="")
    parser.add_argument("--in-process", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        if given.only and shot.name != given.only:
            continue
        if given.in_process:
            draw(shot, given.folder)
            continue
        command = [sys.executable, __file__, str(given.folder), "--only", shot.name, "--in-process"]
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "QT_QPA_PLATFORM": "offscreen",
            "QT_SCALE_FACTOR": str(shot.scale),
        }
        if subprocess.run(command, env=env, check=False).returncode:
            return 1
        print(given.folder / f"{shot.name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
