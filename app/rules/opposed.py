"""What sets two sentences apart though they look alike, and what makes a value the only one: that
it was so once, that there are many, who is called so or does it alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import cache

from app.rules.statement import (
    COPULAS,
    Part,
    Said,
    said_in,
    stem_of,
    word_set,
)

NAME, NUMBER, DATE, NEGATION = "name", "number", "date", "negation"

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
    gekocht befreundet interessiert allergisch fan gern gerne zudem ausserdem darunter bewundert
    vertraut folgt redet gerade
    """
)
# What is not said to be so now: it was, it may be, somebody would like it.
_NOT_NOW = word_set(
    """
    might maybe perhaps possibly probably thinking considering considers considered plans planning
    hopes hoped want wants wanted wishes wished dreams would formerly previously once former heard
    rumour rumor suggested proposed requested refused vielleicht womöglich eventuell überlegt
    überlegte erwägt plant hofft hoffte wollte wollten möchte könnte würde wünscht wünschte
    früher damals einst ehemals wahrscheinlich vermutlich angeblich ehemalige ehemaliger if wenn
    falls
    """
)
_PLANS = word_set("plans planning plant")  # what is planned for a day is said of that day
_MAY_BE = word_set(
    "might maybe perhaps possibly vielleicht womöglich eventuell könnte if wenn falls"
)
_WAS_ONCE = re.compile(
    r"\?$|\bused to\b|\b(?:until|till) (?:the|a)\b(?! end of\b)|\bbefore the\b|\bbis zu[mr] (?!\d)"
    r"|^(?:before (?!an? )|vor de[mr]\b|bevor\b)"
    r"|\b(?:was|were|had|war|waren|hatten?)\b.* (?:until|till|bis) "
    r"|\b(?:originally|initially|at first|back then|anfangs|ursprünglich|zuerst"
    r"|sucht|looking for|next year|nächste[sn] jahr|hatten? (?:mal|einmal)|denk\w* .* nach)\b",
    re.IGNORECASE,
)
ONE_OF_MANY = re.compile(
    r"^(?i:one of|an?|some|another|each|every|eine[rs]?|einige|jede[rs]?)\s"
    r"|\b(?i:one of|among others|unter anderem|including)\b"
    r"|\b(?:has|have|had|got|owns?|hat|haben|hatte|besitzt|keeps?|hält)\s+(?:got\s+)?(?:"
    r"(?i:an?|some|several|eine?[nmrs]?|mehrere)\b(?!\s+(?i:capital|total|length|patenschaft))"
    r"|[a-zäöü]{3,}s\b(?!\s+\d)|[A-ZÄÖÜ]\w+(?:e|en|n)\s+(?:in|bei|aus)\b)"
)
_COUNTRIES = """
    austria österreich belgium belgien brazil brasilien bulgaria bulgarien canada kanada china
    croatia kroatien czechia tschechien denmark dänemark egypt ägypten england finland finnland
    france frankreich germany deutschland greece griechenland hungary ungarn iceland island india
    indien ireland irland israel italy italien japan kenya kenia luxembourg luxemburg mexico mexiko
    netherlands niederlande norway norwegen poland polen portugal romania rumänien russia russland
    scotland schottland serbia serbien slovakia slowakei slovenia slowenien spain spanien sweden
    schweden switzerland schweiz turkey türkei ukraine uk britain usa america amerika wales europe
    europa asia asien africa afrika australia australien bavaria bayern hesse hessen saxony sachsen
"""
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
    upstairs downstairs indoor outdoor inner outer district quarter neighbourhood suburb part share
    stadtteil bezirk viertel teil anteil ersatz half deposit deputy vice acting assistant last
    letzte letzter letzten partner twin nebenan gegenüber neighbouring nearby
    stellvertretende stellvertretender kaution nebenkosten holidays ferien feiertags arbeit
    """
)
_MY = word_set("my our his her their mein meine unser unsere sein seine ihr ihre")
MANY_BEFORE = word_set(
    "with and or like about including than then dann mit und oder wie über sowie gegen samt such"
)
_ARTICLES = _MY | word_set(
    "the a an this that der die das den dem des ein eine einen einem einer im am zum zur beim vom"
)
_DEFINITE_ARTICLES = _MY | word_set("the der die das den dem")
INDEFINITE = word_set("a an im ein eine einen einem einer")
CALLED = word_set("heißt lautet called named name be becomes bleibt remains")
_PASSIVE = word_set("wird wurde werden wurden ist sind worden gemälde")
PLACED = word_set(
    """
    in at on to from near for with beside behind under over im am an auf aus bei nach zu für gegen
    mit neben hinter vor unter über zwischen into onto
    """
)
_AS = word_set("as als")
_FROM, _TO = word_set("from aus ab of"), word_set("to nach into zu zum zur")
# Of what somebody does there is one who does it: said of who it is, not of what they do.
BY_ONE = word_set(
    """
    lead own write paint compose design build found teach coach conduct responsible invent direct
    landlord tenant host represent train hold maintain supply contact
    """
)
CARRYING = word_set(
    """
    need own use hold get come go take include cover fall set due stand seat limit name run depart
    happen kommen gehen gehör haben nehm fall liegen bekomm
    """
)  # verbs that carry a figure and say nothing else
CARRYING |= frozenset(map(stem_of, CARRYING))
# Of these somebody or something has one.
HAS_ONE = word_set(
    """
    live stand run work marry engage born study report insure register twin depart arrive drive
    happen name begin end doctor landlord tenant
    """
) | frozenset(
    map(
        stem_of,
        ("reports", "assigned", "dedicated", "buried", "switched", "backed", "bound", "made"),
    )
)
_SYMMETRIC = word_set("marry engage twin")
_MOVED = word_set("moved relocated zog umgezogen gezogen verlegt happens")
_NOW = word_set("is are ist sind wird werden")
_COMES = word_set("comes come originates kommt komme stammt stamme")
# What is made, kept or sent by one means, as long as nothing else is said.
_MEANS = word_set("with in via through using mit über per")
_MADE_WITH = """
    built made written managed sent developed implemented coded tracked
    gebaut gemacht geschrieben verwaltet verschickt versendet entwickelt umgesetzt
    programmiert erstellt abgewickelt
