"""Writes per day, in the person's own days."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

from app.timeline import Timeline
from app.vault import Vault
from store.records import USER, EntryDraft
from tests.fakes import FixedClock


def test_each_day_counts_who_wrote(vault: Vault, clock: FixedClock) -> None:
    vault.entries.store(EntryDraft("One.", USER, "one"))
    clock.forward(days=2)
    vault.entries.store(EntryDraft("Two.", USER, "two"), actor="agent:claude")
    vault.entries.store(EntryDraft("Three.", USER, "three"), actor="agent:claude")
    days = Timeline(vault.database, clock, UTC).days(4)
    assert [day.writes for day in days] == [{}, {"owner": 1}, {}, {"agent:claude": 2}]
    assert days[-1].date == clock().date()


def test_a_day_begins_where_the_person_lives(vault: Vault, clock: FixedClock) -> None:
    clock.forward(hours=11, minutes=30)  # 23:30 in UTC
    vault.entries.store(EntryDraft("Late.", USER, "late"))
    east = timezone(timedelta(hours=2))
    west = timezone(timedelta(hours=-5))
    for zone in (east, west):
        days = Timeline(vault.database, clock, zone).days(3)
        assert [day.total for day in days] == [0, 0, 1]
        assert days[-1].date == clock().astimezone(zone).date()
