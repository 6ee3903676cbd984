"""An erase that takes words out of others' files and is killed meanwhile: each of these files is
the old one or the new one, whole, and the next start and upkeep end what was begun.

The long run: `pytest -m slow -n0 tests/app/proof/test_radar_killed.py -s`.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import pytest

from app.care import copies
from app.proof.radar import Radar
from app.vault import Vault, open_vault
from store.care.removal import Removal
from tests.app.proof.test_radar import TEXT, claude_said, records, stored, write
from tests.fakes import FakeEmbedder, FixedClock
from tests.store.care.converting import forked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")


def opened(folder: Path) -> Vault:
    return open_vault(folder / "v.db", clock=FixedClock(), embedder=lambda _: FakeEmbedder())


def others(home: Path) -> dict[str, Path]:
    """Files of each form, the transcript longer than what is written at once."""
    project = home / ".claude" / "projects" / "-tmp-shop"
    talk = [claude_said(f"Line {number} of many. " * 800, home) for number in range(24)]
    talk[3::8] = [claude_said(f"Remember this: {TEXT}", home)] * 3
    return {
        "memory": write(project / "memory" / "home.md", f"# Home\n\n- {TEXT}\n- Has a dog.\n"),
        "everywhere": write(home / ".claude" / "CLAUDE.md", f"Be brief. {TEXT} Use tabs.\n"),
        "session": records(project / "s1.jsonl", *talk),
        "typed": records(home / ".claude" / "history.jsonl", {"display": TEXT}),
    }


def bytes_of(files: dict[str, Path]) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files.items()}


def erase(folder: Path, removal: Removal) -> None:
    with closing(opened(folder)) as vault:
        radar = Radar(vault)
        sweep = radar.look(removal)
        radar.erase(removal, sweep, {one.id for one in sweep.copies})


@contextmanager
def at_each_call_in(module: str, act: Callable[[int], None]) -> Iterator[None]:
    """`act` is called with the number of every call that this module makes or receives."""
    count = 0

    def step(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        if event in ("call", "c_call", "return") and frame.f_code.co_filename == module:
            count += 1
            act(count)

    sys.setprofile(step)
    try:
        yield
    finally:
        sys.setprofile(None)


class Trials:
    """Erases copies of one vault, each killed at another moment of the removal."""

    def __init__(self, work: Path, home: Path) -> None:
        self._template, self._folder, self._home = work / "template", work / "trial", home
        self._template.mkdir()
        with closing(opened(self._template)) as vault:
            self._removal = Removal((stored(vault),))
            stored(vault, "Has a dog.", key="dog")
        self.seen: Counter[str] = Counter()
        self.before = bytes_of(others(home))
        self.steps = 0
        self._begin()
        with at_each_call_in(copies.__file__, self._count):
            erase(self._folder, self._removal)
        self.after = bytes_of(self._files)
        assert [name for name, text in self.after.items() if b"4711" in text] == []

    def _begin(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._template, self._folder)
        self._files = others(self._home)

    def _count(self, now: int) -> None:
        self.steps = now

    def one(self, number: int) -> None:
        self._begin()

        def die(now: int) -> None:
            if now == number:
                os.kill(os.getpid(), signal.SIGKILL)

        def work() -> None:
            with at_each_call_in(copies.__file__, die):
                erase(self._folder, self._removal)

        assert not forked(work)
        for name, text in bytes_of(self._files).items():
            assert text in (self.before[name], self.after[name]), f"{name} is half written"
            self.seen[f"{name} {'old' if text == self.before[name] else 'new'}"] += 1
        with closing(opened(self._folder)) as vault:
            self._check_end(vault)

    def _check_end(self, vault: Vault) -> None:
        if not vault.erasure.pending():  # killed while it looked: nothing was begun
            assert bytes_of(self._files) == self.before
            assert vault.entries.read(*self._removal.entries).content == TEXT
            self.seen["never began"] += 1
            return
        (receipt,) = vault.erasure.resume()
        assert (receipt.state, receipt.hindrances) == ("done", ())
        assert receipt.removed["copies"] == sum(
            text.count(b"4711") for text in self.before.values()
        )
        vault.upkeep.run()
        assert vault.erasure.pending() == []
        assert bytes_of(self._files) == self.after
        left = [path.name for path in self._home.rglob("*.keepsake")]
        assert left == []
        assert [entry.key for entry in vault.entries.page(limit=9).entries] == ["dog"]


@pytest.fixture(autouse=True)
def _nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many programs run would move the moments."""
    monkeypatch.setattr(copies, "open_files", set)


def try_some(tmp_path: Path, number: int, seed: int) -> Counter[str]:
    trials = Trials(tmp_path, tmp_path / "home")
    rng = random.Random(seed)
    for moment in rng.sample(range(1, trials.steps), number):
        try:
            trials.one(moment)
        except AssertionError as error:
            raise AssertionError(f"killed at {moment} of {trials.steps}") from error
    return trials.seen


def test_killed_at_12_moments_of_the_removal_it_ends_and_no_file_is_half(tmp_path: Path) -> None:
    try_some(tmp_path, 12, seed=5)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_killed_at_300_moments_of_the_removal_it_ends_and_no_file_is_half(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = try_some(tmp_path, 300, seed=11)
    with capsys.disabled():
        told = ", ".join(f"{name}: {number}" for name, number in sorted(seen.items()))
        sys.stdout.write(f"\n300 erases killed; {told}\n")
