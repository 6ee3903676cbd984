"""Past sessions become conversations and proposals, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.cli.hooks import report_text
from app.connect.mcp_clients import claude_home, codex_home, cursor_home, gemini_home
from app.errors import NotFound
from app.hooks.backfill import Backfill, BackfillReport, FoundSession, found_sessions, sessions_in
from app.vault import Vault
from tests.app.learning.writers.chat_server import chat_server, streams


def claude(path: Path, *texts: str, cwd: str = "/work/shop", ident: str = "s1") -> Path:
    records = [
        {
            "type": "user",
            "sessionId": ident,
            "cwd": cwd,
            "timestamp": "2026-03-02T10:00:00Z",
            "message": {"role": "user", "content": text},
        }
        for text in texts
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def go_on(done: int, total: int, found: FoundSession) -> bool:
    return True


def test_sessions_of_all_clients_are_found_where_they_keep_them() -> None:
    for place in (
        claude_home() / "projects" / "-work-shop" / "s1.jsonl",
        codex_home() / "sessions" / "2026" / "11" / "17" / "rollout-2026-11-17T23-31-15-x.jsonl",
        gemini_home() / "tmp" / "shop" / "chats" / "session-2026-11-17T23-31-x.jsonl",
        cursor_home() / "projects" / "shop" / "agent-transcripts" / "c1" / "c1.jsonl",
    ):
        claude(place, "x")
    assert sorted(one.client for one in found_sessions()) == [
        *("claude-code", "codex", "cursor", "gemini"),
    ]
    assert [one.client for one in found_sessions(["codex"])] == ["codex"]


def test_a_fact_keeps_the_turn_and_the_project_it_came_from(vault: Vault, tmp_path: Path) -> None:
    path = claude(tmp_path / "s1.jsonl", "We decided to use Postgres 16 for the shop.")
    report = Backfill(vault).run(sessions_in([path]), go_on)
    assert (report.sessions, report.turns, report.proposals) == (1, 1, 1)
    [proposal] = vault.review.listed()
    assert proposal.scope.kind == "workspace"
    assert proposal.scope.id.startswith("shop-")
    [conversation] = vault.conversations.page(Caller()).conversations
    assert (conversation.state, conversation.workspace_id) == ("ended", proposal.scope.id)
    [turn] = vault.conversations.turns(Caller(), conversation.id)
    assert proposal.payload["origins"] == [f"turn:{turn.id}"]
    assert turn.created_at.startswith("2026-03-02T10:00")


def test_what_is_of_the_person_is_not_of_the_project(vault: Vault, tmp_path: Path) -> None:
    path = claude(tmp_path / "s1.jsonl", "I am allergic to peanuts.")
    Backfill(vault).run(sessions_in([path]), go_on)
    assert [str(one.scope) for one in vault.review.listed()] == ["agent:claude-code"]


def test_twice_is_once_and_a_session_that_grew_goes_on(vault: Vault, tmp_path: Path) -> None:
    path = claude(tmp_path / "s1.jsonl", "We decided to use Postgres 16 for the shop.")
    backfill = Backfill(vault)
    backfill.run(sessions_in([path]), go_on)
    assert backfill.run(sessions_in([path]), go_on).turns == 0
    claude(path, "We decided to use Postgres 16 for the shop.", "I am allergic to peanuts.")
    assert backfill.run(sessions_in([tmp_path]), go_on).turns == 1
    assert len(vault.review.listed()) == 2


def test_what_waits_already_is_not_told_as_new() -> None:
    one = BackfillReport(sessions=1, turns=3, proposals=1, projects=("shop",))
    assert report_text(one) == (
        "1 session with 3 turns taken in; 1 new proposal in 1 project waits in your inbox "
        "(keepsake review list)."
    )
    assert report_text(BackfillReport(projects=("shop",))) == "There is nothing new in them."


def test_it_ends_between_two_sessions_when_asked_to(vault: Vault, tmp_path: Path) -> None:
    for number in range(3):
        claude(tmp_path / f"{number}.jsonl", "I live in Oslo.", ident=f"s{number}")
    backfill = Backfill(vault)
    report = backfill.run(sessions_in([tmp_path]), lambda done, total, found: done < 1)
    assert (report.cancelled, report.sessions) == (True, 1)
    assert backfill.run(sessions_in([tmp_path]), go_on).sessions == 2


def test_the_rolling_summary_of_the_agent_is_left_alone(vault: Vault, tmp_path: Path) -> None:
    path = claude(tmp_path / "s1.jsonl", "We decided to use Postgres 16.", "I live in Oslo.")
    Backfill(vault).run(sessions_in([path]), go_on)
    assert vault.sleep.run_due().conversations == ()


def test_a_full_inbox_does_not_stop_what_the_owner_asked_for(vault: Vault, tmp_path: Path) -> None:
    vault.settings.set("proposals_per_agent", 1)
    for number, city in enumerate(("Oslo", "Bergen")):
        claude(tmp_path / f"{number}.jsonl", f"My sister lives in {city}.", ident=f"s{number}")
    Backfill(vault).run(sessions_in([tmp_path]), go_on)
    assert len(vault.review.listed()) == 2


def test_a_file_that_is_no_session_says_so(tmp_path: Path) -> None:
    other = tmp_path / "notes.jsonl"
    other.write_text('{"a": 1}\n')
    with pytest.raises(NotFound, match="is no session of"):
        sessions_in([other])
    with pytest.raises(NotFound, match="no file or folder"):
        sessions_in([tmp_path / "none"])
    assert sessions_in([tmp_path]) == []


def test_past_sessions_cost_no_token_whatever_model_is_configured(
    vault: Vault, tmp_path: Path
) -> None:
    with chat_server(streams('{"facts": []}')) as server:
        vault.writing.configure(server.url, "small")
        path = claude(tmp_path / "s1.jsonl", "We decided to use Postgres 16 for the shop.")
        assert Backfill(vault).run(sessions_in([path]), go_on).proposals == 1
    assert server.seen == []
