"""How clients are told to start `keepsake mcp`: the right snippet for each, or merged into the
client's own file, with a backup, leaving everything else in it as it was.

Clients differ: the names of sections and fields, and JSON, TOML or YAML around them. A test keeps
each shape as it is documented.
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

from app.access.agents import TOKEN_VARIABLE
from app.connect import settings_text
from app.errors import Invalid, Refused
from store.instants import Instant

NAME = "keepsake"
PLACEHOLDER = "<the agent's token>"
_UNSAFE = "It is written in a way that cannot be changed safely; it was left alone."
_TABLE = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Launch:
    """How the client starts us."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]


AUTOMATIC, GUIDED, BY_HAND = "automatic", "guided", "by hand"
"""How much a client does by itself: it is told its memory by hooks; its model asks, through tools
that `connect` writes into its settings; its person pastes the settings."""


@dataclass(frozen=True, slots=True)
class Client:
    """One program that speaks MCP, and how it wants to be told. `shape` names the fields of an
    entry, `form` the file's language."""

    name: str
    label: str
    config_file: Callable[[], Path] | None
    section: str = "mcpServers"
    shape: str = "plain"
    form: str = "json"
    level: str = GUIDED
    next_step: str = ""
    home: Callable[[], Path] | None = None  # its folder, where that is not the file's
    program: str = ""  # what starts it, where that is on the PATH

    @property
    def toml(self) -> bool:
        return self.form == "toml"

    def is_here(self) -> bool:
        """Whether the program seems to be used on this machine: its folder is there."""
        if self.config_file is None:
            return False
        return self.folder().is_dir()

    def folder(self) -> Path:
        """Where it keeps its own things. Only of those that have a file."""
        assert self.config_file is not None
        return self.home() if self.home else self.config_file().parent


@dataclass(frozen=True, slots=True)
class Written:
    path: Path
    backup: Path | None  # None: there was no file before


def config_home() -> Path:
    """Where programs keep their settings on this system."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _in_home(*parts: str) -> Path:
    return Path.home().joinpath(*parts)


def claude_home() -> Path:
    """Where Claude Code keeps settings and sessions."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else _in_home(".claude")


def codex_home() -> Path:
    return Path(os.environ.get("CODEX_HOME") or _in_home(".codex"))


def gemini_home() -> Path:
    return Path(os.environ.get("GEMINI_CLI_HOME") or Path.home()) / ".gemini"


def cursor_home() -> Path:
    return _in_home(".cursor")


def opencode_home() -> Path:
    """It keeps to the XDG folders on every system."""
    named = os.environ.get("OPENCODE_CONFIG_DIR")
    xdg = Path(os.environ.get("XDG_CONFIG_HOME") or _in_home(".config"))
    return Path(named) if named else xdg / "opencode"


def xdg(*parts: str) -> Path:
    """For programs that keep to ~/.config where others have a place of the system's own."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or _in_home(".config"))
    return (config_home() if sys.platform == "win32" else home).joinpath(*parts)


def _claude_file() -> Path:
    """Its servers stand beside its folder, or inside one that was named."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(named) if named else Path.home()) / ".claude.json"


def _extension(name: str, file: str) -> Path:
    code = config_home() / "Code" / "User" / "globalStorage"
    return code / name / "settings" / file


def _zed() -> Path:
    return xdg("Zed" if sys.platform == "win32" else "zed", "settings.json")


def _goose() -> Path:
    if sys.platform == "win32":
        return config_home() / "Block" / "goose" / "config" / "config.yaml"
    return xdg("goose", "config.yaml")


