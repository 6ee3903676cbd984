"""Lasting facts, from what was said to entries or proposals; shared by sleep-time and channels.

The slow part (asking the writer, finding what is known) happens before any transaction: `planned`.
The short part writes everything in the caller's: `keep`. Nothing is kept twice, because the caller
moves its own mark (turns learned, messages claimed) in the same transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.access.secret_policy import Noticed, noticed
from app.entries.entries import Entries
from app.learning.writer import Failed, Writer
from app.review.review import Review, payload_of
from app.rules.facts import TOOL_OUTPUT, Fact, Line
from app.rules.fields import clean_draft
from app.rules.learning import (
    Closeness,
    Contradicting,
    Judgement,
    Known,
    New,
    NotAgain,
    judged,
    of_the_project,
    standing,
    taken_before,
)
from app.rules.wording import says_same
from app.settings import Settings
from app.text.credentials import redacted
from store.errors import Unavailable
from store.file.database import Connection, Database
from store.models.embedder import ModelUnavailable
from store.records import Agent, Entry, EntryDraft, Origin, Proposal, Scope
from store.tables import learned, proposals
from store.tables.change_log import Recorder

if TYPE_CHECKING:
    from app.learning.writers.extractive import SentenceEmbedder

CATEGORY = "memory"
NEARBY = 5  # entries looked at for each thing said
NEARBY_MOST = 60

FindNearby = Callable[[Agent, str, Sequence[str]], list[Entry]]


@dataclass(frozen=True, slots=True)
class LearningPlan:
    """What would be kept, decided against what was known a moment ago."""

    judgements: tuple[Judgement, ...]
    by: str
    notice: str = ""
    workspace_id: str = ""  # where it was said: what is of the project belongs there


@dataclass(frozen=True, slots=True)
class Learned:
    """What one run of learning came to. `group` is 0 when nothing was written."""

    group: int = 0
    entries: tuple[str, ...] = ()  # kept at once
    proposals: tuple[str, ...] = ()  # waiting in the inbox
    known: int = 0
    not_again: int = 0
    by: str = ""
    notice: str = ""  # the configured writer failed and another did it


class Learner:
    """`find_nearby` gives entries the agent sees that may say the same or the opposite; `embed`
    makes the vectors of what was learned and has none."""

    def __init__(
        self,
        database: Database,
        entries: Entries,
        review: Review,
        writer: Callable[[], Writer],
        find_nearby: FindNearby,
        embedder: Callable[[], SentenceEmbedder | None],
        settings: Settings,
        embed: Callable[[], object] = lambda: None,
    ) -> None:
        self._settings = settings
        self._database = database
        self._entries = entries
        self._review = review
        self._writer = writer
        self._find_nearby = find_nearby
        self._embedder = embedder
        self._embed = embed

    def full_inboxes(self) -> list[str]:
        """Agents that learn nothing for now: the owner decides about what waits first."""
        return self._review.full_inboxes()

    @property
    def writer(self) -> Writer:
        return self._writer()

    def planned(
        self, agent: Agent, workspace_id: str, lines: Sequence[Line], by: Writer | None = None
    ) -> LearningPlan | Failed:
        """The facts of `lines`, judged; `by` another writer than the owner's. Slow: call it outside
        any transaction."""
        lines = self._allowed(lines)
        writer = by or self._writer()
        # A chat model is shown what is known, to leave it out; here it is compared afterwards.
        about = [] if writer.local else self._about(agent, workspace_id, lines)
        found = writer.facts(lines, [entry.content for entry in about])
        if isinstance(found, Failed):
            return found
        with self._database.read() as db:
            before = learned.facts_from(db, [line.origin for line in lines])
            waiting = _waiting(db, agent.id)
        facts = [
            fact
            for fact in standing(found.facts, lines)
            if not any(says_same(fact.content, text) for text in waiting)
        ]
        self.make_findable()  # what is near is told by vectors, and a killed run made none
        near = [self._find_nearby(agent, workspace_id, [f.content])[:NEARBY] for f in facts]
        closeness = self._closeness(
            [*(f.content for f in facts), *(e.content for n in near for e in n)]
        )
        judgements = tuple(
            judged(fact, closest, about, before, closeness)
            for fact, closest in zip(facts, near, strict=True)
        )
        return LearningPlan(judgements, found.by, found.notice, workspace_id)

    def _allowed(self, lines: Sequence[Line]) -> list[Line]:
        """The lines without what tools put out, unless the owner wants that learned from now."""
        tools = bool(self._settings["learn_tool_output"])
        return [line for line in lines if tools or line.speaker != TOOL_OUTPUT]

    def _about(self, agent: Agent, workspace_id: str, lines: Sequence[Line]) -> list[Entry]:
        """Entries near to what people said in the exchange, for a chat model: nothing that is muted
        for cloud models, whichever the agent itself uses."""
        said = [line.text for line in lines if line.is_learned_from]
        told = replace(agent, cloud=True)
        return self._find_nearby(told, workspace_id, said)[:NEARBY_MOST] if said else []

    def prompt(self, agent: Agent, workspace_id: str, lines: Sequence[Line]) -> str:
        """Exactly what would be sent to learn from these lines; empty when nothing is sent."""
        writer = self._writer()
        if writer.local:
            return ""
        lines = self._allowed(lines)
        about = self._about(agent, workspace_id, lines)
        return str(writer.fact_prompt(lines, [entry.content for entry in about]) or "")

    def keep(
        self, rec: Recorder, agent: Agent, mode: str, source: str, plan: LearningPlan, reason: str
    ) -> Learned:
        """Write the plan as entries (`direct`) or proposals (`review`). What says otherwise than a
        known entry is always a proposal to change it."""
        kept: list[str] = []
        proposed: list[str] = []
        # Read again inside the transaction: another process may have learned the same meanwhile.
        before = learned.facts_from(rec.db, _origins(plan.judgements))
        for judgement in plan.judgements:
            if isinstance(judgement, Known | NotAgain) or taken_before(judgement.fact, before):
                continue
            judgement, found = self._weighed(judgement)
            if isinstance(judgement, New) and mode == "direct" and not found.waits:
                kept.append(self._store(rec, agent, source, judgement.fact, plan.workspace_id))
            else:
                why = f"{reason}. {found.sentence}" if found.sentence else reason
                proposed.append(
                    self._propose(rec, agent, source, judgement, why, plan.workspace_id)
                )
        return Learned(
            group=rec.group if rec.size else 0,
            entries=tuple(kept),
            proposals=tuple(proposed),
            known=sum(isinstance(judgement, Known) for judgement in plan.judgements),
            not_again=sum(isinstance(judgement, NotAgain) for judgement in plan.judgements),
            by=plan.by,
            notice=plan.notice,
        )

    def make_findable(self) -> None:
        """What was learned is found by meaning too, without waiting for anybody. Slow: call it
        outside any transaction."""
        with suppress(ModelUnavailable, Unavailable):
            self._embed()

    def _weighed(self, judgement: New | Contradicting) -> tuple[New | Contradicting, Noticed]:
        """The likely credentials in a fact, and the fact as it is kept."""
        fact = judgement.fact
        found = noticed(self._settings, [fact.content, fact.sentence])
        if not found.redacted:
            return judgement, found
        content = redacted(fact.content, found.redacted)
        sentence = redacted(fact.sentence, found.redacted)
        return replace(judgement, fact=replace(fact, content=content, sentence=sentence)), found

    def _store(
        self, rec: Recorder, agent: Agent, source: str, fact: Fact, workspace_id: str
    ) -> str:
        draft = clean_draft(_draft(agent, fact, workspace_id))
        entry = self._entries.writes.put(rec, draft, source)
        learned.add(rec.db, entry.id, fact.origins, fact.sentence)
        return entry.id

    def _propose(
        self,
        rec: Recorder,
        agent: Agent,
        source: str,
        judgement: New | Contradicting,
        reason: str,
        workspace_id: str,
    ) -> str:
        fact = judgement.fact
        provenance = {"source": source, "origins": list(fact.origins), "sentence": fact.sentence}
        if isinstance(judgement, New):
            draft = _draft(agent, fact, workspace_id)
            payload = {**payload_of(draft), **provenance}
            proposal = self._review.put(rec, agent.id, "store", draft.scope, payload, "", reason)
        else:
            entry = judgement.entry
            payload = {
                "fields": {"content": fact.content},
                "expected_updated_at": entry.updated_at,
                "replaces": entry.content,
                **provenance,
            }
            why = f"{reason}: says otherwise than “{entry.key}”"
            proposal = self._review.put(
                rec, agent.id, "change", entry.scope, payload, entry.id, why
            )
        learned.add(rec.db, proposal.id, fact.origins, fact.sentence)
        return proposal.id

    def _closeness(self, texts: Sequence[str]) -> Closeness:
        """Cosine of two of the texts; without a model nothing is close but in words."""
        wanted = list(dict.fromkeys(texts))
        try:
            embedder = self._embedder()
            if embedder is None or not wanted:
                return lambda a, b: 0.0
            vectors = dict(zip(wanted, embedder.embed(wanted), strict=True))
        except ModelUnavailable:
            return lambda a, b: 0.0
        return lambda a, b: float(vectors[a] @ vectors[b])


def on_approval(rec: Recorder, proposal: Proposal, thing_id: str) -> None:
    """What a proposal was learned from, now of the entry or session block it became. For Review's
    after_approval."""
    if not thing_id:
        return
    learned.hand_over(rec.db, proposal.id, thing_id)
    lines = proposal.payload.get("lines")
    if proposal.action == "block" and isinstance(lines, list):
        learned.replace(
            rec.db,
            thing_id,
            [
                Origin(thing_id, origin, line["text"])
                for line in lines
                for origin in line["origins"]
            ],
        )


def _draft(agent: Agent, fact: Fact, workspace_id: str) -> EntryDraft:
    """What is of the project goes to its workspace, for every agent there."""
    shared = workspace_id and workspace_id in agent.workspaces and of_the_project(fact)
    return EntryDraft(
        content=fact.content,
        scope=Scope("workspace", workspace_id) if shared else agent.scope,
        category=CATEGORY,
        kind=fact.kind,
        importance=fact.importance,
        tags=fact.tags,
    )


def _waiting(db: Connection, agent_id: str) -> list[str]:
    """What the agent's waiting proposals would store: proposed once is enough."""
    found: list[str] = []
    for proposal in proposals.listed(db, proposals.PENDING, agent_id):
        fields = proposal.payload.get("fields")
        held = fields if isinstance(fields, dict) else proposal.payload
        found.append(str(held.get("content", "")))
    return [text for text in found if text]


def _origins(judgements: Iterable[Judgement]) -> list[str]:
    return sorted({origin for judgement in judgements for origin in judgement.fact.origins})
