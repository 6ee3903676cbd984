"""What hooks leave beside a vault: transcripts to read, calls to note, what a run was told, and
what went wrong. No memory is in it; only prompts that were answered, and the turns of a client that
keeps no transcript, are words, and they go once they are taken.

A hook must not wait for the vault, so it writes here, in a millisecond, and whoever has the vault
open takes it from here."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

LOG_BYTES = 100_000
TOLD_DAYS = 7


class HookFolder:
    def __init__(self, vault: Path | str) -> None:
        self._path = f"{vault}.hooks"

    # The queue

    def queue(self, name: str, item: dict[str, Any]) -> None:
        """One item a name: a later one of the same name stands for the earlier, too."""
        self._write("queue", _digest(name), item)

    def queued(self) -> list[tuple[str, dict[str, Any], int]]:
        """Oldest first: the file, what it says, and when it was written in nanoseconds."""
        found = []
        for path, stamp in self._files("queue"):
            item = _read(path)
            if item is None:
                _remove(path)
            else:
                found.append((path, item, stamp))
        return sorted(found, key=lambda one: (one[2], one[0]))

    def waits(self) -> bool:
        return bool(self._files("queue"))

    def drop(self, path: str, stamp: int) -> None:
        """The item is done, unless it was written again meanwhile."""
        try:
            if os.stat(path).st_mtime_ns == stamp:  # noqa: PTH116  (pathlib costs a hook its time)
                _remove(path)
        except OSError:
            return

    # What a run was told

    def told(self, session: str) -> list[str]:
        held = _read(f"{self._path}/told/{_digest(session)}.json") if session else None
        ids = held.get("ids") if held else None
        return [str(one) for one in ids] if isinstance(ids, list) else []

    def tell(self, session: str, ids: list[str], *, anew: bool = False) -> None:
        """`anew`: what was told before is not in the model's sight any more."""
        if session:
            before = [] if anew else self.told(session)
            self._write("told", _digest(session), {"ids": list(dict.fromkeys([*before, *ids]))})

    def forget_old(self) -> None:
        oldest = time.time_ns() - TOLD_DAYS * 86_400 * 10**9
        for path, stamp in self._files("told"):
            if stamp < oldest:
                _remove(path)

    # What went wrong

    def note_trouble(self, client: str, event: str, sentence: str) -> None:
        line = {"at": time.time(), "client": client, "event": event, "sentence": sentence}
        path = f"{self._path}/log.jsonl"
        os.makedirs(self._path, 0o700, exist_ok=True)  # noqa: PTH103
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            if file.tell() > LOG_BYTES:
                file.truncate(0)
            file.write(json.dumps(line).encode() + b"\n")

    def troubles(self, since: float) -> list[dict[str, Any]]:
        """What was noted after that moment, oldest first."""
        try:
            with open(f"{self._path}/log.jsonl", encoding="utf-8") as file:  # noqa: PTH123
                lines = [json.loads(line) for line in file]
        except (OSError, ValueError):
            return []
        return [line for line in lines if isinstance(line, dict) and line.get("at", 0) > since]

    # Files

    def _files(self, kind: str) -> list[tuple[str, int]]:
        try:
            with os.scandir(f"{self._path}/{kind}") as found:
                return [(e.path, e.stat().st_mtime_ns) for e in found if e.name.endswith(".json")]
        except OSError:
            return []

    def _write(self, kind: str, name: str, item: dict[str, Any]) -> None:
        """Whole or not at all, for this user's eyes alone."""
        for folder in (self._path, f"{self._path}/{kind}"):
            os.makedirs(folder, 0o700, exist_ok=True)  # noqa: PTH103  (of a parent, not the mode)
        fresh = f"{self._path}/{kind}/{name}.{os.getpid()}.new"
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(item, file)
        os.replace(fresh, f"{self._path}/{kind}/{name}.json")  # noqa: PTH105


def _read(path: str) -> dict[str, Any] | None:
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            held = json.load(file)
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) else None


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108
    except OSError:
        return


def _digest(text: str) -> str:
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
