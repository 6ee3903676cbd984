"""The window ends on SIGTERM and SIGINT as a person closes it: in a process of its own, with its
API in use and memories to embed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from app.connect import discovery
from app.connect.discovery import Running
from app.vault import open_vault
from store.records import EntryDraft
from tests.fakes import Lag

WAIT = 60


def served_by(process: subprocess.Popen[str], vault: Path) -> Running:
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        assert process.poll() is None, process.communicate()[1]
        running = discovery.find(vault)
        if running is not None:
            return running
        time.sleep(0.1)
    raise AssertionError("the window's API did not come up")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_closes_it_within_two_seconds_and_the_calls_are_written(
    tmp_path: Path, number: signal.Signals
) -> None:
    path = tmp_path / "v.db"
    vault = open_vault(path)
    _, token = vault.agents.add("ana")
    vault.settings.set("api_enabled", True)
    vault.settings.set("api_port", 0)
    vault.entries.store_many(EntryDraft(f"fact {n} of many words to embed") for n in range(800))
    vault.close()
    process = subprocess.Popen(
        [sys.executable, "-m", "ui.main", "--vault", str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        running = served_by(process, path)
        asked = httpx.post(
            f"{running.url}/api/v1/memory/search",
            json={"query": "x"},
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
            timeout=WAIT,
        )
        assert asked.status_code == 200
        with Lag() as lag:
            began = time.monotonic()
            process.send_signal(number)
            process.wait(WAIT)
            took = time.monotonic() - began
    finally:
        process.kill()
    _, complaints = process.communicate()
    assert process.returncode == 0
    assert "Traceback" not in complaints
    assert took < 2 + lag.seconds, (took, lag.seconds)
    assert discovery.find(path) is None
    vault = open_vault(path)
    assert [call.call for call in vault.calls.of("ana")] == ["POST /api/v1/memory/search"]
    vault.close()
