"""A vault's file that is moved, deleted or replaced while a program has it open: nothing is
acknowledged that nobody would find, and the file that took its place stays whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from app.vault import Vault, open_vault
from store.care import backups as files
from store.care import opening
from store.errors import Unavailable
from store.file import locks
from store.file.database import Database
from store.records import EntryDraft

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows keeps files that are in use")

ROOT = Path(__file__).parents[3]
PROGRAM = """
import sys
from pathlib import Path
from app.vault import open_vault
from store.records import EntryDraft
vault = open_vault(Path(sys.argv[1]))
for number in range(20):
    vault.entries.store(EntryDraft(f"ours {number}"))
print("open", flush=True)
for line in sys.stdin:
    try:
        if line.startswith("close"):
            vault.close()
            break
        vault.entries.store(EntryDraft(line.strip()))
        print("written", flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)
print("closed", flush=True)
"""


class Program:
    """Another process that has the vault open."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.told() == "open"

    def told(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def ask(self, line: str) -> str:
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self.told()

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def running(path: Path) -> Iterator[Program]:
    program = Program(path)
    try:
        yield program
    finally:
        program.end()


def contents(path: Path) -> list[str]:
    with closing(open_vault(path)) as vault:
        assert all(finding.ok for finding in vault.doctor.examine())
        return sorted(entry.content for entry in vault.entries.page(limit=1000).entries)


def another(folder: Path) -> Path:
    path = folder / "other.db"
    with closing(open_vault(path)) as other:
        other.entries.store_many([EntryDraft(f"theirs {number}") for number in range(300)])
    return path


THEIRS = sorted(f"theirs {number}" for number in range(300))


def remove_all(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


WAYS: dict[str, Callable[[Path], object]] = {
    "moved": lambda path: path.rename(path.with_name("elsewhere.db")),
    "deleted": lambda path: path.unlink(),
    "deleted with all beside it": remove_all,
    "its log deleted": lambda path: Path(f"{path}-wal").unlink(),
    "replaced": lambda path: shutil.copy(path, path.with_name("copy")).replace(path),
    "its folder deleted": lambda path: shutil.rmtree(path.parent),
    "its folder moved": lambda path: path.parent.rename(path.parent.with_name("elsewhere")),
}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Vault]:
    folder = tmp_path / "v"
    folder.mkdir()
    with closing(open_vault(folder / "v.db")) as vault:
        vault.entries.store(EntryDraft("before"))
        yield vault


@pytest.mark.parametrize("way", list(WAYS))
def test_a_write_into_nowhere_is_refused(opened: Vault, way: str) -> None:
    WAYS[way](opened.path)
    for _ in range(2):
        with pytest.raises(Unavailable, match="Close Keepsake and open it again"):
            opened.entries.store(EntryDraft("lost"))
        with pytest.raises(Unavailable, match="Close Keepsake and open it again"):
            opened.erasure.erase([opened.entries.page().entries[0].id])
        assert opened.entries.count() == 1, "reading goes on"
    opened.close()
    with opened.database._pool:
        assert opened.database._lent == 0


@pytest.mark.parametrize("way", ["moved", "its folder moved"])
def test_a_file_that_comes_back_is_as_it_was(opened: Vault, way: str) -> None:
    WAYS[way](opened.path)
    with pytest.raises(Unavailable):
        opened.entries.store(EntryDraft("refused"))
    if way == "moved":
        opened.path.with_name("elsewhere.db").rename(opened.path)
    else:
        opened.path.parent.with_name("elsewhere").rename(opened.path.parent)
    opened.entries.store(EntryDraft("after"))
    opened.close()
    assert contents(opened.path) == ["after", "before"]


def test_a_vault_moved_with_its_folder_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    place, there = tmp_path / "v", tmp_path / "elsewhere"
    place.mkdir()
    with running(place / "v.db") as program:
        place.rename(there)
        assert "open it again" in program.ask("one more")
        assert program.ask("close") == "closed"
    assert len(contents(there / "v.db")) == 20


@pytest.mark.parametrize("first", ["who opens it", "a refused write", "a close", "a kill"])
def test_what_was_put_in_its_place_is_whole(tmp_path: Path, first: str) -> None:
    """Whoever comes first after it was put there: the log of the old file is kept from it."""
    place = tmp_path / "v"
    place.mkdir()
    path = place / "v.db"
    with running(path) as program:
        another(tmp_path).replace(path)
        if first == "a refused write":
            assert program.ask("lost").startswith("Unavailable")
            assert not Path(f"{path}-wal").exists(), "nor may another program's engine find it"
        elif first == "a close":
            assert program.ask("close") == "closed"
            assert not Path(f"{path}-wal").exists()
        elif first == "a kill":
            program.end()
        assert contents(path) == THEIRS
        if first in ("who opens it", "a refused write"):
            assert "open it again" in program.ask("lost too")
            assert program.ask("close") == "closed"
    assert contents(path) == THEIRS
    (kept,) = files.damaged(path)
    assert kept.name.endswith(".damaged-wal")
    assert b"ours 19" in kept.read_bytes()


def test_another_program_may_write_to_what_was_put_there_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with running(path) as program:
        another(tmp_path).replace(path)
        with closing(open_vault(path)) as vault:
            vault.entries.store(EntryDraft("theirs, later"))
            assert "open it again" in program.ask("lost")
            assert program.ask("close") == "closed"
            vault.entries.store(EntryDraft("theirs, at last"))
    assert contents(path) == sorted([*THEIRS, "theirs, later", "theirs, at last"])


def test_a_new_vault_where_the_old_one_was_deleted_is_new(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with running(path) as program:
        path.unlink()
        with closing(open_vault(path)) as vault:
            vault.entries.store(EntryDraft("new"))
            assert "open it again" in program.ask("lost")
    assert contents(path) == ["new"]


def test_a_copy_of_a_killed_vault_keeps_what_is_in_its_log(tmp_path: Path) -> None:
    place = tmp_path / "v"
    place.mkdir()
    with running(place / "v.db"):
        pass
    assert Path(f"{place / 'v.db'}-wal").stat().st_size
    shutil.copytree(place, tmp_path / "copy")
    assert len(contents(tmp_path / "copy" / "v.db")) == 20
    assert len(contents(place / "v.db")) == 20


def test_two_who_open_it_at_once_take_the_log_away_once(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with running(path) as program:
        another(tmp_path).replace(path)
        program.end()
    many = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(path)], cwd=ROOT, stdin=-1, stdout=-1)
        for _ in range(4)
    ]
    for process in many:
        process.communicate(b"close\n")
        assert process.returncode == 0
    found = contents(path)
    assert [text for text in found if text.startswith("theirs")] == THEIRS
    assert len(found) == len(THEIRS) + 4 * 20


