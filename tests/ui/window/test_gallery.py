"""Everything that comes up has its picture: no dialog is left out of `screenshots.py --all`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

from gallery import DIALOGS, Desk, Gallery
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.samples import Samples
from app.vault import Vault
from tests.ui.conftest import settle
from tests.ui.window.test_words import unexplained, unnamed
from ui.toolkit.widgets import ElidedLink
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[3]
WINDOWS = {"QDialog"}  # what a class of its own comes up as
ALSO = {"MemoryWindow", "QuickCapture"}  # windows that are no dialogs
RAW = {"QDialog", "QInputDialog"}  # Qt's own, which nobody would have drawn


def sources() -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in sorted((ROOT / "ui").rglob("*.py"))]


def test_every_dialog_of_the_window_is_drawn() -> None:
    named = {
        node.name
        for module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id in WINDOWS for base in node.bases)
    }
    assert named | ALSO == set(DIALOGS)


def test_no_dialog_is_made_of_qt_alone() -> None:
    called = [
        ast.unparse(node.func)
        for module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
    ]
    assert [name for name in called if name.split(".")[0] in RAW] == []


def cut(shown: QWidget) -> list[str]:
    """Buttons without the room for their words; a link that ends in “…” says so itself."""
    return [
        one.text()
        for one in shown.findChildren(QPushButton)
        if one.isVisible() and not isinstance(one, ElidedLink)
        if one.width() < one.minimumSizeHint().width()
    ]


class Walk(Gallery):
    """Draws all, and notes what a person meets there without a name or without an explanation, and
    words that are cut."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        super().__init__(desk, "light", folder)
        self.nameless: dict[str, str] = {}
        self.unexplained: dict[str, str] = {}
        self.cut: dict[str, str] = {}

    def _keep(self, widget: QWidget, *words: str) -> None:
        super()._keep(widget, *words)
        self.nameless |= {what: " ".join(words) for what in unnamed(widget)}
        self.unexplained |= {what: " ".join(words) for what in unexplained(widget)}
        self.cut |= {what: " ".join(words) for what in cut(widget)}


def test_a_walk_meets_every_dialog_and_no_control_without_a_name_or_a_tip(
    qtbot: QtBot, make_window: Callable[[Vault], MainWindow], vault: Vault, tmp_path: Path
) -> None:
    Samples(vault).load()
    window = make_window(vault)
    window.resize(1366, 768)  # what most laptops have
    folder = tmp_path / "drawn"
    folder.mkdir()
    walk = Walk(Desk(window, vault, lambda shown: settle(qtbot, shown)), folder)
    walk.draw()
    assert {path.stem.split("-")[1] for path in folder.glob("*.png")} >= set(DIALOGS)
    assert walk.nameless == {}
    assert walk.unexplained == {}
    assert walk.cut == {}
