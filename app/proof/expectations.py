"""Expectations: what the owner demands of memory, one readable sentence a line. Pure.

A memory test is an entry of the kind `expectation` in a scope that no agent reads. Its markdown is
a list of sentences; headings and quotes (`>`) are for people.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from store.records import EXPECTATIONS, Entry, EntryDraft

KIND = "expectation"
FORMS = (
    'Asked "where do we deploy?", claude gets `deploy_target` among the first 3.',
    'Asked "what do I drink?", claude gets `tea` before `coffee`.',
    'Asked "how am I?", cursor never gets `illness`.',
    "claude is told `deploy_target`.",
    "cursor is never told `illness`.",
    "cursor is never told anything tagged `health`.",
    "`tea` beats `coffee` for claude.",
    "Core stays under 6 KB for claude.",
)

_QUESTION = r'(?:"(?P<q1>[^"]+)"|“(?P<q2>[^”]+)”|„(?P<q3>[^“]+)“|\*(?P<q4>[^*]+)\*)'
_KEY = r"`(?P<key>[^`]+)`"
_OTHER = r"`(?P<other>[^`]+)`"
_AGENT = r"`?(?P<agent>[^\s`,]+?)`?"
_WHERE = r"(?: in `(?P<workspace>[^`]+)`)?"
_FORMS = {
    "before": rf"asked {_QUESTION},? {_AGENT} gets {_KEY} before {_OTHER}{_WHERE}",
    "gets": rf"asked {_QUESTION},? {_AGENT} gets {_KEY}"
    rf"(?: (?:among the first (?P<first>\d+)|(?P<best>first)))?{_WHERE}",
    "never_gets": rf"asked {_QUESTION},? {_AGENT} never gets {_KEY}{_WHERE}",
    "never_tagged": rf"{_AGENT} is never told anything tagged [`#]?(?P<tag>[^`]+?)`?",
    "never_told": rf"{_AGENT} is never told {_KEY}",
    "told": rf"{_AGENT} is told {_KEY}{_WHERE}",
    "beats": rf"{_KEY} beats {_OTHER} for {_AGENT}{_WHERE}",
    "core": rf"core stays under (?P<most>\d+(?:\.\d+)?) (?P<unit>bytes|kb|kib)(?: for {_AGENT})?",
}
_PATTERNS = {
    sort: re.compile(rf"{form}\.?", re.IGNORECASE | re.DOTALL) for sort, form in _FORMS.items()
}
_UNITS = {"bytes": 1, "kb": 1000, "kib": 1024}
ASKED = ("before", "gets", "never_gets")  # those that ask a question, and so rank by meaning


@dataclass(frozen=True, slots=True)
class Expectation:
    """One sentence as it is checked. `sort` is its form; empty for one that is not understood."""

    test_id: str  # the entry it is a line of
    test: str  # and its key
    sentence: str
    sort: str = ""
    agent: str = ""
    question: str = ""
    key: str = ""
    other: str = ""
    tag: str = ""
    first: int = 0  # among so many; 0: wherever it comes
    most: int = 0  # bytes
    workspace: str = ""

    @property
    def id(self) -> str:
        return f"{self.test_id}:{self.sentence}"


def expectations_of(entry: Entry) -> list[Expectation]:
    """Every sentence of a test, in order. A line that is no heading, quote or rule is one."""
    lines = (line.strip() for line in entry.content.splitlines())
    said = (re.sub(r"^(?:[-*+]|\d+[.)]) +", "", line) for line in lines)
    return [
        read_sentence(entry.id, entry.key, line)
        for line in said
        if line and not line.startswith(("#", ">")) and line.strip("-*_ ")
    ]


def read_sentence(test_id: str, test: str, sentence: str) -> Expectation:
    text = " ".join(sentence.split())
    for sort, pattern in _PATTERNS.items():
        if (found := pattern.fullmatch(text)) is None:
            continue
        said = {name: value for name, value in found.groupdict().items() if value}
        question = next((said[name] for name in ("q1", "q2", "q3", "q4") if name in said), "")
        return Expectation(
            test_id,
            test,
            text,
            sort,
            said.get("agent", ""),
            question,
            said.get("key", ""),
            said.get("other", ""),
            said.get("tag", "").strip().lower(),
            int(said.get("first", 1 if "best" in said else 0)),
            int(float(said.get("most", 0)) * _UNITS[said.get("unit", "bytes").lower()]),
            said.get("workspace", ""),
        )
    return Expectation(test_id, test, text)


def gets_sentence(question: str, agent: str, key: str, first: int) -> str:
    """What *Expect this* writes for a memory that a question brings."""
    asked = " ".join(question.replace('"', "'").split())
    return f'Asked "{asked}", {agent} gets `{key}` among the first {first}.'


def told_sentence(agent: str, key: str) -> str:
    """What *Expect this* writes for a memory that an agent is told at the start of a run."""
    return f"{agent} is told `{key}`."


def expectation_draft(sentences: str, key: str | None = None) -> EntryDraft:
    """A memory test to store."""
    return EntryDraft(
        sentences, scope=EXPECTATIONS, key=key, category="expectations", kind=KIND, importance=8
    )
