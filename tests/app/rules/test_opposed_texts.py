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
    (
        "Our router's admin password is Falke7.",
        "The admin password of our router is Milan9.",
        "name",
    ),
    ("The clinic closes at 6 pm.", "The clinic closes at 19:00.", "number"),
    ("Nadia's blood type is A.", "Nadia has blood type B.", "name"),
    ("The heating engineer comes on 4 May.", "The heating engineer will come on May 6th.", "date"),
    ("The staging database is Postgres 14.", "The staging database is Postgres 16.", "number"),
    ("Flight LH203 departs from gate 12.", "Flight LH203 leaves from gate 31.", "number"),
    ("Leonie studies at Heidelberg.", "Leonie studies in Tübingen.", "name"),
    ("The garden shed is painted green.", "The garden shed is painted red.", "negation"),
    ("Marta is allowed to drive.", "Marta is not allowed to drive.", "negation"),
    ("The invoice has been paid.", "The invoice has not been paid yet.", "negation"),
    ("Backups are encrypted.", "Backups are unencrypted.", "negation"),
    ("The lift is out of order.", "The lift is not out of order.", "negation"),
    ("Our accountant is Mr Vogel.", "Mrs Lang is our accountant.", "name"),
    (
        "The capital of the project is 30,000 dollars.",
        "The project has a capital of 45,000 dollars.",
        "number",
    ),
    (
        "The next dentist appointment is on 12 June.",
        "The dentist appointment was moved to 19 June.",
        "date",
    ),
    ("Kim is 34 years old.", "Kim is 36.", "number"),
    ("The meeting takes place in Oslo.", "The meeting is in Bergen.", "name"),
    ("The novel was written by Ada Finch.", "Rob Hale wrote the novel.", "name"),
    (
        "The API limit is 100 requests per minute.",
        "The API allows 60 requests per minute.",
        "number",
    ),
    ("Emil's dog is called Rex.", "The dog of Emil is called Bruno.", "name"),
    ("The lecture lasts 90 minutes.", "The lecture lasts 2 hours.", "number"),
    ("Paul's employer is Siemens.", "Paul works for Bosch.", "name"),
    ("Rita's wedding day is 8 August 2015.", "Rita married on 9 August 2015.", "date"),
    ("The server is located in Frankfurt.", "The server stands in Helsinki.", "name"),
    ("The office moved to Leeds.", "The office is in York.", "name"),
    ("The company was founded in 1998.", "The company was founded in 2003.", "number"),
    ("The parking space belongs to Omar.", "The parking space belongs to Lena.", "name"),
    ("The build uses Python 3.11.", "The build uses Python 3.12.", "number"),
    ("Carla drinks alcohol.", "Carla does not drink alcohol.", "negation"),
    ("Smoking is permitted on the balcony.", "Smoking is prohibited on the balcony.", "negation"),
    ("The front door opens to the left.", "The front door opens to the right.", "negation"),
    ("The report is due on Friday.", "The report is due on Wednesday.", "date"),
    ("The report is published weekly.", "The report is published monthly.", "negation"),
    ("The museum is open on Mondays.", "The museum is closed on Mondays.", "negation"),
    ("Sven's favourite colour is blue.", "Sven's favourite colour is yellow.", "negation"),
    (
        "The wifi password of the cabin is otter22.",
        "The password for the cabin's wifi is lynx81.",
        "name",
    ),
    ("Anna's flight lands at 14:20.", "Anna's flight lands at 15:05.", "number"),
    ("The router's IP address is 10.0.0.1.", "The router has the IP address 10.0.0.2.", "number"),
    ("The team consists of 8 people.", "The team has 11 people.", "number"),
    ("The car has 5 seats.", "The car has 7 seats.", "number"),
    ("The rent was raised to 950 euros.", "The rent is 900 euros.", "number"),
    ("Jonas is the treasurer of the club.", "The treasurer of the club is Meike.", "name"),
    ("The CEO of Nordwind is Ida Holm.", "Nordwind's CEO is Per Dahl.", "name"),
    (
        "The session token expires after 30 minutes.",
        "The session token expires after 60 minutes.",
        "number",
    ),
    ("Lotte no longer plays the violin.", "Lotte plays the violin.", "negation"),
    (
        "Der Rauchmelder im Flur ist defekt.",
        "Der Rauchmelder im Flur ist nicht defekt.",
        "negation",
    ),
    ("Die Bibliothek schließt um 18 Uhr.", "Die Bibliothek schließt um 20 Uhr.", "number"),
    ("Der Trainer der Mannschaft ist Herr Kolb.", "Frau Seidl trainiert die Mannschaft.", "name"),
    ("Jana ist 172 cm groß.", "Jana ist 175 cm groß.", "number"),
    ("Die Kündigungsfrist beträgt drei Monate.", "Die Kündigungsfrist beträgt 6 Wochen.", "number"),
    ("Das Passwort des Routers lautet Falke7.", "Das Router-Passwort ist Milan9.", "name"),
    ("Der Hund von Familie Berger heißt Bello.", "Familie Bergers Hund heißt Rocky.", "name"),
    ("Die Hochzeit findet in Meran statt.", "Die Hochzeit findet in Bozen statt.", "name"),
    ("Lena arbeitet bei Siemens.", "Lena ist bei Bosch angestellt.", "name"),
    ("Karl ist Vegetarier.", "Karl ist kein Vegetarier.", "negation"),
    ("Der Zug fährt von Gleis 4 ab.", "Der Zug fährt von Gleis 9 ab.", "number"),
    ("Das Fenster im Bad ist undicht.", "Das Fenster im Bad ist dicht.", "negation"),
    ("Das Treffen wurde auf den 14. Mai verschoben.", "Das Treffen ist am 7. Mai.", "date"),
    ("Im Keller ist das Rauchen erlaubt.", "Im Keller ist das Rauchen verboten.", "negation"),
    ("Der Autor des Buches ist Jan Weber.", "Das Buch wurde von Eva Lorenz geschrieben.", "name"),
    ("Die Besprechung dauert 45 Minuten.", "Die Besprechung dauert eine Stunde.", "number"),
    ("Mias Lehrerin heißt Frau Busch.", "Mias Lehrerin ist Frau Thoma.", "name"),
    ("Der Vertrag läuft bis 31.12.2027.", "Der Vertrag läuft bis 30.06.2028.", "date"),
    ("Opa nimmt keine Tabletten mehr.", "Opa nimmt Tabletten.", "negation"),
    ("Das Büro hat 12 Arbeitsplätze.", "Im Büro gibt es 15 Arbeitsplätze.", "number"),
    ("Der Server hat 32 GB RAM.", "Der Server hat 64 GB RAM.", "number"),
    ("Annas Kind kommt im September zur Welt.", "Annas Kind kommt im Oktober zur Welt.", "date"),
    (
        "Die Datenbank liegt auf dem Server Atlas.",
        "Die Datenbank liegt auf dem Server Zeus.",
        "name",
    ),
    (
        "My passport is valid until November 2030.",
        "The passport I hold expires in May 2027.",
        "date",
    ),
    (
        "The library is maintained by Edgar, nobody else touches it.",
        "Rosalind is the one and only maintainer of the library.",
        "name",
    ),
    ("I live in Norwich, in a house close to the river.", "My home is in Exeter.", "name"),
    (
        "Frank swallows 25 mg metoprolol daily.",
        "Frank's daily dose of metoprolol is 150 mg.",
        "number",
    ),
    ("Note: My old flatmate Saskia can't swim.", "Saskia is a confident swimmer.", "negation"),
    ("Ich arbeite nur bei Siemens.", "Ich arbeite bei Bosch.", "name"),
    ("Mein Geburtsort ist Flensburg.", "Ich bin in Görlitz geboren.", "name"),
    ("Theo's dog is called Juno.", "Biscuit is what Theo named his dog.", "name"),
    ("The society has Mrs Albright as its chair.", "Mrs Ibsen chairs the society.", "name"),
    ("My photos are backed up on iCloud.", "My photos are backed up on Nextcloud only.", "name"),
    ("The team lunch is once a week, on Friday.", "We hold the team lunch on Mondays.", "date"),
    ("The eye test of Bobo is on the 4th.", "The eye test of Bobo is on the 9th.", "date"),
    (
        "Der Lohn kommt am 3. des Monats.",
        "Der Lohn kommt am 28. des Monats.",
        "date",
    ),
    ("Iris doesn't want phone calls.", "Iris wants phone calls.", "negation"),
    ("Lars arbeitet bei Henkel im Einkauf.", "Lars arbeitet bei Merck im Einkauf.", "name"),
    ("The repo uses poetry as its packager.", "The repo uses hatch as its packager.", "name"),
    ("Our solicitor is now Mr Dale.", "Our solicitor is Mrs Finn.", "name"),
    ("Der Dienst läuft auf dem Rechner rigel.", "Der Dienst läuft auf dem Rechner wega.", "name"),
    (
        "Our weekly review is on Monday at 10 am.",
        "Our weekly review is on Friday at 10 am.",
        "date",
    ),
    ("The parser is written in Go.", "The parser is written in Rust.", "name"),
    ("A bay costs 80 euros per month.", "A bay costs 95 euros a month.", "number"),
    ("Nina kommt aus Ulm.", "Nina kommt aus Trier.", "name"),
    ("We are insured with Halcyon.", "We are insured with Meridian.", "name"),
    ("Nina works as a welder.", "Nina works as a baker.", "name"),
    ("The hens are fed twice a day.", "The hens are fed three times a day.", "number"),
    ("Die Frau von Arne heißt Silke.", "Arne ist mit Doris verheiratet.", "name"),
]
BOTH_TRUE = [
    ("Linting is mandatory in Fox.", "Linting is mandatory in Badger."),
    ("Vale Foods delivers to Norway.", "Moor Bakery delivers to Norway."),
    ("Ida got married in 2011.", "Olaf got married in 2011."),
    ("Ida was vegan for a year.", "Olaf was vegan for a year."),
    ("Ida wird im Mai von Jan vertreten.", "Olaf wird im Mai von Jan vertreten."),
    ("The club has 90 seats for Verdi.", "The club has 90 seats for Mozart."),
    ("The kiosk opens at 7:30 on weekdays.", "The kiosk closes at 18:00 on weekdays."),
    ("Ida coaches a group of ten girls.", "Ida has 2 girls."),
    ("Ford Mill wanted a rebate of 20%.", "Ford Mill gets a rebate of 5%."),
    ("Before moving, Ida needed an hour to work.", "Ida needs 20 minutes to work."),
    ("The tool was closed source until 2019.", "Since 2019, the tool is open source."),
    ("Before the sale, pets were allowed here.", "Pets aren't allowed here."),
    ("Jan mag keinen Tee und trinkt nie welchen.", "Jan trinkt keinen Tee."),
    ("Never rebase the main branch.", "Rebasing the main branch is forbidden."),
    ("The shop has ruled out refunds.", "The shop doesn't do refunds."),
    ("Jan wohnt im Neubau.", "Jan wohnt in einer Kommune."),
    ("Jan wohnt im Neubau.", "Jan wohnt in Bielefeld."),
    ("Jan lives in Portugal.", "Jan lives in Braga."),
    ("Jan lives in the Baixa district.", "Jan lives in Braga."),
    ("Für Kunde 7 gelten 3 Tage.", "Für Kunde 3 gelten 2 Tage."),
    ("Duty in week 21: Jan.", "Duty in week 25: Jan."),
    ("At night call Jan's brother, see list.", "At night call Ida's brother, see list."),
    ("The paint part of the hall budget is 900 euros.", "The hall budget is 4,000 euros."),
    ("Jan is taller than 180 cm.", "Jan is 186 cm tall."),
    ("Jan: couldn't agree more, Ida!", "Jan: I totally agree, Ida!"),
    ("Jan: Great, see you.", "Jan: Thanks, see you."),
    ("Jan: It's just not right.", "Jan: It is right."),
    ("The iOS limit is 15 for the courier app.", "The iOS limit is 16 for the driver app."),
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
    ("The clinic closes at 6 pm.", "The clinic closes at 18:00."),
    ("The lecture lasts 90 minutes.", "The lecture lasts 1.5 hours."),
    ("The clinic opens at 8 am.", "The clinic closes at 6 pm."),
    ("Nadia's work phone is 5551.", "Nadia's home phone is 7712."),
    ("Anna plays tennis.", "Anna plays golf."),
    ("Anna bought 3 apples.", "Anna bought 5 pears."),
    ("Anna bought 3 apples.", "Anna bought 4 apples."),
    ("The museum is closed on Mondays.", "The museum is closed on Tuesdays."),
    ("The shop uses Redis.", "The shop uses Postgres."),
    ("Tobias flew to Lisbon in March.", "Tobias flew to Porto in April."),
    ("Tobias has a meeting with Anna.", "Tobias has a meeting with Ben."),
    ("Version 3.2 fixes the login bug.", "Version 3.4 fixes the login bug."),
    ("Bus 12 stops at the station.", "Bus 14 stops at the station."),
    ("Staging runs on port 8080.", "Production runs on port 9090."),
    ("The staging database is Postgres 14.", "The production database is Postgres 16."),
    ("Kim's son is called Ole.", "Kim's daughter is called Pia."),
    ("One of Kim's sons is called Ole.", "Another son of Kim is called Jan."),
    ("In summer the pool opens at 8:00.", "In winter the pool opens at 10:00."),
    ("Ada Finch wrote the novel Grey Sea.", "Ada Finch wrote the novel Salt."),
    ("The upper shelf holds 20 books.", "The lower shelf holds 35 books."),
    ("Rob lives in Leeds.", "Rob lives in Leeds with his cat."),
    ("Rob lived in York until 2015.", "Rob lives in Leeds."),
    ("Rob was born in York.", "Rob lives in Leeds."),
    ("Marta may not park in the yard.", "Marta may park in the street."),
    ("Marta does not eat meat on Fridays.", "Marta eats meat."),
    ("Leonie wants to study in Kiel.", "Leonie wants to study in Jena."),
    ("Emil's dog is called Rex.", "Emil's cat is called Miez."),
    ("Anna's sister lives in Rome.", "Anna's brother lives in Oslo."),
    ("Karl owns a house in Bonn.", "Karl owns a house in Kiel."),
    ("The team won 3 games in May.", "The team won 5 games in June."),
    ("The train to Bonn leaves at 9:10.", "The train to Kiel leaves at 9:40."),
    ("The report for March is 20 pages long.", "The report for April is 26 pages long."),
    ("The adult ticket costs 12 euros.", "The child ticket costs 6 euros."),
    ("The file is at least 5 MB.", "The file is 7 MB."),
    ("The trip is in May.", "The trip is on 12 May."),
    ("Paul works with Siemens.", "Paul works with Bosch."),
    ("Kim is friends with Ole.", "Kim is friends with Jan."),
    ("The backup ran on 3 May.", "The backup ran on 4 May."),
    ("Use tabs in Makefiles.", "Use spaces in Python files."),
    ("Anna ran 5 km on Monday.", "Anna ran 8 km on Thursday."),
    ("The invoice from Acme is 300 euros.", "The invoice from Hooli is 420 euros."),
    ("Kim has two children.", "Kim has 2 kids."),
    ("Lotte plays the violin.", "Lotte does not play the cello."),
    ("Nobody likes the coffee in the office.", "The coffee in the office is not good."),
    ("Ben collects stamps from Japan.", "Ben collects stamps from Peru."),
    ("Sven's favourite colour is blue.", "Sven's favourite animal is the otter."),
    ("The garden shed is painted green.", "The garden fence is painted red."),
    ("Anna recommends the restaurant Roma.", "Anna recommends the restaurant Ostia."),
    ("Peter teaches maths in class 7a.", "Peter teaches maths in class 9b."),
    ("Ben supports Arsenal.", "Carl supports Chelsea."),
    ("Die Bibliothek schließt um 18 Uhr.", "Die Bibliothek öffnet um 9 Uhr."),
    ("Die Bibliothek schließt samstags um 14 Uhr.", "Die Bibliothek schließt um 18 Uhr."),
    ("Jana spricht Polnisch.", "Jana spricht Spanisch."),
    ("Jana hat 2019 in Rom gewohnt.", "Jana hat 2021 in Wien gewohnt."),
    ("Lena arbeitet bei Siemens.", "Lena arbeitet gern mit Kollegen von Bosch."),
    ("Das Kinderzimmer ist 12 Quadratmeter groß.", "Das Schlafzimmer ist 16 Quadratmeter groß."),
    ("Karl fährt manchmal nach Kiel.", "Karl fährt manchmal nach Bonn."),
    ("Frau Seidl trainiert die Mannschaft.", "Frau Seidl trainiert die Jugend."),
    ("Der Hund heißt Bello.", "Die Katze heißt Minka."),
    ("Oma nimmt morgens 2 Tabletten.", "Oma nimmt abends 1 Tablette."),
    ("Der Zug nach Bonn fährt von Gleis 4.", "Der Zug nach Kiel fährt von Gleis 9."),
    ("Tim hat ein Buch von Jan Weber gelesen.", "Tim hat ein Buch von Eva Lorenz gelesen."),
    ("Die Kündigungsfrist beträgt 3 Monate.", "Die Probezeit beträgt 6 Monate."),
    ("Mia hat am Montag Klavier.", "Mia hat am Dienstag Turnen."),
    ("Jonas kann Auto fahren.", "Jonas kann nicht Motorrad fahren."),
    ("Tim mag Pizza.", "Tim mag keine Oliven."),
    ("Der Preis für Erwachsene beträgt 12 Euro.", "Der Preis für Kinder beträgt 6 Euro."),
    ("In der Küche hängen 2 Lampen.", "Im Flur hängen 3 Lampen."),
    ("Der Server Atlas hat 32 GB RAM.", "Der Server Zeus hat 64 GB RAM."),
    ("Vielleicht ziehen wir nach Wien.", "Vielleicht ziehen wir nach Graz."),
    ("Die Datenbank liegt auf Atlas.", "Die Datenbank liegt auf Atlas, im Rack 4."),
    ("Lena hat sich mit Tom getroffen.", "Lena hat sich mit Uwe getroffen."),
    ("Am 3. Mai hat Lena Tom getroffen.", "Am 9. Juni hat Lena Tom getroffen."),
    ("Jana hat 3 Bücher ausgeliehen.", "Jana hat 5 Bücher ausgeliehen."),
    ("Das Paket wiegt 2 kg.", "Das Paket wiegt 2000 g."),
    ("The studio now seats ten.", "Before the rebuild, the studio seated six."),
    ("Anna lives in Graz.", "Anna used to live in Aarhus."),
    ("The loop is 9.8 kilometres long.", "The loop is about ten kilometres long."),
    ("Port 3000 was taken when we set up the exporter.", "The exporter listens on port 6060."),
    ("Tessa holds a valid driving licence.", "Ruth holds a valid driving licence."),
    (
        "For admins, the upload limit in Tidepool is 1 GB.",
        "For users, the upload limit in Tidepool is 50 MB.",
    ),
    ("The lab is led by Olga.", "Luis is deputy lead of the lab."),
    ("Zoe's partner works for Siemens.", "Zoe works for the city library."),
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
