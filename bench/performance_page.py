"""The page of figures and its plots, and the README's table, made of one run of `bench/run.py`.

No sentence here knows a figure: what was reached and what was missed is worked out of the run."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

NAMES = {
    "keepsake": "**Keepsake**",
    "raw": "raw parts",
    "chromadb": "chromadb, the same embedding",
    "chromadb-own": "chromadb, its own embedding",
    "chromadb-st": "chromadb, sentence-transformers",
    "mem0": "mem0 (qdrant on disk)",
    "langgraph": "LangGraph's SqliteStore",
    "mcp-memory-service": "mcp-memory-service",
    "reference": "reference server",
}
SHORT = {
    "keepsake": "Keepsake",
    "chromadb": "chromadb, Keepsake's model",
    "chromadb-own": "chromadb as it comes",
    "mem0": "mem0",
    "langgraph": "LangGraph's store",
}
COLOURS = (
    *("#2d6e5e", "#8a6d1f", "#4b5bd6", "#b0452f", "#7a4a8c", "#3b82a0", "#777777"),
    *("#c2559d", "#111111"),
)
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 340, 70, 50
WRITERS, WRITES = 2, 250
MILLION = 1_000_000


@dataclass
class Run:
    """Everything one run saw so far."""

    day: str
    machine: str
    command: str
    loads: list[str] = field(default_factory=list)  # of the machine, when each part of it began
    systems: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    evidence: dict[str, dict[str, Any]] = field(default_factory=dict)
    installed: dict[str, dict[str, Any]] = field(default_factory=dict)
    growth: dict[int, dict[str, float]] = field(default_factory=dict)
    ways: str = ""

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def of_json(cls, text: str) -> Run:
        run = cls(**json.loads(text))
        run.systems = {name: _by_size(found) for name, found in run.systems.items()}
        run.growth = _by_size(run.growth)
        return run

    def at(self, name: str, size: int, what: str) -> float | None:
        """One figure of one system; None where it was not seen."""
        return self.systems.get(name, {}).get(size, {}).get(what)

    def grown(self, size: int, what: str) -> float | None:
        return self.growth.get(size, {}).get(what)


def _by_size(found: dict[Any, Any]) -> dict[int, Any]:
    return {int(size): line for size, line in found.items()}


def page(run: Run) -> str:
    parts = [_head(run), _aims(run), _others(run), _found(run), _growth(run), _how(run)]
    return "\n".join(part for part in parts if part)


def _head(run: Run) -> str:
    return (
        "# Performance\n\n"
        f"All figures of this page are from one run on {run.day}{_parts(run)}: {run.machine}. "
        "Machines are noisy; the ratios say more than the milliseconds.\n\n"
        "![Recall by number of memories](pictures/performance-recall.svg)\n"
    )


def _parts(run: Run) -> str:
    if not run.loads:
        return ""
    parts = f" in {len(run.loads)} parts" if len(run.loads) > 1 else ""
    return f"{parts}, begun at load {' and '.join(run.loads)}"


def _ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None


@dataclass(frozen=True)
class Aim:
    """Something that was set out to be reached: at most `bound`."""

    what: str
    seen: Callable[[Run], float | None]
    bound: float
    unit: str


def _recall_beside(run: Run, name: str) -> float | None:
    return _ratio(run.at("keepsake", 10_000, "p50_ms"), run.at(name, 10_000, "p50_ms"))


AIMS = (
    Aim(
        "recall among 10,000, × chromadb's as it comes",
        lambda run: _recall_beside(run, "chromadb-own"),
        0.5,
        "{:.2f}",
    ),
    Aim(
        "the same, × chromadb's with Keepsake's embedding",
        lambda run: _recall_beside(run, "chromadb"),
        0.5,
        "{:.2f}",
    ),
    Aim(
        "the same, × chromadb's with sentence-transformers",
        lambda run: _recall_beside(run, "chromadb-st"),
        0.5,
        "{:.2f}",
    ),
    Aim(
        "a fact (30 tokens) written and embedded, among 10,000",
        lambda run: _ratio(1_000, run.at("keepsake", 10_000, "fact_per_second")),
        5.0,
        "{:.1f} ms",
    ),
    Aim(
        "the same of a long text (76 tokens)",
        lambda run: _ratio(1_000, run.at("keepsake", 10_000, "embedded_per_second")),
        5.0,
        "{:.1f} ms",
    ),
    Aim("a search among a million", lambda run: run.grown(MILLION, "search_ms"), 300, "{:,.0f} ms"),
    Aim("memory with a million", lambda run: run.grown(MILLION, "memory_mb"), 1_000, "{:,.0f} MB"),
    Aim(
        "the window on screen with a million, × with a thousand",
        lambda run: _ratio(run.grown(MILLION, "window_ms"), run.grown(1_000, "window_ms")),
        1.1,
        "{:.2f}",
    ),
    Aim(
        "a key in its search with a million, × with a thousand",
        lambda run: _ratio(run.grown(MILLION, "key_ms"), run.grown(1_000, "key_ms")),
        1.1,
        "{:.2f}",
    ),
)


def _aims(run: Run) -> str:
    lines = ["## What was aimed at", "", "| | at most | seen | |", "|---|---|---|---|"]
    for aim in AIMS:
        seen, bound = aim.seen(run), aim.unit.format(aim.bound)
        if seen is None:
            lines.append(f"| {aim.what} | {bound} | not in this run | |")
        else:
            verdict = "reached" if seen <= aim.bound else "**missed**"
            lines.append(f"| {aim.what} | {bound} | {aim.unit.format(seen)} | {verdict} |")
    return "\n".join([*lines, ""])


def _others(run: Run) -> str:
    lines = ["## Beside others", ""]
    for size in sorted({size for found in run.systems.values() for size in found}):
        lines += [f"### {size:,} memories", "", *_table(run, size), ""]
    small = min(size for found in run.systems.values() for size in found)
    lines += [f"### Two writers at once, {WRITES} each", ""]
    lines += [f"| | seconds | of {WRITERS * WRITES} kept |", "|---|---|---|"]
    for name, found in run.systems.items():
        line = found.get(small, {})
        if "two_seconds" in line:
            kept = f"{line['two_kept']:,}"
            lines.append(f"| {NAMES[name]} | {line['two_seconds']:.1f} | {kept} |")
    lines += ["", "### Installed size, with all it requires", ""]
    lines += ["| | version | MB |", "|---|---|---|"]
    for name, held in run.installed.items():
        lines.append(f"| {NAMES[name]} | {held['version']} | {held['mb']:,} |")
    return "\n".join([*lines, ""])


def _table(run: Run, size: int) -> list[str]:
    ours = run.at("keepsake", size, "p50_ms")
    lines = [
        "| | recall p50 | × Keepsake | p95 | cold start to first recall "
        "| single writes | embedded before the next: 30 tokens, 76 | batch | memory |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, found in run.systems.items():
        line = found.get(size)
        if line is None:
            continue
        if "error" in line:
            lines.append(f"| {NAMES[name]} | did not run: {line['error']} | | | | | | | |")
            continue
        ratio = _ratio(line["p50_ms"], ours)
        lines.append(
            f"| {NAMES[name]} | {line['p50_ms']:.1f} ms "
            f"| {'' if ratio is None else f'{ratio:.2f}'} | {line['p95_ms']:.1f} ms "
            f"| {line['cold_seconds']:.2f} s | {line['single_per_second']:,.0f}/s "
            f"| {_embedded(name, line)} | {line['batch_per_second']:,.0f}/s "
            f"| {line['memory_mb']:,.0f} MB |"
        )
    return lines


def _embedded(name: str, line: dict[str, Any]) -> str:
    if name == "reference":
        return "none"
    fact = line.get("fact_per_second")
    return f"{'–' if fact is None else f'{fact:,.0f}/s'}, {line['embedded_per_second']:,.0f}/s"


def _found(run: Run) -> str:
    """What is found, beside others and beside simpler ways to look."""
    scored = {name: line for name, line in run.evidence.items() if "error" not in line}
    if not scored:
        return ""
    (questions, *_) = (line["questions"] for line in scored.values())
    lines = [
        "## What is found",
        "",
        f"The share of the evidence of {questions:,} LoCoMo questions among the first 1, 5 and 10 "
        "memories, one memory a turn of the conversation. This is retrieval, not answers judged by "
        "a model.",
        "",
        "| | first | first five | first ten |",
        "|---|---|---|---|",
    ]
    for name, line in scored.items():
        cells = " | ".join(f"{line[f'at_{k}']:.3f}" for k in (1, 5, 10))
        lines.append(f"| {NAMES[name]} | {cells} |")
    if run.ways:
        lines += ["", "Keepsake's own ways to look, `python bench/recall.py FOLDER` (`hybrid` is "]
        lines[-1] += "what it does unless told otherwise):"
        lines += ["", "```", run.ways, "```"]
    return "\n".join([*lines, ""])


GROWN = (
    ("open_ms", "open"),
    ("first_ms", "first search"),
    ("search_ms", "search"),
    ("p95_ms", "search, 95th of 100"),
    ("store_ms", "store"),
    ("list_ms", "list"),
    ("hydrate_ms", "hydrate"),
    ("window_ms", "window on screen"),
    ("key_ms", "a key in its search"),
)


def _growth(run: Run) -> str:
    if not run.growth:
        return ""
    lines = [
        "## As it grows",
        "",
        "![What a vault costs as it grows](pictures/performance-growth.svg)",
        "",
        f"| memories | {' | '.join(label for _, label in GROWN)} | memory |",
        "|---" * (len(GROWN) + 2) + "|",
    ]
    for size, line in run.growth.items():
        cells = " | ".join(f"{line[name]:,.1f} ms" for name, _ in GROWN)
        lines.append(f"| {size:,} | {cells} | {line['memory_mb']:,.0f} MB |")
    return "\n".join([*lines, ""])


def _how(run: Run) -> str:
    missing = [name for name in NAMES if name not in run.systems]
    left = f"- Not in this run: {', '.join(missing)}.\n" if missing else ""
    return (
        "## How it was measured\n\n"
        f"```\npython {run.command}\n```\n\n"
        "- Every system embeds a question with the same bundled model (int8), but for *chromadb, "
        "its own embedding*: that is chromadb as one gets it, with the function that comes with "
        "it, which has the same model as 32-bit floats and pads every text to 256 tokens, and "
        "*sentence-transformers*: the same floats as torch runs them, by the function that "
        "chromadb's documentation names for a model of one's own. What "
        "fills a system has random vectors, because what a search costs does not depend on what "
        "they say; the LoCoMo turns have real ones.\n"
        "- Each is asked for ten memories by its own call: `collection.query` of chromadb, "
        "`Memory.search` of mem0, `store.search` of LangGraph, `retrieve` of mcp-memory-service. "
        "Keepsake compares with every vector and looks for the words too; chromadb's index "
        "(HNSW) compares with some of the vectors.\n"
        "- *Raw parts*: a table, FTS5 and NumPy in forty lines, with no promise kept: no history, "
        "no scopes, no second process. It embeds before it answers a write, as the others do; "
        "Keepsake answers when the memory is safe on disk and found by its words, and embeds right "
        "after. *Embedded before the next* begins when nothing waits, and waits for "
        "each; a turn of LoCoMo has 31 tokens in the middle, the texts that fill a system 76.\n"
        "- mem0 is filled straight into its vector store, because adding one by one takes long; "
        "its single writes are `add(infer=False)`, without a language model.\n"
        "- The reference server has no vectors and looks for a part of a text: it is asked for "
        "one word, and no questions.\n"
        "- *mcp-memory-service* is its own store, with the bundled model in place of the one that "
        "it would fetch from the network.\n"
        "- *Two writers* are two processes with one store; what is kept is counted afterwards by a "
        "third.\n"
        f"{left}"
    )


def measured_lines(run: Run) -> str:
    """The README's table: ours and theirs of the same run, whoever is ahead."""
    names = [name for name in run.systems if name not in ("raw", "reference")]
    small = min(size for found in run.systems.values() for size in found)
    shared = [set(run.systems[name]) for name in names]
    large = max(set.intersection(*shared))
    rows: list[tuple[str, Callable[[str], float | None], str]] = [
        (
            "evidence found among the first ten, LoCoMo",
            lambda name: _times(run.evidence.get(name, {}).get("at_10"), 100),
            "{:.0f} %",
        ),
        (
            "fresh process to its first recall",
            lambda name: run.at(name, small, "cold_seconds"),
            "{:.2f} s",
        ),
        (f"recall among {small:,}", lambda name: run.at(name, small, "p50_ms"), "{:.0f} ms"),
        (f"recall among {large:,}", lambda name: run.at(name, large, "p50_ms"), "{:.0f} ms"),
        (
            "writes, one by one",
            lambda name: run.at(name, small, "single_per_second"),
            "{:,.0f}/s",
        ),
        (
            "the same, a fact of 30 tokens embedded before the next",
            lambda name: run.at(name, small, "fact_per_second"),
            "{:,.0f}/s",
        ),
        (
            "a text of 76 tokens",
            lambda name: run.at(name, small, "embedded_per_second"),
            "{:,.0f}/s",
        ),
        (
            f"of {WRITERS * WRITES} by two writers at once, kept",
            lambda name: run.at(name, small, "two_kept"),
            "{:,.0f}",
        ),
        ("installed", lambda name: run.installed.get(name, {}).get("mb"), "{:,.0f} MB"),
    ]
    heads = " | ".join(SHORT.get(name, NAMES[name]) for name in names)
    lines = [f"| | {heads} |", "|---" * (len(names) + 1) + "|"]
    for label, seen, unit in rows:
        cells = ["–" if (at := seen(name)) is None else unit.format(at) for name in names]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", *_grown_sentence(run)])


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _grown_sentence(run: Run) -> list[str]:
    if not run.growth:
        return []
    size = max(run.growth)
    line = run.growth[size]
    return [
        f"With {size:,} memories a search takes {line['search_ms']:,.0f} ms, the process "
        f"{line['memory_mb']:,.0f} MB;",
        f"the window is on screen in {line['window_ms'] / 1000:.1f} s and answers a key in "
        f"{line['key_ms']:,.0f} ms.",
        "",
    ]


