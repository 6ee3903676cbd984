"""A clock that jumps by ten years, either way, also in the middle of a write: the order of things
stays, and nothing is taken that was not due."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import cycle, pairwise
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import TRASHED, USER, Entry, EntryDraft
from store.tables import leases
from store.tables.entry_filter import EntryFilter
from tests.fakes import NOON, FakeEmbedder, FixedClock

TEN_YEARS = timedelta(days=3653)


class JumpingClock:
    """Says something else every time it is asked: ten years on, ten years back, now."""

    def __init__(self) -> None:
        self._jumps = cycle((timedelta(), TEN_YEARS, -TEN_YEARS, timedelta(microseconds=1)))

    def __call__(self) -> datetime:
        return NOON + next(self._jumps)


@pytest.fixture
def jumping(tmp_path: Path) -> Iterator[Vault]:
    """A vault of somebody whose clock jumps from call to call."""
    opened = open_vault(tmp_path / "v.db", clock=JumpingClock(), embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def stored(vault: Vault, key: str, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(f"fact {key}", USER, key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def active(vault: Vault) -> set[str]:
    return {entry.key for entry in vault.entries.page(EntryFilter(), 1000).entries}


def test_every_change_of_a_memory_is_later_than_the_one_before(jumping: Vault) -> None:
    versions = [stored(jumping, "k")]
    for number in range(20):
        saved = jumping.entries.change(
            versions[-1].id,
            {"content": f"version {number}"},
            expected_updated_at=versions[-1].updated_at,
        )
        assert isinstance(saved, Saved), "compare-and-set holds across every jump"
        versions.append(saved.entry)
    assert all(a.updated_at < b.updated_at for a, b in pairwise(versions))
    assert [v.fields["content"] for v in jumping.history.versions(versions[0].id) if v.fields] == [
        v.content for v in reversed(versions)
    ]


def test_the_log_is_undone_and_followed_in_the_order_of_writing(jumping: Vault) -> None:
    for number in range(12):
        stored(jumping, f"k{number}")
    lines = jumping.history.feed(0, 100)
    assert [change.seq for change in lines] == sorted(change.seq for change in lines)
    for number in reversed(range(12)):
        jumping.history.undo_last("owner")
        assert active(jumping) == {f"k{n}" for n in range(number)}


def test_what_was_said_stays_in_its_order(jumping: Vault) -> None:
    agent, _ = jumping.agents.add("claude")
    caller = Caller(agent)
    talk = jumping.conversations.start(caller)
    for number in range(12):
        jumping.conversations.append(caller, talk.id, [("user", f"turn {number}")])
    with jumping.database.read() as db:
        rows = db.execute("SELECT content FROM turns ORDER BY n").fetchall()
    assert [row[0] for row in rows] == [f"turn {number}" for number in range(12)]


@pytest.fixture
def furnished(vault: Vault) -> Vault:
    """Tended a moment ago, with everything that time can take."""
    vault.upkeep.run_if_due()
    stored(vault, "core")
    stored(vault, "daily", category="daily")
    stored(vault, "transient", category="journal", importance=1)
    vault.entries.forget([stored(vault, "trashed").id])
    vault.entries.change(stored(vault, "changed").id, {"content": "changed"})
    return vault


def unharmed(vault: Vault) -> bool:
    trashed = [e.key for e in vault.entries.page(EntryFilter(state=TRASHED)).entries]
    changed = vault.entries.find(USER, "changed")
    assert changed is not None
    whole = [v.fields for v in vault.history.versions(changed.id)]
    return (
        active(vault) == {"core", "daily", "transient", "changed"}
        and trashed == ["trashed"]
        and None not in whole
    )


@pytest.mark.parametrize("years", [10, -10])
def test_a_jump_and_back_takes_nothing(furnished: Vault, clock: FixedClock, years: int) -> None:
    clock.forward(days=years * 365)
    for _ in range(20):  # most of a day with the wrong clock
        furnished.upkeep.run_if_due()
        clock.forward(hours=1)
    assert unharmed(furnished)
    clock.at = NOON + timedelta(hours=20)
    assert furnished.upkeep.run_if_due() is not None, "and upkeep goes on when the clock is right"
    assert unharmed(furnished)
    clock.forward(hours=60)
    report = furnished.upkeep.run_if_due()
    assert report is not None
    assert [one.key for one in report.taken] == ["daily"]


def test_a_clock_that_stays_is_believed_after_a_day(furnished: Vault, clock: FixedClock) -> None:
    clock.forward(days=3650)
    assert furnished.upkeep.run_if_due() is None
    clock.forward(hours=25)
    report = furnished.upkeep.run_if_due()
    assert report is not None
    assert {one.key for one in report.taken} == {"daily", "transient"}
    clock.forward(hours=2)
    assert furnished.upkeep.run_if_due() is not None


def test_asked_for_by_its_owner_upkeep_runs_at_once(furnished: Vault, clock: FixedClock) -> None:
    clock.forward(days=3650)
    assert {one.key for one in furnished.upkeep.run().taken} == {"daily", "transient"}


def test_a_lease_taken_in_the_future_holds_nobody_up(vault: Vault, clock: FixedClock) -> None:
    now = to_instant(clock())
    later = to_instant(clock() + TEN_YEARS)
    with vault.database.write() as db:
        assert leases.take(db, "embedding", "lost", later, later)
        assert leases.holder_of(db, "embedding", now) is None
        assert leases.take(db, "embedding", "other", now, to_instant(clock() + timedelta(hours=1)))
        assert not leases.take(db, "embedding", "third", now, now)
