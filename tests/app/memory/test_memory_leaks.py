"""Agents call whatever they like, with whatever ids and scopes they can guess; nothing that is not
theirs comes back, neither in answers nor in the words of a refusal."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.errors import KeepsakeError
from app.memory.memory import Memory
from app.outcomes import Forgotten, Saved
from app.rules.blocks import Edit
from app.rules.visibility import Standing, hearing_of, muted_by
from app.vault import Vault, open_vault
from store.instants import plus, to_instant
from store.records import ACTIVE, TRASHED, USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.fakes import FixedClock

CALLS = int(os.environ.get("KEEPSAKE_CALLS", "400"))  # 10000 for the full figure
WORD = re.compile(r"canary\d{6}x")
SCOPES = [USER, *(Scope.of(f"{kind}:{name}") for kind in ("agent", "workspace") for name in "abc")]


class World:
    """A vault with three agents, and every secret word ever written with where it was written."""

    def __init__(self, vault: Vault, clock: FixedClock, chance: random.Random) -> None:
        self.vault, self.clock, self.chance = vault, clock, chance
        self.words: dict[str, tuple[Scope, str]] = {}  # word → where, by whom
        self.ids: list[str] = ["nothing"]
        self.keys: list[str] = ["no_key"]
        for name, trust in (("a", "direct"), ("b", "review"), ("c", "read_only")):
            vault.agents.add(name, trust=trust, workspaces=[name, "b"], cloud=name == "b")
        vault.settings.set("muted_tags", "hidden: a, cloud")
        self.runs = [vault.conversations.start(Caller(), agent_id=name).id for name in "abc"]

    def scope(self) -> Scope:
        return self.chance.choice([*SCOPES, *(Scope("conversation", run) for run in self.runs)])

    def word(self, scope: Scope, actor: str) -> str:
        word = f"canary{len(self.words):06}x"
        self.words[word] = (scope, actor)
        return word

    def draft(self, scope: Scope, actor: str) -> EntryDraft:
        key = self.chance.choice([*"klm", f"key_{len(self.words)}"])  # a made one quotes the words
        end = None
        if self.chance.random() < 0.1:
            end = plus(to_instant(self.clock()), hours=self.chance.choice([-1, 1]))
        return EntryDraft(
            f"apple {self.word(scope, actor)}",
            scope,
            key=key,
            expires_at=end,
            muted_for=self.muted() if actor == "owner" else None,
            tags=("hidden",) if self.chance.random() < 0.1 else (),
            category=self.chance.choice(["core", "daily", "memory"]),
        )

    def muted(self) -> tuple[str, ...]:
        names = self.chance.sample(["a", "b", "c", "cloud", "*"], 2)
        return tuple(names[: self.chance.choice([0, 0, 0, 1, 2])])

    def owner_writes(self) -> None:
        if self.chance.random() < 0.2:
            changed = self.vault.entries.read_many([self.chance.choice(self.ids)])
            for entry in changed:
                self.vault.memory.entries.change(
                    entry.id, {"muted_for": (*entry.muted_for, *self.muted())}
                )
        scope = self.scope()
        outcome = self.vault.entries.store(self.draft(scope, "owner"))
        assert isinstance(outcome, Saved)
        self.ids.append(outcome.entry.id)
        self.keys.append(outcome.entry.key)
        if self.chance.random() < 0.2:
            self.vault.entries.forget([self.chance.choice(self.ids[1:])])
        if self.chance.random() < 0.3:
            name = self.chance.choice(["core", "archival", "summary", "session"])
            block = self.vault.blocks.find(scope, name)
            self.vault.blocks.replace(
                scope,
                name,
                f"- apple {self.word(scope, 'owner')}",
                expected_updated_at=block.updated_at if block else None,
            )

    def forbidden(self, memory: Memory) -> set[str]:
        """Words this caller must not meet now: foreign ones, others' proposals, the trash."""
        agent = memory.caller.agent
        assert agent is not None
        allowed = {USER, agent.scope, *(Scope("workspace", name) for name in agent.workspaces)}
        allowed.add(Scope("conversation", self.runs["abc".index(agent.id)]))
        words = {word for word, (scope, _) in self.words.items() if scope not in allowed}
        for proposal in self.vault.review.listed():
            if proposal.agent_id != agent.id:
                words |= set(WORD.findall(str(proposal.payload)))
        with self.vault.database.read() as db:
            trash = db.execute("SELECT content FROM entries WHERE state = 'trashed'").fetchall()
        words |= set(WORD.findall(str(trash)))
        hearing = hearing_of(agent, "hidden: a, cloud", to_instant(self.clock()))
        for entry in self.vault.entries.read_many(self.ids):
            if muted_by(entry, hearing):
                words |= set(WORD.findall(entry.content))
        return words


