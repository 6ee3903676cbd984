"""Several memories at once: their tags as chips, and the fields that can be set on all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QVBoxLayout, QWidget

from app.entries.browse import Vocabulary
from store.records import CATEGORIES, USER, Entry, Scope
from ui.memory.bulk_actions import Bulk
from ui.memory.field_form import BETWEEN, ImportanceDots, TagField, field_name
from ui.toolkit.formatting import entry_title, field_label, memories, scope_text
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import button, fit_screen, in_line, label

NAMED = 6


@dataclass(frozen=True, slots=True)
class Selected:
    """What is selected: every id, and the records of the first of them."""

    idents: Sequence[str]
    entries: Sequence[Entry]


class SelectionPanel(QWidget):
    """Every change is one action for all of them, told with a toast that takes it back. `asked`
    names what else is to be done with the selection: merge, export_chosen, forget."""

    asked = Signal(str)

    def __init__(
        self,
        bulk: Bulk,
        theme: Theme,
        words: Callable[[], Vocabulary],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._bulk = bulk
        self._words = words
        self._selected = Selected((), ())
        self._scopes: list[Scope] = [USER]
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setAccessibleName(self.tr("The selected memories"))
        self.title = label(look="title")
        self.names = label(look="mute", wrap=True)
        self.tags = TagField()
        self.category = ChoiceField(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.scope = ChoiceField(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.importance = ImportanceDots(theme)
        self.core = button(self.tr("Make core"))
        self.merge = button(self.tr("Merge…"))
        self.export = button(self.tr("Export…"))
        self.forget = button(self.tr("Forget"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(14)
        column.addWidget(self.title)
        column.addWidget(self.names)
        column.addLayout(self._build_fields())
        self.buttons = (self.core, self.merge, self.export, self.forget)
        column.addLayout(in_line(*self.buttons, None))
        column.addStretch(1)

    def _build_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(2)
        for row, (term, field) in enumerate(
            (
                ("tags", self.tags),
                ("category", self.category),
                ("scope", self.scope),
                ("importance", self.importance),
            )
        ):
            if not field.accessibleName():
                field.setAccessibleName(field_label(term))
            grid.addWidget(field_name(term, field), 3 * row, 0)
            dots = isinstance(field, ImportanceDots)
            flags = Qt.AlignmentFlag.AlignLeading if dots else Qt.AlignmentFlag(0)
            grid.addWidget(field, 3 * row + 1, 0, flags)
            grid.setRowMinimumHeight(3 * row + 2, BETWEEN)
        return grid

    def _connect(self) -> None:
        self.tags.changed.connect(self._retag)
        for box, set_it in ((self.category, self._recategorise), (self.scope, self._move)):
            box.activated.connect(lambda _index, do=set_it: do())
            line = box.lineEdit()
            if line is not None:
                line.returnPressed.connect(set_it)
        self.importance.changed.connect(self._set_importance)
        self.core.clicked.connect(lambda: self._change({"category": "core"}))
        for made, name in (
            (self.merge, "merge"),
            (self.export, "export_chosen"),
            (self.forget, "forget"),
        ):
            made.clicked.connect(lambda _=False, name=name: self.asked.emit(name))

    # Showing

    def offer(self) -> None:
        """Completes from the words in use now."""
        words = self._words()
        self.tags.offer(words.tags)
        self._scopes = list(dict.fromkeys([USER, *words.scopes]))
        for box, texts in (
            (self.category, list(dict.fromkeys([*CATEGORIES, *words.categories]))),
            (self.scope, [scope_text(scope) for scope in self._scopes]),
        ):
            chosen = box.currentText()
            box.clear()
            box.addItems(texts)
            box.setCurrentIndex(-1)
            box.setEditText(chosen)

    def show_selected(self, selected: Selected) -> None:
        """The values all of them have; an empty field where they differ."""
        self._selected = selected
        entries = selected.entries
        self.title.setText(counted("%Ln selected", len(selected.idents)))
        named = ", ".join(entry_title(entry) for entry in entries[:NAMED])
        more = len(selected.idents) - NAMED
        words = counted(" and %Ln more", more) if more > 0 else ""
        self.names.setText(named + words)
        every = dict.fromkeys(tag for entry in entries for tag in entry.tags)
        self._quietly_set(tuple(every), _common(entries))

    def _quietly_set(self, tags: tuple[str, ...], entry: Entry | None) -> None:
        fields = (self.tags, self.category, self.scope, self.importance)
        for field in fields:
            field.blockSignals(True)
        if tags != self.tags.chosen:
            self.tags.set_tags(tags)
        same = {one.category for one in self._selected.entries}
        self.category.setEditText(same.pop() if len(same) == 1 else "")
        self.scope.setEditText(self._shared_scope())
        self.importance.set_value(entry.importance if entry else 5)
        for field in fields:
            field.blockSignals(False)

    def _shared_scope(self) -> str:
        """As it is shown, if all of them are of one."""
        scopes = {one.scope for one in self._selected.entries}
        return scope_text(scopes.pop()) if len(scopes) == 1 else ""

    def focus_on(self, name: str) -> None:
        """Takes the keyboard to that field."""
        {
            "retag": self.tags.field,
            "recategorise": self.category,
            "importance": self.importance,
            "move": self.scope,
        }[name].setFocus()

    # Changing

    def _change(self, fields: dict[str, object]) -> None:
        self._bulk.change(self._selected.idents, fields)

    def _retag(self) -> None:
        """What was added goes to all of them, what was taken away from all."""
        had = dict.fromkeys(tag for entry in self._selected.entries for tag in entry.tags)
        chosen = self.tags.chosen
        added = [tag for tag in chosen if tag not in had]
        removed = [tag for tag in had if tag not in chosen]
        if added or removed:
            self._bulk.retag_as_typed(self._selected.idents, added, removed)

    def _recategorise(self) -> None:
        text = self.category.currentText().strip()
        if text and any(entry.category != text.lower() for entry in self._selected.entries):
            self._change({"category": text})

    def _move(self) -> None:
        text = self.scope.currentText().strip()
        if text not in ("", self._shared_scope()):  # a field that is only left says its scope, too
            self._bulk.move_as_typed(self._selected.idents, text, self._scopes)

    def _set_importance(self, value: int) -> None:
        self._change({"importance": value})


def _common(entries: Sequence[Entry]) -> Entry | None:
    """One of them, if all are of one importance."""
    values = {entry.importance for entry in entries}
    return entries[0] if len(values) == 1 else None


class SelectionDialog(QDialog):
    """The panel for what is selected elsewhere than in the list: a lasso, a whole scope."""

    def __init__(self, panel: SelectionPanel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.panel = panel
        close = button(self.tr("Close"), "primary")
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.addWidget(panel)
        column.addLayout(in_line(None, close))
        for made in panel.buttons:
            made.hide()
        fit_screen(self, 480, 320)

    def show_selected(self, selected: Selected, field: str) -> None:
        words = self.tr("Change {what}").format(what=memories(len(selected.idents)))
        self.setWindowTitle(words)
        self.panel.show_selected(selected)
        self.panel.focus_on(field)
        self.open()
