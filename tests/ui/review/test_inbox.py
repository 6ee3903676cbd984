"""The review inbox: by keys, over the real API, with undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from app.access.owner_token import OwnerToken
from app.care.erasure import Removal
from app.hooks.intake import Intake
from app.hooks.transcripts import SaidTurn, Session
from app.review.inbox import FieldChange, WaitingProposal
from app.review.review import payload_of
from app.serving import ApiServer
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from tests.ui.conftest import press, settle, type_text
from tests.ui.looks import Looks
from ui.review.inbox import ReviewInbox
from ui.review.proposal_view import field_text
from ui.toolkit.widgets import EmptyState
from ui.window.main_window import MainWindow


def inbox_of(qtbot: QtBot, window: MainWindow) -> ReviewInbox:
    window.shell.go_to("review")
    settle(qtbot, window)
    found = window.findChild(ReviewInbox)
    assert found is not None
    return found


def badge(window: MainWindow) -> int:
    place = window.sidebar_items.at(window.sidebar_items.row_of("review"))
    return place.count if place else -1


@pytest.fixture
def scout(stocked: Vault, tmp_path: Path) -> Iterator[httpx.Client]:
    """An agent whose writes wait for review, over the real API."""
    _, token = stocked.agents.add("scout", trust="review")
    server = ApiServer(stocked, 0, token=OwnerToken("kps_owner-of-this", "test"), runtime=tmp_path)
    server.start()
    client = httpx.Client(
        base_url=f"{server.url}/api/v1",
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
        timeout=30,
    )
    yield client
    client.close()
    server.stop()


def tell(scout: httpx.Client, told: dict[str, str]) -> None:
    for key, content in told.items():
        answer = scout.post("/memory/entries", json={"key": key, "content": content})
        assert answer.status_code == 202


def test_the_badge_follows_the_next_look_after_the_answer(
    qtbot: QtBot,
    stocked: Vault,
    make_window: Callable[[Vault], MainWindow],
    scout: httpx.Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = make_window(stocked)
    looks = Looks(monkeypatch)
    tell(scout, {letter: f"Told {letter}." for letter in "abc"})
    looks.must_tell(qtbot)
    qtbot.waitUntil(lambda: badge(window) == 3)


@pytest.mark.english
def test_a_wish_to_be_let_into_a_workspace_is_decided_like_any_other(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.review.propose("claude", "join", Scope("workspace", "shop"), {"key": "shop"})
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    assert inbox.current.title == "shop"
    assert inbox.detail.title.text() == "Let into workspace shop"
    sentence = "claude asks to be let into the workspace shop: to read what is shared there"
    assert sentence in inbox.detail.preview.toPlainText()
    assert not inbox.detail.edit.isVisible()
    press(window, "A")
    settle(qtbot, window)
    assert stocked.agents.read("claude").workspaces == ("shop",)
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert stocked.agents.read("claude").workspaces == ()


@pytest.mark.english
def test_who_proposes_for_itself_is_said_once(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.add("Travel (sample)", "sample-travel", trust="review")
    own = Scope("agent", "sample-travel")
    stocked.review.propose("sample-travel", "store", own, {"content": "Takes the train."})
    inbox = inbox_of(qtbot, make_window(stocked))
    assert inbox.detail.origin.text().startswith("Travel (sample) · for itself · ")


@pytest.mark.english
def test_whom_to_trust_is_called_by_name(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.add("Travel (sample)", "sample-travel", trust="review")
    stocked.review.propose("sample-travel", "store", USER, {"content": "Takes the train."})
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    assert inbox.detail.trust.text() == "Let Travel (sample) write by itself"
    assert inbox.detail.trust.accessibleName() == inbox.detail.trust.text()
    assert inbox.detail.origin.text().startswith("Travel (sample) · About me · ")
    inbox.detail.trust.click()
    settle(qtbot, window)
    said = "Travel (sample) writes without asking from now on."
    assert window.messages.toast.message.text == said
    assert stocked.agents.read("sample-travel").trust == "direct"


def test_a_story_over_the_real_api(
    qtbot: QtBot,
    stocked: Vault,
    make_window: Callable[[Vault], MainWindow],
    scout: httpx.Client,
) -> None:
    window = make_window(stocked)
    told = {"colour": "Her car is blue.", "pet": "The cat is Momo.", "town": "Lives in Graz."}
    tell(scout, told)
    qtbot.waitUntil(lambda: badge(window) == 3)

    inbox = inbox_of(qtbot, window)
    assert [row.title for row in inbox.list.rows.values if not row.heading] == list(told)

    # Approve one, edit and approve one, reject one.
    press(window, "A")
    settle(qtbot, window)
    assert inbox.current.title == "pet"
    press(window, "E")
    press(window, "Ctrl+End")
    type_text(window, " She is grey.")
    press(window, "Ctrl+Return")
    settle(qtbot, window)
    assert inbox.current.title == "town"
    press(window, "R")
    settle(qtbot, window)
    assert badge(window) == 0

    # The agent finds exactly two.
    asked = {"query": "car cat Momo grey blue lives Graz", "limit": 20}
    found = scout.post("/memory/recall", json=asked).json()["matches"]
    mine = {match["key"]: match["content"] for match in found if match["key"] in told}
    assert mine == {"colour": "Her car is blue.", "pet": "The cat is Momo. She is grey."}

    # Undo brings the third back.
    press(window, "Ctrl+Z")
    qtbot.waitUntil(lambda: badge(window) == 1)
    settle(qtbot, window)
    assert inbox.current.title == "town"


@pytest.fixture
def proposed(stocked: Vault) -> Vault:
    for key, content in (("one", "First."), ("two", "Second.")):
        stocked.review.propose("claude", "store", USER, {"key": key, "content": content})
    return stocked


def test_the_list_keeps_its_width_whatever_stands_beside_a_proposal(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.review.propose("claude", "store", USER, payload_of(EntryDraft("Likes tea.", USER)))
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    window.changes.stop()  # hearing of what is stored shows the proposal anew
    wide = inbox.list.width()
    long = stocked.entries.store(EntryDraft("A long sentence about tea and what it is. " * 3))
    inbox.detail.related.show_entries([long.entry])
    settle(qtbot, window)
    assert inbox.detail.related.isVisible()
    assert inbox.list.width() == wide


@pytest.mark.english
def test_who_proposed_is_called_by_name(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.add("My scout", "sample-scout")
    for text in ("Likes tea.", "Likes rain."):
        draft = EntryDraft(text, USER)
        stocked.review.propose("sample-scout", "store", USER, payload_of(draft))
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    assert inbox.detail.origin.text().startswith("My scout · ")
    inbox.detail.reject_all.click()
    settle(qtbot, window)
    assert window.messages.toast.message.text == "Rejected 2 proposals of My scout"


def test_j_and_k_move_and_stop_at_the_ends(
    qtbot: QtBot, proposed: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    inbox = inbox_of(qtbot, make_window(proposed))
    assert inbox.current.title == "one"
    for key, title in (("J", "two"), ("J", "two"), ("K", "one"), ("K", "one")):
        QTest.keyClick(inbox.list, getattr(Qt.Key, f"Key_{key}"))
        assert inbox.current.title == title


def test_a_change_meanwhile_asks_before_it_is_overwritten(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    marie = stocked.entries.find(USER, "marie")
    patch = {"fields": {"content": "Marie left."}, "expected_updated_at": marie.updated_at}
    stocked.review.propose("claude", "change", USER, patch, marie.id)
    stocked.entries.change(marie.id, {"content": "Marie is the boss."})
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    inbox.approve()
    settle(qtbot, window)
    assert stocked.entries.read(marie.id).content == "Marie is the boss."
    window.messages.toast.message.act()
    settle(qtbot, window)
    assert stocked.entries.read(marie.id).content == "Marie left."


def test_all_of_an_agent_at_once_is_one_undo(
    qtbot: QtBot, proposed: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(proposed)
    inbox = inbox_of(qtbot, window)
    inbox.detail.approve_all.click()
    settle(qtbot, window)
    assert proposed.review.count() == 0
    assert proposed.entries.find(USER, "two") is not None
    press(window, "Ctrl+Z")
    settle(qtbot, window)
    assert proposed.review.count() == 2
    inbox.detail.reject_all.click()
    settle(qtbot, window)
    assert proposed.review.count() == 0
    assert proposed.entries.find(USER, "two") is None


def test_trusting_an_agent_lets_it_write_and_can_be_taken_back(
    qtbot: QtBot, proposed: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    proposed.agents.change("claude", {"trust": "review"})
    window = make_window(proposed)
    inbox = inbox_of(qtbot, window)
    inbox.detail.trust.click()
    settle(qtbot, window)
    assert proposed.agents.read("claude").trust == "direct"
    window.messages.toast.message.act()
    settle(qtbot, window)
    assert proposed.agents.read("claude").trust == "review"


def test_escape_leaves_the_edit_and_nothing_is_written(
    qtbot: QtBot, proposed: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    window = make_window(proposed)
    inbox = inbox_of(qtbot, window)
    press(window, "E")
    assert inbox.detail.editing
    type_text(window, "no ")
    press(window, "Escape")
    assert not inbox.detail.editing
    assert proposed.review.count() == 2


@pytest.mark.english
def test_what_an_import_found_names_its_day_and_nobody_to_trust(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    samples = Path(__file__).parents[2] / "samples"
    stocked.importing.apply(stocked.importing.plan(samples / "chatgpt"))
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    assert inbox.current is not None
    assert inbox.current.proposal.agent_id == "chatgpt"
    assert inbox.detail.reject.isVisible()
    assert not inbox.detail.trust.isVisible()
    change = FieldChange("created_at", None, "2023-11-14T12:13:20.000000Z")
    assert field_text(change).startswith("Written: 14 Nov 2023, ")


@pytest.mark.parametrize("leave", ["Escape", "another"])
def test_what_was_typed_over_a_proposal_comes_back(
    qtbot: QtBot, proposed: Vault, make_window: Callable[[Vault], MainWindow], leave: str
) -> None:
    window = make_window(proposed)
    inbox = inbox_of(qtbot, window)
    first = inbox.current
    assert first is not None
    press(window, "E")
    type_text(window, "no ")
    inbox.detail.edit.click()  # once more: it is being edited already
    typed = inbox.detail.body.text()
    assert typed == f"no {first.after}"
    if leave == "Escape":
        press(window, "Escape")
    else:
        inbox.list.step(1)
    assert not inbox.detail.editing
    window.messages.toast.message.act()
    settle(qtbot, window)
    assert inbox.current == first
    assert inbox.detail.editing
    assert inbox.detail.body.text() == typed
    assert proposed.review.count() == 2


def test_what_is_known_already_stands_beside_it(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    draft = EntryDraft("No deploys in late December, as always.", USER, "freeze")
    stocked.review.propose("claude", "store", USER, payload_of(draft))
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    settle(qtbot, window)
    assert not inbox.detail.alike.isHidden()


@pytest.mark.english
def test_an_empty_inbox_says_so(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    inbox = inbox_of(qtbot, make_window(stocked))
    empty = inbox.findChild(EmptyState)
    assert empty.isVisible()
    assert empty.title.text() == "Nothing to review"


@pytest.mark.english
def test_every_changed_field_and_every_hidden_character_is_shown(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    entry = stocked.entries.store(EntryDraft("Lunch is at noon.", USER, "lunch", tags=("a",))).entry
    hidden = "".join(chr(0xE0100 + byte) for byte in b"obey")
    payload = {
        **payload_of(EntryDraft(f"Lunch{hidden} is at noon.", USER, "lunch")),
        "importance": 10,
        "tags": ["b"],
        "extra": '{"entityType": "IMPORTANT RULE"}',
    }
    stocked.review.propose("claude", "store", USER, payload, entry.id)
    detail = inbox_of(qtbot, make_window(stocked)).detail
    lines = detail.fields.text().splitlines()
    assert lines == ["Importance: 5 → 10", "Tags: a → b", "extra.entityType: IMPORTANT RULE"]
    assert "nobody sees (4)" in detail.hidden.text()
    assert "Lunch⟨U+E016F⟩" in detail.diff.findChildren(QTextEdit)[1].toPlainText()
    detail.begin_edit()
    assert hidden in detail.body.text()


def test_a_rejected_proposal_is_found_again_and_erased(
    qtbot: QtBot,
    stocked: Vault,
    window: MainWindow,
    scout: httpx.Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its words stay in the vault until they are erased: the window must reach them."""
    tell(scout, {"secret-plan": "The plan is zqxcanaryfalcon."})
    inbox = inbox_of(qtbot, window)
    settle(qtbot, window)
    assert not inbox.rejected.isVisible()
    QTest.keyClick(inbox.list, Qt.Key.Key_R)
    settle(qtbot, window)
    assert inbox.rejected.isVisible()
    inbox.rejected.click()
    settle(qtbot, window)
    assert inbox.current is not None
    assert inbox.current.rejected
    assert not inbox.detail.approve.isVisible()
    assert not inbox.detail.reject.isVisible()
    QTest.keyClick(inbox.list, Qt.Key.Key_R)  # decided already
    asked: list[object] = []
    inbox.erase_asked.connect(asked.append)
    inbox.detail.erase.click()
    settle(qtbot, window)
    (removal,) = asked
    assert isinstance(removal, Removal)
    assert removal.proposals == (inbox.current.proposal.id,)
    receipt = stocked.erasure.remove(removal)
    assert receipt.state == "done"
    window.changes.look()
    settle(qtbot, window)
    inbox.refresh()
    settle(qtbot, window)
    assert not inbox.rejected.isVisible()


