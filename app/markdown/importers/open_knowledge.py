"""The Open Knowledge Format 0.2: a folder of markdown in which every file says what type of thing
it is about, who wrote it and who confirmed it.

Written, it is our own notes with the format's words at their head: the format lets its writers add
fields, so nothing is lost. Read, what others add is kept among a memory's fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.markdown import note_file
from app.markdown.file_names import folded, marked, names, stem
from app.markdown.found import Found, FoundBlock, FoundClaim, FoundEntry, Ignored, Refusal, moment
from app.markdown.found import path_key as key_of_path
from app.markdown.frontmatter_fields import VERBATIM, join, split
from app.markdown.importers.notes import folder_of, read_note
from app.markdown.index import IndexLine, link, shown_hook
from app.markdown.note_file import BlockNote, Note
from app.markdown.source_files import SourceFile, Sources
from app.rules.fields import HOOK_CHARS
from store.instants import Instant
from store.records import KINDS, OWNER, USER, Block, Entry, Scope

VERSION = "0.2"
INDEX, LOG = "index.md", "log.md"  # names that no concept may have
_BLOCK = "Memory Block"
_OURS = "via-keepsake"  # what stands for an agent's version, which nobody told us
_PROCESS = "process:keepsake-"
_KEPT_TYPE = "note_type"  # a field `type` of somebody's note that is no text
_DEPRECATED = "deprecated"

# Writing


def bundle(
    entries: Mapping[Scope, Sequence[Entry]],
    blocks: Mapping[Scope, Sequence[Block]],
    folders: Mapping[Scope, str],
    now: Instant,
) -> Iterator[tuple[str, str]]:
    """(path, text) of every file of the bundle, its indexes first in each folder."""
    scopes = sorted(folders)
    lines = [IndexLine(f"{folders[scope]}/", str(scope), "") for scope in scopes]
    yield INDEX, join({"okf_version": VERSION}, _index("Memory", lines).rstrip("\n"))
    for scope in scopes:
        for path, text in _scope_files(scope, entries.get(scope, ()), blocks.get(scope, ()), now):
            yield f"{folders[scope]}/{path}", text


def _scope_files(
    scope: Scope, entries: Sequence[Entry], blocks: Sequence[Block], now: Instant
) -> Iterator[tuple[str, str]]:
    named = file_names([entry.key for entry in entries])
    ordered = sorted(entries, key=lambda entry: named[entry.key])
    held = sorted(blocks, key=lambda block: block.name)
    lines = [IndexLine(named[e.key], e.key, shown_hook(e.hook, e.content)) for e in ordered]
    parts = [_index(f"Memory of {scope}", lines)] if lines else []
    if held:
        files = [IndexLine(f"blocks/{stem(b.name)}.md", b.name, "") for b in held]
        parts.append(_index(f"Blocks of {scope}", files))
    yield INDEX, "\n".join(parts)
    for block in held:
        fields = {"type": _BLOCK, "title": block.name, **note_file.block_fields(block)}
        yield f"blocks/{stem(block.name)}.md", join(fields, block.content)
    for entry in ordered:
        yield named[entry.key], concept(entry, now)


def file_names(keys: Sequence[str]) -> dict[str, str]:
    """A name for each key that is neither the index nor the log."""
    named = names(keys)
    taken = {folded(name.removesuffix(".md")) for name in named.values()}
    for key, name in named.items():
        if folded(name) in (INDEX, LOG):
            named[key] = f"{marked(key, taken)}.md"
    return named


def _index(title: str, lines: Sequence[IndexLine]) -> str:
    shown = (f"* {link(line)}{f' - {line.hook}' if line.hook else ''}\n" for line in lines)
    return f"# {title}\n\n{''.join(shown)}"


def concept(entry: Entry, now: Instant) -> str:
    """The file of one memory. What its author said in these words stands before what we derive."""
    note = note_file.of_entry(entry)
    fields = note_file.fields_of(note)
    said = fields.get("type")
    if "type" in fields and not (isinstance(said, str) and said.strip()):
        fields[_KEPT_TYPE] = fields.pop("type")
    derived = {name: value for name, value in _derived(note, now).items() if name not in fields}
    if not _written_then(fields.get("generated"), entry.written_at):
        fields["generated"] = {"by": actor(entry.source), "at": entry.written_at}
    return join({**derived, **fields}, entry.content)


def _derived(note: Note, now: Instant) -> dict[str, object]:
    """The format's words for what the note says in ours."""
    said: dict[str, object] = {
        "type": type_of(note.kind or ""),
        "title": note.key,
        "description": shown_hook(note.hook or "", note.content),
    }
    if note.true_until is not None and note.true_until <= now:
        said["status"] = _DEPRECATED
    return {name: value for name, value in said.items() if value}


