"""The API's life: started, found, stopped."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from app import serving
from app.access.owner_token import OwnerToken, owner_token
from app.access.secret_store import open_secrets
from app.connect import discovery
from app.connect.discovery import Running
from app.default_vault import runtime_folder
from app.errors import Unavailable
from app.serving import ApiServer
from app.vault import Vault, open_vault
from store.records import EntryDraft
from tests.fakes import Lag

TOKEN = OwnerToken("kps_owner-of-these-tests", "test")
WAIT = 60


def started(vault: Path, **environment: str) -> tuple[subprocess.Popen[str], dict[str, object]]:
    """`keepsake serve` in a process of its own, once it says that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ui.main", "serve", "--port", "0", "--vault", str(vault)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate(timeout=WAIT)[1]
    return process, json.loads(line)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=WAIT)
    return process.returncode, out, err


def test_serve_says_where_it_is_and_ends_at_sigterm_with_nothing_to_cancel(tmp_path: Path) -> None:
    vault = tmp_path / "v.db"
    process, ready = started(vault, KEEPSAKE_OWNER_TOKEN="the-owners-own-token")
    try:
        assert set(ready) == {"url", "pid", "vault"}
        assert ready["pid"] == process.pid
        assert ready["vault"] == str(vault.resolve())
        found = discovery.find(vault)
        assert found is not None
        assert found.url == ready["url"]
        headers = {"Authorization": "Bearer the-owners-own-token"}
        url = str(ready["url"])
        with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=30) as client:
            assert client.get("/api/v1/health").json()["name"] == "keepsake"
            body = {"content": "kept", "key": "k"}
            assert client.post("/api/v1/memory/entries", json=body).status_code == 201
            with client.stream("GET", "/api/v1/events") as feed:  # an open feed is no hindrance
                assert feed.status_code == 200
                process.send_signal(signal.SIGTERM)
                process.wait(WAIT)
    finally:
        process.kill()
    code, out, err = ended(process)
    assert (code, out) == (0, "")
    assert "graceful" not in err  # it had to cancel nothing
    assert "the-owners-own-token" not in err
    assert "Traceback" not in err
    assert discovery.find(vault) is None
    assert list(runtime_folder().glob("*.json")) == []


def test_an_announcement_is_for_its_owner_alone_and_gone_after_the_stop(
    vault: Vault, tmp_path: Path
) -> None:
    folder = tmp_path / "runtime"
    server = ApiServer(vault, 0, token=TOKEN, runtime=folder)
    server.start()
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert json.loads(path.read_text())["url"] == server.url
    assert "token" not in path.read_text()
    server.stop()
    assert list(folder.iterdir()) == []
    assert server.url == ""


