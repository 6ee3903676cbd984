"""What the first bytes of a vault's file tell: plain, encrypted with which key, or not ours.

An encrypted file begins with its salt, which is ours to choose. It says that the file is a vault,
and which key opens it without telling the key: so a wrong key is told apart from a damaged file,
and a file finds its key wherever it was moved.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

KEY_BYTES = 32
HEADER_BYTES = 16
_PLAIN = b"SQLite format 3\x00"
_ENCRYPTED = b"KPSA"


def salt_of(key: bytes) -> bytes:
    """The first bytes of every file encrypted with this key, which has 256 random bits."""
    return _ENCRYPTED + hashlib.blake2b(key, digest_size=12, person=b"keepsake-key").digest()


def fingerprint(key: bytes) -> str:
    """Names a key and tells nothing of it."""
    return salt_of(key)[len(_ENCRYPTED) :].hex()


def key_text(key: bytes | None) -> str:
    """A key as the engine takes it; without one, what opens a plain file."""
    return "" if key is None else f"x'{key.hex()}{salt_of(key).hex()}'"


def header_of(path: Path) -> bytes:
    """Empty for a file that is not there or has nothing in it yet. Raises OSError."""
    try:
        with path.open("rb") as file:
            return file.read(HEADER_BYTES)
    except FileNotFoundError:
        return b""


def is_plain(header: bytes) -> bool:
    return header == _PLAIN


def key_name_in(header: bytes) -> str | None:
    """The fingerprint of the key an encrypted vault needs; None for any other file."""
    if len(header) < HEADER_BYTES or not header.startswith(_ENCRYPTED):
        return None
    return header[len(_ENCRYPTED) :].hex()


def is_foreign(header: bytes) -> bool:
    return bool(header) and not is_plain(header) and key_name_in(header) is None


def fits(header: bytes, key: bytes | None) -> bool:
    """Whether a file that begins so opens with this key (None: without one)."""
    return is_plain(header) if key is None else header == salt_of(key)
