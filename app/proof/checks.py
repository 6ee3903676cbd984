"""Memory tests: every expectation of the vault checked, and for a red one the change that broke it.

After a write only those are asked again that it can have moved; the others stand as they were.
What is kept of a run is content-free: which sentences are red, by digest, since which change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from app.errors import KeepsakeError, NotFound, Refused
from app.proof.bisect import Bisect, first_bad
from app.proof.expectations import ASKED, FORMS, KIND, Expectation, expectations_of
from app.proof.sight import Now, Sight
from app.recall import query as queries
from app.rules.rendering import entry_bytes
from app.text.words import plural
from store.models.embedder import ModelUnavailable
from store.records import EXPECTATIONS, Agent, Change, ChangeGroup, Entry
from store.tables import change_log, entries, fulltext, vault_values
from store.tables.entry_filter import EntryFilter, count, ids

if TYPE_CHECKING:
    from app.recall.search import Match
    from app.rules.verdict import Item
    from app.vault import Vault
    from store.search.vector_matrix import Array

STATE = "memory_tests"
DEEP = 20  # ranks looked at where a sentence names none
_FEW = 8  # changed memories that are weighed one by one; more, and everything is asked again
_CLOSE = 0.7  # of the score of what is expected: what is less near does not get ahead of it
_HEADING = 200  # bytes that one more memory may take beside its own: a heading of its section
_SAVED_EVERY = 200  # changes


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One sentence and what became of it. `group` is the change that broke it, `suspects` where
    that cannot be told alone; `cause` names what is no change, such as a setting."""

    expectation: Expectation
    passed: bool
    reason: str
    group: ChangeGroup | None = None
    suspects: tuple[ChangeGroup, ...] = ()
    cause: str = ""

    @property
    def mark(self) -> str:
        return _mark(self.expectation)


@dataclass(slots=True)
class _Asked:
    """What a question brought: `ids`, and among them the one it is about, as number `place` (0: it
    is not) with `score`. `near` counts the memories that came as near since; `vector` and `weights`
    say how near one is."""

    ids: frozenset[str]
    place: int
    score: float
    weights: dict[str, float]
    vector: Array | None
    near: int = 0


@dataclass(slots=True)
class _Told:
    """What one agent was told: the entries by id and key, and what was written since."""

    ids: frozenset[str]
    items: dict[str, Item]
    grew: int = 0
    core_grew: bool = False


@dataclass(slots=True)
class _Standing:
    """What the last run left: up to which change, under which settings, which sentences are red and
    since which change (0: not known)."""

    seq: int = 0
    settings: dict[str, str] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)  # -1: green


