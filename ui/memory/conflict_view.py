"""Mine, theirs, or both: when somebody wrote while the person was writing."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from store.records import Block, Entry
from ui.memory.editor_form import EditorForm
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import moment_text, who
from ui.toolkit.theme import Theme
from ui.toolkit.view_widgets import button, in_line, label


class ConflictView(QWidget):
    """Theirs on the left, mine on the right. Nothing was overwritten; the person decides, and
    the signal of what was decided brings theirs along."""

    mine = Signal(object)
    theirs = Signal(object)
    both = Signal(object)
    later = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._current: Entry | Block | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self._words = label(look="notice", wrap=True)
        self.diff = DiffView(theme)
        self.keep_mine = button(self.tr("Keep mine"), "primary")
        self.take_theirs = button(self.tr("Take theirs"))
        self.keep_both = button(self.tr("Keep both"))
        self.go_on = button(self.tr("Go on editing"), "link")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._words)
        column.addWidget(self.diff, 1)
        column.addLayout(
            in_line(self.keep_mine, self.take_theirs, self.keep_both, self.go_on, None)
        )

    def _connect(self) -> None:
        self.keep_mine.clicked.connect(lambda: self.mine.emit(self._current))
        self.take_theirs.clicked.connect(lambda: self.theirs.emit(self._current))
        self.keep_both.clicked.connect(lambda: self.both.emit(self._current))
        self.go_on.clicked.connect(self.later)

    def show_conflict(self, current: Entry | Block, mine: str) -> None:
        """Of one block there are no two."""
        self._current = current
        words = self.tr(
            "{who} changed this memory at {when}, while you were editing. Nothing was overwritten."
        )
        if isinstance(current, Block):
            words = self.tr(
                "{who} changed this block at {when}, while you were editing. "
                "Nothing was overwritten."
            )
        self._words.setText(
            words.format(who=who(current.source), when=moment_text(current.updated_at))
        )
        self.keep_both.setVisible(isinstance(current, Entry))
        self.diff.set_titles(self.tr("Theirs"), self.tr("Mine"))
        self.diff.show_texts(current.content, mine)

    def clear(self) -> None:
        self._current = None
        self.diff.show_texts("", "")


class ConflictTab(QObject):
    """Keeps the editor's page of a conflict, whose view is made with the first one."""

    mine = Signal(object)
    theirs = Signal(object)
    both = Signal(object)

    def __init__(self, form: EditorForm, theme: Theme) -> None:
        super().__init__(form)
        self._form = form
        self._theme = theme
        self.view: ConflictView | None = None

    def show_conflict(self, current: Entry) -> None:
        if self.view is None:
            self.view = ConflictView(self._theme)
            self.view.mine.connect(self.mine)
            self.view.theirs.connect(self.theirs)
            self.view.both.connect(self.both)
            self.view.later.connect(lambda: self._form.show_conflict(False))
            self._form.conflict_page.furnish(self.view)
        self.view.show_conflict(current, self._form.form().content)
        self._form.show_conflict(True)

    def clear(self) -> None:
        if self.view is not None:
            self.view.clear()
