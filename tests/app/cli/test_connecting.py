"""`keepsake connect --hooks`, `--all`, `--check`, and out again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.cli.command import build
from app.connect.connections import Connections
from app.connect.hook_settings import HOOKED
from app.connect.mcp_clients import CLIENTS
from app.vault import Vault


def run(vault: Vault, *words: str) -> Result:
    command = build(lambda path, ephemeral: 0)
    return CliRunner().invoke(command, ["--vault", str(vault.path), *words])


def connections_of(vault: Vault) -> Connections:
    return Connections(vault.agents, vault.path, vault.clock)


def told(vault: Vault, *words: str) -> Any:
    done = run(vault, *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("client", HOOKED)
def test_hooks_are_written_beside_the_tools_and_leave_with_them(vault: Vault, client: str) -> None:
    file = HOOKED[client].file()
    done = told(vault, "connect", client, "--hooks", "--write")
    assert done["level"] == "automatic"
    assert Path(done["hooks"]["path"]) == file
    assert f"{vault.path}" in file.read_text()
    gone = told(vault, "disconnect", client)
    assert gone["hooks_removed"] == str(file)
    assert not file.exists() or "keepsake" not in file.read_text()


@pytest.mark.parametrize("out", [False, True])
def test_a_file_of_tools_and_hooks_is_kept_once_as_it_was(vault: Vault, out: bool) -> None:
    file = HOOKED["gemini"].file()
    file.parent.mkdir(parents=True)
    file.write_text('{"theme": "GitHub"}')
    done = run(vault, "connect", "gemini", "--hooks", "--write")
    if out:
        for old in file.parent.glob("*.backup"):
            old.unlink()
        before = file.read_text()
        run(vault, "disconnect", "gemini")
    else:
        before = '{"theme": "GitHub"}'
        assert done.output.count("The file as it was") == 1
    assert [old.read_text() for old in file.parent.glob("*.backup")] == [before]


def test_without_write_nothing_is_written(vault: Vault) -> None:
    done = run(vault, "connect", "claude-code", "--hooks")
    assert "hook claude-code session-start" in done.output
    assert not HOOKED["claude-code"].file().exists()


def test_a_client_without_hooks_says_who_has_some(vault: Vault) -> None:
    done = run(vault, "connect", "zed", "--hooks")
    assert "Zed has no hooks that Keepsake knows" in str(done.exception)


def test_all_finds_the_clients_that_are_here_and_asks_once(vault: Vault) -> None:
    for name in ("claude-code", "goose", "kiro"):
        client = CLIENTS[name]
        assert client.config_file is not None
        folder = client.home() if client.home else client.config_file().parent
        folder.mkdir(parents=True)
    refused = run(vault, "connect", "--all")
    assert "of 3 clients? Say --yes" in str(refused.output)
    assert not HOOKED["claude-code"].file().exists()
    done = told(vault, "connect", "--all", "--yes")
    assert [one["client"] for one in done["clients"]] == ["claude-code", "goose", "kiro"]
    assert all(one["written"] for one in done["clients"])
    again = told(vault, "connect", "--all", "--yes")
    assert "connected already" in again["clients"][0]["sentence"]


def test_all_says_what_it_would_add_to_which_file(vault: Vault) -> None:
    for name in ("claude-code", "goose"):
        CLIENTS[name].folder().mkdir(parents=True)
    asked = run(vault, "connect", "--all").output
    tools = CLIENTS["claude-code"].config_file
    assert tools is not None
    assert (
        f"""Claude Code, automatic
    {tools()}: the server `keepsake mcp`, as the agent claude-code
    {HOOKED["claude-code"].file()}: hooks that run `keepsake hook`
Goose, guided
"""
        in asked
    )
    assert "Automatic: hooks tell it its memory, unasked. Guided: its model asks for it" in asked


def test_all_names_a_broken_file_and_makes_no_agent_for_it(vault: Vault) -> None:
    for name in ("gemini", "goose"):
        CLIENTS[name].folder().mkdir(parents=True)
    broken = HOOKED["gemini"].file()
    broken.write_text('{\n  "theme": "dark",\n')
    done = run(vault, "connect", "--all", "--yes")
    assert done.exit_code == 1
    assert (
        f"Gemini CLI: {broken} cannot be changed. It is not JSON (it ends in line 2, before it is "
        "complete), so it was left alone."
    ) in done.output
    assert [agent.id for agent in vault.agents.list()] == ["goose"]
    answer = json.loads(run(vault, "connect", "--all", "--yes", "--json").stdout)
    assert [one["written"] for one in answer["clients"]] == [False, True]


@pytest.mark.parametrize("hooks", [True, False])
def test_all_leaves_a_client_the_agent_that_it_was_given(vault: Vault, hooks: bool) -> None:
    CLIENTS["claude-code"].folder().mkdir(parents=True)
    run(vault, "connect", "claude-code", "--agent", "work", "--write", *["--hooks"][:hooks])
    run(vault, "connect", "--all", "--yes")
    said = connections_of(vault).hooks_agent("claude-code")
    assert (said, [agent.id for agent in vault.agents.list()]) == ("work", ["work"])


def test_a_broken_file_of_hooks_is_not_mended_with_what_belongs_elsewhere(vault: Vault) -> None:
    broken = HOOKED["claude-code"].file()
    broken.parent.mkdir(parents=True)
    broken.write_text("{ mine")
    refused = str(run(vault, "connect", "claude-code", "--hooks", "--write").exception)
    assert f"{broken} cannot be changed." in refused
    assert "prints what belongs there" not in refused
    assert vault.agents.list() == []


def test_all_on_a_machine_without_clients(vault: Vault) -> None:
    assert told(vault, "connect", "--all") == {"clients": []}


@pytest.mark.parametrize("client", ["claude-code", "gemini"])
def test_check_tries_the_whole_loop(vault: Vault, client: str) -> None:
    told(vault, "connect", client, "--hooks", "--write")
    steps = told(vault, "connect", "--check")
    assert [step["step"] for step in steps] == [
        *("tools", "hooks", "hydrate", "store", "recall", "learn"),
    ]
    assert all(step["ok"] for step in steps), steps
    assert vault.review.listed() == []


def test_check_says_what_is_missing(vault: Vault) -> None:
    told(vault, "connect", "codex", "--write")
    done = run(vault, "connect", "codex", "--check")
    assert done.exit_code == 1
    assert "✗ Codex, hooks:" in done.output
    assert "has none of ours" in done.output
