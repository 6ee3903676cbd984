"""What somebody says about the owner, taken apart: one statement a piece, each as a sentence about
the owner without naming them. Pure; English and German.

Read are bullets, numbers, headings, tables, `Name: value` lines and prose, as assistants answer
"what do you know about me?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.learning.writers.extractive import conjugated
from app.text.sentences import sentences

MOST = 2_000  # statements of one answer
LONGEST = 1_000  # letters of one
_FENCE = re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+(.+?)|\*\*([^*]+?)\*\*|__([^_]+?)__)\s*:?\s*#*\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•‣◦–]|\(?\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_DATED = re.compile(r"^\[?\d{4}-\d\d-\d\d\]?[.:]?\s*[-–—]?\s*")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_ROW_RULE = re.compile(r"^[\s|:-]+$")
_MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_REFERENCE = re.compile(r"\s*(?:\[\^?\d+\]|【[^】]*】|\ue200.*?\ue201)")
_LABEL = re.compile(r"^([^\W\d_][\w /&'’-]{1,40}?)\s*(?::|\s[–—-])\s+(\S.*)$")
_HEADERS = frozenset(
    """category categories topic aspect area field detail details information info fact value notes
    kategorie thema bereich aspekt feld einzelheit einzelheiten angabe angaben wert notiz notizen
    what was""".split()  # noqa: SIM905
)
# What is said around the answer and not about anybody.
_ASIDE = re.compile(
    "^(?:"
    + "|".join(
        (
            *(r"here(?:['’]s| is| are)", "based on", "from (?:our|what|the)", "these are", "as of"),
            *("this is (?:what|everything)", "let me", "would you", "do you", "is there", "sure"),
            *("if (?:you|any)", "feel free", "certainly", "of course", "note that", "overall,?"),
            r"i (?:don['’]t|do not|can(?:not|['’]t)|only|also don|have no|know|remember|hope)",
            *(r"that['’]s (?:all|everything|what)", "please (?:note|let)"),
            "you can (?:ask|tell|edit|delete|manage)",
            *("hier (?:ist|sind)", "das (?:ist|sind) (?:alles|was)", "basierend", "möchtest du"),
            *("ich (?:weiß|habe keine|kann|erinnere)", "soll ich", "gerne", "natürlich", "wenn du"),
            *("falls (?:du|etwas)", "du kannst", "sag (?:mir|bescheid)", "lass mich", "stand:"),
            *("auf (?:basis|grundlage)", "aus unseren"),
        )
    )
    + r")\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said. `topic` is the heading it stands under; it may be empty."""

    text: str
    topic: str = ""


def statements_of(text: str) -> list[Statement]:
    """Each statement once, in order."""
    found: dict[str, Statement] = {}
    for one in _pieces(_FENCE.sub("", text).splitlines()):
        plain = plain_text(one.text)
        if 2 <= len(plain) <= LONGEST and not is_aside(plain):
            found.setdefault(plain.casefold(), Statement(plain, plain_text(one.topic)))
        if len(found) >= MOST:
            break
    return list(found.values())


def plain_text(text: str) -> str:
    """Without markup, references and the day it was noted."""
    words = _REFERENCE.sub("", _MARKS.sub("", text))
    return " ".join(_DATED.sub("", words.strip()).split())


def is_aside(sentence: str) -> bool:
    """Whether it speaks of the answer and not of the owner."""
    return sentence.endswith(("?", ":")) or bool(_ASIDE.match(sentence))


def _pieces(lines: Iterable[str]) -> Iterator[Statement]:
    topic = ""
    parents: list[tuple[int, str]] = []  # the items above, with how deep they are
    prose: list[str] = []
    table: list[list[str]] = []
    for line in (*lines, ""):
        if _ROW.match(line):
            table.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        yield from _rows(table, topic)
        table = []
        item, heading = _ITEM.match(line), _HEADING.match(line)
        if prose and (item or heading or not line.strip()):
            yield from _prose(" ".join(prose), topic)
            prose = []
        if item:
            depth, said = len(item[1].expandtabs(4)), item[2].strip()
            parents = [one for one in parents if one[0] < depth]
            above = parents[-1][1] if parents else topic
            inner = _HEADING.match(said)
            if inner or said.rstrip("*_").endswith(":"):
                parents.append((depth, plain_text(said).rstrip(":")))
            else:
                yield from _item(said, above)
        elif heading:
            topic, parents = next(filter(None, heading.groups())).rstrip(":"), []
        elif line.strip() and not _RULE.match(line):
            prose.append(line.strip())


