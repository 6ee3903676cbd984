"""The status line: nothing it says is lost when it is long."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.toolkit.toasts import StatusBar


def test_a_long_part_says_that_it_goes_on_and_its_tip_has_all(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    words = "API off: Port 8377 cannot be used (Address already in use): perhaps another is there."
    bar.tell("api", words, "bad")
    bar.resize(bar.sizeHint().width() + 40, bar.height())
    bar.show()
    assert bar._api.shown() == words, "all of it, where there is room"
    bar.resize(300, bar.height())
    shown = bar._api.shown()
    assert shown.endswith("…")
    assert words.startswith(shown.removesuffix("…"))
    assert bar._api.toolTip() == words
