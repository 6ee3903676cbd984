"""The three memory layers of an agent: working, session, long-term; each switched on its own.

The configuration has one shape everywhere, `{"session_memory": true, "types": ["working",
"long_term"]}`: session memory is a switch of its own beside the list of the other two.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.errors import Invalid
from store.records import Agent, Layers

TYPES = ("working", "long_term")

PRESETS: Mapping[str, Layers] = {
    "one-shot": Layers(session_memory=False, types=()),
    "chat": Layers(session_memory=False, types=("working",)),
    "recurring": Layers(session_memory=True, types=("working",)),
    "personal": Layers(session_memory=True, types=TYPES),
}


def preset(name: str) -> Layers:
    if name not in PRESETS:
        raise Invalid(f"{name!r} is no memory preset; choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]


def parse(value: object) -> Layers:
    """The layers written as a preset's name or in the configuration's shape.

    Raises Invalid naming the field that is wrong; a field left out keeps its default."""
    if isinstance(value, str):
        return preset(value)
    if not isinstance(value, Mapping):
        raise Invalid('The memory layers are an object like {"session_memory": true, "types": []}.')
    if unknown := sorted(str(name) for name in value if name not in ("session_memory", "types")):
        raise Invalid(f"Unknown memory layer field: {', '.join(unknown)}.")
    session = value.get("session_memory", True)
    if not isinstance(session, bool):
        raise Invalid("session_memory is true or false.")
    return Layers(session, _types(value.get("types", list(TYPES))))


def _types(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise Invalid(f"types is a list of {' and '.join(TYPES)}.")
    if wrong := [item for item in value if item not in TYPES]:
        raise Invalid(f"{wrong[0]!r} is no memory type; types may hold {' and '.join(TYPES)}.")
    return tuple(name for name in TYPES if name in value)


def layers_config(layers: Layers) -> dict[str, object]:
    """The configuration's shape, as parse reads it."""
    return {"session_memory": layers.session_memory, "types": list(layers.types)}


def sleep_mode(agent: Agent) -> str:
    """How lasting facts of this agent's conversations are kept: `off`, `review` or `direct`.

    The strictest of the agent's sleep-time switch, its trust and its long-term layer."""
    if not agent.layers.long_term or not _writes(agent):
        return "off"
    if agent.sleep == "direct" and agent.trust == "review":
        return "review"
    return agent.sleep


def session_mode(agent: Agent) -> str:
    """How the `session` block is written at a conversation's end: `off`, `review`, `direct`."""
    if not agent.layers.session_memory or not _writes(agent):
        return "off"
    return "review" if agent.trust == "review" else "direct"


def keeps_turns(agent: Agent) -> bool:
    """Whether any layer has a use for what was said."""
    return agent.layers.working or session_mode(agent) != "off" or sleep_mode(agent) != "off"


def _writes(agent: Agent) -> bool:
    """Whether anything may be written for it, into its own scope."""
    return agent.trust != "read_only" and not agent.revoked_at and "agent" in agent.write_scopes
