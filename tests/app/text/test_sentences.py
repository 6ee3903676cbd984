from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.text.sentences import content_words, sentences, statements
from app.text.words import stem


def test_sentences_end_at_their_stops_and_not_at_abbreviations() -> None:
    text = "I met Dr. Who today. It was at 3 p.m. sharp! Really? Yes."
    assert sentences(text) == [
        "I met Dr. Who today.",
        "It was at 3 p.m. sharp!",
        "Really?",
        "Yes.",
    ]


def test_markdown_marks_go_and_code_is_left_out() -> None:
    text = "# Plan\n- first thing\n2. second thing\n```py\nx = 1\n```\n> quoted"
    assert sentences(text) == ["Plan", "first thing", "second thing", "quoted"]


def test_a_fence_never_closed_hides_the_rest() -> None:
    assert sentences("before\n```\nsecret = 1") == ["before"]


def test_two_things_said_of_oneself_are_two_statements() -> None:
    assert statements("I am vegetarian and work with Marie on onboarding.") == [
        "I am vegetarian",
        "I work with Marie on onboarding.",
    ]
    assert statements("I live in Berlin, and my wife is from Porto.") == [
        "I live in Berlin",
        "my wife is from Porto.",
    ]


def test_what_belongs_together_is_not_cut() -> None:
    for sentence in (
        "I want to eat and drink.",
        "I can sing and play.",
        "Marie and Tom work here.",
        "Do you live here and work there?",
    ):
        assert statements(sentence) == [sentence]


def test_words_of_one_stem_are_one() -> None:
    assert stem("painted") == stem("painting") == stem("paints")
    assert content_words("I really do see the paintings") == [stem("painting")]


@given(st.text(max_size=500))
def test_any_text_is_taken_apart_without_loss_of_words(text: str) -> None:
    for sentence in sentences(text):
        assert sentence.strip() == sentence != ""
        for statement in statements(sentence):
            assert statement
