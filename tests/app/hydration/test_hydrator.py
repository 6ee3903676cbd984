from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.access.caller_scope import Caller
from app.errors import Invalid, NotAllowed, NotFound, ScopeDenied
from app.hydration import hydrator
from app.outcomes import Saved
from app.rules import rendering
from app.rules.hydration import ArchivalLine, compare
from app.rules.policy import Run
from app.rules.visibility import Standing
from app.vault import Vault
from store.file.database import Connection, Database, connect
from store.file.migrations import LEAST_BYTES
from store.instants import plus, to_instant
from store.records import USER, Agent, Block, Entry, EntryDraft, Layers, Scope
from store.tables import usage
from tests.fakes import FixedClock


def stored(vault: Vault, content: str, scope: Scope = USER, **fields: object) -> Entry:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


def an_agent(vault: Vault, name: str, **profile: object) -> Agent:
    return vault.agents.add(name, **profile)[0]


def test_an_agent_is_told_the_same_as_its_owner_sees(vault: Vault) -> None:
    agent = an_agent(vault, "claude")
    stored(vault, "Prefers tea.", key="drink")
    stored(vault, "Works in Berlin.", agent.scope, key="city", category="memory")
    vault.blocks.replace(agent.scope, "session", "We spoke of tea.", expected_updated_at=None)
    told = vault.memory_for(Caller(agent)).hydration.hydrate()
    seen = vault.memory_for(Caller()).hydration.hydrate(agent_id="claude")
    assert told.text == seen.text
    assert [item.reason for item in told.items] == ["block", "core", "window"]
    for words in ("Prefers tea.", "Works in Berlin.", "We spoke of tea."):
        assert words in told.text


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["user", "agent:a", "agent:b", "workspace:shop", "workspace:lab", "conversation:x"]
            ),
            st.sampled_from(["core", "daily", "memory"]),
            st.sampled_from(["live", "trashed", "expired"]),
        ),
        max_size=12,
    ),
    st.integers(0, 4000),
)
def test_no_byte_of_anybody_elses_nor_of_the_trash_nor_of_the_expired(
    vault: Vault, rows: list[tuple[str, str, str]], budget: int
) -> None:
    for name in ("a", "b"):
        if not any(agent.id == name for agent in vault.agents.list()):
            an_agent(vault, name, workspaces=["shop"] if name == "a" else ["lab"])
    seen, hidden = [], []
    for number, (scope, category, state) in enumerate(rows):
        mark = f"canary-{vault.ids()}-{number}"
        end = plus(to_instant(vault.clock()), hours=-1) if state == "expired" else None
        entry = stored(vault, mark, Scope.of(scope), category=category, expires_at=end)
        if state == "trashed":
            vault.entries.forget([entry.id])
        visible = state == "live" and scope in ("user", "agent:a", "workspace:shop")
        (seen if visible else hidden).append(mark)
    vault.review.propose("a", "store", USER, {"content": "canary-proposal"})
    agent = vault.agents.read("a")
    memory = vault.memory_for(Caller(agent, workspace_id="shop"))
    text = memory.hydration.hydrate(budget=budget).text
    assert len(text.encode()) <= budget
    assert "canary-proposal" not in text
    assert not [mark for mark in hidden if mark in text]
    whole = memory.hydration.hydrate(budget=1_000_000).text
    assert all(mark in whole for mark in seen)


def test_the_workspace_it_works_in_and_the_run_it_is_in(vault: Vault) -> None:
    agent = an_agent(vault, "a", workspaces=["shop", "lab"])
    stored(vault, "Shop fact.", Scope("workspace", "shop"))
    stored(vault, "Lab fact.", Scope("workspace", "lab"))
    run = vault.conversations.start(Caller(agent)).id
    stored(vault, "Scratch.", Scope("conversation", run), category="conversation")
    text = vault.memory_for(Caller(agent, "shop", run)).hydration.hydrate().text
    assert "Shop fact." in text
    assert "Scratch." in text
    assert "Lab fact." not in text


def test_layers_that_are_off_stay_out_and_the_owner_is_told(vault: Vault) -> None:
    agent = an_agent(vault, "a", layers=Layers(session_memory=False, types=("working",)))
    stored(vault, "Prefers tea.")
    vault.blocks.replace(agent.scope, "session", "We spoke.", expected_updated_at=None)
    assert vault.memory_for(Caller(agent)).hydration.hydrate().text == ""
    items = vault.memory_for(Caller()).hydration.hydrate(agent_id="a").items
    assert {item.reason for item in items} == {"policy"}
    assert any("session memory is off" in item.why for item in items)


