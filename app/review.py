"""The review inbox: writes of agents that wait for the owner to approve, edit or reject them.

A proposal is a row of its own, so nothing of it is visible before its approval. Approving does the
write and closes the proposal in one change group: one undo takes both back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from app.blocks import Blocks
from app.corrections import Corrections
from app.entries import Entries
from app.errors import Invalid, NotFound, Refused
from app.outcomes import Conflict, KeyTaken
from app.proposed_writes import Outcome, Payload, ProposedWrites, draft_from, payload_of
from store import proposals
from store.changes import Recorder, recording
from store.database import Connection, Database
from store.ids import IdMaker
from store.instants import Clock
from store.proposals import APPROVED, PENDING, REJECTED
from store.records import OWNER, Proposal, Scope

__all__ = ["Approved", "Review", "UndoableProposals", "draft_from", "payload_of"]

AfterApproval = Callable[[Recorder, Proposal, str], None]


@dataclass(frozen=True, slots=True)
class Approved:
    """What an approval did. `thing` is the entry or block it wrote."""

    proposal: Proposal
    group: int
    thing: Outcome


class Review:
    """`after_approval` runs in the approving transaction with the proposal and the id of what it
    wrote: others keep their own records beside it."""

    def __init__(
        self,
        database: Database,
        entries: Entries,
        blocks: Blocks,
        corrections: Corrections,
        clock: Clock,
        ids: IdMaker,
        after_approval: Sequence[AfterApproval] = (),
    ) -> None:
        self._database = database
        self._writes = ProposedWrites(entries, blocks, corrections)
        self._clock = clock
        self._ids = ids
        self._after_approval = after_approval

    # The agents' side

    def propose(
        self,
        agent_id: str,
        action: str,
        scope: Scope,
        payload: Payload,
        thing_id: str = "",
        reason: str = "",
    ) -> Proposal:
        """Put a write into the inbox. The payload is checked now, so that it can be approved."""
        with self._recording(f"agent:{agent_id}", "proposed", reason) as rec:
            return self.put(rec, agent_id, action, scope, payload, thing_id, reason)

    def put(
        self,
        rec: Recorder,
        agent_id: str,
        action: str,
        scope: Scope,
        payload: Payload,
        thing_id: str = "",
        reason: str = "",
    ) -> Proposal:
        """The same inside a larger action."""
        self._writes.check(action, payload)
        proposal = Proposal(
            id=self._ids(),
            agent_id=agent_id,
            action=action,
            scope=scope,
            thing_id=thing_id,
            payload=dict(payload),
            reason=reason,
            state=PENDING,
            created_at=rec.now,
            updated_at=rec.now,
        )
        return proposals.insert(rec, proposal)

    # The owner's side

    def listed(
        self, state: str | None = PENDING, agent_id: str | None = None, limit: int = 1000
    ) -> list[Proposal]:
        """Oldest first."""
        with self._database.read() as db:
            return proposals.listed(db, state, agent_id, limit=limit)

    def about(self, thing_id: str) -> list[Proposal]:
        """What waits for one entry or block."""
        with self._database.read() as db:
            return proposals.listed(db, PENDING, thing_id=thing_id)

    def count(self) -> int:
        with self._database.read() as db:
            return proposals.count_pending(db)

    def read(self, ident: str) -> Proposal:
        with self._database.read() as db:
            return _found(db, ident)

    def approve(
        self,
        ident: str,
        payload: Payload | None = None,
        *,
        force: bool = False,
        actor: str = OWNER,
        reason: str = "",
    ) -> Approved | Conflict | KeyTaken:
        """Do what was proposed, or the edited `payload` instead. What changed since the proposal
        is a Conflict, unless `force`."""
        with self._recording(actor, "approved", reason) as rec:
            proposal = _pending(rec.db, ident)
            if payload is not None:
                self._writes.check(proposal.action, payload)
            wanted = proposal if payload is None else replace(proposal, payload=dict(payload))
            outcome = self._writes.apply(rec, wanted, force)
            if isinstance(outcome, Conflict | KeyTaken):
                return outcome
            return self._close(rec, proposal, outcome, wanted.payload)

    def approve_many(
        self, idents: Sequence[str], *, actor: str = OWNER, reason: str = ""
    ) -> tuple[list[Approved], list[Proposal]]:
        """All that can be, as one change group; the others stay in the inbox and are returned."""
        done: list[Approved] = []
        left: list[Proposal] = []
        with self._recording(actor, "approved", reason) as rec:
            for ident in idents:
                proposal = _pending(rec.db, ident)
                try:
                    outcome = self._writes.apply(rec, proposal, force=False)
                except (NotFound, Refused, Invalid):
                    left.append(proposal)
                    continue
                if isinstance(outcome, Conflict | KeyTaken):
                    left.append(proposal)
                else:
                    done.append(self._close(rec, proposal, outcome))
        return done, left

    def reject(
        self, idents: Sequence[str], *, actor: str = OWNER, reason: str = ""
    ) -> list[Proposal]:
        """Close them without writing, as one change group."""
        with self._recording(actor, "rejected", reason) as rec:
            return [
                proposals.update(rec, _pending(rec.db, ident), {"state": REJECTED}, "rejected")
                for ident in idents
            ]

    def edit(self, ident: str, payload: Payload, *, actor: str = OWNER) -> Proposal:
        """Change what is proposed; it keeps waiting."""
        with self._recording(actor, "edited", "") as rec:
            proposal = _pending(rec.db, ident)
            self._writes.check(proposal.action, payload)
            return proposals.update(rec, proposal, {"payload": dict(payload)})

    # Parts

    def _close(
        self,
        rec: Recorder,
        proposal: Proposal,
        outcome: Outcome,
        payload: dict[str, object] | None = None,
    ) -> Approved:
        fields: dict[str, object] = {"state": APPROVED, "payload": payload or proposal.payload}
        proposal = proposals.update(rec, proposal, fields, "approved")
        for follow in self._after_approval:
            follow(rec, proposal, outcome.id if outcome else proposal.thing_id)
        return Approved(proposal, rec.group, outcome)

    def _recording(self, actor: str, action: str, reason: str) -> AbstractContextManager[Recorder]:
        return recording(
            self._database, actor=actor, action=action, reason=reason, clock=self._clock
        )


class UndoableProposals:
    """How a proposal goes back to the inbox: History's hands on the table."""

    def fields(self, db: Connection, ident: str) -> dict[str, object] | None:
        proposal = proposals.read(db, ident)
        return proposals.as_fields(proposal) if proposal else None

    def apply(self, rec: Recorder, ident: str, fields: dict[str, object], action: str) -> None:
        proposals.update(rec, _found(rec.db, ident), fields, action)

    def uncreate(self, rec: Recorder, ident: str) -> None:
        proposals.remove(rec, _found(rec.db, ident))

    def recreate(self, rec: Recorder, ident: str, fields: dict[str, object]) -> None:
        proposals.put_back(rec, ident, fields)


def _found(db: Connection, ident: str) -> Proposal:
    proposal = proposals.read(db, ident)
    if proposal is None:
        raise NotFound(f"There is no proposal {ident!r}.")
    return proposal


def _pending(db: Connection, ident: str) -> Proposal:
    proposal = _found(db, ident)
    if proposal.state != PENDING:
        raise Refused(f"This proposal was {proposal.state} already; undo that first.")
    return proposal
