"""Export: whose memories, as a folder or a zip, and where to."""

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

from store.records import USER, Scope
from ui.parts_of_views import button, label
from ui.wording import scope_text


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
            self._want(wanted[0])
        self._restate()

    def _build(self, scopes: Sequence[Scope]) -> None:
        self.setWindowTitle(self.tr("Export as markdown"))
        self.setMinimumWidth(560)
        self.scope = QComboBox()
        self.scope.addItem(self.tr("Everything"), None)
        for scope in dict.fromkeys([USER, *scopes]):
            self.scope.addItem(scope_text(scope), scope)
        self.form = QComboBox()
        self.form.addItem(self.tr("A folder of notes"), False)
        self.form.addItem(self.tr("One zip file"), True)
        self.path = QLineEdit()
        self.browse = button(self.tr("Browse…"))
        where = QHBoxLayout()
        where.setSpacing(8)
        where.addWidget(self.path, 1)
        where.addWidget(self.browse)
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.setVerticalSpacing(10)
        for name, field in (
            (self.tr("What"), self.scope), (self.tr("As"), self.form), (self.tr("Into"), self.path)
        ):  # fmt: skip
            field.setAccessibleName(name)
            form.addRow(label(name, "mute"), where if field is self.path else field)
        self.note = label(look="mute", wrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = self.buttons.addButton(self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setProperty("look", "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(self.tr("Export as markdown"), "title"))
        column.addLayout(form)
        column.addWidget(self.note)
        column.addStretch(1)
        column.addWidget(self.buttons)

    def _connect(self) -> None:
        self.browse.clicked.connect(self._browse)
        self.path.textChanged.connect(lambda _text: self._restate())
        self.form.currentIndexChanged.connect(lambda _place: self._restate())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # What was chosen

    @property
    def scopes(self) -> tuple[Scope, ...] | None:
        scope = self.scope.currentData()
        return (scope,) if isinstance(scope, Scope) else None

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

    def _want(self, scope: Scope) -> None:
        if self.scope.findData(scope) < 0:
            self.scope.addItem(scope_text(scope), scope)
        self.scope.setCurrentIndex(self.scope.findData(scope))

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
