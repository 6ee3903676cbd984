"""Whether two memories cannot both be true, told by their texts, and which of them agents are told
meanwhile. Pure.

Two sentences contradict each other when they are about the same and differ in one value: a name, a
number, a date, or a denial. What they say besides is the same, or one says a little more. Of what
there may be many at once (to like, to visit, one of, a list) nothing is said, and a name is taken
for the only one just where the sentence says so: "the landlord of X is", "X is led by", "only X",
and verbs of which a thing has one, as to live and to work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import cache

from app.rules.learning import contradicts
from app.rules.statement import (
    COPULAS,
    DENIALS,
    Part,
    Said,
    said_in,
    stem_of,
    values_of,
    word_set,
)
from store.instants import Instant
from store.records import Entry, by_others

KEY, PATTERN, NAME, NUMBER, DATE, NEGATION = (
    *("key", "pattern", "name", "number", "date"),
    "negation",
)
_SORTS = (
    *(("date", DATE), ("clock", NUMBER), ("weekday", DATE), ("number", NUMBER)),
    *(("year", NUMBER), ("name", NAME)),
)
_LEAST_SHARED = 0.5  # of the words of the shorter one

# Verbs and words of which there are many at once.
_MANY = word_set(
    """
    like likes liked love loves loved enjoy enjoys prefer prefers hate hates adore adores dislike
    dislikes visit visits visited saw see sees seen meet meets met know knows knew talk talks talked
    speak speaks spoke bought buy buys ordered orders read reads watched watch watches attended
    attend attends play plays played tried tasted ate cooked cooks travelled traveled travels flew
    flies been went collaborated collaborates support supports supported fixes fixed fix contains
    contain includes include supplied supplies helped helps invited invites recommended recommends
    mentioned mentions also too another some sometimes often usually occasionally various
    several including among collects collect understands learns learning learned sings
    borrowed lent sold donated gave sent received won lost caught found ran swam hiked walked
    cycled climbed drove spent paid ate drank baked planted picked rented booked repaired trusts
    admires follows friend friends interested allergic fan depends talks writes wants would plans
    mag mögen liebt lieben hasst hassen besuchte besucht besuchen kennt kennen kannte traf getroffen
    spricht sprechen sprach kaufte gekauft las gelesen sah gesehen spielt spielen gespielt probiert
    empfiehlt empfohlen erwähnt auch manchmal oft mehrere verschiedene gewesen enthält enthalten
    unterstützt behebt hilft geholfen sammelt lernt gelernt singt bestellt ausgeliehen geliehen
    verliehen verkauft verschenkt geschickt bekommen gewonnen verloren gefangen gelaufen gewandert
    gegessen getrunken gebacken gepflanzt gegangen gereist geflogen bezahlt gebucht repariert
    gekocht befreundet interessiert allergisch fan gern gerne zudem außerdem darunter bewundert
    vertraut folgt redet gerade
    """
)
# What is not said to be so now: it was, it may be, somebody would like it.
_NOT_NOW = word_set(
    """
    might maybe perhaps possibly probably thinking considering considers plans planning hopes wants
    wishes dreams would formerly previously once former used-to heard rumour rumor vielleicht
    womöglich eventuell überlegt erwägt plant hofft möchte könnte würde früher damals einst
    ehemals wahrscheinlich vermutlich angeblich ehemalige ehemaliger if wenn falls
    """
)
_WAS_ONCE = re.compile(
    r"\?$|\bused to\b|\b(?:until|till|before) (?:the|a)\b|\bbis zu[mr] (?!\d)|^vor de[mr]\b"
    r"|\b(?:originally|initially|at first|back then|anfangs|ursprünglich|zuerst"
    r"|sucht|looking for)\b",
    re.IGNORECASE,
)
_ONE_OF_MANY = re.compile(
    r"^(?i:one of|an?|some|another|each|every|eine[rs]?|einige|jede[rs]?)\s"
    r"|\b(?i:one of|among others|unter anderem|including)\b"
    r"|\b(?:has|have|had|got|owns?|hat|haben|hatte|besitzt|keeps?|hält)\s+(?:got\s+)?(?:"
    r"(?i:an?|some|several|eine?[nmrs]?|mehrere)\b(?!\s+(?i:capital|total|length|patenschaft))"
    r"|[a-zäöü]{3,}s\b(?!\s+\d)|[A-ZÄÖÜ]\w+(?:e|en|n)\s+(?:in|bei|aus)\b)"
)
# Words that tell things of one name apart: said by one of two alone, they are not of the same.
_TELLING_APART = word_set(
    """
    work office business private personal mobile second third other old former previous upper lower
    front back left right summer winter spring autumn weekend weekends morning evening afternoon
    night morgens abends mittags nachts nachmittags vormittags staging production test testing dev
    development backup secondary spare guest guests adult adults children junior senior minimum
    maximum average gross net brother sister mother father son daughter wife husband cousin uncle
    aunt grandmother grandfather neighbour colleague friend boss parents bruder schwester mutter
    vater sohn tochter frau mann onkel tante oma opa nachbar kollege kollegin freund freundin chef
    eltern dienstlich privat zweite zweiter zweites dritte alte alter altes obere untere vordere
    hintere linke rechte sommer winter frühling herbst wochenende wochenends erwachsene kinder gäste
    ersatz half deposit deputy vice acting assistant last letzte letzter letzten partner twin
    stellvertretende stellvertretender kaution nebenkosten holidays ferien feiertags arbeit
    """
)
_QUALIFYING = word_set(
    "for für in im on at bei before after during while mit with without nach vor"
)
_MY = word_set("my our his her their mein meine unser unsere sein seine ihr ihre")
_MANY_BEFORE = word_set(
    "with and or like about including than then dann mit und oder wie über sowie gegen samt such"
)
_CALLED = word_set("heißt lautet called named name be becomes bleibt remains :")
_PASSIVE = word_set("wird wurde werden wurden ist sind worden gemälde")
_PLACED = word_set(
    """
    in at on to from near for with beside behind under over im am an auf aus bei nach zu für gegen
    mit neben hinter vor unter über zwischen into onto
    """
)
_AS = word_set("as als")
_FROM, _TO = word_set("from aus ab of"), word_set("to nach into zu zum zur")
# Of what somebody does there is one who does it: said of who it is, not of what they do.
_BY_ONE = word_set(
    """
    lead own write paint compose design build found teach coach conduct responsible invent direct
    landlord tenant host represent train hold maintain supply contact
    """
)
_SETTLING = word_set(
    "begin end depart arrive live work earn cost weigh last"
)  # verbs that say what
# Of these somebody or something has one.
_HAS_ONE = word_set(
    """
    live stand run work marry engage born study report insure register twin depart arrive drive
    happen name begin end doctor seat landlord tenant
    """
) | frozenset(
    map(
        stem_of,
        ("reports", "assigned", "dedicated", "buried", "switched", "backed", "bound", "made"),
    )
)
_SYMMETRIC = word_set("marry engage twin")
_MOVED = word_set("moved relocated zog umgezogen gezogen verlegt happens")
_NOW = word_set("is are ist sind")
_ONE_WITH = _SYMMETRIC | word_set("register insure share")
_DEFINITE = re.compile(
    r"['’]s?\s|\b(?:of|for|von|vom|für|des|der|zu)\b"
    r"|^(?:the|our|my|his|her|their|its|das|die|unser\w*|mein\w*|ihr\w*|sein\w*)\b|^\w+s [A-Z]|:",
    re.IGNORECASE,
)
_IS_THE = re.compile(
    r"^(?:is|was|ist|war|became|wird|remains|bleibt)\s(?:(?:now|jetzt|still|noch|currently)\s)?"
    r"(?:(?:what|who|where|the|our|my|his|her|their|der|die|das|unser\w*|mein\w*|ihr\w*|sein\w*)\b"
    r"|\w+['’]s?\s|(?-i:[A-ZÄÖÜ]\w+s\s[A-ZÄÖÜ])"
    r"|(?!an?\b|eine?\b|\w+ing\b)\w+\s(?:\w+\s)?(?<!\ba )(?:of|for|von|des|der|für|vom)\b"
    r"|für\b)",
    re.IGNORECASE,
)
_ONE_THING = re.compile(
    r"(?:the|our|my|his|her|their|der|die|das|unser\w*|mein\w*|ihr\w*|sein\w*)\b"
    r"|.*\b(?:is|are|ist|sind|was|wurde)\b.* (?:our|my|unser\w*|mein\w*)\b",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"^(?:[A-ZÄÖÜ]\w+ )?[A-ZÄÖÜ]\w+ (?:are|were|sind|waren|dürfen|können)\b"
)  # of all dogs, not of one
_OPPOSITES = """
    on off|enabled disabled|open closed geöffnet geschlossen offen zu|public private öffentlich
    privat|allowed forbidden prohibited banned erlaubt verboten untersagt|permitted prohibited
    forbidden gestattet verboten|true false wahr falsch|always never immer nie|left right links
    rechts linke rechte|dark light hell dunkel|required optional|manual automatic manuell
    automatisch|before after vor nach|morning evening afternoon night|morgens abends mittags
    nachts|hot cold warm kalt|aktiviert deaktiviert|full empty voll leer|online offline|wet dry
    nass trocken|single married divorced widowed ledig verheiratet geschieden verwitwet|alive
    dead|pass fail bestanden durchgefallen|accepted rejected angenommen abgelehnt|approved rejected
    genehmigt abgelehnt|win lose|rising falling|up down|in out|locked unlocked|indoors outdoors
    drinnen draußen|paper digital|north south east west|nord süd ost west|small medium large|klein
    mittel groß|daily weekly monthly yearly quarterly hourly|täglich wöchentlich monatlich jährlich
    stündlich vierteljährlich|day week month year hour|spring summer autumn winter|frühling sommer
    herbst winter|red blue green yellow black white grey gray brown orange purple pink violet
    turquoise beige|rot blau grün gelb schwarz weiß grau braun orange lila rosa violett türkis
    beige|diesel petrol electric hybrid|benzin elektrisch|wood oak pine metal steel plastic glass
    brick stone|holz eiche kiefer metall stahl kunststoff glas ziegel stein|first second third
    fourth fifth|erste zweite dritte vierte fünfte|ersten zweiten dritten vierten fünften
    |beginner intermediate advanced|low high|niedrig hoch|vegan vegetarian|safe dangerous
    |heavy light|early late früh spät|cash card bar karte|tabs spaces
