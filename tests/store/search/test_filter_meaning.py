"""A filter means the same to every reader: the file's SQL, its pages, and the columns in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.rules.visibility import is_told, muted_by
from store.care.opening import open_database
from store.file.database import Connection, Database
from store.records import ACTIVE, TRASHED, Entry, EntryFields, Hearing, Scope
from store.search.vector_matrix import Columns
from store.tables import entries, entry_filter
from store.tables.change_log import Recorder, recording
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock, an_entry

SCOPES = [
    Scope("user"),
    Scope("agent", "claude"),
    Scope("agent", "cl"),
    Scope("agent", "a:b"),
    Scope("workspace", "claude"),
    Scope("conversation", "c1"),
]
WORDS = ["core", "daily", "fact", *(f"word-{number}" for number in range(17))]
TAGS = ["travel", "x", "ü"]
SOURCES = ["owner", "agent:claude", "import:notes"]
IDS = [f"e{number}" for number in range(12)]
MOMENTS = [
    "0001-01-01T00:00:00.000000Z",
    "1969-12-31T23:59:59.999999Z",
    "2026-04-30T12:00:00.000000Z",
    "2026-04-30T12:00:00.000001Z",
    "2026-04-30T12:00:01.000000Z",
    "9999-12-31T23:59:59.999998Z",
    "9999-12-31T23:59:59.999999Z",
]
moments = st.sampled_from(MOMENTS)


def any_of(values: list[str], most: int = 12) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), max_size=most).map(tuple)


fields = st.fixed_dictionaries(
    {
        "scope": st.sampled_from(SCOPES),
        "category": st.sampled_from(WORDS),
        "kind": st.sampled_from(WORDS),
        "importance": st.integers(1, 10),
        "tags": any_of(TAGS, 3).map(lambda tags: tuple(dict.fromkeys(tags))),
        "source": st.sampled_from(SOURCES),
        "state": st.sampled_from([ACTIVE, ACTIVE, TRASHED]),
        "created_at": moments,
        "written_at": moments,
        "expires_at": st.none() | moments,
        "true_from": st.none() | moments,
        "true_until": st.none() | moments,
        "muted_for": any_of(["claude", "cloud", "*"], 2),
        "extra": st.sampled_from(
            ["{}", '{"user_id": "alice"}', '{"user_id": "bob", "x": "alice"}']
        ),
    }
)
words = any_of([*WORDS, "nowhere"], 3) | st.permutations(WORDS).map(tuple)
criteria: dict[str, st.SearchStrategy[object]] = {
    "scopes": st.none() | st.lists(st.sampled_from(SCOPES), max_size=6).map(tuple),
    "scope_kinds": any_of(["user", "agent", "workspace", "elsewhere"], 3),
    "categories": words,
    "kinds": words,
    "tags": any_of([*TAGS, "none"], 2),
    "sources": any_of([*SOURCES, "nobody"], 3),
    "min_importance": st.none() | st.integers(-1, 300),
    "max_importance": st.none() | st.integers(-1, 300),
    "since": st.none() | moments,
    "before": st.none() | moments,
    "state": st.sampled_from([ACTIVE, TRASHED, None]),
    "ids": st.none() | any_of([*IDS, "missing"]),
    "now": st.none() | moments,
    "expiring_before": st.none() | moments,
    "extra": st.sampled_from(
        [(), (("user_id", "alice"),), (("user_id", None),), (("user_id", "bob"), ("x", "alice"))]
    ),
    "hearing": st.none()
    | st.builds(
        Hearing,
        st.none() | any_of(["claude", "cloud", "*", "cursor"], 3),
        any_of([*TAGS, "none"], 2),
        st.none() | moments,
        st.lists(st.tuples(moments, moments), max_size=2).map(tuple),
    ),
}
# A few criteria at a time: all at once would let almost nothing through.
filters = (
    st.lists(st.sampled_from(list(criteria)), max_size=4, unique=True)
    .flatmap(lambda names: st.fixed_dictionaries({name: criteria[name] for name in names}))
    .map(lambda chosen: EntryFilter(**chosen))
)


def test_every_criterion_of_a_filter_is_tried() -> None:
    assert set(criteria) == set(EntryFilter.__dataclass_fields__)


class _TakenBack(Exception):
    """Ends a transaction without a trace."""


@contextmanager
def taken_back(database: Database) -> Iterator[Recorder]:
    """A transaction that leaves nothing behind: as good as a new vault, and much quicker."""
    with (
        suppress(_TakenBack),
        recording(database, actor="owner", action="stored", clock=FixedClock()) as rec,
    ):
        yield rec
        raise _TakenBack


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    opened = open_database(tmp_path_factory.mktemp("filters") / "vault.db", clock=FixedClock())
    yield opened
    opened.close()


def as_said(entry: Entry, wanted: EntryFilter) -> bool:
    """The meaning of a filter, word for word as EntryFilter describes it."""
    return (
        wanted.state in (None, entry.state)
        and (wanted.scopes is None or entry.scope in wanted.scopes)
        and (not wanted.scope_kinds or entry.scope.kind in wanted.scope_kinds)
        and (not wanted.categories or entry.category in wanted.categories)
        and (not wanted.kinds or entry.kind in wanted.kinds)
        and set(wanted.tags) <= set(entry.tags)
        and (not wanted.sources or entry.source in wanted.sources)
        and (wanted.min_importance is None or entry.importance >= wanted.min_importance)
        and (wanted.max_importance is None or entry.importance <= wanted.max_importance)
        and (wanted.since is None or entry.written_at >= wanted.since)
        and (wanted.before is None or entry.written_at < wanted.before)
        and (wanted.ids is None or entry.id in wanted.ids)
        and (wanted.now is None or entry.expires_at is None or entry.expires_at > wanted.now)
        and (
            wanted.expiring_before is None
            or (entry.expires_at is not None and entry.expires_at < wanted.expiring_before)
        )
        and all(json.loads(entry.extra).get(name) == value for name, value in wanted.extra)
        and (wanted.hearing is None or heard(entry, wanted.hearing))
    )


def heard(entry: Entry, hearing: Hearing) -> bool:
    if muted_by(entry, hearing):
        return False
    if hearing.true_at is None or is_told(entry, hearing):
        return True
    return any(
        (entry.true_from is None or entry.true_from < end)
        and (entry.true_until is None or entry.true_until > start)
        for start, end in hearing.spans
    )


def paged(db: Connection, wanted: EntryFilter) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = entry_filter.page(db, wanted, limit=3, cursor=cursor)
        found += [entry.id for entry in page.entries]
        cursor = page.next
        if cursor is None:
            return found


def check(db: Connection, columns: Columns, kept: list[Entry], wanted: EntryFilter) -> None:
    columns.follow(db)
    meant = sorted(entry.id for entry in kept if as_said(entry, wanted))
    in_memory = entries.read_rows(db, columns.n[columns.allowed(db, wanted)].tolist())
    listed = entries.read_rows(db, entry_filter.ordered_numbers(db, wanted))
    assert sorted(entry_filter.ids(db, wanted)) == meant
    assert sorted(entry.id for entry in in_memory) == meant
    assert sorted(entry.id for entry in listed) == meant
    assert sorted(paged(db, wanted)) == meant
    assert entry_filter.count(db, wanted) == len(meant)
    lasting = replace(wanted, now=None)  # what has expired is taken out of the first ones
    newest = entry_filter.ordered_numbers(db, lasting, "newest")
    for limit in (0, 2, len(kept)):
        assert entry_filter.ordered_numbers(db, lasting, "newest", limit) == newest[:limit]


@pytest.mark.parametrize("small", [0, 5000], ids=["many", "few"])
@settings(max_examples=60)
@given(
    st.lists(fields, min_size=1, max_size=len(IDS)),
    st.lists(fields, max_size=3),
    st.lists(filters, min_size=1, max_size=4),
)
def test_sql_and_memory_mean_the_same_by_any_filter(
    small: int,
    database: Database,
    made: list[dict[str, object]],
    changed: list[EntryFields],
    wanted: list[EntryFilter],
) -> None:
    columns = Columns()
    kept = [
        an_entry(**values | {"id": ident, "key": ident})
        for ident, values in zip(IDS, made, strict=False)
    ]
    with pytest.MonkeyPatch.context() as patch, taken_back(database) as rec:
        patch.setattr(entry_filter, "_SMALL", small)
        kept = [entries.insert(rec, entry) for entry in kept]
        rec.finish()
        for one in wanted:
            check(rec.db, columns, kept, one)
        later = Recorder(rec.db, rec.now, "owner", "changed", "", None)
        for index, values in enumerate(changed[: len(kept)]):
            kept[index] = entries.update(later, kept[index], values)
        later.finish()
        for one in wanted:
            check(rec.db, columns, kept, one)