"""
_ONE_WITH = _SYMMETRIC | word_set("register insure share")
DEFINITE = re.compile(
    r"['’]s?\s|\b(?:of|for|von|vom|für|des|der|zu)\b"
    r"|^(?:the|our|my|his|her|their|its|das|die|unser\w*|mein\w*|ihr\w*|sein\w*)\b|^\w+s [A-Z]|:",
    re.IGNORECASE,
)
_AS_THE = re.compile(
    r"\b(?:uses?|using|has|have)\b.* as (?:its|our|my|the|his|her|their) \w"
    r"|^Als [A-ZÄÖÜ]\w+ (?:hat|haben?|nutz\w+|benutz\w+|verwend\w+) "
)
_AS_A = re.compile(r"\b(?:works?|arbeitet|arbeite) (?:as an?|als) \w", re.IGNORECASE)
_USED_FOR = re.compile(r" for \w|\b(?:für|fürs) \w", re.IGNORECASE)
_IS_THE = re.compile(
    r"^(?:is|was|ist|war|became|remains|bleibt)\s(?:(?:now|jetzt|still|noch|currently)\s)?"
    r"(?:(?:what|who|where|the|our|my|his|her|their|der|die|das|unser\w*|mein\w*|ihr\w*|sein\w*)\b"
    r"|\w+['’]s?\s|(?-i:[A-ZÄÖÜ]\w+s\s[A-ZÄÖÜ])"
    r"|(?!an?\b|eine?\b|\w+ing\b)\w+\s(?:\w+\s)?(?<!\ba )(?:of|von|des|der|vom)\b"
    r"|(?:(?:responsible|zuständig|verantwortlich)\s)?für\b|responsible for\b)",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"^(?!We |Wir )(?:[A-ZÄÖÜ]\w+ )?[A-ZÄÖÜ]\w+ (?:are|were|sind|waren|dürfen|können)\b"
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
    drinnen draussen|paper digital|north south east west|nord süd ost west|small medium large|klein
    mittel gross|daily weekly monthly yearly quarterly hourly|täglich wöchentlich monatlich jährlich
    stündlich vierteljährlich|day week month year hour|spring summer autumn winter|frühling sommer
    herbst winter|red blue green yellow black white grey gray brown orange purple pink violet
    turquoise beige|rot blau grün gelb schwarz weiss grau braun orange lila rosa violett türkis
    beige|diesel petrol electric hybrid|benzin elektrisch|wood oak pine metal steel plastic glass
    brick stone|holz eiche kiefer metall stahl kunststoff glas ziegel stein|first second third
    fourth fifth|erste zweite dritte vierte fünfte|ersten zweiten dritten vierten fünften
    |beginner intermediate advanced|low high|niedrig hoch|vegan vegetarian|safe dangerous
    |heavy light|early late früh spät|cash card bar karte|tabs spaces
"""
_ACT = re.compile(r"(?:ab|an|auf|aus|ein|zu)(?:ge)?(\w{4,})")
UNMADE = ("un", "in", "im", "non", "dis", "ir", "de", "nicht")
# What one thing is called, in a plain word.
_NAMED_BY_A_WORD = re.compile(
    r"\b(?:default|favou?rite|colou?r|name|type|status|password|currency|language|format|branch"
    r"|theme|shell|editor|brand|model|material|sign|religion|profession|diet|unit|standard|code"
    r"|main|breed|Lieblings\w+|Farbe|Name|Typ|Status|Passwort|Währung|Sprache|Format|Marke"
    r"|Modell|Material|Sternzeichen|Beruf|Einheit|Standard\w*|Rasse|Hauptfach|Kennwort)\b",
    re.IGNORECASE,
)


