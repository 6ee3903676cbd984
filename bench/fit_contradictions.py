"""Fits the weights of the rule that notices contradictions: `python bench/fit_contradictions.py`
measures what they are worth, `--write` also writes app/rules/evidence_weights.py.

What is labelled: the vaults in bench/data/contradictions, of which every pair that the service
compares and that is not planted is no contradiction; the made corpora of bench/contradictions.py
and bench/everyday_contradictions.py, which are few phrasings repeated often and count for less;
and the pairs of the rule's own tests. Without the made ones a vault of many memories of one form
was shown seven false contradictions for each right one; with them at full weight the rule learned
their phrasings and found less of what was written freely.

One logistic regression per kind of difference, held back by the square of its weights. Measured is
each vault by what was fitted on the others, which is what to expect of a vault that nobody saw.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from app.rules.alignment import DENIAL, FIGURE, NAMED, WORD, aligned  # noqa: E402
from app.rules.contradiction import sides  # noqa: E402
from app.rules.evidence import evidence  # noqa: E402
from app.rules.evidence_weights import ENOUGH  # noqa: E402
from app.text.owner_names import owner_names  # noqa: E402
from bench.contradictions import (  # noqa: E402
    FACTS,
    HELD,
    PLANTED,
    TUNED,
    VAULTS,
    Corpus,
    corpus,
    noticed,
    read,
)
from bench.everyday_contradictions import corpus as everyday  # noqa: E402
from store.records import Entry  # noqa: E402
from tests.app.rules.test_opposed_texts import BOTH_TRUE, OPPOSED  # noqa: E402

WEIGHTS = ROOT / "app" / "rules" / "evidence_weights.py"
HELD_BACK = 2.0  # how much a weight has to explain to be large
MADE_COUNT, MADE_PLANTED_COUNT = 0.3, 1.0  # a pair of the made corpora, and one planted there
TESTS_COUNT = 20.0  # a pair of the tests, half of it where they contradict each other
LEAST = 0.05  # a smaller weight is left out
ROUNDS = 40
HEAD = f'''"""How much each piece of evidence counts for a contradiction (above zero) or against it.

The weights of one logistic regression per kind of difference, fitted on labelled pairs of facts in
English and German by bench/fit_contradictions.py, which writes this file."""

from __future__ import annotations

ENOUGH = {ENOUGH}  # from here on it is shown; below zero, for one can dismiss but not find
'''

Pair = tuple[str, str]
Weights = dict[str, dict[str, float]]


class Compared(NamedTuple):
    """Two texts that were laid side by side, and whether they contradict each other."""

    pair: Pair
    kind: str
    evidence: Mapping[str, float]
    planted: bool
    counts: float = 1.0


def compared_by_the_service(made: Corpus) -> set[Pair]:
    """The pairs of texts that the service takes for near enough to be compared."""
    pairs: set[Pair] = set()

    def note(one: Entry, other: Entry, _owner: Sequence[str] = ()) -> None:
        first, second = sorted((one.content, other.content))
        pairs.add((first, second))

    with patch("app.review.conflicts.disagreeing", note):
        noticed(made)
    return pairs


def laid_out(
    pairs: Iterable[Pair], planted: Collection[Pair], owner: Sequence[str] = ()
) -> Iterator[Compared]:
    for pair in sorted(pairs):
        ones, others = sides(*pair, owner)
        for one in ones:
            for other in others:
                if alignment := aligned(one, other):
                    yield Compared(pair, alignment.kind, evidence(alignment), pair in planted)


def labelled(made: Corpus) -> tuple[list[Compared], set[Pair]]:
    texts = [sorted(made.facts[n] for n in pair) for pair in made.planted]
    planted = {(first, second) for first, second in texts}
    owner = owner_names(("", fact) for fact in made.facts)
    return list(laid_out(compared_by_the_service(made), planted, owner)), planted


def made_corpora() -> Iterator[tuple[str, Corpus]]:
    size, planted = FACTS // 2, PLANTED // 2
    for name, half in (("tuned", TUNED), ("held", HELD)):
        yield f"made, {name}", corpus((half,), size, planted, 19)
    for name, held in (("open", False), ("held", True)):
        yield f"household, {name}", everyday(held, size, planted, 23)


def counted_less(rows: Sequence[Compared]) -> list[Compared]:
    return [row._replace(counts=MADE_PLANTED_COUNT if row.planted else MADE_COUNT) for row in rows]


def of_the_tests() -> list[Compared]:
    opposed = {(one, other) for one, other, _ in OPPOSED}
    rows = laid_out({*opposed, *BOTH_TRUE}, opposed)
    return [row._replace(counts=TESTS_COUNT / (1 + row.planted)) for row in rows]


def fitted(rows: Sequence[Compared]) -> Weights:
    return {
        kind: _regression([row for row in rows if row.kind == kind])
        for kind in (FIGURE, NAMED, WORD, DENIAL)
    }


def _regression(rows: Sequence[Compared]) -> dict[str, float]:
    """Newton's method; each step is no longer than 2, so that it cannot run away."""
    names = ["always", *sorted({name for row in rows for name in row.evidence} - {"always"})]
    place = {name: at for at, name in enumerate(names)}
    seen = np.zeros((len(rows), len(names)))
    for at, row in enumerate(rows):
        for name, value in row.evidence.items():
            seen[at, place[name]] = value
    planted = np.array([float(row.planted) for row in rows])
    counts = np.array([row.counts for row in rows])
    held_back = np.full(len(names), HELD_BACK)
    held_back[0] = 0.001
    weights = np.zeros(len(names))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(seen @ weights, -30, 30)))
        slope = seen.T @ (counts * (chance - planted)) + held_back * weights
        bend = (seen * (counts * chance * (1 - chance))[:, None]).T @ seen + np.diag(held_back)
        step = np.linalg.solve(bend, slope)
        weights -= step * min(1.0, 2 / max(float(np.abs(step).max()), 1e-9))
    found = zip(names, (round(float(one), 2) for one in weights), strict=True)
    return {name: one for name, one in found if abs(one) >= LEAST or name == "always"}