_NEW_SESSION = "Start a new session."
CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client(
            "claude-desktop",
            "Claude Desktop",
            lambda: config_home() / "Claude" / "claude_desktop_config.json",
            next_step="Quit and reopen Claude Desktop.",
        ),
        Client(
            "claude-code",
            "Claude Code",
            _claude_file,
            shape="typed, loaded",
            level=AUTOMATIC,
            next_step="Start a new session; /mcp shows it.",
            home=claude_home,
            program="claude",
        ),
        Client(
            "cursor",
            "Cursor",
            lambda: cursor_home() / "mcp.json",
            level=AUTOMATIC,
            next_step="Cursor asks to enable it.",
            program="cursor",
        ),
        Client(
            "vscode",
            "VS Code",
            lambda: config_home() / "Code" / "User" / "mcp.json",
            section="servers",
            shape="typed",
            next_step="Run “MCP: List Servers” and start it.",
            program="code",
        ),
        Client(
            "codex",
            "Codex",
            lambda: codex_home() / "config.toml",
            section="mcp_servers",
            shape="required",
            form="toml",
            level=AUTOMATIC,
            next_step=_NEW_SESSION,
            program="codex",
        ),
        Client(
            "gemini",
            "Gemini CLI",
            lambda: gemini_home() / "settings.json",
            level=AUTOMATIC,
            next_step=_NEW_SESSION,
            program="gemini",
        ),
        Client(
            "opencode",
            "opencode",
            lambda: opencode_home() / "opencode.json",
            section="mcp",
            shape="one command",
            level=AUTOMATIC,
            next_step=_NEW_SESSION,
            program="opencode",
        ),
        Client(
            "windsurf",
            "Windsurf",
            lambda: _in_home(".codeium", "windsurf", "mcp_config.json"),
            next_step="Refresh the list of MCP servers.",
            program="windsurf",
        ),
        Client("zed", "Zed", _zed, section="context_servers", program="zed"),
        Client(
            "goose",
            "Goose",
            _goose,
            section="extensions",
            shape="goose",
            form="yaml",
            next_step=_NEW_SESSION,
            program="goose",
        ),
        Client(
            "amp",
            "Amp",
            lambda: xdg("amp", "settings.json"),
            section="amp.mcpServers",
            next_step=_NEW_SESSION,
            program="amp",
        ),
        Client(
            "copilot",
            "Copilot CLI",
            lambda: (
                Path(os.environ.get("COPILOT_HOME") or _in_home(".copilot")) / "mcp-config.json"
            ),
            shape="local with tools",
            next_step=_NEW_SESSION,
            program="copilot",
        ),
        Client(
            "cline",
            "Cline",
            lambda: _extension("saoudrizwan.claude-dev", "cline_mcp_settings.json"),
            shape="disabled",
        ),
        Client(
            "roo",
            "Roo Code",
            lambda: _extension("rooveterinaryinc.roo-cline", "mcp_settings.json"),
            shape="disabled",
        ),
        Client(
            "lmstudio",
            "LM Studio",
            lambda: _in_home(".lmstudio", "mcp.json"),
            next_step="Switch it on in a chat, under Program.",
            program="lms",
        ),
        Client(
            "kiro",
            "Kiro",
            lambda: _in_home(".kiro", "settings", "mcp.json"),
            shape="disabled",
            program="kiro",
        ),
        Client(
            "continue",
            "Continue",
            lambda: _in_home(".continue", "config.yaml"),
            shape="named",
            form="yaml list",
        ),
        Client("json", "Any other client", None, level=BY_HAND),
    )
}


def clients_here() -> list[Client]:
    """Those that seem to be used on this machine."""
    return [client for client in CLIENTS.values() if client.is_here()]


def client_of(name: str) -> Client:
    if name not in CLIENTS:
        raise Invalid(f"There is no client {name!r}. There are: {', '.join(CLIENTS)}.")
    return CLIENTS[name]


def launch(token: str, options: tuple[str, ...] = ()) -> Launch:
    """The command that starts this very Keepsake, whatever the client's PATH is."""
    command, *args = program("mcp")
    return Launch(command, (*args, *options), {TOKEN_VARIABLE: token})


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
    """What the client's file says of us, in its own fields."""
    args, env = list(start.args), dict(start.env)
    usual = {"command": start.command, "args": args, "env": env}
    match client.shape:
        case "typed":
            return {"type": "stdio", **usual}
        case "typed, loaded":  # or Claude Code begins without waiting for us
            return {"type": "stdio", **usual, "alwaysLoad": True}
        case "required":  # or Codex begins its first turn without the tools
            return {**usual, "required": True}
        case "one command":
            command = [start.command, *args]
            return {"type": "local", "command": command, "environment": env, "enabled": True}
        case "local with tools":
            return {"type": "local", **usual, "tools": ["*"]}
        case "disabled":
            return {**usual, "disabled": False}
        case "goose":
            named = {"enabled": True, "type": "stdio", "name": NAME, "cmd": start.command}
            return {**named, "args": args, "envs": env, "timeout": 300}
        case "named":
            return {"name": NAME, **usual}
    return usual


def snippet(client: Client, start: Launch) -> str:
    """What to put into the client's file, ready to paste."""
    entry = entry_of(client, start)
    if client.toml:
        return toml_table(client.section, entry)
    if client.form.startswith("yaml"):
        return merged(client, "", start)
    return json.dumps({client.section: {NAME: entry}}, indent=2, ensure_ascii=False) + "\n"