def of_other_times(one: Said, other: Said) -> bool:
    """Whether one of them is not said to be so now. What is wanted, and what is not, are opposed;
    what may be may also not be."""
    if any(_WAS_ONCE.search(said.text) for said in (one, other)):
        return True
    if one.denied == other.denied:
        return bool(_unsettled(one) or _unsettled(other))
    return _unsettled(one) != _unsettled(other) or bool(one.words & _MAY_BE)


def of_another(one: Said, other: Said) -> bool:
    """Whether one speaks of the owner and the other of somebody else by name."""
    if one.mine == other.mine:
        return False
    mine, theirs = (one, other) if one.mine else (other, one)
    known = {part.value for part in mine.parts}
    return any(
        part.sort == "name" and (part.owns or part.at == 0) and part.value not in known
        for part in theirs.parts
    )


def own_parts(mine: dict[str, Part], yours: dict[str, Part]) -> tuple[list[Part], list[Part]]:
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
        or (part.at + 1 in at and part.sort == "name" and not part.owns)
        or (part.at + 1 in at and _before_it(values, part) in _MY)
        or (part.at + 2 in at and part.before in _MY)
    ]


def _before_it(values: dict[str, Part], part: Part) -> str:
    """The word before it, or before the word before it where that says something itself."""
    one_more = next((other for other in values.values() if other.at == part.at - 1), part)
    return one_more.before if part.before not in _MY else part.before


def is_country(parts: Sequence[Part]) -> bool:
    """Whether it names a country: who lives in Lyon lives in France."""
    return any(part.value in _countries() for part in parts)


@cache
def _countries() -> frozenset[str]:
    return frozenset(map(stem_of, _COUNTRIES.split()))


def _unsettled(said: Said) -> frozenset[str]:
    dated = any(part.sort in ("date", "weekday", "clock", "year") for part in said.parts)
    return frozenset(map(stem_of, said.words & (_NOT_NOW - _PLANS if dated else _NOT_NOW)))


def is_many(said: Said) -> bool:
    return (
        not said.only
        and bool(said.words & _MANY)
        and not any(part.value in _SYMMETRIC for part in said.parts)
    )


def told_apart(said: Said, own: Sequence[Part]) -> bool:
    """Whether one of its own words says that it is of another thing of that name."""
    if any(_heads(part) for part in own):
        return True
    spoken = said.words & _TELLING_APART
    if not spoken:
        return False
    values = {part.value for part in own}
    return any(stem_of(word) in values or word in values for word in spoken)


