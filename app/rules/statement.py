"""What a sentence says, as its parts: names, numbers, days and the words that carry meaning, in
English and German. Several ways to say one thing are one part. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from app.text.sentences import sentences
from app.text.words import ENGLISH, stop_words

FIGURES = ("date", "clock", "weekday", "ordinal", "number", "year")
MOST_SENTENCES = 12
MOST_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a sentence says: `sort` is word, name, or one of `FIGURES`."""

    sort: str
    value: str
    at: int  # its place among the words of the sentence
    before: str = ""  # the word or the mark before it
    verb: bool = False
    after: str = ""  # the word or the mark behind it
    bound: str = ""  # a number that is only the least (>), the most (<) or about it (~)
    added: bool = False  # behind the comma at which the sentence could end
    low: bool = False  # written without a capital
    placed: str = ""  # the word before it, or before its article: "bei" of "bei der Post"
    owns: bool = False  # "Lena's car", "Lenas Auto"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence as its parts, what it denies aside."""

    parts: tuple[Part, ...]
    denied: bool
    verb: int  # where its verb stands; -1: not known
    copula: bool  # its verb only says that something is
    words: frozenset[str]  # all of them, in lower case
    only: bool  # it says that there is no other
    text: str
    german: bool = False

    @property
    def mine(self) -> bool:
        """Whether it speaks of the owner."""
        return any(part.value == "me" for part in self.parts)

    @property
    def end(self) -> int:
        """Where its last part stands."""
        return max(part.at for part in self.parts)


def word_set(text: str) -> frozenset[str]:
    return frozenset(spelled_alike(text).split())


def spelled_alike(text: str) -> str:
    """Swiss writers know no ß, and others drop it."""
    return text.replace("ß", "ss")


def _numbered(rows: str, first: int = 0) -> dict[str, int]:
    """Each word of a row by the number of the row."""
    return {
        word: number for number, row in enumerate(rows.split("|"), first) for word in row.split()
    }


