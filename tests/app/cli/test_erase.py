"""`keepsake erase`: what it takes, what it asks, and what it says when it is not done."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.command import build
from app.connect.mcp_clients import codex_home
from app.outcomes import Conflict
from app.vault import open_vault
from store.records import USER

Keepsake = Callable[..., Result]


@pytest.fixture
def keepsake(tmp_path: Path) -> Keepsake:
    def run(*arguments: str, stdin: str | None = None) -> Result:
        command = build(lambda vault, ephemeral: 2)
        environment = {"KEEPSAKE_VAULT": str(tmp_path / "v.db")}
        return CliRunner().invoke(command, arguments, input=stdin, env=environment)

    return run


def holding(folder: Path, word: str = "zqxcanaryfalcon") -> list[str]:
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and word[-8:].encode() in path.read_bytes()
    ]


def test_a_rejected_proposal_is_erased_by_its_id(keepsake: Keepsake, tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "v.db")
    vault.agents.add("rev", trust="review")
    asked = {"content": "is zqxcanaryfalcon", "key": "k"}
    ident = vault.review.propose("rev", "store", USER, asked).id
    vault.review.reject([ident], reason="zqxcanaryfalcon")
    vault.close()
    assert holding(tmp_path) != []
    done = keepsake("erase", ident, "--yes")
    assert "Erased 1 proposal: done." in done.stdout
    assert holding(tmp_path) == []


def test_a_blocks_past_is_erased_and_then_the_block(keepsake: Keepsake, tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "v.db")
    first = vault.blocks.replace(USER, "core", "- zqxcanaryfalcon", expected_updated_at=None)
    assert not isinstance(first, Conflict)
    vault.blocks.replace(USER, "core", "- tea", expected_updated_at=first.block.updated_at)
    vault.close()
    assert "1 block's past: done" in keepsake("erase", "--block", "core", "--past", "--yes").stdout
    assert holding(tmp_path) == []
    assert "tea" in keepsake("block", "show", "core").stdout
    assert "1 block: done" in keepsake("erase", "--block", "core", "--yes").stdout
    assert keepsake("block", "show", "core").exit_code == 1


def test_what_is_not_done_says_what_hinders_it_and_is_gone_on_with(
    keepsake: Keepsake, tmp_path: Path
) -> None:
    notes, away = tmp_path / "notes", tmp_path / "away"
    keepsake("mirror", "add", str(notes))
    keepsake("store", "--key", "k", "is zqxcanaryfalcon")
    keepsake("mirror", "sync")
    notes.rename(away)
    words = keepsake("erase", "k", "--yes").stdout
    assert "Erased 1 memory: pending." in words
    assert f"{notes} is not there" in words
    assert "keepsake erase --pending" in str(keepsake("erase", "k", "--yes").exception)
    doctor = keepsake("doctor")
    assert doctor.exit_code == 1
    assert "1 erase is not finished" in doctor.stdout
    assert "pending" in keepsake("erase", "--pending").stdout
    away.rename(notes)
    told = json.loads(keepsake("erase", "--pending", "--json").stdout)
    assert [one["state"] for one in told["erasures"]] == ["done"]
    assert holding(tmp_path) == []
    assert "gone from everywhere" in keepsake("erase", "--pending").stdout


def test_the_question_names_the_copies_that_stay(keepsake: Keepsake, tmp_path: Path) -> None:
    keepsake("store", "--key", "k", "x")
    keepsake("export", str(tmp_path / "out.zip"))
    keepsake("promote", "k", "--to", str(tmp_path / "skills"))
    keepsake("store", "--key", "later", "y")
    asked = keepsake("erase", "k", stdin="n\n")
    assert str(tmp_path / "out.zip") in asked.output
    assert str(tmp_path / "skills") in asked.output
    asked = keepsake("erase", "later", stdin="n\n")
    assert "Copies" not in asked.output


def test_the_copies_that_stay_are_told_when_nobody_was_asked(
    keepsake: Keepsake, tmp_path: Path
) -> None:
    keepsake("store", "--key", "k", "x")
    keepsake("export", str(tmp_path / "out.zip"))
    told = keepsake("erase", "k", "--yes").stdout
    assert "Copies that stay: exported" in told
    assert str(tmp_path / "out.zip") in told


def test_a_folder_that_was_mirrored_is_a_copy_that_stays(
    keepsake: Keepsake, tmp_path: Path
) -> None:
    folder = str(tmp_path / "notes")
    keepsake("store", "--key", "k", "x")
    keepsake("mirror", "add", folder)
    assert "Copies" not in keepsake("erase", "k", stdin="n\n").output
    keepsake("mirror", "remove", folder)
    asked = keepsake("erase", "k", stdin="n\n").output
    assert "mirrored until" in asked
    assert f"in {folder}" in asked
    keepsake("mirror", "add", folder)
    assert "Copies" not in keepsake("erase", "k", stdin="n\n").output


def test_json_names_the_copies_that_stay_too(keepsake: Keepsake, tmp_path: Path) -> None:
    keepsake("store", "zqxcanaryfalcon", "--key", "k")
    keepsake("export", str(tmp_path / "out.zip"))
    told = json.loads(keepsake("erase", "k", "--yes", "--json").stdout)
    assert told["state"] == "done"
    (copy,) = told["handed_out"]
    assert (copy["way"], copy["path"]) == ("export", str(tmp_path / "out.zip"))


CODE = "The code of the safe is Birkenweg 4711, never to be told."


def test_the_radar_looks_and_takes_it_out_of_what_is_named(keepsake: Keepsake) -> None:
    keepsake("store", "--key", "safe", CODE)
    notes = [Path(os.environ["HOME"]) / ".claude" / "CLAUDE.md", codex_home() / "AGENTS.md"]
    for note in notes:
        note.parent.mkdir(parents=True)
        note.write_text(f"Be brief.\n{CODE}\n")
    looked = json.loads(keepsake("erase", "safe", "--look", "--json").stdout)
    assert {one["path"] for one in looked["copies"]} == set(map(str, notes))
    assert "clean" not in looked["copies"][0]
    said = keepsake("erase", "safe", "--look").stdout
    assert f"{notes[0]} line 2: claude-code instructions, 1 place" in said
    assert "told to nobody, as far as the log of calls goes back" in said
    assert keepsake("recall", "safe").exit_code == 0
    wrong = keepsake("erase", "safe", "--radar", "--also", "/nowhere", "--yes")
    assert "It was not found in /nowhere" in str(wrong.exception)
    done = keepsake("erase", "safe", "--radar", "--also", str(notes[0]), "--yes", "--json")
    receipt = json.loads(done.stdout)
    assert receipt["copies_removed"] == [str(notes[0])]
    assert [one["path"] for one in receipt["copies_left"]] == [str(notes[1])]
    assert [note.read_text() for note in notes] == ["Be brief.\n", f"Be brief.\n{CODE}\n"]
