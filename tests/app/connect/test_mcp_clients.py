from __future__ import annotations

import json
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.connect import mcp_clients
from app.connect.mcp_clients import (
    CLIENTS,
    Launch,
    merged,
    removed,
    snippet,
    token_in,
    write_config,
)
from app.errors import Refused

START = Launch("/bin/keepsake", ("mcp", "--vault", "C:\\a b\\vault.db"), {"KEEPSAKE_TOKEN": "t"})
JSON_CLIENTS = [CLIENTS["vscode"], CLIENTS["cursor"]]  # one of each section
CODEX = CLIENTS["codex"]

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)
objects = st.dictionaries(st.text(max_size=8), plain, max_size=4)


@pytest.mark.parametrize(
    ("client", "section", "typed"),
    [
        ("claude-desktop", "mcpServers", False),
        ("claude-code", "mcpServers", True),
        ("cursor", "mcpServers", False),
        ("vscode", "servers", True),
        ("json", "mcpServers", False),
    ],
)
def test_each_client_is_told_in_its_own_shape(client: str, section: str, typed: bool) -> None:
    entry = json.loads(snippet(CLIENTS[client], START))[section]["keepsake"]
    assert (entry["command"], entry["args"]) == (START.command, list(START.args))
    assert entry["env"] == {"KEEPSAKE_TOKEN": "t"}
    assert entry.get("type") == ("stdio" if typed else None)


def test_claude_code_waits_for_its_memory_before_the_first_turn() -> None:
    entry = json.loads(snippet(CLIENTS["claude-code"], START))["mcpServers"]["keepsake"]
    assert entry["alwaysLoad"] is True


def test_codex_is_told_in_toml() -> None:
    entry = tomllib.loads(snippet(CODEX, START))["mcp_servers"]["keepsake"]
    usual = {"command": START.command, "args": list(START.args), "env": dict(START.env)}
    assert entry == {**usual, "required": True}


@pytest.mark.parametrize("client", JSON_CLIENTS, ids=lambda client: client.name)
@settings(max_examples=25)
@given(document=objects, others=objects)
def test_json_keeps_everything_else(
    client: mcp_clients.Client, document: dict[str, Any], others: dict[str, Any]
) -> None:
    others.pop("keepsake", None)
    before = {**document, client.section: others}
    text = json.dumps(before, indent=4)
    after = merged(client, text, START)
    found = json.loads(after)
    assert found[client.section].pop("keepsake")["command"] == START.command
    assert found == before
    assert merged(client, after, START) == after
    gone = removed(client, after)
    assert gone is not None
    assert json.loads(gone) == before if others else {**json.loads(gone), client.section: {}}


def test_the_order_and_indentation_of_a_file_stay() -> None:
    text = '{\n    "z": 1,\n    "mcpServers": {\n        "other": {}\n    },\n    "a": "é"\n}\n'
    after = merged(CLIENTS["cursor"], text, START)
    assert after.startswith('{\n    "z": 1,\n    "mcpServers": {\n        "other": {},\n')
    assert after.endswith('    "a": "é"\n}\n')
    assert removed(CLIENTS["cursor"], after) == text


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '"text"',
        "{",
        '{"a": 1, "a": 2}',
        '{"servers": []}',
    ],
)
def test_a_file_that_could_be_broken_is_left_alone(text: str) -> None:
    with pytest.raises(Refused):
        merged(CLIENTS["vscode"], text, START)


CODEX_FILE = """# my settings
model = "gpt-5"

[mcp_servers.other]
command = "other"  # keep

[profiles.fast]
model = "small"
"""


def test_toml_keeps_every_other_line() -> None:
    after = merged(CODEX, CODEX_FILE, START)
    assert after.startswith(CODEX_FILE.rstrip())
    assert set(tomllib.loads(after)["mcp_servers"]) == {"other", "keepsake"}
    assert merged(CODEX, after, START) == after
    assert (removed(CODEX, after) or "").strip() == CODEX_FILE.strip()


def test_a_toml_table_of_ours_is_replaced_with_the_tables_in_it() -> None:
    old = '[mcp_servers.keepsake]\ncommand = "old"\n[mcp_servers."keepsake".env]\nA = "1"\n'
    old += "\n[x]\ny = 1\n"
    found = tomllib.loads(merged(CODEX, old, START))
    assert found["mcp_servers"]["keepsake"]["env"] == {"KEEPSAKE_TOKEN": "t"}
    assert found["x"] == {"y": 1}


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        'mcp_servers = { keepsake = { command = "inline" } }',
        '[mcp_servers]\nkeepsake = { command = "inline" }\n',
        'text = """\n[mcp_servers.keepsake]\n"""\n',
    ],
)
def test_toml_that_cannot_be_changed_safely_is_left_alone(text: str) -> None:
    with pytest.raises(Refused):
        merged(CODEX, text, START)


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { keepsake = { command = "inline" } }',
        '[mcp_servers]\nkeepsake = { command = "inline" }\n',
    ],
)
def test_toml_that_is_right_is_not_said_to_be_wrong(text: str) -> None:
    for change in (lambda: merged(CODEX, text, START), lambda: removed(CODEX, text)):
        with pytest.raises(Refused, match="cannot be changed safely"):
            change()


def test_the_token_a_file_holds_is_found() -> None:
    for client in CLIENTS.values():
        assert token_in(client, merged(client, "", START)) == "t"
        assert token_in(client, "") is None
        assert token_in(client, "{ broken") is None


def test_removing_where_we_are_not_changes_nothing() -> None:
    assert removed(CLIENTS["cursor"], '{"mcpServers": {"other": {}}}') is None
    assert removed(CODEX, CODEX_FILE) is None


