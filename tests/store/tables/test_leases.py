from __future__ import annotations

from app.vault import Vault
from store.tables import leases

NINE, TEN, ELEVEN = (f"2026-04-30T{hour:02}:00:00.000000Z" for hour in (9, 10, 11))


def test_a_lease_is_held_by_one_until_it_is_over_or_released(vault: Vault) -> None:
    with vault.database.write() as db:
        assert leases.take(db, "embed", "first", NINE, TEN)
        assert not leases.take(db, "embed", "second", NINE, ELEVEN)
        assert leases.take(db, "embed", "first", NINE, TEN)
        assert leases.holder_of(db, "embed", NINE) == "first"
        assert leases.holder_of(db, "embed", TEN) is None
        assert leases.take(db, "embed", "second", TEN, ELEVEN)
        leases.release(db, "embed", "first")
        assert leases.holder_of(db, "embed", TEN) == "second"
        leases.release(db, "embed", "second")
        assert leases.holder_of(db, "embed", TEN) is None
        assert leases.take(db, "other", "first", NINE, TEN)
