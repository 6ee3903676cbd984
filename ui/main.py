"""The entry point `keepsake`: the command line, with the window added lazily.

Qt is imported only when the window is asked for and there is a display to show it on; the command
line only when there is something to read on it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app.default_vault import CAPTURE, RAISE, ask_window, default_path
from store.errors import KeepsakeError

COMPLETING = "_KEEPSAKE_COMPLETE"  # a shell asks with no argument, and all of it in variables


def main() -> None:
    """Exit codes: 0 done, 1 refused with a reason, 2 wrong usage."""
    if sys.argv[1:2] == ["hook"] and not {"--help", "-h"} & set(sys.argv):
        # A coding agent waits for this at every prompt: it does without the command line.
        from app.hooks import quick

        if sys.argv[2:3] != [quick.HELPER]:
            sys.exit(quick.main(sys.argv[2:]))
    bare = len(sys.argv) == 1 and COMPLETING not in os.environ
    sys.exit(open_window(None, False) if bare else _command_line())


def _command_line() -> int:
    import click

    from app.cli import command

    try:
        code = command.build(open_window)(prog_name="keepsake", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.Abort:
        _say("Stopped; nothing was changed.")
        return 1
    except click.UsageError as error:
        error.show()
        return 2
    except click.ClickException as error:
        _say(command.harmless(error.message))
        return 1
    except KeepsakeError as error:
        _say(command.harmless(str(error)))
        return 1
    except BrokenPipeError:
        os._exit(0)  # the reader of a pipe left; flushing at exit would complain about it


def open_window(vault: Path | None, ephemeral: bool, capture: bool = False) -> int:
    """Shows the window, or has the one that shows this vault come forward. With `capture` it is
    asked for quick capture."""
    if not has_display():
        _say(
            "There is no display to open the window on; `keepsake serve` runs without one, "
            "and `keepsake --help` lists the rest."
        )
        return 2
    if not ephemeral and ask_window(vault or default_path(), CAPTURE if capture else RAISE):
        return 0
    from ui.window.startup import run

    return run(vault, ephemeral, capture=capture)


def has_display() -> bool:
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _say(sentence: str) -> None:
    sys.stderr.write(f"keepsake: {sentence}\n")


if __name__ == "__main__":
    main()
