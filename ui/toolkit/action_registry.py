"""One registry of all the window can do: menu, shortcuts, toolbar and palette draw from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from ui.toolkit.icons import icon
from ui.toolkit.plain_text import plain_tip


class Listed(NamedTuple):
    """Where an action stands in the menu, and the words that also find it in the palette."""

    action: QAction
    menu: str
    icon: str
    also: str


class Actions(QObject):
    """Every QAction of the window, by name, in the order they were added."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._listed: dict[str, Listed] = {}

    def add(
        self,
        name: str,
        text: str,
        do: Callable[[], object],
        shortcut: str | QKeySequence.StandardKey | list[QKeySequence] = "",
        *,
        menu: str,
        icon: str = "",
        also: str = "",
        checkable: bool = False,
    ) -> QAction:
        """`menu` is the heading it stands under; `also` are other words for it, for the palette."""
        action = QAction(text, self._window, checkable=checkable)
        action.setObjectName(name)
        if isinstance(shortcut, list):
            action.setShortcuts(shortcut)
        elif shortcut:
            action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _checked=False: do())
        action.setToolTip(plain_tip(_tip(action)))
        self._window.addAction(action)
        self._listed[name] = Listed(action, menu, icon, also)
        return action

    def __getitem__(self, name: str) -> QAction:
        return self._listed[name].action

    def __contains__(self, name: str) -> bool:
        return name in self._listed

    def __iter__(self) -> Iterator[Listed]:
        return iter(self._listed.values())

    def menus(self) -> dict[str, list[Listed]]:
        """The headings, in order of first mention, with their actions; help comes last."""
        found: dict[str, list[Listed]] = {}
        for listed in self:
            found.setdefault(listed.menu, []).append(listed)
        if "shortcuts" in self:
            heading = self._listed["shortcuts"].menu
            found[heading] = found.pop(heading)
        return found

    def fill(self, menu: QMenu, *names: str) -> QMenu:
        """Adds the named actions; an empty name is a separator."""
        for name in names:
            menu.addAction(self[name]) if name else menu.addSeparator()
        return menu

    def tint(self, color: str) -> None:
        """Gives every action its icon in `color`."""
        for listed in self:
            if listed.icon:
                listed.action.setIcon(icon(listed.icon, color))


def shortcut_text(action: QAction) -> str:
    """As shown in the palette: `Ctrl K`."""
    return keys_text(action.shortcut())


def keys_text(sequence: QKeySequence | str) -> str:
    """`Ctrl K`, in the words of the keyboard: German has `Strg K`."""
    keys = QKeySequence(sequence).toString(QKeySequence.SequenceFormat.NativeText)
    return keys[:-1].replace("+", " ") + keys[-1:]  # the plus of Ctrl++ is a key itself


def _tip(action: QAction) -> str:
    keys = shortcut_text(action)
    return f"{action.text()}  ({keys})" if keys else action.text()
