"""Recall: the memories an agent asks for by meaning, entries and archival lines in one list.

By key there is nothing to rank: `Memory.find` answers that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.recall import query as queries
from app.recall.embedding import Embedding
from app.recall.query import Query
from app.recall.scoring import MOST
from app.recall.search import Search
from app.rules.blocks import lines_of
from app.rules.hydration import ArchivalLine
from store.models.embedder import ModelUnavailable
from store.records import Block, Entry, Scope
from store.tables.entry_filter import EntryFilter

ARCHIVAL = "archival"
_NEAR = 0.6  # a cosine that a question and its answer hardly ever pass
_WORDS = 0.45


@dataclass(frozen=True, slots=True)
class Match:
    """One thing recalled: an entry, or the line of an archival block."""

    entry: Entry | None
    line: ArchivalLine | None
    score: float
    why: str

    @property
    def type(self) -> str:
        return "entry" if self.entry else ARCHIVAL

    @property
    def scope(self) -> Scope:
        return self.entry.scope if self.entry else self._line.scope

    @property
    def content(self) -> str:
        return self.entry.content if self.entry else self._line.text

    @property
    def _line(self) -> ArchivalLine:
        assert self.line is not None
        return self.line


class Recall:
    def __init__(self, search: Search, embedding: Embedding) -> None:
        self._search = search
        self._embedding = embedding

    def recall(
        self,
        query: str,
        *,
        filter: EntryFilter | None = None,
        blocks: Sequence[Block] = (),
        limit: int = 50,
        min_score: float | None = None,
        source: str | None = None,
    ) -> list[Match]:
        """The best `limit` of the entries that pass and of the archival lines of `blocks`, scoring
        at least `min_score`. The caller names only scopes that its agent may see."""
        hits = self._search.search(
            query, filter=filter, limit=min(limit, MOST), plain=True, source=source
        )
        found = [Match(hit.entry, None, hit.score, hit.why) for hit in hits]
        found += [
            Match(None, line, line.score, f"A line of the archival block of {line.scope}.")
            for line in self.archival(query, blocks, limit)
        ]
        if min_score is not None:
            found = [match for match in found if match.score >= min_score]
        # The sort is stable: equals keep the order the search gave them, archival lines after.
        return sorted(found, key=lambda match: -match.score)[:limit]

    def archival(self, message: str, blocks: Sequence[Block], limit: int) -> Sequence[ArchivalLine]:
        """The archival lines that match a message best, best first."""
        asked = queries.plain(message)
        if not asked.words:
            return []
        lines = [
            line
            for block in blocks
            if block.name == ARCHIVAL
            for line in self._scored(asked, block)
        ]
        return sorted(lines, key=lambda line: (-line.score, line.block_id, line.line))[:limit]

    def _scored(self, asked: Query, block: Block) -> list[ArchivalLine]:
        lines = lines_of(block.content)
        texts = [text for _, text in lines]
        try:
            near = self._embedding.nearness(asked.text, block.id, texts)
        except ModelUnavailable:
            near = [0.0] * len(texts)
        scored = [
            ArchivalLine(block.id, block.scope, number, text, line_score(asked, text, meaning))
            for (number, text), meaning in zip(lines, near, strict=True)
        ]
        return [line for line in scored if line.score > 0]


def line_score(asked: Query, text: str, meaning: float) -> float:
    """From 0 to 1: the share of the query's telling words in the line, and how near it is."""
    words = queries.share_found(asked.telling, text)
    near = min(1.0, max(0.0, meaning) / _NEAR)
    return round(_WORDS * words + (1 - _WORDS) * near, 4)
