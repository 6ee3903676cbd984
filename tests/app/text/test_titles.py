from __future__ import annotations

import pytest

from app.rules.fields import made_key
from app.text.words import TITLE_CHARS, is_made_key, title_of


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("I drink oat milk flat whites.", "I drink oat milk flat whites."),
        ("# Oat milk\n\nFlat whites.", "Oat milk"),
        ("\n\n- **Oat** milk\n- no sugar", "Oat milk"),
        ("see [the list](http://x/y)", "see the list"),
        ("before [[deploy_target]]: check", "before deploy_target: check"),
        ("牛乳はオーツ", "牛乳はオーツ"),
    ],
)
def test_a_memory_nobody_named_is_called_by_its_first_line(content: str, title: str) -> None:
    key = made_key(content)
    assert is_made_key(key)
    assert title_of(key, content) == title
    assert title_of("", content) == title


def test_a_key_somebody_chose_is_its_name() -> None:
    for key in ("deploy_target", "diet", "session-2026-11-17", "a-b-c", "Ida’s school"):
        assert title_of(key, "Something else.") == key


def test_a_long_line_ends_at_a_word_and_says_that_it_goes_on() -> None:
    content = "Production runs on EKS in us-east-1 and deploys go out on Fridays after the check."
    title = title_of("", content)
    assert title == "Production runs on EKS in us-east-1 and deploys go out on…"
    assert len(title_of("", "x" * 500)) == TITLE_CHARS + 1
