from __future__ import annotations

import runpy
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from app.vault import Vault
from tests.app.mcp.clients import ROOT, environment
from tests.app.mcp.scripts import Talk

BENCH = runpy.run_path(str(ROOT / "bench" / "mcp_start.py"))


def test_answers_come_without_the_heavy_libraries(home: Vault, tmp_path: Path) -> None:
    told = tmp_path / "told.txt"
    _, token = home.agents.add("ana")
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", BENCH["SERVER"], "--vault", str(home.path)],
        env=environment(KEEPSAKE_TOKEN=token),
    )

    async def main() -> None:
        with told.open("w") as errors:
            async with Client(stdio_client(server, errlog=errors), mode="legacy") as client:
                talk = Talk(client)
                await talk.text("memory_store", key="k", content="c")
                await talk.text("memory_recall", key="k")
                await talk.text("memory_list")
                await talk.text("memory_hydrate", message="c")

    anyio.run(main)
    assert told.read_text().splitlines()[-1] == "loaded"


@pytest.mark.slow
def test_the_first_answer_is_out_before_the_sdk_is_imported_and_five_servers_stay_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["mcp_start.py", "3"])
    assert BENCH["main"]() == 0
