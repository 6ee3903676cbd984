"""How often the memory behind a paraphrased sentence is named first.

    python bench/blame.py [--sentences 300] [--hard]

Twenty-five sorts of facts about twelve people each, half English and half German, written here: 300
memories, each with many near it that differ in a name or a value. Each sentence says a memory
again as an assistant would, in other words. `--hard` leaves the person's name out where another
detail still tells who is meant.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.proof.blame import Blame
from app.vault import Vault, open_vault
from store.records import EntryDraft

# What is stored, what is said, and what the place for a detail may hold.
ENGLISH = (
    ("{who} lives in {x}.", "As far as I know, {who} has a home in {x}.", "cities"),
    ("{who} was born in {x}.", "{who} came into the world in {x}, if I remember right.", "years"),
    ("{who} is allergic to {x}.", "Careful: {x} makes {who} ill.", "foods"),
    ("{who} works as a {x}.", "{who} earns a living as a {x}.", "jobs"),
    ("{who} plays the {x}.", "You could ask {who}, who makes music on the {x}.", "instruments"),
    ("{who} drives a {x} car.", "The {x} vehicle belongs to {who}.", "colours"),
    ("{who} prefers meetings on {x}.", "I would see {who} on {x}, the day they like.", "days"),
    ("{who} speaks {x} fluently.", "{who} has an excellent command of {x}.", "languages"),
    ("{who} has a pet {x}.", "There is a {x} at home with {who}.", "animals"),
    ("{who} studied {x} at university.", "{who} holds a degree in {x}.", "subjects"),
    ("{who}'s favourite dish is {x}.", "Cook {x} and {who} will be happy.", "dishes"),
    ("{who} goes on holiday to {x}.", "{who} spends free weeks in {x}.", "places"),
    ("{who} is reading a book about {x}.", "These days {who} reads up on {x}.", "topics"),
)
GERMAN = (
    ("{who} wohnt in {x}.", "Soweit ich weiß, ist {who} in {x} zu Hause.", "cities"),
    ("{who} ist {x} geboren.", "Das Geburtsjahr von {who} ist {x}.", "years"),
    ("{who} verträgt kein {x}.", "Vorsicht, von {x} wird {who} krank.", "zutaten"),
    ("{who} arbeitet als {x}.", "{who} verdient das Geld mit dem Beruf {x}.", "berufe"),
    ("{who} spielt {x}.", "Musik macht {who} auf dem Instrument {x}.", "instrumente"),
    ("{who} fährt ein Auto in {x}.", "Der Wagen von {who} hat die Farbe {x}.", "farben"),
    ("{who} trifft sich am liebsten am {x}.", "Für {who} passt der {x} gut.", "tage"),
    ("{who} spricht fließend {x}.", "{who} beherrscht {x} ausgezeichnet.", "sprachen"),
    ("{who} hat {x} studiert.", "{who} hat einen Abschluss in {x}.", "faecher"),
    ("Das Lieblingsessen von {who} ist {x}.", "Mit {x} macht man {who} glücklich.", "speisen"),
    ("{who} macht Urlaub in {x}.", "Die freien Wochen verbringt {who} in {x}.", "places"),
    ("{who} sammelt {x}.", "{who} hat eine Sammlung: {x}.", "sammlung"),
)
PEOPLE = "Anna Boris Clara David Emil Farida Greta Hassan Ines Jonas Katya Luis".split()  # noqa: SIM905
DETAILS = {
    "cities": "Kiel Porto Oslo Graz Lyon Turin Ghent Riga Bern Split Cork Bath",
    "years": "1961 1964 1967 1970 1973 1976 1979 1982 1985 1988 1991 1994",
    "foods": "peanuts shrimp milk eggs wheat soy celery mustard sesame kiwi lupin squid",
    "jobs": "nurse baker pilot judge welder dentist farmer tailor printer diver vet chemist",
    "instruments": "cello flute harp oboe piano trumpet violin drums banjo organ lute tuba",
    "colours": "red blue green white black silver yellow orange purple brown grey pink",
    "days": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Easter Christmas "
    "Whitsun Advent Halloween",
    "languages": "French Polish Arabic Hindi Greek Dutch Czech Swedish Korean Turkish Welsh Thai",
    "animals": "cat parrot tortoise rabbit hamster goat snake canary ferret pony gecko hen",
    "subjects": "law physics botany history music geology medicine Latin drama maths art divinity",
    "dishes": "lasagne goulash paella ramen curry risotto couscous pierogi tacos sushi chili pie",
    "places": "Crete Iceland Tyrol Corsica Madeira Norway Malta Sicily Scotland Bali Peru Japan",
    "topics": "bees tides castles chess comets rivers vaccines bridges sailing fungi maps glass",
    "zutaten": "Gluten Ei Soja Sellerie Obst Fleisch Nussmus Lupinenmehl Salz Fett Histamin Bier",
    "berufe": "Lehrer Bäcker Richter Schreiner Koch Arzt Maler Gärtner Drucker Notar Schmied Imker",
    "instrumente": "Geige Flöte Harfe Klavier Orgel Trompete Cello Gitarre Oboe Laute Tuba Zither",
    "farben": "Rot Blau Grün Weiß Schwarz Silber Gelb Orange Lila Braun Grau Rosa",
    "tage": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Feiertag Monatsersten "
    "Nachmittag Vormittag Abend",
    "sprachen": "Französisch Polnisch Arabisch Hindi Griechisch Dänisch Tschechisch Schwedisch "
    "Koreanisch Türkisch Walisisch Finnisch",
    "faecher": "Jura Physik Botanik Geschichte Musik Geologie Medizin Latein Chemie Mathematik "
    "Kunst Theologie",
    "speisen": "Maultaschen Gulasch Spargel Sauerbraten Knödel Labskaus Linsen Pfannkuchen "
    "Kartoffelsalat Rouladen Eintopf Grünkohl",
    "sammlung": "Briefmarken Münzen Postkarten Muscheln Schallplatten Knöpfe Landkarten Uhren "
    "Bierdeckel Puppen Steine Schlüssel",
}


def pairs(hard: bool = False) -> list[tuple[str, str]]:
    """What is stored, and what an assistant says of it."""
    made = []
    for sort, (stored, said, detail) in enumerate((*ENGLISH, *GERMAN)):
        values = DETAILS[detail].split()
        other = "somebody you know" if sort < len(ENGLISH) else "jemand"
        for place, who in enumerate(PEOPLE):
            value = values[(place + sort) % len(values)]
            memory = stored.format(who=who, x=value)
            made.append((memory, said.format(who=other if hard else who, x=value)))
    return made


def first_right(vault: Vault, listed: list[tuple[str, str]]) -> list[bool]:
    blame = Blame(vault)
    return [blame.sentence(said, limit=1)[0].entry.content == memory for memory, said in listed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--hard", action="store_true")
    wanted = parser.parse_args()
    listed = pairs(wanted.hard)
    with tempfile.TemporaryDirectory() as folder:
        vault = open_vault(Path(folder) / "vault.db")
        try:
            vault.entries.store_many([EntryDraft(memory) for memory, _ in listed])
            vault.embedding.embed_waiting()
            right = first_right(vault, listed[: wanted.sentences])
        finally:
            vault.close()
    half = len(ENGLISH) * len(PEOPLE)
    for name, part in (("English", right[:half]), ("German", right[half:]), ("all", right)):
        if part:
            share = sum(part) / len(part)
            print(f"{name}: the right memory first for {share:.3f} of {len(part)} sentences")


if __name__ == "__main__":
    main()
