"""What an entry's fields may hold. Each function gives the clean value or raises Invalid."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from app.errors import Invalid, TooLarge
from app.rules.visibility import muted_name, never_told
from app.text.days import parse_time
from store.instants import Instant
from store.records import (
    ANSWERED,
    DRAFT_FIELDS,
    ENDABLE,
    EVERYBODY,
    SCOPE_KINDS,
    USER,
    Entry,
    EntryDraft,
    EntryFields,
    Scope,
    entry_names,
)

if TYPE_CHECKING:
    from app.rules.hydration import Hydration
    from app.rules.verdict import Item
    from store.tables.entry_filter import EntryFilter


ENTRY = entry_names(ANSWERED)
ITEM = (
    "type",
    "id",
    "key",
    "scope",
    "category",
    "bytes",
    "included",
    "reason",
    "why",
    "rank",
)


def entry_fields(entry: Entry) -> dict[str, object]:
    fields = {name: getattr(entry, name) for name in ENTRY}
    return {**fields, "tags": list(entry.tags), "muted_for": list(entry.muted_for)}


def hydration_fields(found: Hydration, items: Iterable[Item]) -> dict[str, object]:
    return {
        "text": found.text,
        "budget_bytes": found.budget,
        "used_bytes": found.used,
        "tokens_estimate": found.tokens_estimate,
        "items": [{name: getattr(item, name) for name in ITEM} for item in items],
    }


CONTENT_BYTES = 64 * 1024
KEY_CHARS = 200
HOOK_CHARS = 200
TAG_CHARS = 64
WORD_CHARS = 64
TAGS_MOST = 64
ID_CHARS = 200

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PLAIN = re.compile(r"[\w.:/-]*", re.ASCII)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def parse_scope(text: str) -> Scope:
    """`user`, `agent:claude`, `workspace:shop` or `conversation:<id>`."""
    kind, _, ident = text.strip().partition(":")
    return scope_of(kind, ident)


def scope_of(kind: str, ident: str = "") -> Scope:
    if kind not in SCOPE_KINDS:
        raise Invalid(
            f"There is no scope {kind!r}. Use user, agent:<id>, workspace:<name> or "
            "conversation:<id>."
        )
    if kind == "user":
        if ident:
            raise Invalid("The scope user takes no id.")
        return USER
    ident = _line("scope id", ident, ID_CHARS)
    if not ident:
        raise Invalid(f"Which {kind}? Write {kind}:<id>.")
    return Scope(kind, ident)


def scope_kind_of(category: str | None) -> str | None:
    """The kind of scope that a category names by itself; None: it belongs to no certain one."""
    word = " ".join((category or "").split()).lower()
    return word if word in ("workspace", "conversation") else None


def clean_filter(wanted: EntryFilter) -> EntryFilter:
    """The filter in the words that are stored: `Food` finds what was tagged `#food`."""
    return replace(
        wanted,
        categories=tuple(dict.fromkeys(clean_word("category", w) for w in wanted.categories)),
        kinds=tuple(dict.fromkeys(clean_word("kind", word) for word in wanted.kinds)),
        tags=clean_tags(wanted.tags),
    )


def clean_content(text: str) -> str:
    if not isinstance(text, str):
        raise Invalid("The content must be text.")
    try:
        size = len(text) if text.isascii() else len(text.encode())
    except UnicodeEncodeError:
        size = -1
    if "\x00" in text or size < 0:
        raise Invalid("The content holds characters that are not text (NUL or half a surrogate).")
    if not text or text.isspace():
        raise Invalid("The content is empty; say what to remember.")
    if size > CONTENT_BYTES:
        raise TooLarge(
            f"The content has {size:,} bytes; {CONTENT_BYTES:,} is the most. "
            "Store the conclusion, or split it."
        )
    return text


def clean_key(key: str) -> str:
    key = _line("key", key, KEY_CHARS)
    if not key:
        raise Invalid("The key is empty; leave it out to have one made.")
    return key


def clean_hook(hook: str) -> str:
    return _line("hook", hook, HOOK_CHARS)


@lru_cache(maxsize=1024)
def clean_word(what: str, word: str) -> str:
    """A category or kind: one of ours or any other word."""
    word = _line(what, word, WORD_CHARS).lower()
    if not word:
        raise Invalid(f"The {what} is empty.")
    return word


def clean_importance(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10:
        raise Invalid(f"The importance is a whole number from 1 to 10, not {value!r}.")
    return value


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Lowercase, each once, in the order given."""
    if isinstance(tags, str):
        tags = tags.split(",")
    return _clean_tags(tuple(tags))


@lru_cache(maxsize=4096)
def _clean_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    seen: dict[str, None] = {}
    for tag in tags:
        if not isinstance(tag, str):
            raise Invalid("A tag must be text.")
        clean = _line("tag", tag.strip().lstrip("#"), TAG_CHARS).lower()
        if clean:
            seen[clean] = None
    if len(seen) > TAGS_MOST:
        raise Invalid(f"At most {TAGS_MOST} tags; these are {len(seen)}.")
    return tuple(seen)


