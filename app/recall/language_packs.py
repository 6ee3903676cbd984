"""Language packs: dictionaries that a person adds to those that come with Keepsake.

A pack is made of a dictionary in dictd's form (an index and a text, as FreeDict publishes them and
Debian packages them). Their licence (GPL) keeps them out of Keepsake, not out of a person's folder.
It lies beside the vault, and every process that has the vault open uses it from then on.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.errors import Invalid, NotFound
from store.models.glosses import CODES, lines_of

PLACES = ("/usr/share/dictd", "/usr/local/share/dictd", "/opt/homebrew/share/dictd")
_ISO = {"de": "deu", "es": "spa"}
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_ASIDE = re.compile(r"<[^>]*>|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|/[^/]*/")
_REMARK = ('"', "Synonym", "see:", "Note", "Antonym")
_ENGLISH = re.compile(r"[A-Za-z' -]{1,30}")
_CONSIDERED = 4  # translations, of which the plainest is taken


@dataclass(frozen=True, slots=True)
class Pack:
    language: str
    code: str
    words: int


def listed(folder: Path) -> list[Pack]:
    """The packs that were added."""
    return [
        Pack(name, code, _count(folder / f"{code}.tsv"))
        for name, code in CODES.items()
        if (folder / f"{code}.tsv").is_file()
    ]


def add(code: str, source: Path | None, folder: Path) -> Pack:
    """Makes a pack of the dictionary at `source`, or of the one that the system has. Raises Invalid
    when there is none, or it is something else."""
    name = _language(code)
    index = _index(code, source)
    try:
        words = dict(_glosses(index))
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise Invalid(f"{index} is no dictionary in dictd's form ({error}).") from error
    if not words:
        raise Invalid(f"{index} explains no single word in English.")
    folder.mkdir(parents=True, exist_ok=True)
    made, kept = folder / f"{code}.tsv.new", folder / f"{code}.tsv"
    made.write_bytes(lines_of(words, code))
    made.replace(kept)
    return Pack(name, code, _count(kept))


def remove(code: str, folder: Path) -> None:
    """Takes a pack away again; what comes with Keepsake stays. Raises NotFound."""
    name = _language(code)
    try:
        (folder / f"{code}.tsv").unlink()
    except FileNotFoundError:
        raise NotFound(f"No dictionary was added for {name.title()}.") from None


def _language(code: str) -> str:
    for name, known in CODES.items():
        if known == code:
            return name
    raise Invalid(f"There is no language {code!r} here. Use one of {', '.join(CODES.values())}.")


def _index(code: str, source: Path | None) -> Path:
    name = f"freedict-{_ISO[code]}-eng"
    if source is None:
        found = [Path(place, f"{name}.index") for place in PLACES]
    elif source.is_dir():
        found = [source / f"{name}.index", *sorted(source.glob("*.index"))]
    else:
        found = [Path(re.sub(r"\.(?:dict(?:\.dz)?|index)$", "", str(source)) + ".index")]
    for index in found:
        if index.is_file():
            return index
    if source is not None:
        raise Invalid(f"There is no dictionary at {source}: a .index and a .dict.dz beside it.")
    raise Invalid(
        f"No dictionary is installed. On Debian and Ubuntu: apt install dict-{name}. Elsewhere "
        "download it from https://freedict.org and name its folder."
    )


def _glosses(index: Path) -> Iterator[tuple[str, str]]:
    """Each single word and the plainest of what it is said to mean."""
    body = _text_beside(index)
    found: dict[str, dict[str, None]] = {}
    for line in index.read_text("utf-8").splitlines():
        word, start, length = line.split("\t")[:3]
        if word and " " not in word and not word.startswith("00"):
            begin = _number(start)
            text = body[begin : begin + _number(length)].decode("utf-8", "replace")
            head, *rest = text.split("\n")
            head = re.split(r" [/<]", head)[0].strip()
            if head and not re.search(r"[\s\t]", head):
                found.setdefault(head, {}).update(dict.fromkeys(_meanings(rest)))
    for head, said in found.items():
        first = list(said)[:_CONSIDERED]
        if first:
            yield head, min(first, key=lambda gloss: (len(gloss.split()), first.index(gloss)))


def _text_beside(index: Path) -> bytes:
    packed = index.with_suffix(".dict.dz")
    if packed.is_file():
        with gzip.open(packed) as file:
            return file.read()
    return index.with_suffix(".dict").read_bytes()


def _meanings(lines: list[str]) -> Iterator[str]:
    """The English words of the first line that has some, remarks aside."""
    for line in map(str.strip, lines):
        if line and not line.startswith(_REMARK):
            said = re.split(r"[;,]", _ASIDE.sub("", re.sub(r"^\d+\.\s*", "", line)))
            for gloss in (" ".join(part.split()).strip(" .!?~…") for part in said):
                if _ENGLISH.fullmatch(gloss):
                    yield gloss.removeprefix("to ")
            return


def _number(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number * 64 + _VALUES[digit]
    return number


def _count(file: Path) -> int:
    """How many words a pack has; stems do not count."""
    return sum(not line.startswith(b"~") for line in file.read_bytes().split(b"\n"))
