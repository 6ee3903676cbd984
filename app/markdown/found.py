"""What reading other people's files can find, before anything is decided or stored."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from app.markdown.source_files import SourceFile, Sources
from app.rules.fields import KEY_CHARS
from app.text.days import parse_time
from store.instants import Instant, to_instant
from store.records import EntryDraft, Scope


@dataclass(frozen=True, slots=True)
class FoundEntry:
    """A memory. `keyed`: its key was given by its author, not made here from its words. `format`
    of this and the others is what it was read as; who reads the files says it."""

    origin: str
    draft: EntryDraft
    keyed: bool = True
    format: str = ""


@dataclass(frozen=True, slots=True)
class FoundBlock:
    origin: str
    scope: Scope
    name: str
    content: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class FoundTurn:
    role: str
    content: str
    at: Instant | None


@dataclass(frozen=True, slots=True)
class FoundConversation:
    origin: str
    id: str
    title: str
    started_at: Instant | None
    turns: tuple[FoundTurn, ...]
    format: str = ""


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """Something a conversation says about the person, or what looks as if it held a credential:
    proposed, never stored unasked."""

    origin: str
    draft: EntryDraft
    format: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file or a row that cannot be taken, and why."""

    origin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ignored:
    """A file or a part of it that holds no memories, and what it is instead."""

    origin: str
    reason: str


Found = FoundEntry | FoundBlock | FoundConversation | FoundClaim | Refusal | Ignored


class Importer(Protocol):
    """Reads one format. `scope` is the owner's choice; without it the format decides."""

    name: str
    label: str

    def takes(self, sources: Sources) -> Sequence[SourceFile]:
        """The files that are of this format by what they say or where they are."""
        ...

    def reads(self, sources: Sources) -> Sequence[SourceFile]:
        """The files that may be of it, when the owner says that it is this format."""
        ...

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        """What is found in these files, all of them of this format."""
        ...


def path_key(name: str) -> str:
    """The key of a note without one of its own: its path, without what its name ends in. So two
    notes of one name stay apart, and the same file has the same key at every import."""
    path, dot, suffix = name.rpartition(".")
    key = " ".join((path if dot and path and "/" not in suffix else name).split())
    if len(key) <= KEY_CHARS:
        return key
    mark = hashlib.blake2b(key.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{mark} {key[len(mark) + 1 - KEY_CHARS :]}"


def key_for(text: str) -> str:
    """A readable key made from the words alone: the same words always give the same key."""
    plain = unicodedata.normalize("NFKD", text[:160]).encode("ascii", "ignore").decode()
    words = "-".join(re.findall(r"[a-z0-9]+", plain.lower())[:6])[:48].strip("-")
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{words or 'memory'}-{digest}"


def slug(name: str) -> str:
    """A name as a word for a tag, a key or a workspace."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", name).lower())
    return "-".join(words)[:60].strip("-")


def moment(value: object) -> Instant | None:
    """Seconds since 1970 or an ISO time; None for anything that is neither."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return to_instant(datetime.fromtimestamp(value, UTC))
        if isinstance(value, str) and value.strip():
            return parse_time(value)
    except (ValueError, OverflowError, OSError):
        return None
    return None
