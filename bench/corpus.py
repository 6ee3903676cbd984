"""Made-up memories for measuring: words by Zipf's law, so that some are on almost every entry."""

from __future__ import annotations

import random
from collections.abc import Iterator

_SYLLABLES = "ba do ka li mo nu pe ra si ta ve zo chi fer gan lor mur pol sten tri".split()  # noqa: SIM905


class Corpus:
    """Sentences over `size` words; the same seed gives the same corpus."""

    def __init__(self, size: int = 20_000, seed: int = 7) -> None:
        self._random = random.Random(seed)
        words: dict[str, None] = {}
        while len(words) < size:
            count = self._random.choice((2, 2, 3, 3, 4))
            words["".join(self._random.choices(_SYLLABLES, k=count))] = None
        self.words = list(words)
        total, self._weights = 0.0, []
        for rank in range(1, size + 1):
            total += 1 / rank
            self._weights.append(total)

    def texts(self, count: int, words: int = 24) -> Iterator[str]:
        for _ in range(count):
            chosen = self._random.choices(self.words, cum_weights=self._weights, k=words)
            yield " ".join(chosen).capitalize() + "."

    def queries(self, kind: str, count: int) -> list[str]:
        """Five words each: `common`, `rare`, or three rare and two common ones (`mixed`)."""
        common = [self._random.choices(self.words[:40], k=5) for _ in range(count)]
        rare = [self._random.sample(self.words[2_000:12_000], 5) for _ in range(count)]
        mixed = [r[:3] + c[:2] for r, c in zip(rare, common, strict=True)]
        return [" ".join(words) for words in {"common": common, "rare": rare, "mixed": mixed}[kind]]
