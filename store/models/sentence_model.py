"""Any sentence-transformers model, by name or folder; needs the extra `models`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from store.models.embedder import ModelUnavailable
from store.models.text_windows import word_spans

if TYPE_CHECKING:
    from store.models.embedder import Span, Vectors

UNKNOWN_TOKENS = 256  # for a model that does not say how much it reads


class SentenceModel:
    """An Embedder that loads torch and the model when the first vector is asked for.

    Loading takes seconds and may download: ask for vectors off the main thread. Nothing is loaded
    while it is not `confirmed`."""

    def __init__(self, name: str, confirmed: Callable[[], bool] = lambda: True) -> None:
        self.identity = f"sentence-transformers:{name}"
        self._name = name
        self._confirmed = confirmed
        self._loading = threading.Lock()
        self._loaded: Any = None

    @property
    def dimensions(self) -> int:
        model = self._model()
        # Its name changed between releases.
        ask = getattr(model, "get_embedding_dimension", None)
        return int(ask() if ask else model.get_sentence_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        return int(getattr(self._model(), "max_seq_length", None) or UNKNOWN_TOKENS)

    def spans(self, text: str) -> Sequence[Span]:
        tokenizer = getattr(self._model(), "tokenizer", None)
        if not getattr(tokenizer, "is_fast", False):  # the others do not say where tokens lie
            return word_spans(text)
        return tokenizer(  # type: ignore[misc, no-any-return]
            text, return_offsets_mapping=True, add_special_tokens=False, verbose=False
        )["offset_mapping"]

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        model = self._model()
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        vectors = model.encode(
            list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.ascontiguousarray(vectors, np.float32)

    def _model(self) -> Any:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        if not self._confirmed():
            raise ModelUnavailable(
                f"This vault names the embedding model {self._name!r}, which nobody named on this "
                f"machine, so it is not fetched (keepsake settings embedding_model {self._name}). "
                "Search by words still works."
            )
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelUnavailable(
                f"The embedding model {self._name!r} needs sentence-transformers. Install it with "
                'pip install "keepsake-desk[models]", or empty the setting embedding_model to use '
                "the bundled model. Search by words still works."
            ) from error
        try:
            return SentenceTransformer(self._name, device="cpu")
        except Exception as error:  # whatever a hub, a folder or torch may raise
            raise ModelUnavailable(
                f"The embedding model {self._name!r} cannot be loaded ({error}). Check its name "
                "or folder in the settings. Search by words still works."
            ) from error
