"""A throw-away vault leaves nothing behind, also when it was killed."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest

from app.throw_away import clear_abandoned
from app.vault import open_vault
from store.records import EntryDraft
from tests.store.care.converting import forked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kill -9 is a Unix way to die")


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def folders(tmp_path: Path) -> list[Path]:
    return sorted(tmp_path.glob("keepsake-*"))


def grow_old(folder: Path) -> None:
    before = time.time() - 3600
    os.utime(folder, (before, before))


def test_a_throw_away_vault_that_was_killed_is_cleared_away_by_the_next(tmp_path: Path) -> None:
    def work() -> None:
        open_vault(ephemeral=True).entries.store(EntryDraft("secret"))
        os.kill(os.getpid(), signal.SIGKILL)

    forked(work)
    (left,) = folders(tmp_path)
    grow_old(left)
    vault = open_vault(ephemeral=True)
    (mine,) = folders(tmp_path)
    assert mine != left
    vault.close()
    assert folders(tmp_path) == []


def test_one_that_is_open_or_young_or_a_link_is_left_alone(tmp_path: Path) -> None:
    vault = open_vault(ephemeral=True)
    grow_old(vault.path.parent)
    young = tmp_path / "keepsake-ephemeral-young"
    young.mkdir()
    elsewhere = tmp_path / "home" / "kept"
    elsewhere.mkdir()
    (tmp_path / "keepsake-ephemeral-link").symlink_to(elsewhere)
    assert clear_abandoned() == 0
    assert vault.path.exists()
    assert young.exists()
    assert elsewhere.exists()
    vault.close()
