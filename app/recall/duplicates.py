"""Near duplicates: clusters of entries that say the same, found by meaning; exact ones by text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.errors import Invalid
from app.recall.embedding import Embedding
from store.file.database import Connection, Database
from store.models.embedder import ModelUnavailable
from store.records import Entry
from store.search import word_matches
from store.tables import entries as rows
from store.tables import kept_apart
from store.tables.entry_filter import EntryFilter

if TYPE_CHECKING:
    from store.search.vector_matrix import Array, Matrix

SIMILAR = 0.92
_BLOCK = 2_048
_MOST_PAIRS = 2_000_000
_SHORT = 96
_SAMPLE = 5_000

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Entries that say the same, the one to keep first: most important, then newest."""

    entries: tuple[Entry, ...]
    similarity: float  # of the least alike pair that ties it together
    exact: bool


class Duplicates:
    def __init__(self, database: Database, embedding: Embedding) -> None:
        self._database = database
        self._embedding = embedding

    def clusters(
        self,
        filter: EntryFilter | None = None,
        *,
        similarity: float = SIMILAR,
        limit: int = 200,
        progress: Progress | None = None,
    ) -> list[Cluster]:
        """The largest clusters within one scope each, near and exact; what the owner keeps apart
        ties nothing together. `progress` is told how many memories were compared, and may raise to
        stop."""
        if not 0.5 <= similarity <= 1:
            raise Invalid("The similarity is from 0.5 to 1.")
        wanted = filter or EntryFilter()
        with self._database.read() as db:
            near = self._near(db, wanted, similarity, progress)
            pairs = [*word_matches.same_content(db, wanted), *near]
            groups = _joined(_unjudged(pairs, kept_apart.judgements(db)))
            best = sorted(groups, key=lambda group: (-len(group.members), min(group.members)))
            return [_cluster(db, group) for group in best[:limit]]

    def nearest_to(self, db: Connection, n: int, limit: int) -> list[int]:
        """The row numbers of the entries nearest to one by meaning, best first; none while it has
        no vector, or there is no model."""
        import numpy as np

        try:
            matrix = self._embedding.matrix()
        except ModelUnavailable:
            return []
        with matrix.lock:
            matrix.follow(db)
            at = matrix.columns.positions(np.array([n]))[0]
            first = matrix.first_rows()[at] if at >= 0 else -1
            if first < 0:
                return []
            near = matrix.similarity(matrix.vector(np.array([first]))[0])
            near[at] = 0
            best = np.argpartition(-near, min(limit, len(near) - 1))[:limit]
            found = matrix.columns.n[best[np.argsort(-near[best])]]
            return [int(one) for one in found]

    def keep_apart(self, cluster: Cluster) -> int:
        """None of these says the same as another, until its text is changed; the number of that
        judgement."""
        with self._database.write() as db:
            return kept_apart.keep(db, [entry.n for entry in cluster.entries])

    def let_together(self, judgement: int) -> None:
        """Takes the judgement back: its entries may be listed as duplicates again."""
        with self._database.write() as db:
            kept_apart.drop(db, judgement)

    def _near(
        self,
        db: Connection,
        filter: EntryFilter,
        similarity: float,
        progress: Progress | None,
    ) -> list[tuple[int, int, float]]:
        matrix = self._embedding.matrix()
        while True:
            pairs: list[tuple[int, int, float]] = []
            moved, scopes = _rows_by_scope(db, matrix, filter)
            total, before = sum(len(numbers) for numbers, _ in scopes), 0
            for numbers, index in scopes:
                if progress:
                    progress(before, total)
                before += len(numbers)
                for left, right, score in _alike(matrix, index, similarity):
                    if progress and not len(pairs) % 1_000:
                        progress(before - len(numbers) + left, total)
                    pairs.append((int(numbers[left]), int(numbers[right]), score))
                    if len(pairs) >= _MOST_PAIRS:
                        return pairs
            # Searches go on meanwhile and may have moved the rows; that is rare, so look again.
            if matrix.moved == moved:
                return pairs


