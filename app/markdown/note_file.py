"""One entry as one markdown file: fields at its head, the content below. Pure, and exact both ways.

---
key: favourite-editor
scope: user
…
---

The content, to the byte; one newline ends the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.markdown.frontmatter_fields import FieldsError, join, split, to_json
from app.text.days import parse_time
from store.instants import Instant
from store.records import (
    BLOCK_NAMES,
    DRAFT_FIELDS,
    NOTED,
    SCOPE_KINDS,
    Block,
    Entry,
    EntryDraft,
    Scope,
    entry_names,
)

FIELDS = ("key", *(name for name in entry_names(NOTED) if name != "key"))  # in the file's order
# Fields that a file calls otherwise: `verified` is the Open Knowledge Format's, who and when.
_WORDS = {"verified_at": "verified"}
_FIELD_OF = {_WORDS.get(name, name): name for name in FIELDS}
CONFIRMED_BY = "human:owner"
# Words that other programs' notes have, too: what we cannot read there is carried as it is.
_FORGIVING = frozenset(("verified", "stale_after", "true_from", "true_until", "muted_for"))


@dataclass(frozen=True, slots=True)
class Note:
    """What a file says. `None`: it does not say."""

    content: str
    key: str | None = None
    scope: Scope | None = None
    hook: str | None = None
    category: str | None = None
    kind: str | None = None
    importance: int | None = None
    tags: tuple[str, ...] | None = None
    created_at: Instant | None = None
    written_at: Instant | None = None
    expires_at: Instant | None = None
    true_from: Instant | None = None
    true_until: Instant | None = None
    verified_at: Instant | None = None
    stale_after: Instant | None = None
    muted_for: tuple[str, ...] | None = None
    extra: str = "{}"


@dataclass(frozen=True, slots=True)
class BlockNote:
    """A block's file."""

    scope: Scope
    name: str
    content: str


def of_entry(entry: Entry, *, with_scope: bool = True) -> Note:
    """The note of an entry; in a folder that stands for one scope the scope goes unsaid."""
    values: dict[str, Any] = {name: getattr(entry, name) for name in FIELDS}
    if not with_scope:
        values["scope"] = None
    return Note(entry.content, **values, extra=entry.extra or "{}")


def write(note: Note) -> str:
    """The text of the file. The same note always gives the same bytes."""
    return join(fields_of(note), note.content)


def fields_of(note: Note) -> dict[str, object]:
    """What stands at the head of the file, in its order."""
    known: dict[str, object] = {name: getattr(note, name) for name in FIELDS}
    known |= {
        "scope": str(note.scope) if note.scope else None,
        "hook": note.hook or None,
        "tags": list(note.tags) if note.tags else None,
        "muted_for": list(note.muted_for) if note.muted_for else None,
    }
    if note.verified_at:
        known["verified_at"] = {"by": CONFIRMED_BY, "at": note.verified_at}
    said = {_WORDS.get(name, name): value for name, value in known.items() if value is not None}
    if note.extra != "{}":
        extra = json.loads(note.extra)
        free = _FIELD_OF.keys() - _FORGIVING
        said |= {name: extra[name] for name in extra if name not in free and name not in said}
    return said


def write_block(block: Block) -> str:
    return join(block_fields(block), block.content)


def block_fields(block: Block) -> dict[str, object]:
    return {"block": block.name, "scope": str(block.scope)}


def read(text: str) -> Note | BlockNote:
    """What the file says. Raises FieldsError with the reason when it cannot be used."""
    fields, body = split(text)
    content = _content(text, body)
    if fields.get("block") in BLOCK_NAMES and "scope" in fields:
        return BlockNote(scope_of(str(fields["scope"])), str(fields["block"]), content)
    if not fields:
        return Note(content)
    unknown = {name: value for name, value in fields.items() if name not in _FIELD_OF}
    values: dict[str, Any] = {}
    # In a file that we wrote a slip is a slip: forgiving it would unmute, or make true for ever.
    ours = "key" in fields and "created_at" in fields
    for name in (name for name in fields if name in _FIELD_OF):
        try:
            values[_FIELD_OF[name]] = _READERS.get(name, _text)(fields, name)
        except FieldsError:
            if ours or name not in _FORGIVING:
                raise
            unknown[name] = fields[name]
    return Note(content, **values, extra=to_json(unknown))


