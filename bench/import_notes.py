"""What importing a folder of notes costs beside reading, parsing and embedding it with nothing
around it.

    python bench/import_notes.py [--notes 10000] [--words 24]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import frontmatter

from app.vault import open_vault
from bench.corpus import Corpus
from store.models.text_windows import cut


def make_notes(folder: Path, count: int, words: int) -> None:
    for number, text in enumerate(Corpus().texts(count, words=words)):
        head = f"title: note {number}\ntags: [one, tag{number % 50}]\ncreated: 2024-05-01\n"
        (folder / f"note-{number:05}.md").write_text(
            f"---\n{head}---\n\n# Note {number}\n\n{text}\n"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=24, help="made-up words a note, 3 tokens each")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make_notes(folder, asked.notes, asked.words)
        vault = open_vault(ephemeral=True)
        embedder = vault.embedding.embedder()
        embedder.embed(["warm"])

        start = time.perf_counter()
        bodies = [frontmatter.parse(path.read_text())[1] for path in sorted(folder.iterdir())]
        raw = parsed = time.perf_counter() - start

        calls = 0

        def count(_done: int, _total: int) -> None:
            nonlocal calls
            calls += 1

        start = time.perf_counter()
        plan = vault.importing.plan(folder, progress=count)
        planned = time.perf_counter() - start
        vault.importing.apply(plan, progress=count)
        stored = time.perf_counter() - start
        # All of each note, cut where the model stops reading.
        pieces = [
            cut(body, embedder.spans(body), embedder.max_tokens - 2, overlap=0) for body in bodies
        ]
        # Raw and whole take turns, batch by batch, so that a busy machine slows both alike.
        done, paused = 0, 0.0

        def embed_raw(reached: int, _total: int) -> None:
            nonlocal raw, done, paused, calls
            calls += 1
            begin = time.perf_counter()
            embedder.embed([piece for parts in pieces[done:reached] for piece in parts])
            spent = time.perf_counter() - begin
            raw, paused, done = raw + spent, paused + spent, reached

        start = time.perf_counter()
        vault.embedding.embed_waiting(embed_raw)
        whole = stored + time.perf_counter() - start - paused
        print(f"{vault.entries.count()} notes, {calls} progress calls")
        print(f"raw: read and parsed {parsed:.1f} s, with embedding {raw:.1f} s")
        print(f"import: planned {planned:.1f} s, stored {stored:.1f} s, with vectors {whole:.1f} s")
        print(f"{whole / raw:.2f} × raw; still waiting: {vault.embedding.state().waiting}")
        vault.close()


if __name__ == "__main__":
    main()
