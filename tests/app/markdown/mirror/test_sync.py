"""Three-way merging: both changes, or neither side loses."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.markdown.mirror.sync import FieldClash, merge
from app.markdown.note_file import Note
from app.text.three_way import merge_text

texts = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), max_size=8).map("\n".join)


@given(texts, texts)
def test_one_changed_side_wins_whole(base: str, changed: str) -> None:
    assert merge_text(base, changed, base) == changed
    assert merge_text(base, base, changed) == changed
    assert merge_text(base, changed, changed) == changed


@given(texts, texts, texts)
def test_merging_is_the_same_from_either_side(base: str, mine: str, theirs: str) -> None:
    assert merge_text(base, mine, theirs) == merge_text(base, theirs, mine)


def test_edits_in_different_places_are_put_together() -> None:
    base = "one\ntwo\nthree\nfour\nfive\n"
    mine = base.replace("one", "ONE")
    theirs = base.replace("five", "five\nsix")
    assert merge_text(base, mine, theirs) == "ONE\ntwo\nthree\nfour\nfive\nsix\n"


def test_edits_of_the_same_line_are_a_clash() -> None:
    assert merge_text("one\ntwo\n", "ONE\ntwo\n", "Uno\ntwo\n") is None


def test_fields_changed_on_different_sides_are_put_together() -> None:
    base = Note(content="tea", key="k", hook="", importance=5, tags=("a", "b"))
    mine = Note(content="tea", key="k", hook="when thirsty", importance=5, tags=("a", "b", "c"))
    theirs = Note(content="green tea", key="k", hook="", importance=8, tags=("b",))
    assert merge(base, mine, theirs) == Note(
        content="green tea", key="k", hook="when thirsty", importance=8, tags=("b", "c")
    )


def test_a_clash_names_its_fields() -> None:
    base = Note(content="tea", importance=5)
    assert merge(
        base, Note(content="x", importance=6), Note(content="y", importance=7)
    ) == FieldClash(("importance", "content"))


def test_who_is_never_told_and_when_it_is_true_merge_like_tags_and_times() -> None:
    at = "2026-03-01T00:00:00.000000Z"
    base = Note("Text", key="k", muted_for=("cursor",))
    mine = replace(base, muted_for=("cursor", "cloud"))
    theirs = replace(base, muted_for=None, true_until=at)
    merged = merge(base, mine, theirs)
    assert merged == replace(base, tags=(), muted_for=("cloud",), true_until=at)
