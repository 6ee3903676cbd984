from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.learning.learning import Learned
from app.outcomes import Forgotten
from app.review.review import Approved
from app.vault import Vault, open_vault
from store.errors import Busy
from store.models.embedder import ModelUnavailable
from store.records import EntryDraft, Scope
from tests.app.learning.talks import OWNER, VEGETARIAN, a_talk, an_agent, ended_talk, session_lines
from tests.app.learning.writers.chat_server import chat_server, refuses, streams
from tests.fakes import FakeEmbedder, FixedClock


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


def kept(vault: Vault, agent_id: str = "claude") -> dict[str, object]:
    from store.tables.entry_filter import EntryFilter

    page = vault.entries.page(EntryFilter(scopes=(Scope("agent", agent_id),)))
    return {entry.content: entry for entry in page.entries}


def test_facts_are_kept_with_kind_tags_importance_source_and_turns(vault: Vault) -> None:
    talk = ended_talk(vault, an_agent(vault), VEGETARIAN)
    entry = kept(vault)["The owner is vegetarian."]
    assert (entry.kind, entry.category, entry.source) == ("preference", "memory", "sleep:claude")
    assert entry.importance == 7
    assert "diet" in entry.tags
    assert vault.provenance.turns_of(entry.id) == vault.conversations.turns(OWNER, talk.id)


def test_learning_from_one_conversation_is_one_undoable_group(vault: Vault) -> None:
    ended_talk(vault, an_agent(vault), VEGETARIAN)
    (group,) = [g for g in vault.history.groups(actor="sleep:claude") if g.action == "learned"]
    vault.history.undo(group.id)
    assert kept(vault) == {}


def test_by_default_facts_wait_in_the_inbox(vault: Vault) -> None:
    agent, _ = vault.agents.add("Claude")
    from app.access.caller_scope import Caller

    talk = ended_talk(vault, Caller(agent), VEGETARIAN)
    assert kept(vault) == {}
    waiting = {str(p.payload["content"]): p for p in vault.review.listed()}
    assert set(waiting) == {
        "The owner is vegetarian.",
        "The owner works with Marie on onboarding.",
    }
    approved = vault.review.approve(waiting["The owner is vegetarian."].id)
    assert isinstance(approved, Approved)
    (entry,) = kept(vault).values()
    assert entry.source == "sleep:claude"
    assert vault.provenance.turns_of(entry.id) == vault.conversations.turns(OWNER, talk.id)


def test_what_was_turned_down_is_not_proposed_again_from_the_same_turns(vault: Vault) -> None:
    claude = an_agent(vault, sleep="review")
    talk = ended_talk(vault, claude, VEGETARIAN)
    vault.review.reject([proposal.id for proposal in vault.review.listed()])
    _learn_again(vault, talk.id)
    assert vault.review.listed() == []


def test_with_sleep_off_nothing_is_learned_and_nothing_later(vault: Vault) -> None:
    claude = an_agent(vault, sleep="off")
    talk = ended_talk(vault, claude, VEGETARIAN)
    assert kept(vault) == {}
    vault.agents.change("claude", {"sleep": "direct"})
    assert vault.sleep.learn(talk.id) == Learned()
    assert kept(vault) == {}


def test_what_is_known_is_not_learned_again(vault: Vault) -> None:
    claude = an_agent(vault)
    vault.entries.store(EntryDraft("User is vegetarian"))
    ended_talk(vault, claude, VEGETARIAN)
    ended_talk(vault, claude, VEGETARIAN)
    assert list(kept(vault)) == ["The owner works with Marie on onboarding."]


