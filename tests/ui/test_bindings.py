"""The Qt bindings themselves: a build for another Python can crash hours later."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject


@pytest.mark.parametrize("shared", [None, True, False])
def test_calls_into_qt_keep_the_count_of_shared_objects(shared: object) -> None:
    """Some wheels drop a reference per call where None is not immortal: a crash in slow motion."""
    thing = QObject()
    before = sys.getrefcount(shared)
    for _ in range(1_000):
        thing.setObjectName("x")
        thing.blockSignals(False)
        thing.isWidgetType()
    assert abs(sys.getrefcount(shared) - before) < 500
