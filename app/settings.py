"""Every setting, declared once: the vault's table, the dialog and docs/settings.md follow."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.confirmed import MODELS, Confirmed
from app.errors import Invalid
from app.rules.lifetimes import parse_retention
from app.rules.visibility import parse_muted_tags
from store.file.database import Connection, Database
from store.tables import mirrors
from store.tables import settings as rows

Value = bool | int | float | str
PORTABLE = ("Hydration", "Lifetimes", "Blocks", "Secrets", "Conversations")  # sections


class Setting(NamedTuple):
    """One setting of a vault: what it may be, and how it is shown to a person."""

    name: str
    default: Value
    label: str
    help: str
    lowest: float | None = None
    highest: float | None = None
    choices: tuple[str, ...] = ()
    section: str = "Memory"
    check: Callable[[str], object] | None = None  # raises Invalid for a text it cannot use
    at_start: bool = False  # read once; an open window follows only its own dialog

    @property
    def portable(self) -> bool:
        """Whether it is about memory, and so the same on all machines that share one."""
        return self.section in PORTABLE

    @property
    def description(self) -> str:
        """Its title, what it may be, and what it does, as a line of text."""
        takes = "true or false" if isinstance(self.default, bool) else ""
        if self.lowest is not None and self.highest is not None:
            takes = f"{self.lowest:,} to {self.highest:,}"
        title = self.label
        if takes and title.endswith(")"):  # after its unit
            title = f"{title[:-1]}, {takes})"
        elif takes:
            title += f" ({takes})"
        choices = f" One of {', '.join(self.choices)}." if self.choices else ""
        return f"{title}. {self.help}{choices}"


def as_typed(value: Value) -> str:
    """A value as a person types it."""
    if value == "":
        return '""'
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_global_key(text: str) -> None:
    """Raises Invalid for a key that would be missing everywhere else, such as a plain letter."""
    *held, key = text.split("+")
    if text and (not key or "," in text or not {"Ctrl", "Alt", "Meta"} & set(held)):
        raise Invalid(
            f"{text} cannot be a key for all programs. Take one with Ctrl, Alt or Meta, "
            "like Ctrl+Alt+K."
        )


_SECRETS = (
    "Ask before it is kept, redact it, let writes of agents and files wait in the inbox (review), "
    "or allow it."
)
SETTINGS: tuple[Setting, ...] = (
    Setting(
        "hydration_budget",
        16_384,
        "Hydration budget (bytes)",
        "How much an agent is told at a run's start.",
        256,
        1_048_576,
        section="Hydration",
    ),
    Setting(
        "recall_budget",
        50,
        "Recall budget",
        "How many memories one recall or pre-load may bring.",
        1,
        500,
        section="Hydration",
    ),
    Setting(
        "preload_min_relevance",
        0.4,
        "Least relevance for pre-load",
        "Nothing is pre-loaded for a message when the best match scores less: from 0 (everything) "
        "to 1. At 0.4 about nine in ten messages that memory knows nothing about bring nothing.",
        0,
        1,
        section="Hydration",
    ),
    Setting(
        "archival_limit",
        10,
        "Archival lines",
        "The most archival lines injected for a message.",
        0,
        200,
        section="Hydration",
    ),
    Setting(
        "muted_tags",
        "",
        "Tags that are never told",
        "Memories with such a tag are kept and never told: health: *; salary: cloud, cursor. After "
        "the tag come agents' ids, cloud for agents that use a cloud model, or * for all.",
        section="Hydration",
        check=parse_muted_tags,
    ),
    Setting(
        "tell_confirmed",
        True,
        "Tell how long ago it was confirmed",
        "Of what you should have been asked about again, agents are told when you last confirmed "
        "it: last confirmed 2 years ago.",
        section="Hydration",
    ),
    Setting(
        "still_true_cards",
        5,
        "Memories to confirm a day",
        "How many the view Still true? asks you about each day. 0: none.",
        0,
        50,
        section="Hydration",
    ),
    Setting(
        "entry_cap",
        1_000,
        "Entries per agent",
        "Over it the entries unused the longest go to the trash, core ones last. 0: no cap.",
        0,
        1_000_000,
        section="Lifetimes",
    ),
    Setting(
        "agent_core_cap",
        20,
        "Core memories an agent may share",
        "How many core memories an agent may place in your memory, or in one workspace, without "
        "your review. Your own come first in hydration.",
        0,
        10_000,
        section="Lifetimes",
    ),
    Setting(
        "daily_hours",
        72,
        "Keep daily entries (hours)",
        "A daily entry expires this long after its last write.",
        1,
        8_760,
        section="Lifetimes",
    ),
    Setting(
        "low_importance_below",
        3,
        "Unimportant means below",
        "Entries less important than this go by age.",
        1,
        11,
        section="Lifetimes",
    ),
    Setting(
        "low_importance_days",
        30,
        "Keep unimportant entries (days)",
        "Unimportant entries older than this go to the trash, unless core or of a workspace.",
        1,
        36_500,
        section="Lifetimes",
    ),
    Setting(
        "trash_days",
        30,
        "Keep the trash (days)",
        "What was forgotten is erased for good after this.",
        1,
        36_500,
        section="Lifetimes",
    ),
    Setting(
        "log_content_days",
        365,
        "Keep old versions (days)",
        "Older lines of the change log keep who and when, not what.",
        1,
        36_500,
        section="Lifetimes",
    ),
    Setting(
        "core_block_chars",
        4_000,
        "Core block (characters)",
        "The most a core block holds.",
        100,
        65_536,
        section="Blocks",
    ),
    Setting(
        "core_block_entries",
        20,
        "Core block (entries)",
        "The most list items a core block holds.",
        1,
        1_000,
        section="Blocks",
    ),
    Setting(
        "archival_block_chars",
        8_000,
        "Archival block (characters)",
        "The most an archival block holds.",
        100,
        65_536,
        section="Blocks",
    ),
    Setting(
        "summary_block_chars",
        8_000,
        "Summary (characters)",
        "The most a summary holds.",
        100,
        65_536,
        section="Blocks",
    ),
    Setting(
        "session_block_chars",
        4_000,
        "Session summary (characters)",
        "The most a rolling session summary holds.",
        100,
        65_536,
        section="Blocks",
    ),
    Setting(
        "embedding_model",
        "",
        "Embedding model",
        "Empty: the bundled all-MiniLM-L6-v2. Or any sentence-transformers model by name or "
        "folder, with the extra keepsake-desk[models].",
        section="Search",
    ),
    Setting(
        "word_matching_most",
        50_000,
        "Compare word by word up to (memories)",
        "What a search finds is compared word by word as well, for about 2 kB a memory. Vaults "
        "with more memories go without. 0: never.",
        0,
        1_000_000,
        section="Search",
    ),
    Setting(
        "backup_hours",
        24,
        "Back up every (hours)",
        "When something changed since the last backup. 0: never by itself.",
        0,
        8_760,
        section="Vault",
    ),
    Setting(
        "backup_keep_daily",
        7,
        "Daily backups kept",
        "After that one a week is kept.",
        1,
        365,
        section="Vault",
    ),
    Setting(
        "backup_keep_weekly",
        4,
        "Weekly backups kept",
        "After that one a month is kept.",
        0,
        520,
        section="Vault",
    ),
    Setting(
        "backup_keep_monthly",
        12,
        "Monthly backups kept",
        "Older ones are removed.",
        0,
        1_200,
        section="Vault",
    ),
    Setting(
        "api_enabled",
        True,
        "Serve agents on this machine",
        "Agents reach memory at an address of this machine while the window is open.",
        section="API",
        at_start=True,
    ),
    Setting(
        "api_port",
        8_377,
        "Port",
        "On 127.0.0.1. 0: any free one.",
        0,
        65_535,
        section="API",
        at_start=True,
    ),
    Setting(
        "api_rate",
        600,
        "Calls per agent and minute",
        "Over HTTP: above it an agent is asked to wait. 0: no limit.",
        0,
        1_000_000,
        section="API",
    ),
    Setting(
        "proposals_per_agent",
        500,
        "Proposals per agent",
        "How many of an agent's writes may wait in the inbox; more are refused until you decide.",
        1,
        100_000,
        section="API",
    ),
    Setting(
        "hook_helper_minutes",
        10,
        "Answer coding agents for (minutes)",
        "How long a helper process stays after a coding agent's last call, when neither the window "
        "nor keepsake serve is open; 0 ends it as soon as what was said is kept.",
        0,
        1_440,
        section="API",
    ),
    Setting(
        "call_log_days",
        30,
        "Keep agents' calls (days)",
        "How long you can look up what an agent asked and was told.",
        0,
        36_500,
        section="API",
    ),
    Setting(
        "appearance",
        "system",
        "Appearance",
        "Light, dark, or as the system says.",
        choices=("system", "light", "dark"),
        section="Window",
        at_start=True,
    ),
    Setting(
        "font",
        "",
        "Font",
        "Of the window. Empty: the bundled Inter.",
        section="Window",
        at_start=True,
    ),
    Setting(
        "language",
        "system",
        "Language",
        "Of the window.",
        choices=("system", "en", "de"),
        section="Window",
        at_start=True,
    ),
    Setting(
        "agent_notices",
        True,
        "Notify me when agents write",
        "Quietly and once for several: what agents wrote or proposed, with Undo and Review.",
        section="Window",
    ),
    Setting(
        "capture_key",
        "",
        "Key for quick capture",
        "Opens quick capture from any program, while the window runs or is in the tray: "
        "Ctrl+Alt+K, Meta+J. On X11 only; elsewhere bind the command keepsake capture in the "
        "desktop's own settings. Empty: none.",
        section="Window",
        check=check_global_key,
        at_start=True,
    ),
    Setting(
        "close_to_tray",
        False,
        "Close to the tray",
        "Closing the window keeps the API running.",
        section="Window",
    ),
    Setting(
        "retention",
        "{}",
        "Your own limits (days)",
        "Days per category or scope, on top of the lifetimes above, as JSON: "
        '{"category:event": 90, "scope:agent:claude": 365}. Core and workspace memory stay.',
        section="Lifetimes",
        check=parse_retention,
    ),
    Setting(
        "secret_private_key",
        "review",
        "Private keys",
        "A text with a private key in it. " + _SECRETS,
        choices=("ask", "redact", "review", "allow"),
        section="Secrets",
    ),
    Setting(
        "secret_token",
        "review",
        "Keys and tokens",
        "API keys, access tokens, signed tokens, webhooks. " + _SECRETS,
        choices=("ask", "redact", "review", "allow"),
        section="Secrets",
    ),
    Setting(
        "secret_password",
        "review",
        "Passwords",
        "A value that is named a password, or stands in an address. " + _SECRETS,
        choices=("ask", "redact", "review", "allow"),
        section="Secrets",
    ),
    Setting(
        "secret_card",
        "review",
        "Card numbers",
        "Payment cards, told by their checksum. " + _SECRETS,
        choices=("ask", "redact", "review", "allow"),
        section="Secrets",
    ),
    Setting(
        "reload_budget",
        32_768,
        "Reloaded turns (bytes)",
        "How much of a conversation is reloaded: its newest whole turns.",
        0,
        4_194_304,
        section="Conversations",
    ),
    Setting(
        "sleep_quiet_minutes",
        30,
        "Learn after quiet (minutes)",
        "A conversation quiet for this long is learned from like one that ended.",
        1,
        10_080,
        section="Conversations",
    ),
    Setting(
        "learn_tool_output",
        False,
        "Learn from tool output",
        "What the tools of coding agents put out (files, commands, pages) is kept with their "
        "sessions and learned from, too, from now on. Never what tools of memory brought.",
        section="Conversations",
    ),
    Setting(
        "turn_days",
        0,
        "Keep turns (days)",
        "What was said is removed after this; what was learned stays. 0: for ever.",
        0,
        36_500,
        section="Conversations",
    ),
    Setting(
        "channel_batch",
        10,
        "Channel batch (messages)",
        "A channel is learned from when this many messages wait.",
        1,
        100,
        section="Conversations",
    ),
    Setting(
        "channel_minutes",
        5,
        "Channel wait (minutes)",
        "Or when the oldest message has waited this long.",
        0,
        1_440,
        section="Conversations",
    ),
    Setting(
        "message_days",
        30,
        "Keep channel messages (days)",
        "They stay this long as the origin of what was learned. 0: for ever.",
        0,
        36_500,
        section="Conversations",
    ),
    Setting(
        "writer_endpoint",
        "",
        "Writing model: address",
        "An OpenAI-compatible base address like http://127.0.0.1:11434/v1. Empty: the built-in "
        "writer, and nothing is sent anywhere.",
        section="Writing model",
    ),
    Setting(
        "writer_model",
        "",
        "Writing model: name",
        "As the endpoint calls it.",
        section="Writing model",
    ),
    Setting(
        "writer_seconds",
        60,
        "Writing model: patience (seconds)",
        "Longest wait for one answer; after that the built-in writer steps in.",
        1,
        3_600,
        section="Writing model",
    ),
    Setting(
        "writer_tokens_per_day",
        200_000,
        "Writing model: tokens a day",
        "What it may be given at most, about; after that the built-in writer steps in until "
        "midnight, UTC.",
        0,
        1_000_000_000,
        section="Writing model",
    ),
)

BY_NAME = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Settings:
    """The vault's settings; unset ones answer with their default."""

    database: Database

    def __getitem__(self, name: str) -> Any:
        with self.database.read() as db:
            return self.seen_by(db, name)

    def seen_by(self, db: Connection, name: str) -> Any:
        """The same, as the snapshot `db` has it."""
        setting, stored = self._declared(name), rows.read(db, name)
        return setting.default if stored is None else json.loads(stored)

    def all(self) -> dict[str, Value]:
        with self.database.read() as db:
            stored = rows.read_all(db)
        return {
            setting.name: json.loads(stored[setting.name])
            if setting.name in stored
            else setting.default
            for setting in SETTINGS
        }

    def set(self, name: str, value: Value) -> Value:
        value = checked(self._declared(name), value)
        if name == "embedding_model" and value:
            Confirmed(MODELS).add(str(value))
        with self.database.write() as db:
            put_setting(db, name, value)
        return value

    def reset(self, name: str) -> None:
        self._declared(name)
        with self.database.write() as db:
            put_setting(db, name, None)

    @staticmethod
    def _declared(name: str) -> Setting:
        if name not in BY_NAME:
            raise Invalid(f"There is no setting {name!r}. keepsake settings lists them.")
        return BY_NAME[name]


