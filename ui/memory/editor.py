"""The editor: one memory in hand, drafts kept as they are typed, nothing ever lost."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.entries.browse import Draft, Drafts, Vocabulary
from app.errors import CredentialFound
from app.outcomes import UNSET, Conflict, KeyTaken, Proposed, Saved
from store.instants import Clock
from store.records import ACTIVE, TRASHED, Entry, Scope
from ui.memory.drafts import Drafting
from ui.memory.editor_form import HISTORY, EditorForm, Form, slot_of, slot_of_id
from ui.memory.field_form import FIELD_NAMES, Fields
from ui.toolkit.formatting import quoted, who
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages

if TYPE_CHECKING:
    from app.history.history import History, Version
    from app.memory.memory import Memory
    from ui.memory.history_view import ConflictTab, HistoryTab

Outcome = Saved | Conflict | KeyTaken | Proposed
NO_GROUP = 0  # of a version brought back: the look at the log tells what came of it


class EditorServices(Protocol):
    """Asked only in jobs: the first to ask for a service has it wired."""

    @property
    def drafts(self) -> Drafts: ...
    @property
    def history(self) -> History: ...
    @property
    def memory(self) -> Memory: ...


class Editor(QWidget):
    """Shows one memory, or a new one. Saving compares with what was read; a draft outlives crashes.

    `shown` tells which memory is in hand (None: a new one or none), `changed` follows every
    keystroke with the memory and the form over it, for what looks at unsaved edits."""

    shown = Signal(object)
    emptied = Signal()
    changed = Signal(object, object)
    saved = Signal(object)  # Saved
    forget_asked = Signal(list)
    untrash_asked = Signal(list)
    correct_asked = Signal(object)
    back_asked = Signal()
    draft_moved = Signal()  # one was kept, or went

    def __init__(
        self,
        services: EditorServices,
        jobs: Jobs,
        messages: Messages,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._on = services
        self._drafting = Drafting(services.drafts, jobs, self)
        self._jobs = jobs
        self._messages = messages
        self._theme = theme
        self._clock = clock
        self._base: Entry | None = None
        self._slot = ""
        self._original = Form()
        self._ancestor: Form | None = Form()  # what the edit grew from, if that is still known
        self._read_at = ""  # the version it grew from
        self._touched = False  # something was typed since the form was filled
        self._words = ""  # said instead of what to do, while no memory is in hand
        self._choice = True  # there is a memory to choose
        self._build(theme, clock)
        self._connect()
        self.show_nothing()

    def _build(self, theme: Theme, clock: Clock) -> None:
        self.setObjectName("editor")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.form = EditorForm(theme, clock)
        self._nothing = plain_label(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self._nothing.setProperty("look", "mute")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(self.form)
        self._cover: QWidget | None = None  # stands in front of it, for several at once
        self._under: QWidget = self._nothing
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        form = self.form
        form.edited.connect(self._edited)
        form.save.clicked.connect(self.save)
        form.discard.clicked.connect(self.discard)
        form.forget.clicked.connect(lambda: self._ask(self.forget_asked))
        form.restore.clicked.connect(lambda: self._ask(self.untrash_asked))
        form.correct.clicked.connect(lambda: self.correct_asked.emit(self._base))
        form.back.clicked.connect(self.back_asked)
        form.when_seen(form.history_page, self._show_versions)
        self._drafting.due.connect(self.keep_draft)
        self._drafting.moved.connect(self.draft_moved)

    @cached_property
    def _pages(self) -> tuple[HistoryTab, ConflictTab]:
        from ui.memory.history_view import ConflictTab, HistoryTab  # not for the first look

        history = HistoryTab(self._on, self.form, self._jobs, self._messages, self._theme)
        history.restored.connect(self._restored)
        conflict = ConflictTab(self.form, self._theme)
        conflict.mine.connect(self._keep_mine)
        conflict.theirs.connect(self._take_theirs)
        conflict.both.connect(self._keep_both)
        return history, conflict

    @property
    def history(self) -> HistoryTab:
        return self._pages[0]

    @property
    def conflict(self) -> ConflictTab:
        return self._pages[1]

    def _ask(self, asked: SignalInstance) -> None:
        if self._base is not None:
            asked.emit([self._base.id])

    def another(self) -> Editor:
        """An editor beside this one, over the same vault."""
        return Editor(self._on, self._jobs, self._messages, self._theme, self._clock)

    # What is in hand

    @property
    def entry(self) -> Entry | None:
        return self._base

    @property
    def slot(self) -> str:
        """Where the draft of what is in hand is kept; empty when nothing is."""
        return self._slot

    @property
    def busy(self) -> bool:
        """There is something in hand: a memory or a new one."""
        return bool(self._slot)

    @property
    def dirty(self) -> bool:
        """Whether what is typed differs from what is stored; asked of the form only if it may."""
        return bool(self._slot) and self._touched and self.form.form() != self._original

    def cover(self, panel: QWidget | None) -> None:
        """Puts `panel` in front of what is in hand, or takes it away again."""
        if panel is not None and self._stack.indexOf(panel) < 0:
            self._stack.addWidget(panel)
        self._cover = panel
        self._stack.setCurrentWidget(panel or self._under)

    def _reveal(self, page: QWidget) -> None:
        self._under = page
        if self._cover is None:
            self._stack.setCurrentWidget(page)

    def focus_on(self, name: str) -> None:
        """Takes the keyboard to the field that an action of that name is about."""
        fields = self.form.fields
        self.form.tabs.setCurrentIndex(0)
        {
            "retag": fields.tags.field,
            "recategorise": fields.category,
            "importance": fields.importance,
            "move": fields.scope,
        }[name].setFocus()

    def show_nothing(self, words: str = "") -> None:
        self.leave()
        self._base, self._slot, self._original = None, "", Form()
        self._words = words
        self.offer_choice(self._choice)
        self._reveal(self._nothing)
        self.shown.emit(None)
        self.emptied.emit()

    def offer_choice(self, there: bool) -> None:
        """Whether there is a memory to choose, which an editor without one asks for."""
        self._choice = there
        ask = self.tr("Choose a memory to read or change it.") if there else ""
        self._nothing.setText(self._words or ask)

    def offer(self, words: Vocabulary) -> None:
        """What the fields offer; agents may be called otherwise with it."""
        self.form.fields.offer(words)
        if self._base is not None:
            self.form.show_origin(self._base)

    def show_entry(self, entry: Entry) -> None:
        """Takes `entry` in hand; what was typed into the one before is kept as its draft. One that
        is in hand already stays as it is shown."""
        if self._base == entry or (
            self._base is not None and self._base.id == entry.id and self.dirty
        ):
            return
        self.leave()
        self._take(entry)
        self._drafting.read(self._slot, self._offer_draft)

    def show_new(self, form: Form | None = None, slot: str = "") -> None:
        """A memory that is not written yet."""
        self.leave()
        self._drafting.read_nothing()
        self._base = None
        self._slot = slot or f"new:{secrets.token_hex(8)}"
        self._original = Form(fields=form.fields if form else Fields())
        self.form.tell("")
        self._show(form or self._original)
        self.form.show_origin(None)
        self.shown.emit(None)
        self.form.take_keyboard()
        if form is not None and form != self._original:
            self._edited()

    def leave(self) -> None:
        """Puts what was typed in safety before something else is taken in hand."""
        if self._drafting.waiting:
            self.keep_draft()

    def refresh(self, entry: Entry) -> None:
        """Somebody wrote this memory: show it, unless the person is in the middle of an edit."""
        if self._base is None or entry.id != self._base.id:
            return
        if entry.updated_at == self._base.updated_at:
            return
        if self.dirty and entry.state == TRASHED:
            self.form.tell(self.tr("This memory is in the trash now; your edit is kept."))
        elif self.dirty:
            words = self.tr(
                "This memory was changed by {who} meanwhile; your edit is kept."
            ).format(who=who(entry.source))
            self.form.tell(words, lambda: self.conflict.show_conflict(entry), self.tr("Compare"))
        else:
            self._take(entry)

    def forget(self, idents: Collection[str]) -> None:
        """These were erased for good: neither their text nor what was typed into it stays."""
        self._drafting.forget(map(slot_of_id, idents))
        if self._base is None or self._base.id not in idents:
            return
        self._drafting.drop(self._slot)
        self.show_nothing(self.tr("This memory was erased for good."))
        self.form.clear()
        self.history.clear()
        self.conflict.clear()

    # Doing

    def save(self) -> None:
        self._save(self._on.memory)

    def _save(self, memory: Memory) -> None:
        if not self._slot or (self._base is not None and not self.dirty):
            return
        self.form.fields.end_typing()
        form, base, slot = self.form.form(), self._base, self._slot
        read_at = self._read_at
        saving = self._drafting.saving(slot)

        def work() -> Outcome:
            with saving:
                if base is None:
                    expected = None if form.key.strip() else UNSET
                    return memory.entries.store(form.as_new(), expected_updated_at=expected)
                return memory.entries.change(
                    base.id, form.changes_from(base), expected_updated_at=read_at
                )

        self.form.save.setEnabled(False)
        self._jobs.run(work, lambda outcome: self._settle(outcome, slot, form), self._not_saved)

    def tell(self, words: str) -> None:
        """Says that above the text, and takes the keyboard there."""
        self.form.tell(words)
        self.form.take_keyboard()

    def discard(self) -> None:
        """Back to what is stored; the draft goes, unless the person thinks better of it."""
        if self.dirty:
            self._offer_back(self._slot, self._base, self.form.form())
        self._drafting.drop(self._slot)
        if self._base is None:
            self._original = self.form.form()
            self.show_nothing()
        else:
            self._take(self._base)

    def _offer_back(self, slot: str, base: Entry | None, typed: Form) -> None:
        def bring_back() -> None:
            if base is None:
                self.show_new(typed, slot)
                return
            self.show_entry(base)
            self._show(typed)
            self._edited()

        words = self.tr("Discarded what you typed")
        self._messages.say(words, self.tr("Undo"), bring_back)

    def keep_draft(self) -> None:
        if not self._slot:
            return
        if not self.dirty:
            if self._touched:  # else a draft that is there was kept meanwhile, and not here
                self._drafting.drop(self._slot)
            return
        base = self._read_at if self._base else ""
        self._drafting.keep(Draft(self._slot, base, self.form.form().plain()), self._draft_kept)

    def split_off(self) -> None:
        """Saves what is before the cursor, and takes what is behind it in hand as a new memory."""
        rest = self.form.cut_behind_cursor() if self._slot else ""
        if not rest:
            self._messages.say(self.tr("Put the cursor between the two halves first."))
            return
        fields = self.form.form().fields._replace(hook="")
        self.save()
        self.show_new(Form("", rest, fields))

    # What came of it

    def _take(self, entry: Entry) -> None:
        self._hold(entry)
        self.form.tell("")
        self._show(self._original)
        self.form.show_origin(entry)
        self._jobs.run(
            lambda: len(self._on.history.of(entry.id)), self.form.show_versions, key="count"
        )
        self.shown.emit(entry)

    def _hold(self, entry: Entry) -> None:
        """What is typed is an edit of this version of it."""
        self._base, self._slot, self._original = entry, slot_of(entry), Form.of(entry)
        self._ancestor, self._read_at = self._original, entry.updated_at

    def _show(self, form: Form) -> None:
        self._drafting.kept = True
        self._touched = form != self._original
        self.form.show_conflict(False)
        self.form.show_form(form)
        self._reveal(self.form)
        self._restate()

    def _show_versions(self) -> None:
        self.history.show_entry(self._base.id if self._base is not None else "")

    def _offer_draft(self, draft: Draft | None) -> None:
        if draft is None or draft.slot != self._slot or self._base is None or self.dirty:
            return
        form = Form.of_draft(draft, self._original)
        if form == self._original:
            return
        if draft.base and draft.base != self._base.updated_at:
            ident = self._base.id
            self._jobs.run(
                lambda: version_at(self._on.history.versions(ident), draft.base),
                lambda base: self._offer_old_draft(draft, base),
                key="draft-base",
            )
            return
        self._show(form)
        words = self.tr("Your draft: agents still get the saved text.")
        self.form.tell(words, self.discard, self.tr("Discard"), calm=True)
        self._restate()

    def _offer_old_draft(self, draft: Draft, base: Form | None) -> None:
        """It was begun on an older version, perhaps not kept any more: saving compares with that
        one, so that what was written since is not overwritten unseen."""
        if draft.slot != self._slot or self._base is None or self.dirty:
            return
        current = self._base
        mine = Form.of_draft(draft, base or self._original)
        merged = Form.merged(base, mine, self._original) if base else None
        if merged is not None:
            self._show(merged)
            words = self.tr("Your draft, merged with what {who} wrote since.")
            words = words.format(who=who(current.source))
            self.form.tell(words, self.discard, self.tr("Discard"), calm=True)
        else:
            self._ancestor, self._read_at = base, draft.base
            self._show(mine)
            words = self.tr("You had not saved this yet, and it was changed since.")
            self.form.tell(words, lambda: self.conflict.show_conflict(current), self.tr("Compare"))
        self._restate()

    def _edited(self) -> None:
        self._touched = True
        self._drafting.typed()
        self._restate()
        self.changed.emit(self._base, self.form.form())

    def _restate(self) -> None:
        stored = self._base is not None and self._base.state == ACTIVE
        self.form.show_state(
            dirty=self.dirty,
            kept=self._drafting.kept,
            stored=stored,
            trashed=self._base is not None and not stored,
        )

    def _draft_kept(self, slot: str) -> None:
        if slot == self._slot:
            self._restate()

    def _settle(self, outcome: Outcome, slot: str, form: Form) -> None:
        match outcome:
            case Saved(entry):
                if slot == self._slot and self.form.form() == form:
                    self._stored(entry)
                elif slot == self._slot:
                    self._go_on(entry)
                self.saved.emit(outcome)
                if outcome.notice:
                    self._messages.say(outcome.notice)
            case Conflict(Entry() as current) if slot == self._slot:
                self._meet(current)
            case KeyTaken(_, key, suggestion):
                self._restate()
                self._messages.say(
                    self.tr("The key {key} is taken in that scope.").format(key=quoted(key)),
                    self.tr("Use {key}").format(key=quoted(suggestion)),
                    lambda: self._use_key(suggestion),
                )

    def _meet(self, theirs: Entry) -> None:
        """Somebody wrote it meanwhile: other lines and fields are merged by themselves, the same
        ones are the person's to decide."""
        mine = self.form.form()
        merged = Form.merged(self._ancestor, mine, Form.of(theirs)) if self._ancestor else None
        if merged is None:
            self.conflict.show_conflict(theirs)
            return
        self._hold(theirs)
        self._show(merged)
        if self.dirty:
            self.save()
        else:
            self._take(theirs)
        words = self.tr("Merged with what {who} wrote meanwhile.").format(who=who(theirs.source))
        self._messages.say(words)

    def _stored(self, entry: Entry) -> None:
        """What is on screen is what is stored now; fields that the store tidied are shown so."""
        if Form.of(entry) != self.form.form() or self._base is None:
            self._take(entry)
            return
        if entry.updated_at == self._base.updated_at:
            self._drafting.drop(self._slot)  # nothing was written that would have taken it along
        self._hold(entry)
        self._touched = False
        self._drafting.kept = True
        self.form.tell("")
        self.form.show_conflict(False)
        self.form.show_origin(entry)
        self.form.show_versions(self.form.version_count + 1)
        self._restate()
        self.shown.emit(entry)

    def _go_on(self, entry: Entry) -> None:
        """It was saved while the person typed on: what was typed since is the next edit."""
        if self._slot != slot_of(entry):
            self._drafting.drop(self._slot)
        self._hold(entry)
        self.form.show_origin(entry)
        self.shown.emit(entry)
        self._edited()

    def _use_key(self, key: str) -> None:
        self.form.key.setText(key)
        self._edited()
        self.save()

    def _not_saved(self, error: Exception) -> None:
        self._restate()
        self.keep_draft()
        if isinstance(error, CredentialFound):
            self._messages.say(
                str(error),
                self.tr("Save all the same"),
                lambda: self._save(self._on.memory.allowing_secrets()),
            )
        else:
            self._messages.fail(error)

    def _keep_mine(self, theirs: Entry) -> None:
        """Mine over theirs: theirs stays in the history."""
        self._hold(theirs)
        self.form.show_conflict(False)
        if self.dirty:
            self.save()
        else:
            self._take(theirs)

    def _take_theirs(self, theirs: Entry) -> None:
        self._drafting.drop(self._slot)
        self._take(theirs)

    def _keep_both(self, theirs: Entry) -> None:
        """Theirs stays; mine becomes a memory of its own."""
        mine = self.form.form()
        self._take_theirs(theirs)
        self.show_new(mine._replace(key=""))
        self.save()

    def _restored(self, entry: Entry) -> None:
        if self._base is not None and entry.updated_at == self._base.updated_at:
            self._messages.say(self.tr("It says this already; nothing was changed."))
            return
        self._original = self.form.form()
        self._take(entry)
        self.form.tabs.setCurrentIndex(HISTORY)
        self.saved.emit(Saved(entry, NO_GROUP, created=False))


def version_at(versions: Sequence[Version], at: str) -> Form | None:
    """What a memory said at that moment; None where it is not kept any more."""
    then = next((one for one in versions if one.change.at <= at), None)
    if then is None or then.fields is None:
        return None
    kept: dict[str, Any] = dict(then.fields)
    kept |= {"scope": Scope.of(kept["scope"]), "tags": tuple(kept["tags"])}
    fields = Fields(**{name: kept[name] for name in FIELD_NAMES})
    return Form(kept["key"], kept["content"], fields)
