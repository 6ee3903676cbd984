"""Where a vault is when nobody says, and the window that shows it: kept apart, so that asking costs
no other import."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import platformdirs

APP = "keepsake"
RAISE, CAPTURE = "raise", "capture"  # what a running window is asked for
# What a Wayland desktop gives to whom the person started, and takes for leave to come forward.
ACTIVATION = "XDG_ACTIVATION_TOKEN"
ASK_SECONDS = 1.0
SOCKET_BYTES = 100  # the longest path of a socket is 104 bytes here and 108 there


def named_path() -> Path | None:
    """The vault that the variable `KEEPSAKE_VAULT` names."""
    named = os.environ.get("KEEPSAKE_VAULT")
    return Path(named) if named else None


def default_path() -> Path:
    """`KEEPSAKE_VAULT`, or the vault in the user's data folder."""
    return named_path() or usual_path()


def usual_path() -> Path:
    """The vault in the user's data folder: what a program opens that is told of no other, now and
    whenever somebody else starts it."""
    return Path(platformdirs.user_data_path(APP)) / "vault.db"


def log_file() -> Path:
    """Where the window notes its faults: which and where in the program, never a text of yours."""
    return Path(platformdirs.user_log_path(APP)) / "window.log"


def runtime_folder() -> Path:
    """`KEEPSAKE_RUNTIME`, or the system's place for things that live as long as a login."""
    named = os.environ.get("KEEPSAKE_RUNTIME")
    if named:
        return Path(named)
    with warnings.catch_warnings():
        # Without a login's own folder it names one in the temporary folder and says so; ours is
        # private there too.
        warnings.simplefilter("ignore")
        return Path(platformdirs.user_runtime_path(APP))


def private_runtime_folder() -> Path:
    """The same, made if it is not there; only this user may enter it."""
    folder = runtime_folder()
    folder.mkdir(parents=True, exist_ok=True)
    if os.name == "posix":
        folder.chmod(0o700)
    return folder


def announcement(kind: str, vault: Path, folder: Path | None = None) -> Path:
    """The file in which a process says that it serves this vault: `api`, or `hooks`."""
    name = blake2b(str(vault.resolve()).encode(), digest_size=8).hexdigest()
    return (folder or runtime_folder()) / f"{kind}-{name}.json"


def window_name(vault: Path) -> str:
    """The name of a vault's window: a socket in a folder that only this user may enter, or anybody
    could take the name first. Windows has no such folder; its pipes carry the user's rights."""
    digest = blake2b(str(vault.resolve()).encode(), digest_size=8).hexdigest()
    name = f"keepsake-{digest}"
    return name if sys.platform == "win32" else str(_window_folder(name) / name)


def _window_folder(name: str) -> Path:
    """The runtime folder; where its path is longer than a socket's may be, one of this user in the
    system's place for what is temporary."""
    folder = runtime_folder()
    if len(os.fsencode(folder / name)) <= SOCKET_BYTES:
        return folder
    return Path("/tmp") / f"{APP}-{os.getuid()}"


def private_window_name(vault: Path) -> str:
    """The same, in a folder that is made for it. Raises OSError where it belongs to somebody else,
    who may listen there in our place."""
    name = window_name(vault)
    if sys.platform != "win32":
        folder = Path(name).parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder != runtime_folder() and folder.lstat().st_uid != os.getuid():
            raise PermissionError(f"{folder} belongs to somebody else")
        folder.chmod(0o700)
    return name


def ask_window(vault: Path, wish: str) -> bool:
    """Asks the window that shows this vault to come forward (RAISE) or for quick capture (CAPTURE);
    says whether there is one. It hears one line: the wish, and leave of the desktop's."""
    line = f"{wish} {os.environ.get(ACTIVATION, '')}".strip() + "\n"
    with suppress(OSError):
        if sys.platform == "win32":
            with Path(rf"\\.\pipe\{window_name(vault)}").open("wb", buffering=0) as pipe:
                pipe.write(line.encode())
            return True
        import socket  # most who ask where a vault is ask no window

        with socket.socket(socket.AF_UNIX) as running:
            running.settimeout(ASK_SECONDS)
            running.connect(private_window_name(vault))
            running.sendall(line.encode())
            return True
    return False
