"""What other assistants believe about the owner: each statement beside the memory it is about, with
when the two last agreed, and what the owner decided about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import Invalid
from app.markdown.found import FoundClaim, FoundConversation, FoundEntry, key_for
from app.markdown.importers import recognise
from app.markdown.source_files import Sources, from_text, open_sources
from app.outcomes import Saved
from app.proof.statements import Statement, about_owner, statements_of, unnamed
from app.rules.policy import Run
from app.rules.same_fact import compared
from app.text.owner_names import owner_names
from store.instants import Instant, to_instant
from store.records import EXPECTATIONS, USER, Agent, Entry, EntryDraft
from store.tables import beliefs as rows
from store.tables.beliefs import IGNORED as IGNORED
from store.tables.beliefs import WRONG as WRONG
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.memory.memory import Memory
    from app.vault import Vault

AGREE, DIFFERS, ONLY_THEY, ONLY_YOU = "agree", "differs", "only_they", "only_you"
VERDICTS = (DIFFERS, ONLY_THEY, ONLY_YOU, AGREE)  # what asks for a decision comes first
LOOKED_AT = 40
MOST_YOURS = 1_000
INTRODUCING = 200  # memories of core in which the owner may be named
ASKS_NAME = "my name is, ich heiße"
SOURCE_CHARS = 60
_KINDS = ("user", "agent", "workspace")
_ASKED = re.compile(
    r"\b(?:what (?:do|did|can|all do|else do) (?:you|u) (?:know|remember|recall|have)"
    r"|everything you (?:know|remember)|(?:was|alles,? was) (?:weißt|weisst|erinnerst) du"
    r"|alles,? was du (?:\w+ )?mich weißt)\b.{0,40}\b(?:me|my|mich|mir)\b"
    r"|\bwas weißt du (?:alles )?über mich\b|\babout me\b.{0,20}\bremember\b",
    re.IGNORECASE | re.DOTALL,
)
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class TheirStatements:
    """What was read: who says it, as far as that is known, and their statements."""

    source: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Belief:
    """One row. `they` is empty for what only the owner's memory says, `entry` is None for what only
    they say. `sure` is how sure the match is, from 0 to 1; `why` in what the two differ."""

    they: str
    entry: Entry | None
    verdict: str
    sure: float = 0.0
    why: str = ""
    topic: str = ""
    decision: str = ""
    agreed_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison with one source: `rows` their statements in order, `yours` what they lack."""

    source: str
    rows: tuple[Belief, ...]
    yours: tuple[Belief, ...]

    def counted(self, verdict: str) -> int:
        return sum(row.verdict == verdict for row in (*self.rows, *self.yours))

    def ordered(self) -> list[Belief]:
        """What asks for a decision first."""
        every = [*self.rows, *self.yours]
        return sorted(every, key=lambda row: (row.decision == IGNORED, VERDICTS.index(row.verdict)))


