"""docs/api.md says what the API does, and its commands run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from api_reference import our_document, routes

from tests.app.api.conftest import OWNER_TOKEN, Served

SAY_STATUS = "-o /dev/null -w '%{http_code} %{method} %{url}\\n'"
PAGE = Path(__file__).parents[3] / "docs" / "api.md"


def test_the_routes_in_the_page_are_those_of_the_api() -> None:
    """After a change: `cog -r docs/api.md`."""
    assert routes(our_document()) in PAGE.read_text("utf-8")


def commands(text: str) -> str:
    return "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))


def run(script: str, served: Served, folder: Path) -> subprocess.CompletedProcess[str]:
    """The page's commands as they stand, except that a failed request fails."""
    script = "set -e\n" + script.replace("curl -s ", "curl -sS --fail-with-body ")
    return subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "KEEPSAKE": served.url, "TOKEN": OWNER_TOKEN},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed here")
def test_the_first_round_runs_as_it_is_written(served: Served, tmp_path: Path) -> None:
    opening = PAGE.read_text("utf-8").split("## Scopes")[0]
    ran = run(commands(opening), served, tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Drinks it black." in ran.stdout
    assert "event: change" in ran.stdout
    assert served.vault.agents.read("claude").trust == "direct"


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed here")
def test_every_routes_line_is_a_right_request(served: Served, tmp_path: Path) -> None:
    """Each against a vault where its things are, with the token it is for: none is wrong."""
    text = PAGE.read_text("utf-8").split("## Routes")[1]
    agent, token = served.vault.agents.add("claude", team=True)
    other, _ = served.vault.agents.add("other")
    entry = served.owner.post("/memory/entries", json={"content": "x"}).json()["id"]
    talk = served.owner.post("/conversations", json={"agent_id": agent.id}).json()["id"]
    (tmp_path / "notes.zip").write_bytes(served.owner.get("/export").content)
    variables = {
        "ENTRY_ID": entry,
        "MEMORY_ID": entry,
        "AGENT_ID": other.id,
        "CONVERSATION_ID": talk,
        "CHANNEL": "general",
        "CHANGE": "1",
        "PROPOSAL_ID": "none",
        "NAME": "latest",
    }
    written = [line for line in commands(text).splitlines() if line.startswith("curl")]
    assert len(written) > 50
    script = "set +e\n" + "".join(f"{name}={value}\n" for name, value in variables.items())
    for line in written:
        # `/events` never ends; a restore needs the number of a change.
        if not re.search(r"/(events|restore)\b", line):
            agents = re.search(r"\$KEEPSAKE(/api/v1)?/(memor|conv|channels|search)", line)
            line = line.replace("$TOKEN", token) if agents else line
            line = line.replace('"name": "Claude"', '"name": "One more"')  # Claude is in already
            line = line.replace("curl -s", f"curl -s {SAY_STATUS}")
            script += line + "\n"
    answers = run(script, served, tmp_path).stdout.splitlines()
    assert len(answers) > 50
    assert [answer for answer in answers if answer[:3] not in ("200", "201", "404", "409")] == []


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed here")
def test_what_is_about_an_agent_runs_with_the_owners_token_too(
    served: Served, tmp_path: Path
) -> None:
    text = PAGE.read_text("utf-8").split("## Routes")[1]
    served.vault.agents.add("claude", team=True)
    entry = served.owner.post("/memory/entries", json={"content": "x"}).json()["id"]
    script = f"ENTRY_ID={entry}\nCHANNEL=general\n"
    about = r"/(hydrate|why|conversations|messages)[?\"]"
    lines = [line for line in commands(text).splitlines() if re.search(about, line)]
    for line in lines:
        script += line.replace("curl -s", f"curl -s {SAY_STATUS}") + "\n"
    answers = run(script, served, tmp_path).stdout.splitlines()
    assert len(answers) == len(lines) >= 4
    assert {answer[:3] for answer in answers} <= {"200", "201"}, answers
