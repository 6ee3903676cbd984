"""The wheels, built and installed as a stranger would, each in an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from one_package import PACKAGE

from tests.app.api.conftest import OWNER_TOKEN, Served
from tests.app.api.conftest import serve as serve
from tests.app.api.conftest import served as served
from tests.test_layers import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SAMPLE = """
import asyncio, importlib.util, sys
from keepsake_client import AsyncKeepsake, Keepsake
assert importlib.util.find_spec("app") is None and importlib.util.find_spec("keepsake_desk") is None

url, token = sys.argv[1:]

async def main():
    async with AsyncKeepsake(url, token) as client:
        await client.memory.update("archival", "- Acme renewal: May 12", expected_updated_at=None)
        await client.memory.update("core", "- Concise", expected_updated_at=None)
        blocks = await client.memory.list()
        core = await client.memory.get("core")
        updated = await client.memory.update(
            "core",
            "- Prefers concise account summaries\\n- Works in America/New_York",
            expected_updated_at=core.updated_at.isoformat(),
        )
        matches = await client.memory.recall("Acme renewal")
        print(len(blocks), updated.content.count("\\n"), matches[0].scope, matches[0].content)

asyncio.run(main())
with Keepsake(url, token) as client:
    print(client.memory.get("core").content)
"""


WINDOW = f"""
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from {PACKAGE}.ui.window import startup
from {PACKAGE}.ui.window.main_window import MainWindow

app = startup.application(["keepsake"])
timer = QTimer()
asked = []

def look():
    for window in app.topLevelWidgets():
        if not isinstance(window, MainWindow):
            continue
        if "samples" in window.shell.actions and not asked:
            asked.append(window.shell.actions["samples"].trigger())
        rows = window.list_pane.list.model().rowCount()
        if rows > 10:
            print(rows)
            timer.stop()
            window.close()
            app.quit()

timer.timeout.connect(look)
timer.start(100)
sys.exit(startup.run(Path(sys.argv[1]), False))
"""


def environment(folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def spent() -> float:
    """Seconds that the processors have worked for programs started here that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def wheel(project: Path, folder: Path) -> Path:
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), project]
    subprocess.run(build, check=True)
    (made,) = folder.glob("*.whl")
    return made


def installed(bin_: Path, made: Path) -> None:
    subprocess.run([bin_ / "python", "-m", "pip", "install", "-q", made], check=True)


def test_the_client_works_from_its_wheel_without_keepsake(served: Served, tmp_path: Path) -> None:
    bin_ = environment(tmp_path / "venv")
    installed(bin_, wheel(ROOT / "packaging" / "client", tmp_path / "wheels"))
    command = [bin_ / "python", "-c", SAMPLE, served.url, OWNER_TOKEN]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert said.splitlines() == [
        "2 1 user Acme renewal: May 12",
        "- Prefers concise account summaries",
        "- Works in America/New_York",
    ]


def test_the_wheel_lives_beside_a_project_with_its_own_app(tmp_path: Path) -> None:
    """From nothing to a window with samples in two minutes of this machine's time, whoever else
    uses it."""
    made = wheel(ROOT, tmp_path / "wheels")
    began = spent()
    bin_ = environment(tmp_path / "venv")
    project = tmp_path / "theirs"
    (project / "app").mkdir(parents=True)
    (project / "app" / "__init__.py").write_text("NAME = 'theirs'\n")
    (project / "pyproject.toml").write_text(
        '[project]\nname = "theirs"\nversion = "1"\n[tool.setuptools]\npackages = ["app"]\n'
    )
    installed(bin_, made)
    surroundings = {
        **os.environ,
        "HOME": str(tmp_path),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    }
    command = [bin_ / "python", "-c", WINDOW, str(tmp_path / "v.db")]
    shown = subprocess.run(command, env=surroundings, cwd=tmp_path, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert int(shown.stdout) > 10, "the samples are in the list"
    assert spent() - began < 120
    installed(bin_, project)  # type: ignore[arg-type]
    theirs = [bin_ / "python", "-c", f"import app, {PACKAGE}.app; print(app.NAME)"]
    assert subprocess.run(theirs, capture_output=True, text=True, cwd=tmp_path).stdout == "theirs\n"
    version = subprocess.run([bin_ / "keepsake-desk", "--version"], capture_output=True, text=True)
    assert version.returncode == 0, version.stderr
