"""What coding agents keep themselves is found, with the scope it belongs to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.access.workspace_names import workspace_of_folder
from app.cli.command import build
from app.connect.mcp_clients import claude_home, codex_home, gemini_home
from app.hooks.kept_memories import (
    LISTS,
    KeptMemories,
    KeptPlaces,
    MemoryLists,
    bullets,
    found_memories,
)
from app.vault import Vault
from store.records import USER, Entry
from store.tables import vault_values
from store.tables.entry_filter import EntryFilter


def kept(folder: Path, text: str) -> None:
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Memory\n")
    (folder / "deploys.md").write_text(text)


def test_folders_are_found_with_their_project(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    project = claude_home() / "projects" / "-tmp-shop"
    kept(project / "memory", "We deploy on Fridays.\n")
    (project / "s1.jsonl").write_text(json.dumps({"cwd": str(shop / "src")}) + "\n")
    kept(claude_home() / "projects" / "-gone" / "memory", "Nobody knows where.\n")
    kept(codex_home() / "memories", "Uses tabs.\n")
    gemini = gemini_home() / "tmp" / "shop"
    kept(gemini / "memory", "The private key is on the blue stick.\n")
    (gemini / ".project_root").write_text(str(shop))
    (gemini_home() / "GEMINI.md").write_text("# Mine\n\n- Prefers pytest.\n- Uses fish.\n")
    found = [(one.client, str(one.scope), one.notes) for one in found_memories()]
    assert found == [
        ("claude-code", f"workspace:{workspace_of_folder(shop)}", 1),  # the index is no note
        ("gemini", f"workspace:{workspace_of_folder(shop)}", 1),
        ("codex", "user", 1),
        ("gemini", "user", 2),
    ]


def test_they_are_mirrored_after_one_question(vault: Vault) -> None:
    kept(codex_home() / "memories", "The owner uses tabs.\n")
    command = build(lambda path, ephemeral: 0)

    def run(*words: str) -> str:
        done = CliRunner().invoke(command, ["--vault", str(vault.path), "mirror", *words])
        assert done.exit_code == 0, done.output
        return done.output

    assert "1 note of codex" in run("found")
    run("found", "--add", "--yes")
    [mirror] = vault.mirrors.listed()
    assert (str(mirror.scope), mirror.writer) == ("user", "review:codex")
    assert vault.agents.read("codex").trust == "review"
    assert "none that are new" in run("found")


def test_a_skill_in_a_mirrored_folder_is_no_note(vault: Vault, tmp_path: Path) -> None:
    kept(tmp_path / "memory", "The owner uses tabs.\n")
    skill = tmp_path / "memory" / "skills" / "release"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("Tag it.\n")
    vault.mirrors.add(tmp_path / "memory", USER)
    assert told(vault) == ["The owner uses tabs."]


def test_edits_wait_for_review_however_far_the_agent_is_trusted(
    vault: Vault, tmp_path: Path
) -> None:
    vault.agents.add("Codex", "codex", trust="direct")
    kept(tmp_path / "memory", "The owner uses tabs.\n")
    KeptPlaces(vault).keep(KeptMemories("codex", tmp_path / "memory", USER, 1))
    assert told(vault) == []
    assert len(vault.review.listed()) == 1


def test_a_note_that_was_approved_is_the_memory_it_became(vault: Vault, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    kept(folder, "The owner uses tabs.\n")
    KeptPlaces(vault).keep(KeptMemories("codex", folder, USER, 1))
    vault.review.approve(vault.review.listed()[0].id)
    for _ in range(2):
        done = vault.mirrors.sync(vault.mirrors.named(folder).id)
        assert done.mirror.problem == ""
    assert told(vault) == ["The owner uses tabs."]
    assert vault.review.listed() == []


# A list


def held(vault: Vault) -> list[Entry]:
    found = vault.entries.read_many(vault.entries.ids(EntryFilter()))
    return sorted(found, key=lambda entry: entry.content)


def told(vault: Vault) -> list[str]:
    return [entry.content.strip() for entry in held(vault)]


@pytest.fixture
def gemini_file(vault: Vault) -> Path:
    vault.agents.add("Gemini CLI", "gemini", trust="direct")
    file = gemini_home() / "GEMINI.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# Mine\nBe brief.\n\n- Prefers pytest.\n- Uses fish.\n")
    return file


def test_a_list_comes_in_and_follows_both_ways(vault: Vault, gemini_file: Path) -> None:
    lists = MemoryLists(vault)
    assert KeptPlaces(vault).keep(KeptMemories("gemini", gemini_file, USER, 2), review=False) == 2
    assert told(vault) == ["Prefers pytest.", "Uses fish."]
    assert lists.sync() == 0
    pytest_, fish = held(vault)
    vault.entries.change(fish.id, {"content": "Uses zsh."})
    vault.entries.forget([pytest_.id])
    lists.sync()
    assert gemini_file.read_text() == "# Mine\nBe brief.\n\n- Uses zsh.\n"
    gemini_file.write_text("# Mine\nBe brief.\n\n- Likes tea.\n")
    lists.sync()
    assert told(vault) == ["Likes tea."]
    assert lists.sync() == 0


def test_lines_of_a_list_wait_for_review_and_are_proposed_once(
    vault: Vault, gemini_file: Path
) -> None:
    lists = MemoryLists(vault)
    KeptPlaces(vault).keep(KeptMemories("gemini", gemini_file, USER, 2))
    lists.sync()
    first, second = vault.review.listed()
    assert told(vault) == []
    vault.review.approve(first.id)
    vault.review.reject([second.id])
    lists.sync()
    assert vault.review.listed() == []
    [entry] = held(vault)
    vault.entries.change(entry.id, {"content": "Told otherwise."})
    lists.sync()
    assert "- Told otherwise.\n" in gemini_file.read_text()
    assert len(gemini_file.read_text().splitlines()) == 5  # what was rejected is the file's own


def test_a_list_that_is_gone_takes_nothing_with_it(vault: Vault, gemini_file: Path) -> None:
    lists = MemoryLists(vault)
    KeptPlaces(vault).keep(KeptMemories("gemini", gemini_file, USER, 2), review=False)
    gemini_file.unlink()
    assert lists.sync() == 0
    assert len(told(vault)) == 2
    KeptPlaces(vault).leave(KeptMemories("gemini", gemini_file, USER, 2))
    assert lists.listed() == []


def test_no_word_of_a_list_is_noted_beside_the_memories(vault: Vault, gemini_file: Path) -> None:
    KeptPlaces(vault).keep(KeptMemories("gemini", gemini_file, USER, 2), review=False)
    with vault.database.read() as db:
        assert "fish" not in str(vault_values.read(db, LISTS))


def test_items_of_our_own_block_and_of_code_are_no_memories() -> None:
    text = (
        "- one\n```\n- two\n```\n<!-- keepsake:begin (x) -->\n- three\n<!-- keepsake:end -->\n"
        "* four\n  - nested\n-\n"
    )
    assert [said for _, said in bullets(text)] == ["one", "four"]
