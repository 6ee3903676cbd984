"""MEMORY.md: written from the notes, read back for its hooks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.markdown.index import IndexLine, edited_hooks, parse, render, shown_hook, updated

words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
lines = st.lists(
    st.builds(IndexLine, words.map(lambda name: f"{name}.md"), words, words),
    unique_by=lambda line: line.name,
    max_size=6,
)


def test_one_line_per_note_with_a_link_and_a_hook() -> None:
    text = render("Memory", [IndexLine("b.md", "b", "when b"), IndexLine("a.md", "[a]", "")])
    assert text == "# Memory\n\n- [\\[a\\]](a.md)\n- [b](b.md): when b\n"


@given(lines)
def test_every_line_comes_back(wanted: list[IndexLine]) -> None:
    wanted = [IndexLine(one.name, one.key, one.hook.lstrip(":—–-")) for one in wanted]
    found = parse(render("Memory", wanted))
    assert found == {one.name.removeprefix("./"): one.hook for one in wanted}


def test_an_edited_hook_is_noticed_and_an_untouched_one_is_not() -> None:
    text = "- [a](a.md) — new hook\n- [b](b.md): same\n- [c](c.md): unknown file\n"
    assert edited_hooks(text, {"a.md": "old", "b.md": "same"}) == {"a.md": "new hook"}


def test_headings_and_remarks_of_a_person_stay() -> None:
    index = "# Mine\n\n## Work\n- [a](a.md): old\n\nA remark.\n- [gone](gone.md): x\n"
    now = updated(
        index, "Memory", [IndexLine("a.md", "a", "new"), IndexLine("b.md", "b", "")], ["gone.md"]
    )
    assert now == "# Mine\n\n## Work\n- [a](a.md): new\n- [b](b.md)\n\nA remark.\n"


def test_a_note_without_a_hook_shows_its_first_words() -> None:
    assert shown_hook("", "\n# **Tea** at four\nmore") == "Tea at four"
    assert shown_hook("when thirsty", "Tea") == "when thirsty"
    assert len(shown_hook("", "word " * 100)) <= 100
