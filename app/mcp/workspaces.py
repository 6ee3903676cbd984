"""Which workspace a connection works in, and whether its agent may."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import ScopeDenied
from store.records import Agent, Scope
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.vault import Vault

_PATH = re.compile(r"^(\.{1,2}$|~|[a-zA-Z]:[\\/])|[\\/]")


def workspace_named(text: str) -> str:
    """A workspace by its name, or by the folder it is about: `shop`, `.`, `~/code/shop`."""
    if _PATH.search(text):
        return workspace_of_folder(Path(text).expanduser())
    return " ".join(text.split())


def workspace_of_folder(folder: Path) -> str:
    """Each folder has a workspace of its own, wherever it is reached from."""
    real = os.path.normcase(folder.resolve())
    mark = hashlib.blake2b(real.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    name = " ".join((folder.resolve().name or "root").split())[:180]
    return f"{name}-{mark}"


def admit(vault: Vault, agent: Agent, workspace: str) -> Agent:
    """The agent, let in to work there. A workspace nobody has used yet becomes its own; into one
    that is in use only the owner lets it. Raises ScopeDenied."""
    if workspace in agent.workspaces:
        return agent
    if _in_use(vault, workspace):
        raise ScopeDenied(
            f"The agent {agent.id} does not belong to the workspace {workspace!r}. Its owner lets "
            f"it in: keepsake agents set {agent.id} --workspace {workspace!r}"
        )
    return vault.agents.change(agent.id, {"workspaces": (*agent.workspaces, workspace)})


def _in_use(vault: Vault, workspace: str) -> bool:
    scope = Scope("workspace", workspace)
    if any(workspace in agent.workspaces for agent in vault.agents.list()):
        return True
    wanted = EntryFilter(scopes=(scope,), state=None)
    return bool(vault.entries.count(wanted) or vault.blocks.listed([scope]))
