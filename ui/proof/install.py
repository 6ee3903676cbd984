"""Adds memory tests (*Expect this…* for a memory, how all expectations stand), and *Where does it
have that from?*: the memories behind what an assistant said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.outcomes import Saved
from app.proof.blame import Blame, Source
from app.proof.checks import CheckResult, Checks, broken_by, can_be_undone
from app.proof.expectations import (
    FORMS,
    expectation_draft,
    gets_sentence,
    read_sentence,
    told_sentence,
)
from store.records import ACTIVE, Agent, Entry
from ui.memory.change_text import describe
from ui.memory.search_bar import SearchField
from ui.memory.shell import Shell
from ui.proof.beliefs import add_beliefs
from ui.proof.bisect import add_bisect
from ui.proof.radar import add_radar
from ui.proof.still_true import add_still_true
from ui.toolkit.formatting import agent_name, entry_title, moment_text, snippet_of, who
from ui.toolkit.help import explain
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, heard, tr
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField, NumberField
from ui.toolkit.widgets import (
    answers,
    button,
    column_of,
    fit_screen,
    form_of,
    in_line,
    label,
    or_empty,
)

if TYPE_CHECKING:
    from app.vault import Vault


def install(shell: Shell, vault: Vault) -> None:
    _Proof(shell, vault)
    add_still_true(shell, vault)
    add_radar(shell, vault)
    add_bisect(shell, vault)
    add_beliefs(shell, vault)


class ExpectDialog(QDialog):
    """Writes one sentence about a memory. Without a question it is about the start of a run."""

    def __init__(
        self,
        entry: Entry,
        agents: Sequence[Agent],
        agent: str,
        question: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._entry = entry
        self.setWindowTitle(self.tr("Expect this"))
        fit_screen(self, 620, 300)
        self._build(agents, agent, question)
        self._connect()
        self._compose()

    def _build(self, agents: Sequence[Agent], agent: str, question: str) -> None:
        self.agent = ChoiceField()
        for known in agents:
            self.agent.addItem(known.name, known.id)
        self.agent.setCurrentIndex(max(self.agent.findData(agent), 0))
        self.question = QLineEdit(question)
        self.question.setPlaceholderText(self.tr("Empty: it is told at the start of every run"))
        self.first = NumberField(minimum=1, maximum=20, value=3)
        self.sentence = QLineEdit()
        self.words = label(look="mute", wrap=True)
        buttons, self.ok = answers(self, self.tr("Expect this"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addLayout(
            form_of(
                (
                    self.tr("Agent"),
                    self.agent,
                    self.tr("The assistant that has to know it."),
                    None,
                ),
                (
                    self.tr("Asked"),
                    self.question,
                    self.tr("What it would look up; empty is about what it is told at the start."),
                    None,
                ),
                (
                    self.tr("Among the first"),
                    self.first,
                    self.tr("How far up this memory has to stand among what is found."),
                    None,
                ),
                (
                    self.tr("Sentence"),
                    self.sentence,
                    self.tr("What is checked, in words; you may change it by hand."),
                    None,
                ),
            )
        )
        column.addWidget(self.words)
        column.addStretch(1)
        column.addWidget(buttons)

    def _connect(self) -> None:
        self.agent.currentIndexChanged.connect(lambda _: self._compose())
        self.question.textChanged.connect(lambda _: self._compose())
        self.first.valueChanged.connect(lambda _: self._compose())
        self.sentence.textChanged.connect(lambda _: self._refresh_ok())

    def _compose(self) -> None:
        agent, question = str(self.agent.currentData()), self.question.text().strip()
        self.first.setEnabled(bool(question))
        self.sentence.setText(
            gets_sentence(question, agent, self._entry.key, self.first.value())
            if question
            else told_sentence(agent, self._entry.key)
        )
        self.sentence.setCursorPosition(0)  # its beginning is seen where it has no room

    def _refresh_ok(self) -> None:
        understood = bool(read_sentence("", "", self.sentence.text()).sort)
        self.ok.setEnabled(understood)
        self.words.setText(
            self.tr("It is checked after every change; no agent reads it.")
            if understood
            else self.tr("Not understood. Write one like: {sentence}").format(sentence=FORMS[0])
        )


class ExpectationsDialog(QDialog):
    """Every expectation, the red ones first, with the change that broke each."""

    def __init__(self, vault: Vault, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._shell = shell
        self.setWindowTitle(self.tr("Memory tests"))
        fit_screen(self, 760, 480)
        self._build(shell.theme)
        self._connect()
        self.refresh()

    def _build(self, theme: Theme) -> None:
        self.state = plain_label(self.tr("Checking…"), wordWrap=True)
        self.list = RowList(theme, self.tr("Expectations"))
        self.reason = label(look="mute", wrap=True)
        self.undo = button(self.tr("Undo that change"), "primary")
        self.show_test = button(self.tr("Open"))
        self.again = button(self.tr("Check again"))
        self._stack = or_empty(
            self.list,
            self.tr("Nothing is expected yet"),
            self.tr(
                "Choose a memory, then Memory › Expect this…: after every change it is checked "
                "whether your agents still get it."
            ),
        )
        foot = in_line(self.undo, self.show_test, None, self.again)
        column_of(self, self.state, self._stack, self.reason, foot).setStretchFactor(self._stack, 1)

    def _connect(self) -> None:
        self.list.chosen.connect(lambda _row: self._show_chosen())
        self.undo.clicked.connect(self._undo)
        self.show_test.clicked.connect(self._open)
        self.again.clicked.connect(self.refresh)
        self._shell.changes.heard.connect(self._hear)
        self._show_chosen()

    def refresh(self) -> None:
        self.state.setText(self.tr("Checking…"))
        self._shell.jobs.run(Checks(self._vault).run, self._show, key="memory tests")

    def _hear(self, _news: object) -> None:
        if self.isVisible():
            self.refresh()

    def _show(self, results: list[CheckResult]) -> None:
        red = sum(not one.passed for one in results)
        self._stack.setCurrentIndex(0 if results else 1)
        if red:
            words = counted("%Ln expectations are red.", red)
        else:
            words = counted("%Ln expectations, all as expected.", len(results))
        self.state.setText(words if results else "")
        self.list.show_rows([_row(one) for one in sorted(results, key=lambda one: one.passed)])
        if self.list.current is None:
            self.list.step(0)
        if not results:  # nothing else takes the keyboard then
            self.again.setFocus()
        self._show_chosen()

    def _show_chosen(self) -> None:
        one = self.list.value(CheckResult)
        self.show_test.setEnabled(one is not None)
        group = one.group if one is not None else None
        self.undo.setEnabled(group is not None and can_be_undone(group))
        said = f"{heard(one.reason)} {red_since(one)}" if one is not None else ""
        self.reason.setText(said.strip())

    def _undo(self) -> None:
        one = self.list.value(CheckResult)
        if one is not None and one.group is not None:
            self._shell.undo.undo(one.group.id)

    def _open(self) -> None:
        one = self.list.value(CheckResult)
        if one is not None:
            self._shell.open("entry", one.expectation.test_id)
            self.close()


def red_since(one: CheckResult) -> str:
    """Since which change it is red, in the window's words; the button beside it undoes that."""
    if one.passed or one.group is None:
        return heard(broken_by(one))
    words = tr("Red since this change: {what}, by {who}.")
    return words.format(what=describe(one.group), who=who(one.group.actor))


