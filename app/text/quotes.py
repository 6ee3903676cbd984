"""Where a text stands again in somebody else's: whole, or a long piece of it. Pure.

Two texts are the same here whatever their case, white space, unseen characters, kind of quotation
marks and dashes, and composition of letters; and however often JSON escaped them. Other words for
the same thing are not found.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from app.text.hidden import MAYBE_HIDDEN
from app.text.sentences import sentences

WHOLE_LEAST = 12  # letters of a whole text; a shorter one stands anywhere by chance
PIECE_LEAST = 24  # letters of a line, a sentence or a run of words
RUN, STRIDE = 8, 4  # words: any eleven words in a row hold one of these runs
PHRASES_MOST = 600
_LEVELS = 4  # as it is, in JSON, in JSON in JSON (what a tool answered), and once more
_MARKS = str.maketrans("‘’‚‛“”„‟‐‑‒–—−«»", '\'\'\'\'""""------""')
_ASCII_RUN = re.compile(r"[a-z0-9]{3,}")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDE = re.compile(r"[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff66-\uff9f]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as it is compared, and where each of its letters comes from in the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """What is looked for, folded. `anchors`: for each a run of plain letters in it, or its longest
    word; bytes without any of them need no closer look. `short`: texts that say too little to be
    looked for; `left_out`: pieces that were too many."""

    phrases: tuple[str, ...] = ()
    anchors: tuple[bytes, ...] = ()
    short: int = 0
    left_out: int = 0

    @classmethod
    def of(cls, texts: Iterable[str], staying: Iterable[str] = ()) -> Phrases:
        """Of whole texts and their pieces. A piece that a text which stays says as well is no
        trace."""
        whole = {text for text in map(str.strip, texts) if text}
        telling = {text for text in whole if _weight(text) >= WHOLE_LEAST}
        pieces = {piece for text in telling for piece in _pieces(text)} - telling
        said = {piece: _sought(piece) for piece in pieces}
        anchors = {anchor for piece in pieces for anchor in _anchors(piece)}
        for text in staying if pieces else ():
            raw = text.encode("utf-8", "surrogatepass").lower()
            if any(anchor in raw for anchor in anchors):
                folded = folded_text(text)
                pieces = {piece for piece in pieces if said[piece] not in folded}
        ordered = [*sorted(telling, key=_longest), *sorted(pieces, key=_longest)]
        chosen = ordered[:PHRASES_MOST]
        return cls(
            tuple(dict.fromkeys(map(_sought, chosen))),
            tuple(dict.fromkeys(anchor for text in chosen for anchor in _anchors(text))),
            len(whole - telling),
            len(ordered) - len(chosen),
        )

    def __bool__(self) -> bool:
        return bool(self.phrases)

    def may_be_in(self, raw: bytes) -> bool:
        """Whether these bytes of a file are worth reading."""
        small = raw.lower()
        return any(anchor in small for anchor in self.anchors)

    def spans(self, text: str, *, escaped: bool = False) -> list[tuple[int, int]]:
        """Where they stand, from and to, in order and without overlap. `escaped`: also within the
        strings of JSON."""
        levels = self._levels_with(text, _LEVELS if escaped else 1)
        if not levels:
            return []
        view = _as_it_is(text)
        found: list[tuple[int, int]] = []
        for level in range(max(levels) + 1):
            found += self._in(view) if level in levels else []
            view = _unescaped(view)
        return _merged(found, text)

    def _levels_with(self, text: str, most: int) -> set[int]:
        """How often escapes have to be taken away until one of them stands there: without minding
        where, which is a hundred times as fast."""
        found = set()
        for level in range(most):
            folded = folded_text(text)
            if any(phrase in folded for phrase in self.phrases):
                found.add(level)
            if "\\" not in text:
                break
            text = _paired(_ESCAPE.sub(_said_by, text))
        return found

    def _in(self, view: Folded) -> list[tuple[int, int]]:
        folded = fold(view.text)
        found = []
        for phrase in self.phrases:
            at = folded.text.find(phrase)
            while at >= 0:
                first, last = folded.starts[at], folded.ends[at + len(phrase) - 1] - 1
                found.append((view.starts[first], view.ends[last]))
                at = folded.text.find(phrase, at + len(phrase))
        return found


def folded_text(text: str) -> str:
    """Small letters, composed, one blank for white space, nothing unseen."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", MAYBE_HIDDEN.sub("", text)).translate(_MARKS)
        return " ".join(text.casefold().split())
    return " ".join(MAYBE_HIDDEN.sub("", text).lower().split())


