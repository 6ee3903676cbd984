"""What one agent may do and is told: every setting of its profile."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from app.access.agents import DIALECTS, GUIDANCE_CHARS, NUMBERS, SLEEP, TRUST
from app.rules.policy import ARCHIVAL_MODES
from app.settings import Value
from store.records import SCOPE_KINDS, Agent, Layers
from ui.toolkit.formatting import number_text
from ui.toolkit.help import explain, term
from ui.toolkit.help_window import WhatIsThis
from ui.toolkit.value_fields import ChoiceField, DecimalField, NumberField
from ui.toolkit.widgets import FlowLayout, edges, in_line, label, rule, spaced


class ProfileRows(QFormLayout):
    """Named fields under each other; `edited` when any of them is."""

    edited = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        edges(self, 0, 4, 12, 12)
        self.setVerticalSpacing(10)
        self.setHorizontalSpacing(16)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def add(self, name: str, field: QWidget) -> None:
        field.setAccessibleName(name)
        words = label(name, "mute")
        words.setMinimumHeight(30)
        words.setAlignment(Qt.AlignmentFlag.AlignTop)
        words.setContentsMargins(0, 6, 0, 0)
        self.addRow(words, field)

    def say(self, field: QWidget, sentence: str, *asked: str) -> None:
        """One sentence about a row; behind its name a question mark where a word needs more."""
        name = self.labelForField(field)
        for widget in (field, name, *field.findChildren(QCheckBox)):
            explain(widget, sentence, term(asked[0]).page if asked else "mcp")
        if asked:
            head = QWidget()
            row = in_line(name, WhatIsThis(*asked), None, spacing=6)
            row.setContentsMargins(0, 0, 0, 0)
            row.setAlignment(Qt.AlignmentFlag.AlignTop)  # beside the first of several lines
            head.setLayout(row)
            at = next(
                at
                for at in range(self.rowCount())
                if (item := self.itemAt(at, QFormLayout.ItemRole.FieldRole)) is not None
                and item.widget() is field
            )
            self.setWidget(at, QFormLayout.ItemRole.LabelRole, head)

    def add_line(self, name: str) -> QLineEdit:
        field = QLineEdit()
        field.textEdited.connect(lambda _text: self.edited.emit())
        self.add(name, field)
        return field

    def add_choice(self, name: str, words: dict[str, str], order: tuple[str, ...]) -> QComboBox:
        field = ChoiceField()
        for value in order:
            field.addItem(words[value], value)
        field.currentIndexChanged.connect(lambda _index: self.edited.emit())
        self.add(name, field)
        return field

    def add_number(self, name: str, setting: str, step: int, unset: str = "") -> QSpinBox:
        """One below the lowest stands for the vault's own setting, or what `unset` says."""
        low, high = NUMBERS[setting]
        field = NumberField(minimum=low - 1, maximum=high, singleStep=step)
        field.setSpecialValueText(unset or self.tr("as in Settings"))
        field.setGroupSeparatorShown(True)
        spaced(field)
        field.valueChanged.connect(lambda _number: self.edited.emit())
        self.add(name, field)
        return field

    def add_share(self, name: str) -> DecimalField:
        """A number from 0 to 1; 0 stands for any."""
        field = DecimalField(maximum=1.0, singleStep=0.05, decimals=2)
        field.setSpecialValueText(self.tr("any"))
        spaced(field)
        field.valueChanged.connect(lambda _number: self.edited.emit())
        self.add(name, field)
        return field

    def add_checks(self, name: str, words: dict[str, str]) -> dict[str, QCheckBox]:
        boxes = {value: QCheckBox(text) for value, text in words.items()}
        line = QWidget()
        row = FlowLayout(line, spacing=14)
        row.setContentsMargins(0, 5, 0, 5)
        for text, box in zip(words.values(), boxes.values(), strict=True):
            box.setAccessibleName(f"{name}: {text}")
            box.toggled.connect(lambda _on: self.edited.emit())
            row.addWidget(box)
        policy = line.sizePolicy()
        policy.setHeightForWidth(True)
        line.setSizePolicy(policy)
        self.add(name, line)
        return boxes

    def add_text(self, name: str, hint: str) -> QPlainTextEdit:
        field = QPlainTextEdit()
        field.setPlaceholderText(hint)
        field.setTabChangesFocus(True)
        field.setFixedHeight(84)
        field.textChanged.connect(self.edited)
        self.add(name, field)
        return field


# The numbers of an agent that are the vault's where it has none of its own.
OF_THE_VAULT = {
    "budget": "hydration_budget",
    "recall": "recall_budget",
    "cap": "entry_cap",
    "limit": "archival_limit",
}


