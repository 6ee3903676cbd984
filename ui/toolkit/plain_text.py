"""Text that Qt shows as it is: agents write what labels, boxes and tips show, and Qt takes any text
that looks like HTML for HTML, with pictures loaded from the disk or the net."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QWidget


def plain_label(*arguments: Any, **properties: Any) -> QLabel:
    """A QLabel that shows its text as it is."""
    return QLabel(*arguments, textFormat=Qt.TextFormat.PlainText, **properties)


def plain_tip(text: str) -> str:
    """The text for a tool tip, which has no format to set: what may look like HTML is escaped."""
    if "<" not in text:
        return text
    lines = as_html(text).replace("\n", "<br>")
    return f"<p style='white-space: pre-wrap'>{lines}</p>"


def own_direction(text: str) -> str:
    """Each line in the direction of its own words, where the window goes from right to left: or
    the sign before an English word would stand behind it."""
    rtl = QApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
    return "\n".join(f"\u2068{line}\u2069" for line in text.split("\n")) if rtl else text


def as_html(text: str) -> str:
    """The text where Qt is to read HTML around it: nothing in it is taken for HTML."""
    from html import escape  # with a table of two thousand letters, which a start has no use for

    return escape(text)


def plain_box(
    icon: QMessageBox.Icon, title: str, text: str, parent: QWidget | None = None
) -> QMessageBox:
    """A QMessageBox that shows its text as it is; it has no buttons yet. `icon` is for the ears:
    the words say what it is about, and no sign shouts beside them."""
    box = QMessageBox(icon, title, text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setIconPixmap(QPixmap())
    return box


def tell(icon: QMessageBox.Icon, title: str, text: str, parent: QWidget | None = None) -> None:
    """Says something that is to be read before going on."""
    plain_box(icon, title, text, parent).exec()


def asked(title: str, text: str, parent: QWidget | None = None) -> bool:
    """Whether the person says yes."""
    box = plain_box(QMessageBox.Icon.Question, title, text, parent)
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    return box.exec() == QMessageBox.StandardButton.Yes
