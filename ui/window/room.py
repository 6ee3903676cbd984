"""How the window is arranged for the room there is: columns, a drawer, the editor over the list."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QVBoxLayout, QWidget

from ui.memory.editor import Editor
from ui.memory.list_pane import ListPane
from ui.memory.sidebar import Sidebar
from ui.toolkit.theme import LIST_WIDTH, PANE_WIDTH, SIDEBAR_WIDTH, Theme
from ui.toolkit.widgets import frame, restyle, side_by_side
from ui.window.toolbar import Toolbar

WIDE = 1100  # below it the pane on the right is a drawer
MEDIUM = 800  # below it the editor covers the list
SMALL = 640  # below it the sidebar is put away
WIDTH, HEIGHT = 1440, 900  # of the first window, where the screen is larger
FRAME = 40  # room for a title bar and borders, which Qt learns of only once they are there


class Room(QObject):
    """Made once the parts are; `columns` is what the window shows between its bars."""

    def __init__(
        self,
        window: QMainWindow,
        sidebar: Sidebar,
        middle: QWidget,
        memories: QSplitter,
        list_pane: ListPane,
        editor: Editor,
        toolbar: Toolbar,
        theme: Theme,
        sizes: QSettings,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._sidebar = sidebar
        self._memories = memories
        self._list_pane = list_pane
        self._editor = editor
        self._toolbar = toolbar
        self._theme = theme
        self._sizes = sizes
        self.pane = frame("pane")
        self._pane_column = QVBoxLayout(self.pane)
        self._pane_column.setContentsMargins(0, 0, 0, 0)
        self.columns = side_by_side(sidebar, middle, self.pane)
        self.pane.hide()
        self.drawer_open = False
        self._narrow = False

    def has(self, width: int) -> bool:
        """Whether there is room for so many pixels of type in its usual size."""
        return self._window.width() >= self._theme.px(width)

    def set_pane(self, widget: QWidget) -> None:
        self._pane_column.addWidget(widget)
        self.arrange()

    def toggle_pane(self) -> None:
        if not self.has(WIDE):
            self.drawer_open = not self.drawer_open
        else:
            self._sizes.setValue("pane_hidden", not self._pane_hidden())
        self.arrange()

    def show_editor(self) -> None:
        """Where both do not fit, the editor covers the list; not while several are selected."""
        several = len(self._list_pane.list.selected_rows()) > 1
        if not self.has(MEDIUM) and self._window.isVisible() and self._editor.busy and not several:
            self._list_pane.hide()
            self._editor.show()

    def show_list(self) -> None:
        if not self.has(MEDIUM):
            self._list_pane.show()
            self._editor.hide()
            self._list_pane.list.setFocus()

    def _uncover_list(self) -> None:
        if self._list_pane.isHidden():
            self.show_list()

    def _cover(self, narrow: bool) -> None:
        """Where the editor covers the list, a search shows what it finds, and so does an editor
        that shows nothing any more; elsewhere both are seen."""
        if narrow is not self._narrow:
            asked, emptied = self._toolbar.search.asked, self._editor.emptied
            for signal, uncover in (
                (asked, self._list_pane.show),
                (asked, self._editor.hide),
                (emptied, self._uncover_list),
            ):
                (signal.connect if narrow else signal.disconnect)(uncover)
            self._narrow = narrow

    def arrange(self) -> None:
        """Four columns, or three and a drawer, or the editor over the list."""
        wide, narrow = self.has(WIDE), not self.has(MEDIUM)
        self._cover(narrow)
        self._sidebar.setVisible(self.has(SMALL))
        self._editor.form.back.setVisible(narrow)
        if narrow and not self._list_pane.isHidden() and not self._editor.isHidden():
            (self._list_pane if _writing(self._editor) else self._editor).hide()
        elif not narrow:
            self._list_pane.show()
            self._editor.show()
        if wide:
            self.drawer_open = False
            if self.pane.parentWidget() is not self.columns:
                self.columns.addWidget(self.pane)
                restyle(self.pane, "")
            self.pane.setVisible(not self._pane_hidden())
        else:
            self._arrange_drawer()
        self._toolbar.pane.setVisible(not wide or self._pane_hidden())

    def _arrange_drawer(self) -> None:
        if self.pane.parentWidget() is self.columns:
            self.pane.hide()
            self.pane.setParent(self._window.centralWidget())
            restyle(self.pane, "drawer")
        area = self.columns.geometry()
        room = min(PANE_WIDTH, area.width() - 48)
        rtl = self._window.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = area.left() if rtl else area.right() - room + 1
        self.pane.setGeometry(left, area.top(), room, area.height())
        self.pane.setVisible(self.drawer_open)
        self.pane.raise_()

    def _pane_hidden(self) -> bool:
        return bool(self._sizes.value("pane_hidden", False, type=bool))

    # From one start to the next

    def restore(self) -> None:
        geometry = self._sizes.value("geometry")
        if geometry is None or not self._window.restoreGeometry(geometry):
            self._fit_screen()
        self.spread()
        for name, split in (("inner", self._memories), ("body", self.columns)):
            state = self._sizes.value(name)
            if state is not None:
                split.restoreState(state)
        self.arrange()

    def spread(self) -> None:
        """Gives the columns their usual widths; the text has the rest."""
        rest = max(self._window.width() - SIDEBAR_WIDTH - PANE_WIDTH, LIST_WIDTH + 1)
        self._memories.setSizes([LIST_WIDTH, rest - LIST_WIDTH])
        self.columns.setSizes([SIDEBAR_WIDTH, rest, PANE_WIDTH])

    def _fit_screen(self) -> None:
        """The first window is as designed, or as large as the screen lets it be with its frame."""
        free = QApplication.primaryScreen().availableGeometry()
        wide = min(WIDTH, free.width() - FRAME)
        tall = min(HEIGHT, free.height() - FRAME)
        self._window.resize(wide, tall)
        if wide < WIDTH or tall < HEIGHT:
            self._window.move(
                free.x() + (free.width() - FRAME - wide) // 2,
                free.y() + (free.height() - FRAME - tall) // 2,
            )

    def keep(self) -> None:
        self._sizes.setValue("geometry", self._window.saveGeometry())
        if self.has(WIDE):
            self._sizes.setValue("inner", self._memories.saveState())
            self._sizes.setValue("body", self.columns.saveState())


def _writing(editor: Editor) -> bool:
    """Whether the person is at the text, and not at the list."""
    held = QApplication.focusWidget()
    return editor.dirty or (held is not None and editor.isAncestorOf(held))
