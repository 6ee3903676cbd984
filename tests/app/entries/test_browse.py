from __future__ import annotations

from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft, Scope
from store.tables import entry_filter
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock

CLAUDE = Scope("agent", "claude")


def stored(vault: Vault, content: str, **fields: object) -> str:
    return vault.entries.store(EntryDraft(content, **fields)).entry.id  # type: ignore[arg-type,union-attr]


def test_numbers_come_in_the_lists_order(vault: Vault) -> None:
    stored(vault, "low", importance=2)
    stored(vault, "high", importance=9)
    rows = vault.browse.rows(vault.browse.numbers(EntryFilter()))
    assert [entry.content for entry in rows] == ["high", "low"]


def test_an_expired_entry_is_not_listed(vault: Vault, clock: FixedClock) -> None:
    stored(vault, "today", category="daily")
    kept = stored(vault, "for ever")
    clock.forward(hours=73)
    rows = vault.browse.rows(vault.browse.numbers(EntryFilter(now=vault.browse.now())))
    assert [entry.id for entry in rows] == [kept]


def test_the_tally_counts_scopes_trash_and_what_expires(vault: Vault) -> None:
    stored(vault, "one")
    stored(vault, "two", scope=CLAUDE, category="daily")
    gone = stored(vault, "three")
    vault.entries.forget([gone])
    tally = vault.browse.tally()
    assert tally.scopes == {USER: 1, CLAUDE: 1}
    assert (tally.total, tally.trash, tally.expiring) == (2, 1, 0)


def test_what_expires_within_three_days_is_counted_and_listed(
    vault: Vault, clock: FixedClock
) -> None:
    stored(vault, "soon", category="daily")
    clock.forward(hours=1)
    assert vault.browse.tally().expiring == 1
    assert len(vault.browse.numbers(vault.browse.expiring())) == 1


def test_the_words_in_use_are_offered_most_used_first(vault: Vault) -> None:
    stored(vault, "a", tags=("tea", "home"), category="memory")
    stored(vault, "b", tags=("tea",), category="memory")
    stored(vault, "c", kind="event")
    words = vault.browse.vocabulary()
    assert words.tags == ("tea", "home")
    assert words.categories == ("memory", "core")
    assert set(words.kinds) == {"fact", "event"}
    assert words.scopes == (USER,)


def test_the_first_look_costs_the_same_however_many_there_are(vault: Vault) -> None:
    """Counted in steps of the engine: no load of the machine moves them."""
    vault.settings.set("entry_cap", 0)

    def steps() -> int:
        taken = 0

        def step() -> int:
            nonlocal taken
            taken += 1
            return 0

        with vault.database.read() as db:
            db.set_progress_handler(step, 1)
            entry_filter.ordered_numbers(db, EntryFilter(), "newest", 20)
            db.set_progress_handler(None, 1)
        return taken

    def more(number: int) -> None:
        vault.entries.store_many(
            EntryDraft(f"memory {n}", importance=n % 10 + 1) for n in range(number)
        )

    more(400)
    few = steps()
    more(4_000)
    assert steps() <= few


def test_the_trash_is_listed_by_its_state(vault: Vault) -> None:
    gone = stored(vault, "gone")
    vault.entries.forget([gone])
    assert len(vault.browse.numbers(EntryFilter(state=TRASHED))) == 1
    assert vault.browse.number_of(gone) is not None
    assert vault.browse.number_of("nobody") is None
