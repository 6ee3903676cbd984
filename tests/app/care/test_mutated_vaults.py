"""Vaults that something else wrote into: bytes changed, ends cut off, pages swapped, cells of
tables filled with what does not belong there. Whatever is asked of one, the answer is an answer or
a sentence, never a traceback, and nothing that was asked only to read takes anything away.

The long run: `pytest -m slow -n0 -s tests/app/care/test_mutated_vaults.py`.
"""

from __future__ import annotations

import random
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click
import httpx
import pytest
from click.testing import CliRunner

from app.access.caller_scope import Caller
from app.access.owner_token import OwnerToken
from app.cli.command import build
from app.mcp.requests import call_tool
from app.mcp.session import Seat
from app.serving import ApiServer
from app.vault import open_vault
from store.errors import KeepsakeError
from store.file.database import Database, engine
from store.records import USER, EntryDraft

PAGE = 4096
READING = (
    ("list",),
    ("list", "--json"),
    ("search", "needlework"),
    ("recall", "key-3"),
    ("hydrate", "--agent", "claude"),
    ("history",),
    ("review", "list"),
    ("conversations",),
    ("block", "show", "core"),
    ("agents", "list"),
    ("settings",),
    ("calls", "claude"),
    ("mirror", "list"),
    ("backup", "list"),
    ("doctor",),
)
CHANGING = (
    ("store", "a new one about buttons", "--key", "key-new"),
    ("store", "needlework again", "--key", "key-3"),
    ("forget", "key-5"),
    ("undo",),
    ("upkeep",),
    ("erase", "key-7", "--yes"),
    ("export", "OUT"),
    ("doctor", "--rebuild"),
    ("backup", "now"),
)


def a_full_vault(path: Path) -> bytes:
    """Something in every table a person fills, all of it in the one file."""
    vault = open_vault(path)
    for number in range(30):
        vault.entries.store(
            EntryDraft(
                f"needlework and thread {number}",
                USER,
                f"key-{number}",
                tags=("craft",),
                category=("core", "daily", "note")[number % 3],
            )
        )
    agent, _ = vault.agents.add("claude", trust="review")
    caller = Caller(agent)
    talk = vault.conversations.start(caller)
    vault.conversations.append(caller, talk.id, [("user", f"I sew {n}.") for n in range(5)])
    vault.blocks.replace(USER, "core", "- of needlework", expected_updated_at=None)
    vault.review.propose("claude", "store", USER, {"content": "a button", "key": "button"})
    vault.settings.set("trash_days", 20)
    vault.close()
    settle(path)
    return path.read_bytes()


def settle(path: Path) -> None:
    database = Database(path)
    with database.outside_transaction() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    for beside in ("-wal", "-shm"):
        Path(f"{path}{beside}").unlink(missing_ok=True)


# Each makes another file of the bytes.


