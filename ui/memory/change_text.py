"""What an action did, in a few words: for a toast, or a line of the activity list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from store.records import ACTIVE, TRASHED, ChangeGroup
from ui.toolkit.formatting import field_label, memories, moment_text, quoted, word_text

NAMED = 3  # more things than this are counted
LONGEST = 48  # characters of one name
NOTHING: tuple[object, ...] = (None, "", [], (), "{}")
STATES = {ACTIVE: "restored", TRASHED: "forgot"}
TIMES = frozenset(
    {"created_at", "expires_at", "true_from", "true_until", "verified_at", "stale_after"}
)
# What follows from a write, or is shown as text.
NOT_FIELDS = frozenset(
    {"content", "written_at", "created_at", "updated_at", "bytes", "source", "extra", "id"}
)


def describe(group: ChangeGroup, names: Sequence[str] = (), *, heading: bool = False) -> str:
    """`forgot diet`, `forgot 12 memories`: by name where there are few. A heading begins with a
    capital letter, but for a name, which is written as it is."""
    pattern = _patterns().get(group.action, f"{group.action}: {{what}}")
    what = memories(group.size)
    if 0 < len(names) <= NAMED:
        pattern = _named_patterns().get(group.action, pattern)
        what = ", ".join(quoted(short(name)) for name in names)
    if heading:
        pattern = f"{pattern[:1].upper()}{pattern[1:]}"
    return pattern.format(what=what)


def field_lines(before: Mapping[str, object] | None, after: Mapping[str, object] | None) -> str:
    """The fields that came out otherwise, in one paragraph: `Importance: 5 → 10`."""
    was, now = before or {}, after or {}
    new = {"state"} if before is None else set()  # what is new is there, of course
    named = [name for name in {**was, **now} if name not in NOT_FIELDS | new]
    changed = [name for name in named if was.get(name) != now.get(name)]
    lines = []
    for name in changed:
        if before is not None and was.get(name) not in NOTHING:
            lines.append(
                f"{field_label(name)}: {_plain(name, was[name])} → {_plain(name, now.get(name))}"
            )
        elif now.get(name) not in NOTHING:
            lines.append(f"{field_label(name)}: {_plain(name, now[name])}")
    return "   ".join(lines)


def _plain(name: str, value: object) -> str:
    if value in NOTHING:
        return QCoreApplication.translate("Deeds", "(nothing)")
    if isinstance(value, str) and value in STATES:
        return version_word(STATES[value])
    if name in ("category", "kind"):
        return word_text(str(value))
    if name in TIMES:
        return moment_text(str(value))
    if isinstance(value, bool):
        return "✓" if value else "–"
    if isinstance(value, Mapping):  # an agent's layers: those it has
        return ", ".join(part for key, held in value.items() if (part := _held(key, held)))
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _held(name: str, held: object) -> str:
    if isinstance(held, bool):
        return name if held else ""
    return ", ".join(map(str, held)) if isinstance(held, list | tuple) else f"{name}: {held}"


def short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def version_word(action: str) -> str:
    """What made a version of a memory or a block."""
    translate = QCoreApplication.translate
    words = {
        "created": translate("Deeds", "written"),
        "changed": translate("Deeds", "changed"),
        "edited": translate("Deeds", "edited"),
        "forgot": translate("Deeds", "forgotten"),
        "restored": translate("Deeds", "restored"),
        "removed": translate("Deeds", "removed"),
        "undone": translate("Deeds", "undone"),
        "redone": translate("Deeds", "done again"),
        "evicted": translate("Deeds", "evicted"),
        "expired": translate("Deeds", "expired"),
        "pruned": translate("Deeds", "tidied away"),
        "corrected": translate("Deeds", "corrected"),
        "merged": translate("Deeds", "merged"),
        "confirmed": translate("Deeds", "confirmed"),
        "superseded": translate("Deeds", "superseded"),
        "ended": translate("Deeds", "gone with its conversation"),
        "erased": translate("Deeds", "what was there before erased"),
    }
    return words.get(action, action)


def _patterns() -> dict[str, str]:
    return {
        "stored": QCoreApplication.translate("Deeds", "stored {what}"),
        "changed": QCoreApplication.translate("Deeds", "changed {what}"),
        "forgot": QCoreApplication.translate("Deeds", "forgot {what}"),
        "restored": QCoreApplication.translate("Deeds", "restored {what}"),
        "corrected": QCoreApplication.translate("Deeds", "corrected {what}"),
        "merged": QCoreApplication.translate("Deeds", "merged {what}"),
        "confirmed": QCoreApplication.translate("Deeds", "confirmed {what}"),
        "superseded": QCoreApplication.translate("Deeds", "said since when {what} is true"),
        "imported": QCoreApplication.translate("Deeds", "imported {what}"),
        "erased": QCoreApplication.translate("Deeds", "erased {what}"),
        "undo": QCoreApplication.translate("Deeds", "took back {what}"),
        "redo": QCoreApplication.translate("Deeds", "did again {what}"),
        "upkeep": QCoreApplication.translate("Deeds", "tidied away {what}"),
        "proposed": QCoreApplication.translate("Deeds", "proposed {what}"),
        "approved": QCoreApplication.translate("Deeds", "approved what was proposed"),
        "rejected": QCoreApplication.translate("Deeds", "rejected what was proposed"),
        "block": QCoreApplication.translate("Deeds", "wrote a block"),
        "agent": QCoreApplication.translate("Deeds", "set up an agent"),
        "configured": QCoreApplication.translate("Deeds", "changed an agent"),
        "rotated": QCoreApplication.translate("Deeds", "gave an agent a new token"),
        "revoked": QCoreApplication.translate("Deeds", "shut out an agent"),
        "started": QCoreApplication.translate("Deeds", "started a conversation"),
        "appended": QCoreApplication.translate("Deeds", "went on with a conversation"),
        "ended": QCoreApplication.translate("Deeds", "ended a conversation"),
        "renamed": QCoreApplication.translate("Deeds", "renamed a conversation"),
        "session": QCoreApplication.translate("Deeds", "wrote a session summary"),
        "learned": QCoreApplication.translate("Deeds", "learned {what}"),
        "mirrored": QCoreApplication.translate("Deeds", "took {what} from a folder"),
        "edited": QCoreApplication.translate("Deeds", "edited a passage"),
        "reloaded": QCoreApplication.translate("Deeds", "went back to a backup"),
        "pinned": QCoreApplication.translate("Deeds", "made core: {what}"),
        "unpinned": QCoreApplication.translate("Deeds", "no longer core: {what}"),
    }


def _named_patterns() -> dict[str, str]:
    """Where a name says more than the usual words have room for."""
    return {
        "approved": QCoreApplication.translate("Deeds", "approved {what}"),
        "rejected": QCoreApplication.translate("Deeds", "rejected {what}"),
        "block": QCoreApplication.translate("Deeds", "wrote the block {what}"),
        "edited": QCoreApplication.translate("Deeds", "edited {what}"),
        "agent": QCoreApplication.translate("Deeds", "set up the agent {what}"),
        "configured": QCoreApplication.translate("Deeds", "changed the agent {what}"),
        "rotated": QCoreApplication.translate("Deeds", "gave the agent {what} a new token"),
        "revoked": QCoreApplication.translate("Deeds", "shut out the agent {what}"),
        "started": QCoreApplication.translate("Deeds", "started {what}"),
        "appended": QCoreApplication.translate("Deeds", "went on with {what}"),
        "ended": QCoreApplication.translate("Deeds", "ended {what}"),
        "renamed": QCoreApplication.translate("Deeds", "renamed {what}"),
    }
