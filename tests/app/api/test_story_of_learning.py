"""The story the layers are for, told over the real API with the real model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.access.owner_token import OwnerToken
from app.serving import ApiServer
from app.vault import open_vault
from tests.app.api.conftest import OWNER_TOKEN, Served

SAID = "I am vegetarian and work with Marie on onboarding"


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Unlike the other tests of the API: with the bundled model, for recall by meaning."""
    folder: Path = tmp_path_factory.mktemp("kitchen")
    vault = open_vault(folder / "vault.db")
    server = ApiServer(vault, 0, token=OwnerToken(OWNER_TOKEN, "test"), runtime=folder / "run")
    server.start()
    running = Served(vault, server)
    yield running
    running.close()


def talk(agent: httpx.Client, *said: str) -> str:
    """A conversation from its start to its end."""
    ident = agent.post("/conversations", json={"title": "Lunch"}).raise_for_status().json()["id"]
    for text in said:
        turn = {"role": "user", "content": text}
        agent.post(f"/conversations/{ident}/turns", json=turn).raise_for_status()
    agent.post(f"/conversations/{ident}/end").raise_for_status()
    return str(ident)


def hydrated(agent: httpx.Client, conversation_id: str) -> dict:
    body = {"conversation_id": conversation_id}
    return agent.post("/memory/hydrate", json=body).raise_for_status().json()


def recalled(agent: httpx.Client, query: str) -> list[dict]:
    answer = agent.post("/memory/recall", json={"query": query}).raise_for_status().json()
    return answer["matches"]


def test_what_was_said_once_is_known_in_the_next_conversation_until_it_is_forgotten(
    kitchen: Served,
) -> None:
    _, agent = kitchen.agent("Cook", sleep="direct")
    talk(agent, SAID)
    second = agent.post("/conversations", json={}).raise_for_status().json()["id"]

    session = _session_part(hydrated(agent, second)["text"])
    assert "The owner is vegetarian." in session
    assert "The owner works with Marie on onboarding." in session

    best = recalled(agent, "dietary restrictions")[0]
    assert best["content"] == "The owner is vegetarian."

    agent.delete(f"/memory/entries/{best['id']}").raise_for_status()
    text = hydrated(agent, second)["text"]
    assert "vegetarian" not in text
    assert "The owner works with Marie on onboarding." in _session_part(text)
    assert all("vegetarian" not in match["content"] for match in recalled(agent, "vegetarian diet"))


def test_by_default_the_fact_waits_in_the_inbox_until_the_owner_approves(kitchen: Served) -> None:
    _, agent = kitchen.agent("Baker")
    talk(agent, SAID)
    assert all("vegetarian" not in match["content"] for match in recalled(agent, "vegetarian"))
    proposals = [p.id for p in kitchen.vault.review.listed(agent_id="baker")]
    assert len(proposals) == 2
    kitchen.vault.review.approve_many(proposals)
    kitchen.vault.embedding.embed_waiting()
    assert recalled(agent, "dietary restrictions")[0]["content"] == "The owner is vegetarian."


def test_another_agent_knows_nothing_of_it(kitchen: Served) -> None:
    _, agent = kitchen.agent("Chef", sleep="direct")
    talk(agent, "My landlord is Mr. Quibble.")
    _, stranger = kitchen.agent("Stranger")
    second = stranger.post("/conversations", json={}).raise_for_status().json()["id"]
    assert "Quibble" not in hydrated(stranger, second)["text"]
    assert all("Quibble" not in match["content"] for match in recalled(stranger, "landlord"))


def _session_part(text: str) -> str:
    """The lines of the session block, as the agent reads them."""
    _, _, rest = text.partition("[session block")
    return rest.partition("\n[")[0]
