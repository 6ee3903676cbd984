from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from app.access.workspace_names import workspace_of_folder
from app.cli.command import build
from app.cli.connecting import connect, disconnect
from app.connect.mcp_clients import CLIENTS, config_path
from app.errors import Invalid, NotAuthenticated, Refused
from app.vault import Vault
from store.records import Scope


@pytest.fixture(autouse=True)
def _codex_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)


def run(vault: Vault, *arguments: str) -> Any:
    """The answer as JSON."""
    command = connect if arguments[0] == "connect" else disconnect
    done = CliRunner().invoke(
        command, [*arguments[1:], "--vault", str(vault.path), "--json"], catch_exceptions=False
    )
    return json.loads(done.output)


def written_entry(client: str) -> dict[str, Any]:
    text = config_path(CLIENTS[client]).read_text()
    loaded = tomllib.loads(text) if CLIENTS[client].toml else yaml.safe_load(text)
    section = loaded[CLIENTS[client].section]
    entry: dict[str, Any] = section[0] if isinstance(section, list) else section["keepsake"]
    env = entry.get("env") or entry.get("envs") or entry.get("environment")
    return {**entry, "env": env, "args": entry.get("args") or entry["command"]}


@pytest.mark.parametrize("client", [name for name in CLIENTS if name != "json"])
def test_a_client_is_connected_and_disconnected_again(vault: Vault, client: str) -> None:
    path = config_path(CLIENTS[client])
    done = run(vault, "connect", client, "--write")
    assert (done["written"], done["path"], done["backup"]) == (True, str(path), None)
    entry = written_entry(client)
    assert vault.agents.authenticate(entry["env"]["KEEPSAKE_TOKEN"]).id == client
    assert entry["args"][-2:] == ["--vault", str(vault.path)]
    again = run(vault, "connect", client, "--write")
    assert Path(again["backup"]).exists()
    assert written_entry(client) == entry
    gone = run(vault, "disconnect", client, "--revoke")
    assert (gone["removed"], gone["revoked"]) == (True, client)
    assert not path.exists()  # nothing else was in it
    with pytest.raises(NotAuthenticated):
        vault.agents.authenticate(entry["env"]["KEEPSAKE_TOKEN"])
    assert not run(vault, "disconnect", client)["removed"]


def test_without_write_it_only_prints(vault: Vault) -> None:
    done = run(vault, "connect", "cursor")
    assert not done["written"]
    assert not config_path(CLIENTS["cursor"]).exists()
    token = json.loads(done["snippet"])["mcpServers"]["keepsake"]["env"]["KEEPSAKE_TOKEN"]
    assert vault.agents.authenticate(token).id == "cursor"


def test_what_is_printed_says_how_to_have_it_written(vault: Vault) -> None:
    shown = CliRunner().invoke(connect, ["cursor", "--vault", str(vault.path)])
    assert "or say --write:" in shown.output
    assert run(vault, "connect", "cursor", "--write")["written"]
    shown = CliRunner().invoke(connect, ["cursor", "--vault", str(vault.path)])
    assert "or say --write:" in shown.output
    words = ["vscode", "--agent", "helper", "--vault", str(vault.path)]
    assert "or say --write --new-token:" in CliRunner().invoke(connect, words).output


def test_a_token_that_was_only_printed_is_replaced_by_the_one_written(vault: Vault) -> None:
    printed = json.loads(run(vault, "connect", "claude-code")["snippet"])
    first = printed["mcpServers"]["keepsake"]["env"]["KEEPSAKE_TOKEN"]
    words = ["claude-code", "--hooks", "--write", "--vault", str(vault.path)]
    done = CliRunner().invoke(connect, words)
    assert done.exit_code == 0, done.output
    assert "The token that was made before and never used is replaced." in done.output
    token = written_entry("claude-code")["env"]["KEEPSAKE_TOKEN"]
    assert token != first
    assert vault.agents.authenticate(token).id == "claude-code"
    again = CliRunner().invoke(connect, words)
    assert "is replaced" not in again.output
    assert written_entry("claude-code")["env"]["KEEPSAKE_TOKEN"] == token


@pytest.mark.parametrize("words", [("cursor", "--write"), ("--all", "--yes")])
def test_a_token_in_use_is_not_replaced_unasked(vault: Vault, words: tuple[str, ...]) -> None:
    config_path(CLIENTS["cursor"]).parent.mkdir()
    _, token = vault.agents.add("Cursor", "cursor")
    vault.calls.record("cursor", "mcp", "memory_store")
    vault.calls.flush()
    done = CliRunner().invoke(connect, [*words, "--vault", str(vault.path)])
    assert done.exit_code == 1
    assert "its token is not kept here" in f"{done.output} {done.exception}"
    assert vault.agents.authenticate(token).id == "cursor"
    assert not config_path(CLIENTS["cursor"]).exists()


def test_a_token_that_stands_in_a_file_is_not_replaced_unasked(
    vault: Vault, tmp_path: Path
) -> None:
    run(vault, "connect", "cursor", "--write")
    token = written_entry("cursor")["env"]["KEEPSAKE_TOKEN"]
    with pytest.raises(Refused, match="its token is not kept here"):
        run(vault, "connect", "cursor", "--write", "--file", str(tmp_path / "mine.json"))
    assert vault.agents.authenticate(token).id == "cursor"


def test_an_agent_that_was_shut_out_is_not_let_in_unasked(vault: Vault) -> None:
    vault.agents.add("Cursor", "cursor")
    vault.agents.revoke("cursor")
    with pytest.raises(Refused, match=r"was shut out.*--new-token to let it in again"):
        run(vault, "connect", "cursor", "--write")


