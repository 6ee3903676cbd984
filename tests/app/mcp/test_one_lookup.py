"""A memory that an agent stores is looked up by its key once, and its draft is cleaned once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from app.rules import fields
from app.vault import Vault
from store.records import EntryDraft, Scope
from tests.app.mcp.conftest import Speaks


@contextmanager
def statements(vault: Vault) -> Iterator[list[str]]:
    """What the vault's connections are asked meanwhile, with the values filled in."""
    asked: list[str] = []
    with vault.database.read() as reading:
        reading.set_trace_callback(asked.append)
    with vault.database.write() as writing:
        writing.set_trace_callback(asked.append)
    yield asked
    with vault.database.read() as reading:
        reading.set_trace_callback(None)
    with vault.database.write() as writing:
        writing.set_trace_callback(None)


def by_key(asked: list[str], key: str) -> list[str]:
    """The reads that name the key."""
    return [sql for sql in asked if sql.lstrip().upper().startswith("SELECT") and key in sql]


@pytest.mark.parametrize("dialect", ["standard", "keyed"])
@pytest.mark.parametrize("trust", ["direct", "review"])
@pytest.mark.parametrize("known", [False, True])
def test_a_key_is_looked_up_once(
    home: Vault, speaks: Speaks, dialect: str, trust: str, known: bool
) -> None:
    ana = speaks(dialect, trust=trust)
    if known:
        home.entries.store(EntryDraft("Tea.", Scope("agent", "ana"), key="drinks-tea"))
    ana.data("memory_list")
    with statements(home) as asked:
        ana.data("memory_store", key="drinks-tea", content="Green tea.", category="core")
    assert len(by_key(asked, "drinks-tea")) == 1, by_key(asked, "drinks-tea")


@pytest.mark.parametrize("trust", ["direct", "review"])
def test_a_draft_is_cleaned_once(
    speaks: Speaks, trust: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleaned: list[str] = []
    clean = fields.clean_content
    monkeypatch.setitem(
        fields._CLEANERS, "content", lambda text: cleaned.append(text) or clean(text)
    )
    ana = speaks(trust=trust)
    ana.data("memory_store", key="tea", content="Green tea.")
    # What waits is checked as what will be approved, so that it can be.
    assert len(cleaned) == {"direct": 1, "review": 2}[trust]
