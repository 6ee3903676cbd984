"""How an agent connects, with which token, and what it asked: the other pages of an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.connect.connections import Connected, Connections, SetUp
from app.connect.hook_settings import HOOKED
from app.connect.mcp_clients import AUTOMATIC, BY_HAND, CLIENTS, GUIDED, Client, Written
from app.memory import call_log
from app.memory.call_log import Call
from store.instants import Clock
from store.records import Agent, Entry
from ui.toolkit.fonts import code_font
from ui.toolkit.formatting import age, entry_title, memories, snippet_of
from ui.toolkit.help import explain, tip
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import (
    FlowLayout,
    button,
    emptied,
    in_line,
    label,
    or_empty,
    side_by_side,
)

if TYPE_CHECKING:
    from app.memory.call_log import Calls
    from app.memory.memory import Memory

EVERY_MS = 2_000
MOST_CALLS = 100
MOST_SHOWN = 50


# How a call ended well, as each door notes it: the API with the number of its answer.
WELL = {"ok": "ok", "proposed": "proposed"} | {"200": "ok", "201": "ok", "202": "proposed"}


class AgentCalls(QWidget):
    """Lists an agent's last calls and what each was shown; looks again while it is visible."""

    open_asked = Signal(str)
    called = Signal()  # there is another call than before

    def __init__(
        self,
        calls: Calls,
        memory: Memory,
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._calls = calls
        self._memory = memory
        self._jobs = jobs
        self._clock = clock
        self._agent = ""
        self._latest = 0
        self._timer = QTimer(self, interval=EVERY_MS)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Calls"))
        self.shown = RowList(theme, self.tr("What it was told"))
        self._stack = or_empty(
            side_by_side(self.list, self.shown, sizes=(320, 280)),
            self.tr("No calls yet"),
            self.tr("What it asks and is told shows up here."),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        self._timer.timeout.connect(self.refresh)
        self.list.chosen.connect(self._read_shown)
        self.shown.doubleClicked.connect(self._open)

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
                lambda: self._calls.of(ident, limit=MOST_CALLS), self._show, key="agent-calls"
            )

    def _show(self, calls: Sequence[Call]) -> None:
        latest = calls[0].n if calls else 0
        if latest != self._latest:
            self._latest = latest
            self.called.emit()
        self._stack.setCurrentIndex(0 if calls else 1)
        self.list.show_rows([self._row(call) for call in calls])

    def _row(self, call: Call) -> Row:
        below = " · ".join(part for part in (call.asked, self._shown_text(call)) if part)
        status = WELL.get(call.status, call.status)
        look = "" if status in WELL else "bad"
        waits = self.tr("waits in review")
        word = {"ok": "", "proposed": waits}.get(status, status)
        below = " · ".join(part for part in (word, below) if part)
        when = age(call.at, self._clock())
        return Row(str(call.n), called(call), below, when, look=look, value=call)

    def _shown_text(self, call: Call) -> str:
        entries = call_log.entries(call.entry_ids)
        parts = [memories(len(entries))] if entries else []
        if any(name.startswith(call_log.BLOCK) for name in call.entry_ids):
            parts.append(self.tr("blocks"))
        if any(name.startswith(call_log.TURN) for name in call.entry_ids):
            parts.append(self.tr("turns"))
        return ", ".join(parts)

    def _read_shown(self, row: Row | None) -> None:
        call = row.value if row is not None else None
        idents = call_log.entries(call.entry_ids)[:MOST_SHOWN] if isinstance(call, Call) else []
        self._jobs.run(
            lambda: self._memory.entries.read_many(idents), self._show_entries, key="agent-told"
        )

    def _show_entries(self, entries: Sequence[Entry]) -> None:
        self.shown.show_rows(
            [Row(e.id, entry_title(e), snippet_of(e.content, 120), value=e) for e in entries]
        )

    def _open(self) -> None:
        row = self.shown.current
        if row is not None:
            self.open_asked.emit(row.key)


class TokenBox(QFrame):
    """Shows a token that was just made; hidden when there is none to show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self.copy.clicked.connect(self._copy)
        self.unkept = False  # shown, and nobody has it yet
        self.hide()

    def _build(self) -> None:
        self.setObjectName("card")
        self.field = QLineEdit(readOnly=True)
        self.field.setAccessibleName(self.tr("Token"))
        explain(
            self.field, self.tr("The secret this agent shows; it is shown once, so copy it now.")
        )
        self.copy = button(self.tr("Copy"), name=self.tr("Copy the token"))
        words = label(self.tr("Its token. It is shown this once and not kept."), "mute")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.addWidget(words)
        column.addLayout(in_line(self.field, self.copy))

    def show_token(self, token: str) -> None:
        self.unkept = bool(token)
        self.field.setText(token)
        self.setVisible(bool(token))

    def keep(self) -> None:
        """Somebody has it."""
        self.unkept = False

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.field.text())
        self.keep()


class Sparkline(QWidget):
    """What an agent wrote on each day of the last two months, today at the end."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._agent = ""
        self.counts: Sequence[int] = ()
        self.setFixedSize(180, 28)
        self.setAccessibleName(self.tr("Its writes per day"))

    def show_counts(self, counts: Sequence[int], agent: str) -> None:
        self.counts, self._agent = counts, agent
        words = counted("%Ln writes in the last 60 days", sum(counts))
        self.setToolTip(tip(words))
        self.setAccessibleDescription(words)
        self.setVisible(any(counts))  # a line alone says nothing
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.counts:
            return
        painter, tokens = QPainter(self), self._theme.tokens
        most, floor = max(*self.counts, 1), self.height() - 2
        wide = self.width() / len(self.counts)
        painter.fillRect(QRectF(0, floor, self.width(), 1), tokens.color("line"))
        color = tokens.color(self._theme.agent_color(self._agent))
        for day, number in enumerate(self.counts):
            if number:
                high = max(2.0, (floor - 2) * number / most)
                left = day * wide  # the newest at the right, as on the timeline
                painter.fillRect(QRectF(left, floor - high, max(wide - 1, 1), high), color)


class AgentConnect(QWidget):
    """The token is known only right after it was made; without it, connecting asks for a new one
    with `token_asked`."""

    token_asked = Signal()
    handed_over = Signal()  # the token is where it is needed, or on its way there
    said = Signal(str)

    def __init__(
        self,
        connections: Connections,
        api_url: Callable[[], str],
        jobs: Jobs,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._connections = connections
        self._api_url = api_url
        self._jobs = jobs
        self._theme = theme
        self._agent: Agent | None = None
        self._token = ""
        self._joins = ""  # the agent that waits for its token to be connected
        self._set_up: dict[str, SetUp] = {}  # the clients that let this agent in, by name
        self._stale: frozenset[str] = frozenset()  # those with a token that no agent has
        self._build()
        self._connect()

    def _build(self) -> None:
        self.client = ChoiceField()
        self.client.setAccessibleName(self.tr("Client"))
        explain(
            self.client,
            self.tr("The program this agent runs in; Keepsake knows where its settings are."),
        )
        for name, text in Connections.choices():
            self.client.addItem(text, name)
        self.unasked = QCheckBox(self.tr("Give it its memory without asking, through hooks"))
        self.unasked.setChecked(True)
        self.where = label(look="faint", wrap=True)
        self.where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.snippet = QPlainTextEdit(readOnly=True)
        self.snippet.setAccessibleName(self.tr("Configuration to paste"))
        explain(
            self.snippet,
            self.tr("What to put into that program if you would rather do it by hand."),
        )
        self.snippet.setProperty("look", "code")
        self.snippet.setFont(code_font(self._theme.px(12)))
        self.snippet.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.copy = button(self.tr("Copy"), name=self.tr("Copy the configuration"))
        self.join = button(self.tr("Connect"), "primary")
        self.part = button(self.tr("Disconnect"))
        self.state = label(look="mute", wrap=True)
        row = QHBoxLayout()
        row.addWidget(self.client, 1)
        row.addWidget(self.copy)
        row.addWidget(self.part)
        row.addWidget(self.join)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.where)
        column.addWidget(self.unasked)
        column.addWidget(self.snippet, 1)
        column.addWidget(self.state)

    def _connect(self) -> None:
        self.client.currentIndexChanged.connect(lambda _: self._show())
        self.copy.clicked.connect(self._copy)
        self.join.clicked.connect(self._join)
        self.part.clicked.connect(self._part)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.snippet.toPlainText())
        self.handed_over.emit()

    def show_agent(self, agent: Agent, token: str) -> None:
        if self._agent is None or agent.id != self._agent.id:
            self._set_up = {}
        self._agent, self._token = agent, token
        self._show()
        joins, self._joins = self._joins, ""
        if token and joins == agent.id:
            self._join()
            return
        self._jobs.run(
            lambda: (self._connections.set_up_for(agent.id), self._connections.stale()),
            lambda found: self._show_set_up(*found),
            key="connections",
        )

    def join_once_there(self, client: str, agent_id: str) -> None:
        """Connects that client as soon as the agent is shown with its token."""
        self.client.setCurrentIndex(self.client.findData(client))
        self._joins = agent_id

    @property
    def _name(self) -> str:
        return str(self.client.currentData())

    def _show(self) -> None:
        place = self._connections.config_file(self._name)
        self.join.setEnabled(place is not None)
        self.part.setEnabled(self._name in self._set_up or self._name in self._stale)
        words = self.tr("Paste it into its settings.") if place is None else str(place)
        self.where.setText(f"{self._level_text()} {words}")
        self.unasked.setVisible(self._name in HOOKED)
        self.snippet.setPlainText(
            self._connections.snippet(self._name, self._token, self._api_url())
        )
        self._say_state()

    def _level_text(self) -> str:
        """How much the client does by itself, once it is connected."""
        level = CLIENTS[self._name].level if self._name in CLIENTS else BY_HAND
        return {
            AUTOMATIC: self.tr("Automatic: it gets its memory without asking."),
            GUIDED: self.tr("Guided: its model asks for memory through tools."),
            BY_HAND: self.tr("By hand:"),
        }[level]

    def _show_set_up(self, found: Sequence[SetUp], stale: Sequence[str]) -> None:
        self._set_up = {one.client.name: one for one in found}
        self._stale = frozenset(stale)
        self._show()

    def _say_state(self) -> None:
        """What was done for the client that is chosen and how to see that it works; else who else
        has this agent in its settings."""
        held = self._set_up.get(self._name)
        names = ", ".join(one.client.label for one in self._set_up.values())
        if self._name in self._stale:
            words = self.tr("The settings of {client} hold a token that no agent here has.")
            self.state.setText(words.format(client=self.client.currentText()))
        elif held is not None:
            self.state.setText(self._set_up_text(held))
        elif names:
            self.state.setText(self.tr("Set up in {clients}.").format(clients=names))
        else:
            self.state.setText(self.tr("No program on this machine is set up for it yet."))

    def _set_up_text(self, held: SetUp) -> str:
        client = held.client.label
        words = [self.tr("Written to {path}.").format(path=held.path)]
        if not held.found:
            missing = self.tr(
                "{client} was not found on this machine: it gets this memory once it is installed."
            )
            words.append(missing.format(client=client))
        if held.client.next_step:
            words.append(QCoreApplication.translate("clients", held.client.next_step))
        words.append(self.tr("It works once “last seen” above names a moment."))
        return " ".join(words)

    def _join(self) -> None:
        agent = self._agent
        if agent is None:
            return
        if not self._token:
            self._joins = agent.id  # as soon as it has a token
            self.token_asked.emit()
            return
        name, token = self._name, self._token
        hooks = name in HOOKED and self.unasked.isChecked()
        self._jobs.run(lambda: self._connected(name, agent.id, token, hooks), self._joined)

    def _connected(self, name: str, agent_id: str, token: str, hooks: bool) -> Connected:
        done = self._connections.connect(name, agent_id, token)
        if hooks:
            self._connections.write_hooks(name, agent_id, done.written)
        return done

    def _joined(self, done: Connected) -> None:
        words = self.tr("The settings of {client} name this memory now.")
        self.handed_over.emit()
        self.said.emit(words.format(client=done.client.label))
        if self._agent is not None:
            self.show_agent(self._agent, self._token)

    def _part(self) -> None:
        name, text = self._name, self.client.currentText()
        self._jobs.run(lambda: self._disconnected(name), lambda w: self._parted(w, text))

    def _disconnected(self, name: str) -> Written | None:
        tools = self._connections.disconnect(name)
        hooks = self._connections.remove_hooks(name, tools)
        return tools or hooks

    def _parted(self, written: object, client: str) -> None:
        words = self.tr("The settings of {client} no longer name this memory.")
        if written is None:
            words = self.tr("Keepsake was not set up in {client}.")
        self.said.emit(words.format(client=client))
        if self._agent is not None:
            self.show_agent(self._agent, self._token)


class FoundClients(QWidget):
    """The programs of this machine that could use the memory, each with one click to do so."""

    asked = Signal(str)  # the client's name

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, spacing=8)

    def show_clients(self, clients: Sequence[Client]) -> None:
        emptied(self._flow)
        for client in clients:
            made = button(self.tr("Connect {client}").format(client=client.label))
            explain(
                made, self.tr("Lets it in as an agent and writes this memory into its settings.")
            )
            made.clicked.connect(lambda _=False, name=client.name: self.asked.emit(name))
            self._flow.addWidget(made)
        self.setVisible(bool(clients))


def called(call: Call) -> str:
    """`mcp: memory_store`, `api: POST entries`: without the words that every address has."""
    return f"{call.door}: {call.call.replace('/api/v1/memory/', '')}"
