"""Agents: who may use this vault, how far each is trusted, and the tokens they hold."""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

from app.errors import Invalid, NotAuthenticated, NotFound, Refused
from app.rules import layers as layer_rules
from app.rules.policy import ARCHIVAL_MODES
from app.rules.visibility import agent_slug
from store.file.database import Connection, Database
from store.instants import Clock
from store.records import OWNER, SCOPE_KINDS, Agent, Layers
from store.tables import agents as rows
from store.tables.change_log import Recorder, recording

TRUST = ("direct", "review", "read_only")
SLEEP = ("off", "review", "direct")
DIALECTS = ("standard", "keyed", "journal", "notes", "semantic", "blocks", "files", "graph")
NUMBERS = {
    "hydration_budget": (256, 1_048_576),
    "recall_budget": (1, 500),
    "cap": (0, 1_000_000),
    "archival_limit": (0, 200),
    "instructions_limit": (1_024, 1_048_576),
}
TOKEN_PREFIX = "kps_"
TOKEN_VARIABLE = "KEEPSAKE_TOKEN"  # of the environment that a client gives its server
GUIDANCE_CHARS = 4_000
WORKSPACE_CHARS = 200


def hash_token(token: str) -> bytes:
    """A plain hash is right here: the token is 256 random bits, not a password."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def new_token(random_token: Callable[[int], str] = secrets.token_urlsafe) -> str:
    return TOKEN_PREFIX + random_token(32)


class Agents:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def add(self, name: str, ident: str | None = None, **profile: object) -> tuple[Agent, str]:
        """A new agent and its token, which is shown this once and never again."""
        agent = changed_agent(Agent(id=agent_id(ident or name), name=name.strip()), profile)
        token = new_token()
        with self._recording("agent") as rec:
            if rows.read(rec.db, agent.id):
                raise Invalid(
                    f"There is an agent {agent.id!r} already. Choose another name, or "
                    f"`keepsake agents rotate {agent.id}` for a new token."
                )
            return rows.insert(rec, agent, hash_token(token)), token

    def list(self) -> list[Agent]:
        with self._database.read() as db:
            return rows.listed(db)

    def read(self, ident: str) -> Agent:
        with self._database.read() as db:
            return _found(db, ident)

    def change(self, ident: str, profile: Mapping[str, object]) -> Agent:
        with self._recording("configured") as rec:
            agent = _found(rec.db, ident)
            return rows.update(rec, agent, changed_agent(agent, profile))

    def rotate(self, ident: str) -> str:
        """A new token; the old one stops at once. A revoked agent is let in again."""
        token = new_token()
        with self._recording("rotated") as rec:
            rows.set_token(rec, _found(rec.db, ident), hash_token(token))
        return token

    def revoke(self, ident: str) -> None:
        """Its token stops at once; its memory stays."""
        with self._recording("revoked") as rec:
            rows.set_token(rec, _found(rec.db, ident), None)

    def authenticate(self, token: str) -> Agent:
        """Who holds this token. Raises NotAuthenticated."""
        with self._database.read() as db:
            agent = rows.by_token(db, hash_token(token))
        if agent is None or agent.revoked_at:
            raise NotAuthenticated(
                "This token is not valid (any more). The owner makes one with "
                "`keepsake agents add` or `keepsake agents rotate`."
            )
        return agent

    def _recording(self, action: str) -> AbstractContextManager[Recorder]:
        return recording(self._database, actor=OWNER, action=action, clock=self._clock)


class UndoableAgents:
    """How an agent's settings go back: History's hands on the table. Only as part of a larger
    action, such as an approval that let it into a workspace."""

    def fields(self, db: Connection, ident: str) -> dict[str, object] | None:
        agent = rows.read(db, ident)
        if agent is None:
            return None
        return {**rows.profile_of(agent), "revoked": agent.revoked_at is not None}

    def apply(self, rec: Recorder, ident: str, fields: dict[str, object], action: str) -> None:
        if "revoked" in fields:
            raise _not_here()
        agent = _found(rec.db, ident)
        rows.update(rec, agent, changed_agent(agent, fields))

    def uncreate(self, rec: Recorder, ident: str) -> None:
        raise _not_here()

    def recreate(self, rec: Recorder, ident: str, fields: dict[str, object]) -> None:
        raise _not_here()


def _not_here() -> Refused:
    return Refused("Adding an agent or shutting it out is changed under Agents, not by undo.")


def agent_id(name: str) -> str:
    """`Claude Code` → `claude-code`: fit for a scope, a folder and a command line."""
    ident = agent_slug(name)
    if not ident:
        raise Invalid(f"{name!r} makes no agent id; use letters and digits.")
    return ident


def changed_agent(agent: Agent, profile: Mapping[str, object]) -> Agent:
    """The agent with these settings, each checked."""
    values = dict(profile)
    preset = values.pop("preset", None)
    if preset is not None:
        values["layers"] = layer_rules.preset(str(preset))
    clean = {name: _checked(name, value) for name, value in values.items()}
    return dataclasses.replace(agent, **clean)  # type: ignore[arg-type]


def _checked(name: str, value: object) -> object:
    choices = {"trust": TRUST, "sleep": SLEEP, "dialect": DIALECTS, "archival_mode": ARCHIVAL_MODES}
    if name in choices:
        if value not in choices[name]:
            raise Invalid(f"{name} is one of {', '.join(choices[name])}, not {value!r}.")
        return value
    if name in NUMBERS:
        low, high = NUMBERS[name]
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high
        ):
            raise Invalid(f"{name} is a whole number from {low:,} to {high:,}.")
        return value
    if name in ("team", "cloud", "include_user_core", "include_agent_core"):
        if not isinstance(value, bool):
            raise Invalid(f"{name} is true or false.")
        return value
    return _checked_other(name, value)


def _checked_other(name: str, value: object) -> object:
    match name:
        case "name":
            return _name(value)
        case "guidance":
            if not isinstance(value, str) or len(value) > GUIDANCE_CHARS:
                raise Invalid(f"The guidance is text of at most {GUIDANCE_CHARS:,} characters.")
            return value
        case "layers":
            return value if isinstance(value, Layers) else layer_rules.parse(value)
        case "write_scopes":
            return _write_scopes(_words(value))
        case "workspaces":
            return tuple(dict.fromkeys(clean_workspace(name) for name in _words(value)))
        case "archival_min_score":
            if value is not None and not (isinstance(value, int | float) and 0 <= value <= 1):
                raise Invalid("archival_min_score is from 0 to 1.")
            return value
    raise Invalid(f"An agent has no setting {name!r}.")


def _name(value: object) -> str:
    text = " ".join(str(value).split())
    if not 1 <= len(text) <= 64:
        raise Invalid("A name has 1 to 64 characters.")
    return text


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return value.split(",")
    if not isinstance(value, list | tuple):
        raise Invalid("This takes a list of names.")
    return [str(word) for word in value]


def _write_scopes(kinds: list[str]) -> tuple[str, ...]:
    wrong = [kind for kind in kinds if kind not in SCOPE_KINDS]
    if wrong:
        raise Invalid(f"Write scopes are of {', '.join(SCOPE_KINDS)}, not {wrong[0]!r}.")
    return tuple(dict.fromkeys(kinds))


def clean_workspace(name: str) -> str:
    """A workspace's name as it is kept. Raises Invalid."""
    text = " ".join(name.split())
    if not 1 <= len(text) <= WORKSPACE_CHARS:
        raise Invalid(f"A workspace needs a name of at most {WORKSPACE_CHARS} characters.")
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in text):
        raise Invalid("A workspace's name has no control characters.")
    return text


def _found(db: Connection, ident: str) -> Agent:
    agent = rows.read(db, ident)
    if agent is None:
        raise NotFound(f"There is no agent {ident!r}. See keepsake agents list.")
    return agent
