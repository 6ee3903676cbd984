"""An erase always ends: killed at a random moment, or met by a full disk or a mirrored folder that
is read-only or not mounted, it is finished by the next start and upkeep, and says `done` only then.

The long run: `pytest -m slow -n0 tests/app/care/test_erase_killed.py -s`.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.care.erasure import Removal
from app.outcomes import Conflict, Saved
from app.vault import Vault, open_vault
from store.errors import DiskFull
from store.instants import to_instant
from store.records import USER, EntryDraft, Scope
from store.tables import idempotency
from tests.app.care.test_restore_killed import at_each_step
from tests.app.learning.talks import a_talk, an_agent
from tests.fakes import FakeEmbedder, FixedClock
from tests.store.care.converting import forked

SHOP, ALPHA = Scope("workspace", "shop"), Scope("agent", "alpha")
KINDS = ("entry", "block", "proposal", "conversation", "scope", "past")
HINDRANCES = ("kill", "kill", "kill", "full disk", "read-only mirror", "unmounted mirror")
DISK = "size=24m"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")


def opened(folder: Path) -> Vault:
    clock = FixedClock()
    return open_vault(folder / "v.db", clock=clock, embedder=lambda _: FakeEmbedder())


def word(kind: str, number: int = 0) -> str:
    """Stands nowhere else; its end of eight bytes neither."""
    return f"zq{number}{kind[:4]}{random.Random(f'{kind}{number}').getrandbits(40):010x}"


@dataclass(frozen=True)
class Template:
    """A vault with something of each kind, and what erases it."""

    folder: Path
    removals: dict[str, Removal]
    steps: dict[str, int]


def stored(vault: Vault, content: str, scope: Scope, key: str) -> str:
    outcome = vault.entries.store(EntryDraft(content, scope=scope, key=key))
    assert isinstance(outcome, Saved)
    return outcome.entry.id


def said_to(vault: Vault, text: str, *things: str) -> None:
    """Asked in vain, and answered to somebody."""
    vault.calls.record("alpha", "mcp", "memory_store", f'{{"content": "{text}"}}', [], "MEM-005")
    vault.calls.flush()
    with vault.database.write() as db:
        at = to_instant(vault.clock())
        assert idempotency.claim(db, "owner", f"key-{text}", b"digest", at, things)
        idempotency.answer(db, "owner", f"key-{text}", 200, text.encode())


def an_entry(vault: Vault) -> Removal:
    ident = stored(vault, f"was {word('entry')}", SHOP, "secret")
    vault.entries.change(ident, {"content": f"is {word('entry', 1)}", "hook": word("entry", 2)})
    said_to(vault, word("entry"), ident)
    return Removal((ident,))


def a_block(vault: Vault, kind: str, name: str) -> str:
    made = vault.blocks.replace(USER, name, word(kind), expected_updated_at=None)
    assert not isinstance(made, Conflict)
    said_to(vault, word(kind), made.block.id)
    return made.block.id


def a_proposal(vault: Vault) -> Removal:
    asked = {"content": word("proposal"), "key": "p"}
    proposal = vault.review.propose("alpha", "store", USER, asked, reason=word("proposal", 1))
    vault.review.reject([proposal.id], reason=word("proposal", 2))
    said_to(vault, word("proposal"), proposal.id)
    return Removal(proposals=(proposal.id,))


def a_conversation(vault: Vault) -> Removal:
    talk = a_talk(
        vault, an_agent(vault, "Beta"), word("conversation"), title=word("conversation", 1)
    )
    said_to(vault, word("conversation"), talk.id)
    return Removal(conversations=(talk.id,))


def a_scope(vault: Vault) -> Removal:
    stored(vault, word("scope"), ALPHA, "of-alpha")
    vault.blocks.replace(ALPHA, "core", word("scope", 1), expected_updated_at=None)
    vault.review.propose("alpha", "store", ALPHA, {"content": word("scope", 2), "key": "q"})
    return Removal(scope=str(ALPHA))


def a_template(folder: Path) -> Template:
    folder.mkdir()
    with closing(opened(folder)) as vault:
        vault.agents.add("Alpha", trust="review")
        vault.mirrors.add(folder / "notes", SHOP)
        vault.mirrors.add(folder / "alphas", ALPHA)
        for number in range(20):
            stored(vault, f"kept sentence number {number}", SHOP, f"kept-{number}")
        removals = {"entry": an_entry(vault), "proposal": a_proposal(vault)}
        removals["block"] = Removal(blocks=(a_block(vault, "block", "core"),))
        past = a_block(vault, "past", "archival")
        removals |= {"conversation": a_conversation(vault), "scope": a_scope(vault)}
        vault.mirrors.sync_all()
        vault.backups.now()
        current = vault.blocks.read(past)
        seen = current.updated_at
        vault.blocks.replace(USER, "archival", "- now this", expected_updated_at=seen)
        removals["past"] = Removal(versions=(past,))
        backup = vault.backups.now()
        shutil.copy(backup.path, backup.path.with_suffix(".partial"))
        shutil.copy(backup.path, backup.path.with_suffix(".cleaning-journal"))
        shutil.copy(backup.path, str(backup.path).replace("on-demand.backup", "x.damaged"))
    return Template(folder, removals, {})


def copied(template: Template, to: Path) -> None:
    shutil.copytree(template.folder, to, dirs_exist_ok=True)
    with closing(opened(to)) as vault, vault.database.write() as db:
        db.execute(
            "UPDATE mirrors SET folder = replace(folder, :old, :new)",
            {"old": str(template.folder), "new": str(to)},
        )


def left(folder: Path, kind: str) -> list[str]:
    words = [word(kind, number) for number in range(3)]
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and any(one[-8:].encode() in path.read_bytes() for one in words)
    )


def erase(folder: Path, removal: Removal) -> str:
    """Runs where it may be killed; what the receipt said stands in a file."""
    with closing(opened(folder)) as vault:
        receipt = vault.erasure.remove(removal)
    (folder.parent / "receipt").write_text(receipt.state)
    return receipt.state


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def can_mount() -> bool:
    if not shutil.which("mount") or os.geteuid():
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


@contextmanager
def hindered(folder: Path, how: str, rng: random.Random) -> Iterator[None]:
    """While inside, the folder's vault has this trouble."""
    if how == "full disk":
        if rng.random() < 0.5:
            (folder / "v.db.reserve").unlink(missing_ok=True)
        ballast, room = folder / "ballast", rng.randrange(0, 600_000)
        with ballast.open("wb") as file:
            file.write(b"\x00" * max(0, shutil.disk_usage(folder).free - room))
        yield
        ballast.unlink()
        return
    for notes in (folder / "notes", folder / "alphas"):
        run("mount", "--bind", str(notes), str(notes))
        if how == "read-only mirror":
            run("mount", "-o", "remount,bind,ro", str(notes))
        else:
            run("mount", "-t", "tmpfs", "keepsake-test", str(notes))
    try:
        yield
    finally:
        for notes in (folder / "notes", folder / "alphas"):
            for _ in range(1 if how == "read-only mirror" else 2):
                run("umount", str(notes))


