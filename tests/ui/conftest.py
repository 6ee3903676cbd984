"""The window under test: real services over a real file, drawn off screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.care import vault_key
from app.vault import Vault, open_vault
from store.records import USER, EntryDraft, Scope
from tests.app.access.test_secret_store import MemoryKeyring
from tests.fakes import FakeEmbedder, FixedClock, TickingClock
from tests.ui.bare import Bare, bare
from ui.toolkit import translation
from ui.toolkit.formatting import know_agent_names
from ui.window import startup as windows
from ui.window.main_window import MainWindow

CLAUDE = Scope("agent", "claude")
SHOP = Scope("workspace", "shop")
Settle = Callable[[], None]
PATIENCE = 30_000  # milliseconds: how long is waited for what must come, on the busiest machine


class PatientBot(QtBot):
    """Waits for what must come as long as a busy machine may take: no test judges by the clock."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **how: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **how)


@pytest.fixture
def short_runtime(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runtime folder as short as the system's own: a socket's path has room for about a hundred
    letters, and a test's own folder may have more."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(short_path))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The off-screen platform says what it lacks (frames, raising, grabbing); that is no news."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(autouse=True)
def _no_dialog_for_ever(qapp: QApplication) -> Iterator[None]:
    """A dialog that nobody answers would run its own loop until the end of days: while no Python
    runs in it, pytest's own limit of time is not heard either. It is closed and the test fails."""
    watch = QTimer(interval=PATIENCE * 2)
    watch.timeout.connect(_close_what_is_asked)
    watch.start()
    yield
    watch.stop()


def _close_what_is_asked() -> None:
    if asked := QApplication.activeModalWidget():
        asked.close()
        raise AssertionError(f"nobody answered {asked.windowTitle()!r}")


@pytest.fixture(autouse=True)
def _own_widgets(qapp: QApplication) -> Iterator[None]:
    """What a test leaves would be polished again with every window that comes after it."""
    know_agent_names({})  # nor is what it called its agents
    yield
    delete_closed()


def delete_closed() -> None:
    """Destroys what was closed; by itself only a loop that ends does it, and no test turns one."""
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture(autouse=True)
def _own_language(
    request: pytest.FixtureRequest, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """English; with `--as-is` the machine's language, but for the tests marked `english`."""
    as_is = request.config.getoption("--as-is")
    if not as_is or request.node.get_closest_marker("english"):
        monkeypatch.setattr(translation, "system_locale", lambda: QLocale("en"))
    translation.translate(qapp, "system")


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path) -> None:
    """Qt looks up where settings are but once, and would give every test those of the first."""
    kept = QSettings.Format.NativeFormat
    QSettings.setPath(kept, QSettings.Scope.UserScope, str(tmp_path / "home"))


@pytest.fixture
def clock() -> FixedClock:
    return TickingClock()


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", embedder=lambda _name: FakeEmbedder(), clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def stocked(vault: Vault) -> Vault:
    """A handful of memories of three scopes, the newest the most important."""
    vault.agents.add("claude")
    told = (
        (
            "deploy_target",
            "Production runs on EKS; **deploys** go out on Fridays.",
            CLAUDE,
            "core",
            9,
            ("infra", "aws"),
        ),
        (
            "release_checklist",
            "Before each deploy: migrations, changelog.",
            SHOP,
            "core",
            8,
            ("infra",),
        ),
        ("freeze_window", "No deploys in late December.", USER, "core", 7, ("infra",)),
        ("marie", "Works with Marie on onboarding.", USER, "relationship", 6, ("people",)),
        ("ci_minutes", "Check the CI quota before Friday.", CLAUDE, "daily", 5, ()),
    )
    for key, content, scope, category, importance, tags in reversed(told):
        vault.entries.store(
            EntryDraft(content, scope, key, category=category, importance=importance, tags=tags),
            actor=str(scope) if scope.kind == "agent" else "owner",
        )
    return vault


@pytest.fixture
def around(qtbot: QtBot, qapp: QApplication, stocked: Vault) -> Iterator[Bare]:
    """What one view needs around it, over the stocked vault."""
    made = bare(qtbot, qapp, stocked)
    yield made
    made.jobs.close()


@pytest.fixture
def make_window(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> Iterator[Callable[[Vault], MainWindow]]:
    made: list[MainWindow] = []

    def make(vault: Vault) -> MainWindow:
        places = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
        window = windows.build(qapp, vault, places)
        made.append(window)
        if not places.contains("geometry"):
            window.resize(1440, 900)  # as on a screen larger than the one drawn on here
            window.room.spread()
        window.show()
        windows.start(window, vault)
        windows.furnish(qapp, window, vault)
        qtbot.waitExposed(window)
        settle(qtbot, window)
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    delete_closed()


@pytest.fixture
def window(make_window: Callable[[Vault], MainWindow], stocked: Vault) -> MainWindow:
    return make_window(stocked)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Waits until no work is under way and no key is waiting to be acted on."""
    quiet = 0

    def calm() -> bool:
        nonlocal quiet
        busy = window.jobs.busy or window.workbench.finder.pausing
        quiet = 0 if busy else quiet + 1
        return quiet >= 3

    qtbot.waitUntil(calm)


def press(widget: QWidget, keys: str) -> None:
    """`Ctrl+S`, `Down`: as a person presses them, on whatever has the focus in the window."""
    *holds, name = keys.replace("++", "+Plus").split("+")
    modifier = Qt.KeyboardModifier.NoModifier
    for hold in holds:
        modifier |= {
            "Ctrl": Qt.KeyboardModifier.ControlModifier,
            "Shift": Qt.KeyboardModifier.ShiftModifier,
            "Alt": Qt.KeyboardModifier.AltModifier,
        }[hold]
    key = getattr(Qt.Key, f"Key_{name}")
    QTest.keyClick(focused(widget), key, modifier)


def type_text(widget: QWidget, text: str) -> None:
    for letter in text:
        QTest.keyClicks(focused(widget), letter)


def focused(widget: QWidget) -> QWidget:
    return QApplication.focusWidget() or widget.window()


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    """A keyring of the test's own, as the system's."""
    held = MemoryKeyring()
    monkeypatch.setattr(vault_key, "system_keyring", lambda: held)
    return held
