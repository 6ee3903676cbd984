"""Files in a folder that any program may carry: each written by one machine, sealed for all.

A file is named `<machine>-<counter>.keepsake`. Its head says with which key it is sealed; the rest
is compressed and encrypted with authentication (ChaCha20-Poly1305), its name bound in. Nobody but
the paired machines reads a word of it, and one that was renamed, cut or changed is told from one
that is good. Two machines never write one file, so that no carrier can make a "conflicted copy".
"""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import time
import zlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from app.errors import Invalid, Refused
from store.instants import Instant

MAGIC = b"KPSY\x01"
MARKER = "keepsake-sync.json"
ENDING = ".keepsake"
EPOCH_BYTES, NONCE_BYTES, LENGTH_BYTES = 8, 12, 4
_NAME = re.compile(r"([0-9a-z]{12})-(\d{8,})\.keepsake")
_PAIRING = re.compile(r"pairing-([0-9a-z]{12})\.keepsake")
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aeiou"
_PHRASE_WORDS = 6  # of two syllables each: 75 bits
_SCRYPT = {"n": 2**15, "r": 8, "p": 1}

UPDATE, SNAPSHOT, KEYS = "update", "snapshot", "keys"


class NotYet(Exception):
    """The file is still on its way, or something it builds on is."""


class Foreign(Exception):
    """The file is not from a machine that is paired, or was changed on its way."""


@dataclass(frozen=True, slots=True)
class Keyring:
    """The keys one machine holds: its own, and by their id those the files are sealed with, the
    newest last, with the machines each was given to."""

    private: bytes
    epochs: Mapping[str, bytes]
    readers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_json(self) -> str:
        held = {name: _text(key) for name, key in self.epochs.items()}
        kept = {"private": _text(self.private), "epochs": held, "readers": dict(self.readers)}
        return json.dumps(kept)

    @classmethod
    def from_json(cls, text: str) -> Keyring:
        kept = json.loads(text)
        epochs = {name: _bytes(key) for name, key in kept["epochs"].items()}
        readers = {name: tuple(held) for name, held in kept["readers"].items()}
        return cls(_bytes(kept["private"]), epochs, readers)

    @classmethod
    def new(cls) -> Keyring:
        return cls(_new_private(), {new_epoch(): new_secret()})

    def with_epoch(self, name: str, secret: bytes, readers: tuple[str, ...]) -> Keyring:
        return Keyring(self.private, {**self.epochs, name: secret}, {**self.readers, name: readers})

    @property
    def public(self) -> bytes:
        key = X25519PrivateKey.from_private_bytes(self.private).public_key()
        return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


