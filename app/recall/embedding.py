"""Vectors in the background: which model, what waits, embedding it once across processes.

An entry is found by words at once and by meaning when its vector lands. Nothing here loads a model
before the first vector is asked for.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeGuard, TypeVar

import resources
from app.confirmed import MODELS, Confirmed
from app.settings import Settings
from app.text.words import ENGLISH, known_in
from store.errors import Unavailable
from store.file.database import Connection, Database
from store.instants import Clock, plus, to_instant
from store.models.embedder import (
    FRAME_EDGES,
    Embedder,
    ModelUnavailable,
    WordEmbedder,
    entry_text,
    framed,
    text_digest,
)
from store.models.glosses import CODES, Dictionary, dictionary, glossed, marks_of
from store.models.minilm import MiniLM, available_cores, reads_words
from store.models.sentence_model import SentenceModel
from store.models.text_windows import windows
from store.records import EntryDraft, Hearing, Scope
from store.tables import change_log, fulltext, leases, vectors
from store.tables.vectors import Embedded, WaitingVector, pack_words

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from store.models.embedder import Vectors
    from store.search.vector_matrix import Array, Matrix

Made = TypeVar("Made")

LEASE = "embedding"
LEASE_SECONDS = 60
BATCH = 512  # entries a transaction: enough to pad like lengths together
FIRST_BATCH = 32
AHEAD_SECONDS = 1.0  # after which what was begun at a write, and not asked for, is forgotten
OWN_WRITES = 64
QUERY_CHARS = 2_000
MINILM = Path(resources.__file__).parent / "minilm"
GLOSSES = Path(resources.__file__).parent / "glosses"
POLL_SECONDS = 2.0
_READ_FOR_LANGUAGE = 2_000  # characters of a text
WAITING_MOST = 10_000

EmbedderFactory = Callable[[str], Embedder]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class EmbeddingState:
    """For the status line: how many wait, whose vectors they are, what is wrong if anything."""

    waiting: int
    model: str
    problem: str


class _Made(NamedTuple):
    """What a model made of some texts: a vector each and, if asked for, those of their words."""

    of: tuple[str, bool, list[str]]  # the model's identity, whether with words, the texts
    vectors: Vectors
    words: list[Vectors]


@dataclass(slots=True)
class _Begun:
    """What a write has begun to embed, by the digest of its content, and until when nothing else
    is begun unless this is asked for."""

    digest: bytes
    until: float = math.inf
    outcome: Callable[[], _Made | None] = lambda: None


class TellsAhead(Protocol):
    """Who tells of a new memory before it is written, as soon as somebody listens."""

    ahead: Callable[[EntryDraft], object]


def packs_of(vault: Path) -> Path:
    """Where the dictionaries lie that were added to those that come with Keepsake."""
    return vault.parent / "languages"


def language_read(
    text: str, folders: tuple[Path, ...], spoken: Collection[str]
) -> tuple[str, Dictionary] | None:
    """The language of the text that a dictionary puts into English, and the dictionary; None for
    English and whatever there is none for. A text without any function word is taken for one of
    the languages `spoken` in the vault when more of its words are of that one than English."""
    words = fulltext.words(text[:_READ_FOR_LANGUAGE])
    known = known_in(words)
    most = max(known.values())
    for name, code in CODES.items():
        if known[name] < most or (most and known[ENGLISH] == most) or not (most or name in spoken):
            continue
        found = dictionary(code, folders)
        if found is None:
            continue
        of_it = found.knows(words)
        if most > 1 or (of_it * 2 >= len(words) and (most or of_it > found.says(words))):
            return name, found
    return None


def make_embedder(name: str) -> Embedder:
    """The bundled model for an empty name, else a sentence-transformers model."""
    if name:
        return SentenceModel(name, lambda: name in Confirmed(MODELS))
    return MiniLM(MINILM)


def small_embedder(name: str) -> Embedder:
    """The same for a process of which there are many, each with little to embed: the bundled
    model's weights are shared as they are, which costs about a millisecond a text."""
    return make_embedder(name) if name else MiniLM(MINILM, packed=False)


def has_words(embedder: Embedder) -> TypeGuard[WordEmbedder]:
    """Asked for every search and write, where a look at the whole protocol would be felt."""
    return hasattr(embedder, "embed_words")