def _rows_by_scope(
    db: Connection, matrix: Matrix, filter: EntryFilter
) -> tuple[int, list[tuple[Array, Array]]]:
    """Row numbers and matrix rows of the allowed entries, a pair of arrays for each scope."""
    import numpy as np

    with matrix.lock:
        matrix.follow(db)
        numbers, index = matrix.embedded()
        if not len(numbers):
            return matrix.moved, []
        at = matrix.columns.positions(numbers)
        allowed = matrix.columns.allowed(db, filter)[at]
        numbers, index, scope = numbers[allowed], index[allowed], matrix.columns.scope[at[allowed]]
        return matrix.moved, [
            (numbers[scope == one], index[scope == one]) for one in np.unique(scope)
        ]


@dataclass(frozen=True, slots=True)
class _Group:
    members: frozenset[int]
    similarity: float


def _alike(matrix: Matrix, index: Array, similarity: float) -> Iterator[tuple[int, int, float]]:
    """Pairs (left < right) at least so similar, by blocked products: never all at once.

    The products are of shortened vectors, whose product is never below the cosine; only the few
    pairs that pass are measured in full."""
    import numpy as np

    with matrix.lock:
        short = _short(matrix, index)
    for start in range(0, len(index), _BLOCK):
        for other in range(start, len(index), _BLOCK):
            bound = short[start : start + _BLOCK] @ short[other : other + _BLOCK].T
            if start == other:
                bound = np.triu(bound, 1)
            lefts, rights = np.nonzero(bound >= similarity)
            for part in range(0, len(lefts), _BLOCK):
                left = start + lefts[part : part + _BLOCK]
                right = other + rights[part : part + _BLOCK]
                scores = matrix.products(index[left], index[right])
                for found in np.flatnonzero(scores >= similarity).tolist():
                    yield int(left[found]), int(right[found]), float(scores[found])


def _short(matrix: Matrix, index: Array) -> Array:
    """The vectors of these rows, shortened when there are many; no second copy of them all."""
    import numpy as np

    if len(index) <= _BLOCK:
        return matrix.vector(index)
    sample = matrix.vector(index[:: max(1, len(index) // _SAMPLE)])
    _, directions = np.linalg.eigh(sample.T @ sample)
    main = directions[:, -_SHORT:]
    return np.concatenate(
        [
            shortened(matrix.vector(index[start : start + _BLOCK]), main)
            for start in range(0, len(index), _BLOCK)
        ]
    )


def shortened(vectors: Array, directions: Array) -> Array:
    """Unit vectors as seen along a few directions, with the length of what is cut off as one more
    number: by Cauchy and Schwarz the product of two such is at least that of the whole."""
    import numpy as np

    head = vectors @ directions
    cut = np.sqrt(np.maximum(0, 1.0 - np.einsum("ij,ij->i", head, head)) + 1e-6)
    return np.concatenate([head, cut[:, None]], axis=1).astype(np.float32)


def _unjudged(
    pairs: list[tuple[int, int, float]], judged: Mapping[int, frozenset[int]]
) -> list[tuple[int, int, float]]:
    """The pairs of which nobody said that they are not the same."""
    if not judged:
        return pairs
    none: frozenset[int] = frozenset()
    return [pair for pair in pairs if not judged.get(pair[0], none) & judged.get(pair[1], none)]


def _joined(pairs: list[tuple[int, int, float]]) -> list[_Group]:
    """Pairs that share a member, as groups."""
    parent: dict[int, int] = {}

    def root(n: int) -> int:
        while parent.setdefault(n, n) != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    for left, right, _ in pairs:
        parent[max(root(left), root(right))] = min(root(left), root(right))
    members: dict[int, set[int]] = {}
    least: dict[int, float] = {}
    for left, right, score in pairs:
        group = root(left)
        members.setdefault(group, set()).update((left, right))
        least[group] = min(score, least.get(group, 1.0))
    return [_Group(frozenset(found), least[group]) for group, found in members.items()]


def _cluster(db: Connection, group: _Group) -> Cluster:
    newest = sorted(
        rows.read_rows(db, group.members),
        key=lambda entry: (entry.written_at, entry.n),
        reverse=True,
    )
    ordered = sorted(newest, key=lambda entry: -entry.importance)
    exact = len({entry.content for entry in ordered}) == 1
    return Cluster(tuple(ordered), round(min(group.similarity, 1.0), 4), exact)
