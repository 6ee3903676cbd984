"""Which workspace a connection works in, and how its agent asks to be let in."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from app.access.agents import clean_workspace
from app.access.workspace_names import workspace_of_folder
from app.errors import Invalid, NotAllowed
from store.records import Agent

if TYPE_CHECKING:
    from app.vault import Vault

_PATH = re.compile(r"^(\.{1,2}$|~|[a-zA-Z]:[\\/])|[\\/]")
WISHES_MOST = 20
"""How many wishes of one agent wait at once; more are not noted."""


def workspace_named(text: str) -> str:
    """A workspace by its name, or by the folder it is about: `shop`, `.`, `~/code/shop`. For who
    sits at this machine: a folder is looked up. Raises Invalid."""
    if not _PATH.search(text):
        return clean_workspace(text)
    try:
        return workspace_of_folder(Path(text).expanduser())
    except (OSError, RuntimeError, ValueError) as error:  # nobody's home, a loop, a NUL
        raise Invalid(f"{text[:200]!r} is no folder: {error}.") from error


def workspace_called(text: str) -> str:
    """A workspace by its name alone, or none. A caller from elsewhere has no folders here: looking
    one up for it would tell what there is, and on some systems reach other machines. Raises
    Invalid."""
    if not text.strip():
        return ""
    try:
        if not _PATH.search(text):
            return clean_workspace(text)
    except Invalid as error:
        raise Invalid(f"That is not the name of a workspace: {error}") from error
    raise Invalid(
        "That is not the name of a workspace: it looks like a folder, and over HTTP only names are "
        "taken. The owner sees them with keepsake agents list."
    )


def ask_to_be_let_in(vault: Vault, agent: Agent, workspace: str) -> None:
    """Note the agent's wish for the owner to decide, in the same way whether the workspace is in
    use or not. Raises NotAllowed for an agent that may only read."""
    if agent.trust == "read_only":
        # `agents set` takes all its workspaces: the new one alone would shut it out of the others.
        options = [f"--workspace {shlex.quote(name)}" for name in (*agent.workspaces, workspace)]
        raise NotAllowed(
            f"The agent {agent.id} is not in the workspace {workspace!r}, and one that may only "
            "read cannot ask to be. Its owner lets it in: "
            f"keepsake agents set {agent.id} {' '.join(options)}"
        )
    vault.review.ask_to_join(agent.id, workspace, WISHES_MOST)
