"""The widgets of the hydration pane: title, budget, byte bar, tabs. What happens is the pane's."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.hydration.preview import HydrationPreview, MessageMatches
from app.recall.search import Hit
from app.rules.hydration import ArchivalLine
from store.instants import Clock, Instant
from store.records import Agent
from ui.hydration.byte_bar import BudgetSlider, ByteBar
from ui.hydration.items_list import HydrationList
from ui.hydration.run_options import HydrationOptions, Profile
from ui.hydration.verdict_text import figures_text, ways_text, ways_tip
from ui.toolkit.fonts import code_font
from ui.toolkit.formatting import entry_title, memories, number_text, size_text
from ui.toolkit.help import explain, explain_tabs, tip
from ui.toolkit.help_window import WhatIsThis
from ui.toolkit.plain_text import plain_label, plain_tip
from ui.toolkit.theme import Theme
from ui.toolkit.translation import counted, heard
from ui.toolkit.two_line_list import Row, RowList
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.widgets import ElidedLabel, filled, label, over_a_line, restyle

if TYPE_CHECKING:
    from app.mcp.instructions import Instructions

ITEMS, EXACT, MESSAGE = 0, 1, 2
TYPING_MS = 250  # a message is tried when the person pauses


class CodeReader(QPlainTextEdit):
    """Shows text to the letter, in the size of the theme."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shown_text = ""  # to the letter, where Qt's own text may have other spaces
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setProperty("look", "code")
        self.setTabChangesFocus(True)
        self._refresh_font()
        theme.changed.connect(self._refresh_font)

    def show_text(self, text: str) -> None:
        """Shows that text and stays where the person reads."""
        if text != self.shown_text:
            position = self.verticalScrollBar().value()
            self.shown_text = text
            self.setPlainText(text)
            self.verticalScrollBar().setValue(position)

    def _refresh_font(self) -> None:
        self.setFont(code_font(self._theme.px(12)))


class ItemsPage(QWidget):
    """Lists the items of an answer, and says how many are not listed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.list = HydrationList(theme)
        self.hidden = label(look="faint")
        self.hidden.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.list, 1)
        column.addWidget(self.hidden)

    def show_answer(self, answer: HydrationPreview, in_hand: str) -> None:
        """`in_hand` is the id of the item that is being looked at or edited."""
        self.list.show_items(answer.items, answer.agent.scope, in_hand)
        self.hidden.setVisible(answer.hidden > 0)
        self.hidden.setText(counted("and %Ln more left out, further down", answer.hidden))


class ExactTextPage(QWidget):
    """Shows byte for byte what the agent gets: all of it, or what its client is told when it
    connects."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._instructions: Instructions | None = None
        self._build(theme)
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.reader.shown_text)
        )
        self.way.currentIndexChanged.connect(self._refresh)

    def show_text(self, text: str) -> None:
        self._text = text
        self._refresh()

    def show_instructions(self, made: Instructions | None) -> None:
        """None while a past moment is looked at: nobody connects then."""
        self._instructions = made
        self.way.setEnabled(made is not None)
        if made is None:
            self.way.setCurrentIndex(0)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():  # laying out a long text takes its time
            return
        made = self._instructions
        at_connection = made is not None and self.way.currentIndex() == 1
        self.reader.show_text(made.text if made is not None and at_connection else self._text)

    def _build(self, theme: Theme) -> None:
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setAccessibleName(self.tr("Copy the exact text"))
        self.reader = CodeReader(self.tr("The exact text the agent gets"), theme)
        self.way = ChoiceField()
        self.way.setAccessibleName(self.tr("Which way"))
        explain(
            self.way,
            self.tr("All it would be told, or what its program is given when it connects."),
        )
        self.way.addItem(self.tr("All of it, as it gets it when it asks"))
        self.way.addItem(self.tr("When it connects, in the instructions"))
        self.way.setToolTip(self.tr("Byte for byte what the agent gets."))
        head = QHBoxLayout()
        head.addWidget(self.way, 1)
        head.addWidget(self.copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.reader, 1)


