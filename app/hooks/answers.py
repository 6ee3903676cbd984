"""What a hook is answered: the hydrated text when a run begins, and at each prompt the memories
that match it and were not told yet in this run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.access.caller_scope import Caller
from app.access.workspace_names import workspace_worked_in
from app.errors import NotFound
from app.hooks.calls import SESSION_START, HookAnswer, HookCall
from app.hooks.folder import HookFolder
from app.hooks.transcripts import said
from app.memory import call_log
from app.rules.preload import preload
from app.vault import Vault, open_vault
from store.instants import to_instant
from store.records import Agent, Entry
from store.tables import fulltext, proposals

if TYPE_CHECKING:
    from app.memory.memory import Memory

DOOR = "hook"
PROMPT_MEMORIES = 8
PROMPT_BYTES = 4_096
PROMPT_WORDS = 60
WORDS_LEAST = 0.34
"""By words alone: the share of the prompt's own words that a memory must have."""
# The most characters a client hands on from a hook; Claude Code puts more into a file.
ROOM = {"claude-code": 48_000}


class HookAnswers:
    """`by_meaning` False answers by words alone, for a process that has no time to load a model."""

    def __init__(self, vault: Vault, *, by_meaning: bool = True) -> None:
        self._vault = vault
        self._folder = HookFolder(vault.path)
        self._by_meaning = by_meaning

    def answer(self, call: HookCall) -> HookAnswer:
        agent = self._agent(call)
        if agent is None:
            return HookAnswer()
        workspace = workspace_worked_in(agent, call.folder)
        memory = self._vault.memory_for(Caller(agent, workspace))
        if call.event == SESSION_START:
            return self._started(call, memory, agent)
        return self._prompted(call, memory, agent)

    def _agent(self, call: HookCall) -> Agent | None:
        """None for one that is shut out: it is told nothing."""
        try:
            agent = self._vault.agents.read(call.agent)
        except NotFound as error:
            raise NotFound(
                f"{error} Say keepsake connect {call.client} --hooks --write, or name one with "
                "--agent in the client's hooks."
            ) from error
        return agent if agent.revoked_at is None else None

    def _started(self, call: HookCall, memory: Memory, agent: Agent) -> HookAnswer:
        room = ROOM.get(call.client)
        found = memory.hydration.hydrate_within(
            room, budget=memory.hydration.budget, looking=True
        ).hydration
        shown = call_log.items(found.included)
        self._folder.tell(call.session, shown, anew=True)
        self._note(call, agent, json.dumps({"source": call.source, "folder": call.folder}), shown)
        with self._vault.database.read() as db:
            waiting = proposals.count_pending(db)
        message = sentence(len(found.included), found.used if found.included else 0, waiting)
        return HookAnswer(found.text, message)

    def _prompted(self, call: HookCall, memory: Memory, agent: Agent) -> HookAnswer:
        prompt = said(call.prompt)
        if not prompt or prompt.startswith("/") or not agent.layers.long_term:
            return HookAnswer()
        told = set(self._folder.told(call.session))
        matching = self._matching(memory, prompt)
        fresh = [entry for entry in matching if entry.id not in told]
        found = preload(fresh, PROMPT_MEMORIES, PROMPT_BYTES, memory.finding.told_day)
        if not found.entries:
            return HookAnswer()
        shown = [entry.id for entry in found.entries]
        self._folder.tell(call.session, shown)
        self._note(call, agent, prompt, shown)
        return HookAnswer(found.text)

    def _matching(self, memory: Memory, prompt: str) -> Sequence[Entry]:
        if self._by_meaning:
            most = min(memory.finding.recall_budget, 3 * PROMPT_MEMORIES)
            return memory.finding.preload(prompt, limit=most, looking=True).entries
        words = " ".join(fulltext.words(prompt)[:PROMPT_WORDS])
        if not words:
            return ()
        hits = memory.finding.search(words, mode="keyword", limit=3 * PROMPT_MEMORIES)
        return [hit.entry for hit in hits if hit.score >= WORDS_LEAST]

    def _note(self, call: HookCall, agent: Agent, asked: str, shown: Sequence[str]) -> None:
        """For the log of calls. It is written by whoever takes the queue: telling waits for
        nobody's write."""
        at = to_instant(self._vault.clock())
        item = {
            "kind": "call",
            "at": at,
            "agent": agent.id,
            "call": f"{call.client} {call.event}",
            "asked": asked[: call_log.ASKED_CHARS],
            "shown": list(shown),
        }
        self._folder.queue(f"call {at} {call.session} {asked}", item)


def sentence(memories: int, size: int, waiting: int) -> str:
    """For the person, once a run."""
    things = "1 memory" if memories == 1 else f"{memories:,} memories"
    bulk = f"{size / 1024:.1f} KB" if size >= 1024 else f"{size} bytes"
    parts = [f"Keepsake: {things}, {bulk}" if memories else "Keepsake: no memories yet"]
    if waiting:
        parts.append("1 waits for review" if waiting == 1 else f"{waiting:,} wait for review")
    return "; ".join(parts)


def answer_alone(call: HookCall, path: Path) -> HookAnswer:
    """By a process that opens the vault for this alone: by words, without a model and without a
    write. The vault is not closed in order: the process ends, and nothing of it waits."""
    return HookAnswers(open_vault(path), by_meaning=False).answer(call)
