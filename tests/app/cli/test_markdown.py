"""`keepsake import`, `export`, `mirror`, `memory` and `promote`, as a person types them."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.cli.command import build
from app.recall.embedding import Embedding
from store.errors import KeepsakeError

SAMPLES = Path(__file__).parents[2] / "samples"


class Prompt:
    def __init__(self, vault: Path) -> None:
        self._vault = str(vault)

    def __call__(self, *words: str) -> str:
        result = self.run(*words)
        assert result.exit_code == 0, result.output
        return result.output

    def run(self, *words: str) -> Result:
        root = build(lambda *_: 0)
        # The options of the vault stand after the command, as the manual writes them.
        return CliRunner().invoke(root, [*words, "--vault", self._vault], catch_exceptions=True)

    def refused(self, *words: str) -> str:
        result = self.run(*words)
        assert result.exit_code != 0
        return (
            str(result.exception) if isinstance(result.exception, KeepsakeError) else result.output
        )


@pytest.fixture
def keepsake(tmp_path: Path) -> Prompt:
    return Prompt(tmp_path / "vault" / "vault.db")


def test_export_and_import_again(keepsake: Prompt, tmp_path: Path) -> None:
    keepsake("store", "Green tea", "--key", "tea")
    assert "Exported 1 memory" in keepsake("export", str(tmp_path / "out"))
    assert "Exported 1 memory" in keepsake("export", str(tmp_path / "out.zip"))
    value = json.loads(keepsake("export", str(tmp_path / "out"), "--json"))
    assert (value["place"], value["entries"]) == (str(tmp_path / "out"), 1)
    fresh = Prompt(tmp_path / "fresh" / "vault.db")
    assert "1 new memory" in fresh("import", str(tmp_path / "out.zip"), "--yes")
    assert "Green tea" in fresh("list")


def test_other_formats_go_out_and_are_recognised_again(keepsake: Prompt, tmp_path: Path) -> None:
    keepsake("store", "Green tea", "--key", "tea")
    for name, format_ in (("b.zip", "okf"), ("b", "okf"), ("m.json", "pam")):
        out = keepsake("export", str(tmp_path / name), "--format", format_)
        assert "Exported 1 memory and 0 blocks" in out
        fresh = Prompt(tmp_path / f"fresh {name}" / "vault.db")
        assert "1 new memory" in fresh("import", str(tmp_path / name), "--yes")
        assert "Green tea" in fresh("list")
    assert "ends in .json" in keepsake.refused("export", str(tmp_path / "x"), "--format", "pam")


def test_a_picture_is_no_folder_and_what_is_all_refused_fails(
    keepsake: Prompt, tmp_path: Path
) -> None:
    picture = tmp_path / "w1.png"
    picture.write_bytes(b"no folder")
    assert f"{picture} is a file. Name a folder" in keepsake.refused("export", str(picture))
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "empty.md").write_text("---\n: [\n---\n")
    said = keepsake.refused("import", str(notes), "--yes")
    assert "Nothing of it can be imported" in said
    assert "empty.md" in said


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "X.MD"])
def test_a_file_of_another_kind_does_not_become_a_folder(
    keepsake: Prompt, tmp_path: Path, name: str
) -> None:
    keepsake("store", "Green tea", "--key", "tea")
    assert "a folder or a .zip" in keepsake.refused("export", str(tmp_path / name))
    assert not (tmp_path / name).exists()


def test_what_meaning_has_not_caught_up_with_is_said(
    keepsake: Prompt, monkeypatch: pytest.MonkeyPatch
) -> None:
    keepsake("store", "Green tea", "--key", "tea")
    monkeypatch.setattr(Embedding, "embed_fresh", lambda *_, **__: 0)  # as while thousands wait
    told = "1 memory is not found by meaning yet"
    assert told in keepsake.run("search", "tea").stderr
    assert told not in keepsake.run("search", "tea", "--mode", "keyword").stderr


def test_one_block_that_came_in_is_one_block(keepsake: Prompt, tmp_path: Path) -> None:
    keepsake("block", "set", "core", "- Works in Lisbon")
    keepsake("export", str(tmp_path / "out.zip"))
    fresh = Prompt(tmp_path / "fresh" / "vault.db")
    assert ", 1 block. " in fresh("import", str(tmp_path / "out.zip"), "--yes")


def test_a_dry_run_writes_nothing(keepsake: Prompt) -> None:
    out = keepsake("import", str(SAMPLES / "obsidian"), "--dry-run")
    assert "Obsidian vault: 3 new, 0 changed, 0 duplicate, 2 refused." in out
    assert "! Empty.md: it is empty" in out
    assert "Nothing here" in keepsake("list")
    value = json.loads(keepsake("import", str(SAMPLES / "obsidian"), "--dry-run", "--json"))
    assert (value["new"], value["refused"], value["format"]) == (3, 2, "obsidian")


def test_without_yes_and_without_a_terminal_it_refuses(keepsake: Prompt) -> None:
    assert "--yes" in keepsake.refused("import", str(SAMPLES / "list.md"))
    assert "Nothing here" in keepsake("list")


def test_an_import_is_undone_whole(keepsake: Prompt) -> None:
    done = json.loads(keepsake("import", str(SAMPLES / "list.md"), "--yes", "--json"))
    assert done["created"] == 4
    keepsake("undo")
    assert "Nothing here" in keepsake("list")


def test_what_was_refused_is_told_without_the_plan_too(keepsake: Prompt, tmp_path: Path) -> None:
    (tmp_path / "tea.md").write_text("Green\n")
    (tmp_path / "latin.md").write_bytes("café".encode("latin-1"))
    told = keepsake("import", str(tmp_path), "--yes")
    assert "1 new memory, 1 refused" in told
    assert "! latin.md: it is not text in UTF-8" in told
    assert "! latin.md: it is not text in UTF-8" in keepsake("import", str(tmp_path), "--yes")


def test_an_import_that_skips_all_does_not_offer_an_undo(keepsake: Prompt, tmp_path: Path) -> None:
    keepsake("store", "Green", "--key", "tea")
    (tmp_path / "tea.md").write_text("---\nkey: tea\n---\nBlack\n")
    told = keepsake("import", str(tmp_path / "tea.md"), "--yes")
    assert told.startswith("Nothing was imported, 1 skipped")
    assert "--conflict update" in told
    assert "undo" not in told


def test_conflicts_are_shown_and_decided(keepsake: Prompt, tmp_path: Path) -> None:
    keepsake("store", "Green", "--key", "tea")
    (tmp_path / "tea.md").write_text("---\nkey: tea\n---\nBlack\n")
    out = keepsake("import", str(tmp_path / "tea.md"), "--dry-run", "--diff")
    assert "+Black" in out
    keepsake("import", str(tmp_path / "tea.md"), "--yes", "--conflict", "both")
    assert "tea-2" in keepsake("list")


def test_a_mirror_from_adding_to_removing(keepsake: Prompt, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    keepsake("store", "Green", "--key", "tea")
    assert keepsake("mirror", "list").strip() == "No folder is mirrored."
    assert "1 written" in keepsake("mirror", "add", str(folder))
    (folder / "coffee.md").write_text("Black")
    assert "1 new from files" in keepsake("mirror", "sync")
    assert "Black" in keepsake("list")
    (folder / ".keepsake-mirror").unlink()
    halt = keepsake.run("mirror", "sync", str(folder))
    assert halt.exit_code == 1
    assert f"keepsake mirror sync {folder} --restore" in halt.output
    assert f"keepsake mirror sync {folder} --accept" in halt.output
    listed = keepsake("mirror", "list")
    assert "halted" in listed
    assert f"keepsake mirror sync {folder} --restore" in listed
    assert "in step" in keepsake("mirror", "sync", str(folder), "--restore")
    assert "no longer mirrored" in keepsake("mirror", "remove", str(folder))
    assert (folder / "tea.md").exists()


def test_memory_shows_the_index_and_a_note(keepsake: Prompt) -> None:
    keepsake("store", "Prices are in cents", "--key", "prices", "--scope", "workspace:shop")
    index = keepsake("memory", "--workspace", "shop")
    assert "- [prices](prices.md): Prices are in cents" in index
    assert keepsake("memory", "prices", "--workspace", "shop").strip() == "Prices are in cents"
    assert "no note" in keepsake.refused("memory", "nothing", "--workspace", "shop")


def test_memory_edit_opens_the_editor_and_takes_the_edit(
    keepsake: Prompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keepsake("store", "in cents", "--key", "prices", "--scope", "workspace:shop")
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/in cents/in euros/' \"$1\"\n")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", str(editor))
    keepsake("memory", "edit", "prices", "--workspace", "shop")
    assert keepsake("memory", "prices", "--workspace", "shop").strip() == "in euros"
    editor.write_text("#!/bin/sh\nsed -i 's/: in euros/: read before billing/' \"$1\"\n")
    keepsake("memory", "edit", "--workspace", "shop")
    assert "read before billing" in keepsake("memory", "--workspace", "shop")


def test_without_any_editor_the_real_file_is_named_and_no_draft_is_left(
    keepsake: Prompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keepsake("store", "in cents", "--key", "prices", "--scope", "workspace:shop")
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(drafts))
    monkeypatch.setenv("EDITOR", "no-such-editor-anywhere")
    monkeypatch.setenv("PATH", str(drafts))
    words = keepsake.refused("memory", "edit", "prices", "--workspace", "shop")
    named = next(word for word in words.split() if word.endswith("prices.md"))
    assert Path(named).read_text().endswith("in cents\n")
    assert list(drafts.iterdir()) == []


def test_an_editor_that_is_missing_gives_way_to_the_usual_one(
    keepsake: Prompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keepsake("store", "in cents", "--key", "prices", "--scope", "workspace:shop")
    nano = tmp_path / "bin" / "nano"
    nano.parent.mkdir()
    nano.write_text("#!/bin/sh\n/bin/sed -i 's/in cents/in euros/' \"$1\"\n")
    nano.chmod(nano.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("VISUAL", "no-such-editor-anywhere")
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.setenv("PATH", str(nano.parent))
    keepsake("memory", "edit", "prices", "--workspace", "shop")
    assert keepsake("memory", "prices", "--workspace", "shop").strip() == "in euros"


def test_promote_writes_a_skill(keepsake: Prompt, tmp_path: Path) -> None:
    keepsake("store", "Wash first", "--key", "salad", "--scope", "workspace:shop")
    out = keepsake("promote", "salad", "--to", str(tmp_path / "skills"))
    assert "SKILL.md" in out
    assert (tmp_path / "skills/salad/SKILL.md").read_text().startswith("---\nname: salad\n")
