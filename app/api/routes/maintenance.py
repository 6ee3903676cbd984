"""/erase, /wipe, /upkeep and /backups: looking after the vault. The owner's token only."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path
from pydantic import Field
from starlette.responses import Response

from app.api.idempotency import WriteRoute, idempotency_key
from app.api.middleware import OwnerVisit
from app.api.responses import documented
from app.api.schemas import Answer, Ident, ScopeWanted, Time, Wanted, answer
from app.care.erasure import Removal
from app.care.upkeep import UpkeepReport
from app.errors import Invalid
from app.version import our_version
from store.care.backups import Backup

router = APIRouter(tags=["care"])
writes = APIRouter(tags=["care"], route_class=WriteRoute, dependencies=[Depends(idempotency_key)])


def _idents(what: str) -> list[str]:
    """A field of ids that may be left out."""
    given: list[str] = Field(default_factory=list, max_length=1000, description=what)
    return given


class EraseWanted(Wanted):
    ids: list[Ident] = _idents("Of entries.")
    blocks: list[Ident] = _idents("Of blocks, which go with every version.")
    versions: list[Ident] = _idents("Of blocks that stay; their past goes.")
    proposals: list[Ident] = _idents("Of proposals, decided or not.")
    conversations: list[Ident] = _idents("Of conversations, with their turns.")
    said: bool = Field(False, description="Also the turns and messages entries were learned from.")


class WipeWanted(ScopeWanted):
    scope: Literal["user", "agent", "workspace", "conversation", "all"]  # type: ignore[assignment]
    confirm: Literal["wipe"] = Field(description="There is no way back.")


class HindranceResponse(Answer):
    where: str
    why: Literal["away", "link", "read-only", "full", "reader", "busy", "words", "other"]
    detail: str


class CopyResponse(Answer):
    at: Time
    way: Literal["export", "skill", "mirror"]
    path: str = Field(description="Empty for what went through the API.")


class ToldResponse(Answer):
    agent_id: str
    times: int
    first: Time
    last: Time
    calls: list[str]


class FoundCopyResponse(Answer):
    id: str
    path: str
    kind: str = Field(description="memory, instructions, transcript, export, … (docs/proof.md).")
    client: str
    places: int
    lines: list[int] = Field(description="Where first, at most twenty.")
    modified: Time
    becomes: Literal["goes", "offered", "stays"]
    why: str = Field(description="Where it stays: archive, database, read-only, linked.")
    ours: bool = Field(description="Keepsake wrote it, or keeps it in step.")


class NotLookedResponse(Answer):
    path: str
    why: Literal["unreadable", "large", "late", "cancelled"]
    detail: str


class SweepResponse(Answer):
    """What was looked for outside the vault, and what was found."""

    at: Time
    until: Time
    told: list[ToldResponse]
    told_since: str = Field(description="Since when calls are known; empty: none are.")
    unnamed: int = Field(description="Calls that told more things than the log names.")
    copies: list[FoundCopyResponse]
    looked: dict[str, int] = Field(description="Files by kind.")
    bytes_read: int
    not_looked: list[NotLookedResponse]
    short: int = Field(description="Texts that say too little to be looked for.")
    left_out: int = Field(description="Pieces that were too many.")
    cancelled: bool


class ReceiptResponse(Answer):
    id: str
    at: Time
    what: str
    state: Literal["done", "pending"]
    removed: dict[str, int]
    backups_cleaned: int
    vacuumed: bool
    sentence: str
    unsearched: list[str] = Field(description="What could not be looked into.")
    hindrances: list[HindranceResponse] = Field(description="What keeps it pending.")
    handed_out: list[CopyResponse] = Field(
        description="Copies made before that no erase reaches: exports, skills, folders."
    )
    sweep: SweepResponse | None = Field(description="Where it was looked for; see /proof/radar.")
    copies_removed: list[str] = Field(description="Files that no longer say it.")
    copies_left: list[FoundCopyResponse] = Field(description="Files that say it still.")


class ErasuresResponse(Answer):
    erasures: list[ReceiptResponse]


class UpkeepWanted(Wanted):
    dry_run: bool = False


class TakenResponse(Answer):
    id: str
    key: str
    scope: str
    rule: str
    sentence: str


class UpkeepResponse(Answer):
    at: Time
    dry_run: bool
    change: int | None
    taken: list[TakenResponse]
    erased: int
    compacted: int


class BackupResponse(Answer):
    name: str
    at: Time
    why: str
    bytes: int


class BackupsResponse(Answer):
    backups: list[BackupResponse]


class RestoredResponse(Answer):
    restored: BackupResponse
    safety: BackupResponse = Field(description="What was there before, backed up first.")


@writes.post("/erase", responses=documented((200, ReceiptResponse, "Receipt.")))
def erase(visit: OwnerVisit, wanted: EraseWanted) -> Response:
    """Remove for good: text, index, vectors, log, backups. Can be asked again while pending."""
    return answer(ReceiptResponse.of(visit.vault.erasure.remove(removal_of(wanted))))


def removal_of(wanted: EraseWanted) -> Removal:
    """What a request names. Raises Invalid where it names nothing."""
    removal = Removal(
        tuple(wanted.ids),
        tuple(wanted.blocks),
        tuple(wanted.versions),
        tuple(wanted.proposals),
        tuple(wanted.conversations),
        said=wanted.said,
    )
    if not (removal.things or removal.versions):
        raise Invalid("Name what to erase: ids, blocks, versions, proposals or conversations.")
    return removal


@router.get("/erase", responses=documented((200, ErasuresResponse, "Not done yet.")))
def list_erasures(visit: OwnerVisit) -> Response:
    """What was erased and is not gone from everywhere yet, and why."""
    found = [ReceiptResponse.of(one) for one in visit.vault.erasure.pending()]
    return answer(ErasuresResponse(erasures=found))


@writes.post("/wipe", responses=documented((200, ReceiptResponse, "Receipt.")))
def wipe(visit: OwnerVisit, wanted: WipeWanted) -> Response:
    """Erase a whole scope, or everything."""
    if wanted.scope == "all":
        if wanted.agent_id or wanted.workspace_id or wanted.conversation_id:
            raise Invalid("`all` takes no id.")
        return answer(ReceiptResponse.of(visit.vault.erasure.wipe(None)))
    scope = visit.memory().reach.named(
        wanted.scope,
        agent_id=wanted.agent_id or "",
        workspace_id=wanted.workspace_id or "",
        conversation_id=wanted.conversation_id or "",
    )
    return answer(ReceiptResponse.of(visit.vault.erasure.wipe(scope)))


@writes.post("/upkeep", responses=documented((200, UpkeepResponse, "Report.")))
def upkeep(visit: OwnerVisit, wanted: UpkeepWanted) -> Response:
    """Take what lived its time to the trash; a dry run only tells."""
    return answer(_report(visit.vault.upkeep.run(dry_run=wanted.dry_run)))


@router.get("/backups", responses=documented((200, BackupsResponse, "Newest.")))
def list_backups(visit: OwnerVisit) -> Response:
    """Backups, the newest first."""
    return answer(BackupsResponse(backups=[_backup(one) for one in visit.vault.backups.list()]))


@writes.post(
    "/backups",
    status_code=201,
    responses=documented((201, BackupResponse, "Made.")),
)
def back_up(visit: OwnerVisit) -> Response:
    """Make a backup now."""
    return answer(_backup(visit.vault.backups.now()), 201)


@writes.post(
    "/backups/{name}/restore",
    responses=documented((200, RestoredResponse, "Restored.")),
)
def restore_backup(visit: OwnerVisit, name: Annotated[str, Path(max_length=200)]) -> Response:
    """Put the vault back as it was then; `latest` is the newest that no restore put aside."""
    backup = visit.vault.backups.find(name)
    safety = visit.vault.backups.restore(backup)
    return answer(RestoredResponse(restored=_backup(backup), safety=_backup(safety)))


def _report(report: UpkeepReport) -> UpkeepResponse:
    return UpkeepResponse(
        at=report.at,
        dry_run=report.dry_run,
        change=report.group,
        taken=[
            TakenResponse(
                id=one.id,
                key=one.key,
                scope=str(one.scope),
                rule=one.rule,
                sentence=one.sentence,
            )
            for one in report.taken
        ],
        erased=report.erased,
        compacted=report.compacted,
    )


def _backup(backup: Backup) -> BackupResponse:
    return BackupResponse(name=backup.path.name, at=backup.at, why=backup.why, bytes=backup.size)


open_router = APIRouter(tags=["system"])
system_router = APIRouter(tags=["system"])


class HealthResponse(Answer):
    name: Literal["keepsake"]
    version: str
    ready: bool


class ScopeCountResponse(Answer):
    scope: str
    entries: int


class StatsResponse(Answer):
    entries: int
    scopes: list[ScopeCountResponse]
    trash: int
    expiring: int
    proposals: int
    agents: int
    last_change: int


@open_router.get("/health", responses=documented((200, HealthResponse, "It is up.")))
async def health() -> Response:
    """Whether Keepsake is there. Needs no token."""
    return answer(HealthResponse(name="keepsake", version=our_version(), ready=True))


@system_router.get("/stats", responses=documented((200, StatsResponse, "Counts.")))
def stats(visit: OwnerVisit) -> Response:
    """How many of everything."""
    tally = visit.vault.browse.tally()
    counts = [
        ScopeCountResponse(scope=str(one), entries=n) for one, n in sorted(tally.scopes.items())
    ]
    return answer(
        StatsResponse(
            entries=tally.total,
            scopes=counts,
            trash=tally.trash,
            expiring=tally.expiring,
            proposals=tally.proposed,
            agents=len(visit.vault.agents.list()),
            last_change=tally.seq,
        )
    )
