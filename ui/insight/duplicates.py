"""Near-equal memories in clusters, with a merge that keeps all of it in history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, Signal
from PySide6.QtWidgets import QWidget

from app.entries.corrections import joined, said_once
from app.outcomes import Saved
from app.recall.duplicates import SIMILAR, Cluster
from store.instants import Clock
from store.records import Entry
from ui.memory.markdown_editor import MarkdownEdit
from ui.memory.undo import Undoing
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import age, doer, entry_title, memories, quoted, scope_text, snippet_of
from ui.toolkit.help import explain
from ui.toolkit.jobs import Job, Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import (
    EmptyState,
    button,
    column_of,
    headed,
    in_line,
    label,
    or_empty,
    side_by_side,
    sure,
    titled,
)

if TYPE_CHECKING:
    from app.memory.memory import Memory
    from app.recall.duplicates import Duplicates

MANY = 20  # more than so many are not merged without a question
LIST, NONE, LOOKING = 0, 1, 2
LIKENESS = (0.97, SIMILAR, 0.85, 0.75)


class ClusterPage(QWidget):
    """Shows the members of a cluster, how they differ, and the text that is left of them.

    `open_asked` carries the id of a member."""

    merge_asked = Signal()
    apart_asked = Signal()
    open_asked = Signal(str)

    def __init__(
        self, jobs: Jobs, theme: Theme, clock: Clock, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._joining: Job | None = None
        self._clock = clock
        self._cluster: Cluster | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.members = RowList(theme, self.tr("Memories in this cluster"))
        self.diff = DiffView(theme)
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("The merged memory"))
        explain(
            self.body,
            self.tr("The one text that stays; the others go to the trash and stay in its history."),
        )
        self.keep = label(look="mute", wrap=True)
        self.merge = button(self.tr("Merge"), "primary")
        self.not_same = button(self.tr("Not the same"))
        self.open = button(self.tr("Open"), "link")
        column = column_of(self, margins=(24, 4, 24, 16), spacing=10)
        column.addWidget(self.members, 2)
        column.addWidget(self.diff, 3)
        column.addWidget(self.keep)
        column.addWidget(self.body, 3)
        column.addLayout(in_line(self.merge, self.not_same, None, self.open))

    def _connect(self) -> None:
        self.members.chosen.connect(self._compare)
        self.members.doubleClicked.connect(lambda _: self._open())
        self.merge.clicked.connect(self.merge_asked)
        self.not_same.clicked.connect(self.apart_asked)
        self.open.clicked.connect(self._open)

    def show_cluster(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.members.show_rows(
            [
                Row(
                    e.id,
                    entry_title(e),
                    snippet_of(e.content, 160),
                    f"{doer(e.source)} · {age(e.written_at, self._clock())}",
                    value=e,
                )
                for e in cluster.entries
            ]
        )
        self.members.step(1)
        words = self.tr("{key} stays and says this; the others go to the trash.")
        self.keep.setText(words.format(key=quoted(entry_title(cluster.entries[0]))))
        self._join(cluster)

    def _join(self, cluster: Cluster) -> None:
        """Comparing every text of a large cluster with every other takes a while."""
        if self._joining is not None:
            self._joining.cancel()
        self.body.set_text("")
        self.merge.setEnabled(False)
        self._joining = self._jobs.run_long(
            self.tr("Comparing {what}…").format(what=memories(len(cluster.entries))),
            lambda progress: joined(said_once(cluster.entries, progress)),
            lambda text: self._show_joined(cluster, text),
        )

    def _show_joined(self, cluster: Cluster, text: str) -> None:
        if cluster is self._cluster:
            self.body.set_text(text)
            self.merge.setEnabled(True)

    def _compare(self, row: Row | None) -> None:
        entry = row.value if row is not None else None
        if not isinstance(entry, Entry) or self._cluster is None:
            return
        best = self._cluster.entries[0]
        self.diff.set_titles(entry_title(best), entry_title(entry))
        self.diff.show_texts(best.content, entry.content)

    def _open(self) -> None:
        row = self.members.current
        if row is not None:
            self.open_asked.emit(row.key)


class DuplicatesView(QWidget):
    """Lists clusters on the left; on the right is the one in hand, to be merged or kept apart."""

    open_asked = Signal(str)
    counted = Signal(int)  # clusters that are alike

    def __init__(
        self,
        duplicates: Duplicates,
        memory: Memory,
        jobs: Jobs,
        undoing: Undoing,
        messages: Messages,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._messages = messages
        self._duplicates = duplicates
        self._memory = memory
        self._jobs = jobs
        self._undoing = undoing
        self._clock = clock
        self._looking: Job | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.likeness = ChoiceField(sizeAdjustPolicy=ChoiceField.SizeAdjustPolicy.AdjustToContents)
        self.likeness.setAccessibleName(self.tr("How alike"))
        explain(self.likeness, self.tr("How near two memories must be to be shown as one group."))
        words = (self.tr("nearly equal"), self.tr("alike"), self.tr("similar"), self.tr("related"))
        for text, value in zip(words, LIKENESS, strict=True):
            self.likeness.addItem(text, value)
        self.likeness.setCurrentIndex(1)
        self.list = RowList(theme, self.tr("Clusters"))
        self.list.setMinimumWidth(230)
        self.page = ClusterPage(self._jobs, theme, self._clock)
        self._stack = or_empty(
            side_by_side(self.list, self.page, sizes=(280, 700)),
            self.tr("No duplicates"),
            self.tr(
                "Memories that say the same in one scope show up here. Choose “similar” above "
                "to look more widely."
            ),
        )
        self._stack.addWidget(
            EmptyState(
                self.tr("Looking for duplicates…"),
                self.tr("Every memory is compared with every other of its scope."),
            )
        )
        how = label(self.tr("How alike"), "mute")
        headed(self, titled(self.tr("Duplicates"), how, self.likeness), self._stack)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        self.likeness.activated.connect(lambda _: self.refresh())
        self.list.chosen.connect(self._show_cluster)
        self.page.merge_asked.connect(self._merge)
        self.page.apart_asked.connect(self._keep_apart)
        self.page.open_asked.connect(self.open_asked)
        self._undoing.done.connect(self._refresh_visible)

    def _refresh_visible(self) -> None:
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Looks anew, with progress and Cancel; a look under way is given up."""
        likeness = float(self.likeness.currentData())
        if self._looking is not None:
            self._looking.cancel()
        if not self.list.rows.rowCount():
            self._stack.setCurrentIndex(LOOKING)
        job = self._jobs.run_long(
            self.tr("Looking for duplicates…"),
            lambda progress: self._duplicates.clusters(similarity=likeness, progress=progress),
            lambda clusters: self._show_clusters(clusters, job),
        )
        self._looking = job
        job.finished.connect(self._looked)

    def _looked(self) -> None:
        """Also when it was cancelled: it says no more that it looks."""
        if self._stack.currentIndex() == LOOKING and self.sender() is self._looking:
            self._stack.setCurrentIndex(NONE)

    @property
    def current(self) -> Cluster | None:
        return self.list.value(Cluster)

    def _show_clusters(self, clusters: Sequence[Cluster], job: Job) -> None:
        if job is not self._looking:
            return
        self.list.show_rows([_row(cluster) for cluster in clusters])
        if self.likeness.currentData() == SIMILAR:
            self.counted.emit(len(clusters))
        self._stack.setCurrentIndex(LIST if clusters else NONE)

    def _show_cluster(self, row: Row | None) -> None:
        if row is not None and isinstance(row.value, Cluster):
            self.page.show_cluster(row.value)

    def _merge(self) -> None:
        cluster = self.current
        if cluster is None or not self._means_it(len(cluster.entries)):
            return
        keep, *others = [entry.id for entry in cluster.entries]
        text = self.page.body.text()
        self._jobs.run(
            lambda: self._memory.entries.merge(keep, others, text),
            lambda saved: self._merged(saved, len(cluster.entries)),
        )

    def _means_it(self, number: int) -> bool:
        words = self.tr("Merge {what} into one? The others go to the trash.")
        return number <= MANY or sure(self, self.tr("Merge"), words.format(what=memories(number)))

    def _merged(self, saved: Saved, number: int) -> None:
        words = self.tr("Merged {what} into {key}")
        text = words.format(what=memories(number), key=quoted(entry_title(saved.entry)))
        self._undoing.offer(text, saved.group)

    def _keep_apart(self) -> None:
        cluster = self.current
        if cluster is None:
            return
        number = len(cluster.entries)
        self._jobs.run(
            lambda: self._duplicates.keep_apart(cluster),
            lambda judgement: self._kept_apart(number, judgement),
        )

    def _kept_apart(self, number: int, judgement: int) -> None:
        words = self.tr("Kept apart: {what}").format(what=memories(number))
        self._messages.say(words, self.tr("Undo"), lambda: self._let_together(judgement))
        self.refresh()

    def _let_together(self, judgement: int) -> None:
        self._jobs.run(
            lambda: self._duplicates.let_together(judgement), lambda _none: self.refresh()
        )


def _row(cluster: Cluster) -> Row:
    best = cluster.entries[0]
    like = QCoreApplication.translate("DuplicatesView", "the same")
    if not cluster.exact:
        share = QLocale().toString(cluster.similarity * 100, "f", 0)
        like = QCoreApplication.translate("DuplicatesView", "{n} % alike").format(n=share)
    below = f"{memories(len(cluster.entries))} · {scope_text(best.scope)}"
    return Row(_key(cluster), entry_title(best), below, like, value=cluster)


def _key(cluster: Cluster) -> str:
    return "+".join(sorted(entry.id for entry in cluster.entries))