def put_setting(db: Connection, name: str, value: Value | None) -> None:
    """Writes a value that was checked, None for the default. Files that agents read hold nothing
    that is muted: they are written anew."""
    if value is None:
        rows.delete(db, name)
    else:
        rows.put(db, name, json.dumps(value))
    if name == "muted_tags":
        mirrors.fall_behind(db)


def checked(setting: Setting, value: object) -> Value:
    """`value` as this setting takes it; text from a terminal is read as the default's type."""
    kind = type(setting.default)
    try:
        if kind is bool and isinstance(value, str):
            parsed: Value = {"true": True, "yes": True, "false": False, "no": False}[value.lower()]
        elif (kind is bool and not isinstance(value, bool)) or (
            kind in (int, float) and isinstance(value, bool)
        ):
            raise ValueError(value)
        else:
            parsed = kind(str(value) if isinstance(value, str) else value)  # type: ignore[call-overload,arg-type]
    except (KeyError, TypeError, ValueError) as error:
        raise Invalid(f"{setting.name} takes {_words(kind)}, not {value!r}.") from error
    if setting.check is not None:
        setting.check(str(parsed))
    if setting.choices and parsed not in setting.choices:
        raise Invalid(f"{setting.name} is one of {', '.join(setting.choices)}, not {value!r}.")
    if isinstance(parsed, int | float) and not isinstance(parsed, bool):
        if setting.lowest is not None and parsed < setting.lowest:
            raise Invalid(f"{setting.name} is at least {setting.lowest:,}.")
        if setting.highest is not None and parsed > setting.highest:
            raise Invalid(f"{setting.name} is at most {setting.highest:,}.")
    return parsed


def _words(kind: type) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number"}.get(kind, "text")