_MONTHS = _numbered(
    "january januar jan|february februar feb|march märz mar|april apr|may mai|june juni jun"
    "|july juli jul|august aug|september sept sep|october oktober oct okt|november nov"
    "|december dezember dec dez",
    1,
)
_WEEKDAYS = _numbered(
    "monday montag|tuesday dienstag|wednesday mittwoch|thursday donnerstag|friday freitag"
    "|saturday samstag sonnabend|sunday sonntag"
)
_NUMBERS = _numbered(
    "zero null|one eins|two zwei|three drei|four vier|five fünf|six sechs|seven sieben|eight acht"
    "|nine neun|ten zehn|eleven elf|twelve zwölf dozen dutzend|thirteen dreizehn"
    "|fourteen vierzehn|fifteen fünfzehn|sixteen sechzehn|seventeen siebzehn|eighteen achtzehn"
    "|nineteen neunzehn|twenty zwanzig"
) | {"thirty": 30, "dreissig": 30, "forty": 40, "vierzig": 40, "fifty": 50, "fünfzig": 50}
# Units by what they measure, with how many of the smallest they are.
_UNITS = {
    word: (kind, float(many))
    for kind, row in (
        ("time", "1 second seconds sec s sekunde sekunden"),
        ("time", "60 minute minutes min mins minuten"),
        ("time", "3600 hour hours h hr hrs stunde stunden"),
        ("time", "86400 day days tag tage tagen"),
        ("time", "604800 week weeks woche wochen"),
        ("time", "2592000 month months monat monate monaten"),
        ("time", "31104000 year years jahr jahre jahren"),
        ("length", "0.001 mm millimetre millimetres millimeter millimeters"),
        ("length", "0.01 cm centimetre centimetres centimeter centimeters zentimeter"),
        ("length", "1 m metre metres meter meters metern"),
        ("length", "1000 km kilometre kilometres kilometer kilometers kilometern"),
        ("mass", "0.001 mg milligram milligrams milligramm"),
        ("mass", "1 g gram grams gramm"),
        ("mass", "1000 kg kilo kilos kilogram kilograms kilogramm"),
        ("mass", "1000000 t ton tons tonne tonnes tonnen"),
        ("volume", "1 ml millilitre millilitres milliliter"),
        ("volume", "1000 l litre litres liter liters litern"),
        ("bytes", "1 kb kilobyte kilobytes"),
        ("bytes", "1000 mb megabyte megabytes"),
        ("bytes", "1000000 gb gigabyte gigabytes"),
        ("bytes", "1000000000 tb terabyte terabytes"),
        ("area", "1 m² qm quadratmeter sqm"),
        ("euro", "1 euro euros eur €"),
        ("pound", "1 pound pounds gbp £"),
        ("dollar", "1 dollar dollars usd $"),
        ("percent", "1 percent prozent %"),
        ("degree", "1 degree degrees grad °c"),
    )
    for many, *words in (row.split(),)
    for word in words
}
_ORDINALS = _numbered(
    "first erste ersten erster erstes|second zweite zweiten zweiter zweites"
    "|third dritte dritten dritter drittes|fourth vierte vierten vierter viertes"
    "|fifth fünfte fünften fünfter fünftes|sixth sechste sechsten|seventh siebte siebten"
    "|eighth achte achten|ninth neunte neunten|tenth zehnte zehnten",
    1,
) | dict.fromkeys(("last", "letzte", "letzten", "letzter", "letztes"), -1)
_PART_OF_A_DAY = re.compile(
    r"^(\w+tag|mittwoch|sonnabend)(?:morgen|mittag|nachmittag|vormittag|abend|nacht)s?$"
)
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_TOKEN = re.compile(
    rf"""(?P<iso>\b\d{{4}}-\d\d(?:-\d\d)?\b)
       | (?P<dotted>\b\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}\b
         |(?:(?<=am[ ])|(?<=ab[ ])|(?<=(?:bis|zum|vom|den|der|dem)[ ]))\d{{1,2}}\.\d{{1,2}}\.(?!\d))
       | (?P<day>\b\d{{1,2}})(?:st|nd|rd|th)?\.?[ ](?:of[ ])?(?P<month>{_MONTH})\b\.?
         (?:,?[ ](?P<year>\d{{4}}))?
       | \b(?P<month2>{_MONTH})[ ](?:the[ ])?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b
         (?:,?[ ](?P<year2>\d{{4}}))?
       | \b(?P<month3>{_MONTH})[ ](?P<year3>\d{{4}})\b
       | (?P<nth>\b\d{{1,2}})(?:st|nd|rd|th)\b(?=\W*(?:$|[,;]|of\b|at\b|each|every|um\b|des\b|jede))
       | (?P<ordinal>\b\d{{1,3}})(?:st|nd|rd|th)\b
       | (?P<clock>\b\d{{1,2}}(?:[:.]\d\d)?[ ]?(?:[ap]\.?m\b\.?|uhr\b(?:[ ]\d\d\b)?)
         |\b\d{{1,2}}:\d\d\b)
       | (?P<name>\b[\w-]{{2,}}(?:\.[a-z][\w-]*[a-z])+\b|[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|[~/]?[\w-]+(?:/[\w.-]+)+|\w+_\w+
         |\b[^\W\d_]+-?\d[\w-]*|\b\d+(?-i:[A-Z][a-z]{{2}})\w*|\b\d+[^\W\d_]\b(?<![mglhsMGLHS]))
       | (?P<number>\d[\d.,]*\d|\d)(?=\D|$)
       | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*['’]?|[€$£%]|°C)
       | (?P<mark>[,;:])""",
    re.IGNORECASE | re.VERBOSE,
)
# How a thing is told, and that there is no other: neither is part of what is said.
_INTRODUCED = re.compile(
    r"^(?:note|notes|for the record|reminder|remember|fyi|info|ps|important|update|notiz"
    r"|zur erinnerung|merke|hinweis|wichtig|nur zur info)\s*[:,]\s*",
    re.I,
)
_ONLY = re.compile(
    r"[,;]?\s*(?:\b(?:and|und|but)\s+)?(?:\b(?:on|at|by|in|from|with|bei|von|mit|auf|dafür)\s+)?"
    r"\b(?:no(?:body|thing|where|t anywhere)? (?:else|other)(?: \w+)?(?: (?:touches|does|has) it)?"
    r"|no one else|sonst (?:nicht\w*|niemand\w*|nirgend\w*)(?: dafür)?|nicht mehr und nicht weniger"
    r"|not more and not less|no second \w+(?: anywhere)?|none besides)\b"
    r"|\b(?:one and only|only|solely|exclusively|sole|single|nur|allein|alleinige[rsn]?"
    r"|ausschliesslich|einzig\w*|einzige[rsn]?)\b"
    r"|\b(?:the|our|my) one\b(?= \w)|\bonce a (?:day|week|month|year)\b"
    r"|\beinmal (?:pro|in der|im|am) (?:Tag|Woche|Monat|Jahr)\b",
    re.I,
)
_ME = word_set(
    """
    i i'm i've i'd my mine me we we're we've our ours us myself ich mein meine meinen meinem meiner
    meines mir mich wir unser unsere unseren unserem unserer unseres uns
    """
)
# Neither "3. Mai" nor "Dr." ends a sentence; what only says how it is said goes.
_WRITTEN_ELSE = (
    (re.compile(rf"\b(\d{{1,2}})\. (?=(?:{_MONTH})\b)", re.IGNORECASE), r"\1 "),
    (re.compile(r"\b(am|im|den|dem|der|das|zum|vom) (\d{1,2})\.(?!\d)"), r"\1 \2th"),
    (
        re.compile(r"^(?:It (?:was|is)|Es (?:war|ist)) (.+?),? (?:when|that|who|de[rmn]|die|das) "),
        r"\1 ",
    ),
    (  # "Mr Lowe, the neighbour, waters"
        re.compile(
            r"^((?:[A-ZÄÖÜ]\w+ )*[A-ZÄÖÜ]\w+), "
            r"(?:the|our|my|der|die|das|unser\w*|mein\w*) (\w+(?: \w+)?), "
        ),
        r"\1 \2 ",
    ),
    (re.compile(r"\b(Dr|Mr|Mrs|Ms|St|Prof|Nr|No|Hr|Fr)\.(?= )"), r"\1"),
    (re.compile(r"\s(?:for (?:many )?years|seit (?:vielen )?Jahren)(?=\W*$)", re.I), ""),
    (
        re.compile(
            r",? (?:(?:that|which|den|die|das) )?\b(?:I|we|ich|wir) "
            r"(?:have|hold|use|own|habe|haben|benutze|benutzen|nutze|nutzen)\b(?: got)?,?(?= [a-z])"
            r"(?= (?:is|are|was|has|ist|sind|hat|misst|\w+s|\w+t)\b)"
        ),
        " of mine",
    ),
    (re.compile(r"([€$£])\s?(\d[\d.,]*\d|\d)"), r"\2 \1"),
    (re.compile(r"\b(?:ha(?:s|ve) )?ruled out\b"), "does not"),
    (
        re.compile(
            r"(?<=\w) (?:now|nowadays|currently|these days|jetzt|nun|inzwischen|mittlerweile"
            r"|derzeit|aktuell|zurzeit)\b",
            re.I,
        ),
        "",
    ),
    (re.compile(r"\b(?<=[Dd]ie |ine )Frau(?= von| heisst| ist\b)"), "Ehefrau"),
    (re.compile(r"\bcould(?:n['’]t| not) agree more\b|\bcan(?:['’]t|not) wait\b", re.I), ""),
    (re.compile(r"\bin charge of\b", re.I), "responsible for"),
    (  # "the hall, in which the choir sings, has"
        re.compile(
            r", (?:in |auf |bei |mit |an |für )?(?:der|die|das|dem|den|wo|deren|who|which|where"
            r"|whose) [^,]+,(?= \w)"
        ),
        "",
    ),
    (re.compile(r"\btwice\b", re.I), "2 times"),
    (re.compile(r"\b(zwei|drei|vier|fünf|sechs)mal\b", re.I), r"\1 mal"),
    (re.compile(r"\bm²"), "qm"),
    (re.compile(r"(?<=\w) (?:at home|zu Hause|bei uns|bei mir)\b"), ""),
    (re.compile(r"\bhalf past (\w+)", re.I), r"\1:30"),
    (re.compile(r"\bhalb (\w+)", re.I), r"half-\1"),
    (re.compile(r"\b(noon|midday|mittags|at 12)\b(?=\W*$)", re.I), "12:00"),
    (re.compile(r"^([A-ZÄÖÜ]\w+(?: [A-ZÄÖÜ]\w+)? (?:is|ist) \d{1,3})(?=\W*$)"), r"\1 years old"),
    (
        re.compile(
            r"\b(is|ist|takes?|lasts?|dauert|beträgt|for|für|after|nach|within|until|in) "
            r"(?:an?|one|eine[nmr]?) (?=(?:hour|Stunde|week|Woche|month|Monat|year|Jahr)\b)",
            re.I,
        ),
        r"\1 1 ",
    ),
    (re.compile(r"\b(?:takes? place|findet (.+) statt(?:$|\W))", re.I), r"happens \1"),
)
_GERMAN = re.compile(
    r"\b(?:der|die|das|den|dem|k?eine?[nmrs]?|ist|hat|im|von|bei|mit|für|wird|am|ich|unser\w*|mein\w*|nicht|und|zu|auf|sind)\b|[äöü]",
    re.I,
)
_OF_IT = re.compile(  # of whom or what, another sentence says
    r"(?:\w+: )?(?:it|this|that|these|those|es|dies\w*)(?:['’]\w+)?\s"
    r"(?!(?:school )?(?:year|month|week|spring|summer|autumn|winter"
    r"|jahr|monat|woche|sommer|herbst)\b)",
    re.I,
)
_OF_WHOM = re.compile(r"(?:\w+: )?(?:they|he|she|er)(?:['’]\w+)?\s", re.IGNORECASE)
_COMMA = re.compile(r"[,;]\s+|\s[–—-]\s")
_HALF = re.compile(r"half-(\w+)|(\w+):30", re.I)
_THOUSANDS = re.compile(r"^\d{1,3}(?:[.,]\d{3})+$")
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_IN_A_MONTH = re.compile(
    r"\b(?:in|by|until|since|for|of|early|late|mid|im|bis|ab|seit|für|anfang|mitte|ende)[ -]$", re.I
)
_BOUNDS = (
    (
        "<",
        re.compile(
            r"\b(?:at most|no more than|up to|under|below|limited to|maximal|höchstens|bis zu|unter"
            r"|(?:less|fewer|shorter|smaller|lower|weniger|kürzer|kleiner|niedriger)"
            r" (?:than|als)) $",
            re.I,
        ),
    ),
    (
        ">",
        re.compile(
            r"\b(?:at least|no less than|over|above|mindestens|über|ab"
            r"|(?:more|mehr|\w+er) (?:than|als)) $",
            re.I,
        ),
    ),
    ("~", re.compile(r"\b(?:about|around|roughly|circa|ca\.?|etwa|rund|ungefähr) $", re.I)),
)
DENIALS = word_set(
    """
    not never no nor neither none cannot nobody nothing without stopped stop quit longer lack lacks
    refuses avoids unable hardly non missing fehlt fehlen vorbei nicht nie niemals kein keine keinen
    keinem keiner keines ohne
    niemand nichts aufgehört aufgegeben verzichtet meidet weder forbidden prohibited banned verboten
    untersagt
    """
)
_NO_TURN = word_set("longer nor")  # said beside another, or of something else
_NOT = re.compile(r".*n['’]t$")
# What a change is said with, and what only carries the value: no part of what is said.
_LIGHT = word_set(
    """
    ab an auf aus ein los vor fest statt now currently today nowadays meanwhile anymore more
    already still just new newly recently since moved move moves changed change switched became
    become is are was were be been being has have had do does did will would may can could should
    must shall might jetzt inzwischen mittlerweile nun aktuell derzeit zurzeit heute nunmehr seit
    neu neue neuer neuen mehr schon noch ist sind war waren wird werden wurde wurden hat haben
    hatte hatten sei kann können darf dürfen muss müssen soll sollen per each every pro je about
    around roughly approximately circa etwa ungefähr rund exactly genau total insgesamt always
    immer amounts beträgt betragen equals
    lautet lauten set gesetzt eingestellt raised lowered erhöht gesenkt verschoben verlegt
    postponed rescheduled got gets bekommt there gibt consists besteht itself actually eigentlich
    bereits bislang bisher yet ever überhaupt gar given gegeben erhalten both happens happen
    planned geplant vorgesehen
    scheduled upcoming next nächste nächster nächstes official offiziell
    """
)
_ARTICLES = word_set(
    """
    the a an this our my his her their its der die das den dem des ein eine einen einem einer unser
    unsere unserem unseren unserer mein meine meinem meinen meiner
    """
)
_CARRIERS = word_set("day date number nummer time tag datum uhrzeit termin town city stadt")
_TITLES = word_set("mr mrs ms miss dr prof herr herrn frau familie family")  # no part of a name
# Several ways to say one thing; the first word is what they become.
_SAME_ROWS = """
    begin began begun start commence launch kickoff anfang anfangen fängt start startet beginnt
    end finish conclude terminate expire expiry valid validity endet ablauf abläuft gültig
    cost price charge rate fee pay pays paying paid zahlt bezahlt zahle kosten preis gebühr kostet
    earn salary income wage wages verdienen verdienst gehalt lohn einkommen verdient
    old age aged alt alter years-old
    weigh weight wiegt gewicht wog wiegen
    tall height high grösse gross hoch höhe
    length long lang länge
    width wide breit breite
    depth deep tief tiefe
    speed fast geschwindigkeit schnell
    warm temperature heated heating temperatur geheizt beheizt heizt heizung boiler
    last lasts duration dauer dauert lasting
    lead led leads leader head headed heads chief boss manage manager director chair chairman
      chairwoman chairperson chairs leitet leiter leiterin leitung führt führung chef chefin vorsitz
      vorsitzender vorsitzende ceo leitete
    own owns owned owner belong belongs property gehört besitzer besitzerin eigentümer eigentümerin
      besitzt inhaber inhaberin
    write wrote written author writer schrieb geschrieben autor autorin verfasst verfasser
      verfasserin
    paint painter painted malte gemalt maler malerin gemälde painting
    compose composer komponiert komponist komponistin
    design designer architect designed entworfen entwarf architekt architektin
    build built builder construct constructed gebaut baute erbaut erbaute
    found founder founded establish established gegründet gründer gründerin gründung gründete
    teach teacher taught lehrer lehrerin unterrichtet unterricht lehrt teaches unterrichten
    coach trainer trainerin trainiert coaches trains
    conduct conductor dirigiert dirigent dirigentin
    work works employ employed employer job arbeitet arbeitgeber angestellt beschäftigt stelle
      employee arbeiten worked
    marry married wife husband spouse verheiratet ehemann ehefrau heirat heiratete wedding wed
      hochzeit
    engage engaged fiance fiancé fiancée verlobt verlobter verlobte
    dose dosage swallows dosis
    name named called call heisst genannt namens heissen
    born birthplace birthday geboren geburtsort geburtstag geburtsdatum birth geburt
    study studies studied student studiert studentin
    live lives reside resides dwell home residence address lived wohnt wohnort wohnsitz zuhause
      lebt anschrift adresse ansässig wohnen leben
    stand stands stood lie lies located situated based headquarters headquartered headquarter
      hauptsitz steht liegt befindet store stored stores keep kept keeps speichert gespeichert
      aufbewahrt abgelegt lagert gelagert hangs hängt parked parks geparkt stationed location
      standort location untergebracht liegen stehen hung
    run runs running host hosts hosted deploy deployed deploys operate läuft betreibt betrieben
      gehostet betreiben laufen
    use uses used using nutzt verwendet benutzt nutzen
    responsible zuständig verantwortlich verantwortet betreut betreuer zuständigkeit
    insure insured versichert insurance versicherung insurer versicherer
    register registered gemeldet angemeldet
    twin twinned partnerstadt patenstadt patenschaft
    depart departs departure leave leaves abfahrt abflug departed legt go goes drive drives fährt
      fahren
    arrive arrives arrival ankunft landet lands
    due deadline submit submitted frist fällig abgabe abgegeben abgabefrist abgeben
    jab vaccination vaccinated vaccine impfung geimpft impfen
    phone telephone tel telefon telefonnummer handynummer rufnummer
    hold holds held
    seat seats fits capacity fasst fassungsvermögen platz plätze place places sitze
    limit limited maximum max cap allow allows accept accepts begrenzt höchstens grenze
    member members headcount people person persons employees staff leute personen mitglieder
      menschen mitarbeiter
    child children kid kids kinder kind
    landlord landlady vermieter vermieterin vermietet
    tenant mieter mieterin gemietet
    colour color colours colors farbe
    favourite favorite lieblings
    month monthly monat monatlich monatlicher monatliche months
    mother mum mom mama mutti mutter
    father dad daddy papa vati vater
    grandmother grandma granny oma grossmutter
    grandfather grandpa opa grossvater
    day daily täglich täglicher tägliche days tage
    week weekly woche wöchentlich weeks
    year yearly annual annually jährlich jahr jahre
    hour hourly stündlich stunde
    operation surgery op eingriff
    doctor physician gp hausarzt hausärztin
    ferry boat boats fähre
    vehicle car auto wagen
    flat apartment wohnung
    password passwort kennwort passcode
    listen listens listening port ports
    sweep swept gefegt
    maintain maintains maintainer maintained wartet gewartet pflegt betreuung
    supply supplies supplier supplied delivers delivered lieferant liefert beliefert geliefert
    contact ansprechpartner ansprechpartnerin ansprechperson kontakt kontaktperson
    meeting meetings appointment besprechung sitzung treffen
    holiday holidays vacation urlaub ferien
    invoice bill rechnung
    contract agreement vertrag
    licence license führerschein
    photo photos picture pictures foto fotos
    ram arbeitsspeicher
    storage speicherplatz speicher
    retention retain retained aufbewahrung aufbewahren
    sleep sleeps slept schlaf schläft schlafe
    allergy allergic allergie allergisch
    need needs require requires braucht benötigt brauchen
"""
_AMBIGUOUS = word_set("head left hold holds place high fast long last charge use may")


