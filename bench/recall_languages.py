"""What the embedding model does with other languages: ten facts and a question to each, in English,
German and Chinese, asked in the fact's own language and across languages. German is read by the
dictionary that comes with Keepsake, by none, and by a pack where one is named.

    python bench/recall_languages.py [--model NAME-OR-FOLDER] [--pack FOLDER-OF-FREEDICT]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.outcomes import Saved
from app.recall import embedding, language_packs
from app.vault import open_vault
from store.records import EntryDraft

FACTS = {
    "English": (
        "Anna is allergic to peanuts.",
        "The server is restarted every Monday night.",
        "My brother studies medicine in Vienna.",
        "The car needs new winter tyres.",
        "We drink tea in the morning, no coffee.",
        "The contract ends in December.",
        "Her dog is called Bruno.",
        "The invoice is paid by bank transfer.",
        "He plays the violin in an orchestra.",
        "Our holiday goes to Portugal.",
    ),
    "German": (
        "Anna ist gegen Erdnüsse allergisch.",
        "Der Server wird jeden Montagabend neu gestartet.",
        "Mein Bruder studiert Medizin in Wien.",
        "Das Auto braucht neue Winterreifen.",
        "Morgens trinken wir Tee, keinen Kaffee.",
        "Der Vertrag endet im Dezember.",
        "Ihr Hund heißt Bruno.",
        "Die Rechnung wird per Überweisung bezahlt.",
        "Er spielt Geige in einem Orchester.",
        "Unser Urlaub geht nach Portugal.",
    ),
    "Chinese": (
        "安娜对花生过敏。",
        "服务器每周一晚上重启。",
        "我弟弟在维也纳学医。",
        "汽车需要新的冬季轮胎。",
        "我们早上喝茶，不喝咖啡。",
        "合同十二月到期。",
        "她的狗叫布鲁诺。",
        "发票通过银行转账支付。",
        "他在乐团拉小提琴。",
        "我们去葡萄牙度假。",
    ),
}
QUESTIONS = {
    "English": (
        "Which food must she avoid?",
        "When does the machine go down?",
        "What does the sibling learn at university?",
        "What should be bought for the vehicle?",
        "What is served at breakfast?",
        "How long does the agreement run?",
        "What is the name of the pet?",
        "How do we settle the bill?",
        "Which instrument does he know?",
        "Where do we travel?",
    ),
    "German": (
        "Welches Essen muss sie meiden?",
        "Wann ist die Maschine nicht erreichbar?",
        "Was lernt der Bruder an der Universität?",
        "Was muss für das Fahrzeug gekauft werden?",
        "Was gibt es zum Frühstück?",
        "Wie lange läuft die Vereinbarung?",
        "Wie ist der Name des Haustiers?",
        "Wie begleichen wir den Betrag?",
        "Welches Instrument beherrscht er?",
        "Wohin reisen wir?",
    ),
    "Chinese": (
        "她不能吃什么？",
        "机器什么时候停机？",
        "弟弟在大学学什么？",
        "车要买什么？",
        "早餐喝什么？",
        "协议持续多久？",
        "宠物叫什么名字？",
        "怎么付款？",
        "他会什么乐器？",
        "我们去哪里旅行？",
    ),
}


PAIRS = (
    *((language, language) for language in FACTS),
    *(("English", "German"), ("German", "English"), ("English", "Chinese")),
)


def measure(
    model: str, facts: str, questions: str, mode: str, packs: Path | None = None
) -> tuple[int, int]:
    """How many questions find their fact first, and among the first three."""
    vault = open_vault(ephemeral=True)
    try:
        if packs is not None:
            shutil.copytree(packs, embedding.packs_of(vault.path))
        vault.settings.set("embedding_model", model)
        ids = []
        for number, fact in enumerate(FACTS[facts]):
            saved = vault.entries.store(EntryDraft(fact, key=f"f{number}"))
            assert isinstance(saved, Saved)
            ids.append(saved.entry.id)
        vault.embedding.embed_waiting()
        ranks = []
        for ident, question in zip(ids, QUESTIONS[questions], strict=True):
            found = [hit.entry.id for hit in vault.search.search(question, mode=mode, limit=3)]
            ranks.append(found.index(ident) if ident in found else 3)
        return sum(r == 0 for r in ranks), sum(r < 3 for r in ranks)
    finally:
        vault.close()


def show(model: str, title: str, packs: Path | None = None) -> None:
    print(f"\n{title}\n{'facts':8} {'questions':9}  first  first three   (by meaning alone)")
    for facts, questions in PAIRS:
        if packs is None or "German" in (facts, questions):
            first, three = measure(model, facts, questions, "semantic", packs)
            print(f"{facts:8} {questions:9}  {first:5}  {three:11}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="")
    parser.add_argument("--pack", type=Path, help="FreeDict's German dictionary")
    asked = parser.parse_args()
    show(asked.model, "as it comes")
    if asked.pack is not None:
        with tempfile.TemporaryDirectory() as folder:
            language_packs.add("de", asked.pack, Path(folder))
            show(asked.model, "with the pack", Path(folder))
    if not asked.model:
        embedding.GLOSSES = Path("nowhere")
        show(asked.model, "without dictionaries")


if __name__ == "__main__":
    main()
