"""Agent A finds nothing of B's, through any route, however it asks."""

from __future__ import annotations

import io
import random
import zipfile

import httpx
import pytest

from store.records import EntryDraft, Scope
from tests.app.api.conftest import Served

CANARY = "zanzibar"
QUERIES = (
    CANARY,
    f'"{CANARY}"',
    f"agent:b {CANARY}",
    f"scope:agent:b {CANARY}",
    f"is:trashed {CANARY}",
    f"{CANARY} OR open",
    f"{CANARY}*",
    "line",
    "*",
    "all",
)


class Vantage:
    """A's clients, and everything it must never learn of."""

    def __init__(self, served: Served) -> None:
        vault = served.vault
        vault.settings.set("api_rate", 0)
        self.mine, self.client = served.agent("a", workspaces=["shop"])
        theirs, their_client = served.agent("b", workspaces=["bank"])
        _, shy_client = served.agent("c", trust="review")
        talk = their_client.post("/conversations", json={"title": CANARY}).json()["id"]
        their_client.post(f"/conversations/{talk}/turns", json={"role": "user", "content": CANARY})
        hidden = [theirs.scope, Scope("workspace", "bank"), Scope("conversation", talk)]
        drafts = [
            EntryDraft(f"{CANARY} {scope}", scope, key=f"{CANARY}-{number}")
            for number, scope in enumerate(hidden)
        ]
        self.ids = [vault.entries.store(draft).entry.id for draft in drafts]
        trashed = vault.entries.store(EntryDraft(f"{CANARY} trashed", key="t")).entry.id
        vault.entries.forget([trashed])
        moved = vault.entries.store(EntryDraft(f"{CANARY} moved", theirs.scope, key="m")).entry.id
        vault.entries.change(moved, {"content": "open now", "scope": Scope("user"), "key": "open"})
        self.moved = moved
        expired = EntryDraft(f"{CANARY} old", key="e", expires_at="2020-01-01T00:00:00Z")
        self.ids += [trashed, vault.entries.store(expired).entry.id]
        for scope in hidden:
            vault.blocks.replace(scope, "core", f"- {CANARY}", expected_updated_at=None)
            vault.blocks.replace(scope, "archival", f"{CANARY} line", expected_updated_at=None)
        shy_client.post("/memory/entries", json={"content": f"{CANARY} proposed", "scope": "user"})
        self.ids += [p.id for p in vault.review.listed()] + [talk]
        vault.entries.store(EntryDraft("everyone may know this", key="shared"))
        self.foreign = {"agent_id": ["b", "c"], "workspace_id": ["bank"], "conversation_id": [talk]}


@pytest.fixture(scope="module")
def vantage(shared: Served) -> Vantage:
    return Vantage(shared)


