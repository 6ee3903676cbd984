"""What a proposal would write: its payload checked, and done when it is approved."""

from __future__ import annotations

from collections.abc import Mapping

from app.blocks import Blocks, edits_from, saw
from app.corrections import Corrections
from app.entries import Entries
from app.entry_checks import found, key_taken, matches
from app.errors import Invalid
from app.outcomes import UNSET, Conflict, Expected, KeyTaken
from app.rules import fields as field_rules
from app.rules.blocks import check_content, check_name
from app.rules.fields import clean_draft
from store import blocks as block_rows
from store import entries
from store.changes import Recorder
from store.records import Block, Entry, EntryDraft, Proposal, Scope

Payload = Mapping[str, object]
Outcome = Entry | Block | None

DRAFT_FIELDS = (
    "key", "content", "hook", "category", "kind", "importance", "tags", "expires_at", "extra",
    "created_at", "written_at",
)  # fmt: skip


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
        elif action not in ("forget", "promote", "demote"):
            raise Invalid(f"There is no proposal to {action!r}.")

    def apply(
        self, rec: Recorder, proposal: Proposal, force: bool
    ) -> Outcome | Conflict | KeyTaken:
        source = str(proposal.payload.get("source") or f"agent:{proposal.agent_id}")
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
        scope = patch.get("scope", entry.scope)
        assert isinstance(scope, Scope)
        taken = key_taken(rec.db, entry, str(patch.get("key", entry.key)), scope)
        return taken or self._entries.writes.amend(rec, entry, patch, source)

    def _apply_forget(self, rec: Recorder, proposal: Proposal) -> Outcome:
        idents = proposal.payload.get("ids") or [proposal.thing_id]
        assert isinstance(idents, list)
        self._entries.writes.take_out(
            rec, entries.read_many(rec.db, [str(ident) for ident in idents])
        )
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
    known = {name: payload[name] for name in DRAFT_FIELDS if payload.get(name) is not None}
    if "tags" in known:
        known["tags"] = field_rules.clean_tags(known["tags"])  # type: ignore[arg-type]
    known.setdefault("content", "")
    return EntryDraft(scope=scope, **known)  # type: ignore[arg-type]


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
