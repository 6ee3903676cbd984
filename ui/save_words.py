"""Words from a conversation become a memory: look at them, say whose it is, keep them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QVBoxLayout, QWidget

from app.browse import Vocabulary
from store.errors import KeepsakeError
from store.instants import Clock
from store.records import EntryDraft, Scope
from ui.fields import Fields, FieldsForm
from ui.markdown_text import MarkdownEdit
from ui.parts_of_views import answers, label
from ui.theme import Theme


class SaveWords(QDialog):
    """`draft` is what the person agreed to. `scopes` are offered first: the agent's, its
    workspace's."""

    draft: EntryDraft

    def __init__(
        self, text: str, scopes: Sequence[Scope], words: Vocabulary, theme: Theme, clock: Clock,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setWindowTitle(self.tr("Save as a memory"))
        self.resize(600, 480)
        self._build(theme, clock)
        self.body.set_text(text)
        self.fields.offer(words)
        for scope in scopes:
            self.fields.set_fields(Fields(scope=scope))
        self.fields.set_fields(Fields())
        self.body.textChanged.connect(self._restate)
        self._restate()
        self.body.setFocus()

    def _build(self, theme: Theme, clock: Clock) -> None:
        hint = QLabel(self.tr("The memory keeps where it was said."))
        hint.setProperty("look", "mute")
        self.key = QLineEdit()
        self.key.setAccessibleName(self.tr("Key"))
        self.key.setPlaceholderText(self.tr("Key (made from the words if left empty)"))
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("What to remember"))
        self.fields = FieldsForm(theme, clock)
        self.problem = label(look="bad", wrap=True)
        self.problem.hide()
        buttons, self.ok = answers(self, self.tr("Save"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(hint)
        column.addWidget(self.key)
        column.addWidget(self.body, 1)
        column.addWidget(self.fields)
        column.addWidget(self.problem)
        column.addWidget(buttons)

    def _restate(self) -> None:
        self.ok.setEnabled(bool(self.body.text().strip()))

    def accept(self) -> None:
        try:
            fields = self.fields.fields()
        except KeepsakeError as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self.draft = EntryDraft(
            self.body.text(), fields.scope, self.key.text().strip() or None, fields.hook,
            fields.category, fields.kind, fields.importance, fields.tags, fields.expires_at,
        )  # fmt: skip
        super().accept()
