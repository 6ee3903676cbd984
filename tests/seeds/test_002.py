"""An index and one markdown note per fact, in a real folder of each workspace."""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.mcp.workspaces import workspace_named
from tests.seeds.conftest import McpTalk, World
from tests.seeds.rows import rows


@contextmanager
def noted(world: World, workspace: str) -> Iterator[McpTalk]:
    """An agent of the dialect notes in a workspace, with one note."""
    _, token = world.agent(dialect="notes", workspaces=[workspace])
    with world.mcp(token, f"?workspace={workspace}") as agent:
        agent.text(
            "remember",
            note="This project uses uv, never pip.",
            hook="when installing packages",
            name="package-manager",
        )
        yield agent


def folder_of(agent: McpTalk) -> Path:
    return Path(re.findall(r"files in (.*): what", agent.text("read_index"))[0])


@rows(109, 111, 112, 113, 116, 117, 119, 121, 131)
def test_notes_are_files_that_agent_and_person_edit(world: World) -> None:
    with noted(world, "projone") as agent:
        folder = folder_of(agent)
        assert sorted(path.name for path in folder.glob("*.md")) == [
            "MEMORY.md",
            "package-manager.md",
        ]
        assert (
            "- [package-manager](package-manager.md): when installing packages"
            in (folder / "MEMORY.md").read_text(encoding="utf-8").splitlines()
        )
        assert str(folder) in world.cli("memory", "show", "--workspace", "projone")
        if sys.platform != "win32":
            for path, mode in ((folder.parent, 0o700), (folder, 0o700)):
                assert stat.S_IMODE(path.stat().st_mode) == mode
            assert stat.S_IMODE((folder / "package-manager.md").stat().st_mode) == 0o600
        file = folder / "package-manager.md"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("never pip", "and never poetry"), encoding="utf-8")
        (folder / "by-hand.md").write_text("Written by hand.\n", encoding="utf-8")
        assert "never poetry" in agent.text("read_note", name="package-manager")
        assert "by-hand" in agent.text("read_index")
        (folder / "by-hand.md").unlink()
        assert "by-hand" not in agent.text("read_index")
        assert "hook" in agent.refused("remember", note="x")


@rows(110, 133)
def test_two_folders_of_one_name_are_two_workspaces(tmp_path: Path) -> None:
    names = []
    for parent in ("a", "b"):
        folder = tmp_path / parent / "projA"
        folder.mkdir(parents=True)
        names.append(workspace_named(str(folder)))
    assert names[0] != names[1]
    assert all(name.startswith("projA-") for name in names)


@rows(115, 118, 120, 122, 123, 130, 132)
def test_the_index_is_in_the_instructions_and_notes_are_read_on_demand(world: World) -> None:
    with noted(world, "projtwo") as agent:
        for rule in ("durable", "not obvious", "preference", "quirk", "hard-won fix", "check what"):
            assert rule in agent.instructions
        for name in ("package-manager", "package-manager.md"):
            assert "uv, never pip" in agent.text("read_note", name=name)
        assert "check what may have changed" in agent.text("read_note", name="package-manager")
        agent.text(
            "edit_note", name="package-manager", edits=[{"oldText": "pip", "newText": "conda"}]
        )
        assert "never conda" in agent.text("read_note", name="package-manager")
        for number in range(3):
            agent.text("remember", note="x" * 9_000, hook=f"hook {number}", name=f"long{number}")
    _, token = world.agent(dialect="notes", workspaces=["projtwo"])
    with world.mcp(token, "?workspace=projtwo") as later:
        assert "package-manager.md): when installing packages" in later.instructions
        assert len(later.instructions.encode()) < 16_384  # the notes themselves are not in it
        assert "Forgot" in later.text("delete_note", name="long0")
        assert "long0" not in later.text("read_index")


@rows(124, 126, 127, 128)
def test_the_owner_reads_and_edits_notes_from_a_terminal(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with noted(world, "projthree") as agent:
        where = ("--workspace", "projthree")
        assert "when installing packages" in world.cli("memory", "show", *where)
        assert "uv, never pip" in world.cli("memory", "show", "package-manager", *where)
        editor = tmp_path / "edit.py"
        editor.write_text(
            "import pathlib, sys\n"
            "path = pathlib.Path(sys.argv[-1])\n"
            "text = path.read_text(encoding='utf-8')\n"
            "path.write_text(text.replace('never pip', sys.argv[1]), encoding='utf-8')\n",
            encoding="utf-8",
        )
        monkeypatch.setenv("VISUAL", f'"{sys.executable}" "{editor}" edited')
        monkeypatch.setenv("EDITOR", "false")
        world.cli("memory", "edit", "package-manager", *where)
        assert "uv, edited" in agent.text("read_note", name="package-manager")


@rows(129)
@pytest.mark.skipif(sys.platform == "win32", reason="there it is Notepad, which nothing replaces")
def test_without_an_editor_of_ones_own_it_is_nano(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nano = tmp_path / "nano"
    nano.write_text('#!/bin/sh\n/bin/cp "$1" "$0.opened"\n', encoding="utf-8")
    nano.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    with noted(world, "projsix"):
        world.cli("memory", "edit", "package-manager", "--workspace", "projsix")
    assert "uv, never pip" in (tmp_path / "nano.opened").read_text(encoding="utf-8")


@rows(134)
def test_a_fact_for_every_workspace_is_the_users(world: World) -> None:
    world.cli("store", "Speaks German", "--key", "language_row_134", "--scope", "user")
    _, token = world.agent(workspaces=["projfour"])
    assert "Speaks German" in world.hydrate(token, workspace_id="projfour")["text"]


@rows(135)
def test_ephemeral_memory_reads_and_writes_nothing_real(world: World) -> None:
    world.cli("store", "real", "--key", "row_135")
    assert world.cli("list", "--ephemeral-memory").strip() == "Nothing here."
    world.cli("store", "gone", "--key", "gone_135", "--ephemeral")
    assert "gone_135" not in world.cli("list")


@rows(136)
def test_a_note_becomes_a_skill(world: World, tmp_path: Path) -> None:
    with noted(world, "projfive"):
        world.cli("promote", "package-manager", "--to", str(tmp_path), "--workspace", "projfive")
    text = (tmp_path / "package-manager" / "SKILL.md").read_text(encoding="utf-8")
    assert text.startswith("---\nname: package-manager\ndescription: when installing packages\n")
