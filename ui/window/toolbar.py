"""The bar on top: search, filters, order, the palette, a new memory, the menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from ui.memory.search_bar import SearchBar
from ui.toolkit.action_registry import Actions, keys_text
from ui.toolkit.help import explain
from ui.toolkit.icons import icon
from ui.toolkit.theme import TOOLBAR_HEIGHT, Theme
from ui.toolkit.widgets import KeyButton

NARROW = 900


class Toolbar(QFrame):
    ordered = Signal(str)  # the list's new order

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.order = "rank"
        self._build()

    def _build(self) -> None:
        self.setObjectName("toolbar")
        self.setFixedHeight(TOOLBAR_HEIGHT)
        self.search = SearchBar(self._theme)
        self.sort = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sort.setProperty("look", "quiet")
        self.sort.setAccessibleName(self.tr("Order of the list"))
        explain(self.sort, self.tr("How the list is sorted."))
        self.commands = KeyButton(self.tr("Commands"), keys_text("Ctrl+K"), self._theme)
        explain(self.commands, self.tr("Memories, agents, settings and commands by a few letters."))
        self.new = KeyButton(self.tr("+ New memory"), "", self._theme)
        self.new.setAccessibleName(self.tr("New memory"))
        explain(self.new, self.tr("Begins a new memory (Ctrl+N)."))
        self.new.setProperty("look", "primary")
        self.pane = QToolButton()
        self.pane.setProperty("look", "quiet")
        self.pane.setAccessibleName(self.tr("What agents are told"))
        self.pane.setToolTip(self.tr("What agents are told (Ctrl+J)"))
        self.menu = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu.setProperty("look", "quiet")
        self.menu.setAccessibleName(self.tr("Menu"))
        explain(self.menu, self.tr("Everything the window can do."))
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(10)
        row.addWidget(self.search, 1)
        for widget in (self.sort, self.commands, self.new, self.pane, self.menu):
            row.addWidget(widget)
        self._fill_orders()

    def adopt_icons(self) -> None:
        """Draws them; the window does so once it is on screen, and when the palette changes."""
        self.search.field.refresh_icons()
        self.menu.setIcon(icon("menu", self._theme.tokens.mute))
        self.pane.setIcon(icon("pane", self._theme.tokens.mute))

    def _fill_orders(self) -> None:
        menu = QMenu(self.sort)
        self._orders = QActionGroup(menu)
        for name, text in (
            ("rank", self.tr("Best match")),
            ("newest", self.tr("Newest")),
            ("oldest", self.tr("Oldest")),
            ("created", self.tr("Newly created")),
            ("key", self.tr("By key")),
            ("size", self.tr("Largest")),
        ):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(name == self.order)
            self._orders.addAction(action)
            action.triggered.connect(lambda _=False, name=name, text=text: self._sort(name, text))
        self.sort.setMenu(menu)
        self.sort.setText(f"{self.tr('Best match')} ▾")

    def _sort(self, name: str, text: str) -> None:
        self.order = name
        self.sort.setText(f"{text} ▾")
        self.ordered.emit(name)

    def focus_search(self) -> None:
        self.search.field.setFocus()
        self.search.field.selectAll()

    def adopt_actions(self, actions: Actions) -> None:
        """The buttons do what the actions of that name do; the menu holds them all."""
        if self.menu.menu() is None:
            self.commands.clicked.connect(actions["palette"].trigger)
            self.new.clicked.connect(actions["new"].trigger)
            self.pane.clicked.connect(actions["pane"].trigger)
        menu = QMenu(self.menu)
        for heading, listed in actions.menus().items():
            part = menu.addMenu(heading)
            for one in listed:
                part.addAction(one.action)
        self.menu.setMenu(menu)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        narrow = self.width() < NARROW
        self.commands.setVisible(not narrow)
        self.sort.setVisible(not narrow)
        self.search.filter_button.setVisible(self.width() > 560)
        self.new.setText("+" if narrow else self.tr("+ New memory"))
        edge = 10 if narrow else 16
        self._row.setContentsMargins(edge, 0, edge, 0)
