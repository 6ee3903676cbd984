"""The real Secret Service, where it is installed: a keyring of its own on a bus of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
KEEP_AND_READ = """
import sys
from pathlib import Path
from app.access.secret_store import open_secrets
secrets = open_secrets(Path(sys.argv[1]))
kept = secrets.keep("writer-key", "s3cret-of-mine")
assert secrets.read("writer-key") == "s3cret-of-mine"
sys.stdout.write(kept.where)
if kept.where == "keyring":
    secrets.drop("writer-key")
    assert secrets.read("writer-key") is None
"""

pytestmark = pytest.mark.skipif(
    not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="no Secret Service is installed",
)


def on_a_bus(folder: Path, before: str) -> subprocess.CompletedProcess[str]:
    """Keep, read and drop a secret in a session of its own; `before` sets the keyring up."""
    home = folder / "bus"
    home.mkdir(mode=0o700)
    (folder / "keep.py").write_text(KEEP_AND_READ)
    script = f'{before}; exec "{sys.executable}" "{folder}/keep.py" "{folder}/data"'
    names = ("HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    environment = {name: str(home) for name in names}
    environment |= {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_a_secret_is_kept_in_an_unlocked_secret_service(short_path: Path) -> None:
    unlock = "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1"
    done = on_a_bus(short_path, unlock)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "keyring"
    assert not (short_path / "data").exists()
    kept = [path for path in (short_path / "bus").rglob("*") if path.is_file()]
    assert all(b"s3cret-of-mine" not in path.read_bytes() for path in kept)


def test_in_a_keyring_nobody_unlocks_the_secret_goes_to_the_file(short_path: Path) -> None:
    done = on_a_bus(short_path, "unset XDG_CURRENT_DESKTOP")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "file"
