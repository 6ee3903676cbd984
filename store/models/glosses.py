"""Other languages put into English word by word, for a model that reads English.

A gloss is no translation: each word becomes what a dictionary says first, in the order of the text.
For finding a memory by what it means that is enough, also when it was asked for in the other
language. A dictionary loads with the first text of its language.

Chinese has words without spaces between them. German and Spanish have endings, and German joins
words: their dictionaries also hold what is left of a word without its ending, behind a tilde.
"""

from __future__ import annotations

import lzma
import mmap
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

FORM = 1  # counts up when the same dictionary puts a text otherwise
CODES = {"german": "de", "spanish": "es"}  # the languages of which words are put into English
LONGEST = 8  # characters of a Chinese word
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_KANA = re.compile(r"[\u3040-\u30ff]")
_WORD = re.compile(r"[^\W\d_]+")
_STEM = "~"
_PLAIN = str.maketrans("äöüßáéíóúñ", "aousaeioun")
_SHORTEST_STEM, _SHORTEST_PART = 3, 3
_ENDINGS = {
    "de": (
        *("enden", "esten", "test", "sten", "ende", "end", "tet", "ten", "est", "ern"),
        *("en", "er", "em", "es", "et", "te", "st", "e", "n", "s", "t"),
    ),
    "es": (
        *("iéramos", "áramos", "ábamos", "íamos", "iendo", "ieron", "isteis", "asteis"),
        *("aremos", "eremos", "iremos", "amos", "emos", "imos", "aron", "ando", "arán", "erán"),
        *("irán", "aban", "abas", "ados", "adas", "idos", "idas", "aste", "iste", "aba", "ado"),
        *("ada", "ido", "ida", "ían", "ías", "ará", "erá", "irá", "ía", "ió", "ar", "er", "ir"),
        *("as", "es", "os", "an", "en", "a", "e", "o", "é", "ó", "í", "s"),
    ),
}
# A participle: "gekauft" of "kaufen", "angerufen" of "anrufen".
_PARTICIPLE = re.compile(
    r"(ab|an|auf|aus|bei|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zurück|)ge(\w{2,}(?:t|en))"
)
_BETWEEN = ("", "s", "es", "n", "en", "er", "e")  # what joins the parts of a German word


def glossed(text: str, folder: Path) -> str:
    """`text` with each Chinese word in English; as it is where there is none. Japanese stays too:
    its characters are not its words."""
    if not _CHINESE.search(text) or _KANA.search(text):
        return text
    words = _dictionary(folder)
    put = _CHINESE.sub(lambda run: f" {' '.join(_in_english(run[0], words))} ", text)
    return " ".join(put.split())


def _in_english(run: str, words: dict[str, str]) -> list[str]:
    """The longest word that begins at each place; a character nobody knows stays."""
    found, at = [], 0
    while at < len(run):
        sizes = range(min(LONGEST, len(run) - at), 0, -1)
        size = next((size for size in sizes if run[at : at + size] in words), 1)
        found.append(words.get(run[at : at + size], run[at]))
        at += size
    return found


@cache
def _dictionary(folder: Path) -> dict[str, str]:
    """Words and their glosses; none where the file is missing: then Chinese is found by its
    characters alone."""
    try:
        lines = lzma.decompress((folder / "zh.tsv.xz").read_bytes()).decode("utf-8").split("\n")
    except (OSError, lzma.LZMAError):
        return {}
    return dict(line.split("\t", 1) for line in lines)


