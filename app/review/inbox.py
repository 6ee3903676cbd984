"""The review inbox as a person reads it: each proposal beside what it would change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from app.blocks.blocks import Blocks, edits_from
from app.entries.entries import Entries
from app.errors import Invalid, NotFound
from app.recall.search import Search
from app.review.review import Review, wish_sentence
from app.rules.blocks import edited, template
from app.text.hidden import count_hidden
from app.text.words import title_of
from store.file.database import Database
from store.models.embedder import ModelUnavailable
from store.records import (
    DRAFT_FIELDS,
    JOIN,
    SAMPLE_MARK,
    USER,
    Block,
    Entry,
    Proposal,
    Turn,
)
from store.tables import conversations, fulltext
from store.tables.entry_filter import EntryFilter
from store.tables.proposals import REJECTED

NEAR = 0.55  # a cosine from which two memories may say the same
RELATED = 0.3  # a cosine from which two memories are about the same
ALIKE_MOST = 3
WORDS_MOST = 40
TEXTS = ("store", "change", "correct", "block")
"""The actions whose text a person can edit before approving."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that approving would set. `before` is None where there is nothing yet."""

    name: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class WaitingProposal:
    """One proposal. `before` is the text it would replace, empty for something new; `after` what
    would stand there; `fields` every other field it would change. All texts are as they were
    sent: show them `revealed`."""

    proposal: Proposal
    title: str
    before: str
    after: str
    fields: tuple[FieldChange, ...]
    entry: Entry | None = None
    problem: str = ""  # why it cannot be approved as it is
    project: str = ""  # the workspace it was said in, of what was learned from a conversation

    @property
    def editable(self) -> bool:
        return self.proposal.action in TEXTS and not self.problem

    @property
    def rejected(self) -> bool:
        return self.proposal.state == REJECTED

    @property
    def hidden(self) -> int:
        """How many characters it would bring that nobody sees."""
        texts = [self.title, self.after, self.proposal.reason]
        texts += [str(field.after) for field in self.fields]
        return sum(map(count_hidden, texts))


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Memories that may say the same as a proposal, and others about the same."""

    alike: list[Entry]
    related: list[Entry]


class InboxServices(Protocol):
    """What an inbox asks; the vault is one."""

    @property
    def database(self) -> Database: ...
    @property
    def review(self) -> Review: ...
    @property
    def entries(self) -> Entries: ...
    @property
    def blocks(self) -> Blocks: ...
    @property
    def search(self) -> Search: ...


class Inbox:
    def __init__(self, services: InboxServices) -> None:
        self._on = services

    def waiting(self) -> list[WaitingProposal]:
        """By agent and project, oldest first within each."""
        listed = self._on.review.listed()
        project = self._projects(listed)
        agents = list(dict.fromkeys(one.agent_id for one in listed))
        groups = list(dict.fromkeys((one.agent_id, project[one.id]) for one in listed))
        groups.sort(key=lambda group: agents.index(group[0]))
        place = {group: number for number, group in enumerate(groups)}
        listed.sort(key=lambda one: (place[one.agent_id, project[one.id]], one.created_at, one.id))
        return [replace(self.shown(one), project=project[one.id]) for one in listed]

    def said(self, waiting: WaitingProposal) -> list[Turn]:
        """The turns it was learned from, in the order they were said."""
        with self._on.database.read() as db:
            found = [conversations.read_turn(db, ident) for ident in _turns(waiting.proposal)]
        return sorted((turn for turn in found if turn), key=lambda turn: turn.n)

    def _projects(self, listed: Sequence[Proposal]) -> dict[str, str]:
        """By proposal, the workspace of the conversation it was learned from, or nothing."""
        turns = {one.id: _turns(one) for one in listed}
        with self._on.database.read() as db:
            every = [turn for mine in turns.values() for turn in mine]
            known = conversations.workspaces_of_turns(db, every)
        return {
            ident: next((known[turn] for turn in mine if known.get(turn)), "")
            for ident, mine in turns.items()
        }

    def rejected(self, limit: int = 200) -> list[WaitingProposal]:
        """What the owner turned down and did not erase, the newest first."""
        listed = self._on.review.listed(REJECTED, limit=limit)
        listed.sort(key=lambda one: one.updated_at, reverse=True)
        return [replace(self.shown(one), problem="It was rejected.") for one in listed]

    def alike(self, waiting: WaitingProposal) -> list[Entry]:
        """Memories in its scope or about the user that may say the same already."""
        return self.neighbours(waiting).alike

    def neighbours(self, waiting: WaitingProposal) -> Neighbours:
        """Memories in its scope or about the user that a person would want to see beside it."""
        text = "" if waiting.proposal.action == JOIN else waiting.after or waiting.before
        words = " ".join(fulltext.words(text)[:WORDS_MOST])
        if not words:
            return Neighbours([], [])
        scopes = tuple(dict.fromkeys([waiting.proposal.scope, USER]))
        wanted = EntryFilter(scopes=scopes)
        try:
            hits = self._on.search.search(words, filter=wanted, limit=2 * ALIKE_MOST + 1)
        except ModelUnavailable:
            hits = self._on.search.search(
                words, mode="keyword", filter=wanted, limit=2 * ALIKE_MOST + 1
            )
        own, key = waiting.proposal.thing_id, waiting.proposal.payload.get("key")
        others = [hit for hit in hits if hit.entry.id != own]
        same = [hit.entry for hit in others if hit.meaning >= NEAR or hit.entry.key == key]
        about = [hit.entry for hit in others if hit.meaning >= RELATED and hit.entry not in same]
        return Neighbours(same[:ALIKE_MOST], about[:ALIKE_MOST])

    def shown(self, proposal: Proposal) -> WaitingProposal:
        try:
            if proposal.action in ("block", "edit"):
                return self._shown_block(proposal)
            if proposal.action == JOIN:
                return self._shown_wish(proposal)
            return self._shown_entry(proposal)
        except NotFound:
            gone = "What it would change is not there any more; it can only be rejected."
            return WaitingProposal(proposal, _name(proposal), "", "", (), problem=gone)

    def _shown_entry(self, proposal: Proposal) -> WaitingProposal:
        payload = proposal.payload
        if proposal.action == "store":
            known = self._on.entries.find(proposal.scope, str(payload.get("key") or ""))
            fields = {name: payload[name] for name in _SHOWN if payload.get(name) is not None}
            before = known.content if known else ""
            changes = field_changes(known, fields)
            return WaitingProposal(
                proposal, _name(proposal), before, _text(payload), changes, known
            )
        if proposal.action == "forget":
            return self._shown_forget(proposal)
        if proposal.thing_id:
            entry = self._on.entries.read(proposal.thing_id)
            patch = payload.get("fields")
            fields = dict(patch) if isinstance(patch, Mapping) else {}
            after = str(fields.pop("content", entry.content))
            if proposal.action in ("promote", "demote"):
                fields = {"category": payload.get("category") or _MOVES[proposal.action]}
            changes, title = field_changes(entry, fields), title_of(entry.key, entry.content)
            return WaitingProposal(proposal, title, entry.content, after, changes, entry)
        line = str(payload.get("line") or "")
        return WaitingProposal(proposal, line or proposal.action, line, line, ())

    def _shown_wish(self, proposal: Proposal) -> WaitingProposal:
        """Who asks to be let in where, and how much there is to read."""
        workspace = proposal.scope.id
        sentence = wish_sentence(proposal.agent_id, workspace)
        count = self._on.entries.count(EntryFilter(scopes=(proposal.scope,)))
        return WaitingProposal(
            proposal, workspace, "", sentence, (FieldChange("memories", None, count),)
        )

    def _shown_forget(self, proposal: Proposal) -> WaitingProposal:
        """All that would go, not only the first."""
        found = self.would_go(proposal)
        if not found:
            raise NotFound("What it would forget is gone.")
        title = ", ".join(title_of(entry.key, entry.content) for entry in found)
        texts = "\n\n".join(entry.content for entry in found)
        return WaitingProposal(
            proposal, title, texts, "", (), found[0] if len(found) == 1 else None
        )

    def would_go(self, proposal: Proposal) -> list[Entry]:
        """What a proposal to forget is about."""
        listed = proposal.payload.get("ids")
        idents = listed if isinstance(listed, list | tuple) else [proposal.thing_id]
        return self._on.entries.read_many([str(ident) for ident in idents])

    def _shown_block(self, proposal: Proposal) -> WaitingProposal:
        name = str(proposal.payload.get("name"))
        current: Block | None = self._on.blocks.find(proposal.scope, name)
        before = current.content if current else template(name)
        title = f"{name} · {proposal.scope}"
        if proposal.action == "block":
            after = str(proposal.payload.get("content") or "")
            return WaitingProposal(proposal, title, current.content if current else "", after, ())
        pairs = proposal.payload.get("edits")
        try:
            after = edited(before, edits_from(pairs if isinstance(pairs, list) else []))
        except Invalid as error:
            return WaitingProposal(proposal, title, before, before, (), problem=str(error))
        return WaitingProposal(proposal, title, before, after, ())


def _turns(proposal: Proposal) -> list[str]:
    """The ids of the turns that a learned proposal names as its origins."""
    origins = proposal.payload.get("origins")
    texts = [str(one) for one in origins] if isinstance(origins, list) else []
    return [text.removeprefix("turn:") for text in texts if text.startswith("turn:")]


_SHOWN = tuple(name for name in DRAFT_FIELDS if name not in ("key", "content"))
_MOVES = {"promote": "core", "demote": "memory"}


def field_changes(entry: Entry | None, fields: Mapping[str, object]) -> tuple[FieldChange, ...]:
    """What these fields would change of an entry, or of nothing; `extra` name by name."""
    changes: list[FieldChange] = []
    for name, after in fields.items():
        before = getattr(entry, name) if entry else None
        if name == "extra":
            changes += _extra_changes(before, after)
        elif name == "scope":
            changes.append(FieldChange(name, str(before), str(after)))
        else:
            changes.append(FieldChange(name, _listed(before), _listed(after)))
    return tuple(change for change in changes if change.before != change.after and _says(change))


def _says(change: FieldChange) -> bool:
    """Whether there is something before or after; an empty hook is as good as none."""
    return not all(value in (None, "", []) for value in (change.before, change.after))


def _extra_changes(before: object, after: object) -> list[FieldChange]:
    old, new = _decoded(before), _decoded(after)
    return [
        FieldChange(f"extra.{name}", old.get(name), new.get(name))
        for name in dict.fromkeys([*old, *new])
        if name != SAMPLE_MARK
    ]


def _decoded(extra: object) -> dict[str, object]:
    try:
        decoded = json.loads(str(extra or "{}"))
    except ValueError:
        return {"": extra}
    return decoded if isinstance(decoded, dict) else {"": extra}


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def with_text(proposal: Proposal, text: str) -> dict[str, object]:
    """The proposal's payload saying `text` instead."""
    payload = dict(proposal.payload)
    if proposal.action in ("change", "correct"):
        fields = payload.get("fields")
        known = dict(fields) if isinstance(fields, Mapping) else {}
        return {**payload, "fields": {**known, "content": text}}
    return {**payload, "content": text}


def with_key(proposal: Proposal, key: str) -> dict[str, object]:
    """The proposal's payload under another key."""
    payload = dict(proposal.payload)
    if proposal.action == "store":
        return {**payload, "key": key}
    fields = payload.get("fields")
    known = dict(fields) if isinstance(fields, Mapping) else {}
    return {**payload, "fields": {**known, "key": key}}


def _text(payload: Mapping[str, object]) -> str:
    return str(payload.get("content") or "")


def _name(proposal: Proposal) -> str:
    key = proposal.payload.get("key") or proposal.payload.get("name")
    return title_of(str(key or ""), _text(proposal.payload)) or proposal.action
