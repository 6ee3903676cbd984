"""What an agent is told, and of what time: muted, no longer true and not yet true memories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import Invalid, NotFound
from app.hydration.preview import LiveHydration
from app.markdown.projection import Projection, Projections
from app.memory.memory import Memory
from app.outcomes import Saved
from app.rules.policy import Run
from app.rules.visibility import Standing
from app.vault import Vault
from store.instants import plus, to_instant
from store.records import USER, Agent, Entry, EntryDraft, Hearing, Scope
from store.tables.entry_filter import EntryFilter
from tests.fakes import NOON, FixedClock

DAY_BEFORE = plus(to_instant(NOON), days=-1)
DAY_AFTER = plus(to_instant(NOON), days=1)


def store(vault: Vault, content: str, key: str, **fields: object) -> Entry:
    outcome = vault.memory.entries.store(EntryDraft(content, key=key, **fields))  # type: ignore[arg-type]
    assert isinstance(outcome, Saved)
    return outcome.entry


@pytest.fixture
def agent(vault: Vault) -> Agent:
    return vault.agents.add("cursor", workspaces=["shop"])[0]


def memory_of(vault: Vault, agent: Agent) -> Memory:
    return vault.memory_for(Caller(vault.agents.read(agent.id), "shop"))


DOORS: dict[str, Callable[[Memory], object]] = {
    "hydrate": lambda memory: memory.hydration.hydrate().text,
    "page": lambda memory: memory.entries.page(limit=1000).entries,
    "ids": lambda memory: memory.entries.read_many(memory.entries.ids(EntryFilter())),
    "search": lambda memory: memory.finding.search("insulin pump", mode="keyword"),
    "semantic": lambda memory: memory.finding.search("insulin pump", mode="semantic"),
    "holding": lambda memory: memory.finding.holding("insulin", EntryFilter(), 10),
    "recall": lambda memory: memory.finding.recall("insulin pump"),
    "preload": lambda memory: memory.finding.preload("what of the insulin pump?").text,
    "every": lambda memory: memory.entries.every(EntryFilter(scopes=(USER,))),
}


@pytest.mark.parametrize("door", DOORS)
def test_what_is_true_and_not_muted_is_told(vault: Vault, agent: Agent, door: str) -> None:
    store(vault, "Uses an insulin pump.", "pump", true_from=DAY_BEFORE, true_until=DAY_AFTER)
    assert "insulin" in repr(DOORS[door](memory_of(vault, agent)))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "fields",
    [
        {"muted_for": ("cursor",)},
        {"muted_for": ("*",)},
        {"muted_for": ("cloud",)},
        {"tags": ("health",)},
        {"true_until": DAY_BEFORE},
        {"true_from": DAY_AFTER},
    ],
    ids=["agent", "all", "cloud", "tag", "was true", "not yet true"],
)
def test_what_is_not_told_is_told_through_no_door(
    vault: Vault, agent: Agent, door: str, fields: dict[str, object]
) -> None:
    vault.settings.set("muted_tags", "salary: *; health: claude, cursor")
    vault.agents.change(agent.id, {"cloud": True})
    store(vault, "Uses an insulin pump.", "pump", **fields)
    store(vault, "Likes tea.", "tea")
    assert "insulin" not in repr(DOORS[door](memory_of(vault, agent)))
    assert "insulin" in repr(DOORS["page"](vault.memory)), "the owner sees all"
    assert vault.memory.finding.search("insulin pump", mode="keyword")


@pytest.mark.parametrize("fields", [{"muted_for": ("claude",)}, {"muted_for": ("cloud",)}])
def test_it_is_told_to_the_others(vault: Vault, agent: Agent, fields: dict[str, object]) -> None:
    store(vault, "Uses an insulin pump.", "pump", **fields)
    assert "insulin" in memory_of(vault, agent).hydration.hydrate().text


def test_a_muted_memory_is_not_there_by_its_id_or_key_and_cannot_be_written(
    vault: Vault, agent: Agent
) -> None:
    entry = store(vault, "Uses an insulin pump.", "pump", muted_for=("cursor",), hook="by the pump")
    cursor = memory_of(vault, agent)
    assert cursor.entries.find("pump") is None
    assert cursor.finding.by_key("pump") is None
    for act in (
        lambda: cursor.entries.read(entry.id),
        lambda: cursor.entries.change(entry.id, {"content": "x"}),
        lambda: cursor.entries.correct(entry.id, "x"),
        lambda: cursor.entries.forget([entry.id]),
        lambda: cursor.core.unpin(entry.id),
        lambda: cursor.history.of(entry.id),
        lambda: cursor.hydration.why(entry.id),
    ):
        with pytest.raises(NotFound):
            act()


def test_a_key_that_is_muted_is_neither_read_nor_written_over(vault: Vault, agent: Agent) -> None:
    hidden = store(vault, "Uses an insulin pump.", "pump", muted_for=("cursor",), hook="secret")
    cursor = memory_of(vault, agent)
    outcome = cursor.entries.store(EntryDraft("The bicycle pump is blue.", key="pump"))
    assert isinstance(outcome, Saved)
    assert (outcome.entry.key, outcome.entry.hook, outcome.created) == ("pump-2", "", True)
    assert vault.entries.read(hidden.id) == hidden
    with pytest.raises(Invalid, match="cannot be had"):
        cursor.entries.change(outcome.entry.id, {"key": "pump"})


def test_what_was_said_while_it_was_muted_is_not_in_its_history(vault: Vault, agent: Agent) -> None:
    entry = store(vault, "Uses an insulin pump.", "pump", muted_for=("cursor",))
    vault.memory.entries.change(entry.id, {"content": "Likes tea.", "muted_for": ()})
    cursor = memory_of(vault, agent)
    assert cursor.entries.read(entry.id).content == "Likes tea."
    assert "insulin" not in repr(cursor.history.of(entry.id))


@pytest.mark.english
@pytest.mark.utc
@pytest.mark.parametrize(
    ("fields", "reason", "words"),
    [
        ({"muted_for": ("cursor",)}, "muted", "muted: it is never told to cursor"),
        ({"muted_for": ("*",)}, "muted", "muted: it is never told to any agent"),
        (
            {"tags": ("health",)},
            "muted",
            "muted: memories tagged health are never told to it",
        ),
        ({"true_until": "2026-03-03T12:00:00Z"}, "was_true", "was true until 3 March 2026"),
        ({"true_from": "2090-03-03T12:00:00Z"}, "not_yet_true", "is not true before 3 March 2090"),
    ],
)
def test_the_owner_sees_why_it_is_not_told(
    vault: Vault, agent: Agent, fields: dict[str, object], reason: str, words: str
) -> None:
    vault.settings.set("muted_tags", "health: cursor")
    entry = store(vault, "Uses an insulin pump.", "pump", **fields)
    seen = vault.memory.hydration.hydrate(agent_id=agent.id)
    item = next(one for one in seen.items if one.id == entry.id)
    assert (item.included, item.reason, item.why) == (False, reason, words)
    why = vault.memory.hydration.why(entry.id, agent_id=agent.id)
    assert (why.visible, why.reason, why.sentence) == (False, reason, words)


def test_the_pane_follows_a_mute_a_tag_and_the_clock(
    vault: Vault, agent: Agent, clock: FixedClock
) -> None:
    live = LiveHydration(vault)
    entry = store(vault, "Uses an insulin pump.", "pump", tags=("health",), true_until=DAY_AFTER)

    def told() -> bool:
        return "insulin" in live.answer(Run(vault.agents.read(agent.id), Standing())).hydration.text

    assert told()
    vault.settings.set("muted_tags", "health: cloud")
    assert told()
    vault.agents.change(agent.id, {"cloud": True})
    assert not told()
    vault.settings.reset("muted_tags")
    assert told()
    clock.forward(hours=25)
    assert not told()
    vault.memory.entries.change(entry.id, {"true_until": None})
    assert told()


def test_a_question_about_then_finds_what_was_true_then(vault: Vault, agent: Agent) -> None:
    store(
        vault,
        "Lived in Bonn by the river.",
        "home-before",
        true_from="2023-05-01",
        true_until="2025-06-01",
    )
    store(vault, "Lives in Jena by the river.", "home", true_from="2025-06-01")
    cursor = memory_of(vault, agent)

    def keys(question: str) -> set[str]:
        return {match.entry.key for match in cursor.finding.recall(question) if match.entry}

    assert keys("where by the river is home?") == {"home"}
    assert keys("where by the river was home in 2024?") == {"home", "home-before"}
    assert keys("where by the river was home in March 2022?") == {"home"}
    before = next(
        match
        for match in cursor.finding.recall("where by the river was home in 2024?")
        if match.entry and match.entry.key == "home-before"
    )
    assert "was true until" in before.why


def test_what_was_believed_then_about_another_time(
    vault: Vault, agent: Agent, clock: FixedClock
) -> None:
    first = to_instant(clock())
    entry = store(vault, "Moves to Jena.", "home", true_from="2026-06-01")
    store(vault, "Lives in Bonn.", "bonn", true_until="2026-06-01")
    clock.forward(days=3)
    vault.memory.entries.change(entry.id, {"content": "Moves to Kiel."})

    def texts(at: str, about: str) -> list[str]:
        believed = vault.history.believed(at, EntryFilter(hearing=_of(about)))
        return sorted(one.content for one in believed)

    assert texts(plus(first, days=1), "2026-07-01") == ["Moves to Jena."]
    assert texts(plus(first, days=1), "2026-05-01") == ["Lives in Bonn."]
    assert texts(to_instant(clock()), "2026-07-01") == ["Moves to Kiel."]
    run = Run(vault.agents.read(agent.id), Standing())
    july = to_instant(NOON.replace(month=7, day=1))
    then = LiveHydration(vault).answer_as_of(run, plus(first, days=1), july)
    assert "Jena" in then.hydration.text
    assert "Bonn" not in then.hydration.text


def _of(day: str) -> Hearing:
    return Hearing((), true_at=f"{day}T12:00:00.000000Z")


def test_files_that_any_agent_reads_hold_nothing_that_is_muted_for_somebody(
    vault: Vault, agent: Agent, tmp_path: Path
) -> None:
    shop = Scope("workspace", "shop")
    vault.settings.set("muted_tags", "salary: claude")
    store(vault, "Uses an insulin pump.", "pump", scope=shop, muted_for=("claude",))
    store(vault, "Earns a canary.", "pay", scope=shop, tags=("salary",))
    store(vault, "Likes tea.", "tea", scope=shop)
    project, folder = tmp_path / "project", tmp_path / "notes"
    project.mkdir()
    projections = Projections(vault.database, vault.clock)
    projections.add(Projection(str(project), "shop", ("AGENTS.md",)))
    vault.mirrors.add(folder, shop)
    vault.mirrors.sync_all()
    texts = (project / "AGENTS.md").read_text() + "".join(
        path.read_text() for path in folder.rglob("*.md")
    )
    assert "Likes tea." in texts
    assert "insulin" not in texts
    assert "canary" not in texts
    vault.memory.entries.change(
        vault.memory.entries.find("tea", shop).id,  # type: ignore[union-attr]
        {"muted_for": ("*",)},
    )
    vault.mirrors.sync_all()
    projections.refresh()
    assert not any("tea" in path.read_text() for path in folder.rglob("*.md"))
    assert vault.memory.entries.find("tea", shop) is not None, "it is kept"
