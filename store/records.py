"""The things a vault keeps, as frozen values.

Everybody may import this module; it imports nothing of ours but the clock's text form.
Times are `Instant`: UTC, ISO 8601, microseconds, one fixed width, so that text order is time order.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TypedDict

from store.instants import Instant

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: safe to read aloud


class IdMaker:
    """Makes 26-letter ids: 48 bits of milliseconds, then 80 bits that are random and then count up,
    so that ids made in the same millisecond by one process still sort in the order of making."""

    def __init__(
        self,
        milliseconds: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        random_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._milliseconds = milliseconds
        self._random_bytes = random_bytes
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            number = self._milliseconds() << 80 | int.from_bytes(self._random_bytes(10)) >> 1
            if number <= self._last or number >> 80 == self._last >> 80:
                number = self._last + 1
            self._last = number
        return _encode(number)


# Two letters at a time: ids are made by the ten thousand.
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_SHIFTS = range(120, -1, -10)


def _encode(number: int) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


SCOPE_KINDS = ("user", "agent", "workspace", "conversation")
CATEGORIES = ("core", "daily", "conversation", "workspace")
KINDS = (
    "fact",
    "preference",
    "relationship",
    "instruction",
    "observation",
    "action",
    "decision",
    "event",
    "note",
)
BLOCK_NAMES = ("core", "archival", "summary", "session")
ACTIVE, TRASHED = "active", "trashed"
OWNER = "owner"
CLOUD, EVERYBODY = "cloud", "*"  # in `muted_for`: agents that use a cloud model, and all of them
SAMPLE_MARK = "sample"  # the name in `extra` that tells a sample from a person's own memory
JOIN = "join"  # the action of a proposal to be let into a workspace, its scope


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """Whose memory it is. Written `user`, `agent:claude`, `workspace:shop`, `conversation:<id>`."""

    kind: str
    id: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}" if self.id else self.kind

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(text: str) -> Scope:
        """The scope stored as `text`; the text is trusted (see app.rules.fields.parse_scope)."""
        kind, _, ident = text.partition(":")
        return Scope(kind, ident)


USER = Scope("user")
# The owner's memory tests. No agent reads this workspace, even one that is said to work in it.
EXPECTATIONS = Scope("workspace", "keepsake expectations")


def by_others(scope: Scope, source: str) -> bool:
    """Whether a memory that several agents see is somebody else's word than the owner's. A folder
    of the user's memory is the owner's; in a workspace anybody edits the files."""
    owners = ("owner", "import") if scope.kind == "workspace" else ("owner", "import", "folder")
    return is_shared(scope) and source.partition(":")[0] not in owners


def is_shared(scope: Scope) -> bool:
    """Whether several agents may see what is in it."""
    return scope.kind in ("user", "workspace")


# What a field of an entry takes part in. It is declared with the field; whoever needs a list of
# names asks `entry_names`, so that a new field is not forgotten anywhere.
LOGGED = {"logged": True}  # the change log compares it, undo gives it back
DIGESTED = {"digested": True}  # the digest covers it; in the order of the fields, for ever
SET = {"set": True}  # a person or an agent sets it
ANSWERED = {"answered": True}  # every door answers with it
NOTED = {"noted": True}  # the head of a markdown note says it
OWNERS = {"owners": True}  # only the owner sets it
ENDABLE = {"endable": True}  # a moment that can be taken away again
# The digest covers it where it is set: the digests of rows from before the field stay right.
DIGESTED_IF_SET = {"digested_if_set": True}
_LATER = LOGGED | DIGESTED_IF_SET | SET | ANSWERED | NOTED


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory, as stored. `n` is its row number: grows with birth, never reused."""

    n: int
    id: str = field(metadata=DIGESTED | ANSWERED)
    scope: Scope = field(metadata=LOGGED | DIGESTED | SET | NOTED)
    key: str = field(metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED)
    content: str = field(metadata=LOGGED | DIGESTED | SET | ANSWERED)
    hook: str = field(metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED)
    category: str = field(metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED)
    kind: str = field(metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED)
    importance: int = field(metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED)
    tags: tuple[str, ...] = field(metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED)
    source: str = field(metadata=LOGGED | DIGESTED | ANSWERED)
    state: str = field(metadata=LOGGED | DIGESTED)
    created_at: Instant = field(metadata=LOGGED | DIGESTED | ANSWERED | NOTED)
    written_at: Instant = field(metadata=LOGGED | DIGESTED | ANSWERED | NOTED)
    updated_at: Instant = field(metadata=DIGESTED | ANSWERED)
    expires_at: Instant | None = field(
        metadata=LOGGED | DIGESTED | SET | ANSWERED | NOTED | ENDABLE
    )
    # JSON object: frontmatter fields we do not know, kept for the way back out.
    extra: str = field(metadata=LOGGED | DIGESTED)
    digest: bytes
    # When what it says holds; None: as long as it is there.
    true_from: Instant | None = field(default=None, metadata=_LATER | ENDABLE)
    true_until: Instant | None = field(default=None, metadata=_LATER | ENDABLE)
    # When a person last confirmed it, and when it should be asked about again.
    verified_at: Instant | None = field(default=None, metadata=_LATER | ENDABLE | OWNERS)
    stale_after: Instant | None = field(default=None, metadata=_LATER | ENDABLE)
    muted_for: tuple[str, ...] = field(default=(), metadata=_LATER | OWNERS)  # never told to whom

    @property
    def size(self) -> int:
        """Bytes of the content in UTF-8."""
        return len(self.content.encode())


