"""What grows old, what is asked about and what first; how it is said to agents."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.hydration import hydrate
from app.rules.preload import preload
from app.rules.rendering import confirmed_note, entry_bytes, entry_text
from app.rules.still_true import (
    CONTRADICTED,
    DUE,
    HARDLY,
    NEVER_CONFIRMED,
    NOW_AND_THEN,
    OFTEN,
    SELDOM,
    Ageing,
    AgeingFact,
    ageing,
    due_at,
    due_facts,
)
from store.instants import plus
from tests.fakes import an_entry

NOW = "2026-04-30T12:00:00.000000Z"


def fact(ident: str = "a", content: str = "The sky is wide.", **fields: object) -> AgeingFact:
    usual = {
        "id": ident,
        "key": ident,
        "kind": "fact",
        "core": False,
        "content": content,
        "tags": (),
        "by_agent": False,
        "written_at": plus(NOW, days=-300),
        "verified_at": None,
        "stale_after": None,
        "uses": 0,
        "contradicted": False,
    }
    return AgeingFact(**(usual | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "content", "wanted"),
    [
        ("fact", "Mia's birthday is on 3 May.", None),
        ("fact", "Mias Geburtstag ist am 3. Mai.", None),
        ("fact", "The dog is called Bruno.", None),
        ("fact", "Der Hund heißt Bruno.", None),
        ("relationship", "My sister's full name is Ana Maria.", None),
        ("event", "Moved to Bonn in March.", None),
        ("fact", "Lives in Bonn, Argelanderstraße 4.", NOW_AND_THEN),
        ("fact", "Wohnt in Bonn.", NOW_AND_THEN),
        ("fact", "Works at Siemens.", NOW_AND_THEN),
        ("fact", "Arbeitet bei Siemens.", NOW_AND_THEN),
        ("fact", "We run Python 3.12.", OFTEN),
        ("fact", "Currently reading Middlemarch.", OFTEN),
        ("fact", "Liest derzeit Middlemarch.", OFTEN),
        ("preference", "Likes tea.", HARDLY),
        ("fact", "The sky is wide.", SELDOM),
    ],
)
def test_addresses_jobs_and_versions_age_and_names_do_not(
    kind: str, content: str, wanted: Ageing | None
) -> None:
    assert ageing(kind, content) == wanted


def test_a_key_says_what_it_is_about_too() -> None:
    assert ageing("fact", "home_address", "Argelander 4") == NOW_AND_THEN
    assert ageing("fact", "mia_birthday", "3 May") is None


def test_what_somebody_said_stands_before_what_ageing_gives() -> None:
    soon = plus(NOW, days=3)
    assert due_at(fact(stale_after=soon)) == soon
    assert due_at(fact(content="Born in Rome.", stale_after=soon)) == soon


def test_what_a_person_confirmed_counts_from_then_and_an_agents_word_half() -> None:
    confirmed = plus(NOW, days=-10)
    assert due_at(fact(verified_at=confirmed)) == plus(confirmed, days=SELDOM.days)
    said = fact(by_agent=True)
    assert due_at(said) == plus(said.written_at, days=SELDOM.days / 2)


def test_the_reason_says_why_it_is_asked_about() -> None:
    facts = [
        fact("never"),
        fact("due", verified_at=plus(NOW, days=-400), stale_after=plus(NOW, days=-1)),
        fact("opposed", content="Born in Rome.", contradicted=True),
        fact("fresh", written_at=plus(NOW, days=-1)),
        fact("born", content="Born in Rome."),
    ]
    found = {one.id: one.reason for one in due_facts(facts, NOW, 9)}
    assert found == {"never": NEVER_CONFIRMED, "due": DUE, "opposed": CONTRADICTED}


def test_contradictions_come_first_then_age_use_and_core() -> None:
    plain = fact("plain")
    facts = [
        plain,
        fact("older", written_at=plus(NOW, days=-900)),
        fact("used", uses=40),
        fact("core", core=True),
        fact("opposed", contradicted=True, written_at=plus(NOW, days=-1)),
    ]
    found = [one.id for one in due_facts(facts, NOW, 9)]
    assert found[0] == "opposed"
    assert found[-1] == "plain"


def test_the_same_day_asks_the_same_in_whatever_order_they_came() -> None:
    facts = [fact(f"m{i}", uses=i % 7, core=i % 3 == 0) for i in range(60)]
    first = due_facts(facts, NOW, 5)
    random.Random(4).shuffle(facts)
    assert due_facts(facts, NOW, 5) == first
    assert len(first) == 5
    assert due_facts(facts, NOW, 0) == due_facts(facts, NOW, -3) == []


# How it is said to agents

STALE = {"verified_at": "2024-03-05T10:00:00.000000Z", "stale_after": "2025-01-01T00:00:00.000000Z"}


@pytest.mark.parametrize(
    ("day", "words"),
    [
        ("2024-12-31", ""),  # not due yet
        ("2025-01-01", ", last confirmed 9 months ago"),
        ("2026-03-04", ", last confirmed 23 months ago"),
        ("2026-03-05", ", last confirmed 2 years ago"),
        ("2031-03-04", ", last confirmed 6 years ago"),
        ("", ""),
    ],
)
def test_agents_are_told_how_long_ago_it_was_confirmed_once_that_matters(
    day: str, words: str
) -> None:
    assert confirmed_note(STALE["verified_at"], STALE["stale_after"], day) == words


def test_what_nobody_confirmed_or_what_is_not_due_says_nothing() -> None:
    assert confirmed_note(None, STALE["stale_after"], "2026-01-01") == ""
    assert confirmed_note(STALE["verified_at"], None, "2026-01-01") == ""
    soon = "2024-03-20T00:00:00.000000Z"
    assert confirmed_note(STALE["verified_at"], soon, "2024-03-21") == ", last confirmed weeks ago"


def test_it_stands_in_both_texts_and_costs_its_bytes() -> None:
    old = an_entry(key="home", content="Lives in Bonn.", **STALE)
    told = hydrate([old], [], 4_000, day="2026-04-30")
    assert ", last confirmed 2 years ago): Lives in Bonn.\n" in told.text
    assert told.used == len(told.text.encode())
    assert told.included[0].bytes > hydrate([old], [], 4_000).included[0].bytes
    assert "last confirmed 2 years ago" in preload([old], 5, day="2026-04-30").text


def test_the_text_stays_the_same_from_day_to_day() -> None:
    old = an_entry(key="home", content="Lives in Bonn.", **STALE)
    texts = {hydrate([old], [], 4_000, day=f"2026-{m:02}-28").text for m in range(4, 13)}
    assert len(texts) == 1


@given(st.text(max_size=40), st.sampled_from(["", ", last confirmed 2 years ago"]))
def test_its_bytes_are_those_of_the_text(content: str, note: str) -> None:
    text = entry_text("key", "fact", NOW, content, note)
    assert entry_bytes("key", "fact", NOW, content, note) == len(text.encode())