class Beliefs:
    """`memory` is the owner's way to write; the window and the doors each have theirs."""

    def __init__(self, vault: Vault, memory: Memory | None = None) -> None:
        self._vault = vault
        self._memory = memory or vault.memory

    # Reading

    def read(self, path: Path) -> TheirStatements:
        """What an account's export says of its owner, or the answer in a text file."""
        with open_sources(path) as sources:
            return self._read(sources)

    def read_text(self, text: str) -> TheirStatements:
        return self._read(from_text(text, "answer.md"))

    def _read(self, sources: Sources) -> TheirStatements:
        files = sources.files
        if len(files) == 1 and files[0].suffix in (".txt", ".md", ".markdown", ""):
            try:
                said = TheirStatements("", tuple(statements_of(files[0].text())))
            except ValueError as error:
                raise Invalid(f"{files[0].name}: {error}.") from error
        else:
            said = _from_export(sources)
        if not said.statements:
            raise Invalid(
                f"{sources.name} says nothing about you that Keepsake understands. Ask the "
                "assistant what it knows about you, and paste its answer."
            )
        return said

    # Comparing

    def compare(
        self,
        statements: Sequence[Statement | str],
        source: str,
        progress: Progress | None = None,
    ) -> Compared:
        """Each statement beside the memory it is about; agreement is kept with its day. `progress`
        may raise to cancel, before anything is kept."""
        name = source_name(source)
        with self._vault.database.read() as db:
            kept = rows.of_source(db, name)
        decided = {r.statement: r.decision for r in kept if r.decision in (WRONG, IGNORED)}
        names = self._owner_names()
        found: list[Belief] = []
        for number, said in enumerate(statements):
            one = said if isinstance(said, Statement) else Statement(said)
            found.append(replace(self._match(one, names), decision=decided.get(one.text, "")))
            if progress:
                progress(number + 1, len(statements))
        now = to_instant(self._vault.clock())
        last = self._keep(name, found, now)
        dated = [replace(row, agreed_at=_agreed(row, last)) for row in found]
        return Compared(name, tuple(dated), tuple(self._yours(found, last)))

    def _owner_names(self) -> tuple[str, ...]:
        """What the owner's core and whatever is found for a name say they are called."""
        wanted = EntryFilter(scopes=(USER,), now=to_instant(self._vault.clock()))
        core = self._vault.entries.page(replace(wanted, categories=("core",)), INTRODUCING).entries
        asked = self._vault.search.search(ASKS_NAME, filter=wanted, limit=LOOKED_AT, plain=True)
        return owner_names((one.key, one.content) for one in (*core, *(hit.entry for hit in asked)))

    def _match(self, said: Statement, names: Sequence[str]) -> Belief:
        """The nearest memory that is of the same fact; both speak of the owner, also by name."""
        owners = about_owner(unnamed(said.text, names))
        wanted = EntryFilter(scope_kinds=_KINDS, now=to_instant(self._vault.clock()))
        hits = self._vault.search.search(owners, filter=wanted, limit=LOOKED_AT, plain=True)
        hits.sort(key=lambda hit: (-hit.relevance, hit.entry.id))
        for hit in hits:
            if hit.entry.scope == EXPECTATIONS:
                continue
            memory = unnamed(hit.entry.content, names)
            result = compared(owners, memory, hit.relevance, hit.meaning)
            if result.same:
                verdict = DIFFERS if result.why else AGREE
                sure = round(min(hit.relevance, 1.0), 3)
                return Belief(said.text, hit.entry, verdict, sure, result.why, said.topic)
        return Belief(said.text, None, ONLY_THEY, topic=said.topic)

    def _keep(self, source: str, found: Sequence[Belief], now: Instant) -> dict[str, Instant]:
        """Notes what agrees and what differs; when each memory last agreed with this source."""
        agreed = [(r.they, r.entry.n) for r in found if r.verdict == AGREE and r.entry is not None]
        differing = [
            (r.they, r.entry.n) for r in found if r.verdict == DIFFERS and r.entry is not None
        ]
        with self._vault.database.write() as db:
            rows.begin(db, source)
            rows.agree(db, source, agreed, now)
            rows.differ(db, source, differing, now)
            return rows.last_agreed(db, source)

    def _yours(self, found: Sequence[Belief], last: dict[str, Instant]) -> list[Belief]:
        """What the owner's own memory says and they do not, as an agent in a cloud would be told
        it, first what hydration would tell first."""
        known = {row.entry.id for row in found if row.entry is not None}
        left = [entry for entry in self.tellable("") if entry.id not in known]
        return [
            Belief("", entry, ONLY_YOU, 1.0, agreed_at=last.get(entry.id))
            for entry in left[:MOST_YOURS]
        ]

    def tellable(self, name: str) -> list[Entry]:
        """The owner's memories that somebody of that name in a cloud may be told, in the order of
        hydration."""
        known = {agent.id: agent for agent in self._vault.agents.list()}
        agent = replace(known.get(name) or Agent(name or "passport", name), cloud=True)
        wanted = self._vault.hydrator.candidates(Run(agent))
        idents = [one.id for one in sorted(wanted, reverse=True) if one.scope == str(USER)]
        by_id = {entry.id: entry for entry in self._vault.entries.read_many(idents)}
        return [by_id[ident] for ident in idents if ident in by_id]

    # Deciding

    def decide(
        self, source: str, statement: str, decision: str, entry: Entry | None = None
    ) -> None:
        """`wrong`: it goes into the passport. `ignored`: it is not asked about again. Empty: takes
        that back."""
        if decision not in ("", WRONG, IGNORED):
            raise Invalid(f"Say {WRONG} or {IGNORED}, not {decision!r}.")
        if not statement.strip():
            raise Invalid("Which statement? There is none.")
        now = to_instant(self._vault.clock())
        with self._vault.database.write() as db:
            number = entry.n if entry is not None else None
            rows.decide(db, source_name(source), statement, number, decision, now)

    def take_over(
        self, source: str, statement: str, entry: Entry | None = None, text: str = ""
    ) -> Saved:
        """Makes it a memory in the owner's words, or what `entry` says from now on; one undo."""
        content = text.strip() or about_owner(statement)
        reason = f"{source_name(source)} says so"
        if entry is not None:
            done = self._memory.entries.change(entry.id, {"content": content}, reason=reason)
        else:
            draft = EntryDraft(content, USER, key_for(content), kind="fact")
            done = self._memory.entries.store(draft, reason=reason)
        if not isinstance(done, Saved):
            raise Invalid("It could not be kept: something else was written meanwhile.")
        now = to_instant(self._vault.clock())
        with self._vault.database.write() as db:
            rows.agree(db, source_name(source), [(statement, done.entry.n)], now)
        return done

    def sources(self) -> list[str]:
        """Whose beliefs were compared before."""
        with self._vault.database.read() as db:
            return rows.sources(db)


def source_name(source: str) -> str:
    """Who says it, as one word that is kept. Raises Invalid."""
    name = " ".join(source.split()).lower()
    if not name or len(name) > SOURCE_CHARS or not name.isprintable():
        raise Invalid("Who says it? Name the assistant, for example chatgpt.")
    return name


def _agreed(row: Belief, last: dict[str, Instant]) -> Instant | None:
    return last.get(row.entry.id) if row.entry is not None else None


def _from_export(sources: Sources) -> TheirStatements:
    """The memories of an export; of a chat, the last answer to what is known of the owner."""
    recognised = recognise(sources)
    texts: list[str] = []
    answers: list[tuple[Instant, str]] = []
    name = ""
    for part in recognised.parts:
        for found in part.importer.read(part.sources, None):
            if isinstance(found, FoundEntry | FoundClaim):
                texts.append(found.draft.content)
                name = name or part.importer.name
            elif isinstance(found, FoundConversation):
                answers += _answers(found)
                name = name or part.importer.name
    if answers:
        texts.append(max(answers)[1])
    statements = {one.text.casefold(): one for text in texts for one in statements_of(text)}
    return TheirStatements(name, tuple(statements.values()))


def _answers(talk: FoundConversation) -> list[tuple[Instant, str]]:
    return [
        (after.at or talk.started_at or "", after.content)
        for before, after in zip(talk.turns, talk.turns[1:], strict=False)
        if (before.role, after.role) == ("user", "assistant") and _ASKED.search(before.content)
    ]