def killed_at(folder: Path, removal: Removal, number: int) -> bool:
    """Erases in a child that dies before that step; whether it lived."""

    def die(now: int) -> None:
        if now == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        with at_each_step(die):
            erase(folder, removal)

    return forked(work)


def steps_of(template: Template, kind: str, folder: Path) -> int:
    """How many steps it takes undisturbed."""
    copied(template, folder)
    counted = 0

    def count(now: int) -> None:
        nonlocal counted
        counted = now

    with at_each_step(count):
        assert erase(folder, template.removals[kind]) == "done"
    assert left(folder, kind) == []
    shutil.rmtree(folder)
    return counted


class Trials:
    """Erases copies of the template, each with another trouble, and tells how they ended."""

    def __init__(self, template: Template, work: Path) -> None:
        self._template = template
        self._folder = work / "disk" / "trial"
        self.seen: Counter[str] = Counter()

    def one(self, kind: str, how: str, rng: random.Random) -> None:
        removal, folder = self._template.removals[kind], self._folder
        folder.parent.mkdir(exist_ok=True)
        if how == "full disk":
            run("mount", "-t", "tmpfs", "-o", DISK, "keepsake-test", str(folder.parent))
        try:
            copied(self._template, folder)
            assert left(folder, kind) != []
            self._meet(folder, kind, removal, how, rng)
            self._check_end(folder, kind, removal)
        finally:
            if how == "full disk":
                run("umount", "-l", str(folder.parent))
            shutil.rmtree(folder.parent, ignore_errors=True)

    def _meet(
        self, folder: Path, kind: str, removal: Removal, how: str, rng: random.Random
    ) -> None:
        if how == "kill":
            steps = self._template.steps.setdefault(
                kind, steps_of(self._template, kind, folder.parent / "counted")
            )
            lived = killed_at(folder, removal, rng.randrange(1, steps))
            self.seen["killed" if not lived else "ended before the kill"] += 1
            said = (folder.parent / "receipt").read_text() if lived else "nothing"
        else:
            with hindered(folder, how, rng):
                said = refused(folder, removal)
                if said == "done" and how != "unmounted mirror":
                    assert left(folder, kind) == [], f"{how}: said done"
        self.seen[f"said {said}"] += 1
        if said == "done":
            assert left(folder, kind) == [], f"{how}: said done"

    def _check_end(self, folder: Path, kind: str, removal: Removal) -> None:
        with closing(opened(folder)) as vault:
            whole = not vault.erasure.pending() and left(folder, kind) != []
            if whole:  # it never began: nothing was changed, and it can be asked for
                assert vault.erasure.extent(removal=removal).empty is False
                assert vault.erasure.remove(removal).state == "done"
                self.seen["never began"] += 1
            vault.upkeep.run()
            vault.mirrors.sync_all()
            assert vault.erasure.pending() == []
            assert left(folder, kind) == []
            findings = [one for one in vault.doctor.examine() if not one.ok]
            assert findings == []
            kept = {entry.key for entry in vault.entries.page(limit=200).entries}
            assert {f"kept-{number}" for number in range(20)} <= kept
        assert left(folder, kind) == []


def refused(folder: Path, removal: Removal) -> str:
    """What the receipt says, or that the disk was too full to begin."""
    try:
        return erase(folder, removal)
    except DiskFull as error:
        return "nothing" if "nothing was changed" in str(error) else str(error)


def try_all(tmp_path: Path, number: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    template = a_template(tmp_path / "template")
    trials = Trials(template, tmp_path)
    ways = HINDRANCES if can_mount() else ("kill",)
    for trial in range(number):
        kind, how = KINDS[trial % len(KINDS)], ways[(trial // len(KINDS) + trial) % len(ways)]
        trials.seen[how] += 1
        try:
            trials.one(kind, how, rng)
        except AssertionError as error:
            raise AssertionError(f"trial {trial}: {kind}, {how}") from error
    return trials.seen


def test_6_erases_cut_short_or_hindered_all_end(tmp_path: Path) -> None:
    try_all(tmp_path, 6, seed=7)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_200_erases_cut_short_or_hindered_all_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = try_all(tmp_path, 200, seed=11)
    with capsys.disabled():
        told = ", ".join(f"{name}: {number}" for name, number in sorted(seen.items()))
        sys.stdout.write(f"\n200 erases, 0 pieces left; {told}\n")
