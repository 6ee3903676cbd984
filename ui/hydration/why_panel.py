"""Why does each agent know this memory, or not? And what would change that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.hydration.why import AgentsView
from app.rules.explanation import Remedy
from store.records import USER, Entry
from ui.hydration.verdict_text import explained, remedy_words
from ui.toolkit.flow_layout import FlowLayout
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.view_widgets import EmptyState, button, emptied, label

if TYPE_CHECKING:
    from app.hydration.why import Why


class WhyPanel(QWidget):
    """Every agent a row. `remedy_asked` carries the memory's id, the agent's id and the remedy."""

    remedy_asked = Signal(str, str, object)
    agent_asked = Signal(str)

    def __init__(self, why: Why, jobs: Jobs, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._why = why
        self._jobs = jobs
        self._entry: Entry | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Agents and this memory"))
        self.sentence = label(look="mute", wrap=True)
        self.remedies = QWidget()
        self._flow = FlowLayout(self.remedies, spacing=8)
        self._empty = EmptyState(
            self.tr("Nothing to explain yet"), self.tr("Save the memory, or add an agent.")
        )
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.list, 1)
        column.addWidget(self.sentence)
        column.addWidget(self.remedies)
        self._stack = QStackedWidget()
        self._stack.addWidget(page)
        self._stack.addWidget(self._empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    def _connect(self) -> None:
        self.list.chosen.connect(self._explain)
        self.list.doubleClicked.connect(self._ask_agent)

    def show_entry(self, entry: Entry | None) -> None:
        self._entry = entry
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()

    def refresh(self) -> None:
        entry = self._entry
        if entry is None:
            self._stack.setCurrentIndex(1)
            return
        self._jobs.run(lambda: self._why.explain_to_all(entry.id), self._show, key="why")

    def _show(self, views: Sequence[AgentsView]) -> None:
        self._stack.setCurrentIndex(0 if views else 1)
        self.list.show_rows([self._row(view) for view in views])

    def _row(self, view: AgentsView) -> Row:
        found = view.explanation
        if found.hydrated:
            end, dot = self.tr("told at the start"), "accent"
        elif found.visible:
            end, dot = self.tr("only when recalled"), "recent"
        else:
            end, dot = self.tr("does not see it"), "bad"
        return Row(view.agent.id, view.agent.name, self._reason(view), end, dot, value=view)

    def _reason(self, view: AgentsView) -> str:
        whose = self._entry.scope if self._entry is not None else USER
        return explained(view.explanation, view.agent.name, whose)

    def _explain(self, row: Row | None) -> None:
        emptied(self._flow)
        view = row.value if row is not None else None
        if not isinstance(view, AgentsView):
            self.sentence.setText("")
            return
        found = view.explanation
        self.sentence.setText(f"{view.agent.name}: {self._reason(view)}.")
        for remedy in found.remedies:
            made = button(remedy_words(remedy))
            made.clicked.connect(lambda _=False, r=remedy, a=view.agent.id: self._ask(a, r))
            self._flow.addWidget(made)
            made.show()

    def _ask(self, agent_id: str, remedy: Remedy) -> None:
        if self._entry is not None:
            self.remedy_asked.emit(self._entry.id, agent_id, remedy)

    def _ask_agent(self) -> None:
        row = self.list.current
        if row is not None:
            self.agent_asked.emit(row.key)