"""
_UNMADE = ("un", "in", "im", "non", "dis", "ir", "de", "nicht")
# What one thing is called, in a plain word.
_NAMED_BY_A_WORD = re.compile(
    r"\b(?:default|favou?rite|colou?r|name|type|status|password|currency|language|format|branch"
    r"|theme|shell|editor|brand|model|material|sign|religion|profession|diet|unit|standard|code"
    r"|main|breed|Lieblings\w+|Farbe|Name|Typ|Status|Passwort|Währung|Sprache|Format|Marke"
    r"|Modell|Material|Sternzeichen|Beruf|Einheit|Standard\w*|Rasse|Hauptfach|Kennwort)\b",
    re.IGNORECASE,
)


def difference(a: str, b: str) -> str | None:
    """In what two texts contradict each other; None where they may both be true."""
    ones, others = said_in(a), said_in(b)
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
    if not (contradicts(one.text, other.text) and contradicts(other.text, one.text)):
        return False
    mine, yours = _own(values_of(one), values_of(other))
    sorts = [{part.sort for part in some} - {"word"} for some in (mine, yours)]
    if any(len(some) > 1 for some in sorts) or (all(sorts) and sorts[0] != sorts[1]):
        return False
    if _not_settled(one) or _not_settled(other):
        return False
    if _told_apart(one, mine) or _told_apart(other, yours):
        return False
    return one.denied == other.denied or all(part.sort == "word" for part in (*mine, *yours))


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


# Two sentences


def _opposed(one: Said, other: Said) -> str | None:
    if len(one.parts) < 2 or len(other.parts) < 2:
        return None
    mine, yours = values_of(one), values_of(other)
    common = mine.keys() & yours.keys()
    if len(common) < max(1, _LEAST_SHARED * min(len(mine), len(yours))):
        return None
    if _not_settled(one) or _not_settled(other):
        return None
    left, right = _own(mine, yours)
    if one.denied == other.denied and _turned(one, other, left, right):
        return NEGATION
    if _told_apart(one, left) or _told_apart(other, right):
        return None
    if len(common) < 2 and not (_is_of_one(one, left) and _is_of_one(other, right)):
        return None
    if one.denied != other.denied:
        denying, plain = (left, right) if one.denied else (right, left)
        says = any(mine[v].sort == yours[v].sort == "word" or mine[v].at for v in common)
        return NEGATION if says and _is_denied(denying, plain, len(common)) else None
    return _differing(one, other, left, right, common) if left and right else None


def _differing(
    one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part], common: Set[str]
) -> str | None:
    if one.denied and (len(mine) > 1 or mine[0].sort in ("name", "word")):
        return None  # of two that deny, both may be right
    if _of_other_years(mine, yours) or _is_many(one) or _is_many(other):
        return None
    if _other_word(one, other, mine, yours):
        return NAME
    return _other_value(one, other, mine, yours, common)


def _own(mine: dict[str, Part], yours: dict[str, Part]) -> tuple[list[Part], list[Part]]:
    """What each of them alone says. Grandpa Alfie Moore and Alfie are one."""
    common = mine.keys() & yours.keys() | {"me"}
    left = [part for value, part in mine.items() if value not in common]
    right = [part for value, part in yours.items() if value not in common]
    named = {v for v in common if v != "me" and mine[v].sort == yours[v].sort == "name"}
    more_left, more_right = _named_so(mine, named, left), _named_so(yours, named, right)
    if bool(more_left) != bool(more_right):
        left = [part for part in left if part not in more_left]
        right = [part for part in right if part not in more_right]
    return left, right


def _named_so(values: dict[str, Part], names: Set[str], own: Sequence[Part]) -> list[Part]:
    """What stands beside a name that both say: a surname, or who it is."""
    at = {values[value].at for value in names}
    return [
        part
        for part in own
        if (part.sort == "name" and part.at - 1 in at and not part.before.endswith("s"))
        or (part.at + 1 in at and part.sort == "name")
        or (part.at + 1 in at and _before_it(values, part) in _MY)
        or (part.at + 2 in at and part.before in _MY)
    ]


def _before_it(values: dict[str, Part], part: Part) -> str:
    """The word before it, or before the word before it where that says something itself."""
    one_more = next((other for other in values.values() if other.at == part.at - 1), part)
    return one_more.before if part.before not in _MY else part.before


def _not_settled(said: Said) -> bool:
    return bool(said.words & _NOT_NOW) or _WAS_ONCE.search(said.text) is not None


def _is_many(said: Said) -> bool:
    return (
        not said.only
        and bool(said.words & _MANY)
        and not any(part.value in _SYMMETRIC for part in said.parts)
    )


def _told_apart(said: Said, own: Sequence[Part]) -> bool:
    """Whether one of its own words says that it is of another thing of that name."""
    if any(_heads(part) for part in own):
        return True
    spoken = said.words & _TELLING_APART
    if not spoken:
        return False
    values = {part.value for part in own}
    return any(stem_of(word) in values or word in values for word in spoken)


def _is_denied(denying: Sequence[Part], plain: Sequence[Part], shared: int) -> bool:
    """Whether one denies what the other says: it adds nothing, for who drinks no coffee at night
    may drink coffee; what is said may say one word more."""
    denying, plain = (
        [part for part in some if part.value not in ("own", "use", "hold") and not part.added]
        for some in (denying, plain)
    )
    if denying and plain:
        return False
    extra = [*denying, *plain]
    if any(part.before in DENIALS or part.sort != "word" for part in extra):
        return False
    if denying:
        return len(denying) < min(2, shared) and denying[0].verb
    return len(plain) < min(3, shared)


def _of_other_years(mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether one speaks of a year that the other does not, and of something else besides; or both
    begin with when it was."""
    years = [part for part in (*mine, *yours) if part.sort == "year"]
    return bool(years) and (
        len([part for part in (*mine, *yours) if not part.verb]) > len(years)
        or len(years) == 1
        or any(part.at <= 1 for part in years)
    )


