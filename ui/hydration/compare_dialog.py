"""Two agents side by side: what each would be told, and what only one of them is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.hydration.preview import HydrationPreview, LiveHydration
from app.rules.policy import Run
from app.rules.verdict import Item
from store.records import Agent
from ui.hydration.byte_bar import ByteBar
from ui.hydration.items_list import HydrationList
from ui.toolkit.formatting import number_text, size_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import in_line, label

if TYPE_CHECKING:
    from app.access.agents import Agents


class _Side(QWidget):
    """One agent's half."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.agent = ChoiceField()
        self.agent.setAccessibleName(self.tr("Agent"))
        self.figures = label(look="mute")
        self.only = label(look="mute", wrap=True)
        self.bar = ByteBar(theme)
        self.list = HydrationList(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(in_line(self.agent, None, self.figures))
        column.addWidget(self.bar)
        column.addWidget(self.only)
        column.addWidget(self.list, 1)

    def show_answer(self, answer: HydrationPreview, only: Sequence[Item]) -> None:
        found = answer.hydration
        self.figures.setText(f"{size_text(found.used)} / {size_text(found.budget)}")
        self.bar.show_shares(answer.shares, found.budget)
        names = ", ".join(item.key for item in only[:4])
        more = self.tr(" and {n} more").format(n=number_text(len(only) - 4)) if only[4:] else ""
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
        self.resize(880, 640)
        self.sides = (_Side(theme), _Side(theme))
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 18, 20, 16)
        row.setSpacing(20)
        for side in self.sides:
            row.addWidget(side, 1)

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
