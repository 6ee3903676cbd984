"""An erase that meets a hindrance is not done, says so, and is gone on with until it is."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.care.erasure import Receipt, Removal
from app.errors import NotFound
from app.markdown.folder import Folder
from app.markdown.projection import Projection, Projections
from app.outcomes import Conflict, Saved
from app.vault import Vault, open_vault
from store.care import backups as files
from store.care import erasure as bytes_
from store.care.pieces import Sought
from store.errors import DiskFull
from store.file.database import connect
from store.instants import to_instant
from store.records import USER, EntryDraft, Scope
from store.tables import erasures, idempotency
from store.tables.entry_filter import EntryFilter
from tests.app.learning.talks import a_talk, an_agent
from tests.fakes import FakeEmbedder, FixedClock

WORD = "zqxcanaryfalcon"
SHOP = Scope("workspace", "shop")


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())
    yield opened
    opened.close()


@pytest.fixture
def notes(vault: Vault, tmp_path: Path) -> Path:
    """A mirrored folder."""
    folder = tmp_path / "notes"
    vault.mirrors.add(folder, SHOP)
    return folder


def stored(vault: Vault, content: str = f"is {WORD}", scope: Scope = SHOP, key: str = "k") -> str:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, key=key))
    assert isinstance(outcome, Saved)
    vault.mirrors.sync_all()
    return outcome.entry.id


def holding(folder: Path, word: str = WORD) -> list[str]:
    """Names of files that hold a piece of the word."""
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and word[-8:].encode() in path.read_bytes()
    )


def whys(receipt: Receipt) -> list[str]:
    return [one.why for one in receipt.hindrances]


def finished(vault: Vault) -> list[str]:
    vault.upkeep.run()
    return [one.state for one in vault.erasure.pending()]


# A mirror that cannot be reached


def test_a_mirrored_file_that_became_a_link_leaves_the_erase_pending(
    vault: Vault, notes: Path, tmp_path: Path
) -> None:
    ident = stored(vault)
    vault.backups.now()
    elsewhere = tmp_path / "home" / "k.md"
    (notes / "k.md").rename(elsewhere)
    (notes / "k.md").symlink_to(elsewhere)
    receipt = vault.erasure.erase([ident])
    assert (receipt.state, whys(receipt)) == ("pending", ["link"])
    assert str(notes / "k.md") in receipt.sentence
    assert holding(tmp_path) == ["home/k.md"], "all but what it cannot reach is clean at once"
    assert [one.id for one in vault.erasure.pending()] == [receipt.id]
    (notes / "k.md").unlink()
    elsewhere.rename(notes / "k.md")
    assert finished(vault) == []
    assert holding(tmp_path) == []


def test_a_folder_in_the_place_of_a_mirrored_file_leaves_the_erase_pending(
    vault: Vault, notes: Path, tmp_path: Path
) -> None:
    ident = stored(vault)
    (notes / "k.md").unlink()
    (notes / "k.md" / "more").mkdir(parents=True)
    receipt = vault.erasure.erase([ident])
    assert (receipt.state, receipt.hindrances[0].where) == ("pending", str(notes / "k.md"))
    shutil.rmtree(notes / "k.md")
    assert finished(vault) == []


def test_a_mirror_that_cannot_be_written_leaves_the_erase_pending(
    vault: Vault, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = stored(vault)
    vault.backups.now()

    def refuse(self: Folder, name: str, *rest: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", name)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "remove", refuse)
        patch.setattr(Folder, "write", refuse)
        receipt = vault.erasure.erase([ident])
    assert (receipt.state, set(whys(receipt))) == ("pending", {"read-only"})
    assert holding(tmp_path) == ["notes/MEMORY.md", "notes/k.md"]
    assert finished(vault) == []
    assert holding(tmp_path) == []


def test_what_was_erased_while_the_folder_was_away_does_not_come_back_with_it(
    vault: Vault, notes: Path, tmp_path: Path
) -> None:
    ident = stored(vault)
    away = tmp_path / "home" / "away"
    notes.rename(away)
    receipt = vault.erasure.erase([ident])
    assert (receipt.state, whys(receipt)) == ("pending", ["away"])
    notes.mkdir()  # where it is mounted
    assert finished(vault) == ["pending"]
    notes.rmdir()
    away.rename(notes)
    (synced,) = vault.mirrors.sync_all()
    assert (synced.tally.erased, synced.tally.created) == (["k.md"], 0)
    assert vault.entries.count(EntryFilter(state=None)) == 0
    assert finished(vault) == []
    assert holding(tmp_path) == []


def test_a_copy_of_an_erased_file_is_removed_under_whatever_name_it_returns(
    vault: Vault, notes: Path, tmp_path: Path
) -> None:
    ident = stored(vault)
    copy = (notes / "k.md").read_bytes()
    assert vault.erasure.erase([ident]).state == "done"
    (notes / "from the other machine.md").write_bytes(copy)
    (synced,) = vault.mirrors.sync_all()
    assert synced.tally.erased == ["from the other machine.md"]
    assert vault.entries.count(EntryFilter(state=None)) == 0
    assert holding(tmp_path) == []


def test_a_changed_copy_of_an_erased_file_is_neither_taken_in_nor_removed(
    vault: Vault, notes: Path
) -> None:
    ident = stored(vault)
    copy = (notes / "k.md").read_text()
    vault.erasure.erase([ident])
    (notes / "k.md").write_text(copy + "\nAnd a line of my own.\n")
    (synced,) = vault.mirrors.sync_all()
    assert "changed copy of a memory that was erased" in synced.tally.refused["k.md"]
    assert vault.entries.count(EntryFilter(state=None)) == 0
    without = "".join(
        line for line in copy.splitlines(True) if not line.startswith(("created_at", "key"))
    )
    (notes / "k.md").write_text(without + "\nAnd a line of my own.\n")
    (synced,) = vault.mirrors.sync_all()
    assert synced.tally.created == 1, "what the person says is new is new"


def test_a_folder_that_is_not_mirrored_any_more_is_named_in_the_receipt(
    vault: Vault, notes: Path, tmp_path: Path
) -> None:
    ident = stored(vault)
    away = tmp_path / "home" / "away"
    notes.rename(away)
    assert vault.erasure.erase([ident]).state == "pending"
    vault.mirrors.remove(notes)
    (receipt,) = vault.erasure.resume()
    assert (receipt.state, receipt.unsearched) == ("done", (str(notes),))
    assert str(notes) in receipt.sentence


def test_a_projects_folder_that_is_away_is_named_in_the_receipt(
    vault: Vault, tmp_path: Path
) -> None:
    project, other = tmp_path / "shop", tmp_path / "lab"
    for folder, workspace in ((project, "shop"), (other, "lab")):
        folder.mkdir()
        Projections(vault.database, vault.clock).add(Projection(str(folder), workspace))
    ident = stored(vault)
    Projections(vault.database, vault.clock).refresh()
    assert holding(project) == [".keepsake/memory.md", "AGENTS.md", "GEMINI.md"]
    for folder in (project, other):
        folder.rename(tmp_path / f"{folder.name} away")
    receipt = vault.erasure.erase([ident])
    assert (receipt.state, receipt.unsearched) == ("done", (str(project),))
    assert str(project) in receipt.sentence
    (tmp_path / "shop away").rename(project)
    Projections(vault.database, vault.clock).refresh()
    assert holding(project) == []


def test_words_that_a_table_of_somebody_else_keeps_leave_the_erase_pending(vault: Vault) -> None:
    ident = stored(vault)
    with vault.database.write() as db:
        db.execute("CREATE TABLE spied AS SELECT content FROM entries")
    receipt = vault.erasure.erase([ident])
    assert (receipt.state, whys(receipt)) == ("pending", ["words"])
    with vault.database.write() as db:
        db.execute("DROP TABLE spied")
    assert finished(vault) == []


# What cuts it short


@pytest.mark.parametrize(
    "part", ["mirrors.erase", "backups.purge", "backups.purge_damaged", "settle", "_noted"]
)
def test_what_goes_wrong_after_the_rows_are_gone_is_pending_and_never_nothing_was_changed(
    vault: Vault, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    ident = stored(vault)
    vault.backups.now()

    def full(*_: object, **__: object) -> None:
        raise DiskFull("The disk is full; nothing was changed.")

    targets = {
        "mirrors.erase": (type(vault.mirrors), "erase"),
        "backups.purge": (files, "purge"),
        "backups.purge_damaged": (type(vault.backups), "purge_damaged"),
        "settle": (bytes_, "settle"),
        "_noted": (erasures, "delete"),
    }
    with monkeypatch.context() as patch:
        patch.setattr(*targets[part], full)
        receipt = vault.erasure.erase([ident])
    assert (receipt.state, whys(receipt)) == ("pending", ["full"])
    assert "nothing was changed" not in receipt.sentence
    with pytest.raises(NotFound):
        vault.entries.read(ident)
    again = vault.erasure.erase([ident])
    assert again.state == "done", "the same can be asked again"
    assert vault.erasure.pending() == []
    assert holding(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_an_erase_killed_after_its_rows_are_gone_is_resumed_by_upkeep(
    vault: Vault, notes: Path, tmp_path: Path
) -> None:
    from tests.store.care.converting import forked

    ident = stored(vault)
    vault.agents.add("bot")
    vault.calls.record("bot", "mcp", "memory_store", f'{{"content": "{WORD}"}}', [], "MEM-005")
    vault.calls.flush()
    vault.backups.now()
    path = vault.path

    def erase_and_die() -> None:
        other = open_vault(path, clock=FixedClock(), embedder=lambda _: FakeEmbedder())
        with other.erasure._recording("owner") as rec:
            other.erasure.begun(rec, Removal((ident,)))
        os._exit(9)

    forked(erase_and_die)
    assert "notes/k.md" in holding(tmp_path)
    assert [one.state for one in vault.erasure.pending()] == ["pending"]
    (finding,) = [one for one in vault.doctor.examine() if one.check == "erased"]
    assert not finding.ok
    assert "keepsake upkeep" in finding.advice
    assert finished(vault) == []
    assert holding(tmp_path) == []


def test_a_backup_restored_while_an_erase_waits_does_not_bring_it_back(
    vault: Vault, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ident = stored(vault)
    backup = vault.backups.now()
    copy = tmp_path / "home" / "copy"
    shutil.copy(backup.path, copy)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files, "purge", full)
        assert vault.erasure.erase([ident]).state == "pending"
    vault.backups.restore(backup)
    assert vault.entries.count(EntryFilter(state=None)) == 0
    assert finished(vault) == []
    assert holding(tmp_path) == ["home/copy"]
    shutil.copy(copy, backup.path)  # somebody puts an old copy back
    vault.backups.restore(backup)
    assert vault.entries.count(EntryFilter(state=None)) == 0


# What else holds the words


def replied(vault: Vault, caller: str, key: str, *things: str) -> None:
    with vault.database.write() as db:
        assert idempotency.claim(db, caller, key, b"digest", to_instant(vault.clock()), things)
        idempotency.answer(db, caller, key, 200, f'{{"content": "is {WORD}"}}'.encode())


def test_what_agents_asked_and_were_answered_goes_with_the_memory(
    vault: Vault, tmp_path: Path
) -> None:
    vault.agents.add("bot")
    ident = stored(vault, scope=USER)
    vault.calls.record("bot", "mcp", "memory_store", f'{{"content": "is {WORD}"}}', [], "MEM-005")
    vault.calls.record("bot", "api", f"GET /api/v1/memory/entries/{WORD}", "", [], "404")
    vault.calls.flush()
    replied(vault, "agent:bot", "a", "of-another-thing")
    vault.saved_searches.keep("about it", WORD)
    vault.backups.now()
    receipt = vault.erasure.erase([ident])
    assert receipt.state == "done"
    assert holding(tmp_path) == []
    assert len(vault.calls.of("bot")) == 2, "that it asked is kept, what it asked is not"


def test_the_answer_to_appended_turns_goes_with_the_conversation_and_with_what_was_said(
    vault: Vault, tmp_path: Path
) -> None:
    claude = an_agent(vault)
    talk = a_talk(vault, claude, f"My landlord is {WORD}.")
    replied(vault, "agent:claude", "turns", talk.id)
    vault.backups.now()
    gone = vault.conversations.delete(claude, talk.id)
    assert (gone.turns, gone.state) == (1, "done")
    assert holding(tmp_path) == [], "from the backups too"


@pytest.mark.parametrize("state", ["pending", "rejected"])
def test_a_proposal_can_be_erased_with_the_reasons_given_for_it(
    vault: Vault, tmp_path: Path, state: str
) -> None:
    vault.agents.add("rev", trust="review")
    asked = {"content": f"is {WORD}", "key": WORD}
    proposal = vault.review.propose("rev", "store", USER, asked, reason=f"because {WORD}")
    if state == "rejected":
        vault.review.reject([proposal.id], reason=f"no {WORD}")
    replied(vault, "agent:rev", "mem0", proposal.id)
    vault.calls.record("rev", "mcp", "memory_store", WORD, [f"proposal:{proposal.id}"])
    vault.calls.flush()
    vault.backups.now()
    removal = Removal(proposals=(proposal.id,))
    assert vault.erasure.extent(removal=removal).proposals == 1
    receipt = vault.erasure.remove(removal)
    assert (receipt.state, receipt.what) == ("done", "1 proposal")
    assert holding(tmp_path) == []
    assert vault.review.listed(None) == []


def test_a_blocks_past_can_be_erased_and_the_block_stays(vault: Vault, tmp_path: Path) -> None:
    first = vault.blocks.replace(USER, "core", f"- {WORD}", expected_updated_at=None)
    assert not isinstance(first, Conflict)
    before = vault.backups.now()
    vault.blocks.replace(USER, "core", "- tea", expected_updated_at=first.block.updated_at)
    vault.backups.now()
    assert holding(tmp_path) != []
    receipt = vault.erasure.remove(Removal(versions=(first.block.id,)))
    assert (receipt.state, receipt.what) == ("done", "1 block's past")
    (block,) = vault.blocks.listed()
    assert block.content == "- tea"
    assert holding(tmp_path) == []
    vault.backups.restore(before)
    (block,) = vault.blocks.listed()
    assert block.content == "- tea", "what it said then is its past"


def test_a_block_can_be_erased_with_every_version(vault: Vault, tmp_path: Path) -> None:
    first = vault.blocks.replace(USER, "core", f"- {WORD}", expected_updated_at=None)
    assert not isinstance(first, Conflict)
    vault.blocks.replace(USER, "core", f"- tea {WORD}", expected_updated_at=first.block.updated_at)
    vault.backups.now()
    assert vault.erasure.remove(Removal(blocks=(first.block.id,))).state == "done"
    assert vault.blocks.listed() == []
    assert holding(tmp_path) == []


def test_what_never_was_cannot_be_erased(vault: Vault) -> None:
    for removal in (Removal(("x",)), Removal(proposals=("x",)), Removal(blocks=("x",))):
        with pytest.raises(NotFound):
            vault.erasure.remove(removal)
    assert vault.erasure.pending() == []


def test_an_agent_that_deletes_its_run_leaves_no_turn_in_a_backup(
    vault: Vault, tmp_path: Path
) -> None:
    claude: Caller = an_agent(vault)
    talk = a_talk(vault, claude, f"The code is {WORD}.", title=WORD)
    stored(vault, scope=Scope("conversation", talk.id), content="scratch")
    vault.backups.now()
    vault.conversations.delete(claude, talk.id)
    assert holding(tmp_path) == []
    (trashed,) = vault.entries.page(EntryFilter(state=None)).entries
    assert (trashed.content, trashed.state) == ("scratch", "trashed")


def test_a_run_that_got_the_name_of_an_erased_one_is_restored_with_the_backup(
    vault: Vault, clock: FixedClock
) -> None:
    claude = an_agent(vault)
    first = vault.conversations.start(claude, ident="standup", title="first")
    vault.conversations.delete(claude, first.id)
    clock.forward(minutes=1)
    second = vault.conversations.start(claude, ident="standup", title="second")
    assert second.id == first.id
    backup = vault.backups.now()
    vault.backups.restore(backup)
    assert vault.conversations.read(claude, second.id).title == "second"


# What a resumed erase knows of the words


def begun_only(vault: Vault, ident: str) -> None:
    """The deleting half, and nothing after it: as a kill leaves it."""
    with vault.erasure._recording("owner") as rec:
        vault.erasure.begun(rec, Removal((ident,)))


def test_the_journal_of_an_erase_holds_marks_and_no_word(vault: Vault, notes: Path) -> None:
    begun_only(vault, stored(vault, f"is {WORD} at Überraschung", key="k"))
    with vault.database.read() as db:
        (row,) = erasures.listed(db)
    told = json.dumps([row.removal, row.removed, row.traces, row.steps])
    for word in (WORD, "überraschung", "Überraschung"):
        for form in (word, word[-8:], word.encode().hex(), word[-8:].encode().hex()):
            assert form not in told


def test_a_resumed_erase_finds_what_was_quoted_meanwhile(vault: Vault, tmp_path: Path) -> None:
    begun_only(vault, stored(vault))
    vault.agents.add("bot")
    vault.calls.record("bot", "mcp", "memory_recall", f"what of {WORD.upper()}?", [], "ok")
    vault.calls.record("bot", "mcp", "memory_recall", "what of tea and biscuits?", [], "ok")
    vault.calls.flush()
    assert finished(vault) == []
    assert sorted(call.asked for call in vault.calls.of("bot")) == ["", "what of tea and biscuits?"]
    assert holding(tmp_path) == []
    assert holding(tmp_path, WORD.upper()) == []


def test_a_resumed_erase_is_not_done_while_its_words_are_in_the_file(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last scan is the receipt: bytes that no row explains are seen, whoever left them."""
    begun_only(vault, stored(vault))
    found = bytes_.in_file

    def seen(path: Path, sought: Sought) -> set[bytes]:
        return sought.found_in(b"\x00" * 5 + WORD.encode() + b"\x01") | found(path, sought)

    with monkeypatch.context() as patch:
        patch.setattr(bytes_, "in_file", seen)
        (receipt,) = vault.erasure.resume()
    assert receipt.state == "pending"
    assert "words" in whys(receipt)
    assert "words of it still stand in" in receipt.sentence
    (receipt,) = vault.erasure.resume()
    assert receipt.state == "done"