class Checks:
    """Not for several threads at once."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._asked: dict[str, _Asked] = {}
        self._told: dict[tuple[str, str], _Told] = {}
        self._agents: dict[str, Agent] = {}
        self._results: dict[str, CheckResult] = {}
        self._seq = -1
        self._saved_seq = 0
        self._size = 0  # memories, when a question was last weighed
        self._settings: dict[str, str] = {}

    def expectations(self) -> list[Expectation]:
        return [one for entry in self._tests() for one in expectations_of(entry)]

    def run(self) -> list[CheckResult]:
        """Every expectation, in the order of its test's name."""
        seq, settings = self._vault.history.last_seq(), self._fingerprint()
        return self._concluded(self.expectations(), None, seq, settings)

    def run_changed(self) -> list[CheckResult]:
        """Like `run`, asking again only what the changes since the last run can have moved."""
        seq, settings = self._vault.history.last_seq(), self._fingerprint()
        if self._seq < 0 or settings != self._settings:
            return self._concluded(self.expectations(), None, seq, settings)
        if seq == self._seq:
            return list(self._results.values())
        with self._vault.database.read() as db:
            lines = change_log.since(db, self._seq)
        return self._concluded(self.expectations(), lines, seq, settings)

    # Asking

    def _tests(self) -> list[Entry]:
        wanted = EntryFilter(scopes=(EXPECTATIONS,), kinds=(KIND,))
        with self._vault.database.read() as db:
            return entries.read_many(db, ids(db, wanted, "key"))

    def _concluded(
        self,
        wanted: Sequence[Expectation],
        lines: list[Change] | None,
        seq: int,
        settings: dict[str, str],
    ) -> list[CheckResult]:
        moved = self._moved(wanted, lines)
        self._size = 0 if lines is None else self._size
        sight, was = Now(self._vault), self._standing()
        self._agents = {agent.id: agent for agent in self._vault.agents.list()}
        found: dict[str, CheckResult] = {}
        for one in wanted:
            known = self._results.get(one.id)
            if known is not None and not moved(one):
                found[one.id] = known
                continue
            result = self._judged(one, sight)
            found[one.id] = result if result.passed else self._blamed(result, was, settings, seq)
        for place, hydration in sight.texts.items():
            told = {item.key: item for item in hydration.included if item.type == "entry"}
            self._told[place] = _Told(frozenset(item.id for item in told.values()), told)
        self._results = found
        self._seq, self._settings = seq, settings
        self._keep(was, list(found.values()))
        return list(found.values())

    def _judged(self, one: Expectation, sight: Sight) -> CheckResult:
        try:
            passed, reason = judge(one, sight, self._agent(one), self._noting(one))
        except (KeepsakeError, ModelUnavailable) as error:
            return CheckResult(one, False, str(error))
        return CheckResult(one, passed, reason)

    def _agent(self, one: Expectation) -> Agent | None:
        known = self._agents.get(one.agent)
        return known or (self._vault.agents.read(one.agent) if one.agent else None)

    def _noting(self, one: Expectation) -> Callable[[Sequence[Match]], None]:
        def note(matches: Sequence[Match]) -> None:
            with self._vault.database.read() as db:
                self._size = self._size or count(db, EntryFilter())
                weights = {
                    word: queries.word_weight(
                        fulltext.frequency(db, fulltext.quoted(word)), self._size
                    )
                    for word in queries.plain(one.question).content_words
                }
            seen = frozenset(match.entry.id for match in matches if match.entry)
            place, score = next(
                (
                    (number, match.score)
                    for number, match in enumerate(matches, 1)
                    if match.entry and match.entry.key == one.key
                ),
                (0, 0.0),
            )
            vector = self._vector(one.question)
            self._asked[one.id] = _Asked(seen, place, score, weights, vector)

        return note

    # What a write can have moved

    def _moved(
        self, wanted: Sequence[Expectation], lines: list[Change] | None
    ) -> Callable[[Expectation], bool]:
        touched = {line.thing_id for line in lines or () if line.thing == "entry"}
        if (
            lines is None
            or len(touched) > _FEW
            or any(line.thing in ("agent", "vault", "block") for line in lines)
        ):
            return lambda one: True
        with self._vault.database.read() as db:
            known = entries.read_many(db, sorted(touched))
        changed = [entry for entry in known if entry.scope != EXPECTATIONS]
        self._follow_told(changed)
        near = self._near([one for one in wanted if one.sort in ASKED], changed)
        was_core = any((line.before or {}).get("category") == "core" for line in lines)

        def moved(one: Expectation) -> bool:
            if one.sort in ASKED:
                return one.id in near
            if one.sort == "core":
                return was_core or any(entry.category == "core" for entry in changed)
            if one.sort in ("never_told", "never_tagged"):
                red = not self._results[one.id].passed
                return red or any(one.key == e.key or one.tag in e.tags for e in changed)
            return self._told_may_move(one, changed)

        return moved

    def _told_may_move(self, one: Expectation, changed: Sequence[Entry]) -> bool:
        """Whether what is told can be in another order, or another choice, than it was: by a change
        of what was told, or by so many new bytes that what is expected no longer fits."""
        memo = self._told.get((one.agent, one.workspace))
        if memo is None or any(entry.key in (one.key, one.other) for entry in changed):
            return True
        item = memo.items.get(one.key)
        return bool(memo.ids & {entry.id for entry in changed}) or (
            item is not None
            and (item.reason != "core" or memo.core_grew)
            and item.left - item.bytes < memo.grew
        )

    def _follow_told(self, changed: Sequence[Entry]) -> None:
        """Counts what was written since each text was built: it may take room in it."""
        for memo in self._told.values():
            for entry in changed:
                size = entry_bytes(entry.key, entry.kind, entry.written_at, entry.content)
                memo.grew += size + _HEADING
                memo.core_grew = memo.core_grew or entry.category == "core"

    def _near(self, wanted: Sequence[Expectation], changed: Sequence[Entry]) -> set[str]:
        """The questions whose verdict one of these memories can have moved."""
        vectors = [self._vector(entry.content) for entry in changed]
        found = set()
        for one in wanted:
            memo = self._asked.get(one.id)
            if memo is None or any(entry.key in (one.key, one.other) for entry in changed):
                found.add(one.id)
            elif one.sort == "gets" and 0 < memo.place <= (one.first or DEEP):
                # It is where it should be: only who comes as near can push it down.
                for entry, vector in zip(changed, vectors, strict=True):
                    memo.near += self._comes_near(memo, entry, vector)
                if memo.place + memo.near > (one.first or DEEP):
                    found.add(one.id)
            elif any(entry.id in memo.ids for entry in changed):
                found.add(one.id)
        return found

    def _comes_near(self, memo: _Asked, entry: Entry, vector: Array | None) -> bool:
        cosine = None
        if vector is not None and memo.vector is not None:
            cosine = float(memo.vector @ vector)
        share = queries.share_of(entry, memo.weights)
        return queries.nearness(cosine, share, self._size) >= memo.score * _CLOSE

    def _vector(self, text: str) -> Array | None:
        try:
            return self._vault.embedding.query(text)
        except ModelUnavailable:
            return None

    # What broke it

    def _blamed(
        self, red: CheckResult, was: _Standing, settings: dict[str, str], seq: int
    ) -> CheckResult:
        """A red one with the change that made it so, as far as it is known."""
        since = was.known.get(red.mark)
        if since is None or not red.expectation.sort:
            return replace(red, cause="It was never green.")
        if since > 0:
            with self._vault.database.read() as db:
                return replace(red, group=change_log.read_group(db, since))
        if since == 0:
            return replace(red, cause="It was red before the last run.")
        with self._vault.database.read() as db:
            groups = change_log.groups_after(db, was.seq)
        if not groups:
            return replace(red, cause=_other_cause(was.settings, settings))
        if len(groups) == 1:
            return replace(red, group=groups[0])
        return self._bisected(red, was.seq)

    def _bisected(self, red: CheckResult, good_seq: int) -> CheckResult:
        one = red.expectation
        try:
            walk = Bisect(self._vault, good_seq)
            agent = self._agent(one)

            def good(place: int) -> bool:
                return judge(one, walk.after(place), agent)[0]

            if not good(-1) or good(len(walk.groups) - 1):
                return replace(red, cause="Time, a setting or the model made it so, no change.")
            return replace(red, group=first_bad(walk.groups, good))
        except (Refused, NotFound, KeepsakeError) as error:
            with self._vault.database.read() as db:
                groups = change_log.groups_after(db, good_seq)
            return replace(red, suspects=tuple(groups[-20:]), cause=str(error))

    # What is kept

    def _fingerprint(self) -> dict[str, str]:
        values = self._vault.settings.all()
        return {name: _digest(json.dumps(value)) for name, value in values.items()}

    def _standing(self) -> _Standing:
        with self._vault.database.read() as db:
            kept = vault_values.read(db, STATE)
        try:
            was = _Standing(**json.loads(kept)) if kept else _Standing()
        except (TypeError, ValueError):  # of another version
            was = _Standing()
        if self._seq > was.seq:  # this process saw more of it green than it wrote down
            was = replace(was, seq=self._seq, settings=self._settings)
        return was

    def _keep(self, was: _Standing, results: Sequence[CheckResult]) -> None:
        known = {
            one.mark: -1 if one.passed else one.group.id if one.group else 0 for one in results
        }
        # What was never green stays unknown, so that its first green counts as such.
        never = {one.mark for one in results if not one.passed and one.mark not in was.known}
        known = {mark: since for mark, since in known.items() if mark not in never}
        late = self._seq - self._saved_seq >= _SAVED_EVERY
        if known == was.known and self._settings == was.settings and not late:
            return
        kept = json.dumps({"seq": self._seq, "settings": self._settings, "known": known})
        with self._vault.database.write() as db:
            vault_values.put(db, STATE, kept)
        self._saved_seq = self._seq


