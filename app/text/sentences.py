"""Prose taken apart: sentences, statements and the words that carry meaning. Pure."""

from __future__ import annotations

import re

from app.text.words import SPEECH_STOP_WORDS, stem

_FENCE = re.compile(r"^ {0,3}(```|~~~).*?(^ {0,3}\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINE_MARK = re.compile(r"^\s*(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+")
_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\W_]|[\"“¿¡])|(?<=[。！？])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|Jr|Sr|a\.m|p\.m"
    r"|U\.S|cf|al|fig|resp|max|min|ca|bzw|z\.B|usw)|\b[A-Z]|\.{2})\.$"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SHARED_SUBJECT = re.compile(
    r"(?:,\s*|\s+)(?:and|but)\s+(?:also\s+)?"
    r"(?=(?:am|work|live|like|love|prefer|hate|dislike|enjoy|have|want|need|use|study|"
    r"play|speak|own|"
    r"eat|drink|teach|run|report|usually|never|always|don['’]t|can['’]t|was|went|moved|started)\b)",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(
    r"(?:[,;]\s*|\s+)(?:and|but|so)\s+(?=(?:I|I['’]\w+|my|we)\s)|;\s+", re.IGNORECASE
)
_LEADS = re.compile(r"^(I['’]m|I am|I)\b", re.IGNORECASE)
# After one of these the words behind "and" belong to it: "I want to eat and drink".
_GOVERNS = re.compile(
    r"\b(?:to|can|could|will|would|should|must|might|may|let|did|do|does)\b|['’](?:ll|d)\b",
    re.IGNORECASE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a markdown text, in order; code is left out, line marks are dropped."""
    found: list[str] = []
    for line in _FENCE.sub("\n", text).splitlines():
        line = _LINE_MARK.sub("", line).strip()
        if line:
            found.extend(_split(line))
    return found


def _split(line: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for end in _END.finditer(line):
        if _ABBREVIATION.search(line[start : end.start()]):
            continue
        parts.append(line[start : end.end()].strip())
        start = end.end()
    parts.append(line[start:].strip())
    return [part for part in parts if part]


def statements(sentence: str) -> list[str]:
    """A sentence that says two things of its speaker, as two: "I am vegetarian and work with
    Marie" becomes "I am vegetarian" and "I work with Marie". Others come back whole."""
    if sentence.endswith("?") or len(sentence) > 400:
        return [sentence]
    found: list[str] = []
    for part in _cut(_OWN_SUBJECT, sentence):
        found.extend(_shared(part))
    return found


def _shared(part: str) -> list[str]:
    if not _LEADS.match(part) or _GOVERNS.search(part):
        return [part]
    first, *rest = _cut(_SHARED_SUBJECT, part)
    return [first, *(f"I {clause}" for clause in rest)]


def _cut(where: re.Pattern[str], text: str) -> list[str]:
    """Cut only where both sides still say something; else the pieces stay together."""
    pieces: list[str] = []
    start = 0
    for match in where.finditer(text):
        if _long(text[start : match.start()]) and _long(text[match.end() :]):
            pieces.append(text[start : match.start()].strip(" ,;"))
            start = match.end()
    return [*pieces, text[start:].strip()]


def _long(piece: str) -> bool:
    return len(content_words(piece)) >= 1 and len(piece.split()) >= 2


def words(text: str) -> list[str]:
    return [word.replace("’", "'").lower() for word in _WORD.findall(text)]


def content_words(text: str) -> list[str]:
    """Stems of the words that carry meaning, in order, repeats kept."""
    return [stem(word) for word in words(text) if word not in SPEECH_STOP_WORDS and len(word) > 1]
