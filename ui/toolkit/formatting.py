"""Ages, sizes and the names of things, as people say them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from app.text.days import day_of
from app.text.words import markdown_marks, title_of
from store.instants import Instant, from_instant
from store.records import OWNER, Entry, Scope
from ui.toolkit.translation import counted

MINUTE, HOUR, DAY = 60, 3_600, 86_400
_AGENT_NAMES: dict[str, str] = {}  # by id; one window a process, as there is one language


def age(then: Instant, now: datetime) -> str:
    """`5 h`, `2 days ago`, `12 Oct`, `12 Oct 2025`: as near as is useful."""
    moment = from_instant(then)
    seconds = (now - moment).total_seconds()
    if seconds < MINUTE:
        return QCoreApplication.translate("Wording", "now")
    if seconds < HOUR:
        return QCoreApplication.translate("Wording", "{n} min").format(n=int(seconds // MINUTE))
    if seconds < DAY:
        return QCoreApplication.translate("Wording", "{n} h").format(n=int(seconds // HOUR))
    if seconds < 7 * DAY:
        return counted("%Ln days ago", int(seconds // DAY))
    return day(then, now)


def backed_up(then: Instant, now: datetime) -> str:
    seconds = (now - from_instant(then)).total_seconds()
    if seconds < MINUTE:
        return QCoreApplication.translate("Wording", "backed up just now")
    if seconds < HOUR:
        words = QCoreApplication.translate("Wording", "backed up {n} min ago")
        return words.format(n=int(seconds // MINUTE))
    if seconds < DAY:
        words = QCoreApplication.translate("Wording", "backed up {n} h ago")
        return words.format(n=int(seconds // HOUR))
    return QCoreApplication.translate("Wording", "backed up {day}").format(day=day(then, now))


def day(then: Instant, now: datetime) -> str:
    moment = from_instant(then).astimezone()
    pattern = (
        QCoreApplication.translate("Wording", "d MMM")
        if moment.year == now.astimezone().year
        else QCoreApplication.translate("Wording", "d MMM yyyy")
    )
    return QLocale().toString(local(moment), pattern)


def day_heading(then: Instant, now: datetime) -> str:
    """`Today`, `Yesterday`, `12 Oct`: the day of the clock on the wall."""
    days = (day_of(now) - day_of(from_instant(then))).days
    if days == 0:
        return QCoreApplication.translate("Wording", "Today")
    return QCoreApplication.translate("Wording", "Yesterday") if days == 1 else day(then, now)


def clock_text(then: Instant) -> str:
    """The time of the day alone."""
    return QLocale().toString(local(from_instant(then)).time(), QLocale.FormatType.ShortFormat)


def moment_text(then: Instant) -> str:
    """The day with its year, and the time of the clock on the wall."""
    return QLocale().toString(local(from_instant(then)), moment_pattern())


def moment_pattern() -> str:
    """How Qt is told to write a moment: `5 Nov 2026, 9:30 AM`."""
    time = QLocale().timeFormat(QLocale.FormatType.ShortFormat)
    return f"{QCoreApplication.translate('Wording', 'd MMM yyyy')}, {time}"


def day_text(then: Instant) -> str:
    """A day with its year, whenever it is: 3 March 2026."""
    pattern = QCoreApplication.translate("Wording", "d MMMM yyyy")
    return QLocale().toString(local(from_instant(then)).date(), pattern)


def local(moment: datetime) -> QDateTime:
    """A moment as Qt's clock on the wall."""
    return QDateTime.fromMSecsSinceEpoch(round(moment.timestamp() * 1000))


