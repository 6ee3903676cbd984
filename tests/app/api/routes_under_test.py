"""Every operation of the OpenAPI document, with a request that is right but for who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

OWNERS_ONLY = (
    "/agents",
    "/review",
    "/duplicates",
    "/conflicts",
    "/still-true",
    "/changes",
    "/proof",
    "/erase",
    "/wipe",
    "/upkeep",
    "/backups",
    "/stats",
)
OPEN = ("/api/v1/health",)

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("post", "/api/v1/memory/entries"): {"content": "Likes tea."},
    ("patch", "/api/v1/memory/entries/{entry_id}"): {"hook": "when it is about tea"},
    ("post", "/api/v1/memory/entries/{entry_id}/restore"): {"seq": 1},
    ("post", "/api/v1/memory/search"): {"query": "tea"},
    ("post", "/api/v1/memory/recall"): {"query": "tea"},
    ("post", "/api/v1/memory/hydrate"): {},
    ("post", "/api/v1/memory/preload"): {"message": "tea?"},
    ("put", "/api/v1/memory/blocks/{name}"): {"content": "- tea", "expected_updated_at": None},
    ("patch", "/api/v1/memory/blocks/{name}"): {"edits": [{"oldText": "a", "newText": "b"}]},
    ("post", "/api/v1/conversations"): {},
    ("post", "/api/v1/conversations/{conversation_id}/turns"): {"role": "user", "content": "hi"},
    ("post", "/api/v1/channels/{channel}/messages"): {"id": "1", "author": "mia", "text": "hi"},
    ("post", "/api/v1/agents"): {"name": "new one"},
    ("patch", "/api/v1/agents/{agent_id}"): {"guidance": "be brief"},
    ("post", "/api/v1/review/{proposal_id}/approve"): {},
    ("post", "/api/v1/review/{proposal_id}/reject"): {},
    ("post", "/api/v1/conflicts/settle"): {
        "older_id": "nothing",
        "newer_id": "nobody",
        "how": "newer",
    },
    ("post", "/api/v1/still-true/{entry_id}"): {"answer": "yes"},
    ("post", "/api/v1/changes/{change}/undo"): {},
    ("post", "/api/v1/proof/tests"): {"sentences": ["claude is told `tea`."]},
    ("post", "/api/v1/proof/bisect"): {"sentence": "claude is told `tea`."},
    ("post", "/api/v1/proof/blame"): {"said": "You like tea."},
    ("post", "/api/v1/proof/beliefs"): {"source": "chatgpt", "text": "- You like tea."},
    ("post", "/api/v1/proof/beliefs/decide"): {
        "source": "chatgpt",
        "statement": "You sail.",
        "decision": "wrong",
    },
    ("post", "/api/v1/proof/radar"): {"ids": ["nobody"]},
    ("post", "/api/v1/proof/radar/erase"): {"ids": ["nobody"]},
    ("post", "/api/v1/erase"): {"ids": ["nobody"]},
    ("post", "/api/v1/wipe"): {"scope": "workspace", "workspace_id": "x", "confirm": "wipe"},
    ("post", "/api/v1/upkeep"): {"dry_run": True},
    ("post", "/memories"): {"messages": [{"role": "user", "content": "hi"}], "user_id": "me"},
    ("put", "/memories/{memory_id}"): {"text": "hello"},
    ("post", "/search"): {"query": "tea"},
    ("put", "/v1/memories/{memory_id}/"): {"text": "hello"},
    ("put", "/v1/batch/"): {"memories": [{"memory_id": "nothing", "text": "hello"}]},
    ("delete", "/v1/batch/"): {"memories": [{"memory_id": "nothing"}]},
    **{
        ("post", path): {"messages": "hi", "user_id": "me"}
        for path in ("/v1/memories/", "/v3/memories/add/")
    },
    **{("post", f"/v{version}/memories/"): {"filters": {"user_id": "me"}} for version in (2, 3)},
    **{
        ("post", f"/v{version}/memories/search/"): {"query": "tea", "filters": {"user_id": "me"}}
        for version in (2, 3)
    },
}
QUERIES = {("delete", path): {"user_id": "me"} for path in ("/memories", "/v1/memories/")}


@dataclass(frozen=True)
class Operation:
    method: str
    path: str

    @property
    def owners_only(self) -> bool:
        return any(self.path.startswith(f"/api/v1{route}") for route in OWNERS_ONLY)

    @property
    def streams(self) -> bool:
        return self.path == "/api/v1/events"

    @property
    def open(self) -> bool:
        return self.path in OPEN

    def send(self, client: httpx.Client, url: str, **extra: Any) -> httpx.Response:
        path = self.path
        for name, value in PLACES.items():
            path = path.replace(f"{{{name}}}", value)
        body = BODIES.get((self.method, self.path))
        if self.path == "/api/v1/import":
            extra.setdefault("content", b"PK")
            extra["headers"] = {"Content-Type": "application/zip", **extra.get("headers", {})}
        elif body is not None and "content" not in extra:
            extra["json"] = body
        if (self.method, self.path) in QUERIES:
            extra.setdefault("params", QUERIES[self.method, self.path])
        request = client.build_request(self.method.upper(), url + path, **extra)
        response = client.send(request, stream=True)
        if not (self.streams and response.is_success):
            response.read()
        response.close()
        return response


PLACES = {
    "entry_id": "nothing",
    "memory_id": "nothing",
    "name": "core",
    "conversation_id": "nothing",
    "channel": "general",
    "agent_id": "nobody",
    "proposal_id": "nothing",
    "change": "999999",
    "entity_type": "user",
    "entity_id": "nobody",
}


def operations(document: dict[str, Any]) -> list[Operation]:
    return [
        Operation(method, path) for path, methods in document["paths"].items() for method in methods
    ]