def draft(note: Note, scope: Scope, key: str | None) -> EntryDraft:
    """The note as something to store; `scope` and `key` where the file does not say."""
    said = {name: getattr(note, name) for name in DRAFT_FIELDS}
    return EntryDraft(**(said | {"scope": note.scope or scope, "key": note.key or key}))


def _content(text: str, body: str) -> str:
    """Without the blank line after the head and the newline that ends the file.

    Those are the file's own line ends; a content that ends in a carriage return keeps it."""
    headless = len(body) >= len(text.removeprefix("\ufeff"))
    end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    return (body if headless else body.removeprefix(end)).removesuffix(end)


def scope_of(text: str) -> Scope:
    """`user`, `agent:claude`, `workspace:shop`, `conversation:<id>`; FieldsError otherwise."""
    kind, _, ident = text.strip().partition(":")
    if kind not in SCOPE_KINDS or (kind == "user") == bool(ident):
        raise FieldsError(
            f"its scope {text!r} is none of user, agent:NAME, workspace:NAME, conversation:ID"
        )
    return Scope(kind, ident)


def tags_of(value: object) -> tuple[str, ...]:
    """A list, or text separated by commas or spaces; `#` marks and repetitions go."""
    if value is None:
        return ()
    if isinstance(value, str):
        words = value.split(",") if "," in value else value.split()
    elif isinstance(value, list):
        words = [str(item) for item in value if not isinstance(item, Mapping | list)]
    else:
        words = [str(value)]
    found = (word.strip().lstrip("#").lower() for word in words)
    return tuple(dict.fromkeys(word for word in found if word))


def _text(fields: Mapping[str, object], name: str) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, Mapping | list):
        raise FieldsError(f"its {name} must be one text, not a list")
    return str(value)


def _scope(fields: Mapping[str, object], name: str) -> Scope | None:
    return scope_of(str(fields[name])) if fields.get(name) else None


def _tags(fields: Mapping[str, object], name: str) -> tuple[str, ...] | None:
    return tags_of(fields[name]) if name in fields else None


def _importance(fields: Mapping[str, object], name: str) -> int | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not str(value).strip().lstrip("+-").isdecimal():
        raise FieldsError(f"its importance must be a number from 1 to 10, not {value!r}")
    return int(str(value))


def _time(fields: Mapping[str, object], name: str) -> Instant | None:
    text = _text(fields, name)
    if not text:
        return None
    try:
        return parse_time(text)
    except ValueError as error:
        raise FieldsError(f"its {name}: {error}") from error


def _confirmed(fields: Mapping[str, object], name: str) -> Instant | None:
    """When a person last confirmed it: `{by, at}`, a list of them, or a time alone."""
    value = fields[name]
    events = value if isinstance(value, list) else [value]
    times = []
    for event in events:
        if isinstance(event, Mapping) and str(event.get("by", "")).startswith("human:"):
            times.append(_time(event, "at"))
        elif isinstance(event, str):
            times.append(_time(fields, name))
    found = [at for at in times if at]
    if not found and value is not None:
        raise FieldsError(f"its {name} names nobody who confirmed it, and when")
    return max(found, default=None)


def _muted(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = fields[name]
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise FieldsError(f"its {name} must be a list of agents, cloud or *")
    return tuple(dict.fromkeys(one.strip() for one in names if one.strip()))


# How a field is read from the head; what is not named is one text.
_READERS: dict[str, Callable[[Mapping[str, object], str], object]] = {
    "scope": _scope,
    "importance": _importance,
    "tags": _tags,
    "created_at": _time,
    "written_at": _time,
    "expires_at": _time,
    "true_from": _time,
    "true_until": _time,
    "verified": _confirmed,
    "stale_after": _time,
    "muted_for": _muted,
}
