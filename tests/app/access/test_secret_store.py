from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from app.access.secret_store import (
    FileSecrets,
    KeyringFailed,
    KeyringSecrets,
    Secrets,
    open_secrets,
    usable,
)


class MemoryKeyring:
    """A keyring that works."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


class LockedKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError("the collection is locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError("the collection is locked")


class ForgetfulKeyring(MemoryKeyring):
    """Takes everything and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class HangingKeyring(MemoryKeyring):
    def __init__(self) -> None:
        super().__init__()
        self.release = threading.Event()

    def set_password(self, service: str, username: str, password: str) -> None:
        self.release.wait(5)


def test_a_secret_goes_to_the_keyring_and_is_read_back(tmp_path: Path) -> None:
    ring = MemoryKeyring()
    secrets = Secrets(KeyringSecrets(ring), FileSecrets(tmp_path))
    kept = secrets.keep("writer-key", "s3cret")
    assert (kept.where, kept.notice) == ("keyring", "")
    assert secrets.read("writer-key") == "s3cret"
    assert not (tmp_path / "secrets.json").exists()


def test_without_a_keyring_it_is_in_a_file_of_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    kept = Secrets(None, FileSecrets(folder)).keep("token", "s3cret")
    assert kept.where == "file"
    assert str(folder / "secrets.json") in kept.notice
    assert FileSecrets(folder).read("token") == "s3cret"
    if os.name == "posix":
        assert stat.S_IMODE((folder / "secrets.json").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == ["secrets.json"]


@pytest.mark.parametrize(
    ("ring", "says"),
    [(LockedKeyring(), "locked"), (ForgetfulKeyring(), "did not give back")],
)
def test_a_keyring_that_fails_hands_over_to_the_file_and_says_why(
    tmp_path: Path, ring: MemoryKeyring, says: str
) -> None:
    secrets = Secrets(KeyringSecrets(ring), FileSecrets(tmp_path))
    kept = secrets.keep("token", "s3cret")
    assert kept.where == "file"
    assert says in kept.notice
    assert secrets.read("token") == "s3cret"


def test_a_keyring_that_hangs_does_not_hang_us(tmp_path: Path) -> None:
    ring = HangingKeyring()
    kept = Secrets(KeyringSecrets(ring, seconds=0.05), FileSecrets(tmp_path)).keep("token", "s")
    ring.release.set()
    assert kept.where == "file"
    assert "did not answer" in kept.notice


def test_a_keyring_that_works_again_takes_the_secret_off_the_disk(tmp_path: Path) -> None:
    file = FileSecrets(tmp_path)
    Secrets(None, file).keep("token", "s3cret")
    Secrets(KeyringSecrets(MemoryKeyring()), file).keep("token", "s3cret")
    assert b"s3cret" not in file.path.read_bytes()


def test_dropping_removes_it_from_both_places(tmp_path: Path) -> None:
    ring, file = MemoryKeyring(), FileSecrets(tmp_path)
    file.keep("token", "old")
    secrets = Secrets(KeyringSecrets(ring), file)
    KeyringSecrets(ring).keep("token", "new")
    secrets.drop("token")
    assert secrets.read("token") is None
    assert not ring.held
    secrets.drop("token")


def test_dropping_says_when_the_keyring_may_still_hold_it(tmp_path: Path) -> None:
    with pytest.raises(KeyringFailed):
        Secrets(KeyringSecrets(LockedKeyring()), FileSecrets(tmp_path)).drop("token")


def test_one_secret_does_not_disturb_another(tmp_path: Path) -> None:
    file = FileSecrets(tmp_path)
    file.keep("a", "1")
    file.keep("b", "2")
    file.drop("a")
    assert (file.read("a"), file.read("b")) == (None, "2")


def test_plain_text_keyrings_are_never_used() -> None:
    def backend(module: str) -> object:
        return type("Keyring", (), {"__module__": module})()

    assert usable(backend("keyring.backends.SecretService"))
    assert usable(backend("keyring.backends.macOS"))
    for module in (
        "keyrings.alt.file",
        "keyring.backends.null",
        "keyring.backends.fail",
        "keyring.backends.chainer",
    ):
        assert not usable(backend(module))


def test_a_system_whose_keyring_is_none_uses_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import keyring
    from keyring.backends import null

    monkeypatch.setattr(keyring, "get_keyring", null.Keyring)
    assert open_secrets(tmp_path).keep("token", "s").where == "file"


def test_plain_text_backends_in_a_chain_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import keyring

    class Plain(MemoryKeyring):
        __module__ = "keyrings.alt.file"

    class Sealed(MemoryKeyring):
        __module__ = "keyring.backends.SecretService"

    plain, sealed = Plain(), Sealed()
    chain = type("Chain", (), {"backends": [plain, sealed]})()
    monkeypatch.setattr(keyring, "get_keyring", lambda: chain)
    assert open_secrets(tmp_path).keep("token", "s").where == "keyring"
    assert sealed.held
    assert not plain.held
