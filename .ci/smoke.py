"""Every door of an installed Keepsake, once, with nothing but what the program itself depends on.

    python .ci/smoke.py

`.ci/run` runs it where the lowest allowed versions are
installed. Each step prints its name and the seconds it took; the first that fails ends the run.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WAIT = 120.0  # for one thing to happen on a busy machine
NOTES = (
    "key,content,tags\nrouter,The router is in the hall,home\nbins,Bins go out on Tuesday,home\n"
)


class Smoke:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.vault = folder / "vault.db"
        self.token = ""
        self.environment = {
            **{name: value for name, value in os.environ.items() if "KEEPSAKE" not in name},
            **dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder)),
            **dict.fromkeys(("XDG_STATE_HOME", "XDG_RUNTIME_DIR"), str(folder)),
            "KEEPSAKE_VAULT": str(self.vault),
            "KEEPSAKE_OWNER_TOKEN": "owner-token-of-the-smoke-test",
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        }

    def steps(self) -> list[Callable[[], None]]:
        return [
            self.command_line,
            self.markdown,
            self.mirror,
            self.meaning,
            self.served,
            self.mcp_over_stdio,
            self.backups,
            self.encryption,
            self.doctor,
            self.window,
        ]

    # What a person types

    def keepsake(self, *arguments: str, **environment: str) -> str:
        """One command, in this process: starting Python for each would be most of the time."""
        from click.testing import CliRunner

        from app.cli.command import build

        done = CliRunner(env={**self.environment, **environment}).invoke(
            build(lambda vault, ephemeral: 2), list(arguments), catch_exceptions=False
        )
        assert done.exit_code == 0, f"keepsake {' '.join(arguments)}: {done.output}"
        return done.stdout

    def started(self, *arguments: str) -> str:
        """One command, in a process of its own."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=WAIT,
        )
        assert done.returncode == 0, f"{arguments}: {done.returncode} {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def json(self, *arguments: str, **environment: str) -> Any:
        return json.loads(self.keepsake(*arguments, "--json", **environment))

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "ui.main", *arguments]

    def keys(self, **environment: str) -> set[str]:
        return {entry["key"] for entry in self.json("list", **environment)["entries"]}

    # The steps

    def command_line(self) -> None:
        words = ("Prefers green tea in the morning", "--key", "tea", "--tag", "drink")
        assert "tea" in self.started("-m", "ui.main", "store", *words)
        self.keepsake("store", "Deploys go out on Fridays", "--key", "deploys")
        assert self.keys() == {"tea", "deploys"}
        assert "green tea" in self.keepsake("recall", "tea")
        self.token = self.json("agents", "add", "ana")["token"]

    def markdown(self) -> None:
        first, second, other = (self.folder / name for name in ("first", "second", "other.db"))
        table = self.folder / "table.csv"
        table.write_text(NOTES)
        self.keepsake("import", str(table), "--yes")
        assert self.keys() == {"tea", "deploys", "router", "bins"}
        self.keepsake("export", str(first))
        self.keepsake("import", str(first), "--vault", str(other), "--yes")
        self.keepsake("export", str(second), "--vault", str(other))
        assert len(notes_of(first)) > 4
        assert notes_of(first) == notes_of(second)

    def mirror(self) -> None:
        folder = self.folder / "mirrored"
        self.keepsake("mirror", "add", str(folder), "--scope", "user")
        (note,) = folder.glob("tea*.md")
        note.write_text(note.read_text().replace("green tea", "white tea"))
        self.keepsake("mirror", "sync")
        assert "white tea" in self.keepsake("recall", "tea")
        self.keepsake("mirror", "remove", str(folder))

    def meaning(self) -> None:
        """With the bundled model: no word of the question is in the memory."""
        found = self.json("recall", "favourite hot beverage")["matches"]
        assert found[0]["key"] == "tea", found
        assert "white tea" in self.keepsake("hydrate", "--agent", "ana", "--text")

    def served(self) -> None:
        with self.server() as url:
            self.rest(url)
            self.mcp_over_http(url)

    @contextmanager
    def server(self) -> Iterator[str]:
        process = subprocess.Popen(
            self.command("serve", "--port", "0", "--quiet"),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.communicate(timeout=WAIT)[1]
            yield str(json.loads(line)["url"])
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=WAIT)
            assert "Traceback" not in errors, errors
            assert os.name != "posix" or process.returncode == 0
        finally:
            process.kill()

    def rest(self, url: str) -> None:
        import httpx

        owner = {"Authorization": f"Bearer {self.environment['KEEPSAKE_OWNER_TOKEN']}"}
        agent = {"Authorization": f"Bearer {self.token}"}
        with httpx.Client(trust_env=False, timeout=WAIT) as client:
            here = f"{url}/api/v1"
            assert client.get(f"{here}/health").json()["ready"]
            assert client.get(f"{url}/openapi.json", headers=owner).json()["openapi"] == "3.1.0"
            with client.stream("GET", f"{here}/events", headers=owner) as feed:
                said = {"content": "Works from Lisbon", "key": "city"}
                stored = client.post(f"{here}/memory/entries", json=said, headers=agent)
                assert stored.status_code == 201, stored.text
                assert any('"created"' in line for line in feed.iter_lines())
            found = client.post(f"{here}/memory/recall", json={"key": "city"}, headers=agent)
            assert found.json()["matches"][0]["content"] == "Works from Lisbon", found.text
            refused = client.post(f"{here}/memory/entries", json={"importance": 99}, headers=agent)
            assert refused.json()["code"] == "MEM-005", refused.text
            assert client.get(f"{here}/memory/entries").status_code == 401

    def mcp_over_stdio(self) -> None:
        import anyio
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        command, *rest = self.command("mcp")
        server = StdioServerParameters(
            command=command,
            args=rest,
            env={**self.environment, "KEEPSAKE_TOKEN": self.token},
            cwd=self.folder,
        )

        async def talk() -> None:
            async with Client(stdio_client(server)) as client:
                await self.remembers(client, "Likes the window seat", "seat")

        anyio.run(talk)

    def mcp_over_http(self, url: str) -> None:
        import anyio
        import httpx2
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async def talk(mode: str) -> None:
            headers = {"Authorization": f"Bearer {self.token}"}
            async with (
                httpx2.AsyncClient(headers=headers, trust_env=False, timeout=WAIT) as http,
                Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
            ):
                await self.remembers(client, f"Said over HTTP, the {mode} way", f"http-{mode}")

        for mode in ("auto", "legacy"):
            anyio.run(talk, mode)

    async def remembers(self, client: Any, content: str, key: str) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} >= {"memory_store"}
        await client.call_tool("memory_store", {"content": content, "key": key})
        told = await client.call_tool("memory_recall", {"key": key})
        assert content in told.content[0].text
        assert not told.is_error

    def backups(self) -> None:
        self.keepsake("backup", "now")
        self.keepsake("forget", "bins")
        assert "bins" not in self.keys()
        self.keepsake("backup", "restore", "--yes")
        assert "bins" in self.keys()

    def encryption(self) -> None:
        key = self.keepsake("encrypt", "--make-key").strip()
        kept = self.keys()
        self.keepsake("encrypt", "--yes", KEEPSAKE_KEY=key)
        assert not self.vault.read_bytes().startswith(b"SQLite format 3")
        assert self.keys(KEEPSAKE_KEY=key) == kept
        self.keepsake("decrypt", "--yes", KEEPSAKE_KEY=key)
        assert self.vault.read_bytes().startswith(b"SQLite format 3")
        assert self.keys() == kept

    def doctor(self) -> None:
        examined = self.json("doctor", "--rebuild")
        assert examined["ok"], examined

    def window(self) -> None:
        """Shown, typed into and closed, in a process of its own."""
        self.started(__file__, "--window")
        found = self.json("search", "teapot", "--mode", "keyword")["matches"]
        assert [match["entry"]["content"] for match in found] == ["Typed: the teapot is chipped"]


