"""The window as a person starts it, on whatever display there is, answering questions of a test.

Run as a program: `python -m tests.ui.display.driven VAULT`. Each line of standard input is an
expression over `window` and `vault`, evaluated on the GUI thread; its value comes back as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QSettings, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip, QWidget

from app.vault import open_vault
from tests.fakes import FakeEmbedder
from ui.memory.entry_card import PAD_X, PAD_Y
from ui.memory.entry_model import ROW_ROLE
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


def tip_text() -> str:
    """What the mouse is told, while a tip is on screen."""
    return QToolTip.text() if QToolTip.isVisible() else ""


def dot_place(view: Any, number: int) -> list[int]:
    """Where a point of the map is on the screen."""
    point = view._points[number]
    scene = view.plot.getViewBox().mapViewToScene(QPointF(point.x, point.y))
    at = view.plot.viewport().mapToGlobal(view.plot.mapFromScene(scene))
    return [at.x(), at.y(), 1, 1]


def _cards(view: Any) -> list[tuple[QRect, Any]]:
    """The rows on screen with the text of each as it is laid out in its card."""
    delegate, found = view.itemDelegate(), []
    for row in range(view.model().rowCount()):
        index = view.model().index(row, 0)
        box: QRect = view.visualRect(index)
        if box.intersects(view.viewport().rect()) and index.data(ROW_ROLE) is not None:
            room = box.width() - 2 * PAD_X
            side = Qt.LayoutDirection.LeftToRight
            card = delegate._card(index.data(ROW_ROLE), room, side, delegate._clock())
            lines = [card.below.lineAt(line) for line in range(card.lines)]
            found.append((box, (card.below, lines)))
    return found


def _in_formats(text: str, formats: Any) -> list[str]:
    """The words that formats cover, which Qt counts in UTF-16."""
    units = text.encode("utf-16-le")
    return [
        units[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le") for one in formats
    ]


def marked_words(view: Any) -> list[str]:
    """What is marked as found in the cards on screen."""
    return [
        word
        for _box, (layout, _lines) in _cards(view)
        for word in _in_formats(layout.text(), layout.formats())
    ]


def lines_under_chips(view: Any) -> list[str]:
    """The texts of cards on screen whose last line comes to stand under the chips."""
    delegate = view.itemDelegate()
    return [
        layout.text()
        for box, (layout, lines) in _cards(view)
        if lines
        and PAD_Y + delegate._line + 2 + lines[-1].y() + lines[-1].height()
        > delegate._chip_row(box.adjusted(PAD_X, PAD_Y, -PAD_X, -PAD_Y)).y() - box.y() + 1
    ]


def bold_words(edit: Any) -> list[str]:
    """What the editor shows in bold."""
    block, found = edit.document().begin(), []
    while block.isValid():
        bold = [
            f for f in block.layout().formats() if f.format.fontWeight() >= QFont.Weight.DemiBold
        ]
        found += _in_formats(block.text(), bold)
        block = block.next()
    return found


_asked, _go_on = threading.Event(), threading.Event()


def hold_back(module: str, name: str) -> None:
    """Has that function wait, in whatever thread it is called, until `let_go`."""
    place = importlib.import_module(module)
    answer = getattr(place, name)

    def held(*arguments: Any) -> Any:
        _asked.set()
        _go_on.wait()
        return answer(*arguments)

    setattr(place, name, held)


def held_back() -> bool:
    """Whether somebody waits."""
    return _asked.is_set()


def let_go() -> None:
    _go_on.set()


def later(do: Callable[[], object]) -> None:
    """Does it once this question is answered: what opens a dialog answers only when that closes."""
    QTimer.singleShot(0, do)


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
