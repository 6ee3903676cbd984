"""Make resources/minilm/directions.f16: along which directions the model's tokens differ most.

    python packaging/make_directions.py resources/minilm

The tokens come from Keepsake's own documentation, so nothing but the model and the project is
needed. Which text it is matters little. The file's SHA-256 belongs into SHA256SUMS.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import resources  # noqa: E402
from store.models.mapped_weights import mapped_model  # noqa: E402
from store.models.minilm import _TOKENS, DIRECTIONS, MODEL, TOKENIZER, WORD_DIMENSIONS  # noqa: E402

SENTENCES = 1_500
_CODE = re.compile(r"```.*?```", re.DOTALL)


def sentences() -> list[str]:
    found = set()
    docs = [resources.docs_folder() / f"{name}.md" for name in resources.docs_pages()]
    for page in [*ROOT.glob("*.md"), *docs]:
        text = _CODE.sub("", page.read_text("utf-8"))
        for part in re.split(r"\n\s*\n|(?<=[.!?])\s", text):
            said = " ".join(re.sub(r"[|`*#>\[\]]", " ", part).split())
            if len(said) > 20:
                found.add(said[:400])
    chosen = sorted(found)
    random.Random(1).shuffle(chosen)
    return chosen[:SENTENCES]


def main() -> None:
    folder = Path(sys.argv[1])
    graph = mapped_model((folder / MODEL).read_bytes(), MODEL, also=_TOKENS)
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(folder)
    )
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    rows = []
    for text in sentences():
        ids = np.array([tokenizer.encode(text).ids[:200]])
        asked = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        rows.append(session.run([_TOKENS], asked)[0][0][1:-1])
    tokens = np.concatenate(rows)
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    directions = np.linalg.svd(tokens, full_matrices=False)[2][:WORD_DIMENSIONS].T
    (folder / DIRECTIONS).write_bytes(np.ascontiguousarray(directions, np.float16).tobytes())


if __name__ == "__main__":
    main()