def notes_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.md")}


def show_window() -> None:
    """The window as `keepsake` opens it, with a hand at the keyboard."""
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from ui.window import startup as windows

    failed: list[BaseException] = []

    def press(key: Qt.Key, *holds: Qt.KeyboardModifier) -> None:
        hold = holds[0] if holds else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(QApplication.focusWidget() or main(), key, hold)

    def main() -> Any:
        (found,) = [w for w in QApplication.topLevelWidgets() if type(w).__name__ == "MainWindow"]
        return found

    def until(true: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + WAIT
        while not true():
            assert time.monotonic() < deadline, f"waited in vain for {what}"
            QApplication.processEvents()
            time.sleep(0.01)  # unlike QTest.qWait() it lets other threads run

    def use() -> None:
        control = Qt.KeyboardModifier.ControlModifier
        until(lambda: main().isVisible(), "the window")
        window = main()
        until(lambda: "go_map" in window.actions_ and not window.jobs.busy, "its parts")
        until(lambda: window.list_pane.model.rowCount() > 4, "the list")
        assert not window.grab().isNull()
        for name in ("blocks", "duplicates", "timeline", "map", "all"):
            window.shell.go_to(name)
            until(lambda: not window.jobs.busy, name)
            assert not window.grab().isNull()
        press(Qt.Key.Key_N, control)
        until(lambda: window.editor.isVisible() and not window.jobs.busy, "the editor")
        QTest.keyClicks(QApplication.focusWidget(), "Typed: the teapot is chipped")
        press(Qt.Key.Key_S, control)
        until(lambda: window.editor.entry is not None and not window.editor.dirty, "the save")
        until(lambda: not window.jobs.busy, "quiet")

    def guarded() -> None:
        try:
            use()
        except BaseException as error:
            failed.append(error)
        window = main()
        window.may_close = lambda: True
        window.close()
        QApplication.quit()

    app = windows.application(sys.argv[:1])
    assert app is not None
    QTimer.singleShot(0, guarded)
    code = windows.run(None, ephemeral=False)
    if failed:
        raise failed[0]
    sys.exit(code)


def run() -> None:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)  # noqa: PTH101
        for step in Smoke(Path(folder)).steps():
            started = time.monotonic()
            step()
            sys.stdout.write(f"{step.__name__}: {time.monotonic() - started:.1f} s\n")
            sys.stdout.flush()
    sys.stdout.write(f"all doors open, {time.monotonic() - begun:.1f} s\n")


if __name__ == "__main__":
    show_window() if "--window" in sys.argv else run()
