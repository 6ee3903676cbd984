"""The log of calls: nothing an agent was told through this door goes unnamed."""

from __future__ import annotations

import pytest

from app.access.caller_scope import Caller
from app.blocks.blocks import BlockSaved
from app.mcp.requests import noted_resource, tool_answer
from app.mcp.session import McpCall, call_for
from app.mcp.tool import Tool, ToolAnswer, record
from app.vault import Vault
from store.records import USER, Scope
from tests.app.mcp.conftest import Speaks


def test_blocks_turns_and_conflicts_are_in_the_log_of_what_was_told(
    speaks: Speaks, home: Vault
) -> None:
    made = home.blocks.replace(USER, "core", "- Lives in Lisbon", expected_updated_at=None)
    assert isinstance(made, BlockSaved)
    core = f"block:{made.block.id}"
    ana = speaks(add_ons=("conversations",))
    stored = ana.data("memory_store", content="Prefers tea", key="tea", expected_updated_at=None)
    ana.refused("memory_store", content="Coffee", key="tea", expected_updated_at="absent")
    ana.seat.dialect = "blocks"
    ana.data("memory_blocks")
    ana.data("memory_get", block="core")
    ana.seat.dialect = "standard"
    ana.data("memory_hydrate")
    turn = ana.data("conversation_turn", role="user", content="Hello")["turns"][0]
    told = [set(call.entry_ids) for call in home.calls.of("ana")][::-1]
    tea = stored["id"]
    assert told == [{tea}, {tea}, {core}, {core}, {core, tea}, {f"turn:{turn}"}]


def test_reading_a_resource_is_noted_like_a_call(speaks: Speaks, home: Vault) -> None:
    ana = speaks()
    stored = ana.data("memory_store", content="Prefers tea", key="tea", category="core")
    noted_resource(call_for(ana.seat), "keepsake://memory")
    noted_resource(call_for(ana.seat), "keepsake://index")
    index, memory, _ = home.calls.of("ana")
    assert (memory.call, memory.asked) == ("resource", "keepsake://memory")
    assert memory.entry_ids == index.entry_ids == (stored["id"],)


def test_an_erased_conversation_is_not_quoted_in_the_log_of_calls(
    speaks: Speaks, home: Vault
) -> None:
    ana = speaks(add_ons=("conversations",))
    kept = ana.data("conversation_start")["conversation_id"]
    ana.data("conversation_turn", role="user", content="Kept words")
    gone = ana.data("conversation_start")["conversation_id"]
    ana.data("conversation_turn", role="user", content="Zanzibar", conversation_id=gone)
    home.calls.flush()
    ana.data("conversation_turn", role="user", content="Zanzibar again", conversation_id=gone)
    home.erasure.wipe(Scope("conversation", gone))  # before the last call is written
    asked = [call.asked for call in home.calls.of("ana") if call.call == "conversation_turn"]
    assert [("Kept words" in text, text) for text in asked if text] == [(True, asked[-1])]
    home.conversations.delete(Caller(), kept)
    assert not any("words" in call.asked for call in home.calls.of("ana"))


def test_an_error_that_a_tool_answers_with_is_text_alone_whatever_shape_it_declares(
    speaks: Speaks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TypeScript clients check data against the declared shape on errors too, and throw."""
    refused = ToolAnswer("Nothing was changed. (MEM-004)", {"code": "MEM-004"}, error=True)
    tool = Tool("try", "Try", "Tries.", lambda call: refused, output=record("results"))
    monkeypatch.setattr(McpCall, "tool", lambda call, name: tool)
    assert tool_answer(speaks()("try")) == {
        "content": [{"type": "text", "text": "Nothing was changed. (MEM-004)"}],
        "isError": True,
    }
