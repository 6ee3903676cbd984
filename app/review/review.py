"""The review inbox: writes of agents that wait for the owner to approve, edit or reject them.

A proposal is a row of its own, so nothing of it is visible before its approval. Approving does the
write and closes the proposal in one change group: one undo takes both back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, cast

from app.blocks.blocks import Blocks, edits_from, saw
from app.entries.corrections import Corrections
from app.entries.entries import Entries, found, key_taken, matches, no_room
from app.errors import InboxFull, Invalid, NotFound, Refused
from app.outcomes import UNSET, Conflict, Expected, KeyTaken
from app.rules import fields as field_rules
from app.rules.blocks import check_content, check_name
from app.rules.fields import clean_draft
from store.file.database import Connection, Database
from store.instants import Clock
from store.records import (
    DRAFT_FIELDS,
    JOIN,
    OWNER,
    TRASHED,
    Block,
    Entry,
    EntryDraft,
    IdMaker,
    Proposal,
    ProposalFields,
    Scope,
)
from store.tables import agents, entries, proposals
from store.tables import blocks as block_rows
from store.tables.change_log import Recorder, recording
from store.tables.proposals import APPROVED, PENDING, REJECTED

MOST_WAITING = 500
Payload = Mapping[str, object]
Outcome = Entry | Block | None


class ProposedWrites:
    """One way to check and one to do for each action a proposal may have."""

    def __init__(self, entries: Entries, blocks: Blocks, corrections: Corrections) -> None:
        self._entries = entries
        self._blocks = blocks
        self._corrections = corrections

    def check(self, action: str, payload: Payload) -> None:
        if action == "store":
            clean_draft(draft_from(Scope("user"), payload))
        elif action in ("change", "correct"):
            field_rules.clean_fields(_fields(payload))
        elif action == "block":
            check_content(
                str(payload.get("name")), _text(payload, "content"), self._blocks.limits()
            )
        elif action == "edit":
            check_name(str(payload.get("name")))
            edits_from(_pairs(payload))
        elif action not in ("forget", "promote", "demote", JOIN):
            raise Invalid(f"There is no proposal to {action!r}.")

    def apply(
        self, rec: Recorder, proposal: Proposal, force: bool
    ) -> Outcome | Conflict | KeyTaken:
        source = str(proposal.payload.get("source") or f"agent:{proposal.agent_id}")
        if proposal.action == JOIN:
            return self._apply_join(rec, proposal)
        if proposal.action in ("block", "edit"):
            return self._apply_block(rec, proposal, source, force)
        if proposal.action == "store":
            return self._apply_store(rec, proposal, source, force)
        if proposal.action == "forget":
            return self._apply_forget(rec, proposal)
        if proposal.action in ("promote", "demote"):
            return self._apply_move(rec, proposal, source)
        return self._apply_change(rec, proposal, source, force)

    def _apply_store(
        self, rec: Recorder, proposal: Proposal, source: str, force: bool
    ) -> Outcome | Conflict:
        draft = clean_draft(draft_from(proposal.scope, proposal.payload))
        current = entries.find(rec.db, draft.scope, draft.key) if draft.key else None
        # An agent that proposed a key twice means its later words; others' words are not lost.
        others = current is None or current.source != source
        if not force and others and not matches(current, _expected(proposal.payload)):
            return Conflict(current)
        return self._entries.writes.put(rec, draft, source)

    def _apply_change(
        self, rec: Recorder, proposal: Proposal, source: str, force: bool
    ) -> Outcome | Conflict | KeyTaken:
        entry = found(rec.db, proposal.thing_id)
        if not force and not matches(entry, _expected(proposal.payload)):
            return Conflict(entry)
        patch = field_rules.clean_fields(_fields(proposal.payload))
        if proposal.action == "correct":
            return self._corrections.put_right(rec, entry, patch, source)
        scope, key = patch.get("scope", entry.scope), patch.get("key", entry.key)
        taken = key_taken(rec.db, entry, key, scope)
        return taken or self._entries.writes.amend(rec, entry, patch, source)

    def _apply_forget(self, rec: Recorder, proposal: Proposal) -> Outcome:
        idents = proposal.payload.get("ids") or [proposal.thing_id]
        assert isinstance(idents, list)
        self._entries.writes.take_out(
            rec, entries.read_many(rec.db, [str(ident) for ident in idents])
        )
        return None

    def _apply_join(self, rec: Recorder, proposal: Proposal) -> Outcome:
        agent = agents.read(rec.db, proposal.agent_id)
        if agent is None:
            raise NotFound(f"There is no agent {proposal.agent_id!r} any more.")
        if proposal.scope.id not in agent.workspaces:
            joined = (*agent.workspaces, proposal.scope.id)
            agents.update(rec, agent, replace(agent, workspaces=joined))
        return None

    def _apply_move(self, rec: Recorder, proposal: Proposal, source: str) -> Outcome:
        line = proposal.payload.get("line")
        if line is not None:
            names = ("archival", "core") if proposal.action == "promote" else ("core", "archival")
            return self._corrections.move_line(rec, proposal.scope, str(line), *names, source)[1]
        category = proposal.payload.get("category")
        move = (
            self._corrections.put_pin
            if proposal.action == "promote"
            else self._corrections.put_unpin
        )
        return move(rec, proposal.thing_id, str(category) if category else None, source)

    def _apply_block(
        self, rec: Recorder, proposal: Proposal, source: str, force: bool
    ) -> Outcome | Conflict:
        name = check_name(str(proposal.payload["name"]))
        expected = _expected(proposal.payload)
        current = block_rows.read(rec.db, proposal.scope, name)
        if not (force or expected is UNSET or saw(current, expected)):
            return Conflict(current)
        if proposal.action == "block":
            content = _text(proposal.payload, "content")
            return self._blocks.put(rec, proposal.scope, name, content, source)
        edits = edits_from(_pairs(proposal.payload))
        return self._blocks.put_edits(rec, proposal.scope, name, edits, source)


def draft_from(scope: Scope, payload: Payload) -> EntryDraft:
    """A store proposal's payload as a draft; unknown fields are left aside."""
    known: dict[str, Any] = {
        name: payload[name] for name in DRAFT_FIELDS if payload.get(name) is not None
    }
    if "tags" in known:
        known["tags"] = field_rules.clean_tags(known["tags"])
    known.setdefault("content", "")
    return EntryDraft(scope=scope, **known)


