"""Our own line icons, tinted to the palette. SVG, so they are sharp at any scale."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

import resources

if TYPE_CHECKING:
    from PySide6.QtSvg import QSvgRenderer

FOLDER = Path(resources.__file__).parent / "icons"
_DRAWN_IN = b"#808080"  # the stroke colour in the files, replaced by the asked one


def arrow_file(dark: bool) -> str:
    """The little triangle of a combo box; a stylesheet can only name a file."""
    return (FOLDER / f"arrow-{'dark' if dark else 'light'}.svg").as_posix()


def tick_file(dark: bool) -> str:
    """The mark in a checked box."""
    return (FOLDER / f"tick-{'dark' if dark else 'light'}.svg").as_posix()


def app_icon() -> QIcon:
    return QIcon(str(FOLDER / "keepsake.svg"))


def badged_icon(number: int) -> QIcon:
    """Ours with a number on it, as a tray shows what was not looked at yet; none for 0."""
    if not number:
        return app_icon()
    made = QIcon()
    for size in (16, 22, 24, 32, 48, 64):
        pixmap = app_icon().pixmap(size, size)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = size * 0.62
        spot = QRectF(size - wide, size - wide, wide, wide)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#B4472E"))
        painter.drawEllipse(spot)
        font = painter.font()
        font.setPixelSize(max(round(wide * 0.72), 7))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#FFFFFF"))
        text = str(number) if number < 10 else "9+"
        painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()
        made.addPixmap(pixmap)
    return made


@lru_cache(maxsize=256)
def icon(name: str, color: str) -> QIcon:
    """The icon `name` in `color`, at the sizes of menus and buttons, sharp up to three times."""
    made = QIcon()
    for size in (16, 20, 24):
        for ratio in (1, 2, 3):
            made.addPixmap(_pixmap(name, color, size, ratio))
    return made


def paint(painter: QPainter, name: str, color: QColor, box: QRectF) -> None:
    _renderer(name, color.name()).render(painter, box)


def _pixmap(name: str, color: str, size: int, ratio: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size) * ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _renderer(name, color).render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@lru_cache(maxsize=256)
def _renderer(name: str, color: str) -> QSvgRenderer:
    from PySide6.QtSvg import QSvgRenderer  # loaded when there is something to draw

    drawn = (FOLDER / f"{name}.svg").read_bytes().replace(_DRAWN_IN, color.encode())
    return QSvgRenderer(QByteArray(drawn))