_DERIVED = (
    *("ership", "innen", "ungen", "erin", "ment", "ings", "ing", "ung", "ers", "ern", "ors"),
    *("ed", "es", "er", "or", "en", "em", "et", "te", "st"),
)
_INFLECTED = ("s", "e", "n", "t")


_PARTICIPLE = re.compile(r"^((?:ein|aus|ab|an|auf|um|vor|zu|mit|nach)?)ge(?=\w{4})")


@lru_cache(maxsize=16_384)
def stem_of(word: str) -> str:
    """One form of a word for English and German alike: short sentences do not say which they are
    of."""
    if len(word) > 6 and word.endswith(("t", "en")):
        word = _PARTICIPLE.sub(r"\1", word)
    for ending in _DERIVED:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    while len(word) > 4 and word.endswith(_INFLECTED) and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if len(word) == 4 and word[-1] == "s" and word[-2] not in "su" else word


@cache
def _same() -> dict[str, str]:
    """The row that a word is of, by the word as it is written and by its stem."""
    rows = [row.split() for row in re.sub(r"\n {6,}", " ", _SAME_ROWS).strip().splitlines()]
    known = {stem_of(word): row[0] for row in rows for word in row if word not in _AMBIGUOUS}
    return {**known, **{word: row[0] for row in rows for word in row}}