def test_a_second_client_without_a_file_is_offered_an_agent_of_its_own(vault: Vault) -> None:
    arguments = ["json", "--vault", str(vault.path)]
    assert "--agent NAME" not in CliRunner().invoke(connect, arguments).output
    assert "name an agent of its own: --agent NAME" in CliRunner().invoke(connect, arguments).output


def test_disconnecting_names_the_file_it_cannot_change(vault: Vault) -> None:
    path = config_path(CLIENTS["cursor"])
    path.parent.mkdir(parents=True)
    path.write_text("{ mine\n}")
    with pytest.raises(Refused, match=r"mcp\.json: .* Take keepsake out of it yourself"):
        run(vault, "disconnect", "cursor")


def test_a_token_that_is_not_known_is_not_replaced_unasked(vault: Vault) -> None:
    _, token = vault.agents.add("Helper", "helper")
    with pytest.raises(Refused, match="its token is not kept here"):
        run(vault, "connect", "cursor", "--agent", "helper", "--write")
    assert "<the agent's token>" in run(vault, "connect", "cursor", "--agent", "helper")["snippet"]
    assert vault.agents.authenticate(token).id == "helper"
    with pytest.raises(NotAuthenticated, match="not a token of the agent helper"):
        run(vault, "connect", "cursor", "--agent", "helper", "--token", "kps_other")
    run(vault, "connect", "cursor", "--agent", "helper", "--token", token, "--write")
    assert written_entry("cursor")["env"]["KEEPSAKE_TOKEN"] == token
    run(vault, "connect", "vscode", "--agent", "helper", "--new-token", "--write")
    with pytest.raises(NotAuthenticated):
        vault.agents.authenticate(token)


def test_how_it_speaks_and_where_it_works_go_along(vault: Vault) -> None:
    done = run(
        vault,
        "connect",
        "json",
        "--agent",
        "ana",
        "--dialect",
        "keyed",
        "--workspace",
        "shop",
        "--with",
        "search",
    )
    arguments = json.loads(done["snippet"])["mcpServers"]["keepsake"]["args"]
    at = arguments.index("--dialect")
    assert arguments[at:] == ["--dialect", "keyed", "--workspace", "shop", "--with", "search"]
    agent = vault.agents.read("ana")
    assert (agent.dialect, agent.workspaces) == ("keyed", ("shop",))


def test_connecting_a_notes_agent_lets_it_into_the_folder(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    done = run(vault, "connect", "json", "--agent", "ana", "--dialect", "notes")
    arguments = json.loads(done["snippet"])["mcpServers"]["keepsake"]["args"]
    assert "--workspace" not in arguments  # each folder it is started in has its own
    here = workspace_of_folder(project)
    assert vault.agents.read("ana").workspaces == (here,)
    assert done["workspace"] == here
    shown = CliRunner().invoke(
        connect, ["json", "--agent", "ben", "--dialect", "notes", "--vault", str(vault.path)]
    )
    assert f"lets it into this folder's workspace {here}" in shown.output
    assert run(vault, "connect", "json", "--agent", "cleo")["workspace"] is None
    assert vault.agents.read("cleo").workspaces == ()


def test_comments_in_a_file_are_kept(vault: Vault) -> None:
    path = config_path(CLIENTS["vscode"])
    path.parent.mkdir(parents=True)
    path.write_text('{\n  // mine\n  "servers": {}\n}\n')
    run(vault, "connect", "vscode", "--write")
    assert path.read_text().startswith("{\n  // mine")
    assert '"keepsake"' in path.read_text()


def test_a_file_that_is_no_json_is_left_alone_and_nobody_is_let_in(vault: Vault) -> None:
    path = config_path(CLIENTS["vscode"])
    path.parent.mkdir(parents=True)
    path.write_text("{ mine")
    way_out = r"mcp\.json .*line 1 .*keepsake connect vscode prints what belongs there"
    with pytest.raises(Refused, match=way_out):
        run(vault, "connect", "vscode", "--write")
    assert path.read_text() == "{ mine"
    assert vault.agents.list() == []


def test_hooks_of_a_client_that_has_none_let_nobody_in(vault: Vault) -> None:
    with pytest.raises(Invalid, match="has no hooks that Keepsake knows"):
        run(vault, "connect", "zed", "--hooks")
    assert vault.agents.list() == []


def test_how_far_it_is_trusted_is_said_and_shown(vault: Vault) -> None:
    assert run(vault, "connect", "cursor")["trust"] == "direct"
    words = ["cursor", "--trust", "review", "--new-token", "--vault", str(vault.path)]
    assert "the agent cursor, trust review" in CliRunner().invoke(connect, words).output
    assert vault.agents.read("cursor").trust == "review"
    assert run(vault, "connect", "cursor")["trust"] == "review"
    written = CliRunner().invoke(connect, [*words[:1], *words[3:], "--write"])
    assert "the agent cursor, trust review" in written.output
    assert run(vault, "connect", "codex", "--trust", "read_only")["trust"] == "read_only"


def test_the_inbox_says_who_asks_to_be_let_in_where(vault: Vault) -> None:
    def review(*words: str) -> str:
        command = build(lambda path, ephemeral: 0)
        done = CliRunner().invoke(command, ["--vault", str(vault.path), "review", *words])
        assert done.exit_code == 0, done.output
        return done.output

    vault.agents.add("ana")
    vault.review.propose("ana", "join", Scope("workspace", "shop"), {"key": "shop"})
    listed = review("list")
    assert "ana would be let into the workspace shop\n" in listed
    assert "ana asks to be let into the workspace shop: to read what is shared there" in listed
    assert "memories: 0" in listed
    review("approve", "--all")
    assert vault.agents.read("ana").workspaces == ("shop",)
