from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from app.access.secret_store import FileSecrets, Secrets
from app.cli.command import build
from app.vault import Vault, open_vault
from tests.app.learning.talks import VEGETARIAN, a_talk, an_agent, ended_talk
from tests.app.learning.writers.chat_server import chat_server, refuses, streams


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db")
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _no_keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plain = Secrets(None, FileSecrets(tmp_path / "secrets"))
    monkeypatch.setattr("app.access.secret_store.open_secrets", lambda folder: plain)


def run(vault: Vault, *arguments: str, stdin: str | None = None) -> Result:
    command = build(lambda path, ephemeral: 0)
    return CliRunner().invoke(command, ["--vault", str(vault.path), *arguments], input=stdin)


def told(vault: Vault, *arguments: str) -> dict:
    result = run(vault, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_conversations_are_listed_and_shown_with_what_was_learned(vault: Vault) -> None:
    talk = ended_talk(vault, an_agent(vault), VEGETARIAN, title="Lunch")
    assert "Lunch" in run(vault, "conversations").output
    shown = run(vault, "conversations", talk.id).output
    assert VEGETARIAN in shown
    assert "- The owner is vegetarian." in shown
    as_json = told(vault, "conversations", talk.id)
    assert as_json["turns"][0]["content"] == VEGETARIAN
    assert {one["entry"]["kind"] for one in as_json["learned"]} == {"preference", "relationship"}


def test_a_conversation_is_ended_and_its_learning_forgotten(vault: Vault) -> None:
    talk = a_talk(vault, an_agent(vault), VEGETARIAN)
    assert told(vault, "conversations", talk.id, "--end")["conversation"]["state"] == "ended"
    assert "Forgot 2 memories" in run(vault, "conversations", talk.id, "--forget").output
    again = run(vault, "conversations", talk.id, "--forget").output
    assert "is left" in again
    assert "undo" not in again  # it would take something else back
    assert "(forgotten)" in run(vault, "conversations", talk.id).output


def test_deleting_asks_first(vault: Vault) -> None:
    talk = a_talk(vault, an_agent(vault), VEGETARIAN)
    refused = run(vault, "conversations", talk.id, "--delete")
    assert refused.exit_code == 1
    assert told(vault, "conversations")["conversations"]
    gone = told(vault, "conversations", talk.id, "--delete", "--yes")
    assert (gone["id"], gone["turns"], gone["state"]) == (talk.id, 1, "done")
    assert told(vault, "conversations")["conversations"] == []


def test_learning_can_be_asked_for(vault: Vault) -> None:
    talk = a_talk(vault, an_agent(vault), VEGETARIAN)
    assert "Nothing is due" in run(vault, "conversations", "--learn").output
    assert "2 memories kept" in run(vault, "conversations", talk.id, "--learn").output


def test_without_a_writing_model_nothing_would_be_sent(vault: Vault) -> None:
    talk = a_talk(vault, an_agent(vault), VEGETARIAN)
    assert "nothing is sent" in run(vault, "conversations", talk.id, "--prompt").output
    assert "on this machine" in run(vault, "writer").output


def test_channels_show_what_waits_and_learn_what_is_due(vault: Vault) -> None:
    an_agent(vault, "Bot", team=True)
    for number in range(10):
        vault.channels.hear("bot", "ops", message_id=str(number), author="Ana", text=f"ok {number}")
    assert "10 messages waiting" in run(vault, "channels").output
    assert "Ana: ok 3" in run(vault, "channels", "ops").output
    assert told(vault, "channels", "--learn")["batches"][0]["messages"] == 10
    assert "0 messages waiting" in run(vault, "channels").output


def test_a_writing_model_is_set_up_tested_shown_and_cleared(vault: Vault) -> None:
    talk = a_talk(vault, an_agent(vault), VEGETARIAN)
    with chat_server(streams("ready")) as server:
        set_up = run(
            vault, "writer", "--endpoint", server.url, "--model", "small", "--key", stdin="k3y\n"
        )
        assert "small at" in set_up.output
        assert "secrets.json" in set_up.output  # the notice where there is no keyring
        assert "ready" in run(vault, "writer", "--test").output
        assert server.keys == ["Bearer k3y"]
        assert VEGETARIAN in run(vault, "conversations", talk.id, "--prompt").output
    counted = told(vault, "writer")["tokens_today"]
    assert counted > 0, "what the test sent is counted too"
    assert told(vault, "writer", "--clear") == {
        "endpoint": "",
        "model": "",
        "has_key": False,
        "confirmed": False,
        "tokens_today": counted,
        "tokens_a_day": 200_000,
    }


def test_a_writing_model_the_vault_brought_waits_to_be_confirmed(vault: Vault) -> None:
    with chat_server(streams("ready")) as server:
        vault.settings.set("writer_endpoint", server.url)
        vault.settings.set("writer_model", "small")
        assert "keepsake writer --confirm" in run(vault, "writer").output
        refused = run(vault, "writer", "--test")
        assert refused.exit_code == 1
        assert "keepsake writer --confirm" in str(refused.exception)
        assert server.seen == []
        assert told(vault, "writer", "--confirm")["confirmed"] is True
        assert "ready" in run(vault, "writer", "--test").output


def test_a_writing_model_that_fails_its_test_says_why(vault: Vault) -> None:
    with chat_server(refuses(404, "no such model")) as server:
        run(vault, "writer", "--endpoint", server.url, "--model", "small")
        tested = run(vault, "writer", "--test")
    assert tested.exit_code == 1
    assert "no such model" in tested.output


def test_two_things_at_once_are_refused(vault: Vault) -> None:
    assert run(vault, "conversations", "x", "--end", "--delete").exit_code == 2
    assert run(vault, "conversations", "--end").exit_code == 2


def test_a_long_list_goes_on_from_its_cursor(vault: Vault) -> None:
    agent = an_agent(vault)
    talks = {a_talk(vault, agent, f"Hello {number}").id for number in range(3)}
    first = told(vault, "conversations", "--limit", "2")
    assert f"More: --cursor '{first['next']}'" in run(vault, "conversations", "--limit", "2").output
    rest = told(vault, "conversations", "--cursor", first["next"])
    pages = [one["id"] for page in (first, rest) for one in page["conversations"]]
    assert (set(pages), len(pages), rest["next"]) == (talks, 3, None)


def test_what_waits_in_the_inbox_and_what_is_gone_are_told_apart(vault: Vault) -> None:
    agent = an_agent(vault, sleep="review")
    talk = ended_talk(vault, agent, VEGETARIAN)
    waiting = vault.review.listed()
    assert run(vault, "conversations", talk.id).output.count("(in the inbox)") == len(waiting) > 0
    vault.review.reject([one.id for one in waiting])
    shown = run(vault, "conversations", talk.id).output
    assert shown.count("(rejected)") == len(waiting)
