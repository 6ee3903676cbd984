"""What a memory is called: by the key somebody gave it, else by its first line."""

from __future__ import annotations

import re

TITLE_CHARS = 60
# As app.rules.fields.made_key makes them: a few words of the text and eight hex digits.
_MADE = re.compile(r"(?:[a-z0-9]+-)+[0-9a-f]{8}")
MARKS = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|>\s?|\d+\.\s+)"  # headings, lists, quotes
    r"|\*{1,3}|`{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)"  # emphasis, code
    r"|\[\[|\]\]|!?\[|\]\([^)]*\)",  # links
    re.MULTILINE,
)


def without_marks(text: str) -> str:
    """Markdown as it reads, without its marks."""
    return MARKS.sub("", text)


def is_made_key(key: str) -> bool:
    """Whether nobody chose the key: it was made from the text, and names nothing to a person."""
    return _MADE.fullmatch(key) is not None


def title_of(key: str, content: str) -> str:
    """The key, if somebody chose it; else the first line, at most so long that it is a name."""
    if key and not is_made_key(key):
        return key
    line, cut = first_line(content)
    return f"{line}…" if cut else line or key


def first_line(content: str) -> tuple[str, bool]:
    """The first line that says something, ended at a word, and whether it goes on."""
    lines = (" ".join(line.split()) for line in without_marks(content[:2_000]).splitlines())
    line = next((line for line in lines if line), "")
    if len(line) <= TITLE_CHARS:
        return line, False
    whole = line[: TITLE_CHARS + 1].rpartition(" ")[0]
    return (whole or line[:TITLE_CHARS]).rstrip(" ,;:"), True
