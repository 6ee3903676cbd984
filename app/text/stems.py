"""English words that say little, and what is left of the others without their endings. Pure."""

from __future__ import annotations

from functools import lru_cache

_FUNCTION = """
    a about after again all also am an and any are as at be because been before being between
    both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no
    nor not now of off on once only or other our out over own same she should so some such than
    that the their them then there these they this those through to too under until up very was
    we were what when where which while who whom why will with would you your yours
"""
_HALVES = """
    aren couldn d didn doesn don hadn hasn haven isn ll m re s shouldn t ve wasn won wouldn
"""
_CHATTER = """
    amazing anything awesome back can't cannot cool definitely didn't doesn't don't even ever
    every get gets getting give go going gonna good got great haven't he's hello hey hi how's
    i'd i'll i'm i've isn't it's know let let's lot lots make much myself nice oh ok okay one
    ours please pretty quite really right say says see she's since something still super sure
    take thank thanks that's theirs themselves there's they're thing things think though totally
    us wasn't way we'd we'll we're we've well what's won't wow yeah yep yes yet you'd you'll
    you're you've yourself
"""
# Function words match almost everything and say almost nothing.
FUNCTION_WORDS = frozenset(_FUNCTION.split())
# A query's words are cut at the apostrophe: what is left of didn't or they'll.
QUERY_STOP_WORDS = FUNCTION_WORDS | frozenset(_HALVES.split())
# What people say beside what they mean. The halves are none of it: Don is a name.
SPEECH_STOP_WORDS = FUNCTION_WORDS | frozenset(_CHATTER.split())

_CUT = ("ing", "ed", "es", "s")
_PLURALS = (("ies", "y"), ("es", ""), ("s", ""))
_ENDINGS = (("ied", "y"), ("ing", ""), ("edly", ""), ("ed", ""), ("ly", ""))


def beginning(word: str) -> str:
    """`word` without a common ending, when enough of it is left. It is always how the word
    begins, so that it can be looked for in a text as it stands; `stem` need not be."""
    if word.endswith(_CUT):
        for ending in _CUT:
            if word.endswith(ending) and len(word) - len(ending) >= 4:
                return word[: -len(ending)]
    return word


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A light stem: enough to see "painted" and "paintings" as one."""
    word = word.removesuffix("'s")
    if not word.endswith("ss"):
        word = _without(_PLURALS, word)
    word = _without(_ENDINGS, word)
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def _without(endings: tuple[tuple[str, str], ...], word: str) -> str:
    for suffix, instead in endings:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: len(word) - len(suffix)] + instead
    return word
