"""Two stdio servers, one HTTP client and the command line write to one vault at once."""

from __future__ import annotations

import subprocess
from contextlib import AsyncExitStack

import anyio
import anyio.to_thread
import pytest
from click.testing import CliRunner
from mcp import Client

from app.cli.entries import store
from app.serving import ApiServer
from app.vault import Vault
from store.tables.entry_filter import EntryFilter
from tests.app.mcp.clients import environment, keepsake, over_http, over_stdio
from tests.app.mcp.scripts import Talk


def through_command_line(vault: Vault, number: int, processes: bool) -> None:
    arguments = [f"cli {number}", "--key", f"cli_{number}", "--vault", str(vault.path)]
    if processes:
        subprocess.run(
            keepsake("store", *arguments), env=environment(), check=True, capture_output=True
        )
    else:
        CliRunner().invoke(store, arguments, catch_exceptions=False)


async def write_all(vault: Vault, api: ApiServer, writes: int, processes: bool) -> None:
    tokens = {name: vault.agents.add(name)[1] for name in ("one", "two", "three")}
    async with AsyncExitStack() as stack:
        clients: dict[str, Client] = {
            "one": await stack.enter_async_context(over_stdio(vault.path, tokens["one"])),
            "two": await stack.enter_async_context(over_stdio(vault.path, tokens["two"])),
            "three": await stack.enter_async_context(over_http(api.url, tokens["three"])),
        }

        async def write(name: str, client: Client) -> None:
            for number in range(writes):
                key = f"{name}_{number}"
                await Talk(client).text("memory_store", key=key, content=key, scope="user")

        async def write_cli() -> None:
            for number in range(writes):
                await anyio.to_thread.run_sync(through_command_line, vault, number, processes)

        async with anyio.create_task_group() as tasks:
            for name, client in clients.items():
                tasks.start_soon(write, name, client)
            tasks.start_soon(write_cli)
        await see_each_other(clients, writes)


async def see_each_other(clients: dict[str, Client], writes: int) -> None:
    """At the next call, without anybody being told."""
    for client in clients.values():
        for name in (*clients, "cli"):
            found = await Talk(client).text("memory_recall", key=f"{name}_{writes - 1}")
            assert not found.startswith("no entry")


def check(vault: Vault, writes: int) -> None:
    keys = {entry.key for entry in _all(vault)}
    wanted = {f"{name}_{n}" for name in ("one", "two", "three", "cli") for n in range(writes)}
    assert wanted - keys == set()
    created = [change for change in vault.history.feed(0, 10_000) if change.thing == "entry"]
    assert len(created) == 4 * writes


def _all(vault: Vault) -> list:  # type: ignore[type-arg]
    return vault.entries.page(EntryFilter(), limit=1000).entries


def test_nothing_is_lost_when_four_write_at_once(home: Vault, api: ApiServer) -> None:
    anyio.run(write_all, home, api, 12, False)
    check(home, 12)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_hundred_writes_each_from_four_processes(home: Vault, api: ApiServer) -> None:
    anyio.run(write_all, home, api, 200, True)
    check(home, 200)
