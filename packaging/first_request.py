"""What a real Claude Code hands to its model in its first request: the memory of its agent?

    npm install @anthropic-ai/claude-code
    python packaging/first_request.py node_modules/.bin/claude [seconds]

Runs the program offline, against a stand-in for the model's API (packaging/stand_in_model.py), with
a throw-away vault and a home with what `keepsake connect` writes, in each dialect; the server
starts some seconds late where that is wanted, as on a busy machine. Prints and fails unless the
first request holds, byte for byte, what the window shows for that way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from stand_in_model import StandIn, texts_in  # noqa: E402

from app.access.agents import TOKEN_VARIABLE  # noqa: E402
from app.connect.mcp_clients import CLIENTS, Launch, merged  # noqa: E402
from app.mcp.dialects import DIALECTS  # noqa: E402
from app.mcp.instructions import Instructions, client_noted, instructions_shown  # noqa: E402
from app.rules.policy import Run  # noqa: E402
from app.rules.visibility import Standing  # noqa: E402
from app.vault import open_vault  # noqa: E402
from store.records import USER, EntryDraft  # noqa: E402

SECONDS = 120


def main() -> int:
    program = str(Path(sys.argv[1]).resolve())
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    right = True
    for dialect in DIALECTS:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            StandIn.kept = home / "requests.jsonl"
            client, shown = _asked(program, server.server_port, home, dialect)
            first = json.loads(StandIn.kept.read_text("utf-8").splitlines()[0])["body"]
        held = any(shown.text in text for text in texts_in(first))
        right = right and held
        size = f"{shown.memory_bytes:,} of {shown.all_bytes:,} bytes of memory"
        print(f"{dialect:10} {client}: {size}, {'as shown' if held else 'NOT as shown'}")
    server.shutdown()
    return 0 if right else 1


def _asked(program: str, port: int, home: Path, dialect: str) -> tuple[str, Instructions]:
    """The client's name, and what the window shows for it, after one prompt."""
    vault = open_vault(home / "vault.db")
    for number in range(40):
        content = f"Deploy {number} went out on a Friday, after the tests were green."
        vault.entries.store(EntryDraft(content, USER, key=f"deploy_{number}", category="core"))
    agent, token = vault.agents.add("coder", dialect=dialect, workspaces=("shop",))
    late = f'sleep {sys.argv[2] if len(sys.argv) > 2 else 0} && exec "$@"'
    server = (sys.executable, "-m", "ui.main", "mcp", "--vault", str(vault.path))
    command = ("-c", late, "sh", *server, "--workspace", "shop")
    start = Launch("sh", command, {TOKEN_VARIABLE: token, "PYTHONPATH": str(ROOT)})
    (home / ".claude.json").write_text(merged(CLIENTS["claude-code"], "", start))
    (home / "project").mkdir()
    subprocess.run(
        [program, "-p", "hello"],
        cwd=home / "project",
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=SECONDS,
        check=True,
    )
    client = client_noted(vault, agent.id)
    shown = instructions_shown(vault, Run(agent, Standing("shop")), client)
    vault.close()
    return client, shown


if __name__ == "__main__":
    sys.exit(main())