@dataclass(frozen=True, slots=True)
class SealedMessage:
    """What one file says. `needs`: the files of others it builds on, by machine."""

    kind: str
    at: Instant
    needs: Mapping[str, int]
    data: bytes = b""
    about: Mapping[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        head = {"kind": self.kind, "at": self.at, "needs": self.needs, "about": self.about}
        text = json.dumps(head).encode()
        return zlib.compress(len(text).to_bytes(LENGTH_BYTES) + text + self.data, 6)

    @classmethod
    def from_bytes(cls, packed: bytes) -> SealedMessage:
        whole = zlib.decompress(packed)
        end = LENGTH_BYTES + int.from_bytes(whole[:LENGTH_BYTES])
        head = json.loads(whole[LENGTH_BYTES:end])
        return cls(head["kind"], head["at"], head["needs"], whole[end:], head["about"])


def new_machine() -> str:
    """An id for a machine: 12 letters and digits."""
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    return "".join(secrets.choice(alphabet) for _ in range(12))


def new_epoch() -> str:
    return secrets.token_hex(EPOCH_BYTES)


def new_secret() -> bytes:
    return secrets.token_bytes(32)


def file_name(machine: str, counter: int) -> str:
    return f"{machine}-{counter:08}{ENDING}"


def sealed(message: SealedMessage, keys: Keyring, epoch: str, machine: str, counter: int) -> bytes:
    """The bytes of a file."""
    head = MAGIC + bytes.fromhex(epoch) + secrets.token_bytes(NONCE_BYTES)
    nonce = head[-NONCE_BYTES:]
    bound = head + file_name(machine, counter).encode()
    body = ChaCha20Poly1305(keys.epochs[epoch]).encrypt(nonce, message.to_bytes(), bound)
    return head + len(body).to_bytes(LENGTH_BYTES) + body


def opened(raw: bytes, keys: Keyring, machine: str, counter: int) -> SealedMessage:
    """What a file says. Raises NotYet for one that is not whole, Foreign for one that is not
    sealed with a key of ours."""
    start = len(MAGIC) + EPOCH_BYTES + NONCE_BYTES
    if raw[: len(MAGIC)] != MAGIC[: len(raw)]:
        raise Foreign("it is not a file of Keepsake's")
    if len(raw) < start + LENGTH_BYTES:
        raise NotYet("it has not arrived whole")
    body = raw[start + LENGTH_BYTES :]
    if len(body) < int.from_bytes(raw[start : start + LENGTH_BYTES]):
        raise NotYet("it has not arrived whole")
    epoch = raw[len(MAGIC) : len(MAGIC) + EPOCH_BYTES].hex()
    if epoch not in keys.epochs:
        raise NotYet("the key it is sealed with has not arrived")
    head = raw[:start]
    bound = head + file_name(machine, counter).encode()
    try:
        packed = ChaCha20Poly1305(keys.epochs[epoch]).decrypt(head[-NONCE_BYTES:], body, bound)
        return SealedMessage.from_bytes(packed)
    except (InvalidTag, zlib.error, ValueError, KeyError) as error:
        raise Foreign("it was changed on its way, or somebody else wrote it") from error


# Giving a key to one machine


def sealed_for(public: bytes, secret: bytes) -> str:
    """A secret that only the holder of the private key reads."""
    own = X25519PrivateKey.generate()
    shared = own.exchange(X25519PublicKey.from_public_bytes(public))
    raw = own.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return _text(raw + ChaCha20Poly1305(_derived(shared, raw)).encrypt(bytes(12), secret, b""))


def unsealed(private: bytes, text: str) -> bytes:
    raw = _bytes(text)
    key = X25519PrivateKey.from_private_bytes(private)
    shared = key.exchange(X25519PublicKey.from_public_bytes(raw[:32]))
    return ChaCha20Poly1305(_derived(shared, raw[:32])).decrypt(bytes(12), raw[32:], b"")


def _derived(shared: bytes, salt: bytes) -> bytes:
    return HKDF(hashes.SHA256(), 32, salt, b"keepsake machine key").derive(shared)


def _new_private() -> bytes:
    return X25519PrivateKey.generate().private_bytes(
        serialization.Encoding.Raw,
        serialization.PrivateFormat.Raw,
        serialization.NoEncryption(),
    )


# Pairing


def new_phrase() -> str:
    """Six words that are easy to read aloud."""

    def word() -> str:
        return "".join(secrets.choice(_CONSONANTS) + secrets.choice(_VOWELS) for _ in range(2))

    return " ".join(word() for _ in range(_PHRASE_WORDS))


def pairing(phrase: str, keys: Keyring, at: Instant) -> bytes:
    """The keys of the folder, sealed with a phrase."""
    salt = secrets.token_bytes(16)
    held = {name: _text(key) for name, key in keys.epochs.items()}
    content = json.dumps({"epochs": held, "at": at}).encode()
    body = ChaCha20Poly1305(_stretched(phrase, salt)).encrypt(bytes(NONCE_BYTES), content, MAGIC)
    return MAGIC + salt + body


def paired(phrase: str, raw: bytes) -> tuple[Keyring, Instant] | None:
    """The keys, with a private one made for whoever joins, and when the phrase was given; None
    where the phrase does not fit."""
    salt, body = raw[len(MAGIC) : len(MAGIC) + 16], raw[len(MAGIC) + 16 :]
    try:
        key = ChaCha20Poly1305(_stretched(phrase, salt))
        content = json.loads(key.decrypt(bytes(NONCE_BYTES), body, MAGIC))
    except (InvalidTag, ValueError):
        return None
    epochs = {name: _bytes(secret) for name, secret in content["epochs"].items()}
    return Keyring(_new_private(), epochs), content["at"]


def _stretched(phrase: str, salt: bytes) -> bytes:
    letters = re.sub(r"[^a-z]", "", phrase.lower())
    return Scrypt(salt=salt, length=32, **_SCRYPT).derive(letters.encode())


# The folder


@dataclass(frozen=True, slots=True)
class SyncFolder:
    """A folder that somebody else carries to the other machines. `ident` is in its marker: an
    empty mount point is not mistaken for it."""

    path: Path
    ident: str

    @classmethod
    def made(cls, path: Path) -> SyncFolder:
        """A folder for the first machine. Raises Invalid where there is one already."""
        path.mkdir(parents=True, exist_ok=True)
        if (path / MARKER).exists():
            raise Invalid(
                f"{path} is shared by machines already. Use keepsake sync join, with a phrase that "
                "keepsake sync pair gives on one of them."
            )
        ident = new_machine()
        write_whole(path / MARKER, json.dumps({"keepsake": 1, "folder": ident}).encode())
        return cls(path, ident)

    @classmethod
    def found(cls, path: Path) -> SyncFolder:
        """A folder that another machine made. Raises Invalid for any other."""
        try:
            marker = json.loads((path / MARKER).read_text("utf-8"))
            return cls(path, str(marker["folder"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Invalid(
                f"{path} is not a folder that machines share, or has not arrived yet: there is no "
                f"{MARKER} in it. On the first machine it is made by keepsake sync add."
            ) from error

    def check(self) -> None:
        """Raises Refused when the folder is away, or is another one."""
        try:
            there = SyncFolder.found(self.path)
        except Invalid as error:
            raise Refused(
                f"The folder {self.path} is not there. What is written here waits until it is."
            ) from error
        if there.ident != self.ident:
            raise Refused(
                f"{self.path} is not the folder it was. Leave it with keepsake sync leave, then "
                "join the other one."
            )

    def files(self) -> dict[str, list[int]]:
        """The counters of the files of each machine, in order."""
        found: dict[str, list[int]] = {}
        for file in sorted(self.path.iterdir()):
            if match := _NAME.fullmatch(file.name):
                found.setdefault(match[1], []).append(int(match[2]))
        return {machine: sorted(counters) for machine, counters in found.items()}

    def read(self, machine: str, counter: int) -> bytes | None:
        """None for one that was taken away meanwhile: its machine put them together."""
        try:
            return (self.path / file_name(machine, counter)).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, machine: str, counter: int, raw: bytes) -> None:
        write_whole(self.path / file_name(machine, counter), raw)

    def remove_before(self, machine: str, counter: int, but: Collection[int] = ()) -> None:
        """Take away what one later file of the machine says all of."""
        for older in self.files().get(machine, ()):
            if older < counter and older not in but:
                (self.path / file_name(machine, older)).unlink(missing_ok=True)

    def pairings(self) -> dict[str, bytes]:
        """Open invitations, by the machine that gave them."""
        found = {}
        for file in sorted(self.path.iterdir()):
            if match := _PAIRING.fullmatch(file.name):
                found[match[1]] = file.read_bytes()
        return found

    def invite(self, machine: str, raw: bytes | None) -> None:
        """Put this machine's invitation there, or take it away."""
        path = self.path / f"pairing-{machine}{ENDING}"
        if raw is None:
            path.unlink(missing_ok=True)
        else:
            write_whole(path, raw)

    def end_invitation(self, machine: str, hours: float) -> None:
        """Take this machine's invitation away once it is too old to be used."""
        path = self.path / f"pairing-{machine}{ENDING}"
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > hours * 3600:
                path.unlink()


def write_whole(path: Path, raw: bytes) -> None:
    """A file that is there whole or not at all; its unfinished form has no name that is read."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with fresh.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text)
