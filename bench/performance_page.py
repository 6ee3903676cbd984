"""The page of figures and its plots, made of one run of `bench/run.py`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

NAMES = {
    "keepsake": "**Keepsake**",
    "raw": "raw parts",
    "chromadb": "chromadb",
    "mem0": "mem0 (qdrant on disk)",
    "langgraph": "LangGraph's SqliteStore",
    "mcp-memory-service": "mcp-memory-service",
    "reference": "reference server",
}
COLOURS = ("#2d6e5e", "#8a6d1f", "#4b5bd6", "#b0452f", "#7a4a8c", "#3b82a0", "#777777")
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 340, 70, 50


@dataclass(frozen=True)
class Run:
    """Everything one run saw."""

    day: str
    machine: str
    command: str
    systems: dict[str, dict[int, dict[str, Any]]]
    installed: dict[str, int]
    growth: dict[int, dict[str, float]]
    recall: str


def page(run: Run) -> str:
    parts = [_head(run), _others(run), _growth(run), _recall(run), _how(run)]
    return "\n".join(part for part in parts if part)


def _head(run: Run) -> str:
    return (
        "# Performance\n\n"
        f"All figures of this page are from one run on {run.day}: {run.machine}. Machines are "
        "noisy; the ratios say more than the milliseconds.\n\n"
        "![Recall by number of memories](pictures/performance-recall.svg)\n"
    )


def _others(run: Run) -> str:
    lines = ["## Beside others", ""]
    for size in sorted({size for found in run.systems.values() for size in found}):
        lines += [f"### {size:,} memories", "", *_table(run, size), ""]
    small = min(size for found in run.systems.values() for size in found)
    lines += ["### Two writers at once, 250 each", ""]
    lines += ["| | seconds | of 500 kept |", "|---|---|---|"]
    for name, found in run.systems.items():
        line = found.get(small, {})
        if "two_seconds" in line:
            kept = f"{line['two_kept']:,}"
            lines.append(f"| {NAMES[name]} | {line['two_seconds']:.1f} | {kept} |")
    lines += ["", "### Installed size, with all it requires", "", "| | MB |", "|---|---|"]
    lines += [f"| {NAMES[name]} | {size:,} |" for name, size in run.installed.items()]
    return "\n".join([*lines, ""])


def _table(run: Run, size: int) -> list[str]:
    ours = run.systems["keepsake"].get(size, {})
    lines = [
        "| | recall p50 | × Keepsake | p95 | cold start to first recall "
        "| single writes | embedded before the next | batch | memory |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, found in run.systems.items():
        line = found.get(size)
        if line is None:
            continue
        if "error" in line:
            lines.append(f"| {NAMES[name]} | did not run: {line['error']} | | | | | | | |")
            continue
        ratio = line["p50_ms"] / ours["p50_ms"] if "p50_ms" in ours else math.nan
        lines.append(
            f"| {NAMES[name]} | {line['p50_ms']:.1f} ms | {ratio:.2f} | {line['p95_ms']:.1f} ms "
            f"| {line['cold_seconds']:.2f} s | {line['single_per_second']:,.0f}/s "
            f"| {_embedded(name, line)} | {line['batch_per_second']:,.0f}/s "
            f"| {line['memory_mb']:,.0f} MB |"
        )
    return lines


def _embedded(name: str, line: dict[str, Any]) -> str:
    return "none" if name == "reference" else f"{line['embedded_per_second']:,.0f}/s"


def _growth(run: Run) -> str:
    if not run.growth:
        return ""
    lines = [
        "## As it grows",
        "",
        "![What a vault costs as it grows](pictures/performance-growth.svg)",
        "",
        "| memories | open | first search | search p50 | p95 | store | list | hydrate | memory |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for size, line in run.growth.items():
        names = ("open_ms", "first_ms", "search_ms", "p95_ms", "store_ms", "list_ms", "hydrate_ms")
        cells = " | ".join(f"{line[name]:,.1f} ms" for name in names)
        lines.append(f"| {size:,} | {cells} | {line['memory_mb']:,.0f} MB |")
    return "\n".join([*lines, ""])


def _recall(run: Run) -> str:
    if not run.recall:
        return ""
    said = "What `python bench/recall.py` says of conversations and independent facts:"
    return f"## What is found\n\n{said}\n\n```\n{run.recall}\n```\n"


def _how(run: Run) -> str:
    missing = [name for name in NAMES if name not in run.systems]
    left = f"Not measured in this run: {', '.join(missing)}.\n" if missing else ""
    return (
        "## How it was measured\n\n"
        f"```\npython {run.command}\n```\n\n"
        "- Every system embeds a question with the same bundled model. What fills it has random "
        "vectors, because what a search costs does not depend on what they say.\n"
        "- *Raw parts*: a table, FTS5 and NumPy in forty lines, with no promise kept: no history, "
        "no scopes, no second process. It embeds before it answers a write, as the others do; "
        "Keepsake answers when the memory is safe on disk and found by its words, and embeds right "
        "after.\n"
        "- mem0 is filled straight into its vector store, because adding one by one takes long; "
        "its single writes are `add(infer=False)`, without a language model.\n"
        "- The reference server has no vectors and looks for a part of a text: it is asked for "
        "one word.\n"
        "- *mcp-memory-service* is its own store, with the bundled model in place of the one that "
        "it would fetch from the network.\n"
        f"{left}"
    )


def plots(run: Run, labels: dict[str, str]) -> dict[str, str]:
    recall = {
        NAMES[name].strip("*"): {
            size: line["p50_ms"] for size, line in found.items() if "p50_ms" in line
        }
        for name, found in run.systems.items()
    }
    drawn = {"performance-recall.svg": chart(recall, "recall, median, milliseconds")}
    if run.growth:
        series = {
            label: {size: line[name] for size, line in run.growth.items()}
            for name, label in labels.items()
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
