"""Wiping a scope: no byte of what was in it is left in the vault, its log or its backups."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.outcomes import Conflict, Saved
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import OWNER, USER, EntryDraft, Scope
from store.tables import idempotency
from store.tables.entry_filter import EntryFilter
from tests.app.learning.talks import an_agent, ended_talk
from tests.fakes import FakeEmbedder, FixedClock

ALPHA = Scope("agent", "alpha")


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


class Planted:
    """Words that stand nowhere else, by where they were put."""

    def __init__(self, tail: str) -> None:
        self.tail = tail
        self.words: dict[str, str] = {}

    def __call__(self, where: str) -> str:
        return self.words.setdefault(where, f"zqx{where}{self.tail}{len(self.words):02}")

    def left(self, folder: Path) -> dict[str, list[str]]:
        """Which are still in which files."""
        found: dict[str, list[str]] = {}
        for path in sorted(folder.rglob("*")):
            raw = path.read_bytes() if path.is_file() else b""
            for where, word in self.words.items():
                if word.encode() in raw or word[-8:].encode() in raw:
                    found.setdefault(where, []).append(path.name)
        return found


def stored(vault: Vault, content: str, scope: Scope, key: str | None = None) -> str:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, key=key))
    assert isinstance(outcome, Saved)
    return outcome.entry.id


def replied(vault: Vault, caller: str, body: str, *things: str) -> None:
    """A reply kept for a retry of the call that wrote these things."""
    with vault.database.write() as db:
        at = to_instant(vault.clock())
        assert idempotency.claim(db, caller, body, b"digest", at, things)
        idempotency.answer(db, caller, body, 200, body.encode())


def entries_of(vault: Vault, words: Planted) -> str:
    ident = stored(vault, f"was {words('version')}", ALPHA, words("key"))
    vault.entries.change(ident, {"content": f"is {words('entry')}", "hook": words("hook")})
    trashed = stored(vault, words("trashed"), ALPHA)
    vault.entries.forget([trashed], reason=words("reason"))
    moved = stored(vault, words("moved"), USER)
    vault.entries.store(EntryDraft("elsewhere", scope=ALPHA))
    return moved


def blocks_of(vault: Vault, words: Planted) -> None:
    first = vault.blocks.replace(ALPHA, "core", words("oldblock"), expected_updated_at=None)
    assert not isinstance(first, Conflict)
    seen = first.block.updated_at
    vault.blocks.replace(ALPHA, "core", words("block"), expected_updated_at=seen)
    replied(vault, OWNER, words("blockreply"), first.block.id)


def proposals_of(vault: Vault, words: Planted) -> None:
    asked = {"content": words("proposal"), "key": "p"}
    waits = vault.review.propose("alpha", "store", ALPHA, asked, reason=words("why"))
    turned_down = {"content": words("rejected"), "key": "r"}
    gone = vault.review.propose("alpha", "store", ALPHA, turned_down)
    vault.review.reject([gone.id], reason=words("rejection"))
    replied(vault, OWNER, words("proposalreply"), waits.id)


def talks_of(vault: Vault, words: Planted, alpha: Caller) -> None:
    said = f"My landlord is Mr. {words('learned')}. Also {words('turn')}."
    talk = ended_talk(vault, alpha, said, title=words("title"))
    run = vault.conversations.start(alpha, title="open")
    stored(vault, words("scratch"), Scope("conversation", run.id))
    replied(vault, OWNER, words("turnreply"), talk.id)
    for number in range(2):
        vault.channels.hear(
            "alpha",
            "ops",
            message_id=f"m{number}",
            author=words("author"),
            text=f"The release moves to {words('message')} {number}.",
        )
    vault.channels.learn_batch("alpha", "ops")


def calls_of(vault: Vault, words: Planted) -> None:
    vault.calls.record("alpha", "mcp", "memory_search", words("asked"), [], status="MEM-005")
    vault.calls.flush()
    replied(vault, "agent:alpha", words("reply"))


def test_no_byte_of_a_wiped_scope_is_left_in_any_file(vault: Vault, tmp_path: Path) -> None:
    words, kept = Planted("canary"), Planted("magpie")
    alpha = an_agent(vault, "Alpha", team=True)
    beta = an_agent(vault, "Beta")
    moved = entries_of(vault, words)
    blocks_of(vault, words)
    proposals_of(vault, words)
    talks_of(vault, words, alpha)
    calls_of(vault, words)
    stored(vault, kept("mine"), USER)
    ended_talk(vault, beta, f"I live in {kept('betas')}.")
    backup = vault.backups.now()
    assert vault.entries.change(moved, {"scope": ALPHA})
    with vault.database.read() as db:
        assert db.execute("SELECT count(*) FROM learned WHERE sentence LIKE '%zqx%'").fetchone()[0]
    assert words.left(tmp_path).keys() == words.words.keys()
    receipt = vault.erasure.wipe(ALPHA)
    assert (receipt.state, receipt.backups_cleaned) == ("done", 1)
    assert words.left(tmp_path) == {}
    assert all(backup.path.name in names for names in kept.left(tmp_path).values())
    assert kept.left(tmp_path).keys() == kept.words.keys()
    assert {finding.check for finding in vault.doctor.examine() if not finding.ok} == set()
    vault.backups.restore(backup)
    assert words.left(tmp_path) == {}
    page = vault.entries.page(EntryFilter(state=None))
    assert {kept("mine")} <= {entry.content for entry in page.entries}
    assert len(vault.conversations.page(beta).conversations) == 1


def test_a_backup_keeps_what_moved_out_of_the_scope_before_it_was_wiped(vault: Vault) -> None:
    moved = stored(vault, "Prefers tea", ALPHA)
    stored(vault, "secret", ALPHA)
    backup = vault.backups.now()
    vault.entries.change(moved, {"scope": USER})
    vault.erasure.wipe(ALPHA)
    assert vault.entries.read(moved).content == "Prefers tea"
    vault.backups.restore(backup)
    assert [entry.id for entry in vault.entries.page(EntryFilter(state=None)).entries] == [moved]


def test_the_conversation_deleted_before_goes_from_the_backups_with_its_agents_scope(
    vault: Vault, tmp_path: Path
) -> None:
    words = Planted("canary")
    alpha = an_agent(vault, "Alpha")
    talk = vault.conversations.start(alpha, title=words("title"))
    vault.conversations.append(alpha, talk.id, [("user", words("turn"))])
    vault.backups.now()
    vault.conversations.delete(alpha, talk.id)
    stored(vault, "x", ALPHA)
    vault.erasure.wipe(ALPHA)
    assert words.left(tmp_path) == {}


def test_a_scope_that_holds_only_proposals_or_messages_can_be_wiped(vault: Vault) -> None:
    an_agent(vault, "Alpha", team=True)
    assert vault.erasure.extent(scope=ALPHA).empty
    vault.review.propose("alpha", "store", ALPHA, {"content": "x", "key": "p"})
    extent = vault.erasure.extent(scope=ALPHA)
    assert (extent.proposals, extent.empty) == (1, False)
    vault.erasure.wipe(ALPHA)
    vault.channels.hear("alpha", "ops", message_id="m", author="Ana", text="Hello")
    extent = vault.erasure.extent(scope=ALPHA)
    assert (extent.messages, extent.empty) == (1, False)
    assert vault.erasure.wipe(ALPHA).removed["messages"] == 1
    assert vault.erasure.extent(scope=ALPHA).empty
