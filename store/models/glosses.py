"""Chinese put into English word by word, for a model that reads English.

A gloss is no translation: each word becomes what a dictionary says first, in the order of the text.
For finding a memory by what it means that is enough, also when it was asked for in the other
language. The dictionary loads with the first Chinese text.
"""

from __future__ import annotations

import lzma
import re
from functools import cache
from pathlib import Path

LONGEST = 8  # characters of a word
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_KANA = re.compile(r"[\u3040-\u30ff]")


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
