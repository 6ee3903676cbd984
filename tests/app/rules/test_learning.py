from __future__ import annotations

import pytest

from app.rules.facts import Fact, Line
from app.rules.learning import (
    Contradicting,
    Known,
    New,
    NotAgain,
    contradicts,
    judged,
    of_the_project,
    standing,
)
from store.records import Origin
from tests.fakes import an_entry


def a_fact(content: str, replaces: str = "") -> Fact:
    return Fact(content, "fact", 5, (), ("turn:1",), content, replaces)


def unlike(a: str, b: str) -> float:
    return 0.0


def test_a_fact_nobody_knows_is_new() -> None:
    fact = a_fact("The owner plays the cello.")
    nearby = [an_entry("Production runs on EKS.")]
    assert judged(fact, nearby, [], [], unlike) == New(fact)


def test_a_fact_in_other_words_is_known_by_its_words() -> None:
    fact = a_fact("The owner plays the cello.")
    entry = an_entry("User plays cello")
    assert judged(fact, [entry], [], [], unlike) == Known(fact, entry)


def test_a_fact_in_quite_other_words_is_known_by_its_meaning() -> None:
    fact, entry = a_fact("The owner eats no animals."), an_entry("Strict vegetarian.")
    assert judged(fact, [entry], [], [], lambda a, b: 0.95) == Known(fact, entry)
    assert judged(fact, [entry], [], [], lambda a, b: 0.8) == New(fact)


def test_saying_otherwise_is_seen_before_saying_the_same() -> None:
    fact, entry = a_fact("The owner lives in Lisbon."), an_entry("The owner lives in Berlin.")
    assert judged(fact, [entry], [], [], lambda a, b: 0.99) == Contradicting(fact, entry)


def test_a_writer_that_names_what_it_replaces_is_believed() -> None:
    entry = an_entry("Standup is at nine.")
    fact = a_fact("Standup is at ten.", replaces="Standup is at nine.")
    assert judged(fact, [entry], [], [], unlike) == Contradicting(fact, entry)


def test_what_was_taken_from_the_same_turn_is_not_taken_again() -> None:
    fact = a_fact("The owner plays the cello.")
    before = [Origin("gone", "turn:1", "I play the cello")]
    assert judged(fact, [], [], before, unlike) == NotAgain(fact)


def test_the_same_words_in_another_turn_are_another_telling() -> None:
    fact = a_fact("The owner plays the cello.")
    before = [Origin("gone", "turn:2", "I play the cello")]
    assert judged(fact, [], [], before, unlike) == New(fact)


def test_from_a_turn_whose_words_were_erased_nothing_is_learned() -> None:
    fact = a_fact("The owner plays the cello.")
    assert judged(fact, [], [], [Origin("gone", "turn:1", "")], unlike) == NotAgain(fact)


def test_the_same_words_denied_are_a_contradiction() -> None:
    fact, entry = a_fact("The owner doesn't use Windows."), an_entry("The owner uses Windows.")
    assert judged(fact, [entry], [], [], lambda a, b: 0.99) == Contradicting(fact, entry)


def test_what_was_taken_back_in_the_same_exchange_does_not_stand() -> None:
    lines = [Line(f"turn:{n}", "user", "", "2026-05-08T10:00:00.000000Z") for n in (1, 2)]
    first = Fact("The owner lives in Berlin.", "fact", 5, (), ("turn:1",), "")
    later = Fact("The owner lives in Lisbon.", "fact", 5, (), ("turn:2",), "")
    assert standing([later, first], lines) == [later]


@pytest.mark.parametrize(
    ("content", "kind", "project"),
    [
        ("The owner: We decided to use Postgres.", "decision", True),
        ("Production runs on three machines in Frankfurt.", "fact", True),
        ("The owner: Tom is our security lead.", "relationship", True),
        ("The owner's name is Ruth.", "fact", False),
        ("The owner prefers small pull requests.", "preference", False),
        ("From now on, write migrations by hand.", "instruction", False),
        ("The owner: Ich wohne in Graz.", "fact", False),
        ("The owner: Yo soy Lucía.", "fact", False),
    ],
)
def test_what_is_of_the_project_and_what_of_the_person(
    content: str, kind: str, project: bool
) -> None:
    assert of_the_project(Fact(content, kind, 5, (), ("turn:1",), content)) is project


@pytest.mark.parametrize(
    ("new", "known", "opposed"),
    [
        ("Wohnt in Bremen.", "Wohnt in Hamburg-Ottensen.", True),
        ("Ich wohne jetzt in Bremen.", "Lebt in Hamburg mit Jonas.", True),
        ("Wohnt in Bremen.", "Lives in Hamburg.", True),
        ("Arbeitet bei Bosch.", "Works for Siemens.", True),
        ("Jonas wohnt in Kiel.", "Wohnt in Hamburg.", False),
        ("Meinhard wohnt in Kiel.", "Wohnt in Hamburg.", False),
        ("Wohnt in Hamburg.", "Wohnt in Hamburg mit Jonas.", False),
    ],
)
def test_a_home_and_an_employer_are_one_in_german_too(new: str, known: str, opposed: bool) -> None:
    assert contradicts(new, known) == opposed
