from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from ui.toolkit.theme import DARK, LIGHT, Look, Theme, Tokens

READ_ON = [
    (ink, ground) for ink in ("text", "mute", "faint") for ground in ("bg", "panel", "side")
] + [
    ("mute", "chip"),
    ("mute", "accent_ground"),
    ("text", "highlight"),
    ("text", "accent_ground"),
    ("accent", "accent_ground"),
    ("accent", "panel"),
    ("on_accent", "accent"),
    ("recent_text", "chip"),
    ("recent_text", "panel"),
    ("bad", "panel"),
    ("bad", "bad_ground"),
]


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), READ_ON)
def test_all_text_can_be_read(tokens: Tokens, ink: str, ground: str) -> None:
    assert contrast(getattr(tokens, ink), getattr(tokens, ground)) >= 4.5


@pytest.mark.parametrize("look", [Look.LIGHT, Look.DARK])
def test_the_mark_of_a_checked_action_is_drawn_as_lines_and_can_be_seen(
    qapp: QApplication, look: Look
) -> None:
    theme = Theme(qapp, look)
    theme.apply()
    rule = re.search(r"QMenu::indicator:checked \{ image: url\((.+?)\)", qapp.styleSheet())
    assert rule is not None  # Qt's own is a bitmap, coarse where a point has several pixels
    ink = re.search(r'stroke="(#\w{6})"', Path(rule[1]).read_text(encoding="utf-8"))
    assert ink is not None
    assert contrast(ink[1], theme.tokens.panel) >= 4.5


def test_a_chosen_look_wins_over_the_system(qapp: QApplication) -> None:
    theme = Theme(qapp, Look.DARK)
    theme.apply()
    assert theme.tokens is DARK
    theme.choose(Look.LIGHT)
    assert theme.tokens is LIGHT
    assert LIGHT.panel in qapp.styleSheet()


class Polished(QObject):
    """Counts how often the widget it watches is dressed anew."""

    times = 0

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.times += event.type() is QEvent.Type.StyleChange
        return False


def test_the_look_that_is_worn_is_not_put_on_again(qapp: QApplication, qtbot: QtBot) -> None:
    theme, label, polished = Theme(qapp, Look.LIGHT), QLabel("a"), Polished()
    qtbot.addWidget(label)
    theme.apply()
    label.show()
    label.installEventFilter(polished)
    theme.apply()
    assert polished.times == 0
    theme.choose(Look.DARK)
    assert polished.times > 0


def test_type_grows_and_shrinks_within_bounds(qapp: QApplication) -> None:
    theme = Theme(qapp, Look.LIGHT)
    theme.zoom(1.5)
    assert theme.px(12) == 18
    theme.zoom(9)
    assert theme.scale == 2.0
    theme.zoom(1)
