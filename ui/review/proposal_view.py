"""One proposal in full: what it would change, what is known already, and the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from app.review.inbox import FieldChange, Neighbours, WaitingProposal
from app.text.hidden import revealed
from store.instants import Clock
from store.records import JOIN, Entry, Scope, Turn
from ui.memory.change_text import TIMES
from ui.memory.markdown_editor import InPlaceEdit, Preview
from ui.toolkit.action_registry import keys_text
from ui.toolkit.diff_view import DiffView
from ui.toolkit.formatting import (
    age,
    agent_name,
    entry_title,
    field_label,
    moment_text,
    number_text,
    scope_text,
    snippet_of,
    word_text,
)
from ui.toolkit.help import explain
from ui.toolkit.plain_text import plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import heard
from ui.toolkit.widgets import (
    ElidedLink,
    ElidedPill,
    FlowLayout,
    KeyButton,
    button,
    emptied,
    in_line,
    label,
)

NEW, DIFF, EDIT = 0, 1, 2
SAID_CHARS = 400  # of a turn that something was learned from


def phrase(waiting: WaitingProposal) -> str:
    """What approving would do, in two words."""
    translate = QCoreApplication.translate
    words = {
        "store": translate("Proposals", "remember"),
        "change": translate("Proposals", "change"),
        "correct": translate("Proposals", "correct"),
        "forget": translate("Proposals", "forget"),
        "block": translate("Proposals", "write block"),
        "edit": translate("Proposals", "edit block"),
        "promote": translate("Proposals", "make core"),
        "demote": translate("Proposals", "no longer core"),
        JOIN: translate("Proposals", "let into workspace"),
    }
    if waiting.proposal.action == "store" and waiting.entry is not None:
        return translate("Proposals", "overwrite")
    return words.get(waiting.proposal.action, waiting.proposal.action)


def proposed_text(waiting: WaitingProposal) -> str:
    """What would stand there; for a wish, the sentence that says it."""
    if waiting.proposal.action != JOIN:
        return waiting.after
    sentence = QCoreApplication.translate(
        "Proposals",
        "{agent} asks to be let into the workspace {workspace}: to read what is shared there, and "
        "to write as its trust allows.",
    )
    return sentence.format(agent=agent_name(waiting.proposal.agent_id), workspace=waiting.title)


class AlikeEntries(QWidget):
    """Names memories that stand beside a proposal; hidden while there are none."""

    open_asked = Signal(str)

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inner = QWidget()
        self._flow = FlowLayout(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label(heading, "faint"))
        column.addWidget(inner)
        self.hide()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        emptied(self._flow)
        for entry in entries:
            chip = ElidedLink(named_snippet(entry))
            chip.setToolTip(plain_tip(entry.content[:500]))
            chip.clicked.connect(lambda _=False, ident=entry.id: self.open_asked.emit(ident))
            self._flow.addWidget(chip)
        self.setVisible(bool(entries))


class ProposalView(QWidget):
    """Shows one proposal. `edited` carries the text the person approved instead; `left` says that
    editing ended, `given_up` with the proposal's id what was typed that nobody approved."""

    edited = Signal(str)
    left = Signal()
    given_up = Signal(str, str)
    alike_asked = Signal(str)

    def __init__(self, theme: Theme, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self._waiting: WaitingProposal | None = None
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setObjectName("editor")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = label(look="title", wrap=True)
        self.origin = ElidedPill()
        self.reason = label(look="mute", wrap=True)
        self.said = label(look="mute", wrap=True)
        self.fields = label(look="fields", wrap=True)
        self.problem = label(look="notice", wrap=True)
        self.hidden = label(look="notice", wrap=True)
        self.alike = AlikeEntries(self.tr("Known already, and perhaps the same"))
        self.related = AlikeEntries(self.tr("Near in meaning"))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 16)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addLayout(in_line(self.origin, None))
        column.addWidget(self.reason)
        column.addWidget(self.said)
        column.addWidget(self.problem)
        column.addWidget(self.hidden)
        column.addWidget(self.fields)
        column.addWidget(self._build_pages(), 1)
        column.addWidget(self.alike)
        column.addWidget(self.related)
        column.addLayout(self._build_buttons())

    def _build_pages(self) -> QStackedWidget:
        self.pages = QStackedWidget()
        self.preview = Preview()
        self.preview.setAccessibleName(self.tr("What is proposed"))
        explain(self.preview, self.tr("What would be written if you approve."))
        self.diff = DiffView(self._theme)
        self.diff.set_titles(self.tr("Now"), self.tr("Proposed"))
        self.body = InPlaceEdit(self._theme)
        self.body.setAccessibleName(self.tr("The text to approve"))
        explain(self.body, self.tr("Change it before you approve; your text is what is kept."))
        for page in (self.preview, self.diff, self.body):
            self.pages.addWidget(page)
        return self.pages

    def _build_buttons(self) -> QVBoxLayout:
        self.approve = KeyButton(self.tr("Approve"), "A", self._theme)
        self.approve.setProperty("look", "primary")
        self.edit = KeyButton(self.tr("Edit and approve"), "E", self._theme)
        self.reject = KeyButton(self.tr("Reject"), "R", self._theme)
        self.approve_all = button("", "link")
        self.reject_all = button("", "link")
        self.trust = button("", "link")
        self.erase = button(self.tr("Erase for good…"), "link")
        column = QVBoxLayout()
        column.setSpacing(6)
        for widgets in (
            (self.approve, self.edit, self.reject),
            (self.approve_all, self.reject_all, self.trust, self.erase),
        ):
            row = FlowLayout(spacing=8)  # onto a further line where there is no room
            for widget in widgets:
                row.addWidget(widget)
            column.addLayout(row)
        return column

    def _connect(self) -> None:
        self.body.approved.connect(self.edited)
        self.body.left.connect(self._give_up)
        self.alike.open_asked.connect(self.alike_asked)
        self.related.open_asked.connect(self.alike_asked)

    @property
    def editing(self) -> bool:
        return self.pages.currentIndex() == EDIT

    def show_waiting(self, waiting: WaitingProposal, siblings: int, *, asks: bool) -> None:
        """`asks`: its agent asks before it writes, and could be trusted to write by itself."""
        same = self._waiting is not None and self._waiting.proposal == waiting.proposal
        if self.editing and same:
            return
        self._let_go()
        self._waiting = waiting
        proposal = waiting.proposal
        action = phrase(waiting)
        self.title.setText(
            self.tr("{deed} {title}").format(
                deed=f"{action[:1].upper()}{action[1:]}", title=revealed(waiting.title)
            )
        )
        own = proposal.scope == Scope("agent", proposal.agent_id)
        self.origin.setText(
            self.tr("{agent} · {scope} · {when}").format(
                agent=agent_name(proposal.agent_id),
                scope=self.tr("for itself") if own else scope_text(proposal.scope),
                when=age(proposal.created_at, self._clock()),
            )
        )
        _show_line(self.reason, revealed(proposal.reason))
        kept = self.tr("You rejected this. It is kept until you erase it.")
        _show_line(self.problem, kept if waiting.rejected else heard(waiting.problem))
        _show_line(self.hidden, self._hidden_text(waiting.hidden))
        _show_line(self.fields, "\n".join(field_text(change) for change in waiting.fields))
        self._show_text(waiting)
        if not same:
            self.said.hide()
        self.alike.hide()
        self.related.hide()
        self._show_buttons(waiting, siblings)
        self.trust.setVisible(asks and not waiting.rejected)

    def _hidden_text(self, count: int) -> str:
        if not count:
            return ""
        words = self.tr(
            "It holds characters that nobody sees ({n}); they are spelt ⟨U+…⟩ here and left out of "
            "what agents get."
        )
        return words.format(n=number_text(count))

    def _show_text(self, waiting: WaitingProposal) -> None:
        if waiting.before and waiting.before != waiting.after:
            self.diff.show_texts(revealed(waiting.before), revealed(waiting.after))
            self.pages.setCurrentIndex(DIFF)
        else:
            self.preview.show_markdown(revealed(proposed_text(waiting) or waiting.before))
            self.pages.setCurrentIndex(NEW)

    def _show_buttons(self, waiting: WaitingProposal, siblings: int) -> None:
        agent = agent_name(waiting.proposal.agent_id)
        self.approve.setText(self.tr("Approve"))
        self.approve.set_keys("A")
        self.approve.setEnabled(not waiting.problem)
        self.edit.setVisible(waiting.editable)
        for decides in (self.approve, self.reject):
            decides.setVisible(not waiting.rejected)
        for made, text in (
            (self.approve_all, self.tr("Approve all {n}").format(n=siblings)),
            (self.reject_all, self.tr("Reject all {n}").format(n=siblings)),
            (self.trust, self.tr("Let {agent} write by itself").format(agent=agent)),
        ):
            made.setText(text)
            made.setAccessibleName(text)
        self.approve_all.setVisible(siblings > 1)
        self.reject_all.setVisible(siblings > 1)

    def show_around(
        self, waiting: WaitingProposal, turns: Sequence[Turn], found: Neighbours
    ) -> None:
        """What was said that it was learned from, and what is known already, if that proposal is
        still the one shown."""
        if self._waiting is not None and self._waiting.proposal.id == waiting.proposal.id:
            agent = agent_name(waiting.proposal.agent_id)
            _show_line(self.said, "\n".join(self._said_text(turn, agent) for turn in turns))
            self.alike.show_entries(found.alike)
            self.related.show_entries(found.related)

    def _said_text(self, turn: Turn, agent: str) -> str:
        named = {"user": self.tr("You said"), "assistant": agent}
        speaker = named.get(turn.role, turn.role)
        when = moment_text(turn.created_at)
        text = revealed(snippet_of(turn.content, SAID_CHARS))
        return self.tr("{speaker}, {when}: “{text}”").format(speaker=speaker, when=when, text=text)

    def begin_edit(self, typed: str = "") -> None:
        """With what was proposed, or what was `typed` before."""
        if self.editing:
            self.body.setFocus()
        elif self._waiting is not None:
            self.body.set_text(typed or self._waiting.after)
            self.pages.setCurrentIndex(EDIT)
            self.approve.setText(self.tr("Approve this"))
            self.approve.set_keys(keys_text("Ctrl+A")[:-1] + "⏎")
            self.body.setFocus()

    def _let_go(self) -> None:
        """Nothing that was typed goes without a word."""
        if self.editing and self._waiting is not None:
            typed = self.body.text()
            if typed != self._waiting.after:
                self.given_up.emit(self._waiting.proposal.id, typed)

    def _give_up(self) -> None:
        self._let_go()
        self.end_edit()

    def end_edit(self) -> None:
        if self.editing and self._waiting is not None:
            self._show_text(self._waiting)
            self.approve.setText(self.tr("Approve"))
            self.approve.set_keys("A")
            self.left.emit()


def named_snippet(entry: Entry) -> str:
    """Its name and how it begins; once where the name is how it begins."""
    title, start = entry_title(entry), snippet_of(entry.content, 61)
    start = start if len(start) <= 60 else f"{start[:60].rstrip()}…"
    return start if title == entry_title(replace(entry, key="")) else f"{title}: {start}"


def _show_line(line: QLabel, text: str) -> None:
    """An empty line takes no room."""
    line.setText(text)
    line.setVisible(bool(text))


def field_text(change: FieldChange) -> str:
    """A field with what it was and what it would be: `Importance: 5 → 10`."""
    before, after = _plain(change, change.before), _plain(change, change.after)
    was = "" if change.before in (None, "", []) else f"{before} → "
    return f"{field_label(change.name)}: {was}{after}"


def _plain(change: FieldChange, value: object) -> str:
    if value in (None, "", []):
        return QCoreApplication.translate("Proposals", "(nothing)")
    if change.name in ("category", "kind"):
        value = word_text(str(value))
    if change.name in TIMES:
        value = moment_text(str(value))
    return revealed(", ".join(map(str, value)) if isinstance(value, list) else str(value))
