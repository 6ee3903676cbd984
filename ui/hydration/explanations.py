"""Two agents side by side: what each would be told, and what only one of them is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QStackedWidget, QVBoxLayout, QWidget

from app.hydration.preview import HydrationPreview, LiveHydration
from app.hydration.why import AgentsView
from app.rules.explanation import Remedy
from app.rules.policy import Run
from app.rules.verdict import Item
from store.records import USER, Agent, Entry
from ui.hydration.byte_bar import ByteBar
from ui.hydration.items_list import HydrationList
from ui.hydration.pane import HydrationPane
from ui.hydration.verdict_text import explained, item_name, remedy_hint, remedy_words
from ui.toolkit.formatting import size_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import EmptyState, FlowLayout, button, emptied, fit_screen, in_line, label

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.memory.memory import Memory


class _Side(QObject):
    """One agent's half: a column of a grid, so that the lists of both begin at one height."""

    def __init__(self, theme: Theme, grid: QGridLayout, column: int) -> None:
        super().__init__(grid)
        self.agent = ChoiceField(sizeAdjustPolicy=ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.agent.setAccessibleName(self.tr("Agent"))
        explain(self.agent, self.tr("The other agent to compare with."))
        self.figures = label(look="mute")
        self.only = label(look="mute", wrap=True)
        self.bar = ByteBar(theme)
        self.list = HydrationList(theme)
        top = Qt.AlignmentFlag.AlignTop
        grid.addLayout(in_line(self.agent, None, self.figures), 0, column)
        grid.addWidget(self.bar, 1, column, top)
        grid.addWidget(self.only, 2, column, top)
        grid.addWidget(self.list, 3, column)
        grid.setColumnStretch(column, 1)

    def show_answer(self, answer: HydrationPreview, only: Sequence[Item]) -> None:
        found = answer.hydration
        self.figures.setText(f"{size_text(found.used)} / {size_text(found.budget)}")
        self.bar.show_shares(answer.shares, found.budget)
        names = ", ".join(item_name(item) for item in only[:4])
        more = counted(" and %Ln more", len(only) - 4) if only[4:] else ""
        words = self.tr("Only here: {names}").format(names=names + more)
        self.only.setText(words if only else self.tr("Nothing that the other does not get."))
        self.list.show_items(answer.items, answer.agent.scope, "")


class CompareDialog(QDialog):
    """Each agent with its own budget and policy, in the place the pane stands."""

    def __init__(
        self,
        live: LiveHydration,
        agents: Agents,
        jobs: Jobs,
        theme: Theme,
        run: Run,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._live = live
        self._agents = agents
        self._jobs = jobs
        self._run = run
        self._known: dict[str, Agent] = {}
        self._build(theme)
        for side in self.sides:
            side.agent.activated.connect(lambda _: self._ask())

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Compare what two agents are told"))
        fit_screen(self, 880, 640)
        grid = QGridLayout(self)
        grid.setContentsMargins(24, 18, 24, 16)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(8)
        grid.setRowStretch(3, 1)
        self.sides = (_Side(theme, grid, 0), _Side(theme, grid, 1))

    def refresh(self) -> None:
        self._jobs.run(self._agents.list, self._offer_agents, key="compare-agents")

    def _offer_agents(self, agents: Sequence[Agent]) -> None:
        self._known = {agent.id: agent for agent in agents if agent.revoked_at is None}
        mine = self._run.agent.id
        other = next((ident for ident in self._known if ident != mine), mine)
        for side, chosen in zip(self.sides, (mine, other), strict=True):
            side.agent.clear()
            for agent in self._known.values():
                side.agent.addItem(agent.name, agent.id)
            side.agent.setCurrentIndex(side.agent.findData(chosen))
        self._ask()

    def _ask(self) -> None:
        runs = [self._run_of(str(side.agent.currentData())) for side in self.sides]
        self._jobs.run(lambda: [self._live.answer(run) for run in runs], self._show, key="compare")

    def _run_of(self, ident: str) -> Run:
        """The other agent speaks with its own settings; the place and the message are shared."""
        if ident == self._run.agent.id:
            return self._run
        return Run(self._known[ident], self._run.standing, None, self._run.message)

    def _show(self, answers: Sequence[HydrationPreview]) -> None:
        sets = [{item.id for item in answer.hydration.included} for answer in answers]
        for side, answer, others in zip(self.sides, answers, reversed(sets), strict=True):
            only = [item for item in answer.hydration.included if item.id not in others]
            side.show_answer(answer, only)


class WhyPanel(QWidget):
    """Every agent a row. `remedy_asked` carries the memory's id, the agent's id and the remedy."""

    remedy_asked = Signal(str, str, object)
    agent_asked = Signal(str)

    def __init__(
        self,
        memory: Memory,
        pane: HydrationPane,
        jobs: Jobs,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._pane = pane
        self._jobs = jobs
        self._entry: Entry | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Agents and this memory"))
        self.sentence = label(look="mute", wrap=True)
        self.tried = label(look="faint", wrap=True)
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
        column.addWidget(self.tried)
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
        self._pane.answered.connect(lambda _answer: self._follow_pane())

    def _follow_pane(self) -> None:
        """What the pane shows and what is said here is of one run, and of one edit."""
        if self.isVisible():
            self.refresh()

    def show_entry(self, entry: Entry | None) -> None:
        self._entry = entry
        self.refresh()

    def refresh(self) -> None:
        entry = self._entry
        if entry is None:
            self._stack.setCurrentIndex(1)
            return
        trial, draft = self._pane.trial, self._pane.draft
        self._say_trial(trial)
        self._jobs.run(
            lambda: self._memory.hydration.why_for_all(entry.id, trial, draft),
            self._show,
            key="why",
        )

    def _say_trial(self, trial: Run | None) -> None:
        self.tried.setVisible(trial is not None)
        if trial is not None:
            words = self.tr("{agent} as the pane on the right tries it: {size}.")
            size = size_text(trial.budget or 0)
            self.tried.setText(words.format(agent=trial.agent.name, size=size))

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
        name, reason = view.agent.name, self._reason(view)
        self.sentence.setText(f"{reason}." if reason.startswith(name) else f"{name}: {reason}.")
        for remedy in found.remedies:
            made = button(remedy_words(remedy, name))
            made.setToolTip(plain_tip(remedy_hint(remedy, name)))
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
