"""*What others believe*: what another assistant says about the person beside what memory says, and
the passport that sets it right."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHeaderView,
    QPlainTextEdit,
    QTableView,
    QWidget,
)

from app.outcomes import Saved
from app.proof.beliefs import (
    AGREE,
    DIFFERS,
    IGNORED,
    ONLY_THEY,
    ONLY_YOU,
    VERDICTS,
    WRONG,
    Belief,
    Beliefs,
    Compared,
    TheirStatements,
)
from app.proof.passport import (
    BYTES,
    CHARACTERS,
    LEAST,
    SIZE,
    PassportLines,
    Passports,
    PassportWords,
    fit,
)
from app.proof.statements import about_owner
from store.errors import KeepsakeError
from ui.memory.shell import Shell
from ui.toolkit.formatting import difference_text, moment_text, number_text
from ui.toolkit.help import PAGE, explain, explain_tabs
from ui.toolkit.list_view import TableModel, arrange_rows
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, heard, tr
from ui.toolkit.value_fields import ChoiceField, NumberField, SliderField
from ui.toolkit.widgets import (
    answers,
    button,
    column_of,
    fit_screen,
    in_line,
    label,
    or_empty,
    tabbed,
)

if TYPE_CHECKING:
    from app.vault import Vault

HELP = "proof#what-do-the-others-believe"
ASSISTANTS = ("chatgpt", "claude", "gemini")
LARGEST = 10_000  # where the slider ends; the number beside it goes further
COLORS = {AGREE: "accent", DIFFERS: "bad", ONLY_THEY: "recent_text", ONLY_YOU: "mute"}


def add_beliefs(shell: Shell, vault: Vault) -> None:
    _WhatOthersBelieve(shell, vault)


class BeliefColumn(IntEnum):
    VERDICT = 0
    THEY = 1
    YOU = 2
    AGREED = 3


class BeliefModel(TableModel[Belief]):
    """Shows a comparison, what asks for a decision first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(BeliefColumn, parent)
        self._theme = theme

    def headings(self) -> tuple[str, ...]:
        return (self.tr("Verdict"), self.tr("They say"), self.tr("You say"), self.tr("Last agreed"))

    def display_data(self, value: Belief, role: int, column: int, row: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole:
            quiet = value.decision == IGNORED or column == BeliefColumn.AGREED
            plain = "mute" if quiet else "text"
            first = column == BeliefColumn.VERDICT and not quiet
            return self._theme.tokens.color(COLORS[value.verdict] if first else plain)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(value, BeliefColumn(column))
        return None

    def _text(self, one: Belief, column: BeliefColumn) -> str:
        match column:
            case BeliefColumn.VERDICT:
                return self._verdict(one)
            case BeliefColumn.THEY:
                return one.they
            case BeliefColumn.YOU:
                return " ".join(one.entry.content.split()) if one.entry is not None else ""
            case BeliefColumn.AGREED:
                return moment_text(one.agreed_at) if one.agreed_at else ""

    def _verdict(self, one: Belief) -> str:
        if one.decision == WRONG:
            return self.tr("they are wrong")
        if one.decision == IGNORED:
            return self.tr("ignored")
        words = verdict_text(one.verdict)
        sure = one.they and one.entry is not None
        return f"{words} · {round(one.sure * 100)} %" if sure else words


def verdict_text(verdict: str) -> str:
    return {
        AGREE: tr("agree"),
        DIFFERS: tr("differ"),
        ONLY_THEY: tr("only they"),
        ONLY_YOU: tr("only you"),
    }[verdict]


class BeliefTable(QTableView):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = BeliefModel(theme, self)
        self.setModel(self.rows)
        self.setAccessibleName(self.tr("What they say and what you say"))
        explain(self, self.tr("Each thing they say beside the memory it is about."), HELP)
        arrange_rows(self, theme)
        head = self.horizontalHeader()
        for column in (BeliefColumn.THEY, BeliefColumn.YOU):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(BeliefColumn.VERDICT, theme.px(164))
        self.setColumnWidth(BeliefColumn.AGREED, theme.px(130))

    @property
    def current(self) -> Belief | None:
        return self.rows.at(self.currentIndex().row())


class PassportPage(QWidget):
    """The text for them, as large as the slider says; `show_lines` brings what may stand in it."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._lines = PassportLines((), ())
        self._build()
        self._connect()

    def _build(self) -> None:
        self.slider = SliderField(Qt.Orientation.Horizontal)
        self.slider.setRange(LEAST, LARGEST)
        self.slider.setValue(SIZE)
        self.slider.setPageStep(250)
        self.slider.setAccessibleName(self.tr("Size"))
        explain(self.slider, self.tr("How large the text may be; ChatGPT takes 1,500 letters."))
        self.size_field = NumberField(minimum=LEAST, maximum=100_000, value=SIZE)
        self.size_field.setGroupSeparatorShown(True)
        self.size_field.setAccessibleName(self.tr("Size in numbers"))
        explain(self.size_field, self.tr("The same as a number."))
        self.unit = ChoiceField()
        self.unit.setAccessibleName(self.tr("Counted in"))
        self.unit.addItem(self.tr("characters"), CHARACTERS)
        self.unit.addItem(self.tr("bytes"), BYTES)
        explain(self.unit, self.tr("What the other side counts."))
        self.unit.setMinimumWidth(self._shell.theme.px(130))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Passport"))
        explain(self.text, self.tr("What to paste there; nothing muted for the cloud is in it."))
        self.state = label(look="mute", wrap=True)
        self.copy = button(self.tr("Copy"), "primary")
        self.save = button(self.tr("Save…"))
        size = in_line(label(self.tr("Size"), "mute"), self.slider, self.size_field, self.unit)
        buttons = in_line(self.copy, self.save, None)
        column = column_of(self, size, self.text, self.state, buttons, margins=(0, 12, 0, 0))
        column.setStretchFactor(self.text, 1)

    def _connect(self) -> None:
        self.slider.valueChanged.connect(self.size_field.setValue)
        self.size_field.valueChanged.connect(self._sized)
        self.unit.currentIndexChanged.connect(lambda _: self._refresh())
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._save)

    @property
    def words(self) -> PassportWords:
        return PassportWords(
            self.tr("Correct what you know about me:"),
            self.tr("About me:"),
            self.tr("Not true, forget it: {what}"),
        )

    def show_lines(self, lines: PassportLines) -> None:
        self._lines = lines
        self._refresh()

    def _sized(self, size: int) -> None:
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(min(size, LARGEST))
        self.slider.blockSignals(blocked)
        self._refresh()

    def _refresh(self) -> None:
        made = fit(self._lines, self.size_field.value(), str(self.unit.currentData()), self.words)
        self.text.setPlainText(made.text)
        words = self.tr("{used} of {size}")
        said = words.format(used=number_text(made.used), size=number_text(made.size))
        parts = [said, counted("%Ln corrections", made.corrections)]
        parts.append(counted("%Ln facts", made.facts))
        if made.left_out:
            parts.append(counted("%Ln left out", made.left_out))
        self.state.setText(" · ".join(parts))
        for one in (self.copy, self.save):
            one.setEnabled(bool(made.text))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self._shell.messages.say(self.tr("Copied. Paste it where they take notes about you."))

    def _save(self) -> None:
        kind = self.tr("Text files (*.txt)")
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save the passport"), str(Path.home() / "passport.txt"), kind
        )
        if name:
            text = self.text.toPlainText()
            self._shell.jobs.run(lambda: Path(name).write_text(text, "utf-8"))


class OwnWordsDialog(QDialog):
    """Asks how the owner would say what somebody else believes, before it becomes a memory."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Take over"))
        fit_screen(self, 480, 240)
        self.words = QPlainTextEdit(text)
        self.words.setTabChangesFocus(True)
        self.words.setAccessibleName(self.tr("In your words"))
        explain(self.words, self.tr("The memory it becomes, as you would say it."))
        buttons, self.ok = answers(self, self.tr("Take over"))
        column = column_of(self, label(self.tr("In your words"), "mute"), self.words, buttons)
        column.setStretchFactor(self.words, 1)
        self.words.textChanged.connect(
            lambda: self.ok.setEnabled(bool(self.words.toPlainText().strip()))
        )