def _is_of_one(said: Said, own: Sequence[Part]) -> bool:
    """Whether it says one value of one thing, and nothing else."""
    return _ONE_THING.match(said.text) is not None and len({part.sort for part in own}) == 1


def _turned(one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether both end with one of words that exclude each other, or say it behind the verb."""
    if len(mine) != 1 or len(yours) != 1 or _is_many(one) or _is_many(other):
        return False
    if not all(
        own.at == said.end or -1 < said.verb < own.at
        for said, own in ((one, mine[0]), (other, yours[0]))
    ):
        return False
    short, long = sorted((mine[0].value, yours[0].value), key=len)
    if long.removesuffix(short) in _UNMADE and len(short) > 3 and long.endswith(short):
        return True
    return frozenset((short, long)) in _opposites()


@cache
def _opposites() -> frozenset[frozenset[str]]:
    rows = [list(map(stem_of, row.split())) for row in _OPPOSITES.split("|")]
    return frozenset(
        frozenset((one, other)) for row in rows for one in row for other in row if one != other
    )


def _other_word(one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether both say what one thing of something is, in one plain word, and it is another."""
    if len(mine) != 1 or len(yours) != 1 or "word" not in (mine[0].sort, yours[0].sort):
        return False
    ends = mine[0].at == one.end and yours[0].at == other.end
    return ends and all(
        _NAMED_BY_A_WORD.search(said.text) and _DEFINITE.search(said.text) for said in (one, other)
    )


def _other_value(
    one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part], common: Set[str]
) -> str | None:
    """Both say one value, of one sort, of the same: everything else they say they share."""
    for sort, found in _SORTS:
        left = [part for part in mine if part.sort == sort]
        right = [part for part in yours if part.sort == sort]
        if not left or not right:
            continue
        values = _are_values(one, other, left, right, common)
        besides = _besides(one, mine, left), _besides(other, yours, right)
        return found if values and _is_the_same(one, other, left, right, besides, common) else None
    return None


