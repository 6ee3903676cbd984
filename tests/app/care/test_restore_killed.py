"""A restore that is cut short anywhere: the vault is the old one or the new one, whole, and a
token that was revoked does not work.

The long run, killed at every single step:
`pytest -m slow -n0 tests/app/care/test_restore_killed.py -s`.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from app.access.agents import hash_token
from app.errors import NotAuthenticated
from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.care import backups as files
from store.care import rekeyed_copy
from store.care.backups import Backup
from store.errors import Busy
from store.file import database
from store.file.database import connect
from store.records import EntryDraft
from store.tables import agents, erasures
from store.tables.change_log import last_seq
from tests.fakes import FixedClock
from tests.store.care.converting import forked

KEY = bytes(range(32))
ROOT = str(Path(__file__).parents[3])
OURS = tuple(f"{ROOT}/{part}/" for part in ("app", "store"))
STRIDE = 23

posix = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")
forms = pytest.mark.parametrize(
    ("key", "plain_backup"),
    [(None, True), (KEY, False), (KEY, True)],
    ids=["plain", "encrypted", "plain backup of an encrypted one"],
)


@dataclass(frozen=True)
class Seen:
    """A vault as one snapshot shows it."""

    contents: tuple[str, ...]
    revoked_works: bool
    newcomer: bool
    reloaded: bool
    went_back: bool  # the log's numbers


@dataclass(frozen=True)
class Place:
    """A vault whose backup knows a token that was revoked since."""

    path: Path
    key: bytes | None
    token: str
    seq: int

    def opened(self) -> Vault:
        return open_vault(self.path, key=self.key, clock=FixedClock())

    def restore(self) -> None:
        with closing(self.opened()) as vault:
            vault.backups.restore(vault.backups.find("latest"))

    def seen(self) -> Seen:
        db = connect(self.path, self.key)
        try:
            db.execute("BEGIN")
            contents = db.execute("SELECT content FROM entries ORDER BY content").fetchall()
            agent = agents.by_token(db, hash_token(self.token))
            reloaded = db.execute("SELECT 1 FROM change_groups WHERE action = 'reloaded'")
            return Seen(
                tuple(row[0] for row in contents),
                agent is not None and agent.revoked_at is None,
                agents.read(db, "newcomer") is not None,
                reloaded.fetchone() is not None,
                last_seq(db) < self.seq,
            )
        finally:
            db.close()


OLD = Seen(("since",), False, True, False, False)
NEW = Seen(("then",), False, True, True, False)


def a_place(folder: Path, key: bytes | None, plain_backup: bool) -> Place:
    folder.mkdir()
    path = folder / "v.db"
    with closing(open_vault(path, key=key, clock=FixedClock())) as vault:
        vault.database.reserve.path.write_bytes(b"")  # copies of the folder are quickly made
        _, token = vault.agents.add("bot")
        vault.entries.store(EntryDraft("then", key="k"))
        backup = vault.backups.now()
        vault.agents.revoke("bot")
        vault.agents.add("newcomer")
        vault.entries.store(EntryDraft("since", key="k"))
        seq = vault.history.last_seq()
    if key and plain_backup:
        plain = folder / "plain"
        rekeyed_copy.write_anew(backup.path, key, plain, None, lambda size: None)
        plain.replace(backup.path)
    return Place(path, key, token, seq)


@contextmanager
def at_each_step(act: Callable[[int], None]) -> Iterator[None]:
    """`act` is called with the number of every call that our code makes or receives."""
    count = 0

    def step(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call") and frame.f_code.co_filename.startswith(OURS):
            count += 1
            act(count)

    sys.setprofile(step)
    try:
        yield
    finally:
        sys.setprofile(None)


@forms
def test_a_reader_meets_the_old_vault_or_the_new_one_at_every_step(
    tmp_path: Path, key: bytes | None, plain_backup: bool
) -> None:
    place = a_place(tmp_path / "v", key, plain_backup)
    seen: dict[Seen, None] = {}
    with closing(place.opened()) as vault:
        backup = vault.backups.find("latest")
        with at_each_step(lambda number: seen.setdefault(place.seen())):
            vault.backups.restore(backup)
    assert list(seen) == [OLD, NEW]


def killed(place: Place, steps: range, folder: Path) -> int:
    """Restore copies of the vault, each killed before another step; how many were."""
    for number in steps:
        copy = folder / "copy"
        shutil.copytree(place.path.parent, copy)
        there = Place(copy / place.path.name, place.key, place.token, place.seq)

        def die(now: int, number: int = number) -> None:
            if now == number:
                os.kill(os.getpid(), signal.SIGKILL)

        def work(there: Place = there, die: Callable[[int], None] = die) -> None:
            with at_each_step(die):
                there.restore()

        whole = forked(work)
        check(there, (NEW,) if whole else (OLD, NEW))
        shutil.rmtree(copy)
        if whole:
            return number
    return steps.stop


def check(place: Place, wanted: tuple[Seen, ...]) -> None:
    with closing(place.opened()) as vault:
        assert place.seen() in wanted
        with pytest.raises(NotAuthenticated):
            vault.agents.authenticate(place.token)
        found = vault.doctor.examine()
        assert all(finding.ok for finding in found if finding.check != "encryption")
        vault.entries.store(EntryDraft("goes on"))
        assert vault.history.last_seq() > place.seq


@posix
@forms
def test_a_killed_restore_lets_no_revoked_agent_in(
    tmp_path: Path, key: bytes | None, plain_backup: bool
) -> None:
    place = a_place(tmp_path / "v", key, plain_backup)
    assert killed(place, range(1, 100_000, STRIDE), tmp_path) > STRIDE


@posix
@pytest.mark.slow
@pytest.mark.timeout(900)
@forms
def test_a_restore_killed_at_every_step(
    tmp_path: Path, key: bytes | None, plain_backup: bool
) -> None:
    place = a_place(tmp_path / "v", key, plain_backup)
    steps = killed(place, range(1, 100_000), tmp_path)
    sys.stdout.write(f"killed before each of {steps} steps\n")


def test_nothing_is_written_between_what_is_put_aside_and_the_restore(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be in neither."""
    backup = vault.backups.now()
    make, refused = files.make, []
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.1)

    def made(*arguments: Any) -> Backup:
        aside = make(*arguments)
        with closing(open_vault(vault.path)) as other, pytest.raises(Busy):
            other.entries.store(EntryDraft("too late for the copy"))
        refused.append(aside)
        return aside

    monkeypatch.setattr(files, "make", made)
    assert [vault.backups.restore(backup)] == refused


def test_numbers_do_not_go_back_to_those_of_an_empty_vault(vault: Vault) -> None:
    empty = vault.backups.now()
    vault.entries.store_many([EntryDraft(str(number)) for number in range(5)])
    before = vault.history.last_seq()
    vault.backups.restore(empty)
    assert vault.entries.count() == 0
    assert vault.history.last_seq() > before


def test_an_erase_that_waits_is_not_forgotten(vault: Vault) -> None:
    backup = vault.backups.now()
    stored = vault.entries.store(EntryDraft("xyloquartzite"))
    assert isinstance(stored, Saved)
    with vault.database.read() as reader:
        reader.execute("SELECT * FROM entries").fetchone()
        receipt = vault.erasure.erase([stored.entry.id])
        assert receipt.state == "pending"
        vault.backups.restore(backup)
        with vault.database.read() as db:
            assert erasures.count(db) == 1
    assert [one.state for one in vault.erasure.resume()] == ["done"]
