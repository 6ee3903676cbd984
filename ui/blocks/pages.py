"""The list of blocks, the gauges of one, its text and its changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QStyle,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.rules.blocks import BlockLimits, Gauge, gauge
from store.instants import Clock
from store.records import BLOCK_NAMES, USER, Block, Change, Scope
from ui.memory.change_text import version_word
from ui.memory.history_view import ConflictView
from ui.memory.markdown_editor import MarkdownEdit, Preview
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import age, doer, moment_text, number_text, scope_text
from ui.toolkit.help import explain, explain_tabs
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import button, column_of, in_line

if TYPE_CHECKING:
    from app.history.history import History


BAR = 6
NEARLY = 0.9


class BlockGauge(QWidget):
    """Draws how full a block is, in characters and, where they are counted, entries."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._gauge: Gauge | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("How full the block is"))
        explain(self, self.tr("How much of the room of this block its text takes."))

    def show_gauge(self, gauge: Gauge) -> None:
        self._gauge = gauge
        self.setAccessibleDescription("; ".join(words for words, _ in self._bars()))
        self.update()

    @property
    def over(self) -> bool:
        return any(share > 1 for _, share in self._bars())

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.px(18) + BAR + 4)

    def _bars(self) -> list[tuple[str, float]]:
        """What each bar says, and how full it is."""
        gauge = self._gauge
        if gauge is None:
            return []
        bars = [
            (
                self.tr("{n} of {most} characters · {lines} lines · ≈ {tokens} tokens").format(
                    n=number_text(gauge.characters),
                    most=number_text(gauge.character_limit),
                    lines=number_text(gauge.lines),
                    tokens=number_text(gauge.tokens_estimate),
                ),
                gauge.characters / max(gauge.character_limit, 1),
            )
        ]
        if gauge.entry_limit is not None:
            words = self.tr("{n} of {most} entries").format(
                n=number_text(gauge.entries), most=number_text(gauge.entry_limit)
            )
            bars.append((words, gauge.entries / max(gauge.entry_limit, 1)))
        return bars

    def widths(self) -> list[float]:
        """How wide each bar is: as its words need, and the first as wide as there is room."""
        metrics = QFontMetrics(self._words_font())
        bars = self._bars()
        needed = [metrics.horizontalAdvance(words) + 2.0 for words, _ in bars[1:]]
        room = self.width() - 16 * (len(bars) - 1)
        rest = [max(need, room * 0.3) for need in needed]
        return [room - sum(rest), *rest]

    def _words_font(self) -> QFont:
        font = self.font()
        font.setPixelSize(self._theme.px(12))
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        bars = self._bars()
        if not bars:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._words_font())
        left = 0.0
        for (words, full), wide in zip(bars, self.widths(), strict=True):
            start = self.width() - left - wide if self._rtl() else left
            self._paint_bar(painter, QRectF(start, 0, wide, self.height()), words, full)
            left += wide + 16

    def _paint_bar(self, painter: QPainter, box: QRectF, words: str, full: float) -> None:
        tokens = self._theme.tokens
        text = QRectF(box.x(), 0, box.width(), self._theme.px(18))
        painter.setPen(tokens.color("bad" if full > 1 else "mute"))
        shown = painter.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, int(box.width())
        )
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.drawText(text, QStyle.visualAlignment(self.layoutDirection(), side).value, shown)
        ground = QRectF(box.x(), text.bottom() + 2, box.width(), BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.color("line"))
        painter.drawRoundedRect(ground, 3, 3)
        color = "bad" if full > 1 else "recent" if full > NEARLY else "accent"
        painter.setBrush(tokens.color(color))
        wide = ground.width() * min(full, 1.0)
        start = ground.right() - wide if self._rtl() else ground.x()
        painter.drawRoundedRect(QRectF(start, ground.y(), wide, BAR), 3, 3)

    def _rtl(self) -> bool:
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft


EDIT, PREVIEW, CHANGES, CONFLICT = 0, 1, 2, 3


class ListedBlock(NamedTuple):
    """What a row of the list stands for; no block: not written yet."""

    scope: Scope
    name: str
    block: Block | None


class _Texts(NamedTuple):
    """A change of the block."""

    before: str
    after: str


