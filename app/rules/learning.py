"""What becomes of a fact a writer found: new, known, contradicting, or not wanted. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.rules.facts import Fact, Line
from app.rules.wording import negated, same_words
from store.records import Entry, Origin

_OWNER = frozenset({"i", "ich", "user", "the user", "the owner", "owner", ""})
# A memory may begin with its verb, "Prefers tea": then it speaks of the owner.
_NO_NAME = re.compile(
    r"^(?:my|please|always|never|now|currently|lives?|living|based|moved|works?|working|likes?|loves?|"
    r"enjoys?|prefers?|adores?|hates?|dislikes?|loathes?|eats?|is|was|no|not|reply|answer|respond|"
    r"write|call|does|do|can|cannot|favou?rite|name|the|their|his|her|it|this|that|"
    r"mein(?:e[mnrs]?)?|wohn(?:t|e|haft)|leb(?:t|e)|arbeitet?|jetzt|derzeit)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^\s*(?:(?P<who>I|[Ii]ch|[Tt]he (?:owner|user)|[Uu]ser|[A-Z][\w-]+)(?P<poss>['’]s?)?[\s,:]+)?",
    re.UNICODE,
)
_OWNER_FIRST = re.compile(r"^\s*the (?:owner|user)\b", re.IGNORECASE)
_NO_MORE = r"(?:no longer|not|never|n['’]t|stopped|quit)"
_GOES_ON = (
    r"(?:and|but|since|because|with|for|now|these days|any ?more|as|at|from|und|aber|seit|weil|mit)"
)
_END = rf"(?=$|[.,;!?(]|\s{_GOES_ON}\b)"
_VALUE = rf"(?P<value>[^.,;!?(]+?){_END}"
_DIETS = r"(?P<value>vegetarian|vegan|pescatarian|omnivore|meat.?eater)"
_ONE_OF = (
    r"(?P<slot>(?:[\w-]+ )?(?:name|birthday|age|e-?mail|phone|address|time ?zone|city|home ?town|"
    r"company|employer|job|title|role|manager|boss|wife|husband|partner|car|editor|"
    r"favou?rite [\w-]+(?: [\w-]+)?|[\w-]+ language))"
)

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern, re.IGNORECASE))
    for slot, pattern in (
        ("home", rf"\b(?:lives?|living|based|moved|relocated|resides?)\s+(?:in|to)\s+{_VALUE}"),
        ("home", rf"\b(?:wohn(?:t|e|haft)|leb(?:t|e))\s+(?:jetzt\s+)?in\s+{_VALUE}"),
        ("employer", rf"\barbeitet?\s+(?:jetzt\s+)?(?:bei|für)\s+{_VALUE}"),
        ("employer", rf"\bwork(?:s|ing)?\s+(?:at|for)\s+{_VALUE}"),
        ("diet", rf"\b(?P<no>{_NO_MORE}\s+)?(?:being\s+)?(?:an?\s+)?{_DIETS}\b"),
        ("diet", r"\beats?\s+(?P<value>meat)\b"),
        ("reply language", rf"\b(?:reply|answer|respond|write)(?:\s+to \w+)?\s+in\s+{_VALUE}"),
        ("", rf"^{_ONE_OF}\s+is\s+(?:now\s+)?{_VALUE}"),
        ("liking", rf"\b(?:likes?|loves?|enjoys?|prefers?|adores?)\s+{_VALUE}"),
        ("disliking", rf"\b(?:hates?|dislikes?|loathes?|can(?:no|['’])t stand)\s+{_VALUE}"),
    )
)
_TURNED = re.compile(
    r"\b(?:does(?: not|n['’]t)|do(?: not|n['’]t)|no longer|never|stopped|not)\s*$", re.IGNORECASE
)
_MEAT = {"meat", "omnivore", "meat eater", "meat-eater"}


@dataclass(frozen=True, slots=True, order=True)
class Claim:
    """`value` fills `slot` of `subject`; turned over when `holds` is false."""

    subject: str
    slot: str
    value: str
    holds: bool


@lru_cache(maxsize=8_192)
def claims(text: str) -> tuple[Claim, ...]:
    """What the text says of things that can only be one way."""
    match = None if _NO_NAME.match(text) and not _OWNER_FIRST.match(text) else _SUBJECT.match(text)
    who = (match["who"] or "") if match else ""
    subject = "" if who.lower() in _OWNER else who.lower()
    rest = text[match.end() :] if match else text
    rest = re.sub(r"^(?:my|their|his|her)\s+", "", rest.strip(), flags=re.IGNORECASE)
    found: list[Claim] = []
    for slot, pattern in _PATTERNS:
        hit = pattern.search(rest)
        if hit:
            found.append(_claim(subject, slot, hit, rest))
    return tuple(found)


def _claim(subject: str, slot: str, hit: re.Match[str], text: str) -> Claim:
    groups = hit.groupdict()
    value = _plain(hit["value"])
    holds = not (groups.get("no") or _TURNED.search(text[: hit.start()]))
    if slot in ("liking", "disliking"):
        return Claim(subject, f"liking {value}", value, holds == (slot == "liking"))
    if slot == "diet" and value in _MEAT:
        value = "meat"
    return Claim(subject, slot or _plain(groups["slot"]), value, holds)


def _plain(text: str) -> str:
    words = re.sub(r"[^\w\s-]", " ", text.lower()).split()
    while words and words[0] in ("a", "an", "the", "to", "very", "really", "more"):
        words.pop(0)
    return " ".join(words).replace("favourite", "favorite")


def contradicts(new: str, known: str) -> bool:
    """Whether `new` says otherwise of something `known` settles."""
    return any(_opposed(a, b) for a in claims(new) for b in claims(known))


def _opposed(new: Claim, known: Claim) -> bool:
    if (new.subject, new.slot) != (known.subject, known.slot):
        return False
    same = new.value == known.value or _within(new.value, known.value)
    if same:
        return new.holds != known.holds
    return new.holds and known.holds


def _within(a: str, b: str) -> bool:
    """Whether one value only says more than the other, as Berlin Mitte does of Berlin: that is no
    contradiction."""
    return set(a.split()) <= set(b.split()) or set(b.split()) <= set(a.split())


SAME_MEANING = 0.92

Closeness = Callable[[str, str], float]


@dataclass(frozen=True, slots=True)
class New:
    fact: Fact


@dataclass(frozen=True, slots=True)
class Known:
    """An entry says it already."""

    fact: Fact
    entry: Entry


@dataclass(frozen=True, slots=True)
class Contradicting:
    """It says otherwise than an entry: the owner decides, whatever the agent's mode."""

    fact: Fact
    entry: Entry


