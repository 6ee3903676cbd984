"""Characters that stand in a text and that nobody sees: they can carry words past a reader.

Hidden is what Unicode lets a program ignore (joiners, selectors, tags, direction marks, fillers),
and every control character but tab and line breaks. What an emoji or a script needs stays: a
selector after the sign it belongs to, a joiner between two emoji, one joiner after a letter of a
script that joins, and the three flags that are spelt in tags.
"""

from __future__ import annotations

import re

_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
# Letters, marks and viramas of scripts whose spelling needs a joiner or a non-joiner.
_JOINING = (
    "\u0620-\u06ff\u0710-\u074f\u0750-\u077f\u0800-\u085f\u08a0-\u08ff\u0900-\u0dff\u0f40-\u0fbc"
    "\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u18aa\u1b00-\u1b4b\ua9c0-\ua9df\uaa80-\uaaf6"
    "\ufb50-\ufdff\ufe70-\ufefc\U00011000-\U0001147f"
)
IGNORABLE_CLASS = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff"
)
CONTROL_CLASS = "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
MAYBE_HIDDEN = re.compile(f"[{IGNORABLE_CLASS}{CONTROL_CLASS}]")
"""Finds nothing in a text without anything hidden; what it finds may belong to an emoji."""


def _tagged_flag(region: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"


_FLAGS = "|".join(_tagged_flag(region) for region in ("gbeng", "gbsct", "gbwls"))
_KEPT = (
    rf"(?<=[{_EMOJI}])[\ufe0e\ufe0f]"
    r"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    rf"|(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\ufe0f))\u200d(?=[{_EMOJI}])"
    rf"|(?<=[{_JOINING}])[\u200c\u200d](?![\u200c\u200d])"
    r"|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f](?![\u180b-\u180d\u180f])"
    rf"|(?<=\U0001f3f4)(?:{_FLAGS})"
)
# As text: `re` compiles it when first used, which is after MAYBE_HIDDEN found something.
_HIDDEN = f"({_KEPT})|([{IGNORABLE_CLASS}{CONTROL_CLASS}])"


def without_hidden(text: str) -> str:
    """The text as a person sees it, with nothing else in it."""
    if MAYBE_HIDDEN.search(text) is None:
        return text
    return re.sub(_HIDDEN, lambda found: found[1] or "", text)


def revealed(text: str) -> str:
    """The text with every hidden character spelt out: `a⟨U+200B⟩b`."""
    if MAYBE_HIDDEN.search(text) is None:
        return text
    return re.sub(_HIDDEN, lambda found: found[1] or f"⟨U+{ord(found[2]):04X}⟩", text)


def count_hidden(text: str) -> int:
    """How many characters of the text nobody sees."""
    if MAYBE_HIDDEN.search(text) is None:
        return 0
    return sum(found[2] is not None for found in re.finditer(_HIDDEN, text))
