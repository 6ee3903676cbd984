"""Tokens are used by every means, then every file is searched for them: they are in the keyring, or
in the one 0600 file that its owner was told of, and nowhere else."""

from __future__ import annotations

import stat
from pathlib import Path

import httpx
import keyring
import pytest
from keyring.backends import null

from app.access import secret_store as module
from app.access.secret_store import FILE_NAME, open_secrets
from app.serving import ApiServer
from app.vault import open_vault
from tests.app.access.test_secret_store import ForgetfulKeyring, LockedKeyring, MemoryKeyring
from tests.fakes import FakeEmbedder

WRITER_KEY = "sk-of-the-writing-model-0123456789"


def trusted(backend: type[MemoryKeyring]) -> MemoryKeyring:
    """As the system's own keyring would present itself."""
    return type("Keyring", (backend,), {"__module__": "keyring.backends.SecretService"})()


@pytest.fixture(params=["none", "locked", "failing", "working"])
def state(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the system's keyring is like."""
    backends = {
        "none": null.Keyring(),
        "locked": trusted(LockedKeyring),
        "failing": trusted(ForgetfulKeyring),
        "working": trusted(MemoryKeyring),
    }
    monkeypatch.setattr(keyring, "get_keyring", lambda: backends[request.param])
    monkeypatch.setattr(module, "KEYRING_SECONDS", 2.0)
    return str(request.param)


def use_everything(folder: Path) -> list[str]:
    """Every secret there was, each of them used."""
    vault = open_vault(folder / "data" / "v.db", embedder=lambda _: FakeEmbedder())
    open_secrets(vault.path.parent).keep("writer-key", WRITER_KEY)
    server = ApiServer(vault, 0, runtime=folder / "runtime")
    server.start()
    _, first = vault.agents.add("claude", workspaces=["shop"])
    rotated = vault.agents.rotate("claude")
    _, gone = vault.agents.add("gone")
    vault.agents.revoke("gone")
    tokens = [server.token.token, first, rotated, gone]
    for number, token in enumerate(tokens):
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"once-{number}"}
        with httpx.Client(
            base_url=f"{server.url}/api/v1", headers=headers, trust_env=False, timeout=30
        ) as client:
            client.post("/memory/entries", json={"content": "Prefers tea", "key": f"k{number}"})
            client.post("/memory/recall", json={"query": "tea"})
            client.post("/memory/hydrate", json={})
            client.get("/memory/entries", params={"q": "tea"})
    vault.calls.flush()
    vault.backups.now()
    vault.export.to_folder(folder / "out")
    server.stop()
    vault.close()
    return [*tokens, WRITER_KEY]


def holding(folder: Path, secret: str) -> set[str]:
    return {
        path.name
        for path in folder.rglob("*")
        if path.is_file() and secret.encode() in path.read_bytes()
    }


def test_no_file_holds_a_token_but_the_one_that_was_announced(state: str, tmp_path: Path) -> None:
    owners, *agents, writer_key = use_everything(tmp_path)
    for secret in agents:
        assert holding(tmp_path, secret) == set()
    fallback = set() if state == "working" else {FILE_NAME}
    for secret in (owners, writer_key):
        assert holding(tmp_path, secret) == fallback
    for path in tmp_path.rglob(FILE_NAME):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_keyring_that_came_later_takes_what_is_given_again_off_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "get_keyring", null.Keyring)
    owners, *_, writer_key = use_everything(tmp_path)
    later = trusted(MemoryKeyring)
    monkeypatch.setattr(keyring, "get_keyring", lambda: later)
    kept = open_secrets(tmp_path / "data")
    for name, secret in (("owner-token", owners), ("writer-key", writer_key)):
        assert kept.read(name) == secret, "it is still found"
        assert kept.keep(name, secret).where == "keyring"
        assert holding(tmp_path, secret) == set()