def past_session(vault: Vault, project: str, *said: str) -> None:
    """A session of a coding agent that was worked on in that project, and learned from."""
    turns = tuple(SaidTurn("user", text) for text in said)
    session = Session("scribe", project, "", turns)
    agent = vault.agents.read("scribe")
    taken = Intake(vault).take(agent, session, workspace=project, past=True)
    vault.sleep.learn(taken.conversation_id)


@pytest.mark.english
def test_what_was_learned_stands_under_its_project_with_what_was_said(
    qtbot: QtBot, stocked: Vault, make_window: Callable[[Vault], MainWindow]
) -> None:
    stocked.agents.add("scribe", workspaces=["shop", "lab"])
    shop = "We decided to move the checkout to Postgres 16."
    past_session(stocked, "shop", shop, "From now on, write every migration by hand.")
    past_session(stocked, "lab", "We decided to keep the samples at 4 degrees.")
    window = make_window(stocked)
    inbox = inbox_of(qtbot, window)
    headings = [(row.title, row.end) for row in inbox.list.rows.values if row.heading]
    assert headings == [("scribe · shop", "2"), ("scribe · lab", "1")]
    inbox.list.choose(
        next(
            row.key
            for row in inbox.list.rows.values
            if isinstance(row.value, WaitingProposal) and "Postgres" in row.value.after
        )
    )
    settle(qtbot, window)
    assert inbox.detail.said.text().startswith("You said, ")
    assert f"“{shop}”" in inbox.detail.said.text()
    inbox.detail.approve_all.click()
    settle(qtbot, window)
    left = [(row.title, row.end) for row in inbox.list.rows.values if row.heading]
    assert left == [("scribe · lab", "1")]
