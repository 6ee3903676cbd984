"""From starting `keepsake mcp` to its first tool answer, beside importing the MCP SDK alone.

    python bench/mcp_start.py [runs]

Prints the best of some runs of each, their ratio (2.5 at most is wanted), and which of the heavy
libraries the server had loaded by then (none is wanted)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("onnxruntime", "numpy", "fastapi", "tokenizers", "PySide6")
LIMIT = 2.5
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


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment["KEEPSAKE_TOKEN"] = _token(Path(folder) / "vault.db", environment)
        sdk, server, loaded = [], [], ""
        for _ in range(runs):  # in turns, so that a busy moment hits both
            sdk.append(_sdk_seconds(environment))
            seconds, loaded = _server_seconds(Path(folder) / "vault.db", environment)
            server.append(seconds)
    ratio = min(server) / min(sdk)
    print(f"SDK import           {min(sdk):.2f} s")
    print(f"first tool answer    {min(server):.2f} s")
    print(f"ratio                {ratio:.2f}  (at most {LIMIT})")
    print(f"heavy libraries      {loaded or 'none'}")
    return 0 if ratio <= LIMIT and not loaded else 1


def _token(vault: Path, environment: dict[str, str]) -> str:
    made = subprocess.run(
        [sys.executable, "-m", "ui.main", "agents", "add", "bench", "--vault", vault, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return str(json.loads(made.stdout)["token"])


def _sdk_seconds(environment: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", SDK], env=environment, check=True)
    return time.perf_counter() - begun


def _server_seconds(vault: Path, environment: dict[str, str]) -> tuple[float, str]:
    """Seconds to the answer of a stored and recalled memory, and what was loaded."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, "--vault", str(vault)],
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    client = {"name": "bench", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    store = {"name": "memory_store", "arguments": {"key": "bench", "content": "It answers."}}
    for message in (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": store},
    ):
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
    while json.loads(answer := process.stdout.readline()).get("id") != 2:
        pass
    seconds = time.perf_counter() - begun
    assert "Stored bench" in answer or "Updated bench" in answer, answer
    _, told = process.communicate(timeout=30)
    return seconds, " ".join(told.strip().splitlines()[-1].split()[1:])


if __name__ == "__main__":
    sys.exit(main())
