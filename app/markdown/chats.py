"""Imported chats: conversations are kept as conversations; what they say about the person waits in
the review inbox. Nothing of it reaches an agent's memory unasked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.errors import Invalid
from app.learning.writer import Facts, Writer
from app.markdown.found import Found, FoundClaim, FoundConversation, FoundTurn, key_for
from app.markdown.import_plan import DUPLICATE, NEW, REFUSED, PlanRow
from app.review.review import Review, payload_of
from app.rules.facts import Line
from app.rules.fields import clean_draft
from store.file.database import Connection
from store.instants import Instant
from store.records import USER, Conversation, EntryDraft, IdMaker, Scope, Turn
from store.tables import conversations as rows
from store.tables.change_log import Recorder
from store.tables.entries import by_contents
from store.tables.proposals import listed

Progress = Callable[[int, int], None]
_ALL = 1_000_000_000


class Chats:
    """`writer` is made when there is a conversation to read: it may be slow to load."""

    def __init__(self, review: Review, writer: Callable[[], Writer], ids: IdMaker) -> None:
        self._review = review
        self._writer = writer
        self._ids = ids

    def claims_in(
        self,
        db: Connection,
        found: Sequence[Found],
        scope: Scope | None,
        progress: Progress | None = None,
    ) -> list[Found]:
        """What the found conversations say about the person, besides what was noted already.
        Conversations that the vault has were read when they came in."""
        known = [one.draft.content for one in found if isinstance(one, FoundClaim)]
        talks = [
            one
            for one in found
            if isinstance(one, FoundConversation) and rows.read(db, one.id) is None
        ]
        writer = self._writer() if talks else None
        claims: list[Found] = []
        for number, talk in enumerate(talks, 1):
            assert writer is not None
            claims += _learned(writer, talk, known, scope or USER)
            if progress:
                progress(number, len(talks))
        return claims

    def compared(
        self, db: Connection, found: Sequence[FoundConversation | FoundClaim]
    ) -> list[PlanRow]:
        """Whether the vault has each, and why one is refused."""
        # Also what was rejected: the owner is not asked the same thing twice.
        known = {str(p.payload.get("content")) for p in listed(db, None, limit=_ALL)}
        claims = [one.draft for one in found if isinstance(one, FoundClaim)]
        for scope in {draft.scope for draft in claims}:
            known |= by_contents(db, scope, [d.content for d in claims if d.scope == scope]).keys()
        result = []
        for one in found:
            if isinstance(one, FoundConversation):
                result.append(PlanRow(one.origin, DUPLICATE if rows.read(db, one.id) else NEW, one))
            else:
                result.append(_claim_row(one, known))
                known.add(one.draft.content)
        return result

    def write(
        self, rec: Recorder, found: Sequence[FoundConversation | FoundClaim]
    ) -> tuple[int, int]:
        """Inside the import's own action, each as its format's. Returns how many conversations and
        proposals."""
        conversations = proposals = 0
        for one in found:
            if isinstance(one, FoundClaim):
                payload = payload_of(clean_draft(one.draft))
                reason = one.why or f"Said in {one.origin}"
                self._review.put(rec, one.format, "store", one.draft.scope, payload, reason=reason)
                proposals += 1
            elif rows.read(rec.db, one.id) is None:
                self._keep(rec, one)
                conversations += 1
        return conversations, proposals

    def _keep(self, rec: Recorder, talk: FoundConversation) -> None:
        """An ended conversation, marked as learned from: its facts are in the inbox."""
        started = talk.started_at or _first_moment(talk.turns) or rec.now
        conversation = Conversation(
            id=talk.id,
            agent_id=talk.format,
            workspace_id="",
            title=talk.title[:200],
            state=rows.ENDED,
            created_at=started,
            updated_at=started,
            ended_at=talk.turns[-1].at or started,
            learned_at=None,
        )
        rows.insert(rec, conversation)
        turns = [
            Turn(0, self._ids(), talk.id, turn.role, _text(turn.content), turn.at or started, b"")
            for turn in talk.turns
        ]
        added = rows.append(rec, conversation, turns, conversation.ended_at)
        rows.mark_learned(rec.db, talk.id, added[-1].n, rec.now)
        rows.mark_merged(rec.db, talk.id, added[-1].n)


def _first_moment(turns: Sequence[FoundTurn]) -> Instant | None:
    return next((turn.at for turn in turns if turn.at), None)


def _text(content: str) -> str:
    """JSON may hold half a surrogate; a database cannot."""
    return content.encode("utf-8", "replace").decode()


def _claim_row(claim: FoundClaim, known: set[str]) -> PlanRow:
    try:
        clean_draft(claim.draft)
    except Invalid as error:
        return PlanRow(claim.origin, REFUSED, claim, reason=str(error))
    if claim.draft.content in known:
        return PlanRow(claim.origin, DUPLICATE, claim, reason="it is known or waits in the inbox")
    return PlanRow(claim.origin, NEW, claim)


def _learned(
    writer: Writer, talk: FoundConversation, known: Sequence[str], scope: Scope
) -> list[FoundClaim]:
    lines = [
        Line(f"turn:{number}", turn.role, turn.content, turn.at or talk.started_at or "")
        for number, turn in enumerate(talk.turns)
        if turn.at or talk.started_at
    ]
    facts = writer.facts(lines, known)
    if not isinstance(facts, Facts):
        return []
    return [
        FoundClaim(
            talk.origin,
            EntryDraft(
                content=fact.content,
                scope=scope,
                key=key_for(fact.content),
                category="memory",
                kind=fact.kind,
                importance=fact.importance,
                tags=fact.tags,
                created_at=talk.started_at,
            ),
            talk.format,
        )
        for fact in facts.facts
    ]
