"""The FastAPI application over one vault: guards, routes, problems, the OpenAPI document."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from app.api import problems
from app.api.events import Pulse
from app.api.idempotency import WRITERS
from app.api.mem0 import routes as mem0
from app.api.middleware import (
    OPENAPI_PATH,
    Authenticated,
    Bodies,
    CallsNoted,
    Gate,
    NothingHidden,
    OurHostOnly,
    RateLimited,
    Rates,
    RequestIds,
    our_hosts,
    rate_setting,
)
from app.api.responses import PROBLEMS
from app.api.routes import (
    agents,
    beliefs,
    changes,
    conversations,
    entries,
    maintenance,
    proof,
    recall,
    review,
    transfer,
)
from app.api.schemas import ProblemResponse
from app.vault import Vault
from app.version import our_version

PREFIX = "/api/v1"
ROUTERS: tuple[APIRouter, ...] = (
    maintenance.open_router,
    entries.router,
    entries.writes,
    recall.router,
    entries.block_router,
    entries.block_writes,
    conversations.router,
    conversations.writes,
    conversations.channel_writes,
    changes.event_router,
    transfer.router,
    agents.router,
    agents.writes,
    review.router,
    review.writes,
    review.duplicate_router,
    review.conflict_router,
    review.conflict_writes,
    review.truth_router,
    review.truth_writes,
    changes.router,
    changes.writes,
    proof.router,
    proof.writes,
    beliefs.writes,
    beliefs.passport_router,
    maintenance.router,
    maintenance.writes,
    maintenance.system_router,
)

Lifespan = Callable[[], AbstractAsyncContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Extra:
    """Another door in the same server: its routes, behind the same guards, and what must run
    while the server does."""

    routes: Sequence[BaseRoute]
    lifespans: Sequence[Lifespan] = field(default=())


def build(vault: Vault, owner_token: str, port: int, extras: Sequence[Extra] = ()) -> FastAPI:
    """The application as it will answer on 127.0.0.1:`port`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.pulse = Pulse(vault.history.last_seq)
        beating = asyncio.create_task(app.state.pulse.run())
        async with AsyncExitStack() as stack:
            for extra in extras:
                for running in extra.lifespans:
                    await stack.enter_async_context(running())
            yield
            app.state.pulse.close()
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)

    app = FastAPI(
        title="Keepsake",
        summary="The memory of your AI assistants, on your machine.",
        version=our_version(),
        lifespan=lifespan,
        openapi_url=OPENAPI_PATH,
        docs_url=None,  # its page would load scripts from the internet
        redoc_url=None,
        redirect_slashes=False,
        responses=PROBLEMS,
    )
    app.state.vault = vault
    app.state.writers = asyncio.Semaphore(WRITERS)
    for router in ROUTERS:
        app.include_router(router, prefix=PREFIX)
    app.include_router(mem0.reads)
    app.include_router(mem0.writes)
    for extra in extras:
        app.router.routes.extend(extra.routes)
    problems.install(app)
    _guard(app, vault, owner_token, port)
    app.openapi = lambda: _document(app, port)  # type: ignore[method-assign]
    return app


def _guard(app: FastAPI, vault: Vault, owner_token: str, port: int) -> None:
    """The guards, innermost first, as the framework wants them."""
    rates = Rates(rate_setting(vault.settings), time.monotonic)
    app.add_middleware(CallsNoted, calls=vault.calls)
    app.add_middleware(NothingHidden)
    app.add_middleware(Bodies)
    app.add_middleware(RateLimited, rates=rates)
    app.add_middleware(Authenticated, gate=Gate(vault.agents, owner_token))
    app.add_middleware(OurHostOnly, hosts=our_hosts(port))
    app.add_middleware(RequestIds, damage=lambda: vault.doctor.damage())


def _document(app: FastAPI, port: int) -> dict[str, Any]:
    """The OpenAPI document: made once, with our address, the token declared and the problem's
    shape."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            routes=app.routes,
            servers=[{"url": f"http://127.0.0.1:{port}"}],
        )
        components = document.setdefault("components", {})
        schemas = components.setdefault("schemas", {})
        schemas[ProblemResponse.__name__] = ProblemResponse.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        components["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        }
        document["security"] = [{"bearer": []}, {"key": []}]
        document["paths"][f"{PREFIX}/health"]["get"]["security"] = []
        app.openapi_schema = document
    return app.openapi_schema
