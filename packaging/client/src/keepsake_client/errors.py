"""What the API refuses, as exceptions: one for each code."""

from __future__ import annotations

import json


class KeepsakeError(Exception):
    """Every refusal of the API; its text says what to do."""

    code = ""


class ScopeDenied(KeepsakeError):
    code = "MEM-001"


class NotFound(KeepsakeError):
    code = "MEM-002"


class Unavailable(KeepsakeError):
    """The store cannot serve now, or nobody answers."""

    code = "MEM-003"


class DiskFull(Unavailable):
    pass


class Conflict(KeepsakeError):
    """Somebody wrote meanwhile; `current` is the answer's own description of what is there."""

    code = "MEM-004"

    def __init__(self, message: str, current: object = None) -> None:
        super().__init__(message)
        self.current = current


class Invalid(KeepsakeError):
    code = "MEM-005"


class TooLarge(Invalid):
    code = "MEM-006"


class NotAuthenticated(KeepsakeError):
    code = "MEM-007"


class NotAllowed(KeepsakeError):
    code = "MEM-008"


class TooMany(KeepsakeError):
    """Too many requests; `retry_after` seconds from now it may go on."""

    code = "MEM-009"

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


_PLAIN = {
    kind.code: kind
    for kind in (
        ScopeDenied,
        NotFound,
        Unavailable,
        Invalid,
        TooLarge,
        NotAuthenticated,
        NotAllowed,
    )
}


def error_of(status: int, text: str, retry_after: str | None = None) -> KeepsakeError:
    """The exception that a problem document stands for."""
    try:
        problem = json.loads(text)
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return Unavailable(f"The API answered {status} and nothing to act on.")
    if code == Conflict.code:
        return Conflict(detail, problem.get("current"))
    if code == TooMany.code:
        return TooMany(detail, float(retry_after or 1))
    if status == 507:
        return DiskFull(detail)
    return _PLAIN.get(code, Unavailable)(detail)
