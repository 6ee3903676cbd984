from __future__ import annotations

import threading

import pytest

from app.blocks.blocks import BlockSaved
from app.errors import Invalid, NotFound, Refused, TooLarge
from app.outcomes import Conflict
from app.rules.blocks import Edit
from app.vault import Vault
from store.records import USER, Block, Scope

AGENT = Scope("agent", "claude")


def saved(outcome: object) -> Block:
    assert isinstance(outcome, BlockSaved)
    return outcome.block


def test_a_block_is_created_read_and_replaced(vault: Vault) -> None:
    first = saved(vault.blocks.replace(USER, "core", "- one", expected_updated_at=None))
    second = saved(
        vault.blocks.replace(USER, "core", "- two", expected_updated_at=first.updated_at)
    )
    assert second.updated_at > first.updated_at
    assert vault.blocks.get(USER, "core") == second
    assert [change.action for change in vault.history.of(first.id)] == ["changed", "created"]


def test_the_second_of_two_writers_gets_the_firsts_text_back_and_loses_nothing(
    vault: Vault,
) -> None:
    read = saved(vault.blocks.replace(USER, "core", "- old", expected_updated_at=None))
    vault.blocks.replace(USER, "core", "- first", expected_updated_at=read.updated_at)
    outcome = vault.blocks.replace(USER, "core", "- second", expected_updated_at=read.updated_at)
    assert isinstance(outcome, Conflict)
    assert outcome.current is not None
    assert outcome.current.content == "- first"
    assert vault.blocks.get(USER, "core").content == "- first"


def test_of_many_writers_at_once_exactly_one_wins(vault: Vault) -> None:
    read = saved(vault.blocks.replace(USER, "core", "- old", expected_updated_at=None))
    outcomes: list[object] = []

    def write(number: int) -> None:
        outcomes.append(
            vault.blocks.replace(USER, "core", f"- {number}", expected_updated_at=read.updated_at)
        )

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winner = [outcome for outcome in outcomes if isinstance(outcome, BlockSaved)]
    assert len(winner) == 1
    assert vault.blocks.get(USER, "core") == winner[0].block
    lost = [outcome for outcome in outcomes if isinstance(outcome, Conflict)]
    assert len(lost) == 7


def test_an_expectation_is_compared_as_an_instant(vault: Vault) -> None:
    read = saved(vault.blocks.replace(USER, "core", "- old", expected_updated_at=None))
    spelled = read.updated_at.replace("Z", "+00:00")
    saved(vault.blocks.replace(USER, "core", "- new", expected_updated_at=spelled))
    with pytest.raises(Invalid, match="expected_updated_at"):
        vault.blocks.replace(USER, "core", "- new", expected_updated_at="yesterday")


def test_null_creates_only_and_leaving_it_out_is_invalid(vault: Vault) -> None:
    saved(vault.blocks.replace(USER, "core", "- old", expected_updated_at=None))
    assert isinstance(vault.blocks.replace(USER, "core", "- x", expected_updated_at=None), Conflict)
    with pytest.raises(Invalid, match="null to create"):
        vault.blocks.replace(USER, "core", "- x")
    missing = vault.blocks.replace(AGENT, "core", "- x", expected_updated_at="2026-01-01T00:00:00Z")
    assert missing == Conflict(None)


def test_limits_come_from_the_settings(vault: Vault) -> None:
    vault.settings.set("core_block_entries", 2)
    with pytest.raises(TooLarge, match="2 entries"):
        vault.blocks.replace(USER, "core", "- a\n- b\n- c", expected_updated_at=None)
    assert vault.blocks.gauge("core", "- a").entry_limit == 2


def test_edits_are_all_or_nothing(vault: Vault) -> None:
    block = saved(vault.blocks.replace(USER, "core", "- a\n- b", expected_updated_at=None))
    with pytest.raises(Invalid, match="'- missing'"):
        vault.blocks.edit(USER, "core", [Edit("- a", "- A"), Edit("- missing", "")])
    assert vault.blocks.get(USER, "core") == block
    edited = saved(vault.blocks.edit(USER, "core", [Edit("- b", "- B"), Edit("- a", "- A")]))
    assert edited.content == "- A\n- B"


def test_a_summary_starts_from_its_template(vault: Vault) -> None:
    edit = Edit("## Known Issues\n", "## Known Issues\n\n- DNS is slow\n")
    block = saved(vault.blocks.edit(AGENT, "summary", [edit]))
    assert "## Important Decisions" in block.content
    assert "- DNS is slow" in block.content


def test_writing_and_creating_a_block_can_be_undone_and_done_again(vault: Vault) -> None:
    first = saved(vault.blocks.replace(USER, "core", "- one", expected_updated_at=None))
    vault.blocks.replace(USER, "core", "- two", expected_updated_at=first.updated_at)
    vault.history.undo_last()
    assert vault.blocks.get(USER, "core").content == "- one"
    vault.history.undo_last()
    with pytest.raises(NotFound):
        vault.blocks.get(USER, "core")
    vault.history.redo_last()
    vault.history.redo_last()
    assert vault.blocks.get(USER, "core").content == "- two"


def test_undoing_a_creation_does_not_touch_a_newer_write(vault: Vault) -> None:
    outcome = vault.blocks.replace(USER, "core", "- one", expected_updated_at=None)
    first = saved(outcome)
    assert isinstance(outcome, BlockSaved)
    second = vault.blocks.replace(
        USER, "core", "- two", expected_updated_at=first.updated_at, actor="agent:claude"
    )
    third = vault.blocks.replace(
        USER, "core", "- three", expected_updated_at=saved(second).updated_at
    )
    saved(third)
    assert isinstance(second, BlockSaved)
    with pytest.raises(Refused, match="changed again"):
        vault.history.undo(second.group)