def test_a_file_system_that_does_not_tell_files_apart_is_borne_with(
    opened: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.file.locks._identity", lambda path: None)
    database = Database(opened.path)
    database.watch(lambda opened: pytest.fail("nothing was replaced"))
    with database.write() as db:
        db.execute("INSERT INTO settings VALUES ('a', '1')")
    database.close()


def test_who_opens_it_second_looks_when_the_first_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looked before the first had put the old log aside would take the first one's own for it:
    a file system gives the number of a removed file to the next."""
    path = tmp_path / "v.db"
    with running(path) as program:
        another(tmp_path).replace(path)
        program.end()
    looked, opened = threading.Event(), threading.Event()
    look = opening.left_beside

    def slowly(path: Path) -> locks.Left:
        found = look(path)
        looked.set()
        opened.wait(1)
        return found

    monkeypatch.setattr(opening, "left_beside", slowly)
    second = threading.Thread(target=lambda: open_vault(path).close())
    second.start()
    assert looked.wait(20)
    with running(path) as first:
        opened.set()
        second.join()
        assert first.ask("one more") == "written"
        assert first.ask("close") == "closed"
    found = contents(path)
    assert [text for text in found if text.startswith("theirs")] == THEIRS
    assert len(found) == len(THEIRS) + 20 + 1


@pytest.mark.parametrize("born", [True, False], ids=["told when born", "not told"])
def test_a_copied_note_says_nothing_about_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, born: bool
) -> None:
    """The numbers it names are those of other files there."""
    if not born:
        monkeypatch.setattr(locks, "_born", lambda path: 0)
    place, copy = tmp_path / "v", tmp_path / "copy"
    place.mkdir()
    beside = [place / f"v.db{end}" for end in ("", "-wal", "-shm", ".open")]
    for file in beside:
        file.touch()
    locks.OpenedFile.at(place / "v.db").note()
    shutil.copytree(place, copy)
    numbers = {str(there): file.stat() for file in beside for there in [copy / file.name]}
    real = locks._identity

    def reused(name: str) -> locks.Identity | None:
        """As if the copies had the numbers of the old files, but for the one that was replaced."""
        of = numbers.get(name) if name.endswith(("-wal", "-shm")) else None
        return (of.st_dev, of.st_ino) if of else real(name)

    monkeypatch.setattr(locks, "_identity", reused)
    assert locks.left_beside(copy / "v.db") == locks.NOTHING
    monkeypatch.setattr(locks, "_identity", real)
    shutil.copy(place / "v.db", tmp_path / "fresh").replace(place / "v.db")
    assert locks.left_beside(place / "v.db") == (place / "v.db-shm", place / "v.db-wal")


def test_a_file_with_the_number_of_the_one_before_is_told_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """rm and cp, after a kill: the copy often gets the number of the file that was removed."""
    path = tmp_path / "v.db"
    theirs = another(tmp_path)
    with running(path) as program:
        program.end()
    if not locks._born(str(path)):
        pytest.skip("this file system does not tell when a file was born")
    before, real = locks._identity(str(path)), locks._identity
    path.unlink()
    shutil.copy(theirs, path)
    monkeypatch.setattr(
        locks, "_identity", lambda name: before if name == str(path) else real(name)
    )
    assert Path(f"{path}-wal").stat().st_size
    assert contents(path) == THEIRS