def type_of(kind: str) -> str:
    return kind.replace("_", " ").title() if kind in KINDS else kind or "Memory"


def actor(source: str) -> str:
    """Who wrote it, as the format names people, agents and processes."""
    way, _, name = source.partition(":")
    if source == OWNER:
        return f"human:{OWNER}"
    if way == "agent" and name:
        return f"{name}/{_OURS}"
    return f"{_PROCESS}{source.replace(':', '-')}"


def _written_then(generated: object, written_at: Instant) -> bool:
    """Whether what a note says of its writing is about these words: they may be newer."""
    return isinstance(generated, Mapping) and _moment(generated.get("at")) == written_at


def _moment(value: object) -> Instant | None:
    plain = value.get(VERBATIM) if isinstance(value, Mapping) else value
    return moment(plain)


# Reading


class OpenKnowledge:
    name = "okf"
    label = "Open Knowledge Format"

    def takes(self, sources: Sources) -> list[SourceFile]:
        """The markdown below an index that says the format's version; or all of it, where it lies
        beside an index or a log and every file has a type."""
        roots = [folder_of(file) for file in sources.named(INDEX) if _declares(file)]
        if roots:
            return [file for file in sources.ending(".md") if file.name.startswith(tuple(roots))]
        found = sources.ending(".md")
        concepts = [file for file in found if not _is_reserved(file)]
        beside = len(found) > len(concepts) > 0
        return found if beside and all(map(_has_type, concepts)) else []

    def reads(self, sources: Sources) -> list[SourceFile]:
        return sources.ending(".md")

    def read(self, sources: Sources, scope: Scope | None) -> Iterator[Found]:
        roots = [folder_of(file) for file in sources.named(INDEX) if _declares(file)]
        for file in sources.files:
            if _is_reserved(file):
                yield Ignored(file.name, "it is an index or a log of the bundle")
            else:
                root = max((r for r in roots if file.name.startswith(r)), key=len, default="")
                yield _found(file, file.name.removeprefix(root), scope)


def _found(file: SourceFile, path: str, scope: Scope | None) -> Found:
    note = read_note(file)
    if isinstance(note, Refusal):
        return note
    if isinstance(note, BlockNote):
        return FoundBlock(file.name, scope or note.scope, note.name, note.content)
    note = understood(note)
    if scope is not None:
        note = replace(note, scope=scope)
    draft = note_file.draft(note, USER, key_of_path(path))
    if json.loads(note.extra).get("status") == _DEPRECATED and note.true_until is None:
        why = f"{file.name} says that it is deprecated, and not since when."
        return FoundClaim(file.name, draft, why=why)
    return FoundEntry(file.name, draft)


def understood(note: Note) -> Note:
    """The note in our words. What we derive when we write goes; all else stays."""
    extra = json.loads(note.extra)
    if note.key and note.written_at:
        return replace(note, extra=_without_derived(note, extra))
    said = extra.get("type")
    kind = said.strip().lower() if isinstance(said, str) else ""
    described = extra.get("description")
    hook = " ".join(described.split())[:HOOK_CHARS] if isinstance(described, str) else None
    generated = extra.get("generated")
    written = generated.get("at") if isinstance(generated, Mapping) else extra.get("timestamp")
    return replace(
        note,
        category=note.category or "note",
        kind=note.kind or (kind if kind in KINDS else "note"),
        hook=note.hook or hook,
        written_at=note.written_at or _moment(written),
    )


def _without_derived(note: Note, extra: dict[str, object]) -> str:
    for name, value in _derived(note, note.true_until or "").items():
        if extra.get(name) == value:
            del extra[name]
    if _written_then(extra.get("generated"), note.written_at or "") and _is_ours(extra):
        del extra["generated"]
    if _KEPT_TYPE in extra:
        extra["type"] = extra.pop(_KEPT_TYPE)
    return json.dumps(extra, ensure_ascii=False) if extra else "{}"


def _is_ours(extra: Mapping[str, object]) -> bool:
    generated = extra["generated"]
    by = str(generated.get("by")) if isinstance(generated, Mapping) else ""
    return by == f"human:{OWNER}" or by.endswith(f"/{_OURS}") or by.startswith(_PROCESS)


def _is_reserved(file: SourceFile) -> bool:
    return file.base.lower() in (INDEX, LOG)


def _declares(file: SourceFile) -> bool:
    return "okf_version" in _head(file)


def _has_type(file: SourceFile) -> bool:
    said = _head(file).get("type")
    return isinstance(said, str) and bool(said.strip())


def _head(file: SourceFile) -> dict[str, object]:
    try:
        return split(file.text())[0]
    except ValueError:
        return {}
