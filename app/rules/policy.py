"""The memory policy of one run: what hydration may include beside the entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.errors import Invalid
from app.rules.visibility import Standing
from store.records import Agent

ARCHIVAL_MODES = ("tool_only", "auto", "off")


@dataclass(frozen=True, slots=True)
class Run:
    """What one hydration is for. `budget` None is the agent's; `policy` are this run's wishes."""

    agent: Agent
    standing: Standing = field(default_factory=Standing)
    budget: int | None = None
    message: str = ""
    policy: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """`archival_mode`: `tool_only` leaves archival to recall, `auto` adds the best lines for the
    message, `off` adds none either; explicit recall works in every mode."""

    archival_mode: str = "tool_only"
    archival_limit: int = 10
    archival_min_score: float | None = None
    include_user_core: bool = True
    include_agent_core: bool = True

    @property
    def recalls(self) -> bool:
        """Whether archival lines are added for a message."""
        return self.archival_mode == "auto" and self.archival_limit > 0


def agents_policy(agent: Agent, archival_limit: int) -> MemoryPolicy:
    """What the owner set for this agent; `archival_limit` is the vault's setting."""
    return MemoryPolicy(
        archival_mode=agent.archival_mode,
        archival_limit=archival_limit if agent.archival_limit is None else agent.archival_limit,
        archival_min_score=agent.archival_min_score,
        include_user_core=agent.include_user_core,
        include_agent_core=agent.include_agent_core,
    )


def with_request(policy: MemoryPolicy, request: Mapping[str, object]) -> MemoryPolicy:
    """`policy` with one run's wishes on top; raises Invalid on a wish that makes no sense."""
    known = {
        "archival_mode": _mode,
        "archival_limit": _limit,
        "archival_min_score": _score,
        "include_user_core": _flag,
        "include_agent_core": _flag,
    }
    unknown = sorted(set(request) - set(known))
    if unknown:
        raise Invalid(f"memory_policy has no {unknown[0]!r}; it has {', '.join(known)}.")
    wishes = {name: known[name](name, value) for name, value in request.items()}
    return replace(policy, **wishes)  # type: ignore[arg-type]


def _mode(name: str, value: object) -> str:
    if value not in ARCHIVAL_MODES:
        raise Invalid(f"{name} is one of {', '.join(ARCHIVAL_MODES)}, not {value!r}.")
    return str(value)


def _limit(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1000:
        raise Invalid(f"{name} is a whole number from 0 to 1000, not {value!r}.")
    return value


def _score(name: str, value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Invalid(f"{name} is null or a number from 0 to 1, not {value!r}.")
    return float(value)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise Invalid(f"{name} is true or false, not {value!r}.")
    return value
