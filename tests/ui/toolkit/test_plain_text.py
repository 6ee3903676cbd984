"""Nothing an agent wrote is taken for HTML by a label, a box or a tip."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtWidgets import QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tests.test_layers import sources
from ui.toolkit.plain_text import plain_box, plain_label, plain_tip

HELPER = "plain_text.py"
BOX_PARTS = {"Icon", "ButtonRole", "StandardButton"}


def calls(path: Path) -> Iterator[ast.Call]:
    tree = ast.parse(path.read_text("utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def is_ours(text: ast.expr) -> bool:
    """A text of the program itself: a literal, or a translated one, with nothing put into it."""
    inner = text.args[0] if isinstance(text, ast.Call) and text.args else text
    translated = isinstance(text, ast.Call) and ast.unparse(text.func) == "self.tr"
    return isinstance(inner, ast.Constant) and (translated or inner is text)


def is_plain_tip(text: ast.expr) -> bool:
    """By itself, or as `tip`, which breaks it into lines."""
    return isinstance(text, ast.Call) and ast.unparse(text.func) in ("plain_tip", "tip")


def wrong_calls(path: Path) -> Iterator[str]:
    for call in calls(path):
        name = ast.unparse(call.func)
        said = f"{path.name}:{call.lineno} {name}"
        if name == "QLabel" and not any(word.arg == "textFormat" for word in call.keywords):
            yield f"{said}: use plain_label, or say its textFormat"
        if name.endswith(".setToolTip") and not (
            is_plain_tip(call.args[-1]) or is_ours(call.args[-1])
        ):
            yield f"{said}: use plain_tip"
        if name == "QToolTip.showText" and not is_plain_tip(call.args[1]):
            yield f"{said}: use plain_tip"
        if name == "QMessageBox" or (
            name.startswith("QMessageBox.") and name.split(".")[1] not in BOX_PARTS
        ):
            yield f"{said}: use plain_box, tell or asked"


def wrong_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            text = ast.unparse(node)
            if "role == Qt.ItemDataRole.ToolTipRole" in text and "tip(" not in text:
                yield f"{path.name}:{node.lineno} {node.name} gives a tip that is not a plain_tip"
        if isinstance(node, ast.ClassDef) and "QLabel" in map(ast.unparse, node.bases):
            text = ast.unparse(node)
            if "textFormat=" not in text and "setTextFormat(" not in text:
                yield f"{path.name}:{node.lineno} {node.name} does not say its textFormat"


def test_every_label_box_and_tip_goes_through_the_helper() -> None:
    paths = [path for path in sources("ui") if path.name != HELPER]
    assert [w for path in paths for w in (*wrong_calls(path), *wrong_functions(path))] == []


@pytest.fixture
def picture(tmp_path: Path) -> str:
    image = QImage(60, 60, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    image.save(str(tmp_path / "red.png"))
    return f'<h1>Hi</h1><img src="file://{tmp_path}/red.png">'


def test_what_looks_like_html_is_shown_and_nothing_is_loaded(qtbot: QtBot, picture: str) -> None:
    label = plain_label(picture)
    box = plain_box(QMessageBox.Icon.Warning, "Delete", picture)
    for widget in (label, box):
        qtbot.addWidget(widget)
        drawn = widget.grab().toImage()
        dots = {
            drawn.pixelColor(x, y).name()
            for x in range(drawn.width())
            for y in range(drawn.height())
        }
        assert "#ff0000" not in dots
    assert box.findChild(QLabel, "qt_msgbox_label").textFormat() is Qt.TextFormat.PlainText  # type: ignore[union-attr]
    tip = QTextDocument()
    tip.setHtml(plain_tip(picture))
    assert tip.toPlainText() == picture
    assert plain_tip("plain words") == "plain words"
