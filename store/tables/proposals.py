"""Rows of the table `proposals`: writes that wait for the owner."""

from __future__ import annotations

import json
from dataclasses import replace

from store.file.database import Connection, Row
from store.instants import after
from store.records import JOIN, Proposal, ProposalFields, Scope
from store.tables.change_log import Recorder, compare_and_set

PENDING, APPROVED, REJECTED = "pending", "approved", "rejected"
_COLUMNS = "id, agent_id, action, scope, thing_id, payload, reason, state, created_at, updated_at"


def read(db: Connection, ident: str) -> Proposal | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM proposals WHERE id = :id", {"id": ident}).fetchone()
    return _proposal(row) if row else None


def listed(
    db: Connection,
    state: str | None = PENDING,
    agent_id: str | None = None,
    thing_id: str | None = None,
    limit: int = 1000,
) -> list[Proposal]:
    """Oldest first; None means any. When there are more than `limit`, every agent's newest are
    among them: nobody's can be buried under another's."""
    # The literal state lets the partial index serve the inbox.
    only = "state = 'pending'" if state == PENDING else "(:state IS NULL OR state = :state)"
    rows = db.execute(
        f"""SELECT {_COLUMNS} FROM (
              SELECT {_COLUMNS}, row_number() OVER (
                       PARTITION BY agent_id ORDER BY created_at DESC, id DESC) AS place
                FROM proposals
               WHERE {only} AND (:agent_id IS NULL OR agent_id = :agent_id)
                 AND (:thing_id IS NULL OR thing_id = :thing_id)
               ORDER BY place, created_at DESC, id DESC LIMIT :limit)
             ORDER BY created_at, id""",
        {"state": state, "agent_id": agent_id, "thing_id": thing_id, "limit": limit},
    )
    return [_proposal(row) for row in rows.fetchall()]


def wishes(db: Connection, agent_id: str) -> list[Proposal]:
    """Every wish of an agent to be let in somewhere, decided or not."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM proposals WHERE agent_id = :agent_id AND action = :action",
        {"agent_id": agent_id, "action": JOIN},
    )
    return [_proposal(row) for row in rows.fetchall()]


def count_pending(db: Connection, agent_id: str | None = None) -> int:
    row = db.execute(
        """SELECT count(*) FROM proposals
            WHERE state = 'pending' AND (:agent_id IS NULL OR agent_id = :agent_id)""",
        {"agent_id": agent_id},
    ).fetchone()
    return int(row[0])


def agents_with(db: Connection, least: int) -> list[str]:
    """Agents of which at least so many proposals wait."""
    rows = db.execute(
        """SELECT agent_id FROM proposals WHERE state = 'pending'
            GROUP BY agent_id HAVING count(*) >= :least ORDER BY agent_id""",
        {"least": least},
    )
    return [row[0] for row in rows.fetchall()]


def insert(rec: Recorder, proposal: Proposal, action: str = "created") -> Proposal:
    rec.db.execute(
        f"""INSERT INTO proposals ({_COLUMNS})
            VALUES (:id, :agent_id, :action, :scope, :thing_id, :payload, :reason, :state,
                    :created_at, :updated_at)""",
        {
            **as_fields(proposal),
            "id": proposal.id,
            "payload": _json(proposal.payload),
            "updated_at": proposal.updated_at,
        },
    )
    rec.add(action, "proposal", proposal.id, proposal.scope)
    return proposal


def update(
    rec: Recorder, proposal: Proposal, fields: ProposalFields, action: str = "changed"
) -> Proposal:
    """Set state, payload or reason; unchanged fields write nothing."""
    if all(getattr(proposal, name) == value for name, value in fields.items()):
        return proposal
    new = replace(proposal, **fields)
    new = replace(new, updated_at=after(rec.now, proposal.updated_at))
    columns = {
        "state": new.state,
        "payload": _json(new.payload),
        "reason": new.reason,
        "updated_at": new.updated_at,
    }
    return compare_and_set(rec, "proposal", proposal, new, columns, as_fields, action)


def remove(rec: Recorder, proposal: Proposal) -> None:
    rec.db.execute("DELETE FROM proposals WHERE id = :id", {"id": proposal.id})
    rec.add("removed", "proposal", proposal.id, proposal.scope, before=as_fields(proposal))


def put_back(rec: Recorder, ident: str, fields: dict[str, object]) -> Proposal:
    """A removed proposal, as the log kept it."""
    text = {name: str(value) for name, value in fields.items() if name != "payload"}
    payload = fields["payload"]
    assert isinstance(payload, dict)
    return insert(
        rec,
        Proposal(
            id=ident,
            agent_id=text["agent_id"],
            action=text["action"],
            scope=Scope.of(text["scope"]),
            thing_id=text["thing_id"],
            payload=payload,
            reason=text["reason"],
            state=text["state"],
            created_at=text["created_at"],
            updated_at=rec.now,
        ),
    )


def as_fields(proposal: Proposal) -> dict[str, object]:
    """The tracked fields as they stand in the change log."""
    return {
        "agent_id": proposal.agent_id,
        "action": proposal.action,
        "scope": str(proposal.scope),
        "thing_id": proposal.thing_id,
        "payload": proposal.payload,
        "reason": proposal.reason,
        "state": proposal.state,
        "created_at": proposal.created_at,
    }


def _json(payload: dict[str, object]) -> str:
    return json.dumps(payload, ensure_ascii=False)


def _proposal(row: Row) -> Proposal:
    ident, agent_id, action, scope, thing_id, payload, reason, state, created_at, updated_at = row
    return Proposal(
        ident,
        agent_id,
        action,
        Scope.of(scope),
        thing_id,
        json.loads(payload),
        reason,
        state,
        created_at,
        updated_at,
    )