def test_the_owner_sees_what_expired_and_what_waits(vault: Vault, clock: FixedClock) -> None:
    agent = an_agent(vault, "a", trust="review")
    stored(vault, "Old news.", key="news", category="daily")
    vault.memory_for(Caller(agent)).entries.store(EntryDraft("New idea.", agent.scope, key="idea"))
    clock.forward(hours=73)
    told = vault.memory_for(Caller(agent)).hydration.hydrate()
    assert told.items == ()
    items = vault.memory_for(Caller()).hydration.hydrate(agent_id="a").items
    assert {(item.key, item.reason) for item in items} == {("news", "expired"), ("idea", "pending")}


def test_the_agents_own_budget_counts_and_a_wrong_one_is_named(vault: Vault) -> None:
    agent = an_agent(vault, "a", hydration_budget=300)
    for number in range(9):
        stored(vault, "x" * 100, key=f"k{number}")
    memory = vault.memory_for(Caller(agent))
    assert memory.hydration.hydrate().budget == 300
    assert memory.hydration.hydrate().used <= 300
    assert memory.hydration.hydrate(budget=2000).used > 300
    with pytest.raises(Invalid, match="budget"):
        memory.hydration.hydrate(budget=-1)
    with pytest.raises(Invalid, match="archival_mode"):
        memory.hydration.hydrate(policy={"archival_mode": "x"})


def test_hydrating_marks_use_and_looking_does_not(vault: Vault) -> None:
    agent = an_agent(vault, "a")
    entry = stored(vault, "Prefers tea.")
    vault.memory_for(Caller()).hydration.hydrate(agent_id="a")
    vault.usage.flush()
    with vault.database.read() as db:
        assert usage.read(db, entry.n) is None
    vault.memory_for(Caller(agent)).hydration.hydrate()
    vault.memory_for(Caller(agent)).hydration.hydrate()
    vault.usage.flush()
    with vault.database.read() as db:
        assert usage.read(db, entry.n) == (to_instant(vault.clock()), 2)
    assert [change.action for change in vault.history.of(entry.id)] == ["created"]


def test_an_unsaved_draft_shows_what_it_would_move(vault: Vault) -> None:
    agent = an_agent(vault, "a", hydration_budget=600)
    other = stored(vault, "y" * 300, key="other", category="memory")
    entry = stored(vault, "short", key="draft")
    before = vault.hydrator.preview(Run(agent))
    after = vault.hydrator.preview(Run(agent), replace(entry, content="z" * 400))
    assert [item.id for item in compare(before, after).left] == [other.id]
    assert "z" * 400 in after.text
    gone = vault.hydrator.preview(Run(agent), replace(entry, scope=Scope("agent", "b")))
    assert "short" not in gone.text
    assert vault.entries.read(entry.id).content == "short"


ODD_TEXTS = st.one_of(
    st.text(st.sampled_from("ab \n\t\r<é\u200b\x01\x7f"), min_size=1, max_size=60),
    st.text(st.sampled_from("ab"), min_size=1, max_size=90),
)


MEMORIES = st.tuples(
    ODD_TEXTS | st.sampled_from(["a", "b" * 40, "c" * 150]),
    st.sampled_from(["core", "memory"]),
    st.sampled_from(["own", "shared", "by others"]),
    st.sampled_from(["live", "live", "live", "expired", "muted", "not yet"]),
    st.sampled_from(["fact", "event"]),
    st.booleans(),  # whether time goes on before it is written
)


def remembered(
    vault: Vault, clock: FixedClock, rows: list[tuple[str, str, str, str, str, bool]]
) -> Run:
    """A run of a new agent in a workspace of its own, with these memories to be seen or not."""
    name = vault.ids()
    agent = an_agent(vault, f"agent {name}", workspaces=[name])
    now = to_instant(vault.clock())
    for number, (content, category, place, state, kind, later) in enumerate(rows):
        clock.forward(seconds=int(later))
        draft = EntryDraft(
            content if content.strip() else "x",
            agent.scope if place == "own" else Scope("workspace", name),
            key=f"k{number}",
            category=category,
            kind=kind,
            expires_at=plus(now, hours=-1) if state == "expired" else None,
            true_from=plus(now, hours=99) if state == "not yet" else None,
            muted_for=("*",) if state == "muted" else (),
        )
        vault.entries.store(draft, actor="agent:other" if place == "by others" else "owner")
    vault.blocks.replace(agent.scope, "session", "We spoke of tea.", expected_updated_at=None)
    vault.blocks.replace(agent.scope, "archival", "x", expected_updated_at=None)
    return Run(agent, Standing(name))


