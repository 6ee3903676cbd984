"""The passport: the shortest text within a size that sets another assistant right about the owner.

What they have wrong comes first, then what they lack, in the order of hydration; what they know is
left out. It holds only what an agent in a cloud may be told. The same memories, decisions and size
give the same text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.access.secret_policy import noticed_in
from app.errors import Invalid
from app.proof.beliefs import Beliefs, source_name
from app.rules.rendering import clean
from app.text.sentences import sentences
from store.records import Entry, EntryDraft
from store.tables import beliefs as rows
from store.tables import entries as entry_rows
from store.tables.beliefs import DIFFERS, WRONG, BeliefRow

if TYPE_CHECKING:
    from app.vault import Vault

SIZE = 1_500  # characters: what ChatGPT's custom instructions take
LEAST, MOST = 50, 100_000
CHARACTERS, BYTES = "characters", "bytes"
UNITS = (CHARACTERS, BYTES)
LONG = 280  # letters: of a longer memory its hook or first sentence


@dataclass(frozen=True, slots=True)
class PassportWords:
    """What stands around the facts; the window says it in its language."""

    wrong: str = "Correct what you know about me:"
    facts: str = "About me:"
    forget: str = "Not true, forget it: {what}"


@dataclass(frozen=True, slots=True)
class Passport:
    """`used` is in the unit that was asked for; `left_out` is what did not fit."""

    text: str
    size: int
    unit: str
    used: int
    corrections: int
    facts: int
    left_out: int


@dataclass(frozen=True, slots=True)
class PassportLine:
    text: str
    entry_id: str = ""


@dataclass(frozen=True, slots=True)
class PassportLines:
    """Everything that could stand in it, best first; fitting it to a size asks nothing more."""

    corrections: tuple[PassportLine, ...]
    facts: tuple[PassportLine, ...]


def fit(lines: PassportLines, size: int, unit: str, words: PassportWords) -> Passport:
    """The text of at most `size`: what does not fit is skipped and the next is tried. Pure."""
    if unit not in UNITS or not LEAST <= size <= MOST:
        raise Invalid(f"A size is from {LEAST} to {MOST:,}, in characters or bytes.")
    left, parts, counts = size, list[str](), list[int]()
    for heading, wanted in ((words.wrong, lines.corrections), (words.facts, lines.facts)):
        start = ("\n" if parts else "") + f"{heading}\n"
        chosen, left = _filled(start, wanted, left, unit)
        counts.append(len(chosen))
        if chosen:
            parts.append(start + "".join(chosen))
    text = "".join(parts)
    total = len(lines.corrections) + len(lines.facts)
    wrong, facts = counts
    return Passport(text, size, unit, measure(text, unit), wrong, facts, total - wrong - facts)


def _filled(
    start: str, wanted: Iterable[PassportLine], left: int, unit: str
) -> tuple[list[str], int]:
    room, chosen, seen = left - measure(start, unit), list[str](), set[str]()
    for line in wanted:
        text = f"- {line.text}\n"
        if text not in seen and measure(text, unit) <= room:
            seen.add(text)
            chosen.append(text)
            room -= measure(text, unit)
    return chosen, room if chosen else left


def measure(text: str, unit: str) -> int:
    return len(text.encode()) if unit == BYTES else len(text)


def short(entry: Entry) -> str:
    """A memory as one line."""
    words = " ".join(clean(entry.content).split())
    if len(words) <= LONG:
        return words
    first = next(iter(sentences(entry.content)), words)
    chosen = " ".join(clean(entry.hook or first).split())
    return chosen if len(chosen) <= LONG else chosen[: LONG - 1].rstrip() + "…"


class Passports:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def passport(
        self,
        source: str = "",
        size: int = SIZE,
        unit: str = CHARACTERS,
        words: PassportWords = PassportWords(),
    ) -> Passport:
        """For one assistant whose beliefs were compared; for nobody in particular without one."""
        return fit(self.lines(source, words), size, unit, words)

    def lines(self, source: str = "", words: PassportWords = PassportWords()) -> PassportLines:
        name = source_name(source) if source.strip() else ""
        mine = [entry for entry in Beliefs(self._vault).tellable(name) if self._harmless(entry)]
        with self._vault.database.read() as db:
            kept = rows.of_source(db, name) if name else []
            numbers = {row.entry for row in kept if row.entry is not None}
            by_n = {entry.n: entry for entry in entry_rows.read_rows(db, numbers)}
        told = {entry.id for entry in mine}
        corrections = _corrections(kept, by_n, told, words)
        corrected = {line.entry_id for line in corrections}
        known = _known(kept, by_n)
        facts = [
            PassportLine(short(entry), entry.id)
            for entry in mine
            if entry.id not in corrected and entry.id not in known
        ]
        return PassportLines(tuple(corrections), tuple(facts))

    def _harmless(self, entry: Entry) -> bool:
        """Whether nothing in it looks like a password: this text leaves the machine."""
        said = EntryDraft(entry.content, key=entry.key, hook=entry.hook)
        found = noticed_in(self._vault.settings, said)
        return not (found.waits or found.redacted)


def _corrections(
    kept: Sequence[BeliefRow], by_n: dict[int, Entry], told: set[str], words: PassportWords
) -> list[PassportLine]:
    """What they have wrong: what memory says instead, or that it is not so. What they may not be
    told is not said either way."""
    found: dict[str, PassportLine] = {}
    for row in sorted(kept, key=lambda row: (row.decision != WRONG, row.statement)):
        if row.decision not in (WRONG, DIFFERS):
            continue
        entry = by_n.get(row.entry) if row.entry is not None else None
        if entry is None:
            text = words.forget.format(what=" ".join(clean(row.statement).split()))
            found.setdefault(text, PassportLine(text))
        elif entry.id in told:
            found.setdefault(entry.id, PassportLine(short(entry), entry.id))
    return list(found.values())


def _known(kept: Sequence[BeliefRow], by_n: dict[int, Entry]) -> set[str]:
    """What they said at the last comparison, in words that the memory still has."""
    return {
        by_n[row.entry].id
        for row in kept
        if row.entry in by_n and row.known and by_n[row.entry].written_at <= (row.agreed_at or "")
    }