def entry_names(use: Mapping[str, bool] | None = None) -> tuple[str, ...]:
    """The fields of an entry that have this use, in the order they are declared; None: all."""
    wanted = (use or {}).items()
    return tuple(one.name for one in fields(Entry) if wanted <= one.metadata.items())


class EntryFields(TypedDict, total=False):
    """Some fields of an entry with their new values: a patch. Every logged field may be in it."""

    scope: Scope
    key: str
    content: str
    hook: str
    category: str
    kind: str
    importance: int
    tags: tuple[str, ...]
    source: str
    state: str
    created_at: Instant
    written_at: Instant
    expires_at: Instant | None
    extra: str
    true_from: Instant | None
    true_until: Instant | None
    verified_at: Instant | None
    stale_after: Instant | None
    muted_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """What a writer asks to be stored. `None` means: keep what is there, or the default."""

    content: str
    scope: Scope = USER
    key: str | None = None
    hook: str | None = None
    category: str | None = None
    kind: str | None = None
    importance: int | None = None
    tags: tuple[str, ...] | None = None
    expires_at: Instant | None = None
    extra: str | None = None
    created_at: Instant | None = None  # imports keep their dates
    written_at: Instant | None = None
    true_from: Instant | None = None
    true_until: Instant | None = None
    verified_at: Instant | None = None
    stale_after: Instant | None = None
    muted_for: tuple[str, ...] | None = None


# What a draft says beside whose memory it is, in the order a proposal keeps it.
DRAFT_FIELDS = (
    "key",
    *(one.name for one in fields(EntryDraft) if one.name not in ("key", "scope")),
)


