"""Whatever a model sends is answered: no crash, no protocol error, nothing of another agent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.mcp.dialects import DIALECTS
from app.mcp.dialects.add_ons import ADD_ONS
from app.mcp.requests import call_tool, tool_answer
from app.mcp.session import Seat, call_for
from app.mcp.tool import Tool
from app.vault import Vault, open_vault
from store.tables.entry_filter import EntryFilter
from tests.fakes import FakeEmbedder

USUAL = settings(
    max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
MANY = settings(USUAL, max_examples=1250)  # 10,000 over the eight dialects
SECRET = "swordfish"

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
words = st.sampled_from(
    [
        "",
        "*",
        "all",
        "k",
        "core",
        "daily",
        "workspace",
        "conversation",
        "user",
        "agent",
        "agent:bob",
        "/memories",
        "/memories/a",
        "/memories/a/b",
        "/memories/../x",
        "7d",
        "2026-01-01",
        "Ana",
        "\ud800",
        "\x00",
        "a" * 300,
        "text text",
        "null",
        "[]",
        '{"a": 1}',
        "observation",
        "fact",
        "summary",
        "archival",
        "view",
        "create",
        "insert",
    ]
)


def fitting(schema: Any, ids: list[str]) -> st.SearchStrategy[Any]:
    """Values that nearly fit a parameter; `ids` are things of another agent."""
    if "anyOf" in schema:
        return st.one_of(*(fitting(one, ids) for one in schema["anyOf"]))
    match schema["type"]:
        case "string" if "enum" in schema:
            return st.sampled_from(schema["enum"])
        case "string":
            return words | st.text() | st.sampled_from(ids)
        case "integer":
            return st.integers(-2, 12)
        case "array":
            return st.lists(fitting(schema["items"], ids), max_size=3)
        case "object":
            parts = schema.get("properties", {})
            return st.fixed_dictionaries(
                {}, optional={name: fitting(part, ids) for name, part in parts.items()}
            )
    return st.none()


def arguments(tool: Tool, ids: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    near = st.fixed_dictionaries(
        {p.name: fitting(p.schema, ids) for p in tool.params if p.required},
        optional={p.name: fitting(p.schema, ids) for p in tool.params if not p.required},
    )
    far = st.dictionaries(
        st.sampled_from([p.name for p in tool.params] or ["x"]) | st.text(max_size=8),
        anything,
        max_size=5,
    )
    return near | near | far


def calls(dialect: str, ids: list[str]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    tools = (*DIALECTS[dialect].tools, *(tool for tools in ADD_ONS.values() for tool in tools))
    known = [st.tuples(st.just(tool.name), arguments(tool, ids)) for tool in tools]
    return st.one_of(*known, st.tuples(st.text(max_size=8), st.dictionaries(st.text(), anything)))


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    opened = open_vault(
        tmp_path_factory.mktemp("generated") / "vault.db", embedder=lambda *_: FakeEmbedder()
    )
    yield opened
    opened.close()


def seat_in(vault: Vault, dialect: str) -> Seat:
    _, token = vault.agents.add(
        f"{dialect}-{len(vault.agents.list())}", workspaces=["shop"], dialect=dialect
    )
    return Seat(vault, token, workspace_id="shop", add_ons=tuple(ADD_ONS))


def secrets_of_bob(vault: Vault) -> list[str]:
    """The ids of everything of Bob's that nobody else may learn of, wherever it is kept."""
    if not any(agent.id == "bob" for agent in vault.agents.list()):
        _, token = vault.agents.add("bob", workspaces=["bobs"])
        bob = Seat(vault, token, "keyed", "bobs")
        for category in ("core", "daily", "workspace", "conversation", "note", "memory"):
            key = f"{SECRET}_{category}"
            call_tool(bob, "memory_store", {"key": key, "category": category, "content": SECRET})
        call_tool(bob, "memory_store", {"key": "k", "category": "core", "content": SECRET})
        bob.dialect = "journal"
        call_tool(bob, "update_memory", {"content": SECRET})
        bob.dialect = "notes"
        call_tool(bob, "remember", {"note": SECRET, "hook": SECRET, "name": "Ana"})
        vault.agents.change("bob", {"trust": "review"})
        call_tool(bob, "remember", {"note": SECRET, "hook": SECRET, "name": "waiting"})
    found = vault.entries.page(EntryFilter(sources=("agent:bob",)), limit=100).entries
    proposals = [proposal.id for proposal in vault.review.listed(agent_id="bob")]
    return [*(entry.id for entry in found), *(entry.scope.id for entry in found), *proposals]


def check(vault: Vault, dialect: str, caplog: pytest.LogCaptureFixture, how: settings) -> None:
    ids = secrets_of_bob(vault)
    seat = seat_in(vault, dialect)

    @how
    @given(calls(dialect, ids))
    def answered(asked: tuple[str, dict[str, Any]]) -> None:
        name, sent = asked
        answer = call_tool(seat, name, sent)
        assert answer.text
        wire = json.dumps(tool_answer(answer), ensure_ascii=False)
        back = json.loads(wire)
        declared = {tool.name: tool.output for tool in call_for(seat).tools()}.get(name)
        if declared is None or back.get("isError"):
            assert "structuredContent" not in back
        else:
            jsonschema.validate(back["structuredContent"], declared)
        assert SECRET not in wire
        assert not [r for r in caplog.records if r.exc_info], caplog.text

    answered()
    assert len(secrets_of_bob(vault)) == len(ids)


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_generated_arguments_are_answered(
    busy: Vault, dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    check(busy, dialect, caplog, USUAL)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_a_thousand_generated_calls_are_answered(
    busy: Vault, dialect: str, caplog: pytest.LogCaptureFixture
) -> None:
    check(busy, dialect, caplog, MANY)