def recalled(message: str, blocks: Sequence[Block], limit: int) -> list[ArchivalLine]:
    lines = ("tea at home", "a line that is too long for what is left " * 4, "black")
    return [ArchivalLine(blocks[0].id, USER, n, line, 0.9) for n, line in enumerate(lines)]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(MEMORIES, max_size=24),
    st.integers(300, 1000),
    st.sampled_from([None, 300, 500]),
    st.sampled_from(["", "tea"]),
    st.integers(0, 4),
)
def test_what_is_read_from_the_nearest_on_is_what_is_read_of_all(
    vault: Vault,
    clock: FixedClock,
    rows: list[tuple[str, str, str, str, str, bool]],
    budget: int,
    room: int | None,
    message: str,
    nearest: int,
) -> None:
    check_nearest(vault, remembered(vault, clock, rows), budget, room, message, nearest)


@pytest.mark.parametrize("small", ["core", "memory"])
def test_a_small_one_far_behind_comes_in_at_its_place(
    vault: Vault, clock: FixedClock, small: str
) -> None:
    big = [("c" * 150, category, "own", "live", "fact", True) for category in ("memory", "core")]
    rows = [("a", small, "own", "live", "fact", True), *big * 4]
    run = remembered(vault, clock, rows)
    for budget in range(300, 700, 10):
        for message in ("", "tea"):
            check_nearest(vault, run, budget, None, message, nearest=1)


def check_nearest(
    vault: Vault, run: Run, budget: int, room: int | None, message: str, nearest: int
) -> None:
    run = replace(run, budget=budget, message=message, policy={"archival_mode": "auto"})
    asked = hydrator.Hydrator(
        vault.database, vault.settings, vault.hydrator._usage, vault.clock, recalled
    )
    whole = asked.hydrate_within(run, room, looking=True)
    seen = asked.look(run, everything=True)
    with (
        mock.patch.object(hydrator, "TRIED_FIRST", 3),
        mock.patch.object(hydrator, "OVERVIEW", nearest),
    ):
        sooner = asked.hydrate_within(run, room, looking=True, nearest=nearest)
        looked = asked.look(run)
    assert sooner.hydration.text == whole.hydration.text
    assert sooner.whole_bytes == whole.whole_bytes
    told = [item.id for item in whole.hydration.included]
    assert [item.id for item in sooner.hydration.included] == told
    assert looked.text == seen.text
    if nearest:  # with their ranks, and what was left at the turn of each
        nearby = list(whole.hydration.overview(nearest))
        assert list(sooner.hydration.overview(nearest)) == nearby
        assert sooner.hydration.left_out == whole.hydration.left_out
        assert list(looked.overview(nearest)) == list(seen.overview(nearest))
        assert looked.left_out == seen.left_out


def steps_of(vault: Vault, work: Callable[[], object]) -> int:
    """In steps of the engine: no load of the machine moves them."""
    taken = 0
    plain = Database.read

    @contextmanager
    def counting(database: Database) -> Iterator[Connection]:
        nonlocal taken
        with plain(database) as db:

            def step() -> int:
                nonlocal taken
                taken += 1
                return 0

            db.set_progress_handler(step, 1)
            try:
                yield db
            finally:
                db.set_progress_handler(None, 1)

    with mock.patch.object(Database, "read", counting):
        work()
    return taken


def test_an_agents_start_costs_hardly_more_however_much_there_is(vault: Vault) -> None:
    vault.settings.set("entry_cap", 0)
    agent = an_agent(vault, "a", hydration_budget=2_000)
    memory = vault.memory_for(Caller(agent)).hydration

    def more(number: int) -> tuple[int, int]:
        texts = (f"memory {n:05} with a text of some length" for n in range(number))
        categories = ("core", "memory")
        vault.entries.store_many(
            EntryDraft(text, category=categories[n % 2]) for n, text in enumerate(texts)
        )
        text_alone = steps_of(
            vault, lambda: memory.hydrate_within(None, budget=2_000, looking=True)
        )
        return text_alone, steps_of(vault, lambda: memory.hydrate(looking=True))

    few, many = more(1_000), more(9_000)
    assert many[0] <= few[0] * 1.1
    assert (many[1] - few[1]) / 9_000 <= 10  # they are counted, and not read


