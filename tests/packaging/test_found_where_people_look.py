"""The bundle for Claude Desktop and the entry for the MCP registry say what the program is."""

from __future__ import annotations

import json
import tomllib
import zipfile
from pathlib import Path

import make_mcpb

from app.access.agents import TOKEN_VARIABLE
from tests.test_layers import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_registry_entry_is_of_this_version() -> None:
    entry = json.loads((ROOT / "packaging" / "server.json").read_text("utf-8"))
    (package,) = entry["packages"]
    assert package["identifier"] == PROJECT["name"]
    assert {entry["version"], package["version"]} == {PROJECT["version"]}
    assert len(entry["description"]) <= 100, "the registry's limit"
    assert TOKEN_VARIABLE in {variable["name"] for variable in package["environmentVariables"]}
    # The registry looks for this line in what the package index shows.
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text("utf-8")


def test_the_bundle_starts_the_distribution_it_names(tmp_path: Path) -> None:
    make_mcpb.make(tmp_path / "keepsake.mcpb")
    with zipfile.ZipFile(tmp_path / "keepsake.mcpb") as bundle:
        manifest = json.loads(bundle.read("manifest.json"))
        needs = tomllib.loads(bundle.read("pyproject.toml").decode())["project"]
        assert bundle.read(manifest["icon"])[:4] == b"\x89PNG"
        assert manifest["server"]["entry_point"] in bundle.namelist()
    assert needs["dependencies"] == [f"{PROJECT['name']}=={PROJECT['version']}"]
    assert manifest["version"] == PROJECT["version"]
    assert manifest["server"]["mcp_config"]["env"] == {TOKEN_VARIABLE: "${user_config.token}"}
    assert {tool["name"] for tool in manifest["tools"]} >= {"memory_store", "memory_recall"}