def test_writing_keeps_a_backup_and_a_link_and_hides_the_token_from_others(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    done = write_config(link, "new", "2026-04-30T12:00:00.000000Z")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert done.backup is not None
    assert done.backup.read_text() == "old"
    for file in (real, done.backup):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {p.name for p in tmp_path.glob("*.json*")} == {
        "link.json",
        "real.json",
        done.backup.name,
    }


def test_a_new_file_is_the_owners_alone(tmp_path: Path) -> None:
    done = write_config(tmp_path / "deep" / "mcp.json", "{}", "2026-04-30T12:00:00.000000Z")
    assert done.backup is None
    assert stat.S_IMODE(done.path.stat().st_mode) == 0o600


def test_a_file_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused, match="cannot be written"):
        write_config(tmp_path / "file" / "mcp.json", "{}", "2026-04-30T12:00:00.000000Z")


@pytest.mark.parametrize(
    ("system", "client", "expected"),
    [
        ("linux", "claude-desktop", "conf/Claude/claude_desktop_config.json"),
        ("linux", "vscode", "conf/Code/User/mcp.json"),
        (
            "darwin",
            "claude-desktop",
            "home/Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("win32", "vscode", "roaming/Code/User/mcp.json"),
        ("linux", "claude-code", "home/.claude.json"),
        ("linux", "cursor", "home/.cursor/mcp.json"),
        ("linux", "codex", "codex/config.toml"),
    ],
)
def test_the_file_is_where_the_client_looks(
    system: str, client: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    for name, folder in (
        ("HOME", "home"),
        ("XDG_CONFIG_HOME", "conf"),
        ("APPDATA", "roaming"),
        ("CODEX_HOME", "codex"),
    ):
        monkeypatch.setenv(name, str(tmp_path / folder))
    assert mcp_clients.config_path(CLIENTS[client]) == tmp_path / expected


def test_claude_code_reads_where_its_own_variable_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert (
        mcp_clients.config_path(CLIENTS["claude-code"]) == tmp_path / "elsewhere" / ".claude.json"
    )


ENV = {"KEEPSAKE_TOKEN": "t"}
ARGS = list(START.args)
USUAL = {"command": START.command, "args": ARGS, "env": ENV}
# As documented in November 2026; opencode, Amp, Copilot CLI and Gemini CLI were tried.
SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "gemini": ("mcpServers", USUAL),
    "windsurf": ("mcpServers", USUAL),
    "zed": ("context_servers", USUAL),
    "opencode": (
        "mcp",
        {
            "type": "local",
            "command": [START.command, *ARGS],
            "environment": ENV,
            "enabled": True,
        },
    ),
    "amp": ("amp.mcpServers", USUAL),
    "copilot": ("mcpServers", {"type": "local", **USUAL, "tools": ["*"]}),
    "cline": ("mcpServers", {**USUAL, "disabled": False}),
    "roo": ("mcpServers", {**USUAL, "disabled": False}),
    "lmstudio": ("mcpServers", USUAL),
    "kiro": ("mcpServers", {**USUAL, "disabled": False}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_shapes_of_json_clients(name: str) -> None:
    section, entry = SHAPES[name]
    assert json.loads(snippet(CLIENTS[name], START)) == {section: {"keepsake": entry}}
    assert token_in(CLIENTS[name], snippet(CLIENTS[name], START)) == "t"


GOOSE = """# my goose
GOOSE_PROVIDER: openai
extensions:
  # built in
  developer:
    enabled: true
    type: builtin
GOOSE_MODEL: gpt  # the model
"""
CONTINUE = """name: Mine
mcpServers:
  - name: other  # theirs
    command: npx
    args:
      - x
models: []
"""


@pytest.mark.parametrize("text", ["", GOOSE, "extensions: {}\n", "a: 1\n"])
def test_goose_is_told_in_yaml_and_its_comments_stay(text: str) -> None:
    after = merged(CLIENTS["goose"], text, START)
    entry = yaml.safe_load(after)["extensions"]["keepsake"]
    assert entry == {
        "enabled": True,
        "type": "stdio",
        "name": "keepsake",
        "cmd": START.command,
        "args": ARGS,
        "envs": ENV,
        "timeout": 300,
    }
    assert token_in(CLIENTS["goose"], after) == "t"
    assert merged(CLIENTS["goose"], after, START) == after
    assert removed(CLIENTS["goose"], after) == text.replace("extensions: {}\n", "")


FAR_LEFT = """mcpServers:
- name: other
  command: npx
  args:
  - x
# of the next
- name: third
  command: y
models: []
"""


@pytest.mark.parametrize("text", ["", CONTINUE, FAR_LEFT, "a: 1\n"])
def test_continue_is_told_in_a_list_of_yaml(text: str) -> None:
    after = merged(CLIENTS["continue"], text, START)
    assert {"name": "keepsake", **USUAL} in yaml.safe_load(after)["mcpServers"]
    assert merged(CLIENTS["continue"], after, START) == after
    assert removed(CLIENTS["continue"], after) == text


def test_yaml_that_cannot_be_changed_safely_is_left_alone() -> None:
    for text in ("extensions: {a: {b: 1}}\n", "- 1\n", "a: [\n", "extensions: [x]\n"):
        with pytest.raises(Refused, match="left alone"):
            merged(CLIENTS["goose"], text, START)


def test_places_that_the_environment_names_are_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, client, end in (
        ("CLAUDE_CONFIG_DIR", "claude-code", ".claude.json"),
        ("CODEX_HOME", "codex", "config.toml"),
        ("COPILOT_HOME", "copilot", "mcp-config.json"),
        ("OPENCODE_CONFIG_DIR", "opencode", "opencode.json"),
    ):
        monkeypatch.setenv(variable, "/elsewhere")
        assert mcp_clients.config_path(CLIENTS[client]) == Path("/elsewhere") / end
