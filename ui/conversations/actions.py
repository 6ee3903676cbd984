"""What can be done with a conversation: end it, keep words of it, forget what it taught, delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from app.access.caller_scope import Caller
from app.entries.browse import Vocabulary
from app.learning.conversations import Deleted
from app.learning.writer import Failed
from app.outcomes import Forgotten, Saved
from store.errors import KeepsakeError
from store.instants import Clock, Instant, from_instant
from store.records import Conversation, EntryDraft, Scope
from ui.conversations.turns_view import Passage
from ui.memory.field_form import Fields, FieldsForm
from ui.memory.markdown_editor import MarkdownEdit
from ui.memory.undo import Undoing
from ui.toolkit.formatting import entry_title, local, memories, quoted
from ui.toolkit.help import explain
from ui.toolkit.jobs import Jobs
from ui.toolkit.plain_text import plain_box, plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.toasts import Messages
from ui.toolkit.translation import counted, heard
from ui.toolkit.widgets import answers, dangerous_answer, fit_screen, label

if TYPE_CHECKING:
    from app.learning.conversations import Conversations, Ended
    from app.learning.provenance import Provenance
    from app.learning.session_memory import SessionMemory
    from app.learning.sleep import SettledConversation, Sleep
    from app.memory.memory import Memory
    from app.review.review import Review


class SaveWords(QDialog):
    """`draft` is what the person agreed to. `scopes` are offered first: the agent's, its
    workspace's."""

    draft: EntryDraft

    def __init__(
        self,
        text: str,
        scopes: Sequence[Scope],
        words: Vocabulary,
        theme: Theme,
        clock: Clock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Save as a memory"))
        fit_screen(self, 600, 520)
        self._build(theme, clock)
        self.body.set_text(text)
        self.fields.offer(words)
        for scope in scopes:
            self.fields.set_fields(Fields(scope=scope))
        self.fields.set_fields(Fields())
        self.body.textChanged.connect(self._refresh_ok)
        self._refresh_ok()
        self.body.setFocus()

    def _build(self, theme: Theme, clock: Clock) -> None:
        hint = plain_label(self.tr("The memory remembers where it was said."))
        hint.setProperty("look", "mute")
        self.body = MarkdownEdit(theme)
        self.body.setAccessibleName(self.tr("What to remember"))
        explain(self.body, self.tr("The words that become a memory; change them as you like."))
        self.fields = FieldsForm(theme, clock)
        self.key = self.fields.key
        self.problem = label(look="bad", wrap=True)
        self.problem.hide()
        buttons, self.ok = answers(self, self.tr("Save"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(hint)
        column.addWidget(self.body, 1)
        column.addWidget(self.fields)
        column.addWidget(self.problem)
        column.addWidget(buttons)

    def _refresh_ok(self) -> None:
        self.ok.setEnabled(bool(self.body.text().strip()))

    def accept(self) -> None:
        try:
            fields = self.fields.fields()
        except KeepsakeError as error:
            self.problem.setText(heard(error))
            self.problem.show()
            return
        said: dict[str, Any] = fields.values()
        self.draft = EntryDraft(self.body.text(), key=self.key.text().strip() or None, **said)
        super().accept()


OWNER = Caller()


@dataclass(frozen=True, slots=True)
class ConversationServices:
    conversations: Conversations
    provenance: Provenance
    session_memory: SessionMemory
    sleep: Sleep
    memory: Memory
    review: Review
    clock: Clock


class ConversationActions(QObject):
    """Changes conversations, off the GUI thread, and says what was done with its undo where there
    is one; then all views look again."""

    renamed = Signal()

    def __init__(
        self,
        services: ConversationServices,
        jobs: Jobs,
        messages: Messages,
        undoing: Undoing,
        room: QWidget,
    ) -> None:
        super().__init__(room)
        self._its = services
        self._jobs = jobs
        self._messages = messages
        self._undoing = undoing
        self._room = room

    def rename(self, held: Conversation, title: str) -> None:
        self._jobs.run(
            lambda: self._its.conversations.rename(OWNER, held.id, title),
            lambda _: self.renamed.emit(),
        )

    def end(self, held: Conversation) -> None:
        self._jobs.run(lambda: self._its.conversations.end(OWNER, held.id), self._ended)

    def _ended(self, ended: Ended) -> None:
        if ended.group:
            words = self.tr("Ended {name}").format(name=quoted(name_of(ended.conversation)))
            self._undoing.offer(words, ended.group)

    # Keeping words

    def save(self, held: Conversation, passage: Passage, words: Vocabulary, theme: Theme) -> None:
        """Asks how the passage is to be kept, and keeps it with its turn."""

        scopes = [Scope("agent", held.agent_id)]
        if held.workspace_id:
            scopes.append(Scope("workspace", held.workspace_id))
        dialog = SaveWords(passage.text, scopes, words, theme, self._its.clock, self._room)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            turn, draft = passage.turn.id, dialog.draft
            self._jobs.run(lambda: self._its.provenance.save_from(OWNER, turn, draft), self._saved)
        dialog.deleteLater()

    def _saved(self, saved: Saved) -> None:
        words = self.tr("Saved {key}").format(key=quoted(entry_title(saved.entry)))
        self._undoing.offer(words, saved.group)

    # What was learned

    def forget(self, idents: Sequence[str]) -> None:
        self._jobs.run(lambda: self._its.memory.entries.forget(list(idents)), self._forgotten)

    def forget_all(self, held: Conversation) -> None:
        self._jobs.run(lambda: self._its.provenance.forget_learned(OWNER, held.id), self._forgotten)

    def _forgotten(self, gone: Forgotten) -> None:
        words = self.tr("Forgot {what}").format(what=memories(len(gone.entries)))
        self._undoing.offer(words, gone.group)

    def learn(self, held: Conversation) -> None:
        self._jobs.run_long(
            self.tr("Learning…"), lambda _progress: self._its.sleep.settle(held.id), self._learned
        )

    def _learned(self, settled: SettledConversation) -> None:
        learned = settled.learned
        if isinstance(learned, Failed):
            self._messages.say(heard(learned.reason))
            return
        words = self.tr("Learned {what}").format(what=memories(len(learned.entries)))
        words += counted("; %Ln wait for review", len(learned.proposals))
        if learned.notice:
            words = f"{words}. {learned.notice}"
        if learned.group:
            self._undoing.offer(words, learned.group)
        else:
            self._messages.say(words)

    # Deleting

    def delete(self, held: Conversation, learned: int) -> None:
        """For good, after a question; what was learned stays or goes, as the person says."""
        answer = self._sure(name_of(held), learned)
        if answer is None:
            return
        forget = answer and learned > 0

        def work() -> tuple[Forgotten | None, Deleted]:
            gone = self._its.provenance.forget_learned(OWNER, held.id) if forget else None
            return gone, self._its.conversations.delete(OWNER, held.id)

        self._jobs.run(work, lambda done: self._deleted(held, *done))

    def _deleted(self, held: Conversation, gone: Forgotten | None, deleted: Deleted) -> None:
        words = self.tr("Deleted {name}").format(name=quoted(name_of(held)))
        if gone is not None:
            words += self.tr(" and forgot {what}").format(what=memories(len(gone.entries)))
        if deleted.state != "done":
            words += self.tr("; not gone from every file yet, Keepsake goes on with it")
        self._messages.say(words)
        self._undoing.done.emit()

    def _sure(self, name: str, learned: int) -> bool | None:
        """None: leave it. Else whether what was learned is forgotten too."""
        words = self.tr("Delete “{name}” and all that was said in it, for good?")
        box = plain_box(
            QMessageBox.Icon.Warning, self.tr("Delete"), words.format(name=name), self._room
        )
        also = self.tr("Also forget {what} learned from it")
        too = QCheckBox(also.format(what=memories(learned)))
        explain(
            too, self.tr("They go to the trash. Otherwise they stay, without where they came from.")
        )
        if learned:
            box.setCheckBox(too)
        yes = dangerous_answer(box, self.tr("Delete"))
        box.exec()
        return too.isChecked() if box.clickedButton() is yes else None


def name_of(one: Conversation) -> str:
    """Its title, or when it began."""
    words = QCoreApplication.translate("Conversations", "Untitled, {when}")
    return one.title or words.format(when=short_moment(one.created_at))


def short_moment(then: Instant) -> str:
    """Day and minute, local time."""
    pattern = QCoreApplication.translate("Conversations", "d MMM HH:mm")
    return QLocale().toString(local(from_instant(then)), pattern)
