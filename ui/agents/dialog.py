"""Agents: who may use this memory, how far each is trusted, how it connects, what it asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.connect.connections import Connections
from app.connect.mcp_clients import CLIENTS, Client, clients_here
from app.entries.timeline import Timeline
from app.settings import Settings, Value
from store.errors import KeepsakeError
from store.instants import Clock
from store.records import Agent
from ui.agents.pages import AgentCalls, AgentConnect, FoundClients, Sparkline, TokenBox
from ui.agents.profile_form import AgentForm
from ui.toolkit.formatting import age, quoted
from ui.toolkit.help import PAGE, explain, explain_tabs
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, heard
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import (
    ElidedLabel,
    ElidedPill,
    EmptyState,
    button,
    filled,
    fit_screen,
    in_line,
    label,
    list_under,
    or_empty,
    side_by_side,
    sure,
    tabbed,
)

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.memory.call_log import Calls
    from app.memory.memory import Memory


class AgentPage(QWidget):
    """Shows one agent: its token, its settings, how it connects, its calls."""

    def __init__(
        self,
        form: AgentForm,
        connecting: AgentConnect,
        calls: AgentCalls,
        clock: Clock,
        spark: Sparkline,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.spark = spark
        self._form = form
        self._connecting = connecting
        self._calls = calls
        self._clock = clock
        self._build()
        self._connect()

    def _build(self) -> None:
        self.title = label(look="title")
        self.seen = ElidedPill()
        self.token = TokenBox()
        self.tabs = tabbed()
        self.tabs.addTab(self._form, self.tr("Settings"))
        self.tabs.addTab(self._connecting, self.tr("Connect"))
        self.tabs.addTab(self._calls, self.tr("Last calls"))
        explain_tabs(
            self.tabs.tabBar(),
            self.tr("What it may do and is told."),
            self.tr("How a program on this machine gets to use this agent's memory."),
            self.tr("What it asked for lately, and what it got."),
        )
        self.tabs.tabBar().setAccessibleName(self.tr("Views of this agent"))
        self.revoke = button(self.tr("Revoke…"), "danger")
        self.rotate = button(self.tr("New token…"))
        self.state = ElidedLabel()
        self.state.setProperty("look", "mute")
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.discard = button(self.tr("Discard"))
        self.save = button(self.tr("Save"), "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(10)
        column.addLayout(in_line(self.title, self.seen, None, self.spark))
        column.addWidget(self.token)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.state)
        column.addLayout(in_line(self.revoke, self.rotate, None, self.discard, self.save))

    def _connect(self) -> None:
        self._form.changed.connect(self._refresh_buttons)
        self._connecting.said.connect(self.say)

    def show_agent(self, agent: Agent, token: str) -> None:
        """`token` only if it was made since the dialog opened."""
        self.title.setText(agent.name)
        seen = self.tr("last seen {when}") if agent.last_seen_at else self.tr("never seen")
        when = age(agent.last_seen_at, self._clock()) if agent.last_seen_at else ""
        revoked = self.tr("revoked") if agent.revoked_at else seen.format(when=when)
        self.seen.setText(f"{agent.id} · {revoked}")
        self.token.show_token(token)
        self.revoke.setEnabled(agent.revoked_at is None)
        self.rotate.setText(
            self.tr("Give access again…") if agent.revoked_at else self.tr("New token…")
        )
        self._form.show_agent(agent)
        self._connecting.show_agent(agent, token)
        self._calls.show_agent(agent.id)

    def say(self, words: str) -> None:
        """In the line it has, however long: the dialog keeps its size."""
        self.state.setText(words)
        self.state.setToolTip(plain_tip(words))

    def show_connect(self) -> None:
        self.tabs.setCurrentWidget(self._connecting)

    def _refresh_buttons(self) -> None:
        dirty = bool(self._form.profile())
        self.save.setEnabled(dirty)
        self.discard.setEnabled(dirty)


class AgentActions(QObject):
    """Has the service change agents, off the GUI thread; `done` says what was done.

    `tokens` are those made since, by agent: the service keeps none."""

    done = Signal(str)  # a sentence; empty where what is seen says it
    added = Signal(object)  # Agent, before `done`
    refused = Signal(str)  # why it cannot be done

    def __init__(self, agents: Agents, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._agents = agents
        self._jobs = jobs
        self.tokens: dict[str, str] = {}

    def add(self, name: str) -> None:
        self._jobs.run(lambda: self._agents.add(name), self._added, self._failed)

    def _added(self, made: tuple[Agent, str]) -> None:
        agent, token = made
        self.tokens[agent.id] = token
        self.added.emit(agent)
        self.done.emit(self.tr("{name} was added.").format(name=agent.name))

    def save(self, agent: Agent, profile: dict[str, object]) -> None:
        self._jobs.run(lambda: self._agents.change(agent.id, profile), self._saved, self._failed)

    def _saved(self, agent: Agent) -> None:
        self.done.emit(self.tr("Saved {name}").format(name=quoted(agent.name)))

    def rotate(self, agent: Agent) -> None:
        def rotated(token: str) -> None:
            self.tokens[agent.id] = token
            self.done.emit(self.tr("The old token no longer works."))

        self._jobs.run(lambda: self._agents.rotate(agent.id), rotated)

    def revoke(self, agent: Agent) -> None:
        self.tokens.pop(agent.id, None)
        self._jobs.run(lambda: self._agents.revoke(agent.id), lambda _agent: self.done.emit(""))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, KeepsakeError):
            self.refused.emit(heard(error))
        else:
            self._jobs.failed.emit(error)


class AgentsDialog(QDialog):
    """Lists the agents beside the one in hand; `done_` after every change, so that others look
    again."""

    done_ = Signal()
    open_asked = Signal(str)

    def __init__(
        self,
        agents: Agents,
        connections: Connections,
        calls: Calls,
        memory: Memory,
        api_url: Callable[[], str],
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        settings: Settings,
        parent: QWidget | None = None,
        timeline: Timeline | None = None,
    ) -> None:
        super().__init__(parent)
        self._agents = agents
        self._settings = settings
        self._jobs = jobs
        self._clock = clock
        self._timeline = timeline
        self._wanted = ""
        self._joining = ""  # the client that the agent being added is for
        self._theme = theme
        self._actions = AgentActions(agents, jobs, self)
        self.form = AgentForm()
        self.connecting = AgentConnect(connections, api_url, jobs, theme)
        self.calls = AgentCalls(calls, memory, jobs, theme, clock)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Agents"))
        self.setProperty(PAGE, "window#who-may-write-agents-ctrlshiftg")
        fit_screen(self, 920, 660)
        self.list = RowList(theme, self.tr("Agents"))
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Name of a new agent"))
        self.name.setAccessibleName(self.tr("Name of a new agent"))
        explain(
            self.name, self.tr("What you call the assistant, for instance Claude on the laptop.")
        )
        self.add = button(self.tr("Add"), "primary", self.tr("Add an agent"))
        left = list_under(in_line(self.name, self.add), self.list, 240)
        self.page = AgentPage(self.form, self.connecting, self.calls, self._clock, Sparkline(theme))
        self._stack = or_empty(
            self.page,
            self.tr("No agents yet"),
            self.tr("Name your assistant on the left; then choose its program and press Connect."),
        )
        self.found = FoundClients()
        empty = self._stack.widget(1)
        assert isinstance(empty, EmptyState)
        empty.add(self.found)
        filled(self, side_by_side(left, self._stack, sizes=(280, 640)))

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.add.clicked.connect(self._add)
        self.name.returnPressed.connect(self._add)
        self.found.asked.connect(self._add_found)
        self.page.save.clicked.connect(self._save)
        self.page.discard.clicked.connect(lambda: self._show(self.list.current))
        self.page.rotate.clicked.connect(self._rotate)
        self.page.revoke.clicked.connect(self._revoke)
        self.connecting.token_asked.connect(self._rotate)
        self.connecting.handed_over.connect(self.page.token.keep)
        self.calls.open_asked.connect(self._open)
        self.calls.called.connect(self._look_again)
        self._actions.added.connect(self._show_added)
        self._actions.done.connect(self._show_done)
        self._actions.refused.connect(self.page.say)

    def reject(self) -> None:
        """Escape and closing: a token that was not copied is lost with the dialog."""
        lost = self.tr(
            "Its token is shown only now, and you have not copied it. Close all the same?"
        )
        if not self.page.token.unkept or sure(self, self.tr("Close"), lost):
            super().reject()

    # Reading

    def choose(self, ident: str) -> None:
        """Takes that agent in hand with the next look."""
        self._wanted = ident

    def refresh(self) -> None:
        self._jobs.run(
            lambda: (self._agents.list(), self._settings.all(), clients_here()),
            self._show_read,
            key="agents",
        )

    def _show_read(
        self, read: tuple[Sequence[Agent], Mapping[str, Value], Sequence[Client]]
    ) -> None:
        agents, settings, clients = read
        self.form.show_defaults(settings)
        self.found.show_clients(clients)
        self._show_agents(agents)

    def _look_again(self) -> None:
        """It called: when it was seen and how often is another; what is being edited stays."""
        if not self.form.profile():
            self.refresh()

    @property
    def current(self) -> Agent | None:
        return self.list.value(Agent)

    def _show_agents(self, agents: Sequence[Agent]) -> None:
        now = self._clock()
        standing = [agent for agent in agents if agent.revoked_at is None]
        revoked = [agent for agent in agents if agent.revoked_at is not None]
        rows = [_row(agent, self._theme.agent_color(agent.id), now) for agent in standing]
        if revoked:
            rows.append(Row("revoked", self.tr("Revoked"), heading=True))
            rows += [_row(agent, "line", now) for agent in revoked]
        self.list.show_rows(rows)
        self._stack.setCurrentIndex(0 if rows else 1)
        if self._wanted:
            self.list.choose(self._wanted)
            self._wanted = ""

    def _show(self, row: Row | None) -> None:
        agent = row.value if row is not None else None
        if isinstance(agent, Agent):
            self.page.show_agent(agent, self._actions.tokens.get(agent.id, ""))
            self._count_writes(agent)

    def _count_writes(self, agent: Agent) -> None:
        timeline = self._timeline
        if timeline is not None:
            self._jobs.run(
                lambda: [day.writes.get(f"agent:{agent.id}", 0) for day in timeline.days()],
                lambda counts: self.page.spark.show_counts(counts, agent.id),
                key="agent-writes",
            )

    # Doing

    def _add(self) -> None:
        name = self.name.text().strip()
        if name:
            self._actions.add(name)

    def _add_found(self, client: str) -> None:
        """One click: an agent of that name, and the client connected as it."""
        self._joining = client
        self._actions.add(CLIENTS[client].label)

    def _show_added(self, agent: Agent) -> None:
        client, self._joining = self._joining, ""
        if client:
            self.connecting.join_once_there(client, agent.id)
        self.name.clear()
        self._wanted = agent.id
        self.page.show_connect()

    def _show_done(self, words: str) -> None:
        if words:
            self.page.say(words)
        self.refresh()
        self.done_.emit()

    def _save(self) -> None:
        agent, profile = self.current, self.form.profile()
        if agent is not None and profile:
            self._actions.save(agent, profile)

    def _rotate(self) -> None:
        agent = self.current
        if agent is None:
            return
        words = self.tr("A new token for {name}? The old one stops at once.")
        if sure(self, self.tr("New token"), words.format(name=agent.name)):
            self._actions.rotate(agent)

    def _revoke(self) -> None:
        agent = self.current
        if agent is None:
            return
        words = self.tr("Shut {name} out? Its token stops at once; its memory stays.")
        if sure(self, self.tr("Revoke"), words.format(name=agent.name)):
            self._actions.revoke(agent)

    def _open(self, ident: str) -> None:
        self.open_asked.emit(ident)
        self.accept()


def _row(agent: Agent, dot: str, now: datetime) -> Row:
    trusts = {
        "direct": tr("writes at once"),
        "review": tr("proposes"),
        "read_only": tr("reads only"),
    }
    seen = age(agent.last_seen_at, now) if agent.last_seen_at else ""
    below = " · ".join((trusts[agent.trust], agent.dialect, counted("%Ln calls", agent.calls)))
    return Row(agent.id, agent.name, below, seen, dot, value=agent)


def tr(text: str) -> str:
    return QCoreApplication.translate("AgentsDialog", text)
