"""What the tests themselves stand on is no machine's, and nobody's own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import platformdirs
import pytest

from app.access.secret_store import system_keyring
from app.default_vault import default_path, runtime_folder
from tests import surroundings
from tests.test_layers import sources

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ("app", "ui", "store")
A_PERSONS = {
    "HOME": "/home/someone",
    "XDG_RUNTIME_DIR": "/run/user/4711",
    "TMPDIR": "/tmp",
    "DISPLAY": ":4711",
    "WAYLAND_DISPLAY": "wayland-4711",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/4711/bus",
    "PYTHON_KEYRING_BACKEND": "keyring.backends.SecretService.Keyring",
    "QT_QPA_PLATFORM": "xcb",
    "QT_SCALE_FACTOR": "3",
    "KEEPSAKE_VAULT": "/home/someone/vault.db",
    "GIT_DIR": "/home/someone/.git",
    "COLUMNS": "40",
    "http_proxy": "http://127.0.0.1:9",
}
A_MACHINES = {
    "LANG": "de_DE.UTF-8",
    "LC_TIME": "fr_FR.UTF-8",
    "LANGUAGE": "de:fr",
    "TZ": "Pacific/Kiritimati",
    "FONTCONFIG_FILE": "/etc/somewhere/fonts.conf",
}
VARIABLE = re.compile(r'"([A-Z][A-Z_]{3,})"')
PINNED = """
import json, os, sys, time
from tests import surroundings
folder = surroundings.pin(as_is=sys.argv[1] == "as is")
print(json.dumps([dict(os.environ), time.localtime(0).tm_hour]))
surroundings.leave(folder)
"""


def pinned(how: str, **more: str) -> tuple[dict[str, str], int]:
    """The environment on a machine that has all that, and what hour the epoch began there."""
    ran = subprocess.run(
        [sys.executable, "-c", PINNED, how],
        cwd=ROOT,
        env={**os.environ, **A_PERSONS, **A_MACHINES, **more},
        capture_output=True,
        text=True,
        check=True,
    )
    environment, hour = json.loads(ran.stdout)
    return environment, hour


@pytest.mark.parametrize("how", ["pinned", "as is"])
def test_nothing_of_the_persons_own_is_left(how: str) -> None:
    environment, _ = pinned(how)
    assert {n: v for n, v in A_PERSONS.items() if environment.get(n) == v} == {}
    assert environment["QT_QPA_PLATFORM"] == "offscreen"
    assert not Path(environment["HOME"]).exists()  # gone with the tests


@pytest.mark.parametrize("how", ["pinned", "as is"])
def test_nothing_the_program_asks_the_environment_for_is_the_persons(how: str) -> None:
    """One variable that names the folder of a client is enough for a test to write into it."""
    texts = [path.read_text("utf-8") for name in PROGRAM for path in sources(name)]
    asked = {name for text in texts if "environ" in text for name in VARIABLE.findall(text)}
    asked -= {*A_MACHINES, "LC_ALL", "POSIX"}  # the machine's, and a word for its language
    assert asked > {"CLAUDE_CONFIG_DIR", "KEEPSAKE_OWNER_TOKEN", "XDG_ACTIVATION_TOKEN", "EDITOR"}
    environment, _ = pinned(how, **dict.fromkeys(asked, "a person's"))
    assert [name for name in sorted(asked) if environment.get(name) == "a person's"] == []


def test_the_machine_is_the_same_everywhere() -> None:
    environment, hour = pinned("pinned")
    assert {n: v for n, v in A_MACHINES.items() if environment.get(n) == v} == {}
    assert hour == 0


def test_as_is_the_machine_is_met() -> None:
    environment, hour = pinned("as is")
    assert A_MACHINES.items() <= environment.items()
    assert hour != 0


def test_these_tests_are_pinned(tmp_path: Path) -> None:
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
    assert not {"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"} & os.environ.keys()
    assert system_keyring() is None
    places = (default_path(), runtime_folder(), Path.home(), platformdirs.user_cache_path())
    assert all(tmp_path in place.parents for place in places)


@pytest.mark.utc
def test_what_is_marked_so_is_in_utc() -> None:
    assert time.localtime(0).tm_hour == 0


def test_a_zone_is_left_again() -> None:
    before = time.localtime(0)
    with surroundings.zone("Pacific/Kiritimati"):
        east = time.localtime(0)
    assert time.localtime(0) == before
    with surroundings.zone("Etc/GMT+12"):
        west = time.localtime(0)
    assert time.localtime(0) == before
    assert (east.tm_hour, west.tm_hour) == (13, 12)
