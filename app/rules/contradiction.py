"""Whether two memories cannot both be true, told by their texts, and which of them agents are told
meanwhile. Pure.

Two sentences contradict each other when they are about the same and differ in one value: a name, a
number, a date, or a denial. Everything else keeps them apart: another subject, a verb of which
there are many (to like, to visit), a list, more words that say something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from app.rules.learning import contradicts
from app.text.sentences import sentences
from app.text.words import ENGLISH, stop_words
from store.instants import Instant
from store.records import Entry, by_others

KEY, PATTERN, NAME, NUMBER, DATE, NEGATION = (
    *("key", "pattern", "name", "number", "date"),
    "negation",
)
MOST_SENTENCES = 12
MOST_CHARS = 2_000
_LEAST_SHARED = 0.5  # of the words of the shorter one


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january januar jan", "february februar feb", "march märz mar", "april apr"),
            *("may mai", "june juni jun", "july juli jul", "august aug"),
            *("september sept sep", "october oktober oct okt", "november nov"),
            "december dezember dec dez",
        ),
        1,
    )
    for name in names.split()
}
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            *("monday montag", "tuesday dienstag", "wednesday mittwoch", "thursday donnerstag"),
            *("friday freitag", "saturday samstag sonnabend", "sunday sonntag"),
        )
    )
    for name in names.split()
}
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            *("zero null", "one", "two zwei", "three drei", "four vier", "five fünf"),
            *("six sechs", "seven sieben", "eight acht", "nine neun", "ten zehn"),
            *("eleven elf", "twelve zwölf"),
        )
    )
    for word in words.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ORDINAL = re.compile(rf"\b(\d{{1,2}})\. (?=(?:{_MONTH})\b)", re.IGNORECASE)
_ABBREVIATED = re.compile(r"\b(Dr|Mr|Mrs|Ms|St|Prof|Nr|No|Hr|Fr)\.(?= )")
_THOUSANDS = re.compile(r"^\d{1,3}(?:[.,]\d{3})+$")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_TOKEN = re.compile(
    rf"""(?P<iso>\b\d{{4}}-\d\d(?:-\d\d)?\b)
       | (?P<dotted>\b\d{{1,2}}\.\d{{1,2}}\.(?:\d{{2,4}}\b)?)
       | (?P<day>\b\d{{1,2}})(?:st|nd|rd|th)?\.?[ ](?:of[ ])?(?P<month>{_MONTH})\b\.?
         (?:,?[ ](?P<year>\d{{4}}))?
       | \b(?P<month2>{_MONTH})[ ](?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?[ ](?P<year2>\d{{4}}))?
       | \b(?P<month3>{_MONTH})[ ](?P<year3>\d{{4}})\b
       | (?P<clock>\b\d{{1,2}}(?::\d\d)?[ ]?(?:[ap]\.?m\b\.?|uhr\b)|\b\d{{1,2}}:\d\d\b)
       | (?P<name>[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|[~/]?[\w-]+(?:/[\w.-]+)+|\w+_\w+)
       | (?P<number>\d[\d.,]*\d|\d)(?=\D|$)
       | (?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*\w*)
       | (?P<comma>,|;)""",
    re.IGNORECASE | re.VERBOSE,
)
_DENIALS = _words(
    """
    not never no nor neither none cannot nobody nothing without stopped quit longer nicht nie
    niemals kein keine keinen keinem keiner keines ohne niemand nichts
    """
)
_NOT = re.compile(r".*n['’]t$")
# What a change is said with: it is no part of what is said.
_LIGHT = _words(
    """
    ab an auf aus ein los vor fest statt number nummer now currently today nowadays meanwhile
    anymore more already still just new newly recently since moved move changed change switched
    became become is are was were be been being has
    have had do does did will would may can could should must shall might jetzt inzwischen
    mittlerweile nun aktuell derzeit zurzeit heute nunmehr seit neu neue neuer neuen mehr
    schon noch ist sind war waren wird werden wurde wurden hat haben hatte hatten sei kann
    können darf dürfen muss müssen soll sollen
    """
)
# Several ways to say one thing, the last is what they become.
_SAME = {
    word: words.split()[-1]
    for words in (
        "begin begins beginning began begun starts starting started start",
        "beginnt beginnen anfangen fängt startet starten start",
        "ends ending ended finishes expires runs-out end",
        "resides reside residing lives living lived live",
        "wohnt wohnen lebt leben live",
        "costs costing cost charges charge price preis kostet kosten beträgt betragen cost",
        "uses using used use runs running run operates operate run",
        "betreibt betreiben läuft laufen run",
        "stores storing stored keeps keeping kept speichert speichern liegt liegen keep",
        "leads leading led headed heads head leads leitet leiten leitung lead",
        "developer developers development developer",
        "age aged old alt alter years year jahre jahr jahren old",
        "listens listening listen port ports port",
        "seats seat place places platz seat",
        "euros euro eur € euro",
        "colour colours colors color",
        "favourite favorite",
        "monthly months month monat monatlich month",
        "weekly weeks week woche wöchentlich week",
        "daily days day tag tage tagen täglich day",
        "called named name heißt heißen genannt name",
        "employed works working worked job work",
        "arbeitet arbeiten angestellt work",
        "holds holding held hold",
        "gewicht wiegt wiegen weight weighs weigh",
        "impfung impfen geimpft vaccinated vaccination jab vaccination",
        "abgegeben abgabe abgeben deadline due deadline",
    )
    for word in words.split()
}
# Verbs and words of which there are many at once.
_MANY = _words(
    """
    like likes liked love loves loved enjoy enjoys prefer prefers hate hates adore adores
    dislike visit visits visited saw see sees seen meet meets met know knows knew talk talks
    talked speak speaks spoke bought buy buys ordered read reads watched watch watches
    attended attend play plays played tried tasted ate cooked travelled traveled flew been
    worked collaborated support supports supported fixes fixed fix contains contain includes
    include owns own supplied helped helps invited wrote writes recommended recommends
    mentioned also another some sometimes often usually once various several including mag
    mögen liebt lieben hasst hassen besuchte besucht besuchen kennt kennen kannte traf
    getroffen spricht sprechen sprach kaufte gekauft las gelesen sah gesehen spielt spielen
    gespielt probiert empfiehlt empfohlen erwähnt auch manchmal oft mehrere verschiedene
    gewesen besitzt enthält enthalten unterstützt behebt hilft geholfen
    """
)
# What is not said to be so now: it was, it may be, somebody would like it.
_NOT_NOW = _words(
    """
    might maybe perhaps possibly probably thinking considering plans planning hopes wants wishes
    formerly previously once vielleicht womöglich eventuell überlegt erwägt plant hofft möchte
    könnte früher damals einst ehemals
    """
)
_TITLES = _words("mr mrs ms miss dr prof herr frau")  # no part of a name
_MANY_BEFORE = _words(
    """
    with and or like about including than then dann mit und oder wie über sowie gegen samt
    """
)
_COPULAS = _words("is are was were ist sind war waren")
_WHEN = _words("at on um am ab bis by until from since seit")
_BY = _words("by von durch bei vom mit")
_PLACED = _words(
    """
    in at on to from near for with beside behind under over im am an auf aus bei nach zu für gegen
    mit neben hinter vor unter über zwischen
    """
)
_MOVING = _words("legt fährt geht kommt go goes come comes leav leave leaves gibt give gives")
_ONE_WITH = re.compile(
    r"\b(?:married|engaged|twinned|registered|verheiratet|verlobt|verpartnert)\b", re.IGNORECASE
)
_AGENT = _words("by durch vom")
_EQUALS = _words("is are was ist sind war heißt lautet called named")
_OF_SOMETHING = re.compile(
    r"['’]s\b|\b(?:of|for|von|vom|für|des|der)\b|^(?:the|our|my|das|die|unser\w*|mein\w*)\b",
    re.IGNORECASE,
)
_ONE_PLACE = re.compile(
    r"\b(?:lives?|living|resides?|based|located|works?|employed|runs?|running|hosted|hosts?"
    r"|deploy(?:s|ed)?|stored?|keeps?|kept|lies|stands|moved|leaves?|departs?|belongs?|reports?"
    r"|uses?|born|married|engaged|twinned|registered|switched|backed|written|built|painted|made"
    r"|wohnt|lebt|arbeitet|läuft|liegt|steht|gehört|nutzt|verwendet|benutzt|zog|gezogen|ab"
    r"|geboren|verheiratet|verlobt|angestellt|gemeldet|gespeichert|abgelegt|unterricht\w*"
    r"|vermietet|gemalt|gemälde|geschrieben|gebaut|betreut|betrieben|geleitet|als|zuständig"
    r"|verantwortlich|\w+unterricht|betreib(?:t|en)|fährt|drives?|go(?:es)? from|leitung)\b",
    re.IGNORECASE,
)
_FOR_YEARS = re.compile(r" (?:for (?:many )?years|seit (?:vielen )?jahren)(?=\W*$)", re.IGNORECASE)
_IN_CHARGE = _words("zuständig verantwortlich responsibl charg")
_OBJECT_FIRST = re.compile(r"^(?:das|den|die)\b", re.IGNORECASE)
_DUE = re.compile(r"\b(?:due|deadline|valid|expires?|opens?|opening|fällig|gültig|frist)\b")
_ENDINGS = ("ing", "ed", "es", "en", "er", "em", "et", "te", "s", "e", "n", "t")
_UNIQUE = re.compile(
    r"^(?!The\b|An?\b|Der\b|Die\b|Das\b|Eine?\b)[A-ZÄÖÜ][\w'’-]+(?: [A-ZÄÖÜ][\w'’-]+)? (?:"
    r"(?:is|was|ist|war) (?:the|our|my|their|his|her|der|die|das|unser\w*|mein\w*|ihr\w*|sein\w*)\b"
    r"|(?:is|was|ist|war) [A-Za-zäöüß]+ (?:of|von|des|der)\b"
    r"|(?:leads?|heads?|manages?|conducts?|chairs?|coaches|teaches|trains|represents|holds)\b"
    r"|(?:leitet|führt|verantwortet|dirigiert|unterrichtet|trainiert|vertritt|gibt .+unterricht)\b)"
)
# Who has one of something may have more: friends in Rome, an account at Acme.
_ONE_OF_MANY = re.compile(
    r"^(?i:one of|an?|some|eine[rs]?)\s"
    r"|^[A-ZÄÖÜ]\w+ (?:are|were|sind|waren|dürfen|können)\b"  # of all dogs, not of one
    r"|\b(?:has|have|had|owns?|hat|haben|hatte|besitzt)\s+(?:got\s+)?(?!\w+unterricht)"
    r"(?:(?i:an?|some|several|eine?[nmrs]?|mehrere|[a-zäöü]{3,}s)\b|[A-ZÄÖÜ]\w+\s+(?:in|bei|aus)\b)"
)
_ATTRIBUTE = re.compile(
    r"^(?:the|our|my|der|die|das|unser\w*|mein\w*)\s(?:[\w'’-]+\s){1,8}"
    r"(?:is|are|ist|sind|lautet|heißt)\s(?:(?:now|jetzt|inzwischen)\s)?[\w'’-]+\W*$",
    re.IGNORECASE,
)
_OPPOSITES = (
    *(("on", "off"), ("enabled", "disabled"), ("open", "closed"), ("public", "private")),
    *(("allowed", "forbidden"), ("true", "false"), ("always", "never"), ("left", "right")),
    *(("aktiviert", "deaktiviert"), ("offen", "geschlossen"), ("öffentlich", "privat")),
    *(("erlaubt", "verboten"), ("wahr", "falsch"), ("links", "rechts"), ("dark", "light")),
    *(("hell", "dunkel"), ("required", "optional"), ("manual", "automatic")),
    *(("before", "after"), ("morning", "evening"), ("morgens", "abends"), ("hot", "cold")),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a sentence says: `sort` is word, name, number, date, weekday or clock."""

    sort: str
    value: str
    at: int  # its place among the words of the sentence
    before: str = ""  # the word or the comma before it
    verb: bool = False

    @property
    def listed(self) -> bool:
        """One of several; about seven minutes are seven."""
        if self.sort in ("name", "word"):
            return self.before in _MANY_BEFORE or self.before in (",", ";")
        return self.before in ("and", "or", "und", "oder")

    @property
    def timed(self) -> bool:
        """A day or an hour that says when: it is never of what the sentence is."""
        return self.sort in ("date", "clock") and self.before in _WHEN


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence as its parts, what it denies aside."""

    parts: tuple[Part, ...]
    denied: bool
    many: bool  # it speaks of what there may be many of
    verb: int  # where its verb stands; -1: not known
    unique: bool  # somebody is the one who has a role
    copula: bool  # its verb only says that something is
    text: str


def difference(a: str, b: str) -> str | None:
    """In what two texts contradict each other; None where they may both be true."""
    ones, others = said_in(a), said_in(b)
    if not ones or not others:
        return None
    for one in ones:
        for other in others:
            if found := _opposed(one, other):
                return found
    if len(ones) == len(others) == 1 and _by_pattern(ones[0], others[0]):
        return PATTERN
    return None


def _by_pattern(one: Said, other: Said) -> bool:
    """Whether both settle the same of the same, in ways that cannot both be; where more than one
    thing differs they are not of the same."""
    mine, yours = values_of(one), values_of(other)
    for here, there in ((mine, yours), (yours, mine)):
        own = {part.sort for value, part in here.items() if value not in there}
        if len(own - {"word"}) > 1:
            return False
    return contradicts(one.text, other.text) and contradicts(other.text, one.text)


def told_first(a: Entry, b: Entry) -> Entry:
    """Which of two that contradict each other agents are told until it is settled: the one that a
    person confirmed last, else the owner's own word, else the newer."""
    return max(a, b, key=_standing)


def _standing(entry: Entry) -> tuple[Instant, bool, Instant, str]:
    own = not by_others(entry.scope, entry.source) and not entry.source.startswith("agent:")
    return entry.verified_at or "", own, entry.written_at, entry.id


def overlap(a: Entry, b: Entry, now: Instant) -> bool:
    """Whether there is a time at which both claim to be true. One that does not say since when
    speaks of now, unless it is over."""
    return all(
        one.true_until is None or _begins(other, now) < one.true_until
        for one, other in ((a, b), (b, a))
    )


def _begins(entry: Entry, now: Instant) -> Instant:
    if entry.true_from is not None:
        return entry.true_from
    return "" if entry.true_until is not None and entry.true_until <= now else now


# Parts


@lru_cache(maxsize=20_000)
def said_in(text: str) -> tuple[Said, ...]:
    text = _ORDINAL.sub(r"\1 ", text[:MOST_CHARS])  # neither "3. Mai" nor "Dr." ends a sentence
    text = _FOR_YEARS.sub("", _ABBREVIATED.sub(r"\1", text))
    found = sentences(text)[:MOST_SENTENCES]
    return tuple(said for said in map(_said, found) if said.parts)


def _said(text: str) -> Said:
    tokens = list(_TOKEN.finditer(text))
    plain = [match["word"].lower() for match in tokens if match["word"]]
    denials = [w for w in plain if w in _DENIALS or _NOT.match(w)]
    odd = len([w for w in denials if w not in ("longer", "without", "ohne")]) % 2 == 1
    parts: list[Part] = []
    verb, before = -1, ""
    for place, match in enumerate(tokens):
        if match["comma"]:
            before = match.group()
            continue
        word = (match["word"] or "").lower()
        if word in _TITLES:
            continue
        part = _part(match, place, before)
        if verb < 0 and word in _VERBS:
            verb = place
        before = word or match.group()
        if part is not None:
            parts.append(part)
    many = any(word in _MANY or word in _NOT_NOW for word in plain)
    many = many and _ONE_WITH.search(text) is None
    copula = verb >= 0 and tokens[verb].group().lower() in _COPULAS
    return Said(tuple(parts), odd, many, verb, bool(_UNIQUE.match(text)), copula, text)


def _part(match: re.Match[str], place: int, before: str) -> Part | None:
    if date := _date(match):
        return Part("date", date, place, before)
    if match["clock"]:
        return Part("clock", _clock(match["clock"]), place, before)
    if match["name"]:
        return Part("name", match["name"].lower(), place, before)
    if match["number"]:
        number = match["number"].strip(".,")
        if _THOUSANDS.match(number):
            number = re.sub(r"[.,]", "", number)
        return Part("year" if _YEAR.match(number) else "number", number, place, before)
    written = match["word"]
    word = written.lower().removesuffix("'s").removesuffix("’s")
    if word in _WEEKDAYS or word.removesuffix("s") in _WEEKDAYS:
        day = word if word in _WEEKDAYS else word.removesuffix("s")
        return Part("weekday", str(_WEEKDAYS[day]), place, "," if day != word else before)
    if word in _NUMBERS:
        return Part("number", str(_NUMBERS[word]), place, before)
    if word in _DENIALS or word in _LIGHT or word in _empty() or _NOT.match(word):
        return None
    verb = word in _VERBS
    if word in _SAME:
        return Part("word", _SAME[word], place, before, verb)
    return Part("name" if written[0].isupper() else "word", stem_of(word), place, before, verb)


@cache
def _empty() -> frozenset[str]:
    return stop_words(ENGLISH, "german")


@lru_cache(maxsize=16_384)
def stem_of(word: str) -> str:
    """One form of a word for English and German alike: short sentences do not say which they are
    of."""
    for ending in _ENDINGS:
        if len(word) > (4 if ending == "e" else 5) and word.endswith(ending):
            return word[: -len(ending)]
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


def _date(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    if match["dotted"]:
        day, month, year = (*match["dotted"].strip(".").split("."), "")[:3]
        return _written(year, int(month), int(day))
    for day, month, year in (("day", "month", "year"), ("day2", "month2", "year2")):
        if match[month]:
            return _written(match[year] or "", _MONTHS[match[month].lower()], int(match[day]))
    if match["month3"]:
        return _written(match["year3"], _MONTHS[match["month3"].lower()], 0)
    return ""


def _written(year: str, month: int, day: int) -> str:
    return f"{year or '----'}-{month:02}-{day:02}"


def _clock(text: str) -> str:
    hour, _, minute = re.sub(r"[^\d:]", "", text).partition(":")
    late = "p" in text.lower() and int(hour) < 12
    return f"{int(hour) + 12 * late:02}:{minute or '00'}"


def _opposed(one: Said, other: Said) -> str | None:
    if len(one.parts) < 2 or len(other.parts) < 2:
        return None
    mine, yours = values_of(one), values_of(other)
    common = mine.keys() & yours.keys()
    fewer = min(len(mine), len(yours))
    if len(common) < max(2, _LEAST_SHARED * fewer):
        return None
    only_mine = [part for value, part in mine.items() if value not in common]
    only_yours = [part for value, part in yours.items() if value not in common]
    if one.denied != other.denied:
        words = [v for v in common if mine[v].sort == yours[v].sort == "word"]
        # "Hey Ana, no worries" denies no other greeting.
        return _denied(only_mine, only_yours, len(common)) if words else None
    if one.denied or not only_mine or not only_yours or one.many or other.many:
        return None  # of two that deny, both may be right
    if _of_other_years(only_mine, only_yours):
        return None
    if found := _turned(only_mine, only_yours):
        return found
    if _other_word(one, other, only_mine, only_yours):
        return NAME
    return _other_value(one, other, only_mine, only_yours, common)


def values_of(said: Said) -> dict[str, Part]:
    """Its parts by what they say; a stem counts for a word and a name alike."""
    return {
        part.value if part.sort in ("word", "name") else f"{part.sort} {part.value}": part
        for part in said.parts
    }


def _denied(mine: Sequence[Part], yours: Sequence[Part], shared: int) -> str | None:
    """One denies what the other says, if nothing else is said but one word more on one side, and
    that word is not itself what is denied."""
    extra = [*mine, *yours]
    if (mine and yours) or any(part.before in _DENIALS for part in extra):
        return None
    if len(extra) > 1 or any(part.sort != "word" for part in extra) or len(extra) >= shared:
        return None
    if extra and extra[0].before in _DENIALS:  # "metric units, no emojis" denies no metric units
        return None
    return NEGATION


def _of_other_years(mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether one speaks of a year that the other does not, and of something else besides; or both
    begin with when it was."""
    years = [part for part in (*mine, *yours) if part.sort == "year"]
    return bool(years) and (
        len(years) < len(mine) + len(yours)
        or len(years) == 1
        or any(part.at <= 1 for part in years)
    )


def _turned(mine: Sequence[Part], yours: Sequence[Part]) -> str | None:
    if len(mine) != 1 or len(yours) != 1:
        return None
    return NEGATION if frozenset((mine[0].value, yours[0].value)) in _opposites() else None


def _other_word(one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether both say what one thing of something is, in one plain word, and it is another."""
    if len(mine) != 1 or len(yours) != 1 or {mine[0].sort, yours[0].sort} != {"word"}:
        return False
    last = mine[0] == one.parts[-1] and yours[0] == other.parts[-1]
    return last and bool(_ATTRIBUTE.match(one.text) and _ATTRIBUTE.match(other.text))


@cache
def _opposites() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(map(stem_of, pair)) for pair in _OPPOSITES)


def _other_value(
    one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part], common: set[str]
) -> str | None:
    """Both say one value, of one sort, of the same: everything else they say they share."""
    for sort, found in (
        ("date", DATE),
        ("clock", NUMBER),
        ("weekday", DATE),
        ("number", NUMBER),
        ("year", NUMBER),
        ("name", NAME),
    ):
        left = [part for part in mine if part.sort == sort]
        right = [part for part in yours if part.sort == sort]
        if not left or not right:
            continue
        besides = (_said_besides(mine, sort), _said_besides(yours, sort))
        if not _alone(left, right) or not _of_the_same(*besides, len(common)):
            return None
        if sort == "weekday" and any(v.startswith(("clock", "number")) for v in common):
            return None  # what holds on one day says nothing of another
        if _several(one, left) or _several(other, right) or _compatible(left, right):
            return None
        return found if _is_value(one, other, left, right) else None
    return None


def _alone(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether each side says one value, however many words it has."""
    longer = abs(len(left) - len(right))
    return (
        _one_region(left)
        and _one_region(right)
        and longer <= int(left[0].sort == "name")  # a name may have a title
    )


def _of_the_same(mine: Sequence[Part], yours: Sequence[Part], shared: int) -> bool:
    """Whether what is said besides the value leaves both to be about the same."""
    if mine and yours:
        return False
    plain = all(part.sort == "word" for part in (*mine, *yours))
    return plain and len(mine) + len(yours) <= max(1, shared // 3)


def _several(said: Said, parts: Sequence[Part]) -> bool:
    """Whether it is one of many that are so at once."""
    if parts[0].sort == "name" and _ONE_OF_MANY.search(said.text):
        return True
    return any(part.listed for part in parts) and not _ONE_WITH.search(said.text)


def _said_besides(parts: Sequence[Part], sort: str) -> list[Part]:
    """What differs besides values of that sort. With a number or a day another verb says the same:
    4 eggs go into it, it needs 4 eggs; with a name it says something else."""
    others = [part for part in parts if part.sort != sort]
    if sort == "name":
        own = [part for part in others if part.value not in _MOVING]
        return [replace(part, sort="verb") if part.verb else part for part in own]
    return [part for part in others if not part.verb]


def _one_region(parts: Sequence[Part]) -> bool:
    """Whether it is one value: "Bank of Scotland", not "Ana in Bonn"."""
    places = sorted(parts, key=_at)
    apart = places[-1].at - places[0].at
    if places[0].sort == "name" and any(part.before in _PLACED for part in places[1:]):
        return False
    return apart < len(places) + 1 and len(places) <= 3


def _compatible(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether one date is only more exact: 3 May 2026 in May 2026, or a day without its year."""
    if len(left) != 1 or len(right) != 1 or left[0].sort != "date":
        return False
    a, b = left[0].value, right[0].value
    years = "----" in (a[:4], b[:4]) or a[:4] == b[:4]
    return years and a[4:7] == b[4:7] and ("-00" in (a[7:], b[7:]) or a[7:] == b[7:])


def _is_value(one: Said, other: Said, left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether what differs is what is said, and not of whom it is said."""
    if left[0].sort == "name":
        return _is_named(one, other, left, right)
    mine, yours = _is_subject(one, left), _is_subject(other, right)
    return not (mine and yours)


def _is_named(one: Said, other: Said, left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether both say who or where it is: last, or first where somebody has a role."""
    ends = _comes_last(one, left), _comes_last(other, right)
    if all(ends):
        return _only_one(one, left) and _only_one(other, right)
    begins = _comes_first(one, left), _comes_first(other, right)
    if any(ends):
        return begins[0] and one.unique if ends[1] else begins[1] and other.unique
    return all(begins) and one.unique and other.unique


def _only_one(said: Said, parts: Sequence[Part]) -> bool:
    """Whether there can be only one such: what somebody or something is called, who did or leads
    it, where it is or somebody lives. Of another verb nothing is known, and nothing is said."""
    before = min(parts, key=_at).before
    if before in _EQUALS:
        return said.text[:1].isupper() and _OF_SOMETHING.search(said.text) is not None
    return before in _AGENT or _ONE_PLACE.search(said.text) is not None


def _comes_first(said: Said, parts: Sequence[Part]) -> bool:
    return parts[0].at == said.parts[0].at


def _comes_last(said: Said, parts: Sequence[Part]) -> bool:
    """Behind what it is said of, and at the end; a verb that German puts there comes after what
    is said with "by" and its like."""
    last = max(part.at for part in parts)
    first = min(part.at for part in parts)
    after = [part for part in said.parts if part.at > last]
    if first == said.parts[0].at or (said.verb >= 0 and first < said.verb):
        return False
    before = min(parts, key=_at).before
    if not after or (len(after) == 1 and after[0].before in ("als", "as")):
        return True
    if len(after) > 1 or after[0].sort != "word":
        return False
    made = before == "hat" and _OBJECT_FIRST.match(said.text) is not None
    return before in _BY or made or (before in ("is", "ist") and after[0].value in _IN_CHARGE)


def _at(part: Part) -> int:
    return part.at


def _is_subject(said: Said, parts: Sequence[Part]) -> bool:
    if any(part.timed or (part.sort == "date" and _DUE.search(said.text)) for part in parts):
        return False
    first = min(part.at for part in parts)
    if first == 0 and parts[0].sort == "number":
        return False  # so many of something; "room 12" is one of them
    if said.verb >= 0:
        return first < said.verb
    return first == min(part.at for part in said.parts)


_VERBS = _words(
    """
    is are was were has have had runs run lives live works work listens starts start begins
    begin ends end costs cost charges stores keeps keep kept uses use moved moves belongs
    stands sits leads manages drinks eats sends needs requires lasts opens closes ships
    deploys takes goes comes weighs measures earns pays gets sells means says holds owns
    reports expires stays lies changed fixes supports hosts serves returns allows accepts
    expects contains ist sind war waren hat haben hatte läuft wohnt lebt arbeitet beginnt
    endet kostet beträgt liegt liegen speichert nutzt verwendet braucht benötigt leitet heißt
    steht dauert öffnet schließt wird werden wurde trinkt isst sendet gehört kommt geht wiegt
    misst verdient zahlt gilt gelten nimmt kommen brauchen gibt fährt legt fasst leaves
    go wears weighed teaches conducts
    """
)
