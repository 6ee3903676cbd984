"""Wires what keeps the file: backups, erasure, upkeep, the doctor.

What they ask of other parts is asked when it is needed: a backup does not wait for the mirror."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.care.backups import Backups
from app.care.doctor import Doctor
from app.care.erasure import Erasure
from app.care.upkeep import Upkeep

if TYPE_CHECKING:
    from app.vault import Vault


@dataclass(frozen=True, slots=True)
class CareServices:
    backups: Backups
    erasure: Erasure
    upkeep: Upkeep
    doctor: Doctor


def care_services(vault: Vault) -> CareServices:
    database, settings, clock = vault.database, vault.settings, vault.clock
    backups = Backups(database, settings, clock)
    erasure = Erasure(database, clock, vault.ids, backups)
    erasure.outside.append(lambda *gone: vault.mirrors.erase(*gone))
    upkeep = Upkeep(
        database,
        settings,
        clock,
        holder=vault.holder,
        erase=erasure.erase,
        also=[
            lambda _now: erasure.finish_pending(),
            vault.calls.prune,
            lambda now: vault.conversations.prune(now),
            lambda now: vault.channels.prune(now),
        ],
    )
    return CareServices(backups, erasure, upkeep, Doctor(database))
