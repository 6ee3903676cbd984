"""The small windows of memories: correcting one, merging several, quick capture, one by itself."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QFileSystemWatcher,
    QObject,
    QPoint,
    QProcess,
    Qt,
    QTimer,
    QUrl,
    Signal,
)
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.entries.corrections import joined, said_once
from app.outcomes import Conflict, Proposed, Saved
from store.records import Entry, EntryDraft
from ui.memory.editor import Editor
from ui.memory.markdown_editor import MarkdownEdit
from ui.memory.undo import Undoing
from ui.toolkit.formatting import entry_title, memories, quoted, scope_text
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import answers, fit_screen

if TYPE_CHECKING:
    from app.memory.memory import Memory

# A letter first: `#1` is a number, `# Heading` markdown.
TAG = re.compile(r"(?<!\S)#([^\W\d_][\w-]*)")
LAST_TAGS = re.compile(r"(?:(?:^|(?<=\s))#[^\W\d_][\w-]*\s*)+\Z")


class CorrectDialog(QDialog):
    def __init__(self, entry: Entry, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        self.setWindowTitle(self.tr("Correct {key}").format(key=entry_title(entry)))
        fit_screen(self, 560, 420)
        self._build(theme)
        self.body.textChanged.connect(self._refresh_ok)
        self._refresh_ok()

    def _build(self, theme: Theme) -> None:
        words = plain_label(
            self.tr(
                "Write what is right. The wrong memory goes to the trash; agents only see the "
                "corrected one."
            ),
            wordWrap=True,
        )
        words.setProperty("look", "mute")
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("What is right"))
        explain(self.body, self.tr("The text that takes the place of the wrong one."))
        self.body.set_text(self._entry.content)
        self.reason = QLineEdit()
        self.reason.setAccessibleName(self.tr("Reason"))
        explain(self.reason, self.tr("Why it was wrong; it stays in the history."))
        self.reason.setPlaceholderText(self.tr("Why was it wrong? (kept in the history)"))
        buttons, self.ok = answers(self, self.tr("Correct"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(words)
        column.addWidget(self.body, 1)
        column.addWidget(self.reason)
        column.addWidget(buttons)

    def _refresh_ok(self) -> None:
        text = self.body.text().strip()
        self.ok.setEnabled(bool(text) and text != self._entry.content.strip())


class MergeDialog(QDialog):
    def __init__(
        self, entries: Sequence[Entry], theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.entries = sorted(entries, key=lambda e: (-e.importance, e.written_at, e.id))
        self.setWindowTitle(self.tr("Merge {what}").format(what=memories(len(entries))))
        fit_screen(self, 600, 480)
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        words = plain_label(
            self.tr("One memory stays and says it all; the others go to the trash."), wordWrap=True
        )
        words.setProperty("look", "mute")
        self.keep = ChoiceField()
        self.keep.setAccessibleName(self.tr("Memory to keep"))
        explain(self.keep, self.tr("The one whose name and history go on."))
        for entry in self.entries:
            self.keep.addItem(f"{entry_title(entry)} · {scope_text(entry.scope)}", entry.id)
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("The merged memory"))
        explain(
            self.body,
            self.tr("The one text that stays; the others go to the trash and stay in its history."),
        )
        self.body.set_text(joined(said_once(self.entries)))
        buttons, _ = answers(self, self.tr("Merge"))
        form = QFormLayout()
        form.addRow(self.tr("Keep"), self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(words)
        column.addLayout(form)
        column.addWidget(self.body, 1)
        column.addWidget(buttons)

    @property
    def kept(self) -> str:
        return str(self.keep.currentData())

    @property
    def others(self) -> list[str]:
        return [entry.id for entry in self.entries if entry.id != self.kept]


class QuickCapture(QWidget):
    """Ctrl+Enter remembers, Escape leaves; what was typed stays for the next time."""

    captured = Signal(object)

    def __init__(
        self, memory: Memory, jobs: Jobs, undoing: Undoing, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self._memory = memory
        self._jobs = jobs
        self._undoing = undoing
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Remember"))
        self.setAccessibleName(self.tr("Quick capture"))
        fit_screen(self, 420, 200)
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("What to remember"))
        explain(self.body, self.tr("Write it as you would say it; words with # become labels."))
        self.body.setPlaceholderText(self.tr("What should be remembered about you?"))
        hint = plain_label(self.tr("Ctrl+Enter remembers · Esc leaves · #word is a tag"))
        hint.setProperty("look", "faint")
        self.ok = QPushButton(self.tr("Remember"))
        self.ok.setAccessibleName(self.tr("Remember"))
        self.ok.setProperty("look", "primary")
        self.ok.clicked.connect(self.capture)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(hint, 1)
        row.addWidget(self.ok)
        column = QVBoxLayout(self)
        column.addWidget(self.body, 1)
        column.addLayout(row)
        QShortcut(QKeySequence("Ctrl+Return"), self, self.capture)
        QShortcut(QKeySequence("Esc"), self, self.hide)

    def popup(self) -> None:
        if not self.isVisible():
            self.move(self._place())
        self.show()
        self.raise_()
        self.activateWindow()
        self.body.setFocus()

    def _place(self) -> QPoint:
        """Over the window; in the middle of the screen while that is put away."""
        window = self.parentWidget()
        over = window.frameGeometry() if window is not None and window.isVisible() else None
        middle = (over or QApplication.primaryScreen().availableGeometry()).center()
        return middle - self.rect().center()

    def capture(self) -> None:
        text, tags = without_tags(self.body.text())
        if text:
            draft = EntryDraft(text, tags=tags or None)
            self._jobs.run(lambda: self._memory.entries.store(draft), self._done)

    def _done(self, outcome: Saved | Conflict | Proposed) -> None:
        if isinstance(outcome, Saved):
            self.body.set_text("")
            self.hide()
            words = self.tr("Remembered {key}").format(key=quoted(entry_title(outcome.entry)))
            self._undoing.offer(words, outcome.group)
            self.captured.emit(outcome.entry)


def without_tags(text: str) -> tuple[str, tuple[str, ...]]:
    """What is left of a text without the tags at its end, and all its tags: `#word`, anywhere."""
    tags = tuple(dict.fromkeys(TAG.findall(text)))
    return LAST_TAGS.sub("", text).strip(), tags


class MemoryWindow(QWidget):
    """One memory in a window of its own: the same editor, its drafts kept the same way."""

    def __init__(self, editor: Editor, entry: Entry, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{entry_title(entry)} – Keepsake")
        self.editor = editor
        self.ident = entry.id
        fit_screen(self, 620, min(640, parent.height()))
        self.move(parent.frameGeometry().center() - self.rect().center())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(editor)
        QShortcut(QKeySequence.StandardKey.Save, self, editor.save)
        QShortcut(QKeySequence("Esc"), self, self.close)
        editor.show_entry(entry)
        editor.form.body.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.editor.leave()
        super().closeEvent(event)


IN_A_TERMINAL = frozenset({"vi", "vim", "nvim", "nano", "pico", "micro", "hx", "kak", "ne", "joe"})
TERMINALS = ("x-terminal-emulator", "gnome-terminal --wait --", "konsole -e", "xterm -e")
LOOK_MS = 400  # after the last write: some editors write a file in two steps


def editor_command(path: Path, environment: Mapping[str, str]) -> list[str]:
    """What opens that file in the person's editor; empty if the system's own way is to be taken.
    One that needs a terminal gets one, where there is any."""
    named = shlex.split(environment.get("VISUAL") or environment.get("EDITOR") or "")
    if not named or shutil.which(named[0]) is None:
        return []
    if Path(named[0]).name not in IN_A_TERMINAL:
        return [*named, str(path)]
    for terminal in map(str.split, TERMINALS):
        if shutil.which(terminal[0]):
            flag = [] if len(terminal) > 1 else ["-e"]
            return [*terminal, *flag, *named, str(path)]
    return []


class OutsideEditor(QObject):
    """Lets a memory be edited in another program: in a file that only this user may read, gone with
    the window. Each time it is saved there, `written` says what it holds now."""

    written = Signal(str, str)  # the memory's id, the text

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._held: dict[str, str] = {}  # the text last read from each file
        self._watcher = QFileSystemWatcher(self)
        self._pause = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._watcher.fileChanged.connect(lambda _path: self._pause.start())
        self._watcher.directoryChanged.connect(lambda _path: self._pause.start())
        self._pause.timeout.connect(self._look)

    def open(self, entry: Entry) -> bool:
        """Says whether a program was found for it."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folder / f"{entry.id}.md"
        path.touch(mode=0o600)
        path.write_text(entry.content, encoding="utf-8")
        self._held[str(path)] = entry.content
        self._watcher.addPaths([str(path), str(self._folder)])
        command = editor_command(path, os.environ)
        if command:
            return bool(QProcess.startDetached(command[0], command[1:])[0])
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def forget(self, idents: Iterable[str]) -> None:
        """Removes the files of these memories, or of all that were opened."""
        for ident in idents:
            path = self._folder / f"{ident}.md"
            self._held.pop(str(path), None)
            self._watcher.removePath(str(path))
            path.unlink(missing_ok=True)

    def close(self) -> None:
        self.forget([Path(path).stem for path in self._held])
        shutil.rmtree(self._folder, ignore_errors=True)

    def _look(self) -> None:
        for path, held in list(self._held.items()):
            try:
                text = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue  # between two steps of a save; the next change is heard
            self._watcher.addPath(path)  # an editor that replaces a file leaves another behind
            if text.rstrip("\n") != held.rstrip("\n") and text.strip():
                self._held[path] = text
                self.written.emit(Path(path).stem, text.rstrip("\n"))