@cache
def _empty() -> frozenset[str]:
    return stop_words(ENGLISH, "german")


@cache
def _unsaid() -> frozenset[str]:
    return DENIALS | _LIGHT | _ME | _empty()


@lru_cache(maxsize=20_000)
def said_in(text: str) -> tuple[Said, ...]:
    text = spelled_alike(text[:MOST_CHARS])
    for pattern, instead in _WRITTEN_ELSE:
        text = pattern.sub(instead, text)
    found = [_INTRODUCED.sub("", one) for one in sentences(text)[:MOST_SENTENCES]]
    saids = [_said(one) for place, one in enumerate(found) if place == 0 or not _OF_WHOM.match(one)]
    return tuple(said for said in saids if said.parts and not _OF_IT.match(said.text))


def values_of(said: Said) -> dict[str, Part]:
    """Its parts by what they say; a stem counts for a word and a name alike."""
    return {
        part.value if part.sort in ("word", "name") else f"{part.sort} {part.value}": part
        for part in said.parts
    }


def _said(text: str) -> Said:
    only = _ONLY.search(text) is not None
    text = " ".join(_ONLY.sub(" ", text).split()) if only else text
    main, german = _main(text), _GERMAN.search(text) is not None
    every = list(_TOKEN.finditer(text))
    titles = {title.start() for title, named in pairwise(every) if _is_title(title, named)}
    tokens = [match for match in every if match.start() not in titles]
    titled = {named.start() for title, named in pairwise(every) if _is_title(title, named)}
    written = [match.group().lower() for match in tokens]
    plain = [word if match["word"] else "" for word, match in zip(written, tokens, strict=True)]
    denied = _is_denied(
        word for word, match in zip(plain, tokens, strict=True) if match.start() < main
    )
    verb = next((at for at in range(len(tokens)) if _is_verb(tokens, at)), -1)
    parts: list[Part] = []
    for place, match in enumerate(tokens):
        if match["mark"]:
            continue
        found = _found(match, place, text, match.start() in titled)
        if found is None:
            continue
        part = Part(
            found.sort,
            found.value,
            place,
            "," if found.plural else written[place - 1] if place else "",
            _is_verb(tokens, place),
            written[place + 1] if place + 1 < len(written) else "",
            found.bound,
            match.start() >= main,
            match.group()[0].islower(),
            _placed(written, place),
            _owns(tokens, place),
        )
        if plain[place] in _UNITS and parts and parts[-1].at == place - 1:
            parts[-1:] = _measured(parts[-1], plain[place])
            if parts[-1].at == place:
                continue
        parts.extend(_taken_apart(part, plain[place]) if german else [part])
    copula = verb >= 0 and plain[verb] in COPULAS
    words = frozenset(filter(None, plain))
    if words & _ME or "The user" in text:
        parts.append(Part("word", "me", -1))
    return Said(tuple(parts), denied, verb, copula, words, only, text, german)