class Embedding:
    """The vault's embedder, its matrix in memory and the queue of texts without a vector."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        factory: EmbedderFactory,
        clock: Clock,
        writer: TellsAhead,
    ) -> None:
        self._database = database
        self._settings = settings
        self._factory = factory
        self._writer = writer  # told only once the model is there
        self._clock = clock
        self._holder = f"{os.getpid()}.{id(self):x}"
        self._loading = threading.RLock()
        self._embedder: Embedder | None = None
        self._name: str | None = None
        self._matrix: Matrix | None = None
        self._dictionaries = (GLOSSES, packs_of(database.path))
        self._adopted = ""  # the model that the vault was found or made to be of
        self._queries: dict[str, tuple[Array, Array | None]] = {}
        self._matrix_seen: tuple[int, int] | None = None  # the state whose parts are complete
        self._freshening = threading.Lock()
        self._starting = threading.Lock()
        self._thread: ThreadPoolExecutor | None = None
        self._ahead: _Begun | None = None
        self._as_last: tuple[Embedder, bool, Collection[str]] | None = None  # how texts were read
        self._wake = threading.Event()
        self._cancelled = threading.Event()
        self._problem = ""

    # Asking

    def state(self) -> EmbeddingState:
        with self._database.read() as db:
            waiting = vectors.count_waiting(db)
        return EmbeddingState(waiting, self._settings["embedding_model"], self._problem)

    def embedder(self, db: Connection | None = None) -> Embedder:
        """The embedder that the settings name, as the snapshot `db` has them or as they are now;
        another one after they changed."""
        name = str(self._setting("embedding_model", db))
        with self._loading:
            if self._embedder is None or name != self._name:
                self._embedder, self._name = self._factory(name), name
                self._matrix = None
                self._queries.clear()
            return self._embedder

    def _setting(self, name: str, db: Connection | None) -> object:
        return self._settings[name] if db is None else self._settings.seen_by(db, name)

    def matrix(self, db: Connection | None = None) -> Matrix:
        """The matrix of the current model; follow the vault with it before asking it."""
        from store.search.vector_matrix import Matrix  # and with it NumPy

        with self._loading:
            embedder = self.embedder(db)
            if self._matrix is None:
                self._matrix = Matrix(embedder.identity, embedder.dimensions)
            return self._matrix

    def query(self, text: str) -> Array:
        """The vector of a query. Raises ModelUnavailable."""
        return self.query_words(text)[0]

    def query_words(self, text: str, db: Connection | None = None) -> tuple[Array, Array | None]:
        """The vector of a query and those of its words; None where words are not compared.
        Raises ModelUnavailable."""
        text = text[:QUERY_CHARS]
        with self._loading:
            embedder = self.embedder(db)
            known = self._queries.get(text)
        if known is not None:
            return known
        said = self._readable(text, embedder, db)
        if has_words(embedder) and reads_words(said):
            vectors, words = embedder.embed_words([said])
            made: tuple[Array, Array | None] = (vectors[0], words[0] if len(words[0]) else None)
        else:
            made = (embedder.embed([said])[0], None)
        with self._loading:
            if len(self._queries) >= 64:
                self._queries.pop(next(iter(self._queries)))
            self._queries[text] = made
        return made

    def compares_words(self, db: Connection) -> bool:
        return bool(self._setting("word_matching_most", db))

    def nearness(self, query: str, block_id: str, lines: Sequence[str]) -> list[float]:
        """The cosine of each line of a block with a query; a line is embedded once and kept."""
        import numpy as np

        if not lines:
            return []
        vector = self.query(query)
        embedder = self.embedder()
        lines = [self._readable(line, embedder) for line in lines]
        digests = [text_digest(line) for line in lines]
        with self._database.read() as db:
            known = vectors.lines(db, block_id, embedder.identity)
        by_mark = dict(zip(digests, lines, strict=True))
        missing = {mark: line for mark, line in by_mark.items() if mark not in known}
        if missing:
            made = vectors.packed(embedder.embed([framed(line) for line in missing.values()]))
            new = dict(zip(missing, made, strict=True))
            known |= new
            self._keep_lines(block_id, embedder.identity, digests, new)
        stacked = np.frombuffer(b"".join(known[mark] for mark in digests), np.float32)
        return [float(value) for value in stacked.reshape(len(lines), -1) @ vector]

    # Embedding

    def ahead(self, draft: EntryDraft) -> None:
        """Begins to embed what is about to be written, beside the writing: whoever embeds it then
        finds it made. Not where that would load the model, nor while what was begun before is not
        asked for: many writes are embedded together. A write never waits for it."""
        as_last, before = self._as_last, self._ahead
        if as_last is None or available_cores() < 2:
            return
        if before is not None and time.monotonic() < before.until:
            return
        begun = self._ahead = _Begun(text_digest(draft.content))

        def make() -> _Made | None:
            try:
                return self._made_ahead(draft, *as_last)
            finally:
                begun.until = time.monotonic() + AHEAD_SECONDS

        begun.outcome = self.beside(make)

    def _made_ahead(
        self, draft: EntryDraft, embedder: Embedder, with_words: bool, spoken: Collection[str]
    ) -> _Made | None:
        said = entry_text(draft.key or "", draft.content, draft.hook or "")
        try:
            parts = windows(self._read(said, spoken, embedder)[0], embedder)
            return self._make([framed(part) for part in parts], embedder, with_words)
        except ModelUnavailable:
            return None  # who embeds it will tell

    def beside(self, work: Callable[[], Made]) -> Callable[[], Made]:
        """Begins `work` in a thread of its own, if that is free, and gives what brings its outcome:
        the engine looks for words while the model reads the query."""
        if available_cores() < 2:
            return work
        with self._starting:
            if self._thread is None:
                from concurrent.futures import ThreadPoolExecutor

                self._thread = ThreadPoolExecutor(1, "beside")
            running = self._thread.submit(work)
        return lambda: work() if running.cancel() else running.result()

    def anything_to_do(self, db: Connection) -> bool:
        """Whether a text waits, or the model is new to this process. Other dictionaries are noticed
        by who embeds in the background, not by every search."""
        return self._adopted != self.embedder(db).identity or vectors.any_waiting(db)

    def embed_fresh(self, source: str | None, seconds: float = 0.2) -> int:
        """Embed what waits, whoever wrote it, newest first, for about that long. The writes of
        `source` come before the others: what an agent just wrote it recalls, even during a large
        import."""
        end = time.monotonic() + seconds
        with self._database.read() as db:
            identity = self.embedder(db).identity
            if identity == self._adopted and not vectors.any_waiting(db):
                return 0
        # Searches at the same time would embed the same texts: one does, the others wait for it.
        if not self._freshening.acquire(timeout=seconds):
            return 0
        try:
            if self._adopted != identity:
                self.adopt_model()
            own = self._embed_until(end, source) if source is not None else 0
            return own + self._embed_until(end, None)
        finally:
            self._freshening.release()

    def waiting(self, scopes: Sequence[Scope] | None = None, hearing: Hearing | None = None) -> int:
        """How many memories of these scopes (None: of all) that `hearing` (None: everybody) is told
        are not found by meaning yet; counted no further than WAITING_MOST."""
        with self._database.read() as db:
            return vectors.count_waiting_in(db, scopes, WAITING_MOST, hearing)

    def embed_learned(self, seconds: float = 5.0) -> int:
        """Embed what was learned and waits: what is learned next is compared with all of it,
        however busy the machine and whoever was killed before it came to this."""
        self.adopt_model()
        return self._embed_until(time.monotonic() + seconds, None, learned=True)

    def embed_waiting(
        self,
        progress: Progress | None = None,
        *,
        batch: int = BATCH,
        stop: threading.Event | None = None,
    ) -> int:
        """Embed all that waits, in this thread, unless another process is at it; how many it did.

        `progress(done, total)` after each batch; `cancel()` from another thread, or setting
        `stop`, ends it early."""
        self._cancelled.clear()
        stop = stop or threading.Event()
        done, held = 0, False
        with self._database.read() as db:
            total = vectors.count_waiting(db)
        if self.adopt_model():
            with self._database.read() as db:
                total = vectors.count_waiting(db)
        try:
            size = min(batch, FIRST_BATCH)  # the first are found soon, however slow the machine
            while done < total and not (self._cancelled.is_set() or stop.is_set()):
                held = self._lease()
                waiting = self._waiting(size, None) if held else []
                if not waiting:
                    break
                if self._embed(waiting):
                    with self._database.read() as db:
                        total = done + vectors.count_waiting(db)
                done += len(waiting)
                size = min(size * 2, batch)
                if progress:
                    progress(done, max(total, done))
            if done >= total and not (self._cancelled.is_set() or stop.is_set()):
                held = self._complete_words(stop, held)
                self.complete_matrix(stop)
        finally:
            if held:
                self._release()
        return done

    def adopt_model(self) -> bool:
        """Queue everything again when the vectors are of another model, or texts are put into
        English by other dictionaries; whether it did. A search does this for a model once: what
        lies on the disk is looked at again by who embeds in the background."""
        identity, put_by = self.embedder().identity, marks_of(self._dictionaries)
        with self._database.read() as db:
            if vectors.known_model(db) == identity and vectors.put_by(db) == put_by:
                self._adopted = identity
                return False
        with self._database.write() as db:
            known = vectors.known_model(db)
            if known == identity and vectors.put_by(db) == put_by:
                return False
            vectors.remember_model(db, identity)
            vectors.remember_put_by(db, put_by)
            if known is not None:
                vectors.queue_all(db)
        self._adopted = identity
        with self._loading:
            self._queries.clear()
        return known is not None

    def rebuild(self) -> None:
        """Throw the vectors away; they are made again in the background."""
        with self._database.write() as db:
            vectors.clear(db)
        with self._loading:
            self._matrix = None
            self._adopted = ""
        self.wake()

    def cancel(self) -> None:
        """End a running `embed_waiting` after its batch; what waits keeps waiting."""
        self._cancelled.set()

    def close(self) -> None:
        """Waits for what goes on beside: it may be reading."""
        with self._starting:
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.shutdown()

    def wake(self) -> None:
        """Makes `run` look for work at once: somebody wrote."""
        self._wake.set()

    def run(self, stop: threading.Event, progress: Progress | None = None) -> None:
        """Embed whatever comes until `stop` is set. For a thread at the edge of a long-running
        process; call `wake()` after setting `stop` to end it at once."""
        while not stop.is_set():
            self._wake.clear()
            try:
                if self.embed_waiting(progress, stop=stop) == 0:
                    self._wake.wait(POLL_SECONDS)
                self._problem = ""
            except (ModelUnavailable, Unavailable) as error:
                self._problem = str(error)
                self._wake.wait(POLL_SECONDS * 5)

    # Parts

    def _embed_until(self, end: float, source: str | None, learned: bool = False) -> int:
        done = 0
        size = 8  # grows while time is left: the first batch shows how fast this machine is
        while done < OWN_WRITES * 16 and (begun := time.monotonic()) < end:
            waiting = self._waiting(size, source, learned)
            if not waiting:
                break
            self._embed(waiting)
            done += len(waiting)
            if len(waiting) < size:
                break
            now = time.monotonic()
            fits = int((end - now) * len(waiting) / max(now - begun, 1e-6))
            size = max(1, min(size * 2, OWN_WRITES, fits))
        return done

    def _waiting(
        self, limit: int, source: str | None, learned: bool = False
    ) -> list[WaitingVector]:
        with self._database.read() as db:
            return vectors.waiting(db, limit, source, learned) if vectors.any_waiting(db) else []

    def _readable(self, text: str, embedder: Embedder, db: Connection | None = None) -> str:
        """`text` as the bundled model can read it: in English, word by word."""
        with self._database.read() if db is None else nullcontext(db) as seen:
            spoken = vectors.spoken(seen)
        return self._read(text, spoken, embedder)[0]

    def _read(self, text: str, spoken: Collection[str], embedder: Embedder) -> tuple[str, str]:
        """`text` as the bundled model can read it, and the language that it was put into English
        from, if there are endings and function words to tell it by."""
        if not has_words(embedder):
            return text, ""
        if not reads_words(text):
            return glossed(text, GLOSSES), ""
        found = language_read(text, self._dictionaries, spoken)
        return (found[1].put(text), found[0]) if found else (text, "")

    def _with_words(self, db: Connection, embedder: Embedder) -> bool:
        """Whether entries get a vector for each word as well."""
        if not has_words(embedder):
            return False
        most = int(self._settings.seen_by(db, "word_matching_most"))
        return bool(most) and vectors.highest(db) <= most

    def _complete_words(self, stop: threading.Event, held: bool) -> bool:
        """Make the vectors of words that entries lack, or throw all away where they are not wanted
        any more; once, until that changes. Whether this process holds the lease."""
        with self._database.read() as db:
            embedder = self.embedder()
            wanted = embedder.identity if self._with_words(db, embedder) else ""
            if vectors.known_words(db) == wanted:
                return held
        if not wanted:
            with self._database.write() as db:
                vectors.clear_words(db)
            return held
        while not (self._cancelled.is_set() or stop.is_set()):
            held = self._lease()
            if not held:
                return False
            with self._database.read() as db:
                missing = vectors.without_words(db, wanted, FIRST_BATCH * 4)
            if not missing:
                with self._database.write() as db:
                    vectors.remember_words(db, wanted)
                return True
            self._embed(missing)
        return held

    def complete_matrix(self, stop: threading.Event | None = None) -> None:
        """Make what lies ready in the file for the first search of a process, where there are many
        entries, unless another process is at it."""
        with self._database.read() as db:
            change, seq = change_log.last_seq(db), vectors.last_seq(db)
            if (change, seq) == self._matrix_seen or not vectors.parted(db):
                return
            matrix = self.matrix()
            made, told = vectors.stale_parts(db, matrix.format, change)
        held = False
        try:
            for number, first in enumerate((*made, *told)):
                held = self._lease() if number % 32 == 0 else held
                if not held or self._cancelled.is_set() or (stop is not None and stop.is_set()):
                    return
                with self._database.write(derived=True) as db:
                    if number < len(made):
                        vectors.keep_part(db, matrix.format, matrix.part(db, first))
                    else:
                        vectors.still_true(db, first, change, seq)
            self._matrix_seen = (change, seq)
        finally:
            if held:
                self._release()

    def _embed(self, waiting: list[WaitingVector]) -> bool:
        """Embed the windows whose text changed, outside any transaction, then keep them. Whether
        all wait again, because one is of a language that was not spoken in the vault before."""
        with self._database.read() as db:
            embedder = self.embedder(db)
            with_words, spoken = self._with_words(db, embedder), vectors.spoken(db)
            numbers = [item.n for item in waiting]
            known = vectors.digests(db, numbers, embedder.identity, with_words)
        read = {
            item.n: self._read(entry_text(item.key, item.content, item.hook), spoken, embedder)
            for item in waiting
        }
        texts = {n: windows(text, embedder) for n, (text, _) in read.items()}
        marks = {n: tuple(text_digest(part) for part in parts) for n, parts in texts.items()}
        stale = [
            (n, part, text)
            for n, parts in texts.items()
            if known.get(n) != marks[n]
            for part, text in enumerate(parts)
        ]
        self._as_last = (embedder, with_words, spoken)
        self._writer.ahead = self.ahead
        begun = self._begun(waiting)
        made = begun() if begun is not None else None
        parts = [framed(text) for _, _, text in stale]
        if made is None or made.of != (embedder.identity, with_words, parts):
            made = self._make(parts, embedder, with_words)
        packed: dict[int, bytes] = {}
        for (n, _, text), found in zip(stale, made.words, strict=with_words):
            compared = pack_words(found) if reads_words(text) else b""
            packed[n] = packed.get(n, b"") + compared
        embedded = [
            Embedded(n, part, marks[n][part], vector)
            for (n, part, _), vector in zip(stale, vectors.packed(made.vectors), strict=True)
        ]
        heard = spoken | {language for _, language in read.values() if language}
        with self._database.write(derived=True) as db:
            vectors.keep(db, embedder.identity, waiting, embedded, packed)
            new = not heard <= vectors.spoken(db)
            if new:  # what has no function word may be of that language too
                vectors.remember_spoken(db, heard | vectors.spoken(db))
                vectors.queue_all(db)
        return new

    def _begun(self, waiting: list[WaitingVector]) -> Callable[[], _Made | None] | None:
        """What brings the vectors of this text, if it waits alone and was begun when written."""
        begun, self._ahead = self._ahead, None
        if begun is None or len(waiting) > 1 or begun.digest != text_digest(waiting[0].content):
            return None
        return begun.outcome

    def _make(self, parts: list[str], embedder: Embedder, with_words: bool) -> _Made:
        of = (embedder.identity, with_words, parts)
        if with_words and has_words(embedder):
            return _Made(of, *embedder.embed_words(parts, FRAME_EDGES))
        return _Made(of, embedder.embed(parts), [])

    def _keep_lines(
        self, block_id: str, model: str, wanted: Sequence[bytes], new: dict[bytes, bytes]
    ) -> None:
        try:
            with self._database.write() as db:
                vectors.keep_lines(db, block_id, model, wanted, new)
        except Unavailable:
            return  # made again next time

    def _lease(self) -> bool:
        now = to_instant(self._clock())
        with self._database.write() as db:
            return leases.take(db, LEASE, self._holder, now, plus(now, seconds=LEASE_SECONDS))

    def _release(self) -> None:
        with self._database.write() as db:
            leases.release(db, LEASE, self._holder)