def _are_values(
    one: Said, other: Said, left: Sequence[Part], right: Sequence[Part], common: Set[str]
) -> bool:
    """Whether each says one value, there is only one, and it is another."""
    sort = left[0].sort
    if not _is_one_value(left) or not _is_one_value(right):
        return False
    if sort != "name" and len(left) != len(right):
        return False
    if sort in ("weekday", "year") and any(v.startswith(("clock", "number")) for v in common):
        return False  # what holds on one day says nothing of another
    once = sort == "weekday" and (one.only or other.only)
    if not once and (_listed(one, left) or _listed(other, right)):
        return False
    return not _compatible(left, right) and _is_value(one, other, left, right)


def _is_one_value(parts: Sequence[Part]) -> bool:
    """Whether it is one value, however many words it has: "Bank of Scotland", not "Ana in Bonn"."""
    first, last = parts[0], parts[-1]
    if first.sort == "name" and any(part.before in _PLACED for part in parts[1:]):
        return False
    if first.sort == "name" and len(parts) > 1 and first.before == "bei":
        return False  # "bei Acme Postgres"
    joined = any(part.before in ("of", "von", "de", "van", "&") for part in parts[1:])
    apart = last.at - first.at
    return apart < len(parts) + (joined or first.sort != "name") and len(parts) <= 3


