from __future__ import annotations

from collections.abc import Callable

from app.entries.usage import BATCH, Usage
from app.outcomes import Saved
from app.vault import Vault
from store.errors import Busy
from store.records import EntryDraft
from store.tables import usage
from tests.fakes import FixedClock


def numbers(vault: Vault, count: int) -> list[int]:
    found = []
    for number in range(count):
        outcome = vault.entries.store(EntryDraft(f"fact {number}"))
        assert isinstance(outcome, Saved)
        found.append(outcome.entry.n)
    return found


def uses(vault: Vault, n: int) -> int:
    with vault.database.read() as db:
        found = usage.read(db, n)
    return found[1] if found else 0


def test_marks_wait_until_the_batch_is_old_or_large(vault: Vault, clock: FixedClock) -> None:
    deferred: list[Callable[[], None]] = []
    marks = Usage(vault.database, clock, deferred.append)
    first, second = numbers(vault, 2)
    marks.mark([first, second])
    assert (deferred, uses(vault, first)) == ([], 0)
    clock.forward(seconds=31)
    marks.mark([first])
    assert len(deferred) == 1
    deferred.pop()()
    assert (uses(vault, first), uses(vault, second)) == (2, 1)
    marks.mark(range(10_000, 10_000 + BATCH))
    assert len(deferred) == 1


def test_marking_writes_nothing_to_the_log_and_rows_erased_are_left_out(
    vault: Vault, clock: FixedClock
) -> None:
    marks = Usage(vault.database, clock, lambda work: work())
    (n,) = numbers(vault, 1)
    before = vault.history.last_seq()
    marks.mark([n, 99_999])
    marks.flush()
    assert uses(vault, n) == 1
    assert uses(vault, 99_999) == 0
    assert vault.history.last_seq() == before


def test_a_busy_store_keeps_the_marks_for_later(vault: Vault, clock: FixedClock) -> None:
    marks = Usage(vault.database, clock, lambda work: work())
    (n,) = numbers(vault, 1)

    class BusyDatabase:
        def write(self) -> object:
            raise Busy("busy")

    real, marks._database = marks._database, BusyDatabase()  # type: ignore[assignment]
    marks.mark([n])
    clock.forward(seconds=31)
    marks.mark([n])
    marks._database = real
    marks.mark([n])
    marks.flush()
    assert uses(vault, n) == 3


def test_a_later_use_never_makes_an_entry_colder(vault: Vault, clock: FixedClock) -> None:
    (n,) = numbers(vault, 1)
    vault.usage.mark([n])
    vault.usage.flush()
    clock.forward(days=-10)
    vault.usage.mark([n])
    vault.usage.flush()
    with vault.database.read() as db:
        found = usage.read(db, n)
    assert found is not None
    assert found[0].startswith("2026-04-30")
