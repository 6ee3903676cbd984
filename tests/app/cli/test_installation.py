"""What concerns the program itself: completing in a shell, and asking for a newer one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli.command import COMMANDS, build
from app.cli.installation import completion_script
from app.errors import Refused
from tests.test_layers import ROOT

pytestmark = pytest.mark.english
KEEPSAKE = f'exec "{sys.executable}" -m ui.main "$@"\n'


def completed(shell: str, line: str, tmp_path: Path) -> list[str]:
    """What the program answers a shell that completes `line`, as the shells' scripts ask it."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "_KEEPSAKE_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "ui.main"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "display" not in done.stderr, "a shell that asks opened the window"
    return [word.partition(",")[2] for word in done.stdout.split()]


def test_commands_and_options_are_completed(tmp_path: Path) -> None:
    assert completed("bash", "keepsake hyd", tmp_path) == ["hydrate"]
    assert set(completed("bash", "keepsake ", tmp_path)) == set(COMMANDS)
    assert "--agent" in completed("bash", "keepsake hydrate --ag", tmp_path)
    assert completed("bash", "keepsake completions z", tmp_path) == ["zsh"]


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash")
def test_bash_itself_completes(tmp_path: Path) -> None:
    program = tmp_path / "keepsake"
    program.write_text("#!/bin/sh\n" + KEEPSAKE)
    program.chmod(0o755)
    script = (
        f"{completion_script('bash')}\n"
        "COMP_WORDS=(keepsake rec); COMP_CWORD=1; _keepsake_completion keepsake; "
        'echo "${COMPREPLY[@]}"'
    )
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
    }
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["recall"], done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(shell: str) -> None:
    done = CliRunner().invoke(build(lambda *_: 2), ["completions", shell])
    assert done.exit_code == 0, done.output
    assert f"_KEEPSAKE_COMPLETE={shell}_complete" in done.output


class Index(BaseHTTPRequestHandler):
    answers: dict[str, tuple[int, bytes]] = {}  # noqa: RUF012  a test puts its own here
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(f"{self.path} {self.headers['User-Agent']}")
        code, body = self.answers.get(self.path, (404, b""))
        self.send_response(code)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[str]:
    Index.answers, Index.asked = {}, []
    server = HTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def asked(index: str, *more: str) -> str:
    done = CliRunner().invoke(build(lambda *_: 2), ["update", "--index", index, *more])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


@pytest.mark.parametrize(
    ("published", "said"),
    [("99.0", "99.0 is published"), ("0.0.1", "nothing newer"), ("0.1.0", "nothing newer")],
)
def test_a_newer_version_is_told(
    index: str, published: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli.installation.our_version", lambda: "0.1.0")
    Index.answers["/keepsake-desk/json"] = (
        200,
        json.dumps({"info": {"version": published}}).encode(),
    )
    assert said in asked(index)
    assert json.loads(asked(index, "--json"))["newer"] is (published == "99.0")
    assert Index.asked == ["/keepsake-desk/json keepsake"] * 2, "the name, and nothing else"


def test_what_is_not_published_is_no_fault(index: str) -> None:
    assert "is not published" in asked(index)


def test_no_answer_is_told(index: str) -> None:
    Index.answers["/keepsake-desk/json"] = (500, b"")
    with pytest.raises(Refused, match="answered 500"):
        asked(index)
    Index.answers["/keepsake-desk/json"] = (200, b"<html>")
    with pytest.raises(Refused, match="no answer of a package index"):
        asked(index)
    with pytest.raises(Refused, match="cannot be reached"):
        asked("http://127.0.0.1:1")
    with pytest.raises(Refused, match="no address"):
        asked("file:///etc")