def _is_title(match: re.Match[str], named: re.Match[str]) -> bool:
    """Whether it stands before a name: "Frau Keller", not "die Familie hat"."""
    return match.group().lower() in _TITLES and named.group()[0].isupper()


def _owns(tokens: Sequence[re.Match[str]], place: int) -> bool:
    word = tokens[place].group()
    following = tokens[place + 1].group() if place + 1 < len(tokens) else ""
    if word.endswith(("'s", "’s", "s'", "s’")):
        return bool(following)
    return word[0].isupper() and word.endswith("s") and following[:1].isupper()


def _placed(written: Sequence[str], place: int) -> str:
    before = written[max(place - 2, 0) : place]
    if len(before) == 2 and before[1] in _ARTICLES:
        return before[0]
    return before[-1] if before else ""


def _is_denied(words: Iterable[str]) -> bool:
    """Whether it denies; twice at once is a yes, but not one after the other: "no tea and never
    coffee"."""
    turned = [False]
    for word in words:
        if word in ("", "and", "or", "but", "und", "oder", "aber"):
            turned.append(False)
        elif (word in DENIALS and word not in _NO_TURN) or _NOT.match(word):
            turned[-1] = not turned[-1]
    return any(turned)


def _main(text: str) -> int:
    """Where that begins which is only added: "lives in Bonn, in a house by the river". What comes
    first is none of it, for it says of when or whom; nor is a list."""
    marks = list(_COMMA.finditer(text))
    if marks and len(text[: marks[0].start()].split()) < 4:
        marks = marks[1:]
    if not marks or any(map(_is_item, _COMMA.split(text)[1:])):
        return len(text)
    return marks[0].start()


