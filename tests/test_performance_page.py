"""The page of figures says what its run saw, also where that is worse than hoped."""

from __future__ import annotations

from bench.performance_page import GROWN, MILLION, Run, measured_lines, page, plots

LINE = {
    "p95_ms": 9.0,
    "cold_seconds": 0.5,
    "single_per_second": 700.0,
    "embedded_per_second": 60.0,
    "fact_per_second": 250.0,
    "batch_per_second": 4_000.0,
    "memory_mb": 130.0,
    "two_seconds": 1.8,
    "two_kept": 500,
}


def a_run(ours: float, theirs: float) -> Run:
    sizes = (1_000, 10_000)
    return Run(
        day="2026-11-18",
        machine="2 cores",
        command="bench/run.py",
        systems={
            "keepsake": {size: {**LINE, "p50_ms": ours} for size in sizes},
            "chromadb": {
                1_000: {**LINE, "p50_ms": theirs, "two_kept": 250},
                10_000: {**LINE, "p50_ms": theirs},
            },
            "chromadb-own": {size: {**LINE, "p50_ms": 5 * theirs} for size in sizes},
            "mem0": {size: {"error": "no module named mem0"} for size in sizes},
        },
        evidence={
            "keepsake": {"questions": 786, "at_1": 0.5, "at_5": 0.75, "at_10": 0.851},
            "mem0": {"error": "no module named mem0"},
        },
        installed={"keepsake": {"version": "0.1.0", "mb": 400}},
        growth={MILLION: {name: 12.0 for name, _ in GROWN} | {"memory_mb": 1_500.0}},
    )


def test_an_aim_is_called_reached_only_when_it_is() -> None:
    half = "| recall among 10,000, × chromadb's as it comes | 0.50 |"
    same = "| the same, × chromadb's with Keepsake's embedding | 0.50 |"
    assert f"{half} 0.08 | reached |\n{same} 0.40 | reached |" in page(a_run(ours=4, theirs=10))
    assert f"{half} 0.60 | **missed** |\n{same} 3.00 | **missed** |" in page(a_run(24, theirs=8))
    fact = "| a fact (30 tokens) written and embedded, among 10,000 | 5.0 ms | 4.0 ms | reached |"
    long = "| the same of a long text (76 tokens) | 5.0 ms | 16.7 ms | **missed** |"
    assert f"{fact}\n{long}" in page(a_run(4, 10))
    assert "× chromadb's with sentence-transformers | 0.50 | not in this run | |" in page(
        a_run(4, 10)
    )
    assert "| memory with a million | 1,000 MB | 1,500 MB | **missed** |" in page(a_run(4, 10))
    assert "× with a thousand | 1.10 | not in this run | |" in page(a_run(4, 10))


def test_a_system_that_did_not_run_is_named_with_its_reason() -> None:
    said = page(a_run(4, 10))
    assert "| mem0 (qdrant on disk) | did not run: no module named mem0 |" in said
    assert "Not in this run: raw, chromadb-st, langgraph, mcp-memory-service, reference." in said


def test_the_readme_shows_both_sides_of_the_same_run() -> None:
    said = measured_lines(a_run(ours=10, theirs=8)).splitlines()
    assert said[0] == "| | Keepsake | chromadb, Keepsake's model | chromadb as it comes | mem0 |"
    assert "| evidence found among the first ten, LoCoMo | 85 % | – | – | – |" in said
    assert "| recall among 10,000 | 10 ms | 8 ms | 40 ms | – |" in said
    assert "| of 500 by two writers at once, kept | 500 | 250 | 500 | – |" in said


def test_a_run_that_was_kept_gives_the_same_page() -> None:
    run = a_run(4, 10)
    again = Run.of_json(run.as_json())
    assert page(again) == page(run)
    assert plots(again) == plots(run)
