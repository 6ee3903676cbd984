"""No claim of the documents is without a test or a reason."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.seeds.rows import ELSEWHERE, REASONS, ROWS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def checked() -> dict[int, str]:
    """Claims with the name of a test that checks them."""
    found: dict[int, str] = {}
    for path in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(f"tests.seeds.{path.stem}")
        for name, value in vars(module).items():
            if name.startswith("test_"):
                found |= {row: f"{path.name}::{name}" for row in getattr(value, "rows", ())}
    return found


def test_every_claim_has_a_test_or_a_reason() -> None:
    tests = checked()
    known = tests.keys() | REASONS.keys() | ELSEWHERE.keys()
    assert {row: claim for row, claim in ROWS.items() if row not in known} == {}
    assert known <= ROWS.keys()


def test_the_tests_of_other_parts_are_there() -> None:
    for row, (name, test) in ELSEWHERE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert f"def {test}(" in text, (row, name, test)


def test_the_docs_say_every_reason() -> None:
    for row, (name, sentence) in REASONS.items():
        text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        assert sentence in text, (row, name, sentence)
