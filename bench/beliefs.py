"""How well what another assistant says of a person is matched with what their memory says.

    python bench/beliefs.py [--half tuned|held]

100 statements as assistants write them (English and German) against 300 memories: 75 that they are
about and 225 others, many near. Half of the statements agree with a memory in other words, a
quarter contradicts one, a quarter is about something that no memory says. Every second statement is
held back: rules are tuned on the others. Precision and recall are of each verdict; a match with the
wrong memory counts as wrong.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from app.proof.beliefs import AGREE, DIFFERS, ONLY_THEY, Beliefs
from app.vault import open_vault
from store.records import EntryDraft

# (what memory says, what they say, the verdict)
PAIRS = (
    ("Lives in Bonn.", "You live in Bonn, Germany.", AGREE),
    ("Works as a nurse at the children's hospital.", "You are a paediatric nurse.", AGREE),
    ("Is allergic to peanuts.", "You have a peanut allergy.", AGREE),
    ("Drinks green tea in the morning.", "In the mornings you usually have green tea.", AGREE),
    ("Has two daughters, Lena and Mia.", "You have two daughters called Lena and Mia.", AGREE),
    ("Prefers short answers without small talk.", "You like concise replies.", AGREE),
    ("The dog is called Rex.", "Your dog's name is Rex.", AGREE),
    ("Uses Helix as the editor.", "Your text editor of choice is Helix.", AGREE),
    ("Runs three times a week.", "You go running three times each week.", AGREE),
    ("Speaks Portuguese since a year in Porto.", "You speak Portuguese.", AGREE),
    ("Birthday is on 3 May.", "You were born on May 3.", AGREE),
    ("Plays the cello in an orchestra.", "You are a cellist in an amateur orchestra.", AGREE),
    ("Is vegetarian.", "You don't eat meat.", AGREE),
    ("Commutes by bike.", "You cycle to work.", AGREE),
    ("The shop's backend runs on PostgreSQL 16.", "Your shop backend uses PostgreSQL 16.", AGREE),
    ("Deploys on Fridays are forbidden.", "You never deploy on a Friday.", AGREE),
    ("Is married to Jonas.", "Your husband is Jonas.", AGREE),
    ("Studied physics in Heidelberg.", "You have a physics degree from Heidelberg.", AGREE),
    ("Hates cilantro.", "You can't stand cilantro.", AGREE),
    (
        "Is afraid of flying and takes the train.",
        "You avoid planes because of a fear of flying.",
        AGREE,
    ),
    ("Is learning to knit.", "You have recently taken up knitting.", AGREE),
    ("Grew up on a farm near Kiel.", "Your childhood was spent on a farm close to Kiel.", AGREE),
    ("The project codename is Albatross.", "Your current project is codenamed Albatross.", AGREE),
    ("Has type 1 diabetes.", "You live with type 1 diabetes.", AGREE),
    ("Wants code comments in English.", "Comments in code should be written in English.", AGREE),
    ("Mag keinen Koriander.", "Du magst Koriander nicht.", AGREE),
    ("Wohnt in einer WG in Leipzig.", "Du wohnst in Leipzig in einer Wohngemeinschaft.", AGREE),
    (
        "Arbeitet als Lehrerin an einer Gesamtschule.",
        "Du bist Lehrerin an einer Gesamtschule.",
        AGREE,
    ),
    ("Hat eine Katze namens Mimi.", "Deine Katze heißt Mimi.", AGREE),
    ("Trinkt Kaffee ohne Zucker.", "Kaffee trinkst du ohne Zucker.", AGREE),
    ("Spielt seit 2015 Schach im Verein.", "Du bist in einem Schachverein.", AGREE),
    ("Fährt im Sommer nach Kreta.", "Deinen Sommerurlaub verbringst du auf Kreta.", AGREE),
    ("Der Sohn heißt Emil.", "Dein Sohn heißt Emil.", AGREE),
    ("Schreibt eine Doktorarbeit über Bienen.", "Du promovierst über Bienen.", AGREE),
    ("Antworten bitte auf Deutsch.", "Du möchtest Antworten auf Deutsch.", AGREE),
    ("Ist laktoseintolerant.", "Du verträgst keine Laktose.", AGREE),
    (
        "Das Team trifft sich dienstags um 9 Uhr.",
        "Dein Team trifft sich jeden Dienstag um 9 Uhr.",
        AGREE,
    ),
    ("Liest gern Krimis.", "Du liest gerne Kriminalromane.", AGREE),
    ("Hat 2019 in Graz geheiratet.", "Du hast 2019 in Graz geheiratet.", AGREE),
    ("Sammelt alte Landkarten.", "Alte Landkarten sind dein Sammelgebiet.", AGREE),
    ("Is left-handed.", "You write with your left hand.", AGREE),
    ("Goes to bed at ten.", "You usually go to sleep around 10 pm.", AGREE),
    ("Supports FC St. Pauli.", "You are a fan of FC St. Pauli.", AGREE),
    (
        "Volunteers at the animal shelter on Sundays.",
        "On Sundays you help out at an animal shelter.",
        AGREE,
    ),
    ("The router's address is 192.168.7.1.", "Your router is reachable at 192.168.7.1.", AGREE),
    ("Needs reading glasses.", "You wear glasses for reading.", AGREE),
    ("Drives an old Volvo.", "Your car is an old Volvo.", AGREE),
    ("Meditates every evening.", "You meditate each evening.", AGREE),
    ("Bakes sourdough bread at weekends.", "You bake sourdough on weekends.", AGREE),
    ("Manages a team of six developers.", "You lead a team of six developers.", AGREE),
    ("Works for Siemens.", "You work at Bosch.", DIFFERS),
    ("The sister lives in Oslo.", "Your sister lives in Stockholm.", DIFFERS),
    ("The API listens on port 8080.", "Your API listens on port 3000.", DIFFERS),
    ("The son is 12 years old.", "Your son is 9 years old.", DIFFERS),
    ("The wedding anniversary is on 12 June.", "Your wedding anniversary is on 21 June.", DIFFERS),
    ("The server runs on Debian.", "Your server runs on Ubuntu.", DIFFERS),
    ("The manager is Priya.", "Your manager is Claudia.", DIFFERS),
    ("The laptop is a ThinkPad.", "Your laptop is a MacBook.", DIFFERS),
    ("Does not drink alcohol.", "You drink alcohol.", DIFFERS),
    ("The rent is 850 euros a month.", "Your rent is 780 euros a month.", DIFFERS),
    ("The team standup starts at 9:30.", "Your team standup starts at 10:00.", DIFFERS),
    ("The favourite colour is green.", "Your favourite color is blue.", DIFFERS),
    ("The gym membership ends in March 2027.", "Your gym membership ends in July 2027.", DIFFERS),
    ("Dark mode is enabled in the terminal.", "Dark mode is disabled in the terminal.", DIFFERS),
    ("The physiotherapist is Dr. Okafor.", "Your physiotherapist is Dr. Weber.", DIFFERS),
    ("Die Schwester wohnt in Wien.", "Deine Schwester wohnt in Zürich.", DIFFERS),
    ("Der Hund heißt Balu.", "Dein Hund heißt Bruno.", DIFFERS),
    ("Raucht nicht.", "Du rauchst.", DIFFERS),
    ("Die Prüfung ist am 14. März.", "Deine Prüfung ist am 4. April.", DIFFERS),
    ("Die Kündigungsfrist beträgt 3 Monate.", "Deine Kündigungsfrist beträgt 6 Monate.", DIFFERS),
    ("Die Chefin heißt Frau Yilmaz.", "Deine Chefin heißt Frau Albers.", DIFFERS),
    ("Das Auto ist ein Skoda.", "Dein Auto ist ein Opel.", DIFFERS),
    ("Die Wohnung liegt im 4. Stock.", "Deine Wohnung liegt im 2. Stock.", DIFFERS),
    ("The blog is hosted on Netlify.", "Your blog is hosted on Vercel.", DIFFERS),
    (
        "Has lived with asthma and uses an inhaler daily.",
        "You do not use an inhaler daily.",
        DIFFERS,
    ),
    ("", "You own a sailing boat.", ONLY_THEY),
    ("", "You are interested in stoic philosophy.", ONLY_THEY),
    ("", "You once asked about renewing a passport.", ONLY_THEY),
    ("", "You are planning a trip to Vietnam.", ONLY_THEY),
    ("", "You have a background in accounting.", ONLY_THEY),
    ("", "You follow Formula 1 closely.", ONLY_THEY),
    ("", "You are writing a novel set in Venice.", ONLY_THEY),
    ("", "You have trouble sleeping.", ONLY_THEY),
    ("", "You prefer Celsius over Fahrenheit.", ONLY_THEY),
    ("", "Your brother is a firefighter.", ONLY_THEY),
    ("", "You use Kubernetes at work.", ONLY_THEY),
    ("", "You were considering buying a house.", ONLY_THEY),
    ("", "You asked for jokes about penguins.", ONLY_THEY),
    ("", "Du lernst gerade Finnisch.", ONLY_THEY),
    ("", "Du hast dich nach Mietrecht erkundigt.", ONLY_THEY),
    ("", "Du bist Mitglied in einem Ruderclub.", ONLY_THEY),
    ("", "Du interessierst dich für Astronomie.", ONLY_THEY),
    ("", "Deine Großmutter stammt aus Polen.", ONLY_THEY),
    ("", "Du planst einen Marathon.", ONLY_THEY),
    ("", "Du hast eine Solaranlage auf dem Dach.", ONLY_THEY),
    ("", "Du bevorzugst Linux.", ONLY_THEY),
    ("", "Du möchtest ein Café eröffnen.", ONLY_THEY),
    ("", "You hold a patent on a valve.", ONLY_THEY),
    ("", "You keep bees.", ONLY_THEY),
    ("", "You run a podcast about typography.", ONLY_THEY),
)
# 225 other memories, many of them near those above: other people, other things.
PEOPLE = """
    Anna Boris Clara David Farida Greta Hassan Ines Katya Luis Nora Tomas Vera Yuki Zoe
