"""Two writers as one: the second steps in where the first fails, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.writer import Facts, Failed, Line, Prompt, Summary, SummaryLine, Writer


class FallbackWriter:
    """`first`, and where it fails `then`: a conversation is never lost to a broken endpoint."""

    def __init__(self, first: Writer, then: Writer) -> None:
        self._first = first
        self._then = then

    @property
    def name(self) -> str:
        return self._first.name

    @property
    def local(self) -> bool:
        return self._first.local

    def facts(self, lines: Sequence[Line], known: Sequence[str]) -> Facts | Failed:
        found = self._first.facts(lines, known)
        if not isinstance(found, Failed):
            return found
        instead = self._then.facts(lines, known)
        if isinstance(instead, Failed):
            return instead
        return replace(instead, notice=_notice(found, self._then))

    def summary(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Summary | Failed:
        found = self._first.summary(lines, earlier, room)
        if not isinstance(found, Failed):
            return found
        instead = self._then.summary(lines, earlier, room)
        if isinstance(instead, Failed):
            return instead
        return replace(instead, notice=_notice(found, self._then))

    def fact_prompt(self, lines: Sequence[Line], known: Sequence[str]) -> Prompt | None:
        return self._first.fact_prompt(lines, known)

    def summary_prompt(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Prompt | None:
        return self._first.summary_prompt(lines, earlier, room)


def _notice(failure: Failed, then: Writer) -> str:
    return f"{failure.reason}. The {then.name} writer did it instead."
