"""Fixtures for all tests: vaults in a temporary folder, and surroundings that are not yours."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from app.vault import Vault, open_vault
from tests import surroundings
from tests.fakes import FixedClock

# A busy machine is no failure of the rule under test.
settings.register_profile(
    "keepsake",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("keepsake")

_pinned = pytest.StashKey[Path]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--as-is",
        action="store_true",
        help="Meet the machine's own zone, language and fonts instead of the pinned ones.",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_pinned] = surroundings.pin(as_is=config.getoption("--as-is"))


def pytest_unconfigure(config: pytest.Config) -> None:
    surroundings.leave(config.stash[_pinned])


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test does may reach the real vault, keyring or configuration."""
    home = tmp_path / "home"
    for name in surroundings.HOMES:
        monkeypatch.setenv(name, str(home))
    home.mkdir(mode=0o700)


@pytest.fixture(autouse=True)
def _own_zone(request: pytest.FixtureRequest) -> Iterator[None]:
    """UTC for the tests marked so; the others hold wherever the machine is."""
    if request.node.get_closest_marker("utc") is None:
        yield
        return
    with surroundings.zone("UTC"):
        yield


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder for sockets of other programs, whose path must be short wherever temporary files go
    on this machine."""
    usual = Path("/tmp")
    where = usual if usual.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where, ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def vault(tmp_path: Path, clock: FixedClock) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", clock=clock)
    yield opened
    opened.close()
