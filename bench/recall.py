"""How much of what a question needs is found, on every set at hand, beside simpler ways to look.

    python bench/recall.py FILE-OR-FOLDER…        (or KEEPSAKE_RECALL=FOLDER)
    python bench/recall.py --batch FOLDER          everything imported at once
    python bench/recall.py --only hybrid FOLDER
    python bench/recall.py --nothing FOLDER        questions that nothing in the vault answers

Two forms are read: LoCoMo conversations (`turns`, `questions`; one vault a file, one entry a turn)
and sets of independent memories (`vaults` of `docs` and `queries`). A question is one recall with
default settings; its score is the share of its evidence among the first k, averaged over the
questions of all files of one name. LoCoMo is scored against its key as published, errors and all.
In brackets: the 95 % interval of R@10 by bootstrap over questions; `ms`: the median of one search.

With `--nothing` each vault is asked up to 300 questions of sets of the other form (those of one
form are about the same texts, in other languages), and as many of the other vaults of its own set:
how many are marked "nothing near", and how many of its own answers that are among the first ten are
lost with the mark, or not told by a pre-load. The weights of the signs were fitted on one half of
the questions of LoCoMo and the sentences; which half a question is of is told by its digest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
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
from app.recall.search import relevant
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
    turns: bool  # a conversation


@dataclass
class Tally:
    shares: list[list[float]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def collections(path: Path) -> Iterator[Collection]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if "turns" in content:
        asked = [Question(q["question"], frozenset(q["evidence"])) for q in content["questions"]]
        yield Collection("locomo", turns(content["turns"]), asked, True)
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
        yield Collection(content["name"], drafts, asked, False)


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
            found = ranking.word_scores(db, matrix, ranking.best_words(db, terms), everything)
            if len(found.scores):
                score[found.at] += found.scores / max(float(found.scores.max()), 1e-9)
        return [int(n) for n in matrix.columns.n[ranking.top(score, most)]]


def interval(shares: list[list[float]], at: int, rounds: int = 1_000) -> tuple[float, float]:
    values = np.array(shares)[:, at]
    drawn = np.random.default_rng(0).integers(0, len(values), (rounds, len(values)))
    low, high = np.percentile(values[drawn].mean(1), (2.5, 97.5))
    return float(low), float(high)


def nothing(sets: dict[str, list[Collection]], each: int = 300) -> None:
    """Prints what is marked and what is lost, set by set, for both halves."""
    dice = random.Random(7)
    for name, found in sets.items():
        strange = [
            q
            for rest in sets.values()
            for c in rest
            if c.turns != found[0].turns
            for q in c.questions
        ]
        rows: dict[tuple[str, str], list[tuple[float, ...]]] = {}
        for collection in found:
            rest = [q for c in found if c is not collection for q in c.questions]
            share = each // len(found)
            asked = {
                "its own": collection.questions,
                "other sets": dice.sample(strange, min(share, len(strange))),
                "other vaults": dice.sample(rest, min(share, len(rest))),
            }
            vault = open_vault(ephemeral=True)
            try:
                name_of = filled(vault, collection, False)
                for kind, questions in asked.items():
                    for question in questions:
                        half = "held back" if held_back(name, question) else "chosen on"
                        line = marked(vault, name_of, question)
                        rows.setdefault((kind, half), []).append(line)
            finally:
                vault.close()
        for (kind, half), lines in sorted(rows.items()):
            report_marked(name, kind, half, np.array(lines))


def held_back(name: str, question: Question) -> bool:
    return hashlib.blake2b((question.text + name).encode()).digest()[0] % 2 == 1


def marked(vault: Vault, name_of: dict[int, str], question: Question) -> tuple[float, ...]:
    """Whether the question is marked, and of its answers among the first ten: how many there are,
    are lost with the mark, and are not told by a pre-load."""
    hits = vault.search.search(question.text, limit=10, plain=True)
    right = [hit for hit in hits if name_of[hit.entry.n] in question.evidence]
    told = {hit.entry.id for hit in relevant(hits, queries.NOTHING_NEAR)}
    far = max((hit.score for hit in hits), default=0.0) < queries.NOTHING_NEAR
    missed = sum(hit.entry.id not in told for hit in right)
    return float(far), len(right), len(right) * far, missed


def report_marked(name: str, kind: str, half: str, lines: Any) -> None:
    far, right, lost, missed = lines.mean(0)
    line = f"{name:14} {kind:13} {half:10} {len(lines):4} questions: {far:6.1%} nothing near"
    if right and kind == "its own":
        line += f"; answers lost {lost / right:.1%}, not pre-loaded {missed / right:.1%}"
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--only", choices=WAYS, action="append")
    parser.add_argument("--batch", action="store_true", help="import each set in one batch")
    parser.add_argument("--nothing", action="store_true", help="what nothing answers")
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
    if asked.nothing:
        nothing(sets)
        return
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