def some_bytes(whole: bytes, chance: random.Random) -> bytes:
    changed = bytearray(whole)
    for _ in range(chance.choice((1, 4, 40))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def bytes_of_the_head(whole: bytes, chance: random.Random) -> bytes:
    """The first page: what the engine believes of the file, and the names of tables."""
    changed = bytearray(whole)
    for _ in range(chance.choice((1, 4, 40))):
        changed[chance.randrange(16, PAGE)] = chance.randrange(256)
    return bytes(changed)


def cut_off(whole: bytes, chance: random.Random) -> bytes:
    return whole[: chance.randrange(1, len(whole))]


def swapped_pages(whole: bytes, chance: random.Random) -> bytes:
    pages = [whole[at : at + PAGE] for at in range(0, len(whole), PAGE)]
    one, other = chance.sample(range(1, len(pages)), 2)
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def page_of_noise(whole: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(0, len(whole) // PAGE) * PAGE
    start = max(at, 16)
    return whole[:start] + chance.randbytes(at + PAGE - start) + whole[at + PAGE :]


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    some_bytes,
    bytes_of_the_head,
    cut_off,
    swapped_pages,
    page_of_noise,
)
FILLINGS = ("", "\ud7ff{", "[", "{}", "[1, {}]", -1, 2**62, 0.5, b"\xff\xfe", None)


def wrong_cell(path: Path, chance: random.Random) -> str:
    """One cell of one table gets a value of another sort, by the engine itself. Which."""
    database = Database(path)
    try:
        with database.outside_transaction() as db:
            tables = [
                row[0]
                for row in db.execute(
                    """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                        AND name NOT LIKE 'sqlite_%'"""
                ).fetchall()
            ]
            table = chance.choice(
                [t for t in tables if db.execute(f"SELECT 1 FROM {t} LIMIT 1").fetchone()]
            )
            column = chance.choice(db.execute(f"PRAGMA table_info({table})").fetchall())[1]
            value = chance.choice(FILLINGS)
            db.execute("PRAGMA ignore_check_constraints=ON")
            db.execute("PRAGMA foreign_keys=OFF")
            try:
                db.execute(
                    f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid IN "
                    f"(SELECT rowid FROM {table} ORDER BY random() LIMIT ?)",
                    (value, chance.choice((1, 100))),
                )
            except engine.Error as error:  # a table without rowid, a column that refuses
                return f"{table}.{column} refused: {error}"
            return f"{table}.{column} = {value!r}"
    finally:
        database.close()


def said(path: Path, arguments: tuple[str, ...]) -> tuple[str, str]:
    """How a command ended: `answered`, `refused`, or `traceback`, and the words."""
    words = [str(path.parent / "out") if word == "OUT" else word for word in arguments]
    result = CliRunner().invoke(
        build(lambda vault, ephemeral: 2), words, env={"KEEPSAKE_VAULT": str(path)}
    )
    error = result.exception
    if error is None or isinstance(error, SystemExit):
        return "answered", result.output
    if isinstance(error, KeepsakeError | click.ClickException) and str(error).strip():
        return "refused", str(error)
    return "traceback", "".join(traceback.format_exception(error))


def clear(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def tried(folder: Path, number: int, commands: tuple[tuple[str, ...], ...]) -> Counter[str]:
    """So many mutated vaults, each asked everything; how the commands ended."""
    source = folder / "source"
    source.mkdir()
    whole = a_full_vault(source / "v.db")
    place = folder / "place"
    place.mkdir()
    path = place / "v.db"
    ends: Counter[str] = Counter()
    found: list[str] = []
    for seed in range(number):
        clear(place)
        chance = random.Random(seed)
        kind = chance.randrange(len(MUTATIONS) + 3)
        if kind < len(MUTATIONS):
            path.write_bytes(MUTATIONS[kind](whole, chance))
            name = MUTATIONS[kind].__name__
        else:
            path.write_bytes(whole)
            name = wrong_cell(path, chance)
            settle(path)
        before = said(path, ("list", "--json"))
        for arguments in commands:
            if arguments == CHANGING[0] and said(path, ("list", "--json")) != before:
                found.append(f"seed {seed}, {name}: reading changed what there is to read")
            end, words = said(path, arguments)
            ends[end] += 1
            if end == "traceback":
                found.append(f"seed {seed}, {name}, {' '.join(arguments)}:\n{words}")
    assert not found, f"{len(found)} of {sum(ends.values())}\n" + "\n".join(found)
    return ends


@pytest.mark.parametrize("arguments", READING + CHANGING, ids=" ".join)
def test_what_is_asked_of_them_is_answered_by_a_sound_one(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    a_full_vault(tmp_path / "v.db")
    words = [str(tmp_path / "out") if word == "OUT" else word for word in arguments]
    environment = {"KEEPSAKE_VAULT": str(tmp_path / "v.db")}
    done = CliRunner().invoke(build(lambda vault, ephemeral: 2), words, env=environment)
    assert done.exit_code == 0, done.output


def test_no_mutated_vault_ends_in_a_traceback(tmp_path: Path) -> None:
    ends = tried(tmp_path, 16, READING + CHANGING)
    assert ends["answered"] > 16
    assert ends["refused"] > 16


def test_agents_are_told_of_damage_and_not_what_was_found(tmp_path: Path) -> None:
    """A cell that cannot be read makes code stumble anywhere: through every door it is the file's
    fault, in a sentence, without a word of memory in it."""
    path = tmp_path / "v.db"
    a_full_vault(path)
    vault = open_vault(path)
    _, token = vault.agents.add("reader")
    with vault.database.write() as db:
        db.execute("UPDATE entries SET updated_at = '{}' WHERE key = 'key-3'")
    wanted = {"key": "key-3", "content": "other", "scope": "user"}
    answer = call_tool(Seat(vault, token, dialect="standard"), "memory_store", wanted)
    assert answer.error
    assert "is damaged; keepsake doctor says where" in answer.text
    assert "needlework" not in answer.text
    server = ApiServer(vault, 0, token=OwnerToken("kps_t", "test"), runtime=tmp_path / "run")
    server.start()
    try:
        asked = httpx.post(
            f"{server.url}/api/v1/memory/entries",
            json=wanted,
            headers={"Authorization": f"Bearer {token}"},
            trust_env=False,
        )
    finally:
        server.stop()
        vault.close()
    assert asked.status_code == 503
    assert "is damaged; keepsake doctor says where" in asked.json()["detail"]
    end, words = said(path, ("store", "other", "--key", "key-3"))
    assert end == "refused"
    assert "is damaged; keepsake doctor says where" in words
    assert "BAD  values       1 of entries.updated_at cannot be read" in said(path, ("doctor",))[1]


def test_an_index_of_another_format_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    a_full_vault(path)
    database = Database(path)
    with database.write() as db:
        db.execute("UPDATE fulltext_config SET v = 0 WHERE k = 'version'")
    database.close()
    end, words = said(path, ("search", "needlework"))
    assert end == "refused"
    assert "Run keepsake doctor --rebuild" in words
    said(path, ("doctor", "--rebuild"))
    end, words = said(path, ("search", "needlework"))
    assert end == "answered"
    assert "needlework" in words


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_hundreds_of_mutated_vaults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends = tried(tmp_path, 400, READING + CHANGING)
    with capsys.disabled():
        sys.stdout.write(f"\n400 mutated vaults: {dict(ends)}\n")
