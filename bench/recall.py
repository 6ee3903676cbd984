"""How much of what a question needs is found, on every set at hand, beside simpler ways to look.

    python bench/recall.py FILE-OR-FOLDER…        (or KEEPSAKE_RECALL=FOLDER)
    python bench/recall.py --batch FOLDER          everything imported at once
    python bench/recall.py --only hybrid FOLDER

Two forms are read: LoCoMo conversations (`turns`, `questions`; one vault a file, one entry a turn)
and sets of independent memories (`vaults` of `docs` and `queries`). A question is one recall with
default settings; its score is the share of its evidence among the first k, averaged over the
questions of all files of one name. LoCoMo is scored against its key as published, errors and all.
In brackets: the 95 % interval of R@10 by bootstrap over questions; `ms`: the median of one search.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from app.outcomes import Saved
from app.recall import query as queries
from app.recall import ranking
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import USER, EntryDraft
from store.tables import fulltext

KS = (1, 5, 10, 20)
WAYS = ("grep", "words", "meaning", "plain blend", "hybrid")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Question:
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class Collection:
    """What one vault holds, and what it is asked."""

    name: str
    drafts: dict[str, EntryDraft]
    questions: list[Question]


@dataclass
class Tally:
    shares: list[list[float]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def collections(path: Path) -> Iterator[Collection]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if "turns" in content:
        asked = [Question(q["question"], frozenset(q["evidence"])) for q in content["questions"]]
        yield Collection("locomo", turns(content["turns"]), asked)
        return
    for vault in content["vaults"]:
        drafts = {
            doc["id"]: EntryDraft(
                content=doc["text"],
                scope=USER,
                created_at=to_instant(datetime.fromisoformat(doc["created"])),
            )
            for doc in vault["docs"]
        }
        asked = [Question(q["q"], frozenset(q["gold"])) for q in vault["queries"]]
        yield Collection(content["name"], drafts, asked)


def turns(found: list[dict[str, Any]]) -> dict[str, EntryDraft]:
    """One entry a turn, made at its session's time plus one second a turn."""
    drafts = {}
    second: dict[str, int] = {}
    for turn in found:
        start = datetime.strptime(turn["time"], "%I:%M %p on %d %B, %Y")
        second[turn["time"]] = second.get(turn["time"], -1) + 1
        image = f" [image: {turn['image']}]" if turn.get("image") else ""
        drafts[turn["id"]] = EntryDraft(
            content=f"{turn['speaker']}: {turn['text']}{image}",
            scope=USER,
            created_at=to_instant(start + timedelta(seconds=second[turn["time"]])),
        )
    return drafts


def measure(
    collection: Collection, ways: tuple[str, ...], batch: bool, tallies: dict[str, Tally]
) -> None:
    vault = open_vault(ephemeral=True)
    try:
        name_of = filled(vault, collection, batch)
        looks = {way: looking(vault, way, name_of, collection) for way in ways}
        for way, look in looks.items():
            look("warm up")
            tally = tallies.setdefault(way, Tally())
            for question in collection.questions:
                began = time.perf_counter()
                found = look(question.text)
                tally.seconds.append(time.perf_counter() - began)
                gold = question.evidence
                tally.shares.append(
                    [len(gold & set(found[:k])) / len(gold) if gold else 0.0 for k in KS]
                )
    finally:
        vault.close()


def filled(vault: Vault, collection: Collection, batch: bool) -> dict[int, str]:
    """Row number to the collection's own id."""
    drafts = collection.drafts
    if batch:
        plain = [EntryDraft(content=draft.content, scope=USER) for draft in drafts.values()]
        vault.entries.store_many(plain)
        with vault.database.read() as db:
            numbers = [row[0] for row in db.execute("SELECT n FROM entries ORDER BY n").fetchall()]
        name_of = dict(zip(numbers, drafts, strict=True))
    else:
        name_of = {}
        for name, draft in drafts.items():
            saved = vault.entries.store(draft)
            assert isinstance(saved, Saved)
            name_of[saved.entry.n] = name
    vault.embedding.embed_waiting()
    vault.search.index_waiting()
    return name_of


