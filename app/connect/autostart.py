"""Starting `keepsake serve` with the person's session, so that agents always find their memory."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from app.connect.mcp_clients import program
from app.errors import Refused

LABEL = "org.keepsake.serve"


def start_file(platform: str = sys.platform) -> Path:
    """Returns the path of the file that makes the system start Keepsake at login."""
    home = Path.home()
    if platform == "darwin":
        return home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    if platform == "win32":
        roaming = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
        startup = roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs" / "Startup"
        return startup / "keepsake.cmd"
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return config / "autostart" / "keepsake.desktop"


def is_on(platform: str = sys.platform) -> bool:
    return start_file(platform).exists()


def switch(on: bool, vault: Path | None = None, platform: str = sys.platform) -> Path:
    """Raises Refused when the file cannot be written."""
    path = start_file(platform)
    try:
        if on:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(command(vault), platform), encoding="utf-8")
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(f"{path} cannot be changed: {error.strerror}.") from error
    return path


def command(vault: Path | None = None) -> list[str]:
    named = ["--vault", str(vault.resolve())] if vault is not None else []
    return [*program("serve"), *named]


def text(words: Sequence[str], platform: str) -> str:
    """What the file says on each system."""
    if platform == "darwin":
        strings = "".join(f"<string>{escape(word)}</string>" for word in words)
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>'
            f"<key>Label</key><string>{LABEL}</string><key>ProgramArguments</key>"
            f"<array>{strings}</array><key>RunAtLoad</key><true/></dict></plist>\n"
        )
    if platform == "win32":
        quoted = " ".join(f'"{word}"' for word in words)
        return f'@echo off\r\nstart "" /min {quoted}\r\n'
    return (
        "[Desktop Entry]\nType=Application\nName=Keepsake\n"
        f"Exec={shlex.join(words)}\nX-GNOME-Autostart-enabled=true\nNoDisplay=true\n"
    )