def _is_item(piece: str) -> bool:
    """Whether it may be one of a list."""
    words = piece.lower().split()
    return len(words) < 3 and words[:1] != [] and words[0] not in _empty()


def _taken_apart(part: Part, word: str) -> list[Part]:
    """A German compound as what it is made of, where its end is known: a Klavierlehrer is a teacher
    of the piano."""
    if part.sort != "name" or len(word) < 9:
        return [part]
    for cut in range(3, len(word) - 3):
        if same := _same().get(word[cut:]):
            first = word[:cut].removesuffix("s")
            first = _same().get(first) or stem_of(first)
            return [replace(part, sort="word", value=first), replace(part, sort="word", value=same)]
    return [part]


def _measured(part: Part, unit: str) -> list[Part]:
    """A number with its unit in the smallest of its kind: 90 minutes are 1.5 hours."""
    if part.sort not in ("number", "year") or unit not in _UNITS:
        return [part]
    kind, many = _UNITS[unit]
    try:
        value = f"{float(part.value) * many:g}"
    except ValueError:
        return [part]
    return [
        replace(part, sort="number", value=value),
        Part("word", kind, part.at + 1, part.value, after=part.after),
    ]


COPULAS = word_set("is are was were ist sind war waren")
_KNOWN_VERBS = word_set(
    """
    is are was were has have had go goes come comes run runs cost costs get gets take takes ist
    sind war waren hat haben hatte wird werden wurde wurden gilt gelten kommen brauchen liegen
    stehen leben laufen gibt isst misst habe bin go keep need start begin end live work
    """
)
_AUXILIARY = COPULAS | word_set("has have had will can may must should does do hat haben wird")
_NO_VERBS = word_set(
    """
    nicht jetzt seit mit statt fest oft fast weit dort sonst selbst erst zuletzt gut alt laut
    bereit echt leicht recht this his its always yes less plus versus perhaps sometimes besides
    towards mittags samstags sonntags
    """
)