# What a file becomes. Pure.


def merged(client: Client, text: str, start: Launch) -> str:
    """The file's text with us in it, everything else unchanged. Raises Refused."""
    entry = entry_of(client, start)
    if client.toml:
        rest = without_table(text, f"{client.section}.{NAME}")
        table = toml_table(client.section, entry)
        end = "" if not rest or rest.endswith("\n") else "\n"
        after = f"{rest}{end}\n{table}" if rest else table
        return _checked_toml(client, text, after, entry)
    if client.form.startswith("yaml"):
        return settings_text.put_yaml(
            text, client.section, NAME, entry, as_list=client.form == "yaml list"
        )
    servers = settings_text.read(text).get(client.section, {})
    if not isinstance(servers, dict):
        raise Refused(f"Its {client.section!r} is not an object; it was left alone.")
    return settings_text.put(text, [client.section, NAME], entry)


def removed(client: Client, text: str) -> str | None:
    """The file's text without us; None when we are not in it. Raises Refused."""
    if client.toml:
        after = without_table(text, f"{client.section}.{NAME}")
        if after != text:
            return _checked_toml(client, text, after, None)
        if NAME in _servers_of(client, text):
            raise Refused(_UNSAFE)
        return None
    if client.form.startswith("yaml"):
        after = settings_text.remove_yaml(text, client.section, NAME)
        return None if after == text else after
    servers = settings_text.read(text).get(client.section)
    if not isinstance(servers, dict) or NAME not in servers:
        return None
    without = settings_text.remove(text, [client.section, NAME])
    return without if len(servers) > 1 else settings_text.remove(without, [client.section])


def token_in(client: Client, text: str) -> str | None:
    """The token a file already holds for us."""
    try:
        if client.form.startswith("yaml"):
            entry: Any = settings_text.yaml_entry(text, client.section, NAME)
        else:
            document = _toml(text) if client.toml else settings_text.read(text)
            entry = document[client.section][NAME]
        env = next(entry[name] for name in ("env", "environment", "envs") if name in entry)
        token = env[TOKEN_VARIABLE]
    except (Refused, KeyError, TypeError, StopIteration):
        return None
    return token if isinstance(token, str) else None


def toml_table(section: str, entry: Mapping[str, Any]) -> str:
    env = ", ".join(f"{name} = {_quoted(value)}" for name, value in entry["env"].items())
    args = ", ".join(_quoted(arg) for arg in entry["args"])
    return (
        f"[{section}.{NAME}]\n"
        f"command = {_quoted(entry['command'])}\n"
        f"args = [{args}]\n"
        f"env = {{ {env} }}\n"
        f"{'required = true' + chr(10) if entry.get('required') else ''}"
    )


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are a subset of its own."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def without_table(text: str, name: str) -> str:
    """TOML without a table and the tables in it, nor the empty line that set it off at the end;
    every other line as it was."""
    kept: list[str] = []
    ours = False
    for line in text.splitlines(keepends=True):
        header = _TABLE.match(line)
        if header:
            parts = [part.strip().strip("\"'") for part in header[1].split(".")]
            ours = parts[: name.count(".") + 1] == name.split(".")
        if not ours:
            kept.append(line)
    if ours and kept and not kept[-1].strip():
        kept.pop()
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
    try:
        found = _toml(after)
    except Refused as error:  # the file is TOML: it is what comes in that does not go with it
        raise Refused(_UNSAFE) from error
    found.setdefault(client.section, {})
    if found != wanted:
        raise Refused(_UNSAFE)
    return after


def _servers_of(client: Client, text: str) -> Mapping[str, Any]:
    """Those in a TOML file; none where it cannot be read."""
    with suppress(Refused):
        servers = _toml(text).get(client.section)
        return servers if isinstance(servers, dict) else {}
    return {}


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


def write_config(path: Path, text: str, now: Instant, *, keep: bool = True) -> Written:
    """Whole or not at all, the old file kept beside it, if it is to be. A link stays a link, and
    lines end as they did."""
    target = path.resolve()
    backup: Path | None = None
    mode = 0o600  # it holds a token: nobody else's business, whatever it was before
    try:
        if target.exists():
            text = _ended_as(target.read_bytes(), text)
            if keep:
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


def _ended_as(before: bytes, text: str) -> str:
    """The text with the line ends of a file in which all are Windows'."""
    windows = before.count(b"\r\n")
    return text.replace("\n", "\r\n") if windows and windows == before.count(b"\n") else text