def _rows(table: list[list[str]], topic: str) -> Iterator[Statement]:
    rows = [row for row in table if not all(_ROW_RULE.match(cell) or not cell for cell in row)]
    if not rows:
        return
    ruled = len(rows) < len(table)
    heads = rows[0] if ruled else []
    for row in rows[1:] if ruled else rows:
        first, *rest = row
        if not rest:
            yield Statement(first, topic)
        elif len(rest) == 1:
            yield from _item(f"{plain_text(first)}: {rest[0]}", topic)
        else:
            cells = zip(heads[1:] or [""] * len(rest), rest, strict=False)
            said = (cell if head.lower() in _HEADERS else f"{head} {cell}" for head, cell in cells)
            label = plain_text(first)
            yield Statement(f"{label}: {', '.join(filter(None, map(str.strip, said)))}", topic)


def _item(said: str, topic: str) -> Iterator[Statement]:
    """One item; one that holds several sentences is as many statements."""
    plain = plain_text(said)
    label = _LABEL.match(plain)
    if label and not is_sentence(plain):
        rest = sentences(label[2])
        if len(rest) == 1 and not is_sentence(rest[0]):
            yield Statement(f"{label[1]}: {rest[0]}", topic)
        else:
            for one in rest:
                yield from _said(one, label[1])
        return
    for one in sentences(plain):
        yield from _said(one, topic)


def _said(sentence: str, topic: str) -> Iterator[Statement]:
    """A sentence that says two things of the owner, as two."""
    for part in _SEVERAL.split(sentence):
        yield Statement(part[:1].upper() + part[1:], topic)


def _prose(text: str, topic: str) -> Iterator[Statement]:
    plain = plain_text(text)
    if _LABEL.match(plain) and not is_sentence(plain):
        yield from _item(plain, topic)
        return
    for sentence in sentences(plain):
        if not is_aside(sentence):
            yield from _said(sentence, topic)


_SEVERAL = re.compile(r"(?:,|;)?\s+(?:and|und)\s+(?=(?:you|your|du|deine?)\s)|;\s+", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:you|your|you['’](?:re|ve|ll|d)|the user|user|users?['’]s?|du|dein\w*|dir|dich|sie|ihr\w*"
    r"|he|she|they|his|her|their|i|my|ich|mein\w*|der nutzer|die nutzerin)\b",
    re.IGNORECASE,
)


def is_sentence(text: str) -> bool:
    """Whether it names the owner in front: a label does not."""
    before = re.split(r":|\s[–—-]\s", text)[0]
    return bool(_PERSON.search(before))


# In the words that a memory has

_SUBJECT = re.compile(
    r"^(?:the user|user|you|the person|they|he|she|i)\b(?P<short>['’](?:re|ve|m|s|ll|d))?\s*",
    re.IGNORECASE,
)
_OWNERS = re.compile(r"^(?:the user['’]s|user['’]s|your|their|his|her|my)\s+", re.IGNORECASE)
_INNER = re.compile(r"\b(?:your|the user['’]s)\b", re.IGNORECASE)
_SHORT = {"re": "is", "ve": "has", "m": "is", "s": "is", "ll": "will", "d": "would"}
_AGREES = {"are": "is", "have": "has", "do": "does", "don't": "doesn't", "were": "was", "am": "is"}
_ADVERBS = re.compile(
    r"^(?:(?:also|always|often|usually|currently|generally|never|sometimes|recently|really|mostly|now"
    r"|probably|likely|typically)\s+)+",
    re.IGNORECASE,
)
_AUXILIARY = frozenset(
    "will would can could should may might must cannot can't won't wouldn't".split()  # noqa: SIM905
)
_DU = re.compile(r"^(?:du|der nutzer|die nutzerin|der user)\s+", re.IGNORECASE)
_VERB_DU = re.compile(r"\b([a-zäöüß]+st|bist|hast)\s+du\b", re.IGNORECASE)
_DEIN = re.compile(r"\bdein(e[rnms]?|)\b", re.IGNORECASE)
_GERMAN_VERBS = {
    **{"bist": "ist", "hast": "hat", "magst": "mag", "willst": "will", "weißt": "weiß"},
    **{"kannst": "kann", "musst": "muss", "darfst": "darf", "sollst": "soll", "wirst": "wird"},
    **{"heißt": "heißt", "isst": "isst", "liest": "liest", "reist": "reist", "sitzt": "sitzt"},
    **{"hattest": "hatte", "warst": "war", "möchtest": "möchte", "wolltest": "wollte"},
    **{"musstest": "musste", "konntest": "konnte", "wurdest": "wurde"},
}
_IDIOMS = ((re.compile(r"\bcan(?:['’]t|not|\snot) stand\b", re.IGNORECASE), "hates"),)
_ARTICLES = {"": "Der", "e": "Die", "er": "Der", "en": "Den", "em": "Dem", "es": "Des"}


