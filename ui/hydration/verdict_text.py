"""What the pane says: why a memory is in or out, in the few words a row has room for, what an edit
costs, and which way carries it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from app.hydration.preview import LastStart
from app.rules.explanation import Explanation, Remedy
from app.rules.hydration import Comparison, Hydration
from app.rules.verdict import Item
from store.records import Scope
from ui.toolkit.formatting import (
    agent_name,
    day_text,
    moment_text,
    number_text,
    scope_text,
    size_text,
)
from ui.toolkit.translation import counted

if TYPE_CHECKING:
    from app.mcp.instructions import Instructions

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
            fit, _, total, *_ = item.note.split()
            return tr("always loaded, cut: {n} of {total} lines fit").format(n=fit, total=total)
        case "core":
            if place == 1:
                return tr("core, newest")
            return tr("core, {nth} newest").format(nth=ordinal(place))
        case "recalled":
            score = item.note.removeprefix("score ")
            return tr("for this message, score {score}").format(score=score)
        case "window":
            return tr("recent, fills the rest")
        case "expired":
            return tr("expired {day}").format(day=day_text(item.note))
        case "pending":
            return tr("waits in review, proposed by {agent}").format(agent=agent_name(item.note))
        case "policy":
            return _switched_off(item.note)
    return untold(item.reason, item.note) if item.reason in UNTOLD else _too_long(item)


def _switched_off(note: str) -> str:
    """Which switch of the run or of the agent leaves it out."""
    words = {
        "include_user_core is off": tr("the core block about you is switched off here"),
        "include_agent_core is off": tr("the agent's core block is switched off here"),
        "session memory is off for this agent": tr("session memory is off for this agent"),
        "long-term memory is off for this agent": tr("long-term memory is off for this agent"),
    }
    return words.get(note, note)


def untold(reason: str, note: str) -> str:
    """Why it is not told, though the agent could see it."""
    match reason:
        case "was_true":
            return tr("was true until {day}").format(day=day_text(note))
        case "not_yet_true":
            return tr("is not true before {day}").format(day=day_text(note))
        case "conflict":
            return tr("contradicts {key}, which comes first").format(key=note)
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


def edit_price(moved: Comparison | None) -> str:
    """How much of what is saved an edit leaves as it is, from the beginning on."""
    if moved is None or not moved.bytes_before or moved.kept == moved.bytes_before:
        return ""
    return tr("With this edit the first {kept} of {all} stay the same.").format(
        kept=size_text(moved.kept), all=size_text(moved.bytes_before)
    )


def start_price(last: LastStart | None) -> str:
    """How much of what the agent was told at its last start it would be told again."""
    if last is None:
        return ""
    if last.kept == last.used:
        return tr("Since its last start, {moment}, nothing has changed in it.").format(
            moment=moment_text(last.at)
        )
    return tr("The first {kept} of {all} are as at its last start, {moment}.").format(
        kept=size_text(last.kept), all=size_text(last.used), moment=moment_text(last.at)
    )


def ways_text(made: Instructions) -> str:
    """Which way carries how much of it to the model."""
    if not made.all_bytes:
        return tr("Told nothing yet, neither when it connects nor when it asks.")
    told, whole = size_text(made.memory_bytes), size_text(made.all_bytes)
    if made.whole:
        words = tr("Told all of it when it connects ({whole}), and whenever it asks.")
    elif made.client:
        words = tr(
            "Told {told} when it connects ({client} keeps {n} characters), and all {whole} when it "
            "asks."
        )
    else:
        words = tr(
            "Told {told} when it connects (at most {n} characters), and all {whole} when it asks."
        )
    return words.format(
        told=told,
        whole=whole,
        client=made.client,
        n=number_text(made.limit or 0),
    )


def ways_tip(made: Instructions) -> str:
    """How an agent asks, for who wants to know."""
    words = tr("It asks by its tool {tool}, at any time and as often as it likes.")
    return words.format(tool=made.tool)


def figures_text(found: Hydration, faint: str) -> str:
    """How many bytes of the budget are used, and about how many tokens, as rich text."""
    used, budget = (size_text(n).replace(" ", "&nbsp;") for n in (found.used, found.budget))
    bytes_ = tr("<b>{used}</b> of {budget}")
    tokens = tr("tokens")
    return (
        bytes_.format(used=used, budget=budget)
        + f" <span style='color:{faint}'>≈&nbsp;{number_text(found.tokens_estimate)}&nbsp;{tokens}"
        + "</span>"
    )
