"""What the tests of conversations share: agents and things said."""

from __future__ import annotations

from app.access.caller_scope import Caller
from app.vault import Vault
from store.records import Conversation

OWNER = Caller()
VEGETARIAN = "I am vegetarian and work with Marie on onboarding."


def an_agent(vault: Vault, name: str = "Claude", **profile: object) -> Caller:
    """A caller whose agent keeps what it learns at once, unless told otherwise."""
    agent, _ = vault.agents.add(name, **{"sleep": "direct", **profile})
    return Caller(agent)


def a_talk(vault: Vault, caller: Caller, *said: str, title: str = "") -> Conversation:
    """An open conversation in which the owner said these things."""
    conversation = vault.conversations.start(caller, title=title)
    if said:
        vault.conversations.append(caller, conversation.id, [("user", text) for text in said])
    return conversation


def ended_talk(vault: Vault, caller: Caller, *said: str, title: str = "") -> Conversation:
    conversation = a_talk(vault, caller, *said, title=title)
    return vault.conversations.end(caller, conversation.id).conversation


def session_lines(vault: Vault, agent_id: str = "claude") -> list[str]:
    block = vault.session_memory.summary_of(agent_id)
    lines = block.content.splitlines() if block else []
    return [line.removeprefix("- ") for line in lines if line.startswith("- ")]
