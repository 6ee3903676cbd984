"""From plain to encrypted and back: nothing is lost, nothing is left, whenever it is cut short."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.care import backups, rekeyed_copy
from store.care.conversion import convert
from store.care.file_swap import former, wipe
from store.care.opening import open_database
from store.errors import Busy, Damaged, DiskFull, Locked, NotAVault, ReadOnly, WrongKey
from store.file import locks
from store.file.database import connect, fingerprint, is_foreign, key_name_in, salt_of
from tests.fakes import FixedClock
from tests.store.care import converting
from tests.store.care.converting import CANARY, FIRST, KEYS, SECOND, dump, key_of, reopened

ROOT = Path(__file__).parents[3]
WAYS = [(None, FIRST), (FIRST, None), (FIRST, SECOND)]
NAMED = ["encrypt", "decrypt", "another key"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "origin" / "v.db"
    converting.a_full_vault(made)
    return made


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def raw(folder: Path) -> bytes:
    return b"\x00".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_every_table_survives_the_way_there_and_back_byte_for_byte(path: Path) -> None:
    before = dump(path, None)
    empty = [name for name, held in before.items() if not held]
    assert empty == [], "a table without rows proves nothing"
    assert convert(path, None, FIRST).backups == 1
    assert dump(path, FIRST) == before
    assert convert(path, FIRST, SECOND).backups == 1
    assert dump(path, SECOND) == before
    convert(path, SECOND, None)
    assert dump(path, None) == before


def test_no_word_is_left_in_any_file(path: Path) -> None:
    database = open_database(path, clock=FixedClock())
    with database.write() as db:
        db.execute("INSERT INTO settings VALUES ('in the WAL', :text)", {"text": CANARY})
    database.close()
    assert CANARY.encode() in raw(path.parent)
    before = names(path.parent)
    done = convert(path, None, FIRST)
    assert done.overwritten
    assert CANARY.encode() not in raw(path.parent)
    assert names(path.parent) == before


def test_the_wal_of_a_killed_writer_goes_along_and_its_bytes_are_overwritten(path: Path) -> None:
    with another(OPEN, path) as writer:
        assert said(writer) == "open"
        writer.kill()
    wal = Path(f"{path}-wal")
    assert b"by another" in wal.read_bytes()
    with wal.open("rb") as held:
        convert(path, None, FIRST)
        left = held.read()
    assert left
    assert not left.strip(b"\x00")
    assert not wal.exists()
    with reopened(path).read() as db:
        assert db.execute("SELECT 1 FROM settings WHERE name = 'by another'").fetchone()


def test_new_files_are_their_owners_alone(path: Path) -> None:
    convert(path, None, FIRST)
    files = [path, *(backup.path for backup in backups.listed(path))]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_progress_is_told_and_ends_whole(path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    convert(path, None, FIRST, progress=lambda *now: told.append(now))
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert told[-1][0] == told[-1][1] > 0
    assert {name for _, _, name in told} >= {"v.db"}


def test_backups_are_dropped_when_asked(path: Path) -> None:
    assert convert(path, None, FIRST, drop_backups=True).dropped == 1
    assert backups.listed(path) == []


def test_a_backup_that_cannot_be_converted_stops_it_with_nothing_changed(path: Path) -> None:
    backup = backups.listed(path)[0].path
    torn = backup.read_bytes()[:-5_000]
    backup.write_bytes(torn)
    before = names(path.parent)
    with pytest.raises(Damaged, match="--drop-backups"):
        convert(path, None, FIRST)
    assert key_of(path) is None
    assert backup.read_bytes() == torn
    assert names(path.parent) == before


def test_what_was_left_beside_the_backups_does_not_stay_readable(path: Path) -> None:
    left = backups.listed(path)[0].path.with_suffix(".partial")
    damaged = left.with_suffix(".damaged")
    for file in (left, damaged):
        file.write_text(CANARY)
    with pytest.raises(Damaged, match="Move it away"):
        convert(path, None, FIRST)
    assert key_of(path) is None
    assert damaged.read_text() == CANARY
    convert(path, None, FIRST, drop_backups=True)
    assert not left.exists()
    assert not damaged.exists()
    assert CANARY.encode() not in raw(path.parent)


def test_a_damaged_vault_is_not_converted(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    middle = len(whole) // 4096 // 2 * 4096
    whole[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(bytes(whole))
    with pytest.raises(Damaged):
        convert(path, None, FIRST)
    assert path.read_bytes() == bytes(whole)


def test_a_copy_that_is_not_the_same_is_never_put_in_place(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(path, None)
    told = rekeyed_copy.summary
    monkeypatch.setattr(rekeyed_copy, "summary", lambda db: {**told(db), "which": id(db)})
    with pytest.raises(Damaged, match="does not hold all"):
        convert(path, None, FIRST)
    assert dump(path, None) == before


def test_a_file_that_cannot_be_replaced_is_told_and_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, listing = dump(path, None), names(path.parent)

    def refused(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(ReadOnly, match="Permission denied"):
        convert(path, None, FIRST)
    assert dump(path, None) == before
    assert names(path.parent) == listing


def test_a_disk_without_room_for_both_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(path.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with pytest.raises(DiskFull, match="--drop-backups"):
        convert(path, None, FIRST)
    assert key_of(path) is None


def test_a_vault_reached_by_a_link_is_converted_where_it_is(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(path)
    opened = reopened(link)
    with pytest.raises(Busy):
        convert(path, None, FIRST, wait=0)
    opened.close()
    convert(link, None, FIRST)
    assert link.is_symlink()
    assert key_of(path) == FIRST
    assert {key_of(backup.path) for backup in backups.listed(path)} == {FIRST}


# Keys


def test_a_wrong_key_is_told_apart_from_a_damaged_file(path: Path) -> None:
    convert(path, None, FIRST)
    with pytest.raises(WrongKey):
        open_database(path, key=SECOND, clock=FixedClock())
    with pytest.raises(Locked):
        open_database(path, clock=FixedClock())
    whole = bytearray(path.read_bytes())
    whole[200] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(Damaged):
        open_database(path, key=FIRST, clock=FixedClock())


def test_damage_further_in_is_damage(path: Path) -> None:
    convert(path, None, FIRST)
    whole = bytearray(path.read_bytes())
    for page in range(1, len(whole) // 4096):
        whole[page * 4096 + 50] ^= 1
    path.write_bytes(bytes(whole))
    with pytest.raises(Damaged), reopened(path).read() as db:
        db.execute("SELECT * FROM entries").fetchall()


def test_a_key_for_a_plain_vault_is_refused(path: Path) -> None:
    with pytest.raises(WrongKey, match="not encrypted"):
        open_database(path, key=FIRST, clock=FixedClock())


def test_a_vault_can_be_born_encrypted(tmp_path: Path) -> None:
    born = tmp_path / "born.db"
    open_database(born, key=FIRST, clock=FixedClock()).close()
    assert key_of(born) == FIRST
    reopened(born).close()


def test_the_first_bytes_tell_what_a_file_is() -> None:
    assert is_foreign(b"hello, I am a text")
    assert is_foreign(b"KPSA")
    assert not is_foreign(b"")
    assert key_name_in(salt_of(FIRST)) == fingerprint(FIRST)
    assert fingerprint(FIRST) != fingerprint(SECOND)
    assert FIRST[:4] not in salt_of(FIRST)


def test_a_text_that_begins_like_a_vault_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"KPSA")
    with pytest.raises(NotAVault):
        open_database(path, clock=FixedClock())


# Others who have it open

OPEN = """
import sys
from pathlib import Path
from tests.store.care.converting import reopened
database = reopened(Path(sys.argv[1]))
with database.write() as db:
    db.execute("INSERT INTO settings VALUES ('by another', '1')")
