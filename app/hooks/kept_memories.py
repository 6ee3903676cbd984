"""What coding agents remember by themselves: folders of notes (Claude Code, Codex, Gemini CLI a
project), and the one file where Gemini CLI lists what it knows everywhere. Both can be kept in step
with the vault, both ways: a folder as any mirrored folder, a list line by line.

What an agent writes there is its own write, which waits for review if the owner wants that."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from app.access.caller_scope import Caller
from app.access.workspace_names import project_folder, workspace_of_folder
from app.connect.mcp_clients import CLIENTS, claude_home, codex_home, gemini_home
from app.errors import Invalid, NotFound, TooLarge
from app.hooks.transcripts import said
from app.markdown.file_names import INDEX
from app.markdown.projection import changed_file, read_file
from app.outcomes import Saved
from app.rules.fields import made_key
from app.rules.rendering import one_line
from app.rules.visibility import is_live
from store.instants import to_instant
from store.records import USER, Agent, Entry, EntryDraft, Scope
from store.tables import vault_values
from store.tables.mirrors import REVIEWED

if TYPE_CHECKING:
    from app.markdown.mirror.mirrors import Synced
    from app.memory.memory import Memory
    from app.vault import Vault

LISTS = "memory_lists"
_BULLET = re.compile(r"[-*] +(\S.*)")


@dataclass(frozen=True, slots=True)
class KeptMemories:
    """`client` names the agent whose writes edits of the files are; `place` is a folder of notes,
    or a file that is a list."""

    client: str
    place: Path
    scope: Scope
    notes: int

    @property
    def is_list(self) -> bool:
        return self.place.suffix == ".md"


def found_memories() -> list[KeptMemories]:
    """Claude Code and Gemini CLI keep a folder a project, Codex one for all, and Gemini CLI a list
    for all."""
    found = []
    projects = [*sorted((claude_home() / "projects").glob("*/memory"))]
    for client, folder, where in (
        *(("claude-code", one, project_of_sessions(one.parent)) for one in projects),
        *(("gemini", one, gemini_project(one.parent)) for one in sorted(_gemini_folders())),
    ):
        files = list(folder.glob("*.md"))
        if files and where is not None:
            scope = Scope("workspace", workspace_of_folder(project_folder(where)))
            found.append(KeptMemories(client, folder, scope, _notes(files)))
    codex = codex_home() / "memories"
    if files := list(codex.glob("*.md")):
        found.append(KeptMemories("codex", codex, USER, _notes(files)))
    listed = gemini_home() / "GEMINI.md"
    if listed.is_file() and (lines := len(list(bullets(read_file(listed))))):
        found.append(KeptMemories("gemini", listed, USER, lines))
    return found


def _notes(files: Sequence[Path]) -> int:
    """How many there are beside their index."""
    return sum(file.name != INDEX for file in files)


class KeptPlaces:
    """What agents keep on this machine, and whether each is in step with one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def listed(self) -> list[tuple[KeptMemories, bool]]:
        """Each place that was found, and whether it is in step already."""
        known = {one.folder.resolve() for one in self._vault.mirrors.listed()}
        known |= {Path(one.file).resolve() for one in MemoryLists(self._vault).listed()}
        return [(one, one.place.resolve() in known) for one in found_memories()]

    def keep(self, kept: KeptMemories, *, review: bool = True) -> Synced | int:
        """Both ways from now on; what came of the first round, of a list how many lines were new.
        `review`: what the agent writes there waits for the owner, however far it is trusted."""
        agent = _agent(self._vault, kept)
        if kept.is_list:
            wanted = MemoryList(str(kept.place), agent.id, review)
            return MemoryLists(self._vault).add(wanted)
        writer = f"{REVIEWED if review else 'agent:'}{agent.id}"
        return self._vault.mirrors.add(kept.place, kept.scope, writer)

    def leave(self, kept: KeptMemories) -> None:
        """No longer in step; the files and the memories stay."""
        if kept.is_list:
            MemoryLists(self._vault).remove(kept.place)
        else:
            self._vault.mirrors.remove(kept.place)


def _agent(vault: Vault, kept: KeptMemories) -> Agent:
    """The client's, let into the project: it is the owner who asks."""
    try:
        agent = vault.agents.read(kept.client)
    except NotFound:
        agent, _ = vault.agents.add(CLIENTS[kept.client].label, kept.client, trust="review")
    if kept.scope.kind == "workspace" and kept.scope.id not in agent.workspaces:
        agent = vault.agents.change(agent.id, {"workspaces": (*agent.workspaces, kept.scope.id)})
    return agent


# Lists


@dataclass(frozen=True, slots=True)
class MemoryList:
    """A file kept in step. `lines` says, by the digest of a line, which entry it is, or that it was
    seen and is none: it waits, or the owner did not want it. No word of it is noted."""

    file: str
    agent_id: str
    review: bool = True
    lines: dict[str, str] = field(default_factory=dict)


def bullets(text: str) -> Iterator[tuple[int, str]]:
    """The number of each line that is an item of a list, and what it says; not of our own block,
    nor of a fence."""
    fenced, ours = False, False
    for number, line in enumerate(text.split("\n")):
        fenced ^= line.startswith("```")
        ours = (ours or line.startswith("<!-- keepsake:begin")) and "keepsake:end" not in line
        item = None if fenced or ours else _BULLET.fullmatch(line.rstrip())
        if item is not None and said(item[1]):
            yield number, item[1]


