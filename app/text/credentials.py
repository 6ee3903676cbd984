"""Likely credentials in a text, told by the shape of their value: never by a word like "password".

What is found is named by its kind and its place; the value itself is never repeated.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

PRIVATE_KEY, TOKEN, PASSWORD, CARD = "private_key", "token", "password", "card"
KINDS = (PRIVATE_KEY, TOKEN, PASSWORD, CARD)
KIND_WORDS = {
    PRIVATE_KEY: "private key",
    TOKEN: "key or token",
    PASSWORD: "password",
    CARD: "card number",
}


class Credential(NamedTuple):
    """One likely credential: its kind and where it stands."""

    kind: str
    start: int
    end: int


# As text: `re` compiles each when first used, which is after something suspicious was found.
_BODY = r"[A-Za-z0-9_\-]"
# Keys that say by their first letters whose they are; what follows is long and random.
_PREFIXED = (
    r"(?:AKIA|ASIA|AIDA|AROA)[A-Z2-7]{16}"
    r"|gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{60,251}"
    r"|gl(?:pat|dt|rt|ptt|cbt|soat)-[A-Za-z0-9_\-]{20,64}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{20,250}|xapp-\d-[A-Za-z0-9-]{20,250}"
    r"|[sr]k_(?:live|test)_[A-Za-z0-9]{20,250}|whsec_[A-Za-z0-9+/=]{24,128}"
    rf"|sk-(?:ant|proj|svcacct|admin|or-v1|lf)-{_BODY}{{24,250}}|sk-[A-Za-z0-9]{{32,64}}"
    r"|AIza[A-Za-z0-9_\-]{35}|ya29\.[A-Za-z0-9_\-]{30,}|GOCSPX-[A-Za-z0-9_\-]{28}"
    r"|npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_\-]{50,}|hf_[A-Za-z0-9]{30,40}"
    r"|SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{16,64}|(?:AC|SK)[0-9a-f]{32}"
    r"|dop_v1_[0-9a-f]{64}|shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}|lin_api_[A-Za-z0-9]{40}"
    r"|kps_[A-Za-z0-9_\-]{40,48}|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|dckr_pat_[A-Za-z0-9_\-]{20,40}"
    r"|AGE-SECRET-KEY-1[0-9A-Z]{58}|\d{8,10}:AA[A-Za-z0-9_\-]{33}"
    r"|eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{20,}"
    r"|hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}"
    r"|discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_\-]{60,}"
)
_TOKEN = rf"(?<![A-Za-z0-9_])(?:{_PREFIXED})(?![A-Za-z0-9_])"
_PRIVATE_KEY = (
    r"-----BEGIN (?P<what>(?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?)-----"
    r"(?:[\s\S]{0,16384}?-----END (?P=what)-----|[A-Za-z0-9+/=\s:,\-]{0,16384})"
)
_IN_URL = r"(?i)\b[a-z][a-z0-9+.\-]{1,20}://[^\s/:@'\"]{0,64}:(?P<value>[^\s/@'\"]{3,128})@"
_NAMES = (
    r"pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[_ \-]?key|access[_ \-]?key"
    r"|secret[_ \-]?key|client[_ \-]?secret|account[_ \-]?key|auth(?:orization)?"
)
_ASSIGNED = (
    rf"(?i)(?<![A-Za-z])(?:{_NAMES})\w{{0,12}}[\"'`*]{{0,3}}"
    r"(?:\s{0,3}(?::=|=>|[:=])\s{0,3}|\s+(?:is|was|ist|lautet)\s+:?\s*|\s+(?=[\"'`]))"
    r"(?:bearer\s+|basic\s+)?(?P<mark>[\"'`]?)(?=(?P<value>[^\s\"'`]{8,128}))"
)
_BEARER = r"(?i)\b(?:bearer|basic)\s+(?P<value>[A-Za-z0-9_\-.+/=]{20,512})"
# Fours as they stand on a card, American Express's 4-6-5, or all digits in one.
_CARD = (
    r"(?<![\w.,+/#-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|3[47]\d{2}([ -])\d{6}\2\d{5}|\d{13,19})"
    r"(?![\w/-]|[.,]\d)"
)
_CARD_STARTS = (
    r"(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12})\Z"
)
_PLACEHOLDER = (
    r"(?i)\A[<\[{(]|\A[$%]|\A(.)\1{5,}|x{4,}|\*{3,}|\.{3,}|…|•|your|example|changeme|placeholder"
    r"|redacted|dummy|sample|todo|none|null|undefined|env[\[.(]|getenv|process\.|secrets?\.|vault[:.]"
    r"|\A(?:/|\./|~/|https?:|file:|op:)|[(){};]\Z|\w\("
)
SUSPECT = re.compile(
    r"-----BEGIN|\d{4}[ -]?\d{4}[ -]?\d|\d{4}[ -]\d{6}|://[^\s/]*:[^\s/]*@|[A-Za-z0-9_\-.+/=:]{20}"
    r"|(?i:pass|pwd|secret|token|credential|api.?key|access.?key|account.?key|auth|bearer|basic)"
)
"""Finds nothing in a text without a credential; quick, for every write."""


def credentials_in(text: str) -> list[Credential]:
    """Every likely credential, in order, none inside another."""
    found: list[Credential] = []
    reached = 0
    for one in sorted(_all(text), key=lambda one: (one.start, -one.end)):
        if one.start >= reached:
            found.append(one)
            reached = one.end
    return found


def redacted(text: str, kinds: frozenset[str] | None = None) -> str:
    """The text with its credentials of those kinds (all) replaced by a word for each."""
    parts: list[str] = []
    reached = 0
    for one in credentials_in(text):
        if kinds is None or one.kind in kinds:
            parts += [text[reached : one.start], f"[redacted {KIND_WORDS[one.kind]}]"]
            reached = one.end
    return "".join([*parts, text[reached:]])


# Each kind is looked for only where something cheap says that it may be: a text of an entry's size
# takes microseconds, and an import reads thousands.

_SHORTEST_KEY = 20
_STEMS = (
    *("pass", "pwd", "secret", "token", "credential", "api", "access", "account", "auth"),
    "client",
)
_MAYBE_CARD = r"[0-9]{4}(?:[ -]?[0-9]{4}[ -]?[0-9]|[ -][0-9]{6})"
# What `(?i)` takes for an ASCII letter and lower() does not, or gives another length.
_OTHER_CASES = "\u017f\u0131\u0130\u212a"


def _all(text: str) -> Iterator[Credential]:
    yield from _made(text)
    yield from _given(text)
    yield from _cards(text)


def _cards(text: str) -> Iterator[Credential]:
    """Looked for in runs of digits alone, with the two letters after one that the shape minds."""
    card, run, at = re.compile(_CARD), re.compile(r"[0-9 -]+"), 0
    maybe = re.compile(_MAYBE_CARD)
    while (hit := maybe.search(text, at)) is not None:
        digits_end = run.match(text, hit.start())
        at = digits_end.end() if digits_end else hit.end()
        for found in card.finditer(text, hit.start(), min(at + 2, len(text))):
            digits = re.sub(r"\D", "", found[0])
            if re.match(_CARD_STARTS, digits) and _luhn(digits) and len(set(digits)) > 1:
                yield Credential(CARD, *found.span())


def _made(text: str) -> Iterator[Credential]:
    """Keys that are told by themselves."""
    if "-----BEGIN" in text:
        for found in re.finditer(_PRIVATE_KEY, text):
            if len(found[0]) > len(found["what"]) + 60:  # its first line alone tells nothing
                yield Credential(PRIVATE_KEY, *found.span())
    long_words = list(_long_words(text))
    for start, end in long_words:
        for found in re.compile(_TOKEN).finditer(text, start, end):
            if _is_random(found[0]):
                yield Credential(TOKEN, *found.span())
    if not long_words or not _says(text, ("bearer", "basic")):
        return
    for found in re.finditer(_BEARER, text):
        if _is_random(found["value"]) and _has_digit(found["value"]):
            yield Credential(TOKEN, *found.span("value"))


def _long_words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words are that are long enough for a key."""
    at = 0
    for word in text.split():
        if len(word) >= _SHORTEST_KEY:
            at = text.index(word, at)
            yield at, at + len(word)
            at += len(word)


