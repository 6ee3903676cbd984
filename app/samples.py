"""A made-up person's memory to look around in: two months of it, written by her and three agents.

One call brings it, one removes it, one takes the removing back. The agents are the samples' own, by
their ids too, so that nothing gets among what a person's agent knows. What the person wrote or
rewrote, and sample agents that they use or set up themselves, are theirs: they stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import resources
from app.access.caller_scope import Caller
from app.blocks.blocks import BlockSaved
from app.entries.browse import Draft
from app.entries.entries import Entries
from app.errors import Refused
from app.review.review import payload_of
from app.rules.fields import parse_scope
from store.instants import to_instant
from store.records import ACTIVE, SAMPLE_MARK, Agent, Entry, EntryDraft
from store.tables import entry_filter
from store.tables.proposals import APPROVED

if TYPE_CHECKING:
    from app.vault import Vault

FILE = Path(resources.__file__).parent / "samples" / "lena.json"
SET = ("content", "hook", "category", "kind", "importance", "tags")  # what makes it a sample still

Progress = Callable[[int, int], None]
Sample = Mapping[str, Any]


class RemovedSamples(NamedTuple):
    """What went, so that it can come back: `group` is the forgetting of the memories."""

    memories: int
    spared: int  # rewritten by the person, and still there
    group: int | None
    agents: tuple[str, ...]
    proposals: int | None  # the removing of what their agents proposed
    blocks: tuple[int, ...]  # the emptying of each of their blocks
    actions: range  # the change groups of all of it


class _Write(NamedTuple):
    """One version of one sample."""

    at: datetime
    by: str
    content: str
    sample: Sample


@dataclass(slots=True)
class Samples:
    vault: Vault

    def load(self, progress: Progress | None = None) -> int:
        """Writes the samples beside whatever is there; how many memories they are."""
        samples = _read()
        self._let_in(samples["agents"])
        known = self._marked()
        taken = self._taken(samples, known)
        writes = self._writes([one for one in samples["memories"] if _name(one) not in taken])
        for number, write in enumerate(writes):
            self._store(write, known)
            if progress and number % 10 == 0:
                progress(number, len(writes))
        self._write_blocks(samples["blocks"])
        self._write_conversation(samples["conversation"])
        if not any(entry.state == ACTIVE for entry in known.values()):
            self._propose(samples["proposals"])  # else what was decided would wait again
        self._keep_draft(samples)
        return len(samples["memories"]) - len(taken)

    def remove(self) -> RemovedSamples:
        """Puts them into the trash, as one action, and retires their agents; what the person
        rewrote or uses stays."""
        samples, first = _read(), self._last_action() + 1
        marked = [entry for entry in self._marked().values() if entry.state == ACTIVE]
        versions = _versions(samples)
        own = [entry.id for entry in marked if _is_sample(entry, versions)]
        self._drop_draft(samples["draft"])
        forgotten = self.vault.entries.forget(own, reason="Samples") if own else None
        blocks = tuple(self._empty_blocks(samples["blocks"]))
        retired = tuple(self._retire(samples))
        group = forgotten.group if forgotten else None
        proposals = self._remove_proposals(retired)
        spared, actions = len(marked) - len(own), range(first, self._last_action() + 1)
        return RemovedSamples(len(own), spared, group, retired, proposals, blocks, actions)

    def restore(self, removed: RemovedSamples) -> None:
        """Takes `remove` back."""
        samples = _read()
        self._let_in([agent for agent in samples["agents"] if agent["id"] in removed.agents])
        if removed.group is not None:
            self.vault.history.undo(removed.group)
        if removed.proposals is not None:
            self.vault.history.undo(removed.proposals)
        for emptied in reversed(removed.blocks):
            with suppress(Refused):  # somebody wrote it meanwhile
                self.vault.history.undo(emptied)
        if samples["conversation"]["agent"] in removed.agents:
            self._write_conversation(samples["conversation"])
        self._keep_draft(samples)

    def _last_action(self) -> int:
        return max((group.id for group in self.vault.history.groups(limit=1)), default=0)

    # Memories

    def _taken(self, samples: Sample, known: Mapping[str, Entry]) -> set[str]:
        """The names of samples in whose place the person's own memory stands, or their text."""
        versions, taken = _versions(samples), set()
        for sample in samples["memories"]:
            held = known.get(_name(sample))
            if sample["key"] and (held is None or held.state != ACTIVE):
                held = self.vault.entries.find(parse_scope(sample["scope"]), sample["key"])
            if held is not None and held.state == ACTIVE and not _is_sample(held, versions):
                taken.add(_name(sample))
        return taken

    def _marked(self) -> dict[str, Entry]:
        """What carries the mark, by the name of its sample; an active one before a trashed one."""
        with self.vault.database.read() as db:
            idents = entry_filter.ids_with_extra(db, SAMPLE_MARK)
        found = self.vault.entries.read_many(idents)
        found.sort(key=lambda entry: entry.state == ACTIVE)
        return {str(json.loads(entry.extra)[SAMPLE_MARK]): entry for entry in found}

    def _writes(self, memories: Sequence[Sample]) -> list[_Write]:
        """Every version of every sample in the order of their time."""
        now = self.vault.clock()
        found = [
            _Write(now - timedelta(days=one["days"]), one["by"], one["content"], memory)
            for memory in memories
            for one in (*memory.get("before", ()), memory)
        ]
        return sorted(found, key=lambda write: write.at)

    def _store(self, write: _Write, known: Mapping[str, Entry]) -> None:
        """Writes one version at its own time, as if it had been written then."""
        if not write.sample["key"] and _name(write.sample) in known:
            held = known[_name(write.sample)]
            if held.state == ACTIVE:
                return  # there already, and without a key it would come a second time
        then = Entries(self.vault.database, lambda: write.at, self.vault.entries.writes)
        then.store(_draft(write), actor=write.by, source=write.by, reason="Samples")

    # Agents

    def _let_in(self, agents: Sequence[Sample]) -> None:
        """Those that are new, and those that went with the samples before."""
        known = {agent.id: agent for agent in self.vault.agents.list()}
        for sample in agents:
            profile = {name: value for name, value in sample.items() if name not in ("id", "name")}
            held = known.get(sample["id"])
            if held is None:
                self.vault.agents.add(sample["name"], sample["id"], **profile)
            elif held.revoked_at is not None:
                self.vault.agents.rotate(held.id)

    def _retire(self, samples: Sample) -> list[str]:
        """Revokes the agents that nobody uses, and takes what they said along."""
        retired = []
        held = {agent.id: agent for agent in self.vault.agents.list()}
        for sample in samples["agents"]:
            agent = held.get(sample["id"])
            if agent is None or agent.revoked_at is not None or self._is_used(agent, sample):
                continue
            self._drop_conversation(agent, samples["conversation"])
            self.vault.agents.revoke(agent.id)
            retired.append(agent.id)
        return retired

    def _is_used(self, agent: Agent, sample: Sample) -> bool:
        """Whether it called, was given another token while it had one, or was set up otherwise."""
        rotated = any(
            one.before == one.after == {"revoked": False} for one in self.vault.history.of(agent.id)
        )
        changed = any(
            getattr(agent, name) != (tuple(value) if isinstance(value, list) else value)
            for name, value in sample.items()
        )
        return bool(agent.calls or agent.last_seen_at) or changed or rotated

    # The rest

    def _write_blocks(self, blocks: Sequence[Sample]) -> None:
        for block in blocks:
            scope = parse_scope(block["scope"])
            held = self.vault.blocks.find(scope, block["name"])
            if held is None or not held.content:
                writer = str(scope) if scope.kind == "agent" else "owner"
                read = held.updated_at if held else None
                self.vault.blocks.replace(
                    scope, block["name"], block["content"], expected_updated_at=read, actor=writer
                )

    def _empty_blocks(self, blocks: Sequence[Sample]) -> Iterator[int]:
        for block in blocks:
            held = self.vault.blocks.find(parse_scope(block["scope"]), block["name"])
            if held is not None and held.content == block["content"]:
                saved = self.vault.blocks.replace(
                    held.scope, held.name, "", expected_updated_at=held.updated_at
                )
                if isinstance(saved, BlockSaved):
                    yield saved.group

    def _write_conversation(self, sample: Sample) -> None:
        agent = self.vault.agents.read(sample["agent"])
        if agent.revoked_at is not None:
            return
        caller = Caller(
            agent, sample["workspace"] if sample["workspace"] in agent.workspaces else ""
        )
        held = self.vault.conversations.page(caller).conversations
        if any(one.title == sample["title"] for one in held):
            return
        run = self.vault.conversations.start(
            caller, workspace_id=caller.workspace_id, title=sample["title"]
        )
        turns = [(role, content) for role, content in sample["turns"]]
        self.vault.conversations.append(caller, run.id, turns)

    def _drop_conversation(self, agent: Agent, sample: Sample) -> None:
        if agent.id != sample["agent"]:
            return
        found = self.vault.conversations.page(Caller(), agent_id=agent.id)
        for run in found.conversations:
            if run.title == sample["title"]:
                self.vault.conversations.delete(Caller(), run.id)

    def _propose(self, proposals: Sequence[Sample]) -> None:
        waiting = {(one.agent_id, one.reason) for one in self.vault.review.listed()}
        for sample in proposals:
            if (sample["agent"], sample["reason"]) in waiting:
                continue
            scope = parse_scope(sample["scope"])
            if sample.get("action") == "change":
                entry = self.vault.entries.find(scope, sample["key"])
                payload: dict[str, object] = {"fields": dict(sample["fields"])}
                action, ident = "change", entry.id if entry else ""
                if entry is None:
                    continue
            else:
                write = _Write(self.vault.clock(), "", sample["content"], _proposed(sample))
                draft = replace(_draft(write), created_at=None, written_at=None)
                action, ident, payload = "store", "", payload_of(draft)
            self.vault.review.propose(
                sample["agent"], action, scope, payload, ident, reason=sample["reason"]
            )

    def _remove_proposals(self, agents: Sequence[str]) -> int | None:
        """What they proposed is made up, too, and no decision about it is one of the person's to
        keep. What was approved went with the memories."""
        review = self.vault.review
        found = [
            one.id
            for agent in agents
            for one in review.listed(None, agent_id=agent)
            if one.state != APPROVED
        ]
        return review.remove(found, reason="Samples") if found else None

    def _keep_draft(self, samples: Sample) -> None:
        """An edit begun before an agent wrote the same memory: a conflict to look at."""
        sample = samples["draft"]
        entry = self.vault.entries.find(parse_scope(sample["scope"]), sample["key"])
        if entry is None or not _is_sample(entry, _versions(samples)):
            return
        slot = f"entry:{entry.id}"
        if self.vault.drafts.read(slot) is None:
            fields = {"content": sample["content"]}
            self.vault.drafts.keep(Draft(slot, entry.created_at, fields))

    def _drop_draft(self, sample: Sample) -> None:
        entry = self.vault.entries.find(parse_scope(sample["scope"]), sample["key"])
        draft = self.vault.drafts.read(f"entry:{entry.id}") if entry else None
        if draft is not None and draft.fields.get("content") == sample["content"]:
            self.vault.drafts.drop(draft.slot)