def judge(
    one: Expectation,
    sight: Sight,
    agent: Agent | None,
    note: Callable[[Sequence[Match]], None] = lambda matches: None,
) -> tuple[bool, str]:
    """Whether a moment is as expected, and the figure that says so."""
    if one.sort == "core":
        size = sight.core_bytes(agent)
        return size < one.most, f"Core has {size:,} bytes of {one.most:,}."
    if agent is None:
        return False, "This is no sentence that is understood. Write one like: " + " ".join(FORMS)
    if one.sort in ASKED:
        return _judge_asked(one, sight, agent, note)
    if one.sort in ("never_told", "never_tagged"):
        entry = sight.has(agent, one.key, one.tag)
        if entry is None:
            return True, f"{agent.id} may read nothing of the kind."
        return False, f"{agent.id} may read `{entry.key}` in {entry.scope}."
    found = sight.told(agent, one.workspace)
    keys = [item.key for item in found.included if item.type == "entry"]
    if one.sort == "told":
        if one.key in keys:
            return True, "It is told."
        if out := next((item.why for item in found.items if item.key == one.key), ""):
            return False, f"`{one.key}` is left out: {out}."
        return False, f"{agent.id} sees no `{one.key}`."
    return _ahead(keys, one, agent.id)


def _judge_asked(
    one: Expectation, sight: Sight, agent: Agent, note: Callable[[Sequence[Match]], None]
) -> tuple[bool, str]:
    most = one.first or DEEP
    matches = sight.ranked(agent, one.workspace, one.question, max(most, DEEP))
    note(matches)
    keys = [match.entry.key if match.entry else "archival" for match in matches]
    if one.sort == "before":
        return _ahead(keys, one)
    place = keys.index(one.key) + 1 if one.key in keys else 0
    good = not place if one.sort == "never_gets" else 0 < place <= most
    ahead = dict.fromkeys(keys[: place - 1] if place else keys)
    before = ", ".join(f"`{key}`" for key in list(ahead)[:3])
    if place and before:
        return good, f"`{one.key}` is number {place}; ahead of it {before}."
    if place:
        return good, f"`{one.key}` is number {place}."
    if not good and sight.has(agent, one.key) is None:
        return good, f"{agent.id} sees no `{one.key}`."  # forgotten, or called otherwise now
    if before and not good:
        return good, f"`{one.key}` is not found; found are {before}."
    return good, f"`{one.key}` is not found."


