from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Invalid, TooLarge
from app.rules.blocks import (
    BlockLimits,
    Edit,
    check_content,
    check_name,
    edited,
    gauge,
    lines_of,
    template,
    with_line,
    without_line,
)

LIMITS = BlockLimits()


@pytest.mark.parametrize(
    ("name", "most"), [("core", 4000), ("archival", 8000), ("summary", 8000), ("session", 4000)]
)
def test_a_block_holds_exactly_its_characters(name: str, most: int) -> None:
    check_content(name, "€" * most, LIMITS)
    with pytest.raises(TooLarge, match="Shorten it by 1"):
        check_content(name, "€" * (most + 1), LIMITS)


def test_core_holds_twenty_list_items_and_archival_any_number() -> None:
    twenty = "\n".join(f"- fact {n}" for n in range(20))
    check_content("core", twenty, LIMITS)
    with pytest.raises(TooLarge, match="20 entries"):
        check_content("core", twenty + "\n* one more", LIMITS)
    check_content("archival", twenty + "\n" + twenty, LIMITS)


def test_a_gauge_counts_characters_items_lines_and_tokens() -> None:
    found = gauge("core", "# About\n- one\n- two\n", LIMITS)
    assert (found.characters, found.entries, found.lines, found.tokens_estimate) == (20, 2, 3, 5)
    assert (found.character_limit, found.entry_limit) == (4000, 20)
    assert gauge("summary", "", LIMITS).entry_limit is None


def test_an_unknown_block_is_named() -> None:
    with pytest.raises(Invalid, match="'cores'"):
        check_name("cores")


def test_the_summary_starts_from_its_four_sections() -> None:
    for section in ("Important Decisions", "Known Issues", "Entity Knowledge", "Patterns"):
        assert f"## {section}" in template("summary")
    assert template("core") == ""


@given(
    st.lists(st.text("xyz \n", min_size=1, max_size=5), min_size=1, max_size=6),
    st.text("αβγ", max_size=4),
    st.randoms(use_true_random=False),
)
def test_edits_apply_together_in_any_order(
    parts: list[str], new: str, chance: random.Random
) -> None:
    content = "".join(f"<{n}>{part}" for n, part in enumerate(parts))
    edits = [Edit(f"<{n}>", f"[{new}{n}]") for n in range(len(parts))]
    chance.shuffle(edits)
    assert edited(content, edits) == "".join(f"[{new}{n}]{part}" for n, part in enumerate(parts))


@given(st.text("ab", max_size=12), st.text("ab", min_size=1, max_size=3), st.text("c", max_size=2))
def test_an_edit_needs_its_old_text_exactly_once(content: str, old: str, new: str) -> None:
    positions = [n for n in range(len(content)) if content.startswith(old, n)]
    if len(positions) == 1:
        assert edited(content, [Edit(old, new)]) == content.replace(old, new)
    else:
        wrong = "not in the block" if not positions else "more than once"
        with pytest.raises(Invalid, match=wrong) as error:
            edited(content, [Edit(old, new)])
        assert repr(old) in str(error.value)


def test_overlapping_empty_and_missing_edits_are_refused() -> None:
    with pytest.raises(Invalid, match="overlap"):
        edited("abcdef", [Edit("abc", "x"), Edit("cd", "y")])
    with pytest.raises(Invalid, match="empty"):
        edited("abc", [Edit("", "x")])
    with pytest.raises(Invalid, match="no edit"):
        edited("abc", [])


def test_archival_is_read_line_by_line() -> None:
    assert lines_of("# Facts\n- one\n\n  * two\nthree\n") == [(2, "one"), (4, "two"), (5, "three")]


def test_a_line_moves_out_and_in() -> None:
    content = "- one\n- two"
    assert without_line(content, "one") == "- two"
    assert with_line("- two", "one") == "- two\n- one"
    assert with_line("", "one") == "- one"
    with pytest.raises(Invalid, match="no line says 'three'"):
        without_line(content, "three")
    with pytest.raises(Invalid, match="2 lines say"):
        without_line("- one\none", "one")