def _given(text: str) -> Iterator[Credential]:
    """Values that are told by what stands before them, too."""
    if "://" in text and "@" in text:
        for found in re.finditer(_IN_URL, text):
            if not re.search(_PLACEHOLDER, found["value"]) and _looks_chosen(found["value"]):
                yield Credential(PASSWORD, *found.span("value"))
    for found in _assigned(text):
        value = found["value"].rstrip(".,;:!?)]}>") if not found["mark"] else found["value"]
        if _is_secret_value(value):
            start = found.start("value")
            yield Credential(_kind_of(value), start, start + len(value))


def _assigned(text: str) -> Iterator[re.Match[str]]:
    """Every `name = value`, found by the beginnings of such names."""
    if not text.isascii() and any(letter in text for letter in _OTHER_CASES):
        yield from re.finditer(_ASSIGNED, text)
        return
    pattern, lower = re.compile(_ASSIGNED), text.lower()
    for start in sorted(start for stem in _STEMS for start in _places(lower, stem)):
        if found := pattern.match(text, start):
            yield found


def _places(text: str, word: str) -> Iterator[int]:
    """Where the word begins in it: far quicker than a pattern with a choice of words."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _says(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of these may be in it, whatever the case."""
    if not text.isascii() and any(letter in text for letter in _OTHER_CASES):
        return True
    lower = text.lower()
    return any(word in lower for word in words)


def _is_secret_value(value: str) -> bool:
    """Whether it looks like something chosen or made to be secret, and not like a word, a number,
    a name in code or a place to look."""
    if len(value) < 8 or re.search(_PLACEHOLDER, value[:64]):
        return False
    return _looks_chosen(value)


def _looks_chosen(value: str) -> bool:
    sorts = [
        any(letter.islower() for letter in value),
        any(letter.isupper() for letter in value),
        _has_digit(value),
        any(not letter.isalnum() and letter not in "-_./:" for letter in value),
    ]
    if not _has_digit(value) and not sorts[3]:
        return False
    if sum(sorts) >= 3:
        return True
    return len(value) >= 20 and sum(sorts) >= 2 and _bits(value) >= 3.0 and not _is_dotted(value)


def _is_dotted(value: str) -> bool:
    """A path, a version, a name of several words: parts that can be read."""
    parts = re.split(r"[-_./:]", value)
    return len(parts) > 2 and max(map(len, parts)) < 16


def _is_random(value: str) -> bool:
    """Whether its letters are as mixed as those of a made key."""
    letters = re.sub(r"[_.\-/:]", "", value)
    plain = letters.islower() and not _has_digit(letters)
    return len(letters) >= 16 and _bits(letters) >= 2.5 and not plain


def _kind_of(value: str) -> str:
    made = len(value) >= 20 and re.fullmatch(r"[A-Za-z0-9_\-.+/=]+", value) is not None
    return TOKEN if made else PASSWORD


def _has_digit(value: str) -> bool:
    return any(letter.isdigit() for letter in value)


def _bits(value: str) -> float:
    """The entropy of its letters, in bits a letter."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
