"""What an agent is told, and of what time: muted, no longer true and not yet true memories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.access.caller_scope import Caller
from app.errors import Invalid, NotFound
from app.hooks.service import HookService
from app.hydration.preview import LiveHydration
from app.markdown.mirror.folder import MirrorFolder
from app.markdown.projection import Projection, Projections
from app.memory.memory import Memory
from app.outcomes import Saved
from app.rules.policy import Run
from app.rules.visibility import Standing
from app.vault import Vault
from store.instants import plus, to_instant
from store.records import OWNER, TRASHED, USER, Agent, Entry, EntryDraft, Hearing, Scope
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


def test_an_agent_that_brings_a_version_back_neither_tells_it_to_others_nor_confirms_it(
    vault: Vault, agent: Agent
) -> None:
    claude = vault.memory_for(Caller(vault.agents.add("claude")[0]))
    entry = store(vault, "Uses an insulin pump.", "pump", verified_at=to_instant(NOON))
    first = vault.history.of(entry.id)[0].seq
    vault.memory.entries.change(entry.id, {"content": "Has a new pump.", "verified_at": None})
    vault.memory.entries.change(entry.id, {"muted_for": ("cursor",)})
    claude.history.bring_back(entry.id, first)
    back = vault.entries.read(entry.id)
    assert (back.content, back.muted_for) == ("Uses an insulin pump.", ("cursor",))
    assert back.verified_at is None
    assert memory_of(vault, agent).entries.find("pump") is None
    vault.memory.history.bring_back(entry.id, first)
    assert vault.entries.read(entry.id).muted_for == (), "the owner takes all of it back"


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


def test_what_was_said_under_a_muted_tag_is_not_in_its_history(vault: Vault, agent: Agent) -> None:
    vault.settings.set("muted_tags", "health: cursor")
    entry = store(vault, "Uses an insulin pump.", "pump", tags=("health",))
    vault.memory.entries.change(entry.id, {"content": "Likes tea.", "tags": ()})
    cursor = memory_of(vault, agent)
    assert cursor.entries.read(entry.id).content == "Likes tea."
    assert "insulin" not in repr(cursor.history.of(entry.id))


def test_a_tag_muted_after_the_fact_leaves_the_files_that_any_agent_reads(
    vault: Vault, tmp_path: Path
) -> None:
    shop = Scope("workspace", "shop")
    store(vault, "Earns a canary.", "pay", scope=shop, tags=("salary",))
    store(vault, "Likes tea.", "tea", scope=shop)
    project, folder = tmp_path / "project", tmp_path / "notes"
    project.mkdir()
    Projections(vault.database, vault.clock).add(Projection(str(project), "shop", ("AGENTS.md",)))
    vault.mirrors.add(folder, shop)
    service = HookService(vault)
    service.project()

    def texts() -> str:
        notes = "".join(path.read_text() for path in folder.rglob("*.md"))
        return notes + (project / "AGENTS.md").read_text()

    assert texts().count("Earns a canary.") >= 2
    vault.settings.set("muted_tags", "salary: cloud")
    assert any(vault.mirrors.behind(mirror) for mirror in vault.mirrors.listed())
    vault.mirrors.sync_all()
    service.project()
    assert "canary" not in texts()
    vault.settings.reset("muted_tags")
    vault.mirrors.sync_all()
    service.project()
    assert texts().count("Earns a canary.") >= 2


def test_what_is_over_leaves_the_files_of_a_project_within_the_hour(
    vault: Vault, tmp_path: Path, clock: FixedClock
) -> None:
    shop, project = Scope("workspace", "shop"), tmp_path / "project"
    store(vault, "The canary is ill.", "ill", scope=shop, true_until=DAY_AFTER)
    store(vault, "Likes tea.", "tea", scope=shop)
    project.mkdir()
    Projections(vault.database, vault.clock).add(Projection(str(project), "shop", ("AGENTS.md",)))
    service = HookService(vault)
    service.project()
    assert "canary" in (project / "AGENTS.md").read_text()
    clock.forward(days=1, hours=1)
    service.project()
    assert "canary" not in (project / "AGENTS.md").read_text()
    assert "Likes tea." in (project / "AGENTS.md").read_text()


def test_a_tag_muted_while_a_folder_is_written_leaves_it_at_the_next_look(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, folder = Scope("workspace", "shop"), tmp_path / "notes"
    store(vault, "Earns a canary.", "pay", scope=shop, tags=("salary",))
    mirror = vault.mirrors.add(folder, shop).mirror
    store(vault, "Likes tea.", "tea", scope=shop)
    write_index = MirrorFolder.update_index

    def muted_meanwhile(*arguments: Any) -> None:
        vault.settings.set("muted_tags", "salary: cloud")
        write_index(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(MirrorFolder, "update_index", muted_meanwhile)
        vault.mirrors.sync(mirror.id)
    assert vault.mirrors.behind(vault.mirrors.named(mirror.id))
    vault.mirrors.sync_all()
    assert "canary" not in "".join(path.read_text() for path in folder.rglob("*.md"))
    assert not vault.mirrors.behind(vault.mirrors.named(mirror.id))


def test_a_folder_that_an_agent_keeps_holds_nothing_that_is_muted(
    vault: Vault, agent: Agent, tmp_path: Path
) -> None:
    """Also where it is of the user's memory, as the notes of Codex are."""
    store(vault, "Uses an insulin pump.", "pump", muted_for=("cursor",))
    store(vault, "Likes tea.", "tea")
    for name, writer in (("own", OWNER), ("cursors", "agent:cursor"), ("asked", "review:cursor")):
        vault.mirrors.add(tmp_path / name, USER, writer)

    def text(name: str) -> str:
        return "".join(path.read_text() for path in (tmp_path / name).rglob("*.md"))

    assert all("Likes tea." in text(name) for name in ("own", "cursors", "asked"))
    assert "insulin" in text("own")
    assert "insulin" not in text("cursors") + text("asked")
    assert vault.memory.entries.find("pump") is not None


