"""Keepsake beside its raw parts and beside others, in one run; writes docs/performance.md.

    python bench/run.py --write \\
        --beside chromadb=ENV/bin/python --beside mem0=ENV/bin/python \\
        --beside langgraph=ENV/bin/python --reference server-memory/dist/index.js \\
        --conversations FOLDER

Each system lives in an environment of its own, which the caller makes (pip install chromadb; mem0ai
langchain qdrant-client; langgraph-checkpoint-sqlite; each with onnxruntime and tokenizers). What is
not given is left out, and the page says so. Systems take turns on the same machine and embed
questions with the same bundled model; machines are noisy, so read the ratios."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.growth import GROWTH, LABELS, curves
from bench.performance_page import Run, page, plots

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "bench" / "systems.py"
MODEL = ROOT / "resources" / "minilm"
WRITERS, WRITES = 2, 250
PATIENCE = 900


def asked(name: str, python: str, what: str, folder: Path, size: int) -> dict[str, Any]:
    """What one process of a system answers; `{"error": …}` when it has none."""
    command = [python, str(SCRIPT), name, what, str(folder), str(size), str(MODEL)]
    begun = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {"error": f"no answer in {PATIENCE} s"}
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1][:200]}
    line = next(line for line in reversed(done.stdout.splitlines()) if line.startswith("{"))
    return {**json.loads(line), "seconds": time.perf_counter() - begun}


def two_writers(name: str, python: str, folder: Path) -> dict[str, Any]:
    """Two processes write at once to one place; how long it took and how much was there after."""
    command = [python, str(SCRIPT), name, "write", str(folder), str(WRITES), str(MODEL)]
    before = asked(name, python, "count", folder, 0)["count"]
    begun = time.perf_counter()
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    writers = [subprocess.Popen(command, **silent) for _ in range(WRITERS)]
    for writer in writers:
        try:
            writer.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            writer.kill()
    seconds = time.perf_counter() - begun
    after = asked(name, python, "count", folder, 0)
    return {"two_seconds": seconds, "two_kept": after.get("count", 0) - before}


def measured(name: str, python: str, sizes: list[int]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            found[size] = asked(name, python, "all", folder, size)
            if "error" not in found[size]:
                cold = sorted(
                    asked(name, python, "cold", folder, size).get("seconds", 0) for _ in range(3)
                )
                found[size]["cold_seconds"] = cold[1]
                if size == min(sizes):
                    found[size] |= two_writers(name, python, folder)
        print(name, size, found[size], flush=True)
    return found


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
print(total // 1_000_000)
"""
DISTRIBUTIONS = {
    "chromadb": "chromadb",
    "mem0": "mem0ai",
    "langgraph": "langgraph",
    "mcp-memory-service": "mcp-memory-service",
}


def installed_mb(python: str, distribution: str) -> int:
    """What a package weighs on disk with all it requires."""
    done = subprocess.run([python, "-c", SIZES_OF, distribution], capture_output=True, text=True)
    return int(done.stdout or 0)


def conversations(folder: Path | None) -> str:
    """The table of `bench/recall.py` over LoCoMo conversations; empty without them."""
    if folder is None:
        return ""
    command = [sys.executable, str(ROOT / "bench" / "recall.py"), str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.strip()


def _command(given: argparse.Namespace, pythons: dict[str, str]) -> str:
    """What was asked for, without where things lie on this machine."""
    others = [name for name in pythons if name not in ("keepsake", "raw", "reference")]
    words = ["bench/run.py", "--write", *(f"--beside {name}=PYTHON" for name in others)]
    words += ["--reference FILE"] if given.reference else []
    words += ["--conversations FOLDER"] if given.conversations else []
    return " ".join([*words, "--sizes", *map(str, given.sizes), "--most", str(given.most)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--reference", type=Path, help="the reference server's index.js")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--growth", type=int, nargs="*", default=list(GROWTH))
    parser.add_argument("--conversations", type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="the largest size of the others")
    parser.add_argument("--note", default="", help="what else to say of the machine")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    given = parser.parse_args()
    pythons = {"keepsake": sys.executable, "raw": sys.executable}
    pythons |= dict(one.split("=", 1) for one in given.beside)
    if given.reference:
        os.environ["REFERENCE_SERVER"] = str(given.reference.resolve())
        pythons["reference"] = sys.executable
    systems = {}
    for name, python in pythons.items():
        ours = name in ("keepsake", "raw")
        sizes = [size for size in given.sizes if ours or size <= given.most]
        systems[name] = measured(name, python, sizes)
    run = Run(
        day=date.today().isoformat(),
        machine=f"{os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}{given.note}",
        command=_command(given, pythons),
        systems=systems,
        installed={
            name: installed_mb(pythons[name], distribution)
            for name, distribution in {"keepsake": "keepsake-desk", **DISTRIBUTIONS}.items()
            if name in pythons
        },
        growth=curves(given.growth),
        recall=conversations(given.conversations),
    )
    if given.write:
        pictures = ROOT / "docs" / "pictures"
        for name, drawing in plots(run, LABELS).items():
            (pictures / name).write_text(drawing, "utf-8")
        (ROOT / "docs" / "performance.md").write_text(page(run), "utf-8")
    print(page(run))


if __name__ == "__main__":
    main()
