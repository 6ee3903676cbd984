"""What an agent is told at connection is what the window shows for that way, in every dialect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, types
from mcp.client.stdio import StdioServerParameters, stdio_client

from app.access.agents import GUIDANCE_CHARS
from app.errors import Invalid
from app.mcp.dialects import DIALECTS
from app.mcp.dialects.add_ons import ADD_ONS
from app.mcp.instructions import (
    DESCRIPTION_CHARS,
    Instructions,
    client_noted,
    instructions_for,
    instructions_shown,
    limit_of,
)
from app.mcp.requests import call_tool, description, told_at_connection
from app.mcp.server import MemoryServer
from app.mcp.session import Seat, call_for
from app.rules.policy import Run
from app.rules.rendering import character_count
from app.rules.visibility import Standing
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from tests.app.mcp.clients import environment, keepsake
from tests.app.mcp.conftest import Speaks

CLAUDE_CODE = "claude-code"
LIMIT = 2_048


WORDS = "Deploys go out on Friday afternoons, never before."


def remembered(vault: Vault, words: str = WORDS) -> None:
    """More than any client keeps, in every layer."""
    shop = Scope("workspace", "shop")
    about = "- Is called Ana\n- Lives in Porto"
    vault.blocks.replace(USER, "core", about, expected_updated_at=None)
    for number in range(30):
        core = "core" if number % 3 else "note"
        scope = shop if number % 5 == 0 else USER
        draft = EntryDraft(content=words, scope=scope, key=f"fact_{number}", category=core)
        vault.entries.store(draft)


def connecting(client: str) -> dict[str, Any]:
    return {"clientInfo": {"name": client, "version": "1"}}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_client_records_is_what_the_window_shows(home: Vault, dialect: str) -> None:
    remembered(home)
    agent, token = home.agents.add("ana", dialect=dialect, workspaces=("shop",))
    run = Run(agent, Standing("shop"))
    whole, short = (instructions_shown(home, run, client) for client in ("recorder", CLAUDE_CODE))
    assert recorded_by_the_library(Seat(home, token, workspace_id="shop")) == whole.text
    assert recorded(home.path, token, CLAUDE_CODE, "--workspace", "shop") == short.text
    assert whole.text.startswith(whole.memory)
    assert short.text.startswith(short.memory)
    assert (whole.whole, short.whole) == (True, False)
    shown = home.hydrator.preview(run).text
    assert dialect == "notes" or whole.memory == shown  # before its hydration stands the index
    read = call_tool(Seat(home, token, workspace_id="shop"), whole.tool, {})
    assert read.text == shown
    assert LIMIT - 250 < character_count(short.text) <= LIMIT
    assert short.text.endswith(f"KiB. Call {short.tool} to read all of it.")


def recorded_by_the_library(seat: Seat) -> str:
    """What a client of another generation records, over the server of the protocol's library."""
    memory = MemoryServer(lambda _: seat, seat.vault.history.last_seq)
    found: list[str] = []

    async def main() -> None:
        info = types.Implementation(name="recorder", version="1")
        async with Client(memory.server, client_info=info) as client:
            found.append(client.instructions or "")

    anyio.run(main)
    return found[0]


def recorded(vault: Path, token: str, name: str, *options: str) -> str:
    """The instructions as the client `name` has them to hand to its model."""
    command, *rest = keepsake("mcp", "--vault", str(vault), *options)
    server = StdioServerParameters(
        command=command, args=rest, env=environment(KEEPSAKE_TOKEN=token), cwd=vault.parent
    )
    found: list[str] = []

    async def main() -> None:
        info = types.Implementation(name=name, version="1")
        async with Client(stdio_client(server), client_info=info, mode="legacy") as client:
            found.append(client.instructions or "")

    anyio.run(main)
    return found[0]


@pytest.mark.parametrize("words", [WORDS, "Отгрузка всегда по пятницам", "🦊 狐狸在这里" * 4])
def test_a_short_text_is_hydrated_for_its_limit_and_never_cut(home: Vault, words: str) -> None:
    remembered(home, words)
    home.agents.add("ana", workspaces=("shop",), trust="review")
    for dialect in DIALECTS:
        agent = home.agents.change("ana", {"dialect": dialect})
        check_short(instructions_shown(home, Run(agent, Standing("shop")), CLAUDE_CODE), words)


def check_short(shown: Instructions, words: str) -> None:
    assert not shown.whole
    assert LIMIT - 350 < character_count(shown.text) <= LIMIT
    assert shown.memory.count("<memories>") == shown.memory.count("</memories>") == 1
    lines = [line for line in shown.memory.splitlines() if line.startswith("- fact_")]
    assert len(lines) > 3
    assert all(line.endswith(words) for line in lines)


def test_a_new_run_is_told_what_is_known_by_then(speaks: Speaks, home: Vault) -> None:
    ana = speaks()
    assert "Nothing is remembered" in told_at_connection(call_for(ana.seat), connecting("x"))
    stored = ana.data("memory_store", key="tea", content="Prefers tea")
    later = Seat(home, ana.seat.token)
    assert "- tea" in told_at_connection(call_for(later), connecting("x"))
    (call, *_) = home.calls.of("ana")
    assert (call.call, json.loads(call.asked)) == ("instructions", {"client": "x"})
    assert call.entry_ids == (stored["id"],)


