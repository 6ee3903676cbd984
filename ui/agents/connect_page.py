"""How a client is told about the vault: a ready snippet, or one click into its own file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.connect.connections import Connected, Connections
from app.connect.mcp_clients import Client
from store.records import Agent
from ui.toolkit.fonts import code_font
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import button, label


class AgentConnect(QWidget):
    """The token is known only right after it was made; without it, connecting asks for a new one
    with `token_asked`."""

    token_asked = Signal()
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
        self._build()
        self._connect()

    def _build(self) -> None:
        self.client = ChoiceField()
        self.client.setAccessibleName(self.tr("Client"))
        for name, text in Connections.choices():
            self.client.addItem(text, name)
        self.where = label(look="faint", wrap=True)
        self.where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.snippet = QPlainTextEdit(readOnly=True)
        self.snippet.setAccessibleName(self.tr("Configuration to paste"))
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
        column.addWidget(self.snippet, 1)
        column.addWidget(self.state)

    def _connect(self) -> None:
        self.client.currentIndexChanged.connect(lambda _: self._show())
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.snippet.toPlainText())
        )
        self.join.clicked.connect(self._join)
        self.part.clicked.connect(self._part)

    def show_agent(self, agent: Agent, token: str) -> None:
        self._agent, self._token = agent, token
        self._show()
        self._jobs.run(
            lambda: self._connections.clients_of(agent.id), self._show_state, key="connections"
        )

    @property
    def _name(self) -> str:
        return str(self.client.currentData())

    def _show(self) -> None:
        place = self._connections.config_file(self._name)
        self.join.setEnabled(place is not None)
        self.part.setEnabled(place is not None)
        words = self.tr("Paste it into its settings.") if place is None else str(place)
        self.where.setText(words)
        self.snippet.setPlainText(
            self._connections.snippet(self._name, self._token, self._api_url())
        )

    def _show_state(self, clients: Sequence[Client]) -> None:
        names = ", ".join(client.label for client in clients)
        words = self.tr("Connected: {clients}").format(clients=names)
        self.state.setText(words if names else self.tr("No client on this machine uses it yet."))

    def _join(self) -> None:
        agent = self._agent
        if agent is None:
            return
        if not self._token:
            self.token_asked.emit()
            return
        name, token = self._name, self._token
        self._jobs.run(lambda: self._connections.connect(name, agent.id, token), self._joined)

    def _joined(self, done: Connected) -> None:
        words = self.tr("{client} uses this memory now. {next}").format(
            client=done.client.label, next=done.next_step
        )
        self.said.emit(words.strip())
        if self._agent is not None:
            self.show_agent(self._agent, self._token)

    def _part(self) -> None:
        name, text = self._name, self.client.currentText()
        self._jobs.run(lambda: self._connections.disconnect(name), lambda w: self._parted(w, text))

    def _parted(self, written: object, client: str) -> None:
        words = self.tr("{client} no longer uses this memory.")
        if written is None:
            words = self.tr("{client} did not mention Keepsake.")
        self.said.emit(words.format(client=client))
        if self._agent is not None:
            self.show_agent(self._agent, self._token)
