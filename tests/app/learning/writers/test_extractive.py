from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.learning.writers.extractive import ExtractiveWriter, candidates_of
from app.rules.facts import Line, SummaryLine
from app.rules.session import render
from tests import surroundings
from tests.fakes import FakeEmbedder

AT = "2023-05-08T13:56:00.000000Z"


def said(*texts: str, role: str = "user") -> list[Line]:
    return [Line(f"turn:{number}", role, text, AT) for number, text in enumerate(texts, 1)]


@pytest.fixture(params=["embedder", "words alone"])
def writer(request: pytest.FixtureRequest) -> ExtractiveWriter:
    embedder = FakeEmbedder() if request.param == "embedder" else None
    return ExtractiveWriter(lambda: embedder)


def test_what_a_person_says_of_themselves_becomes_facts_with_kind_and_origin(
    writer: ExtractiveWriter,
) -> None:
    lines = said("Hi! I am vegetarian and work with Marie on onboarding. Where can I eat?")
    facts = {fact.content: fact for fact in writer.facts(lines, ()).facts}
    assert set(facts) == {"The owner is vegetarian.", "The owner works with Marie on onboarding."}
    vegetarian = facts["The owner is vegetarian."]
    assert (vegetarian.kind, vegetarian.origins) == ("preference", ("turn:1",))
    assert vegetarian.sentence == "I am vegetarian"
    assert "diet" in vegetarian.tags


def test_what_an_assistant_says_is_no_fact_about_its_owner(writer: ExtractiveWriter) -> None:
    lines = said("I love Paris and I live in Rome.", role="assistant")
    assert writer.facts(lines, ()).facts == ()


def test_small_talk_leaves_nothing(writer: ExtractiveWriter) -> None:
    assert writer.facts(said("hello", "what is 2+2?", "Thanks a lot!"), ()).facts == ()


def test_what_is_known_is_not_found_again(writer: ExtractiveWriter) -> None:
    lines = said("I am vegetarian.")
    assert writer.facts(lines, ["The owner is vegetarian."]).facts == ()


def test_said_twice_is_kept_once(writer: ExtractiveWriter) -> None:
    lines = said("My manager is Priya.", "As I said, my manager is Priya.")
    assert len(writer.facts(lines, ()).facts) == 1


@pytest.mark.parametrize(
    ("where", "yesterday"),
    [("UTC", "2023-05-07"), ("Pacific/Kiritimati", "2023-05-08"), ("Etc/GMT+12", "2023-05-07")],
)
def test_relative_days_become_dates(writer: ExtractiveWriter, where: str, yesterday: str) -> None:
    """Counted from the day on which it was said where the owner is."""
    with surroundings.zone(where):
        (fact,) = writer.facts(said("I adopted a dog yesterday."), ()).facts
    assert fact.content == f"The owner adopted a dog yesterday ({yesterday})."


@pytest.mark.utc
def test_a_channel_author_is_named(writer: ExtractiveWriter) -> None:
    lines = [Line("message:1", "Ana", "I moved production to EKS yesterday.", AT)]
    (fact,) = writer.facts(lines, ()).facts
    assert fact.content == "Ana moved production to EKS yesterday (2023-05-07)."


def test_long_talk_keeps_a_bounded_number_of_facts(writer: ExtractiveWriter) -> None:
    lines = said(*(f"I visited city number {n} in {1900 + n}." for n in range(90)))
    assert 1 <= len(writer.facts(lines, ()).facts) <= 12


def test_the_same_exchange_gives_the_same_facts(writer: ExtractiveWriter) -> None:
    lines = said("I live in Berlin.", "My dog is called Rex.", "The launch is next Friday.")
    assert writer.facts(lines, ()) == writer.facts(lines, ())


def test_the_summary_adds_to_what_was_there(writer: ExtractiveWriter) -> None:
    earlier = [SummaryLine("The owner is vegetarian.", "2023-05-01", ("turn:0",))]
    summary = writer.summary(said("I am vegetarian.", "My manager is Priya."), earlier, 4000)
    assert [line.text for line in summary.lines] == [
        "The owner is vegetarian.",
        "The owner's manager is Priya.",
    ]
    assert summary.lines[1].origins == ("turn:2",)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=200), max_size=8), st.integers(0, 500))
def test_any_exchange_is_summarised_within_its_room(texts: list[str], room: int) -> None:
    writer = ExtractiveWriter(lambda: None)
    summary = writer.summary(said(*texts), (), room)
    assert not summary.lines or len(render(summary.lines)) <= room
    origins = {f"turn:{number}" for number in range(1, len(texts) + 1)}
    for fact in writer.facts(said(*texts), ()).facts:
        assert set(fact.origins) <= origins
        assert fact.content.strip()


def test_candidates_come_in_the_order_they_were_said() -> None:
    found = candidates_of(said("I live in Berlin. I work at Acme.", "My cat is Tom."))
    assert [c.statement for c in found] == [
        "I live in Berlin.",
        "I work at Acme.",
        "My cat is Tom.",
    ]


def test_a_sentence_about_the_person_just_named_stays_with_it(writer: ExtractiveWriter) -> None:
    (fact,) = writer.facts(
        said("My sister Clara lives in Graz. Her birthday is on June 3."), ()
    ).facts
    assert fact.content == "The owner's sister Clara lives in Graz. Her birthday is on June 3."


def test_material_to_work_on_is_not_what_its_owner_says(writer: ExtractiveWriter) -> None:
    lines = said("Translate this for me: My name is Bond. I live in London with my cat Moneypenny.")
    assert writer.facts(lines, ()).facts == ()


def test_what_speaks_for_itself_is_kept_however_short_the_talk(writer: ExtractiveWriter) -> None:
    lines = said(
        "My name is Jonas and I'm a nurse in Hamburg.",
        "Please keep answers short. Never use emojis. I don't eat pork.",
    )
    assert {fact.content for fact in writer.facts(lines, ()).facts} == {
        "The owner's name is Jonas.",
        "The owner is a nurse in Hamburg.",
        "Please keep answers short.",
        "Never use emojis.",
        "The owner doesn't eat pork.",
    }


def test_words_of_another_language_keep_their_speaker(writer: ExtractiveWriter) -> None:
    (fact,) = writer.facts(said("Ich bin Vegetarier und wohne in Graz."), ()).facts
    assert fact.content == "The owner: Ich bin Vegetarier und wohne in Graz."