def test_an_agent_asks_only_about_itself(vault: Vault) -> None:
    agent = an_agent(vault, "a")
    an_agent(vault, "b")
    memory = vault.memory_for(Caller(agent))
    with pytest.raises(ScopeDenied):
        memory.hydration.hydrate(agent_id="b")
    with pytest.raises(ScopeDenied):
        memory.hydration.hydrate(standing=Standing(workspace_id="elsewhere"))
    with pytest.raises(Invalid, match="agent_id"):
        vault.memory_for(Caller()).hydration.hydrate()
    with pytest.raises(NotFound):
        vault.memory_for(Caller()).hydration.hydrate(agent_id="nobody")


def test_why_tells_everything_about_one_entry(vault: Vault, clock: FixedClock) -> None:
    an_agent(vault, "a", hydration_budget=700, workspaces=["shop"])
    an_agent(vault, "b")
    owner = vault.memory_for(Caller())
    wanted = stored(vault, "x" * 300, Scope("agent", "a"), key="wanted")
    assert owner.hydration.why(wanted.id, agent_id="a").hydrated
    assert owner.hydration.why(wanted.id, agent_id="b").reason == "scope"
    clock.forward(seconds=1)
    stored(vault, "y" * 400, Scope("agent", "a"), key="incident_log")
    answer = owner.hydration.why(wanted.id, agent_id="a")
    assert (answer.visible, answer.hydrated, answer.reason) == (True, False, "over_budget")
    assert any(remedy.sentence == "forget `incident_log`" for remedy in answer.remedies)
    assert any(remedy.action == "shorten" for remedy in answer.remedies)
    shop = stored(vault, "z", Scope("workspace", "shop"))
    assert owner.hydration.why(shop.id, agent_id="a").reason == "elsewhere"
    rows = {view.agent.id: view.explanation for view in owner.hydration.why_for_all(shop.id)}
    assert (rows["a"].visible, rows["b"].visible) == (True, False)
    vault.entries.forget([wanted.id])
    assert owner.hydration.why(wanted.id, agent_id="a").reason == "trashed"
    with pytest.raises(NotAllowed):
        vault.memory_for(Caller(vault.agents.read("a"))).hydration.why_for_all(shop.id)


def least_bytes(texts: Sequence[str], key: str = "key") -> list[int]:
    with closing(connect(Path(":memory:"))) as db:
        rows = db.execute(
            f"""SELECT {LEAST_BYTES} FROM (SELECT value AS content, :key AS key
                 FROM json_each(:texts))""",
            {"texts": json.dumps(texts), "key": key},
        )
        return [row[0] for row in rows.fetchall()]


def test_no_character_is_told_in_fewer_bytes_than_the_index_has_for_it() -> None:
    """A character that the rules leave out from now on needs an index that knows it."""
    characters = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000]
    shrinking = [c for c in characters if c.isspace() or len(rendering.clean(f"a{c}b")) < 3]
    assert len(shrinking) > 4_000
    texts = [f"{before}{c}{after}" for c in shrinking for before in "a " for after in ("b", "")]
    told = [rendering.entry_bytes("key", "fact", "2026-11-18", text) for text in texts]
    for text, least, size in zip(texts, least_bytes(texts), told, strict=True):
        assert least + rendering.LEAST_HEAD_BYTES <= size, repr(text)


@given(st.text(max_size=60) | ODD_TEXTS, st.text(min_size=1, max_size=9), st.booleans())
def test_what_surely_is_told_is_at_least_told(text: str, key: str, plain: bool) -> None:
    told = rendering.entry_bytes(key, "fact" if plain else "event", "2026-11-18", text)
    assert least_bytes([text], key)[0] + rendering.LEAST_HEAD_BYTES <= told


def test_of_plain_text_the_index_has_all_bytes() -> None:
    texts = [
        "Prefers tea.",
        'Says "no".',
        "Grüße aus Köln",
        "東京に住んでいます",
        "Tea ☕\ufe0f, please",
    ]
    assert least_bytes(texts)[:4] == [len(text.encode()) + 3 for text in texts[:4]]
    assert least_bytes(texts)[4] > 10
