"""Where the words of a memory may stand outside the vault: what coding agents keep on this machine,
the files of their projects, and what Keepsake wrote or read itself."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from app.access.workspace_names import project_folder
from app.care.copies import ARCHIVE, DATABASE, RECORDS, TEXT, WHOLE, NotLooked
from app.connect.mcp_clients import (
    claude_home,
    codex_home,
    config_home,
    cursor_home,
    gemini_home,
    opencode_home,
    xdg,
)
from app.hooks.kept_memories import MemoryLists, gemini_project, project_of_sessions
from app.markdown.export import MANIFEST, export_digest
from app.markdown.file_names import INDEX
from app.markdown.projection import IMPORTED, Projections
from store.care.removal import Removal, born_and_scopes, widened
from store.tables import erasures, mirrors

if TYPE_CHECKING:
    from app.vault import Vault

# What a file is to the person.
MEMORY = "memory"  # what an agent notes down by itself
INSTRUCTIONS = "instructions"  # what an agent is told in a project, or everywhere
TRANSCRIPT = "transcript"  # what was said in a session
PROMPTS = "prompts"  # what the person typed, kept to be repeated
PROJECTED = "projected"  # a block that Keepsake keeps in a file of a project
MIRROR, EXPORT, SKILL, IMPORT = "mirror", "export", "skill", "import"
HOOKS = "hooks"  # what a hook left, and nobody took in yet
KINDS = (
    *(MEMORY, INSTRUCTIONS, PROJECTED, MIRROR, EXPORT, SKILL, IMPORT, HOOKS, PROMPTS, TRANSCRIPT),
)
FILES_MOST = 50_000  # of one folder
_SESSIONS_ASKED = 2_000  # of Codex: which projects it worked in
_TEXTS = (".md", ".markdown", ".mdc", ".txt", ".json", ".jsonl", ".yaml", ".yml", ".csv", ".html")


@dataclass(frozen=True, slots=True)
class Place:
    """A file to look into. `goes`: an erase takes it anyway. `ours`: Keepsake wrote it, or keeps
    it in step."""

    path: Path
    kind: str
    client: str = ""
    form: str = TEXT
    ours: bool = False
    goes: bool = False


def _opencode_data() -> Path:
    named = os.environ.get("XDG_DATA_HOME")
    return (Path(named) if named else Path.home() / ".local" / "share") / "opencode"


# client: its folder, and in it what is where
_KEPT: tuple[tuple[str, Callable[[], Path], tuple[tuple[str, str, str], ...]], ...] = (
    (
        "claude-code",
        claude_home,
        (
            ("CLAUDE.md", INSTRUCTIONS, TEXT),
            ("rules/**/*.md", INSTRUCTIONS, TEXT),
            ("projects/*/memory/**/*.md", MEMORY, TEXT),
            ("agent-memory/**/*.md", MEMORY, TEXT),
            ("plans/*.md", TRANSCRIPT, TEXT),
            ("history.jsonl", PROMPTS, RECORDS),
            ("todos/*.json", TRANSCRIPT, RECORDS),
            ("file-history/**/*", TRANSCRIPT, TEXT),
            ("projects/**/*.jsonl", TRANSCRIPT, RECORDS),
        ),
    ),
    (
        "codex",
        codex_home,
        (
            ("AGENTS.md", INSTRUCTIONS, TEXT),
            ("AGENTS.override.md", INSTRUCTIONS, TEXT),
            ("memories/**/*.md", MEMORY, TEXT),
            ("history.jsonl", PROMPTS, RECORDS),
            ("sessions/**/rollout-*.jsonl", TRANSCRIPT, RECORDS),
            ("archived_sessions/**/rollout-*.jsonl", TRANSCRIPT, RECORDS),
        ),
    ),
    (
        "gemini",
        gemini_home,
        (
            ("GEMINI.md", MEMORY, TEXT),
            ("tmp/*/memory/**/*.md", MEMORY, TEXT),
            ("tmp/*/logs.json", PROMPTS, RECORDS),
            ("tmp/*/chats/**/*.json", TRANSCRIPT, RECORDS),
            ("tmp/*/chats/**/*.jsonl", TRANSCRIPT, RECORDS),
        ),
    ),
    (
        "cursor",
        cursor_home,
        (
            ("rules/**/*.mdc", INSTRUCTIONS, TEXT),
            ("projects/*/agent-transcripts/**/*.jsonl", TRANSCRIPT, RECORDS),
        ),
    ),
    (
        "cursor",
        lambda: config_home() / "Cursor" / "User",
        (("globalStorage/state.vscdb", TRANSCRIPT, DATABASE),),
    ),
    ("opencode", opencode_home, (("AGENTS.md", INSTRUCTIONS, TEXT),)),
    (
        "opencode",
        _opencode_data,
        (
            ("storage/**/*.json", TRANSCRIPT, RECORDS),
            ("opencode.db", TRANSCRIPT, DATABASE),
        ),
    ),
    ("windsurf", lambda: Path.home() / ".codeium" / "windsurf", (("memories/*.md", MEMORY, TEXT),)),
    ("goose", lambda: xdg("goose"), (("memory/*.txt", MEMORY, TEXT),)),
)
_IN_PROJECTS: tuple[tuple[str, str], ...] = (
    ("CLAUDE.md", "claude-code"),
    ("CLAUDE.local.md", "claude-code"),
    (".claude/CLAUDE.md", "claude-code"),
    (".claude/rules/**/*.md", "claude-code"),
    ("AGENTS.md", "codex"),
    ("AGENTS.override.md", "codex"),
    ("GEMINI.md", "gemini"),
    (".cursorrules", "cursor"),
    (".cursor/rules/**/*.mdc", "cursor"),
    (".windsurfrules", "windsurf"),
    (".windsurf/rules/*.md", "windsurf"),
    (".clinerules", "cline"),
    (".clinerules/*.md", "cline"),
    (".github/copilot-instructions.md", "vscode"),
    (".goosehints", "goose"),
)


def places_of(vault: Vault, removal: Removal) -> Iterator[Place | NotLooked]:
    """Each file once: first what Keepsake wrote, then what agents note down, transcripts last and
    of those the newest first."""
    seen: set[Path] = set()
    late: list[Place] = []
    for one in (*_ours(vault, removal), *_kept_by_clients(vault), *_in_projects(vault)):
        if isinstance(one, NotLooked):
            yield one
            continue
        real = one.path.resolve()
        if real in seen:
            continue
        seen.add(real)
        if one.kind == TRANSCRIPT:
            late.append(one)
        else:
            yield one
    yield from sorted(late, key=lambda one: (-_modified(one.path), str(one.path)))


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _kept_by_clients(vault: Vault) -> Iterator[Place | NotLooked]:
    in_step = {Path(one.file).resolve() for one in MemoryLists(vault).listed()}
    for client, home, parts in _KEPT:
        for pattern, kind, form in parts:
            for place in _matching(home(), pattern, Place(home(), kind, client, form)):
                if isinstance(place, Place) and in_step and place.path.resolve() in in_step:
                    place = replace(place, ours=True)
                yield place


def _in_projects(vault: Vault) -> Iterator[Place | NotLooked]:
    for folder in sorted(project_folders(vault)):
        for pattern, client in _IN_PROJECTS:
            yield from _matching(folder, pattern, Place(folder, INSTRUCTIONS, client))


def project_folders(vault: Vault) -> set[Path]:
    """The projects that coding agents worked in, as far as their sessions say, and those that
    memories are projected into."""
    found = set(_projections(vault))
    for project in (claude_home() / "projects").glob("*"):
        found |= _project(project_of_sessions(project))
    for project in (gemini_home() / "tmp").glob("*"):
        found |= _project(gemini_project(project))
    sessions = sorted((codex_home() / "sessions").glob("**/rollout-*.jsonl"), reverse=True)
    for session in sessions[:_SESSIONS_ASKED]:
        found |= _project(_codex_folder(session))
    return found


def _project(folder: Path | None) -> set[Path]:
    if folder is None or not folder.is_dir():
        return set()
    return {folder, project_folder(folder)}


def _codex_folder(session: Path) -> Path | None:
    try:
        with session.open(encoding="utf-8", errors="replace") as file:
            payload = json.loads(file.readline(1_000_000)).get("payload")
    except (OSError, ValueError, AttributeError):
        return None
    named = payload.get("cwd") if isinstance(payload, dict) else None
    return Path(named) if isinstance(named, str) and named else None


def _projections(vault: Vault) -> list[Path]:
    """The projects that have a block of ours in their files."""
    known = Projections(vault.database, vault.clock).listed()
    return [Path(one.folder) for one in known]


def _ours(vault: Vault, removal: Removal) -> Iterator[Place | NotLooked]:
    """What Keepsake wrote, read or keeps in step."""
    for projected in _projections(vault):
        path = projected / IMPORTED
        if path.is_file():
            yield Place(path, PROJECTED, ours=True, goes=True)
    with vault.database.read() as db:
        held = widened(db, removal)
        mirrored = {Path(one.folder) / one.path for one in mirrors.of_entries(db, held.entries)}
        born, scopes = born_and_scopes(db, held)
        copies = erasures.handed_out(db, scopes, held.entries, born) if scopes else []
        read = erasures.read_from(db)
    for mirror in vault.mirrors.listed():
        for place in _matching(mirror.folder, "**/*.md", Place(mirror.folder, MIRROR)):
            kept = {*mirrored, mirror.folder / INDEX}
            if isinstance(place, Place) and place.path in kept:
                place = replace(place, goes=True, ours=True)
            yield place
    ways = {"skill": SKILL, "mirror": MIRROR}
    for copy in (*copies, *read):
        if copy.path:
            yield from _inside(Path(copy.path), ways.get(copy.way, copy.way))
    queue = Path(f"{vault.path}.hooks") / "queue"
    yield from _matching(queue, "*.json", Place(queue, HOOKS, form=RECORDS, ours=True))


def _inside(path: Path, kind: str) -> Iterator[Place | NotLooked]:
    """The texts of a folder, a file or an archive."""
    if path.is_dir():
        known = _export_notes(path) if kind == EXPORT else {}
        for place in _matching(path, "**/*", Place(path, kind)):
            if isinstance(place, NotLooked):
                yield place
            elif place.path.suffix.lower() in _TEXTS and place.path.name != MANIFEST:
                yield _as_written(place, known.get(place.path))
    elif path.is_file():
        form = ARCHIVE if path.suffix.lower() == ".zip" else _form_of(path)
        yield Place(path, kind, form=form, ours=kind == SKILL)


def _form_of(path: Path) -> str:
    return RECORDS if path.suffix.lower() in (".json", ".jsonl") else TEXT


def _as_written(place: Place, digest: str | None) -> Place:
    """A note that stands there as Keepsake wrote it may go whole."""
    if digest is None:
        return replace(place, form=_form_of(place.path))
    try:
        text = place.path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return place
    same = export_digest(text) == digest and "/blocks/" not in str(place.path)
    return replace(place, form=WHOLE if same and place.path.name != INDEX else TEXT, ours=same)


def _export_notes(folder: Path) -> dict[Path, str]:
    try:
        listed = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    known = listed.items() if isinstance(listed, dict) else ()
    return {folder / str(name): str(digest) for name, digest in known}


def _matching(folder: Path, pattern: str, like: Place) -> Iterator[Place | NotLooked]:
    """The files there that the pattern names. A folder that cannot be read is said."""
    fixed = list(takewhile(lambda part: "*" not in part, pattern.split("/")))
    wanted = re.compile(_as_regex(pattern))
    if len(fixed) == pattern.count("/") + 1:
        if (folder / pattern).is_file():
            yield replace(like, path=folder / pattern)
        return
    trouble: list[OSError] = []
    found: list[Path] = []
    for where, _, names in os.walk(folder.joinpath(*fixed), onerror=trouble.append):
        inside = Path(where)
        above = inside.relative_to(folder).as_posix() + "/"
        above = "" if above == "./" else above
        found += [inside / name for name in names if wanted.fullmatch(above + name)]
        if len(found) > FILES_MOST:
            yield NotLooked(str(folder / pattern), "large", f"more than {FILES_MOST} files")
            break
    for path in sorted(found)[:FILES_MOST]:
        if path.is_file():  # no pipe, no device
            yield replace(like, path=path)
    for error in trouble:
        if not isinstance(error, FileNotFoundError):
            yield NotLooked(str(error.filename), "unreadable", error.strerror or "")


def _as_regex(pattern: str) -> str:
    """`**/` is any number of folders, `*` any letters of a name."""
    parts = re.split(r"(\*\*/|\*)", pattern)
    words = {"**/": "(?:.*/)?", "*": "[^/]*"}
    return "".join(words.get(part, re.escape(part)) for part in parts)
