"""Export: whose memories, as a folder or a zip, and where to."""

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

from store.records import Scope
from ui.controls import ScopeBox
from ui.parts_of_views import answers, button, form_of, label
from ui.value_fields import ChoiceField


class ExportDialog(QDialog):
    """`wanted` are scopes asked for already; None stands for everything."""

    def __init__(
        self, scopes: Sequence[Scope], wanted: Sequence[Scope] | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._build(scopes)
        self._connect()
        if wanted:
            self.scope.choose(wanted[0])
        self._restate()

    def _build(self, scopes: Sequence[Scope]) -> None:
        self.setWindowTitle(self.tr("Export as markdown"))
        self.setMinimumWidth(560)
        self.scope = ScopeBox(scopes, self.tr("Everything"))
        self.form = ChoiceField()
        self.form.addItem(self.tr("A folder of notes"), False)
        self.form.addItem(self.tr("One zip file"), True)
        self.path = QLineEdit()
        self.browse = button(self.tr("Browse…"))
        form = form_of(
            (self.tr("What"), self.scope, None),
            (self.tr("As"), self.form, None),
            (self.tr("Into"), self.path, self.browse),
        )
        self.note = label(look="mute", wrap=True)
        buttons, self.ok = answers(self, self.tr("Export"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("Export as markdown"), "title"))
        column.addLayout(form)
        column.addWidget(self.note)
        column.addStretch(1)
        column.addWidget(buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(lambda _text: self._restate())
        self.form.currentIndexChanged.connect(lambda _place: self._restate())

    # What was chosen

    @property
    def scopes(self) -> tuple[Scope, ...] | None:
        scope = self.scope.chosen
        return (scope,) if scope is not None else None

    @property
    def as_zip(self) -> bool:
        return bool(self.form.currentData())

    @property
    def place(self) -> Path:
        """A zip is called one."""
        path = Path(self.path.text().strip()).expanduser()
        if self.as_zip and path.suffix.lower() != ".zip":
            return path.with_name(f"{path.name}.zip")
        return path

    def _browse(self) -> None:
        start = self.path.text() or str(Path.home())
        if self.as_zip:
            chosen, _ = QFileDialog.getSaveFileName(
                self, self.tr("Export into a zip"), start, self.tr("Zip files (*.zip)")
            )
        else:
            chosen = QFileDialog.getExistingDirectory(self, self.tr("Export into a folder"), start)
        if chosen:
            self.path.setText(chosen)

    def _restate(self) -> None:
        self.ok.setEnabled(bool(self.path.text().strip()))
        self.note.setText(
            self.tr("One note per memory, folders by scope, an index in each. A zip of that name "
                    "is written over.")
            if self.as_zip
            else self.tr("One note per memory, folders by scope, an index in each. An earlier "
                         "export there is brought up to date; your own files stay.")
        )  # fmt: skip
