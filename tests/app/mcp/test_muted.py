"""What is muted for an agent reaches it through no tool, resource or instruction of any dialect:
neither a word of it, nor that there is something."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from app.access.caller_scope import Caller
from app.mcp.dialects import ADD_ONS, DIALECTS
from app.mcp.instructions import instructions_for
from app.mcp.requests import call_tool
from app.mcp.resources import offered
from app.mcp.resources import read as read_resource
from app.mcp.server import LOOK_SECONDS
from app.mcp.session import Seat, call_for
from app.mcp.tool import Tool
from app.serving import ApiServer
from app.vault import Vault
from store.records import USER, EntryDraft, Scope
from tests.app.mcp.clients import over_http, over_stdio

SECRET = "zanzibar"
HOW: dict[str, dict[str, Any]] = {
    "agent": {"muted_for": ("ana",)},
    "cloud": {"muted_for": ("cloud",)},
    "all": {"muted_for": ("*",)},
    "tag": {"tags": ("health",)},
}
SCORE = re.compile(r"score [\d.]+|\"score\": [\d.]+")


class Muted:
    """A vault with one memory that `ana` is never told in each of her scopes, beside others."""

    def __init__(self, vault: Vault, dialect: str, fields: Mapping[str, Any]) -> None:
        self.vault = vault
        vault.settings.set("muted_tags", "health: ana")
        agent, self.token = vault.agents.add(
            "ana", dialect=dialect, workspaces=["shop"], cloud=True
        )
        self.run = vault.conversations.start(Caller(agent), workspace_id="shop").id
        scopes = (USER, agent.scope, Scope("workspace", "shop"), Scope("conversation", self.run))
        for scope in scopes:
            self._store(scope, "tea", "The pump of the tea urn hums.", {})
        self.ids = [
            self._store(scope, "pump", f"The insulin pump says {SECRET}.", fields)
            for scope in scopes
        ]
        self.kept = vault.entries.read_many(self.ids)
        self.seat = Seat(
            vault,
            self.token,
            workspace_id="shop",
            conversation_id=self.run,
            add_ons=tuple(ADD_ONS),
        )
        self.probes = ("pump", self.ids[1], "insulin", "health", "/memories/pump", "pump.md", "*")

    def _store(self, scope: Scope, key: str, content: str, fields: Mapping[str, Any]) -> str:
        draft = EntryDraft(
            content,
            scope,
            key=key,
            kind="entity",
            category="note" if scope.kind in ("agent", "workspace") else "core",
            hook=f"when it is about {content}",
            **fields,
        )
        return self.vault.entries.store(draft).entry.id

    def tools(self) -> tuple[Tool, ...]:
        return call_for(self.seat).tools()

    def said(self, tool: Tool) -> Iterator[tuple[object, str]]:
        """All that a tool answers, by what it was asked."""
        for given in arguments(tool, self.probes):
            answer = call_tool(self.seat, tool.name, given)
            yield given, f"{answer.text}\n{json.dumps(answer.data, default=str)}"

    def other_doors(self) -> dict[str, str]:
        call = call_for(self.seat)
        return {
            "instructions": instructions_for(call, "").text,
            **{one.uri: read_resource(call, one.uri)[0] for one in offered(call)},
        }


def arguments(tool: Tool, probes: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Each probe in every parameter that it fits, by every word of an enumeration; once with what
    is needed alone, once with all."""
    shown = [param for param in tool.params if not param.hidden]
    for every, probe in itertools.product((False, True), probes):
        choices = [values(param.schema, probe) for param in shown if every or param.required]
        names = [param.name for param in shown if every or param.required]
        for chosen in itertools.islice(itertools.product(*choices), 12):
            yield dict(zip(names, chosen, strict=True))


