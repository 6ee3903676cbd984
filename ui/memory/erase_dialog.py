"""Erase and wipe: says exactly what goes, asks once, and shows the receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLineEdit,
    QProgressBar,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.care.erasure import Extent, Receipt
from store.records import Scope
from ui.toolkit.formatting import memories, moment_text, number_text, scope_text
from ui.toolkit.jobs import Jobs
from ui.toolkit.widgets import button, in_line, label

if TYPE_CHECKING:
    from app.care.erasure import Erasure

ASK, WORK, RECEIPT = 0, 1, 2


class EraseDialog(QDialog):
    """Erases some memories, a whole scope, or with neither the whole vault. Wiping asks for the
    scope's name, so that nobody wipes by habit."""

    erased = Signal(object)  # Receipt

    def __init__(
        self,
        erasure: Erasure,
        jobs: Jobs,
        idents: Sequence[str] = (),
        scope: Scope | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._erasure = erasure
        self._jobs = jobs
        self._idents = list(idents)
        self._scope = scope
        self.receipt: Receipt | None = None
        self._build()
        self._connect()

    def ask(self) -> None:
        """Opens as soon as it knows what goes. A window that changes its size while the desktop is
        still placing it lands in a corner of the screen."""
        self._jobs.run(
            lambda: self._erasure.extent(self._idents, self._scope),
            self._show_extent,
            self._failed,
        )

    @property
    def _wipes(self) -> bool:
        return not self._idents

    @property
    def _word(self) -> str:
        """What the person types to be sure."""
        return str(self._scope) if self._scope is not None else self.tr("everything")

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Wipe") if self._wipes else self.tr("Erase"))
        self.setMinimumWidth(460)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_ask())
        self._stack.addWidget(self._build_work())
        self._stack.addWidget(self._build_receipt())
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 18)
        column.addWidget(self._stack)

    def _build_ask(self) -> QWidget:
        page = QWidget()
        self.title = label(look="title", wrap=True)
        words = label(
            self.tr(
                "The bytes go from the vault, its history and its backups, and cannot be brought "
                "back. Forgetting can be undone; this cannot."
            ),
            "mute",
            wrap=True,
        )
        self.extent = label(wrap=True)
        self.said = QCheckBox()
        self.said.hide()
        self.sure = QLineEdit()
        self.sure.setAccessibleName(self.tr("Type the name to be sure"))
        self.sure.setPlaceholderText(self._word)
        self.sure_words = label(
            self.tr("Type {word} to be sure:").format(word=self._word), "mute", wrap=True
        )
        self.sure.setVisible(self._wipes)
        self.sure_words.setVisible(self._wipes)
        self.cancel = button(self.tr("Cancel"))
        self.go = button(self.tr("Wipe") if self._wipes else self.tr("Erase for good"), "danger")
        self.go.setEnabled(False)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for widget in (self.title, words, self.extent, self.said, self.sure_words, self.sure):
            column.addWidget(widget)
        column.addStretch(1)
        column.addLayout(in_line(self.cancel, None, self.go))
        return page

    def _build_work(self) -> QWidget:
        page = QWidget()
        bar = QProgressBar(textVisible=False)
        bar.setRange(0, 0)
        bar.setAccessibleName(self.tr("Erasing"))
        column = QVBoxLayout(page)
        column.addStretch(1)
        column.addWidget(label(self.tr("Erasing, and looking that nothing is left…"), "mute"))
        column.addWidget(bar)
        column.addStretch(1)
        return page

    def _build_receipt(self) -> QWidget:
        page = QWidget()
        self.verdict = label(look="title", wrap=True)
        self.sentence = label(look="mute", wrap=True)
        self.details = label(wrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = button(self.tr("Copy the receipt"))
        self.close_ = button(self.tr("Close"), "primary")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for widget in (self.verdict, self.sentence, self.details):
            column.addWidget(widget)
        column.addStretch(1)
        column.addLayout(in_line(self.copy, None, self.close_))
        return page

    def _connect(self) -> None:
        self.cancel.clicked.connect(self.reject)
        self.close_.clicked.connect(self.accept)
        self.go.clicked.connect(self._erase)
        self.sure.textChanged.connect(lambda _: self._refresh_button())
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details.text()))

    # Beforehand

    def _show_extent(self, extent: Extent) -> None:
        what = memories(len(self._idents)) if self._idents else self._named()
        words = self.tr("Wipe {what}?") if self._wipes else self.tr("Erase {what}?")
        self.title.setText(words.format(what=what))
        self.extent.setText("\n".join(f"•  {line}" for line in extent_lines(extent)))
        if extent.origins:
            self.said.setText(
                self.tr("Also the {n} turns and messages they were learned from").format(
                    n=number_text(extent.origins)
                )
            )
            self.said.setAccessibleName(self.said.text())
        self.said.setVisible(bool(extent.origins))
        self._refresh_button()
        self.adjustSize()
        self.open()

    def _named(self) -> str:
        return scope_text(self._scope) if self._scope is not None else self.tr("the whole vault")

    def _refresh_button(self) -> None:
        named = not self._wipes or self.sure.text().strip() == self._word
        self.go.setEnabled(named and bool(self.title.text()))

    # Doing it

    def _erase(self) -> None:
        self._stack.setCurrentIndex(WORK)
        idents, scope, said = self._idents, self._scope, self.said.isChecked()

        def work() -> Receipt:
            if idents:
                return self._erasure.erase(idents, said=said)
            return self._erasure.wipe(scope)

        self._jobs.run(work, self._show_receipt, self._failed)

    def _failed(self, error: Exception) -> None:
        self._jobs.failed.emit(error)
        self.reject()

    def _show_receipt(self, receipt: Receipt) -> None:
        self.receipt = receipt
        done = receipt.state == "done"
        self.verdict.setText(self.tr("Erased") if done else self.tr("Erased, not finished yet"))
        self.sentence.setText(receipt.sentence)
        self.details.setText(receipt_text(receipt))
        self._stack.setCurrentIndex(RECEIPT)
        self.close_.setFocus()
        self.erased.emit(receipt)


def extent_lines(extent: Extent) -> list[str]:
    """Names all that would go, one kind of thing a line."""
    counts = {
        tr("blocks: {n}"): extent.blocks,
        tr("lines of history: {n}"): extent.versions,
        tr("proposals: {n}"): extent.proposals,
        tr("conversations: {n}"): extent.conversations,
        tr("turns said in them: {n}"): extent.turns,
        tr("backups to be cleaned: {n}"): extent.backups,
    }
    lines = [memories(extent.entries)] if extent.entries else []
    return lines + [words.format(n=number_text(n)) for words, n in counts.items() if n]


def receipt_text(receipt: Receipt) -> str:
    """The receipt as plain text, to be read or copied."""
    removed = [f"{name}: {number_text(n)}" for name, n in receipt.removed.items() if n]
    lines = [
        tr("Receipt {id}").format(id=receipt.id),
        tr("At {when}").format(when=moment_text(receipt.at)),
        tr("What: {what}").format(what=receipt.what),
        tr("State: {state}").format(state=receipt.state),
        *removed,
        tr("Backups cleaned: {n}").format(n=number_text(receipt.backups_cleaned)),
    ]
    lines += [tr("Not looked into: {path}").format(path=path) for path in receipt.unsearched]
    if receipt.vacuumed:
        lines.append(tr("The file was rewritten."))
    return "\n".join(lines)


def tr(text: str) -> str:
    return QCoreApplication.translate("EraseDialog", text)
