"""Makes the bundle that Claude Desktop installs with a double click.

    python packaging/make_mcpb.py dist/keepsake.mcpb

The bundle holds no program: its `pyproject.toml` names the distribution, and the client's own uv
fetches it. It asks for the agent's token, which `keepsake agents add NAME` prints.
"""

from __future__ import annotations

import json
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from icon_pngs import png

from app.mcp.dialects import DIALECTS

ROOT = Path(__file__).parents[1]
START = """from keepsake_desk.ui.main import main
import sys

sys.argv[1:] = ["mcp"]
main()
"""


def manifest() -> dict[str, Any]:
    """Manifest version 0.4, the first with uv."""
    project = _project()
    tools = {tool.name: tool for tool in DIALECTS["standard"].tools}
    return {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": "Keepsake",
        "version": project["version"],
        "description": project["description"],
        "author": {"name": "The Keepsake maintainers"},
        "icon": "icon.png",
        "license": project["license"],
        "server": {
            "type": "uv",
            "entry_point": "src/server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "src/server.py"],
                "env": {"KEEPSAKE_TOKEN": "${user_config.token}"},
            },
        },
        "tools": [{"name": tool.name, "description": tool.title} for tool in tools.values()],
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": project["requires-python"]},
        },
        "user_config": {
            "token": {
                "type": "string",
                "title": "Token",
                "description": "The agent's token; `keepsake agents add claude-desktop` prints it.",
                "required": True,
                "sensitive": True,
            }
        },
    }


def make(file: Path) -> None:
    project = _project()
    needs = {
        "name": "keepsake-bundle",
        "version": project["version"],
        "requires-python": project["requires-python"],
        "dependencies": [f"{project['name']}=={project['version']}"],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in needs.items()]
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("manifest.json", json.dumps(manifest(), indent=2))
        bundle.writestr("pyproject.toml", "[project]\n" + "\n".join(lines) + "\n")
        bundle.writestr("src/server.py", START)
        bundle.writestr("icon.png", png(512))


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


if __name__ == "__main__":
    make(Path(sys.argv[1]))
