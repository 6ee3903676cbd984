"""The commands that README and docs print run as printed, in their order."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.access.caller_scope import Caller
from app.access.workspace_names import workspace_of_folder
from app.cli.command import build
from app.samples import Samples
from app.vault import Vault, open_vault
from store.records import USER, EntryDraft
from tests.fakes import FakeEmbedder

ROOT = Path(__file__).parent.parent
# Those that do not end, open the window, ask a model, the network or at a terminal, or change the
# key, which has tests of its own (tests/app/cli/test_encrypt.py, test_mcp.py, test_serving.py).
APART = (
    r"serve|update|mcp|encrypt|decrypt|lock|unlock|--vault|--ask|sync join"
    r"|writer --(endpoint|key|confirm)"
)


def printed(page: Path) -> list[str]:
    """The commands in the page's fenced parts, without what is said behind them."""
    fenced = re.findall(r"```[a-z]*\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    lines = [line for part in fenced for line in part.splitlines()]
    found = [match[1] for line in lines if (match := re.match(r"(?:\$ )?keepsake +(.*)", line))]
    return [one for one in dict.fromkeys(found) if not re.match(APART, one)]


PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))]
PAGES = [page for page in PAGES if page.name != "cli.md" and printed(page)]


@pytest.fixture
def stocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    """A vault that has what the docs' examples are about, in a folder that is a workspace."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("KEEPSAKE_VAULT", str(tmp_path / "vault.db"))
    monkeypatch.setenv("VISUAL", f'"{sys.executable}" -c pass')
    vault = open_vault(tmp_path / "vault.db", embedder=lambda _: FakeEmbedder())
    vault.agents.add("claude", trust="review", workspaces=["shop"], team=True)
    for key, content in (("deploy_target", "EKS in us-east-1"), ("salad", "Vegetarian")):
        vault.entries.store(EntryDraft(content, key=key, hook="when it matters"))
    for name, text in (("core", "- Works in Berlin"), ("archival", "Acme: CFO wants options")):
        vault.blocks.replace(USER, name, text, expected_updated_at=None)
    memory = vault.memory_for(Caller())
    workspace = workspace_of_folder(project)
    vault.notes.remember(workspace, "Ten each.", "when selling", "prices", memory=memory)
    vault.notes.remember("shop", "Open at nine.", "when asked", "hours", memory=memory)
    for folder in (Path.home() / "notes", project / "PATH", project / "FOLDER"):
        folder.mkdir()
        (folder / "a-note.md").write_text("A note.\n", encoding="utf-8")
    vault.export.to_zip(project / "chatgpt-export.zip")
    yield vault
    vault.close()


def filled(vault: Vault, command: str) -> list[str]:
    """The words of a command; what is meant by ID is there."""
    agent = vault.agents.read("claude")
    ident = ""
    if command.startswith("conversations ID"):
        ident = vault.conversations.start(Caller(agent), title="Lunch").id
        vault.conversations.append(Caller(agent), ident, [("user", "I moved to Lisbon.")])
    elif command.startswith("review"):
        memory = vault.memory_for(Caller(agent))
        memory.entries.store(EntryDraft("A claim", scope=agent.scope))
        ident = vault.review.listed()[-1].id
    words = shlex.split(command, comments=True)
    home = str(Path.home())
    words = [ident if word == "ID" else re.sub(r"^~(?=/)", home, word) for word in words]
    if words[:2] == ["mirror", "sync"] and "FOLDER" in words:
        CliRunner().invoke(build(lambda *_: 2), ["mirror", "add", "FOLDER", "--scope", "user"])
    return words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_run_as_printed(page: Path, stocked: Vault) -> None:
    for command in printed(page):
        done = CliRunner().invoke(build(lambda *_: 2), filled(stocked, command))
        asked = "Say --yes" in f"{done.exception}{done.output}"  # at a terminal a person answers
        assert done.exit_code == 0 or asked, f"{command}\n{done.output}{done.exception}"


def test_the_readme_runs_in_a_vault_with_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says to start with them, so what it stores then has a name that they have not."""
    monkeypatch.setenv("KEEPSAKE_VAULT", str(tmp_path / "vault.db"))
    vault = open_vault(tmp_path / "vault.db", embedder=lambda _: FakeEmbedder())
    Samples(vault).load()
    vault.close()
    commands = [one for one in printed(ROOT / "README.md") if "--key" in one or "undo" in one]
    key = re.findall(r"--key (\w+)", commands[0])[0]
    commands[1:1] = [one for one in printed(ROOT / "README.md") if one.endswith(f" {key}")]
    assert len(commands) == 4
    for command in commands:
        done = CliRunner().invoke(build(lambda *_: 2), shlex.split(command))
        assert done.exit_code == 0, f"{command}\n{done.output}{done.exception}"
    assert f"forgot {key}" in done.output
