"""The sentence over the pane's items: what an unsaved edit moves, or which past is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from PySide6.QtCore import QCoreApplication

from app.live_hydration import Answer
from app.rules.verdict import Item
from store.instants import Instant
from ui.wording import moment_text, number_text, size_text

Link = Callable[[str, str, str], str]  # target, words, colour of the palette
NAMED = 3


def tr(text: str) -> str:
    return QCoreApplication.translate("HydrationNotice", text)


def past_notice(answer: Answer, at: Instant, link: Link) -> str:
    """Which moment it is, and how much of it is not kept any more."""
    words = tr("As it was on {moment}.").format(moment=moment_text(at))
    if answer.lost:
        words += " " + tr("{n} things of then are not kept any more.").format(
            n=number_text(answer.lost)
        )
    return f"{escape(words)} {link('now', tr('Back to now'), 'accent')}"


def edit_notice(answer: Answer, link: Link) -> tuple[str, bool]:
    """What the edit pushes out (bad news), else what it brings in; nothing when nothing moves."""
    moved = answer.moved
    if moved is None or not (moved.left or moved.entered):
        return "", False
    if not moved.left:
        return _let_in(moved.entered), False
    first = moved.left[0]
    now = answer.hydration.item(first.id) or first
    return _pushed_out(now, len(moved.left) - 1, link), True


def _pushed_out(item: Item, others: int, link: Link) -> str:
    key = escape(item.key)
    if item.included or item.reason not in ("over_budget", "too_big"):
        return tr("With this edit <b>{key}</b> goes out of sight.").format(key=key)
    words = tr(
        "With this edit <b>{key}</b> no longer fits: it needs {needs} and {left} are left."
    ).format(key=key, needs=size_text(item.bytes), left=size_text(max(item.left, 0)))
    if others:
        words += " " + tr("({n} more go too.)").format(n=number_text(others))
    return f"{words} {link(f'shorten:{item.id}', tr('Shorten'), 'bad')}"


def _let_in(entered: Sequence[Item]) -> str:
    names = ", ".join(f"<b>{escape(item.key)}</b>" for item in entered[:NAMED])
    if len(entered) > NAMED:
        names += tr(" and {n} more").format(n=number_text(len(entered) - NAMED))
    return tr("With this edit {names} comes in.").format(names=names)
