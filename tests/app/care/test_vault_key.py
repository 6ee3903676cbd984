from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.access.secret_store import KeyringFailed, KeyringSecrets
from app.care import vault_key
from app.care.vault_key import KeyRing, given_key, known_key, new_key, read_key, recovery_key
from app.cli.command import ask_for_key
from app.errors import Invalid, Locked, WrongKey
from store.file.database import fingerprint
from tests.app.access.test_secret_store import LockedKeyring, MemoryKeyring

KEY = bytes(range(32))
VAULT = Path("vault.db")


@given(st.binary(min_size=32, max_size=32))
def test_a_recovery_key_is_read_as_it_was_written(key: bytes) -> None:
    written = recovery_key(key)
    assert read_key(written) == key
    assert read_key(written.lower().replace("-", " ")) == key
    assert read_key(key.hex()) == key
    assert {len(group) for group in written.split("-")} == {4}


def test_letters_that_look_alike_are_taken_for_each_other() -> None:
    written = recovery_key(bytes(32))
    assert "0" in written
    assert read_key(written.replace("0", "O")) == bytes(32)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 55), st.sampled_from("0123789ABCXYZ"))
def test_a_slip_is_noticed(key: bytes, at: int, letter: str) -> None:
    letters = list(recovery_key(key).replace("-", ""))
    if letters[at] == letter:
        return
    letters[at] = letter
    with pytest.raises(Invalid, match="slip"):
        read_key("".join(letters))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 54))
def test_two_letters_that_changed_places_are_noticed(key: bytes, at: int) -> None:
    letters = list(recovery_key(key).replace("-", ""))
    if letters[at] == letters[at + 1]:
        return
    letters[at], letters[at + 1] = letters[at + 1], letters[at]
    with pytest.raises(Invalid, match="slip"):
        read_key("".join(letters))


@pytest.mark.parametrize(
    ("typed", "word"), [("", "these are 0"), ("ABCD-EFGH", "these are 8"), ("AB!D", "no !")]
)
def test_what_is_no_key_at_all_is_told(typed: str, word: str) -> None:
    with pytest.raises(Invalid, match=word):
        read_key(typed)


def test_no_two_keys_are_alike() -> None:
    assert len({new_key() for _ in range(100)}) == 100


def test_the_environment_gives_a_key_or_names_its_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(recovery_key(KEY) + "\n")
    file.chmod(0o600)
    assert given_key({}) is None
    assert given_key({"KEEPSAKE_KEY": recovery_key(KEY)}) == KEY
    assert given_key({"KEEPSAKE_KEY_FILE": str(file)}) == KEY
    with pytest.raises(Invalid, match="KEEPSAKE_KEY does not hold a key"):
        given_key({"KEEPSAKE_KEY": "secret"})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_key_that_was_typed_is_for_this_process_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault_key, "_typed", [])
    assert not vault_key.key_was_typed()
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("click.prompt", lambda text, hide_input: recovery_key(KEY) + "\n")
    ask_for_key()
    assert vault_key.key_was_typed()
    assert given_key() == KEY
    assert not any(recovery_key(KEY) in value for value in os.environ.values())


def test_a_key_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(recovery_key(KEY))
    file.chmod(0o640)
    with pytest.raises(Invalid, match="chmod 600"):
        given_key({"KEEPSAKE_KEY_FILE": str(file)})
    with pytest.raises(Invalid, match="cannot be read"):
        given_key({"KEEPSAKE_KEY_FILE": str(tmp_path / "none")})


def test_a_key_is_kept_under_its_fingerprint_and_dropped() -> None:
    ring = KeyRing(KeyringSecrets(MemoryKeyring()))
    ring.keep(KEY)
    assert ring.find(fingerprint(KEY)) == KEY
    ring.drop(KEY)
    assert ring.find(fingerprint(KEY)) is None


def test_without_a_keyring_no_key_is_kept_anywhere() -> None:
    ring = KeyRing(None)
    assert not ring.usable
    with pytest.raises(KeyringFailed, match="KEEPSAKE_KEY_FILE"):
        ring.keep(KEY)


def test_the_given_key_comes_before_the_kept_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_keyring() -> None:
        raise AssertionError("the keyring was asked")

    monkeypatch.setattr(vault_key, "system_keyring", no_keyring)
    monkeypatch.setenv("KEEPSAKE_KEY", recovery_key(KEY))
    assert known_key(VAULT, fingerprint(KEY)) == KEY


def test_a_given_key_of_another_vault_does_not_hide_the_kept_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend = MemoryKeyring()
    KeyRing(KeyringSecrets(backend)).keep(KEY)
    monkeypatch.setattr(vault_key, "system_keyring", lambda: backend)
    monkeypatch.setenv("KEEPSAKE_KEY", recovery_key(bytes(32)))
    assert known_key(VAULT, fingerprint(KEY)) == KEY
    with pytest.raises(WrongKey, match="KEEPSAKE_KEY"):
        known_key(VAULT, fingerprint(b"1" * 32))


def test_a_key_nobody_knows_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault_key, "system_keyring", MemoryKeyring)
    with pytest.raises(Locked, match="keepsake unlock"):
        known_key(VAULT, fingerprint(KEY))
    monkeypatch.setattr(vault_key, "system_keyring", LockedKeyring)
    with pytest.raises(Locked, match="the collection is locked"):
        known_key(VAULT, fingerprint(KEY))
