"""Who wrote what, day by day, with what each action changed, and the way to take any of it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.history.history import ChangedThing, Fields
from app.text.hidden import revealed
from store.instants import Clock, Instant, plus, to_instant
from store.records import OWNER, ChangeGroup
from ui.memory.change_text import describe, field_lines, version_word
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import (
    agent_name,
    clock_text,
    day_heading,
    doer,
    moment_text,
    number_text,
    scope_text,
    who,
)
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import tr
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import (
    FlowLayout,
    button,
    edges,
    emptied,
    in_line,
    label,
    or_empty,
    side_by_side,
    titled,
)

if TYPE_CHECKING:
    from app.history.history import History

PAGE = 200
HOURS_MOST = 1_000  # actions of the last hour that are counted
NARROW = 640  # pixels below which what changed stands under the list
AGENT = "agent:"


@dataclass(frozen=True, slots=True)
class ActivityPage:
    """Actions, what each was about by name, and what agents did in the last hour."""

    groups: Sequence[ChangeGroup]
    names: dict[int, tuple[str, ...]]
    lately: dict[str, int]
    since: Instant
    more: bool  # there may be older ones


class ChangeDetail(QWidget):
    """Shows what one action changed: which things, which fields, and the text side by side."""

    open_asked = Signal(str, str)  # a kind of thing, its id

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setObjectName("editor")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label(look="heading", wrap=True)
        self.origin = label(look="mute", wrap=True)
        self.things = RowList(theme, self.tr("What it changed"))
        self.things.setMaximumHeight(170)
        self.fields = label(look="mute", wrap=True)
        self.diff = DiffView(theme)
        self.open = button(self.tr("Open it"), "link")
        self.undo = QPushButton(self.tr("Undo this"))
        self.undo.setAccessibleName(self.tr("Undo the chosen action"))
        explain(self.undo, self.tr("Takes back what the chosen line did."))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(8)
        for widget in (self.title, self.origin, self.things, self.fields):
            column.addWidget(widget)
        column.addWidget(self.diff, 1)
        column.addStretch(0)  # where there is no text to compare, what is said stays together
        column.addLayout(in_line(self.undo, self.open, None))

    def _connect(self) -> None:
        self.things.chosen.connect(self._show_thing)
        self.open.clicked.connect(self._open)

    def show_group(self, group: ChangeGroup, title: str, details: Sequence[ChangedThing]) -> None:
        self.title.setText(title)
        parts = (doer(group.actor), moment_text(group.at), revealed(group.reason))
        self.origin.setText(" · ".join(part for part in parts if part))
        self.things.show_rows([_thing_row(one) for one in details])
        self.things.setVisible(len(details) > 1)
        standing = group.undone_by is None and group.undoes is None
        self.undo.setEnabled(standing and not any(map(_lets_in_or_out, details)))

    def _show_thing(self, row: Row | None) -> None:
        detail = row.value if row is not None else None
        if not isinstance(detail, ChangedThing):
            self.fields.setText("")
            self.diff.show_texts("", "")
            return
        texts = [_text(side) for side in (detail.before, detail.after)]
        proposal = detail.change.thing == "proposal"  # its fields are the proposed memory's
        added = detail.change.thing == "agent" and detail.before is None  # with what all start from
        lines = "" if proposal or added else field_lines(detail.before, detail.after)
        if detail.change.compacted:
            lines = self.tr("What it held is not kept any more.")
        self.fields.setText(revealed(lines))
        self.fields.setVisible(bool(lines))
        before = revealed(texts[0]) if texts[0] or not texts[1] else None
        self.diff.show_texts(before, revealed(texts[1]))
        self.diff.setVisible(any(texts))
        self.open.setVisible(detail.change.thing in ("entry", "block", "agent"))

    def _open(self) -> None:
        detail = self.things.value(ChangedThing)
        if detail is not None:
            self.open_asked.emit(detail.change.thing, detail.change.thing_id)


class ActivityView(QWidget):
    """The actions by day beside what the one in hand changed. Undo takes one back, and one button
    an agent all it did in the last hour."""

    undo_asked = Signal(int)
    undo_since_asked = Signal(str, str)
    open_asked = Signal(str, str)

    def __init__(
        self,
        history: History,
        jobs: Jobs,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._jobs = jobs
        self._theme = theme
        self._clock = clock
        self._groups: list[ChangeGroup] = []
        self._names: dict[int, tuple[str, ...]] = {}
        self._more = False
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.actor = ChoiceField(sizeAdjustPolicy=ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.actor.setAccessibleName(self.tr("Whose activity"))
        explain(self.actor, self.tr("Shows what one agent did, or you."))
        self.actor.addItem(self.tr("Everybody"), None)
        self.hours = QWidget()
        self.hours.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._hours = FlowLayout(self.hours)
        self.list = RowList(theme, self.tr("Activity"))
        self.list.setMinimumWidth(240)
        self.detail = ChangeDetail(theme)
        self._sides = side_by_side(self.list, self.detail, sizes=(380, 460))
        self._stack = or_empty(
            self._sides,
            self.tr("Nothing happened yet"),
            self.tr("What you and your agents write is listed here, and can be undone."),
        )
        outer = QVBoxLayout(self)
        edges(outer, 24, 18, 0, 0)
        outer.setSpacing(10)
        head = titled(self.tr("Activity"), self.actor)
        edges(head, 0, 0, 24, 0)
        outer.addLayout(head)
        outer.addWidget(self.hours)
        outer.addWidget(self._stack, 1)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self.actor.activated.connect(lambda _: self._load())
        self.detail.undo.clicked.connect(self._undo)
        self.detail.open_asked.connect(self.open_asked)
        self.list.chosen.connect(self._show_detail)
        self.list.menu_asked.connect(self._menu)
        self.list.verticalScrollBar().valueChanged.connect(self._scrolled)

    # Reading

    def refresh(self, agents: Sequence[str] = ()) -> None:
        for ident in agents:
            self.actor.offer(agent_name(ident), f"{AGENT}{ident}")
        if self.actor.findData(OWNER) < 0:
            self.actor.insertItem(1, self.tr("You"), OWNER)
        self._load()

    def _load(self) -> None:
        actor: str | None = self.actor.currentData()
        most = max(PAGE, len(self._groups))  # what was read by scrolling stays
        self._jobs.run(lambda: self._page(actor, None, most), self._show, key="activity")

    def _page(self, actor: str | None, before: int | None, limit: int) -> ActivityPage:
        since = plus(to_instant(self._clock()), hours=-1)
        groups = self._history.groups(actor=actor, before=before, limit=limit)
        recent = self._history.groups(actor=actor, since=since, limit=HOURS_MOST)
        standing = [g.actor for g in recent if g.undoes is None and g.undone_by is None]
        lately = Counter(actor for actor in standing if actor.startswith(AGENT))
        names, more = self._history.names(groups), len(groups) == limit
        return ActivityPage(groups, names, dict(lately.most_common()), since, more)

    def _show(self, page: ActivityPage) -> None:
        self._groups, self._names = list(page.groups), dict(page.names)
        self._more = page.more
        self._show_rows()
        self._show_hours(page)

    def _append(self, page: ActivityPage) -> None:
        self._groups += page.groups
        self._names |= page.names
        self._more = page.more
        self._show_rows()

    def _scrolled(self, value: int) -> None:
        if self._more and value >= self.list.verticalScrollBar().maximum():
            self._more = False
            actor, before = self.actor.currentData(), self._groups[-1].id
            self._jobs.run(
                lambda: self._page(actor, before, PAGE), self._append, key="activity-more"
            )

    def _show_rows(self) -> None:
        rows: list[Row] = []
        now, heading = self._clock(), ""
        for group in self._groups:
            day = day_heading(group.at, now)
            if day != heading:
                heading = day
                rows.append(Row(f"day:{group.at[:10]}:{day}", day, heading=True))
            rows.append(self._row(group))
        self.list.show_rows(rows)
        self._stack.setCurrentIndex(0 if rows else 1)

    def _row(self, group: ChangeGroup) -> Row:
        title = describe(group, self._names.get(group.id, ()))
        undone = self.tr("undone") if group.undone_by else ""
        below = " · ".join(part for part in (doer(group.actor), undone, group.reason) if part)
        agent = group.actor.removeprefix(AGENT)
        dot = self._theme.agent_color(agent) if group.actor.startswith(AGENT) else "mute"
        look = "faint" if group.undone_by else ""
        return Row(str(group.id), title, below, clock_text(group.at), dot, look, value=group)

    def _show_hours(self, page: ActivityPage) -> None:
        emptied(self._hours)
        for actor, number in page.lately.items():
            words = self.tr("Undo the last hour of {who} ({n})")
            made = button(words.format(who=who(actor), n=number_text(number)))
            made.clicked.connect(
                lambda _=False, actor=actor: self.undo_since_asked.emit(actor, page.since)
            )
            self._hours.addWidget(made)
        self.hours.setVisible(bool(page.lately))

    def _show_detail(self, row: Row | None) -> None:
        group = row.value if row is not None else None
        if isinstance(group, ChangeGroup):
            title = describe(group, self._names.get(group.id, ()), heading=True)
            self._jobs.run(
                lambda: self._history.details(group.id),
                lambda details: self.detail.show_group(group, title, details),
                key="activity-detail",
            )

    # Doing

    @property
    def current(self) -> ChangeGroup | None:
        return self.list.value(ChangeGroup)

    def _undo(self) -> None:
        if self.current is not None:
            self.undo_asked.emit(self.current.id)

    def _menu(self, row: Row, at: QPoint) -> None:
        group = row.value
        assert isinstance(group, ChangeGroup)
        menu = QMenu(self)
        undo = menu.addAction(self.tr("Undo this"))
        undo.setEnabled(group.undone_by is None and group.undoes is None)
        undo.triggered.connect(lambda: self.undo_asked.emit(group.id))
        words = self.tr("Undo everything {who} did since then").format(who=who(group.actor))
        menu.addAction(words).triggered.connect(
            lambda: self.undo_since_asked.emit(group.actor, group.at)
        )
        menu.popup(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for both beside each other, one is under the other."""
        super().resizeEvent(event)
        narrow = self.width() < NARROW
        upright = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        if self._sides.orientation() is not upright:
            self._sides.setOrientation(upright)


def _lets_in_or_out(one: ChangedThing) -> bool:
    """An agent came, or its token did: that is changed under Agents, not by undo."""
    if one.change.thing != "agent":
        return False
    was, now = one.before, one.after or {}
    return was is None or was.get("revoked") != now.get("revoked")


def _text(fields: Fields | None) -> str:
    """The text of a memory or block, or the one that is proposed."""
    payload = (fields or {}).get("payload")
    held = payload if isinstance(payload, dict) else fields or {}
    changed = held.get("fields")  # of a proposal that changes a memory
    return str((changed if isinstance(changed, dict) else held).get("content") or "")


def _thing_row(detail: ChangedThing) -> Row:
    change = detail.change
    below = f"{version_word(change.action)} · {scope_text(change.scope)}"
    gone = change.thing == "proposal" and detail.title == change.thing_id
    name = _proposed_name(detail) if gone else detail.title
    title = revealed(name) or tr("The proposal")  # which has no name of its own
    return Row(str(change.seq), title, below, value=detail)


def _proposed_name(detail: ChangedThing) -> str:
    """Of a proposal that is gone the log still says what it was about."""
    payload = (detail.before or detail.after or {}).get("payload")
    return str(payload.get("key") or "") if isinstance(payload, dict) else ""
