"""*Still true?*: a few memories a day that the person confirms, puts right or lets go."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.outcomes import Conflict, Forgotten, Saved
from app.proof.still_true import StillTrue, TodaysCards, TruthCard
from app.rules.still_true import CONTRADICTED, DUE
from store.instants import Clock, to_instant
from ui.memory.markdown_editor import InPlaceEdit, Preview
from ui.memory.shell import Shell, View
from ui.memory.undo import Undoing
from ui.toolkit.action_registry import keys_text
from ui.toolkit.formatting import (
    age,
    day_text,
    doer,
    entry_title,
    local,
    quoted,
    scope_text,
    snippet_of,
)
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.translation import counted, tr
from ui.toolkit.value_fields import MomentField
from ui.toolkit.widgets import EmptyState, FlowLayout, KeyButton, button, headed, label, titled

if TYPE_CHECKING:
    from app.vault import Vault

ASK, NO, EDIT = 0, 1, 2  # what is asked of the memory in hand
CARD, NONE = 0, 1
SOON_MS = 5_000  # after a change it is counted anew
HOUR_MS = 3_600_000  # a new day has new questions
PAGE = "proof#still-true"
TEXT_HIGH = 260  # of a fact; a longer one is scrolled

Outcome = Saved | Forgotten | Conflict


class TruthCardPage(QWidget):
    """One memory with why it is asked about, and the answers. What it asks for is said by signals:
    `instead_given` carries the new text, `until_given` a moment."""

    yes_given = Signal()
    forget_given = Signal()
    until_given = Signal(str)
    instead_given = Signal(str)
    later_given = Signal()
    open_asked = Signal(str)

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self.card: TruthCard | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.why = label(look="mute", wrap=True)
        self.title = label(look="heading", wrap=True)
        self.text = Preview()
        self.text.setAccessibleName(self.tr("What it says"))
        explain(self.text, self.tr("The memory as agents are told it."), PAGE)
        self.body = InPlaceEdit(theme)
        self.body.setAccessibleName(self.tr("What is true"))
        explain(self.body, self.tr("Ctrl+Enter keeps it, Escape leaves it as it was."), PAGE)
        self.otherwise = label(look="mute", wrap=True)
        self._texts = QStackedWidget()
        self._texts.setMaximumHeight(theme.px(TEXT_HIGH))
        self._texts.addWidget(self.text)
        self._texts.addWidget(self.body)
        self._answers = QStackedWidget()
        for row in (self._build_ask(theme), self._build_no(theme), self._build_edit(theme)):
            self._answers.addWidget(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 4, 24, 16)
        column.setSpacing(10)
        column.addWidget(self.why)
        column.addWidget(self.title)
        column.addWidget(self._texts, 1)
        column.addWidget(self.otherwise)
        column.addWidget(self._answers)
        column.addStretch()

    def _build_ask(self, theme: Theme) -> QWidget:
        self.yes = KeyButton(self.tr("Still true"), "Y", theme)
        self.yes.setProperty("look", "primary")
        self.no = KeyButton(self.tr("No…"), "N", theme)
        self.edit = KeyButton(self.tr("Edit"), "E", theme)
        self.later = KeyButton(self.tr("Not now"), "L", theme)
        self.open = button(self.tr("Open"), "link")
        self.open_other = button("", "link")
        explain(self.yes, self.tr("You confirm it; it comes back after a longer time."), PAGE)
        explain(
            self.no, self.tr("Asks what then: forget it, until when it was true, or edit."), PAGE
        )
        explain(self.edit, self.tr("Put it right; what you write is confirmed."), PAGE)
        explain(self.later, self.tr("Another one instead; it is asked about another time."), PAGE)
        explain(self.open, self.tr("The memory in the editor, with all its fields."), PAGE)
        explain(self.open_other, self.tr("The memory that says otherwise, in the editor."), PAGE)
        return _row(self.yes, self.no, self.edit, self.later, self.open, self.open_other)

    def _build_no(self, theme: Theme) -> QWidget:
        self.forget = KeyButton(self.tr("Forget it"), "F", theme)
        self.when = MomentField(local(self._clock()), calendarPopup=True)
        self.when.setAccessibleName(self.tr("True until"))
        self.until = KeyButton(self.tr("It was true until then"), "U", theme)
        self.anew = KeyButton(self.tr("Edit"), "E", theme)
        self.back = KeyButton(self.tr("Back"), keys_text("Esc"), theme)
        explain(self.forget, self.tr("It goes to the trash."), PAGE)
        explain(self.when, self.tr("The moment from which it no longer held."), PAGE)
        explain(
            self.until,
            self.tr("It stays, is found by questions about then, not told as now."),
            PAGE,
        )
        explain(self.anew, self.tr("Put it right; what you write is confirmed."), PAGE)
        explain(self.back, self.tr("To the question."), PAGE)
        return _row(self.forget, self.when, self.until, self.anew, self.back)

    def _build_edit(self, theme: Theme) -> QWidget:
        self.keep = KeyButton(self.tr("Keep and confirm"), keys_text("Ctrl+Return"), theme)
        self.keep.setProperty("look", "primary")
        self.leave = KeyButton(self.tr("Cancel"), keys_text("Esc"), theme)
        explain(self.keep, self.tr("Writes this text and confirms it."), PAGE)
        explain(self.leave, self.tr("The text stays as it was."), PAGE)
        return _row(self.keep, self.leave)

    def _connect(self) -> None:
        self.yes.clicked.connect(self.yes_given)
        self.no.clicked.connect(lambda: self.ask(NO))
        self.edit.clicked.connect(lambda: self.ask(EDIT))
        self.later.clicked.connect(self.later_given)
        self.open.clicked.connect(lambda: self._open("entry"))
        self.open_other.clicked.connect(lambda: self._open("other"))
        self.forget.clicked.connect(self.forget_given)
        self.until.clicked.connect(lambda: self.until_given.emit(self._moment()))
        self.anew.clicked.connect(lambda: self.ask(EDIT))
        self.back.clicked.connect(lambda: self.ask(ASK))
        self.leave.clicked.connect(lambda: self.ask(ASK))
        self.keep.clicked.connect(lambda: self.instead_given.emit(self.body.text()))
        self.body.approved.connect(self.instead_given)
        self.body.left.connect(lambda: self.ask(ASK))

    @property
    def asking(self) -> int:
        return self._answers.currentIndex()

    def ask(self, what: int) -> None:
        """Still true; if not, what then; or the text to put right."""
        if self.card is None:
            return
        if what == EDIT:
            self.body.set_text(self.card.entry.content)
            self.body.moveCursor(QTextCursor.MoveOperation.End)
        self._answers.setCurrentIndex(what)
        self._texts.setCurrentIndex(int(what == EDIT))
        (self.body if what == EDIT else self).setFocus()

    def show_card(self, card: TruthCard) -> None:
        """Another memory begins with the question; the same one keeps what is being answered."""
        same = self.card is not None and self.card.entry == card.entry
        self.card = card
        entry, now = card.entry, self._clock()
        self.why.setText(self._reason(card))
        self.title.setText(entry_title(entry))
        if not same:
            self.text.show_markdown(entry.content)
            self.when.setDateTime(local(now))
            self._answers.setCurrentIndex(ASK)
            self._texts.setCurrentIndex(0)
        for widget in (self.otherwise, self.open_other):
            widget.setVisible(card.other is not None)
        if card.other is not None:
            said = snippet_of(card.other.content)
            self.otherwise.setText(self.tr("The other one says: {text}").format(text=said))
            words = self.tr("Open {name}").format(name=entry_title(card.other))
            self.open_other.setText(words)
            self.open_other.setAccessibleName(words)

    def _reason(self, card: TruthCard) -> str:
        entry, now = card.entry, self._clock()
        about = [scope_text(entry.scope), doer(entry.source), age(entry.written_at, now)]
        if card.reason == CONTRADICTED:
            first = self.tr("Another memory says otherwise")
        elif card.reason == DUE:
            when = day_text(entry.verified_at or "")
            first = self.tr("You last confirmed it on {day}").format(day=when)
        else:
            first = self.tr("You never confirmed it")
        return " · ".join([first, *about])

    def _moment(self) -> str:
        seconds = self.when.dateTime().toMSecsSinceEpoch() / 1000
        return to_instant(min(datetime.fromtimestamp(seconds, UTC), self._clock()))

    def _open(self, which: str) -> None:
        if self.card is not None:
            other = self.card.other if which == "other" else None
            self.open_asked.emit((other or self.card.entry).id)

    def press(self, key: int) -> bool:
        """Whether the key means something now, and was done."""
        keys: dict[int, dict[int, Callable[[], object]]] = {
            ASK: {
                Qt.Key.Key_Y: self.yes.click,
                Qt.Key.Key_N: self.no.click,
                Qt.Key.Key_E: self.edit.click,
                Qt.Key.Key_L: self.later.click,
            },
            NO: {
                Qt.Key.Key_F: self.forget.click,
                Qt.Key.Key_U: self.until.click,
                Qt.Key.Key_E: self.anew.click,
                Qt.Key.Key_Escape: self.back.click,
            },
            EDIT: {},
        }
        do = keys[self.asking].get(key) if self.card is not None else None
        if do is None:
            return False
        do()
        return True


class StillTrueView(QWidget):
    """Asks about one memory after the other. Keys: Y yes, N no, E edit, L not now. `later` are the
    memories that were put off for this sitting."""

    open_asked = Signal(str)
    counted = Signal(int)

    def __init__(
        self,
        service: StillTrue,
        jobs: Jobs,
        undoing: Undoing,
        messages: Messages,
        theme: Theme,
        clock: Clock,
        later: set[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._service = service
        self._jobs = jobs
        self._undoing = undoing
        self._messages = messages
        self._later = later
        self._answering = False
        self._build(theme, clock)
        self._connect()

    def _build(self, theme: Theme, clock: Clock) -> None:
        self.page = TruthCardPage(theme, clock)
        self.progress = label(look="mute")
        self.share = label(look="mute")
        explain(self.progress, self.tr("How many are left to ask about today."), PAGE)
        explain(
            self.share,
            self.tr("Core memories that you confirmed and that need no new look yet."),
            PAGE,
        )
        self.done = EmptyState(
            self.tr("Nothing to confirm"),
            self.tr("A few memories a day are asked about here: what grows old and is told often."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self.page)
        self._stack.addWidget(self.done)
        head = titled(self.tr("Still true?"), self.progress, self.share)
        head.setSpacing(18)
        headed(self, head, self._stack)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.page.setFocusProxy(self)

    def _connect(self) -> None:
        page, service = self.page, self._service
        page.yes_given.connect(lambda: self._answer(service.yes))
        page.forget_given.connect(lambda: self._answer(lambda ident, _read: service.forget(ident)))
        page.until_given.connect(
            lambda at: self._answer(lambda ident, read: service.until(ident, at, read))
        )
        page.instead_given.connect(
            lambda text: self._answer(lambda ident, read: service.instead(ident, text, read))
        )
        page.later_given.connect(self._put_off)
        page.open_asked.connect(self.open_asked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A key that is held down answers for one memory, not for all that follow.
        if event.isAutoRepeat() or event.modifiers() or not self.page.press(event.key()):
            super().keyPressEvent(event)

    def refresh(self) -> None:
        """Looks what is left for today."""
        later = tuple(sorted(self._later))
        self._jobs.run(lambda: self._service.today(later), self._show, key="still true")

    def _show(self, found: TodaysCards) -> None:
        self._answering = False
        left = len(found.cards)
        self.counted.emit(left)
        self.progress.setText(counted("%Ln left today", left) if left else "")
        words = self.tr("{confirmed} of {core} core memories confirmed")
        self.share.setText(words.format(confirmed=found.confirmed, core=found.core))
        if self.page.asking == EDIT and self._stack.currentIndex() == CARD:
            return  # what is being written is not taken away
        if found.cards:
            self.page.show_card(found.cards[0])
        elif found.answered:
            self.done.say(
                self.tr("That is all for today"),
                counted("You answered %Ln. Tomorrow there are others.", found.answered),
            )
        self._stack.setCurrentIndex(CARD if found.cards else NONE)

    def _put_off(self) -> None:
        if self.page.card is not None:
            self._later.add(self.page.card.entry.id)
            self.refresh()

    def _answer(self, give: Callable[[str, str], Outcome]) -> None:
        card = self.page.card
        if card is not None and not self._answering:
            self._answering = True  # until the next one is here
            entry = card.entry
            self._jobs.run(lambda: give(entry.id, entry.updated_at), self._answered, self._failed)

    def _failed(self, error: Exception) -> None:
        self._answering = False
        self._messages.fail(error)

    def _answered(self, outcome: Outcome) -> None:
        self.page.ask(ASK)
        if isinstance(outcome, Conflict):
            self._messages.say(self.tr("It was changed meanwhile; look again."))
        else:
            self._undoing.offer(self._words(outcome), outcome.group)
        self.refresh()

    def _words(self, outcome: Saved | Forgotten) -> str:
        if isinstance(outcome, Forgotten):
            return self.tr("Forgot {name}").format(name=quoted(entry_title(outcome.entries[0])))
        entry = outcome.entry
        if entry.true_until is not None:
            words = self.tr("{name} was true until {day}")
            return words.format(name=quoted(entry_title(entry)), day=day_text(entry.true_until))
        if entry.stale_after is None:
            words = self.tr("Confirmed {name}; it does not grow old")
            return words.format(name=quoted(entry_title(entry)))
        words = self.tr("Confirmed {name}; asked again after {day}")
        return words.format(name=quoted(entry_title(entry)), day=day_text(entry.stale_after))


def _row(*widgets: QWidget) -> QWidget:
    """Answers beside each other, onto a further line where there is no room."""
    holder = QWidget()
    row = FlowLayout(holder, spacing=8)
    for widget in widgets:
        row.addWidget(widget)
    return holder


class _Count(QObject):
    """Keeps the number beside the view's row: after changes, and when a new day begins."""

    def __init__(self, shell: Shell, service: StillTrue, later: set[str]) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._service = service
        self._later = later
        self._hourly = QTimer(self, interval=HOUR_MS)
        self._hourly.timeout.connect(self._count)
        shell.changes.soon(SOON_MS, self._count)
        QTimer.singleShot(SOON_MS, self, self._count)
        self._hourly.start()

    def _count(self) -> None:
        later = tuple(sorted(self._later))
        self._shell.jobs.run(
            lambda: len(self._service.today(later).cards),
            lambda left: self._shell.count("still_true", left),
            key="still true count",
        )


def add_still_true(shell: Shell, vault: Vault) -> None:
    """The view, the way to it, and the number beside it."""
    service = StillTrue(vault)
    later: set[str] = set()

    def make() -> StillTrueView:
        view = StillTrueView(
            service, shell.jobs, shell.undo, shell.messages, shell.theme, vault.clock, later
        )
        view.open_asked.connect(lambda ident: shell.open("entry", ident))
        view.counted.connect(lambda left: shell.count("still_true", left))
        return view

    shell.add_view(View("still_true", make, StillTrueView.refresh, focus=lambda view: view))
    shell.actions.add(
        "go_still_true",
        tr("Still true?"),
        lambda: shell.go_to("still_true"),
        "Alt+S",
        menu=tr("Go"),
        also="confirm verify review facts cards daily stale old",
    )
    _Count(shell, service, later)
