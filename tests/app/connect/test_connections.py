"""Clients let in and out in one step."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from app.connect.connections import Connections
from app.connect.hook_settings import HOOKED
from app.connect.mcp_clients import opencode_home
from app.errors import NotAuthenticated, Refused
from app.vault import Vault


@pytest.fixture
def connections(vault: Vault) -> Connections:
    return Connections(vault.agents, vault.path, vault.clock)


def test_a_client_is_let_in_and_known_as_its_agent(vault: Vault, connections: Connections) -> None:
    agent, token = vault.agents.add("claude")
    path = connections.config_file("claude-code")
    assert path is not None
    path.write_text(json.dumps({"theme": "dark"}))
    done = connections.connect("claude-code", agent.id, token)
    held = json.loads(path.read_text())
    assert held["theme"] == "dark"
    assert token in held["mcpServers"]["keepsake"]["env"].values()
    assert str(vault.path) in held["mcpServers"]["keepsake"]["args"]
    assert done.written.backup is not None
    assert [one.client.name for one in connections.set_up_for(agent.id)] == ["claude-code"]
    connections.disconnect("claude-code")
    assert connections.set_up_for(agent.id) == []
    assert connections.disconnect("claude-code") is None


def test_a_foreign_or_dead_token_lets_nobody_in(vault: Vault, connections: Connections) -> None:
    agent, _ = vault.agents.add("claude")
    _, other = vault.agents.add("scout")
    with pytest.raises(Refused):
        connections.connect("cursor", agent.id, other)
    vault.agents.revoke("scout")
    with pytest.raises(NotAuthenticated):
        connections.connect("cursor", "scout", other)


def test_a_token_that_was_replaced_no_longer_counts(vault: Vault, connections: Connections) -> None:
    agent, token = vault.agents.add("claude")
    connections.connect("codex", agent.id, token)
    assert [one.client.name for one in connections.set_up_for(agent.id)] == ["codex"]
    assert connections.stale() == []
    vault.agents.rotate(agent.id)
    assert connections.set_up_for(agent.id) == []
    assert connections.stale() == ["codex"]
    connections.disconnect("codex")
    assert connections.stale() == []


def test_every_choice_has_a_snippet_with_the_token(connections: Connections) -> None:
    for name, label in connections.choices():
        assert label
        assert "kps_x" in connections.snippet(name, "kps_x", "http://127.0.0.1:8377")
        assert "token" in connections.snippet(name, "", "http://127.0.0.1:8377")


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("codex", '# mine\nmodel = "gpt"\n'),
        ("codex", "[tui]\nx = 1\n\n"),
        ("codex", None),
        ("cursor", None),
        ("gemini", '{\n  // mine\n  "theme": "dark",\n  "mcpServers": {"other": {}}\n}\n'),
        ("gemini", None),
        ("goose", None),
        ("goose", "# mine\nx: 1\n"),
        ("codex", '# mine\r\nmodel = "gpt"\r\n'),
        ("gemini", '{\r\n  // mine\r\n  "theme": "dark"\r\n}\r\n'),
        ("goose", "# mine\r\nx: 1\r\n"),
    ],
)
def test_a_client_that_goes_leaves_its_file_to_the_byte(
    vault: Vault, connections: Connections, client: str, text: str | None
) -> None:
    agent, token = vault.agents.add("one")
    path = connections.config_file(client)
    assert path is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        path.write_bytes(text.encode())
    connections.connect(client, agent.id, token)
    connections.connect(client, agent.id, token)
    if text and "\r" in text:
        assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")
    connections.disconnect(client)
    assert (path.read_bytes().decode() if path.exists() else None) == text


def test_a_vault_that_only_this_session_names_is_named_to_the_client(
    vault: Vault, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client is started from other sessions: without its name it would open another vault."""
    monkeypatch.setenv("KEEPSAKE_VAULT", str(vault.path))
    agent, token = vault.agents.add("claude")
    connections.connect("cursor", agent.id, token)
    connections.write_hooks("cursor", agent.id)
    for file in (connections.config_file("cursor"), HOOKED["cursor"].file()):
        assert file is not None
        assert f"{vault.path}" in file.read_text()


def test_what_only_keepsake_wrote_is_no_sign_of_the_program(
    vault: Vault, connections: Connections, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    agent, token = vault.agents.add("claude")
    for client in ("claude-code", "cursor", "opencode"):
        connections.connect(client, agent.id, token)
        connections.write_hooks(client, agent.id)
        connections.connect(client, agent.id, token)  # with a copy of the file beside it
    assert {one.client.name: one.found for one in connections.set_up_for(agent.id)} == {
        "claude-code": False,
        "cursor": False,
        "opencode": False,
    }
    (opencode_home() / "plugin" / "another.js").write_text("")
    program = tmp_path / ("claude.exe" if os.name == "nt" else "claude")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    path = connections.config_file("cursor")
    assert path is not None
    (path.parent / "extensions").mkdir()
    assert all(one.found for one in connections.set_up_for(agent.id))
