"""A made-up person's memory to look around in: one call to bring it, one to remove it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import resources
from app.access.caller_scope import Caller
from app.review.review import payload_of
from app.rules.fields import parse_scope
from store.instants import to_instant
from store.records import EntryDraft, Scope
from store.tables import entry_filter
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from app.vault import Vault

FILE = Path(resources.__file__).parent / "samples" / "lena.json"
MARK = "sample"  # the extra field that tells samples from the person's own memories

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Samples:
    vault: Vault

    def load(self, progress: Progress | None = None) -> int:
        """Writes the samples beside whatever is there; how many memories they are."""
        samples = json.loads(FILE.read_text(encoding="utf-8"))
        known = {agent.id for agent in self.vault.agents.list()}
        for agent in samples["agents"]:
            profile = {name: value for name, value in agent.items() if name not in ("id", "name")}
            if agent["id"] not in known:
                self.vault.agents.add(agent["name"], agent["id"], **profile)
        memories = samples["memories"]
        writers = sorted({memory["by"] for memory in memories})
        for number, writer in enumerate(writers, 1):
            drafts = [self._draft(memory) for memory in memories if memory["by"] == writer]
            self.vault.entries.store_many(drafts, actor=writer, source=writer, reason="Samples")
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
            self.vault.erasure.erase(idents)
        scopes = {parse_scope(memory["scope"]) for memory in samples["memories"]}
        for scope in sorted(scope for scope in scopes if scope.id):
            if not self.vault.entries.count(EntryFilter(scopes=(scope,), state=None)):
                self.vault.erasure.wipe(scope)
                self._retire(scope)
        for block in samples["blocks"]:
            held = self.vault.blocks.find(parse_scope(block["scope"]), block["name"])
            if held is not None and held.content == block["content"]:
                self.vault.blocks.replace(
                    held.scope, held.name, "", expected_updated_at=held.updated_at
                )
        return len(idents)

    def _retire(self, scope: Scope) -> None:
        if scope.kind == "agent" and scope.id in {a.id for a in self.vault.agents.list()}:
            self.vault.agents.revoke(scope.id)

    def _ids(self) -> list[str]:
        with self.vault.database.read() as db:
            return entry_filter.ids_with_extra(db, MARK)

    def _draft(self, memory: Mapping[str, Any]) -> EntryDraft:
        written = to_instant(self.vault.clock() - timedelta(days=memory["days"]))
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
            if self.vault.blocks.find(scope, block["name"]) is None:
                writer = str(scope) if scope.kind == "agent" else "owner"
                self.vault.blocks.replace(
                    scope, block["name"], block["content"], expected_updated_at=None, actor=writer
                )

    def _write_conversation(self, sample: Mapping[str, Any]) -> None:
        agent = self.vault.agents.read(sample["agent"])
        if agent.revoked_at is not None:
            return
        caller = Caller(
            agent, sample["workspace"] if sample["workspace"] in agent.workspaces else ""
        )
        run = self.vault.conversations.start(
            caller, workspace_id=caller.workspace_id, title=sample["title"]
        )
        turns = [(role, content) for role, content in sample["turns"]]
        self.vault.conversations.append(caller, run.id, turns)

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
            self.vault.review.propose(
                sample["agent"], "store", scope, payload_of(draft), reason=sample["reason"]
            )
