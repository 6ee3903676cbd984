"""A server whose vault is moved, replaced or deleted under it says so, and loses nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.api.conftest import Served

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows keeps files that are in use")

WAYS: dict[str, Callable[[Path], object]] = {
    "moved": lambda path: path.rename(path.with_name("elsewhere.db")),
    "deleted": lambda path: path.unlink(),
    "replaced": lambda path: shutil.copy(path, path.with_name("copy")).replace(path),
    "its folder deleted": lambda path: shutil.rmtree(path.parent),
}


@pytest.mark.parametrize("way", list(WAYS))
def test_a_write_is_refused_with_what_to_do(served: Served, way: str) -> None:
    body = {"content": "tea", "scope": "user"}
    assert served.owner.post("/memory/entries", json=body).status_code == 201
    WAYS[way](served.vault.path)
    for _ in range(3):
        refused = served.owner.post("/memory/entries", json=body | {"content": "lost"})
        assert refused.status_code == 503, refused.text
        assert refused.json()["code"] == "MEM-003"
        assert "Close Keepsake and open it again" in refused.json()["detail"]
    assert served.owner.get("/memory/entries").status_code == 200, "reading goes on"
