"""A text is found again whatever was done to its letters, and nothing else is taken for it."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.quotes import Phrases, fold, folded_text

ADDRESS = "I live at Lindenstraße 12, 10969 Berlin — the key is under the “blue” pot."


def found(phrases: Phrases, text: str, escaped: bool = False) -> list[str]:
    return [text[start:end] for start, end in phrases.spans(text, escaped=escaped)]


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        ADDRESS.upper(),
        ADDRESS.replace(" ", "\n\t "),
        unicodedata.normalize("NFD", ADDRESS),
        ADDRESS.replace("“", '"').replace("”", '"').replace("—", "-"),
        ADDRESS.replace("Berlin", "Ber\u200blin"),
    ],
)
def test_letters_that_look_the_same_are_the_same(text: str) -> None:
    phrases = Phrases.of([ADDRESS])
    assert phrases.may_be_in(text.encode())
    assert found(phrases, f"He said: {text} Really.") == [text]


def test_json_in_json_is_read() -> None:
    line = json.dumps({"a": json.dumps({"b": json.dumps({"c": f"so {ADDRESS}\nthen"})})})
    (said,) = found(Phrases.of([ADDRESS]), line, escaped=True)
    assert (said[:6], said[-4:]) == ("I live", "pot.")
    assert found(Phrases.of([ADDRESS]), line) == []
    emoji = "😀 we meet at Café Zoë on Friday"
    (said,) = found(Phrases.of([emoji]), json.dumps({"x": f"{emoji}!"}), escaped=True)
    assert json.loads(f'"{said}"') == f"{emoji}!"


def test_a_line_a_sentence_and_a_run_of_words_are_enough() -> None:
    text = (
        "# Health\n- Takes 20 mg of Lisinopril every morning\n- Dr. Okafor is the cardiologist "
        "she has seen since the spring of the year her father moved away from Lagos. Never call."
    )
    phrases = Phrases.of([text])
    assert found(phrases, "| Takes 20 mg of  Lisinopril every morning |") != []
    assert found(phrases, "since the spring of the year her father moved away from") != []
    assert found(phrases, "Takes 20 mg of something else every morning") == []


def test_what_stays_says_is_no_trace_but_a_whole_text_is() -> None:
    shared = "Always answer in the language I wrote in"
    text = f"{shared}\nMy sister Amara lives at Uferweg 3 in Kiel"
    phrases = Phrases.of([text], staying=[f"Note: {shared.lower()}!"])
    assert found(phrases, shared) == []
    assert found(phrases, "my sister Amara lives at Uferweg 3 in Kiel") != []
    assert found(Phrases.of([shared], staying=[shared]), shared) != []


def test_too_short_a_text_is_counted_and_not_looked_for() -> None:
    phrases = Phrases.of(["tea", "likes tea"])
    assert (bool(phrases), phrases.short) == (False, 2)
    assert found(Phrases.of(["我住在柏林菩提树街"]), "他说我住在柏林菩提树街。") == [
        "我住在柏林菩提树街"
    ]


LETTERS = st.text(
    st.sampled_from('aBßéŁ\u0301\u200b ﬁ“—\n\t\\"{}:,.。漢😀 İ') | st.characters(codec="utf-8"),
    max_size=60,
)


@given(LETTERS)
def test_both_ways_of_folding_agree(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    assert fold(composed).text.split() == folded_text(composed).split()


@given(LETTERS, LETTERS)
def test_a_span_is_within_the_text(before: str, after: str) -> None:
    text = f"{before} {ADDRESS} {after}"
    spans = Phrases.of([ADDRESS]).spans(text)
    assert spans
    assert all(0 <= start < end <= len(text) for start, end in spans)
    line = json.dumps({"x": text})
    for start, end in Phrases.of([ADDRESS]).spans(line, escaped=True):
        json.loads(line[:start] + "[erased]" + line[end:])
