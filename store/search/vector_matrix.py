"""All vectors of a vault in memory: one matrix, one product.

It loads from the file at first use and then follows the vectors' own sequence. Where there are many
entries, what it loads lies ready in the file, in parts. Where there are very many, a number is kept
as one byte, and who needs exact cosines of some of them has them made from the file.
"""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from store.file.database import Connection, Row
from store.instants import Instant
from store.records import ACTIVE
from store.tables import change_log, entries, vectors
from store.tables.entry_filter import EntryFilter, numbers

Array = np.ndarray[Any, Any]

_SELECT = """SELECT n, scope, category, kind, source, importance, state = 'active',
    substr(created_at, 1, 26), substr(written_at, 1, 26), substr(expires_at, 1, 26) FROM entries"""
_WORDS = ("scope", "category", "kind", "source")
_TYPES = {
    "n": np.int64,
    **dict.fromkeys(_WORDS, np.int32),
    "importance": np.int8,
    "active": np.bool_,
    **dict.fromkeys(("created", "written", "expires"), np.int64),
}
_NAMES = tuple(_TYPES)
_NEVER = np.iinfo(np.int64).max  # later than any moment that a filter can name
_FOLLOW_MOST = 20_000  # more changes than this, and a quarter of all, are loaded afresh
_STEP = 2_048  # rows read from the file at once
_BLOCK = 512  # rows of bytes made floats at once: they stay in the processor's own memory


