"""One conversation: what was said, what was learned from it, the summary, and what is sent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from store.records import Block, Conversation, Turn
from ui.conversations.learned_list import LearnedList, Lesson
from ui.conversations.turns_view import TurnsView
from ui.memory.markdown_editor import Preview
from ui.toolkit.formatting import moment_text, number_text
from ui.toolkit.theme import Theme
from ui.toolkit.view_widgets import button, in_line, label, tabbed

OPEN = "open"


class ConversationDetail(QWidget):
    """Shows; what is asked of it goes out as signals and button clicks."""

    renamed = Signal(str)
    save_asked = Signal()
    more_asked = Signal()
    tab_shown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._conversation: Conversation | None = None
        self._build(theme)
        self._connect()

    def _build(self, theme: Theme) -> None:
        self.setObjectName("editor")
        self.title = QLineEdit()
        self.title.setProperty("look", "title")
        self.title.setAccessibleName(self.tr("Title of the conversation"))
        self.pill = label(look="pill")
        self.end = button(self.tr("End"), name=self.tr("End the conversation"))
        self.delete = button(self.tr("Delete…"), "danger", self.tr("Delete the conversation"))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.end)
        head.addWidget(self.delete)
        under = QHBoxLayout()
        under.addWidget(self.pill)
        under.addStretch(1)
        self.learned = LearnedList(theme)
        self.tabs = tabbed()
        self.tabs.addTab(self._build_turns(theme), self.tr("What was said"))
        self.tabs.addTab(self.learned, self.tr("Learned"))
        self.tabs.addTab(self._build_summary(), self.tr("Summary"))
        self.tabs.addTab(self._build_prompt(), self.tr("What is sent"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 12, 20, 16)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(under)
        column.addWidget(self.tabs, 1)

    def _build_turns(self, theme: Theme) -> QWidget:
        page = QWidget()
        self.turns = TurnsView(theme)
        self.more = button(self.tr("Show more"), "link")
        self.more.hide()
        hint = label(self.tr("Select words to keep them as a memory."), "faint")
        self.save = button(self.tr("Save as a memory…"), "primary")
        self.save.setEnabled(False)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.turns, 1)
        column.addLayout(in_line(hint, self.more, None, self.save))
        return page

    def _build_summary(self) -> QWidget:
        self.about = label(look="mute", wrap=True)
        self.summary = Preview()
        self.summary.setAccessibleName(self.tr("Summary of the agent's conversations"))
        return _page(self.about, self.summary)

    def _build_prompt(self) -> QWidget:
        self.sent = label(look="mute", wrap=True)
        self.prompt = QPlainTextEdit(readOnly=True)
        self.prompt.setProperty("look", "code")
        self.prompt.setAccessibleName(self.tr("The exact prompt"))
        self.prompt.setTabChangesFocus(True)
        return _page(self.sent, self.prompt)

    def _connect(self) -> None:
        self.title.editingFinished.connect(self._rename)
        self.turns.picked.connect(self.save.setEnabled)
        self.save.clicked.connect(self.save_asked)
        self.more.clicked.connect(self.more_asked)
        self.tabs.currentChanged.connect(lambda _place: self.tab_shown.emit())

    @property
    def on_prompt(self) -> bool:
        return self.tabs.currentIndex() == 3

    # Showing

    def show_conversation(self, conversation: Conversation, name: str) -> None:
        if not self.title.hasFocus():
            self.title.setText(conversation.title)
        self.title.setPlaceholderText(name)
        self._conversation = conversation
        self.end.setVisible(conversation.state == OPEN)
        parts = [
            conversation.agent_id,
            conversation.workspace_id,
            self.tr("open") if conversation.state == OPEN else self.tr("ended"),
            moment_text(conversation.created_at),
        ]
        self.pill.setText(" · ".join(part for part in parts if part))

    def show_turns(self, turns: Sequence[Turn], agent: str, more: bool) -> None:
        self.turns.show_turns(turns, agent)
        self.more.setVisible(more)

    def add_turns(self, turns: Sequence[Turn], more: bool) -> None:
        self.turns.add_turns(turns)
        self.more.setVisible(more)

    def show_lessons(self, found: Sequence[Lesson]) -> None:
        self.learned.show_lessons(found)
        words = self.tr("Learned")
        self.tabs.setTabText(1, f"{words} {number_text(len(found))}" if found else words)

    def show_summary(self, block: Block | None, agent: str) -> None:
        if block is None or not block.content.strip():
            self.about.setText(
                self.tr(
                    "{agent} has no summary yet. It is written when a conversation ends."
                ).format(agent=agent)
            )
            self.summary.hide()
            return
        words = self.tr("What {agent} is told of its earlier conversations. Written {when}.")
        self.about.setText(words.format(agent=agent, when=moment_text(block.updated_at)))
        self.summary.show()
        self.summary.show_markdown(block.content)

    def show_prompt(self, prompt: str) -> None:
        self.sent.setText(
            self.tr("This, to the letter, goes to the writing model you configured.")
            if prompt
            else self.tr("Nothing: the built-in writer works on this machine.")
        )
        self.prompt.setVisible(bool(prompt))
        self.prompt.setPlainText(prompt)

    def go_to_turns(self, idents: Sequence[str]) -> bool:
        self.tabs.setCurrentIndex(0)
        return self.turns.mark(idents)

    def _rename(self) -> None:
        held = self._conversation
        if held is not None and self.title.text().strip() != held.title:
            self.renamed.emit(self.title.text().strip())


def _page(words: QWidget, text: QWidget) -> QWidget:
    """A text under words about it."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 10, 0, 0)
    column.setSpacing(8)
    column.addWidget(words)
    column.addWidget(text, 1)
    return page
