"""One entry, one file: exact both ways, and readable by anybody's YAML."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import frontmatter
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from app.markdown import note_file
from app.markdown.frontmatter_fields import FieldsError, NoteFormat
from app.markdown.note_file import BlockNote, Note
from store.instants import to_instant
from store.records import USER, Block, Scope

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
one_line = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
instants = st.datetimes(datetime(1970, 1, 1), datetime(9998, 1, 1)).map(
    lambda moment: to_instant(moment.replace(tzinfo=UTC))
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | anything,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(anything, inner, max_size=3),
    max_leaves=8,
)
notes = st.builds(
    Note,
    content=anything,
    key=one_line,
    scope=st.sampled_from([USER, Scope("agent", "claude"), Scope("workspace", "käse: 1")]),
    hook=one_line,
    category=one_line,
    kind=one_line,
    importance=st.integers(1, 10),
    tags=st.lists(
        st.from_regex(r"[a-z0-9äöü]{1,8}", fullmatch=True), min_size=1, max_size=3, unique=True
    ).map(tuple),
    created_at=instants,
    written_at=instants,
    expires_at=st.none() | instants,
    extra=st.dictionaries(anything, values, max_size=3)
    .map(lambda fields: {k: v for k, v in fields.items() if k not in (*note_file.FIELDS, "block")})
    .map(lambda fields: json.dumps(fields, ensure_ascii=False)),
)


@given(notes)
def test_a_note_comes_back_from_its_file_exactly(note: Note) -> None:
    text = note_file.write(note)
    again = note_file.read(text)
    assert again == note
    assert isinstance(again, Note)
    assert note_file.write(again) == text


@given(notes)
def test_any_yaml_reader_sees_the_same_key_and_hook(note: Note) -> None:
    head = note_file.write(note).split("\n---\n", 1)[0]
    fields = yaml.safe_load(head)
    assert (fields["key"], fields["hook"], fields["kind"]) == (note.key, note.hook, note.kind)
    assert fields["tags"] == list(note.tags or ())


@pytest.mark.parametrize("key", ["0123", "no", "2024-01-05", "1e3", "null", "a: b", "# x", "12:30"])
def test_a_key_that_looks_like_something_else_stays_text(key: str) -> None:
    text = note_file.write(Note(content="x", key=key))
    assert yaml.safe_load(text.split("\n---\n")[0])["key"] == key
    note = note_file.read(text)
    assert isinstance(note, Note)
    assert note.key == key


@pytest.mark.parametrize("key", ["0123", "no", "2024-01-05", "yes", "12:30:45", "1.10"])
def test_a_person_need_not_quote(key: str) -> None:
    note = note_file.read(f"---\nkey: {key}\n---\nbody\n")
    assert isinstance(note, Note)
    assert note.key == key


def test_unknown_fields_are_kept_in_their_authors_letters() -> None:
    head = "aliases: [A, 'B c']\ndate: 2024-01-05\nversion: 1.10\nbig: {deep: [1, no]}\n"
    note = note_file.read(f"---\n{head}---\nbody")
    assert isinstance(note, Note)
    written = note_file.write(note)
    assert "date: 2024-01-05\n" in written
    assert "version: 1.10\n" in written
    assert 'aliases: [A, "B c"]\n' in written
    again = note_file.read(written)
    assert isinstance(again, Note)
    assert again.extra == note.extra


def test_fields_named_like_python_frontmatters_own_are_fields_like_any() -> None:
    text = "---\nkey: a\ncontent: c\nhandler: h\nmetadata: m\n---\n\n  body \n\n\n"
    note = note_file.read(text)
    assert isinstance(note, Note)
    assert json.loads(note.extra) == {"content": "c", "handler": "h", "metadata": "m"}
    assert note.content == "  body \n\n"
    assert note_file.write(note) == text


def test_python_frontmatter_itself_reads_what_is_written() -> None:
    text = note_file.write(Note(content="body", key="0123", tags=("a", "b")))
    assert frontmatter.parse(text) == ({"key": "0123", "tags": ["a", "b"]}, "body")
    assert frontmatter.parse(text, handler=NoteFormat()) == frontmatter.parse(text)
    assert NoteFormat().detect(text)
    assert not NoteFormat().detect("no head\n---\na: b\n---\n")


def test_a_file_without_frontmatter_is_all_content() -> None:
    note = note_file.read("# Title\n\nwords\n")
    assert note == Note(content="# Title\n\nwords")


def test_prose_between_two_rules_is_content_not_frontmatter() -> None:
    text = "---\nJust a thought\n---\nand more"
    assert note_file.read(text) == Note(content=text)


def test_windows_line_ends_and_a_byte_order_mark_are_understood() -> None:
    note = note_file.read("\ufeff---\r\nkey: a\r\nimportance: 7\r\n---\r\n\r\none\r\ntwo\r\n")
    assert note == Note(content="one\r\ntwo", key="a", importance=7)


def test_tags_may_be_text_or_a_list() -> None:
    for said in ("tags: Red, blue", "tags: '#red #blue'", "tags: [red, blue, red]"):
        note = note_file.read(f"---\n{said}\n---\n")
        assert isinstance(note, Note)
        assert note.tags == ("red", "blue")


def test_a_block_is_a_file_too() -> None:
    block = Block("b", Scope("agent", "claude"), "core", "- likes tea\n", "owner", "", "", b"")
    assert note_file.read(note_file.write_block(block)) == BlockNote(
        Scope("agent", "claude"), "core", "- likes tea\n"
    )


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("importance: high", "number from 1 to 10"),
        ("created_at: yesterday", "not a time"),
        ("scope: everyone", "scope"),
        ("key: [a, b]", "one text"),
        ("key: &a [1]\nb: *a", "aliases"),
        ("x: !!python/object/apply:os.system ['id']", "plain YAML"),
        ("a: b: c", "plain YAML"),
        ("x: " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("x: " + "- " * 3000 + "1", "plain YAML"),
        ("x: " + "9" * 5000, "cannot be read"),
        ("x: [" + "1," * 9000 + "]", "too many values"),
        ("x: " + "a" * 70_000, "larger than 64 KiB"),
        ("? " + "a" * 600 + "\n: 1", "longer than 500"),
        ("a: \x00", "plain YAML"),
    ],
)
def test_hostile_or_broken_fields_are_refused_with_the_reason(head: str, says: str) -> None:
    with pytest.raises(FieldsError, match=says):
        note_file.read(f"---\n{head}\n---\nbody")


CONFIRMED = "2026-06-25T09:00:00.000000Z"


@pytest.mark.utc
@pytest.mark.parametrize(
    "said",
    [
        "{by: human:ada, at: 2026-06-25T09:00:00Z}",
        "{by: human:ada, at: 2026-06-25}",
        '"2026-06-25T09:00:00Z"',
        """
  - {by: human:ada, at: 2026-06-01T00:00:00Z}
  - {by: process:nightly, at: 2026-06-30T00:00:00Z}
  - {by: human:bob, at: 2026-06-25T09:00:00Z}""",
    ],
)
def test_who_confirmed_it_is_read_in_the_words_of_the_open_knowledge_format(said: str) -> None:
    note = note_file.read(f"---\nverified: {said}\nstale_after: 2027-01-01\n---\n\nText\n")
    assert isinstance(note, Note)
    assert note.verified_at is not None
    assert note.verified_at[:10] == CONFIRMED[:10]
    assert note.stale_after == "2027-01-01T00:00:00.000000Z"
    assert note.extra == "{}"


def test_a_confirmation_is_written_in_those_words_and_read_again() -> None:
    text = note_file.write(Note("Text", verified_at=CONFIRMED, muted_for=("cloud", "no")))
    assert f'verified: {{"by": "human:owner", "at": "{CONFIRMED}"}}' in text
    assert note_file.read(text) == Note("Text", verified_at=CONFIRMED, muted_for=("cloud", "no"))


@pytest.mark.parametrize(
    "line", ["verified: true", "stale_after: 24h", "verified: {by: ci, at: 2026}"]
)
def test_words_of_other_programs_that_say_something_else_are_carried(line: str) -> None:
    text = f"---\nkey: k\n{line}\n---\n\nText\n"
    note = note_file.read(text)
    assert isinstance(note, Note)
    assert (note.verified_at, note.stale_after) == (None, None)
    assert note_file.read(note_file.write(note)) == note
