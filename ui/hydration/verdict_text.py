"""Why a memory is in or out, in the few words a row has room for."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from app.rules.explanation import Explanation, Remedy
from app.rules.verdict import Item
from store.records import Scope
from ui.toolkit.formatting import day_text, number_text, scope_text, size_text
from ui.toolkit.translation import counted

UNTOLD = ("muted", "was_true", "not_yet_true", "conflict")


def tr(text: str) -> str:
    return QCoreApplication.translate("HydrationItems", text)


def ordinal(number: int) -> str:
    if QLocale().language() is not QLocale.Language.English:
        return f"{number}."
    if 10 <= number % 100 <= 20:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def item_name(item: Item) -> str:
    """What a row calls it: a memory by its key, a block by what it is."""
    if item.type != "block":
        return item.key
    return tr("{name} block").format(name=item.key.partition(" ")[0])


def verdict(item: Item, place: int) -> str:
    """The reason in a few words; `place` counts the items of its layer, from 1."""
    match item.reason:
        case "block":
            return tr("always loaded")
        case "cut":
            return tr("always loaded, cut: {note}").format(note=item.note)
        case "core":
            if place == 1:
                return tr("core, newest")
            return tr("core, {nth} newest").format(nth=ordinal(place))
        case "recalled":
            return tr("for this message, {note}").format(note=item.note)
        case "window":
            return tr("recent, fills the rest")
        case "expired":
            return tr("expired {day}").format(day=item.note[:10])
        case "pending":
            return tr("waits in review: {note}").format(note=item.note)
        case "policy":
            return item.note
    return untold(item.reason, item.note) if item.reason in UNTOLD else _too_long(item)


def untold(reason: str, note: str) -> str:
    """Why it is not told, though the agent could see it."""
    match reason:
        case "was_true":
            return tr("was true until {day}").format(day=day_text(note))
        case "not_yet_true":
            return tr("is not true before {day}").format(day=day_text(note))
        case "conflict":
            return tr("contradicts {key}, which is told instead").format(key=note)
    if note.startswith("#"):
        return tr("muted: tagged {tag}").format(tag=note[1:])
    if note == "*":
        return tr("muted: never told to any agent")
    if note == "cloud":
        return tr("muted: never told to agents with a cloud model")
    return tr("muted: never told to {agent}").format(agent=note)


def _too_long(item: Item) -> str:
    needs = tr("needs {needs}, {left} left").format(
        needs=size_text(item.bytes), left=size_text(max(item.left, 0))
    )
    if item.reason == "too_big":
        return tr("too big: {needs}").format(needs=needs)
    return tr("core, but {needs}").format(needs=needs) if item.category == "core" else needs


def explained(found: Explanation, agent: str, whose: Scope) -> str:
    """Why that agent is told a memory of that scope, or not."""
    scope = scope_text(whose)
    match found.reason:
        case "core":
            return tr("core: loaded first, newest first")
        case "window":
            return tr("among the newest that fit after core")
        case "scope" if whose.kind == "workspace":
            words = tr("{agent} does not see {scope}; add it to that workspace")
            return words.format(agent=agent, scope=scope)
        case "scope":
            words = tr(
                "{agent} does not see {scope}; move the memory to “About me” or to a workspace "
                "it belongs to"
            )
            return words.format(agent=agent, scope=scope)
        case "trashed":
            return tr("it is in the trash; restore it to let agents see it")
        case "elsewhere":
            return tr("{agent} sees it when it works in {scope}").format(agent=agent, scope=scope)
        case reason if reason in UNTOLD:
            return untold(found.reason, found.note)
        case "too_big" | "over_budget" if found.item is not None:
            return _too_long(found.item)
    return found.sentence


def remedy_words(remedy: Remedy, agent: str = "") -> str:
    """What a button says that does it for that agent."""
    match remedy.action:
        case "shorten":
            return counted("Shorten it by %Ln bytes", remedy.bytes)
        case "forget":
            return tr("Forget {key}").format(key=remedy.key)
        case "make_core":
            return tr("Make it core")
        case "raise_budget":
            return counted("Raise the budget to %Ln bytes", remedy.bytes)
        case "share" | "let_in":
            return tr("Share with {agent}").format(agent=agent)
    return remedy.sentence[:1].upper() + remedy.sentence[1:]


def remedy_hint(remedy: Remedy, agent: str) -> str:
    """What exactly a remedy does, where its words do not say all; else nothing."""
    match remedy.action:
        case "share":
            return tr("Moves the memory to “About me”, which every agent sees.")
        case "let_in":
            words = tr("Lets {agent} into the workspace {workspace}.")
            return words.format(agent=agent, workspace=remedy.key)
    return ""


def link_of(remedy: Remedy | None) -> str:
    """The nearest remedy in the few words a row has room for."""
    match remedy.action if remedy else "":
        case "make_core":
            return tr("Make core")
        case "shorten" if remedy:
            return tr("Shorten by {size}").format(size=size_text(remedy.bytes))
        case "raise_budget" if remedy:
            return tr("Raise to {size}").format(size=exact_size(remedy.bytes))
    return ""


def exact_size(number: int) -> str:
    """In bytes: a budget rounded down would not let the memory in."""
    return tr("{n} B").format(n=number_text(number))
