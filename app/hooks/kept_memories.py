"""Memories that coding agents keep themselves, found on this machine, to be mirrored: the folder of
each, and the scope it belongs to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from app.access.workspace_names import project_folder, workspace_of_folder
from app.connect.mcp_clients import claude_home, codex_home
from store.records import USER, Scope


@dataclass(frozen=True, slots=True)
class KeptMemories:
    """`client` names the agent whose writes edits of the files are."""

    client: str
    folder: Path
    scope: Scope
    notes: int


def found_memories() -> list[KeptMemories]:
    """Claude Code keeps a folder a project, Codex one for all."""
    found = []
    for folder in sorted((claude_home() / "projects").glob("*/memory")):
        notes = len(list(folder.glob("*.md")))
        where = _worked_in(folder.parent)
        if notes and where is not None:
            scope = Scope("workspace", workspace_of_folder(project_folder(where)))
            found.append(KeptMemories("claude-code", folder, scope, notes))
    codex = codex_home() / "memories"
    notes = len(list(codex.glob("*.md")))
    if notes:
        found.append(KeptMemories("codex", codex, USER, notes))
    return found


def _worked_in(project: Path) -> Path | None:
    """The folder a project of Claude Code's is about, by what its sessions say: the name it gives
    the project cannot be read back."""
    for session in sorted(project.glob("*.jsonl")):
        try:
            with session.open(encoding="utf-8", errors="replace") as file:
                for line, _ in zip(file, range(50), strict=False):
                    record = json.loads(line)
                    if isinstance(record, dict) and isinstance(record.get("cwd"), str):
                        return Path(record["cwd"])
        except (OSError, ValueError):
            continue
    return None
