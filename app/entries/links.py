"""How memories speak of one another: `[[names]]` in a text, relations of a graph, the talk that two
were learned from, and what is near in meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from app.text.words import title_of
from store.file.database import Database
from store.records import USER, Entry
from store.tables import conversations, learned
from store.tables import entries as rows

if TYPE_CHECKING:
    from app.recall.embedding import Embedding

WIKI = re.compile(r"\[\[([^\[\]|#\n]{1,200})(?:[|#][^\[\]\n]*)?\]\]")
NAMES, RELATION, TALK = "names", "relation", "talk"  # how one speaks of the other
MOST = 400  # memories in one picture
NEAR = 6  # related memories beside the editor


class Link(NamedTuple):
    """From one memory to another, by id; `word` is what a relation says, or the talk's id."""

    source: str
    target: str
    kind: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class LinkPicture:
    """The linked memories that are drawn, the links among them, and how many are linked at all."""

    entries: Sequence[Entry]
    links: Sequence[Link]
    linked: int


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around one memory."""

    out: Sequence[tuple[Link, Entry]]
    back: Sequence[tuple[Link, Entry]]
    talks: Sequence[tuple[str, str]]  # id and title
    related: Sequence[Entry]


class Links:
    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding

    def picture(self, most: int = MOST) -> LinkPicture:
        """Everything that is linked; beyond `most`, what has the most links."""
        entries, links = self._read()
        degree: dict[str, int] = {}
        for link in links:
            for end in (link.source, link.target):
                degree[end] = degree.get(end, 0) + 1
        kept = sorted(degree, key=lambda ident: (-degree[ident], ident))[:most]
        shown = set(kept)
        return LinkPicture(
            [entries[ident] for ident in kept],
            [link for link in links if link.source in shown and link.target in shown],
            len(degree),
        )

    def around(self, entry: Entry) -> Surroundings:
        entries, links = self._read()
        talk_ids = self._talks().get(entry.id, ())
        with self._database.read() as db:
            read = [conversations.read(db, ident) for ident in talk_ids]
        titles = [(one.id, one.title or one.id) for one in read if one is not None]
        told = [link for link in links if link.kind != TALK]
        return Surroundings(
            [(link, entries[link.target]) for link in told if link.source == entry.id],
            [(link, entries[link.source]) for link in told if link.target == entry.id],
            titles,
            self._near(entry),
        )

    def _read(self) -> tuple[dict[str, Entry], list[Link]]:
        talks = self._talks()
        with self._database.read() as db:
            speaking = rows.speaking(db)
            named = {name for entry in speaking for name in names_in(entry)}
            spoken_of = rows.called(db, named)
            taught = rows.read_many(db, list(talks))
        entries = {one.id: one for one in (*speaking, *spoken_of, *taught) if one.state == "active"}
        return entries, links_of(entries.values(), talks)

    def _talks(self) -> dict[str, tuple[str, ...]]:
        """Which talks each memory was learned from."""
        with self._database.read() as db:
            found: dict[str, dict[str, None]] = {}
            for ident, talk in learned.talks(db):
                found.setdefault(ident, {})[talk] = None
        return {ident: tuple(talks) for ident, talks in found.items()}

    def _near(self, entry: Entry) -> list[Entry]:
        """The nearest in meaning, nearest first; none while it is not embedded."""
        matrix = self._embedding.matrix()
        with self._database.read() as db, matrix.lock:
            matrix.follow(db)
            numbers, index = matrix.embedded()
            own = (numbers == entry.n).nonzero()[0]
            if not len(own):
                return []
            vectors = matrix.vector(index)
            scores = vectors @ vectors[own[0]]
            best = [int(numbers[at]) for at in (-scores).argsort()[: NEAR + 1]]
            found = rows.read_rows(db, [n for n in best if n != entry.n])
        order = {n: place for place, n in enumerate(best)}
        active = [one for one in found if one.state == "active"]
        return sorted(active, key=lambda one: order[one.n])[:NEAR]


def names_in(entry: Entry) -> list[str]:
    """What a memory calls by name: `[[name]]` in its text, the two ends of a relation."""
    names = [found.group(1).strip() for found in WIKI.finditer(entry.content)]
    relation = relation_of(entry)
    return [*names, relation[0], relation[1]] if relation else names


def relation_of(entry: Entry) -> tuple[str, str, str] | None:
    """From, to and what it says, of a memory that is a relation of a graph."""
    if entry.kind != "relationship":
        return None
    try:
        extra = json.loads(entry.extra)
    except ValueError:
        return None
    parts = [extra.get(name) for name in ("from", "to", "relationType")]
    return tuple(parts) if all(isinstance(part, str) for part in parts) else None


def links_of(entries: Iterable[Entry], talks: Mapping[str, Sequence[str]]) -> list[Link]:
    """Every link among these memories, each once, in a fixed order."""
    held = sorted(entries, key=lambda entry: entry.n)
    known: dict[str, list[Entry]] = {}
    for entry in held:
        for name in {entry.key.casefold(), title_of(entry.key, entry.content).casefold()}:
            known.setdefault(name, []).append(entry)
    links = [link for entry in held for link in _said(entry, known)]
    return list(dict.fromkeys([*links, *_taught(held, talks)]))


def _said(entry: Entry, known: Mapping[str, Sequence[Entry]]) -> Iterator[Link]:
    """The links a memory makes by its text; a relation joins two others, if both are there."""
    relation = relation_of(entry)
    if relation is not None:
        one, other = (_named(name, entry, known) for name in relation[:2])
        if one is not None and other is not None:
            yield Link(one.id, other.id, RELATION, relation[2])
            return
    for name in names_in(entry):
        target = _named(name, entry, known)
        if target is not None and target.id != entry.id:
            yield Link(entry.id, target.id, NAMES)


def _taught(held: Sequence[Entry], talks: Mapping[str, Sequence[str]]) -> Iterator[Link]:
    """What came from one talk, as a chain: a long talk is no knot."""
    taught: dict[str, list[str]] = {}
    for entry in held:
        for talk in talks.get(entry.id, ()):
            taught.setdefault(talk, []).append(entry.id)
    for talk, idents in sorted(taught.items()):
        yield from (Link(one, other, TALK, talk) for one, other in pairwise(idents))


def _named(name: str, by: Entry, known: Mapping[str, Sequence[Entry]]) -> Entry | None:
    """Whom a memory means by a name: of its own scope first, then what is about the owner."""
    found = known.get(name.casefold(), ())
    return min(
        found,
        key=lambda one: (one.scope != by.scope, one.scope != USER, one.n),
        default=None,
    )
