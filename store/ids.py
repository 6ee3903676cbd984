"""Opaque ids that sort by the time they were made."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: safe to read aloud


class IdMaker:
    """Makes 26-letter ids: 48 bits of milliseconds, then 80 bits that are random and then count up,
    so that ids made in the same millisecond by one process still sort in the order of making."""

    def __init__(
        self,
        milliseconds: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._milliseconds = milliseconds
        self._random_bytes = random_bytes
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            number = self._milliseconds() << 80 | int.from_bytes(self._random_bytes(10)) >> 1
            if number <= self._last or number >> 80 == self._last >> 80:
                number = self._last + 1
            self._last = number
        return _encode(number)


# Two letters at a time: ids are made by the ten thousand.
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_SHIFTS = range(120, -1, -10)


def _encode(number: int) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])
