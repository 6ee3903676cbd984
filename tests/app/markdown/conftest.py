from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.vault import Vault, open_vault


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "first" / "vault.db")
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Vault]:
    """Another vault, as on another machine."""
    opened = open_vault(tmp_path / "second" / "vault.db")
    yield opened
    opened.close()
