"""Words that say nothing, in whatever language the query is."""

from __future__ import annotations

import pytest

from app.text.words import beginning_in, function_words, language_of


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


@pytest.mark.parametrize(
    ("word", "language", "begins"),
    [
        ("verteidigung", "german", "verteid"),
        ("häuser", "german", "häus"),
        ("capturas", "spanish", "captur"),
        ("договора", "russian", "договор"),
        ("tee", "german", "tee"),  # too little would be left
        ("painted", "english", "paint"),
    ],
)
def test_all_forms_of_a_word_begin_alike(word: str, language: str, begins: str) -> None:
    if language != "english":
        pytest.importorskip("snowballstemmer")
    assert beginning_in(word, language) == begins


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("wie viele punkte gab die verteidigung ab", "german"),
        ("cuántos puntos dejaron escapar en defensa los panthers", "spanish"),
        ("how many points did the defense surrender", "english"),
        ("die hard", "english"),
        ("", "english"),
    ],
)
def test_a_language_is_told_by_its_function_words(text: str, language: str) -> None:
    assert language_of(text.split()) == language
