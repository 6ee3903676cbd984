"""What is said, and what is kept of it: the values that learning and its rules speak in."""

from __future__ import annotations

from dataclasses import dataclass

from store.instants import Instant

OWNER_NAME = "The owner"
USER_ROLES = ("user", "human", "owner")
TOOL_ROLES = ("assistant", "system", "tool", "developer", "function", "model", "ai")

TOOL_OUTPUT = "tool output"
"""The role of what a coding agent's tools put out: it is learned from by the owner's word only."""


@dataclass(frozen=True, slots=True)
class Line:
    """One turn or channel message. `origin` is `turn:<id>` or `message:<n>`."""

    origin: str
    speaker: str  # a role of a turn, or a message's author
    text: str
    at: Instant

    @property
    def is_person(self) -> bool:
        return self.speaker.lower() not in (*TOOL_ROLES, TOOL_OUTPUT)

    @property
    def is_learned_from(self) -> bool:
        return self.is_person or self.speaker == TOOL_OUTPUT

    @property
    def name(self) -> str:
        """Who spoke, as a fact would call them."""
        return OWNER_NAME if self.speaker.lower() in USER_ROLES else self.speaker


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth keeping. `sentence` is the passage it was taken from; `replaces` the known
    text it says otherwise than, when the writer saw that."""

    content: str
    kind: str
    importance: int
    tags: tuple[str, ...]
    origins: tuple[str, ...]
    sentence: str
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One line of the rolling summary: the day it speaks of and where it was said."""

    text: str
    day: str  # YYYY-MM-DD, empty when unknown
    origins: tuple[str, ...]
