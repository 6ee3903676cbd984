"""Blocks and summaries: the list, an editor with gauges, what agents changed, conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.blocks.blocks import BlockSaved
from app.care.erasure import Removal
from app.entries.browse import Draft, Drafts, block_slot
from app.outcomes import Conflict, Proposed
from app.rules.blocks import BlockLimits, Gauge, gauge, template
from app.text.three_way import merge_text
from store.instants import Clock, to_instant
from store.records import BLOCK_NAMES, OWNER, USER, Block, Change, Scope
from ui.memory.change_text import version_word
from ui.memory.drafts import Drafting
from ui.memory.history_view import ConflictView
from ui.memory.markdown_editor import MarkdownEdit, Preview
from ui.memory.undo import Undoing
from ui.toolkit.action_registry import keys_text
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import age, doer, moment_text, number_text, scope_text, who
from ui.toolkit.help import explain, explain_tabs, term
from ui.toolkit.help_window import WhatIsThis
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.widgets import (
    ElidedLabel,
    ElidedPill,
    KeyButton,
    button,
    filled,
    in_line,
    label,
    or_empty,
    side_by_side,
)

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.history.history import History
    from app.memory.memory import Memory


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

    def paintEvent(self, event: QPaintEvent) -> None:
        bars = self._bars()
        if not bars:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._theme.px(12))
        painter.setFont(font)
        shares = [0.7, 0.3] if len(bars) == 2 else [1.0]
        room = self.width() - 16 * (len(bars) - 1)
        left = 0.0
        for (words, full), share in zip(bars, shares, strict=True):
            wide = room * share
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
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)
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


class _Held(NamedTuple):
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
                rows.append(self._row(_Held(scope, name, known.get((scope, name))), limits))
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

    def _row(self, held: _Held, limits: BlockLimits) -> Row:
        scope, name, block = held
        if block is None or not block.content:
            words = self.tr("not written yet")
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
        split.addWidget(self.versions)
        split.addWidget(self.diff)
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
            self.diff.show_texts(texts.before, texts.after)


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


class BlockEditor(QWidget):
    """Edits one block of a list. Saving compares with what was read; a block somebody else wrote
    meanwhile is a conflict. What is typed and not saved is kept as a draft."""

    saved = Signal(object)
    draft_moved = Signal()
    erase_asked = Signal(object)  # Removal
    typed = Signal(object)  # the block as it would be saved; None: nothing is being written

    def __init__(
        self,
        memory: Memory,
        drafts: Drafts,
        history: History,
        agents: Agents,
        jobs: Jobs,
        undoing: Undoing,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._history = history
        self._agents = agents
        self._jobs = jobs
        self._undoing = undoing
        self._clock = clock
        self._limits = BlockLimits()
        self._address: tuple[Scope, str] = (USER, "core")
        self._base: Block | None = None
        self._ancestor: str | None = ""  # the text that what is typed grew from, if it is known
        self._read_at: str | None = None  # the version that what is typed grew from
        self._drafting = Drafting(drafts, jobs, self, key="block-draft")
        self._wanted = ""
        self._wanted_row = ""
        self.pages = BlockPages(history, jobs, theme)
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.list = BlockList(theme, self._clock)
        self._stack = or_empty(
            self._build_editor(theme),
            self.tr("Choose a block"),
            self.tr("Each is a page that an agent keeps and is told whole."),
        )
        self._stack.setCurrentIndex(1)
        filled(self, side_by_side(self.list, self._stack, sizes=(270, 700)))
        self.setFocusProxy(self.list)

    def _build_editor(self, theme: Theme) -> QWidget:
        page = QWidget()
        page.setObjectName("editor")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = ElidedLabel()
        self.title.setProperty("look", "title")
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.title.setMinimumWidth(60)
        self.origin = ElidedPill()
        self.gauge = BlockGauge(theme)
        self.start = button(self.tr("Start from the template"))
        self.discard = button(self.tr("Discard"))
        self.save = KeyButton(self.tr("Save"), keys_text("Ctrl+S"), theme)
        self.save.setProperty("look", "primary")
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(12)
        self.asked = WhatIsThis("block", "core", "archival", "summary", "session")
        self.about = label(look="mute", wrap=True)
        column.addLayout(in_line(self.title, self.asked, self.origin, None))
        column.addWidget(self.about)
        column.addWidget(self.pages, 1)
        column.addWidget(self.gauge)
        column.addLayout(in_line(self.start, None, self.discard, self.save))
        return page

    def _connect(self) -> None:
        body, conflict = self.pages.body, self.pages.conflict
        self.list.chosen.connect(self._choose)
        body.textChanged.connect(self._typed)
        self.save.clicked.connect(self.store)
        self.discard.clicked.connect(self._discard)
        self._drafting.due.connect(self._keep_draft)
        self._drafting.moved.connect(self.draft_moved)
        self.start.clicked.connect(lambda: body.set_text(template(self._address[1])))
        conflict.mine.connect(self._keep_mine)
        conflict.theirs.connect(self._show_theirs)
        conflict.later.connect(lambda: self.pages.turn_to(EDIT))
        self._undoing.done.connect(self.refresh)
        self.pages.changes.erase_past.clicked.connect(lambda: self._ask_erase(past=True))
        self.pages.changes.erase_all.clicked.connect(lambda: self._ask_erase(past=False))

    # Reading

    @property
    def dirty(self) -> bool:
        return self.pages.body.text() != (self._base.content if self._base else "")

    def refresh(self) -> None:
        def work() -> tuple[list[Block], list[Scope], BlockLimits]:
            agents = [agent.scope for agent in self._agents.list() if agent.revoked_at is None]
            blocks = self._memory.blocks
            return blocks.listed(), agents, blocks.limits()

        self._jobs.run(work, self._show_blocks, key="blocks")

    def open_block(self, ident: str) -> None:
        """Shows the block of that id, now or when the list has come."""
        self._wanted = ident
        self.refresh()

    def open_at(self, row: str) -> None:
        """Shows the block of that row, `scope/name`, written or not."""
        self._wanted_row = row
        self.refresh()

    def _show_blocks(self, found: tuple[Sequence[Block], Sequence[Scope], BlockLimits]) -> None:
        blocks, agents, self._limits = found
        self.list.show_blocks(blocks, agents, self._limits)
        if self._wanted_row:
            self.list.choose(self._wanted_row)
            self._wanted_row = ""
        wanted = next((b for b in blocks if b.id == self._wanted), None)
        if wanted is not None:
            self._wanted = ""
            self.list.choose(f"{wanted.scope}/{wanted.name}")

    def _choose(self, row: Row | None) -> None:
        held = row.value if row is not None else None
        if not isinstance(held, _Held):
            return
        scope, name, block = held
        same = (scope, name) == self._address and self._stack.currentIndex() == 0
        if same and self.dirty:
            self._warn_of(block)
            if block is None and self._base is not None:
                self._look_whether_erased(self._base)
            return
        if not same:
            self.leave()
        self._address = (scope, name)
        self._stack.setCurrentIndex(0)
        self._show_block(block, turn=not same)
        self._drafting.read(self._slot, self._offer_draft)

    def _ask_erase(self, *, past: bool) -> None:
        if self._base is not None:
            named = (self._base.id,)
            self.erase_asked.emit(Removal(versions=named) if past else Removal(blocks=named))

    def _look_whether_erased(self, base: Block) -> None:
        """An erased block leaves the editor, with what was typed into it."""

        def leave(changes: Sequence[Change]) -> None:
            if changes and changes[0].action == "erased" and self._base is base:
                self._drafting.drop(self._slot)
                self._show_block(None)

        self._jobs.run(lambda: self._history.of(base.id), leave, key="block-erased")

    def _warn_of(self, block: Block | None) -> None:
        """Says that somebody wrote the block in hand; that is settled when the person saves, not
        forced now."""
        if block is not None and self._base is not None and block.content != self._base.content:
            self.origin.setText(self.tr("{who} changed it meanwhile").format(who=who(block.source)))

    def _show_block(self, block: Block | None, *, turn: bool = True) -> None:
        self._base = block
        self._read_at = block.updated_at if block else None
        self._ancestor = block.content if block else ""
        scope, name = self._address
        self.title.setText(self.tr("{name} · {scope}").format(name=name, scope=scope_text(scope)))
        self.about.setText(_about(name))
        if block is None:
            self.origin.setText(self.tr("not written yet"))
        else:
            words = self.tr("written by {who} · {when}")
            when = age(block.updated_at, self._clock())
            self.origin.setText(words.format(who=who(block.source), when=when))
        self.pages.show_block(block, turn=turn)
        self._drafting.kept = True
        self._refresh_buttons()

    def _tell(self) -> None:
        """Says what is being written, for what looks at unsaved edits."""
        if not self.dirty or not self.isVisible():
            self.typed.emit(None)
            return
        (scope, name), base = self._address, self._base
        now, text = to_instant(self._clock()), self.pages.body.text()
        made = Block(name, scope, name, text, OWNER, now, now, b"")
        written = replace(base, content=text, updated_at=now) if base is not None else made
        self.typed.emit(written)

    def _refresh_buttons(self) -> None:
        self._tell()
        text = self.pages.body.text()
        self.gauge.show_gauge(gauge(self._address[1], text, self._limits))
        self.save.setEnabled(self.dirty and not self.gauge.over)
        self.discard.setVisible(self.dirty)
        self.start.setVisible(not text.strip() and bool(template(self._address[1])))

    # Saving

    def store(self) -> None:
        if not self.dirty or self.gauge.over:
            return
        (scope, name), text = self._address, self.pages.body.text()
        expected = self._read_at
        drop_draft = self._drafting.dropping(self._slot)

        def work() -> BlockSaved | Conflict | Proposed:
            outcome = self._memory.blocks.replace(
                name, text, expected_updated_at=expected, scope=scope
            )
            if isinstance(outcome, BlockSaved):
                drop_draft()
            return outcome

        self._jobs.run(work, self._show_outcome, self._not_saved)

    def _show_outcome(self, outcome: BlockSaved | Conflict | Proposed) -> None:
        if isinstance(outcome, BlockSaved):
            if (outcome.block.scope, outcome.block.name) == self._address:
                self._show_block(outcome.block)
            words = self.tr("Saved {name}").format(name=outcome.block.name)
            self._undoing.offer(words, outcome.group)
            self.saved.emit(outcome.block)
        elif isinstance(outcome, Conflict) and isinstance(outcome.current, Block):
            self._meet(outcome.current)

    def _meet(self, theirs: Block) -> None:
        """Somebody wrote it meanwhile: other lines are merged by themselves, the same ones are the
        person's to decide."""
        mine, base = self.pages.body.text(), self._ancestor
        merged = merge_text(base, mine, theirs.content) if base is not None else None
        if merged is None:
            self.pages.show_conflict(theirs)
            return
        self._show_block(theirs)
        self.pages.show_text(merged)
        self._refresh_buttons()
        self.store()

    def _keep_mine(self, theirs: Block) -> None:
        """Writes mine over theirs; theirs stays in the changes."""
        self._base, self._read_at = theirs, theirs.updated_at
        self.store()

    def _show_theirs(self, theirs: Block) -> None:
        self._drafting.drop(self._slot)
        self._show_block(theirs)

    def _not_saved(self, error: Exception) -> None:
        self._keep_draft()
        self._jobs.failed.emit(error)

    # Drafts

    @property
    def _slot(self) -> str:
        return block_slot(*self._address)

    def leave(self) -> None:
        """Puts what was typed in safety before something else is taken in hand."""
        if self._drafting.waiting:
            self._keep_draft()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leave()
        self._tell()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()

    def _typed(self) -> None:
        self._drafting.typed()
        self._refresh_buttons()

    def _keep_draft(self) -> None:
        if not self.dirty:
            self._drafting.drop(self._slot)
            return
        draft = Draft(self._slot, self._read_at or "", {"content": self.pages.body.text()})
        self._drafting.keep(draft, lambda _slot: None)

    def _offer_draft(self, draft: Draft | None) -> None:
        """Shows again what was typed before. Saving it compares with what it grew from."""
        if draft is None or draft.slot != self._slot or self.dirty:
            return
        self.pages.show_text(str(draft.fields["content"]))
        self._drafting.kept = True
        if self.dirty:
            if draft.base != (self._read_at or ""):
                self._ancestor = None  # an older text, which nobody kept
            self._read_at = draft.base or None
            self.origin.setText(self.tr("not saved yet, kept as a draft"))
        self._refresh_buttons()

    def _discard(self) -> None:
        self._drafting.drop(self._slot)
        self._show_block(self._base)


def _about(name: str) -> str:
    """What a block of that name is for, in one sentence."""
    return term("block" if name == "core" else name).sentence
