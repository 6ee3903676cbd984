"""Likely credentials at every door: asked about, redacted, reviewed or allowed; never silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import CredentialFound
from app.memory.memory import Memory
from app.outcomes import Proposed, Saved
from app.rules.blocks import Edit
from app.text.credentials import KINDS
from app.vault import Vault
from store.records import USER, EntryDraft, Scope

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
TEXT = f"The bot pushes with {TOKEN}."
REDACTED = "The bot pushes with [redacted key or token]."
ANA = Scope("agent", "ana")


@pytest.fixture
def ana(vault: Vault) -> Memory:
    agent, _ = vault.agents.add("ana", sleep="direct")
    return vault.memory_for(Caller(agent))


def choose(vault: Vault, choice: str) -> None:
    for kind in KINDS:
        vault.settings.set(f"secret_{kind}", choice)


@pytest.mark.parametrize("choice", ["ask", "review"])
def test_an_agents_write_waits_whatever_its_trust(vault: Vault, ana: Memory, choice: str) -> None:
    choose(vault, choice)
    plain = ana.entries.store(EntryDraft("plain", ANA, key="k"))
    assert isinstance(plain, Saved)
    outcomes = [
        ana.entries.store(EntryDraft(TEXT, ANA)),
        ana.entries.store(EntryDraft("x", ANA, hook=TEXT)),
        ana.entries.store(EntryDraft("x", ANA, extra=f'{{"key": "{TOKEN}"}}')),
        ana.entries.change(plain.entry.id, {"content": TEXT}),
        ana.entries.correct(plain.entry.id, TEXT),
        ana.blocks.replace("core", TEXT, expected_updated_at=None, scope=ANA),
        ana.blocks.edit("summary", [Edit("## Known Issues", TEXT)], scope=ANA),
    ]
    assert all(isinstance(outcome, Proposed) for outcome in outcomes)
    assert all("key or token" in one.reason for one in vault.review.listed())
    assert [entry.content for entry in vault.entries.page().entries] == ["plain"]
    assert vault.blocks.listed() == []


def test_many_at_once_are_sorted(vault: Vault, ana: Memory) -> None:
    stored = ana.entries.store_many([EntryDraft("plain", ANA), EntryDraft(TEXT, ANA)])
    assert (stored.created, stored.proposed) == (1, 1)  # type: ignore[union-attr]
    assert [entry.content for entry in vault.entries.page().entries] == ["plain"]


def test_redacted_is_kept_without_the_value_and_told(vault: Vault, ana: Memory) -> None:
    choose(vault, "redact")
    outcome = ana.entries.store(EntryDraft(TEXT, ANA, hook=TEXT, key="k"))
    assert isinstance(outcome, Saved)
    assert outcome.notice == "It looks as if it held a key or token."
    assert (outcome.entry.content, outcome.entry.hook) == (REDACTED, REDACTED)
    ana.entries.change(outcome.entry.id, {"content": f"now {TOKEN}"})
    ana.blocks.replace("core", TEXT, expected_updated_at=None, scope=ANA)
    run = vault.conversations.start(ana.caller)
    vault.conversations.append(ana.caller, run.id, [("user", TEXT)])
    files = [path.read_bytes() for path in vault.database.files if path.exists()]
    assert files
    assert TOKEN.encode() not in b"".join(files)


def test_allowed_is_kept_like_any_other(vault: Vault, ana: Memory) -> None:
    choose(vault, "allow")
    outcome = ana.entries.store(EntryDraft(TEXT, ANA))
    assert isinstance(outcome, Saved)
    assert (outcome.entry.content, outcome.notice) == (TEXT, "")


def test_the_owner_is_asked_or_told(vault: Vault) -> None:
    mine = vault.memory_for(Caller())
    kept = mine.entries.store(EntryDraft(TEXT, USER))
    assert isinstance(kept, Saved)
    assert "key or token" in kept.notice
    choose(vault, "ask")
    with pytest.raises(CredentialFound, match="Nothing was saved"):
        mine.entries.store(EntryDraft(TEXT, USER))
    assert isinstance(mine.allowing_secrets().entries.store(EntryDraft(TEXT, USER)), Saved)


def test_a_mirrored_file_waits(vault: Vault, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "plain.md").write_text("plain")
    (folder / "bot.md").write_text(TEXT)
    mirror = vault.mirrors.add(folder, USER).mirror
    (folder / "plain.md").write_text(TEXT)
    vault.mirrors.sync(mirror.id)
    assert [entry.content for entry in vault.entries.page().entries] == ["plain"]
    waiting = {one.action: one for one in vault.review.listed()}
    assert {one.agent_id for one in waiting.values()} == {"folder:notes"}
    assert vault.review.approve(waiting["store"].id).thing.source == "folder:notes"  # type: ignore[union-attr]


def test_an_imported_note_waits(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bot.md").write_text(TEXT)
    (tmp_path / "in" / "plain.md").write_text("plain")
    done = vault.importing.apply(vault.importing.plan(tmp_path / "in"))
    assert (done.created, done.proposals) == (1, 1)
    assert [entry.content for entry in vault.entries.page().entries] == ["plain"]
    assert "key or token" in vault.review.listed()[0].reason


def test_what_is_learned_waits_too(vault: Vault, ana: Memory) -> None:
    run = vault.conversations.start(ana.caller)
    said = f"Remember that my GitHub token is {TOKEN}. I live in Bremen."
    vault.conversations.append(ana.caller, run.id, [("user", said)])
    vault.conversations.end(ana.caller, run.id)
    vault.sleep.settle(run.id)
    assert all(TOKEN not in entry.content for entry in vault.entries.page().entries)
    assert any(TOKEN in str(one.payload) for one in vault.review.listed())


def test_the_doctor_says_where_and_never_what(vault: Vault, ana: Memory) -> None:
    choose(vault, "allow")
    gone = vault.entries.store(EntryDraft("4111 1111 1111 1111", USER, key="card")).entry
    vault.entries.forget([gone.id])
    vault.entries.store(EntryDraft(TEXT, USER, key=f"bot {TOKEN}"))
    vault.blocks.replace(USER, "core", f"- {TEXT}", expected_updated_at=None)
    run = vault.conversations.start(ana.caller)
    vault.conversations.append(ana.caller, run.id, [("user", TEXT)])
    vault.review.propose("ana", "store", ANA, {"content": TEXT})
    found = vault.doctor.secrets()
    assert {(one.what, one.kind) for one in found} == {
        ("memory", "card"),
        ("memory", "token"),
        ("block", "token"),
        ("turn", "token"),
        ("proposal", "token"),
    }
    assert TOKEN not in str(found)
