"""Bits that change where nobody wrote: the doctor finds each of them.

The long run: `pytest -m slow -n0 tests/app/care/test_corruption.py -s`.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.vault import Vault, open_vault
from store.errors import KeepsakeError
from store.file.database import Database
from store.records import USER, EntryDraft
from store.tables.entry_filter import EntryFilter

PAGE = 4096


def a_whole_vault(path: Path) -> tuple[bytes, list[range]]:
    """Its bytes, and where in them the rows of memories, blocks and turns lie, each from its id to
    its digest."""
    vault = open_vault(path)
    for number in range(40):
        words = "needlework and thread " * (number % 7 + 1)
        vault.entries.store(
            EntryDraft(
                f"{words}{number}",
                USER,
                f"key-{number}",
                hook="when sewing",
                tags=("craft",),
                category=("core", "daily", "note")[number % 3],
                importance=number % 9 + 2,
            )
        )
    vault.entries.forget([entry.id for entry in vault.entries.page(limit=5).entries])
    agent, _ = vault.agents.add("claude")
    caller = Caller(agent)
    talk = vault.conversations.start(caller)
    vault.conversations.append(caller, talk.id, [("user", f"I sew {n}.") for n in range(10)])
    for name in ("core", "archival"):
        vault.blocks.replace(USER, name, f"- {name} of needlework", expected_updated_at=None)
    rows = row_texts(vault)
    vault.close()
    settle(path)
    whole = path.read_bytes()
    return whole, [placed(whole, start, end) for start, end in rows]


def row_texts(vault: Vault) -> list[tuple[bytes, bytes]]:
    """How each row begins, and the digest it ends with."""
    found = [
        (f"{entry.id}{entry.scope}{entry.key}{entry.content}", entry.digest)
        for entry in vault.entries.page(EntryFilter(state=None), 1000).entries
    ]
    found += [(f"{b.id}{b.scope}{b.name}{b.content}", b.digest) for b in vault.blocks.listed()]
    with vault.database.read() as db:
        found += db.execute(
            "SELECT id || conversation_id || role || content, digest FROM turns"
        ).fetchall()
    return [(start.encode(), digest) for start, digest in found]


def placed(whole: bytes, start: bytes, digest: bytes) -> range:
    first = whole.index(start)
    assert whole.find(start, first + 1) == -1, "the row lies in two places"
    return range(first, whole.index(digest, first) + len(digest))


def settle(path: Path) -> None:
    """Everything in the one file, and no page in it without a use."""
    database = Database(path)
    with database.outside_transaction() as db:
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for beside in ("-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)


def wrong(path: Path) -> str:
    """The checks that failed, or what opening it was refused with; empty when all seems well."""
    try:
        vault = open_vault(path)
    except KeepsakeError as error:
        return f"refused: {error}"
    try:
        return ", ".join(found.check for found in vault.doctor.examine() if not found.ok)
    except KeepsakeError as error:
        return f"refused: {error}"
    finally:
        vault.close()


def flip(folder: Path, flips: int) -> None:
    path = folder / "v.db"
    whole, rows = a_whole_vault(path)
    assert wrong(path) == ""
    chance = random.Random(1000)
    for number in range(flips):
        row = chance.choice(rows)
        at, bit = chance.choice(row), chance.randrange(8)
        broken = bytearray(whole)
        broken[at] ^= 1 << bit
        put(path, bytes(broken))
        found = wrong(path)
        around = whole[max(row.start, at - 20) : at + 20]
        assert "memories" in found or "file" in found, (number, at - row.start, bit, around, found)
    put(path, whole)
    assert wrong(path) == ""


def test_flipped_bits_in_memories_blocks_and_turns_are_found(tmp_path: Path) -> None:
    flip(tmp_path, 40)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_flipped_bits_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flip(tmp_path, 1000)
    with capsys.disabled():
        sys.stdout.write("\n1,000 bits flipped, 1,000 found\n")


def check_pages(folder: Path, step: int) -> int:
    """How many pages were zeroed one by one; each was noticed."""
    path = folder / "v.db"
    whole, _ = a_whole_vault(path)
    numbers = range(0, len(whole) // PAGE, step)
    for number in numbers:
        put(path, whole[: number * PAGE] + bytes(PAGE) + whole[(number + 1) * PAGE :])
        assert wrong(path), f"page {number + 1} was zeroed and nothing said so"
    return len(numbers)


def test_a_zeroed_page_is_noticed(tmp_path: Path) -> None:
    assert check_pages(tmp_path, step=5) > 10


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_page_of_the_file_is_noticed_when_it_is_zeroed(tmp_path: Path) -> None:
    assert check_pages(tmp_path, step=1) > 50


@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.85, 0.99])
def test_a_truncated_vault_is_refused_or_found_broken(tmp_path: Path, share: float) -> None:
    path = tmp_path / "v.db"
    whole, _ = a_whole_vault(path)
    put(path, whole[: int(len(whole) * share) // 512 * 512])
    assert wrong(path)
