"""Files of coding agents: what they keep themselves, to be kept in step; and the files in a project
that hold memories of its workspace for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from app.access.workspace_names import project_folder, workspace_of_folder
from app.connect.mcp_clients import CLIENTS
from app.hooks.kept_memories import KeptMemories, KeptPlaces
from app.markdown.projection import BUDGET, FILES, Projection, Projections
from store.errors import KeepsakeError
from store.records import Scope
from ui.files.folder_dialogs import FolderField, warn
from ui.toolkit.formatting import number_text, scope_text
from ui.toolkit.help import PAGE, explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField, NumberField
from ui.toolkit.widgets import (
    EmptyState,
    button,
    column_of,
    filled,
    fit_screen,
    form_of,
    in_line,
    label,
    list_under,
    side_by_side,
    spaced,
    sure,
)

LEAST, MOST = 256, 65_536
PAUSE_MS = 250  # while somebody types


class KeptPage(QWidget):
    """Shows one place where an agent keeps memories, and whether it is in step."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kept: KeptMemories | None = None
        self._build()

    def _build(self) -> None:
        self.title = label(look="title")
        self.path = label(look="mute", wrap=True)
        self.pill = label(look="pill")
        self.words = label(look="mute", wrap=True)
        self.review = QCheckBox(self.tr("What the agent writes there waits for my review"))
        self.review.setChecked(True)
        explain(
            self.review,
            self.tr("Off: it is kept as far as the agent is trusted, without asking you."),
        )
        self.keep = button(self.tr("Keep in step"), "primary")
        self.leave = button(self.tr("Leave it alone…"), "danger")
        self.state = label(look="mute", wrap=True)
        column_of(
            self,
            self.title,
            self.path,
            in_line(self.pill, None),
            self.words,
            self.review,
            in_line(self.keep, self.leave, None),
            self.state,
            None,
            spacing=10,
        )

    def show_kept(self, kept: KeptMemories, in_step: bool) -> None:
        if self.kept != kept:
            self.state.setText("")
        self.kept = kept
        self.title.setText(CLIENTS[kept.client].label)
        self.path.setText(str(kept.place))
        things = counted("%Ln lines", kept.notes) if kept.is_list else _notes(kept.notes)
        step = self.tr("in step") if in_step else self.tr("not in step")
        self.pill.setText(" · ".join((scope_text(kept.scope), things, step)))
        self.words.setText(
            self.tr(
                "Each line of a list in this file is a memory. What you change or forget here "
                "changes there, and what the agent adds there comes here."
            )
            if kept.is_list
            else self.tr(
                "Each note there is a memory, and each memory of this scope a note there: what "
                "changes on one side follows on the other."
            )
        )
        self.review.setVisible(not in_step)
        self.keep.setVisible(not in_step)
        self.leave.setVisible(in_step)


