"""How clients are told to start `keepsake mcp`: the right snippet for each, or merged into the
client's own file, with a backup, leaving everything else in it as it was.

Clients differ: `mcpServers` or `servers` in JSON, a table in TOML.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import Invalid, Refused
from store.instants import Instant

NAME = "keepsake"
TOKEN = "KEEPSAKE_TOKEN"
PLACEHOLDER = "<the agent's token>"
_TABLE = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Launch:
    """How the client starts us."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Client:
    """One program that speaks MCP, and how it wants to be told."""

    name: str
    label: str
    config_file: Callable[[], Path] | None
    section: str = "mcpServers"
    typed: bool = False  # wants `"type": "stdio"`
    toml: bool = False
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    path: Path
    backup: Path | None  # None: there was no file before


def _config_home() -> Path:
    """Where programs keep their settings on this system."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _claude_home() -> Path:
    return Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home())


def _codex_home() -> Path:
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")


CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-desktop",
            "Claude Desktop",
            lambda: _config_home() / "Claude" / "claude_desktop_config.json",
            next_step="Quit and reopen Claude Desktop.",
        ),
        Client(
            "claude-code",
            "Claude Code",
            lambda: _claude_home() / ".claude.json",
            typed=True,
            next_step="Start a new session; /mcp shows it.",
        ),
        Client(
            "cursor",
            "Cursor",
            lambda: Path.home() / ".cursor" / "mcp.json",
            next_step="Cursor asks to enable it.",
        ),
        Client(
            "vscode",
            "VS Code",
            lambda: _config_home() / "Code" / "User" / "mcp.json",
            section="servers",
            typed=True,
            next_step="Run “MCP: List Servers” and start it.",
        ),
        Client(
            "codex",
            "Codex",
            lambda: _codex_home() / "config.toml",
            section="mcp_servers",
            toml=True,
            next_step="Start a new session.",
        ),
        Client("json", "Any other client", None),
    )
}


def client_of(name: str) -> Client:
    if name not in CLIENTS:
        raise Invalid(f"There is no client {name!r}. There are: {', '.join(CLIENTS)}.")
    return CLIENTS[name]


def launch(token: str, options: tuple[str, ...] = ()) -> Launch:
    """The command that starts this very Keepsake, whatever the client's PATH is."""
    command, *args = program("mcp")
    return Launch(command, (*args, *options), {TOKEN: token})


def program(*arguments: str) -> list[str]:
    """The words that run this very Keepsake with these arguments."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    beside = Path(sys.executable).with_name("keepsake.exe" if os.name == "nt" else NAME)
    found = str(beside) if beside.exists() else shutil.which(NAME)
    if found:
        return [found, *arguments]
    return [sys.executable, "-m", "ui.main", *arguments]


def entry_of(client: Client, start: Launch) -> dict[str, Any]:
    kind = {"type": "stdio"} if client.typed else {}
    return {**kind, "command": start.command, "args": list(start.args), "env": dict(start.env)}


def snippet(client: Client, start: Launch) -> str:
    """What to put into the client's file, ready to paste."""
    if client.toml:
        return toml_table(client.section, entry_of(client, start))
    shown = {client.section: {NAME: entry_of(client, start)}}
    return json.dumps(shown, indent=2, ensure_ascii=False) + "\n"


# What a file becomes. Pure.


def merged(client: Client, text: str, start: Launch) -> str:
    """The file's text with us in it, everything else unchanged. Raises Refused."""
    entry = entry_of(client, start)
    if client.toml:
        rest = without_table(text, f"{client.section}.{NAME}")
        table = toml_table(client.section, entry)
        after = f"{rest.rstrip()}\n\n{table}" if rest.strip() else table
        return _checked_toml(client, text, after, entry)
    document = _json(text)
    servers = document.setdefault(client.section, {})
    if not isinstance(servers, dict):
        raise Refused(f"Its {client.section!r} is not an object; it was left alone.")
    servers[NAME] = entry
    return _dumped(document, text)