def _besides(said: Said, parts: Sequence[Part], value: Sequence[Part]) -> list[Part]:
    """What differs besides the value. With a number or a day another verb says the same: 4 eggs go
    into it, it needs 4 eggs; with a name it says something else."""
    others = [part for part in parts if part not in value]
    if value[0].sort == "name":
        return others
    return [part for part in others if part.at != said.verb or part.value in _SETTLING]


def _is_the_same(
    one: Said,
    other: Said,
    left: Sequence[Part],
    right: Sequence[Part],
    besides: Sequence[Sequence[Part]],
    common: Set[str],
) -> bool:
    """Whether what is said besides the value leaves both to be about the same; what is only added
    may be anything but other names."""
    if all(any(part.sort == "name" for part in some) for some in besides):
        return False
    told = [[part for part in some if not part.added] for some in besides]
    if _of_the_same(told, left[0].sort, len(common)):
        return True
    counted = _counted(one, left[0])
    same = counted != "" and counted == _counted(other, right[0])
    return left[0].sort == "number" and same and _same_measure(told, common)


def _same_measure(besides: Sequence[Sequence[Part]], common: Set[str]) -> bool:
    """Whether a figure of one kind is of one thing, in whatever words: so many mg of it."""
    more = [*besides[0], *besides[1]]
    if len(more) > 4 or any(part.sort != "word" or part.before in _QUALIFYING for part in more):
        return False
    for place in ("before", "after"):
        if {getattr(part, place) for part in besides[0]} & {
            getattr(part, place) for part in besides[1]
        }:
            return False  # one stands where the other stands: it is of something else
    about = [v for v in common if not v.startswith("number ")]
    return len(about) > 3


