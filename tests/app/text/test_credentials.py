from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text import credentials
from app.text.credentials import KINDS, SUSPECT, credentials_in, redacted
from tests.app.text.credential_shapes import LOOK_ALIKES, REAL, corpus

COUNT = 500
# What the patterns are made of, well and badly joined.
PIECES = (
    *(
        "AKIAIOSFODNN7EXAMPLE",
        "ghp_" + "a1B2" * 9,
        "sk-" + "a1B2" * 8,
        "eyJhbGciOiJI.eyJzdWIiOiIx.",
    ),
    *("password", "Pass_word", "client_secret", "clientsecret", "api key", "ACCESS-KEY", "token"),
    *(
        "auth",
        "secret_token",
        "credentials",
        "pwd",
        "\u017fecret",
        "to\u212aen",
        "Bearer ",
        "basic\n",
    ),
    *("=", ": ", " is ", " => ", '"', "'", "`", " ", "\n", "-", "_", "x", "Hunter2!", "aB3$xyz9Q"),
    *(
        "https://u:",
        "pa55word!",
        "@host",
        "4111 1111 1111 1111",
        "378282246310005",
        "4111111111111111",
    ),
)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_500_made_credentials_98_percent_are_found(seed: int) -> None:
    missed = [text for text in corpus(REAL, COUNT, seed) if not credentials_in(text)]
    assert len(missed) <= COUNT * 0.02, missed[:10]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_500_look_alikes_at_most_2_percent_are_taken_for_one(seed: int) -> None:
    taken = [text for text in corpus(LOOK_ALIKES, COUNT, seed) if credentials_in(text)]
    assert len(taken) <= COUNT * 0.02, taken[:10]


def test_what_is_redacted_is_gone_and_the_rest_stays() -> None:
    for text in corpus(REAL, COUNT, 4):
        found = credentials_in(text)
        clean = redacted(text)
        assert all(text[one.start : one.end] not in clean for one in found)
        assert not credentials_in(clean), (text, clean)
        assert clean.startswith(text[: found[0].start] if found else text)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=60))
def test_looking_only_where_something_may_be_finds_the_same(text: str) -> None:
    """Beside every pattern over the whole text."""
    assert [
        found.span()
        for start, end in credentials._long_words(text)
        for found in re.compile(credentials._TOKEN).finditer(text, start, end)
    ] == [found.span() for found in re.finditer(credentials._TOKEN, text)]
    values = {found.span("value") for found in credentials._assigned(text)}
    assert values == {found.span("value") for found in re.finditer(credentials._ASSIGNED, text)}
    if list(re.finditer(credentials._BEARER, text)):
        assert list(credentials._long_words(text))
        assert credentials._says(text, ("bearer", "basic"))
    if list(re.finditer(credentials._IN_URL, text)):
        assert "://" in text
        assert "@" in text
    if list(re.finditer(credentials._CARD, text)):
        assert re.search(credentials._MAYBE_CARD, text)


def test_the_bare_word_is_never_one() -> None:
    for text in ("password", "My password?", "the password is long", "secret token: none"):
        assert credentials_in(text) == []


@given(st.text())
def test_any_text_is_read_quickly_and_only_named(text: str) -> None:
    found = credentials_in(text)
    assert all(one.kind in KINDS and text[one.start : one.end] for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 60_000,
        "password=" * 7_000,
        "1234 " * 12_000,
        "-----BEGIN PRIVATE KEY-----" * 2_000,
        "token: " + "a1-" * 20_000,
        "://:@" * 12_000,
        "eyJa." * 12_000,
    ],
)
def test_no_text_of_an_entrys_size_takes_long(text: str) -> None:
    began = time.thread_time()  # however busy the machine is
    credentials_in(text)
    SUSPECT.search(text)
    assert time.thread_time() - began < 2
