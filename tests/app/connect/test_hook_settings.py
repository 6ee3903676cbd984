"""Hooks in a client's own file, beside those of others, and out of it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.connect.connections import Connections
from app.connect.hook_settings import HOOKED, agent_in, hooks_merged, hooks_removed
from app.errors import Refused
from app.vault import Vault

NESTED = ["claude-code", "codex", "gemini"]
THEIRS = """{
  // mine
  "model": "opus",
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}
    ]
  }
}
"""


def commands(text: str) -> dict[str, list[dict[str, Any]]]:
    from app.connect import settings_text

    found: dict[str, list[dict[str, Any]]] = settings_text.read(text)["hooks"]
    return found


@pytest.mark.parametrize("name", NESTED)
def test_the_hooks_of_clients_that_group_them(name: str) -> None:
    client = HOOKED[name]
    text = hooks_merged(client, "", name, ("--vault", "/a b/v.db"))
    found = commands(text)
    assert list(found) == list(client.events)
    for event, ours in client.events.items():
        [group] = found[event]
        [hook] = group["hooks"]
        assert hook["type"] == "command"
        assert f" hook {name} {ours} --vault '/a b/v.db'" in hook["command"]
        assert hook["timeout"] in (
            (3_000, 5_000, 10_000, 15_000) if name == "gemini" else (3, 5, 10, 15)
        )
    assert agent_in(client, text) == name
    assert hooks_removed(client, text) == ""


def test_a_matcher_of_gemini_would_be_compared_letter_by_letter_so_there_is_none() -> None:
    found = commands(hooks_merged(HOOKED["gemini"], "", "gemini", ()))
    assert all("matcher" not in group for groups in found.values() for group in groups)


def test_cursors_hooks_are_flat() -> None:
    text = hooks_merged(HOOKED["cursor"], "", "cursor", ())
    assert json.loads(text)["version"] == 1
    assert all(list(one) == ["command"] for [one] in commands(text).values())
    assert hooks_removed(HOOKED["cursor"], text) == ""


def test_what_others_have_there_stays_to_the_byte() -> None:
    client = HOOKED["claude-code"]
    text = hooks_merged(client, THEIRS, "claude-code", ())
    assert [len(groups) for groups in commands(text).values()] == [2, 1, 1, 1, 1]
    assert hooks_merged(client, text, "claude-code", ()) == text
    assert hooks_removed(client, text) == THEIRS


def test_another_agent_takes_the_place_of_the_first() -> None:
    client = HOOKED["claude-code"]
    text = hooks_merged(client, THEIRS, "claude-code", ())
    other = hooks_merged(client, text, "work", ())
    assert agent_in(client, other) == "work"
    assert [len(groups) for groups in commands(other).values()] == [2, 1, 1, 1, 1]


def test_hooks_of_others_are_never_ours() -> None:
    assert hooks_removed(HOOKED["claude-code"], THEIRS) is None
    assert agent_in(HOOKED["claude-code"], THEIRS) is None


def test_a_file_of_another_shape_is_left_alone() -> None:
    with pytest.raises(Refused, match="left alone"):
        hooks_merged(HOOKED["claude-code"], '{"hooks": {"Stop": {}}}', "a", ())


def test_opencode_gets_a_plugin_that_starts_this_very_keepsake() -> None:
    client = HOOKED["opencode"]
    text = hooks_merged(client, "", "work", ("--vault", "/v.db"))
    assert '"hook", "opencode", "--agent", "work", "--vault", "/v.db"]' in text
    assert agent_in(client, text) == "work"
    assert hooks_removed(client, text) == ""
    assert hooks_removed(client, "// mine") is None


def test_writing_keeps_a_backup_and_removing_leaves_no_file_that_was_not_there(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    connections = Connections(vault.agents, vault.path, vault.clock)
    first = connections.write_hooks("claude-code", "claude-code")
    assert (first.path, first.backup) == (tmp_path / "claude" / "settings.json", None)
    assert connections.hooks_agent("claude-code") == "claude-code"
    assert connections.write_hooks("claude-code", "claude-code").backup is None  # nothing to do
    assert connections.remove_hooks("claude-code") is not None
    assert not first.path.exists()
    assert connections.remove_hooks("claude-code") is None
