"""Errors as RFC 9457 problem JSON: one table from the error tree to statuses and codes."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from app.errors import (
    Busy,
    ConflictError,
    Damaged,
    DiskFull,
    Invalid,
    KeepsakeError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    NotUnderstood,
    ReadOnly,
    Refused,
    ScopeDenied,
    TooLarge,
    TooMany,
    Unavailable,
)

MEDIA_TYPE = "application/problem+json"
TITLES = {
    "MEM-001": "Scope denied",
    "MEM-002": "Not found",
    "MEM-003": "Store unavailable",
    "MEM-004": "Conflict",
    "MEM-005": "Invalid request",
    "MEM-006": "Too large",
    "MEM-007": "Not authenticated",
    "MEM-008": "Not allowed",
    "MEM-009": "Too many requests",
}
# The first that fits, so the narrower stand before the wider.
TABLE: tuple[tuple[type[KeepsakeError], int, str], ...] = (
    (ScopeDenied, 403, "MEM-001"),
    (NotFound, 404, "MEM-002"),
    (ConflictError, 409, "MEM-004"),
    (Refused, 409, "MEM-004"),
    (TooLarge, 413, "MEM-006"),
    (NotUnderstood, 400, "MEM-005"),
    (Invalid, 422, "MEM-005"),
    (NotAuthenticated, 401, "MEM-007"),
    (NotAllowed, 403, "MEM-008"),
    (TooMany, 429, "MEM-009"),
    (DiskFull, 507, "MEM-003"),
    (Busy, 503, "MEM-003"),
    (ReadOnly, 503, "MEM-003"),
    (Damaged, 503, "MEM-003"),
    (Unavailable, 503, "MEM-003"),
    (KeepsakeError, 503, "MEM-003"),
)
# Statuses that the framework raises itself.
_OF_STATUS = {404: "MEM-002", 401: "MEM-007", 403: "MEM-008", 409: "MEM-004", 413: "MEM-006"}

# A body's model in a validation error: our word, not the client's.
_SHAPE = re.compile(r"[A-Z]\w*(Wanted|Patch)")
_INSTANCE = re.compile(r"dictionary or (instance of \w+|object to extract fields from)")

_log = logging.getLogger("keepsake.api")


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    **members: object,
) -> Response:
    """One problem; `members` are what else helps to act on it."""
    body = {
        "type": f"urn:keepsake:problem:{code}",
        "title": TITLES[code],
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }
    return JSONResponse(body, status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def problem_of(error: KeepsakeError) -> Response:
    status, code = next((s, c) for kind, s, c in TABLE if isinstance(error, kind))
    headers: dict[str, str] = {}
    members: dict[str, object] = {}
    if isinstance(error, NotAuthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="keepsake"'
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    if isinstance(error, Busy):
        headers["Retry-After"] = "1"
    if isinstance(error, ConflictError):
        members["current"] = error.current
    return problem(status, code, str(error), headers=headers, **members)


def problem_of_validation(errors: list[Any]) -> Response:
    """Which fields are wrong and why; what was sent is not repeated."""
    if any(error.get("type") == "json_invalid" for error in errors):
        return problem(400, "MEM-005", "The body is not valid JSON.")
    fields = [
        {"field": _field(error), "message": _INSTANCE.sub("object", str(error.get("msg", "")))}
        for error in _of_one_shape(errors)[:20]
    ]
    first = fields[0] if fields else {"field": "", "message": "invalid"}
    detail = f"{first['field'] or 'body'}: {first['message']}"
    return problem(
        422,
        "MEM-005",
        _printable(detail),
        errors=[{name: _printable(text) for name, text in field.items()} for field in fields],
    )


def _field(error: Mapping[str, Any]) -> str:
    parts = [str(part) for part in error.get("loc", ()) if part != "body"]
    return ".".join(part for part in parts if not _SHAPE.fullmatch(part))


def _of_one_shape(errors: list[Any]) -> list[Any]:
    """Where a body may have one of several shapes: what is wrong by the shape it comes nearest."""
    shapes: dict[str, list[Any]] = {}
    for error in errors:
        names = [str(part) for part in error.get("loc", ()) if _SHAPE.fullmatch(str(part))]
        shapes.setdefault(names[0] if names else "", []).append(error)

    def distance(shape: list[Any]) -> tuple[int, int]:
        return sum(error.get("type") == "extra_forbidden" for error in shape), len(shape)

    return shapes.pop("", []) + (min(shapes.values(), key=distance) if shapes else [])


def problem_of_status(status: int, detail: str, headers: Mapping[str, str] | None) -> Response:
    if status >= 500:
        return problem(503, "MEM-003", detail, headers=headers)
    return problem(status, _OF_STATUS.get(status, "MEM-005"), detail, headers=headers)


def install(app: FastAPI) -> None:
    """Every way a request can fail ends in a problem."""

    async def known(_request: Request, error: Exception) -> Response:
        assert isinstance(error, KeepsakeError)
        return problem_of(error)

    async def invalid(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return problem_of_validation(list(error.errors()))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        words = {
            404: f"There is nothing at {request.url.path}. See /openapi.json.",
            400: "The body cannot be read: send JSON in UTF-8.",
            405: f"{request.method} is not for {request.url.path}.",
        }
        detail = words.get(error.status_code, str(error.detail))
        return problem_of_status(error.status_code, _printable(detail), error.headers)

    app.add_exception_handler(KeepsakeError, known)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, refused)


def unexpected(
    error: BaseException, request_id: str, damage: KeepsakeError | None = None
) -> Response:
    """A bug, or a vault that something else wrote into: logged with its trace, answered without."""
    _log.error("request %s failed", request_id, exc_info=error)
    if damage is not None:
        return problem_of(damage)
    return problem(
        500,
        "MEM-003",
        f"Something went wrong inside Keepsake; its log says what, under request {request_id}.",
    )


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