def looking(
    vault: Vault, way: str, name_of: dict[int, str], collection: Collection
) -> Callable[[str], list[str]]:
    most = max(KS)
    if way == "grep":
        texts = {name: words_of(draft.content) for name, draft in collection.drafts.items()}

        def grep(text: str) -> list[str]:
            wanted = set(queries.plain(text).content_words)
            return sorted(texts, key=lambda name: -len(wanted & texts[name]))[:most]

        return grep
    if way == "plain blend":
        return lambda text: [name_of[n] for n in half_and_half(vault, text, most)]
    mode = {"words": "keyword", "meaning": "semantic", "hybrid": "hybrid"}[way]

    def search(text: str) -> list[str]:
        hits = vault.search.search(text, mode=mode, limit=most, plain=True)
        return [name_of[hit.entry.n] for hit in hits]

    return search


def words_of(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def half_and_half(vault: Vault, text: str, most: int) -> list[int]:
    """BM25 and cosine, each by its best, averaged: what one writes in an afternoon."""
    asked = queries.plain(text)
    matrix = vault.embedding.matrix()
    with vault.database.read() as db, matrix.lock:
        matrix.follow(db)
        meaning = np.maximum(matrix.similarity(vault.embedding.query(asked.text)), 0)
        score = meaning / max(float(meaning.max(initial=0)), 1e-9)
        terms = [fulltext.quoted(word) for word in asked.content_words]
        everything = np.ones(matrix.columns.size, bool)
        if terms:
            found = ranking.word_scores(db, matrix, terms, everything)
            if len(found.scores):
                score[found.at] += found.scores / max(float(found.scores.max()), 1e-9)
        return [int(n) for n in matrix.columns.n[ranking.top(score, most)]]


def interval(shares: list[list[float]], at: int, rounds: int = 1_000) -> tuple[float, float]:
    values = np.array(shares)[:, at]
    drawn = np.random.default_rng(0).integers(0, len(values), (rounds, len(values)))
    low, high = np.percentile(values[drawn].mean(1), (2.5, 97.5))
    return float(low), float(high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--only", choices=WAYS, action="append")
    parser.add_argument("--batch", action="store_true", help="import each set in one batch")
    asked = parser.parse_args()
    named = [Path(os.environ["KEEPSAKE_RECALL"])] if "KEEPSAKE_RECALL" in os.environ else []
    files = [
        file
        for path in asked.paths or named
        for file in (sorted(path.rglob("*.json")) if path.is_dir() else [path])
    ]
    if not files:
        parser.error("name the files or their folder")
    sets: dict[str, list[Collection]] = {}
    for file in files:
        for collection in collections(file):
            sets.setdefault(collection.name, []).append(collection)
    ways = tuple(asked.only or WAYS)
    for name, found in sets.items():
        tallies: dict[str, Tally] = {}
        for collection in found:
            measure(collection, ways, asked.batch, tallies)
        questions = sum(len(collection.questions) for collection in found)
        memories = sum(len(collection.drafts) for collection in found)
        print(f"\n{name}: {memories} memories, {questions} questions")
        print(f"{'':12}" + "".join(f"  R@{k:<4}" for k in KS) + "   R@10 within       ms")
        for way, tally in tallies.items():
            means = np.array(tally.shares).mean(0)
            low, high = interval(tally.shares, KS.index(10))
            middle = float(np.median(tally.seconds)) * 1000
            shown = "".join(f"  {mean:.3f} " for mean in means)
            print(f"{way:12}{shown}  [{low:.3f}, {high:.3f}]  {middle:5.1f}", flush=True)


if __name__ == "__main__":
    main()