def text_of(answer: httpx.Response) -> str:
    if answer.headers.get("content-type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            names = archive.namelist()
            return "\n".join([*names, *(archive.read(name).decode() for name in names)])
    return answer.text


def generated(vantage: Vantage, dice: random.Random) -> tuple[str, str, dict[str, object]]:
    """One call A might make: method, path and its parameters or body. Never asks by the canary
    itself where an answer repeats the question."""
    scope: dict[str, object] = {}
    if dice.random() < 0.6:
        scope["scope"] = dice.choice(["user", "agent", "workspace", "conversation"])
    for name, values in vantage.foreign.items():
        if dice.random() < 0.2:
            scope[name] = dice.choice([*values, "a", "shop", "none"])
    ident = dice.choice([*vantage.ids, vantage.moved, "nothing"])
    query = dice.choice(QUERIES)
    block = dice.choice(["core", "archival", "summary", "session"])
    if dice.random() < 0.5:  # an id that is not of the named scope is refused, whatever it is
        kept = ("scope", f"{scope.get('scope')}_id")
        scope = {name: value for name, value in scope.items() if name in kept}
    named = {k: v for k, v in scope.items() if k != "scope"}
    calls: list[tuple[str, str, dict[str, object]]] = [
        ("GET", "/memory/entries", {**scope, "q": query}),
        ("GET", "/memory/entries", scope),
        ("GET", "/memory/entries", {"state": dice.choice(["trashed", "all"])}),
        ("GET", f"/memory/entries/{ident}", {}),
        ("GET", f"/memory/entries/{ident}/history", {}),
        ("GET", f"/memory/entries/{ident}/why", named),
        ("POST", f"/memory/entries/{ident}/restore", {"seq": dice.randrange(1, 40)}),
        ("POST", f"/memory/entries/{ident}/restore", {}),
        ("PATCH", f"/memory/entries/{ident}", {"hook": "x"}),
        ("DELETE", f"/memory/entries/{dice.choice(vantage.ids)}", {}),
        (
            "POST",
            "/memory/search",
            {**scope, "query": query, "mode": dice.choice(["hybrid", "keyword", "semantic"])},
        ),
        ("POST", "/memory/recall", {**scope, "query": query}),
        ("POST", "/memory/recall", {**scope, "key": f"{CANARY}-{dice.randrange(3)}"}),
        (
            "POST",
            "/memory/hydrate",
            {
                **named,
                "message": query,
                "all_items": True,
                "memory_policy": {"archival_mode": "auto"},
            },
        ),
        ("POST", "/memory/preload", {**named, "message": query}),
        ("GET", "/memory/blocks", {**scope, "scope": dice.choice(["all", "agent", "workspace"])}),
        ("GET", f"/memory/blocks/{block}", scope),
        ("GET", "/conversations", {"agent_id": dice.choice(["a", "b"])}),
        ("GET", f"/conversations/{ident}", {}),
        ("GET", f"/conversations/{ident}/turns", {}),
        ("GET", "/export", scope),
        ("GET", "/review", {}),
        ("GET", "/agents/b/calls", {}),
        ("GET", "/changes", {}),
        ("GET", "/duplicates", {}),
        ("GET", f"../../memories/{ident}", {}),
        ("GET", f"../../memories/{ident}/history", {}),
        ("GET", "../../memories", {"agent_id": dice.choice(["a", "b"])}),
        ("POST", "../../search", {"query": query, "agent_id": dice.choice(["a", "b"])}),
    ]
    return dice.choice(calls)


def assert_nothing_leaks(vantage: Vantage, served: Served, number: int, seed: int) -> None:
    dice = random.Random(seed)
    reached = 0
    for _ in range(number):
        method, path, values = generated(vantage, dice)
        url = served.url + path.removeprefix("../..") if path.startswith("../..") else path
        sent = {"params": values} if method in ("GET", "DELETE") else {"json": values}
        answer = vantage.client.request(method, url, **sent)  # type: ignore[arg-type]
        assert answer.status_code < 500, (method, path, values, answer.text)
        assert CANARY not in text_of(answer), (method, path, values, answer.text)
        reached += answer.is_success
    assert reached > number / 5


def test_a_learns_nothing_of_bs_through_any_generated_call(
    vantage: Vantage, shared: Served
) -> None:
    assert_nothing_leaks(vantage, shared, 600, seed=20)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_learns_nothing_in_ten_thousand_generated_calls(vantage: Vantage, shared: Served) -> None:
    assert_nothing_leaks(vantage, shared, 10_000, seed=21)


def test_a_guessed_id_is_404_like_one_that_never_was(vantage: Vantage) -> None:
    for ident in vantage.ids:
        for suffix in ("", "/history", "/why"):
            there = vantage.client.get(f"/memory/entries/{ident}{suffix}")
            never = vantage.client.get(f"/memory/entries/nothing{suffix}")
            assert (there.status_code, never.status_code) == (404, 404)
            assert there.json()["detail"].replace(ident, "*") == never.json()["detail"].replace(
                "nothing", "*"
            )


def test_what_was_written_before_it_was_shared_stays_unknown(vantage: Vantage) -> None:
    told = vantage.client.get(f"/memory/entries/{vantage.moved}/history")
    assert told.status_code == 200
    assert CANARY not in told.text
    oldest = told.json()["changes"][-1]
    assert (oldest["action"], oldest["before"]) == ("changed", None)