def clean_instant(what: str, value: str | None) -> Instant | None:
    if value is None:
        return None
    try:
        return parse_time(value)
    except ValueError as error:
        raise Invalid(f"{what}: {error}.") from error


def clean_muted(names: Iterable[str]) -> tuple[str, ...]:
    """Who is never told it: ids of agents, `cloud`, or `*` for all. Each once."""
    if isinstance(names, str):
        names = names.split(",")
    said = [name for name in names if not isinstance(name, str) or name.strip()]
    # What would name nobody must not look as if somebody were kept from it.
    if not all(isinstance(name, str) and muted_name(name) for name in said):
        raise Invalid("muted_for takes ids of agents, cloud, or *.")
    found = tuple(dict.fromkeys(muted_name(_line("muted_for", name, ID_CHARS)) for name in said))
    if len(found) > TAGS_MOST:
        raise Invalid(f"At most {TAGS_MOST} names in muted_for; `*` is everybody.")
    return (EVERYBODY,) if EVERYBODY in found else found


def muted_together(
    entries: Iterable[Entry], tags: Collection[str], muted_tags: Mapping[str, Collection[str]]
) -> tuple[str, ...]:
    """Who is never told what is made of these: whoever was not told one of them. `tags` are those
    that it keeps, and they speak for themselves."""
    lost = {tag: names for tag, names in muted_tags.items() if tag not in tags}
    found = dict.fromkeys(name for entry in entries for name in never_told(entry, lost))
    if EVERYBODY in found or len(found) > TAGS_MOST:
        return (EVERYBODY,)
    return tuple(found)


def check_truth(true_from: Instant | None, true_until: Instant | None) -> None:
    """Raises Invalid for a time of truth that ends before it begins."""
    if true_from and true_until and true_until <= true_from:
        raise Invalid("true_until must come after true_from.")


def clean_extra(text: str) -> str:
    if text == "{}":
        return text
    try:
        if not isinstance(json.loads(text), dict):
            raise Invalid("Extra fields must be a JSON object.")
    except ValueError as error:
        raise Invalid("Extra fields must be a JSON object.") from error
    if len(text) > CONTENT_BYTES:
        raise TooLarge("The extra fields are larger than an entry may be.")
    return text


_CLEANERS: dict[str, Callable[..., object]] = {
    "content": clean_content,
    "key": clean_key,
    "hook": clean_hook,
    "category": lambda word: clean_word("category", word),
    "kind": lambda word: clean_word("kind", word),
    "importance": clean_importance,
    "tags": clean_tags,
    "extra": clean_extra,
    **{name: lambda value, name=name: clean_instant(name, value) for name in entry_names(ENDABLE)},
    "muted_for": clean_muted,
}


def clean_fields(fields: Mapping[str, object]) -> EntryFields:
    """A patch of an entry, every field checked. Provenance and times are not a writer's to set."""
    clean: dict[str, Any] = {}
    for name, value in fields.items():
        if name == "scope":
            clean["scope"] = value if isinstance(value, Scope) else parse_scope(str(value))
        elif name in _CLEANERS:
            clean[name] = _CLEANERS[name](value)
        else:
            raise Invalid(f"{name!r} cannot be changed. These can: scope, {', '.join(_CLEANERS)}.")
    return cast("EntryFields", clean)


def clean_draft(draft: EntryDraft) -> EntryDraft:
    """Every given field checked."""
    values = {name: getattr(draft, name) for name in DRAFT_FIELDS}
    for name, value in values.items():
        if value is not None and name in _CLEANERS:
            values[name] = _CLEANERS[name](value)
        elif value is not None:
            values[name] = clean_instant(name, value)
    check_truth(values["true_from"], values["true_until"])
    return EntryDraft(scope=draft.scope, **values)


def given(draft: EntryDraft) -> EntryFields:
    """The fields a draft sets on an entry that is there already."""
    names = (name for name in DRAFT_FIELDS if name not in ("key", "created_at"))
    values = {name: getattr(draft, name) for name in names}
    return cast("EntryFields", {name: value for name, value in values.items() if value is not None})


def _random_hex(count: int) -> str:
    return os.urandom(count).hex()


def made_key(content: str, random_hex: Callable[[int], str] = _random_hex) -> str:
    """A readable key with a suffix nobody else has: `prefers-tea-in-the-a1b2c3d4`."""
    plain = unicodedata.normalize("NFKD", content[:160]).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())[:5]
    stem = "-".join(words)
    if len(stem) > 40:
        stem = stem[:41].rpartition("-")[0] or stem[:40]
    return f"{stem or 'memory'}-{random_hex(4)}"


def _line(what: str, text: str, most: int) -> str:
    """One trimmed line without control characters, at most `most` characters."""
    if not isinstance(text, str):
        raise Invalid(f"The {what} must be text.")
    if _PLAIN.fullmatch(text):
        line = text  # the usual case, cheaply: made by the ten thousand
    elif _SURROGATE.search(text):
        raise Invalid(f"The {what} holds characters that are not text.")
    else:
        line = " ".join(_CONTROL.sub(" ", text).split())
    if len(line) > most:
        raise TooLarge(f"The {what} has {len(line)} characters; {most} is the most.")
    return line
