"""What importing a folder of notes costs beside a plain read of its files, and beside reading,
parsing and embedding it with nothing around it.

    python bench/import_notes.py [--notes 5000] [--words 24] [--folder ~/notes] [--no-vectors]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import frontmatter

from app.vault import Vault, open_vault
from bench.corpus import Corpus
from store.models.text_windows import cut


def make_notes(folder: Path, count: int, words: int) -> None:
    for number, text in enumerate(Corpus().texts(count, words=words)):
        head = f"title: note {number}\ntags: [one, tag{number % 50}]\ncreated: 2024-05-01\n"
        (folder / f"note-{number:05}.md").write_text(
            f"---\n{head}---\n\n# Note {number}\n\n{text}\n"
        )


def plain_read(folder: Path) -> tuple[float, list[str]]:
    """Seconds for reading every note once, and what they say."""
    start = time.perf_counter()
    texts = [path.read_text(errors="replace") for path in sorted(folder.rglob("*.md"))]
    return time.perf_counter() - start, texts


def stored(vault: Vault, folder: Path) -> tuple[float, float, int]:
    """Seconds until the plan, seconds until all is kept and found by its words, progress calls."""
    calls = 0

    def count(_done: int, _total: int) -> None:
        nonlocal calls
        calls += 1

    start = time.perf_counter()
    plan = vault.importing.plan(folder, progress=count)
    planned = time.perf_counter() - start
    vault.importing.apply(plan, progress=count)
    return planned, time.perf_counter() - start, calls


def without_vectors(folder: Path, rounds: int = 5) -> None:
    """Prints how many times a plain read an import takes, before anything is embedded. Reading and
    importing take turns, so that a busy machine slows both alike."""
    plain_read(folder)  # into the system's cache
    ratios = []
    for _ in range(rounds):
        read, texts = plain_read(folder)
        with closing(open_vault(ephemeral=True)) as vault:
            planned, whole, calls = stored(vault, folder)
            kept = vault.entries.count()
        ratios.append(whole / read)
        print(
            f"{len(texts)} files read in {read:.2f} s; {kept} notes planned in {planned:.2f} s, "
            f"kept in {whole:.2f} s, {calls} progress calls: {ratios[-1]:.1f} × the plain read"
        )
    print(f"median {statistics.median(ratios):.1f} × a plain read, before embedding")


def with_vectors(folder: Path) -> None:
    """Prints how many times the raw work an import with its vectors takes."""
    vault = open_vault(ephemeral=True)
    embedder = vault.embedding.embedder()
    embedder.embed(["warm"])
    start = time.perf_counter()
    bodies = [frontmatter.parse(text)[1] for text in plain_read(folder)[1]]
    raw = parsed = time.perf_counter() - start
    planned, kept, calls = stored(vault, folder)
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
    whole = kept + time.perf_counter() - start - paused
    print(f"{vault.entries.count()} notes, {calls} progress calls")
    print(f"raw: read and parsed {parsed:.1f} s, with embedding {raw:.1f} s")
    print(f"import: planned {planned:.1f} s, stored {kept:.1f} s, with vectors {whole:.1f} s")
    print(f"{whole / raw:.2f} × raw; still waiting: {vault.embedding.state().waiting}")
    vault.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--words", type=int, default=24, help="made-up words a note, 3 tokens each")
    parser.add_argument("--folder", type=Path, help="a real one, instead of made-up notes")
    parser.add_argument("--no-vectors", action="store_true", help="only what comes before them")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = asked.folder or Path(made)
        if asked.folder is None:
            make_notes(folder, asked.notes, asked.words)
        without_vectors(folder)
        if not asked.no_vectors:
            with_vectors(folder)


if __name__ == "__main__":
    main()
