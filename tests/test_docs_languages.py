"""A page in another language has what its English page has, in the same order: what the one gets
and the other lacks is noticed here, not by a reader."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import resources
from tests.test_layers import ROOT
from ui.toolkit.help_window import anchor_of, headings

DOCS = ROOT / "docs"
LANGUAGES = sorted(folder.name for folder in DOCS.iterdir() if len(folder.name) == 2)
TRANSLATED = [(code, name) for code in LANGUAGES for name in resources.docs_pages(code)]
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


class Link(NamedTuple):
    picture: bool
    target: str  # without its language
    heading: int  # which one of that page; -1 for the page itself


def page_file(name: str, language: str = "") -> Path:
    return DOCS / language / f"{name}.md"


def prose(page: Path) -> str:
    return FENCED.sub("", page.read_text("utf-8"))


def targets(page: Path) -> list[tuple[bool, Path, str]]:
    found = LINK.findall(prose(page))
    return [
        (bool(mark), (page.parent / path).resolve() if path else page, anchor)
        for mark, path, anchor in found
        if "://" not in path
    ]


def links(page: Path) -> list[Link]:
    made = []
    for picture, target, anchor in targets(page):
        anchors = (
            [anchor_of(said) for said in headings(target.read_text("utf-8"))] if anchor else []
        )
        parts = target.relative_to(DOCS).parts
        name = "/".join(parts[1:] if parts[0] in LANGUAGES else parts)
        made.append(Link(picture, name, anchors.index(anchor) if anchor else -1))
    return made


def test_there_are_german_pages_for_whoever_is_no_developer() -> None:
    ideas = {f"concepts/{page.stem}" for page in (DOCS / "concepts").iterdir()}
    assert {"index", "tutorial", "desk", "window", "users"} | ideas <= set(
        resources.docs_pages("de")
    )


@pytest.mark.parametrize(("language", "name"), TRANSLATED)
def test_a_translated_page_has_what_its_english_page_has(language: str, name: str) -> None:
    page, english = page_file(name, language), page_file(name)
    for part in (r"^#+(?= )", r"^(?:- |\d+\. )", r"^\|(?=.*\|)"):  # headings, items, rows
        theirs, ours = (re.findall(part, prose(one), re.MULTILINE) for one in (english, page))
        assert ours == theirs, part
    assert FENCED.findall(page.read_text("utf-8")) == FENCED.findall(english.read_text("utf-8"))
    assert sorted(links(page)) == sorted(links(english))  # another language puts words in its order


@pytest.mark.parametrize(("language", "name"), TRANSLATED)
def test_it_leads_on_in_its_language_where_there_is_a_page(language: str, name: str) -> None:
    for picture, target, _ in targets(page_file(name, language)):
        if not picture and target.is_relative_to(DOCS / language):
            continue
        ours = DOCS / language / target.relative_to(DOCS)
        assert not ours.exists(), f"{target.name} is there in this language"
