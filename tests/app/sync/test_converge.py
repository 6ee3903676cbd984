"""Three machines that write at random, with a carrier that delays, reorders, doubles and loses for
a while: at the end all say the same, nothing was lost, and nothing erased is anywhere."""

from __future__ import annotations

import random
import shutil
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from app.access.caller_scope import Caller
from app.outcomes import Saved
from app.sync import exchange
from app.vault import Vault
from store.errors import KeepsakeError
from store.records import USER, Entry, EntryDraft, Scope
from tests.app.sync.conftest import MachineMaker


class Carrier:
    """Brings the files of each machine's folder to the others', as badly as it can."""

    def __init__(self, folders: list[Path], chance: random.Random) -> None:
        self.folders = folders
        self.chance = chance

    def carry(self, *, everything: bool = False) -> None:
        for source in self.folders:
            for target in self.folders:
                if source is not target:
                    self._between(source, target, everything)

    def _between(self, source: Path, target: Path, everything: bool) -> None:
        own = _owner_of(source)
        names = [path.name for path in source.iterdir() if path.name.startswith(own)]
        self.chance.shuffle(names)
        for name in names:
            if everything or self.chance.random() < 0.5:
                raw = (source / name).read_bytes()
                if not everything and self.chance.random() < 0.1:
                    raw = raw[: self.chance.randrange(len(raw))]
                (target / name).write_bytes(raw)
        gone = [p for p in target.iterdir() if p.name.startswith(own) and p.name not in names]
        for path in gone:
            if everything or self.chance.random() < 0.5:
                path.unlink()


def _owner_of(folder: Path) -> str:
    return (folder / "owner").read_text()


class Person:
    """Does something at random on one machine; every text it writes has a word of its own."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.word = 0
        self.kept: dict[str, str] = {}  # word: the thing it was written into
        self.erased: set[str] = set()
        self.done: Counter[str] = Counter()

    def new_word(self, ident: str = "") -> str:
        self.word += 1
        word = f"wq{self.word:06}zx"
        if ident:
            self.kept[word] = ident
        return word

    def act(self, vault: Vault) -> None:
        deeds = (
            *(self.store, self.store, self.edit, self.edit, self.edit_block, self.edit_block),
            *(self.forget, self.restore, self.erase, self.undo, self.retag, self.rename),
            *(self.propose, self.decide, self.importance),
        )
        deed = self.chance.choice(deeds)
        with suppress(KeepsakeError):  # what cannot be done just now
            deed(vault)
            self.done[deed.__name__] += 1

    def one(self, vault: Vault, state: str = "active") -> Entry | None:
        with vault.database.read() as db:
            ids = [
                row[0]
                for row in db.execute(
                    "SELECT id FROM entries WHERE state = ? ORDER BY id", (state,)
                )
            ]
        return vault.entries.read(self.chance.choice(ids)) if ids else None

    def store(self, vault: Vault) -> None:
        key = f"key{self.chance.randrange(12)}"
        word = self.new_word()
        saved = vault.memory.entries.store(
            EntryDraft(f"First {word} words\nand a second line", key=f"{key}_{word}")
        )
        assert isinstance(saved, Saved)
        self.kept[word] = saved.entry.id
        if self.chance.random() < 0.3:  # a key that others may take as well
            vault.memory.entries.change(saved.entry.id, {"key": key})

    def edit(self, vault: Vault) -> None:
        entry = self.one(vault)
        if entry:
            at = self.chance.randrange(len(entry.content) + 1)
            while 0 < at < len(entry.content) and entry.content[at - 1 : at + 1].isalnum():
                at -= 1
            word = self.new_word()
            content = f"{entry.content[:at]} {word} {entry.content[at:]}"
            vault.memory.entries.change(entry.id, {"content": content})
            self.kept[word] = entry.id

    def edit_block(self, vault: Vault) -> None:
        scope = self.chance.choice((USER, Scope("workspace", "shop")))
        block = vault.blocks.find(scope, "archival")
        word = self.new_word()
        content = f"{block.content if block else ''}- line {word}\n"
        vault.memory.blocks.replace(
            "archival",
            content,
            expected_updated_at=block.updated_at if block else None,
            scope=scope,
        )
        self.kept[word] = f"block {scope}"

    def forget(self, vault: Vault) -> None:
        if entry := self.one(vault):
            vault.memory.entries.forget([entry.id])

    def restore(self, vault: Vault) -> None:
        if entry := self.one(vault, "trashed"):
            vault.memory.entries.restore([entry.id])

    def erase(self, vault: Vault) -> None:
        entry = self.one(vault, self.chance.choice(("active", "trashed")))
        if entry and self.chance.random() < 0.4:
            vault.erasure.erase([entry.id])
            self.erased.add(entry.id)

    def undo(self, vault: Vault) -> None:
        # Only what does not take words away: those are counted.
        group = next(iter(vault.history.groups(limit=1)), None)
        if group and group.action in ("forgot", "restored", "changed", "synced"):
            touched = vault.history.changes_of(group.id)
            if any("content" in (line.after or {}) or line.action == "created" for line in touched):
                return
            vault.history.undo(group.id)

    def retag(self, vault: Vault) -> None:
        if entry := self.one(vault):
            tags = tuple(self.chance.sample(("a", "b", "c", "d"), self.chance.randrange(4)))
            vault.memory.entries.change(entry.id, {"tags": tags})

    def importance(self, vault: Vault) -> None:
        if entry := self.one(vault):
            vault.memory.entries.change(entry.id, {"importance": self.chance.randrange(1, 11)})

    def rename(self, vault: Vault) -> None:
        if entry := self.one(vault):
            vault.memory.entries.change(entry.id, {"key": f"key{self.chance.randrange(12)}"})

    def propose(self, vault: Vault) -> None:
        agent = vault.agents.read("helper")
        vault.memory_for(Caller(agent)).entries.store(EntryDraft(f"Proposed {self.new_word()}"))

    def decide(self, vault: Vault) -> None:
        waiting = vault.review.listed(state="pending")
        if waiting:
            proposal = self.chance.choice(waiting)
            if self.chance.random() < 0.5:
                vault.review.approve(proposal.id)
            else:
                vault.review.reject([proposal.id])


def exported(vault: Vault) -> dict[str, object]:
    """All that the machines share, as rows without what is a row's own business."""
    with vault.database.read() as db:
        found = {
            "entries": db.execute(
                """SELECT id, scope, key, content, hook, category, kind, importance, tags, source,
                          state, created_at, written_at, expires_at, extra
                     FROM entries ORDER BY id"""
            ).fetchall(),
            "blocks": db.execute(
                "SELECT id, scope, name, content, source FROM blocks ORDER BY id"
            ).fetchall(),
            "proposals": db.execute(
                "SELECT id, action, payload, state FROM proposals ORDER BY id"
            ).fetchall(),
            "agents": db.execute("SELECT id, name, profile FROM agents ORDER BY id").fetchall(),
        }
    return found


