"""Colours, type and the one stylesheet. Light and dark follow the system unless told otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from string import Template
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from ui.toolkit.fonts import ui_font
from ui.toolkit.icons import arrow_file, tick_file

_SHEET = Template(
    """
QWidget { font-size: ${px13}px; }
QMainWindow, QDialog { background: $bg; }
QToolTip { background: $panel; color: $text; border: 1px solid $line; padding: 0 2px; }

#toolbar { background: $bg; border-bottom: 1px solid $line; }
#statusbar { background: $bg; border-top: 1px solid $line; }
#statusbar QLabel, #statusbar QToolButton { color: $mute; font-size: ${px12}px; border: none;
    background: transparent; padding: 0; }
#statusbar QToolButton:hover, #statusbar QToolButton:focus { color: $accent; }
#statusbar QLabel[look="good"] { color: $accent; }
#statusbar QLabel[look="bad"] { color: $bad; }
#statusbar QProgressBar { background: $line; border: none; border-radius: 3px; max-height: 6px; }
#statusbar QProgressBar::chunk { background: $accent; border-radius: 3px; }

#sidebar { background: $side; border: none; outline: none; }
#helpSide { background: $side; }
#sections { background: $side; border: none; outline: none; padding: 12px 0; }
#sections::item { padding: 6px 10px; margin: 1px 8px; border-radius: 6px; color: $text; }
#sections::item:selected { background: $accent_ground; color: $accent; }
#list, #listPane { background: $panel; border: none; outline: none; }
#listHeader { background: $panel; border-bottom: 1px solid $line; }
#listHeader QLabel { color: $mute; font-size: ${px12}px; }
#editor { background: $bg; }
#pane { background: $panel; }
#pane[look="drawer"] { border: none; border-left: 1px solid $line; border-right: 1px solid $line; }
QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent; }

QLabel[look="mute"] { color: $mute; }
QLabel[look="faint"] { color: $faint; font-size: ${px12}px; }
QLabel[look="plain"] { color: $mute; font-size: ${px12}px; }
QLabel[look="word"] { color: $faint; font-size: ${px11}px; }
QLabel[look="title"] { font-size: ${px19}px; font-weight: 600; }
QLabel[look="heading"] { font-weight: 600; }
QLabel[look="section"] { color: $mute; font-size: ${px11}px; font-weight: 600;
    padding: 14px 0 2px 0; }
QLabel[look="key"] { color: $mute; font-size: ${px11}px; border: 1px solid $line;
    border-radius: 4px; padding: 1px 6px; background: $panel; }
QLabel[look="bad"] { color: $bad; }
QLabel[look="pill"] { background: $chip; color: $mute; border-radius: 8px; padding: 2px 9px;
    font-size: ${px11}px; }
QLabel[look="notice"] { background: $bad_ground; color: $bad; border-radius: 6px;
    padding: 8px 10px; }

QLabel[look="fields"] { background: $chip; color: $text; border-radius: 6px; padding: 6px 10px; }
QLabel[look="notice-calm"] { background: $accent_ground; color: $text; border-radius: 6px;
    padding: 8px 10px; }
QPlainTextEdit[look="code"] { font-size: ${px12}px; }