def _is_verb(tokens: list[re.Match[str]], at: int) -> bool:
    """A known one; or what looks like one behind what it is said of."""
    word = tokens[at]["word"] or ""
    if word.lower() in _KNOWN_VERBS:
        return at == 0 or word.islower()
    if not at or not word.islower() or word in _NO_VERBS or word in _empty() or len(word) < 4:
        return False
    if word in _UNITS or tokens[at - 1]["number"] or tokens[at - 1].group().lower() in _NUMBERS:
        return False
    if at + 1 < len(tokens) and tokens[at + 1].group().lower() in _AUXILIARY:
        return False
    before = tokens[at - 1]["word"] or tokens[at - 1].group()
    if before.lower() in _empty() or before.endswith(("'s", "’s")):
        return False
    if before[0].isupper() and word in _same():
        return True
    if word.endswith("t"):
        return word in _same() or not before.islower()
    return word.endswith("s") and not word.endswith("ss")


_CALLED = re.compile(r"\b(?:called|named|namens|genannt|heisst) $", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")


class _Found(NamedTuple):
    """What a word or figure stands for."""

    sort: str
    value: str
    bound: str = ""
    plural: bool = False  # Mondays


def _found(match: re.Match[str], place: int, text: str, titled: bool) -> _Found | None:
    if match["word"]:
        return _word(match, place, text, titled)
    if match["number"]:
        return _number(match["number"].strip(".,"), text[: match.start()])
    if match["ordinal"]:
        return _Found("ordinal", match["ordinal"])
    if match["clock"]:
        return _Found("clock", _clock(match["clock"]))
    if match["name"]:
        half = _HALF.fullmatch(match["name"])
        return _half(half) if half else _Found("name", match["name"].lower())
    return _Found("date", _date(match))


def _word(match: re.Match[str], place: int, text: str, titled: bool) -> _Found | None:
    written, before = match["word"], text[: match.start()]
    word = _POSSESSIVE.sub("", written.lower())
    if found := _figure(word, before):
        return found
    named = place > 0 and written[0].isupper() and written != "I"  # "Per" is a name
    if _CALLED.search(before) and word not in _unsaid() and word not in _ARTICLES:
        titled = True
    if not titled:
        if word in _CARRIERS or _NOT.match(word) or (not named and word in _unsaid()):
            return None
        if named and word in _KNOWN_VERBS:
            return _Found("name", word)  # "written in Go"
        if same := _same().get(word) or _same().get(stem_of(word)):
            return _Found("word", same)
    return _Found("name" if titled or not written.islower() else "word", stem_of(word))


def _figure(word: str, before: str) -> _Found | None:
    """A day, an hour or a number that is written as a word."""
    if half := _HALF.fullmatch(word):
        return _half(half)
    if (part_of := _PART_OF_A_DAY.match(word)) and part_of[1] in _WEEKDAYS:
        word = part_of[1]
    day = word if word in _WEEKDAYS else word.removesuffix("s")
    if day in _WEEKDAYS:
        return _Found("weekday", str(_WEEKDAYS[day]), plural=day != word)
    if word in _ORDINALS:
        return _Found("ordinal", str(_ORDINALS[word]))
    if word in _NUMBERS:
        return _number(str(_NUMBERS[word]), before)
    if word in _MONTHS and _IN_A_MONTH.search(before):
        return _Found("date", _written("", _MONTHS[word], 0))
    return None


def _number(number: str, before: str) -> _Found:
    year = _YEAR.match(number)
    if _THOUSANDS.match(number):
        number = re.sub(r"[.,]", "", number)
    elif number.count(",") == 1 and "." not in number:
        number = number.replace(",", ".")
    bound = next((mark for mark, words in _BOUNDS if words.search(before)), "")
    sort = "year" if year else "number"
    return _Found(sort, number, bound)


def _half(match: re.Match[str]) -> _Found | None:
    word = (match[1] or match[2]).lower()
    hour = _NUMBERS.get(word, int(word) if word.isdigit() else None)
    if hour is None:
        return None
    return _Found("clock", f"{hour - bool(match[1]):02}:30")


def _date(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    if match["dotted"]:
        day, month, year = (*match["dotted"].strip(".").split("."), "")[:3]
        return _written(year if len(year) != 2 else f"20{year}", int(month), int(day))
    for day, month, year in (("day", "month", "year"), ("day2", "month2", "year2")):
        if match[month]:
            return _written(match[year] or "", _MONTHS[match[month].lower()], int(match[day]))
    if match["nth"]:
        return _written("", 0, int(match["nth"]))
    if match["month3"]:
        return _written(match["year3"], _MONTHS[match["month3"].lower()], 0)
    return ""


def _written(year: str, month: int, day: int) -> str:
    return f"{year or '----'}-{month:02}-{day:02}"


def _clock(text: str) -> str:
    hour, minute = (*re.findall(r"\d+", text), "00")[:2]
    late = "p" in text.lower() and int(hour) < 12
    return f"{int(hour) + 12 * late:02}:{minute}"