def payload_of(draft: EntryDraft) -> dict[str, object]:
    """A draft as the payload of a store proposal."""
    values = {name: getattr(draft, name) for name in DRAFT_FIELDS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None
    }


def _fields(payload: Payload) -> dict[str, object]:
    fields = payload.get("fields")
    if not isinstance(fields, dict) or not fields:
        raise Invalid("A proposed change needs its fields.")
    return fields


def _pairs(payload: Payload) -> list[Mapping[str, object]]:
    pairs = payload.get("edits")
    if not isinstance(pairs, list) or not all(isinstance(pair, Mapping) for pair in pairs):
        raise Invalid("A proposed edit needs its pairs of oldText and newText.")
    return pairs


def _text(payload: Payload, name: str) -> str:
    text = payload.get(name)
    if not isinstance(text, str):
        raise Invalid(f"The proposal needs {name} as text.")
    return text


def _expected(payload: Payload) -> Expected:
    value = payload.get("expected_updated_at", UNSET)
    return value if value is UNSET or value is None else str(value)


__all__ = ["Approved", "Review", "UndoableProposals", "draft_from", "payload_of"]

AfterApproval = Callable[[Recorder, Proposal, str], None]


@dataclass(frozen=True, slots=True)
class Approved:
    """What an approval did. `thing` is the entry or block it wrote; `evicted` went into the trash
    to make room for it."""

    proposal: Proposal
    group: int
    thing: Outcome
    evicted: tuple[Entry, ...] = ()


