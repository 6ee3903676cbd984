from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.learning.writers.extractive import conjugated, third_person, without_opener


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I am vegetarian", "The owner is vegetarian"),
        ("I'm vegetarian", "The owner is vegetarian"),
        ("I work with Marie", "The owner works with Marie"),
        ("I never fly on Mondays", "The owner never flies on Mondays"),
        ("I went to Jasper", "The owner went to Jasper"),
        ("I've got two kids", "The owner has got two kids"),
        ("My wife hates fish", "The owner's wife hates fish"),
        ("I sold my car", "The owner sold their car"),
        ("I was tired, I think", "The owner was tired, they think"),
        ("I don't eat meat", "The owner doesn't eat meat"),
        ("Oh yeah, I love tea", "The owner loves tea"),
        ("What works for me is yoga", "What works for the owner is yoga"),
        ("Deploys are frozen on Fridays.", "Deploys are frozen on Fridays."),
    ],
)
def test_the_first_person_becomes_the_third(said: str, told: str) -> None:
    assert third_person(said, "The owner") == told


def test_a_named_speaker_keeps_their_name() -> None:
    assert third_person("I lost my keys", "Evan") == "Evan lost their keys"
    assert third_person("my dog barks", "James") == "James' dog barks"


def test_what_cannot_be_turned_safely_is_quoted_with_its_speaker() -> None:
    assert third_person("We moved to EKS", "Ana") == "Ana: We moved to EKS"
    assert third_person("I like your idea", "Ana") == "Ana: I like your idea"


def test_a_hyphened_us_is_no_pronoun() -> None:
    assert third_person("It runs in us-east-1.", "Ana") == "It runs in us-east-1."


def test_verbs_agree_with_a_third_person() -> None:
    told = {verb: conjugated(verb) for verb in ("go", "teach", "study", "play", "went", "liked")}
    assert told == {
        "go": "goes",
        "teach": "teaches",
        "study": "studies",
        "play": "plays",
        "went": "went",
        "liked": "liked",
    }


def test_what_is_mine_is_its_speakers() -> None:
    assert third_person("Mine is the blue one", "The owner") == "The owner's is the blue one"


@given(st.text(max_size=300))
def test_a_text_of_nobody_is_left_as_it_is(text: str) -> None:
    """Anything can be retold: with its speaker in it, or else unchanged."""
    told = third_person(text, "The owner")
    assert "the owner" in told.lower() or told == without_opener(text)


SPOKEN = ["I", "my", "me", "I'm", "I've", "mine", "My", "myself", "was", "Anna,", "tea", ".", "and"]


@given(st.lists(st.sampled_from(SPOKEN), max_size=10).map(" ".join))
def test_no_first_person_is_left_without_its_speaker(text: str) -> None:
    told = third_person(text, "The owner")
    quoted = told.startswith("The owner: ")
    assert quoted or not re.search(r"\b(?:I|[Mm]y|[Mm]ine|[Mm]e|[Mm]yself)\b", told)