class AgentForm(QScrollArea):
    """Says `changed` when it differs from the agent shown, or again does not."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._agent: Agent | None = None
        self._showing = False
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        self._rows = ProfileRows(inner)
        self._build_trust()
        self._build_numbers()
        self._build_layers()
        self._build_policy()
        self.setWidget(inner)

    def _connect(self) -> None:
        self._rows.edited.connect(self._report_edit)

    def _build_trust(self) -> None:
        self.name = self._rows.add_line(self.tr("Name"))
        self.trust = self._rows.add_choice(
            self.tr("Trust"),
            {
                "direct": self.tr("writes at once"),
                "review": self.tr("proposes; you approve"),
                "read_only": self.tr("reads only"),
            },
            TRUST,
        )
        self.scopes = self._rows.add_checks(
            self.tr("May write to"),
            {
                "user": self.tr("about me"),
                "agent": self.tr("its own"),
                "workspace": self.tr("workspaces"),
                "conversation": self.tr("conversations"),
            },
        )
        self.workspaces = self._rows.add_line(self.tr("Workspaces"))
        self.workspaces.setPlaceholderText(self.tr("shop, thesis"))
        self.dialect = self._rows.add_choice(
            self.tr("Dialect"), {name: name for name in DIALECTS}, DIALECTS
        )
        self._say_trust()
        self._rows.addRow(rule())

    def _build_numbers(self) -> None:
        self.budget = self._rows.add_number(self.tr("Hydration budget"), "hydration_budget", 512)
        self.kept = self._rows.add_number(
            self.tr("Instructions at most"),
            "instructions_limit",
            512,
            self.tr("what its client keeps"),
        )
        self.recall = self._rows.add_number(self.tr("Recall budget"), "recall_budget", 5)
        self.cap = self._rows.add_number(self.tr("Entries at most"), "cap", 100)
        say = self._rows.say
        say(
            self.budget,
            self.tr("How many bytes it is told at the start, before you say a word."),
            "hydration",
            "budget",
        )
        say(
            self.kept,
            self.tr("Characters of what it is told when it connects; some clients drop the rest."),
        )
        say(self.recall, self.tr("How many memories it gets at most when it looks something up."))
        say(
            self.cap,
            self.tr("How many memories it may keep; what was unused the longest goes first."),
        )
        self._rows.addRow(rule())

    def show_defaults(self, settings: Mapping[str, Value]) -> None:
        """Says what a number is that the agent has from the vault."""
        words = self.tr("{n} (as the vault)")
        for name, setting in OF_THE_VAULT.items():
            field: QSpinBox = getattr(self, name)
            field.setSpecialValueText(words.format(n=number_text(int(settings[setting]))))

    def _build_layers(self) -> None:
        self.layers = self._rows.add_checks(
            self.tr("Layers"),
            {
                "working": self.tr("working"),
                "session": self.tr("session"),
                "long_term": self.tr("long-term"),
            },
        )
        self.sleep = self._rows.add_choice(
            self.tr("Learns asleep"),
            {
                "off": self.tr("no"),
                "review": self.tr("as proposals"),
                "direct": self.tr("at once"),
            },
            SLEEP,
        )
        channels = self.tr("learns from channels it listens to")
        self.team = self._rows.add_checks(self.tr("Team"), {"team": channels})["team"]
        cloud = self.tr("what it is told goes to a cloud model")
        self.cloud = self._rows.add_checks(self.tr("Cloud"), {"cloud": cloud})["cloud"]
        say, row = self._rows.say, _row_of
        say(
            row(self.layers["working"]),
            self.tr(
                "Which kinds of memory it has: the conversation at hand, notes of past "
                "conversations, memories."
            ),
            "layers",
        )
        say(
            self.sleep,
            self.tr("Whether it keeps things from a conversation by itself once that is over."),
            "sleep",
        )
        say(
            row(self.cloud),
            self.tr("Memories that are muted for cloud are never told to such an agent."),
        )
        say(row(self.team), self.tr("Whether it also learns from the messages of a team."))
        self._rows.addRow(rule())

    def _build_policy(self) -> None:
        self.cores = self._rows.add_checks(
            self.tr("Core blocks"),
            {
                "user": self.tr("about me"),
                "agent": self.tr("its own"),
            },
        )
        self.mode = self._rows.add_choice(
            self.tr("Archival"),
            {
                "tool_only": self.tr("only when recalled"),
                "auto": self.tr("best lines for a message"),
                "off": self.tr("off"),
            },
            ARCHIVAL_MODES,
        )
        self.limit = self._rows.add_number(self.tr("Archival lines"), "archival_limit", 1)
        self.score = self._rows.add_share(self.tr("Least score"))
        self.guidance = self._rows.add_text(
            self.tr("Guidance"), self.tr("Your own words to this agent about what to remember")
        )
        self._say_policy()

    def _say_trust(self) -> None:
        say, row = self._rows.say, _row_of
        say(self.name, self.tr("What you call this assistant."))
        say(
            self.trust,
            self.tr("Whether it writes by itself, asks you first in Review, or only reads."),
            "trust",
        )
        say(row(self.scopes["user"]), self.tr("Whose memory it may add to."), "scope")
        say(
            self.workspaces,
            self.tr("The projects it shares with other agents, with commas between."),
            "workspace",
        )
        say(
            self.dialect,
            self.tr("Which tools it is offered; leave standard unless its maker says otherwise."),
            "dialect",
        )

    def _say_policy(self) -> None:
        say, row = self._rows.say, _row_of
        say(
            row(self.cores["user"]),
            self.tr("Which pages it is told first: about you, and its own."),
            "block",
            "core",
        )
        say(
            self.mode,
            self.tr("Whether it gets lines of its store room by itself, or only on asking."),
            "archival",
        )
        say(self.limit, self.tr("How many such lines it gets at most."))
        say(self.score, self.tr("How well a line must fit the message, from 0 to 1."))
        say(self.guidance, self.tr("It is told these words at every start."))

    # Values

    def show_agent(self, agent: Agent) -> None:
        self._agent, self._showing = agent, True
        self.name.setText(agent.name)
        for box, value in (
            (self.trust, agent.trust),
            (self.dialect, agent.dialect),
            (self.sleep, agent.sleep),
            (self.mode, agent.archival_mode),
        ):
            box.setCurrentIndex(box.findData(value))
        for kind, check in self.scopes.items():
            check.setChecked(kind in agent.write_scopes)
        self.workspaces.setText(", ".join(agent.workspaces))
        for spin, number in (
            (self.budget, agent.hydration_budget),
            (self.kept, agent.instructions_limit),
            (self.recall, agent.recall_budget),
            (self.cap, agent.cap),
            (self.limit, agent.archival_limit),
        ):
            spin.setValue(spin.minimum() if number is None else number)
        self.layers["working"].setChecked(agent.layers.working)
        self.layers["session"].setChecked(agent.layers.session_memory)
        self.layers["long_term"].setChecked(agent.layers.long_term)
        self.team.setChecked(agent.team)
        self.cloud.setChecked(agent.cloud)
        self.cores["user"].setChecked(agent.include_user_core)
        self.cores["agent"].setChecked(agent.include_agent_core)
        self.score.setValue(agent.archival_min_score or 0.0)
        self.guidance.setPlainText(agent.guidance)
        self._showing = False
        self.changed.emit()

    def profile(self) -> dict[str, object]:
        """The settings that differ from the agent shown."""
        if self._agent is None:
            return {}
        wanted = self._wanted()
        return {
            name: value for name, value in wanted.items() if value != getattr(self._agent, name)
        }

    def _wanted(self) -> dict[str, object]:
        types = tuple(name for name in ("working", "long_term") if self.layers[name].isChecked())
        names = [name.strip() for name in self.workspaces.text().split(",")]
        return {
            "name": " ".join(self.name.text().split()),
            "trust": self.trust.currentData(),
            "dialect": self.dialect.currentData(),
            "write_scopes": self._write_scopes(),
            "workspaces": tuple(dict.fromkeys(name for name in names if name)),
            "hydration_budget": _value(self.budget),
            "instructions_limit": _value(self.kept),
            "recall_budget": _value(self.recall),
            "cap": _value(self.cap),
            "layers": Layers(self.layers["session"].isChecked(), types),
            "sleep": self.sleep.currentData(),
            "team": self.team.isChecked(),
            "cloud": self.cloud.isChecked(),
            "include_user_core": self.cores["user"].isChecked(),
            "include_agent_core": self.cores["agent"].isChecked(),
            "archival_mode": self.mode.currentData(),
            "archival_limit": _value(self.limit),
            "archival_min_score": self.score.value() or None,
            "guidance": self.guidance.toPlainText()[:GUIDANCE_CHARS],
        }

    def _write_scopes(self) -> tuple[str, ...]:
        """In the agent's own order where nothing changed, so that it does not look changed."""
        chosen = {kind for kind, check in self.scopes.items() if check.isChecked()}
        before = self._agent.write_scopes if self._agent else ()
        if chosen == set(before):
            return before
        return tuple(kind for kind in SCOPE_KINDS if kind in chosen)

    def _report_edit(self) -> None:
        if not self._showing:
            self.changed.emit()


def _value(spin: QSpinBox) -> int | None:
    return None if spin.value() == spin.minimum() else spin.value()


def _row_of(box: QCheckBox) -> QWidget:
    """The field of the form that holds it."""
    row = box.parentWidget()
    assert row is not None
    return row