def test_how_many_wait_to_be_found_by_meaning_counts_nothing_muted(
    vault: Vault, agent: Agent
) -> None:
    store(vault, "Uses an insulin pump.", "pump", muted_for=("cursor",))
    assert vault.memory.finding.waiting() == 1
    assert memory_of(vault, agent).finding.waiting() == 0
    store(vault, "Likes tea.", "tea")
    assert memory_of(vault, agent).finding.waiting() == 1


def test_the_end_of_a_run_does_not_say_that_a_muted_memory_went_with_it(
    vault: Vault, agent: Agent
) -> None:
    run = vault.conversations.start(Caller(agent))
    scope = Scope("conversation", run.id)
    hidden = store(vault, "Uses an insulin pump.", "pump", scope=scope, muted_for=("cursor",))
    seen = store(vault, "Likes tea.", "tea", scope=scope)
    ended = vault.conversations.end(Caller(agent), run.id)
    assert [entry.id for entry in ended.forgotten] == [seen.id]
    assert vault.entries.read(hidden.id).state == TRASHED


def test_what_a_muted_memory_made_room_for_does_not_name_it(vault: Vault, agent: Agent) -> None:
    store(vault, "Uses an insulin pump.", "pump", scope=agent.scope, muted_for=("cursor",))
    vault.agents.change(agent.id, {"cap": 1})
    outcome = memory_of(vault, agent).entries.store(EntryDraft("Likes tea.", agent.scope))
    assert isinstance(outcome, Saved)
    assert outcome.evicted == ()
    gone = vault.entries.with_key("pump", agent.scope, TRASHED)
    assert [entry.content for entry in gone] == ["Uses an insulin pump."]


def test_what_is_merged_is_muted_for_whom_either_was(vault: Vault, agent: Agent) -> None:
    tea = store(vault, "Likes tea.", "tea", muted_for=("claude",))
    pump = store(vault, "Uses an insulin pump.", "pump", muted_for=("cursor",))
    vault.memory.entries.merge(tea.id, [pump.id], "Likes tea and uses an insulin pump.")
    assert vault.entries.read(tea.id).muted_for == ("claude", "cursor")


def test_what_is_merged_stays_muted_where_its_tag_goes(vault: Vault, agent: Agent) -> None:
    vault.settings.set("muted_tags", "health: cursor")
    tea = store(vault, "Likes tea.", "tea", tags=("drinks",))
    pump = store(vault, "Uses an insulin pump.", "pump", tags=("health",))
    text = "Likes tea and uses an insulin pump."
    vault.memory.entries.merge(tea.id, [pump.id], text, tags=("drinks",))
    assert vault.entries.read(tea.id).muted_for == ("cursor",)
    vault.settings.reset("muted_tags")
    assert "insulin" not in repr(memory_of(vault, agent).finding.recall("insulin pump"))


def test_what_is_merged_is_muted_for_all_where_one_was_or_no_list_would_hold_them(
    vault: Vault,
) -> None:
    def merged(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
        kept = vault.entries.store(EntryDraft("Likes tea.", muted_for=one)).entry
        gone = vault.entries.store(EntryDraft("Likes chai.", muted_for=other)).entry
        vault.memory.entries.merge(kept.id, [gone.id], "Likes tea and chai.")
        return vault.entries.read(kept.id).muted_for

    assert merged(("claude",), ("*",)) == ("*",)
    some, more = (tuple(f"{letter}{n}" for n in range(40)) for letter in "ab")
    assert merged(some, more) == ("*",)
