"""The writing model: who summarises and learns. Its address, name and key, a test, and what is
sent, to the letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.access.caller_scope import Caller
from app.access.secret_store import Kept
from app.learning.writers.endpoint import Tested
from app.learning.writing_model import WritingModel
from store.errors import KeepsakeError
from ui.toolkit.formatting import number_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.widgets import button, in_line, label

if TYPE_CHECKING:
    from app.learning.conversations import Conversations
    from app.learning.sleep import Sleep
    from app.learning.writing_model import Writing

OWN_FIELDS = ("writer_endpoint", "writer_model")  # settings that have their fields here


class WriterFields(QWidget):
    """Takes address, model and key of a writing model; says `edited` with every letter, `entered`
    on Return."""

    edited = Signal()
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        for field in (self.endpoint, self.model, self.key):
            field.textChanged.connect(lambda _text: self.edited.emit())
            field.returnPressed.connect(self.entered)

    def _build(self) -> None:
        self.endpoint = QLineEdit()
        self.endpoint.setPlaceholderText("http://localhost:11434/v1")
        self.model = QLineEdit()
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(8)
        for name, field, sentence in (
            (self.tr("Address"), self.endpoint, self.tr("Where the model answers.")),
            (self.tr("Model"), self.model, self.tr("Its name, as that address knows it.")),
            (self.tr("Key"), self.key, self.tr("The secret it asks for, if it does.")),
        ):
            explain(field, sentence, "conversations#who-writes")
            field.setAccessibleName(self.tr("{field} of the writing model").format(field=name))
            form.addRow(label(name, "mute"), field)

    def show_model(self, model: WritingModel) -> None:
        self.endpoint.setText(model.endpoint)
        self.model.setText(model.model)
        self.key.clear()
        self.key.setPlaceholderText(
            self.tr("A key is kept; type to replace it")
            if model.has_key
            else self.tr("If the endpoint needs one; kept in your keyring")
        )

    @property
    def complete(self) -> bool:
        return bool(self.endpoint.text().strip() and self.model.text().strip())

    @property
    def typed(self) -> tuple[str, str, str | None]:
        """Address, model and key; an untouched key field keeps the key there is."""
        return self.endpoint.text().strip(), self.model.text().strip(), self.key.text() or None


class SentPrompt(QWidget):
    """Shows on demand what would be sent, to the letter; `prompt` is asked in a job."""

    def __init__(
        self, prompt: Callable[[], str | None], jobs: Jobs, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self._jobs = jobs
        self._build()
        self.ask.clicked.connect(self._read)

    def _build(self) -> None:
        self.ask = button(self.tr("Show what is sent"))
        self.words = label(look="mute", wrap=True)
        self.words.hide()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("look", "code")
        self.text.setAccessibleName(self.tr("The exact prompt"))
        explain(self.text, self.tr("What the writing model would be sent, word for word."))
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(220)
        self.text.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addLayout(in_line(self.ask, None))
        column.addWidget(self.words)
        column.addWidget(self.text)

    def refresh(self) -> None:
        """Reads it again, if the person asked to see it."""
        if not self.text.isHidden():
            self._read()

    def _read(self) -> None:
        self._jobs.run(self._prompt, self._show, key="writing-prompt")

    def _show(self, prompt: str | None) -> None:
        if prompt is None:
            words = self.tr("There is no conversation yet to show it with.")
        elif prompt:
            words = self.tr("For the latest conversation, to the letter:")
        else:
            words = self.tr("Nothing is sent: the built-in writer works on this machine.")
        self.words.setText(words)
        self.words.show()
        self.text.setPlainText(prompt or "")
        self.text.setVisible(bool(prompt))


class WriterSettings(QWidget):
    """Chooses the writing model; nothing is kept or sent before the person says so. `prompt` gives
    what would be sent for the latest conversation; it is asked in a job."""

    changed = Signal()

    def __init__(
        self,
        writing: Writing,
        prompt: Callable[[], str | None],
        jobs: Jobs,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._writing = writing
        self._jobs = jobs
        self.sent = SentPrompt(prompt, jobs)
        self._build()
        self._connect()
        self._refresh_buttons()

    def _build(self) -> None:
        self.who = label(look="notice-calm", wrap=True)
        self.fields = WriterFields()
        self.save = button(self.tr("Save"), "primary", self.tr("Save the writing model"))
        self.confirm = button(
            self.tr("Use it here"), "primary", self.tr("Use this writing model on this machine")
        )
        self.confirm.hide()
        self.test = button(self.tr("Test"), name=self.tr("Test the writing model"))
        self.clear = button(self.tr("Clear"), "danger", self.tr("Clear the writing model"))
        self.state = label(look="mute", wrap=True)
        self.state.hide()
        self.notice = label(look="notice", wrap=True)
        self.notice.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 10)
        column.setSpacing(12)
        column.addWidget(self.who)
        column.addWidget(self.fields)
        column.addLayout(in_line(self.confirm, self.save, self.test, self.clear, None))
        column.addWidget(self.state)
        column.addWidget(self.notice)
        column.addSpacing(8)
        column.addWidget(self.sent)

    def _connect(self) -> None:
        self.save.clicked.connect(self._save)
        self.confirm.clicked.connect(self._confirm)
        self.test.clicked.connect(self._test)
        self.clear.clicked.connect(self._clear)
        self.fields.edited.connect(self._refresh_buttons)
        self.fields.entered.connect(self._save)

    # Showing

    def refresh(self) -> None:
        self._jobs.run(self._writing.model, self._show, key="writing-model")

    def _show(self, model: WritingModel) -> None:
        self.fields.show_model(model)
        built_in = self.tr(
            "The built-in writer is at work, on this machine. Nothing is sent anywhere."
        )
        other = self.tr(
            "{model} writes. What was said in conversations is sent to {address}; if it fails, "
            "the built-in writer steps in."
        )
        foreign = self.tr(
            "This vault names {model} at {address}, which nobody confirmed on this machine: the "
            "built-in writer is at work and nothing is sent. If you use it here, what was said in "
            "conversations is sent there."
        )
        with_key = self.tr("The key you keep goes with it.")
        words = other if model.confirmed else foreign
        if model.has_key and not model.confirmed:
            words = f"{words} {with_key}"
        cost = self.tr("Today it was given about {today} of at most {most} tokens.").format(
            today=number_text(model.tokens_today), most=number_text(model.tokens_a_day)
        )
        if model.confirmed:
            words = f"{words} {cost}"
        self.who.setText(
            words.format(model=model.model, address=model.endpoint)
            if model.configured
            else built_in
        )
        self.confirm.setVisible(model.configured and not model.confirmed)
        self.clear.setEnabled(bool(model.endpoint or model.model))

    def _refresh_buttons(self) -> None:
        self.save.setEnabled(self.fields.complete)
        self.test.setEnabled(self.fields.complete)

    # Doing

    def _save(self) -> None:
        if self.save.isEnabled():
            typed = self.fields.typed
            self._jobs.run(lambda: self._writing.configure(*typed), self._saved, self._failed)

    def _confirm(self) -> None:
        """Only what the vault names: what is typed over it is saved instead."""
        self._jobs.run(self._writing.confirm, self._confirmed, self._failed)

    def _confirmed(self, _model: WritingModel) -> None:
        self._say(self.tr("Confirmed for this machine."))
        self._changed()

    def _saved(self, kept: Kept | None) -> None:
        self._say(self.tr("Saved."))
        notice = kept.notice if kept is not None else ""
        self.notice.setText(notice)
        self.notice.setVisible(bool(notice))
        self._changed()

    def _test(self) -> None:
        """Tries what is typed, saved or not."""
        typed = self.fields.typed
        self.test.setEnabled(False)
        self._say(self.tr("Asking…"))
        self._jobs.run(lambda: self._writing.test(*typed), self._tested, self._failed)

    def _tested(self, tested: Tested) -> None:
        self._refresh_buttons()
        mark = "✓" if tested.works else "✗"
        self._say(f"{mark} {tested.message}")

    def _clear(self) -> None:
        self._jobs.run(self._writing.clear, self._cleared, self._failed)

    def _cleared(self, _nothing: object) -> None:
        self._say(self.tr("Cleared, and its key dropped."))
        self.notice.hide()
        self._changed()

    def _changed(self) -> None:
        self.refresh()
        self.changed.emit()
        self.sent.refresh()

    def _failed(self, error: Exception) -> None:
        self._refresh_buttons()
        if isinstance(error, KeepsakeError):
            self._say(str(error))
        else:
            self._say("")
            self._jobs.failed.emit(error)

    def _say(self, words: str) -> None:
        self.state.setText(words)
        self.state.setVisible(bool(words))


def latest_prompt(conversations: Conversations, sleep: Sleep) -> Callable[[], str | None]:
    """Asks for what would be sent for the latest conversation; None when there is none."""

    def ask() -> str | None:
        found = conversations.page(Caller(), limit=1).conversations
        return sleep.prompt(found[0].id) if found else None

    return ask
