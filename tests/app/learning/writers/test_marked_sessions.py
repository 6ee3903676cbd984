"""The built-in writer on sessions marked by hand: what it proposes, and what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

import resources
from app.learning.writers.extractive import ExtractiveWriter
from app.rules.facts import Line
from app.rules.learning import standing
from app.rules.wording import says_same
from bench.proposals import LANGUAGES, PRECISION, RECALL, SESSIONS, marked, scored
from store.models.minilm import MiniLM

AT = "2026-11-10T10:00:00.000000Z"


@pytest.fixture(scope="module")
def writer() -> ExtractiveWriter:
    model = MiniLM(Path(resources.__file__).parent / "minilm")
    return ExtractiveWriter(lambda: model)


def said(*texts: str) -> list[Line]:
    return [Line(f"turn:{n}", "user", text, AT) for n, text in enumerate(texts)]


def kept(writer: ExtractiveWriter, *texts: str) -> list[str]:
    lines = said(*texts)
    return [fact.sentence for fact in standing(writer.facts(lines, []).facts, lines)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("half", ["tuning", "held back", "second look"])
def test_proposals_are_right_and_most_of_what_matters_is_among_them(
    writer: ExtractiveWriter, language: str, half: str
) -> None:
    session = marked(language, half)
    found = standing(writer.facts(session.lines, []).facts, session.lines)
    precision, recall = scored(found, session)
    assert precision >= PRECISION
    assert recall >= RECALL


def test_ten_decisions_that_are_alike_are_ten(writer: ExtractiveWriter) -> None:
    texts = [f"We decided to use port {8000 + n} for service number {n}." for n in range(10)]
    assert len(kept(writer, *texts)) == 10


def test_what_is_said_three_times_is_kept_once(writer: ExtractiveWriter) -> None:
    again = "the nightly export finishes before six"
    texts = [f"Note {again}.", "Fix the parser.", f"Remember {again}.", "Ok.", f"Again, {again}."]
    assert len(kept(writer, *texts)) == 1


def test_several_corrections_of_one_fact_become_one(writer: ExtractiveWriter) -> None:
    texts = ["I live in Oslo.", "No wait, I live in Bergen.", "Actually I live in Tromsø."]
    assert kept(writer, *texts) == ["Actually I live in Tromsø."]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("We use port 80 for the shop", "We use port 81 for the shop", False),
        ("We use Redis for the cache", "We use Kafka for the cache", False),
        ("We use Redis for the cache", "we use redis for the cache", True),
        ("The owner drinks tea", "I drink tea", True),
    ],
)
def test_numbers_and_names_tell_sentences_apart(a: str, b: str, same: bool) -> None:
    assert says_same(a, b) is same


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_session_that_only_asks_for_work_proposes_nothing(
    writer: ExtractiveWriter, language: str
) -> None:
    text = (SESSIONS / "requests.txt").read_text("utf-8")
    asked = text.partition(f"=== {language}\n")[2].partition("\n===")[0].splitlines()
    assert [one for one in asked if kept(writer, one)] == []
