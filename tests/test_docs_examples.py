"""The examples in docs/examples run as they stand, against a real server and a stand-in model."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from stand_in_model import WORD, StandIn

from app.vault import open_vault
from store.records import EntryDraft, Scope
from tests.app.api.conftest import Served
from tests.app.api.conftest import serve as serve
from tests.app.api.conftest import served as served

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
CLIENT = ROOT / "packaging" / "client"


@pytest.fixture
def model(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A stand-in's address, and the file of what it was asked."""
    StandIn.kept = tmp_path / "asked.jsonl"
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1", StandIn.kept
    server.shutdown()
    server.server_close()


@pytest.fixture
def keepsake(tmp_path: Path) -> str:
    """The program as an example starts it."""
    program = tmp_path / "keepsake"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m ui.main "$@"\n')
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def agent(tmp_path: Path) -> dict[str, str]:
    """A vault in which an agent knows one thing, as the environment of a program names it."""
    vault = open_vault(tmp_path / "vault.db")
    agent, token = vault.agents.add("example")
    known = EntryDraft("The person lives in Lisbon.", scope=Scope("agent", agent.id), key="home")
    vault.entries.store(known)
    vault.close()
    return {"KEEPSAKE_VAULT": str(tmp_path / "vault.db"), "KEEPSAKE_TOKEN": token}


def ran(python: str, name: str, *words: str, said: str = "", **more: str) -> str:
    done = subprocess.run(
        [python, str(EXAMPLES / name), *words],
        env={**os.environ, **more},
        input=said,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def served_agent(served: Served) -> dict[str, str]:
    agent, token = served.vault.agents.add("example")
    known = EntryDraft("The person lives in Lisbon.", scope=Scope("agent", agent.id), key="home")
    served.vault.entries.store(known)
    source = str(CLIENT / "src")
    return {"KEEPSAKE_URL": served.url, "KEEPSAKE_TOKEN": token, "PYTHONPATH": source}


def test_an_agent_with_the_client(served: Served, model: tuple[str, Path]) -> None:
    url, asked = model
    environment = served_agent(served)
    lines = "remember The cat is called Miso.\nWhere do I live?\n"
    said = ran(sys.executable, "agent_with_client.py", said=lines, MODEL_URL=url, **environment)
    assert said == f"Noted.\n{WORD}\n"
    (request,) = map(json.loads, asked.read_text("utf-8").splitlines())
    assert "Lisbon" in request["body"]["messages"][0]["content"]
    assert served.vault.search.search("Miso")
    code = (EXAMPLES / "agent_with_client.py").read_text("utf-8").partition('"""\n\n')[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 30


def test_an_agent_with_the_mcp_sdk(keepsake: str, agent: dict[str, str]) -> None:
    said = ran(sys.executable, "agent_with_mcp.py", KEEPSAKE=keepsake, **agent)
    assert "Lisbon" in said.partition("Tools:")[0]
    assert "memory_recall" in said.partition("Tools:")[2]
    assert "Releases go out on Tuesdays." in said.partition("Recalled:")[2]


@pytest.mark.skipif(not shutil.which("curl"), reason="no curl")
def test_curl(served: Served) -> None:
    done = subprocess.run(
        ["sh", str(EXAMPLES / "with_curl.sh")],
        env={**os.environ, **served_agent(served)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    stored, recalled, hydrated = (json.loads(line) for line in done.stdout.splitlines() if line)
    assert stored["key"] == "backup_day"
    assert "Sundays" in json.dumps(recalled)
    assert "Lisbon" in hydrated["text"]


@pytest.fixture(scope="module")
def frameworks(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The python of an environment that has what the examples say to install, and not Keepsake."""
    if given := os.environ.get("KEEPSAKE_FRAMEWORKS"):
        return given
    folder = tmp_path_factory.mktemp("frameworks")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    wanted = ["langgraph", "openai-agents", str(CLIENT)]
    subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
    return python


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_langgraph_agent(served: Served, model: tuple[str, Path], frameworks: str) -> None:
    url, asked = model
    words = ("remember", "I", "moved", "to", "Porto.")
    environment = {"MODEL_URL": url, **served_agent(served)}
    assert ran(frameworks, "langgraph_agent.py", *words, **environment) == f"{WORD}\n"
    (request,) = map(json.loads, asked.read_text("utf-8").splitlines())
    assert "Lisbon" in request["body"]["messages"][0]["content"]
    assert served.vault.search.search("Porto")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_agent_of_the_agents_sdk(
    keepsake: str, agent: dict[str, str], model: tuple[str, Path], frameworks: str
) -> None:
    url, asked = model
    environment = {"MODEL_URL": url, "KEEPSAKE": keepsake, **agent}
    assert ran(frameworks, "openai_agents.py", "Where do I live?", **environment) == f"{WORD}\n"
    (request,) = map(json.loads, asked.read_text("utf-8").splitlines())
    assert "Lisbon" in json.dumps(request["body"]["messages"])
    tools = {tool["function"]["name"] for tool in request["body"]["tools"]}
    assert {"memory_store", "memory_recall"} <= tools
