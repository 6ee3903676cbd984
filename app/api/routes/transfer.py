"""/export and /import: a zip of markdown, one note per entry."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response, StreamingResponse

from app.api.answers import answer, documented
from app.api.schemas import Ident, ScopeKind, Told
from app.api.visit import AnyVisit, OwnerVisit, Visit
from app.markdown.importing import Imported
from app.memory import Memory
from store.records import Scope

router = APIRouter(tags=["export and import"])

ZIP = "application/zip"
BYTES = "application/octet-stream"
CHUNK = 256 * 1024
IN_MEMORY = 8 * 1024 * 1024
_BINARY = {"schema": {"type": "string", "format": "binary"}}


class TransferQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    scope: ScopeKind | None = None
    agent_id: Ident | None = None
    workspace_id: Ident | None = None
    conversation_id: Ident | None = None


class ImportQuery(TransferQuery):
    dry_run: bool = False
    conflict: Literal["skip", "update", "both"] = "skip"


class ImportedTold(Told):
    dry_run: bool
    new: int
    changed: int
    duplicate: int
    refused: int
    change: int | None


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"description": "A zip of markdown.", "content": {ZIP: _BINARY}}},
)
def export(visit: AnyVisit, query: Annotated[TransferQuery, Query()]) -> StreamingResponse:
    """Everything the caller may read, or one scope of it."""
    memory = visit.memory()
    scope = _scope(memory, query)
    scopes = memory.reach.reading() if scope is None else (scope,)
    file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed by _chunks
    visit.vault.export.to_zip(file, scopes)  # type: ignore[arg-type]
    visit.asked = str(scope or "everything")
    file.seek(0)
    headers = {"Content-Disposition": 'attachment; filename="keepsake.zip"'}
    return StreamingResponse(_chunks(file), media_type=ZIP, headers=headers)


@router.post(
    "/import",
    response_model=None,
    responses=documented((200, ImportedTold, "What it did, or would do.")),
    openapi_extra={"requestBody": {"required": True, "content": {ZIP: _BINARY, BYTES: _BINARY}}},
)
async def import_zip(
    request: Request, visit: OwnerVisit, query: Annotated[ImportQuery, Query()]
) -> Response:
    """Read a zip of notes, Obsidian's, Claude's or ChatGPT's export; one undoable action."""
    with tempfile.TemporaryDirectory(prefix="keepsake-import-") as folder:
        path = Path(folder) / "import.zip"
        with path.open("wb") as file:
            async for chunk in request.stream():
                file.write(chunk)
        return answer(await run_sync(_imported, visit, query, path))


def _imported(visit: Visit, query: ImportQuery, path: Path) -> dict[str, object]:
    plan = visit.vault.importing.plan(path, scope=_scope(visit.memory(), query))
    done: Imported | None = None
    if not query.dry_run:
        done = visit.vault.importing.apply(plan, conflict=query.conflict)
    counts = {name: plan.count(name) for name in ("new", "changed", "duplicate", "refused")}
    return {"dry_run": query.dry_run, **counts, "change": done.group if done else None}


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
