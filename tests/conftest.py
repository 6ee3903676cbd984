"""Fixtures for all tests: vaults in a temporary folder, and a home that is not yours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from app.vault import Vault, open_vault
from tests.fakes import FixedClock

# A busy machine is no failure of the rule under test.
settings.register_profile(
    "keepsake",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("keepsake")


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test does may reach the real vault, keyring or configuration."""
    home = tmp_path / "home"
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(home))
    home.mkdir(mode=0o700)
    for name in ("KEEPSAKE_VAULT", "KEEPSAKE_KEY", "KEEPSAKE_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock)
    yield opened
    opened.close()