QLineEdit, QPlainTextEdit, QTextEdit, QTextBrowser, QSpinBox, QDoubleSpinBox, QDateTimeEdit,
QComboBox {
    background: $panel; color: $text; border: 1px solid $line; border-radius: 6px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QSpinBox, QDoubleSpinBox, QDateTimeEdit, QComboBox { min-height: 28px; padding: 0 8px; }
QSpinBox, QDoubleSpinBox { padding: 0; }
QSpinBox, QDoubleSpinBox, QDateTimeEdit { max-height: 28px; }
QComboBox:!editable { padding: 0 10px; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { min-height: 0; padding: 0; border: none;
    background: transparent; }
QPlainTextEdit, QTextEdit, QTextBrowser { padding: 8px; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QTextBrowser:focus, QSpinBox:focus,
QDoubleSpinBox:focus, QComboBox:focus, QDateTimeEdit:focus { border: 1px solid $accent; }
QLineEdit:disabled, QComboBox:disabled, QPlainTextEdit:disabled { color: $faint; }
QLineEdit[look="title"] { background: transparent; border: none; border-radius: 0;
    border-bottom: 1px solid transparent; font-size: ${px19}px; font-weight: 600; padding: 0;
    min-height: 30px; }
QLineEdit[look="title"]:hover { border-bottom-color: $line; }
QLineEdit[look="title"]:focus { border-bottom-color: $accent; }
#tags { background: $panel; border: 1px solid $line; border-radius: 6px; }
QLineEdit[look="bare"], QLineEdit[look="bare"]:focus { background: transparent; border: none;
    padding: 0 2px; min-height: 22px; }
QTextEdit#body { font-size: ${px14}px; border-radius: 8px; padding: 8px 10px; }
QTextBrowser#preview { font-size: ${px14}px; border-radius: 8px; padding: 8px 10px; }
QComboBox::drop-down, QDateTimeEdit::drop-down { border: none; width: 22px; }
QComboBox::down-arrow, QDateTimeEdit::down-arrow { image: url($arrow); width: 9px; height: 9px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $line; outline: none;
    selection-background-color: $accent_ground; selection-color: $text; padding: 4px; }
QAbstractItemView { outline: none; }
QListView#popup { background: $panel; border: 1px solid $line; border-radius: 6px; padding: 4px; }
QListView#popup::item { padding: 5px 8px; border-radius: 4px; }
QListView#popup::item:selected { background: $accent_ground; color: $text; }

QPushButton, QToolButton[look="button"] { background: $panel; color: $text;
    border: 1px solid $line; border-radius: 6px; padding: 0 12px; min-height: 28px;
    font-weight: 500; outline: none; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; button-layout: 3; }
QPushButton:hover, QToolButton[look="button"]:hover { border-color: $mute; }
QPushButton:focus, QToolButton[look="button"]:focus { border-color: $accent; }
QPushButton:pressed { background: $chip; }
QPushButton:disabled { color: $faint; }
QPushButton[look="primary"] { background: $accent; color: $on_accent; border-color: $accent;
    font-weight: 600; }
QPushButton[look="primary"]:hover { background: $accent_hover; }
QPushButton[look="primary"]:focus { border: 2px solid $text; }
QPushButton[look="primary"]:disabled { background: $chip; color: $faint; border-color: $line; }
QPushButton[look="toggle"]:checked { background: $accent_ground; color: $accent;
    border-color: $accent_ground; }
QPushButton[look="danger"] { background: $panel; color: $bad; border-color: $bad; }
QPushButton[look="danger"]:disabled { color: $faint; border-color: $line; }
QPushButton[look="danger"]:hover { background: $bad_ground; }
QPushButton[look="danger"]:focus { border: 2px solid $text; }
QPushButton[look="link"], QToolButton[look="link"] { background: transparent; border: none;
    color: $accent; padding: 0 4px; font-weight: 500; }
QPushButton[look="link"]:hover, QToolButton[look="link"]:hover { text-decoration: underline; }
QPushButton[look="link"]:focus, QToolButton[look="link"]:focus { text-decoration: underline; }
QToolButton[look="quiet"] { background: transparent; border: none; color: $mute; padding: 4px 6px;
    border-radius: 5px; }
QToolButton[look="quiet"]:hover, QToolButton[look="quiet"]:focus { color: $text;
    background: $chip; }
QToolButton[look="flush"] { background: transparent; border: none; color: $mute; padding: 4px 0; }
QToolButton[look="flush"]:hover, QToolButton[look="flush"]:focus { color: $accent; }
QToolButton::menu-indicator { image: none; }
QToolButton[look="chip"] { background: $accent_ground; color: $accent; border: 1px solid
    transparent; border-radius: 10px; padding: 1px 9px; font-size: ${px12}px; }
QToolButton[look="chip"]:focus { border-color: $accent; }
QToolButton[look="chip-quiet"] { background: $chip; color: $mute; border: 1px solid transparent;
    border-radius: 10px; padding: 1px 9px; font-size: ${px12}px; }
#tags QToolButton { padding: 1px 2px; font-size: ${px11}px; }
QToolButton[look="chip-quiet"]:hover { color: $text; }
QToolButton[look="chip-quiet"]:focus { border-color: $accent; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $mute; border: none;
    border-bottom: 2px solid transparent; padding: 6px 0 7px 0; margin-right: 18px; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; font-weight: 600; border-bottom: 2px solid $accent; }
QTabBar::tab:focus { color: $accent; }
#tabline { background: $line; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabWidget::tab-bar { left: 0; }

QMenuBar { background: $bg; color: $text; }
QMenuBar::item:selected { background: $accent_ground; }
QMenu { background: $panel; color: $text; border: 1px solid $line; padding: 5px; }
QMenu::item { padding: 5px 30px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: $accent_ground; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: 5px 6px; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 7px; }
QMenu::indicator:checked { image: url($mark); }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

#toast { background: $toast; border-radius: 0; }
#toast QLabel { color: $toast_text; }
#toast[look="quiet"] { background: $accent_ground; }
#toast[look="quiet"] QLabel { color: $text; }
#toast[look="quiet"] QPushButton { color: $accent; }
#toast QPushButton { background: transparent; border: none; color: $toast_link; font-weight: 600;
    padding: 0 6px; min-height: 0; }
#toast QPushButton:focus { text-decoration: underline; }
#dropHint { background: $accent_ground; color: $accent; border: 2px dashed $accent;
    border-radius: 12px; font-size: ${px19}px; font-weight: 600; padding: 40px; }
#overlay { background: $panel; border: 1px solid $line; border-radius: 10px; }
#overlay QLineEdit { border: none; border-bottom: 1px solid $line; border-radius: 0;
    min-height: 44px; font-size: ${px15}px; padding: 0 14px; background: transparent; }