class Columns:
    """One element an entry, in the order of `n`; words are kept as codes.

    Not thread-safe: the matrix that owns it holds the lock."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._arrays = self._from_rows([])
        self._change = -1
        self._neighbours: tuple[Array, Array] | None = None

    @property
    def size(self) -> int:
        return len(self._arrays["n"])

    @property
    def n(self) -> Array:
        return self._arrays["n"]

    @property
    def created(self) -> Array:
        """Microseconds since 1970."""
        return self._arrays["created"]

    @property
    def scope(self) -> Array:
        return self._arrays["scope"]

    def positions(self, wanted: Array) -> Array:
        """Where each row number stands; -1 if it is not there."""
        if not self.size:
            return np.full(len(wanted), -1)
        at = np.searchsorted(self.n, wanted)
        at[at == self.size] = 0
        return np.where(self.n[at] == wanted, at, -1)

    def neighbours(self) -> tuple[Array, Array]:
        """Positions in the order the entries were made within their scope, and where in that
        order each position stands."""
        if self._neighbours is None:
            by_time = np.argsort(self.created, kind="stable")
            order = by_time[np.argsort(self.scope[by_time], kind="stable")]
            position = np.empty_like(order)
            position[order] = np.arange(len(order))
            self._neighbours = order, position
        return self._neighbours

    def follow(self, db: Connection) -> bool:
        """Bring the columns to the state of the vault that `db` sees; whether anything moved."""
        last = change_log.last_seq(db)
        if last <= self._change:
            return False
        moved = True
        if self._change < max(0, last - follow_most(self.size)):
            self._read(db)
        else:
            touched, erased = change_log.entries_after(db, self._change)
            if erased:
                self._drop(db)
            if touched:
                self._replace(db, touched)
            moved = erased or bool(touched)
        self._change = last
        if moved:
            self._neighbours = None
        return moved

    def take(self, pieces: Sequence[dict[str, Array]], change: int) -> None:
        """Be made of these, which follow each other by `n` and show the log as of `change`."""
        self._arrays = {name: np.concatenate([piece[name] for piece in pieces]) for name in _NAMES}
        self._change = change
        self._neighbours = None

    def piece(self, db: Connection, first: int) -> dict[str, Array]:
        """The entries of one part, from the table."""
        return self._from_rows(
            db.execute(
                f"{_SELECT} WHERE n >= :first AND n < :first + :part ORDER BY n",
                {"first": first, "part": vectors.PART},
            ).fetchall()
        )

    def packed(self, piece: dict[str, Array]) -> bytes:
        """`piece` of these columns as it is kept in the file."""
        words = json.dumps(list(self._codes), ensure_ascii=False).encode("utf-8", "surrogatepass")
        return b"".join(
            [len(words).to_bytes(4, "little"), words, *(piece[name].tobytes() for name in _NAMES)]
        )

    def unpacked(self, packed: bytes) -> dict[str, Array]:
        """What `packed` kept, by the codes of these columns."""
        at = 4 + int.from_bytes(packed[:4], "little")
        words = json.loads(packed[4:at].decode("utf-8", "surrogatepass"))
        codes = np.array([self._codes.setdefault(word, len(self._codes)) for word in words])
        size = (len(packed) - at) // sum(np.dtype(kind).itemsize for kind in _TYPES.values())
        piece: dict[str, Array] = {}
        for name, kind in _TYPES.items():
            piece[name] = np.frombuffer(packed, kind, size, at)
            at += piece[name].nbytes
            if name in _WORDS and size:
                piece[name] = codes[piece[name]].astype(np.int32)
        return piece

    def allowed(self, db: Connection, filter: EntryFilter) -> Array:
        """True for each entry the filter lets through."""
        columns = self._arrays
        mask = np.ones(self.size, bool)
        if filter.state is not None:
            mask &= columns["active"] == (filter.state == ACTIVE)
        if filter.scopes is not None:
            mask &= self._coded("scope", [str(scope) for scope in filter.scopes])
        if filter.scope_kinds:
            kinds = [word for word in self._codes if word.partition(":")[0] in filter.scope_kinds]
            mask &= self._coded("scope", kinds)
        for name, wanted in (
            ("category", filter.categories),
            ("kind", filter.kinds),
            ("source", filter.sources),
        ):
            if wanted:
                mask &= self._coded(name, wanted)
        self._bound(mask, filter)
        if filter.tags or filter.extra or filter.ids is not None:
            kept = EntryFilter(tags=filter.tags, ids=filter.ids, extra=filter.extra, state=None)
            mask &= self._inside(numbers(db, kept))
        if filter.hearing is not None:
            mask &= ~self._inside(entries.untold(db, filter.hearing, filter.scopes))
        return mask

    def only(self, rows: Iterable[int]) -> Array:
        """True for these row numbers."""
        return self._inside(list(rows))

    def _inside(self, rows: list[int]) -> Array:
        at = self.positions(np.array(rows, np.int64))
        inside = np.zeros(self.size, bool)
        inside[at[at >= 0]] = True
        return inside

    def _bound(self, mask: Array, filter: EntryFilter) -> None:
        columns = self._arrays
        if filter.min_importance is not None:
            mask &= columns["importance"] >= filter.min_importance
        if filter.max_importance is not None:
            mask &= columns["importance"] <= filter.max_importance
        if filter.since is not None:
            mask &= columns["written"] >= moment(filter.since)
        if filter.before is not None:
            mask &= columns["written"] < moment(filter.before)
        if filter.now is not None:
            mask &= columns["expires"] > moment(filter.now)
        if filter.expiring_before is not None:
            mask &= columns["expires"] < moment(filter.expiring_before)

    def _coded(self, name: str, wanted: Iterable[str]) -> Array:
        codes = [self._codes[word] for word in wanted if word in self._codes]
        column = self._arrays[name]
        if len(codes) == 1:
            return np.equal(column, codes[0])
        return np.isin(column, codes)

    def _read(self, db: Connection) -> None:
        found = db.execute(f"{_SELECT} ORDER BY n")
        pieces = [self._from_rows(found.fetchmany(_STEP))]
        while len(pieces[-1]["n"]):
            pieces.append(self._from_rows(found.fetchmany(_STEP)))
        self.take(pieces, self._change)

    def _drop(self, db: Connection) -> None:
        """Let go of the entries that are not there any more."""
        left = np.array([n for (n,) in db.execute("SELECT n FROM entries")], np.int64)
        kept = np.isin(self.n, left, assume_unique=True)
        self._arrays = {name: column[kept] for name, column in self._arrays.items()}

    def _replace(self, db: Connection, idents: list[str]) -> None:
        fresh = self._from_rows(
            db.execute(
                f"{_SELECT} WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY n",
                {"ids": json.dumps(idents)},
            ).fetchall()
        )
        at = self.positions(fresh["n"])
        known = at >= 0
        for name in _NAMES:
            self._arrays[name][at[known]] = fresh[name][known]
        if known.all():
            return
        # New rows have the highest numbers; a late snapshot may still bring one out of order.
        together = {
            name: np.concatenate([self._arrays[name], fresh[name][~known]]) for name in _NAMES
        }
        if len(fresh["n"]) and (np.diff(together["n"][-len(fresh["n"]) - 1 :]) < 0).any():
            order = np.argsort(together["n"], kind="stable")
            together = {name: column[order] for name, column in together.items()}
        self._arrays = together

    def _from_rows(self, rows: list[Row]) -> dict[str, Array]:
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(_NAMES)
        by_name = dict(zip(_NAMES, columns, strict=True))
        codes = self._codes
        arrays: dict[str, Array] = {"n": np.array(by_name["n"], np.int64)}
        for name in _WORDS:
            arrays[name] = np.array(
                [codes.setdefault(word, len(codes)) for word in by_name[name]], np.int32
            )
        arrays["importance"] = np.array(by_name["importance"], np.int8)
        arrays["active"] = np.array(by_name["active"], bool)
        for name in ("created", "written", "expires"):
            times = np.array([time or "1970-01-01" for time in by_name[name]], "datetime64[us]")
            endless = np.array([time is None for time in by_name[name]], bool)
            arrays[name] = np.where(endless, _NEVER, times.astype(np.int64))
        return arrays


def follow_most(size: int) -> int:
    """How many changes are followed rather than everything loaded afresh."""
    return max(_FOLLOW_MOST, size // 4)


def moment(instant: Instant) -> int:
    """An instant as the columns hold it."""
    return int(np.datetime64(instant[:26], "us").astype(np.int64))


class WordRows(NamedTuple):
    """The vectors of the words of several texts, one after another, and where each text begins."""

    words: Array
    starts: Array


class Usual(NamedTuple):
    """For a state of the rows what any two entries have in common, and of each entry whether those
    around it belong together, as far as somebody asked; nan where nobody did."""

    rows: Array
    mean: float
    spread: float
    coherence: Array


class FloatRows:
    """Vectors as they are."""

    exact = True

    def __init__(self, dimensions: int) -> None:
        self._rows: Array = np.zeros((0, dimensions), np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    def reserve(self, rows: int) -> None:
        self._rows = _resized(self._rows, rows)

    def put(self, at: int, vectors: Array) -> None:
        self._rows[at : at + len(vectors)] = vectors

    def take(self, index: Array | slice) -> Array:
        return self._rows[index]

    def products(self, query: Array, rows: int) -> Array:
        # Not `@`: its threads wait for each other, often longer than the product takes.
        found: Array = np.vecdot(self._rows[:rows], query)
        return found

    def roughness(self, rows: int) -> float:
        return 0.0

    def close_up(self, live: Array) -> None:
        for start in range(0, len(live), _STEP):
            chosen = live[start : start + _STEP]
            self._rows[start : start + len(chosen)] = self._rows[chosen]


def _resized(array: Array, rows: int) -> Array:
    """With room for so many rows; in place, since a second copy of a large matrix would be felt."""
    if not len(array):
        return np.empty((rows, *array.shape[1:]), array.dtype)
    array.resize((rows, *array.shape[1:]), refcheck=False)
    return array


class ByteRows:
    """Vectors at one byte a number, each with the step that makes the numbers of it."""

    exact = False

    def __init__(self, dimensions: int) -> None:
        self._rows: Array = np.zeros((0, dimensions), np.int8)
        self._steps: Array = np.zeros(0, np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    def reserve(self, rows: int) -> None:
        self._rows, self._steps = _resized(self._rows, rows), _resized(self._steps, rows)

    def put(self, at: int, vectors: Array) -> None:
        self.put_packed(at, *as_bytes(vectors))

    def put_packed(self, at: int, steps: Array, rows: Array) -> None:
        self._rows[at : at + len(rows)] = rows
        self._steps[at : at + len(rows)] = steps

    def take(self, index: Array | slice) -> Array:
        found: Array = self._rows[index] * self._steps[index][:, None]
        return found

    def products(self, query: Array, rows: int) -> Array:
        found = np.empty(rows, np.float32)
        floats = np.empty((_BLOCK, len(query)), np.float32)
        for start in range(0, rows, _BLOCK):
            end = min(start + _BLOCK, rows)
            block = floats[: end - start]
            block[...] = self._rows[start:end]
            np.vecdot(block, query, out=found[start:end])
        found *= self._steps[:rows]
        return found

    def roughness(self, rows: int) -> float:
        """Seven times what the roundings of the widest step usually add up to."""
        return 2 * float(self._steps[:rows].max(initial=0))

    def close_up(self, live: Array) -> None:
        for start in range(0, len(live), _STEP):
            chosen = live[start : start + _STEP]
            self.put_packed(start, self._steps[chosen], self._rows[chosen])


def as_bytes(vectors: Array) -> tuple[Array, Array]:
    """(steps, rows): each vector at one byte a number."""
    steps = np.maximum(np.abs(vectors).max(axis=1, initial=0), 1e-9) / np.float32(127)
    return steps, np.rint(vectors / steps[:, None]).astype(np.int8)


class Matrix:
    """The vectors of one model and the entries they belong to. Hold `lock` while reading."""

    def __init__(self, model: str, dimensions: int) -> None:
        self.lock = threading.RLock()
        self.model = model
        self.columns = Columns()
        self._dimensions = dimensions
        self._kept: FloatRows | ByteRows = FloatRows(dimensions)
        self._owners: Array = np.zeros(0, np.int64)  # row number of the entry; 0 once replaced
        self._rows = 0
        self._seq = 0
        self._loaded = False
        self._positions: tuple[Array, Array | None] | None = None
        self._one_each = False
        self._first: Array | None = None
        self._beside: tuple[Array, Array] = (np.zeros(0, np.int32), np.zeros(0, np.float32))
        # Of so many entries the words of some, or None without any; kept by who compares words.
        self.sampled_words: tuple[int, WordRows | None] | None = None
        self.usual: Usual | None = None  # kept by who asks
        self.moved = 0  # counts up when rows change their place

    @property
    def exact(self) -> bool:
        """Whether `similarity` is; else it is so as far as `roughness`."""
        return self._kept.exact

    @property
    def roughness(self) -> float:
        """How far a cosine may be from the exact one."""
        with self.lock:
            return self._kept.roughness(self._rows)

    def follow(self, db: Connection) -> None:
        """Bring the arrays to the state of the vault that `db` sees."""
        with self.lock:
            if not self._loaded and vectors.parted(db):
                self._load(db)
            self._loaded = True
            if self.columns.follow(db):
                self._positions = None
            last = vectors.last_seq(db)
            if last > self._seq:
                self._append(db)
                self._seq = last
                self._positions = None

    @property
    def loaded(self) -> bool:
        return self._loaded

    @property
    def rows(self) -> int:
        return self._rows

    def similarity(self, query: Array) -> Array:
        """The cosine of every entry with a unit vector, its best window counting; 0 without one."""
        with self.lock:
            products = self._kept.products(query, self._rows)
            where, live = self._where()
            best = np.zeros(self.columns.size, np.float32)
            if self._one_each:
                best[where] = products if live is None else products[live]
            else:
                best[where] = -1
                np.maximum.at(best, where, products if live is None else products[live])
            return best

    def sharpened(self, db: Connection, query: Array, near: Array, at: Array) -> Array:
        """`near`, what `similarity` says of `query`, exact at these positions."""
        with self.lock:
            found = vectors.of_rows(db, self.columns.n[at].tolist(), self.model)
            numbers, rows = self._floats(found)
            where = self.columns.positions(numbers)
            sharp = near.copy()
            sharp[where] = -1
            np.maximum.at(sharp, where, np.vecdot(rows, query))
            return sharp

    def embedded(self) -> tuple[Array, Array]:
        """(row number, index into `vector`) of every entry that has a vector, by its first
        window."""
        with self.lock:
            numbers, first = np.unique(self._owners[: self._rows], return_index=True)
            known = (numbers > 0) & (self.columns.positions(numbers) >= 0)
            return numbers[known], first[known]

    def first_rows(self) -> Array:
        """For each position the index into `vector` of its first window; -1 without one."""
        with self.lock:
            where, live = self._where()
            if self._first is None:
                index = np.arange(self._rows) if live is None else np.flatnonzero(live)
                self._first = np.full(self.columns.size, -1)
                self._first[where[::-1]] = index[::-1]  # the last that is set is the first window
            return self._first

    def vector(self, index: Array | slice) -> Array:
        return self._kept.take(index)

    def products(self, left: Array, right: Array) -> Array:
        """The cosine of each row of `left` with its partner in `right`."""
        with self.lock:
            found: Array = np.vecdot(self._kept.take(left), self._kept.take(right))
            return found

    def beside(self, left: Array, right: Array) -> Array:
        """What `products` gives, remembered: for rows that are asked for with the same partner
        again and again, as those that follow each other are."""
        with self.lock:
            if len(self._beside[0]) < self._rows:
                more = self._rows + self._rows // 8 - len(self._beside[0])
                partners, cosines = self._beside
                self._beside = (
                    np.concatenate([partners, np.full(more, -1, np.int32)]),
                    np.concatenate([cosines, np.zeros(more, np.float32)]),
                )
            partners, cosines = self._beside
            unknown = np.flatnonzero(partners[left] != right)
            if len(unknown):
                rows, where = np.unique(left[unknown], return_index=True)
                others = right[unknown[where]]
                cosines[rows] = self.products(rows, others)
                partners[rows] = others
            found: Array = cosines[left]
            return found

    def _where(self) -> tuple[Array, Array | None]:
        """The position of each live row's entry, and which rows are live (None: all)."""
        if self._positions is None:
            self._first = None
            found = self.columns.positions(self._owners[: self._rows])
            live = found >= 0
            self._positions = (found, None) if live.all() else (found[live], live)
            where = self._positions[0]
            self._one_each = len(where) <= self.columns.size and (
                np.bincount(where, minlength=1).max() <= 1
            )
        return self._positions

    def _load(self, db: Connection) -> None:
        """Everything, from the parts that the file has; what they lack from the tables, and vectors
        that are kept as they are too."""
        change, seq = change_log.last_seq(db), vectors.last_seq(db)
        highest, pieces, at = vectors.highest(db), [], 0
        kept = ByteRows(self._dimensions) if vectors.large(db) else None
        if kept is not None:
            self._kept = kept
            self._reserve(vectors.count(db))
        ready = vectors.parts(db, self.format, change - follow_most(highest), kept is not None)
        part = next(ready, None)
        while at <= highest:
            if part is not None and part.first == at:
                pieces.append(self.columns.unpacked(part.entries))
                if kept is not None:
                    owners, steps, rows = _unpacked_rows(part.vectors, self._dimensions)
                    self._own(owners)
                    kept.put_packed(self._rows - len(owners), steps, rows)
                change, seq = min(change, part.change), min(seq, part.seq)
                part = next(ready, None)
            else:
                pieces.append(self.columns.piece(db, at))
                if kept is not None:
                    self._put(vectors.within(db, at, self.model))
            at += vectors.PART
        self.columns.take(pieces, change)
        self._seq = seq if kept is not None else 0

    @property
    def format(self) -> str:
        """What parts must be made by to be of use: the embedder, and the columns of today."""
        columns = ",".join(f"{name} {np.dtype(kind)}" for name, kind in _TYPES.items())
        return f"{self.model}, {zlib.crc32(columns.encode()):08x}"

    def part(self, db: Connection, first: int) -> vectors.MatrixPart:
        """One part as the vault is now, whatever is in memory. Made inside the transaction that
        keeps it."""
        columns = Columns()
        owners, rows = self._floats(vectors.within(db, first, self.model))
        steps, numbers = as_bytes(rows)
        return vectors.MatrixPart(
            first,
            change_log.last_seq(db),
            vectors.last_seq(db),
            columns.packed(columns.piece(db, first)),
            owners.tobytes() + steps.tobytes() + numbers.tobytes(),
        )

    def _append(self, db: Connection) -> None:
        start = self._rows
        if not start:
            self._reserve(vectors.count(db))
        found = vectors.since(db, self._seq, self.model)
        while rows := found.fetchmany(_STEP):
            self._put(rows)
        if start:
            old = self._owners[:start]
            old[np.isin(old, self._owners[start : self._rows])] = 0
            self._close_gaps()
        if self.exact and self._rows > 2 * vectors.LARGE:
            self._coarsen()

    def _put(self, found: Sequence[tuple[int, bytes]]) -> None:
        numbers, rows = self._floats(found)
        self._own(numbers)
        self._kept.put(self._rows - len(rows), rows)

    def _floats(self, found: Sequence[tuple[int, bytes]]) -> tuple[Array, Array]:
        """The row numbers and the vectors, of those that are as long as the model's."""
        size = self._dimensions * 4
        whole = [pair for pair in found if len(pair[1]) == size]
        rows = np.frombuffer(b"".join(blob for _, blob in whole), np.float32)
        return np.array([n for n, _ in whole], np.int64), rows.reshape(-1, self._dimensions)

    def _own(self, numbers: Array) -> None:
        """Room for one more row each, which belong to these entries."""
        rows = self._rows + len(numbers)
        if rows > len(self._kept):
            self._reserve(rows + max(256, rows // 8))
        self._owners[self._rows : rows] = numbers
        self._rows = rows

    def _reserve(self, rows: int) -> None:
        if rows > len(self._kept):
            self._kept.reserve(rows)
            self._owners = _resized(self._owners, rows)

    def _coarsen(self) -> None:
        """From here on there are too many to keep them as they are."""
        coarse = ByteRows(self._dimensions)
        coarse.reserve(len(self._kept))
        for start in range(0, self._rows, _STEP):
            coarse.put(start, self._kept.take(slice(start, min(start + _STEP, self._rows))))
        self._kept = coarse

    def _close_gaps(self) -> None:
        """Move live rows together when a quarter of them were replaced."""
        live = np.flatnonzero(self._owners[: self._rows])
        if len(live) > self._rows * 3 // 4:
            return
        self._kept.close_up(live)
        self._owners[: len(live)] = self._owners[live]
        self._rows = len(live)
        self._beside[0][:] = -1
        self.moved += 1


def _unpacked_rows(packed: bytes, dimensions: int) -> tuple[Array, Array, Array]:
    size = len(packed) // (12 + dimensions)
    return (
        np.frombuffer(packed, np.int64, size),
        np.frombuffer(packed, np.float32, size, size * 8),
        np.frombuffer(packed, np.int8, size * dimensions, size * 12).reshape(size, dimensions),
    )
