"""What two sentences share and in what they differ, when they are laid side by side."""

from __future__ import annotations

import pytest

from app.rules.alignment import DENIAL, FIGURE, NAMED, aligned, is_kin
from app.rules.contradiction import difference
from app.rules.statement import said_in


@pytest.mark.parametrize(
    ("one", "other", "kin"),
    [
        ("rehearsal", "rehear", True),
        ("gasabschlag", "gas", True),
        ("reachabl", "reach", True),
        ("erwünsch", "unerwünsch", False),
        ("web-01", "web-02", False),
        ("hamburg", "berlin", False),
    ],
)
def test_words_of_one_family_are_kin_and_opposites_are_not(one: str, other: str, kin: bool) -> None:
    assert is_kin(one, other) is is_kin(other, one) is kin


@pytest.mark.parametrize(
    ("one", "other", "kind", "value"),
    [
        ("Nadia's flat is on the third floor.", "Nadia's flat is on the 5th floor.", FIGURE, "3"),
        ("The choir rehearses on Monday.", "Choir rehearsal is on Friday.", FIGURE, "0"),
        ("Our vet is Dr. Lindqvist.", "Our vet is Dr. Amari.", NAMED, "lindqvi"),
        ("Olive can swim.", "Olive can't swim yet.", DENIAL, ""),
    ],
)
def test_the_value_is_found_by_its_sort(one: str, other: str, kind: str, value: str) -> None:
    found = aligned(said_in(one)[0], said_in(other)[0])
    assert found is not None
    assert found.kind == kind
    assert "".join(part.value for part in found.one.value) == value


def test_sentences_of_nothing_in_common_are_not_aligned() -> None:
    assert aligned(said_in("The shop sells cheese.")[0], said_in("Anna reads books.")[0]) is None


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("The quay opens in 2014.", "Opening year of the quay: 2016", "number"),
        ("The lift can be reached from the yard.", "The lift can't be reached from the yard.", ""),
    ],
)
def test_the_same_in_other_words_is_compared(one: str, other: str, why: str) -> None:
    assert difference(one, other) == (why or "negation")
