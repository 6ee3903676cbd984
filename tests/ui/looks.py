"""How many looks at the vault the window needs to see a write: its clock is that of the changes."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from ui.toolkit.changes import EVERY_MS, Changes, News

HALF_A_SECOND = 500


class Looks:
    """What each look at the log found, in order."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.found: list[int] = []
        told = Changes._tell

        def noted(changes: Changes, found: tuple[int, News]) -> None:
            self.found.append(len(found[1].changes))
            told(changes, found)

        patch.setattr(Changes, "_tell", noted)

    def must_tell(self, qtbot: QtBot) -> None:
        """What was just written is told by the look that is under way or by the next: within half
        a second, on a machine that has nothing else to do."""
        assert 2 * EVERY_MS <= HALF_A_SECOND
        before = len(self.found)
        qtbot.waitUntil(lambda: len(self.found) >= before + 2)
        assert any(self.found[before : before + 2])
