"""A made-up person's memory to look around in: one call to bring it, one to remove it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import resources
from app.access.agents import Agents
from app.access.caller_scope import Caller
from app.blocks.blocks import Blocks
from app.care.erasure import Erasure
from app.entries.entries import Entries
from app.learning.conversations import Conversations
from app.review.review import Review, payload_of
from app.rules.fields import parse_scope
from store.file.database import Database
from store.instants import Clock, to_instant
from store.records import EntryDraft, Scope
from store.tables import entry_filter
from store.tables.entry_filter import EntryFilter

FILE = Path(resources.__file__).parent / "samples" / "lena.json"
MARK = "sample"  # the extra field that tells samples from the person's own memories

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Samples:
    database: Database
    clock: Clock
    entries: Entries
    blocks: Blocks
    agents: Agents
    conversations: Conversations
    erasure: Erasure
    review: Review

    def load(self, progress: Progress | None = None) -> int:
        """Writes the samples beside whatever is there; how many memories they are."""
        samples = json.loads(FILE.read_text(encoding="utf-8"))
        known = {agent.id for agent in self.agents.list()}
        for agent in samples["agents"]:
            profile = {name: value for name, value in agent.items() if name not in ("id", "name")}
            if agent["id"] not in known:
                self.agents.add(agent["name"], agent["id"], **profile)
        memories = samples["memories"]
        writers = sorted({memory["by"] for memory in memories})
        for number, writer in enumerate(writers, 1):
            drafts = [self._draft(memory) for memory in memories if memory["by"] == writer]
            self.entries.store_many(drafts, actor=writer, source=writer, reason="Samples")
            if progress:
                progress(number, len(writers) + 1)
        self._write_blocks(samples["blocks"])
        self._write_conversation(samples["conversation"])
        self._propose(samples["proposals"])
        return len(memories)

    def remove(self) -> int:
        """Erases them, and the sample agents' scopes where nothing else was written since."""
        samples = json.loads(FILE.read_text(encoding="utf-8"))
        idents = self._ids()
        if idents:
            self.erasure.erase(idents)
        scopes = {parse_scope(memory["scope"]) for memory in samples["memories"]}
        for scope in sorted(scope for scope in scopes if scope.id):
            if not self.entries.count(EntryFilter(scopes=(scope,), state=None)):
                self.erasure.wipe(scope)
                self._retire(scope)
        for block in samples["blocks"]:
            held = self.blocks.find(parse_scope(block["scope"]), block["name"])
            if held is not None and held.content == block["content"]:
                self.blocks.replace(held.scope, held.name, "", expected_updated_at=held.updated_at)
        return len(idents)

    def _retire(self, scope: Scope) -> None:
        if scope.kind == "agent" and scope.id in {a.id for a in self.agents.list()}:
            self.agents.revoke(scope.id)

    def _ids(self) -> list[str]:
        with self.database.read() as db:
            return entry_filter.ids_with_extra(db, MARK)

    def _draft(self, memory: Mapping[str, Any]) -> EntryDraft:
        written = to_instant(self.clock() - timedelta(days=memory["days"]))
        return EntryDraft(
            content=memory["content"],
            scope=parse_scope(memory["scope"]),
            key=memory["key"],
            hook=memory["hook"],
            category=memory["category"],
            kind=memory["kind"],
            importance=memory["importance"],
            tags=tuple(memory["tags"]),
            extra=json.dumps({MARK: True}),
            created_at=written,
            written_at=written,
        )

    def _write_blocks(self, blocks: list[Mapping[str, str]]) -> None:
        for block in blocks:
            scope = parse_scope(block["scope"])
            if self.blocks.find(scope, block["name"]) is None:
                writer = str(scope) if scope.kind == "agent" else "owner"
                self.blocks.replace(
                    scope, block["name"], block["content"], expected_updated_at=None, actor=writer
                )

    def _write_conversation(self, sample: Mapping[str, Any]) -> None:
        agent = self.agents.read(sample["agent"])
        if agent.revoked_at is not None:
            return
        caller = Caller(
            agent, sample["workspace"] if sample["workspace"] in agent.workspaces else ""
        )
        run = self.conversations.start(
            caller, workspace_id=caller.workspace_id, title=sample["title"]
        )
        turns = [(role, content) for role, content in sample["turns"]]
        self.conversations.append(caller, run.id, turns)

    def _propose(self, proposals: list[Mapping[str, Any]]) -> None:
        for sample in proposals:
            scope = parse_scope(sample["scope"])
            draft = EntryDraft(
                sample["content"],
                scope,
                sample["key"],
                kind=sample["kind"],
                tags=tuple(sample["tags"]),
                category="memory",
                importance=5,
            )
            self.review.propose(
                sample["agent"], "store", scope, payload_of(draft), reason=sample["reason"]
            )
