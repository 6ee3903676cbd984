"""What the program shows and reads beside its code: icons, fonts, the model, samples, docs, and its
translations, with the form of them that Qt reads.

A language is `translations/<code>.ts`, Qt's own format, which Linguist edits. Qt reads `.qm`, made
of it when a wheel is built; in a checkout, where people change `.ts`, it is made at the start.
`lrelease` would do the same, but a build has no Qt, and nobody should need one to build this.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

HERE = Path(__file__).parent
TRANSLATIONS = HERE / "translations"

_MAGIC = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
_HASHES, _MESSAGES, _NUMERUS, _LANGUAGE = 0x42, 0x69, 0x88, 0xA7
_END, _TRANSLATION, _SOURCE, _CONTEXT, _COMMENT = 1, 3, 6, 7, 8
# Which of a language's forms a number takes, in Qt's own code: is 1 · at most 1 · ends in 1 but not
# in 11, then in 2 to 4 but not in 12 to 14, and so on; the last form is for every other number.
_ONE = bytes((0x01, 1))
_SLAVIC = bytes((0x11, 1, 0xFD, 0x29, 11, 0xFF, 0x14, 2, 4, 0xFD, 0x2C, 12, 14))
PLURALS = {
    **dict.fromkeys(("en", "de", "nl", "sv", "da", "nb", "it", "es", "pt", "el", "fi"), _ONE),
    "fr": bytes((0x03, 1)),
    **dict.fromkeys(("ru", "uk", "be", "hr", "sr"), _SLAVIC),
    "pl": bytes((0x01, 1, 0xFF, 0x14, 2, 4, 0xFD, 0x2C, 12, 14)),
    "cs": bytes((0x01, 1, 0xFF, 0x04, 2, 4)),
    "ar": bytes((0x01, 0, 0xFF, 0x01, 1, 0xFF, 0x01, 2, 0xFF, 0x24, 3, 10, 0xFF, 0x2C, 0, 2)),
    "he": bytes((0x01, 1, 0xFF, 0x01, 2)),
    **dict.fromkeys(("ja", "zh", "ko", "vi", "th", "id", "tr", "hu"), b""),
}


def qm(path: Path) -> bytes:
    """Returns what Qt reads of the translation at `path`, a `.ts`."""
    from xml.etree import ElementTree

    tree = ElementTree.parse(path).getroot()
    language = tree.get("language", "en")
    hashes: list[tuple[int, int]] = []
    messages = bytearray()
    for context in tree.iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            if forms := _forms(message):
                source, comment = message.findtext("source", ""), message.findtext("comment", "")
                hashes.append((_hash((source + comment).encode()), len(messages)))
                messages += _record(name, source, comment, forms)
    found = b"".join(struct.pack(">II", *pair) for pair in sorted(hashes))
    parts = (
        (_LANGUAGE, language.encode()),
        (_HASHES, found),
        (_MESSAGES, bytes(messages)),
        (_NUMERUS, PLURALS[language.partition("_")[0]]),
    )
    return _MAGIC + b"".join(_part(tag, content) for tag, content in parts if content)


def make_all(folder: Path = TRANSLATIONS) -> None:
    """Writes a `.qm` beside every `.ts`."""
    for path in folder.glob("*.ts"):
        path.with_suffix(".qm").write_bytes(qm(path))


def _forms(message: Element) -> list[str]:
    """The translations of one text, one for each form a number has; none where one is missing."""
    said = message.find("translation")
    if said is None or said.get("type"):  # unfinished, obsolete, vanished
        return []
    forms = [form.text or "" for form in said.iter("numerusform")] or [said.text or ""]
    return forms if all(forms) else []


def _record(context: str, source: str, comment: str, forms: list[str]) -> bytes:
    translations = b"".join(_part(_TRANSLATION, form.encode("utf-16-be")) for form in forms)
    return (
        translations
        + (_part(_COMMENT, comment.encode()) if comment else b"")
        + _part(_SOURCE, source.encode())
        + _part(_CONTEXT, context.encode())
        + bytes((_END,))
    )


def _part(tag: int, content: bytes) -> bytes:
    return struct.pack(">BI", tag, len(content)) + content


def _hash(text: bytes) -> int:
    """The one by which Qt looks a text up (that of ELF symbols)."""
    value = 0
    for byte in text:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value or 1


def docs_folder() -> Path:
    """Returns the folder of the documentation: what ships has it here, a source tree beside it."""
    shipped = HERE / "docs"
    return shipped if shipped.is_dir() else HERE.parent / "docs"


def docs_pages(language: str = "") -> list[str]:
    """Returns the names of all pages, such as "tutorial" or "clients/cursor"; with a language, of
    those that are there in it. Its pages are in a folder of its two letters, by the same names."""
    folder = docs_folder() / language
    names = [page.relative_to(folder).with_suffix("") for page in sorted(folder.rglob("*.md"))]
    return [name.as_posix() for name in names if len(name.parts[0]) > 2 or not name.parts[1:]]


def docs_page(name: str, language: str = "") -> str:
    """Returns a page's markdown. Its pictures and links are relative to the page's own folder.

    Raises LookupError where there is no such page, also for a name that leads out of the docs."""
    if name not in docs_pages(language):
        raise LookupError(f"There is no page {name!r} in the documentation.")
    return (docs_folder() / language / f"{name}.md").read_text("utf-8")