def test_what_the_owner_forgot_is_not_learned_again_from_the_same_turns(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = ended_talk(vault, claude, VEGETARIAN)
    assert isinstance(vault.provenance.forget_learned(OWNER, talk.id), Forgotten)
    _learn_again(vault, talk.id)
    assert kept(vault) == {}


def test_said_anew_in_another_conversation_it_is_learned_again(vault: Vault) -> None:
    claude = an_agent(vault)
    first = ended_talk(vault, claude, VEGETARIAN)
    vault.provenance.forget_learned(OWNER, first.id)
    ended_talk(vault, claude, "As I said, I am vegetarian.")
    assert list(kept(vault)) == ["The owner is vegetarian."]


@pytest.mark.parametrize("mode", ["direct", "review"])
def test_a_contradiction_is_a_proposed_replacement_and_never_silent(
    vault: Vault, mode: str
) -> None:
    claude = an_agent(vault, sleep=mode)
    vault.entries.store(EntryDraft("The owner lives in Berlin.", key="home"))
    ended_talk(vault, claude, "I live in Lisbon now.")
    known = vault.entries.find(Scope("user"), "home")
    assert known is not None
    assert known.content == "The owner lives in Berlin."
    (proposal,) = vault.review.listed()
    assert (proposal.action, proposal.thing_id) == ("change", known.id)
    assert proposal.payload["replaces"] == "The owner lives in Berlin."
    assert "home" in proposal.reason
    vault.review.approve(proposal.id)
    assert vault.entries.read(known.id).content == "The owner lives in Lisbon now."


def test_a_denial_of_what_is_known_is_proposed_and_not_taken_for_known(vault: Vault) -> None:
    claude = an_agent(vault)
    vault.entries.store(EntryDraft("The owner likes coffee.", key="coffee"))
    ended_talk(vault, claude, "I don't like coffee.")
    (proposal,) = vault.review.listed()
    assert proposal.payload["replaces"] == "The owner likes coffee."


def test_what_was_corrected_in_the_same_conversation_is_learned_corrected(vault: Vault) -> None:
    ended_talk(vault, an_agent(vault), "I live in Berlin.", "Sorry, I live in Lisbon.")
    assert list(kept(vault)) == ["The owner lives in Lisbon."]
    assert vault.review.listed() == []


def test_what_waits_in_the_inbox_is_not_proposed_twice(vault: Vault) -> None:
    claude = an_agent(vault, sleep="review")
    ended_talk(vault, claude, "My manager is Priya.")
    ended_talk(vault, claude, "As I said, my manager is Priya.")
    assert len(vault.review.listed()) == 1


def test_an_agent_compares_only_with_what_it_may_see(vault: Vault) -> None:
    an_agent(vault, "Other")
    claude = an_agent(vault)
    vault.entries.store(EntryDraft("The owner is vegetarian.", scope=Scope("agent", "other")))
    ended_talk(vault, claude, VEGETARIAN)
    assert "The owner is vegetarian." in kept(vault)


def test_a_quiet_conversation_is_learned_from_though_it_goes_on(
    vault: Vault, clock: FixedClock
) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude, "I live in Berlin.")
    clock.forward(minutes=29)
    assert vault.sleep.run_due().conversations == ()
    clock.forward(minutes=2)
    (settled,) = vault.sleep.run_due().conversations
    assert settled.conversation_id == talk.id
    assert list(kept(vault)) == ["The owner lives in Berlin."]
    assert session_lines(vault) == []
    vault.conversations.append(claude, talk.id, [("user", "My manager is Priya.")])
    clock.forward(minutes=31)
    vault.sleep.run_due()
    assert len(kept(vault)) == 2
    assert vault.sleep.run_due().conversations == ()


def test_an_end_stands_though_settling_failed_and_is_settled_later(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude = an_agent(vault)

    def busy(*_: object) -> None:
        raise Busy("Another program is writing.")

    with monkeypatch.context() as patched:
        patched.setattr("app.learning.session_memory.SessionMemory.merge", busy)
        talk = ended_talk(vault, claude, "My manager is Priya.")
    assert (talk.state, kept(vault)) == ("ended", {})
    vault.sleep.run_due()
    assert list(kept(vault)) == ["The owner's manager is Priya."]
    assert session_lines(vault) == ["The owner's manager is Priya."]


def test_only_one_process_learns_at_a_time(vault: Vault, tmp_path: Path, clock: FixedClock) -> None:
    an_agent(vault)
    other = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    ran: list[bool] = []
    try:
        a_talk(vault, an_agent(vault, "Second"), "I live in Berlin.")
        clock.forward(hours=1)
        vault.sleep.run_due(between=lambda: ran.append(other.sleep.run_due().ran))
        assert ran == [False]
        assert other.sleep.run_due().ran
    finally:
        other.close()


def test_a_long_conversation_is_learned_in_batches_to_its_end(vault: Vault) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude)
    turns = [("user", "hm")] * 450 + [("user", "My manager is Priya.")]
    vault.conversations.append(claude, talk.id, turns)
    vault.conversations.end(claude, talk.id)
    assert list(kept(vault)) == ["The owner's manager is Priya."]


def test_what_a_writer_is_given_at_once_is_bounded_and_everything_is_learned(
    vault: Vault,
) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude)
    turns = [("user", "My manager is Priya."), ("user", "hm " * 60_000), ("user", "hm " * 9_000)]
    vault.conversations.append(claude, talk.id, [*turns, ("user", "My dentist is Ruth.")])
    with chat_server(streams('{"facts": [], "lines": [{"text": "Talked."}]}')) as server:
        vault.writing.configure(server.url, "small-model")
        vault.conversations.end(claude, talk.id)
        shown = vault.sleep.prompt(talk.id)
        vault.sleep.run_due()
    for request in server.seen:
        assert all(message["content"] in shown for message in request["messages"])
    sent = [str(request["messages"]) for request in server.seen]
    assert max(map(len, sent)) < 80_000
    assert sum("My manager is Priya." in text for text in sent) == 1
    assert sum("My dentist is Ruth." in text for text in sent) == 2  # the summary has the end


