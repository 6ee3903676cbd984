from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.cjk_pairs import index_text, is_unspaced, phrases, query_words


@pytest.mark.parametrize(
    ("text", "indexed"),
    [
        ("Prefers tea", ""),
        ("Größe é", ""),
        ("한국어 단어", ""),  # Korean has spaces
        ("猫", "猫"),
        ("我喜欢猫。", "我喜 喜欢 欢猫 猫"),
        ("新しいiPhoneを買う", "新し しい い iPhone を買 買う う"),
        ("北京, 上海", "北京 京 上海 海"),
    ],
)
def test_the_index_is_given_pairs(text: str, indexed: str) -> None:
    assert index_text(text) == indexed


def test_a_query_is_asked_for_in_pairs() -> None:
    assert query_words("喜欢猫") == ["喜欢", "欢猫"]
    assert query_words("猫") == ["猫"]
    assert query_words("tea") == ["tea"]


@given(st.text("猫喜欢かなa b"), st.data())
def test_what_stands_in_a_text_stands_in_its_index(text: str, data: st.DataObject) -> None:
    words = [word for word in text.split() if is_unspaced(word)]
    if not words:
        assert index_text(text) == ""
        return
    word = data.draw(st.sampled_from(words))
    indexed = f" {index_text(text)} "
    assert f" {phrases(word)[0]}" in indexed
    assert all(f" {part}" in indexed for part in query_words(word))
