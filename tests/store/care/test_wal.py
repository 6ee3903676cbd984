"""A log that was damaged after a kill is noticed; one that merely ends early is not called so."""

from __future__ import annotations

import os
import random
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.care.opening import commits
from store.errors import ReadOnly
from store.records import EntryDraft
from tests.app.care.test_restore_killed import at_each_step
from tests.fakes import FixedClock
from tests.store.care.converting import forked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")
KEY = bytes(range(32))
FRAME = 4096 + 24


def opened(path: Path, key: bytes | None = None) -> Vault:
    return open_vault(path, key=key, clock=FixedClock())


def killed_after_20_writes(path: Path, key: bytes | None = None) -> int:
    """How many frames its log has."""

    def work() -> None:
        vault = opened(path, key)
        for number in range(20):
            vault.entries.store(EntryDraft(f"number {number}", key=f"k{number}"))
        os.kill(os.getpid(), signal.SIGKILL)

    opened(path, key).close()
    forked(work)
    return (Path(f"{path}-wal").stat().st_size - 32) // FRAME


def flip(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        (byte,) = file.read(1)
        file.seek(at)
        file.write(bytes([byte ^ 0x40]))


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_flipped_byte_in_the_log_after_a_kill_is_told_and_the_log_is_kept(
    tmp_path: Path, key: bytes | None
) -> None:
    path, log = tmp_path / "v.db", tmp_path / "v.db-wal"
    frames = killed_after_20_writes(path, key)
    flip(log, 32 + FRAME * (frames // 3) + 200)
    damaged = log.read_bytes()
    with closing(opened(path, key)) as vault:
        assert vault.entries.count() < 20
        (notice,) = vault.database.notices
        assert "could not all be read" in notice
        (kept,) = vault.backups.damaged()
        assert kept.read_bytes() == damaged
        (finding,) = [one for one in vault.doctor.examine() if one.check == "damaged"]
        assert not finding.ok
        assert str(kept) in finding.detail
        kept.unlink()
        assert all(one.ok for one in vault.doctor.examine() if one.check == "damaged")
    with closing(opened(path, key)) as vault:
        assert vault.database.notices == []


@pytest.mark.parametrize("at", [17, 32 + 9, 32 + 30])
def test_a_log_whose_beginning_is_damaged_is_told(tmp_path: Path, at: int) -> None:
    path = tmp_path / "v.db"
    killed_after_20_writes(path)
    flip(tmp_path / "v.db-wal", at)
    with closing(opened(path)) as vault:
        assert len(vault.database.notices) == 1


def test_a_whole_log_and_one_torn_at_its_end_are_not_called_damaged(tmp_path: Path) -> None:
    path, log = tmp_path / "v.db", tmp_path / "v.db-wal"
    frames = killed_after_20_writes(path)
    whole = tmp_path / "whole"
    shutil.copytree(tmp_path, whole)
    assert commits(log)[-1] == frames
    with closing(opened(whole / "v.db")) as vault:
        assert (vault.database.notices, vault.entries.count()) == ([], 20)
    os.truncate(log, log.stat().st_size - 1000)
    with closing(opened(path)) as vault:
        assert (vault.database.notices, vault.entries.count()) == ([], 19)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_kill_between_a_frame_and_its_page_is_not_called_damage(
    tmp_path: Path, key: bytes | None
) -> None:
    """The engine writes what a frame is before what is in it; where a log is begun anew, an older
    page is still behind it. Nobody was told of that write."""
    path, log = tmp_path / "v.db", tmp_path / "v.db-wal"
    frames = killed_after_20_writes(path, key)
    with log.open("r+b") as file:
        file.seek(32 + FRAME * (frames - 1))
        (page, size), salts = struct.unpack(">2I", file.read(8)), file.read(8)
        file.seek(0, os.SEEK_END)
        file.write(struct.pack(">2I", page, size) + salts + bytes(8) + b"older" * 819 + b"!")
    assert commits(log)[-1] == frames + 1
    with closing(opened(path, key)) as vault:
        assert (vault.database.notices, vault.entries.count()) == ([], 20)


def test_a_flipped_byte_in_the_last_frame_that_was_acknowledged_is_told(tmp_path: Path) -> None:
    path, log = tmp_path / "v.db", tmp_path / "v.db-wal"
    flip(log, 32 + FRAME * killed_after_20_writes(path) - 200)
    with closing(opened(path)) as vault:
        assert (len(vault.database.notices), vault.entries.count()) == (1, 19)


def test_no_kill_by_itself_is_called_damage(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    opened(path).close()
    rng = random.Random(3)
    for round_ in range(12):
        number = rng.randrange(1, 4000)

        def work(number: int = number, round_: int = round_) -> None:
            def die(now: int) -> None:
                if now == number:
                    os.kill(os.getpid(), signal.SIGKILL)

            with at_each_step(die), closing(opened(path)) as vault:
                for entry in range(30):
                    vault.entries.store(EntryDraft("x" * 3000, key=f"{round_}-{entry}"))
                    vault.database.reserve.keep()

        forked(work)
        with closing(opened(path)) as vault:
            assert vault.database.notices == []


@contextmanager
def mounted_read_only(disk: Path) -> Iterator[None]:
    made = subprocess.run(["mount", "--bind", disk, disk], capture_output=True)
    if made.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)
        yield
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting needs root")
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_vault_on_read_only_media_can_be_read_and_not_changed(
    tmp_path: Path, key: bytes | None
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with closing(opened(disk / "v.db", key)) as vault:
        vault.entries.store(EntryDraft("Vegetarian", key="diet"))
    with mounted_read_only(disk), closing(opened(disk / "v.db", key)) as vault:
        assert [entry.key for entry in vault.entries.page().entries] == ["diet"]
        assert vault.export.to_zip(tmp_path / "out.zip").entries == 1
        with pytest.raises(ReadOnly, match="can be read and not changed"):
            vault.entries.store(EntryDraft("no"))
    killed_after_20_writes(disk / "v.db", key)
    with mounted_read_only(disk), closing(opened(disk / "v.db", key)) as vault:
        assert vault.entries.count() == 21, "with its log, where its index is there too"
    (disk / "v.db-shm").unlink()
    with mounted_read_only(disk), pytest.raises(ReadOnly, match=r"still in v\.db-wal"):
        opened(disk / "v.db", key)