class MemoryLists:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def listed(self) -> list[MemoryList]:
        with self._vault.database.read() as db:
            held = json.loads(vault_values.read(db, LISTS) or "[]")
        return [MemoryList(**one) for one in held]

    def add(self, wanted: MemoryList) -> int:
        """Keep it in step from now on; how many of its lines were new."""
        self._keep(lambda held: [*(one for one in held if one.file != wanted.file), wanted])
        return self._sync(wanted)

    def remove(self, file: Path) -> None:
        """Leave it alone from now on; the file and the memories stay."""
        if not any(one.file == str(file) for one in self.listed()):
            raise NotFound(f"{file} is not kept in step.")
        self._keep(lambda held: [one for one in held if one.file != str(file)])

    def sync(self) -> int:
        """Bring each in step; how many lines and memories moved. A file that is not there, or
        lists nothing any more, waits: absence is no deletion."""
        return sum(self._sync(one) for one in self.listed())

    def _sync(self, held: MemoryList) -> int:
        path = Path(held.file)
        before = read_file(path)
        items = {digest(text): (number, text) for number, text in bullets(before)}
        if not items:
            return 0
        memory = self._memory(held)
        lines, texts, moved = dict(held.lines), before.split("\n"), 0
        for mark in [mark for mark in lines if mark not in items]:
            moved += self._gone(memory, lines.pop(mark))
        drop: set[int] = set()
        for mark, (number, text) in items.items():
            entry = self._linked(memory, lines, mark, text)
            if lines.get(mark) and entry is None:
                drop.add(number)  # forgotten or erased here
                del lines[mark]
            elif entry is not None and one_line(entry.content) != one_line(text):
                texts[number] = f"{texts[number][:2]}{one_line(entry.content)}"
                del lines[mark]
                lines[digest(one_line(entry.content))] = entry.id
            elif mark not in lines:
                lines[mark] = self._taken(memory, mark, text)
                moved += 1
        after = "\n".join(text for number, text in enumerate(texts) if number not in drop)
        if lines != held.lines:
            fresh = replace(held, lines=lines)
            self._keep(lambda all_: [fresh if one.file == held.file else one for one in all_])
        if after != before and read_file(path) == before:
            moved += bool(changed_file(path, after))
        return moved

    def _linked(self, memory: Memory, lines: dict[str, str], mark: str, text: str) -> Entry | None:
        """The live entry that a line is, also one that was approved since."""
        ident = lines.get(mark)
        if ident:
            now = to_instant(self._vault.clock())
            return next(
                (one for one in memory.entries.read_many([ident]) if is_live(one, now)), None
            )
        entry = memory.entries.find(_key(mark, text), USER)
        if entry is not None and mark in lines:
            lines[mark] = entry.id
        return entry if mark in lines else None

    def _taken(self, memory: Memory, mark: str, text: str) -> str:
        """A new line as the agent's own write: the entry it became, or nothing where it waits."""
        try:
            outcome = memory.entries.store(EntryDraft(text, USER, key=_key(mark, text)))
        except (Invalid, TooLarge):
            return ""
        return outcome.entry.id if isinstance(outcome, Saved) else ""

    def _gone(self, memory: Memory, ident: str) -> int:
        """A line that the agent took out: its memory is forgotten, as far as it may."""
        if not ident or not memory.entries.read_many([ident]):
            return 0
        memory.entries.forget([ident], reason="it is no longer in the file")
        return 1

    def _memory(self, held: MemoryList) -> Memory:
        agent = self._vault.agents.read(held.agent_id)
        trust = "review" if held.review and agent.trust == "direct" else agent.trust
        return self._vault.memory_for(Caller(replace(agent, trust=trust)))

    def _keep(self, change: Callable[[list[MemoryList]], list[MemoryList]]) -> None:
        with self._vault.database.write() as db:
            held = [MemoryList(**one) for one in json.loads(vault_values.read(db, LISTS) or "[]")]
            vault_values.put(db, LISTS, json.dumps([asdict(one) for one in change(held)]))


def digest(text: str) -> str:
    return blake2b(one_line(text).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _key(mark: str, text: str) -> str:
    return made_key(text, lambda size: mark[: 2 * size])


# Where


def _gemini_folders() -> Iterator[Path]:
    return (gemini_home() / "tmp").glob("*/memory")


def gemini_project(project: Path) -> Path | None:
    try:
        return Path((project / ".project_root").read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return None


def project_of_sessions(project: Path) -> Path | None:
    """The folder a project of Claude Code's is about, by what its sessions say: the name it gives
    the project cannot be read back."""
    for session in sorted(project.glob("*.jsonl")):
        try:
            with session.open(encoding="utf-8", errors="replace") as file:
                for line, _ in zip(file, range(50), strict=False):
                    record = json.loads(line)
                    if isinstance(record, dict) and isinstance(record.get("cwd"), str):
                        return Path(record["cwd"])
        except (OSError, ValueError):
            continue
    return None
