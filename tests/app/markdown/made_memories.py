"""Generated memories: every field, any Unicode, the same for the same seed."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta

from app.errors import Invalid
from app.rules.fields import clean_draft
from store.instants import to_instant
from store.records import USER, EntryDraft, Scope

_ALPHABETS = (
    "abcdefghij KLMNO 0123456789 -_.,:;!?'\"#*[](){}<>|\\/@&%$~`^+=",
    "äöüßéèñçåøæœÿžščřůğışłń",
    "日本語の記憶を保存する 中文 한국어",
    "नमस्ते العربية עברית ไทย ελληνικά кириллица",
    "😀👩‍👩‍👧‍👦🏳️‍🌈🇵🇹 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ﷽ ①②③",
    "\u200b\u200d\u202e\u2066\u2069\ufeff\u00ad\u2028\u2029\x85\xa0\u3000",
    "e\u0301a\u0308n\u0303",
)
_ODD = ("0123", "no", "null", "~", "2024-01-05", "1e3", "---", "- a", "a: b", "[x]", "con", "True")


def memories(count: int, seed: int = 1) -> list[EntryDraft]:
    chance = random.Random(seed)
    drafts: list[EntryDraft] = []
    while len(drafts) < count:
        try:
            drafts.append(clean_draft(_memory(chance, len(drafts))))
        except Invalid:
            continue
    return drafts


def _memory(chance: random.Random, number: int) -> EntryDraft:
    born = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(microseconds=chance.randrange(10**14))
    written = born + timedelta(microseconds=chance.randrange(10**13))
    daily = chance.random() < 0.1
    extra = {_text(chance, 8): _value(chance) for _ in range(chance.randrange(3))}
    return EntryDraft(
        content=_text(chance, 120, newlines=True),
        scope=chance.choice(
            [
                USER,
                Scope("agent", "claude"),
                Scope("workspace", "Käse/Brot: 1"),
                Scope("workspace", "käse/brot: 1"),
            ]
        ),
        key=f"{_text(chance, 20)} {number}",
        hook=_text(chance, 40) if chance.random() < 0.7 else None,
        category="daily" if daily else chance.choice(["core", "note", "memory", _text(chance, 6)]),
        kind=chance.choice(["fact", "preference", _text(chance, 6)]),
        importance=chance.randint(1, 10),
        tags=tuple(_text(chance, 6) for _ in range(chance.randrange(4))),
        expires_at=to_instant(datetime(2090, 1, 1, tzinfo=UTC)) if daily else None,
        extra=json.dumps(extra, ensure_ascii=False),
        true_from=to_instant(born) if chance.random() < 0.2 else None,
        true_until=to_instant(written + timedelta(days=9)) if chance.random() < 0.2 else None,
        verified_at=to_instant(written) if chance.random() < 0.2 else None,
        stale_after=to_instant(written + timedelta(days=99)) if chance.random() < 0.2 else None,
        muted_for=tuple(chance.sample(("cloud", "cursor", "no", "0123"), chance.randrange(3))),
        created_at=to_instant(born),
        written_at=to_instant(written),
    )


def _text(chance: random.Random, most: int, *, newlines: bool = False) -> str:
    if chance.random() < 0.1:
        return chance.choice(_ODD)
    letters = chance.choice(_ALPHABETS) + chance.choice(_ALPHABETS)
    if newlines:
        letters += "\n\n\r\n\t "
    return "".join(chance.choice(letters) for _ in range(chance.randint(1, most)))


def _value(chance: random.Random) -> object:
    return chance.choice(
        [1, True, None, _text(chance, 10), [_text(chance, 5), 2], {"a": {"b": _text(chance, 5)}}]
    )
