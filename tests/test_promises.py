"""Every broken promise that was found has a test by name, and the test is there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.promises import PROMISES, STEPS, nodes

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("number", PROMISES)
def test_it_has_tests_that_are_there(number: str) -> None:
    wanted = [node.split("::") for node in nodes(number)]
    assert wanted
    for file, name in wanted:
        made = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        there = {node.name for node in ast.walk(made) if isinstance(node, ast.FunctionDef)}
        assert name in there, f"{file} has no {name}"


def test_the_numbers_and_the_steps_of_hardening_are_all_there() -> None:
    assert {f"A{n}" for n in range(1, 15)} <= {one.split(" ")[0].split(".")[0] for one in PROMISES}
    assert set(STEPS) == set(range(1, 11))
    assert {one for shown in STEPS.values() for one in shown} <= set(PROMISES)
