"""Adds the parts that stand beside the desk: dialogs, files, capture, the tray.

A new part registers its own actions, views (`window.add_view`), editor tabs
(`window.editor.form.add_tab`) or the pane on the right (`window.set_pane`); the window knows none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog

from app.outcomes import Conflict, Saved
from store.records import Entry, Scope
from ui.files.export import Transfer
from ui.files.import_flow import FileDrops, Imports
from ui.toolkit.theme import Theme
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.entries.merging import Merging
    from app.samples import Samples
    from app.vault import Vault
    from ui.vault.first_run import FirstRun
    from ui.window.install_agents import Answers
    from ui.window.install_conversations import Conversing
    from ui.window.install_mirrors import Mirroring


def tr(text: str) -> str:
    return QCoreApplication.translate("Parts", text)


class Parts:
    """Made once per window; each method adds one part."""

    answers: Answers
    conversing: Conversing
    mirroring: Mirroring

    def __init__(self, window: MainWindow, vault: Vault, theme: Theme) -> None:
        self._window = window
        self._vault = vault
        self._theme = theme
        self._add_correct()
        self._add_merge()
        self._add_transfer()
        self._add_capture()

    # Correct

    def _add_correct(self) -> None:
        window = self._window
        window.editor.correct_asked.connect(self._correct)
        window.actions_.add(
            "correct",
            tr("Correct…"),
            lambda: self._correct(window.editor.entry),
            "Ctrl+R",
            menu=tr("Memory"),
            icon="edit",
            also="fix wrong replace",
        )

    def _correct(self, entry: Entry | None) -> None:
        from ui.memory.correct_dialog import CorrectDialog

        if entry is None:
            return
        dialog = CorrectDialog(entry, self._theme, self._window)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            content, reason = dialog.body.text(), dialog.reason.text().strip()
            self._window.jobs.run(
                lambda: self._vault.corrections.correct(
                    entry.id, content, reason=reason, expected_updated_at=entry.updated_at
                ),
                self._corrected,
            )

    def _corrected(self, outcome: Saved | Conflict) -> None:
        window = self._window
        if isinstance(outcome, Conflict):
            window.messages.say(tr("It was changed meanwhile; look at it again first."))
            return
        words = tr("Corrected {key}").format(key=outcome.entry.key)
        window.undoing.offer(words, outcome.group)
        window.editor.show_entry(outcome.entry)

    # Merge

    def _add_merge(self) -> None:
        window = self._window
        window.actions_.add(
            "merge",
            tr("Merge the selected…"),
            self._merge,
            "Ctrl+G",
            menu=tr("Selection"),
            icon="merge",
            also="join duplicates",
        )

    def _merge(self) -> None:
        numbers = self._window.list_pane.list.selected_numbers()
        if len(numbers) < 2:
            self._window.messages.say(tr("Select two memories or more to merge them."))
            return
        self._window.jobs.run(lambda: self._vault.browse.rows(numbers[:50]), self._ask_merge)

    def _ask_merge(self, entries: Sequence[Entry]) -> None:
        from ui.memory.merge_dialog import MergeDialog

        dialog = MergeDialog(entries, self._theme, self._window)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            kept, others, text = dialog.kept, dialog.others, dialog.body.text()
            self._window.jobs.run(
                lambda: self.merging().merge(kept, others, text),
                lambda saved: self._merged(saved, len(entries)),
            )

    def merging(self) -> Merging:
        from app.entries.merging import Merging

        return Merging(self._vault.database, self._vault.entries, self._vault.clock)

    def _merged(self, saved: Saved, number: int) -> None:
        words = tr("Merged {n} memories into {key}").format(n=number, key=saved.entry.key)
        self._window.undoing.offer(words, saved.group)

    # Files and samples

    def _add_transfer(self) -> None:
        window, vault = self._window, self._vault
        transfer = Transfer(
            vault.export, self._samples, self.scopes, window.jobs, window.messages, window
        )
        imports = Imports(
            vault.importing,
            self.scopes,
            window.jobs,
            window.messages,
            window.undoing,
            self._theme,
            window,
        )
        transfer.done.connect(window.desk.count)
        imports.done.connect(window.desk.count)
        window.dropped.connect(imports.plan_dropped)
        FileDrops(window)
        window.export_asked.connect(transfer.ask_export)
        window.first_run_made.connect(lambda cards: _offer(cards, transfer, imports))
        if window.first_run is not None:
            _offer(window.first_run, transfer, imports)
        add, menu = window.actions_.add, tr("Vault")
        add(
            "export",
            tr("Export as markdown…"),
            transfer.ask_export,
            "Ctrl+Shift+E",
            menu=menu,
            icon="export",
            also="save files backup",
        )
        add(
            "export_chosen",
            tr("Export the selected…"),
            lambda: window.desk.with_selected(transfer.ask_export_chosen),
            "Ctrl+Alt+E",
            menu=tr("Selection"),
            icon="export",
            also="markdown files",
        )
        add(
            "import",
            tr("Import a file…"),
            imports.ask_file,
            "Ctrl+O",
            menu=menu,
            icon="import",
            also="open read obsidian chatgpt claude",
        )
        add(
            "import_folder",
            tr("Import a folder…"),
            imports.ask_folder,
            "Ctrl+Shift+O",
            menu=menu,
            icon="folder",
            also="obsidian notes vault",
        )
        add(
            "import_pasted",
            tr("Import what is in the clipboard…"),
            imports.ask_pasted,
            menu=menu,
            icon="import",
            also="paste saved memories chatgpt list",
        )
        add(
            "samples",
            tr("Bring the samples"),
            transfer.load_samples,
            menu=menu,
            icon="spark",
            also="demo example",
        )
        add(
            "no_samples",
            tr("Remove the samples"),
            transfer.remove_samples,
            menu=menu,
            also="demo example",
        )

    def scopes(self) -> list[Scope]:
        """Those in use, and those of agents that have written nothing yet."""
        desk = self._window.desk
        known = {*desk.words.scopes, *(Scope("agent", ident) for ident in desk.agents)}
        return sorted(known)

    def _samples(self) -> Samples:
        from app.samples import Samples

        vault = self._vault
        return Samples(
            vault.database,
            vault.clock,
            vault.entries,
            vault.blocks,
            vault.agents,
            vault.conversations,
            vault.erasure,
            vault.review,
        )

    # Capture and tray

    def _add_capture(self) -> None:
        from ui.memory.quick_capture import QuickCapture

        window = self._window
        self.capture = QuickCapture(
            self._vault.entries, window.jobs, window.messages, self._theme, window
        )
        window.actions_.add(
            "capture",
            tr("Quick capture"),
            self.capture.popup,
            "Ctrl+Shift+N",
            menu=tr("Memory"),
            also="remember note",
        )


def _offer(cards: FirstRun, transfer: Transfer, imports: Imports) -> None:
    cards.samples_asked.connect(transfer.load_samples)
    cards.import_asked.connect(imports.ask_folder)


def add_parts(window: MainWindow, vault: Vault, theme: Theme) -> Parts:
    from ui.window.install_agents import add_answers
    from ui.window.install_conversations import Conversing
    from ui.window.install_mirrors import Mirroring

    parts = Parts(window, vault, theme)
    parts.answers = add_answers(window, vault, theme)
    parts.conversing = Conversing(window, vault, theme, parts.answers.open_entry)
    parts.mirroring = Mirroring(
        window, vault, theme, parts.scopes, parts.merging, parts.answers.open_entry
    )
    return parts
