"""Stand-ins for the outside world, named for what they are."""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
import pytest

from app.text.sentences import content_words
from store.instants import to_instant
from store.models.embedder import Span
from store.models.text_windows import word_spans
from store.records import USER, Block, Entry, Scope

NOON = datetime(2026, 4, 30, 12, 0, tzinfo=UTC)


class FixedClock:
    """Stands still until it is moved."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def forward(self, **delta: float) -> None:
        self.at += timedelta(**delta)


class TickingClock(FixedClock):
    """Goes on by a microsecond whenever it is asked: what comes after is later, and still now."""

    def __init__(self, at: datetime = NOON) -> None:
        super().__init__(at)
        self._asked = count()

    def __call__(self) -> datetime:
        return self.at + timedelta(microseconds=next(self._asked))


class Lag:
    """How late a sleeping thread wakes while this is entered: what a busy machine adds to
    everything that is timed meanwhile."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Lag:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        step = 0.02
        while True:
            began = time.monotonic()
            if self._over.wait(step):
                return
            self.seconds += max(0.0, time.monotonic() - began - step)


@contextmanager
def machine_in(zone_name: str) -> Iterator[None]:
    """The machine's own zone is another for a while."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system's zone cannot be changed for one process")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "TZ", zone_name)
        time.tzset()
        yield
    time.tzset()


_numbers = count(1)


def an_entry(content: str = "Prefers tea.", **fields: object) -> Entry:
    """An active entry of the user, unlike any other."""
    n = next(_numbers)
    at = to_instant(NOON)
    values: dict[str, object] = {
        "n": n,
        "id": f"e{n:08}",
        "scope": USER,
        "key": f"key_{n}",
        "content": content,
        "hook": "",
        "category": "core",
        "kind": "fact",
        "importance": 5,
        "tags": (),
        "source": "owner",
        "state": "active",
        "created_at": at,
        "written_at": at,
        "updated_at": at,
        "expires_at": None,
        "extra": "{}",
        "digest": b"",
    }
    return Entry(**{**values, **fields})  # type: ignore[arg-type]


def a_block(content: str, name: str = "core", scope: Scope = USER) -> Block:
    at = to_instant(NOON)
    return Block(f"b{next(_numbers):08}", scope, name, content, "owner", at, at, b"")


class FakeEmbedder:
    """Texts that share words are close: a bag of hashed word stems, unit length."""

    identity = "fake/1"
    dimensions = 128
    max_tokens = 256

    def spans(self, text: str) -> list[Span]:
        return word_spans(text)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in content_words(text):
                vectors[row, zlib.crc32(word.encode()) % self.dimensions] += 1
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.maximum(norms, np.float32(1e-9))
