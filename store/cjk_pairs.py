"""Scripts written without spaces: Chinese and Japanese text as pairs of characters.

The word index splits at spaces, so to it a Chinese sentence is one word. Beside the text it is
given the pairs of neighbouring characters, and a query is asked for in pairs too: 喜欢 is found in
我喜欢猫. Pure.
"""

from __future__ import annotations

import re
from functools import cache

# Han with its extensions, the kana, their marks of repetition and length.
_CHARS = (
    "々〇\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003134f"
)
# Compiled when a text beyond ASCII is met: large classes take milliseconds, at every start.


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{_CHARS}]+")


@cache
def _high() -> re.Pattern[str]:
    """Any character from the first of these on: one range is looked for faster than a class."""
    return re.compile("[\u3005-\U0010ffff]")


@cache
def _holding() -> re.Pattern[str]:
    """A word with such characters in it."""
    return re.compile(f"[^\\W_]*[{_CHARS}]\\w*")


@cache
def script_words() -> re.Pattern[str]:
    """Words of one script each."""
    return re.compile(f"[{_CHARS}]+|(?:(?![{_CHARS}])[^\\W_])+")


def is_unspaced(text: str) -> bool:
    """Whether some of `text` is in such a script."""
    if text.isascii():
        return False
    first = _high().search(text)
    return first is not None and _run().search(text, first.start()) is not None


def index_text(*texts: str) -> str:
    """What the word index is given beside `texts`, in their order: the pairs of each run, its last
    character, and the other letters that stand in one word with it. Empty for other scripts."""
    return " ".join(
        part
        for text in texts
        if is_unspaced(text)  # far cheaper than looking for such words where there are none
        for word in _holding().finditer(text)
        for part in _parts(word.group(), ends=True)
    )


def query_words(word: str) -> list[str]:
    """What to look for instead of one word of a query; the word itself in other scripts."""
    return _parts(word, ends=False) if is_unspaced(word) else [word]


def phrases(text: str) -> list[str]:
    """What must stand together, word by word of `text`, as the index was given it."""
    return [_phrase(word) if is_unspaced(word) else word for word in text.split()]


def _phrase(word: str) -> str:
    parts = _parts(word, ends=True)
    if len(parts) > 1 and parts[-2][1:] == parts[-1]:
        parts.pop()  # in the text the run may go on
    return " ".join(parts)


def _parts(word: str, ends: bool) -> list[str]:
    found: list[str] = []
    done = 0
    for run in _run().finditer(word):
        found += [word[done : run.start()], *_pairs(run.group(), ends)]
        done = run.end()
    return [part for part in (*found, word[done:]) if part]


def _pairs(run: str, ends: bool) -> list[str]:
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, run[-1]] if ends or not pairs else pairs
