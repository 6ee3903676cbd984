"""The built-in writer: chooses sentences, on this machine, the same way every time.

A statement is kept for what it is (its shape), for how much it says (rare words, names, days), for
how close it is to what the exchange is about (centrality) and for being new (not said before, not
known already). It invents no words: first person is turned to third, relative days get their date.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

from app.learning.writer import Facts, Prompt, Summary
from app.learning.writers.patterns import (
    Shape,
    goes_on,
    hands_over,
    passes_by,
    proper_names,
    shape_of,
    tags_for,
)
from app.rules.facts import Fact, Line, SummaryLine
from app.rules.session import within
from app.rules.wording import negated, says_same, tells_apart
from app.text.days import day_of, names_a_day, resolve_days
from app.text.sentences import content_words, sentences, statements
from store.instants import from_instant
from store.models.embedder import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]


_FIRST = re.compile(r"\b(I['’](?:m|ve|d|ll)|I|my|mine|me|myself)\b")
_FIRST_ANY = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]e|[Mm]yself)\b")
_UNSURE = re.compile(
    r"(?<![\w-])(?:we|us|our|ours|you|your|yours|you['’]\w+|we['’]\w+|let['’]s)(?![\w-])",
    re.IGNORECASE,
)
# First persons of other languages: not turned, but not left without their speaker either.
_FOREIGN = re.compile(
    r"\b(?:ich|mein\w*|mich|mir|wir|unser\w*|je|j['’]\w+|mon|mes|nous|notre|yo|soy|tengo|mis|"
    r"nuestr\w+|"
    r"io|mio|mia|noi|eu|meu|minha|nós|ik|mijn|wij)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?!(?:fly|rely|reply|apply|supply|imply|multiply)$)(?:\w+ly|also|always|never|"
    r"often|just|still|usually|sometimes|now|currently|even|mostly)$",
    re.IGNORECASE,
)
_OPENERS = re.compile(
    r"^(?:(?:oh|hey|hi|hello|well|yeah|yes|yep|no wait|wait|no|nope|wow|so|and|but|also|ok|"
    r"okay|sure|"
    r"thanks|thank you|sorry|"
    r"as i said|as i mentioned|like i said|by the way|"
    r"btw|actually|anyway|haha|hmm|cool|great|awesome)\b[,!.:]?\s+)+",
    re.IGNORECASE,
)
_AGREES: dict[str, str] = {
    "am": "is",
    "have": "has",
    "do": "does",
    "was": "was",
    "haven't": "hasn't",
    "don't": "doesn't",
    "go": "goes",
    "am not": "is not",
}
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
    if turned is None:
        return f"{speaker}: {sentence}"
    return turned[:1].upper() + turned[1:]


def _turn(sentence: str, speaker: str) -> str | None:
    """The sentence in the third person; None if its first person stands where no word begins."""
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
    turned = "".join(tokens)
    return None if turned == small else turned


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
    position = at + 2
    while position < len(tokens) and _ADVERB.match(tokens[position]):
        position += 2
    if position >= len(tokens):
        return
    match = re.match(r"^([A-Za-z'’]+)(.*)$", tokens[position], re.DOTALL)
    if not match:
        return
    verb, rest = match[1].replace("’", "'"), match[2]
    tokens[position] = (conjugated(verb) if singular else _VERB_AFTER_THEY.get(verb, verb)) + rest


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


ALIKE = 0.35
VECTORS_KEPT = 500
LONGEST_JOINED = 200
OFTEN = 3  # how often a thing is said until that alone tells
BINDING = ("decision", "instruction")  # of these a long talk may have many, and all count
BINDING_MOST = 60
SURE = 0.75  # a shape that speaks for itself: however short the exchange, it is kept


class SentenceEmbedder(Protocol):
    @property
    def identity(self) -> str: ...

    def embed(self, texts: list[str]) -> Vectors: ...


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each reason counts; the sum decides which statements are kept."""

    shape: float = 1.0
    says: float = 1.4
    central: float = 0.4
    repeated: float = 0.8


@dataclass(frozen=True, slots=True)
class Limits:
    share: float = 0.3  # of the statements that could be kept
    most: int = 12
    least_words: int = 2
    least_score: float = 0.75
    known_cosine: float = 0.9
    summary_share: float = 0.35
    summary_most: int = 10


@dataclass(frozen=True, slots=True)
class FactCandidate:
    line: Line
    position: int  # its order in the exchange
    statement: str
    shape: Shape
    stems: frozenset[str]


