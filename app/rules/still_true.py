"""Still true? Which memories a person is asked about, which first, and how fast each grows old.

An address, a job or a version changes; a birthday and a name do not. What agents are told often
and what is always told matter more. Pure: the same memories on the same day give the same cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log2
from typing import NamedTuple

from store.instants import Instant, microseconds, plus

CONTRADICTED, DUE, NEVER_CONFIRMED = "contradicted", "due", "never"
DAY = 86_400_000_000  # microseconds
MOST_OVERDUE = 8.0  # beyond it, use says what comes first and no longer age


class Ageing(NamedTuple):
    """How fast what is said grows old: after how many days it is first asked about, and how hard
    it is to rely on (what FSRS calls difficulty, from 1 to 10)."""

    days: int
    difficulty: float


OFTEN = Ageing(30, 7.0)  # versions, prices, what is so at the moment
NOW_AND_THEN = Ageing(120, 6.0)  # addresses, jobs, phones, teams
SELDOM = Ageing(240, 5.0)  # any other fact
HARDLY = Ageing(365, 4.0)  # likings, rules, decisions
SOONEST = OFTEN.days // 2  # no memory is asked about before that

_BY_KIND = {"preference": HARDLY, "instruction": HARDLY, "decision": HARDLY, "relationship": HARDLY}
HAPPENED = frozenset(("event", "action", "observation", "expectation"))  # it stays true that it did

_NEVER = re.compile(
    r"\b(?:birth ?days?|birth ?(?:date|place|name)|born|maiden name|(?:first|last|middle|full) name"
    r"|surname|(?:is|was) (?:called|named)|names? (?:is|are)|native (?:language|speaker)"
    r"|mother tongue|blood (?:type|group)|(?:wedding )?anniversary|died|passed away|grew up"
    r"|graduated|geburts(?:tag|datum|ort|name|jahr)\w*|geboren|(?:vor|nach|mädchen)name"
    r"|hei(?:ß|ss)t|heißen|muttersprach\w*|blutgruppe|hochzeitstag|(?:ge|ver)storben|aufgewachsen)\b",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"\b(?:versions?|currently|at the moment|right now|for now|these days"
    r"|this (?:week|month|quarter|sprint|year)|deadlines?|due (?:on|by)|prices?|costs?|on call"
    r"|in progress|work(?:s|ing) on|ports?|branch|releases?|zurzeit|zur zeit|derzeit|momentan"
    r"|im moment|gerade|aktuell\w*|diese[nrs]? (?:woche|monat|quartal|jahr)|preise?|kostet"
    r"|frist|fällig|bereitschaft|arbeitet an)\b|\bv?\d+\.\d+(?:\.\d+)*\b",
    re.IGNORECASE,
)
_NOW_AND_THEN = re.compile(
    r"\b(?:address(?:es)?|home|lives?|living|resides?|rents?|moved|street|flat|apartment|works?"
    r"|working|jobs?|employ\w*|employer|compan(?:y|ies)|office|boss|manager|teams?|leads?"
    r"|phone|mobile|e-?mail|drives?|cars?|partner|girlfriend|boyfriend|single|married|school"
    r"|university|insurance|bank|salary|subscri\w+|plan|deploys?|servers?|hosts?|hosted|runs on"
    r"|uses?|adress\w*|anschrift|wohn\w*|lebt|zuhause|umgezogen|miet\w*|stra(?:ß|ss)e|arbeitet"
    r"|arbeitgeber\w*|beruf\w*|stelle|firma|büro|chef\w*|vorgesetzt\w*|leitet|telefon\w*|handy\w*"
    r"|fährt|auto|wagen|freundin|freund|ledig|verheiratet|schule|universität|versicher\w*"
    r"|gehalt|abo|abonn\w*|nutzt|benutzt|verwendet|läuft auf)\b",
    re.IGNORECASE,
)


class AgeingFact(NamedTuple):
    """What the rule needs to know of a memory that is true now."""

    id: str
    key: str
    kind: str
    core: bool
    content: str
    tags: tuple[str, ...]
    by_agent: bool  # an agent said it, not the owner
    written_at: Instant
    verified_at: Instant | None
    stale_after: Instant | None
    uses: int  # how often agents were told it
    contradicted: bool


class DueFact(NamedTuple):
    """One question: a memory's id, and why it is asked about now."""

    id: str
    reason: str  # contradicted, due, never


def ageing(kind: str, *texts: str) -> Ageing | None:
    """How fast it grows old by its kind and its words; None: it stays true."""
    if kind in HAPPENED:
        return None
    words = " ".join(texts).replace("_", " ").replace("-", " ")
    if _NEVER.search(words):
        return None
    if _OFTEN.search(words):
        return OFTEN
    usual = _BY_KIND.get(kind, SELDOM)
    return NOW_AND_THEN if usual is SELDOM and _NOW_AND_THEN.search(words) else usual


def ageing_of(fact: AgeingFact) -> Ageing | None:
    return ageing(fact.kind, fact.key, fact.content, *fact.tags)


def due_at(fact: AgeingFact) -> Instant | None:
    """From when on it is asked about; None: not by age. What somebody said stands, else what its
    ageing gives; an agent's word is asked about in half the time."""
    if fact.stale_after is not None:
        return fact.stale_after
    found = ageing_of(fact)
    if found is None:
        return None
    soon = fact.by_agent and fact.verified_at is None
    return plus(_known_since(fact), days=found.days / 2 if soon else found.days)


def due_facts(facts: Iterable[AgeingFact], now: Instant, most: int) -> list[DueFact]:
    """The `most` that are asked about now, what matters most first: contradictions, then how long
    it is due, how often agents are told it, and whether they are always."""
    due: list[tuple[bool, float, str, AgeingFact]] = []
    for fact in facts:
        at = due_at(fact)
        overdue = fact.contradicted or (at is not None and at <= now)
        if overdue and fact.kind not in HAPPENED:
            due.append((not fact.contradicted, -_weight(fact, at, now), fact.id, fact))
    due.sort(key=lambda one: one[:3])
    return [DueFact(fact.id, _reason(fact)) for *_, fact in due[: max(most, 0)]]


def _known_since(fact: AgeingFact) -> Instant:
    return max(fact.verified_at or "", fact.written_at)


def _weight(fact: AgeingFact, at: Instant | None, now: Instant) -> float:
    since = microseconds(_known_since(fact))
    passed = max(microseconds(now) - since, 0) / DAY
    given = (microseconds(at) - since) / DAY if at is not None else SELDOM.days
    overdue = min(passed / max(given, 1.0), MOST_OVERDUE)
    return overdue * (1 + log2(1 + fact.uses)) * (2 if fact.core else 1)


def _reason(fact: AgeingFact) -> str:
    if fact.contradicted:
        return CONTRADICTED
    return DUE if fact.verified_at else NEVER_CONFIRMED
