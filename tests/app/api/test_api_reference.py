"""docs/api.md says what the API does, and its commands run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from itertools import count
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


class Things:
    """What the lines of the page are about, made anew for each."""

    def __init__(self, served: Served, folder: Path) -> None:
        self._served = served
        self._folder = folder
        self._names = count(1)
        served.vault.agents.add("claude", team=True)
        _, self._reviewed = served.agent("under-review", trust="review")
        self.change = ""

    def variables(self, line: str) -> dict[str, str]:
        """The variables of a line, once what it needs is there."""
        owner = self._served.owner
        if "/blocks/core" in line:
            self._settle_core(there="-X PUT" not in line)
        if "notes.zip" in line:
            (self._folder / "notes.zip").write_bytes(owner.get("/export").content)
        fact = {"content": f"x {next(self._names)}"}
        entry = owner.post("/memory/entries", json=fact)
        if "/redo" not in line:
            self.change = entry.headers["x-change-group"]
        made: dict[str, str] = {"ENTRY_ID": entry.json()["id"], "CHANGE": self.change}
        if "$MEMORY_ID" in line:
            made["MEMORY_ID"] = made["ENTRY_ID"]
        if "$AGENT_ID" in line:
            made["AGENT_ID"] = self._served.agent(f"other{next(self._names)}")[0].id
        if "$CONVERSATION_ID" in line:
            begun = owner.post("/conversations", json={"agent_id": "claude"})
            made["CONVERSATION_ID"] = begun.json()["id"]
        if "$PROPOSAL_ID" in line:
            waits = self._reviewed.post("/memory/entries", json=fact)
            made["PROPOSAL_ID"] = waits.json()["proposal_id"]
        if "$OLDER_ID" in line:
            made["OLDER_ID"], made["NEWER_ID"] = self._contradiction()
        if "$NAME" in line:
            made["NAME"] = owner.post("/backups").json()["name"]
        return {**made, "CHANNEL": "general", "ENTITY_TYPE": "agent", "ENTITY_ID": "claude"}

    def _contradiction(self) -> tuple[str, str]:
        """Two memories that the vault itself has noticed to disagree."""
        owner = self._served.owner
        facts = ({"content": f"The shop runs on {host}."} for host in ("Heroku", "Hetzner"))
        older, newer = (owner.post("/memory/entries", json=one).json()["id"] for one in facts)
        noticed = owner.get("/conflicts").json()["conflicts"]
        assert (older, newer) in [(one["older"]["id"], one["newer"]["id"]) for one in noticed]
        return older, newer

    def _settle_core(self, there: bool) -> None:
        owner = self._served.owner
        owner.post("/wipe", json={"scope": "user", "confirm": "wipe"})
        if there:
            core = {"content": "- Works in Lisbon", "expected_updated_at": None}
            owner.put("/memory/blocks/core", json=core)


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed here")
def test_every_routes_line_runs_as_it_is_printed_in_order(served: Served, tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8").split("## Routes")[1]
    lines = [line for line in commands(text).splitlines() if line.startswith("curl")]
    assert len(lines) > 50
    things = Things(served, tmp_path)
    for line in lines:
        script = "".join(f"{name}={value}\n" for name, value in things.variables(line).items())
        ran = run(script + line, served, tmp_path)
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"


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