def _ahead(keys: list[str], one: Expectation, told: str = "") -> tuple[bool, str]:
    """`told` is who was told them; else they were found."""
    key, other, most = one.key, one.other, len(keys)
    if key not in keys:
        return False, f"{told} is not told `{key}`." if told else f"`{key}` is not found."
    if other not in keys:
        return True, (
            f"{told} is told `{key}` and not `{other}`."
            if told
            else f"`{key}` is among the first {most}, `{other}` is not."
        )
    first, second = keys.index(one.key) + 1, keys.index(one.other) + 1
    return first < second, f"`{one.key}` is number {first}, `{one.other}` number {second}."


def _other_cause(was: dict[str, str], now: dict[str, str]) -> str:
    changed = sorted(name for name in now if was.get(name) != now[name])
    if not was or not changed:
        return "Nothing was changed since it was green: time or the model made it so."
    return f"The {plural(len(changed), 'setting')} changed since it was green: {', '.join(changed)}"


def _mark(one: Expectation) -> str:
    return _digest(one.id)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def junit(results: Iterable[CheckResult], seconds: float) -> str:
    """The results as the XML that test reports are exchanged in."""
    listed = list(results)
    failed = sum(not one.passed for one in listed)
    counts = {"tests": str(len(listed)), "failures": str(failed), "errors": "0"}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(
        suites, "testsuite", {"name": "keepsake", "time": f"{seconds:.3f}", **counts}
    )
    for one in listed:
        named = {"classname": one.expectation.test, "name": one.expectation.sentence}
        case = ElementTree.SubElement(suite, "testcase", {**named, "time": "0"})
        if not one.passed:
            failure = ElementTree.SubElement(case, "failure", {"message": one.reason})
            failure.text = broken_by(one) or one.reason
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def can_be_undone(group: ChangeGroup) -> bool:
    """Whether a change can still be taken back; what was erased is gone."""
    return group.undone_by is None and group.action != "erased"


def way_back(group: ChangeGroup) -> str:
    """How a change is taken back, in a sentence."""
    if can_be_undone(group):
        return f"keepsake undo {group.id} takes it back."
    return "It was undone." if group.undone_by else "What was erased cannot be taken back."


def broken_by(result: CheckResult) -> str:
    """Which change to take back, in a sentence; empty for a green one."""
    if result.passed:
        return ""
    if result.group is not None:
        group = result.group
        how = f"({group.action}, by {group.actor})"
        return f"Broken by change {group.id} {how}. {way_back(group)}"
    numbers = ", ".join(str(group.id) for group in result.suspects)
    return f"{result.cause} One of the changes {numbers}." if numbers else result.cause