def files_of(vault: Vault, target: Path) -> dict[str, bytes]:
    """The markdown of everything, byte for byte."""
    shutil.rmtree(target, ignore_errors=True)
    vault.export.to_folder(target)
    return {
        str(path.relative_to(target)): path.read_bytes()
        for path in sorted(target.rglob("*"))
        if path.is_file()
    }


def words_in_files(vault: Vault, folder: Path) -> str:
    """Every byte of a machine and of its folder, the folder's files opened."""
    member = vault.machines.membership
    assert member is not None
    keys = vault.machines._us.held(member)
    said = [
        path.read_bytes()
        for path in vault.path.parent.rglob("*")
        if path.is_file() and path.suffix != ".json"
    ]
    for machine, counters in exchange.SyncFolder(folder, "").files().items():
        for counter in counters:
            raw = (folder / exchange.file_name(machine, counter)).read_bytes()
            said.append(exchange.opened(raw, keys, machine, counter).data)
    return b"\0".join(said).decode("latin-1")


def run(machine: MachineMaker, tmp_path: Path, rounds: int, seed: int) -> Person:
    chance = random.Random(seed)
    hours = {"one": 0.0, "two": 24.0, "three": -24.0}
    vaults = [machine(name, hours=off) for name, off in hours.items()]
    folders = [tmp_path / f"folder-{name}" for name in hours]
    vaults[0].agents.add("Helper", "helper", trust="review")
    phrase = vaults[0].machines.add(folders[0], "one")
    for vault, folder, name in zip(vaults[1:], folders[1:], list(hours)[1:], strict=True):
        shutil.copytree(folders[0], folder)
        vault.machines.join(folder, phrase, name)
        (folder / "owner").unlink(missing_ok=True)
    for vault, folder in zip(vaults, folders, strict=True):
        member = vault.machines.membership
        assert member is not None
        (folder / "owner").write_text(member.machine)
    carrier, person = Carrier(folders, chance), Person(chance)
    for _ in range(rounds):
        vault = chance.choice(vaults)
        person.act(vault)
        vault.clock.forward(minutes=1)  # type: ignore[attr-defined]
        if chance.random() < 0.5:
            carrier.carry()
        if chance.random() < 0.5:
            chance.choice(vaults).machines.sync()
    for _ in range(6):
        for vault in vaults:
            vault.machines.sync()
        carrier.carry(everything=True)
    _compare(vaults, folders, person, tmp_path)
    return person


def _compare(vaults: list[Vault], folders: list[Path], person: Person, tmp_path: Path) -> None:
    first, *others = [exported(vault) for vault in vaults]
    for other in others:
        for table in first:
            assert first[table] == other[table], table
    texts, *other_texts = [files_of(vault, tmp_path / "export") for vault in vaults]
    for other_files in other_texts:
        assert texts == other_files
    alive = str(first)
    lost = [w for w, i in person.kept.items() if i not in person.erased and w not in alive]
    assert lost == []
    for vault, folder in zip(vaults, folders, strict=True):
        assert vault.machines.status().erasing == ()
        everywhere = words_in_files(vault, folder)
        left = [w for w, i in person.kept.items() if i in person.erased and w in everywhere]
        assert left == []
        assert vault.machines.sync().waits == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_three_machines_say_the_same_in_the_end(
    machine: MachineMaker, tmp_path: Path, seed: int
) -> None:
    run(machine, tmp_path, 60, seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_rounds(machine: MachineMaker, tmp_path: Path) -> None:
    person = run(machine, tmp_path, 1_000, seed=7)
    sys.stderr.write(f"\n{sum(person.done.values())} acts on three machines: {person.done}\n")
    assert min(person.done.values()) > 5
    assert len(person.done) == 12
