"""The first look at an empty vault: three cards, one click each; and the first minute after it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.toolkit.help import explain
from ui.toolkit.icons import icon
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme
from ui.toolkit.widgets import button, in_line


class Card(QFrame):
    clicked = Signal()

    def __init__(
        self, picture: str, title: str, text: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._picture = picture
        self._theme = theme
        self._build(title, text)
        self._refresh_icon()
        theme.changed.connect(self._refresh_icon)

    def _build(self, title: str, text: str) -> None:
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setMinimumWidth(150)
        self.setMaximumWidth(260)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._drawn = plain_label()
        heading = plain_label(title, wordWrap=True)
        heading.setProperty("look", "heading")
        words = plain_label(text, wordWrap=True)
        words.setProperty("look", "mute")
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 18, 18, 18)
        column.setSpacing(8)
        column.addWidget(self._drawn)
        column.addWidget(heading)
        column.addWidget(words)
        column.addStretch(1)

    def _refresh_icon(self) -> None:
        self._drawn.setPixmap(icon(self._picture, self._theme.tokens.accent).pixmap(24, 24))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class FirstRun(QWidget):
    """Shown while the vault has no memory at all."""

    samples_asked = Signal()
    import_asked = Signal()
    connect_asked = Signal()
    sessions_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._build(theme)

    def _build(self, theme: Theme) -> None:
        title = plain_label(self.tr("What should your assistants remember?"), wordWrap=True)
        title.setProperty("look", "title")
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words = plain_label(
            self.tr(
                "Keepsake is where you see, fix and decide it. Everything stays on this machine."
            ),
            wordWrap=True,
        )
        words.setProperty("look", "mute")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        hint = plain_label(self.tr("Or press Ctrl+N and write the first one yourself."))
        hint.setProperty("look", "faint")
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(title)
        column.addWidget(words)
        column.addSpacing(16)
        column.addLayout(self._build_cards(theme))
        self._offer = QHBoxLayout()
        column.addLayout(self._offer)
        column.addSpacing(8)
        column.addWidget(hint)
        column.addStretch(3)

    def _build_cards(self, theme: Theme) -> QHBoxLayout:
        self.cards = [
            Card(
                "spark",
                self.tr("Start with samples"),
                self.tr("About sixty memories of a made-up person. One click removes them."),
                theme,
            ),
            Card(
                "import",
                self.tr("Import what you have"),
                self.tr("Markdown notes, Obsidian, Claude, ChatGPT. You see what comes first."),
                theme,
            ),
            Card(
                "agent",
                self.tr("Connect an agent"),
                self.tr("Claude, Cursor, Codex or your own: it reads and writes the same memory."),
                theme,
            ),
        ]
        for card, signal in zip(
            self.cards, (self.samples_asked, self.import_asked, self.connect_asked), strict=True
        ):
            card.clicked.connect(signal)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addStretch(1)
        for card in self.cards:
            row.addWidget(card, 4)
        row.addStretch(1)
        return row

    def offer_sessions(self, title: str) -> None:
        """One more card, above all others in worth: past sessions were found on this machine."""
        words = self.tr(
            "See what they say about you. Nothing is sent anywhere; all of it waits for review."
        )
        card = Card("agent", title, words, self._theme)
        card.setMaximumWidth(560)
        card.clicked.connect(self.sessions_asked)
        self.cards.append(card)
        self._offer.addStretch(1)
        self._offer.addWidget(card, 4)
        self._offer.addStretch(1)


class TourStep(NamedTuple):
    """One stop of the first minute: the part of the window it is about, and what is said there."""

    part: str  # its object name
    title: str
    words: str


class FirstMinute(QFrame):
    """Three steps over the samples, one at a time beside what each is about; Escape skips them."""

    WIDTH, GAP = 300, 12

    def __init__(
        self,
        window: QWidget,
        show_list: Callable[[], None] = lambda: None,
        toggle_pane: Callable[[], None] = lambda: None,
    ) -> None:
        """In a narrow window `show_list` brings the cards in front, and `toggle_pane` what an
        assistant is told."""
        super().__init__(window)
        self._window = window
        self._show_list = show_list
        self._toggle_pane = toggle_pane
        self._opened_in: QWidget | None = None  # where the pane stood when its step opened it
        self._held = window.focusWidget()  # what had the keyboard before
        self._at = 0
        self.steps = self._steps()
        self._build()
        self._show_step()
        for watched in (window, *self._parts()):
            watched.installEventFilter(self)

    def _steps(self) -> list[TourStep]:
        return [
            TourStep(
                "listPane",
                self.tr("What is remembered"),
                self.tr("Each card is one thing your assistants may use. Click one to change it."),
            ),
            TourStep(
                "pane",
                self.tr("What an assistant is told"),
                self.tr(
                    "This is what Claude would know before you say a word. A ✕ was left out; the "
                    "line below it says why and what to do."
                ),
            ),
            TourStep(
                "sidebar",
                self.tr("What needs you"),
                self.tr(
                    "Under Review stands what an assistant would like to remember. Nothing of it "
                    "counts until you approve."
                ),
            ),
        ]

    def _build(self) -> None:
        self.setObjectName("firstMinute")
        self.title = plain_label(wordWrap=True)
        self.title.setProperty("look", "heading")
        self.words = plain_label(wordWrap=True)
        self.count = plain_label()
        self.count.setProperty("look", "faint")
        self.skip = button(self.tr("Skip"), "link", self.tr("Skip the first minute"))
        explain(self.skip, self.tr("Help brings it back: Show me around."))
        self.next = button("", "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.setSpacing(6)
        column.addWidget(self.title)
        column.addWidget(self.words)
        column.addSpacing(4)
        column.addLayout(in_line(self.count, None, self.skip, self.next))
        self.setFixedWidth(self.WIDTH)
        self.skip.clicked.connect(self.end)
        self.next.clicked.connect(self._go_on)

    def _show_step(self) -> None:
        step, last = self.steps[self._at], self._at == len(self.steps) - 1
        self._bring_in_sight(step.part)
        self.title.setText(step.title)
        self.words.setText(step.words)
        self.count.setText(f"{self._at + 1} / {len(self.steps)}")
        self.next.setText(self.tr("Done") if last else self.tr("Next"))
        self.next.setAccessibleName(self.next.text())
        self.skip.setVisible(not last)
        self.setAccessibleName(f"{step.title}. {step.words}")
        self._place()
        self.show()
        self.raise_()
        self.next.setFocus()

    def _bring_in_sight(self, name: str) -> None:
        """No step speaks of what a narrow window does not show; the pane closes after its own."""
        part = self._window.findChild(QWidget, name)
        hidden = part is not None and not part.isVisible()
        if name == "listPane" and hidden:
            self._show_list()
        if name == "pane" and part is not None and hidden:
            self._toggle_pane()
            self._opened_in = part.parentWidget()
        elif name != "pane":
            self._close_pane()

    def _close_pane(self) -> None:
        """As it was before its step; not where the person closed it, or made room for it."""
        pane, opened_in = self._window.findChild(QWidget, "pane"), self._opened_in
        self._opened_in = None
        if pane is not None and not pane.isHidden() and pane.parentWidget() is opened_in:
            self._toggle_pane()

    def _place(self) -> None:
        """Beside its part and inside the window; in the middle where that part is not in sight."""
        self.setFixedHeight(self.heightForWidth(self.WIDTH))
        room = self._window.rect()
        part = self._window.findChild(QWidget, self.steps[self._at].part)
        spot = QPoint((room.width() - self.WIDTH) // 2, (room.height() - self.height()) // 2)
        if part is not None and part.isVisible():
            corner = part.mapTo(self._window, QPoint(0, 0))
            after = corner.x() + part.width() + self.GAP
            before = corner.x() - self.WIDTH - self.GAP
            rtl = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            fits = before >= 0 if rtl else after + self.WIDTH <= room.width()
            spot = QPoint((before if rtl else after) if fits else (after if rtl else before), 120)
        left = min(max(spot.x(), self.GAP), room.width() - self.WIDTH - self.GAP)
        self.move(left, spot.y())

    def _parts(self) -> list[QWidget]:
        found = [self._window.findChild(QWidget, step.part) for step in self.steps]
        return [part for part in found if part is not None]

    def _go_on(self) -> None:
        self._at += 1
        if self._at < len(self.steps):
            self._show_step()
        else:
            self.end()

    def end(self) -> None:
        for watched in (self._window, *self._parts()):
            watched.removeEventFilter(self)
        self._bring_in_sight("")
        self._give_back()
        self.hide()
        self.deleteLater()

    def _give_back(self) -> None:
        """The keyboard goes back to who had it; where that is gone, to the list it was about."""
        if not self.isAncestorOf(self._window.focusWidget() or self._window):
            return
        held: QWidget | None = self._window.findChild(QAbstractItemView, "list")
        with suppress(RuntimeError):  # it went with the welcome
            if self._held is not None and self._held.isVisible():
                held = self._held
        if held is not None:
            held.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()  # columns find their width when a memory opens
        return super().eventFilter(watched, event)