def _counted(said: Said, figure: Part) -> str:
    """What is counted or measured: the unit, or the word behind the number."""
    return next((part.value for part in said.parts if part.at == figure.at + 1), "")


def _of_the_same(besides: Sequence[Sequence[Part]], sort: str, shared: int) -> bool:
    """Whether one of them alone says more, and little."""
    mine, yours = besides
    more = [*mine, *yours]
    if (mine and yours) or any(part.sort != "word" for part in more):
        return False
    if sort == "name" and any(_relates(part) for part in more):
        return False
    return len(more) <= max(1, shared // 3)


def _relates(part: Part) -> bool:
    """Whether it says how the name belongs to it: who owns it is not who built it."""
    if part.value in ("stand", "name", "happen"):
        return False
    return part.verb or part.value in _BY_ONE or part.value in _HAS_ONE


def _heads(part: Part) -> bool:
    """Whether it is what something of somebody is: Anna's sister is not Anna."""
    return part.before.endswith(("'s", "’s")) and part.after not in ("of", "von")


def _listed(said: Said, parts: Sequence[Part]) -> bool:
    """Whether it is one of many that are so at once; about seven minutes are seven."""
    first = parts[0]
    if first.sort != "name":
        listing = ("and", "or", "und", "oder", *([","] if first.sort == "weekday" else []))
        return any(part.before in listing for part in parts)
    if _ONE_OF_MANY.search(said.text) or _PLURAL.match(said.text):
        return True
    listed = any(part.before in _MANY_BEFORE or part.before in (",", ";") for part in parts)
    return listed and not any(part.value in _ONE_WITH for part in said.parts)


def _compatible(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether one value is only more exact: 3 May 2026 in May 2026, or a day without its year;
    seven where it is at least five; one o'clock at night and in the afternoon."""
    if len(left) != 1 or len(right) != 1:
        return False
    a, b = left[0], right[0]
    if a.sort == "date":
        years = "----" in (a.value[:4], b.value[:4]) or a.value[:4] == b.value[:4]
        days = "-00" in (a.value[7:], b.value[7:]) or a.value[7:] == b.value[7:]
        return years and a.value[4:7] == b.value[4:7] and days
    if a.sort == "number" and a.bound != b.bound:
        return _within(a, b) or _within(b, a)
    return a.sort == "name" and (a.value.startswith(b.value) or b.value.startswith(a.value))


def _within(bounded: Part, other: Part) -> bool:
    try:
        more = float(other.value) - float(bounded.value)
    except ValueError:
        return False
    if bounded.bound == "~":
        return abs(more) <= 0.1 * float(bounded.value)
    return (bounded.bound == ">" and more >= 0) or (bounded.bound == "<" and more <= 0)


# Which part is the value


def _is_value(one: Said, other: Said, left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether what differs is what is said, and not of whom it is said."""
    if left[0].sort == "name":
        ways = {left[0].before in _FROM, right[0].before in _FROM}
        if len(ways) > 1 and {left[0].before, right[0].before} & _TO:
            return False
        return _is_only_one(one, left) and _is_only_one(other, right)
    if _tells_apart(one, left[0]) or _tells_apart(other, right[0]):
        return False
    return not (_is_subject(one, left) and _is_subject(other, right))


def _is_only_one(said: Said, parts: Sequence[Part]) -> bool:
    """Whether there can be only one such: what somebody or something is called, who did or leads
    it, where it is or somebody lives. Of another verb nothing is known, and nothing is said."""
    first = parts[0]
    if first.at == 0:
        return _does_it_alone(said, parts[-1])
    if not _comes_last(said, parts):
        return False
    if said.only or first.before in _CALLED or _NAMED_BY_A_WORD.fullmatch(first.before):
        return True
    if first.before in COPULAS:
        return _DEFINITE.search(said.text) is not None
    return _has_only_one(said, first)


def _has_only_one(said: Said, first: Part) -> bool:
    values = {part.value for part in said.parts}
    if values & _BY_ONE:
        if first.before in ("has", "hat") and said.words & _AS:
            return True
        if first.before in ("von", "vom", "bei"):
            return bool(said.words & _PASSIVE)
        return first.before in ("by", "durch", "to", "gehört") or _object_first(said, first)
    if "depart" in values and first.before in _TO:
        return False  # who goes to one place goes to others
    if first.before in ("by", "durch") or values & _HAS_ONE:
        return True
    return first.before in _PLACED and _is_placed(said, first)


def _does_it_alone(said: Said, last: Part) -> bool:
    """Whether who comes first has a role: "Ana is the head of", "Ana leads"."""
    following = next((part for part in said.parts if part.at > last.at), None)
    if following is None:
        return False
    if following.at == last.at + 1 and following.verb:
        return following.value in _BY_ONE and following.after not in ("a", "an", "ein", "eine")
    rest = said.text[said.text.find(f" {last.after} ") + 1 :]
    return bool(_IS_THE.match(rest)) or following.value == "marry"


def _object_first(said: Said, first: Part) -> bool:
    """Whether what is done comes before who does it, as German may put it."""
    begins = said.text.split(" ", 1)[0].lower()
    verb = said.verb >= 0 and said.verb == first.at - 1
    return begins in ("den", "das", "die", "dem") and (verb or first.before in ("hat", "ist"))


def _is_placed(said: Said, first: Part) -> bool:
    """Whether it says where something is: "is in", "is hosted on"."""
    done = any(part.at == said.verb + 1 and part.sort == "word" for part in said.parts)
    here = said.copula and first.at - said.verb == (3 if done else 2)
    return (here and (done or bool(said.words & _NOW))) or bool(said.words & _MOVED)


def _comes_last(said: Said, parts: Sequence[Part]) -> bool:
    """Behind what it is said of, and at the end; but for a verb that German puts there."""
    first, last = parts[0], parts[-1]
    if said.verb >= 0 and first.at < said.verb and first.before not in _PLACED:
        return False
    after = [part for part in said.parts if part.at > last.at and not part.added]
    if len(after) > 1:
        return False
    if not after or said.words & _AS:
        return True
    return after[0].sort == "word" and after[0].before not in _PLACED


def _tells_apart(said: Said, figure: Part) -> bool:
    """Whether it is a number that things of one name are told apart by: "room 12 has"."""
    first = said.parts[0]
    return (
        figure.sort == "number"
        and first.at == figure.at - 1
        and not first.verb
        and first.sort in ("name", "word")
        and (first.at == 0 or first.before in ("the", "der", "die", "das"))
    )


def _is_subject(said: Said, parts: Sequence[Part]) -> bool:
    """Whether it is a day or a number of which something is said: "on Mondays"."""
    first = parts[0]
    if first.sort in ("date", "clock"):
        return False
    if first.sort == "number" and (first.at == 0 or first.before in _PLACED):
        return False  # so many of something
    return first.at < said.verb if said.verb >= 0 else first.at == said.parts[0].at


__all__ = [
    "DATE",
    "KEY",
    "NAME",
    "NEGATION",
    "NUMBER",
    "PATTERN",
    "difference",
    "overlap",
    "told_first",
]
