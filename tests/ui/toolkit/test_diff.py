from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ui.toolkit.diff_view import DiffView, changed_words, side_by_side
from ui.toolkit.theme import Theme

TEXTS = st.text(alphabet="ab \n", max_size=60)


def test_equal_texts_have_no_marks() -> None:
    assert all(row.same for row in side_by_side("one\ntwo", "one\ntwo"))


def test_a_changed_word_is_marked_on_both_sides() -> None:
    left, right = changed_words("runs on EKS now", "runs on GKE now")
    assert left == ((8, 11),)
    assert right == ((8, 11),)


def test_an_added_line_has_nothing_beside_it() -> None:
    rows = side_by_side("one\nthree", "one\ntwo\nthree")
    assert [(row.left, row.right) for row in rows] == [
        ("one", "one"),
        (None, "two"),
        ("three", "three"),
    ]


@given(TEXTS, TEXTS)
def test_each_side_read_down_is_its_text(old: str, new: str) -> None:
    rows = side_by_side(old, new)
    assert "\n".join(row.left for row in rows if row.left is not None) == old
    assert "\n".join(row.right for row in rows if row.right is not None) == new


@given(TEXTS, TEXTS)
def test_marks_lie_within_their_lines(old: str, new: str) -> None:
    for row in side_by_side(old, new):
        for text, marks in ((row.left, row.left_marks), (row.right, row.right_marks)):
            assert all(0 <= start < end <= len(text or "") for start, end in marks)


def test_lines_that_repeat_are_compared_as_soon_as_others() -> None:
    """The window waits for a diff: no text may take minutes."""

    def once(old: str, new: str) -> float:
        start = time.process_time()
        assert side_by_side(old, new)
        return time.process_time() - start

    def taken(old: str, new: str) -> float:
        return min(once(old, new) for _ in range(3))

    others = "\n".join(f"line {n}" for n in range(1_800))
    usual = taken(others, others.replace("7", "8"))
    assert taken("a\nb\n" * 900, "a\nc\n" * 900) <= 20 * usual


def test_what_is_new_has_the_room_of_both(qtbot: QtBot, qapp: QApplication) -> None:
    view = DiffView(Theme(qapp))
    qtbot.addWidget(view)
    view.resize(600, 300)
    view.show_texts(None, "All of it is new.")
    view.show()
    left, right = view._sides
    assert not left.isVisible()
    assert right.width() == view.width()
    assert view.texts() == ("", "All of it is new.")
    view.show_texts("", "It was empty.")
    assert left.isVisible()
    qtbot.waitUntil(lambda: abs(left.width() - right.width()) <= 1)
