"""A small window of another program from which a file can be dragged, as from a file manager.

Run as a program: `python -m tests.ui.display.dragged FILE`; it lies at the screen's corner, and
says `dropped` with what came of each drag."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget


class Source(QWidget):
    def __init__(self, path: str) -> None:
        super().__init__(None, Qt.WindowType.X11BypassWindowManagerHint)
        self._path = path
        self.setGeometry(0, 0, 60, 40)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(self._path)])
        drag = QDrag(self)
        drag.setMimeData(data)
        done = drag.exec(Qt.DropAction.CopyAction | Qt.DropAction.MoveAction)
        sys.stdout.write(f"dropped {done.name}\n")
        sys.stdout.flush()


def main() -> int:
    app = QApplication(sys.argv[:1])
    source = Source(sys.argv[1])
    source.show()
    source.raise_()
    sys.stdout.write("there\n")
    sys.stdout.flush()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