class Review:
    """`after_approval` runs in the approving transaction with the proposal and the id of what it
    wrote: others keep their own records beside it. `most` is how many proposals of one agent may
    wait."""

    def __init__(
        self,
        database: Database,
        entries: Entries,
        blocks: Blocks,
        corrections: Corrections,
        clock: Clock,
        ids: IdMaker,
        after_approval: Sequence[AfterApproval] = (),
        most: Callable[[], int] = lambda: MOST_WAITING,
    ) -> None:
        self._database = database
        self._most = most
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
        *,
        source: str = "",
    ) -> Proposal:
        """Put a write into the inbox. The payload is checked now, so that it can be approved.
        `source` says who writes it where that is not the agent itself. Raises InboxFull."""
        agent = f"agent:{agent_id}"
        if source not in ("", agent):
            payload = {**payload, "source": source}
        with self._recording(source or agent, "proposed", reason) as rec:
            self._check_room(rec.db, agent_id, 1)
            return self.put(rec, agent_id, action, scope, payload, thing_id, reason)

    def check_room(self, agent_id: str, wanted: int = 1) -> None:
        """That so many more proposals of an agent may wait. Raises InboxFull."""
        with self._database.read() as db:
            self._check_room(db, agent_id, wanted)

    def full_inboxes(self) -> list[str]:
        """Agents of which no other proposal may wait."""
        with self._database.read() as db:
            return proposals.agents_with(db, self._most())

    def _check_room(self, db: Connection, agent_id: str, wanted: int) -> None:
        waiting = proposals.count_pending(db, agent_id)
        if waiting + wanted > self._most():
            raise InboxFull(waiting)

    def propose_store(
        self,
        agent_id: str,
        draft: EntryDraft,
        current: Entry | None,
        reason: str = "",
        *,
        source: str = "",
    ) -> Proposal:
        """Put the store of a clean draft into the inbox, over the entry its writer saw, if any."""
        payload = payload_of(draft)
        if draft.key:
            payload["expected_updated_at"] = current.updated_at if current else None
        thing_id = current.id if current else ""
        return self.propose(
            agent_id, "store", draft.scope, payload, thing_id, reason, source=source
        )

    def ask_to_join(self, agent_id: str, workspace: str, most: int) -> None:
        """Put an agent's wish to be let into a workspace into the inbox. It is said once, whatever
        became of it, and not at all while `most` others of the agent wait."""
        scope = Scope("workspace", workspace)
        with self._database.read() as db:
            if not _may_ask(db, agent_id, scope, most):
                return
        with self._recording(f"agent:{agent_id}", "proposed", "") as rec:
            if _may_ask(rec.db, agent_id, scope, most):
                payload = {"key": workspace, "content": wish_sentence(agent_id, workspace)}
                self.put(rec, agent_id, JOIN, scope, payload)

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
        if action == JOIN and scope.kind != "workspace":
            raise Invalid("An agent is let into a workspace, and into nothing else.")
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
        """Oldest first; every agent's newest when there are more than `limit`."""
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
            if isinstance(outcome, Entry) and outcome.state == TRASHED:
                raise no_room(outcome)
            return self._close(rec, proposal, outcome, wanted.payload)

    def approve_many(
        self, idents: Sequence[str], *, actor: str = OWNER, reason: str = ""
    ) -> tuple[list[Approved], list[Proposal]]:
        """All that can be, as one change group; the others stay in the inbox and are returned:
        also what would be evicted at once, or evict another of them."""
        done: list[Approved] = []
        left: list[Proposal] = []
        with self._recording(actor, "approved", reason) as rec:
            for ident in idents:
                proposal = _pending(rec.db, ident)
                approved = self._approved_within(rec, proposal, {_id_of(one) for one in done})
                if approved is None:
                    left.append(proposal)
                else:
                    done.append(approved)
        return done, left

    def _approved_within(
        self, rec: Recorder, proposal: Proposal, others: set[str]
    ) -> Approved | None:
        """One of many; None, and nothing of it is written, where it cannot be."""
        before = rec.size
        try:
            with rec.attempt() as take_back:
                outcome = self._writes.apply(rec, proposal, force=False)
                if isinstance(outcome, Conflict | KeyTaken):
                    take_back()
                    return None
                own = {outcome.id} if outcome else set()
                if (others | own).intersection(rec.touched("evicted", before)):
                    take_back()
                    return None
                return self._close(rec, proposal, outcome, since=before)
        except (NotFound, Refused, Invalid):
            return None

    def reject(
        self, idents: Sequence[str], *, actor: str = OWNER, reason: str = ""
    ) -> list[Proposal]:
        """Close them without writing, as one change group."""
        with self._recording(actor, "rejected", reason) as rec:
            return [
                proposals.update(rec, _pending(rec.db, ident), {"state": REJECTED}, "rejected")
                for ident in idents
            ]

    def remove(self, idents: Sequence[str], *, actor: str = OWNER, reason: str = "") -> int:
        """Take them out, decided or not, without a trace in the inbox; the change group, by which
        they come back as they were."""
        with self._recording(actor, "rejected", reason) as rec:
            for ident in idents:
                proposals.remove(rec, _found(rec.db, ident))
            return rec.group

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
        since: int = 0,
    ) -> Approved:
        evicted = entries.read_many(rec.db, rec.touched("evicted", since))
        fields: ProposalFields = {"state": APPROVED, "payload": payload or proposal.payload}
        proposal = proposals.update(rec, proposal, fields, "approved")
        for follow in self._after_approval:
            follow(rec, proposal, outcome.id if outcome else proposal.thing_id)
        return Approved(proposal, rec.group, outcome, tuple(evicted))

    def _recording(self, actor: str, action: str, reason: str) -> AbstractContextManager[Recorder]:
        return recording(
            self._database, actor=actor, action=action, reason=reason, clock=self._clock
        )


def _id_of(approved: Approved) -> str:
    return approved.thing.id if approved.thing else ""


def wish_sentence(agent_id: str, workspace: str) -> str:
    return (
        f"{agent_id} asks to be let into the workspace {workspace}: to read what is shared there, "
        "and to write as its trust allows."
    )


def _may_ask(db: Connection, agent_id: str, scope: Scope, most: int) -> bool:
    earlier = proposals.wishes(db, agent_id)
    waiting = [wish for wish in earlier if wish.state == PENDING]
    return len(waiting) < most and all(wish.scope != scope for wish in earlier)


class UndoableProposals:
    """Lets History undo and redo decisions: it puts a proposal back into the inbox."""

    def fields(self, db: Connection, ident: str) -> dict[str, object] | None:
        proposal = proposals.read(db, ident)
        return proposals.as_fields(proposal) if proposal else None

    def apply(self, rec: Recorder, ident: str, fields: dict[str, object], action: str) -> None:
        proposals.update(rec, _found(rec.db, ident), cast("ProposalFields", fields), action)

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