def turned(one: Said, other: Said, mine: Sequence[Part], yours: Sequence[Part]) -> bool:
    """Whether both end with one of words that exclude each other, or say it behind the verb."""
    if len(mine) != 1 or len(yours) != 1 or is_many(one) or is_many(other):
        return False
    if not all(
        own.at == said.end or -1 < said.verb < own.at
        for said, own in ((one, mine[0]), (other, yours[0]))
    ):
        return False
    short, long = sorted((mine[0].value, yours[0].value), key=len)
    if long.removesuffix(short) in UNMADE and len(short) > 3 and long.endswith(short):
        return True
    return exclude_each_other(short, long)


def exclude_each_other(one: str, other: str) -> bool:
    """Whether two words do: on and off, and German verbs by what they begin with."""
    if frozenset((one, other)) in _opposites():
        return True
    acts = [_ACT.match(word) for word in (one, other)]
    return one != other and all(acts) and len({act[1] for act in acts if act}) == 1


@cache
def _made_with() -> frozenset[str]:
    return frozenset(part.value for said in said_in(_MADE_WITH) for part in said.parts)


@cache
def _opposites() -> frozenset[frozenset[str]]:
    rows = [list(map(stem_of, row.split())) for row in _OPPOSITES.split("|")]
    return frozenset(
        frozenset((one, other)) for row in rows for one in row for other in row if one != other
    )


def is_called(said: Said, word: Part) -> bool:
    """Whether it says what one thing is: "its colour is red", "uses make as its build tool"."""
    if _AS_THE.search(said.text) or _AS_A.search(said.text):
        return True
    named = _NAMED_BY_A_WORD.search(said.text) and DEFINITE.search(said.text)
    return bool(named) and word.at == said.end


def _heads(part: Part) -> bool:
    """Whether it is what something of somebody is: Anna's sister is not Anna."""
    return part.before.endswith(("'s", "’s")) and part.after not in ("of", "von")


def listed(said: Said, parts: Sequence[Part]) -> bool:
    """Whether it is one of many that are so at once; about seven minutes are seven."""
    first = parts[0]
    if first.sort != "name":
        listing = ("and", "or", "und", "oder", *([","] if first.sort == "weekday" else []))
        return any(part.before in listing for part in parts)
    if ONE_OF_MANY.search(said.text) or _PLURAL.match(said.text):
        return True
    listed = any(part.before in MANY_BEFORE or part.before in (",", ";") for part in parts)
    return listed and not {part.value for part in said.parts} & (_ONE_WITH | _made_with())


