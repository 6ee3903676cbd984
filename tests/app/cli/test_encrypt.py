"""Encrypting from a terminal, with the real program; and with the real Secret Service where it is
installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from app.care import vault_key
from app.care.vault_key import read_key, recovery_key
from app.cli import command as cli
from app.cli.command import build
from app.vault import open_vault
from store.file.database import header_of, is_plain
from store.records import EntryDraft
from tests.app.access.test_secret_store import MemoryKeyring

ROOT = Path(__file__).parents[3]
KEY = recovery_key(bytes(range(32)))
SECRET = "The vault code is xyloquartzite"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "data" / "v.db"
    vault = open_vault(made)
    vault.entries.store(EntryDraft(SECRET, key="code"))
    vault.backups.now()
    vault.close()
    return made


def environment(path: Path, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    backend = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    return {**kept, **backend, "KEEPSAKE_VAULT": str(path), **more}


def program(
    path: Path, *arguments: str, stdin: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ui.main", *arguments],
        cwd=ROOT,
        env=environment(path, **more),
        capture_output=True,
        text=True,
        input=stdin,
        timeout=100,
    )


def told(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def on_disk(path: Path) -> bytes:
    return b"\x00".join(file.read_bytes() for file in path.parent.rglob("*") if file.is_file())


def test_there_and_back_with_a_key_that_was_given(path: Path) -> None:
    done = told(program(path, "encrypt", "--yes", "--json", KEEPSAKE_KEY=KEY))
    assert (done["encrypted"], done["backups"], done["key"]) == (True, 1, "given")
    assert done["recovery_key"] is None
    assert b"xyloquartz" not in on_disk(path)
    entries = told(program(path, "list", "--json", KEEPSAKE_KEY=KEY))["entries"]
    assert [entry["content"] for entry in entries] == [SECRET]
    done = told(program(path, "decrypt", "--yes", "--json", KEEPSAKE_KEY=KEY))
    assert (done["encrypted"], done["backups"]) == (False, 1)
    assert told(program(path, "list", "--json"))["entries"] == entries


@pytest.mark.parametrize("door", [["list"], ["serve", "--port", "0"], ["mcp"], ["doctor"]])
def test_every_door_stays_shut_without_the_key_and_says_what_to_do(
    path: Path, door: list[str]
) -> None:
    told(program(path, "encrypt", "--yes", "--json", KEEPSAKE_KEY=KEY))
    refused = program(path, *door)
    assert refused.returncode == 1
    assert "keepsake unlock" in refused.stderr
    assert refused.stdout == ""


def test_the_key_of_another_vault_is_told(path: Path) -> None:
    told(program(path, "encrypt", "--yes", "--json", KEEPSAKE_KEY=KEY))
    refused = program(path, "list", KEEPSAKE_KEY=recovery_key(bytes(32)))
    assert refused.returncode == 1
    assert "is not the key" in refused.stderr


def test_without_a_keyring_and_a_key_nothing_is_encrypted(path: Path) -> None:
    refused = program(path, "encrypt", "--yes")
    assert refused.returncode == 1
    assert "KEEPSAKE_KEY_FILE" in refused.stderr
    assert is_plain(header_of(path))
    made = program(path, "encrypt", "--make-key")
    assert len(read_key(made.stdout)) == 32


def test_without_a_keyring_the_old_key_and_a_new_one_are_given(path: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "old.key", recovery_key(bytes(32))
    file.write_text(KEY)
    file.chmod(0o600)
    old = {"KEEPSAKE_KEY_FILE": str(file)}
    told(program(path, "encrypt", "--yes", "--json", **old))
    refused = program(path, "encrypt", "--new-key", "--yes", **old)
    assert (refused.returncode, "give both" in refused.stderr) == (1, True)
    told(program(path, "encrypt", "--new-key", "--yes", "--json", KEEPSAKE_KEY=new, **old))
    assert told(program(path, "list", "--json", KEEPSAKE_KEY=new))["entries"]
    assert "is not the key" in program(path, "list", **old).stderr


def test_unlocking_without_a_keyring_says_where_the_key_goes(path: Path) -> None:
    told(program(path, "encrypt", "--yes", "--json", KEEPSAKE_KEY=KEY))
    refused = program(path, "unlock", KEEPSAKE_KEY=KEY)
    assert refused.returncode == 1
    assert "That is the key of this vault" in refused.stderr
    assert "--make-key" not in refused.stderr


def test_a_vault_that_is_served_is_refused_by_name(path: Path) -> None:
    served = subprocess.Popen(
        [sys.executable, "-m", "ui.main", "serve", "--port", "0", "--quiet"],
        cwd=ROOT,
        env=environment(path),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert served.stdout is not None
    assert json.loads(served.stdout.readline())["pid"] == served.pid
    refused = program(path, "encrypt", "--yes", KEEPSAKE_KEY=KEY)
    served.terminate()
    served.communicate(timeout=30)
    assert refused.returncode == 1
    assert "end keepsake serve" in refused.stderr
    if sys.platform == "linux":
        assert str(served.pid) in refused.stderr
    assert is_plain(header_of(path))
    told(program(path, "encrypt", "--yes", "--json", KEEPSAKE_KEY=KEY))


# With a keyring, in this process


@pytest.fixture
def keepsake(path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    backend = MemoryKeyring()
    monkeypatch.setattr(vault_key, "system_keyring", lambda: backend)

    def run(*arguments: str, stdin: str | None = None) -> Result:
        command = build(lambda vault, ephemeral: 2)
        return CliRunner().invoke(
            command, arguments, input=stdin, env={"KEEPSAKE_VAULT": str(path)}
        )

    run.backend = backend  # type: ignore[attr-defined]
    return run


def shown_key(output: str) -> bytes:
    return read_key("".join(line for line in output.splitlines() if line.startswith("    ")))


def test_the_recovery_key_is_shown_and_opens_it_on_another_machine(keepsake, path: Path) -> None:  # type: ignore[no-untyped-def]
    done = keepsake("encrypt", "--yes")
    assert "write it down" in done.output
    key = shown_key(done.output)
    assert keepsake.backend.held.popitem()[1] == key.hex()
    assert keepsake("list").exit_code == 1
    assert keepsake("unlock", stdin="no key\n").exit_code == 1
    assert keepsake("unlock", stdin=recovery_key(bytes(32)) + "\n").exit_code == 1
    assert not keepsake.backend.held
    assert keepsake("unlock", stdin=recovery_key(key).lower() + "\n").exit_code == 0
    assert SECRET in keepsake("list").output


def test_nothing_is_shown_or_done_before_it_was_agreed_to(keepsake, path: Path) -> None:  # type: ignore[no-untyped-def]
    refused = keepsake("encrypt")
    assert refused.exit_code == 1
    assert "--yes" in refused.output
    assert not keepsake.backend.held
    assert is_plain(header_of(path))
    keepsake("encrypt", "--yes")
    assert keepsake("decrypt").exit_code == 1
    assert not is_plain(header_of(path))


def test_a_new_key_makes_the_old_one_worthless(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert keepsake("encrypt", "--new-key", "--yes").exit_code == 1
    old = shown_key(keepsake("encrypt", "--yes").output)
    assert keepsake("encrypt", "--yes").exit_code == 1
    new = read_key(
        json.loads(keepsake("encrypt", "--new-key", "--yes", "--json").output)["recovery_key"]
    )
    assert old != new
    assert list(keepsake.backend.held.values()) == [new.hex()]
    assert SECRET in keepsake("list").output
    keepsake.backend.held.clear()
    assert keepsake("unlock", stdin=recovery_key(old)).exit_code == 1


def test_backups_can_be_removed_with_it_and_the_doctor_knows(keepsake) -> None:  # type: ignore[no-untyped-def]
    assert "not encrypted" in keepsake("doctor").output
    assert "removed 1 backup" in keepsake("encrypt", "--drop-backups", "--yes").output
    assert keepsake("backup", "list").output.startswith("No backups yet")
    assert "the vault and its backups are encrypted" in keepsake("doctor").output


def test_a_plain_or_throw_away_vault_has_nothing_to_unlock(keepsake) -> None:  # type: ignore[no-untyped-def]
    for command in ("unlock", "decrypt"):
        assert "not encrypted" in str(keepsake(command, stdin="\n").exception)
    assert "throw-away" in str(keepsake("encrypt", "--ephemeral", "--yes").exception)


# With the real Secret Service


@pytest.mark.skipif(
    not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="no Secret Service is installed",
)
def test_the_key_is_kept_in_the_real_keyring(path: Path, short_path: Path) -> None:
    home = short_path
    run = f'"{sys.executable}" -m ui.main'
    script = (
        "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
        f"{run} encrypt --yes --json >/dev/null && {run} list && {run} decrypt --yes && {run} list"
    )
    names = ("HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    done = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        env={
            **dict.fromkeys(names, str(home)),
            "PATH": os.environ["PATH"],
            "KEEPSAKE_VAULT": str(path),
        },
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(SECRET) == 2
    assert is_plain(header_of(path))


def test_a_locked_vault_opens_for_who_types_its_key_only(
    keepsake,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,  # type: ignore[no-untyped-def]
) -> None:
    key = shown_key(keepsake("encrypt", "--yes").output)
    assert SECRET in keepsake("list").output
    assert "keepsake --ask" in keepsake("lock").output
    assert not keepsake.backend.held
    assert keepsake("list").exit_code == 1
    silent = keepsake("--ask", "list", stdin=recovery_key(key) + "\n")
    assert silent.exit_code == 1  # a program that pipes it in is no person
    assert SECRET not in silent.output
    monkeypatch.setattr(cli, "ask_for_key", lambda: monkeypatch.setenv("KEEPSAKE_KEY", key.hex()))
    assert SECRET in keepsake("--ask", "list").output


def test_connecting_says_that_the_client_will_not_have_the_key(keepsake, path: Path) -> None:  # type: ignore[no-untyped-def]
    key = shown_key(keepsake("encrypt", "--yes").output)
    assert "will not have" not in keepsake("connect", "cursor").output
    keepsake("lock")
    given = CliRunner().invoke(
        build(lambda vault, ephemeral: 2),
        ["connect", "cursor"],
        env={"KEEPSAKE_VAULT": str(path), "KEEPSAKE_KEY": key.hex()},
    )
    assert given.exit_code == 0
    assert "the client will not have" in given.output.replace("\n", " ")
