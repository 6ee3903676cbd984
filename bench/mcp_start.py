"""From starting `keepsake mcp` to its answers, and what five of it take together.

    python bench/mcp_start.py [runs] [path of the reference server's dist/index.js]

Prints the best of some runs until `initialize` is answered and until a memory is stored, beside the
reference memory server (npm: @modelcontextprotocol/server-memory) where its path is given, else
beside importing the MCP SDK; their ratio, what was loaded by then, and, on Linux, the proportional
memory of five servers of one vault after a recall each. Wanted: at most 1.5 times the reference or
0.9 times the import, none of the heavy libraries, 350 MB together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("mcp", "pydantic", "anyio", "onnxruntime", "numpy", "fastapi", "tokenizers", "PySide6")
HEAVY += ("yaml", "tomllib", "xml.etree", "app.background", "app.hooks", "app.proof", "app.sync")
REFERENCE_RATIO, SDK_RATIO, TOGETHER_MB, SERVERS = 1.5, 0.9, 350, 5
SDK = "import mcp, mcp.server.lowlevel, mcp.server.stdio"
SERVER = f"""
import sys
from app.cli.mcp import mcp
sys.argv = ["keepsake-mcp", *sys.argv[1:]]
try:
    mcp(standalone_mode=False)
finally:
    print("loaded", *[m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)
"""


class McpProcess:
    """One server over its standard input and output."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._begun = time.perf_counter()
        self._asked = 0
        self.process = subprocess.Popen(
            command,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ask(self, method: str, **params: Any) -> tuple[str, float]:
        """The answer, and the seconds since the start."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        while json.loads(answer := self.process.stdout.readline()).get("id") != self._asked:
            pass
        return answer, time.perf_counter() - self._begun

    def open(self) -> float:
        client = {"name": "bench", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        return self.ask("initialize", **hello)[1]

    def call(self, name: str, **arguments: Any) -> tuple[str, float]:
        return self.ask("tools/call", name=name, arguments=arguments)

    def end(self) -> str:
        return self.process.communicate(timeout=60)[1]


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    reference = sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault.db"
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment["KEEPSAKE_TOKEN"] = _token(vault, environment)
        besides, opened, stored, loaded = [], [], [], ""
        for _ in range(runs):  # in turns, so that a busy moment hits both
            besides.append(_beside(reference, environment))
            first, second, loaded = _server_seconds(vault, environment)
            opened.append(first)
            stored.append(second)
        together = _together_mb(vault, environment)
    limit = REFERENCE_RATIO if reference else SDK_RATIO
    ratio = min(opened) / min(besides)
    print(f"{'reference server' if reference else 'SDK import':20} {min(besides):.2f} s")
    print(f"{'initialize answered':20} {min(opened):.2f} s")
    print(f"{'memory stored':20} {min(stored):.2f} s")
    print(f"{'ratio':20} {ratio:.2f}  (at most {limit})")
    print(f"{'heavy libraries':20} {loaded or 'none'}")
    print(f"{'five servers':20} {together or '?'} MB  (at most {TOGETHER_MB})")
    return 0 if ratio <= limit and not loaded and (together or 0) <= TOGETHER_MB else 1


def _token(vault: Path, environment: dict[str, str]) -> str:
    made = subprocess.run(
        [sys.executable, "-m", "ui.main", "agents", "add", "bench", "--vault", vault, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return str(json.loads(made.stdout)["token"])


def _beside(reference: str, environment: dict[str, str]) -> float:
    if reference:
        server = McpProcess(["node", reference], environment)
        seconds = server.open()
        server.end()
        return seconds
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", SDK], env=environment, check=True)
    return time.perf_counter() - begun


def _server_seconds(vault: Path, environment: dict[str, str]) -> tuple[float, float, str]:
    """Seconds until it is open and until a memory is stored, and what was loaded."""
    server = McpProcess([sys.executable, "-c", SERVER, "--vault", str(vault)], environment)
    opened = server.open()
    answer, stored = server.call("memory_store", key="bench", content="It answers.")
    assert "Stored bench" in answer or "Updated bench" in answer, answer
    return opened, stored, " ".join(server.end().strip().splitlines()[-1].split()[1:])


def _together_mb(vault: Path, environment: dict[str, str]) -> int | None:
    """The proportional memory of some servers that have all recalled something."""
    if not Path("/proc/self/smaps_rollup").exists():
        return None
    command = [sys.executable, "-m", "ui.main", "mcp", "--vault", str(vault)]
    servers = [McpProcess(command, environment) for _ in range(SERVERS)]
    for server in servers:
        server.open()
        answer, _ = server.call("memory_recall", query="does it answer?")
        assert "It answers." in answer, answer
    total = sum(_pss_kb(server.process.pid) for server in servers)
    for server in servers:
        server.end()
    return total // 1024


def _pss_kb(pid: int) -> int:
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:"))


if __name__ == "__main__":
    sys.exit(main())
