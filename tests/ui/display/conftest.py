"""A real X display of the tests' own, with a window manager, a mouse and a keyboard.

What offscreen cannot show is tested here: the wheel, popups that take the focus, where windows are
placed. Few tests, each with a window of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.vault import Vault, open_vault
from tests.fakes import FakeEmbedder

NEEDED = ("Xvfb", "openbox", "xdotool")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
PATIENCE = 20.0
OTHER = """
from PySide6.QtWidgets import QApplication, QPlainTextEdit
app = QApplication([])
other = QPlainTextEdit()
other.show()
other.activateWindow()
app.exec()
"""
START = "-m", "tests.ui.display.driven"
# Buttons are found by their English words, whatever language the tests around them meet.
ENGLISH = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "LANGUAGE": ""}


def _runs_on_x() -> str:
    """Why Qt cannot show a window on X here; empty when it can."""
    if MISSING:
        return f"{', '.join(MISSING)} is not installed"
    from PySide6.QtCore import QLibraryInfo

    plugins = QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)
    asked = ["ldd", str(Path(plugins) / "platforms" / "libqxcb.so")]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    lacking = [line.split()[0] for line in said.splitlines() if "not found" in line]
    return f"Qt's X plugin lacks {', '.join(sorted(set(lacking)))}" if lacking else ""


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of a screen of 1366×768, as small laptops have."""
    reason = _runs_on_x()
    if reason:
        pytest.skip(reason)
    read, write = os.pipe()
    asked = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    server = subprocess.Popen(asked, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        name = f":{told.readline().strip()}"
    manager = subprocess.Popen(
        ["openbox", "--sm-disable"],
        env=os.environ | {"DISPLAY": name},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield name
    for process in (manager, server):
        process.terminate()
        process.wait(10)


@dataclass(slots=True)
class Driven:
    """The window in a process of its own: `ask` it, or move its mouse and press its keys."""

    display: str
    process: subprocess.Popen[str]
    deeds: int = 0  # clicks, drops and keys pressed, but for those that write a text

    def ask(self, expression: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(expression + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the window is gone"
        said = json.loads(line)
        assert "error" not in said, f"{expression}: {said['error']}"
        return said["value"]

    def wait(self, expression: str) -> None:
        """Until it is true."""
        end = time.monotonic() + PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.03)

    def settle(self) -> None:
        quiet = 0
        while quiet < 3:
            quiet = quiet + 1 if self.ask("calm(window)") else 0
            time.sleep(0.02)

    def _xdo(self, *words: object) -> None:
        subprocess.run(
            ["xdotool", *map(str, words)],
            env=os.environ | {"DISPLAY": self.display},
            check=True,
            timeout=PATIENCE,
        )

    def move(self, place: str) -> None:
        """The mouse to the middle of a place: an expression for left, top, width, height."""
        left, top, width, height = self.ask(place)
        self._xdo("mousemove", left + width // 2, top + height // 2)

    def click(self, widget: str) -> None:
        self.click_at(f"place_of({widget})")

    def click_at(self, place: str, button: int = 1) -> None:
        self.deeds += 1
        self.move(place)
        self._xdo("click", button)

    def drop(self, path: Path, place: str) -> str:
        """Drags that file from another program and lets go of it there; what was agreed on."""
        self.deeds += 1
        asked = [sys.executable, "-m", "tests.ui.display.dragged", str(path)]
        with subprocess.Popen(
            asked,
            cwd=Path(__file__).parents[3],
            env=os.environ | ENGLISH | {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"},
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "there\n"
            left, top, width, height = self.ask(place)
            self._xdo("mousemove", 30, 20, "mousedown", 1, "mousemove", 34, 24)
            steps = [(left + width // 2 + step, top + height // 2) for step in (-20, -10, -4, 0)]
            for x, y in steps:  # a drop is taken where the mouse was seen to move
                self._xdo("mousemove", x, y)
                time.sleep(0.15)
            self._xdo("mouseup", 1)
            said = other.stdout.readline().strip()
            self.wait("not window.drop_hint.isVisible()")  # it was taken
            other.terminate()
        return said

    @contextmanager
    def in_front(self) -> Iterator[None]:
        """Another program, with the keyboard in it."""
        other = subprocess.Popen(
            [sys.executable, "-c", OTHER],
            env=os.environ | {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"},
        )
        try:
            self.wait("not window.isActiveWindow()")
            yield
        finally:
            other.terminate()
            other.wait(PATIENCE)

    def wheel(self, widget: str, notches: int) -> None:
        self.move(f"place_of({widget})")
        for _ in range(notches):
            self._xdo("click", 5)

    def key(self, *keys: str) -> None:
        self.deeds += len(keys)
        self._xdo("key", *keys)

    def type(self, text: str) -> None:
        self._xdo("type", "--delay", 30, text)


@pytest.fixture
def stocked(tmp_path: Path) -> Iterator[Vault]:
    """A vault that the window opens too, as any other process may."""
    opened = open_vault(tmp_path / "vault.db", embedder=lambda _name: FakeEmbedder())
    yield opened
    opened.close()


@pytest.fixture
def drive(
    display: str, stocked: Vault, request: pytest.FixtureRequest
) -> Iterator[Callable[[], Driven]]:
    """Opens the window over what the test put into the vault."""
    made: list[Driven] = []

    def start() -> Driven:
        process = subprocess.Popen(
            [sys.executable, *START, str(stocked.path)],
            cwd=Path(__file__).parents[3],
            env=os.environ | ENGLISH | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        driven = Driven(display, process)
        made.append(driven)
        driven.wait("window.isActiveWindow()")
        driven.settle()
        return driven

    yield start
    for driven in made:
        assert driven.process.stdin is not None
        assert driven.process.stdout is not None
        driven.process.stdin.close()
        driven.process.wait(PATIENCE)
        driven.process.stdout.close()
