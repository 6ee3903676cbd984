"""The Qt bindings themselves: a build for another Python can crash hours later."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal there: no count to lose")
@pytest.mark.parametrize("shared", [None, True, False])
def test_calls_into_qt_keep_the_count_of_shared_objects(shared: object) -> None:
    """Some wheels drop a reference per call where None is not immortal: a crash in slow motion."""
    drifts = [drift(shared, calls=1_000) for _ in range(3)]
    # Another thread may hold a few for a moment; what a call loses, it loses every time.
    assert min(map(abs, drifts)) <= 2, drifts


def drift(shared: object, calls: int) -> int:
    """By how much the count of `shared` moves."""
    thing = QObject()
    before = sys.getrefcount(shared)
    for _ in range(calls):
        thing.setObjectName("x")
        thing.blockSignals(False)
        thing.isWidgetType()
    return sys.getrefcount(shared) - before