print("open", flush=True)
sys.stdin.readline()
database.close()
"""
CONVERT = """
import sys, time
from pathlib import Path
from store.care.conversion import convert
from tests.store.care.converting import FIRST
print("ready", flush=True)
def slowly(done, total, name):
    if done == 0 or name == "":
        print("converting", flush=True)
        time.sleep(0.5)
convert(Path(sys.argv[1]), None, FIRST, progress=slowly)
"""


def another(program: str, path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_nothing_is_converted_while_another_process_has_it_open(path: Path) -> None:
    with another(OPEN, path) as other:
        assert said(other) == "open"
        with pytest.raises(Busy) as refused:
            convert(path, None, FIRST, wait=0.2)
        if sys.platform == "linux":
            assert str(other.pid) in str(refused.value)
        assert key_of(path) is None
        other.communicate("\n", timeout=30)
    assert convert(path, None, FIRST, wait=0.2).size
    with reopened(path).read() as db:
        assert db.execute("SELECT 1 FROM settings WHERE name = 'by another'").fetchone()


def test_who_opens_it_meanwhile_waits_and_finds_the_new_one(path: Path) -> None:
    with another(CONVERT, path) as other:
        assert said(other) == "ready"
        assert said(other) == "converting"
        started = time.monotonic()
        database = reopened(path)
        assert time.monotonic() - started > 0.1
        assert database.encrypted
        with database.write() as db:
            db.execute("INSERT INTO settings VALUES ('after', '1')")
        other.communicate(timeout=30)
    database.close()
    assert "('after', '1')" in dump(path, FIRST)["settings"]


def test_who_waits_too_long_is_told_why(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = locks.alone(path)
    with pytest.raises(Busy, match="being encrypted or decrypted"):
        locks.share(path, 0.1)
    held.close()
    locks.share(path, 0.1).close()


def test_a_vault_is_held_until_its_last_connection_is_back(path: Path) -> None:
    database = reopened(path)
    inside, leave = threading.Event(), threading.Event()

    def read() -> None:
        with database.read():
            inside.set()
            leave.wait(10)

    reader = threading.Thread(target=read)
    reader.start()
    inside.wait(10)
    database.close()
    with pytest.raises(Busy):
        locks.alone(path, 0)
    leave.set()
    reader.join()
    locks.alone(path, 0).close()


def test_where_no_lock_can_be_made_the_vault_opens_without(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(locks.os, "open", refused)
    locks.share(path).close()
    with pytest.raises(Busy, match="cannot be locked"):
        locks.alone(path)


def test_another_programs_connection_is_noticed(path: Path) -> None:
    foreign = connect(path)
    foreign.execute("BEGIN")
    foreign.execute("SELECT * FROM entries").fetchall()
    with pytest.raises(Busy):
        convert(path, None, FIRST)
    foreign.close()
    assert key_of(path) is None


# Cut short


@pytest.fixture(params=WAYS, ids=NAMED)
def way(request: pytest.FixtureRequest, path: Path) -> tuple[bytes | None, bytes | None]:
    old, new = request.param
    if old:
        convert(path, None, old)
    return old, new


def copies_of_the_dying(
    path: Path, what: str, way: tuple[bytes | None, bytes | None], limit: int
) -> Iterator[tuple[Path, bool]]:
    keys = [(key or b"").hex() for key in way]
    program = [sys.executable, "-m", "tests.store.care.converting", what, str(path.parent), *keys]
    done = subprocess.run(
        [*program, str(limit)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        copy, _, ended = line.rpartition(" ")
        yield Path(copy), ended == "1"


def check_whole(copy: Path, before: dict[str, object], listing: set[str]) -> bytes | None:
    """The vault and its backups, in one form; nothing else is left beside them."""
    database = reopened(copy / "v.db")
    with database.write() as db:
        db.execute("INSERT INTO settings VALUES ('goes on', '1')")
        db.execute("DELETE FROM settings WHERE name = 'goes on'")
    database.close()
    key = key_of(copy / "v.db")
    assert dump(copy / "v.db", key) == before
    for backup in backups.listed(copy / "v.db"):
        assert key_of(backup.path) == key, backup.path
        assert {**dump(backup.path, key), "journal_mode": "wal"} == before
    extra = {"v.db.turn", "v.db.lock", "v.db.open", "v.db.opening", "v.db.reserve"}
    assert names(copy) | extra == listing | extra
    return key


def check_dying(path: Path, way: tuple[bytes | None, bytes | None], what: str, limit: int) -> None:
    before, listing = dump(path, way[0]), names(path.parent)
    found = set()
    number = 0
    for number, (copy, ended) in enumerate(copies_of_the_dying(path, what, way, limit)):
        key = check_whole(copy, before, listing)
        found.add(key)
        if ended:
            assert key == way[1]
        if number == 0:
            assert ended
        if what == "step" and not ended:
            assert number < limit, "there are more operations than were tried"
        shutil.rmtree(copy)
    assert number > 5
    if what == "step":
        assert found == set(way)


def test_dying_at_any_file_operation_leaves_the_old_or_the_new(
    path: Path, way: tuple[bytes | None, bytes | None]
) -> None:
    check_dying(path, way, "step", 200)


def test_kill_9_at_random_moments_leaves_the_old_or_the_new(
    path: Path, way: tuple[bytes | None, bytes | None]
) -> None:
    check_dying(path, way, "kill", 20)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kill_9_a_hundred_times(path: Path, way: tuple[bytes | None, bytes | None]) -> None:
    check_dying(path, way, "kill", 100)


def test_dying_while_clearing_up_is_cleared_up_too(path: Path) -> None:
    before, listing = dump(path, None), names(path.parent)
    copies = list(copies_of_the_dying(path, "again", (None, FIRST), 100))
    assert len(copies) > 5
    assert copies[-1][1], "clearing up never came to its end"
    for copy, _ in copies:
        assert check_whole(copy, before, listing) == FIRST
        shutil.rmtree(copy)


def test_a_file_with_another_name_is_not_overwritten(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    theirs.write_text("precious")
    os.link(theirs, mine)
    assert not wipe(mine)
    assert theirs.read_text() == "precious"
    assert not mine.exists()
    assert wipe(theirs)
    assert not wipe(theirs)


def test_a_marker_that_was_cut_short_is_taken_away(path: Path) -> None:
    marker = Path(f"{path}.conversion")
    marker.write_text('["/no/such')
    reopened(path).close()
    assert not marker.exists()
    assert not former(path).exists()


def test_keys_of_the_tests_are_told_apart() -> None:
    assert len(KEYS) == 2