def fold(text: str) -> Folded:
    """The same, letter by letter."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at, size = 0, len(text)
    while at < size:
        end = at + 1
        while end < size and text[end] > "\u02ff" and unicodedata.combining(text[end]):
            end += 1
        for letter in _folded_letter(text[at:end]):
            if letter == " " and letters and letters[-1] == " ":
                ends[-1] = end
                continue
            letters.append(letter)
            starts.append(at)
            ends.append(end)
        at = end
    while letters and letters[-1] == " ":
        letters.pop(), starts.pop(), ends.pop()
    if letters and letters[0] == " ":
        letters, starts, ends = letters[1:], starts[1:], ends[1:]
    return Folded("".join(letters), tuple(starts), tuple(ends))


def _folded_letter(letter: str) -> str:
    shown = MAYBE_HIDDEN.sub("", letter)
    if shown.isspace():
        return " "
    if shown.isascii():
        return shown.lower()
    small = unicodedata.normalize("NFKC", shown).translate(_MARKS).casefold()
    return re.sub(r"\s+", " ", small)


def _sought(text: str) -> str:
    """Whatever stands before and behind it."""
    return folded_text(text).strip(" .,;:!?-")


def _longest(text: str) -> tuple[int, str]:
    return -len(text), text


def _weight(text: str) -> int:
    """Letters; one of a script without spaces says as much as three."""
    return len(folded_text(text)) + 2 * len(_WIDE.findall(text))


def _pieces(text: str) -> Iterable[str]:
    """Its lines, its sentences, and runs of words of a longer text."""
    words = text.split()
    runs = [" ".join(words[at : at + RUN]) for at in range(0, max(len(words) - RUN, 0) + 1, STRIDE)]
    lines = [line.strip(" \t#>*+-") for line in text.splitlines()]
    for piece in (*lines, *sentences(text), *(runs if len(words) > RUN else ())):
        several = len(piece.split()) > 3 or _WIDE.search(piece)
        if several and _weight(piece) >= PIECE_LEAST:
            yield piece


def _anchors(text: str) -> list[bytes]:
    """The longest run of plain letters, which no composition and no escape changes; where there is
    none, a word as it is written and as JSON escapes it."""
    small = unicodedata.normalize("NFC", text).lower()
    runs = _ASCII_RUN.findall(re.sub(r"\\[a-z]", " ", small))
    if runs:
        return [max(runs, key=lambda run: (len(run), run)).encode()]
    word = max(re.findall(r"[^\W\d_]+", small) or [small], key=lambda one: (len(one), one))
    written = {word, unicodedata.normalize("NFD", word), word.upper(), word.capitalize()}
    forms = {form.encode("utf-8", "surrogatepass") for form in written}
    forms |= {json.dumps(form)[1:-1].lower().encode() for form in written}
    return sorted(forms)


def _as_it_is(text: str) -> Folded:
    places = range(len(text))
    return Folded(text, tuple(places), tuple(place + 1 for place in places))


def _said_by(escape: re.Match[str]) -> str:
    said = escape[0][1:]
    return chr(int(said[1:], 16)) if len(said) > 1 else _ESCAPED.get(said, said)


def _paired(text: str) -> str:
    """Halves of a letter that JSON spelt one by one, put together."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(view: Folded) -> Folded:
    """One level of JSON's escapes taken away."""
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def take(said: str, start: int, end: int) -> None:
        letters.append(said)
        starts.append(view.starts[start])
        ends.append(view.ends[end - 1])

    at = 0
    for escape in _ESCAPE.finditer(view.text):
        for plain in range(at, escape.start()):
            take(view.text[plain], plain, plain + 1)
        at = escape.end()
        letter = _said_by(escape)
        if letters and "\ud800" <= letters[-1] <= "\udbff" and "\udc00" <= letter <= "\udfff":
            pair = (letters[-1] + letter).encode("utf-16", "surrogatepass").decode("utf-16")
            letters[-1], ends[-1] = pair, view.ends[at - 1]
        else:
            take(letter, escape.start(), at)
    for plain in range(at, len(view.text)):
        take(view.text[plain], plain, plain + 1)
    return Folded("".join(letters), tuple(starts), tuple(ends))


def _merged(found: Iterable[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Overlapping ones as one, and those with nothing but white space between them; each with the
    stop that ends it."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        while end < len(text) and text[end] in ".!?":
            end += 1
        if merged and (start <= merged[-1][1] or not text[merged[-1][1] : start].strip()):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
