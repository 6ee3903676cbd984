"""Keepsake's icon as PNG, in whatever size a package wants."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

ICON = Path(__file__).parents[1] / "resources" / "icons" / "keepsake.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def png(size: int) -> bytes:
    """Needs no window and no running application."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(ICON)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(data.data())
