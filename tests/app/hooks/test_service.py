"""A process that has the vault open answers for a hook, and only to who knows its key."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from app.hooks.calls import HookCall
from app.hooks.folder import HookFolder
from app.hooks.quick import announced, ask
from app.hooks.service import HookService
from app.vault import Vault
from store.records import USER, EntryDraft

CALL = HookCall("claude-code", "prompt", "claude-code", "s1", "/", prompt="Which oolong tea?")


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def service(vault: Vault, heard: list[str]) -> Iterator[HookService]:
    vault.agents.add("Claude Code", "claude-code")
    vault.entries.store(EntryDraft("The owner drinks oolong tea.", USER, key="tea"))
    service, stop = HookService(vault), threading.Event()
    thread = threading.Thread(target=service.run, args=(stop, heard.append))
    thread.start()
    until(lambda: announced(vault.path) is not None)
    yield service
    stop.set()
    service.wake()
    thread.join(10)
    assert announced(vault.path) is None


def until(true: object, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_it_answers_and_notes_the_call(vault: Vault, service: HookService) -> None:
    there = announced(vault.path)
    assert there is not None
    answer = ask(there, {"call": CALL}, 30)
    assert answer is not None
    assert "oolong" in answer["context"]
    until(lambda: [c.call for c in vault.calls.of("claude-code")] == ["claude-code prompt"])


def test_who_does_not_know_the_key_hears_nothing(vault: Vault, service: HookService) -> None:
    there = announced(vault.path)
    assert there is not None
    assert ask({**there, "key": "guessed"}, {"call": CALL}, 30) is None


def test_a_second_process_leaves_it_to_the_first(vault: Vault, service: HookService) -> None:
    assert HookService(vault)._listening() is None


def test_no_hook_is_answered_from_a_vault_whose_key_was_typed(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.care.vault_key._typed", [bytes(32)])
    assert HookService(vault)._listening() is None
    assert announced(vault.path) is None


def test_what_kept_a_hook_silent_is_told_to_the_person_once(
    vault: Vault, service: HookService, heard: list[str]
) -> None:
    HookFolder(vault.path).note_trouble("codex", "prompt", "The vault is locked.")
    service.wake()
    until(lambda: heard == ["The hook of codex said nothing: The vault is locked."])
    service.wake()
    time.sleep(0.2)
    assert len(heard) == 1
