"""The bundled model: all-MiniLM-L6-v2 as int8 ONNX, run by onnxruntime and tokenizers.

Both are imported when the first vector is asked for, not before.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.embedder import ModelUnavailable

if TYPE_CHECKING:
    from store.embedder import Vectors

IDENTITY = "all-MiniLM-L6-v2 int8/1"
DIMENSIONS = 384
MAX_TOKENS = 256
BATCH_TOKENS = 2048  # padded; bounds the memory that attention takes


class MiniLM:
    """An Embedder over the files in `folder`, whose SHA-256 sums are checked before they load."""

    identity = IDENTITY
    dimensions = DIMENSIONS

    def __init__(self, folder: Path, threads: int = 0) -> None:
        self._folder = folder
        self._threads = threads
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        tokenizer, session = self._model()
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        encoded = [item.ids for item in tokenizer.encode_batch([_text(text) for text in texts])]
        for batch in batches([len(ids) for ids in encoded]):
            length = len(encoded[batch[-1]])
            ids = np.zeros((len(batch), length), np.int64)
            mask = np.zeros((len(batch), length), np.int64)
            for row, index in enumerate(batch):
                ids[row, : len(encoded[index])] = encoded[index]
                mask[row, : len(encoded[index])] = 1
            vectors[batch] = session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return vectors

    def _model(self) -> tuple[Any, Any]:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> tuple[Any, Any]:
        # Read at import: later it would have written a device id and events to send already.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        import onnxruntime
        from tokenizers import Tokenizer

        model, words = checked_files(self._folder)
        tokenizer = Tokenizer.from_buffer(words)
        tokenizer.enable_truncation(MAX_TOKENS)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        # Spinning threads would burn a core between two recalls.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        return tokenizer, session


def batches(lengths: Sequence[int], most: int = BATCH_TOKENS) -> list[list[int]]:
    """Indexes grouped so that texts of like length are padded together, shortest first, and no
    batch is wider than `most` padded tokens."""
    found: list[list[int]] = []
    current: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: (lengths[i], i)):
        if current and (len(current) + 1) * lengths[index] > most:
            found.append(current)
            current = []
        current.append(index)
    return [*found, current] if current else found


def checked_files(folder: Path) -> tuple[bytes, bytes]:
    """The model's and the tokenizer's bytes. Raises ModelUnavailable when one is not what was
    shipped: a damaged model would answer nonsense."""
    try:
        listed = (folder / "SHA256SUMS").read_text("ascii").split()
        sums = dict(zip(listed[1::2], listed[::2], strict=True))
        files = [(folder / name).read_bytes() for name in ("model.onnx", "tokenizer.json")]
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"The bundled model cannot be read from {folder} ({error}). Install Keepsake again."
        ) from error
    for name, content in zip(("model.onnx", "tokenizer.json"), files, strict=True):
        if hashlib.sha256(content).hexdigest() != sums.get(name):
            raise ModelUnavailable(
                f"{folder / name} is damaged: its SHA-256 is not the one that was shipped. "
                "Install Keepsake again; search by words still works."
            )
    return files[0], files[1]


def _text(text: str) -> str:
    """What the tokenizer takes: no lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