class Dictionary:
    """The words of one language and their glosses, of one or more lists: lines in the order of
    their bytes, looked up where they lie. What the first list knows counts."""

    def __init__(self, code: str, lists: Sequence[bytes | mmap.mmap]) -> None:
        self._code = code
        self._lists = lists
        self._known = lru_cache(maxsize=20_000)(self._looked_up)

    def put(self, text: str) -> str:
        """`text` with each word in English that the dictionary knows."""
        return _WORD.sub(lambda word: self._known(word[0]) or word[0], text)

    def knows(self, words: Sequence[str]) -> int:
        """How many of these words are of the language."""
        return sum(self._known(word) is not None for word in words)

    def says(self, words: Sequence[str]) -> int:
        """How many of these are English words by which it explains others."""
        return sum(
            any(lines.find(f"\t{word}\n".encode()) >= 0 for lines in self._lists[:1])
            for word in words
        )

    def _looked_up(self, word: str) -> str | None:
        found = self._itself(word)
        if found is None and self._code == "de":
            found = self._joined(word)
        return found

    def _itself(self, word: str) -> str | None:
        """What it means, with its ending or without. A noun is written with a capital letter in
        German, and any word at the beginning of a sentence."""
        lower = word.lower()
        forms = list(dict.fromkeys((word, lower, word[:1].upper() + lower[1:])))
        if self._code == "de" and (parts := _PARTICIPLE.fullmatch(lower)):
            forms.insert(1, parts[1] + parts[2])
        for form in forms:
            found = self._line(form)
            if found is not None:
                return found
        for form in forms:
            found = self._without_ending(form)
            if found is not None:
                return found
        return None

    def _without_ending(self, word: str) -> str | None:
        left = [word.removesuffix(ending) for ending in reversed(_ENDINGS[self._code])]
        for form in left:
            if _SHORTEST_STEM <= len(form) < len(word):
                found = self._line(form)
                if found is not None:
                    return found
        # A word without an ending is no form of a longer one: "Betrag" is not "Betragen".
        return (
            self._line(_STEM + stem(word, self._code)) if min(map(len, left)) < len(word) else None
        )

    def _joined(self, word: str, depth: int = 2) -> str | None:
        """What the parts of a German word mean: "Winterreifen", "Lieblingsfarbe". The longest
        last part that leaves known ones before it."""
        if len(word) < 2 * _SHORTEST_PART + 1 or not depth:
            return None
        lower = word.lower()
        for at in range(_SHORTEST_PART, len(lower) - _SHORTEST_PART + 1):
            last = self._part(lower[at:])
            if last is None:
                continue
            for between in _BETWEEN:
                rest = lower[:at].removesuffix(between) if between else lower[:at]
                if (between and rest == lower[:at]) or len(rest) < _SHORTEST_PART:
                    continue
                first = self._part(rest) or self._joined(rest, depth - 1)
                if first is not None:
                    return f"{first} {last}"
        return None

    def _part(self, word: str) -> str | None:
        noun = word[:1].upper() + word[1:]
        found = self._line(noun) or self._line(word)
        if found is None and len(word) > _SHORTEST_PART:
            found = self._without_ending(noun)
        return found

    def _line(self, key: str) -> str | None:
        """The gloss of exactly this key."""
        wanted = key.encode("utf-8", "replace")
        found = (_gloss(lines, wanted) for lines in self._lists)
        return next((gloss for gloss in found if gloss is not None), None)


def _gloss(lines: bytes | mmap.mmap, wanted: bytes) -> str | None:
    """By halving."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        start = lines.rfind(b"\n", 0, middle) + 1
        end = lines.find(b"\n", middle)
        end = len(lines) if end < 0 else end
        found, _, gloss = bytes(lines[start:end]).partition(b"\t")
        if found == wanted:
            return gloss.decode("utf-8")
        if found < wanted:
            low = end + 1
        else:
            high = start
    return None


def stem(word: str, code: str) -> str:
    """`word` without its ending and its accents, when enough of it is left. Case stays: it tells
    a German noun."""
    for ending in _ENDINGS[code]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return word.translate(_PLAIN).replace("ss", "s")


def dictionary(code: str, folders: Sequence[Path]) -> Dictionary | None:
    """The dictionary of a language, of what these folders have of it; None without any."""
    return _opened(code, tuple(folders), marks_of(folders))


@lru_cache(maxsize=8)
def _opened(code: str, folders: tuple[Path, ...], marks: str) -> Dictionary | None:
    lists = [lines for folder in folders if (lines := _lines(code, folder))]
    return Dictionary(code, lists) if lists else None


def marks_of(folders: Sequence[Path]) -> str:
    """What changes when one of the dictionaries does."""
    found = (
        (code, file.stat())
        for code in CODES.values()
        for folder in folders
        for file in (folder / f"{code}.tsv.xz", folder / f"{code}.tsv")
        if file.is_file()
    )
    return " ".join([str(FORM), *(f"{code}:{about.st_size}" for code, about in found)])


def _lines(code: str, folder: Path) -> bytes | mmap.mmap | None:
    try:
        return lzma.decompress((folder / f"{code}.tsv.xz").read_bytes())
    except (OSError, lzma.LZMAError):
        pass
    try:
        with (folder / f"{code}.tsv").open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None


def lines_of(words: dict[str, str], code: str) -> bytes:
    """A dictionary as it is kept: each word and, behind a tilde, what is left of it without its
    ending, with its gloss; the shortest of the words that share it counts."""
    kept = dict(words)
    for word in sorted(words, key=lambda word: (len(word), word)):
        kept.setdefault(_STEM + stem(word, code), words[word])
    pairs = sorted((word.encode(), gloss.encode()) for word, gloss in kept.items())
    return b"\n".join(b"\t".join(pair) for pair in pairs)
