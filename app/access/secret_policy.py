"""What becomes of a write that looks as if it held a credential: the owner says it, kind by kind.

ask      the owner is asked before it is kept: in the window, in the terminal, or in the inbox
redact   it is kept with the value replaced by a word for it
review   an agent's, a folder's or a file's waits in the inbox; the owner's own is kept, and noticed
allow    it is kept like any other
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from app.settings import Settings
from app.text.credentials import KIND_WORDS, credentials_in, redacted
from store.records import EntryDraft

ASK, REDACT, REVIEW, ALLOW = "ask", "redact", "review", "allow"
SCANNED = ("content", "key", "hook", "extra")


class Noticed(NamedTuple):
    """The kinds of credentials in a write, by what is to happen with them."""

    asked: frozenset[str] = frozenset()
    redacted: frozenset[str] = frozenset()
    reviewed: frozenset[str] = frozenset()

    @property
    def waits(self) -> frozenset[str]:
        """What keeps a write of anybody but the owner for the owner's decision."""
        return self.asked | self.reviewed

    @property
    def sentence(self) -> str:
        """What to tell of it; empty for nothing."""
        told = self.waits | self.redacted
        return sentence(told) if told else ""


NOTHING = Noticed()


def noticed(settings: Settings, texts: Iterable[str | None]) -> Noticed:
    """What is in these texts; what the owner allows is not told."""
    kinds = {one.kind for text in texts if text for one in credentials_in(text)}
    wanted = {kind: settings[f"secret_{kind}"] for kind in kinds}

    def of(choice: str) -> frozenset[str]:
        return frozenset(kind for kind in kinds if wanted[kind] == choice)

    return Noticed(of(ASK), of(REDACT), of(REVIEW)) if kinds else NOTHING


def noticed_in(settings: Settings, draft: EntryDraft) -> Noticed:
    return noticed(settings, [getattr(draft, name) for name in SCANNED])


def redacted_draft(draft: EntryDraft, found: Noticed) -> EntryDraft:
    """The draft as it is kept."""
    if not found.redacted:
        return draft
    texts = {name: getattr(draft, name) for name in SCANNED}
    kept: dict[str, Any] = {
        name: redacted(text, found.redacted) for name, text in texts.items() if text
    }
    return replace(draft, **kept)


def kept_text(settings: Settings, text: str) -> str:
    """The text as it is kept where nothing can wait: with what is to be redacted replaced."""
    found = noticed(settings, [text])
    return redacted(text, found.redacted) if found.redacted else text


def sentence(kinds: Iterable[str]) -> str:
    """`It looks as if it held a key or token.`"""
    words = " and a ".join(KIND_WORDS[kind] for kind in sorted(kinds))
    return f"It looks as if it held a {words}."