class ExtractiveWriter:
    """`embedder` is asked for only when there is something to weigh: loading it takes a moment."""

    name = "built-in"
    local = True

    def __init__(
        self,
        embedder: Callable[[], SentenceEmbedder | None],
        weights: Weights | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._embedder = embedder
        self._weights = weights or Weights()
        self._limits = limits or Limits()
        self._last: tuple[str, dict[str, Vectors]] = ("", {})

    def facts(self, lines: Sequence[Line], known: Sequence[str]) -> Facts:
        told = [line for line in lines if line.is_learned_from]
        candidates = _repeated(candidates_of(told, self._limits.least_words))
        limit = _limit(candidates, self._limits.share, self._limits.most)
        chosen = self._chosen(candidates, known, limit)
        return Facts(tuple(_fact(candidate) for candidate in chosen), self.name)

    def summary(self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int) -> Summary:
        candidates = candidates_of(lines, self._limits.least_words)
        limit = _limit(candidates, self._limits.summary_share, self._limits.summary_most)
        known = [line.text for line in earlier]
        chosen = sorted(self._chosen(candidates, known, limit), key=lambda c: c.position)
        fresh = [
            SummaryLine(rendered(c), _day(c.line).isoformat(), (c.line.origin,)) for c in chosen
        ]
        return Summary(within((*earlier, *fresh), room), self.name)

    def fact_prompt(self, lines: Sequence[Line], known: Sequence[str]) -> Prompt | None:
        return None

    def summary_prompt(
        self, lines: Sequence[Line], earlier: Sequence[SummaryLine], room: int
    ) -> Prompt | None:
        return None

    def _chosen(
        self, candidates: list[FactCandidate], known: Sequence[str], limit: int
    ) -> list[FactCandidate]:
        """The best of `candidates`, best first, none of them known or said twice."""
        fresh = [c for c in candidates if not any(says_same(c.statement, text) for text in known)]
        if not fresh:
            return []
        closeness = self._closeness(fresh, known)
        said = _says(fresh)
        weights = self._weights
        base = [
            weights.shape * c.shape.strength + weights.says * says + weights.central * central
            for c, says, central in zip(fresh, said, closeness.central, strict=True)
        ]
        open_ = [
            i
            for i, candidate in enumerate(fresh)
            if closeness.known[i] < self._limits.known_cosine or negated(candidate.statement)
        ]
        chosen: list[int] = []
        while open_ and len(chosen) < limit:

            def worth(i: int) -> tuple[float, int]:
                repeated = max((closeness.between(i, j) for j in chosen), default=0.0)
                return round(base[i] - weights.repeated * repeated, 6), -i

            best = max(open_, key=worth)
            if worth(best)[0] < self._limits.least_score and chosen:
                break
            open_.remove(best)
            twice = any(says_same(fresh[best].statement, fresh[i].statement) for i in chosen)
            if base[best] >= self._limits.least_score and not twice:
                chosen.append(best)
        return [fresh[i] for i in chosen]

    def _closeness(self, candidates: list[FactCandidate], known: Sequence[str]) -> _Closeness:
        texts = [c.statement for c in candidates]
        try:
            embedder = self._embedder()
            if embedder is not None:
                known_vectors = self._vectors(embedder, known) if known else None
                return _by_meaning(self._vectors(embedder, texts), known_vectors)
        except ModelUnavailable:
            pass  # words alone still choose well
        return _by_words([c.stems for c in candidates])

    def _vectors(self, embedder: SentenceEmbedder, texts: Sequence[str]) -> Vectors:
        """One row a text. The last ones are kept: an end asks twice for the same exchange."""
        import numpy as np

        held = self._last if self._last[0] == embedder.identity else (embedder.identity, {})
        new = [text for text in dict.fromkeys(texts) if text not in held[1]]
        fresh = dict(zip(new, embedder.embed(new), strict=True)) if new else {}
        known = {**held[1], **fresh}
        self._last = (embedder.identity, {text: known[text] for text in [*known][-VECTORS_KEPT:]})
        return np.stack([known[text] for text in texts])


@dataclass(frozen=True, slots=True)
class _Closeness:
    central: list[float]  # to the exchange as a whole
    known: list[float]  # to the nearest thing known
    between: Callable[[int, int], float]


def _by_meaning(vectors: Vectors, known: Vectors | None) -> _Closeness:
    import numpy as np

    centre = vectors.mean(axis=0)
    centre /= np.linalg.norm(centre) or 1.0
    nearest = [0.0] * len(vectors) if known is None else (vectors @ known.T).max(axis=1).tolist()

    def between(i: int, j: int) -> float:
        # Any two sentences of one talk are somewhat alike; only more than that is repetition.
        return max(0.0, (float(vectors[i] @ vectors[j]) - ALIKE) / (1 - ALIKE))

    return _Closeness((vectors @ centre).tolist(), nearest, between)


def _by_words(stems: list[frozenset[str]]) -> _Closeness:
    """Without an embedder: shared words stand in for shared meaning."""
    everywhere = Counter(stem for words in stems for stem in words)
    most = max(everywhere.values(), default=1)
    central = [sum(everywhere[s] for s in words) / (most * max(1, len(words))) for words in stems]

    def between(i: int, j: int) -> float:
        return len(stems[i] & stems[j]) / max(1, min(len(stems[i]), len(stems[j])))

    return _Closeness(central, [0.0] * len(stems), between)


def candidates_of(lines: Sequence[Line], least_words: int = 2) -> list[FactCandidate]:
    """Every statement that could be kept, in the order it was said."""
    found: list[FactCandidate] = []
    for line in lines:
        kept_before = False  # whether the sentence just before this one is the last candidate
        for sentence in sentences(line.text):
            if hands_over(sentence):
                break
            if kept_before and goes_on(sentence) and len(found[-1].statement) < LONGEST_JOINED:
                found[-1] = _joined(found[-1], sentence)
                continue
            fresh = _statements_of(line, sentence, len(found), least_words)
            found.extend(fresh)
            kept_before = bool(fresh)
    return found


def _repeated(candidates: list[FactCandidate]) -> list[FactCandidate]:
    """What is said three times is meant: it is kept once, as it was said last."""
    groups: list[list[FactCandidate]] = []
    for candidate in candidates:
        group = next((one for one in groups if _says_it_again(candidate, one[0])), None)
        if group is None:
            groups.append([candidate])
        else:
            group.append(candidate)
    found = []
    for group in groups:
        if len(group) < OFTEN:
            found += group
            continue
        shape = group[0].shape
        kind = "fact" if shape.kind == "observation" else shape.kind
        meant = Shape(kind, max(shape.importance, 7), 1.0, shape.topics)
        plainest = min(group, key=lambda one: (len(one.statement), one.position))
        found.append(replace(plainest, line=group[-1].line, shape=meant))
    return sorted(found, key=lambda one: one.position)


def _says_it_again(a: FactCandidate, b: FactCandidate) -> bool:
    shared, fewer = len(a.stems & b.stems), min(len(a.stems), len(b.stems))
    alike = shared >= max(3, 0.8 * fewer) and not tells_apart(a.statement, b.statement)
    return alike and negated(a.statement) == negated(b.statement)


def _limit(candidates: Sequence[FactCandidate], share: float, most: int) -> int:
    """All that speaks for itself and a share of the rest, but never too many."""
    sure = sum(c.shape.strength >= SURE for c in candidates)
    rest = math.ceil(share * (len(candidates) - sure))
    binding = sum(c.shape.kind in BINDING for c in candidates)
    return min(max(most, min(binding, BINDING_MOST)), max(2, sure + rest))


def _statements_of(
    line: Line, sentence: str, position: int, least_words: int
) -> list[FactCandidate]:
    if passes_by(sentence):
        return []
    found: list[FactCandidate] = []
    for statement in statements(sentence):
        stems = frozenset(content_words(statement))
        shape = shape_of(statement)
        if (len(stems) >= least_words or shape.strength >= SURE) and not passes_by(statement):
            found.append(FactCandidate(line, position + len(found), statement, shape, stems))
    return found


def _joined(before: FactCandidate, sentence: str) -> FactCandidate:
    """Two sentences about one person, as one statement: alone the second would say nothing."""
    ended = before.statement.rstrip(" ,;")
    whole = f"{ended if ended.endswith(('.', '!', '?')) else ended + '.'} {sentence}"
    stems = before.stems | frozenset(content_words(sentence))
    return replace(before, statement=whole, stems=stems)


def _says(candidates: list[FactCandidate]) -> list[float]:
    """How much each statement says, 0 to 1: rare words of this exchange, names, numbers, days."""
    everywhere = Counter(stem for c in candidates for stem in c.stems)
    total = len(candidates)
    scores = []
    for c in candidates:
        rare = sum(math.log(1 + total / everywhere[stem]) for stem in c.stems)
        extra = len(proper_names(c.statement)) + 1.5 * names_a_day(c.statement)
        extra += any(letter.isdigit() for letter in c.statement)
        scores.append(rare / math.log(1 + total) + extra if total > 1 else len(c.stems) + extra)
    return [min(1.0, score / 12) for score in scores]


def rendered(candidate: FactCandidate) -> str:
    """The statement as it is kept: third person, days absolute, ended with a stop."""
    text = resolve_days(candidate.statement, _day(candidate.line))
    if candidate.shape.kind == "instruction" and candidate.line.is_person:
        text = text[:1].upper() + text[1:]
    else:
        text = third_person(text, candidate.line.name)
    return text if text.endswith((".", "!", "?", "…", "。")) else f"{text.rstrip(' ,;:')}."


def _fact(candidate: FactCandidate) -> Fact:
    shape = candidate.shape
    return Fact(
        content=rendered(candidate),
        kind=shape.kind,
        importance=shape.importance,
        tags=tags_for(candidate.statement, shape),
        origins=(candidate.line.origin,),
        sentence=candidate.statement,
    )


def _day(line: Line) -> date:
    return day_of(from_instant(line.at))
