"""A real client over each transport runs every dialect's script, and everybody sees the result."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from app.access.workspace_names import workspace_of_folder
from app.mcp.dialects import DIALECTS
from app.serving import ApiServer
from app.vault import Vault
from tests.app.mcp.clients import environment, keepsake, over_http, over_stdio
from tests.app.mcp.scripts import KEPT, SCRIPTS, Talk


async def run_all(client: Client, vault: Vault) -> None:
    """Every script over one connection: the dialect is the agent's setting, heard at once."""
    for name, script in SCRIPTS.items():
        vault.agents.change("ana", {"dialect": name})
        talk = Talk(client)
        assert await talk.tools() == list(dict.fromkeys(tool.name for tool in DIALECTS[name].tools))
        await script(talk)


def check_result(vault: Vault, api: ApiServer) -> None:
    """In `keepsake list` of another process, and in the event feed."""
    listed = subprocess.run(
        keepsake("list", "--vault", str(vault.path), "--json", "--limit", "200"),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    entries = json.loads(listed.stdout)["entries"]
    shown = " ".join(f"{entry['key']} {entry['content']}" for entry in entries)
    assert [kept for kept in KEPT.values() if kept not in shown] == []
    assert {entry["source"] for entry in entries} == {"agent:ana"}
    wanted = {entry["id"] for entry in entries}
    headers = {"Authorization": f"Bearer {api.token.token}"}
    with httpx2.stream("GET", f"{api.url}/api/v1/events?after=0", headers=headers) as feed:
        for line in feed.iter_lines():  # ends with a time-out if one never comes
            if line.startswith("data:"):
                wanted.discard(json.loads(line[5:])["id"])
            if not wanted:
                break


def test_every_dialect_over_stdio(home: Vault, api: ApiServer) -> None:
    _, token = home.agents.add("ana", workspaces=["shop"])

    async def main() -> None:
        async with over_stdio(home.path, token, "--workspace", "shop") as client:
            await run_all(client, home)

    anyio.run(main)
    check_result(home, api)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_every_dialect_over_http(home: Vault, api: ApiServer, mode: str) -> None:
    _, token = home.agents.add("ana", workspaces=["shop"])

    async def main() -> None:
        async with over_http(api.url, token, "?workspace=shop", mode) as client:
            await run_all(client, home)

    anyio.run(main)
    check_result(home, api)


async def wrong_in_every_dialect(client: Client, vault: Vault) -> None:
    """Errors are text alone; answers are data too where a tool says in which shape."""
    for name in DIALECTS:
        vault.agents.change("ana", {"dialect": name})
        for tool in (await client.list_tools()).tools:
            refused = await client.call_tool(tool.name, {"nosuch": 1})
            assert refused.is_error, (name, tool.name)
            assert refused.structured_content is None, (name, tool.name)
    vault.agents.change("ana", {"dialect": "graph"})
    lost = {"entityName": "Nobody", "contents": ["x"]}
    for tool, sent, words in (
        ("add_observations", {"observations": [lost]}, "Entity with name Nobody not found"),
        ("fetch", {"id": "nothing"}, "There is no memory"),
    ):
        refused = await client.call_tool(tool, sent)
        assert refused.is_error
        assert refused.structured_content is None
        assert words in refused.content[0].text  # type: ignore[union-attr]
    assert (await client.call_tool("read_graph", {})).structured_content is not None
    assert (await client.call_tool("search", {"query": "x"})).structured_content == {"results": []}


def test_errors_and_tools_without_a_schema_carry_no_structured_content(
    home: Vault, api: ApiServer
) -> None:
    _, token = home.agents.add("ana", workspaces=["shop"])

    async def main() -> None:
        async with over_http(api.url, token, "?workspace=shop&with=search") as client:
            await wrong_in_every_dialect(client, home)
            home.agents.change("ana", {"dialect": "standard"})
            stored = await client.call_tool("memory_store", {"content": "Prefers tea", "key": "k"})
            assert stored.structured_content is None
            told = await client.call_tool("memory_hydrate", {"budget_bytes": 1000})
            assert told.structured_content is None
            wire = told.model_dump_json(by_alias=True, exclude_none=True)
            assert len(wire) < 1000 + 200
            stale = {"content": "x", "key": "k", "expected_updated_at": "2020-01-01T00:00:00Z"}
            conflict = await client.call_tool("memory_store", stale)
            assert conflict.is_error
            assert conflict.structured_content is None
            text = conflict.content[0].text  # type: ignore[union-attr]
            assert "MEM-004" in text
            assert "Prefers tea" in text

    anyio.run(main)


def test_a_client_of_before_the_handshake_was_dropped_is_served_over_stdio(home: Vault) -> None:
    _, token = home.agents.add("ana", guidance="Remember birthdays.")

    async def main() -> None:
        async with over_stdio(home.path, token, "--dialect", "keyed", mode="legacy") as client:
            assert client.instructions is not None
            assert "Remember birthdays." in client.instructions
            await SCRIPTS["keyed"](Talk(client))

    anyio.run(main)


def test_an_ephemeral_server_needs_no_token_and_leaves_nothing(tmp_path: Path) -> None:
    command, *rest = keepsake("mcp", "--ephemeral")
    server = StdioServerParameters(
        command=command, args=rest, env=environment(TMPDIR=str(tmp_path)), cwd=tmp_path
    )

    async def main() -> None:
        async with Client(stdio_client(server)) as client:
            await Talk(client).text("memory_store", key="k", content="c")
            assert len(list(tmp_path.glob("keepsake-*"))) == 1

    anyio.run(main)
    assert list(tmp_path.glob("keepsake-*")) == []


def test_without_a_token_it_says_what_to_do(home: Vault) -> None:
    ran = subprocess.run(
        keepsake("mcp", "--vault", str(home.path)),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1
    assert "Which agent? Set KEEPSAKE_TOKEN to its token." in ran.stderr
    assert ran.stdout == ""


def test_notes_take_the_folder_the_client_started_in_as_workspace(home: Vault) -> None:
    workspace = workspace_of_folder(home.path.parent)
    _, token = home.agents.add("ana", dialect="notes", workspaces=[workspace])

    async def main() -> None:
        async with over_stdio(home.path, token) as client:
            await Talk(client).text("remember", note="n", hook="h", name="here")

    anyio.run(main)
    assert home.entries.with_key("here")[0].scope.id == workspace


def test_notes_in_a_folder_nobody_connected_wait_for_the_owner(home: Vault) -> None:
    _, token = home.agents.add("ana", dialect="notes")

    async def main() -> str:
        async with over_stdio(home.path, token) as client:
            return await Talk(client).refused("remember", note="n", hook="h", name="here")

    assert "The owner has not let you into the workspace" in anyio.run(main)
    (wish,) = home.review.listed()
    assert wish.scope.id == workspace_of_folder(home.path.parent)
