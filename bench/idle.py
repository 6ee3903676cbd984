"""What `keepsake serve` costs while nobody asks, and what it gives back after a busy moment.

    python bench/idle.py

Prints how often its threads wake a second (5 at most is wanted), and its memory, threads and
descriptors at rest, after one recall, after 600 of 60 at once, and 40 seconds later. Linux only."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REST_SECONDS, LATER_SECONDS, LIMIT = 20, 40, 5.0


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault.db"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": folder}
        environment |= {"XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": folder}
        command = [sys.executable, "-m", "ui.main"]
        made = subprocess.run(
            [*command, "agents", "add", "bench", "--vault", vault, "--json"],
            env=environment,
            capture_output=True,
            check=True,
        )
        token = json.loads(made.stdout)["token"]
        serve = [*command, "serve", "--vault", str(vault), "--port", "0"]
        process = subprocess.Popen(
            serve,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            found = None
            while found is None:
                found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            wakes = _measured(process.pid, found[0], token)
        finally:
            process.terminate()
            process.communicate()
    return 0 if wakes <= LIMIT else 1


def _measured(pid: int, url: str, token: str) -> float:
    time.sleep(10)  # what an open vault does first is over
    before = _wake_ups(pid)
    time.sleep(REST_SECONDS)
    wakes = (_wake_ups(pid) - before) / REST_SECONDS
    print(f"wakes a second       {wakes:.1f}  (at most {LIMIT})")
    print(f"at rest              {_state(pid)}")
    for number in range(20):
        _post(url, token, "entries", {"content": f"Deploy {number} is on Friday"})
    _post(url, token, "recall", {"query": "deploy"})  # with it comes the model
    time.sleep(15)
    print(f"after one recall     {_state(pid)}")
    with ThreadPoolExecutor(60) as pool:
        asked = ({"query": f"deploy {number}"} for number in range(600))
        list(pool.map(lambda body: _post(url, token, "recall", body), asked))
    print(f"after 600 recalls    {_state(pid)}")
    time.sleep(LATER_SECONDS)
    print(f"{LATER_SECONDS} s later           {_state(pid)}")
    return wakes


def _post(url: str, token: str, route: str, body: object) -> bytes:
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    address = f"{url}/api/v1/memory/{route}"
    asked = urllib.request.Request(address, json.dumps(body).encode(), head)
    for _ in range(100):
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(1)
    raise TimeoutError(route)


def _wake_ups(pid: int) -> int:
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


def _state(pid: int) -> str:
    rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    private = sum(int(row.split()[1]) for row in rows if row.startswith("Private_Dirty:"))
    threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    open_files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return f"{private // 1024} MB of its own, {threads} threads, {open_files} descriptors"


if __name__ == "__main__":
    sys.exit(main())
