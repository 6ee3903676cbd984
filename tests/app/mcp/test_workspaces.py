"""Where a connection works: by name from anywhere, by folder only from this machine."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from app.errors import Invalid, NotAllowed
from app.mcp.workspaces import (
    ask_to_be_let_in,
    workspace_called,
    workspace_named,
    workspace_of_folder,
)
from app.serving import ApiServer
from app.vault import Vault
from tests.app.mcp.conftest import BEGIN

PATHS = [
    "/home/me/proj",
    "~",
    "~nosuchuser/x",
    ".",
    "..",
    "a/b",
    "C:\\code",
    "\\\\host\\share",
    "nul\x00byte",
    "line\x1bescape",
]


@pytest.mark.parametrize("name", PATHS)
def test_a_caller_from_elsewhere_names_no_folder(name: str) -> None:
    with pytest.raises(Invalid, match="name of a workspace"):
        workspace_called(name)


def test_a_name_is_taken_as_it_is() -> None:
    assert workspace_called("  the   shop ") == "the shop"
    assert workspace_called("") == ""
    with pytest.raises(Invalid):
        workspace_called("x" * 201)


def test_a_folder_of_this_machine_has_a_workspace_of_its_own(tmp_path: Path) -> None:
    assert workspace_named(str(tmp_path)) == workspace_of_folder(tmp_path)
    for wrong in ("~nosuchuser/x", "nul\x00/byte"):
        with pytest.raises(Invalid, match="folder"):
            workspace_named(wrong)


@pytest.mark.parametrize("name", PATHS)
def test_over_http_a_path_is_refused_as_invalid(home: Vault, api: ApiServer, name: str) -> None:
    _, token = home.agents.add("ana")
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    with httpx2.Client(headers=headers, trust_env=False, timeout=20) as client:
        begun = client.post(f"{api.url}/mcp", params={"workspace": name}, json=BEGIN)
    assert "MEM-005" in begun.text
    assert "name of a workspace" in begun.text
    assert home.review.listed() == []
    assert home.agents.read("ana").workspaces == ()


def test_a_workspace_has_no_control_characters_in_its_name(home: Vault) -> None:
    with pytest.raises(Invalid, match="control characters"):
        home.agents.add("ana", workspaces=["a\x00b"])


def test_the_advice_to_let_an_agent_in_keeps_the_workspaces_it_has(home: Vault) -> None:
    """`agents set --workspace` says all of them: naming the new one alone would take the rest."""
    agent, _ = home.agents.add("ana", trust="read_only", workspaces=["lab"])
    with pytest.raises(NotAllowed) as refused:
        ask_to_be_let_in(home, agent, "the shop")
    assert "keepsake agents set ana --workspace lab --workspace 'the shop'" in str(refused.value)
