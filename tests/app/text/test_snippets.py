from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.text.words import Marker, fold, snippet


def test_words_are_marked_with_endings_and_accents_aside() -> None:
    text = "She paints in Cafés and painted a cafe."
    found = [text[a:b] for a, b in Marker(["painting", "cafe"]).marks(text)]
    assert found == ["paints", "Cafés", "painted", "cafe"]


def test_the_word_being_typed_is_marked_by_its_start() -> None:
    assert Marker([], "dep").marks("Deploys the deposit, adept") == ((0, 7), (12, 19))


def test_a_late_match_is_shown_with_a_little_before_it() -> None:
    text = "filler words " * 100 + "the needle is here " + "and more " * 100
    shown = snippet(text, Marker(["needle"]).marks(text))
    assert len(shown.text) <= 182
    assert [shown.text[a:b] for a, b in shown.matches] == ["needle"]
    assert shown.text.startswith("…")
    assert shown.text.endswith("…")


@given(st.text(max_size=400), st.text(max_size=5))
def test_positions_always_lie_in_the_snippet(text: str, word: str) -> None:
    shown = snippet(text, Marker([word], word).marks(text))
    assert all(0 <= a < b <= len(shown.text) for a, b in shown.matches)
    assert "\n" not in shown.text


@given(st.text(max_size=100))
def test_folding_keeps_every_position(text: str) -> None:
    assert len(fold(text)) == len(text)
