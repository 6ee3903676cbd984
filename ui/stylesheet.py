"""The stylesheet, made from the palette. Widgets opt in by object name or by a `look` property."""

from __future__ import annotations

from collections.abc import Callable
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ui.theme import Tokens

_SHEET = Template(
    """
QWidget { font-size: ${px13}px; }
QMainWindow, QDialog { background: $bg; }
QToolTip { background: $panel; color: $text; border: 1px solid $line; padding: 5px 8px; }

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
QLabel[look="title"] { font-size: ${px19}px; font-weight: 600; }
QLabel[look="heading"] { font-weight: 600; }
QLabel[look="section"] { color: $mute; font-size: ${px11}px; font-weight: 600;
    padding: 14px 0 2px 0; }
QLabel[look="key"] { color: $mute; font-size: ${px11}px; border: 1px solid $line;
    border-radius: 4px; padding: 1px 6px; background: $panel; }
QLabel[look="bad"] { color: $bad; }
QLabel[look="pill"] { background: $chip; color: $mute; border-radius: 9px; padding: 2px 9px;
    font-size: ${px11}px; }
QLabel[look="notice"] { background: $bad_ground; color: $bad; border-radius: 6px;
    padding: 8px 10px; }

QLabel[look="notice-calm"] { background: $accent_ground; color: $text; border-radius: 6px;
    padding: 8px 10px; }
QPlainTextEdit[look="code"] { font-size: ${px12}px; }

QLineEdit, QPlainTextEdit, QTextEdit, QTextBrowser, QSpinBox, QDoubleSpinBox, QDateTimeEdit,
QComboBox {
    background: $panel; color: $text; border: 1px solid $line; border-radius: 6px;
    selection-background-color: $accent; selection-color: $on_accent; }
QLineEdit, QSpinBox, QDoubleSpinBox, QDateTimeEdit, QComboBox { min-height: 28px; padding: 0 9px; }
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
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url($arrow); width: 9px; height: 9px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $line; outline: none;
    selection-background-color: $accent_ground; selection-color: $text; padding: 4px; }
QAbstractItemView { outline: none; }
QListView#popup { background: $panel; border: 1px solid $line; border-radius: 6px; padding: 4px; }
QListView#popup::item { padding: 5px 8px; border-radius: 4px; }
QListView#popup::item:selected { background: $accent_ground; color: $text; }

QPushButton, QToolButton[look="button"] { background: $panel; color: $text;
    border: 1px solid $line; border-radius: 6px; padding: 0 12px; min-height: 28px;
    font-weight: 500; outline: none; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
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
QMenu::item { padding: 5px 22px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: $accent_ground; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: 5px 6px; }
QMenu::icon { padding-left: 8px; }

QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

#toast { background: $toast; border-radius: 8px; }
#toast QLabel { color: $toast_text; }
#toast QPushButton { background: transparent; border: none; color: $toast_link; font-weight: 600;
    padding: 0 6px; }
#toast QPushButton:focus { text-decoration: underline; }
#overlay { background: $panel; border: 1px solid $line; border-radius: 10px; }
#overlay QLineEdit { border: none; border-bottom: 1px solid $line; border-radius: 0;
    min-height: 44px; font-size: ${px15}px; padding: 0 14px; background: transparent; }
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
QCheckBox::indicator { width: 15px; height: 15px; border: 1px solid $faint; border-radius: 4px;
    background: $panel; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($tick); }
QCheckBox::indicator:focus { border-color: $text; }
QCheckBox::indicator:disabled { border-color: $line; background: $chip; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }
QFrame[look="line"] { background: $line; max-height: 1px; border: none; }
"""
)


def stylesheet(tokens: Tokens, px: Callable[[int], int]) -> str:
    from ui.icons import arrow_file, tick_file

    dark = tokens.bg < "#8"
    return _SHEET.substitute(
        {name: getattr(tokens, name) for name in tokens.__slots__},
        **{f"px{size}": px(size) for size in (11, 12, 13, 14, 15, 19)},
        arrow=arrow_file(dark),
        tick=tick_file(dark),
        accent_hover="#84CDB6" if dark else "#265C4E",
        scroll="#3D4046" if dark else "#D5D1C9",
        toast="#ECEAE5" if dark else "#2B2924",
        toast_text="#191A1C" if dark else "#F6F5F2",
        toast_link="#2F6F5E" if dark else "#8FD3BD",
    )