def test_over_http_nobody_is_the_owner_of_a_vault_whose_key_was_typed(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = owner_token(open_secrets(vault.path.parent)).token  # by an earlier run, say
    _, agents_token = vault.agents.add("claude")
    monkeypatch.setattr("app.care.vault_key._typed", [bytes(32)])
    server = ApiServer(vault, 0, runtime=tmp_path / "runtime")
    server.start()
    try:
        answers = [
            httpx.get(
                f"{server.url}/api/v1/memory/entries",
                headers={"Authorization": f"Bearer {token}"},
                trust_env=False,
                timeout=30,
            ).status_code
            for token in (kept, agents_token)
        ]
    finally:
        server.stop()
    assert answers == [401, 200]


def test_a_stale_announcement_is_noticed_and_removed(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    left = Running(f"http://127.0.0.1:{port}", 1, str(tmp_path / "v.db"), "2026-01-01T00:00:00Z")
    path = discovery.announce(left, tmp_path / "runtime")
    assert discovery.find(tmp_path / "v.db", tmp_path / "runtime") is None
    assert not path.exists()


def test_another_servers_announcement_is_left_alone(tmp_path: Path) -> None:
    old = Running("http://127.0.0.1:1", 1, str(tmp_path / "v.db"), "2026-01-01T00:00:00Z")
    new = Running("http://127.0.0.1:2", 2, str(tmp_path / "v.db"), "2026-01-02T00:00:00Z")
    path = discovery.announce(new, tmp_path)
    discovery.withdraw(old, tmp_path)
    assert path.exists()


def test_a_broken_announcement_is_none(tmp_path: Path) -> None:
    made = Running("http://127.0.0.1:1", 1, str(tmp_path / "v.db"), "2026-01-01T00:00:00Z")
    discovery.announce(made, tmp_path).write_text("{")
    assert discovery.find(tmp_path / "v.db", tmp_path) is None


def test_a_taken_port_is_said_in_words(vault: Vault, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server = ApiServer(vault, taken.getsockname()[1], token=TOKEN, runtime=tmp_path / "r")
        with pytest.raises(Unavailable, match="--port"):
            server.start()


def test_it_listens_on_this_machine_alone(vault: Vault, tmp_path: Path) -> None:
    server = ApiServer(vault, 0, token=TOKEN, runtime=tmp_path / "r")
    url = server.start()
    port = int(url.rsplit(":", 1)[1])
    try:
        for address in ("127.0.0.2", "::1"):
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            with socket.socket(family) as other, pytest.raises(OSError):  # noqa: PT011
                other.connect((address, port))
    finally:
        server.stop()


def test_it_starts_again_after_a_stop(vault: Vault, tmp_path: Path) -> None:
    server = ApiServer(vault, 0, token=TOKEN, runtime=tmp_path / "r")
    for _ in range(2):
        assert httpx.get(server.start() + "/api/v1/health", trust_env=False).status_code == 200
        server.stop()


def test_neither_the_vault_nor_the_command_line_imports_the_web_framework() -> None:
    script = (
        "import sys, app.vault, app.cli.command, app.cli.agents\n"
        "import app.memory.call_log, app.connect.discovery\n"
        "print([name for name in ('fastapi', 'uvicorn', 'starlette') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_answers_are_sent_at_once(vault: Vault, tmp_path: Path) -> None:
    """asyncio turns Nagle's algorithm off only for what is named TCP."""
    server = ApiServer(vault, 0, token=TOKEN, runtime=tmp_path / "r")
    with server._bound() as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.skipif(sys.platform != "linux", reason="counts wake-ups in /proc")
def test_it_sleeps_while_nobody_asks_and_ends_at_once(vault: Vault, tmp_path: Path) -> None:
    server = ApiServer(vault, 0, token=OwnerToken("kps_idle", "test"), runtime=tmp_path / "run")
    server.start()
    (thread,) = (one for one in threading.enumerate() if one.name == "api")
    time.sleep(0.5)
    before = wake_ups(thread)
    time.sleep(3)
    assert (wake_ups(thread) - before) / 3 < 3
    with Lag() as lag:
        begun = time.monotonic()
        server.stop()
        took = time.monotonic() - begun
    assert took < 1 + lag.seconds, (took, lag.seconds)


def wake_ups(thread: threading.Thread) -> int:
    status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
    (line,) = (row for row in status.splitlines() if row.startswith("voluntary_ctxt_switches"))
    return int(line.split()[1])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serve_ends_soon_amid_its_work_and_the_calls_are_written(
    tmp_path: Path, number: signal.Signals
) -> None:
    path = tmp_path / "v.db"
    vault = open_vault(path)
    _, token = vault.agents.add("ana")
    vault.entries.store_many(EntryDraft(f"fact {n} of many words to embed") for n in range(1500))
    vault.close()
    process, ready = started(path)
    try:
        headers = {"Authorization": f"Bearer {token}"}
        url = f"{ready['url']}/api/v1/memory/search"
        asked = httpx.post(url, json={"query": "x"}, headers=headers, trust_env=False, timeout=60)
        assert asked.status_code == 200
        with Lag() as lag:
            began = time.monotonic()
            process.send_signal(number)
            process.wait(WAIT)
            took = time.monotonic() - began
    finally:
        process.kill()
    assert ended(process)[0] == 0
    assert took < 2 + lag.seconds, (took, lag.seconds)
    vault = open_vault(path)
    assert [call.call for call in vault.calls.of("ana")] == ["POST /api/v1/memory/search"]
    vault.close()


def test_a_second_request_has_a_deadline_for_its_head_too(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HEADER_SECONDS", 0.5)
    server = ApiServer(vault, 0, token=TOKEN, runtime=tmp_path)
    server.start()
    port = int(server.url.rpartition(":")[2])
    head = f"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            for _ in range(3):  # as long as whole requests come, it stays
                client.sendall(head)
                told = b""
                while b"ready" not in told:
                    told += client.recv(65536)
                time.sleep(0.7)
            client.sendall(head[:20])
            assert client.recv(65536) == b""
    finally:
        server.stop()
