"""One script per dialect, for a real client: list tools, write, recall, change, forget."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from mcp import Client

MARK = "zanzibar"  # a word that is in no other memory
Script = Callable[["Talk"], Awaitable[None]]


class Talk:
    """A client that checks each answer."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self._client.list_tools()).tools]

    async def text(self, tool: str, **arguments: Any) -> str:
        result = await self._client.call_tool(tool, arguments)
        text = result.content[0].text  # type: ignore[union-attr]
        assert not result.is_error, text
        return str(text)

    async def refused(self, tool: str, **arguments: Any) -> str:
        result = await self._client.call_tool(tool, arguments)
        text = result.content[0].text  # type: ignore[union-attr]
        assert result.is_error, text
        return str(text)

    async def data(self, tool: str, **arguments: Any) -> Any:
        """What a tool with an output schema answers beside its text."""
        result = await self._client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    async def written(self, tool: str, **arguments: Any) -> str:
        """The id of what a write says it stored."""
        return named("id", await self.text(tool, **arguments))


def named(what: str, text: str) -> str:
    """A value as the texts tell it: `(id 01J…, updated_at 2026-…)`."""
    found = re.search(rf"\b{what} (?:is now )?([\w:.-]+\w)", text)
    assert found, text
    return found[1]


async def standard(talk: Talk) -> None:
    first = await talk.text("memory_store", key="standard_k", content=f"{MARK} one")
    assert first.startswith("Stored")
    changed = await talk.text("memory_store", key="standard_k", content=f"{MARK} two")
    assert changed.startswith("Updated")
    found = await talk.text("memory_recall", key="standard_k")
    assert f"{MARK} two" in found
    seen = named("updated_at", found)
    await talk.text(
        "memory_store", key="standard_k", content=f"{MARK} three", expected_updated_at=seen
    )
    assert MARK in await talk.text("memory_recall", query=MARK)
    await talk.text("memory_forget", key="standard_k")
    assert (await talk.text("memory_recall", key="standard_k")).startswith("no entry")
    await talk.text("memory_store", key="standard_kept", content="kept")


async def keyed(talk: Talk) -> None:
    for content in ("one", "two"):
        await talk.text("memory_store", key="keyed_k", category="core", content=content)
    assert (await talk.text("memory_recall", key="keyed_k")).endswith("  two")
    assert "keyed_k" in await talk.text("memory_list", filter={"category": "core"})
    await talk.text("memory_forget", key="keyed_k")
    assert (await talk.text("memory_recall", key="keyed_k")).startswith("no entry")
    await talk.text("memory_store", key="keyed_kept", category="core", content="kept")


async def journal(talk: Talk) -> None:
    written = await talk.written("memory_write", content=f"{MARK} fell", category="event")
    assert named("id", await talk.text("memory_search", query=MARK)) == written
    await talk.text("update_memory", content="# Journal summary\n- a")
    await talk.text("update_memory", edits=[{"oldText": "- a", "newText": "- b"}])
    await talk.text("memory_delete", ids=[written])
    assert await talk.text("memory_search", query=MARK) == "No memories match."
    await talk.text("memory_write", content="journal kept", category="decision")


async def notes(talk: Talk) -> None:
    await talk.text("remember", note="Use pnpm.", hook="when installing", name="notes_k")
    edit = {"oldText": "pnpm", "newText": "npm"}
    await talk.text("edit_note", name="notes_k", edits=[edit])
    assert (await talk.text("read_note", name="notes_k")).startswith("Use npm.")
    await talk.text("delete_note", name="notes_k")
    assert (await talk.text("read_note", name="notes_k")).startswith("no note")
    await talk.text("remember", note="kept", hook="always", name="notes_kept")


async def semantic(talk: Talk) -> None:
    made = await talk.written("memory_remember", content=f"Been to {MARK}", type="fact")
    assert named("id", await talk.text("memory_recall", query=f"{MARK} trip")) == made
    await talk.text("memory_forget", memory_id=made)
    assert MARK not in await talk.text("memory_recall", query=f"{MARK} trip")
    await talk.text("memory_remember", content="semantic kept", type="fact")


async def blocks(talk: Talk) -> None:
    made = await talk.text(
        "update_memory", block="archival", content=f"- {MARK}", expected_updated_at=None
    )
    assert MARK in await talk.text("memory_recall", query=MARK)
    seen = named("updated_at", made)
    await talk.text(
        "update_memory", block="archival", content="- blocks kept", expected_updated_at=seen
    )
    assert "blocks kept" in await talk.text("memory_get", block="archival")
    assert MARK not in await talk.text("memory_blocks")


async def files(talk: Talk) -> None:
    path = "/memories/files_k.md"
    await talk.text("memory", command="create", path=path, file_text="one\n")
    await talk.text("memory", command="str_replace", path=path, old_str="one", new_str="two")
    assert "two" in await talk.text("memory", command="view", path=path)
    await talk.text("memory", command="delete", path=path)
    assert path not in await talk.text("memory", command="view", path="/memories")
    await talk.text("memory", command="create", path="/memories/files_kept", file_text="kept")


async def graph(talk: Talk) -> None:
    person = {"name": MARK, "entityType": "person", "observations": ["likes tea"]}
    await talk.data("create_entities", entities=[person])
    await talk.data("add_observations", observations=[{"entityName": MARK, "contents": ["runs"]}])
    found = await talk.data("search_nodes", query="RUNS")
    assert found["entities"][0]["observations"] == ["likes tea", "runs"]
    await talk.data("delete_entities", entityNames=[MARK])
    assert MARK not in await talk.text("read_graph")
    kept = {"name": "graph_kept", "entityType": "thing", "observations": ["kept"]}
    await talk.data("create_entities", entities=[kept])


SCRIPTS: dict[str, Script] = {
    "standard": standard,
    "keyed": keyed,
    "journal": journal,
    "notes": notes,
    "semantic": semantic,
    "blocks": blocks,
    "files": files,
    "graph": graph,
}
# What `keepsake list` shows of each script afterwards; blocks are no entries.
KEPT = {
    "standard": "standard_kept",
    "keyed": "keyed_kept",
    "journal": "journal kept",
    "notes": "notes_kept",
    "semantic": "semantic kept",
    "files": "files_kept",
    "graph": "graph_kept",
}
