"""The erase radar: who was told what is to be erased, and where its words still stand on this
machine; and an erase that takes them from there as well.

Words are looked for as they are, whatever their case and spacing (app/text/quotes.py); the same
said in other words is not found. What Keepsake wrote goes with the erase. Files of others are
changed only where the person chose each, and a transcript only while no client writes it: it stays
`pending` until then. Databases and archives are looked into, and named."""

from __future__ import annotations

import hashlib
import mmap
import os
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from app.care.copies import (
    ARCHIVE,
    DATABASE,
    GOES,
    OFFERED,
    RECORDS,
    STAYS,
    TEXT,
    WHOLE,
    CopyToClean,
    FoundCopy,
    NotLooked,
    Sweep,
    decoded,
    lines_of,
)
from app.markdown.projection import IMPORTED, block_span
from app.proof.places import INSTRUCTIONS, PROJECTED, Place, places_of
from app.text.quotes import Phrases
from store.care import purge
from store.care.removal import Removal, found
from store.instants import Instant, to_instant
from store.tables import calls

if TYPE_CHECKING:
    from app.care.erasure import Receipt
    from app.vault import Vault

SECONDS = 120.0
BYTES_MOST = 8 * 1024**3
TEXT_MOST = 16 * 1024**2  # read whole, because a text may go over several lines
DATABASE_MOST = 2 * 1024**3
MEMBER_MOST = 64 * 1024**2
LINES_SHOWN = 20
_STEP, _OVERLAP = 4 * 1024**2, 64 * 1024

Progress = Callable[[int, int, str], bool]
"""Called before each file with how many are done, how many there are, and its path; False ends
it."""


@dataclass(slots=True)
class _Search:
    """One look: what it is for, and how far it came."""

    phrases: Phrases
    until: float
    left: int = BYTES_MOST
    copies: list[FoundCopy] = field(default_factory=list)
    not_looked: list[NotLooked] = field(default_factory=list)
    looked: Counter[str] = field(default_factory=Counter)
    read: int = 0


class Radar:
    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def look(
        self,
        removal: Removal,
        progress: Progress = lambda done, total, path: True,
        seconds: float = SECONDS,
    ) -> Sweep:
        """Who knows it, and which files say it. Nothing is changed."""
        began = self._now()
        search = _Search(self._phrases(removal), time.monotonic() + seconds)
        sweep = self._told(removal, Sweep(began, began))
        places = []
        for one in places_of(self._vault, removal):
            if isinstance(one, NotLooked):
                search.not_looked.append(one)
            else:
                places.append(one)
        cancelled = self._walk(places, search, progress) if search.phrases else False
        return replace(
            sweep,
            until=self._now(),
            copies=tuple(search.copies),
            looked=dict(search.looked),
            bytes_read=search.read,
            not_looked=tuple(search.not_looked),
            short=search.phrases.short,
            left_out=search.phrases.left_out,
            cancelled=cancelled,
        )

    def erase(self, removal: Removal, sweep: Sweep, chosen: Collection[str]) -> Receipt:
        """Erase, and from the chosen files too (ids of what was found). What was found before is
        looked into once more: the receipt names those that say it still."""
        phrases = self._phrases(removal)
        clean = [
            one.clean
            for one in sweep.copies
            if one.id in chosen and one.becomes == OFFERED and one.clean is not None
        ]
        receipt = self._vault.erasure.remove(removal, copies=clean)
        again = _Search(phrases, time.monotonic() + SECONDS)
        for place in dict.fromkeys(map(_place_again, sweep.copies)):
            _look_into(place, again)
        # A file that could not be read again is not said to be clean.
        unread = {one.path for one in again.not_looked}
        still = {(one.path, one.kind): one for one in again.copies}
        left = []
        for one in sweep.copies:
            if (one.path, one.kind) in still:
                places, lines = still[one.path, one.kind].places, still[one.path, one.kind].lines
                left.append(replace(one, becomes=STAYS, places=places, lines=lines))
            elif one.path in unread:
                left.append(replace(one, becomes=STAYS))
        stays = {(one.path, one.kind) for one in left}
        gone = [one.path for one in sweep.copies if (one.path, one.kind) not in stays]
        return replace(
            receipt,
            sweep=sweep,
            copies_removed=tuple(dict.fromkeys(gone)),
            copies_left=tuple(left),
        )

    # Parts

    def _now(self) -> Instant:
        return to_instant(self._vault.clock())

    def _phrases(self, removal: Removal) -> Phrases:
        with self._vault.database.read() as db:
            going = purge.prose_of(db, removal)
            return Phrases.of(going, purge.prose_that_stays(db, removal))

    def _told(self, removal: Removal, sweep: Sweep) -> Sweep:
        """What the log of calls says; by ids, so that no word is asked for."""
        self._vault.calls.flush()
        with self._vault.database.read() as db:
            ids = purge.call_names(found(db, removal))
            since = calls.oldest(db)
            return replace(
                sweep,
                told=tuple(calls.told(db, ids)),
                told_since=since,
                unnamed=calls.unnamed(db, since),
            )

    @staticmethod
    def _walk(places: Sequence[Place], search: _Search, progress: Progress) -> bool:
        """Whether it was cancelled."""
        for number, place in enumerate(places):
            if not progress(number, len(places), str(place.path)):
                _left_over(places[number:], "cancelled", search)
                return True
            if time.monotonic() > search.until or search.left <= 0:
                _left_over(places[number:], "late", search)
                return False
            _look_into(place, search)
        return False


