from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.errors import Invalid, NotFound, TooLarge
from app.outcomes import Changed, Conflict, KeyTaken, Restored, Saved
from app.rules.fields import parse_scope
from app.vault import Vault
from store.instants import plus, to_instant
from store.records import TRASHED, USER, Entry, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock


def saved(outcome: object) -> Entry:
    assert isinstance(outcome, Saved)
    return outcome.entry


def test_storing_a_key_again_updates_its_entry_and_keeps_both_versions(vault: Vault) -> None:
    first = saved(vault.entries.store(EntryDraft("Runs on EKS", key="deploy_target")))
    second = saved(vault.entries.store(EntryDraft("Runs on GKE", key="deploy_target")))
    assert second.id == first.id
    contents = [v.fields and v.fields["content"] for v in vault.history.versions(first.id)]
    assert contents == ["Runs on GKE", "Runs on EKS"]


def test_storing_the_same_words_again_refreshes_the_entry(vault: Vault, clock: FixedClock) -> None:
    first = saved(vault.entries.store(EntryDraft("Runs on EKS", key="deploy_target")))
    clock.forward(hours=1)
    second = saved(vault.entries.store(EntryDraft("Runs on EKS", key="deploy_target")))
    assert second.written_at > first.written_at
    assert len(vault.history.versions(first.id)) == 2


def test_an_update_keeps_the_fields_it_does_not_name(vault: Vault) -> None:
    vault.entries.store(EntryDraft("a", key="k", tags=("x",), importance=9, kind="preference"))
    entry = saved(vault.entries.store(EntryDraft("b", key="k")))
    assert (entry.tags, entry.importance, entry.kind) == (("x",), 9, "preference")


def test_entries_without_a_key_never_overwrite_each_other(vault: Vault) -> None:
    keys = {saved(vault.entries.store(EntryDraft("Prefers tea"))).key for _ in range(20)}
    assert len(keys) == 20
    assert all(key.startswith("prefers-tea-") for key in keys)


def test_updated_at_grows_although_the_clock_stands_still_or_goes_back(
    vault: Vault, clock: FixedClock
) -> None:
    stamps = []
    for number in range(5):
        entry = saved(vault.entries.store(EntryDraft(f"v{number}", key="k")))
        stamps.append(entry.updated_at)
        clock.forward(days=-3650)
    assert stamps == sorted(set(stamps))


def test_a_write_that_names_an_old_version_conflicts_and_changes_nothing(vault: Vault) -> None:
    first = saved(vault.entries.store(EntryDraft("mine", key="k")))
    theirs = saved(vault.entries.store(EntryDraft("theirs", key="k")))
    outcome = vault.entries.change(
        first.id, {"content": "mine again"}, expected_updated_at=first.updated_at
    )
    assert outcome == Conflict(theirs)
    assert vault.entries.read(first.id) == theirs


def test_expected_instants_are_compared_not_their_spelling(vault: Vault) -> None:
    entry = saved(vault.entries.store(EntryDraft("a", key="k")))
    spelled = entry.updated_at.replace("Z", "+00:00")
    assert isinstance(
        vault.entries.change(entry.id, {"importance": 7}, expected_updated_at=spelled), Saved
    )


def test_expecting_nothing_conflicts_with_an_entry_that_is_there(vault: Vault) -> None:
    vault.entries.store(EntryDraft("a", key="k"))
    assert isinstance(
        vault.entries.store(EntryDraft("b", key="k"), expected_updated_at=None), Conflict
    )


def test_forget_then_store_of_the_same_key_works(vault: Vault) -> None:
    old = saved(vault.entries.store(EntryDraft("old", key="k")))
    vault.entries.forget([old.id])
    new = saved(vault.entries.store(EntryDraft("new", key="k")))
    assert new.id != old.id
    outcome = vault.entries.restore([old.id])
    assert isinstance(outcome, KeyTaken)
    assert outcome.suggestion == "k-2"
    back = vault.entries.restore([old.id], key=outcome.suggestion)
    assert isinstance(back, Restored)
    assert [entry.key for entry in back.entries] == ["k-2"]


def test_an_expired_entry_restored_from_the_trash_lives_on(vault: Vault, clock: FixedClock) -> None:
    entry = saved(vault.entries.store(EntryDraft("call Bob", category="daily")))
    vault.entries.forget([entry.id])
    clock.forward(days=10)
    back = vault.entries.restore([entry.id])
    assert isinstance(back, Restored)
    assert back.entries[0].expires_at == plus(to_instant(clock()), hours=72)


