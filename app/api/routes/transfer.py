"""/export and /import: a zip of markdown, one note per entry; or one file of Portable AI Memory."""

from __future__ import annotations

import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from app.api.middleware import AnyVisit, Visit
from app.api.responses import documented
from app.api.schemas import Answer, Ident, ScopeKind, answer
from app.errors import TooLarge
from app.markdown.export import PAM
from app.markdown.found import FoundClaim, FoundEntry
from app.markdown.import_plan import CHANGED, DUPLICATE, NEW, REFUSED, ImportPlan, PlanRow
from app.markdown.importing import Imported
from app.memory import call_log
from app.memory.memory import Memory
from app.outcomes import StoredMany
from store.records import EntryDraft, Scope
from store.tables.entry_filter import EntryFilter

router = APIRouter(tags=["export and import"])

ZIP = "application/zip"
JSON = "application/json"
BYTES = "application/octet-stream"
CHUNK = 256 * 1024
IN_MEMORY = 8 * 1024 * 1024
ITEMS_MOST = 1000
AGENT_UNPACKED_BYTES = 8 * 1024 * 1024
AGENT_SECONDS = 10.0
_BINARY = {"schema": {"type": "string", "format": "binary"}}


class TransferQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scope: ScopeKind | None = None
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None


class ExportQuery(TransferQuery):
    format: Literal["markdown", "okf", "pam"] = Field(
        "markdown",
        description="A zip of our notes, a zip in the Open Knowledge Format, or one JSON file of "
        "Portable AI Memory.",
    )


class ImportQuery(TransferQuery):
    dry_run: bool = False
    conflict: Literal["skip", "update", "both"] = Field(
        "skip", description="What becomes of a note whose key is there with other words."
    )


class ImportItemResponse(Answer):
    origin: str = Field(description="The file it came from.")
    type: Literal["entry", "block", "conversation", "proposal", "file"]
    key: str | None
    status: Literal["new", "changed", "duplicate", "refused"]
    reason: str = Field(description="Why it was refused, or is a duplicate.")


class ImportIgnoredResponse(Answer):
    origin: str
    reason: str = Field(description="What it is instead of memories.")


class ImportedResponse(Answer):
    dry_run: bool
    new: int
    changed: int
    duplicate: int
    refused: int
    proposed: int = Field(description="What waits for the owner: an agent under review wrote it.")
    change: int | None = Field(
        description="Undoes it as a whole; null when nothing was written, or all of it waits."
    )
    items: list[ImportItemResponse] = Field(
        description=f"Each thing found, the refused ones first; at most {ITEMS_MOST:,}."
    )
    ignored: list[ImportIgnoredResponse] = Field(
        description=f"Files that hold no memories; at most {ITEMS_MOST:,}."
    )


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A zip of markdown, or JSON.",
            "content": {ZIP: _BINARY, JSON: {"schema": {"type": "object"}}},
        }
    },
)
def export(visit: AnyVisit, query: Annotated[ExportQuery, Query()]) -> StreamingResponse:
    """Everything the caller may read, or one scope of it."""
    memory = visit.memory()
    scope = _scope(memory, query)
    scopes = memory.reach.reading() if scope is None else (scope,)
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed by _chunks
    heard = memory.reach.hearing()
    name, media = "keepsake.zip", ZIP
    if query.format == PAM:
        name, media = "memory-store.json", JSON
        visit.vault.export.to_portable(file, scopes, hearing=heard)  # type: ignore[arg-type]
    else:
        zipped = visit.vault.export.to_zip
        zipped(file, scopes, hearing=heard, format=query.format)  # type: ignore[arg-type]
    visit.asked = str(scope or "everything")
    _note_all_shown(visit, scopes)
    file.seek(0)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_chunks(file), media_type=media, headers=headers)


@router.post(
    "/import",
    responses=documented((200, ImportedResponse, "What it did, or would do.")),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {ZIP: _BINARY, BYTES: _BINARY, JSON: {"schema": {"type": "object"}}},
        }
    },
)
async def import_zip(
    request: Request, visit: AnyVisit, query: Annotated[ImportQuery, Query()]
) -> Response:
    """Read a zip of notes, Obsidian's, Claude's or ChatGPT's export, an Open Knowledge Format
    bundle, or one JSON file of Portable AI Memory. It is one undoable action; an agent's notes go
    to one scope it may write, under its trust."""
    importing = _imported if visit.caller.agent is None else _imported_by_agent
    with tempfile.TemporaryDirectory(prefix="keepsake-import-") as folder:
        is_json = request.headers.get("content-type", "").startswith(JSON)
        path = Path(folder) / ("import.json" if is_json else "import.zip")
        with path.open("wb") as file:
            async for chunk in request.stream():
                file.write(chunk)
        return answer(await run_sync(importing, visit, query, path))


def _imported(visit: Visit, query: ImportQuery, path: Path) -> ImportedResponse:
    plan = visit.vault.importing.plan(path, scope=_scope(visit.memory(), query))
    done: Imported | None = None
    if not query.dry_run:
        done = visit.vault.importing.apply(plan, conflict=query.conflict)
    return _answered(query, plan, plan.rows, 0, done.group if done else None)


