"""`keepsake --version` begins a report of a fault."""

from __future__ import annotations

import subprocess
from pathlib import Path

from click.testing import CliRunner

from app.cli.command import build
from app.version import COMMIT_FILE, our_commit, our_version
from store.file.migrations import STEPS
from store.models.minilm import IDENTITY


def test_the_version_names_program_engine_model_and_format() -> None:
    said = CliRunner().invoke(build(lambda *_: 0), ["--version"]).output.splitlines()
    assert said[0].startswith(f"keepsake {our_version()}")
    assert said[1].startswith("engine SQLite 3.")
    assert said[2:] == [f"model {IDENTITY}", f"vault format {len(STEPS)}"]


def test_a_built_program_knows_its_commit(tmp_path: Path) -> None:
    assert our_commit(tmp_path) == ""
    (tmp_path / COMMIT_FILE).write_text("abc1234\n")
    assert our_commit(tmp_path) == "abc1234"


def test_a_checkout_whose_history_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert our_commit(tmp_path / "resources") == ""


def test_the_commit_is_that_of_no_folder_above(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], check=True)
    assert our_commit(tmp_path / "resources") != ""
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    assert our_commit(tmp_path / "tree" / "resources") == ""
