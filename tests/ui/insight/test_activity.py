"""What agents did: by day, with what changed, taken back by the hour; and told quietly."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.access.caller_scope import Caller
from app.samples import Samples
from app.vault import Vault
from store.records import TRASHED, USER, EntryDraft
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock
from tests.ui.conftest import CLAUDE, settle
from ui.insight.activity import ActivityView
from ui.memory import overview as overview_module
from ui.memory.overview import AgentNotices
from ui.review.inbox import ReviewInbox
from ui.window.main_window import MainWindow

BOT = "agent:claude"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview_module, "BATCH_MS", 30)


def shown(qtbot: QtBot, window: MainWindow) -> ActivityView:
    window.shell.go_to("activity")
    settle(qtbot, window)
    found = window.findChild(ActivityView)
    assert found is not None
    return found


def hours(view: ActivityView) -> list[QPushButton]:
    return view.hours.findChildren(QPushButton)


@pytest.mark.english
def test_an_action_opens_as_a_diff_with_its_fields(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    draft = EntryDraft("Works with Marie on billing.", USER, "marie", importance=9)
    stocked.entries.store(draft, actor=BOT)
    view = shown(qtbot, window)
    assert view.list.rows.values[0].title == "Today"
    assert view.detail.diff.texts() == (
        "Works with Marie on onboarding.",
        "Works with Marie on billing.",
    )
    assert "Importance: 6 → 9" in view.detail.fields.text()
    opened: list[tuple[str, str]] = []
    view.open_asked.connect(lambda kind, ident: opened.append((kind, ident)))
    view.detail.open.click()
    entry = stocked.entries.find(USER, "marie")
    assert entry is not None
    assert opened == [("entry", entry.id)]


@pytest.mark.english
def test_a_proposed_change_is_named_by_its_memory_and_shows_its_text(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    marie = stocked.entries.find(USER, "marie")
    assert marie is not None
    agent, _token = stocked.agents.add("scout", trust="review")
    fields = {"content": "Works with Marie on hiring."}
    stocked.review.propose(agent.id, "change", USER, {"fields": fields}, marie.id)
    view = shown(qtbot, window)
    assert view.detail.title.text() == "Proposed “marie”"
    assert view.detail.diff.texts()[1] == "Works with Marie on hiring."
    assert view.detail.diff.isVisible()


@pytest.mark.english
def test_what_has_no_text_is_told_at_the_top(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.agents.add("scout")
    view = shown(qtbot, window)
    assert not view.detail.diff.isVisible()
    assert view.detail.title.y() < view.detail.origin.y() < 80


@pytest.mark.english
def test_what_an_agent_may_is_said_in_words_and_undone_where_that_goes(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    stocked.agents.add("scout")
    view = shown(qtbot, window)
    assert not view.detail.fields.isVisible()  # what all agents start from is no news
    assert not view.detail.undo.isEnabled()
    change = {
        "trust": "review",
        "team": True,
        "write_scopes": ["agent"],
        "layers": {"types": ["working"]},
    }
    stocked.agents.change("scout", change)
    window.changes.look()
    settle(qtbot, window)
    view.list.choose(view.list.rows.values[1].key)
    settle(qtbot, window)
    lines = view.detail.fields.text()
    assert "Trust: direct → review" in lines
    assert "Team: – → ✓" in lines
    assert "May write to: agent, user, workspace, conversation → agent" in lines
    assert "{" not in lines
    view.detail.undo.click()
    settle(qtbot, window)
    assert stocked.agents.read("scout").trust == "direct"
    stocked.agents.revoke("scout")
    window.changes.look()
    settle(qtbot, window)
    view.list.choose(view.list.rows.values[1].key)
    settle(qtbot, window)
    assert not view.detail.undo.isEnabled()
    assert [row.title for row in view.list.rows.values[1:5:2]] == [
        "shut out the agent “scout”",
        "changed the agent “scout”",
    ]


@pytest.mark.english
def test_proposals_that_went_with_the_samples_are_named(
    qtbot: QtBot, vault: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    samples = Samples(vault)
    samples.load()
    samples.remove()
    view = shown(qtbot, make_window(vault))
    gone = next(row for row in view.list.rows.values if "proposed" in row.title)
    view.list.choose(gone.key)
    settle(qtbot, view.window())
    titles = {row.title for row in view.detail.things.rows.values}
    assert "seat_night" in titles
    assert view.detail.things.rows.values[0].below.startswith("removed")


def test_an_undo_stays_in_the_view_it_is_asked_in(
    qtbot: QtBot, window: MainWindow, stocked: Vault
) -> None:
    idents = [entry.id for entry in stocked.entries.page(limit=3).entries]
    stocked.entries.change_many(idents, {"importance": 2})
    window.changes.look()
    view = shown(qtbot, window)
    view.detail.undo.click()
    settle(qtbot, window)
    assert all(stocked.entries.read(ident).importance != 2 for ident in idents)
    assert view.isVisible()


@pytest.mark.english
def test_days_head_what_happened_on_them(
    qtbot: QtBot, stocked: Vault, clock: FixedClock, make_window: Callable[[Vault], MainWindow]
) -> None:
    clock.forward(days=1)
    stocked.entries.store(EntryDraft("A day later."), actor=BOT)
    view = shown(qtbot, make_window(stocked))
    headings = [row.title for row in view.list.rows.values if row.heading]
    assert headings == ["Today", "Yesterday"]


@pytest.mark.english
def test_the_last_hour_of_an_agent_goes_with_one_click_and_comes_back_with_one(
    qtbot: QtBot, stocked: Vault, clock: FixedClock, make_window: Callable[[Vault], MainWindow]
) -> None:
    clock.forward(hours=2)  # what the agent wrote before stays
    before = stocked.entries.count(EntryFilter())
    for number in range(4):
        stocked.entries.store(EntryDraft(f"Fact {number}.", CLAUDE, f"fact_{number}"), actor=BOT)
    window = make_window(stocked)
    view = shown(qtbot, window)
    (button,) = hours(view)
    assert button.text() == "Undo the last hour of claude (4)"
    button.click()
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter()) == before
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 4
    assert hours(view) == []
    message = window.messages.toast.message
    assert message.text == "4 actions undone"
    assert message.act is not None
    message.act()
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter()) == before + 4


@pytest.mark.english
def test_what_cannot_be_taken_back_is_named_and_the_rest_goes(
    qtbot: QtBot, stocked: Vault, clock: FixedClock, make_window: Callable[[Vault], MainWindow]
) -> None:
    clock.forward(hours=2)
    stocked.entries.store(EntryDraft("Ours now.", CLAUDE, "kept"), actor=BOT)
    changed = stocked.entries.store(EntryDraft("By the bot.", CLAUDE, "kept"), actor=BOT)
    stocked.entries.change(changed.entry.id, {"content": "By you."})
    stocked.entries.store(EntryDraft("Goes.", CLAUDE, "goes"), actor=BOT)
    window = make_window(stocked)
    (button,) = hours(shown(qtbot, window))
    button.click()
    settle(qtbot, window)
    entry = stocked.entries.find(CLAUDE, "goes")
    assert entry is None
    said = window.messages.toast.message.text
    assert said.startswith("2 actions undone; 1 not: kept was changed again since")


@pytest.mark.english
def test_what_an_agent_writes_is_told_once_with_undo(
    qtbot: QtBot, quick: None, window: MainWindow, stocked: Vault
) -> None:
    notice = window.messages.notice
    window.messages.say("What you did yourself", "Undo", lambda: None)
    for number in range(3):
        stocked.entries.store(EntryDraft(f"Fact {number}.", CLAUDE, f"fact_{number}"), actor=BOT)
    window.changes.look()
    qtbot.waitUntil(notice.isVisible)
    assert notice.message.text == "claude wrote 3 memories"
    assert window.messages.toast.message.text == "What you did yourself"
    assert (notice.message.button, notice.message.other) == ("Undo", "Look")
    assert notice.message.act is not None
    notice.message.act()
    settle(qtbot, window)
    assert stocked.entries.count(EntryFilter(state=TRASHED)) == 3


@pytest.mark.english
def test_what_an_agent_forgets_and_its_blocks_are_told_as_such(
    qtbot: QtBot, quick: None, window: MainWindow, stocked: Vault
) -> None:
    notice = window.messages.notice
    marie = stocked.entries.find(USER, "marie")
    assert marie is not None
    stocked.entries.forget([marie.id], actor=BOT)
    window.changes.look()
    qtbot.waitUntil(notice.isVisible)
    assert notice.message.text == "claude forgot 1 memory"
    stocked.entries.store(EntryDraft("Likes tea.", CLAUDE, "likes"), actor=BOT)
    stocked.entries.store(EntryDraft("Had a cat.", CLAUDE, "had"), actor=BOT)
    stocked.entries.forget([stocked.entries.find(CLAUDE, "had").id], actor=BOT)
    stocked.blocks.replace(CLAUDE, "core", "- Be brief", expected_updated_at=None, actor=BOT)
    window.changes.look()
    whole = "claude wrote 1 memory, forgot 1 memory and wrote 1 block"
    qtbot.waitUntil(lambda: notice.message.text == whole)


@pytest.mark.english
def test_what_an_agent_proposes_is_told_with_the_way_to_review(
    qtbot: QtBot, quick: None, window: MainWindow, stocked: Vault
) -> None:
    agent, _token = stocked.agents.add("scout", trust="review")
    stocked.memory_for(Caller(agent)).entries.store(EntryDraft("Prefers tea.", USER, "tea"))
    window.changes.look()
    notice = window.messages.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.message.text == "scout proposed 1"
    assert (notice.message.button, notice.message.other) == ("", "Review")
    assert notice.message.act_otherwise is not None
    notice.message.act_otherwise()
    settle(qtbot, window)
    assert window.sidebar.current is not None
    assert window.sidebar.current.name == "review"


def test_review_opens_at_what_the_notice_told_of(
    qtbot: QtBot, quick: None, window: MainWindow, stocked: Vault
) -> None:
    notice = window.messages.notice
    idents = []
    for name in ("anna", "scout"):  # in the list anna's comes first
        agent, _token = stocked.agents.add(name, trust="review")
        stocked.memory_for(Caller(agent)).entries.store(EntryDraft(f"By {name}.", USER, name))
        window.changes.look()
        qtbot.waitUntil(notice.isVisible)
        assert notice.message.act_otherwise is not None
        notice.message.act_otherwise()
        settle(qtbot, window)
        notice.hide()
        inbox = window.findChild(ReviewInbox)
        assert inbox is not None
        assert inbox.current is not None
        idents.append(inbox.current.title)
    assert idents == ["anna", "scout"]


def test_nothing_is_told_of_your_own_writes_or_when_you_do_not_want_it(
    qtbot: QtBot, quick: None, window: MainWindow, stocked: Vault
) -> None:
    stocked.entries.store(EntryDraft("By you."))
    window.changes.look()
    settle(qtbot, window)
    stocked.settings.set("agent_notices", False)
    stocked.entries.store(EntryDraft("By claude.", CLAUDE), actor=BOT)
    window.changes.look()
    settle(qtbot, window)
    qtbot.wait(120)
    assert not window.messages.notice.isVisible()


def test_what_came_while_you_were_away_is_counted_until_you_look(
    qtbot: QtBot, quick: None, window: MainWindow, stocked: Vault
) -> None:
    notices = window.findChild(AgentNotices)
    assert notices is not None
    told: list[int] = []
    notices.noticed.connect(lambda _text, number: told.append(number))
    window.hide()
    stocked.entries.store(EntryDraft("By claude.", CLAUDE), actor=BOT)
    window.changes.look()
    qtbot.waitUntil(lambda: told == [1])
    window.show()
    window.activated.emit()
    assert told == [1, 0]