def _imported_by_agent(visit: Visit, query: ImportQuery, path: Path) -> ImportedResponse:
    """Through the agent's own memory, compared with nothing it may not see: one undoable action,
    or a proposal for each entry."""
    memory = visit.memory()
    scope = _scope(memory, query) or memory.reach.named(None)
    memory.reach.writes_now(scope)  # who may not write at all is refused a dry run, too
    _check_unpacked(path)
    plan = visit.vault.importing.plan(path, scope=scope, progress=_in_time())
    rows = [_seen_by_agent(memory, row, scope) for row in plan.rows]
    drafts = [_draft(row, query) for row in rows if _is_wanted(row, query)]
    if query.dry_run or not drafts:
        return _answered(query, plan, rows, 0, None)
    reason = f"{plan.label}: {plan.name}"
    stored = memory.entries.store_many(drafts, action="imported", reason=reason)
    if isinstance(stored, StoredMany):
        wrote = stored.created or stored.updated
        return _answered(query, plan, rows, stored.proposed, stored.group if wrote else None)
    return _answered(query, plan, rows, len(stored), None)


def _check_unpacked(path: Path) -> None:
    """An agent's zip may not unpack to more than a person would look through. Raises TooLarge."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, OSError):
        size = path.stat().st_size  # one file; or none: reading it says what is wrong
    if size > AGENT_UNPACKED_BYTES:
        most = AGENT_UNPACKED_BYTES // (1024 * 1024)
        raise TooLarge(
            f"This unpacks to more than {most} MiB, the most an agent may import at once. The "
            "owner imports larger ones."
        )


def _in_time() -> Callable[[int, int], None]:
    """Called between what is found: an agent's import may not keep the machine busy for long."""
    ends = time.monotonic() + AGENT_SECONDS

    def look(_done: int, _total: int) -> None:
        if time.monotonic() > ends:
            raise TooLarge(
                f"Reading this takes more than {AGENT_SECONDS:g} seconds, the most an agent's "
                "import may take; nothing was imported. Send it in parts."
            )

    return look


def _seen_by_agent(memory: Memory, row: PlanRow, scope: Scope) -> PlanRow:
    """What the row means to this agent, in its scope."""
    found = row.thing
    if isinstance(found, FoundClaim) and found.why:  # it waits in the inbox, as an entry
        found = FoundEntry(found.origin, found.draft)
    if not isinstance(found, FoundEntry):
        reason = row.reason if found is None else f"An agent imports entries, not a {row.what}."
        return PlanRow(row.origin, REFUSED, found, reason=reason)
    if row.status == REFUSED:
        return row
    # Its dates are not taken over: they would let it put its words before all others.
    # Nor what only the owner says: who confirmed it, and who is never told it.
    draft = replace(
        found.draft,
        scope=scope,
        created_at=None,
        written_at=None,
        verified_at=None,
        muted_for=None,
    )
    known = memory.entries.find(draft.key, scope) if draft.key else None
    same = known is not None and known.content == draft.content
    status = DUPLICATE if same else CHANGED if known else NEW
    return PlanRow(row.origin, status, replace(found, draft=draft))


def _is_wanted(row: PlanRow, query: ImportQuery) -> bool:
    return row.status == NEW or (row.status == CHANGED and query.conflict != "skip")


def _draft(row: PlanRow, query: ImportQuery) -> EntryDraft:
    assert isinstance(row.thing, FoundEntry)
    beside = row.status == CHANGED and query.conflict == "both"
    return replace(row.thing.draft, key=None) if beside else row.thing.draft


def _answered(
    query: ImportQuery,
    plan: ImportPlan,
    rows: Sequence[PlanRow],
    proposed: int,
    group: int | None,
) -> ImportedResponse:
    counts = Counter(row.status for row in rows)
    first = sorted(rows, key=lambda row: row.status != REFUSED)[:ITEMS_MOST]
    return ImportedResponse(
        dry_run=query.dry_run,
        new=counts[NEW],
        changed=counts[CHANGED],
        duplicate=counts[DUPLICATE],
        refused=counts[REFUSED],
        proposed=proposed,
        change=group,
        items=[_item(row) for row in first],
        ignored=[ImportIgnoredResponse.of(one) for one in plan.ignored[:ITEMS_MOST]],
    )


def _item(row: PlanRow) -> ImportItemResponse:
    key = row.thing.draft.key if isinstance(row.thing, FoundEntry) else None
    return ImportItemResponse.model_validate(
        {
            "origin": row.origin,
            "type": row.what,
            "key": key,
            "status": row.status,
            "reason": row.reason,
        }
    )


def _note_all_shown(visit: Visit, scopes: tuple[Scope, ...] | None) -> None:
    if visit.caller.agent is None:  # the owner's calls are not noted
        return
    memory = visit.memory()
    visit.note_shown(memory.entries.ids(EntryFilter(scopes=scopes)))
    visit.note_shown(call_log.blocks(memory.blocks.listed(scopes)))


def _scope(memory: Memory, query: TransferQuery) -> Scope | None:
    if query.scope is None:
        return None
    return memory.reach.named(
        query.scope,
        agent_id=query.agent_id or "",
        workspace_id=query.workspace_id or "",
        conversation_id=query.conversation_id or "",
    )


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk
