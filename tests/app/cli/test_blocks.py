"""`keepsake block` speaks the words of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.command import build
from app.errors import ConflictError, Invalid, KeepsakeError, NotFound


class Prompt:
    def __init__(self, vault: Path) -> None:
        self._vault = str(vault)

    def refused(self, *words: str) -> KeepsakeError:
        result = CliRunner().invoke(build(lambda *_: 0), [*words, "--vault", self._vault])
        assert isinstance(result.exception, KeepsakeError), result.output
        return result.exception


@pytest.fixture
def keepsake(tmp_path: Path) -> Prompt:
    return Prompt(tmp_path / "v.db")


def test_a_block_that_is_not_there_names_the_command_that_writes_it(keepsake: Prompt) -> None:
    error = keepsake.refused("block", "show", "core")
    assert isinstance(error, NotFound)
    assert "keepsake block set core" in str(error)
    assert "expected_updated_at" not in str(error)


def test_creating_a_block_that_is_there_says_so(keepsake: Prompt, tmp_path: Path) -> None:
    words = ["block", "set", "core", "x", "--expected-updated-at", "null"]
    made = CliRunner().invoke(build(lambda *_: 0), [*words, "--vault", str(tmp_path / "v.db")])
    assert made.exit_code == 0, made.output
    error = keepsake.refused(*words)
    assert isinstance(error, ConflictError)
    assert "There is a core block already" in str(error)


def test_files_of_no_known_kind_point_to_the_option(keepsake: Prompt, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(b"\x89PNG")
    error = keepsake.refused("import", str(tmp_path / "pictures"), "--yes")
    assert isinstance(error, Invalid)
    assert "--format" in str(error)
