"""JSON and its rows, read without trusting them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.markdown.found import (
    Found,
    FoundConversation,
    FoundEntry,
    FoundTurn,
    Ignored,
    Refusal,
    key_for,
    moment,
    path_key,
    slug,
)
from app.markdown.note_file import tags_of
from app.markdown.source_files import MOST_FILE_BYTES, SourceFile, Sources
from store.records import USER, EntryDraft, Scope


def load(file: SourceFile) -> Any:
    """The file's JSON value. Raises ValueError with the reason."""
    return loads(file.text(MOST_FILE_BYTES))


def loads(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not valid JSON (line {error.lineno}: {error.msg})") from error
    except RecursionError as error:
        raise ValueError("its JSON is nested too deeply") from error


def try_load(file: SourceFile) -> Any:
    """The value, or None where there is none to be had: for recognising a format."""
    try:
        return load(file)
    except ValueError:
        return None


def rows(value: object, *names: str) -> list[Mapping[str, Any]]:
    """The objects of a list, or of the list under one of `names`, or the one object itself."""
    if isinstance(value, Mapping):
        for name in names:
            if isinstance(value.get(name), Sequence) and not isinstance(value[name], str):
                return rows(value[name])
        return [value]
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def text(row: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds words."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def texts(value: object) -> Iterator[str]:
    """Every piece of text of a list of pieces, some of which are objects with a `text`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, Mapping):
                if item.get("type", "text") == "text" and isinstance(item.get("text"), str):
                    yield item["text"]
            elif isinstance(item, str):
                yield item


_LISTS = ("results", "memories", "data")
_WORDS = ("memory", "text", "data", "content")
_SAID = frozenset(
    ("id", "hash", "user_id", "agent_id", "run_id", "metadata", "categories", "created_at")
)


class Mem0:
    name = "mem0"
    label = "mem0 rows"

    def takes(self, sources: Sources) -> list[SourceFile]:
        """Rows with a `memory` and something else that mem0 says of one: that alone is a word."""
        return [
            file
            for file in sources.ending(".json")
            if any(
                isinstance(row.get("memory"), str) and not _SAID.isdisjoint(row)
                for row in rows(try_load(file), *_LISTS)[:5]
            )
        ]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".json")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.ending(".json"):
            try:
                found = rows(load(file), *_LISTS)
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            for number, row in enumerate(found, 1):
                yield _memory(f"{file.name} #{number}", row, scope)


def _memory(origin: str, row: Mapping[str, Any], scope: Scope | None) -> Found:
    said = text(row, *_WORDS)
    if not said:
        return Refusal(origin, "the row holds no memory")
    agent = text(row, "agent_id")
    where = scope or (Scope("agent", agent) if agent else USER)
    metadata = row.get("metadata")
    extra = {"mem0_id": row["id"]} if isinstance(row.get("id"), str) else {}
    if isinstance(metadata, Mapping) and metadata:
        extra["metadata"] = dict(metadata)
    return FoundEntry(
        origin,
        EntryDraft(
            content=said,
            scope=where,
            key=key_for(said),
            category="memory",
            kind="fact",
            tags=tags_of(row.get("categories")),
            extra=json.dumps(extra, ensure_ascii=False),
            created_at=moment(row.get("created_at")),
            written_at=moment(row.get("updated_at")),
        ),
        keyed=False,
    )


class MemoryJsonl:
    name = "memory-jsonl"
    label = "Reference memory server"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return [file for file in _files(sources) if _looks_like_graph(file)]

    def reads(self, sources: Sources) -> list[SourceFile]:
        return _files(sources)

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in _files(sources):
            yield from _read(file, scope or USER)


def _files(sources: Sources) -> list[SourceFile]:
    return [
        file
        for file in sources.ending(".jsonl", ".json")
        if file.suffix == ".jsonl" or file.base.lower() == "memory.json"
    ]


def _looks_like_graph(file: SourceFile) -> bool:
    try:
        lines = file.text(MOST_FILE_BYTES).split("\n", 50)[:50]
    except ValueError:
        return False
    found = (object_in(line) for line in lines if line.strip())
    return any(row and ("entityType" in row or "relationType" in row) for row in found)


def _read(file: SourceFile, scope: Scope) -> Iterator[Found]:
    try:
        lines = file.text(MOST_FILE_BYTES).split("\n")  # JSON keeps other line ends as they are
    except ValueError as error:
        yield Refusal(file.name, str(error))
        return
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        origin = f"{file.name}:{number}"
        row = object_in(line)
        if row is None:
            yield Refusal(origin, "the line is not a JSON object")
        elif row.get("type") == "entity":
            yield _entity(origin, row, scope)
        elif row.get("type") == "relation":
            yield _relation(origin, row, scope)
        else:
            yield Refusal(origin, "the line is neither an entity nor a relation")


def object_in(line: str) -> Mapping[str, Any] | None:
    """The JSON object that a line is, if it is one."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, Mapping) else None


def _entity(origin: str, row: Mapping[str, Any], scope: Scope) -> Found:
    """One entity is one memory: its observations as a list under its name."""
    name, kind = text(row, "name"), text(row, "entityType")
    said = row.get("observations")
    observations = (
        [one.strip() for one in said if isinstance(one, str)] if isinstance(said, list) else []
    )
    if not name:
        return Refusal(origin, "the entity has no name")
    content = "\n".join(f"- {one}" for one in observations if one) or name
    return FoundEntry(
        origin,
        EntryDraft(
            content=content,
            scope=scope,
            key=name,
            hook=f"About {name}"[:200],
            category="memory",
            kind="fact",
            tags=(slug(kind),) if slug(kind) else (),
            extra=json.dumps({"entityType": kind}, ensure_ascii=False),
        ),
    )


def _relation(origin: str, row: Mapping[str, Any], scope: Scope) -> Found:
    one, other, verb = text(row, "from"), text(row, "to"), text(row, "relationType")
    if not (one and other and verb):
        return Refusal(origin, "the relation lacks from, to or relationType")
    content = f"{one} {verb.replace('_', ' ')} {other}"
    extra = {"from": one, "relationType": verb, "to": other}
    return FoundEntry(
        origin,
        EntryDraft(
            content=content,
            scope=scope,
            key=key_for(content),
            category="memory",
            kind="relationship",
            extra=json.dumps(extra, ensure_ascii=False),
        ),
        keyed=False,
    )


class Letta:
    """An agent file: its memory blocks are memories, what was said to it is a conversation."""

    name = "letta"
    label = "Letta agent file"

    def takes(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".af")

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".af", ".json")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        for file in sources.files:
            try:
                value = load(file)
                if isinstance(value, str):  # some are written as JSON within JSON
                    value = loads(value)
            except ValueError as error:
                yield Refusal(file.name, str(error))
                continue
            if not (isinstance(value, Mapping) and ("agents" in value or "core_memory" in value)):
                yield Refusal(file.name, "it is no agent file of Letta's")
                continue
            for agent in rows(value, "agents"):
                yield from _agent(file.name, agent, value, scope or USER)
            yield Ignored(file.name, "its tools, prompts and settings are no memories")


def _agent(
    origin: str, agent: Mapping[str, Any], whole: Mapping[str, Any], scope: Scope
) -> Iterator[Found]:
    name = text(agent, "name") or "agent"
    wanted = agent.get("block_ids")
    for block in rows(whole.get("blocks") or agent.get("core_memory") or []):
        if isinstance(wanted, list) and block.get("id") not in wanted:
            continue
        yield _block(f"{origin} · {name}", name, block, scope)
    turns = tuple(_turns(rows(agent.get("messages") or [])))
    if turns:
        ident = key_for(name + turns[0].content)
        yield FoundConversation(f"{origin} · {name}", f"letta-{ident}", name, turns[0].at, turns)


def _block(origin: str, agent: str, block: Mapping[str, Any], scope: Scope) -> Found:
    label, said = text(block, "label") or "block", text(block, "value")
    if not said:
        return Ignored(f"{origin} · {label}", "the block is empty")
    always = label in ("human", "persona")
    return FoundEntry(
        f"{origin} · {label}",
        EntryDraft(
            content=said,
            scope=scope,
            key=path_key(f"{agent}/{label.strip('/')}."),
            hook=" ".join(text(block, "description").split())[:200] or None,
            category="core" if always else "memory",
            kind="instruction" if label == "persona" else "fact",
        ),
    )


def _turns(messages: list[Mapping[str, Any]]) -> Iterator[FoundTurn]:
    for message in messages:
        content = message.get("content")
        said = content if content is not None else message.get("text")
        words = "\n".join(texts(said)).strip()
        if message.get("role") in ("user", "assistant") and words:
            yield FoundTurn(str(message["role"]), words, moment(message.get("created_at")))
