"""A folder to mirror: which one, whose memory, and whose writes its edits are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from store.records import OWNER, USER, Scope
from ui.parts_of_views import button, label
from ui.wording import scope_text


class AddMirror(QDialog):
    def __init__(
        self, scopes: Sequence[Scope], agents: Sequence[str], wanted: Scope | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._build(scopes, agents)
        self._connect()
        if wanted is not None:
            if self.scope.findData(wanted) < 0:
                self.scope.addItem(scope_text(wanted), wanted)
            self.scope.setCurrentIndex(self.scope.findData(wanted))
        self._restate()

    def _build(self, scopes: Sequence[Scope], agents: Sequence[str]) -> None:
        self.setWindowTitle(self.tr("Mirror a folder"))
        self.setMinimumWidth(560)
        self.path = QLineEdit()
        self.browse = button(self.tr("Browse…"))
        where = QHBoxLayout()
        where.setSpacing(8)
        where.addWidget(self.path, 1)
        where.addWidget(self.browse)
        self.scope = QComboBox()
        for scope in dict.fromkeys([USER, *scopes]):
            self.scope.addItem(scope_text(scope), scope)
        self.writer = QComboBox()
        self.writer.addItem(self.tr("mine"), OWNER)
        for agent in agents:
            words = self.tr("{agent}'s, as far as it is trusted")
            self.writer.addItem(words.format(agent=agent), f"agent:{agent}")
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(10)
        for name, field in (
            (self.tr("Folder"), self.path),
            (self.tr("Scope"), self.scope),
            (self.tr("Edits are"), self.writer),
        ):
            field.setAccessibleName(name)
            form.addRow(label(name, "mute"), where if field is self.path else field)
        about = label(
            self.tr("Each memory becomes a note there, and what you edit there comes back. Notes "
                    "already in the folder come in. A folder kept by git, Syncthing or a cloud "
                    "carries memory between machines."),
            "mute", wrap=True,
        )  # fmt: skip
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = self.buttons.addButton(self.tr("Mirror"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setProperty("look", "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("Mirror a folder"), "title"))
        column.addLayout(form)
        column.addWidget(about)
        column.addStretch(1)
        column.addWidget(self.buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(lambda _text: self._restate())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    @property
    def folder(self) -> Path:
        return Path(self.path.text().strip()).expanduser()

    @property
    def chosen_scope(self) -> Scope:
        scope = self.scope.currentData()
        assert isinstance(scope, Scope)
        return scope

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