#firstMinute { background: $panel; border: 2px solid $accent; border-radius: 10px; }
#explanation { background: $panel; border: 1px solid $line; }
QToolButton#whatIsThis { border: 1px solid $line; border-radius: 9px; padding: 0;
    font-size: ${px11}px; }
#card { background: $panel; border: 1px solid $line; border-radius: 10px; }
#card:hover, #card:focus { border-color: $accent; }
QTableView { background: $panel; border: none; gridline-color: $line; }
QTableView::item { padding: 0 4px; border: none; }
QTableView::item:selected { background: $accent_ground; color: $text; }
#list::item { padding: 0; }
QHeaderView::section { background: $panel; color: $mute; border: none;
    border-bottom: 1px solid $line; padding: 5px 8px; font-size: ${px12}px; }
QScrollArea { background: transparent; border: none; }
QCheckBox, QRadioButton { spacing: 7px; }
QCheckBox::indicator, QListView::indicator { width: 15px; height: 15px;
    border: 1px solid $faint; border-radius: 4px; background: $panel; }
QCheckBox::indicator:checked, QListView::indicator:checked { background: $accent;
    border-color: $accent; image: url($tick); }
QCheckBox::indicator:focus { border-color: $text; }
QCheckBox::indicator:disabled { border-color: $line; background: $chip; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }
QSlider:horizontal { min-height: 24px; }
QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider[look="mirrored"]::sub-page:horizontal { background: $line; }
QSlider[look="mirrored"]::add-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $panel; border: 2px solid $accent; border-radius: 6px;
    width: 14px; height: 14px; margin: -7px 0; }
QSlider::handle:horizontal:focus { border-color: $text; }
QFrame[look="line"] { background: $line; max-height: 1px; border: none; }
"""
)


def stylesheet(tokens: Tokens, px: Callable[[int], int]) -> str:
    dark = tokens.bg < "#8"
    return _SHEET.substitute(
        tokens._asdict(),
        **{f"px{size}": px(size) for size in (11, 12, 13, 14, 15, 19)},
        arrow=arrow_file(dark),
        tick=tick_file(dark),
        mark=tick_file(not dark),  # not on the accent but on the ground, so in the other colour
        accent_hover="#84CDB6" if dark else "#265C4E",
        scroll="#3D4046" if dark else "#D5D1C9",
        toast="#ECEAE5" if dark else "#2B2924",
        toast_text="#191A1C" if dark else "#F6F5F2",
        toast_link="#2F6F5E" if dark else "#8FD3BD",
    )


SIDEBAR_WIDTH = 208
LIST_WIDTH = 360
PANE_WIDTH = 380
TOOLBAR_HEIGHT = 52
STATUS_HEIGHT = 28
TEXT_PX, EDITOR_PX, SMALL_PX = 13, 14, 11


class Look(StrEnum):
    """What the person chose; `SYSTEM` follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Tokens(NamedTuple):
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


def agent_colors(agents: Iterable[str]) -> dict[str, str]:
    """The token of each agent's colour."""
    return {agent: AGENT_COLORS[n % len(AGENT_COLORS)] for n, agent in enumerate(agents)}


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
        self._agents: dict[str, str] = {}
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
        self._agents = agent_colors(agents)

    def agent_color(self, agent_id: str) -> str:
        """The token of an agent's colour."""
        if agent_id not in self._agents:
            self._agents = agent_colors([*self._agents, agent_id])
        return self._agents[agent_id]

    def writer_color(self, actor: str) -> str:
        """The token of a writer's colour: an agent's own, also asleep; all others are neutral."""
        kind, _, name = actor.partition(":")
        if kind in ("agent", "sleep"):
            return self.agent_color(name)
        return "mute" if kind in ("owner", "user") else "faint"

    def apply(self) -> None:
        self.tokens = DARK if self.dark else LIGHT
        font, sheet = ui_font(self.px(TEXT_PX), self.family), stylesheet(self.tokens, self.px)
        worn = self._app.font() == font and self._app.styleSheet() == sheet
        self._app.setPalette(_palette(self.tokens))
        self._app.setFont(font)
        if not worn:  # putting on the same again would polish every widget there is
            self._app.setStyleSheet(sheet)
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