def _place_again(one: FoundCopy) -> Place:
    """Where it was found. A block of ours stands in a file that may say it elsewhere, too."""
    form = one.clean.form if one.clean is not None else one.why
    form = form if form in (RECORDS, ARCHIVE, DATABASE) else TEXT
    within = one.kind == PROJECTED and not one.path.endswith(IMPORTED)
    return Place(Path(one.path), INSTRUCTIONS if within else one.kind, form=form)


def _left_over(places: Sequence[Place], why: str, search: _Search) -> None:
    """One line a folder, with how many files there."""
    folders = Counter(str(place.path.parent) for place in places)
    search.not_looked += [
        NotLooked(folder, why, f"{number} files" if number > 1 else "1 file")
        for folder, number in sorted(folders.items())
    ]


def _look_into(place: Place, search: _Search) -> None:
    try:
        facts = place.path.stat()
        most = DATABASE_MOST if place.form == DATABASE else search.left
        if facts.st_size > most:
            search.not_looked.append(NotLooked(str(place.path), "large", f"{facts.st_size} bytes"))
            return
        search.looked[place.kind] += 1
        search.left -= facts.st_size
        search.read += facts.st_size
        if facts.st_size:
            search.copies += _found(place, facts, search.phrases)
    except FileNotFoundError:
        return  # gone since it was listed
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        said = getattr(error, "strerror", None) or str(error)
        search.not_looked.append(NotLooked(str(place.path), "unreadable", said))


def _found(place: Place, facts: os.stat_result, phrases: Phrases) -> list[FoundCopy]:
    if place.form == ARCHIVE:
        number = _in_archive(place.path, phrases)
        return [_copy(place, facts, number, why=ARCHIVE)] if number else []
    if not _worth_reading(place.path, phrases):
        return []
    if place.form == DATABASE:
        number = _in_database(place.path, phrases)
        return [_copy(place, facts, number, why=DATABASE)] if number else []
    if place.form == RECORDS or facts.st_size > TEXT_MOST:
        return _in_lines(place, facts, phrases)
    return _in_text(place, facts, phrases)


def _worth_reading(path: Path, phrases: Phrases) -> bool:
    return any(phrases.may_be_in(part) for part in _parts(path))


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        for start in range(0, len(view), _STEP):
            yield view[max(start - _OVERLAP, 0) : start + _STEP]


