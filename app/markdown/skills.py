"""Promote: a note that is generally true becomes a skill file that any agent can load."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from app.errors import Invalid, Refused
from app.markdown.folder import Folder
from app.markdown.found import slug
from app.markdown.frontmatter_fields import join
from app.markdown.index import shown_hook
from store.records import Entry

NAME_CHARS = 64
DESCRIPTION_CHARS = 1024
FILE = "SKILL.md"


@dataclass(frozen=True, slots=True)
class Skill:
    """What agents look for: a folder of that name with SKILL.md in it."""

    name: str
    description: str
    text: str


def skill_of(entry: Entry, name: str | None = None, description: str | None = None) -> Skill:
    """The note as a skill. Its hook says when it matters, so it is the description."""
    called = slug(name or entry.key)[:NAME_CHARS].strip("-")
    called = re.sub(r"[^a-z0-9-]", "", called)
    if not called:
        raise Invalid("A skill needs a name of letters, digits and hyphens; give one with --name.")
    about = " ".join((description or shown_hook(entry.hook, entry.content)).split())
    about = re.sub(r"[<>]", "", about)[:DESCRIPTION_CHARS]
    body = entry.content.strip("\n")
    title = "" if body.startswith("#") else f"# {entry.key}\n\n"
    head = {"name": called, "description": about}
    return Skill(called, about, join(head, title + body))


def promote(
    entry: Entry, to: Path, *, name: str | None = None, description: str | None = None,
    replace: bool = False,
) -> Path:  # fmt: skip
    """Write the skill below `to`. An existing one is left alone unless `replace`."""
    skill = skill_of(entry, name, description)
    folder = Folder(to.expanduser())
    folder.make()
    path = folder.place(f"{skill.name}/{FILE}")
    if path.exists() and not replace:
        raise Refused(f"{path} is there already; say --replace to write it anew.")
    try:
        folder.write(f"{skill.name}/{FILE}", skill.text)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {error.strerror}.") from error
    return path
