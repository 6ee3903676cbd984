"""Memories as points, near when they mean alike."""

from __future__ import annotations

import math

import numpy as np

from app.recall.memory_map import MemoryMap, Point, principal, regions
from app.vault import Vault
from store.records import USER, EntryDraft


def distance(one: Point, other: Point) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def test_memories_that_mean_alike_lie_near(vault: Vault) -> None:
    told = {
        "tea": "She drinks green tea every morning.",
        "coffee": "She drinks coffee in the afternoon.",
        "juice": "He likes a glass of orange juice with breakfast.",
        "deploy": "The server cluster is deployed on Fridays with kubectl.",
        "backup": "Database backups of the production cluster run at night.",
        "tests": "The build server runs the tests of every branch.",
    }
    vault.entries.store_many(
        [EntryDraft(text, USER, key) for key, text in told.items()],
        actor="owner",
        source="owner",
        reason="",
    )
    vault.embedding.embed_waiting()
    found = MemoryMap(vault.database, vault.embedding).points()
    points = {point.entry.key: point for point in found}
    assert set(points) == set(told)
    for drink in ("tea", "coffee", "juice"):
        nearest = min(
            (distance(points[drink], points[other]), other) for other in told if other != drink
        )
        assert nearest[1] in ("tea", "coffee", "juice")


def test_the_same_memories_give_the_same_picture() -> None:
    vectors = np.random.default_rng(1).normal(size=(50, 16)).astype(np.float32)
    assert np.allclose(principal(vectors), principal(vectors.copy()))
    assert np.abs(principal(vectors)).max() <= 1.0001


def test_few_memories_still_have_a_place() -> None:
    for number in range(3):
        assert principal(np.ones((number, 8), np.float32)).shape == (number, 2)


def test_heaps_are_named_by_what_their_memories_share(vault: Vault) -> None:
    points = []
    for place, (tag, x) in enumerate((("garden", -0.9), ("work", 0.9))):
        for number in range(5):
            draft = EntryDraft(f"{tag} {number}", key=f"k{place}{number}", tags=(tag, "all"))
            entry = vault.entries.store(draft, actor="owner").entry
            points.append(Point(entry, x + number / 100, number / 100))
    found = regions(points)
    assert {"garden", "work"} <= {region.label for region in found}
    garden = next(region for region in found if region.label == "garden")
    assert garden.x < 0
    assert regions(points[:3]) == []