Span = tuple[str, int, int, int]  # a line, from, to, and its number


def _in_lines(place: Place, facts: os.stat_result, phrases: Phrases) -> list[FoundCopy]:
    spans: list[Span] = []
    escaped = place.form == RECORDS
    with place.path.open("rb") as file:
        for number, line in enumerate(lines_of(file), 1):
            if phrases.may_be_in(line):
                text = decoded(line.removesuffix(b"\n").removesuffix(b"\r"))
                found_here = phrases.spans(text, escaped=escaped)
                spans += [(text, start, end, number) for start, end in found_here]
    return [_copy(place, facts, len(spans), spans)] if spans else []


def _in_text(place: Place, facts: os.stat_result, phrases: Phrases) -> list[FoundCopy]:
    """A block of ours in it goes with the erase; what stands around it is the file's own."""
    raw = place.path.read_bytes()
    text = decoded(raw)
    whole = phrases.spans(text)
    if not whole:
        return []
    if place.form == WHOLE:
        first = text.count("\n", 0, whole[0][0]) + 1
        return [_copy(place, facts, len(whole), [(text, 0, 0, first)])]
    begin, end = block_span(text)
    inside = [one for one in whole if begin <= one[0] < end]
    outside = [one for one in whole if one not in inside]
    found_here = []
    if inside:
        ours = replace(place, kind=PROJECTED, ours=True, goes=True)
        found_here.append(_copy(ours, facts, len(inside), _by_line(text, inside)))
    if outside:
        found_here.append(_copy(place, facts, len(outside), _by_line(text, outside)))
    return found_here


def _by_line(text: str, spans: Sequence[tuple[int, int]]) -> list[Span]:
    """Spans of a text as spans of its lines."""
    found_here: list[Span] = []
    at = 0
    for number, whole in enumerate(text.split("\n"), 1):
        line = whole.removesuffix("\r")
        for start, end in spans:
            first, last = max(start - at, 0), min(end - at, len(line))
            if first < last:
                found_here.append((line, first, last, number))
        at += len(whole) + 1
    return found_here


def _in_archive(path: Path, phrases: Phrases) -> int:
    number = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if 0 < member.file_size <= MEMBER_MOST:
                raw = archive.read(member)
                if phrases.may_be_in(raw):
                    number += len(phrases.spans(decoded(raw), escaped=True))
    return number


def _in_database(path: Path, phrases: Phrases) -> int:
    """In how many parts of it: what it keeps in compressed or cut pages is not seen."""
    return sum(
        phrases.may_be_in(part) and bool(phrases.spans(decoded(part), escaped=True))
        for part in _parts(path)
    )


def _copy(
    place: Place, facts: os.stat_result, number: int, spans: Sequence[Span] = (), why: str = ""
) -> FoundCopy:
    becomes = GOES if place.goes else STAYS if why else OFFERED
    if becomes == OFFERED and not os.access(place.path.resolve().parent, os.W_OK):
        becomes, why = STAYS, "read-only"
    if becomes == OFFERED and facts.st_nlink > 1:
        becomes, why = STAYS, "linked"
    form = place.form if place.form in (RECORDS, WHOLE) else TEXT
    cuts = [(line, start, end) for line, start, end, _ in spans]
    lines = dict.fromkeys(line for *_, line in spans)
    return FoundCopy(
        copy_id(place.path, place.kind),
        str(place.path),
        place.kind,
        place.client,
        number,
        tuple(lines)[:LINES_SHOWN],
        to_instant(datetime.fromtimestamp(facts.st_mtime, UTC)),
        becomes,
        why,
        place.ours,
        CopyToClean.of(place.path, form, cuts) if becomes == OFFERED else None,
    )


def copy_id(path: Path, kind: str) -> str:
    """Names a copy at every look: the same file has the same."""
    return hashlib.blake2b(f"{kind}\0{path}".encode(*_SURROGATES), digest_size=6).hexdigest()


_SURROGATES = ("utf-8", "surrogateescape")
