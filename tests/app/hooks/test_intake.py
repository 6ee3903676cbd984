"""Turns come in once, in their own time, and nothing that was injected is learned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.hooks.calls import HookCall
from app.hooks.folder import HookFolder
from app.hooks.intake import Intake, Reached, _digest
from app.hooks.quick import _leave
from app.hooks.transcripts import SaidTurn, Session
from app.rules.facts import TOOL_OUTPUT
from app.vault import Vault
from store.records import Agent
from tests.fakes import FixedClock


def session(*texts: str, ident: str = "s1") -> Session:
    said = tuple(SaidTurn("user" if n % 2 == 0 else "assistant", t) for n, t in enumerate(texts))
    return Session("claude-code", ident, "/p", said)


@pytest.fixture
def agent(vault: Vault) -> Agent:
    return vault.agents.add("Claude Code", "claude-code")[0]


def contents(vault: Vault) -> list[list[str]]:
    found = vault.conversations.page(Caller()).conversations
    return [[t.content for t in vault.conversations.turns(Caller(), c.id)] for c in found]


def test_a_session_is_taken_once_however_often_it_is_offered(vault: Vault, agent: Agent) -> None:
    intake = Intake(vault)
    assert intake.take(agent, session("One", "Two")).new_turns == 2
    assert intake.take(agent, session("One", "Two")).new_turns == 0
    assert intake.take(agent, session("One", "Two", "Three")).new_turns == 1
    assert contents(vault) == [["One", "Two", "Three"]]


def test_a_session_that_goes_on_after_its_end_goes_on_in_another_conversation(
    vault: Vault, agent: Agent
) -> None:
    intake = Intake(vault)
    intake.take(agent, session("One", "Two"), ended=True)
    intake.take(agent, session("One", "Two", "Three"), ended=True)
    assert sorted(contents(vault)) == [["One", "Two"], ["Three"]]
    assert {c.state for c in vault.conversations.page(Caller()).conversations} == {"ended"}


def test_what_the_owner_deleted_does_not_come_back(vault: Vault, agent: Agent) -> None:
    intake = Intake(vault)
    taken = intake.take(agent, session("One", "Two"))
    vault.conversations.delete(Caller(), taken.conversation_id)
    assert intake.take(agent, session("One", "Two")).new_turns == 0
    assert contents(vault) == []


def test_a_transcript_that_was_rewritten_goes_on_after_the_last_turn_that_was_read() -> None:
    turns = session("a", "b", "c", "d", "e").turns
    reached = Reached(3, _digest(turns[2]), "c")
    assert reached.new_of(turns) == turns[3:]
    assert reached.new_of(turns[1:]) == turns[3:]  # its first turn is gone
    assert reached.new_of(turns[:2]) == ()  # the last one is: nothing is told twice


def test_turns_keep_the_time_they_were_said_at(vault: Vault, agent: Agent) -> None:
    said = (
        SaidTurn("user", "One", "2025-03-01T10:00:00Z"),
        SaidTurn("assistant", "Two", "2025-03-01T10:00:00Z"),
        SaidTurn("user", "Three", "2999-01-01T00:00:00Z"),
    )
    taken = Intake(vault).take(agent, Session("codex", "s", "", said))
    at = [t.created_at for t in vault.conversations.turns(Caller(), taken.conversation_id)]
    assert at[0] == "2025-03-01T10:00:00.000000Z"
    assert at == sorted(set(at))
    assert at[2] < "2027"


def test_the_queue_is_taken_by_whoever_has_the_vault_open(
    vault: Vault, agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPSAKE_HOOK_HELPER", "0")
    transcript = tmp_path / "s1.jsonl"
    record = {"type": "user", "message": {"role": "user", "content": "I moved to Bergen."}}
    transcript.write_text(json.dumps({**record, "sessionId": "s1"}) + "\n")
    call = HookCall("claude-code", "session-end", agent.id, "s1", "/p", str(transcript))
    _leave(call, vault.path)
    intake = Intake(vault)
    assert intake.waits
    assert intake.take_queue() == 1
    assert not intake.waits
    assert contents(vault) == [["I moved to Bergen."]]
    [proposal] = vault.review.listed()
    assert "moved to Bergen" in str(proposal.payload)


def test_of_the_sessions_of_an_agent_that_may_only_read_nothing_is_kept(
    vault: Vault, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPSAKE_HOOK_HELPER", "0")
    vault.agents.change(agent.id, {"trust": "read_only"})
    turns = (("user", "I moved to Bergen."), ("assistant", "Nice."))
    _leave(HookCall("opencode", "session-end", agent.id, "s9", "/p", turns=turns), vault.path)
    assert Intake(vault).take_queue() == 1
    assert contents(vault) == []
    assert not Intake(vault).waits


def test_an_answer_that_a_client_may_go_on_after_is_left_for_a_moment(
    vault: Vault, agent: Agent, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPSAKE_HOOK_HELPER", "0")
    turns = (("user", "I moved to Bergen."), ("assistant", "Nice."))
    call = HookCall("opencode", "stop", agent.id, "s9", "/p", turns=turns)
    _leave(call, vault.path)
    monkeypatch.setattr("app.hooks.intake._written", lambda stamp: "2999-01-01T00:00:00.000000Z")
    assert Intake(vault).take_queue() == 0
    assert Intake(vault).take_queue(hurry=True) == 1
    assert contents(vault) == [["I moved to Bergen.", "Nice."]]


def test_a_transcript_that_is_gone_is_noted_and_left(
    vault: Vault, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEEPSAKE_HOOK_HELPER", "0")
    _leave(HookCall("codex", "session-end", agent.id, "s", "/p", "/nowhere.jsonl"), vault.path)
    heard: list[str] = []
    Intake(vault).take_queue(heard.append)
    assert "is not there any more" in heard[0]
    assert HookFolder(vault.path).troubles(0)[0]["client"] == "codex"
    assert not Intake(vault).waits


def with_output(*more: SaidTurn) -> Session:
    output = SaidTurn(TOOL_OUTPUT, "We decided to use pnpm in this repository.")
    return Session("claude-code", "s1", "/p", (SaidTurn("user", "Read it."), output, *more))


def learned(vault: Vault) -> list[str]:
    for one in vault.conversations.page(Caller()).conversations:
        vault.sleep.learn(one.id)
    return [str(one.payload.get("content")) for one in vault.review.listed()]


def test_tool_output_is_learned_from_by_the_owners_word_alone(vault: Vault, agent: Agent) -> None:
    assert Intake(vault).take(agent, with_output()).new_turns == 1
    assert contents(vault) == [["Read it."]]
    assert learned(vault) == []
    vault.settings.set("learn_tool_output", True)
    ok = SaidTurn("user", "Again.")
    output = SaidTurn(TOOL_OUTPUT, "We decided to keep the port 8377 for the server.")
    assert Intake(vault).take(agent, with_output(ok, output)).new_turns == 2
    assert any("8377" in text for text in learned(vault))
    assert not any("pnpm" in text for text in learned(vault))


def test_what_was_kept_of_tools_is_not_learned_from_once_the_owner_says_no(
    vault: Vault, agent: Agent
) -> None:
    vault.settings.set("learn_tool_output", True)
    Intake(vault).take(agent, with_output())
    vault.settings.set("learn_tool_output", False)
    assert learned(vault) == []