def compatible(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether one value is only more exact: 3 May 2026 in May 2026, or a day without its year;
    seven where it is at least five; one o'clock at night and in the afternoon."""
    if len(left) != 1 or len(right) != 1:
        return False
    a, b = left[0], right[0]
    if a.sort == "date":
        return dates_agree(a.value, b.value)
    if a.sort == "number" and a.bound != b.bound:
        return _within(a, b) or _within(b, a)
    return a.sort == "name" and (a.value.startswith(b.value) or b.value.startswith(a.value))


def dates_agree(one: str, other: str) -> bool:
    """Whether both may be one day, as far as each is said."""
    pairs = ((one[:4], other[:4]), (one[4:7], other[4:7]), (one[7:], other[7:]))
    return all(a == b or {a, b} & {"----", "-00"} for a, b in pairs)


def _within(bounded: Part, other: Part) -> bool:
    try:
        more = float(other.value) - float(bounded.value)
    except ValueError:
        return False
    if bounded.bound == "~":
        return abs(more) <= 0.1 * float(bounded.value)
    return (bounded.bound == ">" and more >= 0) or (bounded.bound == "<" and more <= 0)


# Which part is the value


def is_only_one(said: Said, parts: Sequence[Part]) -> bool:
    """Whether there can be only one such: what somebody or something is called, who did or leads
    it, where it is or somebody lives. Of another verb nothing is known, and nothing is said."""
    first = parts[0]
    if any(_heads(part) and part.at == parts[-1].at + 1 for part in said.parts):
        return False  # of whom it is said
    if first.at == 0:
        return _does_it_alone(said, parts[-1])
    if not _comes_last(said, parts):
        return False
    if first.before == ":":
        return parts[-1].after in ("", ",", ";")
    if said.only or first.before in CALLED or _NAMED_BY_A_WORD.fullmatch(first.before):
        return True
    if first.before in COPULAS:
        return DEFINITE.search(said.text) is not None
    return _has_only_one(said, first)


def _has_only_one(said: Said, first: Part) -> bool:
    values = {part.value for part in said.parts}
    if "use" in values and (_AS_THE.search(said.text) or _USED_FOR.search(said.text)):
        return True
    if first.before in _MEANS and said.words & _NOW and values & _made_with():
        return True
    if first.before in ("from", "aus") and said.words & _COMES:
        return True
    if values & BY_ONE:
        if first.before in ("has", "hat") and said.words & _AS:
            return True
        if first.before in ("von", "vom", "bei"):
            return bool(said.words & _PASSIVE)
        return first.before in ("by", "durch", "to", "gehört") or _object_first(said, first)
    if "depart" in values and first.before in _TO:
        return False  # who goes to one place goes to others
    if first.before in ("by", "durch") or _predicates(said) & HAS_ONE:
        return True
    return first.before in PLACED and _is_placed(said, first)


def _predicates(said: Said) -> set[str]:
    """What is said of something, and not what is spoken of: "is based in", not "at the base"."""
    return {part.value for part in said.parts if part.before not in _ARTICLES}


def _does_it_alone(said: Said, last: Part) -> bool:
    """Whether who comes first has a role: "Ana is the head of", "Ana leads"."""
    following = next((part for part in said.parts if part.at > last.at), None)
    if following is None:
        return False
    if following.at == last.at + 1 and following.verb:
        return following.value in BY_ONE and _has_object(said, following)
    rest = said.text[said.text.find(f" {last.after} ") + 1 :]
    wed = following.value == "marry" and following.after in ("to", "mit")
    return bool(_IS_THE.match(rest)) or wed


def _has_object(said: Said, verb: Part) -> bool:
    """Whether it is done to something that is named: "leads the choir", not "delivers to"."""
    if verb.after in _DEFINITE_ARTICLES:
        return True
    return any(part.at == verb.at + 1 and part.sort == "name" for part in said.parts)


def _object_first(said: Said, first: Part) -> bool:
    """Whether what is done comes before who does it, as German may put it."""
    begins = said.text.split(" ", 1)[0].lower()
    verb = said.verb >= 0 and said.verb == first.at - 1
    return begins in ("den", "das", "die", "dem") and (verb or first.before in ("hat", "ist"))


def _is_placed(said: Said, first: Part) -> bool:
    """Whether it says where something is: "is in", "is hosted on"."""
    here = said.copula and first.at - said.verb == 2
    return (here and bool(said.words & _NOW)) or bool(said.words & _MOVED)


def _comes_last(said: Said, parts: Sequence[Part]) -> bool:
    """Behind what it is said of, and at the end; but for a verb that German puts there."""
    first, last = parts[0], parts[-1]
    if said.verb >= 0 and first.at < said.verb and first.before not in PLACED:
        return False
    if any(
        0 < first.at - part.at < 4 and part.value in HAS_ONE for part in said.parts if part.verb
    ):
        return True
    after = [part for part in said.parts if part.at > last.at and not part.added]
    if len(after) > 1:
        return False
    if not after or said.words & _AS:
        return True
    return after[0].sort == "word" and after[0].before not in PLACED


def tells_apart(said: Said, figure: Part) -> bool:
    """Whether it is a number that things of one name are told apart by: "room 12 has"."""
    noun = next((part for part in said.parts if part.at == figure.at - 1), None)
    if figure.sort != "number" or noun is None or noun.verb or noun.sort not in ("name", "word"):
        return False
    if noun.at == 0 or (noun is said.parts[0] and noun.before in _DEFINITE_ARTICLES):
        return True
    fronted = said.verb < 0 or figure.at < said.verb
    return fronted and noun.before in PLACED and figure.at < said.end


def is_subject(said: Said, parts: Sequence[Part]) -> bool:
    """Whether it is a day or a number of which something is said: "on Mondays"."""
    first = parts[0]
    if first.sort in ("date", "clock"):
        return False
    if first.sort == "number" and (first.at == 0 or first.before in PLACED):
        return False  # so many of something
    return first.at < said.verb if said.verb >= 0 else first.at == said.parts[0].at
