"""The key of an encrypted vault: 256 random bits, in the operating system's keyring or given by
the environment, and on paper as the recovery key.

A key is kept under its fingerprint, which the vault's first bytes name: a vault that is moved, or
a backup of it, finds its key on the same machine.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from app.access.secret_store import KeyringFailed, KeyringSecrets, SecretStore, system_keyring
from app.errors import Invalid, Locked, WrongKey
from store.file.database import KEY_BYTES, fingerprint

VARIABLE = "KEEPSAKE_KEY"
FILE_VARIABLE = "KEEPSAKE_KEY_FILE"
NO_KEYRING = (
    "There is no keyring on this system that encrypts what it keeps, and a vault's key is kept "
    f"nowhere else. Make a key with keepsake encrypt --make-key, keep it safe, and give it in "
    f"{VARIABLE}, or in a file that only you may read, named by {FILE_VARIABLE}."
)
GIVE_BOTH = (
    "There is no keyring on this system to keep a new key in. Make one with keepsake encrypt "
    f"--make-key and give both: the key of now in {FILE_VARIABLE}, the new one in {VARIABLE}."
)
GIVE_IT = (
    "That is the key of this vault, but there is no keyring on this system to keep it in. Give it "
    f"in {VARIABLE}, or in a file that only you may read, named by {FILE_VARIABLE}: every command "
    "opens the vault with it."
)

# Crockford's: no letter that can be taken for another.
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MEANT = str.maketrans({"O": "0", "I": "1", "L": "1"})
_CHECK_BYTES = 3
_LENGTH = (KEY_BYTES + _CHECK_BYTES) * 8 // 5
_GROUP = 4
_HEX = re.compile(r"[0-9a-fA-F]{64}")


def new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def recovery_key(key: bytes) -> str:
    """The key as a person writes it down: groups of four, with a check of its own."""
    number = int.from_bytes(key + _check(key))
    letters = "".join(_LETTERS[number >> shift & 31] for shift in range(5 * (_LENGTH - 1), -1, -5))
    return "-".join(letters[at : at + _GROUP] for at in range(0, _LENGTH, _GROUP))


def in_two_lines(key: bytes) -> tuple[str, str]:
    """The recovery key as it is shown: one line would be too long to keep one's place in."""
    text = recovery_key(key)
    half = text.index("-", len(text) // 2) + 1
    return text[:half], text[half:]


def read_key(text: str) -> bytes:
    """A recovery key as it was typed, or 64 hexadecimal digits. Raises Invalid, with what is wrong
    with it."""
    typed = "".join(text.split()).replace("-", "")
    if _HEX.fullmatch(typed):
        return bytes.fromhex(typed)
    letters = typed.upper().translate(_MEANT)
    strange = sorted({letter for letter in letters if letter not in _LETTERS})
    if strange:
        raise Invalid(f"A recovery key has no {' or '.join(strange)}. Look at it again.")
    if len(letters) != _LENGTH:
        raise Invalid(
            f"A recovery key has {_LENGTH} letters and digits in groups of {_GROUP}; these are "
            f"{len(letters)}."
        )
    number = 0
    for letter in letters:
        number = number << 5 | _LETTERS.index(letter)
    whole = number.to_bytes(KEY_BYTES + _CHECK_BYTES)
    key, check = whole[:KEY_BYTES], whole[KEY_BYTES:]
    if check != _check(key):
        raise Invalid(
            "There is a slip in this recovery key: its check does not fit. Type it again."
        )
    return key


def _check(key: bytes) -> bytes:
    return hashlib.blake2b(key, digest_size=_CHECK_BYTES, person=b"keepsake-slip").digest()


_typed: list[bytes] = []
"""Not in the environment: every program that is started from here would be handed it."""


def hold_typed(text: str) -> None:
    """Take a recovery key as a person typed it, for this process alone. Raises Invalid."""
    _typed.append(read_key(text))


def key_was_typed() -> bool:
    """Whether a person unlocked this run: then nothing in it answers for them without a token."""
    return bool(_typed)


def given_key(environment: Mapping[str, str] | None = None) -> bytes | None:
    """The key that was typed or that the environment gives, if any. Raises Invalid for one that
    cannot be."""
    return next(given_keys(environment), None)


def given_keys(environment: Mapping[str, str] | None = None) -> Iterator[bytes]:
    """One in each of the two ways: a vault's key and the one it is to get may both be given. What
    a person typed comes first."""
    if environment is None:
        yield from _typed
    named = os.environ if environment is None else environment
    text, file = named.get(VARIABLE), named.get(FILE_VARIABLE)
    if text:
        yield _read_from(VARIABLE, text)
    if file:
        yield _read_from(f"The file {file}", _text_of(Path(file)))


def _read_from(where: str, text: str) -> bytes:
    try:
        return read_key(text)
    except Invalid as error:
        raise Invalid(f"{where} does not hold a key: {error}") from error


def _text_of(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            if os.name == "posix" and os.fstat(opened.fileno()).st_mode & 0o077:
                raise Invalid(
                    f"Others may read {file}, which holds a key: chmod 600 it, then try again."
                )
            return opened.read(1_000)
    except OSError as error:
        raise Invalid(f"The key cannot be read from {file} ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise Invalid(f"The key cannot be read from {file} (it is not text).") from error


class KeyRing:
    """Keys in the keyring. There is no file to fall back to: a key beside the vault locks nothing.

    Without a keyring `keep` raises KeyringFailed."""

    def __init__(self, store: SecretStore | None) -> None:
        self._store = store

    @property
    def usable(self) -> bool:
        return self._store is not None

    def find(self, name: str) -> bytes | None:
        held = self._store.read(_name(name)) if self._store else None
        return bytes.fromhex(held) if held else None

    def keep(self, key: bytes) -> None:
        if self._store is None:
            raise KeyringFailed(NO_KEYRING)
        self._store.keep(_name(fingerprint(key)), key.hex())

    def drop(self, key: bytes) -> None:
        if self._store is not None:
            self._store.drop(_name(fingerprint(key)))


def _name(fingerprint_: str) -> str:
    return f"vault-key-{fingerprint_}"


def open_ring() -> KeyRing:
    backend = system_keyring()
    return KeyRing(KeyringSecrets(backend) if backend else None)


def known_key(vault: Path, name: str) -> bytes:
    """The key with this fingerprint: the one given, or the one kept. Raises Locked, with what to
    do."""
    given = False
    for key in given_keys():
        given = True
        if fingerprint(key) == name:
            return key
    trouble = ""
    try:
        kept = open_ring().find(name)
    except KeyringFailed as error:
        kept, trouble = None, f"{error} "
    if kept is not None:
        return kept
    if given:
        raise WrongKey(
            f"{trouble}The key given in {VARIABLE} or {FILE_VARIABLE} is not the key of {vault}."
        )
    raise Locked(
        f"{trouble}{vault} is encrypted, and its key is not known here. Say keepsake unlock and "
        f"type its recovery key, or give the key in {VARIABLE}."
    )