class BeliefsDialog(QDialog):
    """Takes an answer or an export, shows the comparison, and the passport on its second page."""

    def __init__(self, vault: Vault, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._vault = vault
        self._shell = shell
        self._beliefs = Beliefs(vault)
        self._said: TheirStatements | None = None
        self._found: Compared | None = None
        self.setWindowTitle(self.tr("What others believe"))
        self.setProperty(PAGE, HELP)
        fit_screen(self, 980, 640)
        self._build(shell.theme)
        self._connect()
        self._show_chosen()

    def _build(self, theme: Theme) -> None:
        self.source = ChoiceField()
        self.source.setEditable(True)
        self.source.setAccessibleName(self.tr("Who says it"))
        explain(self.source, self.tr("Whose beliefs these are: agreement is kept for each."), HELP)
        self.source.addItems(list(dict.fromkeys((*ASSISTANTS, *self._beliefs.sources()))))
        self.answer = QPlainTextEdit()
        self.answer.setPlaceholderText(
            self.tr("Ask them “What do you know about me?” and paste the answer, or open an export")
        )
        self.answer.setAccessibleName(self.tr("What they say"))
        explain(self.answer, self.tr("A list, a table or sentences, in English or German."), HELP)
        self.answer.setTabChangesFocus(True)
        self.answer.setMaximumHeight(theme.px(96))
        self.open_file = button(self.tr("Open an export…"))
        self.compare = button(self.tr("Compare"), "primary")
        self.tabs = tabbed()
        self.tabs.tabBar().setAccessibleName(self.tr("Pages"))
        self.passport = PassportPage(self._shell)
        self.tabs.addTab(self._build_table(theme), self.tr("Comparison"))
        self.tabs.addTab(self.passport, self.tr("Passport"))
        explain_tabs(
            self.tabs.tabBar(),
            self.tr("Their statements beside your memories."),
            self.tr("A short text that sets them right."),
        )
        who = in_line(
            label(self.tr("Who"), "mute"), self.source, None, self.open_file, self.compare
        )
        column = column_of(self, self.answer, who, self.tabs)
        column.setStretchFactor(self.tabs, 1)

    def _build_table(self, theme: Theme) -> QWidget:
        page = QWidget()
        self.table = BeliefTable(theme)
        self.shown = ChoiceField()
        self.shown.setAccessibleName(self.tr("Show"))
        explain(self.shown, self.tr("Shows only the rows of one verdict."))
        self.state = label(look="mute", wrap=True)
        self.take = button(self.tr("Take over"))
        self.wrong = button(self.tr("They are wrong"))
        self.ignore = button(self.tr("Ignore"))
        self.edit = button(self.tr("Edit…"))
        explain(self.take, self.tr("Makes it a memory of yours, or what the memory says now."))
        explain(self.wrong, self.tr("Puts it right in the passport."))
        explain(self.ignore, self.tr("Is not asked about again."))
        explain(self.edit, self.tr("Opens the memory, or takes it over in your words."))
        self._stack = or_empty(
            self.table,
            self.tr("Nothing is compared yet"),
            self.tr("Where you differ, what only they say and what they lack is shown here."),
        )
        self._stack.setCurrentIndex(1)
        self.shown.hide()
        buttons = in_line(self.take, self.wrong, self.ignore, self.edit, None, self.shown)
        column = column_of(page, self._stack, self.state, buttons, margins=(0, 12, 0, 0))
        column.setStretchFactor(self._stack, 1)
        return page

    def _connect(self) -> None:
        self.answer.textChanged.connect(self._answered)
        self.source.editTextChanged.connect(lambda _: self._refresh_compare())
        self.open_file.clicked.connect(self._open_file)
        self.compare.clicked.connect(self._compare)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_chosen())
        self.shown.currentIndexChanged.connect(lambda _: self._show_rows())
        self.take.clicked.connect(lambda: self._take_over())
        self.wrong.clicked.connect(lambda: self._decide(WRONG))
        self.ignore.clicked.connect(lambda: self._decide(IGNORED))
        self.edit.clicked.connect(self._edit)
        self.tabs.currentChanged.connect(lambda _: self.refresh_passport())
        self.source.currentTextChanged.connect(lambda _: self.refresh_passport())
        self._refresh_compare()

    # What they say

    @property
    def source_name(self) -> str:
        return self.source.currentText().strip()

    def _answered(self) -> None:
        self._said = None
        self._refresh_compare()

    def _refresh_compare(self) -> None:
        something = bool(self.answer.toPlainText().strip()) or self._said is not None
        self.compare.setEnabled(something and bool(self.source_name))

    def _open_file(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open an export"))
        if name:
            self.read(Path(name))

    def read(self, path: Path) -> None:
        """Reads an export or a text, then compares."""
        self._shell.jobs.run_long(
            self.tr("Reading {name}…").format(name=path.name),
            lambda _progress: self._beliefs.read(path),
            self._read,
            self._refused,
        )

    def _read(self, said: TheirStatements) -> None:
        self.answer.setPlainText("\n".join(f"- {one.text}" for one in said.statements))
        self._said = said
        if said.source in ASSISTANTS:
            self.source.setCurrentText(said.source)
        self._compare()

    def _compare(self) -> None:
        text, source, said = self.answer.toPlainText(), self.source_name, self._said

        def work(progress: Callable[[int, int], None]) -> Compared:
            read = said or self._beliefs.read_text(text)
            return self._beliefs.compare(read.statements, source, progress)

        self._shell.jobs.run_long(self.tr("Comparing…"), work, self._show, self._refused)

    def _refused(self, error: Exception) -> None:
        """What cannot be understood is said here: the window's own messages are behind this."""
        if isinstance(error, KeepsakeError):
            self.state.setText(heard(error))
        else:
            self._shell.messages.fail(error)

    def _show(self, found: Compared) -> None:
        self._found = found
        chosen = self.shown.currentData()
        blocked = self.shown.blockSignals(True)
        self.shown.clear()
        everything = len(found.rows) + len(found.yours)
        self.shown.addItem(f"{self.tr('all')} {number_text(everything)}", "")
        for verdict in VERDICTS:
            name = f"{verdict_text(verdict)} {number_text(found.counted(verdict))}"
            self.shown.addItem(name, verdict)
        self.shown.setCurrentIndex(max(self.shown.findData(chosen), 0))
        self.shown.blockSignals(blocked)
        self.shown.show()
        self._show_rows()
        self.refresh_passport()

    def _show_rows(self) -> None:
        if self._found is None:
            return
        wanted, row = self.shown.currentData(), self.table.currentIndex().row()
        rows = [one for one in self._found.ordered() if wanted in ("", one.verdict)]
        self.table.rows.replace(rows)
        self._stack.setCurrentIndex(0)
        self.table.setCurrentIndex(self.table.rows.index(min(max(row, 0), len(rows) - 1), 0))
        self._show_chosen()

    def _show_chosen(self) -> None:
        one = self.table.current
        said = one is not None and bool(one.they)
        self.take.setEnabled(one is not None and one.verdict in (DIFFERS, ONLY_THEY))
        self.wrong.setEnabled(said and one is not None and one.verdict != AGREE)
        self.ignore.setEnabled(said)
        self.edit.setEnabled(one is not None)
        self.state.setText(self._sentence(one) if one is not None else "")

    def _sentence(self, one: Belief) -> str:
        if one.why:
            return difference_text(one.why)
        return one.topic

    # What becomes of it

    def _take_over(self, text: str = "") -> None:
        one = self.table.current
        if one is not None:
            source = self.source_name
            self._shell.jobs.run(
                lambda: self._beliefs.take_over(source, one.they, one.entry, text), self._taken
            )

    def _taken(self, saved: Saved) -> None:
        self._shell.messages.say(
            self.tr("It is a memory of yours now."),
            self.tr("Undo"),
            lambda: self._shell.undo.undo(saved.group),
        )
        self._shell.changes.look()
        self._compare()

    def _decide(self, decision: str) -> None:
        one = self.table.current
        if one is not None:
            source, taken_back = self.source_name, one.decision == decision
            wanted = "" if taken_back else decision
            self._shell.jobs.run(
                lambda: self._beliefs.decide(source, one.they, wanted, one.entry),
                lambda _: self._compare(),
            )

    def _edit(self) -> None:
        one = self.table.current
        if one is None:
            return
        if one.entry is not None:
            self.close()
            self._shell.open("entry", one.entry.id)
            return
        dialog = OwnWordsDialog(about_owner(one.they), self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self._take_over(dialog.words.toPlainText())
        dialog.deleteLater()

    def refresh_passport(self) -> None:
        source, words = self.source_name, self.passport.words
        self._shell.jobs.run(
            lambda: Passports(self._vault).lines(source, words),
            self.passport.show_lines,
            key="passport",
        )


class _WhatOthersBelieve(QObject):
    def __init__(self, shell: Shell, vault: Vault) -> None:
        super().__init__(shell.dialog_parent)
        self._shell = shell
        self._vault = vault
        self._dialog: BeliefsDialog | None = None
        shell.actions.add(
            "beliefs",
            tr("What others believe…"),
            self._open,
            menu=tr("Go"),
            also="passport chatgpt claude gemini export compare others know about me",
        )

    def _open(self) -> None:
        if self._dialog is None:
            self._dialog = BeliefsDialog(self._vault, self._shell, self._shell.dialog_parent)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.answer.setFocus()
        self._dialog.refresh_passport()