def removed(client: Client, text: str) -> str | None:
    """The file's text without us; None when we are not in it. Raises Refused."""
    if client.toml:
        after = without_table(text, f"{client.section}.{NAME}")
        return None if after == text else _checked_toml(client, text, after, None)
    document = _json(text)
    servers = document.get(client.section)
    if not isinstance(servers, dict) or NAME not in servers:
        return None
    del servers[NAME]
    if not servers:
        del document[client.section]
    return _dumped(document, text)


def token_in(client: Client, text: str) -> str | None:
    """The token a file already holds for us."""
    try:
        document: Any = _toml(text) if client.toml else _json(text)
        token = document[client.section][NAME]["env"][TOKEN]
    except (Refused, KeyError, TypeError):
        return None
    return token if isinstance(token, str) else None


def _json(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        document = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_no_doubles)
    except (ValueError, RecursionError) as error:
        raise Refused(
            f"It is not plain JSON ({error}); comments in it would be lost, so it was left alone."
        ) from error
    if not isinstance(document, dict):
        raise Refused("It does not hold a JSON object, so it was left alone.")
    return document


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands in it twice")
    return found


def _dumped(document: dict[str, Any], like: str) -> str:
    """JSON indented as the file was."""
    indent = re.search(r"^([ \t]+)\S", like, re.MULTILINE)
    text = json.dumps(document, indent=indent[1] if indent else 2, ensure_ascii=False)
    return text + ("\n" if like.endswith("\n") or not like.strip() else "")


def toml_table(section: str, entry: Mapping[str, Any]) -> str:
    env = ", ".join(f"{name} = {_quoted(value)}" for name, value in entry["env"].items())
    args = ", ".join(_quoted(arg) for arg in entry["args"])
    return (
        f"[{section}.{NAME}]\n"
        f"command = {_quoted(entry['command'])}\n"
        f"args = [{args}]\n"
        f"env = {{ {env} }}\n"
    )


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are a subset of its own."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def without_table(text: str, name: str) -> str:
    """TOML without a table and the tables in it; every other line as it was."""
    kept: list[str] = []
    ours = False
    for line in text.splitlines(keepends=True):
        header = _TABLE.match(line)
        if header:
            parts = [part.strip().strip("\"'") for part in header[1].split(".")]
            ours = parts[: name.count(".") + 1] == name.split(".")
        if not ours:
            kept.append(line)
    return "".join(kept)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"It is not valid TOML ({error}), so it was left alone.") from error


def _checked_toml(client: Client, before: str, after: str, entry: dict[str, Any] | None) -> str:
    """`after`, once it is sure that only our own table differs."""
    wanted = _toml(before)
    servers = wanted.setdefault(client.section, {})
    servers.pop(NAME, None)
    if entry is not None:
        servers[NAME] = entry
    found = _toml(after)
    found.setdefault(client.section, {})
    if found != wanted:
        raise Refused("It is written in a way that cannot be changed safely; it was left alone.")
    return after


# Files


def config_path(client: Client, file: Path | None = None) -> Path:
    if file is not None:
        return file
    if client.config_file is None:
        raise Invalid("Which file? Name it with --file, or leave --write out to see the snippet.")
    return client.config_file()


def read_config(path: Path) -> str:
    """Its text; empty when there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"{path} cannot be read: {error}") from error


def write_config(path: Path, text: str, now: Instant) -> Written:
    """Whole or not at all, the old file kept beside it. A link stays a link."""
    target = path.resolve()
    backup: Path | None = None
    mode = 0o600  # it holds a token: nobody else's business, whatever it was before
    try:
        if target.exists():
            stamp = re.sub(r"\D", "", now)
            backup = target.with_name(f"{target.name}.{stamp}.backup")
            shutil.copy2(target, backup)
            backup.chmod(mode)
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{target.name}.{os.getpid()}.new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            fresh.replace(target)
        except BaseException:
            with suppress(OSError):
                fresh.unlink()
            raise
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}. It was left alone.") from error
    return Written(path, backup)