class ProjectPage(QWidget):
    """Shows what of a workspace stands in a project's files, before and after it is written."""

    changed = Signal()  # what would be written

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.title = label(look="title")
        self.path = FolderField(self.tr("Project"))
        self.workspace = ChoiceField()
        self.files = [QCheckBox(name) for name in FILES]
        for box in self.files:
            words = self.tr("Whether Keepsake writes its part into {file} of the project.")
            explain(box, words.format(file=box.text()))
        names = QWidget()
        row = in_line(*self.files, None)
        row.setContentsMargins(0, 0, 0, 0)
        names.setLayout(row)
        self.budget = NumberField(minimum=LEAST, maximum=MOST, singleStep=256)
        spaced(self.budget)
        self.tag = QLineEdit()
        self.tag.setPlaceholderText(self.tr("all, the most important first"))
        self.preview = QPlainTextEdit(readOnly=True)
        self.preview.setAccessibleName(self.tr("What would stand there"))
        explain(
            self.preview,
            self.tr("Exactly what goes into the files, between two marks; the rest stays."),
        )
        self.used = label(look="faint")
        self.write = button(self.tr("Write it"), "primary")
        self.remove = button(self.tr("Take it out again…"), "danger")
        self.state = label(look="mute", wrap=True)
        form = self._build_form(names)
        written = in_line(self.write, self.remove, None)
        column = column_of(
            self, self.title, form, self.preview, self.used, written, self.state, spacing=10
        )
        column.setStretchFactor(self.preview, 1)

    def _build_form(self, names: QWidget) -> QFormLayout:
        return form_of(
            (
                self.tr("Project"),
                self.path,
                self.tr("The folder of the project whose files are written."),
                self.path.browse,
            ),
            (
                self.tr("Workspace"),
                self.workspace,
                self.tr("Whose memories stand in those files."),
                None,
            ),
            (
                self.tr("Files"),
                names,
                self.tr("The files that assistants read by themselves in a project."),
                None,
            ),
            (
                self.tr("Bytes at most"),
                self.budget,
                self.tr("How long the part of Keepsake may get; the most important comes first."),
                None,
            ),
            (
                self.tr("Only with tag"),
                self.tag,
                self.tr("Only memories with this label; empty takes all."),
                None,
            ),
        )

    def _connect(self) -> None:
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.path.textEdited.connect(self._follow)
        for signal in (
            self.path.textEdited,
            self.workspace.currentTextChanged,
            self.budget.valueChanged,
            self.tag.textEdited,
            *(box.toggled for box in self.files),
        ):
            signal.connect(lambda *_changed: self._pause.start())
        self.path.chosen.connect(self._follow)
        self.path.chosen.connect(self.changed)

    def show_projection(self, one: Projection | None) -> None:
        """None: one that is yet to be made. What was said of another goes."""
        if one is None or one.folder != self.path.text():
            self.state.setText("")
        name = Path(one.folder).name if one else self.tr("Put memories into a project")
        self.title.setText(name)
        self.path.setText(one.folder if one else "")
        self.path.setEnabled(one is None)
        self.path.browse.setVisible(one is None)
        self._choose(one.workspace_id if one else self.workspace.currentText())
        for box in self.files:
            box.setChecked(one is None or box.text() in one.files)
        self.budget.setValue(one.budget if one else BUDGET)
        self.tag.setText(one.tag if one else "")
        self.remove.setVisible(one is not None)
        self.changed.emit()

    @property
    def projection(self) -> Projection:
        files = tuple(box.text() for box in self.files if box.isChecked())
        path = self.path.text().strip()
        folder = str(Path(path).expanduser().resolve()) if path else ""
        tag = self.tag.text().strip()
        return Projection(folder, self.workspace.currentText(), files, self.budget.value(), tag)

    def show_body(self, body: str) -> None:
        self.preview.setPlainText(body or self.tr("No memory of that workspace fits."))
        used = number_text(len(body.encode()))
        words = self.tr("{used} of {most} bytes")
        self.used.setText(words.format(used=used, most=number_text(self.budget.value())))
        ready = bool(body and self.path.text().strip() and self.projection.files)
        self.write.setEnabled(ready)

    def offer(self, workspaces: Sequence[str]) -> None:
        """The workspaces there are to choose from."""
        for name in workspaces:
            if self.workspace.findText(name) < 0:
                self.workspace.addItem(name)

    def _follow(self, path: str) -> None:
        """A project's own workspace, as soon as its folder is named."""
        folder = Path(path.strip()).expanduser()
        if path.strip() and folder.is_absolute() and folder.is_dir():
            self._choose(workspace_of_folder(project_folder(folder)))

    def _choose(self, workspace: str) -> None:
        if workspace and self.workspace.findText(workspace) < 0:
            self.workspace.addItem(workspace)
        self.workspace.setCurrentText(workspace)


