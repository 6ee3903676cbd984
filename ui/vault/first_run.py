"""The first look at an empty vault: three cards, one click each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ui.toolkit.icons import icon
from ui.toolkit.plain_text import plain_label
from ui.toolkit.theme import Theme


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
