"""What the owner of the memories is called, as far as a memory says it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAME = r"([^\W\d_][\w'’-]*(?:\s+[^\W\d_a-zäöü][\w'’-]*){0,3})"
_INTRODUCED = re.compile(
    r"^(?i:my name is|i(?:['’]m| am) called|(?:the )?user(?:['’]s name is| is (?:called|named))"
    r"|(?:full )?name(?: is| ?:)|is (?:called|named)|ich heiße|heißt|mein name ist"
    r"|(?:der )?name ist)\s+" + _NAME
)
_OPENS = re.compile("^" + _NAME + r"(?=[,.(:;]|\s+[a-zäöü(]|$)")
# Under any other key of the owner's, "Speaks German and English" begins like a name, too.
_LIVES = (
    r"(?:is|was|has|lives|works|runs|studies|likes|speaks"
    r"|ist|war|hat|wohnt|lebt|arbeitet|leitet|studiert|mag|spricht)"
)
_OPENS_AS_SOMEBODY = re.compile(rf"^{_NAME}(?=\s*[,(]\s*\d{{1,3}}\b|,?\s+{_LIVES}\b)")
_USER = r"(?:(?:[Tt]he|[Dd]e[rs]|[Dd]ie|[Dd]em) )?(?:\b[Uu]ser|\bNutzers?|\bNutzerin)"
_MY = re.compile(rf"\b{_USER}(?:['’]s\b|['’](?!\w)|s(?= [A-ZÄÖÜ]))")
_I = re.compile(
    r"(?:\b[Tt]he user|^User)\b(?! (?:name|id|interface|table|account|group|base|guide|data)s?\b)"
    r"|\b(?:[Dd]er Nutzer|[Dd]ie Nutzerin)\b"
)
_OF_THE_OWNER = frozenset(("me", "identity", "profile", "about", "bio", "owner", "ich"))


def owner_names(memories: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """What the owner is called, in full and by the first name, in small letters; nothing where no
    memory of theirs says it. Of (key, text): a text that introduces itself, and one that begins
    with a name under a key that is the owner's, which says their age or how they live."""
    found: dict[str, None] = {}
    for key, text in memories:
        words = set(re.split(r"[\W_]+", key.lower()))
        named = _INTRODUCED.match(text)
        if named is None and "name" in words:
            named = _OPENS.match(text)
        elif named is None and words & _OF_THE_OWNER:
            named = _OPENS_AS_SOMEBODY.match(text)
        if named and named[1][0].isupper() and (" " in named[1] or named.re is _INTRODUCED):
            name = " ".join(named[1].lower().split())
            found |= {name: None, name.split()[0]: None}
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def says_user(text: str) -> bool:
    """Whether it calls the owner "the user", as assistants do."""
    return _MY.search(text) is not None or _I.search(text) is not None


def spoken_by_owner(text: str, names: Sequence[str]) -> str:
    """The text with the owner in the first person: "Lena's car", "the user's car": "my car"."""
    if names:
        known = "|".join(re.escape(name) for name in names)
        text = re.sub(rf"(?i:\b(?:{known}))(?=['’]|s?\b)", "The user", text)
    return _I.sub("I", _MY.sub("my", text))
