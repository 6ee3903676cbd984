"""Past sessions of coding agents become conversations, and what they say about the person and the
project becomes proposals: no token, nothing kept silently.

Each session is one transaction for its turns and one for what was learned; both note how far they
came. So a run that is cancelled or killed goes on where it was, and a second one does nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.access.caller_scope import Caller
from app.access.workspace_names import project_folder, workspace_of_folder, workspace_worked_in
from app.connect.mcp_clients import CLIENTS, claude_home, codex_home, cursor_home, gemini_home
from app.errors import NotFound
from app.hooks.intake import Intake
from app.hooks.transcripts import READABLE, NoTranscript, Session, read_session
from app.learning.learning import Learned
from app.learning.writer import Failed
from store.errors import KeepsakeError
from store.records import Agent
from store.tables import conversations
from store.tables.conversations import OPEN

if TYPE_CHECKING:
    from app.vault import Vault

_PLACES: dict[str, tuple[Callable[[], Path], tuple[str, ...]]] = {
    "claude-code": (lambda: claude_home() / "projects", ("*/*.jsonl",)),
    "codex": (codex_home, ("sessions/**/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl")),
    "gemini": (
        lambda: gemini_home() / "tmp",
        ("*/chats/session-*.jsonl", "*/chats/session-*.json"),
    ),
    "cursor": (lambda: cursor_home() / "projects", ("*/agent-transcripts/**/*.jsonl",)),
}


@dataclass(frozen=True, slots=True)
class FoundSession:
    client: str
    path: Path
    modified: float  # seconds since 1970


@dataclass(frozen=True, slots=True)
class BackfillReport:
    """`failed` are files that could not be read, each with why."""

    sessions: int = 0
    turns: int = 0
    proposals: int = 0
    entries: int = 0
    projects: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    cancelled: bool = False


Progress = Callable[[int, int, FoundSession], bool]
"""Called before each session with how many are done and how many there are; False ends it."""


def found_sessions(clients: Iterable[str] = READABLE) -> list[FoundSession]:
    """Every session that the clients keep on this machine, oldest first."""
    found: list[FoundSession] = []
    for client in clients:
        place, patterns = _PLACES[client]
        for path in {path for pattern in patterns for path in place().glob(pattern)}:
            found += _looked_at(client, path)
    return sorted(found, key=lambda one: (one.modified, str(one.path)))


def sessions_in(paths: Iterable[Path]) -> list[FoundSession]:
    """The sessions in these files and folders, oldest first. Raises NotFound for a path that is not
    there, and for a file that no known client wrote."""
    found: list[FoundSession] = []
    for path in paths:
        if not path.exists():
            raise NotFound(f"There is no file or folder {path}.")
        inside = sorted({*path.rglob("*.jsonl"), *path.rglob("session-*.json")})
        for file in inside if path.is_dir() else [path]:
            client = client_of_file(file)
            if client is None and path == file:
                raise NotFound(f"{file} is no session of {', '.join(READABLE)}.")
            found += _looked_at(client, file) if client else []
    return sorted(found, key=lambda one: (one.modified, str(one.path)))


def client_of_file(path: Path) -> str | None:
    """Told by what stands in its first lines."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = [line for line, _ in zip(file, range(20), strict=False)]
    except OSError:
        return None
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            return "gemini" if path.name.startswith("session-") and '"sessionId"' in line else None
        if not isinstance(record, dict):
            continue
        if "projectHash" in record or "$set" in record:
            return "gemini"
        if record.get("type") in ("session_meta", "response_item"):
            return "codex"
        if "sessionId" in record or "parentUuid" in record:
            return "claude-code"
        if "role" in record and isinstance(record.get("message"), dict):
            return "cursor"
    return None


class Backfill:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._intake = Intake(vault)

    def run(self, sessions: Sequence[FoundSession], progress: Progress) -> BackfillReport:
        """Take and learn from each, once."""
        report = BackfillReport()
        for number, found in enumerate(sessions):
            if not progress(number, len(sessions), found):
                return replace(report, cancelled=True)
            try:
                report = self._one(found, report)
            except (NoTranscript, KeepsakeError) as error:
                report = replace(report, failed=(*report.failed, f"{found.path}: {error}"))
        return report

    def _one(self, found: FoundSession, report: BackfillReport) -> BackfillReport:
        session = read_session(found.client, found.path)
        if not session.turns:
            return report
        agent, workspace = self._standing(session)
        taken = self._intake.take(agent, session, workspace=workspace, past=True)
        learned = self._learned(taken.conversation_id)
        projects = dict.fromkeys([*report.projects, *([workspace] if workspace else [])])
        return replace(
            report,
            sessions=report.sessions + bool(taken.new_turns),
            turns=report.turns + taken.new_turns,
            proposals=report.proposals + len(learned.proposals),
            entries=report.entries + len(learned.entries),
            projects=tuple(projects),
        )

    def _standing(self, session: Session) -> tuple[Agent, str]:
        """The client's agent, and the project's workspace: it is the owner who asks, so the agent
        is let into it."""
        agents = self._vault.agents
        try:
            agent = agents.read(session.client)
        except NotFound:
            agent, _ = agents.add(CLIENTS[session.client].label, session.client)
        if not session.folder:
            return agent, ""
        workspace = workspace_worked_in(agent, session.folder)
        if not workspace:
            workspace = workspace_of_folder(project_folder(Path(session.folder)))
            own = (*agent.workspaces, workspace)
            agent = agents.change(agent.id, {"workspaces": own})
        return agent, workspace

    def _learned(self, conversation_id: str) -> Learned:
        """The run is over: it is closed, and learned from whatever waits in the inbox already, by
        the built-in writer: hundreds of sessions cost no token, whatever model is configured."""
        if not conversation_id:
            return Learned()
        with self._vault.database.read() as db:
            held = conversations.read(db, conversation_id)
        if held is None:
            return Learned()
        outcome = self._vault.sleep.learn(conversation_id, self._vault.writing.built_in)
        if held.state == OPEN:
            self._vault.conversations.end(Caller(), conversation_id)
        if isinstance(outcome, Failed):
            raise KeepsakeError(outcome.reason)
        return outcome


def _looked_at(client: str, path: Path) -> list[FoundSession]:
    try:
        return [FoundSession(client, path, path.stat().st_mtime)]
    except OSError:
        return []
