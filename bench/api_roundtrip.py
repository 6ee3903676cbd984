"""What HTTP costs: store and recall over the API, beside the same call in-process and a bare echo.

    python bench/api_roundtrip.py [--entries 10000] [--rounds 200] [--seconds 30] [--clients 8]

The three are measured in turns, in one run, so that they share whatever else the machine does. The
API and the echo each run in a process of their own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from app.access.caller_scope import Caller
from app.vault import Vault, open_vault
from store.records import EntryDraft

WORDS = [
    "coffee",
    "tea",
    "window",
    "river",
    "invoice",
    "renewal",
    "launch",
    "meeting",
    "garden",
    "train",
    "budget",
    "report",
    "piano",
    "winter",
    "holiday",
    "doctor",
    "password",
    "colour",
    "engine",
    "harbour",
    "letter",
    "planet",
    "recipe",
    "shadow",
    "ticket",
]
ECHO = """
import sys, uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
class Body(BaseModel):
    content: str
app = FastAPI()
@app.post("/echo")
def echo(body: Body) -> Body:
    return body
uvicorn.run(app, port=int(sys.argv[1]), log_level="warning")
"""


def sentence(dice: random.Random) -> str:
    return " ".join(dice.choice(WORDS) for _ in range(12))


def filled(folder: Path, number: int) -> Vault:
    vault = open_vault(folder / "vault.db")
    dice = random.Random(1)
    vault.entries.store_many([EntryDraft(sentence(dice)) for _ in range(number)])
    vault.embedding.embed_waiting()
    return vault


@contextmanager
def served(folder: Path, token: str) -> Iterator[str]:
    environment = {**os.environ, "KEEPSAKE_OWNER_TOKEN": token, "KEEPSAKE_RUNTIME": str(folder)}
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "ui.main",
            "serve",
            "--port",
            "0",
            "--quiet",
            "--vault",
            str(folder / "vault.db"),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.wait(10)


@contextmanager
def echoing() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", ECHO, str(port)])
    url = f"http://127.0.0.1:{port}/echo"
    try:
        for _ in range(600):
            try:
                httpx.post(url, json={"content": "x"})
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


def milliseconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def compared(
    name: str,
    rounds: int,
    api: Callable[[], object],
    bare: Callable[[], object],
    echo: Callable[[], object],
) -> None:
    """One line: the median of each, and the ratio that must stay under 1.5."""
    for call in (api, bare, echo):
        call()
    times = [[milliseconds(call) for call in (api, bare, echo)] for _ in range(rounds)]
    columns = zip(*times, strict=True)
    over_http, in_process, empty = (statistics.median(column) for column in columns)
    ratio = over_http / (in_process + empty)
    print(
        f"{name}: API {over_http:.2f} ms, in-process {in_process:.2f} ms, echo {empty:.2f} ms, "
        f"ratio {ratio:.2f} (at most 1.5)"
    )


def round_trips(vault: Vault, url: str, echo_url: str, token: str, rounds: int) -> None:
    dice = random.Random(2)
    memory = vault.memory_for(Caller())
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(headers=headers, timeout=60) as client, httpx.Client() as plain:

        def post(path: str, body: dict[str, object]) -> None:
            client.post(f"{url}/api/v1/memory/{path}", json=body).raise_for_status()

        def echo() -> None:
            plain.post(echo_url, json={"content": sentence(dice)}).raise_for_status()

        compared(
            "store",
            rounds,
            lambda: post("entries", {"content": sentence(dice)}),
            lambda: memory.entries.store(EntryDraft(sentence(dice))),
            echo,
        )
        vault.embedding.embed_waiting()
        compared(
            "recall",
            rounds,
            lambda: post("recall", {"query": sentence(dice), "limit": 10}),
            lambda: memory.finding.recall(sentence(dice), limit=10),
            echo,
        )


def together(url: str, token: str, clients: int, seconds: float) -> None:
    """Many at once: every answer must be a good one."""
    until = time.monotonic() + seconds
    answered: list[int] = []
    errors: list[str] = []

    def use(number: int) -> None:
        dice = random.Random(number)
        done = 0
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(headers=headers, timeout=60, base_url=f"{url}/api/v1/memory") as client:
            while time.monotonic() < until:
                path, body = dice.choice(
                    [
                        ("/entries", {"content": sentence(dice)}),
                        ("/recall", {"query": sentence(dice), "limit": 10}),
                        ("/search", {"query": dice.choice(WORDS), "mode": "keyword"}),
                    ]
                )
                try:
                    answer = client.post(path, json=body)
                    if not answer.is_success:
                        errors.append(answer.text)
                except httpx.HTTPError as error:
                    errors.append(repr(error))
                done += 1
        answered.append(done)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(
        f"{clients} clients for {seconds:g} s: {sum(answered):,} calls, {len(errors)} errors "
        f"{errors[:3] if errors else ''}"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--entries", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=200)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--clients", type=int, default=8)
    wanted = options.parse_args()
    token = secrets.token_urlsafe(32)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vault = filled(folder, wanted.entries)
        try:
            with served(folder, token) as url, echoing() as echo_url:
                round_trips(vault, url, echo_url, token, wanted.rounds)
                together(url, token, wanted.clients, wanted.seconds)
        finally:
            vault.close()


if __name__ == "__main__":
    main()
