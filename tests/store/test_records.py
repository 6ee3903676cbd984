"""An entry's fields are declared once; every list of their names follows."""

from __future__ import annotations

from dataclasses import fields, replace

from keepsake_client import Entry as ClientEntry

from app.api.schemas import EntryPatch, EntryResponse, EntryWanted
from app.markdown.note_file import FIELDS, Note
from app.rules.fields import clean_fields
from store.records import (
    ANSWERED,
    DIGESTED_IF_SET,
    DRAFT_FIELDS,
    LOGGED,
    NOTED,
    SET,
    Entry,
    EntryFields,
    Scope,
    entry_names,
)
from store.tables.entries import as_fields, digest_of_entry, from_fields
from tests.fakes import an_entry
from ui.memory.field_form import FIELD_NAMES

SCOPE = {"scope", "agent_id", "workspace_id", "conversation_id"}


def test_a_patch_may_hold_every_logged_field() -> None:
    assert tuple(EntryFields.__annotations__) == entry_names(LOGGED)


def test_what_is_set_by_a_writer_has_its_place_at_every_door() -> None:
    given = set(entry_names(SET))
    assert given <= {"scope", *DRAFT_FIELDS}
    assert set(FIELD_NAMES) | {"key", "content"} == given
    for body in (EntryWanted, EntryPatch):
        assert set(body.model_fields) - {"expected_updated_at", "reason"} == given | SCOPE
    entry = an_entry()
    assert clean_fields({name: getattr(entry, name) for name in given}).keys() == given


def test_what_is_answered_is_declared_for_the_api_and_its_client() -> None:
    answered = {*entry_names(ANSWERED), "state", *SCOPE}
    assert set(EntryResponse.model_fields) == answered
    assert {one.name for one in fields(ClientEntry)} == answered


def test_a_note_says_what_is_declared_for_it() -> None:
    assert set(FIELDS) == set(entry_names(NOTED))
    assert {one.name for one in fields(Note)} == {*FIELDS, "content", "extra"}


def test_the_digest_covers_the_same_fields_in_the_same_order_for_ever() -> None:
    entry = Entry(
        n=7,
        id="01m7jdrgpe4xeakx9y1ct71sjd",
        scope=Scope("agent", "claude"),
        key="coffee",
        content="Drinks it black ☕.",
        hook="when it is about coffee",
        category="core",
        kind="preference",
        importance=6,
        tags=("taste", "ümlaut"),
        source="owner",
        state="active",
        created_at="2026-04-30T12:00:00.000000Z",
        written_at="2026-04-30T12:00:01.000000Z",
        updated_at="2026-04-30T12:00:02.000000Z",
        expires_at=None,
        extra='{"a": 1}',
        digest=b"",
    )
    assert digest_of_entry(entry).hex() == "e3ea3300fc377448c06b0b522a766822"
    assert digest_of_entry(replace(entry, n=8, digest=b"x")) == digest_of_entry(entry)


def test_the_digest_covers_a_later_field_where_it_is_set() -> None:
    entry = an_entry()
    at = "2026-04-30T12:00:00.000000Z"
    ways = [replace(entry, **{name: at}) for name in entry_names(DIGESTED_IF_SET)[:-1]]  # type: ignore[arg-type]
    ways += [replace(entry, muted_for=("a",)), replace(entry, muted_for=("a", "b"))]
    digests = {digest_of_entry(one) for one in (entry, *ways)}
    assert len(digests) == 1 + len(ways)


def test_logged_fields_come_back_as_they_were() -> None:
    entry = an_entry(tags=("a", "b"), muted_for=("cloud",), scope=Scope("workspace", "shop"))
    assert replace(entry, **from_fields(as_fields(entry))) == entry
