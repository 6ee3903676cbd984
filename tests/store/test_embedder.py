from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.embedder import entry_text, framed, windows


def test_a_short_text_is_one_window() -> None:
    assert windows("Prefers tea.") == ["Prefers tea."]


def test_long_text_is_cut_into_windows_that_overlap() -> None:
    words = [f"word{number}" for number in range(1000)]
    found = windows(" ".join(words))
    assert len(found) > 5
    for left, right in pairwise(found):
        assert set(left.split()) & set(right.split())


PARTS = ["tea", "Wörter", "我喜欢猫", "x" * 300, "🎉", "\n"]


@given(st.lists(st.sampled_from(PARTS), max_size=400))
def test_every_word_is_in_some_window(parts: list[str]) -> None:
    text = " ".join(parts)
    assert {word for piece in windows(text) for word in piece.split()} == set(text.split())


@pytest.mark.parametrize(
    ("key", "content", "hook", "text"),
    [
        ("favourite-editor", "Helix", "", "favourite editor: Helix"),
        ("prefers-tea-a1b2c3d4", "Prefers tea at noon", "", "Prefers tea at noon"),
        ("liest-grosse-buch-a1b2c3d4", "Liest große Bücher", "", "Liest große Bücher"),
        ("memory-a1b2c3d4", "我喜欢猫", "", "我喜欢猫"),
        ("D1:3", "Hello there", "", "Hello there"),
        ("k1", "Black, no sugar", "when ordering coffee", "when ordering coffee: Black, no sugar"),
    ],
)  # fmt: skip
def test_key_and_hook_lead_the_text_when_they_say_more(
    key: str, content: str, hook: str, text: str
) -> None:
    assert entry_text(key, content, hook) == text


def test_a_memory_is_embedded_in_a_frame() -> None:
    assert framed("Prefers tea") == '{"text": "Prefers tea"}'
