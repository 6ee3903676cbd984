"""Opens the window: what is seen first, then everything that can wait."""

from __future__ import annotations

import gc
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from app.default_vault import default_path
from app.vault import open_vault
from store.errors import Damaged, KeepsakeError, Locked, NotAVault
from ui.toolkit.fonts import ui_font
from ui.toolkit.icons import app_icon
from ui.toolkit.plain_text import tell
from ui.toolkit.theme import TEXT_PX, Look, Theme
from ui.toolkit.toasts import Message
from ui.toolkit.translation import heard, translate
from ui.toolkit.widgets import FileDrops
from ui.window.main_window import LAST, MainWindow

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.window.features import Features


def run(path: Path | None, ephemeral: bool, *, capture: bool = False) -> int:
    """Shows the window until it is closed, with quick capture over it if that is asked for; 0, or 1
    with the reason when there is no vault."""
    gc.disable()  # until the window is on screen: nothing made so far is garbage
    app = application(sys.argv)
    try:
        vault = _opened(app, path, ephemeral)
    except KeepsakeError as error:
        tell(QMessageBox.Icon.Critical, "Keepsake", heard(error))
        sys.stderr.write(f"keepsake: {error}\n")
        return 1
    if vault is None:
        return 1
    try:
        window = build(app, vault)
        sys.excepthook = lambda _kind, error, _trace: _tell_fault(window, error)
        window.show()
        QTimer.singleShot(0, lambda: _after_show(app, window, vault, capture))
        code = app.exec()
    finally:
        vault.close()
    if window.shell.afterwards is not None:
        window.shell.afterwards()
    return code


def _tell_fault(window: MainWindow, error: BaseException) -> None:
    """What nobody caught: of a slot that Qt called, it would end on a terminal nobody looks at."""
    if isinstance(error, Exception):
        window.messages.fail(error)
    else:
        sys.__excepthook__(type(error), error, error.__traceback__)


def _opened(app: QApplication, path: Path | None, ephemeral: bool) -> Vault | None:
    """The vault; None if it does not open as it is and the person gave up."""
    try:
        return open_vault(path, ephemeral=ephemeral)
    except (Locked, Damaged, NotAVault) as error:
        from ui.vault.backups_dialog import way_in  # dialogs that hardly any start needs

        asked = way_in(error, path or default_path())
        if asked is None:
            raise
        translate(app, "system")  # which language and look were chosen is in the vault
        theme = Theme(app)
        theme.apply()
        try:
            return asked()
        finally:
            theme.deleteLater()


def _after_show(app: QApplication, window: MainWindow, vault: Vault, capture: bool) -> None:
    """Wiring every service takes longer than drawing the window: a thread does it meanwhile."""

    def finish() -> None:
        furnish(app, window, vault)
        work_aside(window, vault)
        if capture:
            window.actions_["capture"].trigger()

    def fail(error: Exception) -> None:
        window.messages.fail(error)
        finish()  # what is wired works

    window.jobs.run(lambda: _load(vault), lambda _: finish(), fail)
    start(window, vault, hears_signals=True)


def _load(vault: Vault) -> Features:
    """Wires the services, and imports the features: after the first paint, in whichever thread."""
    from ui.window.features import Features

    vault.wire_all()
    return Features()


def application(arguments: list[str]) -> QApplication:
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(arguments)
    app.setApplicationName("Keepsake")
    app.setOrganizationName("keepsake")
    app.setDesktopFileName("io.github.keepsake_desk.Keepsake")  # the menu entry that ships
    app.setFont(ui_font(TEXT_PX))  # for what is said before a vault is open
    return app


def build(app: QApplication, vault: Vault, sizes: QSettings | None = None) -> MainWindow:
    """The window over a vault with its list on the way, not shown yet."""
    chosen = vault.settings.all()
    translate(app, str(chosen["language"]))
    theme = Theme(app, Look(str(chosen["appearance"])), family=str(chosen["font"]))
    window = MainWindow(vault, theme, sizes or QSettings())
    window.setWindowTitle(title_of_window(vault.path))
    theme.apply()  # once, when all parts are there: styling each as it is added costs far more
    window.list_pane.list.setFocus()
    window.workbench.peek(str(window.sizes.value(LAST) or ""))
    return window


def title_of_window(path: Path) -> str:
    """The vault's name where it is not the usual one: two windows must not look the same."""
    name = path.parent.name if path.stem == "vault" else path.stem
    return "Keepsake" if path == default_path() else f"{name} – Keepsake"


def start(window: MainWindow, vault: Vault, *, hears_signals: bool = False) -> None:
    """What comes right after the window is on screen: icons, actions, files dropped on a field,
    following changes."""
    from ui.window import window_actions  # with sockets, and dialogs that actions open

    gc.enable()
    if hears_signals:
        window_actions.end_at_signals(window, vault)
    QApplication.setWindowIcon(app_icon())
    window.toolbar.adopt_icons()
    window.theme.changed.connect(window.toolbar.adopt_icons)
    window_actions.install(window, vault)
    FileDrops(window)
    _show_actions(window)
    window.messages.failed_unforeseen.connect(partial(_look_for_damage, window, vault))
    window.workbench.start()
    window.changes.start()


def _look_for_damage(window: MainWindow, vault: Vault, fault: Message) -> None:
    """After what nobody foresaw: whether the vault is to blame, or sound. Where nobody can look
    now, the fault itself is all that is said."""
    judge = partial(window.messages.judge, fault)
    window.jobs.run(
        lambda: vault.doctor.look_for_damage(), judge, lambda _error: None, key="damage"
    )


def furnish(app: QApplication, window: MainWindow, vault: Vault) -> None:
    """What needs all services: dialogs, views, the pane, the tray."""
    features = _load(vault)
    features.install(window.shell, vault)
    _show_actions(window)
    features.take_place(window, vault)


def _show_actions(window: MainWindow) -> None:
    window.toolbar.adopt_actions(window.actions_)
    window.actions_.tint(window.theme.tokens.mute)


def work_aside(window: MainWindow, vault: Vault) -> None:
    _load(vault).work_aside(window, vault)
