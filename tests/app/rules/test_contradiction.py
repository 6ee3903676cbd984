from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.contradiction import difference
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


RETOLD = [
    ("The rent of the flat is 1,840 francs a month.", "The flat's rent is 1,920 francs a month."),
    ("The allotment lease runs until the end of 2030.", "The lease of the allotment runs until "
     "31 December 2035."),
    ("Die Familie hat eine Rechtsschutzversicherung.", "Die Familie hat keine "
     "Rechtsschutzversicherung."),
    ("Domain zwissig.family will expire on 29 September 2026.", "The domain zwissig.family "
     "expires on 9 August 2026."),
    ("They start their Norway trip on 10 June 2026.", "The Norway trip starts on 3 June 2026."),
    ("Auf seepferd sind die Backups unverschlüsselt.", "Die Backups auf seepferd sind "
     "verschlüsselt."),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), RETOLD)
def test_the_same_stored_again_with_another_value_is_noticed(one: str, other: str) -> None:
    assert difference(one, other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Imke's staff locker is number 119.", "My staff locker is number 117."),
        ("Jannik puts 100 euros a month into a fund.", "I put 150 euros a month into a fund."),
        ("Hennings Hochzeitstag ist der 8. August.", "Unser Hochzeitstag ist der 6. September."),
    ],
)
def test_another_name_is_somebody_else_where_the_owners_is_known(one: str, other: str) -> None:
    assert difference(one, other, ("svea ohlsen", "svea")) is None
    owners = one.replace("Imke", "Svea").replace("Jannik", "Svea").replace("Henning", "Svea")
    assert difference(owners, other, ("svea ohlsen", "svea")) is not None


def test_who_says_the_user_means_nobody_who_is_named() -> None:
    assert difference("Jonas has 28 days of leave.", "The user has 31 days of leave.") is None
    assert difference("I have 28 days of leave.", "The user has 31 days of leave.") is not None


def test_months_told_beside_a_day_tell_two_occasions_apart() -> None:
    assert (
        difference(
            "The September 2025 repair café is on Saturday the 13th.",
            "The November 2025 repair café is on Saturday the 8th.",
        )
        is None
    )
