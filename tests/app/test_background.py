from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from app.background import VaultBackground
from app.care.erasure import Removal
from app.outcomes import Saved
from app.vault import Vault, open_vault
from store.errors import Unavailable
from store.records import EntryDraft
from tests.app.learning.talks import VEGETARIAN, a_talk, an_agent
from tests.fakes import FakeEmbedder, FixedClock


def wait_for(condition: object, seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def still_vault(tmp_path: Path, clock: FixedClock) -> Vault:
    return open_vault(tmp_path / "vault.db", clock=clock, embedder=lambda _: FakeEmbedder())


def test_a_vault_left_alone_embeds_learns_and_tends_itself(
    still_vault: Vault, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.learning.sleep.POLL_SECONDS", 0.02)
    claude = an_agent(still_vault)
    still_vault.entries.store(EntryDraft("Checked the pods.", category="journal", importance=1))
    talk = a_talk(still_vault, claude, VEGETARIAN)
    clock.forward(days=40)
    background = VaultBackground(still_vault)
    background.start()
    try:
        wait_for(lambda: still_vault.provenance.learned_from(claude, talk.id))
        wait_for(lambda: still_vault.embedding.state().waiting == 0)
        wait_for(lambda: any(g.action == "upkeep" for g in still_vault.history.groups()))
    finally:
        background.stop()
        still_vault.close()
    assert not {"embedding", "learning", "upkeep"} & {t.name for t in threading.enumerate()}


def test_what_fails_is_told_and_stops_nothing_else(
    still_vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    def broken() -> None:
        raise Unavailable("The disk is gone.")

    monkeypatch.setattr(still_vault.upkeep, "run_if_due", broken)
    background = VaultBackground(still_vault, told.append)
    background.start()
    try:
        wait_for(lambda: told)
    finally:
        background.stop()
        still_vault.close()
    assert told == ["The disk is gone."]


def test_an_erase_that_was_cut_short_is_finished_when_the_vault_is_opened(
    still_vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a kill, or a window closed while the trash was being erased."""
    monkeypatch.setattr("app.background.LATER_SECONDS", 0.0)
    outcome = still_vault.entries.store(EntryDraft("zqxcanaryfalcon"))
    assert isinstance(outcome, Saved)
    still_vault.backups.now()
    with still_vault.erasure._recording("owner") as rec:
        still_vault.erasure.begun(rec, Removal((outcome.entry.id,)))
    told: list[str] = []
    background = VaultBackground(still_vault, told.append)
    background.start()
    try:
        wait_for(lambda: any("Erased 1 memory: done." in notice for notice in told))
    finally:
        background.stop()
    assert still_vault.erasure.pending() == []
    folder = still_vault.path.parent
    still_vault.close()
    for path in folder.rglob("*"):
        assert not path.is_file() or b"zqxcanary" not in path.read_bytes()
