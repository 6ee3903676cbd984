"""For which run: the workspace, the conversation, the exact budget, the policy and the moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.rules.policy import ARCHIVAL_MODES, MemoryPolicy
from app.rules.visibility import Standing
from store.instants import Clock, Instant, from_instant, plus, to_instant
from store.records import Agent, Conversation
from ui.toolkit.formatting import local
from ui.toolkit.help import explain
from ui.toolkit.plain_text import plain_label
from ui.toolkit.translation import tr
from ui.toolkit.value_fields import ChoiceField, DecimalField, MomentField, NumberField
from ui.toolkit.widgets import FlowLayout, spaced

BUDGET_LEAST, BUDGET_MOST = 0, 1_048_576
AGO = {"hour": 1, "day": 24, "week": 168, "month": 720}
PICK = "pick"
NOW = "now"
ROW = 32
MOMENT_ROW = 7  # shown when a moment is to be picked
ABOUT_ROW, ABOUT_MOMENT_ROW = 8, 9  # shown while the past is looked at


@dataclass(frozen=True, slots=True)
class Profile:
    """One agent and what the vault and its owner set for it."""

    agent: Agent
    budget: int
    policy: MemoryPolicy
    conversations: tuple[Conversation, ...] = field(default=())


class HydrationOptions(QWidget):
    """`changed` for every change by the person. Another agent starts from its own settings."""

    changed = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._showing = False
        self._build()
        self._connect()

    def _build(self) -> None:
        self.workspace = ChoiceField()
        self.conversation = ChoiceField()
        self.budget = NumberField(minimum=BUDGET_LEAST, maximum=BUDGET_MOST, singleStep=512)
        self.budget.setSuffix(self.tr(" bytes"))
        self.budget.setGroupSeparatorShown(True)
        self.user_core = QCheckBox(self.tr("about me"))
        self.agent_core = QCheckBox(self.tr("the agent's"))
        self.mode = ChoiceField()
        self.limit = NumberField(maximum=1_000)
        self.score = DecimalField(maximum=1.0, singleStep=0.05, decimals=2)
        self.score.setSpecialValueText(self.tr("any score"))
        self.when = ChoiceField()
        self.moment = MomentField(calendarPopup=True)
        self.about = ChoiceField()
        self.about_moment = MomentField(calendarPopup=True)
        for shown in (self.moment, self.about_moment):
            shown.setDisplayFormat(self.tr("d MMM yyyy HH:mm"))
        for choice in (self.workspace, self.conversation, self.mode, self.when, self.about):
            choice.setMinimumWidth(ROW * 3)  # its longest word does not widen the pane
        self._fill()
        form = QFormLayout(self)
        form.setContentsMargins(0, 2, 0, 6)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, fields, sentence in _rows(self):
            self._add_row(form, name, fields, sentence)
        self._form = form
        for row in (MOMENT_ROW, ABOUT_ROW, ABOUT_MOMENT_ROW):
            form.setRowVisible(row, False)
        form.addRow(self._build_links())

    def _build_links(self) -> QWidget:
        self.compare = QPushButton(self.tr("Compare with another agent…"))
        self.keep = QPushButton(self.tr("Keep this budget"))
        self.keep.setToolTip(self.tr("Makes it the agent's own budget"))
        row = QWidget()
        line = FlowLayout(row, spacing=8)
        for button in (self.compare, self.keep):
            button.setProperty("look", "link")
            button.setAccessibleName(button.text())
            line.addWidget(button)
        return row

    def _add_row(
        self, form: QFormLayout, name: str, fields: Sequence[QWidget], sentence: str
    ) -> None:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        for widget in fields:
            line.addWidget(widget, 1)
            if isinstance(widget, QSpinBox | QDoubleSpinBox):
                spaced(widget)
            text = getattr(widget, "text", None)
            own = text() if isinstance(widget, QCheckBox) and text else ""
            widget.setAccessibleName(f"{name} {own}".strip() or self.tr("Moment"))
            explain(widget, sentence, "rules#hydration")
        label = plain_label(name)
        explain(label, sentence, "rules#hydration")
        label.setProperty("look", "mute")
        label.setBuddy(fields[0])
        label.setMinimumHeight(ROW)
        row.setMinimumHeight(ROW)
        form.addRow(label, row)

    def _fill(self) -> None:
        names = {
            "tool_only": self.tr("only when recalled"),
            "auto": self.tr("best lines for the message"),
            "off": self.tr("off"),
        }
        for mode in ARCHIVAL_MODES:
            self.mode.addItem(names[mode], mode)
        for text, ago in (
            (self.tr("now"), ""),
            (self.tr("an hour ago"), "hour"),
            (self.tr("yesterday at this time"), "day"),
            (self.tr("a week ago"), "week"),
            (self.tr("a month ago"), "month"),
            (self.tr("a moment…"), PICK),
        ):
            self.when.addItem(text, ago)
        for text, moment in (
            (self.tr("that time"), ""),
            (self.tr("now"), NOW),
            (self.tr("a moment…"), PICK),
        ):
            self.about.addItem(text, moment)

    def _connect(self) -> None:
        for box in (self.workspace, self.conversation, self.mode):
            box.currentIndexChanged.connect(self._report_change)
        for spin in (self.budget, self.limit, self.score):
            spin.valueChanged.connect(self._report_change)
        self.user_core.toggled.connect(self._report_change)
        self.agent_core.toggled.connect(self._report_change)
        self.when.currentIndexChanged.connect(self._show_moment)
        self.about.currentIndexChanged.connect(self._show_moment)
        for moment in (self.moment, self.about_moment):
            moment.dateTimeChanged.connect(self._report_change)

    def _report_change(self) -> None:
        self._refresh_enabled()
        if not self._showing:
            self.changed.emit()

    def _show_moment(self) -> None:
        past, pick = bool(self.when.currentData()), self.when.currentData() == PICK
        about = past and self.about.currentData() == PICK
        for moment, row, shown in (
            (self.moment, MOMENT_ROW, pick),
            (self.about_moment, ABOUT_MOMENT_ROW, about),
        ):
            if shown and not self._form.isRowVisible(row):
                self._showing = True
                moment.setDateTime(local(self._clock()).addDays(-1))
                self._showing = False
            self._form.setRowVisible(row, shown)
        self._form.setRowVisible(ABOUT_ROW, past)
        self._report_change()

    def show_profile(self, profile: Profile, fresh: bool) -> None:
        """`fresh`: another agent than before; else only the lists are brought up to date."""
        self._showing = True
        agent = profile.agent
        _refill(self.workspace, [(self.tr("none"), ""), *((w, w) for w in agent.workspaces)], fresh)
        runs = [(c.title or c.id, c.id) for c in profile.conversations]
        _refill(self.conversation, [(self.tr("a new one"), ""), *runs], fresh)
        if fresh:
            self.budget.setValue(profile.budget)
            self.user_core.setChecked(profile.policy.include_user_core)
            self.agent_core.setChecked(profile.policy.include_agent_core)
            self.mode.setCurrentIndex(self.mode.findData(profile.policy.archival_mode))
            self.limit.setValue(profile.policy.archival_limit)
            self.score.setValue(profile.policy.archival_min_score or 0.0)
        self._showing = False
        self._refresh_enabled()

    def _refresh_enabled(self) -> None:
        auto = self.mode.currentData() == "auto"
        self.limit.setEnabled(auto)
        self.score.setEnabled(auto)

    def set_budget(self, number: int) -> None:
        """From the slider; says nothing."""
        self._showing = True
        self.budget.setValue(number)
        self._showing = False

    @property
    def place(self) -> Standing:
        return Standing(
            str(self.workspace.currentData() or ""), str(self.conversation.currentData() or "")
        )

    @property
    def policy(self) -> dict[str, object]:
        return {
            "archival_mode": self.mode.currentData(),
            "archival_limit": self.limit.value(),
            "archival_min_score": self.score.value() or None,
            "include_user_core": self.user_core.isChecked(),
            "include_agent_core": self.agent_core.isChecked(),
        }

    @property
    def as_of(self) -> Instant | None:
        """The past moment to look at, or None for now."""
        chosen = self.when.currentData()
        if not chosen:
            return None
        if chosen == PICK:
            return _picked(self.moment)
        return plus(to_instant(self._clock()), hours=-AGO[chosen])

    @property
    def true_at(self) -> Instant | None:
        """The time that what was believed then is about; None: that time itself."""
        chosen = self.about.currentData()
        if chosen == NOW:
            return to_instant(self._clock())
        return _picked(self.about_moment) if chosen == PICK else None

    def look_at(self, at: Instant | None) -> None:
        """Shows that moment, or now."""
        if at is None:
            self.when.setCurrentIndex(0)
            return
        self.when.setCurrentIndex(self.when.findData(PICK))
        self.moment.setDateTime(local(from_instant(at)))


def _picked(field: MomentField) -> Instant:
    seconds = field.dateTime().toMSecsSinceEpoch() / 1000
    return to_instant(datetime.fromtimestamp(seconds, UTC))


def _rows(of: HydrationOptions) -> Sequence[tuple[str, Sequence[QWidget], str]]:
    return (
        (
            tr("Workspace"),
            (of.workspace,),
            tr("As if the agent worked in this project."),
        ),
        (
            tr("Conversation"),
            (of.conversation,),
            tr("As if it went on with this conversation."),
        ),
        (
            tr("Budget"),
            (of.budget,),
            tr("How much it may be told, to the byte; a try, until you keep it."),
        ),
        (
            tr("Core blocks"),
            (of.user_core, of.agent_core),
            tr("Which pages it is told first."),
        ),
        (
            tr("Archival"),
            (of.mode,),
            tr("Whether it gets lines of its store room with your message."),
        ),
        (
            tr("At most"),
            (of.limit, of.score),
            tr("How many such lines, and how well they must fit."),
        ),
        (
            tr("As of"),
            (of.when,),
            tr("What it would have been told at an earlier moment."),
        ),
        ("", (of.moment,), tr("That moment.")),
        (
            tr("True at"),
            (of.about,),
            tr("What was believed then about another time: then in March, about April."),
        ),
        ("", (of.about_moment,), tr("That moment.")),
    )


def _refill(box: QComboBox, rows: Sequence[tuple[str, str]], fresh: bool) -> None:
    chosen = None if fresh else box.currentData(Qt.ItemDataRole.UserRole)
    box.clear()
    for text, value in rows:
        box.addItem(text, value)
    box.setCurrentIndex(max(box.findData(chosen), 0))
