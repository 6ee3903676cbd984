"""A sentence in the first person, as somebody else would put it. Pure.

"I work with Marie and my dog is Rex" said by the owner becomes "The owner works with Marie and
their dog is Rex". What cannot be turned safely is quoted with its speaker's name instead.
"""

from __future__ import annotations

import re

_FIRST = re.compile(r"\b(I['’](?:m|ve|d|ll)|I|my|mine|me|myself)\b")
_FIRST_ANY = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]e|[Mm]yself)\b")
_UNSURE = re.compile(
    r"(?<![\w-])(?:we|us|our|ours|you|your|yours|you['’]\w+|we['’]\w+|let['’]s)(?![\w-])",
    re.IGNORECASE,
)
# First persons of other languages: not turned, but not left without their speaker either.
_FOREIGN = re.compile(
    r"\b(?:ich|mein\w*|mich|mir|wir|unser\w*|je|j['’]\w+|mon|mes|nous|notre|yo|soy|tengo|mis|nuestr\w+|"
    r"io|mio|mia|noi|eu|meu|minha|nós|ik|mijn|wij)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?!(?:fly|rely|reply|apply|supply|imply|multiply)$)(?:\w+ly|also|always|never|"
    r"often|just|still|usually|sometimes|now|currently|even|mostly)$",
    re.IGNORECASE,
)
_OPENERS = re.compile(
    r"^(?:(?:oh|hey|hi|hello|well|yeah|yes|yep|no|nope|wow|so|and|but|also|ok|okay|sure|"
    r"thanks|thank you|sorry|"
    r"as i said|as i mentioned|like i said|by the way|"
    r"btw|actually|anyway|haha|hmm|cool|great|awesome)\b[,!.:]?\s+)+",
    re.IGNORECASE,
)
_AGREES: dict[str, str] = {
    "am": "is", "have": "has", "do": "does", "was": "was", "haven't": "hasn't", "don't": "doesn't",
    "go": "goes", "am not": "is not",
}  # fmt: skip
# Past forms and helpers take no ending; other verbs after "I" are in the present and do.
_UNCHANGED_TEXT = """
was had did can could will would shall should may might must went saw came took made got gave
found thought told said knew felt left kept began brought bought caught taught built sent spent
lost met paid ran sat sold spoke stood understood wrote won drove ate drank fell flew forgot
grew heard held hid hit hurt led lent let lit meant put quit read rode rose sang set shook shot
shut slept stole stuck swam taught threw wore woke became broke chose drew dug fed fought bet
cut cost wasn't hadn't didn't can't couldn't won't wouldn't shouldn't cannot used
"""
_UNCHANGED = frozenset(_UNCHANGED_TEXT.split())
_CONTRACTED = {"m": "is", "ve": "has", "d": "would", "ll": "will"}
_THEY = {"m": "they're", "ve": "they've", "d": "they'd", "ll": "they'll"}
_VERB_AFTER_THEY = {"am": "are", "was": "were", "wasn't": "weren't"}


def without_opener(sentence: str) -> str:
    """The sentence without its "Oh well, yeah," and with a capital first letter."""
    rest = _OPENERS.sub("", sentence).strip()
    return rest[:1].upper() + rest[1:]


def third_person(sentence: str, speaker: str) -> str:
    """`sentence`, said by `speaker`, readable without knowing who spoke."""
    sentence = without_opener(sentence)
    if not _FIRST_ANY.search(sentence):
        unsure = _UNSURE.search(sentence) or _FOREIGN.search(sentence)
        return f"{speaker}: {sentence}" if unsure else sentence
    if _UNSURE.search(sentence):
        return f"{speaker}: {sentence}"
    turned = _turn(sentence, speaker)
    return turned[:1].upper() + turned[1:]


def _turn(sentence: str, speaker: str) -> str:
    small = re.sub(r"\b(?:My|Mine|Me|Myself)\b", lambda match: match[0].lower(), sentence)
    tokens = re.split(r"(\s+)", small)
    subject_due = True
    for at, token in enumerate(tokens):
        match = _FIRST.match(token)
        if not match:
            continue
        word, rest = match[1].replace("’", "'"), token[match.end() :]
        if word == "I" or word.startswith("I'"):
            name = speaker if at == 0 else _inside(speaker)
            tokens[at] = _subject(word, name, subject_due) + rest
            if "'" not in word and not rest:
                _agree(tokens, at, subject_due)
            subject_due = False
        elif word == "my" or (word == "mine" and subject_due):
            tokens[at] = (
                _possessive(speaker if at == 0 else _inside(speaker)) if subject_due else "their"
            ) + rest
            subject_due = False
        elif word == "me" and subject_due:
            tokens[at] = _inside(speaker) + rest
            subject_due = False
        else:
            tokens[at] = {"mine": "theirs", "me": "them", "myself": "themselves"}[word] + rest
    return "".join(tokens)


def _inside(name: str) -> str:
    """A name amid the sentence: "the owner" loses its capital, a person's name does not."""
    return name[0].lower() + name[1:] if name.startswith("The ") else name


def _possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def _subject(word: str, speaker: str, due: bool) -> str:
    if "'" not in word:
        return speaker if due else "they"
    ending = word.split("'")[1]
    return f"{speaker} {_CONTRACTED[ending]}" if due else _THEY[ending]


def _agree(tokens: list[str], at: int, singular: bool) -> None:
    """Make the verb after the subject at `at` agree with it, past an adverb in between."""
    place = at + 2
    while place < len(tokens) and _ADVERB.match(tokens[place]):
        place += 2
    if place >= len(tokens):
        return
    match = re.match(r"^([A-Za-z'’]+)(.*)$", tokens[place], re.DOTALL)
    if not match:
        return
    verb, rest = match[1].replace("’", "'"), match[2]
    tokens[place] = (conjugated(verb) if singular else _VERB_AFTER_THEY.get(verb, verb)) + rest


def conjugated(verb: str) -> str:
    """The third person of a verb met after "I"; past forms stay."""
    if verb in _AGREES:
        return _AGREES[verb]
    if verb in _UNCHANGED or verb.endswith(("ed", "n't")) or not verb.islower():
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
