"""Real MCP clients: over stdio to a process of its own, over HTTP to a running API."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

ROOT = Path(__file__).resolve().parents[3]


def keepsake(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "ui.main", *arguments]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@asynccontextmanager
async def over_stdio(
    vault: Path, token: str, *options: str, mode: str = "auto"
) -> AsyncIterator[Client]:
    command, *rest = keepsake("mcp", "--vault", str(vault), *options)
    server = StdioServerParameters(
        command=command, args=rest, env=environment(KEEPSAKE_TOKEN=token), cwd=vault.parent
    )
    async with Client(stdio_client(server), mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(
    url: str, token: str, query: str = "", mode: str = "auto"
) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp{query}", http_client=http), mode=mode) as client,
    ):
        yield client
