"""The `Writer` seam: who puts what was said into lasting words.

A writer reads an exchange and answers with facts, or with the lines of a rolling summary. It
touches no vault. `Failed` is an expected outcome: an endpoint may be slow, broken or talk prose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.rules.facts import Fact, Line, SummaryLine


@dataclass(frozen=True, slots=True)
class Prompt:
    """Exactly what would be sent: where to, which model, which messages. Nothing else leaves."""

    endpoint: str
    model: str
    messages: tuple[tuple[str, str], ...]  # role, text

    @property
    def tokens(self) -> int:
        """What it costs to send, as far as can be told without the model: four letters each."""
        return sum(len(text) for _, text in self.messages) // 4 + 1

    def __str__(self) -> str:
        cost = f"about {self.tokens:,} tokens"
        head = f"POST {self.endpoint}\nmodel: {self.model}\n{cost}\n"
        return head + "".join(f"\n[{role}]\n{text}\n" for role, text in self.messages)


@dataclass(frozen=True, slots=True)
class Facts:
    facts: tuple[Fact, ...]
    by: str
    notice: str = ""  # why another writer than the configured one did it


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole rolling summary after the merge, oldest line first."""

    lines: tuple[SummaryLine, ...]
    by: str
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    by: str
    reason: str


class Writer(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool:
        """Answers at once on this machine; nothing is sent anywhere."""
        ...

    def facts(self, lines: Sequence[Line], known: Sequence[str]) -> Facts | Failed:
        """Lasting facts said in `lines` and not already `known`, best first."""
        ...

    def summary(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Summary | Failed:
        """`earlier` with the gist of `lines` merged in, at most `room` characters as rendered."""
        ...

    def fact_prompt(self, lines: Sequence[Line], known: Sequence[str]) -> Prompt | None:
        """What `facts` would send; None when nothing is sent."""
        ...

    def summary_prompt(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Prompt | None:
        """What `summary` would send; None when nothing is sent."""
        ...
