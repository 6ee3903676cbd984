"""The window as a person starts it, on whatever display there is, answering questions of a test.

Run as a program: `python -m tests.ui.display.driven VAULT`. Each line of standard input is an
expression over `window` and `vault`, evaluated on the GUI thread; its value comes back as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QRect, QSettings, QSocketNotifier
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.vault import open_vault
from tests.fakes import FakeEmbedder
from ui.window import startup
from ui.window.main_window import MainWindow


def place_of(widget: QWidget) -> list[int]:
    """Where it is on the screen: left, top, width, height."""
    at = widget.mapToGlobal(QPoint(0, 0))
    return [at.x(), at.y(), widget.width(), widget.height()]


def row_place(view: Any, row: int) -> list[int]:
    """Where a row of an item view is on the screen."""
    box: QRect = view.visualRect(view.model().index(row, 0))
    at = view.viewport().mapToGlobal(box.topLeft())
    return [at.x(), at.y(), box.width(), box.height()]


def remedy_place(view: Any, action: str) -> list[int]:
    """Where the pane's list first offers to do that to bring something in."""
    remedies = view.items.remedies
    offers = [one for one, remedy in remedies.items() if remedy and remedy.action == action]
    for row in sorted(view.items.row_of(ident) for ident in offers):
        box: QRect = view.visualRect(view.items.index(row, 0))
        for x in range(box.left(), box.right(), 4):
            at = QPoint(x, box.bottom() - 14)
            if view._link_at(at) is not None:
                there = view.viewport().mapToGlobal(at)
                return [there.x(), there.y(), 8, 1]
    return []


def button_in(dialog: QWidget, text: str) -> QPushButton:
    """The button of that dialog whose text holds `text`."""
    return next(one for one in dialog.findChildren(QPushButton) if text in one.text())


def dialogs(window: MainWindow) -> list[QWidget]:
    """The windows on screen beside the main one."""
    return [
        widget
        for widget in QApplication.topLevelWidgets()
        if widget.isVisible() and widget is not window and widget.windowTitle()
    ]


def calm(window: MainWindow) -> bool:
    return not (window.jobs.busy or window.workbench.finder.pausing)


def main() -> int:
    app = startup.application(sys.argv[:1])
    vault = open_vault(Path(sys.argv[1]), embedder=lambda _name: FakeEmbedder())
    ini = QSettings(sys.argv[1] + ".ini", QSettings.Format.IniFormat)
    window = startup.build(app, vault, ini)
    window.show()
    startup.start(window, vault)
    startup.furnish(app, window, vault)
    names = globals() | {"window": window, "vault": vault, "app": app}

    def answer() -> None:
        line = os.read(0, 65536).decode()
        if not line:
            window.close()
            app.quit()
            return
        try:
            said = {"value": eval(line, names)}
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(said, default=str) + "\n")
        sys.stdout.flush()

    heard = QSocketNotifier(0, QSocketNotifier.Type.Read)
    heard.activated.connect(answer)
    code = app.exec()
    vault.close()
    return code


if __name__ == "__main__":
    sys.exit(main())
