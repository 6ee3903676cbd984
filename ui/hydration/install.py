"""Adds what agents are told: the pane on the right, the tab that says why, the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.hydration.preview import HydrationPreview, LiveHydration
from app.mcp.instructions import instructions_of
from app.rules.explanation import Remedy
from app.rules.policy import Run
from store.records import USER, Agent, Entry
from ui.hydration.explanations import CompareDialog, WhyPanel
from ui.hydration.pane import DRAFT, OUT, HydrationPane, PaneServices, bytes_to_lose
from ui.memory.shell import Shell
from ui.toolkit.help import tip
from ui.toolkit.translation import counted, tr

if TYPE_CHECKING:
    from app.vault import Vault


NOTHING = "", ""


def install(shell: Shell, vault: Vault) -> None:
    _Hydration(shell, vault)


class _Hydration(QObject):
    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._agents = vault.agents
        self._shortening = NOTHING  # the memory that is being shortened, and what is said of it
        self._live = LiveHydration(vault)
        services = PaneServices(
            self._live,
            vault.memory,
            vault.agents,
            vault.conversations,
            vault.settings,
            vault.clock,
            lambda run: instructions_of(vault, run),
        )
        self._pane = HydrationPane(services, shell.jobs, shell.theme)
        self._why = WhyPanel(vault.memory, self._pane, shell.jobs, shell.theme)
        self._add_pane()
        self._add_why()

    def _add_pane(self) -> None:
        shell, pane, actions = self._shell, self._pane, self._pane.item_actions
        shell.set_pane(pane)
        pane.answered.connect(self._follow_shortening)
        shell.editor.shown.connect(pane.show_entry)
        shell.editor.changed.connect(pane.show_edit)
        shell.covered.connect(pane.lay_aside)
        shell.block_typed.connect(pane.show_block)
        shell.changes.heard.connect(pane.hear)
        actions.open_asked.connect(lambda ident: shell.open("entry", ident))
        actions.block_asked.connect(lambda ident: shell.open("block", ident))
        actions.review_asked.connect(lambda: shell.go_to("review"))
        actions.core_asked.connect(lambda ids: shell.bulk.change(ids, {"category": "core"}))
        actions.forget_asked.connect(shell.bulk.forget)
        actions.expect_asked.connect(self._expect)
        actions.shorten_asked.connect(self._shorten)
        pane.add_agent_asked.connect(lambda: shell.actions["agents"].trigger())
        pane.compare_asked.connect(self._compare)
        pane.raise_asked.connect(
            lambda agent, budget: self._change_agent(agent, {"hydration_budget": budget})
        )
        pane.show_entry(shell.editor.entry)
        pane.reload()

    def _add_why(self) -> None:
        editor = self._shell.editor
        tab = editor.form.add_tab(tr("Why"), self._why)
        words = tr("Which agents are told this memory, and why the others are not.")
        editor.form.tabs.setTabToolTip(tab, tip(words))
        editor.form.when_seen(self._why, lambda: self._why.show_entry(editor.entry))
        self._why.remedy_asked.connect(self._apply)
        self._why.agent_asked.connect(self._pane.choose)
        self._shell.actions.add(
            "why",
            tr("Why"),
            lambda: self._show_why(tab),
            "Ctrl+Shift+H",
            menu=tr("Memory"),
            also="explain agents see hydrated",
        )

    def _show_why(self, tab: int) -> None:
        """With the keyboard in it: its buttons are a Tab away."""
        self._shell.editor.form.tabs.setCurrentIndex(tab)
        self._why.list.setFocus()

    def _apply(self, ident: str, agent_id: str, remedy: Remedy) -> None:
        """Does what would bring the memory in; each can be undone."""
        if remedy.action == "raise_budget":
            self._change_agent(agent_id, {"hydration_budget": remedy.bytes})
            return
        if remedy.action == "let_in":
            self._let_in(agent_id, remedy.key)
            return
        if remedy.action == "share":
            self._shell.bulk.move([ident], USER)
            return
        self._pane.item_actions.apply(ident, remedy)
        if remedy.action == "shorten":
            self._pane.choose(agent_id)  # what it has to lose is that agent's
            self._shell.editor.form.tabs.setCurrentIndex(0)

    def _let_in(self, agent_id: str, workspace: str) -> None:
        def work() -> tuple[Agent, Agent]:
            before = self._agents.read(agent_id)
            workspaces = (*before.workspaces, workspace)
            return before, self._agents.change(agent_id, {"workspaces": workspaces})

        self._shell.jobs.run(work, lambda done: self._changed_agent(*done))

    def _change_agent(self, agent_id: str, profile: dict[str, object]) -> None:
        def work() -> tuple[Agent, Agent]:
            before = self._agents.read(agent_id)
            return before, self._agents.change(agent_id, profile)

        self._shell.jobs.run(work, lambda done: self._changed_agent(*done))

    def _changed_agent(self, before: Agent, agent: Agent) -> None:
        """The log takes no agent back, so this does."""
        was: dict[str, object] = {
            "workspaces": before.workspaces,
            "hydration_budget": before.hydration_budget,
        }
        words = tr("Changed {what}").format(what=agent.name)
        self._shell.messages.say(
            words,
            tr("Undo"),
            lambda: self._set_back(agent.id, was),
        )
        self._look_again()

    def _set_back(self, agent_id: str, was: dict[str, object]) -> None:
        self._shell.jobs.run(
            lambda: self._agents.change(agent_id, was), lambda _agent: self._look_again()
        )

    def _look_again(self) -> None:
        self._pane.reload()
        self._why.refresh()

    def _expect(self, ident: str) -> None:
        """Demands that this agent is told it, or given it with the message that is tried."""
        run = self._pane.run
        if run is not None and ident != DRAFT:
            self._shell.open("expectation", f"{ident}\n{run.agent.id}\n{run.message}")

    def _shorten(self, ident: str, lose: int) -> None:
        """Opens the memory with the bytes it has to lose."""
        words = to_lose(lose)
        editor = self._shell.editor
        if (editor.entry is not None and editor.entry.id == ident) or ident == DRAFT:
            editor.tell(words)
            self._shortening = ident, words
            return

        def tell(entry: Entry | None) -> None:
            if entry is not None and entry.id == ident:
                editor.shown.disconnect(tell)
                editor.tell(words)
                self._shortening = ident, words

        editor.shown.connect(tell)
        self._shell.open("entry", ident)

    def _follow_shortening(self, answer: HydrationPreview) -> None:
        """What it has to lose changes with every key: an edit also makes it the newest."""
        ident, said = self._shortening
        editor = self._shell.editor
        in_hand = editor.entry.id if editor.entry is not None else DRAFT
        if ident != in_hand or editor.form.notice.accessibleName() != said:
            self._shortening = NOTHING  # another is in hand, or something else is said by now
            return
        item = answer.hydration.item(ident)
        out = item is not None and item.reason in OUT
        words = to_lose(bytes_to_lose(item)) if item is not None and out else ""
        if words != said:
            editor.form.tell(words)
            self._shortening = ident, words

    def _compare(self, run: Run | None) -> None:
        if run is None:
            return
        shell = self._shell
        dialog = CompareDialog(
            self._live, self._agents, shell.jobs, shell.theme, run, shell.dialog_parent
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.refresh()
        dialog.open()


def to_lose(lose: int) -> str:
    return counted("To fit, it has to lose %Ln bytes.", lose)