def about_owner(sentence: str) -> str:
    """The sentence as a memory would say it: "You live in Bonn" is "Lives in Bonn", "Deine Katze
    heißt Mimi" is "Die Katze heißt Mimi"."""
    text = sentence.strip()
    for idiom, plain in _IDIOMS:
        text = idiom.sub(plain, text)
    if _DU.match(text):
        verb, _, rest = _DU.sub("", text).partition(" ")
        return _capital(f"{german_third(verb)} {rest}".strip())
    if found := _VERB_DU.search(text):
        text = f"{text[: found.start()]}{german_third(found[1])}{text[found.end() :]}"
    text = _DEIN.sub(lambda found: _article(found, text), text)
    if _OWNERS.match(text):
        return f"The {_INNER.sub('the', _OWNERS.sub('', text))}"
    if found := _SUBJECT.match(text):
        return _capital(_third(text[found.end() :], found["short"] or ""))
    return _INNER.sub("the", text)


# The owner by name

_AGE = r"(?:\s*(?:,\s*|\()\d{1,3}(?:[\w\s]{0,12})?\)?,?)?"
_ENGLISH = re.compile(r"\b(?:is|are|was|has|have|the|of|and|likes|called)\b", re.IGNORECASE)


def unnamed(text: str, names: Sequence[str]) -> str:
    """The text with every sentence that is about the owner by name as a memory says it that names
    nobody: "Lena, 34, lives in Kiel" is "Lives in Kiel"."""
    if not any(name in text.lower() for name in names):
        return text
    known = "|".join(re.escape(name) for name in names)
    whose, whom = r"(['’]s|['’]|s)\s+(?=\w)", _AGE + r"\s+(?=[a-zäöü])"
    about = re.compile(rf"^(?i:{known})(?:{whose}|(?!\w){whom})")
    return " ".join(_unnamed(sentence, about) for sentence in sentences(text)) or text


def _unnamed(sentence: str, about: re.Pattern[str]) -> str:
    found = about.match(sentence)
    rest = sentence[found.end() :] if found else ""
    if found is None or re.match(r"(?:and|und|or|oder)\b", rest):
        return sentence
    if not found[1]:
        return _capital(rest)
    return f"The {rest}" if found[1] != "s" or _ENGLISH.search(rest) else f"Der {rest}"


def _third(rest: str, short: str) -> str:
    if short:
        return f"{_SHORT[short[1:]]} {rest}"
    adverbs = _ADVERBS.match(rest)
    front = adverbs[0] if adverbs else ""
    verb, _, after = rest[len(front) :].partition(" ")
    low = verb.lower().replace("’", "'")
    if low in _AUXILIARY:
        turned = verb
    else:
        turned = _AGREES.get(low) or (verb if low.endswith("s") else conjugated(low))
    return _INNER.sub("the", f"{front}{turned} {after}".strip())


def german_third(verb: str) -> str:
    """`wohnst` is `wohnt`; verbs whose second person is their third stay."""
    low = verb.lower()
    if low in _GERMAN_VERBS:
        return _GERMAN_VERBS[low]
    if low.endswith("st") and not low.endswith(("sst", "ßt")):
        return f"{low[:-2]}t"
    return low


def _article(found: re.Match[str], text: str) -> str:
    word = _ARTICLES.get(found[1].lower(), "Die")
    return word if found.start() == 0 else word.lower()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
