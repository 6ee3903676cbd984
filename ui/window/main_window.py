"""The window: makes its parts and joins them. What they do is theirs."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from PySide6.QtCore import QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from store.instants import Clock
from ui.memory.bulk_actions import Bulk, BulkServices
from ui.memory.editor import Editor, EditorServices
from ui.memory.list_pane import ListPane
from ui.memory.live_search import Finder, FinderServices
from ui.memory.overview import Overview, OverviewServices
from ui.memory.selection import Selection
from ui.memory.sidebar import Sidebar, SidebarItem, SidebarModel
from ui.memory.undo import Undoing
from ui.memory.workbench import Workbench
from ui.toolkit.action_registry import Actions
from ui.toolkit.changes import Changes
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages, StatusBar
from ui.toolkit.widgets import side_by_side
from ui.window.room import Room
from ui.window.shell import ViewStack, WindowShell
from ui.window.toolbar import Toolbar

LAST = "last_entry"  # where the memory in hand is remembered for the next start
LISTS = ("expiring", "trash")  # rows of the sidebar that list memories


class WindowServices(EditorServices, BulkServices, FinderServices, OverviewServices, Protocol):
    """What the window asks of a vault, in jobs: the first to ask for a service has it wired."""

    clock: Clock


class Closing(Enum):
    """What closing the window does."""

    QUIT = "quit"  # it goes for good, and the program with it
    HIDE = "hide"  # it goes to the tray, and all goes on
    STAY = "stay"


class MainWindow(QMainWindow):
    """`closing`: it goes for good. `activated`: the person has it in front. `close_asked` says what
    closing it does."""

    closing = Signal()
    activated = Signal()

    def __init__(
        self,
        services: WindowServices,
        theme: Theme,
        sizes: QSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.sizes = sizes
        self.close_asked: Callable[[], Closing] = lambda: Closing.QUIT
        self.serves_agents: Callable[[], bool] = lambda: False  # through an API that ends with it
        self.jobs = Jobs(self)
        self.messages = Messages(self)
        self.actions_ = Actions(self)
        self.changes = Changes(services, self.jobs, self)
        self.undoing = Undoing(services, self.jobs, self.messages, self)
        self.bulk = Bulk(services, self.jobs, self.messages, self.undoing, self)
        self._build(services, sizes)
        self._compose(services)
        self._connect()
        self.room.restore()
        words = self.tr(
            "Drop it to see what it would bring in; nothing is written before you agree."
        )
        self.drop_hint = DropHint(words, self)

    def _build(self, services: WindowServices, sizes: QSettings) -> None:
        self.setWindowTitle("Keepsake")
        self.setAcceptDrops(True)
        self.setMinimumSize(420, 420)
        self.toolbar = Toolbar(self.theme)
        self.status = StatusBar()
        self.sidebar_items = SidebarModel(LISTS, self)
        self.sidebar = Sidebar(self.sidebar_items, self.theme)
        self.list_pane = ListPane(services.browse, self.jobs, self.theme, services.clock)
        self.editor = Editor(services, self.jobs, self.messages, self.theme, services.clock)
        self.list_pane.add_strip(self.toolbar.search.strip)
        memories = side_by_side(self.list_pane, self.editor)
        self.middle = ViewStack(memories, self.list_pane.list)
        self.room = Room(
            self,
            self.sidebar,
            self.middle,
            memories,
            self.list_pane,
            self.editor,
            self.toolbar,
            self.theme,
            sizes,
        )
        root = QWidget()
        column = QVBoxLayout(root)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.room.columns, 1)
        column.addWidget(self.status)
        self.setCentralWidget(root)

    def _compose(self, services: WindowServices) -> None:
        finder = Finder(services, self.jobs, self)
        self.selection = Selection(
            self.list_pane.list,
            self.editor,
            finder,
            self.bulk,
            self.messages,
            lambda: self.middle.shows_memories,
            self,
        )
        self.overview = Overview(services, self.changes, self)
        self.workbench = Workbench(
            services,
            finder,
            self.list_pane,
            self.editor,
            self.selection,
            self.overview,
            self.changes,
            self.undoing,
            self.jobs,
            self.messages,
            self.middle.to_front,
            self,
        )
        self.shell = WindowShell(
            self,
            self.jobs,
            self.messages,
            self.actions_,
            self.theme,
            self.undoing,
            self.changes,
            self.overview,
            self.editor,
            self.bulk,
            self.selection,
            self.workbench,
            services.browse,
            self.sidebar,
            self.sidebar_items,
            self.toolbar.search,
            self.middle,
            self.room,
        )

    def _connect(self) -> None:
        search, finder = self.toolbar.search, self.workbench.finder
        self.jobs.failed.connect(self.messages.fail)
        self.jobs.started.connect(self.status.follow)
        self.messages.passed.connect(self.status.said)
        self.messages.notice.covers.connect(self.status.give_way)
        self.status.working.connect(self.messages.rise)
        self.bulk.done.connect(self.changes.look)
        self.undoing.done.connect(self.changes.look)
        self.changes.heard.connect(self.middle.hear)
        self.overview.counted.connect(self._show_counts)
        self.editor.shown.connect(lambda _entry: self._welcome_if_empty())
        self.overview.learned.connect(self._offer_words)
        self.sidebar.chosen.connect(self._go)
        self.sidebar_items.dropped.connect(self.bulk.move)
        search.asked.connect(self.workbench.ask)
        self.middle.memories_asked.connect(lambda: self.shell.go_to("all"))
        search.down.connect(self.list_pane.take_keyboard)
        self.list_pane.list.clear_asked.connect(search.clear)
        self.list_pane.empty_asked.connect(lambda: self.actions_["empty_trash"].trigger())
        self.toolbar.ordered.connect(finder.order)
        self.workbench.opened.connect(self._show_editor)
        self.editor.back_asked.connect(self.room.show_list)
        self.theme.changed.connect(self._tint)
        self.shell.leaving.connect(self._leave)
        self.middle.answers = {
            "save": self.editor.save,
            "discard": self.editor.discard,
            "split": self.editor.split_off,
            "forget": self.selection.forget,
        }
        self.middle.anywhere = {
            "undo": self.undoing.undo_last,
            "redo": self.undoing.redo_last,
            "find": self.toolbar.focus_search,
        }

    # Where to

    def _go(self, item: SidebarItem) -> None:
        """What a saved search or a picture asks belongs to it, and does not stay in the field when
        the person goes on; what they typed does."""
        finder, search = self.workbench.finder, self.toolbar.search
        search.take_back()
        if not self.middle.show_view(item.name):
            self.room.show_list()
            if item.query:
                finder.go(SidebarItem("all", ""))
                search.lend(item.query)
            else:
                finder.go(item)
        if item.name == "all":
            self._welcome_if_empty()

    def _go_back(self) -> None:
        """Escape: from the drawer, from a view, from the text or several memories to the list, and
        from the list to all that is there."""
        entries, search = self.list_pane.list, self.toolbar.search
        if self.room.drawer_open:
            self.room.toggle_pane()
        elif not self.middle.shows_memories:
            self.middle.to_front()
            entries.setFocus()
        elif not entries.hasFocus():
            self.room.show_list()
            entries.setFocus()
        elif len(entries.selected_rows()) > 1:
            entries.select_row(entries.currentIndex().row())
        elif search.query:
            search.set_query("")
        else:
            self.shell.go_to("all")

    # Showing

    def _show_editor(self) -> None:
        self.middle.show_memories()
        self.room.show_editor()

    def _show_counts(self) -> None:
        overview = self.overview
        tally, agents = overview.tally, overview.agents
        owners = {scope.id for scope in tally.scopes if scope.kind == "agent"}
        self.theme.know_agents([*agents, *sorted(owners - set(agents))])
        self.sidebar_items.update(tally, agents, overview.searches)
        self.editor.form.fields.truth.offer_agents(agents)
        self.status.count(tally.total)
        self.list_pane.list.viewport().update()  # cards say what agents are called
        self._welcome_if_empty()

    def _welcome_if_empty(self) -> None:
        overview = self.overview
        empty = overview.known and not overview.tally.total and not overview.tally.trash
        self.middle.show_emptiness(empty and not self.editor.busy)

    def _offer_words(self) -> None:
        self.editor.offer(self.overview.words)
        self.toolbar.search.offer(self.overview.words)

    def _tint(self) -> None:
        self.actions_.tint(self.theme.tokens.mute)
        self.room.arrange()

    def _leave(self) -> None:
        self.close_asked = lambda: Closing.QUIT
        self.close()
        QApplication.quit()

    # Qt's own

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.room.arrange()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._go_back()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange:
            if self.isActiveWindow():
                self.activated.emit()
            else:
                self.editor.leave()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            _take_copy(event)
            self.drop_hint.offer()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        if event.mimeData().hasUrls():
            self.drop_hint.offer()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self.drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_hint.hide()
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            _take_copy(event)
            self.shell.dropped.emit(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.editor.leave()
        self.room.keep()
        self.sizes.setValue(LAST, self.editor.entry.id if self.editor.entry is not None else "")
        how = self.close_asked()
        if how is not Closing.QUIT:
            event.ignore()
            self.setVisible(how is Closing.STAY)
            return
        self.changes.stop()
        self.shell.closing.emit()
        self.closing.emit()
        self.jobs.close()
        # A field that is destroyed with the keyboard in it is told so when it is half gone, and
        # with it the Python that filters its events.
        focused = self.focusWidget()
        if focused is not None:
            focused.clearFocus()
        super().closeEvent(event)


def _take_copy(event: QDropEvent) -> None:
    """Files are read: whoever drags them must not take a move for done and remove them."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


class DropHint(QLabel):
    """Lies over a window while something is dragged across it, and says what letting go does."""

    def __init__(self, words: str, window: QWidget) -> None:
        super().__init__(words, window, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._window = window
        self.setObjectName("dropHint")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # A program that ends in the middle of a drag says neither that it left nor that it let go.
        self._timer = QTimer(self, singleShot=True, interval=3_000)
        self._timer.timeout.connect(self.hide)
        self.hide()

    def offer(self) -> None:
        self._timer.start()
        self.setGeometry(self._window.rect().adjusted(12, 12, -12, -12))
        self.show()
        self.raise_()
