"""A folder to mirror: which one, whose memory, and whose writes its edits are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from store.records import OWNER, USER, Scope
from ui.controls import ScopeBox
from ui.parts_of_views import answers, button, form_of, label
from ui.value_fields import ChoiceField


class AddMirror(QDialog):
    def __init__(
        self, scopes: Sequence[Scope], agents: Sequence[str], wanted: Scope | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._build(scopes, agents)
        self._connect()
        if wanted is not None:
            self.scope.choose(wanted)
        self._restate()

    def _build(self, scopes: Sequence[Scope], agents: Sequence[str]) -> None:
        self.setWindowTitle(self.tr("Mirror a folder"))
        self.setMinimumWidth(560)
        self.path = QLineEdit()
        self.browse = button(self.tr("Browse…"))
        self.scope = ScopeBox(scopes)
        self.writer = ChoiceField()
        self.writer.addItem(self.tr("mine"), OWNER)
        for agent in agents:
            words = self.tr("{agent}'s, as far as it is trusted")
            self.writer.addItem(words.format(agent=agent), f"agent:{agent}")
        form = form_of(
            (self.tr("Folder"), self.path, self.browse),
            (self.tr("Scope"), self.scope, None),
            (self.tr("Edits are"), self.writer, None),
        )
        about = label(
            self.tr("Each memory becomes a note there, and what you edit there comes back. Notes "
                    "already in the folder come in. A folder kept by git, Syncthing or a cloud "
                    "carries memory between machines."),
            "mute", wrap=True,
        )  # fmt: skip
        buttons, self.ok = answers(self, self.tr("Mirror"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("Mirror a folder"), "title"))
        column.addLayout(form)
        column.addWidget(about)
        column.addStretch(1)
        column.addWidget(buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(lambda _text: self._restate())

    @property
    def folder(self) -> Path:
        return Path(self.path.text().strip()).expanduser()

    @property
    def chosen_scope(self) -> Scope:
        return self.scope.chosen or USER

    @property
    def chosen_writer(self) -> str:
        return str(self.writer.currentData())

    def _browse(self) -> None:
        start = self.path.text() or str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Mirror a folder"), start)
        if chosen:
            self.path.setText(chosen)

    def _restate(self) -> None:
        self.ok.setEnabled(bool(self.path.text().strip()))