"""
OTHERS = (
    (
        "{who} lives in {x}.",
        "Kiel Porto Oslo Graz Lyon Turin Ghent Riga Bern Split Cork Bath Nice Ulm Gent",
    ),
    (
        "{who} works at {x}.",
        "Acme Initech Hooli Globex Umbrella Stark Wayne Soylent Tyrell "
        "Cyberdyne Aperture Vandelay Dunder Prestige Oscorp",
    ),
    (
        "{who} is allergic to {x}.",
        "shrimp milk eggs wheat soy celery mustard sesame kiwi lupin squid nuts oats corn rye",
    ),
    (
        "{who} plays the {x}.",
        "flute harp oboe piano trumpet violin drums banjo organ lute tuba horn viola zither bass",
    ),
    (
        "{who} speaks {x}.",
        "French Polish Arabic Hindi Greek Dutch Czech Swedish Korean Turkish "
        "Welsh Thai Danish Irish Basque",
    ),
    (
        "{who}'s dog is called {x}.",
        "Fido Waldi Bello Luna Nala Milo Simba Rocky Bella Daisy Coco Ruby Oscar Leo Max",
    ),
    (
        "{who} drives a {x}.",
        "Fiat Saab Lada Mazda Honda Toyota Kia Seat Dacia Ford Tesla Renault Peugeot Audi Mini",
    ),
    (
        "{who} hat {x} studiert.",
        "Jura Botanik Geschichte Musik Geologie Medizin Latein Chemie "
        "Mathematik Kunst Theologie Sport Ethik Statik Anglistik",
    ),
    (
        "{who} wohnt in {x}.",
        "Hamburg Bremen Essen Köln Mainz Trier Jena Gera Halle Suhl Fulda Hof Passau Celle Emden",
    ),
    (
        "{who} mag {x}.",
        "Linsen Spargel Oliven Feigen Rettich Sellerie Pilze Quark Senf "
        "Rote-Bete Kapern Datteln Mais Fenchel Tofu",
    ),
    ("{who}'s birthday is on {x} August.", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"),
    (
        "The {x} service of {who} listens on port 90{x2}.",
        "mail chat cache queue search auth wiki blog shop stats build proxy video sync cron",
    ),
    (
        "{who} is reading a book about {x}.",
        "bees tides castles chess comets rivers vaccines bridges sailing fungi "
        "maps glass salt ice moss",
    ),
    (
        "{who} goes on holiday to {x}.",
        "Iceland Tyrol Corsica Madeira Norway Malta Sicily Scotland Bali Peru "
        "Japan Cuba Texas Oman Chile",
    ),
    ("{who} trifft sich am liebsten um {x} Uhr.", "7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"),
)


def memories() -> list[EntryDraft]:
    drafts = [EntryDraft(said, key=f"mine-{n}") for n, (said, _, _) in enumerate(PAIRS) if said]
    for form, details in OTHERS:
        for number, (who, detail) in enumerate(zip(PEOPLE.split(), details.split(), strict=True)):
            text = form.format(who=who, x=detail, x2=f"{number:02}")
            drafts.append(EntryDraft(text, key=f"other-{len(drafts)}"))
    return drafts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--half", choices=("tuned", "held"))
    parser.add_argument("--misses", action="store_true", help="name what was judged wrong")
    args = parser.parse_args()
    wanted = [n for n in range(len(PAIRS)) if args.half is None or n % 2 == (args.half == "held")]
    with tempfile.TemporaryDirectory() as folder:
        vault = open_vault(Path(folder) / "vault.db")
        vault.settings.set("entry_cap", 0)
        vault.entries.store_many(memories())
        vault.embedding.embed_waiting()
        rows = Beliefs(vault).compare([PAIRS[n][1] for n in wanted], "bench").rows
        found = dict(zip(wanted, rows, strict=False))
        wrong = [(n, row) for n, row in found.items() if not right(n, row)]
        for verdict in (AGREE, DIFFERS, ONLY_THEY):
            meant = [n for n in wanted if PAIRS[n][2] == verdict]
            said = [n for n, row in found.items() if row.verdict == verdict]
            hits = sum(right(n, found[n]) for n in said)
            precision = hits / len(said) if said else 1.0
            recall = hits / len(meant)
            print(f"{verdict:10} precision {precision:.2f}  recall {recall:.2f}  of {len(meant)}")
        print(f"right: {len(wanted) - len(wrong)} of {len(wanted)}")
        for n, row in wrong if args.misses else ():
            beside = row.entry.content if row.entry else ""
            print(f"  {PAIRS[n]} -> {row.verdict} {row.sure:.2f} {beside}")
        vault.close()
    return 0


def right(number: int, row: object) -> bool:
    verdict, entry = row.verdict, row.entry  # type: ignore[attr-defined]
    if verdict != PAIRS[number][2]:
        return False
    return verdict == ONLY_THEY or entry.key == f"mine-{number}"


if __name__ == "__main__":
    raise SystemExit(main())
