"""Agents: who may use this memory, how far each is trusted, how it connects, what it asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.connect.connections import Connections
from app.memory import call_log
from app.memory.call_log import Call
from store.errors import KeepsakeError
from store.instants import Clock
from store.records import Agent, Entry
from ui.agents.connect_page import AgentConnect
from ui.agents.profile_form import AgentForm
from ui.toolkit.formatting import age, memories, number_text, snippet_of
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.view_widgets import (
    button,
    filled,
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
    from app.entries.entries import Entries
    from app.memory.call_log import Calls


EVERY_MS = 2_000
SHOWN = 100
TOLD = 50


class AgentCalls(QWidget):
    open_asked = Signal(str)

    def __init__(
        self,
        calls: Calls,
        entries: Entries,
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._calls = calls
        self._entries = entries
        self._jobs = jobs
        self._clock = clock
        self._agent = ""
        self._timer = QTimer(self, interval=EVERY_MS)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Calls"))
        self.told = RowList(theme, self.tr("What it was told"))
        self._stack = or_empty(
            side_by_side(self.list, self.told, sizes=(320, 280)),
            self.tr("No calls yet"),
            self.tr("What it asks and is told shows up here."),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        self._timer.timeout.connect(self.refresh)
        self.list.chosen.connect(self._ask_told)
        self.told.doubleClicked.connect(self._open)

    def show_agent(self, ident: str) -> None:
        self._agent = ident
        self.refresh()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: object) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]
        self._timer.stop()

    def refresh(self) -> None:
        ident = self._agent
        if ident and self.isVisible():
            self._jobs.run(
                lambda: self._calls.of(ident, limit=SHOWN), self._show, key="agent-calls"
            )

    def _show(self, calls: Sequence[Call]) -> None:
        self._stack.setCurrentIndex(0 if calls else 1)
        self.list.show_rows([self._row(call) for call in calls])

    def _row(self, call: Call) -> Row:
        below = " · ".join(part for part in (call.asked, self._told(call)) if part)
        look = "" if call.status == "ok" else "bad"
        title = call.call if call.status == "ok" else f"{call.call} · {call.status}"
        when = age(call.at, self._clock())
        return Row(str(call.n), f"{call.door}: {title}", below, when, look=look, value=call)

    def _told(self, call: Call) -> str:
        entries = call_log.entries(call.entry_ids)
        parts = [memories(len(entries))] if entries else []
        if any(name.startswith(call_log.BLOCK) for name in call.entry_ids):
            parts.append(self.tr("blocks"))
        if any(name.startswith(call_log.TURN) for name in call.entry_ids):
            parts.append(self.tr("turns"))
        return ", ".join(parts)

    def _ask_told(self, row: Row | None) -> None:
        call = row.value if row is not None else None
        idents = call_log.entries(call.entry_ids)[:TOLD] if isinstance(call, Call) else []
        self._jobs.run(lambda: self._entries.read_many(idents), self._show_told, key="agent-told")

    def _show_told(self, entries: Sequence[Entry]) -> None:
        self.told.show_rows(
            [Row(e.id, e.key, snippet_of(e.content, 120), value=e) for e in entries]
        )

    def _open(self) -> None:
        row = self.told.current
        if row is not None:
            self.open_asked.emit(row.key)


class AgentsDialog(QDialog):
    """`done_` after every change, so that others look again."""

    done_ = Signal()
    open_asked = Signal(str)

    def __init__(
        self,
        agents: Agents,
        connections: Connections,
        calls: Calls,
        entries: Entries,
        api_url: Callable[[], str],
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._agents = agents
        self._jobs = jobs
        self._clock = clock
        self._tokens: dict[str, str] = {}  # those made since the dialog opened
        self._wanted = ""
        self._theme = theme
        self._build(connections, calls, entries, api_url, theme)
        self._connect()

    def _build(
        self,
        connections: Connections,
        calls: Calls,
        entries: Entries,
        api_url: Callable[[], str],
        theme: Theme,
    ) -> None:
        self.setWindowTitle(self.tr("Agents"))
        self.resize(920, 660)
        self.list = RowList(theme, self.tr("Agents"))
        self.form = AgentForm()
        self.connecting = AgentConnect(connections, api_url, self._jobs, theme)
        self.calls = AgentCalls(calls, entries, self._jobs, theme, self._clock)
        self._stack = or_empty(
            self._build_page(),
            self.tr("No agents yet"),
            self.tr("Name one on the left; it gets a token and a ready configuration."),
        )
        filled(self, side_by_side(self._build_left(), self._stack, sizes=(280, 640)))

    def _build_left(self) -> QWidget:
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Name of a new agent"))
        self.name.setAccessibleName(self.tr("Name of a new agent"))
        self.add = button(self.tr("Add"), "primary", self.tr("Add an agent"))
        return list_under(in_line(self.name, self.add), self.list, 240)

    def _build_page(self) -> QWidget:
        page = QWidget()
        self.title = label(look="title")
        self.seen = label(look="pill")
        self.tabs = tabbed()
        self.tabs.addTab(self.form, self.tr("Settings"))
        self.tabs.addTab(self.connecting, self.tr("Connect"))
        self.tabs.addTab(self.calls, self.tr("Last calls"))
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(10)
        column.addLayout(in_line(self.title, self.seen, None))
        column.addWidget(self._build_token())
        column.addWidget(self.tabs, 1)
        column.addLayout(self._build_buttons())
        return page

    def _build_token(self) -> QWidget:
        self.token_box = QFrame()
        self.token_box.setObjectName("card")
        self.token = QLineEdit(readOnly=True)
        self.token.setAccessibleName(self.tr("Token"))
        self.copy = button(self.tr("Copy"), name=self.tr("Copy the token"))
        words = label(self.tr("Its token. It is shown this once and not kept."), "mute")
        column = QVBoxLayout(self.token_box)
        column.setContentsMargins(12, 10, 12, 12)
        column.addWidget(words)
        column.addLayout(in_line(self.token, self.copy))
        self.token_box.hide()
        return self.token_box

    def _build_buttons(self) -> QHBoxLayout:
        self.revoke = button(self.tr("Revoke…"), "danger")
        self.rotate = button(self.tr("New token…"))
        self.state = label(look="mute")
        self.discard = button(self.tr("Discard"))
        self.save = button(self.tr("Save"), "primary")
        return in_line(self.revoke, self.rotate, self.state, None, self.discard, self.save)

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.add.clicked.connect(self._add)
        self.name.returnPressed.connect(self._add)
        self.form.changed.connect(self._restate)
        self.save.clicked.connect(self._save)
        self.discard.clicked.connect(lambda: self._show(self.list.current))
        self.rotate.clicked.connect(self._rotate)
        self.revoke.clicked.connect(self._revoke)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.token.text()))
        self.connecting.token_asked.connect(self._rotate)
        self.connecting.said.connect(self.state.setText)
        self.calls.open_asked.connect(self._open)

    # Reading

    def refresh(self) -> None:
        self._jobs.run(self._agents.list, self._list, key="agents")

    @property
    def current(self) -> Agent | None:
        return self.list.value(Agent)

    def _list(self, agents: Sequence[Agent]) -> None:
        standing = [agent for agent in agents if agent.revoked_at is None]
        revoked = [agent for agent in agents if agent.revoked_at is not None]
        rows = [self._row(agent, self._theme.agent_color(agent.id)) for agent in standing]
        if revoked:
            rows.append(Row("revoked", self.tr("Revoked"), heading=True))
            rows += [self._row(agent, "line") for agent in revoked]
        self.list.show_rows(rows)
        self._stack.setCurrentIndex(0 if rows else 1)
        if self._wanted:
            self.list.choose(self._wanted)
            self._wanted = ""

    def _row(self, agent: Agent, dot: str) -> Row:
        trusts = {
            "direct": self.tr("writes at once"),
            "review": self.tr("proposes"),
            "read_only": self.tr("reads only"),
        }
        seen = age(agent.last_seen_at, self._clock()) if agent.last_seen_at else ""
        below = self.tr("{trust} · {dialect} · {n} calls").format(
            trust=trusts[agent.trust], dialect=agent.dialect, n=number_text(agent.calls)
        )
        return Row(agent.id, agent.name, below, seen, dot, value=agent)

    def _show(self, row: Row | None) -> None:
        agent = row.value if row is not None else None
        if not isinstance(agent, Agent):
            return
        self.title.setText(agent.name)
        seen = self.tr("last seen {when}") if agent.last_seen_at else self.tr("never seen")
        when = age(agent.last_seen_at, self._clock()) if agent.last_seen_at else ""
        revoked = self.tr("revoked") if agent.revoked_at else seen.format(when=when)
        self.seen.setText(f"{agent.id} · {revoked}")
        token = self._tokens.get(agent.id, "")
        self.token.setText(token)
        self.token_box.setVisible(bool(token))
        self.revoke.setEnabled(agent.revoked_at is None)
        self.rotate.setText(self.tr("Let in again…") if agent.revoked_at else self.tr("New token…"))
        self.form.show_agent(agent)
        self.connecting.show_agent(agent, token)
        self.calls.show_agent(agent.id)

    def _restate(self) -> None:
        dirty = bool(self.form.profile())
        self.save.setEnabled(dirty)
        self.discard.setEnabled(dirty)

    # Doing

    def _add(self) -> None:
        name = self.name.text().strip()
        if name:
            self._jobs.run(lambda: self._agents.add(name), self._added, self._failed)

    def _added(self, made: tuple[Agent, str]) -> None:
        agent, token = made
        self.name.clear()
        self._tokens[agent.id] = token
        self._wanted = agent.id
        self.state.setText(self.tr("{name} is let in.").format(name=agent.name))
        self.tabs.setCurrentWidget(self.connecting)
        self._changed()

    def _save(self) -> None:
        agent, profile = self.current, self.form.profile()
        if agent is not None and profile:
            ident = agent.id
            self._jobs.run(lambda: self._agents.change(ident, profile), self._saved, self._failed)

    def _saved(self, agent: Agent) -> None:
        self.state.setText(self.tr("Saved {name}").format(name=agent.name))
        self._changed()

    def _rotate(self) -> None:
        agent = self.current
        if agent is None:
            return
        words = self.tr("A new token for {name}? The old one stops at once.")
        if sure(self, self.tr("New token"), words.format(name=agent.name)):
            ident = agent.id
            self._jobs.run(
                lambda: self._agents.rotate(ident), lambda token: self._rotated(ident, token)
            )

    def _rotated(self, ident: str, token: str) -> None:
        self._tokens[ident] = token
        self.state.setText(self.tr("The old token no longer works."))
        self._changed()

    def _revoke(self) -> None:
        agent = self.current
        if agent is None:
            return
        words = self.tr("Shut {name} out? Its token stops at once; its memory stays.")
        if sure(self, self.tr("Revoke"), words.format(name=agent.name)):
            ident = agent.id
            self._tokens.pop(ident, None)
            self._jobs.run(lambda: self._agents.revoke(ident), lambda _: self._changed())

    def _changed(self) -> None:
        self.refresh()
        self.done_.emit()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, KeepsakeError):
            self.state.setText(str(error))
        else:
            self._jobs.failed.emit(error)

    def _open(self, ident: str) -> None:
        self.open_asked.emit(ident)
        self.accept()
