"""`keepsake expect` and `keepsake test` as a person and a CI run them."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner, Result

from app.cli.command import build
from app.cli.proof import is_good
from app.errors import Invalid, Refused


def run(folder: Path, *words: str) -> Result:
    command = build(lambda path, ephemeral: 0)
    return CliRunner().invoke(command, [*words, "--vault", str(folder / "v.db")])


def test_an_expectation_is_kept_tested_broken_and_mended(tmp_path: Path) -> None:
    run(tmp_path, "agents", "add", "claude")
    run(tmp_path, "store", "Drinks tea", "--key", "tea")
    kept = run(tmp_path, "expect", "claude is told `tea`.", "--key", "drinks")
    assert kept.exit_code == 0, kept.output
    green = run(tmp_path, "test")
    assert green.exit_code == 0, green.output
    assert green.output == "green  claude is told `tea`.\nAll as expected.\n"
    run(tmp_path, "forget", "tea")
    report = tmp_path / "report.xml"
    red = run(tmp_path, "test", "--json", "--junit", str(report))
    assert red.exit_code == 1
    (result,) = json.loads(red.output)["results"]
    group = result["broken_by"]["id"]
    assert ElementTree.parse(report).getroot().attrib["failures"] == "1"
    assert f"keepsake undo {group}" in run(tmp_path, "test").output
    run(tmp_path, "undo", str(group))
    assert run(tmp_path, "test").exit_code == 0


def test_a_sentence_that_is_not_understood_is_refused_with_the_forms(tmp_path: Path) -> None:
    refused = run(tmp_path, "expect", "be nice")
    assert isinstance(refused.exception, Invalid)
    assert "among the first 3" in str(refused.exception)


def test_a_report_makes_its_folder_or_says_why_not(tmp_path: Path) -> None:
    run(tmp_path, "agents", "add", "claude")
    run(tmp_path, "store", "Drinks tea", "--key", "tea")
    run(tmp_path, "expect", "claude is told `tea`.")
    report = tmp_path / "ci" / "reports" / "memory.xml"
    assert run(tmp_path, "test", "--junit", str(report)).exit_code == 0
    assert ElementTree.parse(report).getroot().attrib["failures"] == "0"
    (tmp_path / "file").write_text("")
    for words in (["test", "--junit"], ["passport", "--output"]):
        refused = run(tmp_path, *words, str(tmp_path / "file" / "memory.xml"))
        assert isinstance(refused.exception, Refused), refused.output
        assert "cannot be written" in str(refused.exception)


@pytest.mark.parametrize(
    ("said", "good"), [("g", True), ("Good ", True), ("B", False), ("bad", False)]
)
def test_a_letter_is_enough_to_judge(said: str, good: bool) -> None:
    assert is_good(said) == good


def test_what_is_neither_good_nor_bad_is_asked_again() -> None:
    with pytest.raises(click.UsageError, match="Say g"):
        is_good("perhaps")


def test_an_erase_is_named_and_no_undo_is_promised(tmp_path: Path) -> None:
    run(tmp_path, "agents", "add", "claude")
    run(tmp_path, "store", "Drinks tea", "--key", "tea")
    run(tmp_path, "forget", "tea")
    run(tmp_path, "erase", "tea", "--yes")
    found = run(tmp_path, "bisect", "--expect", "claude is never told `tea`.")
    assert "owner erased" in found.output, found.exception
    assert "cannot be taken back" in found.output
    assert "keepsake undo" not in found.output
