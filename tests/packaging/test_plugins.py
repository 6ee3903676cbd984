"""The plugins say what `keepsake connect --hooks` writes; `claude plugin validate --strict` and
`codex plugin add` took them in November 2026."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.connect.hook_settings import HOOKED, hooks_merged

PLUGINS = Path(__file__).resolve().parents[2] / "packaging" / "plugins"
MANIFESTS = {
    "claude-code": ".claude-plugin/plugin.json",
    "codex": ".codex-plugin/plugin.json",
}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def without_program(hooks: dict[str, Any]) -> dict[str, Any]:
    """The hooks with their command as a stranger would write it."""
    for groups in hooks.values():
        for hook in groups[0]["hooks"]:
            hook["command"] = "keepsake hook " + hook["command"].partition(" hook ")[2]
    return hooks


@pytest.mark.parametrize("client", MANIFESTS)
def test_the_hooks_of_a_plugin_are_those_that_connect_writes(client: str) -> None:
    held = read(PLUGINS / client / "hooks" / "hooks.json")["hooks"]
    written = json.loads(hooks_merged(HOOKED[client], "", client, ()))["hooks"]
    assert held == without_program(written)


@pytest.mark.parametrize("client", MANIFESTS)
def test_a_plugin_names_itself_and_its_parts_are_there(client: str) -> None:
    manifest = read(PLUGINS / client / MANIFESTS[client])
    assert (manifest["name"], manifest["license"]) == ("keepsake", "Apache-2.0")
    for part in ("skills", "mcpServers", "hooks"):
        if part in manifest:
            assert (PLUGINS / client / manifest[part]).exists()
    servers = read(PLUGINS / client / ".mcp.json")["mcpServers"]
    assert servers["keepsake"]["args"] == ["mcp"]
    skill = (PLUGINS / client / "skills" / "keepsake" / "SKILL.md").read_text(encoding="utf-8")
    assert skill.startswith("---\nname: keepsake\ndescription: ")
    assert len(skill.split("description: ")[1].split("\n")[0]) <= 1_024


def test_both_plugins_carry_one_skill() -> None:
    texts = {
        (PLUGINS / client / "skills" / "keepsake" / "SKILL.md").read_bytes() for client in MANIFESTS
    }
    assert len(texts) == 1


def test_the_marketplaces_name_the_plugins_beside_them() -> None:
    [claude] = read(PLUGINS / ".claude-plugin" / "marketplace.json")["plugins"]
    [codex] = read(PLUGINS / ".agents" / "plugins" / "marketplace.json")["plugins"]
    assert (PLUGINS / claude["source"]).is_dir()
    assert (PLUGINS / codex["source"]["path"]).is_dir()
