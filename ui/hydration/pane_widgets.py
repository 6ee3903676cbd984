"""The hydration pane's face: title, budget, byte bar, tabs. What happens is the pane's."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QStackedLayout,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.rules.next_fit import Fit
from store.instants import Clock, Instant
from store.records import Agent
from ui.hydration.byte_bar import ByteBar
from ui.hydration.items_list import HydrationList
from ui.hydration.run_options import HydrationOptions
from ui.toolkit.fonts import code_font
from ui.toolkit.formatting import number_text, size_text
from ui.toolkit.theme import Theme
from ui.toolkit.value_fields import ChoiceField
from ui.toolkit.view_widgets import ElidedLabel, over_a_line
from ui.toolkit.widgets import restyle

LEAST, MOST = 512, 262_144
STEPS = 1_000
KNOB = 16


class BudgetSlider(QSlider):
    """`moved` says the bytes the person chose; `set_bytes` shows a number without saying so."""

    moved = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._bytes = LEAST
        self._fit: Fit | None = None
        self.setRange(0, STEPS)
        self.setSingleStep(8)
        self.setPageStep(60)
        self.setAccessibleName(self.tr("Budget"))
        self.setFixedHeight(24)
        self.valueChanged.connect(self._slid)

    @property
    def bytes(self) -> int:
        return self._bytes

    def set_bytes(self, number: int) -> None:
        self._bytes = number
        blocked = self.blockSignals(True)
        self.setValue(step_of(number))
        self.blockSignals(blocked)
        self._tell()

    def set_fit(self, fit: Fit | None) -> None:
        """Marks the budget at which the next memory would be in."""
        if fit != self._fit:
            self._fit = fit
            self._tell()
            self.update()

    def _slid(self, step: int) -> None:
        self._bytes = bytes_at(step)
        self._tell()
        self.moved.emit(self._bytes)

    def _tell(self) -> None:
        words = size_text(self._bytes)
        if self._fit is not None:
            more = self.tr("at {size} {key} would fit").format(
                size=size_text(self._fit.budget), key=self._fit.key
            )
            words = f"{words}; {more}"
        self.setToolTip(words)
        self.setAccessibleDescription(words)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, 24)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # as every field does: ui/value_fields.py

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens, middle = self._theme.tokens, self.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.color("line"))
        painter.drawRoundedRect(QRectF(0, middle - 2, self.width(), 4), 2, 2)
        rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        here = self._at(self.value())
        painter.setBrush(tokens.color("accent"))
        done = (
            QRectF(here, middle - 2, self.width() - here, 4)
            if rtl
            else (QRectF(0, middle - 2, here, 4))
        )
        painter.drawRoundedRect(done, 2, 2)
        if self._fit is not None and self._fit.budget <= MOST:
            painter.setBrush(tokens.color("recent"))
            mark = self._at(step_of(self._fit.budget))
            painter.drawRoundedRect(QRectF(mark - 1, middle - 8, 3, 16), 1, 1)
        painter.setBrush(tokens.color("panel"))
        pen = painter.pen()
        pen.setStyle(Qt.PenStyle.SolidLine)
        pen.setColor(tokens.color("text" if self.hasFocus() else "accent"))
        pen.setWidthF(2)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(here - KNOB / 2, middle - KNOB / 2, KNOB, KNOB), 6, 6)

    def _at(self, step: int) -> float:
        room = self.width() - KNOB - 2
        share = step / STEPS
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            share = 1 - share
        return KNOB / 2 + 1 + room * share


def step_of(number: int) -> int:
    inside = min(max(number, LEAST), MOST)
    return round(STEPS * math.log(inside / LEAST) / math.log(MOST / LEAST))


def bytes_at(step: int) -> int:
    """Round numbers: people choose 8 KiB, not 8,131 bytes."""
    exact: float = LEAST * (MOST / LEAST) ** (step / STEPS)
    grain = 1 << max(int(math.log2(exact)) - 5, 0)
    return round(exact / grain) * grain


ITEMS, EXACT, MESSAGE = 0, 1, 2


class HydrationFace(QWidget):
    """Fills the widget it is given."""

    def __init__(self, theme: Theme, clock: Clock, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme = theme
        self._text = ""
        self._build(clock)
        self._adopt()
        theme.changed.connect(self._adopt)
        self.more.toggled.connect(self.options.setVisible)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        layout = QVBoxLayout(owner)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self)

    def _build(self, clock: Clock) -> None:
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._build_nobody())
        self._stack.addWidget(self._build_body(clock))

    def _build_nobody(self) -> QWidget:
        page = QWidget()
        words = QLabel(
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
        self.notice = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        self.notice.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.notice.hide()
        column = QVBoxLayout(page)
        column.setContentsMargins(16, 13, 16, 0)
        column.setSpacing(8)
        column.addLayout(self._header())
        column.addLayout(self._budget_row())
        column.addWidget(self.options)
        column.addWidget(self.bar)
        column.addWidget(self.notice)
        column.addLayout(self._tab_row())
        column.addWidget(self._build_pages(), 1)
        return page

    def _header(self) -> QHBoxLayout:
        self.title = ElidedLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setProperty("look", "heading")
        self.title.setMinimumWidth(60)
        self.agent = ChoiceField()
        self.agent.setAccessibleName(self.tr("Agent"))
        self.agent.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.agent.setMaximumWidth(150)
        self.more = QToolButton()
        self.more.setText("···")
        self.more.setCheckable(True)
        self.more.setProperty("look", "quiet")
        self.more.setAccessibleName(self.tr("For which run"))
        self.more.setToolTip(self.tr("Workspace, conversation, policy, a past moment"))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.title, 1)
        row.addWidget(self.agent)
        row.addWidget(self.more)
        return row

    def _budget_row(self) -> QHBoxLayout:
        self.slider = BudgetSlider(self._theme)
        self.figures = QLabel(textFormat=Qt.TextFormat.RichText)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.slider, 1)
        row.addWidget(self.figures)
        return row

    def _tab_row(self) -> QVBoxLayout:
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(self.tr("Views of the answer"))
        for name in (self.tr("Items"), self.tr("Exact text"), self.tr("Try a message")):
            self.tabs.addTab(name)
        return over_a_line(self.tabs)

    def _build_pages(self) -> QStackedWidget:
        self.pages = QStackedWidget()
        self.pages.addWidget(self._items_page())
        self.pages.addWidget(self._text_page())
        self.pages.addWidget(self._message_page())
        return self.pages

    def _items_page(self) -> QWidget:
        self.list = HydrationList(self._theme)
        self.hidden = QLabel()
        self.hidden.setProperty("look", "faint")
        self.hidden.hide()
        return _column(self.list, self.hidden)

    def _text_page(self) -> QWidget:
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setAccessibleName(self.tr("Copy the exact text"))
        self.exact = _reader(self.tr("The exact text the agent gets"))
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        words = QLabel(self.tr("Byte for byte what the agent gets."), wordWrap=True)
        words.setProperty("look", "faint")
        row.addWidget(words, 1)
        row.addWidget(self.copy)
        return _column(head, self.exact, below=12)

    def _message_page(self) -> QWidget:
        self.message = QLineEdit()
        self.message.setPlaceholderText(self.tr("A message to the agent"))
        self.message.setAccessibleName(self.tr("Message to try"))
        self.preload_words = QLabel(
            self.tr(
                "Type what you would say. Below: the memories the agent is given with it. In the "
                "items: archival lines, when archival is set to the best lines."
            ),
            wordWrap=True,
        )
        self.preload_words.setProperty("look", "faint")
        self.preload = _reader(self.tr("The pre-load text"))
        return _column(self.message, self.preload_words, self.preload, below=12)

    # Showing

    def show_agents(self, agents: Sequence[Agent]) -> None:
        self._stack.setCurrentIndex(1 if agents else 0)
        known = [self.agent.itemData(row) for row in range(self.agent.count())]
        if known == [agent.id for agent in agents]:
            return
        self.agent.clear()
        for agent in agents:
            self.agent.addItem(agent.name, agent.id)

    def choose(self, agent: Agent) -> None:
        self.agent.setCurrentIndex(self.agent.findData(agent.id))
        self.show_title(agent, None)

    def show_title(self, agent: Agent, at: Instant | None) -> None:
        words = self.tr("What {name} will be told") if at is None else self.tr("What {name} knew")
        text = words.format(name=agent.name)
        self.title.setToolTip(text)
        self.title.setText(text)

    def show_figures(self, used: int, budget: int, tokens: int) -> None:
        tokens_color = self._theme.tokens.faint
        self.figures.setText(
            self.tr("<b>{used}</b> of {budget}").format(
                used=size_text(used).replace(" ", "&nbsp;"),
                budget=size_text(budget).replace(" ", "&nbsp;"),
            )
            + f" <span style='color:{tokens_color}'>≈&nbsp;{number_text(tokens)}&nbsp;"
            + self.tr("tokens")
            + "</span>"
        )

    def show_text(self, text: str) -> None:
        if text != self._text or not self.exact.toPlainText():
            place = self.exact.verticalScrollBar().value()
            self._text = text
            self.exact.setPlainText(text)
            self.exact.verticalScrollBar().setValue(place)

    def show_hidden(self, number: int) -> None:
        self.hidden.setVisible(number > 0)
        self.hidden.setText(
            self.tr("and {n} more left out, further down").format(n=number_text(number))
        )

    def show_preload(self, words: str, text: str) -> None:
        self.preload_words.setText(words)
        if self.preload.toPlainText() != text:
            self.preload.setPlainText(text)

    def link(self, target: str, text: str, color: str = "accent") -> str:
        """A link for `tell`, in a colour that reads on its ground."""
        ink = getattr(self._theme.tokens, color)
        return f"<a href='{target}' style='color:{ink}'>{text}</a>"

    def tell(self, words: str, *, bad: bool = False) -> None:
        self.notice.setVisible(bool(words))
        self.notice.setText(words)
        look = "notice" if bad else "notice-calm"
        if self.notice.property("look") != look:
            restyle(self.notice, look)

    def _adopt(self) -> None:
        for reader in (self.exact, self.preload):
            reader.setFont(code_font(self._theme.px(12)))


def _reader(name: str) -> QPlainTextEdit:
    reader = QPlainTextEdit(readOnly=True)
    reader.setAccessibleName(name)
    reader.setProperty("look", "code")
    reader.setTabChangesFocus(True)
    return reader


def _column(*parts: QWidget, below: int = 0) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0 if len(parts) == 2 and not below else 10, 0, below)
    column.setSpacing(8)
    for part in parts:
        column.addWidget(part, int(isinstance(part, QPlainTextEdit | HydrationList)))
    return page
