"""The weights stay in their file, and say the same from there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

import resources
from store.models.mapped_weights import mapped_model

FOLDER = Path(resources.__file__).parent / "minilm"
PROVIDERS = ["CPUExecutionProvider"]


def test_a_mapped_model_is_its_graph_and_gives_the_same_vectors_to_the_bit() -> None:
    whole = (FOLDER / "model.onnx").read_bytes()
    graph = mapped_model(whole, "model.onnx")
    assert len(graph) < len(whole) / 20
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    plain = onnxruntime.InferenceSession(whole, options, providers=PROVIDERS)
    folder = "session.model_external_initializers_file_folder_path"
    options.add_session_config_entry(folder, str(FOLDER))
    mapped = onnxruntime.InferenceSession(graph, options, providers=PROVIDERS)
    ids = np.array([[101, 2043, 2079, 2057, 21296, 102], [101, 5572, 102, 0, 0, 0]], np.int64)
    asked = {"input_ids": ids, "attention_mask": (ids > 0).astype(np.int64)}
    assert np.array_equal(plain.run(None, asked)[0], mapped.run(None, asked)[0])


def test_an_inner_result_is_told_as_one_more_output() -> None:
    inner = "/transformer/encoder/layer.5/output/LayerNorm/LayerNormalization_output_0"
    graph = mapped_model((FOLDER / "model.onnx").read_bytes(), "model.onnx", also=inner)
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry(
        "session.model_external_initializers_file_folder_path", str(FOLDER)
    )
    session = onnxruntime.InferenceSession(graph, options, providers=PROVIDERS)
    ids = np.array([[101, 2043, 2079, 2057, 21296, 102]], np.int64)
    vector, tokens = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
    mean = tokens[0].mean(axis=0)
    assert tokens.shape == (1, 6, 384)
    assert np.allclose(mean / np.linalg.norm(mean), vector[0], atol=1e-5)


@pytest.mark.parametrize("wrong", [b"\x3a", b"\x3a\xff", b"\x3a\x7f", b"\x07", b"\x3a\x02\x2a\x05"])
def test_what_is_no_model_is_refused(wrong: bytes) -> None:
    with pytest.raises(ValueError, match=r"ends within|longer than|wire type"):
        mapped_model(wrong, "model.onnx")


def test_a_graph_without_large_weights_is_left_as_it_is() -> None:
    assert mapped_model(b"", "m") == b""
    small = b"\x3a\x06\x2a\x04\x4a\x02\x01\x02"  # a graph with one weight of two bytes
    assert mapped_model(small, "m") == small