def _read() -> dict[str, Any]:
    samples: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return samples


def _name(sample: Sample) -> str:
    """What a memory's mark says, so that it is known again when its text was changed."""
    return str(sample["key"] or sample["content"][:24])


def _draft(write: _Write) -> EntryDraft:
    sample, at = write.sample, to_instant(write.at)
    return EntryDraft(
        content=write.content,
        scope=parse_scope(sample["scope"]),
        key=sample["key"] or None,
        hook=sample["hook"],
        category=sample["category"],
        kind=sample["kind"],
        importance=sample["importance"],
        tags=tuple(sample["tags"]),
        extra=json.dumps({SAMPLE_MARK: _name(sample)}),
        created_at=at,
        written_at=at,
    )


def _proposed(sample: Sample) -> Sample:
    """What a proposal to store becomes when it is approved."""
    return {"hook": "", "category": "memory", "importance": 5, **sample}


def _versions(samples: Sample) -> dict[str, list[Sample]]:
    """What each sample says, and what it says once a proposal about it is approved."""
    found: dict[str, list[Sample]] = {_name(one): [one] for one in samples["memories"]}
    for one in samples["proposals"]:
        held = found.setdefault(_name(one), [_proposed(one)])
        if one.get("action") == "change":
            held.append({**held[0], **one["fields"]})
    return found


def _is_sample(entry: Entry, versions: Mapping[str, Sequence[Sample]]) -> bool:
    """Whether it still says what the sample says, or what a sample's agent wanted it to say."""
    return any(
        str(entry.scope) == sample["scope"]
        and all(getattr(entry, name) == _said(sample, name) for name in SET)
        for sample in versions.get(str(json.loads(entry.extra or "{}").get(SAMPLE_MARK)), ())
    )


def _said(sample: Sample, name: str) -> object:
    return tuple(sample[name]) if name == "tags" else sample[name]
