"""Records in a few words, for people at a terminal, and the times that they type."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from app.errors import Invalid, Refused
from app.text.days import time_named
from app.text.words import plural as plural
from store.instants import Instant, from_instant
from store.records import Entry


def write_report(path: Path, text: str) -> None:
    """Writes a file that was asked for, with the folders above it. Raises Refused."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Refused(
            f"{path} cannot be written ({error.strerror}). Name a file in a folder of yours."
        ) from error


def entry_line(entry: Entry) -> str:
    tags = "".join(f" #{tag}" for tag in entry.tags)
    state = "" if entry.state == "active" else " (in the trash)"
    return (
        f"{entry.key}  [{entry.scope} · {entry.category} · {entry.kind} · {entry.importance}]"
        f"{tags}{state}\n    {one_line(entry.content)}"
    )


_TRUTH = {
    "true_from": "true from",
    "true_until": "true until",
    "verified_at": "confirmed",
    "stale_after": "asked about again after",
}


def entry_whole(entry: Entry) -> str:
    lines = [
        f"{entry.key}",
        f"  scope {entry.scope} · category {entry.category} · kind {entry.kind} · "
        f"importance {entry.importance}",
        f"  written {moment(entry.written_at)} by {entry.source} · id {entry.id}",
    ]
    if entry.tags:
        lines.append(f"  tags {', '.join(entry.tags)}")
    if entry.expires_at:
        lines.append(f"  expires {moment(entry.expires_at)}")
    for name, words in _TRUTH.items():
        if at := getattr(entry, name):
            lines.append(f"  {words} {moment(at)}")
    if entry.muted_for:
        lines.append(f"  never told to {', '.join(entry.muted_for)}")
    return "\n".join([*lines, "", entry.content])


def moment(instant: Instant) -> str:
    local: datetime = from_instant(instant).astimezone()
    return local.strftime("%Y-%m-%d %H:%M")


def typed_time(option: str, text: str, now: datetime) -> Instant:
    """The moment that `option` was given, in the owner's words and days."""
    try:
        return time_named(text, now)
    except ValueError as error:
        raise Invalid(f"{option}: {error}. Or say today, yesterday or 7d.") from error


def one_line(text: str, most: int = 100) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def counted(number: int, things: str) -> str:
    """`plural`, for a word that is known as many: 1 version, 2 versions, 1 entry."""
    for many, one in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if things.endswith(many):
            return plural(number, things.removesuffix(many) + one, things)
    return plural(number, things, things)


def size_text(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1024
    raise AssertionError
