"""A disk without room: a clear error, nothing lost, and forgetting still works."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.errors import DiskFull
from store.file.database import COMFORT, SIZE
from store.records import EntryDraft


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 96 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=96m", "keepsake-test", str(folder)],
            capture_output=True,
            text=True,
        )
        if shutil.which("mount") and os.geteuid() == 0
        else None
    )
    if made is None or made.returncode:
        pytest.skip("mounting a small tmpfs needs root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=False)


def fill(folder: Path, leave: int) -> Path:
    """Use the disk up but for `leave` bytes."""
    ballast = folder / "ballast"
    ballast.unlink(missing_ok=True)
    with ballast.open("wb") as file:
        left = shutil.disk_usage(folder).free - leave
        while left > 0:
            file.write(b"\x00" * min(left, 1 << 16))
            left -= 1 << 16
    return ballast


def stored(vault: Vault, content: str, key: str) -> str:
    outcome = vault.entries.store(EntryDraft(content, key=key))
    assert isinstance(outcome, Saved)
    return outcome.entry.id


def fill_at(disk: Path, vault: Vault, leave: int) -> None:
    """Write until it is refused; all that was acknowledged is there, and room can be made."""
    ballast = fill(disk, leave)
    acknowledged: list[str] = []

    def write_on() -> None:
        for number in range(20_000):
            acknowledged.append(stored(vault, "word " * 2000, f"k{leave}-{number}"))

    with pytest.raises(DiskFull, match="Forgetting and erasing memories still works"):
        write_on()
    assert all(vault.entries.read(ident) for ident in acknowledged)
    assert all(finding.ok for finding in vault.doctor.examine() if finding.check != "words")
    some = [e.id for e in vault.entries.page(limit=5).entries]
    vault.entries.forget(some)
    assert {vault.entries.read(ident).state for ident in some} == {"trashed"}
    ballast.unlink()
    vault.entries.forget(acknowledged)
    vault.database.reserve.keep()


@pytest.mark.parametrize("leave", [0, 40_000, 333_333])
def test_a_full_disk_refuses_writes_and_lets_memories_be_forgotten(
    small_disk: Path, leave: int
) -> None:
    vault = open_vault(small_disk / "v.db")
    for number in range(10):
        stored(vault, f"before {number}", f"before-{number}")
    assert vault.database.reserve.path.stat().st_size == SIZE
    fill_at(small_disk, vault, leave)
    assert stored(vault, "after", "after"), "with room again, writing works again"
    vault.close()


def test_a_vault_on_a_disk_without_any_room_opens_by_its_reserve(small_disk: Path) -> None:
    with closing(open_vault(small_disk / "v.db")) as vault:
        ident = stored(vault, "before", "before")
    fill(small_disk, 0)
    with closing(open_vault(small_disk / "v.db")) as vault:
        vault.entries.forget([ident])
        assert vault.entries.read(ident).state == "trashed"


def test_a_full_disk_is_not_called_a_damaged_vault(small_disk: Path) -> None:
    open_vault(small_disk / "v.db").close()
    (small_disk / "v.db.reserve").unlink()
    fill(small_disk, 0)
    with pytest.raises(DiskFull):
        open_vault(small_disk / "v.db")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_disk_filled_at_50_points(small_disk: Path) -> None:
    vault = open_vault(small_disk / "v.db")
    for number in range(300):
        stored(vault, f"before {number}", f"before-{number}")
    for point in range(50):
        fill_at(small_disk, vault, point * 7_919)
    vault.close()


def test_the_reserve_is_kept_only_where_there_is_plenty_of_room(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserve = vault.database.reserve
    reserve.path.unlink(missing_ok=True)
    monkeypatch.setattr(type(reserve), "free", lambda self: COMFORT - 1)
    reserve.keep()
    assert not reserve.path.exists()
    monkeypatch.setattr(type(reserve), "free", lambda self: COMFORT)
    reserve.keep()
    assert reserve.path.stat().st_mode & 0o777 == 0o600
    reserve.release()
    assert reserve.path.exists(), "the disk is not full"
    monkeypatch.setattr(type(reserve), "free", lambda self: SIZE - 1)
    reserve.release()
    assert reserve.spent()
    with pytest.raises(DiskFull):
        vault.entries.store(EntryDraft("no room"))