def test_daily_entries_expire_72_hours_after_their_last_write(
    vault: Vault, clock: FixedClock
) -> None:
    vault.entries.store(EntryDraft("a", key="k", category="daily"))
    clock.forward(hours=10)
    entry = saved(vault.entries.store(EntryDraft("b", key="k")))
    assert entry.expires_at == plus(entry.written_at, hours=72)
    entry = saved(vault.entries.change(entry.id, {"category": "core"}))
    assert entry.expires_at is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"importance": 11}, "1 to 10"),
        ({"importance": True}, "1 to 10"),
        ({"key": "k" * 201}, "200"),
        ({"hook": "h" * 201}, "200"),
        ({"tags": ("t" * 65,)}, "64"),
        ({"content": "  \n"}, "empty"),
        ({"content": "a\x00b"}, "not text"),
        ({"source": "owner"}, "cannot be changed"),
        ({"created_at": "2020-01-01"}, "cannot be changed"),
        ({"expires_at": "tomorrow"}, "not a time"),
        ({"scope": "planet:mars"}, "no scope"),
    ],
)
def test_bad_fields_are_refused_in_words(
    vault: Vault, fields: dict[str, object], words: str
) -> None:
    entry = saved(vault.entries.store(EntryDraft("a")))
    with pytest.raises(Invalid, match=words):
        vault.entries.change(entry.id, fields)
    assert vault.entries.read(entry.id) == entry


def test_an_over_long_entry_says_how_long_it_is(vault: Vault) -> None:
    with pytest.raises(TooLarge, match="65,538 bytes"):
        vault.entries.store(EntryDraft("é" * 32_769))
    assert vault.entries.count() == 0


def test_reading_an_unknown_id_is_not_found(vault: Vault) -> None:
    with pytest.raises(NotFound):
        vault.entries.read("nope")


def test_a_batch_updates_known_keys_and_is_one_action(vault: Vault) -> None:
    vault.entries.store(EntryDraft("old", key="k1"))
    done = vault.entries.store_many(
        [EntryDraft(f"n{n}", key=f"k{n}", scope=USER) for n in range(5)] + [EntryDraft("free")]
    )
    assert (done.created, done.updated) == (5, 1)
    assert len(vault.history.changes_of(done.group)) == 6
    vault.history.undo(done.group)
    assert [entry.content for entry in vault.entries.page().entries] == ["old"]


def test_a_key_named_twice_in_a_batch_makes_one_entry(vault: Vault) -> None:
    vault.entries.store_many([EntryDraft("a", key="k"), EntryDraft("b", key="k")])
    assert [entry.content for entry in vault.entries.page().entries] == ["b"]


