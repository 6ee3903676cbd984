"""Where secrets live: the operating system's keyring, or where there is none a 0600 file.

Only keyrings that encrypt are used; the plain-text ones some systems install beside them (the
alternative backends) never are. A secret counts as kept once it was read back.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from app.private_file import write_private
from store.errors import KeepsakeError

SERVICE = "keepsake"
ALLOWED = (
    "keyring.backends.SecretService",
    "keyring.backends.libsecret",
    "keyring.backends.kwallet",
    "keyring.backends.macOS",
    "keyring.backends.Windows",
)
KEYRING_SECONDS = 20.0  # a locked keyring asks its owner; one that hangs must not hang us
FILE_NAME = "secrets.json"

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Kept:
    """Where a secret went. `notice` is what its owner must be told; empty when all is well."""

    where: str  # keyring, file
    notice: str = ""


class SecretStore(Protocol):
    def read(self, name: str) -> str | None: ...

    def keep(self, name: str, secret: str) -> Kept: ...

    def drop(self, name: str) -> None: ...


class Backend(Protocol):
    """The part of a keyring backend we use."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


class KeyringFailed(KeepsakeError):
    """The keyring is locked, hangs, fails or does not give back what it was given."""


class FileSecrets:
    """Secrets in one file that only its owner may read."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME

    @property
    def path(self) -> Path:
        return self._path

    def read(self, name: str) -> str | None:
        return self._all().get(name)

    def keep(self, name: str, secret: str) -> Kept:
        self._write({**self._all(), name: secret})
        return Kept(
            "file",
            f"There is no keyring to use on this system, so the secret is in {self._path}, "
            "readable by you alone.",
        )

    def drop(self, name: str) -> None:
        held = self._all()
        if held.pop(name, None) is not None:
            self._write(held)

    def _all(self) -> dict[str, str]:
        try:
            held = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise KeepsakeError(
                f"{self._path} cannot be read ({error}). Mend or delete it, then give the secret "
                "again."
            ) from error
        return {str(name): str(secret) for name, secret in held.items()}

    def _write(self, held: dict[str, str]) -> None:
        write_private(self._path, json.dumps(held))


class KeyringSecrets:
    """Secrets in one keyring backend, each call bounded in time."""

    def __init__(self, backend: Backend, seconds: float = KEYRING_SECONDS) -> None:
        self._backend = backend
        self._seconds = seconds

    def read(self, name: str) -> str | None:
        return self._asked(lambda: self._backend.get_password(SERVICE, name))

    def keep(self, name: str, secret: str) -> Kept:
        self._asked(lambda: self._backend.set_password(SERVICE, name, secret))
        if self.read(name) != secret:
            raise KeyringFailed("The keyring did not give back what it was given.")
        return Kept("keyring")

    def drop(self, name: str) -> None:
        if self.read(name) is not None:
            self._asked(lambda: self._backend.delete_password(SERVICE, name))

    def _asked(self, call: Callable[[], Result]) -> Result:
        answers: list[Result] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                answers.append(call())
            except Exception as error:  # backends raise errors of every library beneath them
                failures.append(error)

        thread = threading.Thread(target=run, name="keyring", daemon=True)
        thread.start()
        thread.join(self._seconds)
        if thread.is_alive():
            raise KeyringFailed(f"The keyring did not answer within {self._seconds:g} seconds.")
        if failures:
            reason = str(failures[0]).rstrip(".") or type(failures[0]).__name__
            raise KeyringFailed(f"The keyring failed: {reason}.") from failures[0]
        return answers[0]


class Secrets:
    """The keyring first; where it fails the file, and its owner is told why."""

    def __init__(self, keyring: SecretStore | None, file: FileSecrets) -> None:
        self._keyring = keyring
        self._file = file

    def read(self, name: str) -> str | None:
        if self._keyring:
            try:
                held = self._keyring.read(name)
            except KeyringFailed:
                held = None
            if held is not None:
                return held
        return self._file.read(name)

    def keep(self, name: str, secret: str) -> Kept:
        if self._keyring is None:
            return self._file.keep(name, secret)
        try:
            kept = self._keyring.keep(name, secret)
        except KeyringFailed as failure:
            self._file.keep(name, secret)
            return Kept(
                "file",
                f"{failure} The secret is in {self._file.path} instead, readable by you alone.",
            )
        self._file.drop(name)  # an earlier fallback would leave it on the disk in plain text
        return kept

    def drop(self, name: str) -> None:
        """Gone from both places. Raises KeyringFailed if the keyring still may hold it."""
        self._file.drop(name)
        if self._keyring:
            self._keyring.drop(name)


def usable(backend: object) -> bool:
    """Whether a backend is one of those that encrypt."""
    return type(backend).__module__ in ALLOWED


def system_keyring() -> Backend | None:
    """The keyring this system is set to use, if it is one we trust."""
    import keyring

    try:
        chosen = keyring.get_keyring()
    except Exception:  # a broken configuration of keyring's own
        return None
    candidates = getattr(chosen, "backends", None) or [chosen]
    return next((backend for backend in candidates if usable(backend)), None)


def open_secrets(folder: Path) -> Secrets:
    """The secrets of this system; `folder` holds the file where there is no keyring."""
    backend = system_keyring()
    return Secrets(KeyringSecrets(backend) if backend else None, FileSecrets(folder))
