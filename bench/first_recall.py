"""How soon a fresh process answers its first recall, on a vault of embedded entries.

    python bench/first_recall.py [--entries 1000] [--runs 5] [--python PATH-WITH-THE-EXTRA-models]

Beside it: how long importing sentence-transformers alone takes, in the same run.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.vault import open_vault
from bench.corpus import Corpus
from store.records import EntryDraft

ROOT = Path(__file__).resolve().parent.parent
_RECALL = """
from pathlib import Path
from app.vault import open_vault
vault = open_vault(Path({path!r}))
print(len(vault.recall.recall({query!r}, limit=10)))
vault.close()
"""


def seconds(python: str, code: str) -> float:
    start = time.perf_counter()
    subprocess.run([python, "-c", code], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default=sys.executable)
    asked = parser.parse_args()
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vault.db"
        vault = open_vault(path)
        texts = corpus.texts(asked.entries, words=6)
        vault.entries.store_many([EntryDraft(content=text) for text in texts])
        vault.embedding.embed_waiting()
        vault.close()
        code = _RECALL.format(path=str(path), query=corpus.queries("common", 1)[0])
        ours = [seconds(sys.executable, code) for _ in range(asked.runs)]
    print(
        f"first recall over {asked.entries} entries: {statistics.median(ours):.2f} s "
        f"(best {min(ours):.2f}, worst {max(ours):.2f})"
    )
    try:
        theirs = [seconds(asked.python, "import sentence_transformers") for _ in range(2)]
    except subprocess.CalledProcessError:
        print("sentence-transformers is not installed there; name a Python that has it: --python")
        return
    print(
        f"importing sentence-transformers alone: {min(theirs):.2f} s, "
        f"{min(theirs) / statistics.median(ours):.1f} × as long"
    )


if __name__ == "__main__":
    main()
