"""Writes per day, in the person's own days."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.entries.timeline import Timeline
from app.recall.query import both, parse
from app.vault import Vault, open_vault
from store.records import USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock, machine_in

PLACES = [
    "UTC",
    "America/Los_Angeles",
    "Pacific/Kiritimati",
    "Europe/Berlin",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/Havana",
]
YEAR = timedelta(days=366).total_seconds()
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def test_each_day_counts_who_wrote(vault: Vault, clock: FixedClock) -> None:
    vault.entries.store(EntryDraft("One.", USER, "one"))
    clock.forward(days=2)
    vault.entries.store(EntryDraft("Two.", USER, "two"), actor="agent:claude")
    vault.entries.store(EntryDraft("Three.", USER, "three"), actor="agent:claude")
    days = Timeline(vault.database, clock, UTC).days(4)
    assert [day.writes for day in days] == [{}, {"owner": 1}, {}, {"agent:claude": 2}]
    assert days[-1].date == clock().date()


def test_only_what_a_bar_can_list_is_counted(vault: Vault, clock: FixedClock) -> None:
    vault.blocks.replace(USER, "core", "Lives in Hamburg.", expected_updated_at=None)
    payload = {"key": "drink", "content": "Drinks coffee."}
    proposed = vault.review.propose("claude", "store", USER, payload)
    vault.review.reject([proposed.id])
    vault.entries.store(EntryDraft("One.", USER, "one"))
    (day,) = Timeline(vault.database, clock).days(1)
    assert day.writes == {"owner": len(vault.search.search(day.query()))} == {"owner": 1}


def test_a_day_begins_where_the_person_lives(vault: Vault, clock: FixedClock) -> None:
    clock.forward(hours=11, minutes=30)  # 23:30 in UTC
    vault.entries.store(EntryDraft("Late.", USER, "late"))
    east = timezone(timedelta(hours=2))
    west = timezone(timedelta(hours=-5))
    for zone in (east, west):
        days = Timeline(vault.database, clock, zone).days(3)
        assert [day.total for day in days] == [0, 0, 1]
        assert days[-1].date == clock().astimezone(zone).date()


# Times at which it is another day in UTC.
@pytest.mark.parametrize(
    ("zone_name", "hour"), [("America/Los_Angeles", 20), ("Pacific/Kiritimati", 8)]
)
def test_a_bar_lists_what_was_written_that_day(
    vault: Vault, clock: FixedClock, zone_name: str, hour: int
) -> None:
    clock.at = datetime(2026, 5, 15, hour, tzinfo=ZoneInfo(zone_name)).astimezone(UTC)
    vault.entries.store(EntryDraft("Written then.", USER, "then"))
    with machine_in(zone_name):
        (bar,) = (day for day in Timeline(vault.database, clock).days() if day.total)
        listed = vault.search.search(bar.query())
        named = vault.search.search("since:today")
    assert str(bar.date) == "2026-05-15"
    assert [hit.entry.key for hit in listed] == ["then"]
    assert [hit.entry.key for hit in named] == ["then"]


@settings(max_examples=60)
@given(
    st.sampled_from(PLACES),
    st.lists(st.floats(0, YEAR), min_size=1, max_size=8, unique=True),
    st.floats(0, 86_400),
)
# The hours around midnight and around the changes of the clock.
@example("America/Los_Angeles", [6_030_000.0, 6_033_600.0, 6_116_399.0, 6_116_400.0], 1.0)
@example("Asia/Kathmandu", [65_699.0, 65_700.0, 66_600.0], 600.0)
@example("America/Havana", [5_720_399.0, 5_720_400.0, 26_254_800.0, 26_258_400.0], 0.0)
def test_each_write_is_in_one_bar_and_that_bar_lists_it(
    zone_name: str, written: list[float], later: float
) -> None:
    zone = ZoneInfo(zone_name)
    with TemporaryDirectory() as folder:
        clock = FixedClock()
        vault = open_vault(Path(folder) / "vault.db", clock=clock)
        for number, seconds in enumerate(sorted(written)):
            clock.at = NEW_YEAR + timedelta(seconds=seconds)
            vault.entries.store(EntryDraft(f"Write {number}.", USER, f"key-{number}"))
        clock.forward(seconds=later)
        bars = [day for day in Timeline(vault.database, clock, zone).days(370) if day.total]
        listed = [
            vault.entries.ids(both(EntryFilter(), parse(bar.query(), clock(), zone).filter))
            for bar in bars
        ]
        everything = vault.entries.ids(EntryFilter())
        vault.close()
    assert [len(ids) for ids in listed] == [bar.total for bar in bars]
    assert sorted(ident for ids in listed for ident in ids) == sorted(everything)
