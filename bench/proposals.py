"""How good the built-in writer's proposals are, on sessions marked by hand.

    python bench/proposals.py [--half tuning] [--verbose]

The sessions (tests/app/learning/sessions) are talks with a coding agent in English, German and
Spanish, each with a half that the writer was tuned on and a half that was held back; "second
look" is a longer session, written later without knowledge of how the writer works. Precision is
the share of proposals that come from a turn marked as worth keeping, one of the same thing said
again counting as wrong; recall the share of things worth keeping that were proposed. Prints both
for each language, on what was held back unless a half is named; fails below 0.8 and 0.6."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.learning.writers.extractive import ExtractiveWriter  # noqa: E402
from app.rules.facts import Fact, Line  # noqa: E402
from app.rules.learning import standing  # noqa: E402
from store.models.minilm import MiniLM  # noqa: E402

SESSIONS = ROOT / "tests" / "app" / "learning" / "sessions"
LANGUAGES = ("en", "de", "es")
PRECISION, RECALL = 0.8, 0.6
HALVES = ("tuning", "held back", "second look")
AT = "2026-11-10T10:00:00.000000Z"


@dataclass(frozen=True, slots=True)
class Marked:
    """One half of a session: its lines, and by origin what is worth keeping in it."""

    lines: tuple[Line, ...]
    worth: dict[str, str]


def marked(language: str, half: str) -> Marked:
    text = (SESSIONS / f"{language}.txt").read_text("utf-8")
    lines, worth = [], {}
    part = text.partition(f"=== {half}\n")[2].partition("\n===")[0]
    for number, line in enumerate(part.splitlines()):
        mark, _, said = line.partition(" ")
        origin = f"turn:{number}"
        lines.append(Line(origin, "assistant" if mark == "a" else "user", said, AT))
        if mark not in ("a", "-"):
            worth[origin] = origin if mark == "+" else f"again {mark}"
    return Marked(tuple(lines), worth)


def scored(found: list[Fact], session: Marked) -> tuple[float, float]:
    right: set[str] = set()
    wrong = 0
    for fact in found:
        things = {session.worth[one] for one in fact.origins if one in session.worth}
        if things and not things <= right:
            right |= things
        else:
            wrong += not (things and any(thing == one for thing in things for one in fact.origins))
    precision = len(right) / max(1, len(right) + wrong)
    return precision, len(right) / len(set(session.worth.values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=HALVES, action="append")
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    model = MiniLM(ROOT / "resources" / "minilm")
    enough = True
    for language, half in product(LANGUAGES, asked.half or HALVES[1:]):
        session = marked(language, half)
        writer = ExtractiveWriter(lambda: model)
        found = standing(writer.facts(session.lines, []).facts, session.lines)
        precision, recall = scored(found, session)
        enough = enough and precision >= PRECISION and recall >= RECALL
        print(
            f"{language}, {half}, {len(session.lines)} turns: {len(found)} proposals, "
            f"precision {precision:.2f}, recall {recall:.2f}"
        )
        if asked.verbose:
            _explain(found, session)
    print(f"precision {PRECISION} and recall {RECALL}: {'yes' if enough else 'NO'}")
    return 0 if enough else 1


def _explain(found: list[Fact], session: Marked) -> None:
    proposed = {one for fact in found for one in fact.origins}
    for fact in found:
        if not any(one in session.worth for one in fact.origins):
            print(f"   wrong   {fact.kind}: {fact.content}")
    things = {session.worth[one] for one in proposed if one in session.worth}
    for line in session.lines:
        if line.origin in session.worth and session.worth[line.origin] not in things:
            print(f"   missed  {line.text}")


if __name__ == "__main__":
    sys.exit(main())