@dataclass(frozen=True, slots=True)
class Hearing:
    """Whom memories are told to and of what time: what one of `names` is never told is left out
    (None: what anybody is not), what has one of `muted_tags`, and what is true neither at `true_at`
    nor in one of `spans`, the times that a question names. No `true_at`: whenever it was true."""

    names: tuple[str, ...] | None
    muted_tags: tuple[str, ...] = ()
    true_at: Instant | None = None
    spans: tuple[tuple[Instant, Instant], ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A named, full-replacement markdown document in a scope."""

    id: str
    scope: Scope
    name: str
    content: str
    source: str
    created_at: Instant
    updated_at: Instant
    digest: bytes


@dataclass(frozen=True, slots=True)
class Layers:
    """Which memory layers an agent uses; each on its own."""

    session_memory: bool = True
    types: tuple[str, ...] = ("working", "long_term")

    @property
    def working(self) -> bool:
        return "working" in self.types

    @property
    def long_term(self) -> bool:
        return "long_term" in self.types


@dataclass(frozen=True, slots=True)
class Agent:
    """A program that uses memory, known by an id. `None` in a number means: the vault's setting."""

    id: str
    name: str
    trust: str = "direct"  # direct | review | read_only
    dialect: str = "standard"
    write_scopes: tuple[str, ...] = ("agent", "user", "workspace", "conversation")
    workspaces: tuple[str, ...] = ()
    hydration_budget: int | None = None
    recall_budget: int | None = None
    cap: int | None = None
    layers: Layers = field(default_factory=Layers)
    sleep: str = "review"  # off | review | direct
    team: bool = False
    cloud: bool = False  # whether what it is told goes to a cloud model
    guidance: str = ""
    archival_mode: str = "tool_only"  # tool_only | auto | off
    archival_limit: int | None = None
    archival_min_score: float | None = None
    include_user_core: bool = True
    include_agent_core: bool = True
    instructions_limit: int | None = None  # characters told at connection; None: its client's
    created_at: Instant = ""
    updated_at: Instant = ""
    revoked_at: Instant | None = None
    last_seen_at: Instant | None = None
    calls: int = 0

    @property
    def scope(self) -> Scope:
        return Scope("agent", self.id)

    def most_entries(self, setting: int) -> int | None:
        """How many entries it keeps; None is any number. A journal only grows."""
        if self.cap is not None:
            return self.cap or None
        return None if self.dialect == "journal" else setting or None


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the log. `before` and `after` hold only the fields that changed.

    A `created` change carries neither: the thing itself, walked back through its later changes,
    is what was created. An `erased` or compacted change carries nothing (`compacted` is true).
    """

    seq: int
    group: int
    at: Instant
    actor: str
    action: str  # created, changed, forgot, restored, erased …
    thing: str  # entry, block, proposal, agent, conversation, vault
    thing_id: str
    scope: Scope
    before: dict[str, object] | None
    after: dict[str, object] | None
    compacted: bool = False


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """What one action did: the unit of undo. Its id is the number of its first change."""

    id: int
    at: Instant
    actor: str
    action: str
    reason: str
    size: int
    undoes: int | None = None
    undone_by: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A write waiting in the review inbox, pointing at what it would change."""

    id: str
    agent_id: str
    action: str  # store, change, forget, block, edit, promote, demote, join
    scope: Scope
    thing_id: str  # the entry or block it would change; empty for something new
    payload: dict[str, object]
    reason: str
    state: str  # pending, approved, rejected
    created_at: Instant
    updated_at: Instant


class ProposalFields(TypedDict, total=False):
    """What may change of a proposal."""

    payload: dict[str, object]
    reason: str
    state: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """One run of an agent with its turns."""

    id: str
    agent_id: str
    workspace_id: str
    title: str
    state: str  # open, ended
    created_at: Instant
    updated_at: Instant
    ended_at: Instant | None
    learned_at: Instant | None

    @property
    def scope(self) -> Scope:
        return Scope("conversation", self.id)


class ConversationFields(TypedDict, total=False):
    """What may change of a conversation."""

    title: str
    state: str
    ended_at: Instant | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing that was said in a conversation."""

    n: int
    id: str
    conversation_id: str
    role: str
    content: str
    created_at: Instant
    digest: bytes


def digest_of(*fields: object) -> bytes:
    """A short digest over canonical fields: notices silent corruption, not forgery."""
    text = "\x1f".join([f if isinstance(f, str) else "" if f is None else str(f) for f in fields])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """`sentence` is empty once the words were erased: from there nothing is learned again."""

    thing_id: str
    origin: str  # turn:<id> or message:<n>
    sentence: str
