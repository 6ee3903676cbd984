"""Portable AI Memory 1.0: one JSON file with all memories, their times and where they came from.

What the format has no word for (our key, scope, category, importance …) is written under
`metadata.keepsake`, which it allows; what others say that we have no word for is kept among a
memory's fields and written again."""

from __future__ import annotations

import hashlib
import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.errors import Invalid
from app.markdown.found import (
    Found,
    FoundBlock,
    FoundClaim,
    FoundConversation,
    FoundEntry,
    FoundTurn,
    Ignored,
    Refusal,
    key_for,
    moment,
)
from app.markdown.importers.json_rows import load, rows, text, texts
from app.markdown.note_file import tags_of
from app.markdown.source_files import MOST_FILE_BYTES, SourceFile, Sources
from app.rules.fields import HOOK_CHARS, parse_scope
from store.instants import Instant
from store.records import BLOCK_NAMES, OWNER, USER, Block, Entry, EntryDraft, Scope

SCHEMA, CONVERSATION = "portable-ai-memory", "portable-ai-memory-conversation"
VERSION = "1.0"
SPECIFICATION = "https://portable-ai-memory.org/spec/v1.0"
TYPES = frozenset(
    (
        *("fact", "preference", "skill", "context", "relationship", "goal", "instruction"),
        *("identity", "environment", "project"),
    )
)
_OURS = "keepsake"
_KEPT = "pam"  # the field of a memory that has what only this format says
_TAG = re.compile(r"[a-z0-9][a-z0-9_-]*")
_PLATFORM = re.compile(r"[a-z0-9_-]{2,32}")
_NOT_NOW = {
    "superseded": "something newer took its place",
    "archived": "it is kept for history only",
    "deprecated": "it no longer counts for much",
}
# How it came to be known, by who wrote it here.
_METHODS = {OWNER: "explicit_user_input", "import": "api_export"}

# Writing