def test_the_endpoint_writes_when_it_is_configured(vault: Vault) -> None:
    claude = an_agent(vault)
    fact = {"content": "The owner avoids meat.", "kind": "preference", "turns": [1]}
    answer = json.dumps({"facts": [fact], "lines": [{"text": "Talked about food.", "turns": [1]}]})
    with chat_server(streams(answer)) as server:
        vault.writing.configure(server.url, "small-model")
        talk = ended_talk(vault, claude, VEGETARIAN)
        assert server.seen == []  # an endpoint is slow: the end does not wait for it
        shown = vault.sleep.prompt(talk.id)
        report = vault.sleep.run_due()
    assert list(kept(vault)) == ["The owner avoids meat."]
    assert session_lines(vault) == ["Talked about food."]
    assert report.notices == ()
    assert len(server.seen) == 2
    for request in server.seen:
        assert all(message["content"] in shown for message in request["messages"])


def test_what_is_muted_for_cloud_models_is_not_shown_to_a_chat_model(vault: Vault) -> None:
    claude = an_agent(vault)
    for key, text in (
        ("diet", "The owner is vegetarian."),
        ("why", "Vegetarian since surgery."),
    ):
        muted = ("cloud",) if key == "why" else None
        vault.entries.store(EntryDraft(text, Scope("user"), key=key, muted_for=muted))
    with chat_server(streams('{"facts": [], "lines": [{"text": "Talked."}]}')) as server:
        vault.writing.configure(server.url, "small-model")
        ended_talk(vault, claude, VEGETARIAN)
        vault.sleep.run_due()
    sent = str([request["messages"] for request in server.seen])
    assert "The owner is vegetarian." in sent
    assert "surgery" not in sent


def test_a_layer_that_is_off_sends_nothing(vault: Vault) -> None:
    claude = an_agent(vault, sleep="off", layers={"session_memory": False, "types": ["working"]})
    with chat_server(streams("{}")) as server:
        vault.writing.configure(server.url, "small-model")
        talk = ended_talk(vault, claude, VEGETARIAN)
        assert vault.sleep.prompt(talk.id) == ""
        vault.sleep.run_due()
    assert server.seen == []


def test_an_endpoint_that_fails_loses_nothing_and_says_so(vault: Vault) -> None:
    claude = an_agent(vault)
    with chat_server(refuses(401)) as server:
        vault.writing.configure(server.url, "small-model")
        ended_talk(vault, claude, VEGETARIAN)
        report = vault.sleep.run_due()
    assert "The owner is vegetarian." in kept(vault)
    assert "The owner is vegetarian." in session_lines(vault)
    assert any("refused the key" in notice for notice in report.notices)


def test_without_an_embedding_model_learning_goes_by_words(
    tmp_path: Path, clock: FixedClock
) -> None:
    def missing(_: str) -> FakeEmbedder:
        raise ModelUnavailable("The model is not there.")

    vault = open_vault(tmp_path / "vault.db", clock=clock, embedder=missing)
    try:
        claude = an_agent(vault)
        vault.entries.store(EntryDraft("User is vegetarian"))
        ended_talk(vault, claude, VEGETARIAN)
        assert list(kept(vault)) == ["The owner works with Marie on onboarding."]
    finally:
        vault.close()


def test_nothing_is_sent_unless_configured(vault: Vault) -> None:
    talk = ended_talk(vault, an_agent(vault), VEGETARIAN)
    assert vault.sleep.prompt(talk.id) == ""


def test_a_thread_learns_what_becomes_due_until_it_is_stopped(
    vault: Vault, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.learning.sleep.POLL_SECONDS", 0.01)
    a_talk(vault, an_agent(vault), "My manager is Priya.")
    clock.forward(hours=1)
    stop = threading.Event()
    thread = threading.Thread(target=vault.sleep.run, args=(stop,))
    thread.start()
    deadline = time.monotonic() + 10
    while not kept(vault) and time.monotonic() < deadline:
        time.sleep(0.01)
    stop.set()
    thread.join(10)
    assert not thread.is_alive()
    assert list(kept(vault)) == ["The owner's manager is Priya."]


def test_looking_for_work_writes_nothing(vault: Vault) -> None:
    with vault.database.read() as db:
        before = db.execute("SELECT * FROM leases").fetchall()
    assert vault.sleep.run_due().ran
    with vault.database.read() as db:
        assert db.execute("SELECT * FROM leases").fetchall() == before


def _learn_again(vault: Vault, conversation_id: str) -> None:
    """As if the mark of how far learning came had been lost."""
    with vault.database.write() as db:
        db.execute("UPDATE conversations SET learned_n = 0 WHERE id = :id", {"id": conversation_id})
    vault.sleep.learn(conversation_id)
