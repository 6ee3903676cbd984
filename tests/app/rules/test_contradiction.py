from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.learning import claims, contradicts


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("The owner lives in Lisbon.", "The owner lives in Berlin."),
        ("The owner moved to Lisbon last year (2025).", "User lives in Berlin"),
        ("The owner is no longer vegetarian.", "I am vegetarian"),
        ("The owner is vegan.", "The owner is vegetarian"),
        ("The owner eats meat again.", "The owner is vegetarian."),
        ("The owner hates coffee.", "Loves coffee"),
        ("The owner doesn't like coffee", "The owner likes coffee."),
        ("The owner's manager is Priya.", "The owner's manager is Tom."),
        ("The owner's favourite color is blue", "My favorite color is green."),
        ("Reply in French.", "Always reply in English."),
        ("Ana works at Globex.", "Ana works for Acme"),
    ],
)
def test_two_things_that_cannot_both_be_true_contradict(new: str, known: str) -> None:
    assert contradicts(new, known)
    assert contradicts(known, new)


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("The owner lives in Berlin Mitte.", "The owner lives in Berlin"),
        ("Priya's manager is Ana", "The owner's manager is Tom"),
        ("The owner likes tea", "The owner likes coffee"),
        ("The owner works at Acme.", "The owner works with Marie on onboarding."),
        ("Ana lives in Porto.", "The owner lives in Berlin."),
        ("The owner is vegetarian.", "The owner is vegetarian."),
        ("Deploys are frozen on Fridays.", "Production runs on EKS."),
    ],
)
def test_different_things_do_not_contradict(new: str, known: str) -> None:
    assert not contradicts(new, known)


def test_what_is_turned_over_is_a_claim_that_does_not_hold() -> None:
    (claim,) = claims("The owner no longer likes opera.")
    assert (claim.slot, claim.holds) == ("liking opera", False)


@given(st.text(max_size=300))
def test_no_text_contradicts_itself(text: str) -> None:
    assert not contradicts(text, text) or len(set(claims(text))) > 1