def test_a_word_that_other_memories_say_is_no_trace(vault: Vault, tmp_path: Path) -> None:
    stored(vault, f"stays with {WORD} of ÜBERRASCHUNG", key="other")
    begun_only(vault, stored(vault, f"is {WORD} and überraschung", key="k"))
    (receipt,) = vault.erasure.resume()
    assert (receipt.state, receipt.hindrances) == ("done", ())


def test_a_piece_on_a_free_page_of_a_backup_is_found_and_goes(vault: Vault, tmp_path: Path) -> None:
    """Nothing in its rows tells of it, so only a look at the bytes does."""
    ident = stored(vault)
    backup = vault.backups.now()
    copy = connect(backup.path)
    copy.execute("PRAGMA secure_delete=OFF")
    copy.execute("CREATE TABLE leftover (text)")
    copy.execute("INSERT INTO leftover VALUES (?)", (f"{WORD} " * 400,))
    copy.execute("DROP TABLE leftover")
    copy.execute("DELETE FROM entries")
    copy.execute("DELETE FROM changes")
    copy.execute("INSERT INTO fulltext (fulltext) VALUES ('rebuild')")
    copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    copy.close()
    assert backup.path.name in "".join(holding(tmp_path))
    begun_only(vault, ident)
    (receipt,) = vault.erasure.resume()
    assert receipt.state == "done"
    assert holding(tmp_path) == []
