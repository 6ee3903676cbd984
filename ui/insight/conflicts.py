"""Memories that contradict each other, side by side, and what to make of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.review.conflicts import BOTH, NEWER, OLDER, Disagreement, Settled
from store.instants import Clock, Instant, from_instant, to_instant
from ui.memory.undo import Undoing
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import (
    age,
    difference_text,
    doer,
    entry_title,
    local,
    scope_text,
    snippet_of,
)
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import MomentField
from ui.toolkit.widgets import (
    answers,
    button,
    column_of,
    flowing,
    headed,
    label,
    or_empty,
    side_by_side,
    titled,
)

if TYPE_CHECKING:
    from app.review.conflicts import Conflicts

LIST, NONE = 0, 1


def tr(text: str) -> str:
    return QCoreApplication.translate("ConflictsView", text)


class SinceDialog(QDialog):
    """Asks since when the new one is true."""

    def __init__(self, start: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("The new one is true from"))
        words = label(
            self.tr("From this moment agents are told the new one. The old one stays as it was."),
            look="mute",
            wrap=True,
        )
        self.when = MomentField(local(start), calendarPopup=True)
        self.when.setAccessibleName(self.tr("Day and time"))
        explain(self.when, self.tr("A moment of your own clock; type it, or open the calendar."))
        buttons, self.ok = answers(self, self.tr("True from then"))
        column_of(self, words, self.when, buttons)

    @property
    def moment(self) -> Instant:
        seconds = self.when.dateTime().toMSecsSinceEpoch() / 1000
        return to_instant(datetime.fromtimestamp(seconds, UTC))


class ConflictsView(QWidget):
    """Lists contradictions on the left; on the right is the one in hand, to be settled."""

    open_asked = Signal(str)
    counted = Signal(int)
    settled = Signal()

    def __init__(
        self,
        conflicts: Conflicts,
        jobs: Jobs,
        undoing: Undoing,
        messages: Messages,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._conflicts = conflicts
        self._jobs = jobs
        self._undoing = undoing
        self._messages = messages
        self._clock = clock
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = RowList(theme, self.tr("Contradictions"))
        self.list.setMinimumWidth(230)
        self.about = label(look="mute", wrap=True)
        self.diff = DiffView(theme)
        self.newer = button(self.tr("The new one is true from…"), "primary")
        self.both = button(self.tr("Both are true"))
        self.older = button(self.tr("The old one stays"))
        self.open_older = button(self.tr("Open the old one"), "link")
        self.open_newer = button(self.tr("Open the new one"), "link")
        explain(self.newer, self.tr("Asks since when; the old one stays as what was true before."))
        explain(self.both, self.tr("They do not contradict each other; both are told."))
        explain(self.older, self.tr("The new one goes to the trash."))
        page = QWidget()
        column = column_of(
            page,
            self.about,
            self.diff,
            flowing(self.newer, self.both, self.older),
            flowing(self.open_older, self.open_newer),
            margins=(24, 4, 24, 16),
            spacing=10,
        )
        column.setStretchFactor(self.diff, 1)
        self._stack = or_empty(
            side_by_side(self.list, page, sizes=(280, 700)),
            self.tr("No contradiction was noticed"),
            self.tr(
                "Memories that cannot both be true show up here soon after they are written, where "
                "they are worded alike. What is told in quite other words mostly is not noticed."
            ),
        )
        headed(self, titled(self.tr("Conflicts")), self._stack)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.newer.clicked.connect(self._ask_since)
        self.both.clicked.connect(lambda: self._settle(BOTH))
        self.older.clicked.connect(lambda: self._settle(OLDER))
        self.open_older.clicked.connect(lambda: self._open("older"))
        self.open_newer.clicked.connect(lambda: self._open("newer"))

    @property
    def current(self) -> Disagreement | None:
        return self.list.value(Disagreement)

    def refresh(self) -> None:
        """Looks at what was written last, and lists what is open."""

        def look() -> list[Disagreement]:
            self._conflicts.catch_up()
            return self._conflicts.listed()

        self._jobs.run(look, self._show_all, key="conflicts")

    def _show_all(self, found: Sequence[Disagreement]) -> None:
        self.list.show_rows([self._row(one) for one in found])
        self._stack.setCurrentIndex(LIST if found else NONE)
        self.counted.emit(len(found))

    def _row(self, one: Disagreement) -> Row:
        key = f"{one.older.id}+{one.newer.id}"
        below = f"{difference_text(one.difference)} · {scope_text(one.newer.scope)}"
        title = snippet_of(one.newer.content, 80) or entry_title(one.newer)
        return Row(key, title, below, age(one.newer.written_at, self._clock()), value=one)

    def _show(self, row: Row | None) -> None:
        one = row.value if row is not None else None
        if not isinstance(one, Disagreement):
            return
        now = self._clock()
        titles = (
            f"{words} · {entry_title(entry)} · {doer(entry.source)} · {age(entry.written_at, now)}"
            for words, entry in ((self.tr("old"), one.older), (self.tr("new"), one.newer))
        )
        self.diff.set_titles(*titles)
        self.diff.show_texts(one.older.content, one.newer.content)
        told = self.tr("the old one") if one.told.id == one.older.id else self.tr("the new one")
        words = self.tr("They differ: {what}. Until you settle it, {which} comes first.")
        self.about.setText(words.format(what=difference_text(one.difference), which=told))

    def _open(self, which: str) -> None:
        if (one := self.current) is not None:
            self.open_asked.emit((one.older if which == "older" else one.newer).id)

    def _ask_since(self) -> None:
        one = self.current
        if one is None:
            return
        dialog = SinceDialog(from_instant(one.newer.true_from or one.newer.written_at), self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self._settle(NEWER, dialog.moment)

    def _settle(self, how: str, true_from: Instant | None = None) -> None:
        one = self.current
        if one is None:
            return
        self._jobs.run(
            lambda: self._conflicts.settle(one.older.id, one.newer.id, how, true_from),
            self._settled,
        )

    def _settled(self, done: Settled) -> None:
        words = {
            NEWER: self.tr("The new one is true; the old one was"),
            BOTH: self.tr("Both are true"),
            OLDER: self.tr("The old one stays; the new one is in the trash"),
        }[done.how]
        if done.group is not None:
            self._undoing.offer(words, done.group)
        else:
            again = lambda: self._reopen(done.disagreement)  # noqa: E731
            self._messages.say(words, self.tr("Undo"), again)
        self.settled.emit()
        self.refresh()

    def _reopen(self, conflict: Disagreement) -> None:
        self._jobs.run(lambda: self._conflicts.reopen(conflict), lambda _none: self.settled.emit())