class BlockList(RowList):
    """Lists the blocks by whose they are; those that could be written are folded into one row of
    each, until it is chosen."""

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(theme, QCoreApplication.translate("BlockEditor", "Blocks"), parent)
        self._clock = clock
        self._unfolded: set[Scope] = set()
        self._shown: tuple[Sequence[Block], Sequence[Scope], BlockLimits] = ((), (), BlockLimits())
        self.setMinimumWidth(230)
        self.chosen.connect(self._unfold)

    def show_blocks(
        self, blocks: Sequence[Block], agents: Sequence[Scope], limits: BlockLimits
    ) -> None:
        self._shown = (blocks, agents, limits)
        known = {(block.scope, block.name): block for block in blocks}
        full = {address for address, block in known.items() if block.content}
        scopes = dict.fromkeys([USER, *agents, *(block.scope for block in blocks)])
        rows: list[Row] = []
        for scope in scopes:
            written = tuple(name for name in BLOCK_NAMES if (scope, name) in full)
            others = [name for name in BLOCK_NAMES if name not in written]
            if scope != USER and scope.kind != "agent":
                others = []
            names = BLOCK_NAMES if scope in self._unfolded and others else written
            if names or others:
                rows.append(Row(f"scope:{scope}", scope_text(scope), heading=True))
            for name in names:
                rows.append(self._row(ListedBlock(scope, name, known.get((scope, name))), limits))
            if others and names == written:
                title = self.tr("Write another…") if written else self.tr("Write one…")
                below = ", ".join(others)
                rows.append(Row(f"more:{scope}", title, below, look="faint", value=scope))
        self.show_rows(rows)

    def choose(self, key: str) -> None:
        """Also a block that is not written yet: its row is unfolded."""
        if self.rows.row_of(key) < 0 and "/" in key:
            self._unfolded.add(Scope.of(key.rpartition("/")[0]))
            self.show_blocks(*self._shown)
        super().choose(key)

    def _unfold(self, row: Row | None) -> None:
        if row is not None and isinstance(row.value, Scope):
            self._unfolded.add(row.value)
            self.show_blocks(*self._shown)

    def _row(self, held: ListedBlock, limits: BlockLimits) -> Row:
        scope, name, block = held
        if block is None or not block.content:
            words = self.tr("not written yet") if block is None else self.tr("empty")
            return Row(f"{scope}/{name}", name, words, look="faint", value=held)
        full = gauge(name, block.content, limits)
        below = self.tr("{n} of {most} characters").format(
            n=number_text(full.characters), most=number_text(full.character_limit)
        )
        end = age(block.updated_at, self._clock())
        return Row(f"{scope}/{name}", name, below, end, value=held)


class BlockChanges(QWidget):
    """Lists who changed a block, over what the chosen change did to its text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.versions = RowList(theme, self.tr("Changes of this block"))
        self.diff = DiffView(theme)
        self.erase_past = button(self.tr("Erase past versions…"), "link")
        self.erase_all = button(self.tr("Erase the block…"), "link")
        split = QSplitter(Qt.Orientation.Vertical)
        split.setHandleWidth(1)
        below = QWidget()
        column_of(below, self.diff, margins=(0, 8, 0, 0))
        split.addWidget(self.versions)
        split.addWidget(below)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(split, 1)
        column.addLayout(in_line(self.erase_past, self.erase_all, None))
        self.versions.chosen.connect(self._show_version)

    def show_changes(self, content: str, changes: Sequence[Change]) -> None:
        """`changes` are newest first; `content` is what the block says after all of them."""
        texts = [content]
        for change in changes:
            before = (change.before or {}).get("content", texts[-1])
            texts.append("" if change.action == "created" else str(before))
        self.versions.show_rows(
            [
                Row(
                    str(change.seq),
                    doer(change.actor),
                    version_word(change.action),
                    moment_text(change.at),
                    value=_Texts(texts[index + 1], texts[index]),
                )
                for index, change in enumerate(changes)
            ]
        )

    def _show_version(self, row: Row | None) -> None:
        texts = row.value if row is not None else None
        if isinstance(texts, _Texts):
            self.diff.show_texts(texts.before or None, texts.after)


class BlockPages(QWidget):
    """Shows a block as text to edit, as it reads, by its changes, or in conflict with another's
    version."""

    def __init__(
        self, history: History, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._history = history
        self._jobs = jobs
        self._block: Block | None = None
        self._build(theme)
        self.tabs.currentChanged.connect(self.turn_to)

    def _build(self, theme: Theme) -> None:
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(self.tr("Views of this block"))
        for name in (self.tr("Edit"), self.tr("Preview"), self.tr("Changes")):
            self.tabs.addTab(name)
        explain_tabs(
            self.tabs,
            self.tr("Write here."),
            self.tr("How it reads, with its headings and lists."),
            self.tr("Who changed it, and how."),
        )
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("Block, in markdown"))
        explain(
            self.body, self.tr("The text of this block; the agent gets it whole, word for word.")
        )
        self.preview = Preview()
        self.changes = BlockChanges(theme)
        self.conflict = ConflictView(theme)
        self.stack = QStackedWidget()
        for page in (self.body, self.preview, self.changes, self.conflict):
            self.stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(self.tabs)
        column.addWidget(self.stack, 1)

    def show_block(self, block: Block | None, *, turn: bool) -> None:
        """Fills the pages; `turn` goes back to the text, as an open conflict always does."""
        self._block = block
        self.show_text(block.content if block else "")
        if turn or self.stack.currentIndex() == CONFLICT:
            self.tabs.setCurrentIndex(EDIT)
            self.turn_to(EDIT)
        else:
            self.turn_to(self.tabs.currentIndex())

    def show_text(self, text: str) -> None:
        blocker = QSignalBlocker(self.body)  # nobody typed it
        if self.body.text() != text:
            self.body.set_text(text)
        blocker.unblock()

    def turn_to(self, page: int) -> None:
        self.stack.setCurrentIndex(page)
        if page == PREVIEW:
            self.preview.show_markdown(self.body.text())
        elif page == CHANGES and self._block is not None:
            block = self._block
            self._jobs.run(
                lambda: self._history.of(block.id),
                lambda changes: self.changes.show_changes(block.content, changes),
                key="block-changes",
            )

    def show_conflict(self, theirs: Block) -> None:
        self.conflict.show_conflict(theirs, self.body.text())
        self.stack.setCurrentIndex(CONFLICT)
