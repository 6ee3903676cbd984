from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import resources
from store.models.embedder import FRAME_EDGES, ModelUnavailable, framed
from store.models.minilm import DIMENSIONS, WORD_DIMENSIONS, MiniLM

FOLDER = Path(resources.__file__).parent / "minilm"


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM(FOLDER, workers=2)


def test_like_meanings_are_near_and_others_are_not(model: MiniLM) -> None:
    pet, same, other = model.embed(
        ["She has two cats.", "Her pets are a pair of kittens.", "The build failed on Tuesday."]
    )
    assert pet @ same > 0.5 > pet @ other


def test_vectors_have_unit_length_and_keep_their_order(model: MiniLM) -> None:
    texts = ["b " * 200, "a", "", "🎉", "我喜欢猫", "\ud800 lone", "c " * 50]
    together = model.embed(texts)
    assert together.shape == (len(texts), DIMENSIONS)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-3)
    alone = np.array([model.embed([text])[0] for text in texts])
    assert np.array_equal(together, alone)  # whatever it is embedded with


def test_each_word_has_a_vector_and_marks_and_the_frame_have_none(model: MiniLM) -> None:
    texts = ["Anna's dog, Bruno!", "tea"]
    whole, words = model.embed_words([framed(text) for text in texts], FRAME_EDGES)
    assert np.allclose(whole, model.embed([framed(text) for text in texts]), atol=1e-5)
    assert [found.shape for found in words] == [(4, WORD_DIMENSIONS), (1, WORD_DIMENSIONS)]
    assert np.allclose(np.linalg.norm(words[0], axis=1), 1, atol=1e-4)


def test_a_word_is_nearer_to_its_like_than_to_others(model: MiniLM) -> None:
    _, (pet, dog, car) = model.embed_words(["pet", "her dog", "the car"])
    assert (dog @ pet[0]).max() > (car @ pet[0]).max()


def test_a_small_one_makes_the_same_vectors(model: MiniLM) -> None:
    texts = ["Tea", "The owner prefers green tea in the morning.", "word " * 300]
    small = MiniLM(FOLDER, workers=1, packed=False)
    assert np.array_equal(small.embed(texts), model.embed(texts))


def test_no_texts_give_no_vectors(model: MiniLM) -> None:
    assert model.embed([]).shape == (0, DIMENSIONS)


def test_a_damaged_model_is_refused_with_what_to_do(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "minilm")
    with (tmp_path / "minilm" / "tokenizer.json").open("a") as file:
        file.write(" ")
    with pytest.raises(ModelUnavailable, match="Install Keepsake again"):
        MiniLM(tmp_path / "minilm").embed(["tea"])


def test_damaged_weights_are_refused_too(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "minilm")
    weights = bytearray((FOLDER / "model.onnx").read_bytes())
    weights[len(weights) // 2] ^= 1
    (tmp_path / "minilm" / "model.onnx").write_bytes(weights)
    with pytest.raises(ModelUnavailable, match=r"model\.onnx is damaged"):
        MiniLM(tmp_path / "minilm").embed(["tea"])


def test_a_missing_model_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="Install Keepsake again"):
        MiniLM(tmp_path).embed(["tea"])
