"""Ctrl+K: every action by a few letters of its name, the ones used last on top."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from ui.actions import Actions, Listed, shortcut_text
from ui.listing import ListModel
from ui.overlay import GROUP_ROLE, KEYS_ROLE, Overlay
from ui.theme import Theme

GOOD_ENOUGH = 55.0


def ranked(query: str, choices: list[tuple[str, str]]) -> list[int]:
    """Which of the (name, other words) match `query`, best first; all of them for no query."""
    if not query.strip():
        return list(range(len(choices)))
    from rapidfuzz import fuzz, utils

    wanted = utils.default_process(query)
    scored = []
    for place, (name, also) in enumerate(choices):
        text = utils.default_process(name)
        score = fuzz.WRatio(wanted, text)
        if any(word.startswith(wanted) for word in text.split()):
            score += 30
        if also:
            score = max(score, fuzz.partial_ratio(wanted, utils.default_process(also)) - 8)
        if score >= GOOD_ENOUGH:
            scored.append((-score, place))
    return [place for _, place in sorted(scored)]


class PaletteModel(ListModel[Listed]):
    """The actions that match what was typed."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._actions = actions
        self._recent: list[str] = []

    def name_of(self, value: Listed) -> str:
        return value.action.objectName()

    def told(self, value: Listed, role: int, row: int) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return value.action.text()
        if role == KEYS_ROLE:
            return shortcut_text(value.action)
        if role == GROUP_ROLE:
            return value.menu
        return None

    def narrow(self, query: str) -> None:
        able = [listed for listed in self._actions if listed.action.isEnabled()]
        if not query.strip():
            place = {name: number for number, name in enumerate(self._recent)}
            able.sort(key=lambda listed: place.get(listed.action.objectName(), len(place)))
        choices = [(listed.action.text(), f"{listed.menu} {listed.also}") for listed in able]
        self.show([able[number] for number in ranked(query, choices)])

    def take(self, index: QModelIndex) -> QAction:
        action = self.values[index.row()].action
        name = action.objectName()
        self._recent = [name, *[other for other in self._recent if other != name]][:8]
        return action


class Palette(Overlay):
    """Opens with Ctrl+K; Enter does the chosen action."""

    def __init__(self, actions: Actions, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._model = PaletteModel(actions, parent)
        self.set_model(self._model)
        self.field.setPlaceholderText(self.tr("What would you like to do?"))
        self.field.setAccessibleName(self.tr("Search commands"))
        self.list.setAccessibleName(self.tr("Commands"))
        self.setAccessibleName(self.tr("Command palette"))
        self.field.textChanged.connect(self._narrow)
        self.chosen.connect(self._do)

    def popup(self) -> None:
        self._model.narrow("")
        super().popup()

    def _narrow(self, query: str) -> None:
        self._model.narrow(query)
        self.select_first()

    def _do(self, index: QModelIndex) -> None:
        self._model.take(index).trigger()
