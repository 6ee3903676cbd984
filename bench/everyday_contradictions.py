"""How well contradictions are noticed in facts of a household:
`python bench/everyday_contradictions.py --half open|held`.

Another corpus than bench/contradictions.py, English and German, written without a look at the rule:
5,000 facts about family, neighbours, pets, the house, the garden, school and clubs; 200 of them
contradict another one in a name, a number, a date or a denial. Most of the rest is made to mislead:
pairs that look alike and are both true (of different times, rooms, trains, or things of which there
are many), the same value in other words, a denial of something else, and the same said of others.

Every other way of saying things is `open`: before a look recall was 0.66 and precision 0.08, and
the rule was put right by it (0.88, 0.96). The others are `held`: at their only blind look, with
that rule, recall was 0.74 and precision 0.31. Both halves are seen now. Weights that
left these facts out came to 0.91 and 0.13 in the half `open`; those of bench/fit_contradictions.py,
which count them a little, to 0.96 and 0.81, and to 0.89 and 0.87 in the half `held`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.contradictions import FACTS, PLANTED, Corpus, filled, noticed, told  # noqa: E402


def named(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.split(","))


KIN = named(
    "Grandpa Otis, Aunt Wren, Uncle Bram, Cousin Tilda, Granny Maeve, my brother Jude, Nephew Ivo, "
    "my neighbour Petra, Old Mr Quill, Cousin Marlow, Aunt Solveig, my flatmate Dara, Uncle Fitz"
)
VERWANDTE = named(
    "Opa Gustav, Tante Hedwig, Onkel Ruprecht, Cousine Wiebke, Oma Trude, mein Bruder Falk, "
    "Neffe Jannis, Nachbarin Elke, Herr Brinkmann, Vetter Lorenz, Tante Gesine, Mitbewohnerin Svea"
)
TEACHERS = named(
    "Mrs Adeyemi, Mr Lindqvist, Ms Castellano, Mr Obuya, Mrs Farrow, Mr Petrov, Ms Nakata, Mr Dunne"
)
LEHRKRAFT = named(
    "Frau Oduya, Herr Lindner, Frau Castell, Herr Okonjo, Frau Fahrenholz, Herr Petersen, Frau Naum"
)
SURNAMES = named("Abara, Whitlock, Serrano, Kowal, Ferreira, Haddad, Novak, Thistle, Iyer, Brandt")
NACHNAMEN = named("Abels, Weisskopf, Sattler, Kowalke, Feldhaus, Hadler, Nowotny, Distel, Eggers")
HOUSES = named(
    "Larch Cottage, the lake house, Number Nine, the old mill, Fern Villa, the boat shed, "
    "Gable End, the chapel flat, Rook Barn, the tower room, Birch Lodge, the coach house"
)
HÄUSER = named(
    "Haus Lärche, das Seehaus, die alte Mühle, Haus Farn, das Bootshaus, die Kapelle, "
    "Hof Birke, das Kutscherhaus, die Turmstube, Haus Giebel, die Remise, Hof Saat"
)
IN_HÄUSERN = named(
    "Haus Lärche, Hof Birke, Haus Farn, Haus Giebel, Hof Saat, Haus Ahorn, Haus Quelle, Hof Linde, "
    "Haus Eibe, Hof Weide, Haus Amsel, Hof Distel"
)
PETS = named("Biscuit, Pepper, Mr Socks, Noodle, Captain, Juniper, Waffle, Bandit, Olive, Turnip")
TIERE = named("Krümel, Pfeffer, Socke, Nudel, Kapitän, Wacholder, Waffel, Bandit, Olive, Rübchen")
TOWNS = named(
    "Ashby, Corran, Dunmere, Elsby, Farleigh, Gorsey, Holt, Inverlea, Kelling, Lorne, Marsh, Rowde"
)
ORTE = named(
    "Altenau, Brunsbek, Dornum, Eschwege, Fehrbellin, Greetsiel, Hameln, Ilfeld, Kappeln, Lauenau"
)
ISLES = named("Skerra, Hestan, Little Rum, Vallay, Oransay, Fuday, Sandray, Mingay, Wiay, Ronay")
INSELN = named("Juist, Amrum, Baltrum, Pellworm, Hiddensee, Spiekeroog, Wangerooge, Langeoog, Föhr")
HARBOURS = named("Port Ellis, Granton, Whitby, Ness Quay, Tarbet, Mallaig, Oban, Lochboisdale")
HÄFEN = named("Norddeich, Dagebüll, Neßmersiel, Nordstrand, Stralsund, Harlesiel, Bensersiel")
DISHES = named(
    "plum cake, the Easter bread, lemon curd, Aunt Bea's pie, the nut loaf, almond torte"
)
SPEISEN = named("Pflaumenkuchen, Osterzopf, Eierlikör, Tante Beas Torte, Nussbrot, Mandelkranz")
ARTISTS = named("Edda Rowe, Tomas Vail, Iris Okafor, Henrik Moss, Clara Bexley, Juan Solano")
MALER = named("Edda Roth, Thomas Veil, Iris Ockel, Henrik Moos, Klara Bechtel, Johann Sohl")
PICTURES = named(
    "Grey Harbour, The Two Herons, Winter Orchard, Girl with Lamp, Salt Road, Low Tide"
)
BILDER = named("Grauer Hafen, Zwei Reiher, Wintergarten, Mädchen mit Lampe, Salzstraße, Ebbe")
DAYS = named("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday")
TAGE = named("Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag")
DATES = named("3 March, 17 April, 9 May, 21 June, 30 August, 12 September, 5 October, 26 November")
DATEN = named("3. März, 17. April, 9. Mai, 21. Juni, 30. August, 12. September, 5. Oktober")
FULL = named("3 March 2027, 17 April 2028, 9 May 2027, 21 June 2029, 30 August 2028, 12 July 2030")
GANZE = named("3. März 2027, 17. April 2028, 9. Mai 2027, 21. Juni 2029, 30. August 2028")
FEW = ("3", "4", "6", "7", "9", "11", "12", "14")
SIZES = ("36", "37", "38", "39", "41", "42", "43", "44")
DEGREES = ("17", "18", "19", "21", "22", "23")
MILLIGRAMS = ("5", "10", "20", "40", "75", "100", "150")
RENTS = ("480", "525", "610", "690", "740", "815", "1,020")
MIETEN = ("480", "525", "610", "690", "740", "815", "1.020")
YEARS = ("2009", "2011", "2014", "2017", "2019", "2021")
BOOKS = named("Middlemarch, Dune, Beloved, Kim, Emma, The Waves, Stoner, Rebecca, Ulysses")
BÜCHER = named("Effi Briest, Momo, Krabat, Der Steppenwolf, Das Parfum, Die Pest, Der Prozess")
FOODS = named("mussels, celery, walnuts, kiwi, coriander, rye, shrimps, mustard")
ESSEN = named("Muscheln, Sellerie, Walnüsse, Kiwi, Koriander, Roggen, Garnelen, Senf")
TONGUES = named("Welsh, Polish, Urdu, Finnish, Greek, Tamil, Dutch")
SPRACHEN = named("Walisisch, Polnisch, Urdu, Finnisch, Griechisch, Tamil, Niederländisch")
ROOMS = named("kitchen, hall, study, nursery, pantry, loft")
RÄUME = named("Küche, Diele, Stube, Kammer, Werkstatt, Waschküche")
THINGS = named("lawn mower, sewing machine, tent, cello, kayak, telescope, pressure cooker")
DINGE = named("Rasenmäher, Nähmaschine, Zelt, Cello, Kajak, Fernrohr, Schnellkochtopf")


class OneOnly(NamedTuple):
    """What can only be one way: two values of one subject contradict each other."""

    forms: tuple[str, ...]
    subjects: tuple[str, ...]
    values: tuple[str, ...]


class OrNot(NamedTuple):
    """What is so, or not: one of `forms` and one of `denials` contradict each other."""

    forms: tuple[str, ...]
    denials: tuple[str, ...]
    subjects: tuple[str, ...]


class BothTrue(NamedTuple):
    """Texts of one subject that look alike and do not contradict each other: the forms in turn,
    each with values of its own."""

    forms: tuple[str, ...]
    subjects: tuple[str, ...]
    values: tuple[str, ...] = ("",)
    others: tuple[str, ...] = ("",)


ONE_ONLY = (
    # English: names
    OneOnly(("{s}'s piano teacher is {v}.", "{v} teaches {s} the piano."), KIN, TEACHERS),
    OneOnly(("The {s} choir is conducted by {v}.", "{v} conducts the {s} choir."), TOWNS, ARTISTS),
    OneOnly(("{s} is registered with Dr {v}.", "The GP of {s} is Dr {v}."), KIN, SURNAMES),
    OneOnly(("{v} holds the lease of {s}.", "The lease of {s} is held by {v}."), HOUSES, ARTISTS),
    OneOnly(("{s} was painted by {v}.", "The painter of {s} is {v}."), PICTURES, ARTISTS),
    OneOnly(("{s} is married to {v}.", "{s} has been married to {v} for years."), KIN, ARTISTS),
    OneOnly(("The ferry to {s} leaves from {v}.", "Boats for {s} go from {v}."), ISLES, HARBOURS),
    OneOnly(("The landlord of {s} is called {v}.", "{v} is landlord of {s}."), HOUSES, TEACHERS),
    OneOnly(("The twin town of {s} is {v}.", "{s} is twinned with {v}."), TOWNS, HARBOURS),
    OneOnly(("{s} shares a desk with {v} at school.", "At school {s} sits beside {v}."), KIN, PETS),
    # English: numbers
    OneOnly(("{s} wears shoe size {v}.", "Shoe size of {s}: {v}."), KIN, SIZES),
    OneOnly(
        ("The boiler in {s} is set to {v} degrees.", "We keep {s} heated to {v} degrees."),
        HOUSES,
        DEGREES,
    ),
    OneOnly(("There are {v} hens at {s}.", "{s} has {v} hens."), HOUSES, FEW),
    OneOnly(
        ("{s} takes {v} mg of the blue tablets each morning.", "Blue tablets for {s}: {v} mg."),
        KIN,
        MILLIGRAMS,
    ),
    OneOnly(("{s} weighs {v} kilos.", "The weight of {s} is {v} kilos."), PETS, FEW),
    OneOnly(("The recipe for {s} needs {v} eggs.", "{v} eggs go into {s}."), DISHES, FEW),
    OneOnly(("Rent for {s} is {v} euros a month.", "{s} costs {v} euros a month."), HOUSES, RENTS),
    OneOnly(
        ("{s}'s locker at the pool is number {v}.", "At the pool {s} has locker {v}."), KIN, SIZES
    ),
    OneOnly(("The attic of {s} is {v} metres long.", "{s}: attic, {v} metres long."), HOUSES, FEW),
    # English: dates
    OneOnly(("Bins in {s} are collected on {v}.", "In {s} the bins go out on {v}."), TOWNS, DAYS),
    OneOnly(
        ("{s}'s passport runs out on {v}.", "The passport of {s} is valid until {v}."), KIN, FULL
    ),
    OneOnly(
        ("The fair in {s} opens on {v}.", "{v} is the opening day of the {s} fair."), TOWNS, DATES
    ),
    OneOnly(("{s}'s rabies jab is due on {v}.", "{v}: rabies jab for {s} is due."), PETS, DATES),
    OneOnly(
        ("The chimney of {s} was last swept on {v}.", "Last sweep of the chimney at {s}: {v}."),
        HOUSES,
        FULL,
    ),
    # German: names
    OneOnly(
        ("{s} hat Geigenunterricht bei {v}.", "{v} gibt {s} Geigenunterricht."),
        VERWANDTE,
        LEHRKRAFT,
    ),
    OneOnly(
        ("Den Kirchenchor in {s} leitet {v}.", "{v} leitet den Kirchenchor in {s}."), ORTE, MALER
    ),
    OneOnly(
        ("Hausarzt von {s} ist Dr. {v}.", "{s} hat Dr. {v} als Hausarzt."), VERWANDTE, NACHNAMEN
    ),
    OneOnly(("Vermieter von {s} ist {v}.", "{s} wird von {v} vermietet."), IN_HÄUSERN, LEHRKRAFT),
    OneOnly(("Das Bild „{s}“ hat {v} gemalt.", "„{s}“ ist ein Gemälde von {v}."), BILDER, MALER),
    OneOnly(("{s} ist mit {v} verheiratet.", "Verheiratet ist {s} mit {v}."), VERWANDTE, MALER),
    OneOnly(
        ("Die Fähre nach {s} legt in {v} ab.", "Nach {s} fährt die Fähre ab {v}."), INSELN, HÄFEN
    ),
    OneOnly(
        ("In der Schule sitzt {s} neben {v}.", "{s} teilt sich die Schulbank mit {v}."),
        VERWANDTE,
        TIERE,
    ),
    OneOnly(("Patenstadt von {s} ist {v}.", "{s} hat eine Patenschaft mit {v}."), ORTE, HÄFEN),
    # German: numbers
    OneOnly(("{s} hat Schuhgröße {v}.", "Schuhgröße von {s}: {v}."), VERWANDTE, SIZES),
    OneOnly(
        ("Die Heizung in {s} steht auf {v} Grad.", "{s} wird auf {v} Grad geheizt."),
        IN_HÄUSERN,
        DEGREES,
    ),
    OneOnly(("Auf {s} leben {v} Ziegen.", "{v} Ziegen gibt es auf {s}."), IN_HÄUSERN, FEW),
    OneOnly(
        (
            "{s} nimmt morgens {v} Milligramm von den blauen Tabletten.",
            "Blaue Tabletten für {s}: morgens {v} Milligramm.",
        ),
        VERWANDTE,
        MILLIGRAMS,
    ),
    OneOnly(("{s} wiegt {v} Kilo.", "Das Gewicht von {s} liegt bei {v} Kilo."), TIERE, FEW),
    OneOnly(("Für {s} braucht man {v} Eier.", "In {s} kommen {v} Eier."), SPEISEN, FEW),
    OneOnly(
        ("Die Miete für {s} beträgt {v} Euro im Monat.", "{s} kostet monatlich {v} Euro."),
        IN_HÄUSERN,
        MIETEN,
    ),
    OneOnly(
        ("{s} hat im Hallenbad Spind {v}.", "Der Spind von {s} im Hallenbad ist Nummer {v}."),
        VERWANDTE,
        SIZES,
    ),
    # German: dates
    OneOnly(
        ("In {s} wird die Biotonne am {v} geleert.", "Die Biotonne kommt in {s} am {v} dran."),
        ORTE,
        TAGE,
    ),
    OneOnly(
        ("Der Reisepass von {s} läuft am {v} ab.", "{s} hat einen Reisepass bis zum {v}."),
        VERWANDTE,
        GANZE,
    ),
    OneOnly(
        ("Der Jahrmarkt in {s} beginnt am {v}.", "Am {v} geht in {s} der Jahrmarkt los."),
        ORTE,
        DATEN,
    ),
    OneOnly(
        ("Die Impfung von {s} ist am {v} fällig.", "{s} muss am {v} geimpft werden."), TIERE, DATEN
    ),
    OneOnly(
        ("Der Kamin in {s} wurde zuletzt am {v} gefegt.", "Zuletzt gefegt in {s}: am {v}."),
        IN_HÄUSERN,
        GANZE,
    ),
)

OR_NOT = (
    OrNot(("{s} eats fish.",), ("{s} doesn't eat fish.", "{s} never eats fish."), KIN),
    OrNot(("{s} is allergic to cats.",), ("{s} is not allergic to cats.",), KIN),
    OrNot(("Dogs are allowed in {s}.",), ("Dogs are not allowed in {s}.",), HOUSES),
    OrNot(("{s} still rides the motorbike.",), ("{s} no longer rides the motorbike.",), KIN),
    OrNot(("{s} can swim.",), ("{s} can't swim.", "{s} cannot swim."), KIN),
    OrNot(("We heat {s} with wood.",), ("We no longer heat {s} with wood.",), HOUSES),
    OrNot(("{s} has been neutered.",), ("{s} has not been neutered.",), PETS),
    OrNot(("{s} believes in horoscopes.",), ("{s} does not believe in horoscopes.",), KIN),
    OrNot(("{s} isst Fisch.",), ("{s} isst keinen Fisch.", "{s} isst nie Fisch."), VERWANDTE),
    OrNot(("{s} kann schwimmen.",), ("{s} kann nicht schwimmen.",), VERWANDTE),
    OrNot(("Hunde sind in {s} erlaubt.",), ("Hunde sind in {s} nicht erlaubt.",), IN_HÄUSERN),
    OrNot(("{s} fährt noch Motorrad.",), ("{s} fährt kein Motorrad mehr.",), VERWANDTE),
    OrNot(("{s} verträgt Milch.",), ("{s} verträgt keine Milch.",), VERWANDTE),
    OrNot(("{s} ist kastriert.",), ("{s} ist nicht kastriert.",), TIERE),
    OrNot(("{s} glaubt an Horoskope.",), ("{s} glaubt nicht an Horoskope.",), VERWANDTE),
    OrNot(("Wir heizen {s} mit Holz.",), ("Wir heizen {s} nicht mit Holz.",), IN_HÄUSERN),
)

BOTH_TRUE = (
    # Of which there are many
    BothTrue(("{s} has been to {v}.",), KIN, ISLES),
    BothTrue(("{s} read {v} in one weekend.",), KIN, BOOKS),
    BothTrue(("{s} is good friends with {v}.",), KIN, ARTISTS),
    BothTrue(("{s} speaks {v}.", "{s} also speaks {v}."), KIN, TONGUES),
    BothTrue(("{s} is allergic to {v}.",), KIN, FOODS),
    BothTrue(("{s} does not like {v}.",), KIN, FOODS),
    BothTrue(("{s} has a cousin in {v}.",), KIN, TOWNS),
    BothTrue(("{s} owns a {v}.", "{s} has bought a {v}."), KIN, THINGS),
    BothTrue(("One of {s}'s sisters is called {v}.",), KIN, PETS),
    BothTrue(("{s} wants to see {v} some day.",), KIN, HARBOURS),
    BothTrue(("{s} lent the {v} to a neighbour.",), KIN, THINGS),
    BothTrue(("{s} war schon auf {v}.",), VERWANDTE, INSELN),
    BothTrue(("{s} hat {v} an einem Wochenende gelesen.",), VERWANDTE, BÜCHER),
    BothTrue(("{s} ist gut mit {v} befreundet.",), VERWANDTE, MALER),
    BothTrue(("{s} spricht {v}.", "{s} spricht auch {v}."), VERWANDTE, SPRACHEN),
    BothTrue(("{s} verträgt keine {v}.", "{s} ist allergisch gegen {v}."), VERWANDTE, ESSEN),
    BothTrue(("{s} mag kein {v}.",), VERWANDTE, ESSEN),
    BothTrue(("{s} hat Verwandte in {v}.",), VERWANDTE, ORTE),
    BothTrue(("Eine Schwester von {s} heißt {v}.",), VERWANDTE, TIERE),
    BothTrue(("{s} möchte einmal {v} sehen.",), VERWANDTE, HÄFEN),
    # Of different times
    BothTrue(("In {o} {s} lived in {v}.",), KIN, TOWNS, YEARS),
    BothTrue(("Back in {o} there were {v} hens at {s}.",), HOUSES, FEW, YEARS),
    BothTrue(("On {o} {s} walked {v} kilometres.",), KIN, FEW, DATES),
    BothTrue(("In {o} the rent for {s} was {v} euros a month.",), HOUSES, RENTS, YEARS),
    BothTrue(("{s} weighed {v} kilos in {o}.",), PETS, FEW, YEARS),
    BothTrue(("{s} once worked for {v}.", "Until {o} {s} worked for {v}."), KIN, ARTISTS, YEARS),
    BothTrue(("{o} wohnte {s} in {v}.",), VERWANDTE, ORTE, YEARS),
    BothTrue(("{o} lebten auf {s} noch {v} Ziegen.",), IN_HÄUSERN, FEW, YEARS),
    BothTrue(("Am {o} ist {s} {v} Kilometer gewandert.",), VERWANDTE, FEW, DATEN),
    BothTrue(("{o} kostete {s} {v} Euro im Monat.",), IN_HÄUSERN, MIETEN, YEARS),
    BothTrue(("{s} wog {o} noch {v} Kilo.",), TIERE, FEW, YEARS),
    BothTrue(("Früher arbeitete {s} für {v}.",), VERWANDTE, MALER),
    # Of different parts
    BothTrue(("The window in the {o} of {s} is {v}0 cm wide.",), HOUSES, FEW, ROOMS),
    BothTrue(("{s} paid {v}0 euros for the {o}.",), KIN, FEW, THINGS),
    BothTrue(("{s} gave {o} {v} stars.",), KIN, ("2", "3", "4", "5"), BOOKS),
    BothTrue(("Chapter {v} of {s} is about {o}.",), BOOKS, FEW, HARBOURS),
    BothTrue(("On {o} {s} goes swimming with {v}.",), KIN, ARTISTS, DAYS),
    BothTrue(("In the {o} of {s} there are {v} chairs.",), HOUSES, FEW, ROOMS),
    BothTrue(("Das Fenster in der {o} von {s} ist {v}0 cm breit.",), IN_HÄUSERN, FEW, RÄUME),
    BothTrue(("{s} hat für {o} {v}0 Euro bezahlt.",), VERWANDTE, FEW, DINGE),
    BothTrue(("{s} gibt {o} {v} Sterne.",), VERWANDTE, ("2", "3", "4", "5"), BÜCHER),
    BothTrue(("Am {o} geht {s} mit {v} schwimmen.",), VERWANDTE, MALER, TAGE),
    BothTrue(("In der {o} von {s} stehen {v} Stühle.",), IN_HÄUSERN, FEW, RÄUME),
    # The same in other words
    BothTrue(("{s} wakes at 6:30.", "{s} wakes at half past six."), KIN),
    BothTrue(("The tank at {s} holds 1,500 litres.", "The tank at {s} holds 1500 litres."), HOUSES),
    BothTrue(("{s} was born in Leeds.", "{s} was born in Leeds, in a snow storm."), KIN),
    BothTrue(("{s} has two children.", "{s} has 2 children."), KIN),
    BothTrue(("{s} steht um 6:30 Uhr auf.", "{s} steht um halb sieben auf."), VERWANDTE),
    BothTrue(
        ("Der Tank von {s} fasst 1.500 Liter.", "Der Tank von {s} fasst 1500 Liter."), IN_HÄUSERN
    ),
    BothTrue(("{s} hat zwei Kinder.", "{s} hat 2 Kinder."), VERWANDTE),
    BothTrue(("{s} ist in Kiel geboren.", "{s} ist in Kiel geboren, im Winter."), VERWANDTE),
    # A denial of something else
    BothTrue(("{s} drinks coffee.", "{s} doesn't drink coffee after six."), KIN),
    BothTrue(("{s} plays chess.", "{s} does not play cards."), KIN),
    BothTrue(("Cats are allowed in {s}.", "Smoking is not allowed in {s}."), HOUSES),
    BothTrue(("{s} trinkt Kaffee.", "{s} trinkt nach sechs keinen Kaffee."), VERWANDTE),
    BothTrue(("{s} spielt Schach.", "{s} spielt keine Karten."), VERWANDTE),
    BothTrue(("Katzen sind in {s} erlaubt.", "Rauchen ist in {s} nicht erlaubt."), IN_HÄUSERN),
    # What may be, and what was only said
    BothTrue(("{s} might move to {v}.", "{s} is thinking of moving to {v}."), KIN, TOWNS),
    BothTrue(
        ("{s} zieht vielleicht nach {v}.", "{s} überlegt, nach {v} zu ziehen."), VERWANDTE, ORTE
    ),
)
SAME_SUBJECT = 4  # so many texts of one subject that are all true


def half_of(ways: Sequence[NamedTuple], held: bool) -> list[NamedTuple]:
    return list(ways[held::2])


def corpus(held: bool, size: int, planted: int, seed: int) -> Corpus:
    """`size` facts with `planted` contradictions, of one half of the ways of saying things."""
    chance = random.Random(seed + held)
    ways = [*half_of(ONE_ONLY, held), *half_of(OR_NOT, held)]
    slots = [(way, subject) for way in ways for subject in way.subjects]  # type: ignore[attr-defined]
    chance.shuffle(slots)
    facts: list[str] = []
    pairs: set[frozenset[int]] = set()
    for way, subject in slots[:planted]:
        pairs.add(frozenset((len(facts), len(facts) + 1)))
        facts += _opposed(way, subject, chance)
    compatible = [one for one in half_of(BOTH_TRUE, held) if isinstance(one, BothTrue)]
    return filled(facts, pairs, size, _others(slots[planted:], compatible, chance), chance)


def _said(text: str) -> str:
    return text[:1].upper() + text[1:]


def _opposed(way: NamedTuple, subject: str, chance: random.Random) -> list[str]:
    if isinstance(way, OrNot):
        two = [chance.choice(way.forms), chance.choice(way.denials)]
        chance.shuffle(two)
        return [_said(form.format(s=subject)) for form in two]
    assert isinstance(way, OneOnly)
    values = chance.sample([one for one in way.values if one != subject], 2)
    return [_said(chance.choice(way.forms).format(s=subject, v=value)) for value in values]


def _others(
    left: Sequence[tuple[NamedTuple, str]], compatible: Sequence[BothTrue], chance: random.Random
) -> Iterator[str]:
    """What contradicts nothing: the same said of others, sometimes twice; pairs that are both
    true; and notes about something else."""
    for way, subject in left:
        if isinstance(way, OrNot):
            yield _said(chance.choice((*way.forms, *way.denials)).format(s=subject))
        elif isinstance(way, OneOnly):
            value = chance.choice([one for one in way.values if one != subject])
            forms = way.forms if chance.random() < 0.3 else way.forms[:1]
            yield from (_said(form.format(s=subject, v=value)) for form in forms)
    for way in compatible:
        for subject in way.subjects:
            values = chance.sample(way.values, min(len(way.values), SAME_SUBJECT))
            others = chance.sample(way.others, min(len(way.others), SAME_SUBJECT))
            number = max(len(way.forms), min(len(values), SAME_SUBJECT))
            turns = zip(cycle(way.forms), cycle(values), cycle(others), strict=False)
            for _, (form, value, other) in zip(range(number), turns, strict=False):
                if value != subject:
                    yield _said(form.format(s=subject, v=value, o=other))
    yield from _notes(chance)


def _notes(chance: random.Random) -> Iterator[str]:
    topics = [*THINGS, *(one.lower() for one in (*BOOKS, *TOWNS, *ISLES)), *ROOMS, *FOODS]
    themen = [*DINGE, *BÜCHER, *ORTE, *INSELN, *RÄUME, *ESSEN]
    while True:
        one = chance.sample(topics, 4)
        yield chance.choice(
            (
                "Ask {0} and {1} people whether {2} goes with {3}.",
                "The box with {0}, {1} and {2} stands behind the {3}.",
                "A list for the weekend: {0}, then {1}, and perhaps {2}.",
                "It would be nice to write a little song about {0} and {1}.",
            )
        ).format(*one)
        yield chance.choice(
            (
                "Vor dem Urlaub noch {0} und {1} klären, dann {2}.",
                "Die Kiste mit {0}, {1} und {2} steht hinter {3}.",
                "Ein Lied über {0} und {1} wäre schön, mit {2} am Ende.",
                "Wer {0} holt, bringt auch {1} und {3} mit.",
            )
        ).format(*chance.sample(themen, 4))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=("open", "held"), default="open")
    parser.add_argument("--show", type=int, default=0, help="so many that were missed, and wrong")
    parser.add_argument("--seed", type=int, default=23)
    asked = parser.parse_args()
    made = corpus(asked.half == "held", FACTS // 2, PLANTED // 2, asked.seed)
    found, seconds = noticed(made)
    recall, precision = told(asked.half, made, found, asked.show)
    sys.stdout.write(f"{seconds * 1000:.1f} ms of the processor a fact\n")
    return 0 if recall >= 0.9 and precision >= 0.8 else 1


if __name__ == "__main__":
    raise SystemExit(main())
