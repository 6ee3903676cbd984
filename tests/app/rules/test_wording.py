from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.rules.wording import mentions, negated, same_words, says_same


def test_the_same_fact_in_the_words_of_another_speaker_is_the_same() -> None:
    assert says_same("I play the cello", "The owner plays the cello.")


def test_a_short_fact_is_not_the_same_as_one_about_somebody_else() -> None:
    assert not same_words("The owner is vegetarian.", "The owner's sister is vegetarian.")


def test_two_words_in_a_long_text_are_not_the_same_fact() -> None:
    long = "Marie wrote the onboarding guide for new colleagues in the Lisbon office in spring"
    assert not same_words("Onboarding guide", long)


def test_a_denial_is_the_same_words_and_not_the_same_fact() -> None:
    assert same_words("The owner doesn't like coffee", "The owner likes coffee")
    assert not says_same("The owner doesn't like coffee", "The owner likes coffee")
    assert not negated("I can't not laugh")


def test_a_line_mentions_a_fact_among_other_things() -> None:
    line = "Vegetarian; works with Marie on onboarding."
    assert mentions(line, "The owner is vegetarian.")
    assert not mentions("Works with Marie on onboarding.", "The owner is vegetarian.")


@given(st.text(max_size=200))
def test_every_text_says_the_same_as_itself(text: str) -> None:
    assert says_same(text, text)
