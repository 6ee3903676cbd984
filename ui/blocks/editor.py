"""Blocks and summaries: writing one beside others who write it, with drafts and conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.blocks.blocks import BlockSaved
from app.care.erasure import Removal
from app.entries.browse import Draft, Drafts, block_slot
from app.outcomes import Conflict, Proposed
from app.rules.blocks import BlockLimits, gauge, template
from app.text.three_way import merge_text
from store.instants import Clock, to_instant
from store.records import OWNER, USER, Block, Change, Scope
from ui.blocks.pages import EDIT, BlockGauge, BlockList, BlockPages, ListedBlock
from ui.memory.drafts import Drafting
from ui.memory.undo import Undoing
from ui.toolkit.action_registry import keys_text
from ui.toolkit.formatting import age, quoted, scope_text, who
from ui.toolkit.help import term
from ui.toolkit.help_window import WhatIsThis
from ui.toolkit.jobs import Jobs
from ui.toolkit.theme import Theme
from ui.toolkit.two_line_list import Row
from ui.toolkit.widgets import (
    ElidedLabel,
    ElidedPill,
    KeyButton,
    button,
    filled,
    flowing,
    in_line,
    label,
    or_empty,
    side_by_side,
)

if TYPE_CHECKING:
    from app.access.agents import Agents
    from app.history.history import History
    from app.memory.memory import Memory


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
            self.tr("Each is a page that an agent keeps."),
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
        column.addLayout(flowing(self.title, self.asked, self.origin))
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
        if not isinstance(held, ListedBlock):
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
            words = self.tr("Saved {name}").format(name=quoted(outcome.block.name))
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
