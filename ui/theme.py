"""Colours, type and the one stylesheet. Light and dark follow the system unless told otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from ui.fonts import ui_font
from ui.stylesheet import stylesheet

SIDEBAR_WIDTH = 208
LIST_WIDTH = 360
PANE_WIDTH = 380
TOOLBAR_HEIGHT = 52
STATUS_HEIGHT = 28
TEXT_PX, EDITOR_PX, TITLE_PX, SMALL_PX = 13, 14, 19, 11


class Look(StrEnum):
    """What the person chose; `SYSTEM` follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Tokens:
    """The palette's names; the values are the whole difference between light and dark."""

    bg: str
    panel: str
    side: str
    line: str
    text: str
    mute: str
    faint: str
    accent: str
    accent_ground: str
    on_accent: str
    block: str
    recalled: str
    recent: str
    recent_text: str
    bad: str
    bad_ground: str
    highlight: str
    chip: str

    def color(self, name: str) -> QColor:
        return QColor(getattr(self, name))


LIGHT = Tokens(
    bg="#F6F5F2",
    panel="#FFFFFF",
    side="#EFEDE8",
    line="#E2DFD8",
    text="#23211D",
    mute="#6B675F",
    faint="#706B62",
    accent="#2F6F5E",
    accent_ground="#E3EFEA",
    on_accent="#FFFFFF",
    block="#5B5BD6",
    recalled="#3B82B6",
    recent="#C98A2B",
    recent_text="#8F5D12",
    bad="#B2452C",
    bad_ground="#F8E6E0",
    highlight="#FBE9B7",
    chip="#EFEDE8",
)
DARK = Tokens(
    bg="#191A1C",
    panel="#212326",
    side="#1C1D20",
    line="#313439",
    text="#ECEAE5",
    mute="#A5A29A",
    faint="#918E86",
    accent="#6FBFA6",
    accent_ground="#24382F",
    on_accent="#12211C",
    block="#9B9BF2",
    recalled="#79B4DE",
    recent="#E0AC58",
    recent_text="#E0AC58",
    bad="#E98A70",
    bad_ground="#3A2721",
    highlight="#5A4A1E",
    chip="#2B2D31",
)

# One steady colour per agent, in the order they came.
AGENT_COLORS = ("accent", "recalled", "recent", "block", "bad")


class Theme(QObject):
    """Holds the tokens in force and says when they change; views repaint with `theme.tokens`.

    `apply` puts the stylesheet on; the window does it once all its parts are built."""

    changed = Signal()

    def __init__(
        self, app: QApplication, look: Look = Look.SYSTEM, scale: float = 1.0, family: str = ""
    ) -> None:
        super().__init__(app)
        self._app = app
        self.look = look
        self.scale = scale
        self.family = family  # empty: our own
        self.tokens = LIGHT
        self._agents: list[str] = []
        app.setStyle("Fusion")
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)
        self.tokens = DARK if self.dark else LIGHT
        app.setPalette(_palette(self.tokens))
        app.setFont(ui_font(self.px(TEXT_PX), self.family))

    @property
    def dark(self) -> bool:
        if self.look is Look.SYSTEM:
            return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self.look is Look.DARK

    def choose(self, look: Look) -> None:
        self.look = look
        self.apply()

    def choose_family(self, family: str) -> None:
        self.family = family
        self.apply()

    def zoom(self, scale: float) -> None:
        """Every size of type times `scale`, between 0.8 and 2."""
        self.scale = min(max(scale, 0.8), 2.0)
        self.apply()

    def px(self, size: int) -> int:
        return max(1, round(size * self.scale))

    def know_agents(self, agents: Iterable[str]) -> None:
        """The agents as they came: each has the colour of its place, wherever it is drawn."""
        self._agents = list(agents)

    def agent_color(self, agent_id: str) -> str:
        """The token of an agent's colour."""
        if agent_id not in self._agents:
            self._agents.append(agent_id)
        return AGENT_COLORS[self._agents.index(agent_id) % len(AGENT_COLORS)]

    def writer_color(self, actor: str) -> str:
        """The token of a writer's colour: an agent's own, also asleep; all others are neutral."""
        kind, _, name = actor.partition(":")
        if kind in ("agent", "sleep"):
            return self.agent_color(name)
        return "mute" if kind in ("owner", "user") else "faint"

    def apply(self) -> None:
        self.tokens = DARK if self.dark else LIGHT
        self._app.setPalette(_palette(self.tokens))
        self._app.setFont(ui_font(self.px(TEXT_PX), self.family))
        self._app.setStyleSheet(stylesheet(self.tokens, self.px))
        self.changed.emit()

    def _follow(self) -> None:
        if self.look is Look.SYSTEM:
            self.apply()


def _palette(tokens: Tokens) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, name in (
        (role.Window, "bg"),
        (role.Base, "panel"),
        (role.AlternateBase, "side"),
        (role.Button, "panel"),
        (role.ToolTipBase, "panel"),
        (role.Text, "text"),
        (role.WindowText, "text"),
        (role.ButtonText, "text"),
        (role.ToolTipText, "text"),
        (role.PlaceholderText, "faint"),
        (role.Highlight, "accent"),
        (role.HighlightedText, "on_accent"),
        (role.Link, "accent"),
        (role.LinkVisited, "accent"),
        (role.Accent, "accent"),
        (role.Mid, "line"),
        (role.Light, "panel"),
        (role.Midlight, "line"),
        (role.Dark, "line"),
        (role.Shadow, "line"),
        (role.BrightText, "bad"),
    ):
        palette.setColor(where, tokens.color(name))
    for where in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, tokens.color("faint"))
    return palette
