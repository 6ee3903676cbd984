"""The bar on top: search, filters, order, the palette, a new memory, the menu."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QProgressBar, QToolButton, QWidget

from ui.memory.search_bar import SearchBar
from ui.toolkit.action_registry import Actions
from ui.toolkit.formatting import memories
from ui.toolkit.icons import icon
from ui.toolkit.jobs import Job
from ui.toolkit.theme import STATUS_HEIGHT, TOOLBAR_HEIGHT, Theme
from ui.toolkit.toasts import Message
from ui.toolkit.widgets import KeyButton, restyle, tool


class StatusBar(QFrame):
    """Long work shows its progress here, with Cancel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._build()
        self._cancel.clicked.connect(self._stop)

    def _build(self) -> None:
        self.setObjectName("statusbar")
        self.setFixedHeight(STATUS_HEIGHT)
        self._count = QLabel()
        self._search = QLabel()
        self._api = QLabel()
        self._agents = QLabel()
        self._work = QLabel()
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedWidth(140)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._cancel = tool(self.tr("Cancel"))
        self._cancel.setAccessibleName(self.tr("Cancel the work under way"))
        self._last = QLabel()
        self._backup = QLabel()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(18)
        for label in (self._count, self._search, self._api, self._agents):
            row.addWidget(label)
        row.addStretch(1)
        for widget in (self._work, self._bar, self._cancel, self._last, self._backup):
            row.addWidget(widget)
        for widget in (self._search, self._api, self._agents, self._backup):
            widget.hide()
        self._show_work(False)

    def count(self, number: int) -> None:
        self._count.setText(memories(number))

    def tell(self, part: str, text: str, look: str = "") -> None:
        """`part` is `search`, `api`, `agents`, `last` or `backup`; an empty text hides it."""
        label: QLabel = getattr(self, f"_{part}")
        label.setText(text)
        label.setVisible(bool(text))
        restyle(label, look)

    def said(self, message: Message) -> None:
        """The last message in short, for who missed the toast."""
        text = message.text if len(message.text) < 70 else message.text[:69] + "…"
        self.tell("last", text, "bad" if message.bad else "good")
        self._last.setToolTip(message.text)

    def follow(self, job: Job) -> None:
        self._job = job
        self._work.setText(job.title)
        self._bar.setRange(0, 0)
        self._show_work(True)
        job.progressed.connect(self._progress)
        job.finished.connect(lambda: self._done(job))

    def _progress(self, done: int, total: int, text: str) -> None:
        if self.sender() is not self._job:
            return
        self._bar.setRange(0, max(total, 1))
        self._bar.setValue(done)
        if text:
            self._work.setText(text)

    def _done(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._show_work(False)

    def _stop(self) -> None:
        if self._job is not None:
            self._work.setText(self.tr("Stopping…"))
            self._job.cancel()

    def _show_work(self, show: bool) -> None:
        for widget in (self._work, self._bar, self._cancel):
            widget.setVisible(show)


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
        self.commands = KeyButton(self.tr("Commands"), "Ctrl K", self._theme)
        self.new = KeyButton(self.tr("+ New memory"), "", self._theme)
        self.new.setAccessibleName(self.tr("New memory"))
        self.new.setProperty("look", "primary")
        self.pane = QToolButton()
        self.pane.setProperty("look", "quiet")
        self.pane.setAccessibleName(self.tr("What agents are told"))
        self.pane.setToolTip(self.tr("What agents are told (Ctrl+J)"))
        self.menu = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu.setProperty("look", "quiet")
        self.menu.setAccessibleName(self.tr("Menu"))
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
