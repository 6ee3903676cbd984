"""The Debian package in a clean root: installed, shown on a display, asked by an agent.

Needs root, debootstrap, dpkg-dev, Xvfb, openbox and xdotool, and takes minutes. `KEEPSAKE_DEB`
names a package that is made already."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.ui.display.conftest import display as display

NEEDED = ("debootstrap", "dpkg-shlibdeps", "Xvfb", "openbox", "xdotool", "chroot", "mount")
LACKING = [name for name in NEEDED if shutil.which(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1_500),
    pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}"),
    pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root"),
]
MEGABYTE = 1_000_000
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "probe", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if given := os.environ.get("KEEPSAKE_DEB"):
        return Path(given)
    from make_deb import make

    return make(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The smallest Debian there is, with this machine's /proc and /dev."""
    folder = tmp_path_factory.mktemp("root")
    release = Path("/etc/os-release").read_text("utf-8")
    suite = next(
        line.partition("=")[2].strip('"')
        for line in release.splitlines()
        if line.startswith("VERSION_CODENAME=")
    )
    subprocess.run(
        ["debootstrap", "--variant=minbase", suite, str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    for name in ("proc", "dev"):
        subprocess.run(["mount", "--bind", f"/{name}", str(folder / name)], check=True)
    yield folder
    for name in ("proc", "dev"):
        subprocess.run(["umount", str(folder / name)], check=True)


def inside(root: Path, *command: str, **more: str) -> list[str]:
    said = [f"{name}={value}" for name, value in more.items()]
    bare = ["HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]
    return ["chroot", str(root), "env", "-i", *bare, *said, *command]


def answered(root: Path, *command: str, **more: str) -> str:
    done = subprocess.run(
        inside(root, *command, **more), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_from_the_first_command_to_a_window_with_samples(
    package: Path, root: Path, display: str, record_property: Callable[[str, object], None]
) -> None:
    assert package.stat().st_size <= 150 * MEGABYTE
    answered(root, "apt-get", "update", "-q")
    shutil.copy(package, root / "tmp/keepsake.deb")
    began = time.monotonic()
    install = ("apt-get", "install", "-y", "-q", "--no-install-recommends", "/tmp/keepsake.deb")
    answered(root, *install, DEBIAN_FRONTEND="noninteractive")
    port = free_port()  # the usual one may be another Keepsake's: the network is this machine's
    answered(root, "keepsake", "settings", "api_port", str(port))
    window = subprocess.Popen(
        inside(root, "keepsake", DISPLAY=display),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _press_space(display)  # on the first card: start with samples
        seconds = 120 - (time.monotonic() - began)
        assert _until_many(root, seconds) > 20
        record_property("seconds to a window with samples", round(time.monotonic() - began))
        _is_served(root, port)
        assert window.poll() is None, "the window is open"
    finally:
        window.terminate()
        _, errors = window.communicate(timeout=20)
    assert errors == ""


def test_what_is_installed(package: Path, root: Path) -> None:
    listed = answered(root, "dpkg", "-L", "keepsake-desk").split("\n")
    held = [path for path in {root / name.lstrip("/") for name in listed if name} if path.is_file()]
    assert sum(path.lstat().st_size for path in held) <= 400 * MEGABYTE
    for name in (
        "/usr/share/applications/io.github.keepsake_desk.Keepsake.desktop",
        "/usr/share/metainfo/io.github.keepsake_desk.Keepsake.metainfo.xml",
        "/usr/share/mime/packages/io.github.keepsake_desk.Keepsake.xml",
        "/usr/share/man/man1/keepsake.1.gz",
        "/usr/share/bash-completion/completions/keepsake",
        "/usr/share/zsh/vendor-completions/_keepsake",
        "/usr/share/fish/vendor_completions.d/keepsake.fish",
        "/usr/share/icons/hicolor/16x16/apps/io.github.keepsake_desk.Keepsake.png",
        "/usr/share/icons/hicolor/512x512/apps/io.github.keepsake_desk.Keepsake.png",
    ):
        assert name in listed
    completed = answered(
        root,
        "keepsake",
        _KEEPSAKE_COMPLETE="bash_complete",
        COMP_WORDS="keepsake hyd",
        COMP_CWORD="1",
    )
    assert completed.strip() == "plain,hydrate"


def test_an_agent_connects(root: Path) -> None:
    told = answered(root, "keepsake", "agents", "add", "probe", "--json")
    token = json.loads(told)["token"]
    answered(root, "keepsake", "store", "--key", "tea", "--scope", "agent:probe", "Green tea only")
    done = subprocess.run(
        inside(root, "keepsake", "mcp", KEEPSAKE_TOKEN=token),
        input=json.dumps(HELLO) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    answer = json.loads(done.stdout.splitlines()[0])
    assert "Green tea only" in answer["result"]["instructions"]


def _press_space(display: str) -> None:
    environment = {**os.environ, "DISPLAY": display}
    search = ["xdotool", "search", "--onlyvisible", "--sync", "--name", "^Keepsake$"]
    found = subprocess.run(
        search, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    time.sleep(2)  # until the cards take keys
    keys = ["xdotool", "windowfocus", "--sync", found.stdout.split()[-1], "key", "space"]
    subprocess.run(keys, env=environment, check=True, timeout=60)


def _until_many(root: Path, seconds: float) -> int:
    end, count = time.monotonic() + seconds, 0
    while count <= 20 and time.monotonic() < end:
        time.sleep(0.5)
        count = len(json.loads(answered(root, "keepsake", "list", "--json"))["entries"])
    return count


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _is_served(root: Path, port: int) -> None:
    token = answered(root, "keepsake", "token").strip()
    request = Request(
        f"http://127.0.0.1:{port}/api/v1/memory/entries?limit=1",
        headers={"Authorization": f"Bearer {token}"},
    )
    end = time.monotonic() + 40  # it comes after the window, in its own time
    while True:
        try:
            with urlopen(request, timeout=20) as answer:
                assert json.load(answer)["entries"]
                return
        except URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.5)
