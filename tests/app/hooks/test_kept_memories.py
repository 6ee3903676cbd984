"""What coding agents keep themselves is found, with the scope it belongs to."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from app.access.workspace_names import workspace_of_folder
from app.cli.command import build
from app.connect.mcp_clients import claude_home, codex_home
from app.hooks.backfill import found_memories
from app.vault import Vault


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
    found = [(one.client, str(one.scope), one.notes) for one in found_memories()]
    assert found == [
        ("claude-code", f"workspace:{workspace_of_folder(shop)}", 2),
        ("codex", "user", 2),
    ]


def test_they_are_mirrored_after_one_question(vault: Vault) -> None:
    kept(codex_home() / "memories", "The owner uses tabs.\n")
    command = build(lambda path, ephemeral: 0)

    def run(*words: str) -> str:
        done = CliRunner().invoke(command, ["--vault", str(vault.path), "mirror", *words])
        assert done.exit_code == 0, done.output
        return done.output

    assert "2 notes of codex" in run("found")
    run("found", "--add", "--yes")
    [mirror] = vault.mirrors.listed()
    assert (str(mirror.scope), mirror.writer) == ("user", "agent:codex")
    assert vault.agents.read("codex").trust == "review"
    assert "none that are new" in run("found")
