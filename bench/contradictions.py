"""How well contradictions are noticed: `python bench/contradictions.py [--half tuned|held|both]`,
or of facts of your own: `--file FILE` with `{"facts": [{"id", "text"}], "pairs": [[id, id]]}`;
a pair may also be `{"ids": [id, id]}`. Such files are in bench/data/contradictions: vaults of
made-up people, written by hand without a look at the rule, which was then fitted on them
(bench/fit_contradictions.py). In seven of 1,000 facts 40 contradictions each are told freely; in
farmhouse, logistics, railway and ward, of 1,250 facts, 50 each are told again in much the same
words with another name, number or day, or denied. The two in contradictions_held are of that kind,
were kept from it and looked at when it stood. Of those with few words that differ and of those told
in other words it is said apart how many were noticed.

A corpus made by rules of its own, English and German: 5,000 facts, 200 of which contradict another
one in a name, a number, a date or a denial, said the same way or in other words. The rest is made
to mislead: the same said of somebody else, the same said again, things of which there are many
(likings, visits, languages), and what is bound to a day, a room or a version.

Half of the ways of saying things (`held`) were written when the rule stood, and looked at once:
recall 0.900, precision 0.091, for having one of something was taken for having only one. It was
put right for that and for "about seven minutes" afterwards, so that no half is unseen any more. The
facts are stored in a vault of their own with the bundled model, and noticed as the background does
it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.vault import open_vault  # noqa: E402
from store.records import EntryDraft  # noqa: E402

FACTS, PLANTED = 5_000, 200
VAULTS = ROOT / "bench" / "data" / "contradictions"
ALIKE = 0.7  # the share of the words of both from which two are nearly worded alike
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    return text.split()


# Who is spoken of in English is not spoken of in German: their homes would contradict each other.
PEOPLE = words(
    """
    Anna Ben Clara David Emil Frida Greta Henrik Ines Jonas Katja Lukas Mira Nora Oskar
    Paula Quentin Rosa Stefan Tilda Ursula Viktor Wanda Xaver Yara Zora Amir Bilal Chen
    Dalia Elif Farid Gita Hiro
    """
)
PEOPLE, LEUTE = PEOPLE[:17], PEOPLE[17:]
CITIES = words(
    """
    Berlin Hamburg Lisbon Oslo Porto Vienna Zurich Prague Madrid Dublin Ghent Lyon Turin
    Krakow Bremen Leipzig Kiel Graz Basel Malmö
    """
)
FIRMS = words(
    """
    Acme Globex Initech Hooli Umbra Vandelay Wonka Tyrell Cyberdyne Stark Soylent Aperture
    """
)
FIRMS, FIRMEN = FIRMS[:6], FIRMS[6:]
TOOLS = words(
    """
    Postgres MySQL Redis SQLite Kafka RabbitMQ Mongo Cassandra Neo4j DuckDB
    """
)
CLOUDS = words(
    """
    EKS GKE Heroku Netlify Vercel Hetzner Azure Render Railway Scaleway
    """
)
SERVICES = words(
    """
    billing checkout search login catalog shipping ledger mailer report export import audit
    gateway ranking pricing loyalty voucher invoice refund returns
    """
)
PROJECTS = words(
    """
    Falcon Heron Osprey Kestrel Merlin Condor Swift Wren Robin Plover Dunlin Curlew Avocet
    Bittern
    """
)
SERVICES, DIENSTE = SERVICES[:10], SERVICES[10:]
PROJECTS, PROJEKTE = PROJECTS[:7], PROJECTS[7:]
MONTHS_EN = words(
    """
    January February March April May June July August September October
    """
)
MONTHS_DE = words(
    """
    Januar Februar März April Mai Juni Juli August September Oktober
    """
)
DAYS_EN = words(
    """
    Monday Tuesday Wednesday Thursday Friday
    """
)
DAYS_DE = words(
    """
    Montag Dienstag Mittwoch Donnerstag Freitag
    """
)
COLOURS_DE = words(
    """
    Blau Rot Grün Gelb Grau Lila
    """
)


def dates(months: Sequence[str], pattern: str) -> tuple[str, ...]:
    return tuple(
        pattern.format(day=day, month=month) for month in months for day in (3, 9, 14, 21, 28)
    )


EN_DATES, DE_DATES = dates(MONTHS_EN, "{day} {month}"), dates(MONTHS_DE, "{day}. {month}")
CLOCKS = ("8:00", "9:30", "10:15", "11:00", "14:00", "15:30", "16:45")
CLOCKS_DE = ("8 Uhr", "9 Uhr", "10 Uhr", "11 Uhr", "14 Uhr", "16 Uhr")


@dataclass(frozen=True, slots=True)
class Way:
    """Ways to say one thing: `{s}` is of whom or what, `{v}` the value there is one of."""

    forms: tuple[str, ...]
    subjects: Sequence[str]
    values: Sequence[str]
    held: bool


@dataclass(frozen=True, slots=True)
class Denial:
    """What is so, and its denial."""

    forms: tuple[str, ...]
    denials: tuple[str, ...]
    subjects: Sequence[str]
    held: bool


@dataclass(frozen=True, slots=True)
class Many:
    """What there may be many of: no two of these contradict each other."""

    forms: tuple[str, ...]
    subjects: Sequence[str]
    values: Sequence[str]
    held: bool


TUNED, HELD = False, True
WAYS = (
    # English, tuned
    Way(("{s} lives in {v}.", "{s} now lives in {v}.", "{s} moved to {v}."), PEOPLE, CITIES, TUNED),
    Way(
        ("The {s} service runs on {v}.", "We run the {s} service on {v} now."),
        SERVICES,
        CLOUDS,
        TUNED,
    ),
    Way(
        ("{s}'s birthday is on {v}.", "The birthday of {s} is {v}."),
        PEOPLE,
        EN_DATES,
        TUNED,
    ),
    Way(
        ("The deadline of project {s} is {v}.", "Project {s}: the deadline was moved to {v}."),
        PROJECTS,
        EN_DATES,
        TUNED,
    ),
    Way(
        ("The {s} service listens on port {v}.", "Port of the {s} service: {v}."),
        SERVICES,
        ("8080", "9090", "7000", "5173", "3000", "8443"),
        TUNED,
    ),
    Way(
        ("The manager of {s} is {v}.", "{v} is the manager of {s}."),
        FIRMS,
        PEOPLE,
        TUNED,
    ),
    Way(
        ("A seat at {s} costs {v} euros a month.", "{s} charges {v} euros per seat a month."),
        FIRMS,
        ("12", "15", "19", "25", "29", "40"),
        TUNED,
    ),
    Way(("{s} wohnt in {v}.", "{s} wohnt jetzt in {v}."), LEUTE, CITIES, TUNED),
    Way(
        ("Der Dienst {s} läuft auf {v}.", "Wir betreiben den Dienst {s} auf {v}."),
        DIENSTE,
        CLOUDS,
        TUNED,
    ),
    Way(
        ("{s} hat am {v} Geburtstag.", "Der Geburtstag von {s} ist der {v}."),
        LEUTE,
        DE_DATES,
        TUNED,
    ),
    Way(
        (
            "Die Miete für das Büro in {s} beträgt {v} Euro.",
            "Das Büro in {s} kostet {v} Euro Miete.",
        ),
        CITIES,
        ("900", "1200", "1500", "1850", "2100"),
        TUNED,
    ),
    Way(
        ("Die Leitung von {s} hat {v}.", "{v} leitet {s}."),
        FIRMEN,
        LEUTE,
        TUNED,
    ),
    Way(
        ("Der Termin mit {s} beginnt um {v}.", "Um {v} beginnt der Termin mit {s}."),
        FIRMEN,
        CLOCKS_DE,
        TUNED,
    ),
    # English, held: written after the rule was finished
    Way(
        ("The {s} build takes {v} minutes.", "Building {s} takes about {v} minutes."),
        PROJECTS,
        ("4", "7", "11", "18", "25"),
        HELD,
    ),
    Way(
        ("The wifi at {s} is called {v}.", "At {s} the wifi has the name {v}."),
        FIRMS,
        ("Otter", "Badger", "Heron", "Lynx", "Marten"),
        HELD,
    ),
    Way(
        ("The next release of {s} is planned for {v}.", "{s} will be released on {v}."),
        PROJECTS,
        EN_DATES,
        HELD,
    ),
    Way(("{s} reports to {v}.", "{s} now reports to {v}."), PEOPLE, PEOPLE, HELD),
    Way(
        (
            "Uploads to the {s} service are limited to {v} megabytes.",
            "The {s} service accepts uploads up to {v} megabytes.",
        ),
        SERVICES,
        ("5", "20", "50", "100", "250"),
        HELD,
    ),
    Way(
        ("The default branch of {s} is {v}.", "The default branch of {s} is now {v}."),
        PROJECTS,
        ("main", "trunk", "develop", "stable"),
        HELD,
    ),
    Way(
        ("{s} wears shoe size {v}.", "{s}'s shoe size is {v}."),
        PEOPLE,
        ("37", "39", "41", "43", "45"),
        HELD,
    ),
    # German, held
    Way(
        ("{s} fährt einen Wagen von {v}.", "{s} fährt inzwischen einen Wagen von {v}."),
        LEUTE,
        ("Opel", "Skoda", "Volvo", "Fiat", "Toyota"),
        HELD,
    ),
    Way(
        ("Der Vertrag mit {s} endet am {v}.", "Am {v} endet der Vertrag mit {s}."),
        FIRMEN,
        DE_DATES,
        HELD,
    ),
    Way(
        ("Im Lager von {s} stehen {v} Regale.", "Das Lager von {s} hat {v} Regale."),
        FIRMEN,
        ("12", "18", "24", "36", "48"),
        HELD,
    ),
    Way(
        ("Zuständig für {s} ist {v}.", "Für {s} ist {v} zuständig."),
        DIENSTE,
        LEUTE,
        HELD,
    ),
    Way(
        ("Die Besprechung zu {s} ist immer um {v}.", "Um {v} ist immer die Besprechung zu {s}."),
        PROJEKTE,
        CLOCKS_DE,
        HELD,
    ),
    Way(
        ("{s} hat Zimmer {v} im zweiten Stock.", "{s} sitzt in Zimmer {v} im zweiten Stock."),
        LEUTE,
        ("201", "204", "207", "210", "213"),
        HELD,
    ),
)
DENIALS = (
    Denial(
        ("{s} eats meat.",), ("{s} does not eat meat.", "{s} no longer eats meat."), PEOPLE, TUNED
    ),
    Denial(
        ("The {s} service sends emails to customers.",),
        (
            "The {s} service never sends emails to customers.",
            "The {s} service doesn't send emails to customers.",
        ),
        SERVICES,
        TUNED,
    ),
    Denial(
        ("{s} ist gegen Nüsse allergisch.",),
        ("{s} ist nicht gegen Nüsse allergisch.",),
        LEUTE,
        TUNED,
    ),
    Denial(
        ("Für {s} gibt es eine Rufbereitschaft.",),
        ("Für {s} gibt es keine Rufbereitschaft.",),
        PROJEKTE,
        TUNED,
    ),
    Denial(
        ("{s} has a driving licence.", "{s} has got a driving licence."),
        ("{s} has no driving licence.", "{s} does not have a driving licence."),
        PEOPLE,
        HELD,
    ),
    Denial(
        ("The {s} service needs a licence key.",),
        ("The {s} service needs no licence key.", "The {s} service doesn't need a licence key."),
        SERVICES,
        HELD,
    ),
    Denial(("{s} raucht.", "{s} raucht noch."), ("{s} raucht nicht mehr.",), LEUTE, HELD),
    Denial(
        ("Bei {s} wird samstags gearbeitet.",),
        ("Bei {s} wird samstags nicht gearbeitet.", "Bei {s} wird samstags nie gearbeitet."),
        FIRMEN,
        HELD,
    ),
)
MANY = (
    Many(
        ("{s} likes {v}.",), PEOPLE, ("tea", "jazz", "chess", "running", "olives", "opera"), TUNED
    ),
    Many(("{s} visited {v} last year.",), PEOPLE, CITIES, TUNED),
    Many(
        ("{s} speaks {v}.",), PEOPLE, ("English", "French", "Polish", "Turkish", "Spanish"), TUNED
    ),
    Many(("{s} mag {v}.",), LEUTE, ("Tee", "Jazz", "Schach", "Oliven", "Opern"), TUNED),
    Many(("{s} war schon in {v}.",), LEUTE, CITIES, TUNED),
    Many(
        ("Room {v} has a projector and a whiteboard.",),
        ("",),
        tuple(map(str, range(100, 160))),
        TUNED,
    ),
    Many(("The {s} service talks to {v}.",), SERVICES, TOOLS, TUNED),
    Many(("{s} met {v} at the conference.",), PEOPLE, PEOPLE, TUNED),
    Many(("On {v}s the {s} team has lunch together.",), SERVICES, DAYS_EN, TUNED),
    Many(("{s} bought a ticket to {v}.",), PEOPLE, CITIES, HELD),
    Many(("{s} has friends in {v}.",), PEOPLE, CITIES, HELD),
    Many(("{s} plays {v}.",), PEOPLE, ("tennis", "the piano", "football", "the cello"), HELD),
    Many(
        ("Version 2.{v} of {s} fixes the crash at start.",),
        PROJECTS,
        tuple(map(str, range(9))),
        HELD,
    ),
    Many(("The {s} team has a repository called {v}.",), SERVICES, PROJECTS, HELD),
    Many(("{s} hat {v} besucht.",), LEUTE, CITIES, HELD),
    Many(("{s} kennt {v} gut.",), LEUTE, LEUTE, HELD),
    Many(("{s} hat ein Konto bei {v}.",), LEUTE, FIRMEN, HELD),
    Many(("Am {v} hat das Team {s} Sprechstunde.",), DIENSTE, DAYS_DE, HELD),
)


@dataclass(frozen=True, slots=True)
class Corpus:
    facts: list[str]
    planted: set[frozenset[int]]  # pairs of places in `facts`


def corpus(halves: Sequence[bool], size: int, planted: int, seed: int) -> Corpus:
    """`size` facts with `planted` contradictions, of these halves."""
    chance = random.Random(seed)
    facts: list[str] = []
    pairs: set[frozenset[int]] = set()
    taken: set[tuple[int, str]] = set()
    ways = [(n, one) for n, one in enumerate((*WAYS, *DENIALS)) if one.held in halves]
    while len(pairs) < planted:
        number, way = chance.choice(ways)
        subject = chance.choice(way.subjects)
        if (number, subject) in taken:
            continue
        taken.add((number, subject))
        pairs.add(frozenset((len(facts), len(facts) + 1)))
        facts += _opposed(way, subject, chance)
    others = _others(ways, [one for one in MANY if one.held in halves], taken, chance)
    return filled(facts, pairs, size, others, chance)


def filled(
    planted: Sequence[str],
    pairs: set[frozenset[int]],
    size: int,
    others: Iterator[str],
    chance: random.Random,
) -> Corpus:
    """The planted facts among others, as many as fit, each once, in an order of their own."""
    facts, seen = list(planted), set(planted)
    for fact in others:
        if len(facts) >= size:
            break
        if fact not in seen:
            seen.add(fact)
            facts.append(fact)
    order = list(range(len(facts)))
    chance.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    return Corpus(
        [facts[old] for old in order], {frozenset(place[one] for one in pair) for pair in pairs}
    )


def read(file: Path) -> Corpus:
    """Facts somebody wrote, with the pairs of them that contradict each other."""
    written = json.loads(file.read_text(encoding="utf-8"))
    place = {fact["id"]: number for number, fact in enumerate(written["facts"])}
    return Corpus(
        [fact["text"] for fact in written["facts"]],
        {
            frozenset(place[one] for one in (pair["ids"] if isinstance(pair, dict) else pair))
            for pair in written["pairs"]
        },
    )


def _opposed(way: Way | Denial, subject: str, chance: random.Random) -> list[str]:
    if isinstance(way, Denial):
        return [
            chance.choice(way.forms).format(s=subject),
            chance.choice(way.denials).format(s=subject),
        ]
    one, two = chance.sample([v for v in way.values if v != subject], 2)
    return [chance.choice(way.forms).format(s=subject, v=value) for value in (one, two)]


def _others(
    ways: Sequence[tuple[int, Way | Denial]],
    many: Sequence[Many],
    taken: set[tuple[int, str]],
    chance: random.Random,
) -> Iterator[str]:
    """Facts without a contradiction: one value each for who has none yet, sometimes said twice,
    then of what there are many, then notes that have nothing to do with any of it."""
    for number, way in ways:
        for subject in way.subjects:
            if (number, subject) in taken:
                continue
            if isinstance(way, Denial):
                yield chance.choice(chance.choice((way.forms, way.denials))).format(s=subject)
                continue
            value = chance.choice([one for one in way.values if one != subject])
            forms = way.forms if chance.random() < 0.3 else (chance.choice(way.forms),)
            yield from (form.format(s=subject, v=value) for form in forms)
    crowd = [
        form.format(s=subject, v=value)
        for one in many
        for form in one.forms
        for subject in one.subjects
        for value in one.values
        if subject != value
    ]
    chance.shuffle(crowd)
    yield from crowd[: len(crowd) // 2]
    some_words = [
        *(*SERVICES, *DIENSTE),
        *(one.lower() for one in (*PROJECTS, *PROJEKTE, *TOOLS, *CITIES, *FIRMS, *FIRMEN)),
    ]
    while True:
        some = chance.sample(some_words, 5)
        yield chance.choice(
            (
                "Remember to ask the {0} people about the {1} figures and the {2} report.",
                "The notes about {0} and {1} are in the folder {2}, next to {3}.",
                "Bei {0} geht es um {1} und {2}, siehe die Seite {3}.",
                "Idea: show {0} beside {1} whenever {2} or {3} changes.",
                "Zu klären: wie {0} mit {1} und {2} zusammenhängt.",
            )
        ).format(*some)


def noticed(made: Corpus) -> tuple[set[frozenset[int]], float]:
    """The pairs that are noticed among these facts, and the seconds of the processor per fact."""
    with tempfile.TemporaryDirectory() as folder:
        vault = open_vault(Path(folder) / "v.db")
        vault.entries.store_many(
            [
                EntryDraft(text, key=f"fact-{n}", category="memory")
                for n, text in enumerate(made.facts)
            ]
        )
        vault.embedding.embed_waiting()
        conflicts = vault.conflicts
        start = time.process_time()
        conflicts.catch_up()
        took = time.process_time() - start
        found = {
            frozenset(int(one.key.removeprefix("fact-")) for one in (pair.older, pair.newer))
            for pair in conflicts.listed(FACTS)
        }
        vault.close()
    return found, took / len(made.facts)


def worded_alike(one: str, other: str) -> bool:
    mine, yours = (Counter(_WORD.findall(text.lower())) for text in (one, other))
    return (mine & yours).total() >= ALIKE * max(mine.total(), yours.total())


def told(name: str, made: Corpus, found: set[frozenset[int]], show: int) -> tuple[float, float]:
    right = found & made.planted
    recall, precision = len(right) / len(made.planted), len(right) / max(len(found), 1)
    sys.stdout.write(
        f"{name}: {len(made.facts):,} facts, {len(made.planted)} planted, {len(found)} noticed, "
        f"recall {recall:.3f}, precision {precision:.3f}\n"
    )
    alike = {pair for pair in made.planted if worded_alike(*(made.facts[n] for n in pair))}
    for how, some in (("nearly the same words", alike), ("other words", made.planted - alike)):
        sys.stdout.write(f"  in {how}: {len(found & some)} of {len(some)} noticed\n")
    for what, pairs in (("missed", made.planted - found), ("wrong", found - made.planted)):
        for pair in sorted(map(sorted, pairs))[:show]:
            one, two = (made.facts[n] for n in pair)
            sys.stdout.write(f"  {what}: {one} | {two}\n")
    return recall, precision


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=("tuned", "held", "both"), default="both")
    parser.add_argument("--file", type=Path, help="facts and the pairs that contradict each other")
    parser.add_argument("--show", type=int, default=0, help="so many that were missed, and wrong")
    parser.add_argument("--seed", type=int, default=19)
    asked = parser.parse_args()
    if asked.file:
        name, made = asked.file.stem, read(asked.file)
    else:
        halves = {"tuned": (TUNED,), "held": (HELD,), "both": (TUNED, HELD)}[asked.half]
        share = len(halves)
        made = corpus(halves, FACTS * share // 2, PLANTED * share // 2, asked.seed)
        name = asked.half
    found, seconds = noticed(made)
    recall, precision = told(name, made, found, asked.show)
    sys.stdout.write(f"{seconds * 1000:.1f} ms of the processor a fact\n")
    return 0 if recall >= 0.9 and precision >= 0.8 else 1


if __name__ == "__main__":
    raise SystemExit(main())
