"""Words that say nothing, in whatever language the query is."""

from __future__ import annotations

import pytest

from app.text.words import function_words


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("what is the war about", ["war"]),
        ("was ist das für ein krieg", ["krieg"]),
        ("wann ist die katze gestorben", ["katze", "gestorben"]),
        ("cuándo es el cumpleaños de la hija", ["cumpleaños", "hija"]),
        ("son of ana", ["son", "ana"]),
        ("katze", ["katze"]),
        ("die hard", ["die", "hard"]),
    ],
)
def test_the_words_that_say_nothing_are_those_of_the_query_s_language(
    text: str, left: list[str]
) -> None:
    words = text.split()
    empty = function_words(words)
    assert [word for word in words if word not in empty] == left