def calls(world: World, memory: Memory) -> dict[str, Callable[[], object]]:
    chance = world.chance
    assert memory.caller.agent is not None
    ident, key, scope = chance.choice(world.ids), chance.choice(world.keys), world.scope()
    actor = memory.caller.actor
    seq = chance.randint(1, 50)
    standing = Standing(chance.choice("abc"), chance.choice(["", *world.runs]))
    some = EntryFilter(
        scopes=chance.choice([None, (scope,), (USER, scope)]),
        state=chance.choice([ACTIVE, ACTIVE, TRASHED]),
    )
    target = world.vault.entries.read_many([ident])
    new = f"apple {world.word(target[0].scope if target else scope, actor)}"
    line = f"- apple {world.word(scope, actor)}"
    query = chance.choice(["apple", "*", f"apple scope:{scope}", "core", new])
    edit = [Edit("apple", f"apple {world.word(scope, actor)}")]
    return {
        "store": lambda: memory.entries.store(world.draft(scope, actor)),
        "read": lambda: memory.entries.read(ident),
        "find": lambda: memory.entries.find(key),
        "find there": lambda: memory.entries.find(key, scope),
        "page": lambda: memory.entries.page(some, 1000),
        "count": lambda: memory.entries.count(some),
        "change": lambda: memory.entries.change(ident, {"content": new}),
        "move": lambda: memory.entries.change(ident, {"importance": 9, "tags": ["x"]}),
        "correct": lambda: memory.entries.correct(ident, new),
        "forget": lambda: memory.entries.forget([ident]),
        "restore": lambda: memory.history.bring_back(ident, seq),
        "untrash": lambda: memory.entries.restore([ident]),
        "history": lambda: memory.history.of(ident),
        "search": lambda: memory.finding.search(query, mode="keyword", filter=some, limit=100),
        "recall": lambda: memory.finding.recall(query, limit=100),
        "preload": lambda: memory.finding.preload(query),
        "hydrate": lambda: memory.hydration.hydrate(
            budget=chance.choice([0, 500, 100_000]), standing=standing
        ),
        "hydrate as": lambda: memory.hydration.hydrate(agent_id=chance.choice("abc")),
        "why": lambda: memory.hydration.why(ident),
        "why all": lambda: memory.hydration.why_for_all(ident),
        "block": lambda: memory.blocks.read("core", scope),
        "blocks": lambda: memory.blocks.listed(),
        "replace": lambda: memory.blocks.replace(
            "core", line, expected_updated_at=None, scope=scope
        ),
        "edit": lambda: memory.blocks.edit("core", edit, scope=scope),
        "pin": lambda: memory.core.pin(ident),
        "unpin": lambda: memory.core.unpin(ident),
        "pin line": lambda: memory.core.pin_line("apple", scope),
    }


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    clock = FixedClock()
    vault = open_vault(tmp_path / "leaks.db", clock=clock)
    yield World(vault, clock, random.Random(2026))
    vault.close()


def test_nothing_foreign_ever_comes_back(world: World) -> None:
    answered = refused = 0
    for number in range(CALLS):
        world.clock.forward(minutes=world.chance.randint(0, 20))
        if number % 3 == 0:
            world.owner_writes()
        name = world.chance.choice("abc")
        agent = world.vault.agents.read(name)
        memory = world.vault.memory_for(
            Caller(
                agent,
                world.chance.choice(["", name, "b"]),
                world.chance.choice(["", world.runs["abc".index(name)]]),
            )
        )
        asked, call = world.chance.choice(list(calls(world, memory).items()))
        forbidden = world.forbidden(memory)
        try:
            answer: object = call()
            answered += 1
        except KeepsakeError as error:
            answer = str(error)
            refused += 1
        if isinstance(answer, Saved):
            world.ids.append(answer.entry.id)
            world.keys.append(answer.entry.key)
        if isinstance(answer, Forgotten):
            continue
        told = repr(answer)
        leaked = sorted(forbidden.intersection(WORD.findall(told)))
        assert not leaked, (asked, name, [world.words[word] for word in leaked])
    assert answered > CALLS / 4
    assert refused > CALLS / 10
