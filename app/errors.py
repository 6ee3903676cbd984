"""The one error tree. Doors translate it in one table (API) and one function (window).

    KeepsakeError                    a person or agent can act on it
    ├── Invalid            MEM-005   the request itself is wrong
    │   ├── TooLarge       MEM-006   over a size limit
    │   └── NotUnderstood            asks for something that has no meaning here
    ├── NotFound           MEM-002   no such thing, or none you may know of
    ├── ScopeDenied        MEM-001   a scope that is not yours
    ├── NotAllowed         MEM-008   you may read, not write
    ├── NotAuthenticated   MEM-007   no token, or not a valid one
    ├── ConflictError      MEM-004   somebody wrote meanwhile; carries what is there now
    ├── TooMany            MEM-009   slow down; says for how long
    │   └── InboxFull                the owner decides about what waits first
    ├── Refused                      cannot be done to this thing now, with the reason
    │   └── CredentialFound          the owner wants to be asked before it is kept
    ├── Unavailable        MEM-003   the store cannot serve (store/errors.py)
    │   ├── Busy · DiskFull · ReadOnly
    ├── Locked                       encrypted, and its key is not known here
    │   └── WrongKey
    └── NotAVault · Damaged · NewerVault · EngineTooOld

Anything else that is raised is a bug.
"""

from __future__ import annotations

from typing import ClassVar

from store.errors import (
    Busy,
    Damaged,
    DiskFull,
    EngineTooOld,
    KeepsakeError,
    Locked,
    NewerVault,
    NotAVault,
    ReadOnly,
    Unavailable,
    WrongKey,
)


class Invalid(KeepsakeError):
    code: ClassVar[str] = "MEM-005"


class TooLarge(Invalid):
    code: ClassVar[str] = "MEM-006"


class NotUnderstood(Invalid):
    """Refused rather than answered as if that part had not been asked."""


class NotFound(KeepsakeError):
    code: ClassVar[str] = "MEM-002"


class ScopeDenied(KeepsakeError):
    code: ClassVar[str] = "MEM-001"


class NotAllowed(KeepsakeError):
    code: ClassVar[str] = "MEM-008"


class NotAuthenticated(KeepsakeError):
    code: ClassVar[str] = "MEM-007"


class ConflictError(KeepsakeError):
    """For doors that raise; services return `Conflict` instead."""

    code: ClassVar[str] = "MEM-004"

    def __init__(self, message: str, current: object = None) -> None:
        super().__init__(message)
        self.current = current


class TooMany(KeepsakeError):
    code: ClassVar[str] = "MEM-009"

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class InboxFull(TooMany):
    """An agent has as many proposals waiting as it may have; nothing was proposed."""

    def __init__(self, waiting: int) -> None:
        super().__init__(
            f"{waiting:,} proposals of this agent wait in the owner's review inbox already, the "
            "most there may be. Nothing was proposed: the owner decides about those first.",
            retry_after=3600,
        )


class Refused(KeepsakeError):
    """What was asked cannot be done to this thing now: undo across an erase, a changed thing."""

    code: ClassVar[str] = "MEM-004"


class CredentialFound(Refused):
    """The owner's own write, where the owner wants to be asked: nothing was kept yet."""

    def __init__(self, sentence: str) -> None:
        super().__init__(
            f"{sentence} Nothing was saved: take it out, save it all the same, or choose in the "
            "settings under Secrets what is to happen."
        )


__all__ = [
    "Busy",
    "ConflictError",
    "CredentialFound",
    "Damaged",
    "DiskFull",
    "EngineTooOld",
    "InboxFull",
    "Invalid",
    "KeepsakeError",
    "Locked",
    "NewerVault",
    "NotAVault",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "NotUnderstood",
    "ReadOnly",
    "Refused",
    "ScopeDenied",
    "TooLarge",
    "TooMany",
    "Unavailable",
    "WrongKey",
]
