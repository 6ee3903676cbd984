"""`keepsake hook CLIENT EVENT`: what runs at every prompt of a coding agent.

It answers through a process that has the vault open already, where there is one, and opens the
vault itself otherwise. Whatever happens it ends with 0 and says nothing but its answer: a client
must not notice that memory is missing. What went wrong is noted in a log of ours."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from app.default_vault import announcement, default_path
from app.hooks.calls import (
    ANSWERED,
    CLIENTS,
    EVENTS,
    PROMPT,
    SESSION_START,
    HookAnswer,
    HookCall,
    read_call,
    write_answer,
)
from app.hooks.folder import HookFolder

HELPER = "helper"
SECONDS = {SESSION_START: 10.0, PROMPT: 4.0}
OTHER_SECONDS = 2.0
ASK_SECONDS = 1.5


class NoMemory(Exception):
    """Why a hook has nothing to say; its text is for the person."""


def main(words: list[str]) -> int:
    """Always 0. `words` are those after `hook`."""
    client, event, options = _read_words(words)
    _end_within(SECONDS.get(event, OTHER_SECONDS))
    try:
        answer = _answered(client, event, options)
        if answer:
            sys.stdout.write(answer)
            sys.stdout.flush()
    except BaseException as error:
        _note(client, event, options, error)
    return 0


def _answered(client: str, event: str, options: dict[str, str]) -> str:
    if client not in CLIENTS or event not in EVENTS:
        raise NoMemory(
            f"keepsake hook takes a client ({', '.join(CLIENTS)}) and an event "
            f"({', '.join(EVENTS)}); it was called with {client!r} and {event!r}."
        )
    text = "" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read().decode()
    call = read_call(client, event, options.get("agent", ""), text, os.getcwd())  # noqa: PTH109
    vault = _vault(options)
    _check_there(vault)
    if event in ANSWERED:
        return write_answer(call, _asked(call, vault))
    _leave(call, vault)
    return ""


def _asked(call: HookCall, vault: Path) -> HookAnswer:
    """From who has the vault open, else from here."""
    running = announced(vault)
    if running is not None:
        answer = ask(running, {"call": call})
        if answer is not None:
            return HookAnswer(str(answer.get("context", "")), str(answer.get("message", "")))
    from app.hooks.answers import answer_alone  # opens the vault: only where nobody has it open

    answered = answer_alone(call, vault)
    start_helper(vault)
    return answered


def _leave(call: HookCall, vault: Path) -> None:
    """Note what is to be read, and see that somebody reads it."""
    if not call.transcript and not call.turns:
        return
    item = {"kind": "transcript", "at": time.time(), **call._asdict()}
    HookFolder(vault).queue(f"{call.client} {call.session or call.transcript}", item)
    running = announced(vault)
    if running is None or ask(running, {"wake": True}, 0.3) is None:
        start_helper(vault)


# Who has the vault open


def announced(vault: Path) -> dict[str, Any] | None:
    """The port and the key of a process that answers hooks, by its own word."""
    path = announcement("hooks", vault)
    try:
        if os.name == "posix" and path.stat().st_uid != os.getuid():
            return None  # somebody else would hear what is asked
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) and isinstance(held.get("port"), int) else None


def ask(
    running: dict[str, Any], message: dict[str, Any], seconds: float = ASK_SECONDS
) -> dict[str, Any] | None:
    """None when nobody answers in time."""
    import socket

    try:
        with socket.create_connection(("127.0.0.1", running["port"]), seconds) as connection:
            connection.settimeout(seconds)
            connection.sendall(json.dumps({**message, "key": running.get("key")}).encode() + b"\n")
            with connection.makefile("rb") as file:
                answer = json.loads(file.readline() or b"null")
    except (OSError, ValueError):
        return None
    return answer if isinstance(answer, dict) and not answer.get("failed") else None


def start_helper(vault: Path) -> None:
    """A short-lived process that answers the next prompts and learns from what was said. It ends by
    itself, and at once when there is one already."""
    if os.environ.get("KEEPSAKE_HOOK_HELPER") == "0":
        return
    import subprocess

    program = sys.orig_argv[: len(sys.orig_argv) - len(sys.argv[1:])]
    detached: dict[str, Any] = {"start_new_session": True}
    if os.name == "nt":
        detached = {"creationflags": 0x00000008 | 0x00000200}  # detached, a group of its own
    quiet = subprocess.DEVNULL
    subprocess.Popen(
        [*program, "hook", HELPER, "--vault", str(vault.resolve())],
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        close_fds=True,
        **detached,
    )


# Parts


def _read_words(words: list[str]) -> tuple[str, str, dict[str, str]]:
    """The client, the event, and --agent and --vault with their values."""
    plain: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            options[name] = value or next(rest, "")
        else:
            plain.append(word)
    client, event = [*plain, "", ""][:2]
    return client, event, options


def _vault(options: dict[str, str]) -> Path:
    named = options.get("vault")
    return Path(named) if named else default_path()


def _check_there(vault: Path) -> None:
    """A hook makes no vault: where there is none, there is nothing to tell."""
    try:
        if vault.stat().st_size:
            return
    except OSError:
        pass
    raise NoMemory(f"There is no vault at {vault}. Open Keepsake once, or name it with --vault.")


def _note(client: str, event: str, options: dict[str, str], error: BaseException) -> None:
    try:
        sentence = str(error) or type(error).__name__
        HookFolder(_vault(options)).note_trouble(client, event, sentence)
    except Exception:
        return  # there is nowhere to say it


def _end_within(seconds: float) -> None:
    """Ends this process, whatever it hangs in."""
    from _thread import start_new_thread

    def wait() -> None:
        time.sleep(seconds)
        os._exit(0)

    start_new_thread(wait, ())