@dataclass(frozen=True, slots=True)
class NotAgain:
    """It was taken from these turns before, and kept, forgotten, erased or turned down since."""

    fact: Fact


Judgement = New | Known | Contradicting | NotAgain


def judged(
    fact: Fact,
    closest: Sequence[Entry],
    about: Sequence[Entry],
    before: Sequence[Origin],
    closeness: Closeness,
) -> Judgement:
    """`closest` are the entries nearest to the fact in meaning, `about` others the writer saw;
    `before` is what was taken from the fact's origins earlier."""
    if taken_before(fact, before):
        return NotAgain(fact)
    for entry in (*closest, *about):
        replaced = fact.replaces and fact.replaces == entry.content
        if replaced or opposes(fact.content, entry.content):
            return Contradicting(fact, entry)
    for entry in (*closest, *about):
        if same_words(fact.content, entry.content):
            return Known(fact, entry)
    for entry in closest:
        if closeness(fact.content, entry.content) >= SAME_MEANING:
            return Known(fact, entry)
    return New(fact)


def taken_before(fact: Fact, before: Sequence[Origin]) -> bool:
    """Whether the fact was learned before from one of its origins. An origin whose sentence was
    erased counts as learned: nothing is learned from it again."""
    rows = [row for row in before if row.origin in fact.origins]
    return any(
        not row.sentence
        or same_words(row.sentence, fact.sentence)
        or same_words(row.sentence, fact.content)
        for row in rows
    )


def standing(facts: Sequence[Fact], lines: Sequence[Line]) -> list[Fact]:
    """The facts without those that something said later in the same exchange takes back."""
    position = {line.origin: number for number, line in enumerate(lines)}

    def said_at(fact: Fact) -> int:
        return max((position.get(origin, -1) for origin in fact.origins), default=-1)

    def taken_back(fact: Fact) -> bool:
        return any(
            said_at(later) > said_at(fact) and opposes(later.content, fact.content)
            for later in facts
        )

    return [fact for fact in facts if not taken_back(fact)]


_PROJECT = re.compile(
    r"^(?:The owner: )?(?:we|our|let['’]s|wir|unser\w*|lass(?:t)? uns|nosotros|nuestr\w+)\b",
    re.IGNORECASE,
)


_PERSON = re.compile(
    r"^(?:the owner(?!:)|(?:the owner: )?(?:ich|mein\w*|mir|mich|yo|mis?|me|soy|a mí)\b)",
    re.IGNORECASE,
)


def of_the_project(fact: Fact) -> bool:
    """Whether it speaks of what is worked on rather than of the person: what was decided together,
    what "we" do, and what is so there. What the person likes and how they want things done goes
    with them."""
    if fact.kind == "decision" or _PROJECT.match(fact.content):
        return True
    return fact.kind not in ("preference", "instruction") and not _PERSON.match(fact.content)


def opposes(new: str, known: str) -> bool:
    """Whether `new` says otherwise than `known`: another value, or the same denied."""
    return contradicts(new, known) or (same_words(new, known) and negated(new) != negated(known))
