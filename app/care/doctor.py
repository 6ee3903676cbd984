"""The doctor: is the vault sound, and can what is derived be trusted?"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass

from app.text.credentials import credentials_in, redacted
from store.care import backups, checks
from store.care.checks import structure
from store.errors import Damaged, KeepsakeError
from store.file.database import (
    OLDEST_ENGINE,
    Connection,
    Database,
    check_engine,
    engine,
    header_of,
    is_plain,
)
from store.tables import erasures, vectors

_BACK_UP = "Restore a backup: keepsake backup list, then keepsake backup restore."
_FOREIGN = "Another program changed the file. " + _BACK_UP
_REBUILD = "Run keepsake doctor --rebuild; nothing of yours is touched."


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    ok: bool
    detail: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where a likely credential is: a memory by its key, a block, a turn."""

    kind: str
    what: str
    name: str
    where: str


class Doctor:
    def __init__(self, database: Database) -> None:
        self._database = database

    def examine(self) -> list[Finding]:
        """Every check, in order; a check that fails does not stop the others."""
        with self._database.rehearsal() as db:  # the word index is compared by an INSERT command
            return [
                self._engine(),
                self._checked(db, "file", checks.integrity, "the file is sound", _BACK_UP),
                self._checked(
                    db, "structure", structure, "tables and triggers are Keepsake's own", _FOREIGN
                ),
                self._checked(
                    db, "memories", checks.digests, "every memory is as written", _BACK_UP
                ),
                self._checked(
                    db, "values", checks.values, "every field holds what belongs there", _BACK_UP
                ),
                self._checked(db, "words", checks.words, "the word index matches", _REBUILD),
                self._checked(db, "order", checks.order, "tags and order match", _REBUILD),
                self._checked(db, "vectors", checks.vectors, _vectors_in_words(db), _REBUILD),
                self._permissions(),
                self._damaged(),
                self._erased(db),
                self._encryption(),
            ]

    def damage(self) -> Damaged | None:
        """Whether something that failed without a reason may have failed for the file's sake: bytes
        that nobody of ours wrote make any code stumble. What to tell the owner then."""
        try:
            return self.look_for_damage()
        except KeepsakeError:
            return None

    def look_for_damage(self) -> Damaged | None:
        """The same for who needs to know that nobody can look now: raises KeepsakeError then."""
        looked_for = (
            ("file", checks.integrity, _BACK_UP),
            ("structure", structure, _FOREIGN),
            ("values", checks.values, _BACK_UP),
            ("memories", checks.digests, _BACK_UP),
        )
        try:
            with self._database.read() as db:
                for name, check, advice in looked_for:
                    found = self._checked(db, name, check, "", advice)
                    if not found.ok:
                        # Without what was found: that may quote memory, and an agent may read this.
                        return Damaged(
                            f"{self._database.path} is damaged; keepsake doctor says where. "
                            f"{found.advice}"
                        )
        except Damaged as error:
            return error
        return None

    def secrets(self) -> list[SecretPlace]:
        """Every likely credential in memories (the trash too), blocks, conversations, channels and
        what waits for review: where it is, never what it says."""
        with self._database.read() as db:
            return [
                SecretPlace(one.kind, what, redacted(name), where)
                for what, name, where, text in checks.all_texts(db)
                for one in credentials_in(text)
            ]

    def rebuild(self) -> list[Finding]:
        """Make derived data anew, then examine."""
        checks.rebuild(self._database)
        return self.examine()

    def _engine(self) -> Finding:
        check_engine()
        least = ".".join(map(str, OLDEST_ENGINE))
        return Finding("engine", True, f"SQLite {engine.sqlite_version} (at least {least})")

    def _checked(
        self,
        db: Connection,
        name: str,
        check: Callable[[Connection], list[str]],
        fine: str,
        advice: str,
    ) -> Finding:
        try:
            problems = check(db)
        except (engine.Error, ValueError, TypeError, AttributeError, LookupError) as error:
            problems = [f"a row cannot be read: {error}"]  # of a broken page
        shown = "; ".join(problems[:5]) + (
            f" … and {len(problems) - 5} more" if problems[5:] else ""
        )
        return Finding(name, not problems, shown or fine, advice if problems else "")

    def _permissions(self) -> Finding:
        loose = [
            path.name
            for path in self._database.files
            if os.name == "posix" and path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077
        ]
        if loose:
            return Finding(
                "permissions", False, f"others may read {', '.join(loose)}", "chmod 600 them."
            )
        return Finding("permissions", True, "only you may read the vault")

    def _encryption(self) -> Finding:
        if not self._database.encrypted:
            return Finding("encryption", True, "not encrypted: keepsake encrypt does it")
        plain = [
            backup.path.name
            for backup in backups.listed(self._database.path)
            if is_plain(header_of(backup.path))
        ]
        if plain:
            return Finding(
                "encryption",
                False,
                f"encrypted, but these backups are not: {', '.join(plain)}",
                "Run keepsake encrypt --new-key, which encrypts them too, or delete them.",
            )
        return Finding("encryption", True, "the vault and its backups are encrypted")

    def _erased(self, db: Connection) -> Finding:
        """What was erased and is not gone from everywhere yet."""
        try:
            unfinished = erasures.listed(db)
        except (engine.Error, ValueError, TypeError) as error:
            return Finding(
                "erased", False, f"what is left to erase cannot be read: {error}", _BACK_UP
            )
        if not unfinished:
            return Finding("erased", True, "what was erased is gone")
        hindered = [f"{one.where} ({one.why})" for row in unfinished for one in row.hindrances]
        why = "; ".join(dict.fromkeys(hindered)) or "cut short"
        number = "1 erase is" if len(unfinished) == 1 else f"{len(unfinished)} erasures are"
        return Finding(
            "erased", False, f"{number} not finished: {why}", "keepsake upkeep goes on with it."
        )

    def _damaged(self) -> Finding:
        """Nothing is wrong with the vault for it: a reminder of what lies beside it."""
        kept = backups.damaged(self._database.path)
        logs = [path for path in kept if f".{backups.BROKEN_LOG}." in path.name]
        if logs:
            return Finding(
                "damaged",
                False,
                "what was written last before Keepsake was ended could not all be read: "
                f"{', '.join(map(str, logs))}",
                "See what is missing and write it again; then remove that file.",
            )
        if not kept:
            return Finding("damaged", True, "no damaged vault is kept")
        return Finding(
            "damaged",
            True,
            f"kept when a backup took its place: {', '.join(map(str, kept))}",
            "Remove it when you do not need it any more; nothing else does.",
        )


def _vectors_in_words(db: Connection) -> str:
    """What there is to say of vectors that are sound."""
    waiting = vectors.count_waiting(db)
    if not waiting:
        return "every memory can be found by meaning"
    whose = "1 memory waits for its vector" if waiting == 1 else f"{waiting} memories wait for one"
    return f"well formed; {whose}, made while the window or keepsake serve runs"