def time_left(until: Instant, now: datetime) -> str:
    seconds = (from_instant(until) - now).total_seconds()
    if seconds <= 0:
        return QCoreApplication.translate("Wording", "expired")
    if seconds < HOUR:
        return QCoreApplication.translate("Wording", "{n} min left").format(
            n=max(1, int(seconds // MINUTE))
        )
    if seconds < 4 * DAY:
        return QCoreApplication.translate("Wording", "{n} h left").format(n=int(seconds // HOUR))
    return counted("%Ln days left", int(seconds // DAY))


def goes_text(at: Instant, now: datetime) -> str:
    """When the trash erases it."""
    seconds = (from_instant(at) - now).total_seconds()
    if seconds <= DAY:
        return QCoreApplication.translate("Wording", "goes today")
    return counted("goes in %Ln days", math.ceil(seconds / DAY))


def size_text(size: int) -> str:
    if size < 1024:
        return QCoreApplication.translate("Wording", "{n} B").format(n=size)
    number = QLocale().toString(size / 1024, "f", 1)
    return QCoreApplication.translate("Wording", "{n} KiB").format(n=number)


def number_text(number: int) -> str:
    return QLocale().toString(number)


def memories(number: int) -> str:
    return counted("%Ln memories", number)


def know_agent_names(names: Mapping[str, str]) -> None:
    """What each agent is called, by its id; of two that are called the same both ids are said."""
    said = Counter(names.values())
    _AGENT_NAMES.clear()
    _AGENT_NAMES.update(
        {one: name if said[name] == 1 else f"{name} ({one})" for one, name in names.items()}
    )


def agent_name(ident: str) -> str:
    """As the person calls it; its id where no agent has it."""
    return _AGENT_NAMES.get(ident, ident)


def agent_called(name: str) -> str:
    """The id of the agent that is called so; empty where none is."""
    return next((one for one, called in _AGENT_NAMES.items() if called == name), "")


def scope_name(scope: Scope) -> str:
    """As a chip or a sidebar row says it; the kind goes without saying there."""
    if scope.kind == "user":
        return QCoreApplication.translate("Wording", "About me")
    return agent_name(scope.id) if scope.kind == "agent" else scope.id


def scope_text(scope: Scope) -> str:
    """As a field says it: `agent: claude`."""
    kinds = {
        "agent": QCoreApplication.translate("Wording", "agent"),
        "workspace": QCoreApplication.translate("Wording", "workspace"),
        "conversation": QCoreApplication.translate("Wording", "conversation"),
    }
    if scope.kind == "user":
        return QCoreApplication.translate("Wording", "About me")
    return f"{kinds.get(scope.kind, scope.kind)}: {scope_name(scope)}"


def _words() -> dict[str, str]:
    """The categories and kinds that Keepsake itself knows, in the window's language."""
    translate = QCoreApplication.translate
    return {
        "core": translate("Words", "core"),
        "daily": translate("Words", "daily"),
        "conversation": translate("Words", "conversation"),
        "workspace": translate("Words", "workspace"),
        "memory": translate("Words", "memory"),
        "journal": translate("Words", "journal"),
        "fact": translate("Words", "fact"),
        "preference": translate("Words", "preference"),
        "relationship": translate("Words", "relationship"),
        "instruction": translate("Words", "instruction"),
        "observation": translate("Words", "observation"),
        "action": translate("Words", "action"),
        "decision": translate("Words", "decision"),
        "event": translate("Words", "event"),
        "note": translate("Words", "note"),
    }


def word_text(word: str) -> str:
    """A category or a kind as people read it; one of their own as it is."""
    return _words().get(word, word)


def word_of(text: str, known: Iterable[str] = ()) -> str:
    """The category or the kind that a person chose or typed, in whatever language. The first of
    the `known` that is shown so stays what it is: theirs may read like one of ours."""
    shown, words = text.strip(), _words()
    for word in known:
        if words.get(word, word) == shown:
            return word
    typed = shown.lower()
    return next((word for word, said in words.items() if said.lower() == typed), typed)


def who(actor: str) -> str:
    """The writer of something: `you`, `claude`, `import of notes`."""
    kind, _, name = actor.partition(":")
    if actor == OWNER:
        return QCoreApplication.translate("Wording", "you")
    if kind == "import":
        return QCoreApplication.translate("Wording", "import of {name}").format(name=name)
    if kind == "sleep":
        asleep = QCoreApplication.translate("Wording", "{name}, asleep")
        return asleep.format(name=agent_name(name))
    if kind == "folder":
        return QCoreApplication.translate("Wording", "folder {name}").format(name=name)
    if kind == "channel":
        return f"#{name}"
    return agent_name(name) if kind == "agent" else name or actor


def doer(actor: str) -> str:
    """As `who`, where it stands for somebody who does something: `you`, not `by you`."""
    return QCoreApplication.translate("Wording", "you", "doer") if actor == OWNER else who(actor)


def field_label(name: str) -> str:
    """A field of a memory as the editor calls it, or one of an agent as its settings do."""
    translate = QCoreApplication.translate
    labels = {
        "key": translate("FieldsForm", "Key"),
        "scope": translate("FieldsForm", "Scope"),
        "category": translate("FieldsForm", "Category"),
        "kind": translate("FieldsForm", "Kind"),
        "importance": translate("FieldsForm", "Importance"),
        "tags": translate("FieldsForm", "Tags"),
        "hook": translate("FieldsForm", "Hook"),
        "expires_at": translate("FieldsForm", "Expires"),
        "created_at": translate("FieldsForm", "Written"),
        "true_from": translate("FieldsForm", "True from"),
        "true_until": translate("FieldsForm", "True until"),
        "verified_at": translate("FieldsForm", "Confirmed"),
        "stale_after": translate("FieldsForm", "Ask again after"),
        "muted_for": translate("FieldsForm", "Never told to"),
        "memories": translate("FieldsForm", "Memories"),
        "state": translate("FieldsForm", "State"),
        "name": translate("FieldsForm", "Name"),
        "trust": translate("AgentForm", "Trust"),
        "write_scopes": translate("AgentForm", "May write to"),
        "workspaces": translate("AgentForm", "Workspaces"),
        "dialect": translate("AgentForm", "Dialect"),
        "hydration_budget": translate("AgentForm", "Hydration budget"),
        "instructions_limit": translate("AgentForm", "Instructions at most"),
        "recall_budget": translate("AgentForm", "Recall budget"),
        "cap": translate("AgentForm", "Entries at most"),
        "layers": translate("AgentForm", "Layers"),
        "sleep": translate("AgentForm", "Learns asleep"),
        "team": translate("AgentForm", "Team"),
        "cloud": translate("AgentForm", "Cloud"),
        "archival_mode": translate("AgentForm", "Archival"),
        "archival_limit": translate("AgentForm", "Archival lines"),
        "archival_min_score": translate("AgentForm", "Least score"),
        "guidance": translate("AgentForm", "Guidance"),
    }
    return labels.get(name, name)


def entry_title(entry: Entry) -> str:
    """What people call it: the key somebody gave it, else its first line."""
    return title_of(entry.key, entry.content)


def quoted(name: str) -> str:
    """A name in a sentence, between the marks of the person's language."""
    return QCoreApplication.translate("Wording", "“{name}”").format(name=name)


def snippet_of(content: str, most: int = 240) -> str:
    """The start of a memory in one line, without its markdown marks."""
    return " ".join(markdown_marks().sub("", content[: most * 2]).split())[:most]


def plain_snippet(
    text: str, marks: Sequence[tuple[int, int]]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A found snippet in one line without its markdown marks, its matches moved along."""
    kept: list[str] = []
    place = [0] * (len(text) + 1)  # where each character went
    gone = [False] * len(text)
    for found in markdown_marks().finditer(text):
        for at in range(found.start(), found.end()):
            gone[at] = True
    for at, letter in enumerate(text):
        place[at] = len(kept)
        letter = " " if letter.isspace() else letter
        doubled = letter == " " and (not kept or kept[-1] == " ")
        if not gone[at] and not doubled:
            kept.append(letter)
    place[len(text)] = len(kept)
    moved = tuple((place[start], place[end]) for start, end in marks if place[start] < place[end])
    return "".join(kept), moved


def difference_text(difference: str) -> str:
    """What two statements differ in, in a word or two."""
    translate = QCoreApplication.translate
    words = {
        "key": translate("ConflictsView", "same key"),
        "pattern": translate("ConflictsView", "they cannot both be"),
        "name": translate("ConflictsView", "another name"),
        "number": translate("ConflictsView", "another number"),
        "date": translate("ConflictsView", "another day"),
        "negation": translate("ConflictsView", "one denies the other"),
    }
    return words.get(difference, difference)


# Positions in a text: Qt counts UTF-16 units, Python characters; after an emoji they differ.


def to_qt(text: str, position: int) -> int:
    """Where Qt has the character at `position`."""
    head = text[:position]
    return position if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2


def from_qt(text: str, position: int) -> int:
    """Which character of `text` stands where Qt says `position`."""
    if text.isascii():
        return position
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * position]
    return len(units.decode("utf-16-le", "ignore"))
