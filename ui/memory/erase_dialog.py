"""Erase and wipe: says exactly what goes, asks once, and shows the receipt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.care.erasure import Extent, HandedOut, Hindrance, Receipt, Removal
from store.records import Scope
from ui.toolkit.formatting import agent_name, memories, moment_text, number_text, scope_text
from ui.toolkit.help import PAGE, explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.translation import counted
from ui.toolkit.widgets import ScrolledIfLow, button, in_line, label

if TYPE_CHECKING:
    from app.care.erasure import Erasure

ASK, WORK, RECEIPT = 0, 1, 2


class EraseDialog(QDialog):
    """Erases what a removal names. Wiping a scope or the vault asks for its name, so that nobody
    wipes by habit."""

    erased = Signal(object, object)  # Removal, Receipt

    def __init__(
        self, erasure: Erasure, jobs: Jobs, removal: Removal, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty(PAGE, "window#settings-backups-erasing")
        self._erasure = erasure
        self._jobs = jobs
        self._removal = removal
        self._work: Callable[[Removal], Receipt] = erasure.remove
        self._extent: Extent | None = None
        self.receipt: Receipt | None = None
        self._build()
        self._connect()

    def ask(self) -> None:
        """Opens as soon as it knows what goes. A window that changes its size while the desktop is
        still placing it lands in a corner of the screen."""
        self._jobs.run(
            lambda: self._erasure.extent(removal=self._removal),
            self._show_extent,
            self._failed,
        )

    def add_step(self, words: str, page: QWidget) -> QPushButton:
        """Adds a page that can be gone to before erasing; the button that leads there."""
        self._stack.addWidget(page)
        step = button(words)
        step.clicked.connect(lambda: self._stack.setCurrentWidget(page))
        self._steps.addWidget(step)
        self._steps.addStretch(1)
        return step

    def take_step(self, words: str, work: Callable[[Removal], Receipt]) -> None:
        """A step is done: `words` say what it came to, and `work` erases instead."""
        self._work = work
        self.step_words.setText(words)
        self.step_words.setVisible(bool(words))
        if self._extent is not None:  # the step looked into those copies
            unseen = tuple(one for one in self._extent.handed_out if not one.path)
            self._show_lines(replace(self._extent, handed_out=unseen))
        self._stack.setCurrentIndex(ASK)
        self.cancel.setFocus()  # Enter must not erase

    @property
    def removal(self) -> Removal:
        """What is asked for, with what it was learned from if that is wanted."""
        return replace(self._removal, said=self.said.isChecked())

    @property
    def _wipes(self) -> bool:
        return bool(self._removal.scope) or self._removal.everything

    @property
    def _word(self) -> str:
        """What the person types to be sure."""
        return self._removal.scope or self.tr("everything")

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
        explain(
            self.said,
            self.tr("Otherwise the words they came from stay where they were said."),
        )
        self.said.hide()
        self.step_words = label(wrap=True)
        self.step_words.hide()
        self._steps = QHBoxLayout()
        self.sure = QLineEdit()
        self.sure.setAccessibleName(self.tr("Type the name to be sure"))
        explain(self.sure, self.tr("Erasing cannot be undone, so it asks you to type this first."))
        self.sure.setPlaceholderText(self._word)
        self.sure_words = label(
            self.tr("To be sure, type “{word}”:").format(word=self._word), "mute", wrap=True
        )
        self.sure.setVisible(self._wipes)
        self.sure_words.setVisible(self._wipes)
        self.cancel = button(self.tr("Cancel"))
        self.go = button(self.tr("Wipe") if self._wipes else self.tr("Erase for good"), "danger")
        self.go.setEnabled(False)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.title)
        column.addWidget(words)
        column.addWidget(self.extent)
        column.addWidget(self.said)
        column.addLayout(self._steps)
        column.addWidget(self.step_words)
        column.addWidget(self.sure_words)
        column.addWidget(self.sure)
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
        for widget in (self.verdict, self.sentence, ScrolledIfLow(self.details)):
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
        words = self.tr("Wipe {what}?") if self._wipes else self.tr("Erase {what}?")
        title = words.format(what=removal_text(self._removal))
        self.title.setText(title[:1].upper() + title[1:])  # German begins with what it is about
        self._extent = extent
        self._show_lines(extent)
        if extent.origins:
            self.said.setText(
                counted("Also the %Ln turns and messages they were learned from", extent.origins)
            )
            self.said.setAccessibleName(self.said.text())
        self.said.setVisible(bool(extent.origins))
        self._refresh_button()
        self.adjustSize()
        self.open()

    def _show_lines(self, extent: Extent) -> None:
        self.extent.setText("\n".join(f"•  {line}" for line in extent_lines(extent)))

    def _refresh_button(self) -> None:
        named = not self._wipes or self.sure.text().strip() == self._word
        self.go.setEnabled(named and bool(self.title.text()))

    # Doing it

    def _erase(self) -> None:
        self._stack.setCurrentIndex(WORK)
        removal, work = self.removal, self._work
        self._jobs.run(lambda: work(removal), self._show_receipt, self._failed)

    def _failed(self, error: Exception) -> None:
        self._jobs.failed.emit(error)
        self.reject()

    def _show_receipt(self, receipt: Receipt) -> None:
        self.receipt = receipt
        done = receipt.state == "done"
        self.verdict.setText(self.tr("Erased") if done else self.tr("Erased, not finished yet"))
        self.sentence.setText(receipt_sentence(receipt))
        self.details.setText(receipt_text(receipt, removal_text(self._removal)))
        self._stack.setCurrentIndex(RECEIPT)
        self.close_.setFocus()
        self.erased.emit(self._removal, receipt)


def extent_lines(extent: Extent) -> list[str]:
    """Names all that would go, one kind of thing a line."""
    counts = {
        tr("blocks: {n}"): extent.blocks,
        tr("lines of history: {n}"): extent.versions,
        tr("proposals: {n}"): extent.proposals,
        tr("conversations: {n}"): extent.conversations,
        tr("turns said in them: {n}"): extent.turns,
        tr("channel messages: {n}"): extent.messages,
        tr("backups to be cleaned: {n}"): extent.backups,
    }
    lines = [memories(extent.entries)] if extent.entries else []
    lines += [words.format(n=number_text(n)) for words, n in counts.items() if n]
    return lines + [_copy_text(one) for one in extent.handed_out]


def _copy_text(copy: HandedOut) -> str:
    """A copy that is out of reach, and may hold it: what was in it is not kept."""
    words = tr("may stay in what was exported to {path} ({when})")
    if copy.way == "skill":
        words = tr("stays in the skill {path}")
    if copy.way == "mirror":
        words = tr("may stay in the folder {path}, mirrored until {when}")
    if not copy.path:
        words = tr("may stay in what was exported through the API ({when})")
    return words.format(path=copy.path, when=moment_text(copy.at))


def removal_text(removal: Removal) -> str:
    """What is erased, in words; names are left out."""
    if removal.everything:
        return tr("the whole vault")
    if removal.scope:
        return scope_text(Scope.of(removal.scope))
    words = (
        (removal.entries, memories(len(removal.entries))),
        (removal.blocks, counted("%Ln blocks", len(removal.blocks))),
        (removal.versions, counted("past versions of %Ln blocks", len(removal.versions))),
        (removal.proposals, counted("%Ln proposals", len(removal.proposals))),
        (removal.conversations, counted("%Ln conversations", len(removal.conversations))),
    )
    return ", ".join(text for idents, text in words if idents)


def receipt_sentence(receipt: Receipt) -> str:
    """What the receipt says, in the person's language."""
    if receipt.state == "done":
        words = [tr("Gone from the vault, its log and its backups.")]
    else:
        why = "; ".join(map(_hindrance_text, receipt.hindrances)) or tr("it was cut short")
        words = [
            tr(
                "Gone from sight, and not yet from everywhere: {why}. Keepsake goes on with it the "
                "next time it opens, and hourly."
            ).format(why=why)
        ]
    if receipt.unsearched:
        words.append(
            tr(
                "It may still be in {where}, which cannot be looked into. Remove what you do not "
                "need any more."
            ).format(where=", ".join(receipt.unsearched))
        )
    if receipt.said_stays:
        words.append(
            tr("What was said where it was learned is still in its conversation or channel.")
        )
    return " ".join(words)