def plots(run: Run) -> dict[str, str]:
    recall = {
        NAMES[name].strip("*"): {
            size: line["p50_ms"] for size, line in found.items() if "p50_ms" in line
        }
        for name, found in run.systems.items()
    }
    drawn = {"performance-recall.svg": chart(recall, "recall, median, milliseconds")}
    if run.growth:
        series = {
            label: {size: line[name] for size, line in run.growth.items()} for name, label in GROWN
        }
        drawn["performance-growth.svg"] = chart(series, "milliseconds")
    return drawn


def chart(series: dict[str, dict[int, float]], title: str) -> str:
    """Lines over both axes' logarithms, as SVG that needs no font of its own."""
    xs = [x for line in series.values() for x in line]
    ys = [max(y, 0.01) for line in series.values() for y in line.values()]
    low_x, high_x = math.log10(min(xs)), max(math.log10(max(xs)), math.log10(min(xs)) + 1)
    low_y, high_y = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    wide, tall = WIDTH - LEFT - 190, HEIGHT - BOTTOM - 40

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - low_x) / (high_x - low_x)
        up = (math.log10(max(y, 0.01)) - low_y) / max(high_y - low_y, 1)
        return LEFT + across * wide, HEIGHT - BOTTOM - up * tall

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="24" font-size="14">{title}</text>',
    ]
    for power in range(low_y, high_y + 1):
        _, y = place(min(xs), 10.0**power)
        ends = f'x1="{LEFT}" x2="{LEFT + wide}" y1="{y:.1f}" y2="{y:.1f}"'
        parts.append(f'<line {ends} stroke="#ddd"/>')
        label = f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
        parts.append(f"{label}{10.0**power:,g}</text>")
    for x in sorted(set(xs)):
        across, _ = place(x, 1)
        parts.append(
            f'<text x="{across:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x:,}</text>'
        )
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 8}">memories</text>')
    for row, (name, line) in enumerate(series.items()):
        parts += _line(name, [place(x, y) for x, y in sorted(line.items())], row, LEFT + wide + 20)
    return "\n".join([*parts, "</svg>", ""])


def _line(name: str, points: list[tuple[float, float]], row: int, beside: float) -> list[str]:
    colour = COLOURS[row % len(COLOURS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    return [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *dots,
        f'<text x="{beside}" y="{60 + row * 20}" fill="{colour}">{name}</text>',
    ]
