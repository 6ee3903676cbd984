"""The window: builds its parts and arranges them for the room there is. It decides nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.entries.browse import VaultTally
from ui.memory.bulk_actions import Bulk
from ui.memory.editor import Editor
from ui.memory.list_pane import ListPane
from ui.memory.live_search import Finder, Searches
from ui.memory.sidebar import Place, Sidebar, SidebarModel
from ui.memory.undo import Undoing
from ui.toolkit.action_registry import Actions
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import LIST_WIDTH, PANE_WIDTH, SIDEBAR_WIDTH, Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.view_widgets import side_by_side
from ui.toolkit.widgets import frame, restyle
from ui.window.toolbar import StatusBar, Toolbar
from ui.window.workbench import Desk

if TYPE_CHECKING:
    from app.vault import Vault
    from ui.insight.activity import ActivityView
    from ui.vault.first_run import FirstRun
    from ui.window.palette import Palette

WIDE = 1100  # below it the pane on the right is a drawer
MEDIUM = 800  # below it the editor covers the list
SMALL = 640  # below it the sidebar is put away
VIEWS = ("expiring", "activity", "trash")


class MainWindow(QMainWindow):
    """The services it is given are asked only in jobs: they may still be on their way.

    `set_pane` fills the fourth column, `add_view` the middle; both are told nothing else."""

    dropped = Signal(list)  # paths of files let go over the window
    export_asked = Signal(object)  # the scopes, or None for everything
    first_run_made = Signal(object)
    serving_changed = Signal()  # the API is to be started, stopped or moved
    closing = Signal()

    def __init__(
        self,
        vault: Vault,
        search: Searches,
        theme: Theme,
        places: QSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self._sizes = places
        self._made: dict[str, Callable[[], QWidget]] = {}
        self._views: dict[str, QWidget] = {}
        self._saves: dict[str, Callable[[], None]] = {}
        self._drawer_open = False
        self.may_close: Callable[[], bool] = lambda: True
        self.afterwards: Callable[[], None] | None = None  # when the vault is closed, too
        self.place_items: list[Callable[[Place, QMenu], None]] = []  # of a scope's menu
        self.jobs = Jobs(self)
        self.messages = Messages(self)
        self.actions_ = Actions(self)
        self._history = vault.history
        self._build(vault)
        self._compose(vault, search)
        self.add_view("activity", self._make_activity)
        self._connect()
        self._remember()

    def _build(self, vault: Vault) -> None:
        self.setWindowTitle("Keepsake")
        self.setAcceptDrops(True)
        self.setMinimumSize(420, 420)
        self.toolbar = Toolbar(self.theme)
        self.status = StatusBar()
        self.places = SidebarModel(VIEWS, self)
        self.sidebar = Sidebar(self.places, self.theme)
        self.list_pane = ListPane(vault.browse, self.jobs, self.theme, vault.clock)
        self.editor = Editor(
            vault.entries,
            vault.drafts,
            vault.history,
            self.jobs,
            self.messages,
            self.theme,
            vault.clock,
        )
        self.first_run: FirstRun | None = None
        self.activity: ActivityView | None = None
        self._palette: Palette | None = None
        self._inner = side_by_side(self.list_pane, self.editor)
        self.middle = QStackedWidget()
        self.middle.addWidget(self._inner)
        self.pane = frame("pane")
        self._pane_column = QVBoxLayout(self.pane)
        self._pane_column.setContentsMargins(0, 0, 0, 0)
        self._body = side_by_side(self.sidebar, self.middle, self.pane)
        self.pane.hide()
        root = QWidget()
        column = QVBoxLayout(root)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self._body, 1)
        column.addWidget(self.status)
        self.setCentralWidget(root)

    def _compose(self, vault: Vault, search: Searches) -> None:
        self.undoing = Undoing(vault.history, self.jobs, self.messages, self)
        self.bulk = Bulk(
            vault.entries, vault.browse, vault.erasure, self.jobs, self.messages, self.undoing, self
        )
        self.desk = Desk(
            vault,
            Finder(vault.browse, search, self.jobs, self),
            self.sidebar,
            self.places,
            self.toolbar.search,
            self.list_pane,
            self.editor,
            self.bulk,
            self.undoing,
            self.jobs,
            self.messages,
            self,
        )

    def _connect(self) -> None:
        self.jobs.failed.connect(self.messages.fail)
        self.jobs.started.connect(self.status.follow)
        self.messages.said.connect(self.status.said)
        self.toolbar.ordered.connect(self.desk.finder.order)
        self.desk.counted.connect(self._show_counts)
        self.desk.went.connect(self._show_place)
        self.desk.opened.connect(self._show_editor)
        self.editor.back_asked.connect(self._show_list)
        self.undoing.done.connect(self._refresh_activity)
        self.theme.changed.connect(self._tint)

    @property
    def palette_(self) -> Palette:
        """Made when it is first asked for."""
        if self._palette is None:
            from ui.window.palette import Palette

            self._palette = Palette(self.actions_, self.theme, self)
        return self._palette

    # For other parts

    def set_pane(self, widget: QWidget) -> None:
        """What stands in the fourth column, or in the drawer when the window is narrow."""
        self._pane_column.addWidget(widget)
        self._arrange()

    def add_view(
        self, name: str, make: Callable[[], QWidget], save: Callable[[], None] | None = None
    ) -> None:
        """A view of the middle, listed in the sidebar under `name`, made when first looked at.
        `save` is what Save does while it is in front."""
        self._made[name] = make
        if save is not None:
            self._saves[name] = save
        self.places.add_view(name)

    def save(self) -> None:
        """Saves what is in front, and nothing that it covers."""
        shown = self.middle.currentWidget()
        if shown is self._inner:
            self.editor.save()
        for name, save in self._saves.items():
            if self._views.get(name) is shown:
                save()

    def toggle_pane(self) -> None:
        if not self._has_room(WIDE):
            self._drawer_open = not self._drawer_open
        else:
            self._sizes.setValue("pane_hidden", not self._pane_hidden())
        self._arrange()

    # Showing

    def _show_place(self, place: Place) -> None:
        view = self._views.get(place.name)
        if view is None and place.name in self._made:
            view = self._views[place.name] = self._made[place.name]()
            self.middle.addWidget(view)
        if place.name == "activity":
            self._refresh_activity()
        held = QApplication.focusWidget()
        self.middle.setCurrentWidget(view or self._inner)
        if view is None:
            self._show_list()
        if held is not None and self.middle.isAncestorOf(held):
            (view or self.list_pane.list).setFocus()  # and not whatever comes next

    def _refresh_activity(self) -> None:
        if self.activity is not None:
            self.activity.refresh(self.desk.agents)

    def _make_activity(self) -> QWidget:
        from ui.insight.activity import ActivityView

        self.activity = ActivityView(self._history, self.jobs)
        self.activity.undo_asked.connect(self.undoing.undo)
        self.activity.undo_since_asked.connect(self.undoing.undo_since)
        return self.activity

    def _show_first_run(self) -> None:
        if self.first_run is None:
            from ui.vault.first_run import FirstRun

            self.first_run = FirstRun(self.theme)
            self.middle.addWidget(self.first_run)
            self.first_run_made.emit(self.first_run)
        self.middle.setCurrentWidget(self.first_run)

    def _show_counts(self, tally: VaultTally) -> None:
        owners = {scope.id for scope in tally.scopes if scope.kind == "agent"}
        self.theme.know_agents([*self.desk.agents, *sorted(owners - set(self.desk.agents))])
        self.status.count(tally.total)
        empty = not tally.total and not tally.trash and not self.editor.busy
        shown = self.middle.currentWidget()
        if empty and shown is self._inner:
            self._show_first_run()
        elif not empty and shown is self.first_run:
            self.middle.setCurrentWidget(self._inner)
        elif shown is self.activity:
            self._refresh_activity()

    def _show_editor(self) -> None:
        if self.middle.currentWidget() is not self._inner:
            self.middle.setCurrentWidget(self._inner)
        if not self._has_room(MEDIUM) and self.isVisible() and self.editor.busy:
            self.list_pane.hide()
            self.editor.show()

    def _show_list(self) -> None:
        if not self._has_room(MEDIUM):
            self.editor.hide()
            self.list_pane.show()
            self.list_pane.list.setFocus()

    def _tint(self) -> None:
        self.actions_.tint(self.theme.tokens.mute)
        self._arrange()

    # Room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _has_room(self, width: int) -> bool:
        """For so many pixels of type in its usual size."""
        return self.width() >= self.theme.px(width)

    def _arrange(self) -> None:
        """Four columns, or three and a drawer, or the editor over the list."""
        wide, narrow = self._has_room(WIDE), not self._has_room(MEDIUM)
        self.sidebar.setVisible(self._has_room(SMALL))
        self.editor.form.back.setVisible(narrow)
        if narrow and not self.list_pane.isHidden() and not self.editor.isHidden():
            (self.list_pane if self._writing() else self.editor).hide()
        elif not narrow:
            self.list_pane.show()
            self.editor.show()
        if wide:
            self._drawer_open = False
            if self.pane.parentWidget() is not self._body:
                self._body.addWidget(self.pane)
                restyle(self.pane, "")
            self.pane.setVisible(not self._pane_hidden())
        else:
            self._arrange_drawer()
        self.toolbar.pane.setVisible(not wide or self._pane_hidden())

    def _writing(self) -> bool:
        """Whether the person is at the text, and not at the list."""
        held = QApplication.focusWidget()
        return self.editor.dirty or (held is not None and self.editor.isAncestorOf(held))

    def _arrange_drawer(self) -> None:
        if self.pane.parentWidget() is self._body:
            self.pane.hide()
            self.pane.setParent(self.centralWidget())
            restyle(self.pane, "drawer")
        area = self._body.geometry()
        room = min(PANE_WIDTH, area.width() - 48)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = area.left() if rtl else area.right() - room + 1
        self.pane.setGeometry(left, area.top(), room, area.height())
        self.pane.setVisible(self._drawer_open)
        self.pane.raise_()

    def _pane_hidden(self) -> bool:
        return bool(self._sizes.value("pane_hidden", False, type=bool))

    def _remember(self) -> None:
        self.resize(1440, 900)
        geometry = self._sizes.value("geometry")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._inner.setSizes([LIST_WIDTH, 900])
        self._body.setSizes([SIDEBAR_WIDTH, 1440 - SIDEBAR_WIDTH - PANE_WIDTH, PANE_WIDTH])
        for name, split in (("inner", self._inner), ("body", self._body)):
            state = self._sizes.value(name)
            if state is not None:
                split.restoreState(state)
        self._arrange()

    # Qt's own

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._drawer_open:
            self.toggle_pane()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.editor.leave()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            self.dropped.emit(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.desk.editor.leave()
        self._sizes.setValue("geometry", self.saveGeometry())
        if self._has_room(WIDE):
            self._sizes.setValue("inner", self._inner.saveState())
            self._sizes.setValue("body", self._body.saveState())
        if not self.may_close():
            event.ignore()
            self.hide()
            return
        self.desk.stop()
        self.closing.emit()
        self.jobs.close()
        super().closeEvent(event)
