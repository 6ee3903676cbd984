"""The bundled model: all-MiniLM-L6-v2 as int8 ONNX, run by onnxruntime and tokenizers.

Both are imported when the first vector is asked for, not before.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.models.embedder import ModelUnavailable
from store.models.mapped_weights import mapped_model

if TYPE_CHECKING:
    from store.models.embedder import Span, Vectors

IDENTITY = "all-MiniLM-L6-v2 int8/1"
DIMENSIONS = 384
MODEL, TOKENIZER, DIRECTIONS = "model.onnx", "tokenizer.json", "directions.f16"
WORD_DIMENSIONS = 128  # of a token's vector, along the directions that tell most tokens apart
_TOKENS = "/transformer/encoder/layer.5/output/LayerNorm/LayerNormalization_output_0"
MAX_TOKENS = 256
_LATIN_END = 0x250
_BLOCK = 10  # tokens of a product that takes no threads, which wait for each other

_SLOWER = ["SkipLayerNormFusion"]  # its kernel takes longer than the two that it stands for
_UNPACKED = "session.disable_prepacking"
_WEIGHTS_FOLDER = "session.model_external_initializers_file_folder_path"


class MiniLM:
    """An Embedder over the files in `folder`, whose SHA-256 sums are checked before they load."""

    identity = IDENTITY
    dimensions = DIMENSIONS
    max_tokens = MAX_TOKENS

    def __init__(self, folder: Path, workers: int = 0, packed: bool = True) -> None:
        """`packed`: the weights are laid out anew for this processor, 10 MB that no other process
        shares; a short text is embedded in 3 ms, else in 4."""
        self._folder = folder
        self._workers = workers or available_cores()
        self._packed = packed
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        tokenizer, session, _ = self._model()
        encoded = _encoded(tokenizer, texts)
        return self._vectors(session, [_fitting(item.ids) for item in encoded], None)

    def embed_words(
        self, texts: Sequence[str], edges: tuple[int, int] = (0, 0)
    ) -> tuple[Vectors, list[Vectors]]:
        import numpy as np

        tokenizer, session, directions = self._model()
        encoded = _encoded(tokenizer, texts)
        words: list[Vectors] = [np.zeros((0, WORD_DIMENSIONS), np.float32)] * len(texts)
        chosen = [
            _saying(item.offsets[:MAX_TOKENS], text, edges)
            for item, text in zip(encoded, texts, strict=True)
        ]

        def read(index: int, tokens: Vectors) -> None:
            told = tokens[chosen[index]]
            short = np.empty((len(told), WORD_DIMENSIONS), np.float32)
            for at in range(0, len(told), _BLOCK):
                np.dot(told[at : at + _BLOCK], directions, out=short[at : at + _BLOCK])
            words[index] = short / np.maximum(np.linalg.norm(short, axis=1, keepdims=True), 1e-6)

        ids = [_fitting(item.ids) for item in encoded]
        return self._vectors(session, ids, read), words

    def _vectors(
        self,
        session: Any,
        encoded: list[list[int]],
        read: Callable[[int, Vectors], None] | None,
    ) -> Vectors:
        """The texts' vectors; `read` is shown the outputs for each text's tokens."""
        import numpy as np

        vectors = np.zeros((len(encoded), DIMENSIONS), np.float32)
        wanted = ["vector"] if read is None else ["vector", _TOKENS]

        def run(index: int) -> None:
            # Alone: the model's numbers are rounded by the largest of all that it reads at once, so
            # that a text's vector would depend on its company.
            ids = np.array([encoded[index]], np.int64)
            found = session.run(wanted, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
            vectors[index] = found[0][0]
            if read is not None:
                read(index, found[1][0])

        # The longest first, so that no core is left with a long one at the end.
        self._spread(run, sorted(range(len(encoded)), key=lambda i: (-len(encoded[i]), i)))
        return vectors

    def spans(self, text: str) -> Sequence[Span]:
        tokenizer, _, _ = self._model()
        found: list[Span] = tokenizer.encode(_text(text), add_special_tokens=False).offsets
        return found

    def _spread(self, run: Callable[[int], None], found: list[int]) -> None:
        """Run every one, on as many threads as there are cores."""
        workers = min(self._workers, len(found))
        if workers <= 1:
            for index in found:
                run(index)
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(workers, "embedding") as pool:
            for _ in pool.map(run, found):
                pass

    def _model(self) -> tuple[Any, Any, Any]:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Any, Any, Any]:
        # Read at import: later it would have written a device id and events to send already.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import numpy as np
        import onnxruntime
        from tokenizers import Tokenizer

        model, words, packed = checked_files(self._folder)
        directions = np.frombuffer(packed, np.float16).reshape(DIMENSIONS, WORD_DIMENSIONS)
        tokenizer = Tokenizer.from_buffer(words)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # a query is not quicker on more; texts go side by side
        options.log_severity_level = 3
        options.add_session_config_entry(_WEIGHTS_FOLDER, str(self._folder))
        options.add_session_config_entry(_UNPACKED, "0" if self._packed else "1")
        session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )
        return tokenizer, session, directions.astype(np.float32)


def reads_words(text: str) -> bool:
    """Whether the model has words of its own for most of `text`: Latin letters."""
    text = text[:2_000]
    if text.isascii():
        return any(map(str.isalpha, text))
    letters = [char for char in text if char.isalpha()]
    return sum(ord(char) < _LATIN_END for char in letters) * 2 > len(letters)


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked_files(folder: Path) -> tuple[bytes, bytes, bytes]:
    """The model, its weights left in its file for every process to share, the tokenizer's bytes and
    those of the directions that tell tokens apart. Raises ModelUnavailable when one is not what was
    shipped: a damaged model would answer nonsense."""
    try:
        listed = (folder / "SHA256SUMS").read_text("ascii").split()
        sums = dict(zip(listed[1::2], listed[::2], strict=True))
        with (
            (folder / MODEL).open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as weights,
        ):
            _check(folder / MODEL, weights, sums)
            model = mapped_model(weights, MODEL, also=_TOKENS)
        words = (folder / TOKENIZER).read_bytes()
        directions = (folder / DIRECTIONS).read_bytes()
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"The bundled model cannot be read from {folder} ({error}). Install Keepsake again."
        ) from error
    _check(folder / TOKENIZER, words, sums)
    _check(folder / DIRECTIONS, directions, sums)
    return model, words, directions


def _check(path: Path, content: bytes | mmap.mmap, sums: Mapping[str, str]) -> None:
    if hashlib.sha256(content).hexdigest() != sums.get(path.name):
        raise ModelUnavailable(
            f"{path} is damaged: its SHA-256 is not the one that was shipped. "
            "Install Keepsake again; search by words still works."
        )


def _fitting(ids: list[int]) -> list[int]:
    """As many tokens as the model reads, the mark of the end last."""
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]


def _saying(offsets: Sequence[Span], text: str, edges: tuple[int, int]) -> list[int]:
    """Which tokens lie within the edges and hold a letter or a digit."""
    text = _text(text)
    first, last = edges[0], len(text) - edges[1]
    return [
        index
        for index, (start, end) in enumerate(offsets)
        if first <= start < end <= last and any(map(str.isalnum, text[start:end]))
    ]


def _encoded(tokenizer: Any, texts: Sequence[str]) -> list[Any]:
    if len(texts) == 1:  # threads of its own would only be waited for
        return [tokenizer.encode(_text(texts[0]))]
    found: list[Any] = tokenizer.encode_batch([*map(_text, texts)])
    return found


def _text(text: str) -> str:
    """What the tokenizer takes: no lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