def _row(one: CheckResult) -> Row:
    said = one.expectation
    dot, look = ("accent", "") if one.passed else ("bad", "bad")
    return Row(one.mark, said.sentence, heard(one.reason), said.test, dot, look, value=one)


class BlameDialog(QDialog):
    """Takes what an assistant said, and lists the memories it most likely came from."""

    def __init__(self, vault: Vault, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._shell = shell
        self.setWindowTitle(self.tr("Where did it get that from?"))
        fit_screen(self, 760, 520)
        self._build(shell.theme)
        self._connect()
        self._show_chosen()

    def _build(self, theme: Theme) -> None:
        self.said = QPlainTextEdit()
        self.said.setPlaceholderText(self.tr("Paste what an assistant said"))
        self.said.setAccessibleName(self.tr("What was said"))
        explain(self.said, self.tr("A sentence of an assistant; the memories behind it are found."))
        self.said.setTabChangesFocus(True)
        self.said.setMaximumHeight(110)
        self.look_up = button(self.tr("Find its memory"), "primary")
        self.list = RowList(theme, self.tr("Memories it may come from"))
        self.story = label(look="mute", wrap=True)
        self.correct = button(self.tr("Correct…"))
        self.show_memory = button(self.tr("Open"))
        ask, foot = in_line(None, self.look_up), in_line(self.correct, self.show_memory, None)
        column_of(self, self.said, ask, self.list, self.story, foot).setStretchFactor(self.list, 1)

    def _connect(self) -> None:
        self.look_up.clicked.connect(self._find)
        self.said.textChanged.connect(self._refresh_find)
        self.list.chosen.connect(lambda _row: self._show_chosen())
        self.show_memory.clicked.connect(lambda: self._go("entry"))
        self.correct.clicked.connect(lambda: self._go("correct"))
        self._refresh_find()

    def _refresh_find(self) -> None:
        self.look_up.setEnabled(bool(self.said.toPlainText().strip()))

    def _find(self) -> None:
        said = self.said.toPlainText()
        self._shell.jobs.run(lambda: Blame(self._vault).sentence(said), self._show, key="blame")

    def _show(self, found: list[Source]) -> None:
        self.list.show_rows([self._source_row(one) for one in found])
        if self.list.current is None:
            self.list.step(0)
        self._show_chosen()
        if not found:
            self.story.setText(self.tr("No memory says anything like it."))

    def _source_row(self, one: Source) -> Row:
        sure = {
            "likely": self.tr("likely"),
            "maybe": self.tr("maybe"),
            "hardly": self.tr("hardly"),
        }[one.verdict]
        end, title = f"{sure} · {round(one.sure * 100)} %", entry_title(one.entry)
        return Row(one.entry.id, title, snippet_of(one.entry.content, 160), end, value=one)

    def _show_chosen(self) -> None:
        one = self.list.value(Source)
        self.correct.setEnabled(one is not None and one.entry.state == ACTIVE)
        self.show_memory.setEnabled(one is not None)
        self.story.setText("\n".join(self._story(one)) if one is not None else "")

    def _story(self, one: Source) -> list[str]:
        """Who wrote it, which turns taught it, who was last told."""
        lines = []
        if one.written is not None:
            words = self.tr("Written by {who}, {when}")
            at = moment_text(one.written.at)
            lines.append(words.format(who=who(one.written.actor), when=at))
        for turn in one.turns:
            words = self.tr("Taught by a turn, {when}: {what}")
            said = snippet_of(turn.content, 120)
            lines.append(words.format(when=moment_text(turn.created_at), what=said))
        if one.call is None:
            return [*lines, self.tr("Told to nobody, as far as the log of calls goes back")]
        words = self.tr("Last told to {agent}, {when}, by {call}")
        at = moment_text(one.call.at)
        told = words.format(agent=agent_name(one.call.agent_id), when=at, call=one.call.call)
        return [*lines, told]

    def _go(self, way: str) -> None:
        one = self.list.value(Source)
        if one is None:
            return
        self.close()
        if way == "correct":
            self._correct_when_shown(one.entry.id)
        self._shell.open("entry", one.entry.id)

    def _correct_when_shown(self, ident: str) -> None:
        editor = self._shell.editor
        if editor.entry is not None and editor.entry.id == ident:
            self._shell.actions["correct"].trigger()
            return

        def correct(entry: Entry | None) -> None:
            if entry is not None and entry.id == ident:
                editor.shown.disconnect(correct)
                # Its dialog waits for an answer, and the memory is still being shown.
                QTimer.singleShot(0, self._shell.actions["correct"].trigger)

        editor.shown.connect(correct)


class _Proof(QObject):
    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        self._tests: ExpectationsDialog | None = None
        self._blame: BlameDialog | None = None
        shell.add_opener("expectation", self._expect_named)
        shell.actions.add(
            "expect",
            tr("Expect this…"),
            self._expect_in_hand,
            menu=tr("Memory"),
            also="test demand assert expectation",
        )
        shell.actions.add(
            "memory_tests",
            tr("Memory tests…"),
            self._show_tests,
            menu=tr("Go"),
            also="expectations red green check proof",
        )

        shell.actions.add(
            "blame",
            tr("Where did it get that from?…"),
            self._show_blame,
            menu=tr("Go"),
            also="blame source said sentence wrong assistant",
        )

    def _show_blame(self) -> None:
        if self._blame is None:
            self._blame = BlameDialog(self._vault, self._shell, self._shell.dialog_parent)
        self._blame.show()
        self._blame.raise_()
        self._blame.said.selectAll()  # what is pasted takes the place of what was asked before
        self._blame.said.setFocus()

    def _show_tests(self) -> None:
        if self._tests is None:
            self._tests = ExpectationsDialog(self._vault, self._shell, self._shell.dialog_parent)
        else:
            self._tests.refresh()
        self._tests.show()
        self._tests.raise_()

    def _expect_in_hand(self) -> None:
        """About the memory in hand, and what was searched for."""
        field = self._shell.dialog_parent.findChild(SearchField)
        question = field.text().strip() if field is not None else ""
        self._shell.selection.use(lambda ids: self._ask(ids[0], "", question))

    def _expect_named(self, name: str) -> None:
        """`name` has the memory, the agent and the message in a line each."""
        ident, agent, question = name.split("\n", 2)
        self._ask(ident, agent, question)

    def _ask(self, ident: str, agent: str, question: str) -> None:
        def read() -> tuple[Entry, list[Agent]]:
            agents = [agent for agent in self._vault.agents.list() if agent.revoked_at is None]
            return self._vault.memory.entries.read(ident), agents

        def ask(found: tuple[Entry, list[Agent]]) -> None:
            entry, agents = found
            if not agents:
                self._shell.messages.say(tr("Add an agent first: what it is told is tested."))
                return
            dialog = ExpectDialog(entry, agents, agent, question, self._shell.dialog_parent)
            dialog.accepted.connect(lambda: self._store(dialog.sentence.text()))
            dialog.open()

        self._shell.jobs.run(read, ask)

    def _store(self, sentence: str) -> None:
        draft = expectation_draft(f"- {sentence}")

        def store() -> tuple[object, list[CheckResult]]:
            return self._vault.memory.entries.store(draft), Checks(self._vault).run()

        self._shell.jobs.run(store, lambda made: self._stored(*made))

    def _stored(self, outcome: object, results: list[CheckResult]) -> None:
        if isinstance(outcome, Saved):
            group, own = outcome.group, outcome.entry.id
            of_it = [one for one in results if one.expectation.test_id == own]
            said = tr("Expected from now on.")
            if red := [heard(one.reason) for one in of_it if not one.passed]:
                said = tr("Expected from now on, and not so yet: {why}").format(why=red[0])
            self._shell.messages.say(said, tr("Undo"), lambda: self._shell.undo.undo(group))
