"""Answers the hooks of a vault that is open here, and takes what they left.

A hook is a new process at every prompt; a model and a matrix of vectors are not loaded for each. So
whoever has the vault open listens on loopback and says where, with a key, in the private folder of
the login. Who can read that file can open the vault as well."""

from __future__ import annotations

import hmac
import json
import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from app.care.vault_key import key_was_typed
from app.default_vault import announcement, private_runtime_folder
from app.errors import KeepsakeError
from app.hooks.answers import HookAnswers
from app.hooks.calls import HookCall
from app.hooks.folder import HookFolder
from app.hooks.intake import Intake
from app.hooks.kept_memories import MemoryLists
from app.hooks.quick import announced, ask
from app.markdown.projection import Projections
from store.instants import to_instant
from store.tables import change_log, settings

if TYPE_CHECKING:
    from app.vault import Vault

LOOK_SECONDS = 15.0
SOON_SECONDS = 3.0  # while something waits that is not due yet
LINE_BYTES = 2_000_000
READ_SECONDS = 1.0

_log = logging.getLogger("keepsake.hooks")


class HookService:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._answers = HookAnswers(vault)
        self._intake = Intake(vault)
        self._lists = MemoryLists(vault)
        self._wake = threading.Event()
        self._key = secrets.token_urlsafe(24)
        # Up to which change, without which tags and in which hour the files of projects were
        # written: a memory may end, and be settled against another, without a change.
        self._projected = (-1, "", "")
        self._seen = time.time()  # of troubles: those before this are not news
        self.last_called = time.monotonic()

    @property
    def idle(self) -> float:
        """Seconds since the last call, 0 while something waits to be taken."""
        return 0.0 if self._intake.waits else time.monotonic() - self.last_called

    def wake(self) -> None:
        """Look now."""
        self._wake.set()

    def run(
        self, stop: threading.Event, notify: Callable[[str], None] = lambda notice: None
    ) -> None:
        """Until `stop` is set, for a thread of its own."""
        listener: socket.socket | None = None
        try:
            while not stop.is_set():
                listener = listener or self._listening()
                self._take(notify)
                self.project(notify)
                self._sync_lists(notify)
                for trouble in self._troubles():
                    notify(trouble)
                self._wake.wait(SOON_SECONDS if self._intake.waits else LOOK_SECONDS)
                self._wake.clear()
        finally:
            if listener is not None:
                self._withdraw()
                with suppress(OSError):  # closing alone does not wake who waits for a call
                    listener.shutdown(socket.SHUT_RDWR)
                listener.close()
                self._serving.join(READ_SECONDS)

    def _take(self, notify: Callable[[str], None]) -> None:
        try:
            self._intake.take_queue(notify)
        except KeepsakeError as error:
            _log.warning("What hooks left could not be taken: %s", error)

    def project(self, notify: Callable[[str], None] = lambda notice: None) -> None:
        """Memories that stand in files of projects follow the vault, and what is muted."""
        try:
            with self._vault.database.read() as db:
                muted, hour = settings.text(db, "muted_tags"), to_instant(self._vault.clock())[:13]
                state = change_log.last_seq(db), muted, hour
            if state != self._projected:
                self._projected = state
                Projections(self._vault.database, self._vault.clock).refresh()
        except KeepsakeError as error:
            notify(f"The memories in a project's files could not be brought up to date: {error}")

    def _sync_lists(self, notify: Callable[[str], None]) -> None:
        """The lists that agents keep themselves, and the vault, follow each other."""
        try:
            self._lists.sync()
        except KeepsakeError as error:
            notify(f"A list of memories that an agent keeps was left alone: {error}")

    def _troubles(self) -> list[str]:
        """What kept a hook from answering since the last look, each once."""
        found = HookFolder(self._vault.path).troubles(self._seen)
        if found:
            self._seen = max(float(one["at"]) for one in found)
        return list(
            dict.fromkeys(
                f"The hook of {one['client']} said nothing: {one['sentence']}" for one in found
            )
        )

    # Listening

    def _listening(self) -> socket.socket | None:
        """None while another process answers already, or where nothing can be announced; and where
        the vault's key was typed: a hook brings no token, so any program could ask."""
        if key_was_typed():
            return None
        there = announced(self._vault.path)
        if there is not None and ask(there, {"ping": True}, READ_SECONDS) is not None:
            return None
        try:
            private_runtime_folder()
            listener = socket.create_server(("127.0.0.1", 0))
            self._announce(listener.getsockname()[1])
        except OSError as error:
            _log.warning("Hooks cannot be answered: %s", error)
            return None
        self._serving = threading.Thread(
            target=self._serve, args=(listener,), name="hook-calls", daemon=True
        )
        self._serving.start()
        return listener

    def _announce(self, port: int) -> None:
        path = announcement("hooks", self._vault.path)
        fresh = path.with_suffix(f".{os.getpid()}.new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"port": port, "key": self._key, "pid": os.getpid()}, file)
        fresh.replace(path)

    def _withdraw(self) -> None:
        there = announced(self._vault.path)
        if there is not None and there.get("key") == self._key:
            announcement("hooks", self._vault.path).unlink(missing_ok=True)

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return  # it was closed
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError, ValueError):
            connection.settimeout(READ_SECONDS)
            with connection.makefile("rb") as file:
                asked = json.loads(file.readline(LINE_BYTES))
            if isinstance(asked, dict) and hmac.compare_digest(str(asked.get("key")), self._key):
                connection.sendall(json.dumps(self._answered(asked)).encode() + b"\n")

    def _answered(self, asked: dict[str, Any]) -> dict[str, Any]:
        if "call" not in asked:
            if asked.get("wake"):
                self.last_called = time.monotonic()
                self._wake.set()
            return {"pid": os.getpid()}
        self.last_called = time.monotonic()
        call = HookCall(*asked["call"])
        try:
            answer = self._answers.answer(call)
        except KeepsakeError as error:
            HookFolder(self._vault.path).note_trouble(call.client, call.event, str(error))
            return {"context": "", "message": ""}
        self._wake.set()
        return answer._asdict()