class MessagePage(QWidget):
    """Tries a message: which memories the agent is given with it. `typed` when the person paused
    after typing."""

    typed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pause = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._build(theme)
        self.message.textEdited.connect(lambda _text: self.pause.start())
        self.pause.timeout.connect(self.typed)

    def _build(self, theme: Theme) -> None:
        self.message = QLineEdit()
        self.message.setPlaceholderText(self.tr("A message to the agent"))
        self.message.setAccessibleName(self.tr("Message to try"))
        explain(
            self.message, self.tr("Type what you would say to see which memories would come along.")
        )
        self.words = label(
            self.tr("Type what you would say: below stand the memories that come with it."),
            "faint",
            wrap=True,
        )
        self.list = RowList(theme, self.tr("Memories for this message"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 12)
        column.setSpacing(8)
        column.addWidget(self.message)
        column.addWidget(self.words)
        column.addWidget(self.list, 1)

    def show_matches(self, found: MessageMatches) -> None:
        """Best first, with the line below which nothing is given."""
        rows = [self._row(hit) for hit in found.given]
        if found.below:
            far = len(found.given) < found.most
            rows.append(Row("cut", self._cut_text(found), heading=True))
            nearest = sorted(found.below, key=lambda hit: -hit.meaning) if far else found.below
            rows += [self._far_row(hit) if far else self._row(hit, "faint") for hit in nearest]
        if found.reminders:
            rows.append(Row("archival", self.tr("Archival lines, by the policy"), heading=True))
            rows += [self._reminder(line) for line in found.reminders]
        self.list.show_rows(rows)
        if rows:
            words = self.tr("With this message: {what}, {size} of text.")
            size = size_text(found.size)
            self.words.setText(words.format(what=memories(len(found.given)), size=size))
        elif self.message.text().strip():
            self.words.setText(self.tr("No memory matches this message."))

    def _cut_text(self, found: MessageMatches) -> str:
        """Why the rows below are not given: there is no room, or they are too far."""
        if len(found.given) < found.most:
            return self.tr("Not given: too far from the message")
        words = self.tr("Below the cut: the agent is given {n} at most")
        return words.format(n=number_text(found.most))

    def _reminder(self, line: ArchivalLine) -> Row:
        score = QLocale().toString(line.score, "f", 2)
        return Row(f"{line.block_id}:{line.line}", line.text, str(line.scope), score, "accent")

    def _row(self, hit: Hit, look: str = "") -> Row:
        score = QLocale().toString(hit.score, "f", 2)
        title, dot = entry_title(hit.entry), look or "accent"
        return Row(hit.entry.id, title, heard(hit.why), score, dot, look, value=hit.entry)

    def _far_row(self, hit: Hit) -> Row:
        """Of what is too far no rank is told, as it was not ranked among what is near, and not why
        it was found: how near its meaning is."""
        near = QLocale().toString(hit.meaning, "f", 2)
        words = self.tr("Nearness of meaning: {n}").format(n=near)
        return Row(
            hit.entry.id, entry_title(hit.entry), words, "", "faint", "faint", value=hit.entry
        )


class NoticeLine(QLabel):
    """One sentence over the items, with links in it; hidden while there is nothing to say."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("look", "notice-calm")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.hide()

    def link(self, target: str, text: str, color: str = "accent") -> str:
        """A link for the sentence, in a colour that reads on its ground."""
        ink = getattr(self._theme.tokens, color)
        return f"<a href='{target}' style='color:{ink}'>{text}</a>"

    def show_words(self, words: str, *, bad: bool = False) -> None:
        look = "notice" if bad else "notice-calm"
        if self.property("look") != look:
            restyle(self, look)
        self.setText(words)
        self.setVisible(bool(words))


class HydrationWidgets(QWidget):
    """Fills the widget it is given. `changed` when the person chose another budget or option."""

    changed = Signal()

    def __init__(self, theme: Theme, clock: Clock, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme = theme
        self._profile: Profile | None = None
        self._build(clock)
        self._connect()
        filled(owner, self)

    def _build(self, clock: Clock) -> None:
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._build_nobody())
        self._stack.addWidget(self._build_body(clock))

    def _build_nobody(self) -> QWidget:
        page = QWidget()
        words = plain_label(
            self.tr("Here you see what an agent will be told, once you have one."), wordWrap=True
        )
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words.setProperty("look", "mute")
        self.add = QPushButton(self.tr("Add an agent…"))
        self.add.setAccessibleName(self.add.text())
        column = QVBoxLayout(page)
        column.setContentsMargins(32, 0, 32, 0)
        column.addStretch(1)
        column.addWidget(words)
        column.addSpacing(12)
        column.addWidget(self.add, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        return page

    def _build_body(self, clock: Clock) -> QWidget:
        page = QWidget()
        self.options = HydrationOptions(clock)
        self.options.hide()
        self.bar = ByteBar(self._theme)
        self.notice = NoticeLine(self._theme)
        self.ways = label(look="faint", wrap=True)
        self.ways.hide()
        self.price = label(look="faint", wrap=True)
        self.price.hide()
        explain(
            self.price,
            self.tr(
                "Many assistants pay less for the beginning of a text that they have had before: "
                "what rarely changes stands first, and an edit costs what comes after it."
            ),
        )
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 13, 16, 0)
        column.setSpacing(8)
        column.addLayout(self._build_header())
        column.addLayout(self._build_budget())
        column.addWidget(self.trying)
        column.addWidget(self.options)
        column.addWidget(self.bar)
        column.addWidget(self.ways)
        column.addWidget(self.price)
        column.addWidget(self.notice)
        self._build_pages(column)
        return page

    def _build_header(self) -> QHBoxLayout:
        self.title = ElidedLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setProperty("look", "heading")
        self.agent = ChoiceField()
        self.agent.setAccessibleName(self.tr("Agent"))
        explain(
            self.agent,
            self.tr("Whose start you look at: below is what this agent would be told now."),
        )
        self.agent.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.agent.setMaximumWidth(190)
        # The heading has a shorter form for want of room; the name has none.
        self.agent.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.more = QToolButton()
        self.more.setText("···")
        self.more.setCheckable(True)
        self.more.setProperty("look", "quiet")
        self.more.setAccessibleName(self.tr("For which run"))
        self.more.setToolTip(self.tr("Workspace, conversation, policy, a past moment"))
        row = QHBoxLayout()
        row.setSpacing(6)
        self.asked = WhatIsThis("hydration", "core", "budget")
        row.addWidget(self.title)
        row.addWidget(self.asked)
        row.addStretch(1)
        row.addWidget(self.agent)
        row.addWidget(self.more)
        return row

    def _build_budget(self) -> QHBoxLayout:
        self.slider = BudgetSlider(self._theme)
        self.figures = QLabel(textFormat=Qt.TextFormat.RichText)
        self.trying = NoticeLine(self._theme)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.slider, 1)
        row.addWidget(self.figures)
        return row

    def _build_pages(self, column: QVBoxLayout) -> None:
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(self.tr("Views of the answer"))
        for name in (self.tr("Items"), self.tr("Exact text"), self.tr("Try a message")):
            self.tabs.addTab(name)
        explain_tabs(
            self.tabs,
            self.tr("What it would be told and what is left out, with the reason."),
            self.tr("The text it gets, word for word."),
            self.tr("What would come along with a message of yours."),
        )
        self.items = ItemsPage(self._theme)
        self.exact = ExactTextPage(self._theme)
        self.trial = MessagePage(self._theme)
        self.pages = QStackedWidget()
        for page in (self.items, self.exact, self.trial):
            self.pages.addWidget(page)
        column.addLayout(over_a_line(self.tabs))
        column.addWidget(self.pages, 1)

    def _connect(self) -> None:
        self.more.toggled.connect(self.options.setVisible)
        self.tabs.currentChanged.connect(self._turn)
        self.slider.moved.connect(self.options.set_budget)
        self.slider.moved.connect(self._say_trial)
        self.slider.moved.connect(self.changed)
        self.options.changed.connect(self._follow_budget)
        self.options.changed.connect(self.changed)

    def _turn(self, tab: int) -> None:
        self.pages.setCurrentIndex(tab)
        if tab == MESSAGE and not self.tabs.hasFocus():  # the arrows go on to the next tab
            self.trial.message.setFocus()

    @property
    def message(self) -> str:
        """What is being tried; empty while the person looks at something else."""
        return self.trial.message.text() if self.tabs.currentIndex() == MESSAGE else ""

    # Showing

    def show_agents(self, agents: Sequence[Agent]) -> None:
        self._stack.setCurrentIndex(1 if agents else 0)
        known = [self.agent.itemData(row) for row in range(self.agent.count())]
        if known == [agent.id for agent in agents]:
            return
        self.agent.clear()
        for agent in agents:
            self.agent.addItem(agent.name, agent.id)

    def show_profile(self, profile: Profile, *, fresh: bool) -> None:
        """`fresh`: the options start anew from the profile."""
        self.agent.setCurrentIndex(self.agent.findData(profile.agent.id))
        self._show_title(profile.agent, None)
        self.options.show_profile(profile, fresh)
        self._profile = profile
        self._follow_budget()

    def show_answer(self, answer: HydrationPreview, at: Instant | None, in_hand: str) -> None:
        """`at` is the past moment it is about, None for now."""
        found = answer.hydration
        self._show_title(answer.agent, at)
        self.bar.show_shares(answer.shares, found.budget)
        self.slider.set_fit(answer.fit if at is None else None)
        self.figures.setText(figures_text(found, self._theme.tokens.faint))
        self.items.show_answer(answer, in_hand)
        self.show_text(found.text)

    def show_text(self, text: str) -> None:
        """Only where it is looked at: laying it out takes its time."""
        if self.tabs.currentIndex() == EXACT:
            self.exact.show_text(text)

    def show_instructions(self, made: Instructions | None) -> None:
        """What the agent's client is told when it connects, in one sentence and to the letter."""
        self.exact.show_instructions(made)
        self.ways.setVisible(made is not None)
        if made is not None:
            self.ways.setText(ways_text(made))
            self.ways.setToolTip(tip(ways_tip(made)))

    def show_price(self, words: str) -> None:
        """How much of the text stays as it was; nothing where nobody can say."""
        self.price.setText(words)
        self.price.setVisible(bool(words))

    def _show_title(self, agent: Agent, at: Instant | None) -> None:
        words = self.tr("What {name} will be told") if at is None else self.tr("What {name} knew")
        text = words.format(name=agent.name)
        self.title.shorter = self.tr("What it is told") if at is None else self.tr("What it knew")
        self.title.setToolTip(plain_tip(text))
        self.title.setText(text)

    def _follow_budget(self) -> None:
        self.slider.set_bytes(self.options.budget.value())
        self._say_trial()

    def _say_trial(self) -> None:
        """That the slider only tries a budget, what the agent's own is, and the way back to it."""
        profile, tried = self._profile, self.options.budget.value()
        if profile is None or tried == profile.budget:
            self.trying.show_words("")
            return
        words = self.tr("Trying {size} · {name}’s own is {own}").format(
            size=size_text(tried), name=profile.agent.name, own=size_text(profile.budget)
        )
        reset = self.trying.link("reset", self.tr("Reset"))
        keep = self.trying.link("keep", self.tr("Keep"))
        self.trying.show_words(f"{escape(words)} · {reset} · {keep}")