def shown(rows: Sequence[Compared], weights: Weights) -> set[Pair]:
    return {
        row.pair
        for row in rows
        if sum(weights[row.kind].get(name, 0) * value for name, value in row.evidence.items())
        > ENOUGH
    }


def told(name: str, found: set[Pair], planted: set[Pair]) -> None:
    right = len(found & planted)
    sys.stdout.write(
        f"{name}: {len(planted)} planted, {len(found)} noticed, recall {right / len(planted):.3f}, "
        f"precision {right / max(len(found), 1):.3f}\n"
    )


def left_out(
    vaults: Mapping[str, tuple[list[Compared], set[Pair]]], always: Sequence[Compared]
) -> None:
    """What each vault is answered by the weights of the others and of what is fitted on always."""
    every, planted_at_all = set[Pair](), set[Pair]()
    for name, (rows, planted) in vaults.items():
        others = [row for other in vaults if other != name for row in vaults[other][0]]
        found = shown(rows, fitted([*others, *always]))
        told(f"{name}, left out", found, planted)
        every |= found
        planted_at_all |= planted
    told("together", every, planted_at_all)


def written(weights: Weights) -> str:
    lines = [HEAD, "WEIGHTS: dict[str, dict[str, float]] = {"]
    for kind, of_it in weights.items():
        lines.append(f'    "{kind}": {{')
        lines += [f'        "{name}": {one:.2f},' for name, one in of_it.items()]
        lines.append("    },")
    return "\n".join([*lines, "}"]).replace("=\n\n", "=\n") + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights of all vaults")
    asked = parser.parse_args()
    vaults = {file.stem: labelled(read(file)) for file in sorted(VAULTS.glob("*.json"))}
    made = {name: labelled(one) for name, one in made_corpora()}
    always = [row for rows, _ in made.values() for row in counted_less(rows)] + of_the_tests()
    left_out(vaults, always)
    weights = fitted([*(row for rows, _ in vaults.values() for row in rows), *always])
    for name, (rows, planted) in {**vaults, **made}.items():
        told(f"{name}, fitted on", shown(rows, weights), planted)
    if asked.write:
        WEIGHTS.write_text(written(weights), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(WEIGHTS)], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
