from __future__ import annotations

import os
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import NotAuthenticated, NotFound, Refused
from app.history.history import Undone
from app.outcomes import Saved
from app.rules.lifetimes import keep
from app.vault import Vault, open_vault
from store.care import backups as files
from store.errors import Damaged, NotAVault
from store.file import migrations
from store.file.database import Database
from store.instants import plus
from store.records import EntryDraft
from tests.fakes import FixedClock

START = "2026-01-01T00:00:00.000000Z"


def contents(vault: Vault) -> list[str]:
    return sorted(entry.content for entry in vault.entries.page(limit=1000).entries)


def test_a_backup_is_a_vault_of_its_own(vault: Vault) -> None:
    vault.entries.store(EntryDraft("a"))
    backup = vault.backups.now()
    vault.entries.store(EntryDraft("b"))
    assert backup.path.stat().st_mode & 0o777 == 0o600
    copy = open_vault(backup.path)
    assert contents(copy) == ["a"]
    copy.close()


def test_restoring_says_what_changes_and_keeps_what_was_there(vault: Vault) -> None:
    vault.entries.store(EntryDraft("old", key="k"))
    backup = vault.backups.now()
    vault.entries.store(EntryDraft("new", key="k"))
    vault.entries.store(EntryDraft("extra"))
    difference = vault.backups.difference(backup)
    assert (difference.only_now, difference.only_then, difference.changed) == (1, 0, 1)
    before = vault.history.last_seq()
    safety = vault.backups.restore(backup)
    assert contents(vault) == ["old"]
    assert vault.history.last_seq() > before, "followers go by numbers that never go back"
    vault.backups.restore(safety)
    assert contents(vault) == ["extra", "new"]


def test_another_process_sees_a_restore(vault: Vault) -> None:
    vault.entries.store(EntryDraft("a"))
    backup = vault.backups.now()
    other = open_vault(vault.path)
    vault.entries.store(EntryDraft("b"))
    assert contents(other) == ["a", "b"]
    vault.backups.restore(backup)
    assert contents(other) == ["a"]
    other.close()


def test_a_broken_backup_is_refused_and_nothing_changes(vault: Vault) -> None:
    vault.entries.store(EntryDraft("a"))
    backup = vault.backups.now()
    raw = bytearray(backup.path.read_bytes())
    raw[0:16] = b"\x00" * 16
    backup.path.write_bytes(bytes(raw))
    with pytest.raises((Damaged, NotAVault, Exception)) as refused:
        vault.backups.restore(backup)
    assert "Keepsake" in str(refused.value) or "database" in str(refused.value)
    assert contents(vault) == ["a"]
    assert [b.why for b in vault.backups.list()] == ["on-demand"]


def test_the_schedule_backs_up_only_when_due_and_changed(vault: Vault, clock: FixedClock) -> None:
    assert vault.backups.if_due() is None, "nothing was written yet"
    vault.entries.store(EntryDraft("a"))
    assert vault.backups.if_due() is not None
    clock.forward(hours=25)
    assert vault.backups.if_due() is None, "nothing changed since"
    vault.entries.store(EntryDraft("b"))
    assert vault.backups.if_due() is not None
    vault.entries.store(EntryDraft("c"))
    clock.forward(hours=1)
    assert vault.backups.if_due() is None, "too soon"


def test_a_backup_of_an_earlier_format_is_restored_under_a_vault_that_stays_open(
    tmp_path: Path, clock: FixedClock
) -> None:
    old = Database(tmp_path / "v.db")
    with old.write() as db:
        migrations.migrate(db, migrations.STEPS[:1])
    old.close()
    vault, other = (open_vault(tmp_path / "v.db", clock=clock) for _ in range(2))
    vault.entries.store(EntryDraft("written since"))
    (before,) = [backup for backup in vault.backups.list() if backup.why == "before-upgrade"]
    vault.backups.restore(before)
    for each in (vault, other):
        each.entries.store(EntryDraft("her cats: 她喜欢猫"))
    assert other.entries.count() == 2
    assert len(other.search.search("喜欢", mode="keyword")) == 2
    assert {path.suffix for path in before.path.parent.iterdir()} == {".backup"}
    vault.close()
    other.close()


def test_a_backup_made_by_a_wrong_clock_does_not_stop_the_schedule(
    vault: Vault, clock: FixedClock
) -> None:
    clock.forward(days=3650)
    vault.entries.store(EntryDraft("a"))
    assert vault.backups.if_due() is not None
    clock.forward(days=-3650)
    vault.entries.store(EntryDraft("b"))
    assert vault.backups.if_due() is not None
    vault.entries.store(EntryDraft("c"))
    assert vault.backups.if_due() is None, "too soon"


def test_old_scheduled_backups_are_thinned_and_others_kept(vault: Vault, clock: FixedClock) -> None:
    vault.entries.store(EntryDraft("first"))
    mine = vault.backups.now()
    for day in range(60):
        clock.forward(days=1)
        vault.entries.store(EntryDraft(f"day {day}"))
        vault.backups.if_due()
    names = [backup.why for backup in vault.backups.list()]
    assert mine.path.exists()
    assert 7 <= names.count("scheduled") <= 7 + 4 + 12
    assert names.count("scheduled") < 20


