"""How many looks at the vault the window needs to see a write: its clock is the watcher's own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pytestqt.qtbot import QtBot

from store.records import Change
from ui.window.change_watcher import EVERY_MS, Watcher

HALF_A_SECOND = 500


class Looks:
    """What each look of the watcher found, in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.found: list[int] = []
        told = Watcher._tell

        def noted(watcher: Watcher, news: tuple[int, Sequence[Change]]) -> None:
            self.found.append(len(news[1]))
            told(watcher, news)

        patch.setattr(Watcher, "_tell", noted)

    def must_tell(self, qtbot: QtBot) -> None:
        """What was just written is told by the look that is under way or by the next: within half
        a second, on a machine that has nothing else to do."""
        assert 2 * EVERY_MS <= HALF_A_SECOND
        before = len(self.found)
        qtbot.waitUntil(lambda: len(self.found) >= before + 2)
        assert any(self.found[before : before + 2])
