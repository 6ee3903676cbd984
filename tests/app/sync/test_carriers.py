"""Real carriers: a bare git repository, and a pair of Syncthing on this machine."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from app.vault import Vault
from tests.app.sync.conftest import MachineMaker
from tests.app.sync.test_machines import store, told


def git(where: Path, *words: str) -> None:
    who = ("-c", "user.name=k", "-c", "user.email=k@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *words], cwd=where, check=True, capture_output=True)


def carried_by_git(vault: Vault, folder: Path) -> None:
    """What a person does: commit, pull, sync, commit, push."""
    for _ in range(2):
        git(folder, "add", "-A")
        git(folder, "commit", "--allow-empty", "-m", "memory")
        git(folder, "pull", "--no-rebase", "--no-edit", "origin", "main")
        vault.machines.sync()
    git(folder, "add", "-A")
    git(folder, "commit", "--allow-empty", "-m", "memory")
    git(folder, "push", "origin", "HEAD:main")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_over_a_bare_git_repository(machine: MachineMaker, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "init", "--bare", "-b", "main", str(bare))
    laptop, desk = machine("laptop"), machine("desk")
    one, two = tmp_path / "one", tmp_path / "two"
    git(tmp_path, "clone", str(bare), str(one))
    store(laptop, "Tea in the morning. Bread at noon.", key="food")
    phrase = laptop.machines.add(one, "laptop")
    git(one, "add", "-A")
    git(one, "commit", "-m", "memory")
    git(one, "push", "origin", "HEAD:main")
    git(tmp_path, "clone", "-b", "main", str(bare), str(two))
    desk.machines.join(two, phrase, "desk")
    store(laptop, "Green tea in the morning. Bread at noon.", key="food")
    store(desk, "Tea in the morning. Bread and cheese at noon.", key="food")
    for _ in range(2):
        carried_by_git(desk, two)
        carried_by_git(laptop, one)
    assert told(laptop) == told(desk)
    assert told(desk) == {"food": "Green tea in the morning. Bread and cheese at noon."}
    entry = laptop.memory.entries.find("food")
    assert entry is not None
    laptop.erasure.erase([entry.id])
    for _ in range(2):
        carried_by_git(laptop, one)
        carried_by_git(desk, two)
    assert told(desk) == {}
    carried_by_git(laptop, one)
    assert laptop.machines.status().erasing == ()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Node:
    """One Syncthing, which looks at nothing but loopback."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.listen, self.gui = free_port(), free_port()
        subprocess.run(
            ["syncthing", "generate", f"--home={home}", "--no-default-folder"],
            check=True,
            capture_output=True,
        )
        self.ident = self._config().find("device").get("id")  # type: ignore[union-attr]

    def _config(self) -> ET.Element:
        return ET.parse(self.home / "config.xml").getroot()

    def join(self, other: Node) -> None:
        root = self._config()
        gui, options = root.find("gui"), root.find("options")
        assert gui is not None
        assert options is not None
        address = gui.find("address")
        assert address is not None
        address.text = f"127.0.0.1:{self.gui}"
        wanted = {
            "listenAddress": f"tcp://127.0.0.1:{self.listen}",
            **dict.fromkeys(
                ("globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled"), "false"
            ),
            **{"natEnabled": "false", "crashReportingEnabled": "false", "urAccepted": "-1"},
            **{"autoUpgradeIntervalH": "0", "startBrowser": "false"},
        }
        for name, value in wanted.items():
            found = options.find(name)
            found = ET.SubElement(options, name) if found is None else found
            found.text = value
        device = ET.SubElement(root, "device", id=str(other.ident), name="other")
        ET.SubElement(device, "address").text = f"tcp://127.0.0.1:{other.listen}"
        folder = ET.SubElement(
            *(root, "folder"),
            **{"id": "carried", "path": str(self.folder), "type": "sendreceive"},
            **{"rescanIntervalS": "5", "fsWatcherEnabled": "true", "fsWatcherDelayS": "1"},
        )
        for one in (self.ident, other.ident):
            ET.SubElement(folder, "device", id=str(one))
        ET.ElementTree(root).write(self.home / "config.xml")

    @contextmanager
    def running(self) -> Iterator[None]:
        command = ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-upgrade"]
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                yield
            finally:
                process.terminate()
                process.wait(30)


def until(done: bool | object, seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not done():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not arrive"
        time.sleep(0.5)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(shutil.which("syncthing") is None, reason="needs syncthing")
def test_over_a_pair_of_syncthing(machine: MachineMaker, tmp_path: Path) -> None:
    laptop, desk = machine("laptop"), machine("desk")
    folders = [tmp_path / "one", tmp_path / "two"]
    nodes = [Node(tmp_path / f"node{number}", folder) for number, folder in enumerate(folders)]
    for folder in folders:
        folder.mkdir()
    nodes[0].join(nodes[1])
    nodes[1].join(nodes[0])
    store(laptop, "Tea in the morning. Bread at noon.", key="food")
    phrase = laptop.machines.add(folders[0], "laptop")
    with ExitStack() as running:
        for node in nodes:
            running.enter_context(node.running())

        def in_step(*, erased: bool = False) -> bool:
            for vault in (laptop, desk):
                vault.machines.sync()
            return told(laptop) == told(desk) and (not erased or told(desk) == {})

        until(lambda: len(list(folders[1].glob("*.keepsake"))) >= 2)
        desk.machines.join(folders[1], phrase, "desk")
        until(in_step)
        store(laptop, "Green tea in the morning. Bread at noon.", key="food")
        store(desk, "Tea in the morning. Bread and cheese at noon.", key="food")
        until(in_step)
        assert told(desk) == {"food": "Green tea in the morning. Bread and cheese at noon."}
        entry = laptop.memory.entries.find("food")
        assert entry is not None
        laptop.erasure.erase([entry.id])
        until(lambda: in_step(erased=True))
        until(lambda: in_step() and laptop.machines.status().erasing == ())
        assert not list(folders[0].glob("*conflict*"))
