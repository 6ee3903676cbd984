"""The surroundings of the tests: the same on every machine, and nobody's own.

What is a person's own (home, runtime folder, keyring, session bus, display, settings of Qt) is
never reached. The zone, the language and the fonts are the machine's, and the product has to bear
any of them: they are pinned too, unless the tests are run with `--as-is`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOMES = (
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
)
OURS = (
    "KEEPSAKE_VAULT",
    "KEEPSAKE_KEY",
    "KEEPSAKE_KEY_FILE",
    "KEEPSAKE_RUNTIME",
    "KEEPSAKE_TOKEN",
    "KEEPSAKE_OWNER_TOKEN",
    "KEEPSAKE_HOOK_HELPER",
)
CLIENTS = (  # where programs of others keep their settings, which connecting writes
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
    "OPENCODE_CONFIG_DIR",
)
TEMPORARY = ("TMPDIR", "TEMP", "TMP")  # Qt puts local sockets there
PERSONAL = (
    "DISPLAY",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "COLUMNS",
    "LINES",
    "ORT_DISABLE_TELEMETRY",
    "DESKTOP_SESSION",
    "NO_COLOR",
    "FORCE_COLOR",
    "ALL_PROXY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)
FAMILIES = ("QT_", "QML_", "XDG_", "KDE_", "GNOME_", "GTK_", "WAYLAND_", "DBUS_", "GIT_")
ALWAYS = {
    "QT_QPA_PLATFORM": "offscreen",
    # macOS and Windows reach theirs without a bus: that there is none is not enough.
    "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    "GIT_CONFIG_NOSYSTEM": "1",
}
LOCALE = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
NO_FONTS = Path(__file__).with_name("no_fonts.conf")  # the window brings its own


def pin(as_is: bool) -> Path:
    """Makes this process, and all it starts, a stranger on this machine; the folder that is
    everything's home until a test has its own. `leave` removes it."""
    _forget((*PERSONAL, *OURS, *CLIENTS), FAMILIES)
    # Named before TMPDIR is another: pytest keeps the folders of its last runs in the usual place.
    folder = Path(tempfile.mkdtemp(prefix="keepsake-tests-")).resolve()
    os.environ |= ALWAYS | dict.fromkeys(TEMPORARY, str(folder)) | dict.fromkeys(HOMES, str(folder))
    os.umask(0o022)
    if not as_is:
        _pin_the_machine()
    return folder


def leave(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _pin_the_machine() -> None:
    _forget(("LANG", "LANGUAGE"), ("LC_", "FONTCONFIG_", "PANGO_", "FREETYPE_"))
    os.environ |= LOCALE | {"FONTCONFIG_FILE": str(NO_FONTS)}
    _set_zone("UTC")


def _forget(names: tuple[str, ...], families: tuple[str, ...]) -> None:
    for name in [*os.environ]:
        if name in names or name.startswith(families):
            del os.environ[name]


@contextmanager
def zone(name: str) -> Iterator[None]:
    """Meanwhile it is `name`'s time here, and for every process that is started."""
    before = os.environ.get("TZ")
    _set_zone(name)
    try:
        yield
    finally:
        _set_zone(before)


def _set_zone(name: str | None) -> None:
    if name is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = name
    if hasattr(time, "tzset"):
        time.tzset()