def values(schema: Mapping[str, Any], probe: str) -> list[Any]:
    """What of that shape names the probe."""
    if "anyOf" in schema:
        return values(schema["anyOf"][0], probe)
    if "enum" in schema:
        return list(schema["enum"])
    match schema["type"]:
        case "array":
            return [[one] for one in values(schema.get("items", {"type": "string"}), probe)]
        case "object":
            parts = schema.get("properties", {})
            return [{name: values(part, probe)[0] for name, part in parts.items()}]
        case "integer":
            return [schema.get("maximum", 1)]
        case "number":
            return [0]
        case "boolean":
            return [True]
    return ["2020-01-01"] if schema.get("format") == "date-time" else [probe]


@pytest.mark.parametrize(
    ("dialect", "how"),
    [
        *(("standard", how) for how in HOW),
        *zip([*DIALECTS][1:], itertools.cycle(HOW), strict=False),
    ],
)
def test_no_tool_tells_what_is_muted_nor_writes_over_it(
    home: Vault, dialect: str, how: str
) -> None:
    muted = Muted(home, dialect, HOW[how])
    for name, text in muted.other_doors().items():
        assert SECRET not in text, name
    for tool in muted.tools():
        for given, text in muted.said(tool):
            assert SECRET not in text, (tool.name, given)
            assert not any(one in text for one in muted.ids if one not in muted.probes), tool.name
    assert home.entries.read_many(muted.ids) == muted.kept


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_reads_answers_as_if_there_were_nothing(home: Vault, dialect: str) -> None:
    muted = Muted(home, dialect, HOW["agent"])

    def all_said() -> dict[str, str]:
        said = muted.other_doors()
        for tool in muted.tools():
            if not tool.writes:
                for given, text in muted.said(tool):
                    said[f"{tool.name} {given}"] = SCORE.sub("", text)
        return said

    before = all_said()
    home.erasure.erase(muted.ids)
    assert all_said() == before


async def all_said(client: Client, muted: Muted) -> str:
    """The instructions, every resource and every tool's answer, as a client hears them."""
    said = [str(client.instructions)]
    for resource in (await client.list_resources()).resources:
        said.append(str(await client.read_resource(resource.uri)))
    for ident in muted.ids:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(f"keepsake://entry/{ident}")
        said.append(str(refused.value))
    for tool in muted.tools():
        for given in itertools.islice(arguments(tool, muted.probes), 3):
            said.append(str(await client.call_tool(tool.name, given)))
    return "\n".join(said)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_real_client_over_http_hears_nothing_of_it(
    home: Vault, api: ApiServer, dialect: str
) -> None:
    muted = Muted(home, dialect, HOW["tag"])

    async def main() -> str:
        places = f"?workspace=shop&with={','.join(ADD_ONS)}"
        async with over_http(api.url, muted.token, places) as client:
            return await all_said(client, muted)

    said = anyio.run(main)
    assert "tea urn" in said
    assert SECRET not in said


@pytest.mark.parametrize("dialect", ["standard", "graph"])
def test_a_real_client_over_stdio_hears_nothing_of_it(home: Vault, dialect: str) -> None:
    muted = Muted(home, dialect, HOW["cloud"])

    async def main() -> str:
        options = ("--workspace", "shop", *(word for one in ADD_ONS for word in ("--with", one)))
        async with over_stdio(home.path, muted.token, *options) as client:
            return await all_said(client, muted)

    said = anyio.run(main)
    assert "tea urn" in said
    assert SECRET not in said


def test_who_follows_memory_is_not_told_that_something_muted_moved(
    home: Vault, api: ApiServer
) -> None:
    muted = Muted(home, "standard", HOW["agent"])

    async def main() -> None:
        async with (
            over_http(api.url, muted.token, "?workspace=shop") as client,
            client.listen(resource_subscriptions=["keepsake://memory"]) as feed,
        ):
            for ident in muted.ids:
                home.entries.change(ident, {"content": f"{SECRET} moved"})
            with anyio.move_on_after(3 * LOOK_SECONDS) as waited:
                await anext(aiter(feed))
            assert waited.cancelled_caught
            home.entries.store(EntryDraft("The urn is still.", USER))
            with anyio.fail_after(20):
                await anext(aiter(feed))

    anyio.run(main)
