from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.learning.writers.patterns import passes_by, shape_of, tags_for


@pytest.mark.parametrize(
    ("kind", "statement"),
    [
        ("preference", "I am vegetarian"),
        ("preference", "I don't eat gluten"),
        ("preference", "I really love hiking"),
        ("preference", "My favourite colour is blue"),
        ("preference", "I'd rather have short answers"),
        ("relationship", "I work with Marie on onboarding"),
        ("relationship", "My manager is Priya"),
        ("relationship", "Tom is my brother"),
        ("relationship", "I have two kids"),
        ("instruction", "Always reply in French"),
        ("instruction", "From now on use tabs, please"),
        ("instruction", "Please don't use emojis"),
        ("instruction", "Call me Sam"),
        ("fact", "My name is Sam"),
        ("fact", "I live in Berlin"),
        ("fact", "I work at Acme"),
        ("fact", "We use Python 3.11"),
        ("decision", "We decided to go with Postgres"),
        ("event", "I went to a concert yesterday"),
        ("event", "The deadline is Friday"),
        ("observation", "Production runs hot under load"),
    ],
)
def test_a_sentence_is_told_by_its_shape(kind: str, statement: str) -> None:
    assert shape_of(statement).kind == kind


@pytest.mark.parametrize(
    "statement",
    [
        "Can you fix the parser?",
        "Thanks so much!",
        "What is the weather",
        "Help me write a poem",
        "Hello there",
        "See you tomorrow",
    ],
)
def test_what_is_said_for_the_moment_passes_by(statement: str) -> None:
    assert passes_by(statement)


def test_a_standing_instruction_does_not_pass_by() -> None:
    assert not passes_by("Write to me in German")


def test_a_named_day_makes_it_more_worth_keeping() -> None:
    assert shape_of("Production moved yesterday").strength > shape_of("Production moved").strength


def test_tags_are_the_topic_the_names_and_few() -> None:
    statement = "I work with Marie on onboarding"
    assert tags_for(statement, shape_of(statement)) == ("people", "marie", "onboarding")


@given(st.text(max_size=300))
def test_any_text_has_a_shape_and_short_lowercase_tags(text: str) -> None:
    shape = shape_of(text)
    assert 1 <= shape.importance <= 10
    assert 0 <= shape.strength <= 1
    for tag in tags_for(text, shape):
        assert tag == tag.lower()