def _hindrance_text(one: Hindrance) -> str:
    words = {
        "away": tr("{where} is not there, or is not the folder it was"),
        "link": tr("{where} is a symbolic link, which Keepsake does not follow; remove it"),
        "read-only": tr("{where} cannot be written"),
        "full": tr("the disk that holds {where} is full"),
        "reader": tr("another program still reads an old copy of {where}"),
        "words": tr("words of it still stand in {where}"),
        "busy": tr("another program is at work on {where}"),
    }.get(one.why, "{where}: {detail}")
    return words.format(where=one.where, detail=one.detail)


def removed_lines(removed: Mapping[str, int]) -> list[str]:
    """What went, one kind of thing a line."""
    words = {
        "entries": tr("memories: {n}"),
        "blocks": tr("blocks: {n}"),
        "conversations": tr("conversations: {n}"),
        "turns": tr("turns said in them: {n}"),
        "messages": tr("channel messages: {n}"),
        "proposals": tr("proposals: {n}"),
        "versions": tr("lines of history: {n}"),
        "session lines": tr("lines of summaries: {n}"),
        "drafts": tr("drafts: {n}"),
        "calls": tr("questions of agents: {n}"),
        "replies": tr("kept answers: {n}"),
        "vectors": tr("vectors: {n}"),
        "saved searches": tr("saved searches: {n}"),
        "mirrored files": tr("mirrored files: {n}"),
        "copies": tr("places in other files: {n}"),
    }
    return [
        words.get(name, name + ": {n}").format(n=number_text(n)) for name, n in removed.items() if n
    ]