def memory_store(
    entries: Sequence[Entry], blocks: Sequence[Block], owner: str, version: str, now: Instant
) -> str:
    """The whole file; the same memories always give the same bytes."""
    memories = [of_entry(entry, now) for entry in entries]
    memories += [of_block(block) for block in blocks if block.content]
    memories.sort(key=lambda memory: str(memory["id"]))
    value = {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "spec_uri": SPECIFICATION,
        "exported_by": f"{_OURS}/{semantic(version)}",
        "owner": {"id": owner},
        "memories": memories,
        "relations": [],
        "integrity": {
            "canonicalization": "RFC8785",
            "checksum": checksum(memories),
            "total_memories": len(memories),
        },
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def of_entry(entry: Entry, now: Instant) -> dict[str, Any]:
    over = entry.true_until is not None and entry.true_until <= now
    theirs = _theirs(entry.extra)
    confidence: dict[str, Any] = dict(theirs.get("confidence") or {})
    if entry.verified_at:
        confidence["last_reinforced"] = entry.verified_at
    memory: dict[str, Any] = {
        "id": entry.id,
        **_typed(entry.kind),
        "status": "archived" if over else "active",
        "content": entry.content,
        "content_hash": content_hash(entry.content),
        "summary": entry.hook or None,
        "tags": [tag for tag in entry.tags if _TAG.fullmatch(tag)],
        "temporal": {
            "created_at": entry.created_at,
            "updated_at": entry.written_at,
            "valid_from": entry.true_from,
            "valid_until": entry.true_until,
        },
        "provenance": theirs.get("provenance") or _provenance(entry.source),
        "metadata": {**(theirs.get("metadata") or {}), _OURS: _unsaid(entry)},
    }
    if confidence:
        memory["confidence"] = confidence
    if access := theirs.get("access"):
        memory["access"] = access
    return memory


def of_block(block: Block) -> dict[str, Any]:
    return {
        "id": block.id,
        "type": "custom",
        "custom_type": "memory_block",
        "status": "active",
        "content": block.content,
        "content_hash": content_hash(block.content),
        "temporal": {"created_at": block.created_at, "updated_at": block.updated_at},
        "provenance": _provenance(block.source),
        "metadata": {_OURS: {"block": block.name, "scope": str(block.scope)}},
    }


def _typed(kind: str) -> dict[str, Any]:
    if kind in TYPES:
        return {"type": kind, "custom_type": None}
    return {"type": "custom", "custom_type": kind or "memory"}


def _unsaid(entry: Entry) -> dict[str, Any]:
    """What the format has no word for, as far as it says anything."""
    said = {
        "key": entry.key,
        "scope": str(entry.scope),
        "category": entry.category,
        "importance": entry.importance,
        "tags": [] if all(map(_TAG.fullmatch, entry.tags)) else list(entry.tags),
        "expires_at": entry.expires_at,
        "verified_at": entry.verified_at,
        "stale_after": entry.stale_after,
        "muted_for": list(entry.muted_for),
        "source": entry.source,
        "fields": "" if entry.extra in ("", "{}") else entry.extra,
    }
    return {name: value for name, value in said.items() if value}


def _provenance(source: str) -> dict[str, Any]:
    way, _, name = source.partition(":")
    platform = name.lower() if _PLATFORM.fullmatch(name.lower()) else _OURS
    return {"platform": platform, "extraction_method": _METHODS.get(way, "llm_inference")}


def _theirs(extra: str) -> dict[str, Any]:
    """What the memory's own file said in words that are not ours; only what has the right shape."""
    kept = json.loads(extra or "{}").get(_KEPT)
    if not isinstance(kept, Mapping):
        return {}
    found = {name: value for name, value in kept.items() if isinstance(value, Mapping)}
    platform = found.get("provenance", {}).get("platform")
    if not (isinstance(platform, str) and _PLATFORM.fullmatch(platform)):
        found.pop("provenance", None)
    return found


def content_hash(content: str) -> str:
    """The format's digest of a text: trimmed, in small letters, composed, spaces as one."""
    plain = " ".join(unicodedata.normalize("NFC", content.strip().lower()).split())
    return f"sha256:{hashlib.sha256(plain.encode()).hexdigest()}"


def checksum(memories: Sequence[object]) -> str:
    """The digest of all memories in the order of their ids, as RFC 8785 writes JSON. The numbers
    that we write are whole; others' decimals are written as JavaScript does."""
    ordered = sorted(memories, key=_ident)
    data = canonical(ordered).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _ident(memory: object) -> str:
    return str(memory.get("id")) if isinstance(memory, Mapping) else ""


def canonical(value: object) -> str:
    match value:
        case Mapping():
            names = sorted(value, key=lambda name: str(name).encode("utf-16-be", "surrogatepass"))
            pairs = (f"{canonical(str(name))}:{canonical(value[name])}" for name in names)
            return f"{{{','.join(pairs)}}}"
        case list() | tuple():
            return f"[{','.join(map(canonical, value))}]"
        case float():
            return _number(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "null"
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    digits = repr(value)
    if "e" not in digits:
        return digits
    mantissa, _, power = digits.partition("e")
    if -7 < int(power) < 0:
        return f"{value:.{len(mantissa.replace('.', '').lstrip('-')) - 1 - int(power)}f}"
    return f"{mantissa}e{int(power):+d}"


def semantic(version: str) -> str:
    """Three numbers, whatever the version says."""
    numbers = [*re.findall(r"\d+", version)[:3], "0", "0", "0"]
    return ".".join(numbers[:3])


# Reading


class PortableMemory:
    name = "pam"
    label = "Portable AI Memory"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return [file for file in sources.ending(".json") if _mentions(file) and _schema(file)]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".json")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.files:
            try:
                value = load(file)
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            if not isinstance(value, Mapping) or value.get("schema") not in (SCHEMA, CONVERSATION):
                yield Refusal(file.name, f"it does not say that its schema is {SCHEMA}")
            elif str(value.get("schema_version", VERSION)).partition(".")[0] != "1":
                version = value["schema_version"]
                yield Refusal(file.name, f"it is version {version}, and Keepsake reads 1.x")
            elif value["schema"] == CONVERSATION:
                yield _conversation(file.name, value)
            else:
                yield from _store(file.name, value, scope)


def _mentions(file: SourceFile) -> bool:
    """Without reading it as JSON: a chat export may be large."""
    try:
        return SCHEMA.encode() in file.read_bytes(MOST_FILE_BYTES)
    except (OSError, ValueError, RuntimeError):
        return False


def _schema(file: SourceFile) -> bool:
    try:
        value = load(file)
    except ValueError:
        return False
    return isinstance(value, Mapping) and value.get("schema") in (SCHEMA, CONVERSATION)


def _store(origin: str, value: Mapping[str, Any], scope: Scope | None) -> Iterator[Found]:
    memories = value.get("memories")
    if not isinstance(memories, list):
        yield Refusal(origin, "it has no list of memories")
        return
    yield from _damage(origin, value, memories)
    for number, row in enumerate(memories, 1):
        yield _memory(f"{origin} #{number}", row, scope)
    if relations := rows(value.get("relations") or []):
        reason = f"{len(relations):,} relations between memories: Keepsake keeps none"
        yield Ignored(origin, reason)


def _damage(origin: str, value: Mapping[str, Any], memories: list[Any]) -> Iterator[Found]:
    """What the file says of itself and is not so. It is told; what is there is read."""
    integrity = value.get("integrity")
    if not isinstance(integrity, Mapping):
        return
    if integrity.get("total_memories") not in (None, len(memories)):
        total = integrity["total_memories"]
        yield Refusal(origin, f"it says that it has {total} memories, and has {len(memories)}")
    if integrity.get("checksum") not in (None, checksum(memories)):
        yield Refusal(origin, "its checksum does not fit: it was changed after it was written")


def _memory(origin: str, row: object, scope: Scope | None) -> Found:
    if not isinstance(row, Mapping):
        return Refusal(origin, "it is no memory")
    content = row.get("content")
    if not isinstance(content, str) or not content.strip():
        return Refusal(origin, "it has no content")
    if row.get("status") == "retracted":
        return Ignored(origin, "its owner took it back")
    metadata = row.get("metadata")
    ours = metadata.get(_OURS) if isinstance(metadata, Mapping) else None
    ours = ours if isinstance(ours, Mapping) else {}
    try:
        where = scope or (parse_scope(text(ours, "scope")) if text(ours, "scope") else USER)
    except Invalid as error:
        return Refusal(origin, str(error))
    if ours.get("block") in BLOCK_NAMES:
        return FoundBlock(origin, where, str(ours["block"]), content)
    draft = _draft(row, content, ours, where)
    status = row.get("status")
    if status in _NOT_NOW and draft.true_until is None:
        why = f"{origin} is marked {status}: {_NOT_NOW[status]}. Since when is not said."
        return FoundClaim(origin, draft, why=why)
    return FoundEntry(origin, draft, keyed=bool(text(ours, "key")))


def _draft(
    row: Mapping[str, Any], content: str, ours: Mapping[str, Any], scope: Scope
) -> EntryDraft:
    times = row.get("temporal")
    times = times if isinstance(times, Mapping) else {}
    importance = ours.get("importance")
    muted = ours.get("muted_for")
    return EntryDraft(
        content=content,
        scope=scope,
        key=text(ours, "key") or key_for(content),
        hook=" ".join(text(row, "summary").split())[:HOOK_CHARS] or None,
        category=text(ours, "category") or "memory",
        kind=text(row, "custom_type") or text(row, "type") or "fact",
        importance=importance if isinstance(importance, int) else None,
        tags=tags_of(ours.get("tags") or row.get("tags")),
        expires_at=moment(ours.get("expires_at")),
        extra=_extra(row, ours),
        created_at=moment(times.get("created_at")),
        written_at=moment(times.get("updated_at")) or moment(times.get("created_at")),
        true_from=moment(times.get("valid_from")),
        true_until=moment(times.get("valid_until")),
        # Others' `last_reinforced` may be any use: only we say that a person confirmed it.
        verified_at=moment(ours.get("verified_at")),
        stale_after=moment(ours.get("stale_after")),
        muted_for=tuple(map(str, muted)) if isinstance(muted, list) else None,
    )


def _extra(row: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """Our own fields as they were; of others' memories what we have no word for."""
    if ours:
        return _object(text(ours, "fields"))
    kept = {
        name: row[name]
        for name in ("id", "provenance", "confidence", "access", "metadata")
        if row.get(name)
    }
    return json.dumps({_KEPT: kept}, ensure_ascii=False) if kept else "{}"


def _object(said: str) -> str:
    try:
        return said if isinstance(json.loads(said or "{}"), dict) and said else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _conversation(origin: str, value: Mapping[str, Any]) -> Found:
    """A conversation in a file beside the memories; what was only thought is left out."""
    turns = []
    for message in rows(value.get("messages") or []):
        content = message.get("content")
        content = content if isinstance(content, Mapping) else {}
        said = text(content, "text") or "\n".join(texts(content.get("parts"))).strip()
        if message.get("role") in ("user", "assistant") and said and not message.get("is_thought"):
            turns.append(FoundTurn(str(message["role"]), said, moment(message.get("created_at"))))
    if not turns:
        return Refusal(origin, "it holds no messages")
    times = value.get("temporal")
    started = moment(times.get("created_at")) if isinstance(times, Mapping) else None
    ident = text(value, "id") or key_for(turns[0].content)
    title = text(value, "title") or "Untitled"
    return FoundConversation(origin, f"pam-{ident}", title, started, tuple(turns))
