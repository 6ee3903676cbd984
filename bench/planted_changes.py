"""How many questions bisecting takes, over generated histories with one planted change.

    python bench/planted_changes.py [--histories 1000] [--longest 40] [--seed 7]

Each history is a real vault: memories stored, edited, forgotten and undone at random, and at a
random place the one change after which what claude should be told is gone. What counts is whether
exactly that change is found, and whether by at most ceil(log2 n) + 1 questions.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.outcomes import Forgotten, Saved
from app.proof.bisect import Bisect, first_bad
from app.proof.checks import judge
from app.proof.expectations import read_sentence
from app.vault import Vault, open_vault
from store.records import EntryDraft

WORDS = ["harbour", "lamp", "winter", "paper", "violin", "garden", "copper", "river", "engine"]


def changed_at_random(vault: Vault, chance: random.Random, idents: list[str]) -> None:
    """One change that leaves the planted memory told."""
    said = " ".join(chance.choices(WORDS, k=6))
    known = vault.memory.entries
    match chance.randrange(5) if idents else 0:
        case 0:
            saved = known.store(EntryDraft(said))
            assert isinstance(saved, Saved)
            idents.append(saved.entry.id)
        case 1:
            ident = chance.choice(idents)
            known.change(ident, {"content": f"{said} {vault.history.last_seq()}"})
        case 2:
            known.forget([idents.pop(chance.randrange(len(idents)))])
        case 3:
            saved = known.store(EntryDraft(said))
            assert isinstance(saved, Saved)
            vault.history.undo(saved.group)
        case _:
            importance = chance.randrange(1, 11)
            known.change(chance.choice(idents), {"importance": importance, "hook": said})


def planted(vault: Vault, chance: random.Random) -> int:
    """The change after which it is wrong; its number."""
    ident = vault.memory.entries.with_key("planted")[0].id
    if chance.random() < 0.5:
        forgotten = vault.memory.entries.forget([ident])
        assert isinstance(forgotten, Forgotten)
        return forgotten.group
    changed = vault.memory.entries.change(ident, {"key": "renamed"})
    assert isinstance(changed, Saved)
    return changed.group


def history(chance: random.Random, longest: int) -> tuple[bool, int, int]:
    """Whether the planted change was found, by how many questions, among how many changes."""
    vault = open_vault(ephemeral=True)
    try:
        agent, _ = vault.agents.add("claude")
        vault.memory.entries.store(EntryDraft("The key is under the stone.", key="planted"))
        start, idents = vault.history.last_seq(), list[str]()
        length = chance.randrange(1, longest + 1)
        place, wrong = chance.randrange(length), 0
        for number in range(length):
            if number == place:
                wrong = planted(vault, chance)
            else:
                changed_at_random(vault, chance, idents)
        expected, asked = read_sentence("", "", "claude is told `planted`."), 0
        walk = Bisect(vault, start)

        def good(middle: int) -> bool:
            nonlocal asked
            asked += 1
            return judge(expected, walk.after(middle), agent)[0]

        before = good(-1)
        found = first_bad(walk.groups, good)
        return before and found.id == wrong, asked, len(walk.groups)
    finally:
        vault.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--histories", type=int, default=1_000)
    parser.add_argument("--longest", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    wanted = parser.parse_args()
    chance = random.Random(wanted.seed)
    runs = [history(chance, wanted.longest) for _ in range(wanted.histories)]
    right = sum(found for found, _, _ in runs)
    within = sum(asked <= math.ceil(math.log2(n)) + 1 for _, asked, n in runs)
    print(f"{wanted.histories} histories of up to {max(n for _, _, n in runs)} changes")
    print(f"the planted change found: {right}")
    print(f"within ceil(log2 n) + 1 questions: {within} (most asked: {max(a for _, a, _ in runs)})")


if __name__ == "__main__":
    main()
