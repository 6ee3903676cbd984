"""The middle of the window: the memories, one view over them, or the welcome of an empty vault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from ui.memory.shell import View
from ui.toolkit.changes import News

Answers = Mapping[str, Callable[[], None]]


class ViewStack(QStackedWidget):
    """`answers` is what an action does while the memories are in front, `anywhere` what it does
    in a view that has no answer of its own."""

    def __init__(self, memories: QWidget, keyboard: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memories = memories
        self._keyboard = keyboard  # what takes it where the memories come in front
        self._views: dict[str, View[Any]] = {}
        self._make_welcome: Callable[[], QWidget] | None = None
        self._welcome: QWidget | None = None
        self.answers: Answers = {}
        self.anywhere: Answers = {}
        self.addWidget(memories)

    @property
    def shows_memories(self) -> bool:
        return self.currentWidget() is self._memories

    def add_view(self, view: View[Any]) -> None:
        self._views[view.name] = view

    def show_memories(self) -> None:
        self.setCurrentWidget(self._memories)

    def show_view(self, name: str) -> bool:
        """Brings that view in front, or the memories if `name` is a list; says whether it is a
        view. The keyboard goes along if it was in the middle."""
        view = self._views.get(name)
        if view is not None and self.indexOf(view.made()) < 0:
            self.addWidget(view.made())
        held = QApplication.focusWidget()
        shown = view.made() if view is not None else self._memories
        self.setCurrentWidget(shown)
        if held is not None and self.isAncestorOf(held):
            (shown if view is not None else self._keyboard).setFocus()  # not whatever comes next
        if view is not None:
            view.enter()
        return view is not None

    def hear(self, news: News) -> None:
        for view in self._views.values():
            if view.widget is not None and view.widget.isVisible():
                view.hear(news)

    def answer(self, action: str) -> bool:
        """Has what is in front do what `action` means there; says whether it means anything."""
        shown = self.currentWidget()
        for view in self._views.values():
            if view.widget is shown and view.answer(action):
                return True
        do = self.answers.get(action) if self.shows_memories else None
        do = do or self.anywhere.get(action)
        if do is not None:
            do()
        return do is not None

    # The welcome

    def set_welcome(self, make: Callable[[], QWidget]) -> None:
        self._make_welcome = make

    def show_emptiness(self, empty: bool) -> None:
        """Has the welcome stand where the memories would, while there is none."""
        if empty and self.shows_memories and self._make_welcome is not None:
            if self._welcome is None:
                self._welcome = self._make_welcome()
                self.addWidget(self._welcome)
            self.setCurrentWidget(self._welcome)
        elif not empty and self._welcome is not None and self.currentWidget() is self._welcome:
            self.show_memories()
