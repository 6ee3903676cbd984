"""The passport: corrections first, within the size, and nothing that may not be told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Invalid
from app.proof.beliefs import Beliefs
from app.proof.passport import PassportLine, PassportLines, Passports, PassportWords, fit, measure
from app.vault import Vault, open_vault
from store.records import EntryDraft

_LINES = st.lists(st.text("abcäß𝔘 ", min_size=1, max_size=60).map(PassportLine), max_size=12)


@given(_LINES, _LINES, st.integers(50, 600), st.sampled_from(("characters", "bytes")))
def test_it_never_passes_its_size_and_is_the_same_every_time(
    wrong: list[PassportLine], facts: list[PassportLine], size: int, unit: str
) -> None:
    lines, words = PassportLines(tuple(wrong), tuple(facts)), PassportWords()
    made = fit(lines, size, unit, words)
    assert made.used == measure(made.text, unit) <= size
    assert made == fit(lines, size, unit, words)
    assert made.corrections + made.facts + made.left_out == len(wrong) + len(facts)
    if made.facts and made.corrections:
        assert made.text.index(words.wrong) < made.text.index(words.facts)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault" / "vault.db")
    for key, content in (
        ("home", "Lives in Bonn."),
        ("work", "Works for Siemens."),
        ("tea", "Drinks green tea."),
    ):
        opened.entries.store(EntryDraft(content, key=key, category="core"))
    yield opened
    opened.close()


def test_corrections_stand_first_and_what_they_know_is_left_out(vault: Vault) -> None:
    service = Beliefs(vault)
    service.compare(["You live in Bonn.", "You work at Bosch.", "You sail."], "chatgpt")
    service.decide("chatgpt", "You sail.", "wrong")
    made = Passports(vault).passport("chatgpt")
    assert made.text == (
        "Correct what you know about me:\n"
        "- Not true, forget it: You sail.\n"
        "- Works for Siemens.\n"
        "\nAbout me:\n"
        "- Drinks green tea.\n"
    )
    assert (made.corrections, made.facts, made.left_out) == (2, 1, 0)
    assert "Lives in Bonn." in Passports(vault).passport().text
    small = Passports(vault).passport("chatgpt", 60)
    assert small.text == "Correct what you know about me:\n- Works for Siemens.\n"
    with pytest.raises(Invalid, match="A size is from"):
        Passports(vault).passport("", 3)


def test_what_they_have_wrong_counts_until_they_say_it_no_more(vault: Vault) -> None:
    service = Beliefs(vault)
    service.compare(["You work at Bosch."], "chatgpt")
    assert Passports(vault).passport("chatgpt").corrections == 1
    service.compare(["You work for Siemens."], "chatgpt")
    made = Passports(vault).passport("chatgpt")
    assert (made.corrections, "Siemens" in made.text) == (0, False)


def test_what_they_knew_counts_until_they_say_it_no_more(vault: Vault) -> None:
    service = Beliefs(vault)
    service.compare(["You live in Bonn."], "chatgpt")
    assert "Bonn" not in Passports(vault).passport("chatgpt").text
    service.compare(["You sail."], "chatgpt")
    assert "Bonn" in Passports(vault).passport("chatgpt").text


def test_taking_one_thing_over_leaves_out_all_else_that_they_know(vault: Vault) -> None:
    service = Beliefs(vault)
    service.compare(["You live in Bonn.", "You sail."], "chatgpt")
    service.take_over("chatgpt", "You sail.")
    text = Passports(vault).passport("chatgpt").text
    assert ("Bonn" in text, "sail" in text, "green tea" in text) == (False, False, True)


@pytest.mark.parametrize("muted", [("cloud",), ("*",), ("chatgpt",)])
def test_nothing_that_is_muted_is_in_it(vault: Vault, muted: tuple[str, ...]) -> None:
    for key, content in (("illness", "Has diabetes."), ("salary", "Earns 4000 euros.")):
        vault.entries.store(EntryDraft(content, key=key, category="core", muted_for=muted))
    vault.entries.store(EntryDraft("Was at the clinic.", key="clinic", tags=("health",)))
    vault.settings.set("muted_tags", f"health: {muted[0]}")
    service = Beliefs(vault)
    service.compare(["You earn 3000 euros.", "You do not have diabetes."], "chatgpt")
    text = Passports(vault).passport("chatgpt", 5_000).text
    assert "Works for Siemens." in text
    for word in ("diabetes", "4000", "clinic"):
        assert word not in text


def test_what_is_not_true_now_or_looks_like_a_password_is_not_in_it(vault: Vault) -> None:
    vault.entries.store(EntryDraft("Lived in Kiel.", true_until="2020-01-01T00:00:00.000000Z"))
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    vault.entries.store(EntryDraft(f"The token is {secret}"))
    vault.entries.store(EntryDraft("How we deploy. " * 30, hook=f"Deploying with {secret}"))
    text = Passports(vault).passport("", 5_000).text
    assert "Kiel" not in text
    assert secret not in text