def receipt_text(receipt: Receipt, what: str) -> str:
    """The receipt as plain text, to be read or copied."""
    done = receipt.state == "done"
    lines = [
        tr("Receipt {id}").format(id=receipt.id),
        tr("At {when}").format(when=moment_text(receipt.at)),
        tr("What: {what}").format(what=what),
        tr("State: {state}").format(state=tr("done") if done else tr("pending")),
        *removed_lines(receipt.removed),
        tr("Backups cleaned: {n}").format(n=number_text(receipt.backups_cleaned)),
    ]
    lines += [tr("Not looked into: {path}").format(path=path) for path in receipt.unsearched]
    if receipt.vacuumed:
        lines.append(tr("The file was rewritten."))
    return "\n".join([*lines, *_outside_lines(receipt)])


def _outside_lines(receipt: Receipt) -> list[str]:
    """What was looked for outside the vault, and what still says it."""
    sweep = receipt.sweep
    if sweep is None:
        return []
    lines = [tr("Taken out of {path}").format(path=path) for path in receipt.copies_removed]
    lines += [tr("Still in {path}").format(path=one.path) for one in receipt.copies_left]
    looked = tr("Other files looked into: {n}, until {when}")
    files = number_text(sum(sweep.looked.values()))
    lines.append(looked.format(n=files, when=moment_text(sweep.until)))
    lines += [tr("Not looked into: {path}").format(path=one.path) for one in sweep.not_looked]
    told = tr("Told to {agent}, last {when}")
    lines += [
        told.format(agent=agent_name(one.agent_id), when=moment_text(one.last))
        for one in sweep.told
    ]
    return lines


def tr(text: str) -> str:
    return QCoreApplication.translate("EraseDialog", text)
