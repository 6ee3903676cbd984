"""*It has been answering wrong since…*: walks the change log by halves, with the person as judge,
and ends at one change."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QStackedWidget, QWidget

from app.errors import Invalid
from app.proof.bisect import (
    BAD,
    GOOD,
    UNKNOWN,
    Bisect,
    BisectStep,
    Walk,
    first_bad,
    keep_walk,
    kept_walk,
    last_change_before,
    step_of,
)
from app.proof.checks import Checks, can_be_undone, judge
from app.proof.expectations import Expectation
from store.instants import to_instant
from store.records import Agent, ChangeGroup
from ui.memory.change_text import describe, field_lines
from ui.memory.shell import Shell
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import moment_text, who
from ui.toolkit.help import PAGE as HELP_PAGE
from ui.toolkit.help import explain
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, tr
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import KeyButton, button, column_of, fit_screen, form_of, in_line, label

if TYPE_CHECKING:
    from app.vault import Vault

PAGE = "proof#since-when-is-it-wrong"
BEGIN, WORK, JUDGE, FOUND = range(4)


def add_bisect(shell: Shell, vault: Vault) -> None:
    _BisectAction(shell, vault)


class BisectDialog(QDialog):
    """Asks what to look at, then text by text whether it was good, and names the change. What was
    answered is kept: closed and opened again, it goes on."""

    def __init__(self, vault: Vault, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty(HELP_PAGE, PAGE)
        self._vault = vault
        self._shell = shell
        self.walk: Walk | None = None
        self.step: BisectStep | None = None
        self.setWindowTitle(self.tr("It has been answering wrong since…"))
        fit_screen(self, 900, 600)
        self._build(shell.theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.stack = QStackedWidget()
        for page in (
            self._build_begin(),
            self._build_work(),
            self._build_judge(theme),
            self._build_found(theme),
        ):
            self.stack.addWidget(page)
        column_of(self, self.stack)

    def _build_begin(self) -> QWidget:
        page = QWidget()
        words = label(
            self.tr(
                "Keepsake goes through the changes by halves and shows what the agent got at each. "
                "You say whether it was right; a few answers lead to the one change."
            ),
            "mute",
            wrap=True,
        )
        self.agent = ChoiceField()
        self.workspace = ChoiceField()
        self.judge = ChoiceField()
        self.question = QLineEdit()
        self.question.setPlaceholderText(self.tr("Empty: what it is told at the start of a run"))
        self.since = ChoiceField()
        self.begin = button(self.tr("Begin"), "primary")
        self.note = label(look="bad", wrap=True)
        form = form_of(
            (self.tr("Agent"), self.agent, self.tr("Whose answers went wrong."), None),
            (
                self.tr("Workspace"),
                self.workspace,
                self.tr("Where it worked; what it is told depends on it."),
                None,
            ),
            (
                self.tr("Who judges"),
                self.judge,
                self.tr("You read and judge, or a memory test does it by itself."),
                None,
            ),
            (
                self.tr("Asked"),
                self.question,
                self.tr("What was asked when the answer went wrong."),
                None,
            ),
            (
                self.tr("It was right"),
                self.since,
                self.tr("When it was certainly right still."),
                None,
            ),
        )
        column_of(
            page, words, form, self.note, None, in_line(None, self.begin), margins=(0, 0, 0, 0)
        )
        return page

    def _build_work(self) -> QWidget:
        page = QWidget()
        column_of(page, None, label(self.tr("Going through the changes…"), "mute"), None)
        return page

    def _build_judge(self, theme: Theme) -> QWidget:
        page = QWidget()
        self.head = label(look="heading", wrap=True)
        self.left = label(look="mute", wrap=True)
        self.texts = DiffView(theme)
        self.texts.set_titles(self.tr("What it got then"), self.tr("What it gets now"))
        self.good = KeyButton(self.tr("Good"), "G", theme)
        self.bad = KeyButton(self.tr("Bad"), "B", theme)
        self.unknown = KeyButton(self.tr("Don't know"), "D", theme)
        self.back = button(self.tr("Back"))
        self.again = button(self.tr("Begin again"), "link")
        explain(self.good, self.tr("With this the agent would have answered right."), PAGE)
        explain(self.bad, self.tr("With this the agent would have answered wrong."), PAGE)
        explain(self.unknown, self.tr("Another change near it is shown instead."), PAGE)
        explain(self.back, self.tr("Takes your last answer back."), PAGE)
        explain(self.again, self.tr("Drops every answer and asks anew."), PAGE)
        foot = in_line(self.good, self.bad, self.unknown, None, self.back, self.again)
        column_of(
            page, self.head, self.left, self.texts, foot, margins=(0, 0, 0, 0)
        ).setStretchFactor(self.texts, 1)
        return page

    def _build_found(self, theme: Theme) -> QWidget:
        page = QWidget()
        self.verdict = label(look="heading", wrap=True)
        self.story = label(look="mute", wrap=True)
        self.change = DiffView(theme)
        self.undo = button(self.tr("Undo this change"), "primary")
        explain(self.undo, self.tr("Takes all of it back; that can be undone, too."), PAGE)
        self.return_ = button(self.tr("Back"))
        explain(self.return_, self.tr("Takes your last answer back."), PAGE)
        self.anew = button(self.tr("Begin again"), "link")
        explain(self.anew, self.tr("Drops every answer and asks anew."), PAGE)
        foot = in_line(self.undo, None, self.return_, self.anew)
        column_of(
            page, self.verdict, self.story, self.change, foot, margins=(0, 0, 0, 0)
        ).setStretchFactor(self.change, 1)
        return page

    def _connect(self) -> None:
        self.agent.currentIndexChanged.connect(lambda _: self._show_workspaces())
        self.judge.currentIndexChanged.connect(lambda _: self._show_judge())
        self.begin.clicked.connect(self._begin)
        self.good.clicked.connect(lambda: self._answer(GOOD))
        self.bad.clicked.connect(lambda: self._answer(BAD))
        self.unknown.clicked.connect(lambda: self._answer(UNKNOWN))
        for one in (self.back, self.return_):
            one.clicked.connect(self._take_back)
        for one in (self.again, self.anew):
            one.clicked.connect(self._drop)
        self.undo.clicked.connect(self._undo)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """G, B and D answer, wherever in the texts the person is."""
        keys = {Qt.Key.Key_G: self.good, Qt.Key.Key_B: self.bad, Qt.Key.Key_D: self.unknown}
        pressed = keys.get(Qt.Key(event.key()))
        if pressed is not None and self.stack.currentIndex() == JUDGE and not event.modifiers():
            pressed.click()
        else:
            super().keyPressEvent(event)

    # Beginning

    def refresh(self) -> None:
        """Goes on with what was left, or asks what to look at."""
        if self.walk is not None:
            return
        vault = self._vault
        self._shell.jobs.run(
            lambda: (vault.agents.list(), Checks(vault).expectations(), kept_walk(vault)),
            self._show_begin,
            key="bisect",
        )

    def _show_begin(self, found: tuple[list[Agent], list[Expectation], Walk | None]) -> None:
        agents, tests, left = found
        for field in (self.agent, self.judge, self.since):
            field.clear()
        for agent in sorted(agents, key=lambda one: one.revoked_at is not None):
            self.agent.addItem(agent.name, agent)  # who was shut out is asked about last
        self.judge.addItem(self.tr("I do: I read what it got"), None)
        for one in tests:
            if one.sort:
                self.judge.addItem(one.sentence, one)
        for words, days in (
            (self.tr("when the log begins"), 0),
            (self.tr("a day ago"), 1),
            (self.tr("a week ago"), 7),
            (self.tr("a month ago"), 30),
        ):
            self.since.addItem(words, days)
        self.begin.setEnabled(bool(agents))
        self.note.setText(
            "" if agents else self.tr("Add an agent first: what it is told is shown.")
        )
        self.stack.setCurrentIndex(BEGIN)
        if left is not None and any(agent.id == left.agent for agent in agents):
            self._go_on(left)

    def _show_workspaces(self) -> None:
        agent = self.agent.currentData()
        self.workspace.clear()
        self.workspace.addItem(self.tr("none"), "")
        for name in agent.workspaces if isinstance(agent, Agent) else ():
            self.workspace.addItem(name, name)

    def _show_judge(self) -> None:
        by_hand = self.judge.currentData() is None
        for field in (self.agent, self.workspace, self.question):
            field.setEnabled(by_hand)

    def _begin(self) -> None:
        vault, days = self._vault, int(self.since.currentData() or 0)
        test = self.judge.currentData()
        agent, question = self.agent.currentData(), self.question.text().strip()
        workspace = str(self.workspace.currentData() or "")

        def good() -> int:
            if not days:
                return 0
            return last_change_before(vault, to_instant(vault.clock() - timedelta(days=days)))

        self.stack.setCurrentIndex(WORK)
        if isinstance(test, Expectation):
            self._shell.jobs.run(
                lambda: judged_by(vault, test, good()), self._show_step, self._say, key="bisect"
            )
            return
        self._shell.jobs.run(
            lambda: Walk(agent.id, workspace, question, good()), self._go_on, self._say
        )

    # Walking

    def _go_on(self, walk: Walk) -> None:
        self.walk = walk
        vault = self._vault
        self.stack.setCurrentIndex(WORK)

        def look() -> BisectStep:
            keep_walk(vault, walk)
            return step_of(vault, walk)

        self._shell.jobs.run(look, self._show_step, self._say, key="bisect")

    def _answer(self, verdict: str) -> None:
        if self.walk is not None and self.step is not None and self.step.ask is not None:
            self._go_on(self.walk.answered(self.step.ask.id, verdict))

    def _take_back(self) -> None:
        if self.walk is not None:
            self._go_on(self.walk.back())

    def _drop(self) -> None:
        self.walk = self.step = None
        self._shell.jobs.run(lambda: keep_walk(self._vault, None), lambda _: self.refresh())

    def _say(self, error: Exception) -> None:
        """What keeps it from going on is said where it began."""
        self.walk = None
        self._shell.jobs.run(lambda: keep_walk(self._vault, None))
        self.note.setText(str(error))
        self.stack.setCurrentIndex(BEGIN)

    def _show_step(self, step: BisectStep) -> None:
        self.step = step
        if step.ask is None:
            self._show_found(step)
            return
        self.head.setText(self.tr("After: {change}").format(change=change_words(step.ask, step)))
        left = counted("At most %Ln questions are left", step.left)
        total = counted("of %Ln changes", step.changes)
        self.left.setText(
            self.tr("{left}, {total}. Was what it got then right?").format(left=left, total=total)
        )
        self.texts.show_texts(step.then, step.now)
        self.back.setEnabled(bool(self.walk and self.walk.answers))
        self.stack.setCurrentIndex(JUDGE)
        self.good.setFocus()

    def _show_found(self, step: BisectStep) -> None:
        alone = step.suspects[0] if len(step.suspects) == 1 else None
        if alone is not None:
            self.verdict.setText(
                self.tr("Since this: {change}").format(change=change_words(alone, step))
            )
        else:
            self.verdict.setText(counted("One of these %Ln changes", len(step.suspects)))
        listed = [change_words(one, step) for one in step.suspects] if alone is None else []
        undone = self.tr("It was undone since.") if alone and alone.undone_by else ""
        self.story.setText("\n".join([*listed[:12], *([undone] if undone else [])]))
        self.change.setVisible(alone is not None)
        self.change.show_texts(*changed_texts(step))
        self.undo.setEnabled(alone is not None and can_be_undone(alone))
        self.return_.setVisible(bool(self.walk and self.walk.answers))
        self.stack.setCurrentIndex(FOUND)
        (self.undo if self.undo.isEnabled() else self.anew).setFocus()

    def _undo(self) -> None:
        if self.step is not None and len(self.step.suspects) == 1:
            self._shell.undo.undo(self.step.suspects[0].id)
            self._drop()
            self.close()


def judged_by(vault: Vault, test: Expectation, good: int) -> BisectStep:
    """A memory test walks by itself. Raises Invalid where it was red from the beginning."""
    walk = Bisect(vault, good)
    agent = vault.agents.read(test.agent) if test.agent else None

    def holds(place: int) -> bool:
        return judge(test, walk.after(place), agent)[0]

    if not holds(-1):
        raise Invalid(tr("It was not so at the beginning either. Choose an earlier time."))
    if holds(len(walk.groups) - 1):
        raise Invalid(tr("It is as expected now: there is nothing to look for."))
    found = first_bad(walk.groups, holds)
    about = vault.history.names([found]).get(found.id, ())
    changed = tuple(vault.history.details(found.id))
    return BisectStep(len(walk.groups), 0, about=about, suspects=(found,), changed=changed)


def change_words(group: ChangeGroup, step: BisectStep) -> str:
    """`3 March 2026, 14:05: stored deploy_target, by claude`."""
    said = describe(group, step.about if group in (step.ask, *step.suspects[:1]) else ())
    words = tr("{when}: {what}, by {who}")
    return words.format(when=moment_text(group.at), who=who(group.actor), what=said)


def changed_texts(step: BisectStep) -> tuple[str, str]:
    """What the change found there and what it left, thing by thing."""
    sides: tuple[list[str], list[str]] = ([], [])
    for one in step.changed:
        for side, fields, other in zip(
            sides, (one.before, one.after), (one.after, one.before), strict=True
        ):
            said = str((fields or {}).get("content", ""))
            lines = field_lines(other, fields)
            side.append("\n".join(part for part in (one.title, said, lines) if part and fields))
    return "\n\n".join(sides[0]), "\n\n".join(sides[1])


class _BisectAction(QObject):
    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        self._dialog: BisectDialog | None = None
        shell.actions.add(
            "bisect",
            tr("It has been answering wrong since…"),
            self._show,
            menu=tr("Go"),
            also="bisect wrong change log good bad halves regression",
        )

    def _show(self) -> None:
        if self._dialog is None:
            self._dialog = BisectDialog(self._vault, self._shell, self._shell.dialog_parent)
        self._dialog.refresh()
        self._dialog.show()
        self._dialog.raise_()
