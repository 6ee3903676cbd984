"""Encrypting a vault, decrypting it, giving it another key, and unlocking one from elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.access.secret_store import KeyringFailed
from app.care.vault_key import (
    GIVE_BOTH,
    GIVE_IT,
    NO_KEYRING,
    KeyRing,
    given_keys,
    known_key,
    new_key,
)
from app.errors import NotFound, Refused, WrongKey
from store.care import conversion
from store.care.conversion import Converted, Progress
from store.care.opening import check_vault
from store.file import database, locks
from store.file.database import fingerprint


@dataclass(frozen=True, slots=True)
class ChosenKey:
    """`where`: made (and to be kept in the keyring), or given by the environment."""

    key: bytes
    where: str


@dataclass(frozen=True, slots=True)
class Done:
    """`notice` is what the owner must be told; empty when all is well."""

    converted: Converted
    notice: str = ""


def _quiet(done: int, total: int, name: str) -> None:
    """A progress callback that shows nothing."""


class Encryption:
    """What can be done to the key of the vault at one path, while nobody has it open: whoever has
    is waited for, `wait` seconds long."""

    def __init__(self, path: Path, ring: KeyRing, wait: float = locks.ALONE_SECONDS) -> None:
        self.path = path
        self._ring = ring
        self._wait = wait

    @property
    def encrypted(self) -> bool:
        return self._key_name() is not None

    def check_free(self) -> None:
        """Raises Busy while anybody has the vault open."""
        locks.alone(self.path, self._wait).close()

    def choose(self) -> ChosenKey:
        """The key to encrypt with: the one given, or a new one. Raises Refused without a keyring
        to keep a new one in."""
        now = self._key_name()
        for given in given_keys():
            if fingerprint(given) != now:
                return ChosenKey(given, "given")
        if not self._ring.usable:
            raise Refused(GIVE_BOTH if now else NO_KEYRING)
        return ChosenKey(new_key(), "made")

    def encrypt(
        self, chosen: ChosenKey, *, drop_backups: bool = False, progress: Progress = _quiet
    ) -> Done:
        """A plain vault becomes an encrypted one, an encrypted one gets another key.

        A made key is in the keyring before anything needs it."""
        old = self.key() if self.encrypted else None
        check_vault(self.path, old)
        if chosen.where == "made":
            self._keep(chosen.key)
        try:
            done = conversion.convert(
                self.path,
                old,
                chosen.key,
                drop_backups=drop_backups,
                progress=progress,
                wait=self._wait,
            )
        except BaseException:
            if chosen.where == "made" and self._key_name() != fingerprint(chosen.key):
                self._drop(chosen.key)
            raise
        return Done(done, self._drop(old) if old else "")

    def decrypt(self, *, drop_backups: bool = False, progress: Progress = _quiet) -> Done:
        """An encrypted vault becomes a plain one, and its key is taken out of the keyring."""
        key = self.key()
        check_vault(self.path, key)
        done = conversion.convert(
            self.path,
            key,
            None,
            drop_backups=drop_backups,
            progress=progress,
            wait=self._wait,
        )
        return Done(done, self._drop(key))

    def unlock(self, key: bytes) -> None:
        """Keep the key of this vault in the keyring. Raises WrongKey, or Refused without one."""
        self.check(key)
        if not self._ring.usable:
            raise Refused(GIVE_IT)
        self._keep(key)

    def lock(self) -> None:
        """Take the key of this vault out of the keyring. Raises Refused when it cannot be."""
        trouble = self._drop(self.key())
        if trouble:
            raise Refused(trouble)

    def check_locked(self) -> None:
        """Raises Refused for a plain vault."""
        self._named()

    def check(self, key: bytes) -> None:
        """Raises WrongKey unless it is the key of this vault."""
        if fingerprint(key) != self._named():
            raise WrongKey(f"That is a recovery key, and not the one of {self.path}.")

    def key(self) -> bytes:
        return known_key(self.path, self._named())

    def _named(self) -> str:
        name = self._key_name()
        if name is None:
            raise Refused(f"{self.path} is not encrypted.")
        return name

    def _key_name(self) -> str | None:
        try:
            header = database.header_of(self.path)
        except OSError as error:
            raise NotFound(f"{self.path} cannot be read ({error.strerror}).") from error
        if not header:
            raise NotFound(f"There is no vault at {self.path} yet.")
        return database.key_name_in(header)

    def _keep(self, key: bytes) -> None:
        try:
            self._ring.keep(key)
        except KeyringFailed as error:
            raise Refused(f"The key was not kept: {error} Nothing was changed.") from error

    def _drop(self, key: bytes) -> str:
        try:
            self._ring.drop(key)
        except KeyringFailed as error:
            return f"The key of before may still be in the keyring: {error}"
        return ""
