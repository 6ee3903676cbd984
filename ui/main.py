"""The entry point `keepsake`: the command line, with the window added lazily.

Qt is imported only when the window is asked for and there is a display to show it on."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from app.cli.root import build
from store.errors import KeepsakeError


def main() -> None:
    """Exit codes: 0 done, 1 refused with a reason, 2 wrong usage."""
    try:
        code = build(open_window)(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.Abort:
        _say("Stopped; nothing was changed.")
        sys.exit(1)
    except click.UsageError as error:
        error.show()
        sys.exit(2)
    except click.ClickException as error:
        _say(error.message)
        sys.exit(1)
    except KeepsakeError as error:
        _say(str(error))
        sys.exit(1)
    except BrokenPipeError:
        os._exit(0)  # the reader of a pipe left; flushing at exit would complain about it


def open_window(vault: Path | None, ephemeral: bool) -> int:
    if not has_display():
        _say(
            "There is no display to open the window on; `keepsake serve` runs without one, "
            "and `keepsake --help` lists the rest."
        )
        return 2
    from ui.window import run

    return run(vault, ephemeral)


def has_display() -> bool:
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _say(sentence: str) -> None:
    click.echo(f"keepsake: {sentence}", err=True)


if __name__ == "__main__":
    main()