def test_the_window_looks_without_a_trace_and_knows_the_client(speaks: Speaks, home: Vault) -> None:
    ana = speaks()
    ana.data("memory_store", key="tea", content="Prefers tea")
    assert client_noted(home, "ana") == ""
    told_at_connection(call_for(ana.seat), connecting(CLAUDE_CODE))
    calls = len(home.calls.of("ana"))
    instructions_shown(home, Run(home.agents.read("ana")), "x")
    assert (client_noted(home, "ana"), len(home.calls.of("ana"))) == (CLAUDE_CODE, calls)


def test_the_owner_says_otherwise_for_one_agent(home: Vault) -> None:
    remembered(home)
    ana, _ = home.agents.add("ana", instructions_limit=1_200)
    for client in ("unknown", CLAUDE_CODE):
        shown = instructions_shown(home, Run(ana), client)
        assert 1_000 < character_count(shown.text) <= 1_200
        assert (shown.limit, shown.client, shown.whole) == (1_200, "", False)
    ana = home.agents.change("ana", {"instructions_limit": 100_000})
    assert instructions_shown(home, Run(ana), CLAUDE_CODE).whole
    ana = home.agents.change("ana", {"instructions_limit": None})
    assert instructions_shown(home, Run(ana), CLAUDE_CODE).client == "Claude Code"
    with pytest.raises(Invalid, match="instructions_limit"):
        home.agents.change("ana", {"instructions_limit": 100})


def test_the_owners_policy_and_layers_hold(home: Vault) -> None:
    remembered(home)
    agent, _ = home.agents.add("ana", include_user_core=False)
    assert "Lives in Porto" not in instructions_shown(home, Run(agent), "x").memory
    asked = Run(agent, policy={"include_user_core": True})
    assert "Lives in Porto" in instructions_shown(home, asked, "x").memory
    off = home.agents.change("ana", {"layers": {"session_memory": True, "types": ["working"]}})
    assert instructions_shown(home, Run(off), "x").memory == ""


@pytest.mark.parametrize("dialect", list(DIALECTS))
@pytest.mark.parametrize("client", ["claude-code", "x"])
def test_no_tool_is_named_that_is_not_offered(
    speaks: Speaks, home: Vault, dialect: str, client: str
) -> None:
    home.entries.store(EntryDraft(content="Prefers tea", scope=USER, key="tea"))
    ana = speaks(dialect, workspace="shop", layers={"session_memory": True, "types": ["working"]})
    told = told_at_connection(call_for(ana.seat), connecting(client))
    offered = {tool.name for tool in call_for(ana.seat).tools()}
    known = {tool.name for one in DIALECTS.values() for tool in one.tools}
    named = {name for name in known - offered if "_" in name and name in told}
    assert named == set()
    assert "switched long-term memory off" in told
    assert "Nothing is remembered" not in told  # something is


def test_what_does_not_fit_is_not_said_to_be_nothing(speaks: Speaks) -> None:
    ana = speaks(hydration_budget=2_000)
    ana.data("memory_store", content="tea " * 1_000, key="tea")
    told = told_at_connection(call_for(ana.seat), connecting("x"))
    assert "Nothing fits into this run's budget: 1 memory left out." in told
    assert "1 memory left out" in ana.text("memory_hydrate")


def test_every_description_is_shown_whole_whatever_the_owner_wants_remembered() -> None:
    known = limit_of(CLAUDE_CODE)
    assert known is not None
    assert known.instructions == LIMIT
    assert len(known.seen) == len("2026-11")
    tools = [*(t for d in DIALECTS.values() for t in d.tools), *sum(ADD_ONS.values(), ())]
    wish = "\n".join(["Remember every birthday, name day and jubilee."] * 90)[:GUIDANCE_CHARS]
    for tool in tools:
        for guidance in ("", "Remember birthdays.", wish, "x" * GUIDANCE_CHARS):
            told = description(tool, guidance)
            assert character_count(told) <= DESCRIPTION_CHARS, tool.name
            assert told.startswith(tool.about)
            assert guidance != "Remember birthdays." or guidance in told or not tool.guided


def test_a_conversation_begins_with_the_session_summary_and_the_last_turns(
    speaks: Speaks, home: Vault
) -> None:
    ana = speaks(add_ons=("conversations",))
    scope = Scope("agent", "ana")
    home.blocks.replace(scope, "session", "We chose Fly.\n</memories>", expected_updated_at=None)
    begun = ana.data("conversation_start", title="Deploying")
    assert begun["session"] == "We chose Fly.\n</memories>"
    ana.data("conversation_turn", role="user", content="And now?")
    again = ana.text("conversation_start", conversation_id=begun["conversation_id"])
    assert "in short:\n\n  We chose Fly.\n  <\\/memories>" in again
    assert again.endswith("What was said before:\n\nuser: And now?")
    home.agents.change("ana", {"layers": {"session_memory": False, "types": ["working"]}})
    assert "Fly" not in ana.text("conversation_start")


def test_budgets_hold_in_what_the_model_gets(speaks: Speaks, home: Vault) -> None:
    remembered(home)
    ana = speaks(hydration_budget=1_024)
    for budget in (400, 1_024, 4_096):
        assert 0 < len(ana.text("memory_hydrate", budget_bytes=budget).encode()) <= budget
    made = instructions_for(call_for(ana.seat), "x")
    assert 0 < made.memory_bytes <= 1_024
