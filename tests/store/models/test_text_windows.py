from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from store.models.embedder import Embedder, framed
from store.models.minilm import MAX_TOKENS, MiniLM
from store.models.text_windows import cut, windows, word_spans
from tests.fakes import FakeEmbedder

GERMAN = (
    "Die Donaudampfschifffahrtsgesellschaft veröffentlichte überraschenderweise "
    "Geschäftsergebnisse, die Unternehmensberatungen außerordentlich verunsicherten. "
)


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM(Path(resources.__file__).parent / "minilm")


def test_a_short_text_is_one_window(model: MiniLM) -> None:
    assert windows("Prefers tea.", model) == ["Prefers tea."]


def test_long_text_is_cut_between_words_into_windows_that_overlap(model: MiniLM) -> None:
    words = [f"word{number}" for number in range(1000)]
    found = windows(" ".join(words), model)
    assert len(found) > 5
    for left, right in pairwise(found):
        assert set(left.split()) & set(right.split())
        assert set(left.split()) <= set(words)


@pytest.mark.parametrize("text", [GERMAN * 20, "我喜欢猫" * 300, "nervous " * 700, "🎉 " * 900])
def test_the_model_reads_every_window_to_its_end(model: MiniLM, text: str) -> None:
    found = windows(text, model)
    assert len(found) > 1
    assert all(len(model.spans(framed(piece))) + 2 <= MAX_TOKENS for piece in found)


def test_a_model_that_reads_less_gets_shorter_windows() -> None:
    class Short(FakeEmbedder):
        max_tokens = 64

    text = "Prefers tea over coffee. " * 40
    assert len(windows(text, Short())) > len(windows(text, FakeEmbedder()))


PARTS = ["tea", "Wörter", "我喜欢猫", "x" * 300, "🎉", "\n", "\ud800"]


@given(st.lists(st.sampled_from(PARTS), max_size=400))
def test_every_word_is_in_some_window(parts: list[str]) -> None:
    text = " ".join(parts)
    embedder: Embedder = FakeEmbedder()
    pieces = windows(text, embedder)
    # A word longer than a window is cut; its letters are all there.
    for word in set(text.split()):
        assert any(word in piece for piece in pieces) or len(word) > 200


@given(st.text("ab c", max_size=300), st.integers(4, 40))
def test_no_window_has_more_tokens_than_asked_for(text: str, size: int) -> None:
    spans = word_spans(text)
    pieces = cut(text, spans, size, size // 8)
    assert all(len(word_spans(piece)) <= size for piece in pieces)
    assert {letter for piece in pieces for letter in piece} >= set(text.strip()) - {" "}
    assert text.strip().startswith(pieces[0].strip())
    assert text.strip().endswith(pieces[-1].strip())