def test_cancelling_a_batch_leaves_nothing(vault: Vault) -> None:
    def cancel(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vault.entries.store_many([EntryDraft("a")] * 3, progress=cancel)
    assert vault.entries.count() == 0


def test_many_entries_change_as_one(vault: Vault) -> None:
    made = [saved(vault.entries.store(EntryDraft(f"m{n}", tags=("old",)))) for n in range(3)]
    done = vault.entries.change_many(
        [entry.id for entry in made], {"category": "note"}, add_tags=["new"], remove_tags=["old"]
    )
    assert isinstance(done, Changed)
    assert {(entry.category, entry.tags) for entry in done.entries} == {("note", ("new",))}
    vault.history.undo(done.group)
    assert vault.entries.count(EntryFilter(tags=("old",))) == 3


def test_moving_to_a_scope_where_the_key_is_taken_renames(vault: Vault) -> None:
    there = Scope("agent", "claude")
    vault.entries.store(EntryDraft("theirs", key="k", scope=there))
    mine = saved(vault.entries.store(EntryDraft("mine", key="k")))
    moved = vault.entries.change_many([mine.id], {"scope": "agent:claude"})
    assert [(entry.scope, entry.key) for entry in moved.entries] == [(there, "k-2")]


# Lists


def filled(vault: Vault, number: int = 60) -> list[Entry]:
    scopes = [USER, Scope("agent", "a"), Scope("workspace", "w")]
    made = [
        saved(
            vault.entries.store(
                EntryDraft(
                    f"memory {n}",
                    scope=scopes[n % 3],
                    category=["core", "note"][n % 2],
                    kind=["fact", "event"][n % 5 == 0],
                    importance=n % 10 + 1,
                    tags=("even",) if n % 2 == 0 else ("odd", "all"),
                )
            )
        )
        for n in range(number)
    ]
    vault.entries.forget([entry.id for entry in made[:3]])
    return [entry for entry in vault.entries.read_many([entry.id for entry in made])]


FILTERS = [
    EntryFilter(),
    EntryFilter(scopes=(USER,)),
    EntryFilter(scopes=(USER, Scope("agent", "a"))),
    EntryFilter(scopes=()),
    EntryFilter(scope_kinds=("agent",)),
    EntryFilter(categories=("core", "note"), kinds=("event",)),
    EntryFilter(tags=("odd",)),
    EntryFilter(tags=("odd", "all"), scopes=(USER,)),
    EntryFilter(min_importance=7),
    EntryFilter(min_importance=3, max_importance=5, categories=("note",)),
    EntryFilter(state=TRASHED),
    EntryFilter(state=None, tags=("even",)),
    EntryFilter(sources=("owner",)),
]


def matching(entries: list[Entry], wanted: EntryFilter) -> list[str]:
    """The filter the slow way."""
    found = [
        entry
        for entry in entries
        if (wanted.state is None or entry.state == wanted.state)
        and (wanted.scopes is None or entry.scope in wanted.scopes)
        and (not wanted.scope_kinds or entry.scope.kind in wanted.scope_kinds)
        and (not wanted.categories or entry.category in wanted.categories)
        and (not wanted.kinds or entry.kind in wanted.kinds)
        and (not wanted.sources or entry.source in wanted.sources)
        and set(wanted.tags) <= set(entry.tags)
        and (wanted.min_importance or 1) <= entry.importance <= (wanted.max_importance or 10)
        and (wanted.since is None or entry.written_at >= wanted.since)
        and (wanted.before is None or entry.written_at < wanted.before)
    ]
    found.sort(key=lambda entry: (entry.importance, entry.written_at, entry.n), reverse=True)
    return [entry.id for entry in found]


@pytest.mark.parametrize("wanted", FILTERS)
@pytest.mark.parametrize(("size", "small"), [(7, 0), (1000, 0), (7, 5000)])
def test_pages_under_a_filter_hold_every_match_once_in_order(
    vault: Vault, wanted: EntryFilter, size: int, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both ways: as in a small vault, and led by an index as in a large one."""
    monkeypatch.setattr("store.tables.entry_filter._SMALL", small)
    made = filled(vault)
    seen: list[str] = []
    cursor = None
    while True:
        page = vault.entries.page(wanted, limit=size, cursor=cursor)
        seen += [entry.id for entry in page.entries]
        cursor = page.next
        if cursor is None:
            break
    assert seen == matching(made, wanted)
    assert vault.entries.count(wanted) == len(seen)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    since=st.none() | st.integers(0, 70),
    before=st.none() | st.integers(0, 70),
    low=st.none() | st.integers(1, 10),
    tags=st.sampled_from([(), ("even",), ("odd", "all")]),
    scopes=st.sampled_from([None, (USER,), (USER, Scope("workspace", "w"))]),
    size=st.integers(1, 30),
)
@pytest.mark.parametrize("small", [0, 5000])
def test_time_bounds_and_everything_else_together(
    monkeypatch: pytest.MonkeyPatch,
    small: int,
    many: tuple[Vault, list[Entry], str],
    since: int | None,
    before: int | None,
    low: int | None,
    tags: tuple[str, ...],
    scopes: tuple[Scope, ...] | None,
    size: int,
) -> None:
    monkeypatch.setattr("store.tables.entry_filter._SMALL", small)
    vault, made, start = many
    wanted = EntryFilter(
        since=None if since is None else plus(start, hours=since),
        before=None if before is None else plus(start, hours=before),
        min_importance=low,
        tags=tags,
        scopes=scopes,
    )
    seen: list[str] = []
    cursor = None
    for _ in range(100):
        page = vault.entries.page(wanted, limit=size, cursor=cursor)
        seen += [entry.id for entry in page.entries]
        cursor = page.next
        if cursor is None:
            break
    assert seen == matching(made, wanted)


@pytest.fixture
def many(vault: Vault, clock: FixedClock) -> tuple[Vault, list[Entry], str]:
    start = to_instant(clock())
    drafts = []
    for n in range(64):
        at = plus(start, hours=n)
        draft = EntryDraft(f"m{n}", importance=n % 10 + 1, created_at=at, written_at=at)
        scope = (USER, Scope("agent", "a"), Scope("workspace", "w"))[n % 3]
        drafts.append(replace(draft, scope=scope, tags=("even",) if n % 2 == 0 else ("odd", "all")))
    vault.entries.store_many(drafts)
    return vault, vault.entries.page(limit=1000).entries, start


def test_a_page_stays_put_while_others_write(vault: Vault) -> None:
    for n in range(10):
        vault.entries.store(EntryDraft(f"m{n}", importance=5))
    first = vault.entries.page(limit=5)
    vault.entries.store(EntryDraft("newcomer", importance=10))
    second = vault.entries.page(limit=5, cursor=first.next)
    contents = [entry.content for entry in (*first.entries, *second.entries)]
    assert contents == [f"m{n}" for n in range(9, -1, -1)]


@pytest.mark.parametrize("cursor", ["nonsense", "cg", "==", "é", "bzEuMg"])
def test_a_cursor_that_is_not_ours_is_refused(vault: Vault, cursor: str) -> None:
    vault.entries.store(EntryDraft("a"))
    with pytest.raises(Invalid, match="cursor"):
        vault.entries.page(cursor=cursor)


def test_an_expired_entry_is_hidden_at_its_instant(vault: Vault, clock: FixedClock) -> None:
    vault.entries.store(EntryDraft("a", category="daily"))
    now = to_instant(clock())
    assert vault.entries.count(EntryFilter(now=plus(now, hours=71.9))) == 1
    assert vault.entries.count(EntryFilter(now=plus(now, hours=72))) == 0


def test_scopes_are_read_as_people_write_them() -> None:
    assert parse_scope("user") == USER
    assert parse_scope("agent:claude") == Scope("agent", "claude")
    assert parse_scope("workspace:a:b") == Scope("workspace", "a:b")
    for wrong in ("agent", "agent:", "user:me", "", "planet:x"):
        with pytest.raises(Invalid):
            parse_scope(wrong)
