"""File names made from keys: safe on every file system, the same every time."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable

INDEX = "MEMORY.md"
MOST_LETTERS = 80
MOST_BYTES = 160

_FORBIDDEN = re.compile(r'[<>:"/\\|?*#^\[\]\s]+')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|memory)(\..*)?", re.IGNORECASE
)


def folded(name: str) -> str:
    """Two names with the same fold are one file on some file systems."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())


def stem(key: str) -> str:
    """The readable part of a name: without anything a file system or a shell trips over."""
    text = unicodedata.normalize("NFC", key)
    # Controls, bidirectional marks, unassigned and private letters say nothing in a name.
    text = "".join("-" if unicodedata.category(letter)[0] == "C" else letter for letter in text)
    text = _FORBIDDEN.sub("-", text).strip("-. ~")
    text = text[:MOST_LETTERS]
    while len(text.encode()) > MOST_BYTES:
        text = text[:-1]
    text = text.rstrip("-. ~")
    if _RESERVED.fullmatch(text):
        text = f"{text.partition('.')[0]}_"
    return text or "note"


def names(keys: Iterable[str], suffix: str = ".md") -> dict[str, str]:
    """A name for each key, no two alike on any file system, decided by the set of keys alone.

    A key that shares its stem with another, or was cut, carries a mark made from itself."""
    wanted = {key: stem(key) for key in keys}
    sharing: dict[str, list[str]] = {}
    for key in sorted(wanted):
        sharing.setdefault(folded(wanted[key]), []).append(key)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for fold in sorted(sharing):
        group = sharing[fold]
        if len(group) == 1 and not _was_cut(group[0], wanted[group[0]]):
            found[group[0]] = wanted[group[0]] + suffix
            taken.add(fold)
    for key in sorted(wanted):
        if key not in found:
            found[key] = marked(key, taken) + suffix
            taken.add(folded(found[key].removesuffix(suffix)))
    return found


def free_name(key: str, taken: Collection[str], suffix: str = ".md") -> str:
    """A name for one key beside files that are there already (`taken`: their folded names)."""
    plain = stem(key) + suffix
    if folded(plain) not in taken and not _was_cut(key, stem(key)):
        return plain
    return marked(key, {name.removesuffix(suffix) for name in taken}) + suffix


def marked(key: str, taken: Collection[str]) -> str:
    """The stem with as much of the key's digest as it takes to be alone."""
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()
    for length in range(8, len(digest) + 1, 8):
        name = f"{stem(key)}-{digest[:length]}"
        if folded(name) not in taken:
            return name
    raise ValueError(f"no free file name for {key!r}")


def _was_cut(key: str, name: str) -> bool:
    return len(key) > MOST_LETTERS or len(name.encode()) > MOST_BYTES - 4
