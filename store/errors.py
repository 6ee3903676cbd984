"""What can go wrong with a vault's file: the lower half of the tree in app/errors.py."""

from __future__ import annotations


class KeepsakeError(Exception):
    """Something a person can act on; its text says what to do."""


class Unavailable(KeepsakeError):
    """The store cannot serve right now."""


class Busy(Unavailable):
    """Another process holds the vault's write lock for too long."""


class DiskFull(Unavailable):
    """No room left to write; forgetting and erasing still work."""


class ReadOnly(Unavailable):
    """The file or its folder cannot be written."""


class NotAVault(KeepsakeError):
    """The file is no Keepsake vault."""


class Locked(KeepsakeError):
    """The vault is encrypted and its key is not known here."""


class WrongKey(Locked):
    """The key that was given is another one's."""


class Damaged(KeepsakeError):
    """The file was a vault and its bytes are broken."""


class NewerVault(KeepsakeError):
    """A later Keepsake wrote this file."""


class EngineTooOld(KeepsakeError):
    """The SQLite engine has known corruption bugs."""
