"""Wires what an agent is told, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.hydration.hydrator import Hydrator
from app.hydration.why import Why

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class HydrationServices:
    hydrator: Hydrator
    why: Why


def hydration_services(vault: Vault) -> HydrationServices:
    database, clock = vault.database, vault.clock
    hydrator = Hydrator(
        database, vault.settings, vault.usage, clock, archival=vault.recall.archival
    )
    return HydrationServices(hydrator, Why(database, vault.entries, vault.agents, hydrator, clock))
