"""Reads a vault's log (the `-wal` file) as bytes, to notice what the engine passes over.

After a kill the engine takes from the log what is whole and leaves the rest without a word. A bad
byte in the middle makes it leave everything behind it: writes that were acknowledged."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import BinaryIO

_HEADER = struct.Struct(">8I")  # magic, version, page size, checkpoint, two salts, two checksums
_FRAME = struct.Struct(">4I")  # page, size of the file after a commit or 0, two salts

Salts = tuple[int, int]


def last_commit(log: Path) -> int:
    """The number of the last frame that ends a transaction of the log's present generation,
    whatever lies before it; 0 for none. Frames of earlier generations are behind and have other
    salts. Raises OSError."""
    try:
        file = log.open("rb")
    except FileNotFoundError:
        return 0
    with file:
        head = file.read(_HEADER.size)
        if len(head) < _HEADER.size:
            return 0
        _, _, page, _, salt_1, salt_2, _, _ = _HEADER.unpack(head)
        if page < 512 or page > 65536:
            return 0
        return _last_commit(file, page, (salt_1, salt_2))


def _last_commit(file: BinaryIO, page: int, salts: Salts) -> int:
    first: Salts | None = None
    ends: dict[Salts, int] = {}
    frames = range(_HEADER.size, os.fstat(file.fileno()).st_size - page - 23, page + 24)
    for number, at in enumerate(frames, 1):
        file.seek(at)
        _, ends_at, *found = _FRAME.unpack(file.read(_FRAME.size))
        key = (found[0], found[1])
        first = first or key
        if ends_at:
            ends[key] = number
    last = ends.get(salts, 0)
    # A log begun anew has a header one generation later than the first frame until that is written.
    if first is not None and first != salts and (first[0] + 1) & 0xFFFFFFFF != salts[0]:
        last = max(last, ends.get(first, 0))
    return last