def test_backups_taken_under_load_are_sound_and_whole(tmp_path: Path) -> None:
    vault = open_vault(tmp_path / "v.db")
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            vault.entries.store_many([EntryDraft(f"{number}a"), EntryDraft(f"{number}b")])
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = [vault.backups.now() for _ in range(5)]
    finally:
        stop.set()
        writer.join()
    for backup in made:
        copy = open_vault(backup.path)
        assert copy.entries.count() % 2 == 0, "a pair was split: not a committed state"
        assert all(finding.ok for finding in copy.doctor.examine() if finding.check != "words")
        copy.close()
    vault.close()


def test_an_unknown_backup_is_not_found(vault: Vault) -> None:
    with pytest.raises(NotFound, match="backup list"):
        vault.backups.find("nope")


@given(
    st.lists(st.integers(0, 24 * 800), max_size=60),
    st.integers(1, 10),
    st.integers(0, 10),
    st.integers(0, 24),
)
def test_thinning_keeps_the_newest_and_never_more_than_asked(
    hours: list[int], daily: int, weekly: int, monthly: int
) -> None:
    moments = [plus(START, hours=hour) for hour in hours]
    kept = keep(moments, daily=daily, weekly=weekly, monthly=monthly)
    assert kept <= set(moments)
    assert len(kept) <= max(daily + weekly + monthly, 1)
    if moments:
        assert max(moments) in kept


def test_thinning_keeps_one_a_day_then_a_week_then_a_month() -> None:
    moments = [plus(START, hours=12 * n) for n in range(400)]
    kept = sorted(keep(moments, daily=3, weekly=2, monthly=2), reverse=True)
    assert kept[0] == moments[-1]
    assert len({moment[:10] for moment in kept}) == len(kept)


def test_no_half_written_backup_is_ever_listed(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.entries.store(EntryDraft("a"))

    def die(database: Database, path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("store.care.backups.verify", die)
    with pytest.raises(KeyboardInterrupt):
        vault.backups.now()
    assert vault.backups.list() == []
    assert list(vault.backups.folder.iterdir()) == []


def test_a_restore_lets_no_revoked_agent_back_in(vault: Vault) -> None:
    agent, token = vault.agents.add("bot")
    backup = vault.backups.now()
    vault.agents.revoke(agent.id)
    vault.agents.add("newcomer")
    vault.backups.restore(backup)
    with pytest.raises(NotAuthenticated):
        vault.agents.authenticate(token)
    assert [known.id for known in vault.agents.list()] == ["bot", "newcomer"]


def test_a_vault_made_anew_gets_the_agents_of_the_lost_one(vault: Vault) -> None:
    agent, token = vault.agents.add("bot")
    vault.entries.store(EntryDraft("tea"))
    backup = vault.backups.now()
    vault.close()
    vault.path.unlink()
    with closing(open_vault(vault.path)) as anew:
        anew.backups.restore(anew.backups.find(backup.path.name))
        assert anew.agents.authenticate(token).id == agent.id
        assert contents(anew) == ["tea"]


def test_what_killed_backups_left_is_removed_when_it_is_old(vault: Vault) -> None:
    kept = vault.backups.now()
    left = [kept.path.with_suffix(f".{name}") for name in ("partial", "partial-journal", "keyed")]
    fresh = vault.backups.folder / "other.db"
    for path in (*left, fresh):
        path.write_bytes(b"half")
    vault.backups.now()
    assert all(path.exists() for path in left), "perhaps somebody is still at it"
    for path in left:
        os.utime(path, (0, 0))
    vault.backups.now()
    assert not any(path.exists() for path in left)
    assert fresh.exists()
    assert len(vault.backups.list()) == 3


def test_a_backup_begins_again_when_an_erase_takes_its_copy_away(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.entries.store(EntryDraft("a", key="kept"))
    secret = vault.entries.store(EntryDraft("xyloquartzite", key="secret"))
    assert isinstance(secret, Saved)
    copy_to, copies = files.copy_to, []

    def copied(database: Database, target: Path) -> None:
        copy_to(database, target)
        copies.append(target)
        if len(copies) == 1:
            vault.erasure.erase([secret.entry.id])

    monkeypatch.setattr(files, "copy_to", copied)
    made = vault.backups.now()
    assert len(copies) == 2
    assert b"xyloquartz" not in made.path.read_bytes()
    assert [backup.path for backup in vault.backups.list()] == [made.path]


def test_undo_after_going_back_takes_the_going_back_back(vault: Vault) -> None:
    vault.entries.store(EntryDraft("then", key="k"))
    backup = vault.backups.now()
    vault.entries.store(EntryDraft("since", key="k"))
    vault.backups.restore(backup)
    vault.entries.store(EntryDraft("later", key="other"))
    assert contents(vault) == ["later", "then"]
    vault.history.undo_last()
    undone = vault.history.undo_last()
    assert isinstance(undone, Undone)
    assert undone.undid.action == "reloaded"
    assert contents(vault) == ["since"]
    vault.history.redo_last()
    assert contents(vault) == ["then"], "gone back again"
    vault.history.undo_last()
    vault.history.undo_last()
    assert contents(vault) == ["then"], "what was written before the going back is undone next"


def test_a_going_back_whose_copy_is_gone_says_so_and_changes_nothing(vault: Vault) -> None:
    backup = vault.backups.now()
    vault.entries.store(EntryDraft("since"))
    safety = vault.backups.restore(backup)
    safety.path.unlink()
    with pytest.raises(Refused, match="not kept any more"):
        vault.history.undo_last()
    assert contents(vault) == []
