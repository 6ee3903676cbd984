"""What the words of the window mean, said where they stand: in tips and to a screen reader.

Every word is declared once, in `TERMS`: what a person would call it, the word that agents and the
docs use, one sentence, and the page that says more. `ui/toolkit/help_window.py` shows the pages.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import QTabBar, QWidget

from ui.toolkit.plain_text import plain_tip
from ui.toolkit.translation import tr

PAGE = "helpPage"  # the property of a widget that says which page is about it
LETTERS = 62  # of one line of a tip


class Term(NamedTuple):
    """A word of the window: in everybody's words (`plain`), and as agents and the docs say."""

    plain: str
    word: str
    sentence: str
    page: str = "rules"


# In the words of the code; `term()` says them in the window's language.
TERMS = {
    "memory": Term(
        "One thing to remember",
        "memory",
        "A short text your assistants can use later, with who wrote it and when.",
        "desk",
    ),
    "scope": Term(
        "Whose it is",
        "scope",
        "Who may see it: everybody, one agent, everyone in a workspace, or one conversation.",
        "rules#who-sees-what",
    ),
    "kind": Term(
        "What it is",
        "kind",
        "A fact, a preference, an instruction and so on; it helps you find and sort.",
        "rules#where-a-memory-goes",
    ),
    "category": Term(
        "How long it stays",
        "category",
        "Core is always told first and stays; daily things go away by themselves.",
        "rules#lifetimes",
    ),
    "core": Term(
        "Always told",
        "core",
        "What an agent is told at every start, before anything else, as far as it fits.",
        "rules#hydration",
    ),
    "importance": Term(
        "How important",
        "importance",
        "From 1 to 10; below 3 it goes after a month, unless it is core.",
        "rules#lifetimes",
    ),
    "tags": Term(
        "Labels",
        "tags",
        "Words of your own to find it by; type one and press Enter.",
        "desk#finding",
    ),
    "hook": Term(
        "When it matters",
        "hook",
        "One line that tells an agent when to look this memory up.",
        "rules#hydration",
    ),
    "key": Term(
        "Short name",
        "key",
        "How agents and files call it; made from the text if you leave it empty.",
        "desk#changing",
    ),
    "expires": Term(
        "Until when",
        "expires",
        "After this moment nobody is told it any more, and it goes to the trash.",
        "rules#lifetimes",
    ),
    "true_from": Term(
        "True since",
        "true_from",
        "Before this moment it did not hold; agents are not told it as true now before then.",
        "proof#when-it-is-true",
    ),
    "true_until": Term(
        "True until",
        "true_until",
        "After this moment it stays here and is found by questions about then, not told as now.",
        "proof#when-it-is-true",
    ),
    "stale_after": Term(
        "Ask me again",
        "stale_after",
        "After this moment you are asked whether it is still true.",
        "proof#still-true",
    ),
    "confirmed": Term(
        "Still true, says you",
        "confirmed",
        "When you last said that it is still true; agents cannot say that.",
        "proof#still-true",
    ),
    "muted_for": Term(
        "Never told to",
        "muted_for",
        "Agents that are never told it: their names, cloud for those with a cloud model, or *.",
        "proof#keep-it-never-tell-it",
    ),
    "draft": Term(
        "Not saved yet",
        "draft",
        "What you typed and did not save; agents still get the saved text.",
        "desk#changing",
    ),
    "agent": Term(
        "An assistant",
        "agent",
        "A program such as Claude or Cursor that reads this memory and may write to it.",
        "mcp",
    ),
    "hydration": Term(
        "What it is told at the start",
        "hydration",
        "The text an agent gets before you say a word: blocks, core memories, the newest.",
        "rules#hydration",
    ),
    "budget": Term(
        "How much it is told",
        "budget",
        "The room for that text, in bytes; about four bytes are one token of a model.",
        "rules#hydration",
    ),
    "recall": Term(
        "What it looks up",
        "recall",
        "Searching memory in the middle of a conversation, by words and by meaning.",
        "recall",
    ),
    "trust": Term(
        "What it may do by itself",
        "trust",
        "Write at once, only propose so that you decide in Review, or only read.",
        "rules#trust",
    ),
    "workspace": Term(
        "A shared project",
        "workspace",
        "Memory that several agents share, such as one project or one team.",
        "rules#who-sees-what",
    ),
    "dialect": Term(
        "How it talks to Keepsake",
        "dialect",
        "The names of the tools an agent is offered; standard suits nearly all.",
        "mcp#dialects",
    ),
    "layers": Term(
        "Which memory it has",
        "layers",
        "Working is the conversation at hand, session the notes of past ones, long-term memories.",
        "conversations#session-memory",
    ),
    "sleep": Term(
        "Learns by itself",
        "learns asleep",
        "After a conversation it reads what was said and keeps what is worth keeping.",
        "conversations#sleep-time",
    ),
    "block": Term(
        "A page the agent keeps",
        "block",
        "A longer text of fixed size that is told before the memories, such as who you are.",
        "rules#blocks",
    ),
    "archival": Term(
        "The store room",
        "archival",
        "A block that is not told at the start: an agent looks its lines up when needed.",
        "rules#blocks",
    ),
    "summary": Term(
        "What was said so far",
        "summary",
        "A block written when a conversation ends, so that the next one can go on from there.",
        "conversations",
    ),
    "session": Term(
        "Notes of past conversations",
        "session",
        "A block of short dated lines from past conversations; the next one starts with it.",
        "conversations#session-memory",
    ),
    "proposal": Term(
        "Something to decide",
        "proposal",
        "What an agent would like to write; nothing happens until you approve it.",
        "window#what-did-it-propose-review-alt6",
    ),
    "embedded": Term(
        "Ready for search by meaning",
        "embedded",
        "A small model on this machine has read it, so other words find it too.",
        "recall",
    ),
    "vault": Term(
        "The file all this is in",
        "vault",
        "One file on this machine; nothing is sent anywhere unless you set it up.",
        "reliability",
    ),
    "mirror": Term(
        "A folder kept in step",
        "mirror",
        "Memories as notes in a folder; a change on either side reaches the other.",
        "markdown#mirrors",
    ),
}


def term(name: str) -> Term:
    """A word there is something to say about, in the window's language."""
    plain, word, sentence, page = TERMS[name]
    return Term(tr(plain), tr(word), tr(sentence), page)


# Where words stand


def tip(sentence: str) -> str:
    """A sentence as a tip shows it: in lines a person reads at a glance."""
    lines = [""]
    for word in sentence.split():  # textwrap would cost the window's start a millisecond
        joined = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and len(joined) > LETTERS:
            lines.append(word)
        else:
            lines[-1] = joined
    return plain_tip("\n".join(lines))


def explain(widget: QWidget, sentence: str, page: str = "") -> None:
    """Has `widget` say that when the mouse rests on it, and to a screen reader; F1 opens `page`."""
    widget.setToolTip(tip(sentence))
    if not widget.accessibleDescription():
        widget.setAccessibleDescription(sentence)
    if page:
        widget.setProperty(PAGE, page)


def explain_tabs(tabs: QTabBar, *sentences: str) -> None:
    """One sentence for each tab, in their order; the bar itself is named by its owner."""
    for place, sentence in enumerate(sentences):
        tabs.setTabToolTip(place, tip(sentence))


def page_about(widget: QWidget | None) -> str:
    """The page that is about `widget`, or about what it is in; none if nobody said."""
    while widget is not None:
        page = widget.property(PAGE)
        if page:
            return str(page)
        widget = widget.parentWidget()
    return ""