class AgentFilesDialog(QDialog):
    """`done_` when memories may have come in."""

    done_ = Signal()

    def __init__(
        self,
        places: KeptPlaces,
        projections: Projections,
        scopes: Callable[[], Sequence[Scope]],
        jobs: Jobs,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scopes = scopes
        self._places = places
        self._projections = projections
        self._jobs = jobs
        self._wanted = ""
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setWindowTitle(self.tr("Files of coding agents"))
        self.setProperty(PAGE, "coding-agents#what-they-keep-themselves")
        fit_screen(self, 960, 640)
        self.list = RowList(theme, self.tr("Files of coding agents"))
        self.kept = KeptPage()
        self.project = ProjectPage()
        self.add = button(self.tr("Put memories into a project…"), "primary")
        empty = EmptyState(
            self.tr("Nothing was found on this machine"),
            self.tr(
                "Notes that Claude Code, Codex or Gemini CLI keep themselves are shown here, and "
                "projects whose AGENTS.md, GEMINI.md or CLAUDE.md hold memories of yours."
            ),
        )
        self._pages = QStackedWidget()
        for page in (empty, self.kept, self.project):
            self._pages.addWidget(page)
        left = list_under(in_line(self.add), self.list, 260)
        filled(self, side_by_side(left, self._pages, sizes=(300, 660)))

    def _connect(self) -> None:
        self.list.chosen.connect(self._show)
        self.add.clicked.connect(self.begin_project)
        self.kept.keep.clicked.connect(self._keep)
        self.kept.leave.clicked.connect(self._ask_leave)
        self.project.changed.connect(self._preview)
        self.project.write.clicked.connect(self._write)
        self.project.remove.clicked.connect(self._ask_remove)

    # Reading

    def refresh(self) -> None:
        self._jobs.run(
            lambda: (self._places.listed(), self._projections.listed()), self._take, key="files"
        )

    def _take(self, found: tuple[list[tuple[KeptMemories, bool]], list[Projection]]) -> None:
        kept, projected = found
        self.project.offer([one.id for one in self._scopes() if one.kind == "workspace"])
        rows: list[Row] = []
        if kept:
            rows.append(Row("kept", self.tr("Kept by agents"), heading=True))
        for one, in_step in kept:
            step = self.tr("in step") if in_step else self.tr("not in step")
            below = f"{scope_text(one.scope)} · {step}"
            name, dot = CLIENTS[one.client].label, "accent" if in_step else "faint"
            rows.append(Row(f"kept:{one.place}", name, below, dot=dot, value=(one, in_step)))
        if projected:
            rows.append(Row("projects", self.tr("In project files"), heading=True))
        for two in projected:
            name, below = Path(two.folder).name, ", ".join(two.files)
            rows.append(Row(f"project:{two.folder}", name, below, dot="accent", value=two))
        self.list.show_rows(rows)
        if self._wanted:
            self.list.choose(self._wanted)
            self._wanted = ""
        if not rows and self._pages.currentIndex() == 1:
            self._pages.setCurrentIndex(0)

    def _show(self, row: Row | None) -> None:
        value = row.value if row is not None else None
        if isinstance(value, Projection):
            self.project.show_projection(value)
            self._pages.setCurrentIndex(2)
        elif isinstance(value, tuple):
            self.kept.show_kept(*value)
            self._pages.setCurrentIndex(1)

    def _preview(self) -> None:
        wanted = self.project.projection
        self._jobs.run(
            lambda: self._projections.body(wanted), self.project.show_body, key="projected"
        )

    # Doing

    def begin_project(self) -> None:
        """A form for one more."""
        self.project.offer([one.id for one in self._scopes() if one.kind == "workspace"])
        self.list.clearSelection()
        self.project.show_projection(None)
        self._pages.setCurrentIndex(2)
        self.project.path.setFocus()

    def _keep(self) -> None:
        kept, review = self.kept.kept, self.kept.review.isChecked()
        if kept is None:
            return
        self.kept.state.setText(self.tr("Reading…"))
        self._wanted = f"kept:{kept.place}"
        self._jobs.run_long(
            self.tr("Keeping in step"),
            lambda _progress: self._places.keep(kept, review=review),
            lambda _done: self._done(self.kept, self.tr("It is in step from now on.")),
            self._complain,
        )

    def _ask_leave(self) -> None:
        kept = self.kept.kept
        words = self.tr("Leave {place} alone from now on? Its files and the memories stay.")
        if kept and sure(self, self.tr("Leave it alone"), words.format(place=kept.place)):
            self._wanted = f"kept:{kept.place}"
            self._jobs.run(
                lambda: self._places.leave(kept),
                lambda _none: self._done(self.kept, self.tr("It is left alone.")),
            )

    def _write(self) -> None:
        wanted = self.project.projection
        self._wanted = f"project:{wanted.folder}"
        self._jobs.run_long(
            self.tr("Writing into a project"),
            lambda _progress: self._projections.add(wanted),
            lambda paths: self._done(self.project, _written(paths)),
            self._complain,
        )

    def _ask_remove(self) -> None:
        folder = Path(self.project.projection.folder)
        words = self.tr("Take the memories out of the files in {folder}? The rest of them stays.")
        if sure(self, self.tr("Take it out"), words.format(folder=folder)):
            self._jobs.run_long(
                self.tr("Taking memories out of a project"),
                lambda _progress: self._projections.remove(folder),
                lambda paths: self._removed(paths),
                self._complain,
            )

    def _removed(self, paths: Sequence[Path]) -> None:
        self.project.show_projection(None)
        self._done(self.project, _written(paths))

    def _done(self, page: KeptPage | ProjectPage, words: str) -> None:
        page.state.setText(words)
        self.refresh()
        self.done_.emit()

    def _complain(self, error: Exception) -> None:
        self.kept.state.setText("")
        if isinstance(error, KeepsakeError):
            warn(self, str(error))
        else:
            self._jobs.failed.emit(error)


def _notes(number: int) -> str:
    return counted("%Ln notes", number)


def _written(paths: Sequence[Path]) -> str:
    return "\n".join(str(path) for path in paths) or counted("%Ln files changed", 0)
