"""Words of a text: their stems, those that say nothing, the line around those that match, and the
line it is known by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, Protocol

from store.cjk_pairs import is_unspaced, script_words


class Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802  (Snowball's own name)


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
# The same in other languages. "die", "war" or "son" say much in English: which list counts is told
# by the query itself.
_OTHER_LANGUAGES = (
    """
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine
    ist sind war waren wird werden wurde wurden hat haben hatte hatten ich du er sie es wir
    ihr mich dich sich mir dir ihm ihn uns euch mein dein sein ihre ihrer seine von vom zu
    zum zur mit nach bei aus auf für über unter vor durch um an am in im als wie was wer wo
    wann warum wieso welche welcher welches welchen welchem wem wen dass daß ob wenn auch
    noch nur schon so sehr dann denn doch da hier dort diese dieser dieses viele vielen viel
    bin bist habe hast ihrem ihren ihres meine meinen meinem meiner deine deinen unser unsere
    unserer unseren seinen seinem seiner keinen keinem keiner wohin woher worden wäre würde
    muss müssen kann können soll sollte gegen seit bis beim
    """,
    """
    el la los las un una unos unas y o u e pero no ni es son era eran fue fueron ser está
    están estaba ha han había hay tiene tenía yo tú él ella ello nosotros ellos ellas me te
    se le les lo mi tu su sus nos de del a al con por para en sobre entre hasta desde sin
    que qué quién quiénes cuál cuáles cómo cuándo dónde cuánto cuánta cuántos cuántas porque
    si también más muy ya como esta este esto estos estas ese esa eso
    """,
    """
    le la les un une des du de d l et ou mais ne pas est sont était étaient être a ont avait
    avoir je tu il elle on nous vous ils elles me te se mon ma mes ton ta tes son sa ses
    notre votre leur leurs à au aux avec par pour dans sur sous entre sans que qui quoi quel
    quelle quels quelles comment quand où pourquoi combien ce cet cette ces aussi plus très
    si y en
    """,
    """
    il lo la i gli le un uno una e o ma non è sono era erano essere ha hanno aveva io tu lui
    lei noi voi loro mi ti si ci vi mio mia suo sua di del della dei delle a al alla con per
    in nel nella su da dal tra fra che chi cosa quale quali come quando dove perché quanto
    quanti anche più molto questo questa questi
    """,
    """
    o a os as um uma uns umas e ou mas não é são era eram foi ser está estão tem tinha há eu
    tu ele ela nós eles elas me te se meu minha seu sua de do da dos das em no na nos nas
    com por para sobre entre até desde sem que quem qual quais como quando onde porque
    quanto quantos também mais muito este esta isto esse essa
    """,
    """
    de het een en of maar niet geen is zijn was waren wordt worden werd heeft hebben had ik
    jij je hij zij ze wij we jullie mij me jou hem haar ons mijn jouw van naar met bij uit
    op voor over onder door om aan in te als hoe wat wie waar wanneer waarom welke dat die
    dit deze ook nog er dan zo
    """,
    """
    и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только
    ее её мне было вот от меня еще ещё нет о из ему когда где кто какой какая какие сколько
    почему для мы их чем была были был есть это этот эта эти или
    """,
    """
    ve veya ama değil bir bu şu o ben sen biz siz onlar ne kim nerede nasıl neden niçin
    hangi kaç için ile gibi kadar daha çok en de da mi mı mu mü ki ise var yok olan olarak
    """,
    """
    في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت ما ماذا متى أين
    كيف لماذا كم هل أو و لا لم لن أن إن قد كل بعد قبل بين
    """,
)


ENGLISH = "english"
# The languages of those lists, by the names that Snowball's stemmers have.
_NAMES = (
    *("german", "spanish", "french", "italian", "portuguese"),
    *("dutch", "russian", "turkish", "arabic"),
)
_SHORTEST_STEM = 4


@cache
def _languages() -> dict[str, frozenset[str]]:
    lists = (frozenset(words.split()) for words in _OTHER_LANGUAGES)
    return {ENGLISH: QUERY_STOP_WORDS, **dict(zip(_NAMES, lists, strict=True))}


def known_in(words: Sequence[str]) -> dict[str, int]:
    """How many of the words are function words, language by language."""
    return {name: sum(word in some for word in words) for name, some in _languages().items()}


def language_of(words: Sequence[str]) -> str:
    """The language that these words are of: the one whose function words most of them are, English
    when none knows two or none knows more."""
    return _language(tuple(words))


@lru_cache(maxsize=64)
def _language(words: tuple[str, ...]) -> str:
    known = known_in(words)
    best = max(_NAMES, key=known.__getitem__)
    return best if known[best] > max(known[ENGLISH], 1) else ENGLISH


def function_words(words: Sequence[str]) -> frozenset[str]:
    """The function words of the language that these words are of."""
    return _languages()[language_of(words)]


def stop_words(*languages: str) -> frozenset[str]:
    """The function words of these languages together."""
    return frozenset().union(*(_languages()[name] for name in languages))


@lru_cache(maxsize=4_096)
def beginning_in(word: str, language: str) -> str:
    """`word` without its ending in that language, as long as it is how the word begins: every form
    of it begins so, accents aside. The word itself where too little would be left."""
    if language == ENGLISH:
        return beginning(word)
    stemmer = _stemmer(language)
    stemmed = fold(stemmer.stemWord(word)) if stemmer else ""
    if len(stemmed) < _SHORTEST_STEM or not fold(word).startswith(stemmed):
        return word
    return word[: len(stemmed)]


@cache
def _stemmer(language: str) -> Stemmer | None:
    """None where it is not installed: words are then found as they stand."""
    try:
        from snowballstemmer import stemmer  # all its languages: not for who asks in English
    except ImportError:
        return None
    made: Stemmer = stemmer(language)
    return made


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


WIDTH = 180
_LEAD = 40
_READ = 8_000
_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s")


class Snippet(NamedTuple):
    """`matches` are (start, end) in `text`."""

    text: str
    matches: tuple[tuple[int, int], ...]


class Marker:
    """Finds in a text the words of one query, endings and accents aside, or words that start with
    `prefix`."""

    def __init__(self, words: Sequence[str], prefix: str = "") -> None:
        self._wanted = {fold(form) for word in words for form in (word, beginning(word))}
        # In a run of characters without spaces a match is any place that holds them.
        runs = [re.escape(fold(word)) for word in (*words, prefix) if is_unspaced(word)]
        self._runs = re.compile(f"(?=({'|'.join(runs)}))") if runs else None
        self._prefix = fold(prefix)
        # Most words of a text differ from all wanted ones within their first letters.
        self._starts = {word[:3] for word in self._wanted}

    def marks(self, text: str) -> tuple[tuple[int, int], ...]:
        """(start, end) of each match."""
        wanted, starts, prefix = self._wanted, self._starts, self._prefix
        folded = fold(text[:_READ])
        found = tuple(
            match.span()
            for match in (_WORD if folded.isascii() else script_words()).finditer(folded)
            if ((word := match[0])[:3] in starts and (word in wanted or beginning(word) in wanted))
            or (prefix and word.startswith(prefix) and not is_unspaced(prefix))
        )
        if self._runs is None:
            return found
        return _joined([*found, *(match.span(1) for match in self._runs.finditer(folded))])


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Returns the spans in order; spans that touch are joined."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def words_beginning(letters: str) -> Callable[[str], list[str]]:
    """A function that gives the words of a text that begin with these letters, accents aside."""
    accents, typed = "[\u0300-\u036f]", re.escape(fold(letters))
    spelled = "".join(f"{re.escape(letter)}{accents}*" for letter in fold(letters))
    # The letters first: they are looked for much faster than where words begin.
    bare = re.compile(rf"{typed}(?<![^\W_]{typed})[^\W_]*")
    accented = re.compile(rf"(?<![^\W_])(?<!{accents}){spelled}(?:[^\W_]|{accents})*")

    def found(text: str) -> list[str]:
        if text.isascii():
            return bare.findall(text.lower())
        return accented.findall(unicodedata.normalize("NFD", text).lower())

    return found


def fold(text: str) -> str:
    """Lower case without accents, one character for one, so that positions hold."""
    if text.isascii():
        return text.lower()
    return "".join(_folded(char) for char in text)


def snippet(text: str, found: Sequence[tuple[int, int]], width: int = WIDTH) -> Snippet:
    """About `width` characters of `text` on one line, starting a little before the first match."""
    start = 0
    if found and found[0][1] > width:
        start = max(0, found[0][0] - _LEAD)
        space = text.find(" ", start, found[0][0])
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + width)
    before, after = "…" if start else "", "…" if end < len(text) else ""
    # One character for one, so that the positions hold.
    line = _SPACE.sub(" ", text[start:end])
    shift = len(before) - start
    shown = tuple(
        (max(left, start) + shift, min(right, end) + shift)
        for left, right in found
        if left < end and right > start
    )
    return Snippet(f"{before}{line}{after}", shown)


def _folded(char: str) -> str:
    if char.isascii():
        return char.lower()
    base = unicodedata.normalize("NFD", char)[0].lower()
    return base if len(base) == 1 else char


def plural(number: int, thing: str, many: str = "") -> str:
    return f"{number:,} {thing if number == 1 else many or thing + 's'}"


# What a memory is called: by the key somebody gave it, else by its first line

TITLE_CHARS = 60
# As app.rules.fields.made_key makes them: a few words of the text and eight hex digits.
_MADE = r"(?:[a-z0-9]+-)+[0-9a-f]{8}"


@cache
def markdown_marks() -> re.Pattern[str]:
    """Finds the marks of Markdown. A terminal shows texts as they are and does without."""
    return re.compile(
        r"^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|>\s?|\d+\.\s+)"  # headings, lists, quotes
        r"|\*{1,3}|`{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)"  # emphasis, code
        r"|\[\[|\]\]|!?\[|\]\([^)]*\)",  # links
        re.MULTILINE,
    )


def without_marks(text: str) -> str:
    """Markdown as it reads, without its marks."""
    return markdown_marks().sub("", text)


def is_made_key(key: str) -> bool:
    """Whether nobody chose the key: it was made from the text, and names nothing to a person."""
    return re.fullmatch(_MADE, key) is not None


def title_of(key: str, content: str) -> str:
    """The key, if somebody chose it; else the first line, at most so long that it is a name."""
    if key and not is_made_key(key):
        return key
    line, cut = first_line(content)
    return f"{line}…" if cut else line or key


def first_line(content: str) -> tuple[str, bool]:
    """The first line that says something, ended at a word, and whether it goes on."""
    lines = (" ".join(line.split()) for line in without_marks(content[:2_000]).splitlines())
    line = next((line for line in lines if line), "")
    if len(line) <= TITLE_CHARS:
        return line, False
    whole = line[: TITLE_CHARS + 1].rpartition(" ")[0]
    return (whole or line[:TITLE_CHARS]).rstrip(" ,;:"), True
