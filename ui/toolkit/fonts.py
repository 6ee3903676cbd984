"""The type the window is set in: faces of our own, so that it looks the same on every machine.

The system's fonts step in for the scripts ours lack, and where the person chose one of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase

import resources

FOLDER = Path(resources.__file__).parent / "fonts"
FILES = (
    "Inter-Regular.ttf",
    "Inter-Medium.ttf",
    "Inter-SemiBold.ttf",
    "Inter-Bold.ttf",
    "Mono-Regular.ttf",
)
# Not `Inter` and `JetBrains Mono`: Qt would mix ours with installed ones of the same name.
TEXT_FAMILY, CODE_FAMILY = "Keepsake Inter", "Keepsake Mono"


@cache
def load() -> None:
    """Makes our faces known to Qt; needs the application."""
    for name in FILES:
        QFontDatabase.addApplicationFont(str(FOLDER / name))


def ui_font(px: int, chosen: str = "") -> QFont:
    """The window's face at `px`, with tabular figures; `chosen` is a family the person prefers."""
    load()
    ours = [TEXT_FAMILY, CODE_FAMILY]  # the second has signs the first lacks, like ▾ and ✕
    return _at(QFont([chosen, *ours] if chosen else ours), px)


def code_font(px: int) -> QFont:
    """The face for keys, configuration and code, one width a letter."""
    load()
    font = QFont([CODE_FAMILY])
    font.setStyleHint(QFont.StyleHint.Monospace)
    return _at(font, px)


def installed_families() -> list[str]:
    """What a person may choose instead of ours."""
    load()
    ours = (TEXT_FAMILY, CODE_FAMILY)
    return [
        family
        for family in QFontDatabase.families()
        if QFontDatabase.isSmoothlyScalable(family)
        and not QFontDatabase.isPrivateFamily(family)
        and not family.startswith(ours)
    ]


def _at(font: QFont, px: int) -> QFont:
    font.setPixelSize(px)
    font.setFeature(QFont.Tag("tnum"), 1)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
