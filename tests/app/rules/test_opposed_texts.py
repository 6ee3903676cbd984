"""Two texts that cannot both be true, told from those that can."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rules.contradiction import difference, overlap, told_first
from tests.fakes import an_entry

OPPOSED = [
    ("The shop runs on port 80.", "The shop runs on port 81.", "number"),
    ("Anna lives in Berlin.", "Anna now lives in Hamburg.", "name"),
    ("The deadline of Falcon is 3 May.", "Falcon: the deadline was moved to 10 June.", "date"),
    ("Ben eats meat.", "Ben no longer eats meat.", "negation"),
    ("Clara is the manager of Acme.", "David is the manager of Acme.", "name"),
    ("Der Server steht in Bonn.", "Der Server steht inzwischen in Kiel.", "name"),
    ("Die Miete beträgt 900 Euro.", "Die Miete beträgt 1200 Euro.", "number"),
    ("Am 3. Mai hat Anna Geburtstag.", "Anna hat am 4. Juni Geburtstag.", "date"),
    (
        "Fürs Lager gibt es einen Schlüssel.",
        "Fürs Lager gibt es keinen Schlüssel.",
        "negation",
    ),
    (
        "The standup of the team starts at 9:30.",
        "The team standup begins at 10 am.",
        "number",
    ),
    (
        "Mail login is enabled for guests.",
        "Mail login is disabled for guests.",
        "negation",
    ),
    ("The default branch of Falcon is main.", "The default branch of Falcon is trunk.", "name"),
    ("Building Falcon takes 7 minutes.", "Building Falcon takes about 18 minutes.", "number"),
    ("I am vegetarian.", "I eat meat.", "pattern"),
    ("The town choir is conducted by Edda Rowe.", "Tomas Vail conducts the town choir.", "name"),
    ("Die Fähre nach Juist legt in Norddeich ab.", "Nach Juist fährt die Fähre ab Emden.", "name"),
    ("Hausarzt von Anna ist Dr. Abels.", "Anna hat Dr. Sattler als Hausarzt.", "name"),
    ("In den Kuchen kommen 4 Eier.", "Für den Kuchen braucht man 6 Eier.", "number"),
    ("Anna is married to Ben.", "Anna has been married to Carl for years.", "name"),
    ("3 Eier gehören in den Teig.", "5 Eier gehören in den Teig.", "number"),
    ("Larch: attic, 14 metres long.", "Larch: attic, 12 metres long.", "number"),
]
BOTH_TRUE = [
    ("Short answers. Metric units. No emojis.", "Short answers. Metric units, no emojis."),
    ("The shop runs on port 80.", "The blog runs on port 81."),
    ("Anna's birthday is 3 May.", "Ben's birthday is 3 May."),
    ("Anna likes tea.", "Anna likes coffee."),
    ("Anna visited Rome in May 2019.", "Anna visited Rome in June 2021."),
    ("Room 12 has a projector.", "Room 14 has a projector."),
    ("The shop runs on port 80.", "The shop still runs on port 80."),
    ("The office opens at 9:00 on Mondays.", "The office opens at 9:00 on Tuesdays."),
    ("The release is in May 2026.", "The release is on 3 May 2026."),
    ("The cat of Anna is old.", "The cat of Anna is old and grey."),
    ("Anna has friends in Rome.", "Anna has friends in Bonn."),
    ("Anna hat ein Konto bei Acme.", "Anna hat ein Konto bei Globex."),
    ("Anna mag Tee.", "Anna mag Kaffee."),
    ("Die Katze heißt Mimi.", "Der Hund heißt Rex."),
    ("Raum 12 hat einen Beamer.", "Raum 14 hat einen Beamer."),
    ("Tools: git, make.", "Tools: git, ninja."),
    ("Anna eats meat.", "Ben does not eat meat."),
    ("Anna works with Ben.", "Anna works with Carl."),
    ("Guests may not enter without a badge.", "Staff may not enter without a badge."),
    ("Metric units. No emojis.", "Metric units, no emojis."),
    ("Metrische Einheiten.", "Metrische Einheiten, keine Emojis."),
    ("", "The shop runs on port 80."),
    ("Dogs are allowed in Birch Lodge.", "Dogs are allowed in Fern Villa."),
    ("Katzen sind in Haus Farn erlaubt.", "Katzen sind in Haus Giebel erlaubt."),
    ("The ferry to Skerra leaves from Oban.", "The ferry to Fuday leaves from Oban."),
    ("The tank holds 1,500 litres.", "The tank holds 1500 litres."),
    ("One of Anna's sisters is called Mia.", "One of Anna's sisters is called Ida."),
    ("Eine Schwester von Anna heißt Mia.", "Eine Schwester von Anna heißt Ida."),
    ("Rex weighed 7 kilos in 2011.", "Rex weighed 9 kilos in 2014."),
    ("2011 wohnte Anna in Kiel.", "2011 wohnte Ben in Kiel."),
    ("Anna might move to Kiel.", "Anna might move to Bonn."),
    ("Anna zieht vielleicht nach Kiel.", "Anna zieht vielleicht nach Bonn."),
    ("Anna trinkt Kaffee.", "Anna hat Dr. Abels als Hausarzt."),
    ("Mira reports to David.", "Oskar reports to Mira."),
    ("Anna verträgt keine Kiwi.", "Anna verträgt keine Nüsse."),
    ("Ben war schon auf Juist.", "Ben war schon auf Amrum."),
    ("Hey Ana, no worries!", "Hey Ana! Great to meet you."),
]


@pytest.mark.parametrize(("one", "other", "why"), OPPOSED, ids=[one for one, _, _ in OPPOSED])
def test_one_value_of_the_same_differs(one: str, other: str, why: str) -> None:
    assert difference(one, other) == why
    assert difference(other, one) == why


@pytest.mark.parametrize(("one", "other"), BOTH_TRUE, ids=[f"{a}|{b}" for a, b in BOTH_TRUE])
def test_both_may_be_true(one: str, other: str) -> None:
    assert difference(one, other) is None
    assert difference(other, one) is None


def test_a_sentence_among_others_is_found() -> None:
    note = "# Shop\n\nWe sell cheese.\nThe shop runs on port 80. It is old."
    assert difference(note, "The shop runs on port 8080.") == "number"


texts = st.text(max_size=200) | st.sampled_from([text for pair in OPPOSED for text in pair[:2]])


@given(texts, texts)
def test_it_is_the_same_from_either_side_and_nothing_contradicts_itself(a: str, b: str) -> None:
    assert (difference(a, b) is None) == (difference(b, a) is None)
    assert difference(a, a) is None


def test_agents_are_told_what_was_confirmed_last_then_the_owners_word_then_the_newer() -> None:
    old = "2026-01-01T00:00:00.000000Z"
    agents = an_entry(source="agent:claude")
    owners = an_entry(written_at=old)
    assert told_first(agents, owners) is owners
    assert told_first(an_entry(written_at=old), agents_own := an_entry()) is agents_own
    confirmed = an_entry(source="agent:claude", written_at=old, verified_at=old)
    assert told_first(owners, confirmed) is confirmed
    assert told_first(confirmed, owners) is confirmed


def test_what_was_true_before_the_other_began_does_not_contradict_it() -> None:
    may, june, july = (f"2026-{month}-01T00:00:00.000000Z" for month in ("05", "06", "07"))
    before, since, always = an_entry(true_until=may), an_entry(true_from=may), an_entry()
    pairs = [(before, since), (before, always), (since, always), (always, an_entry())]
    assert [overlap(a, b, june) for a, b in pairs] == [False, False, True, True]
    assert [overlap(b, a, june) for a, b in pairs] == [False, False, True, True]
    assert overlap(an_entry(true_until=july), always, june)
    assert overlap(before, an_entry(true_from="2026-04-01T00:00:00.000000Z"), june)
