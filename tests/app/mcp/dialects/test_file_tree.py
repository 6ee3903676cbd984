from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mcp.dialects.files import (
    LINES_MOST,
    FileProblem,
    inserted,
    key_of,
    listing,
    replaced,
    size_text,
    view,
)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/memories", ""),
        ("/memories/", ""),
        ("/memories/notes.md", "notes.md"),
        ("/memories/people/ana.md", "people/ana.md"),
        ("/memories//people///ana.md", "people/ana.md"),
        ("/memories/..hidden", "..hidden"),
    ],
)
def test_a_path_names_a_key(path: str, key: str) -> None:
    assert key_of(path) == key


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "memories/a",
        "/etc/passwd",
        "/memoriesX/a",
        "/memories/../etc/passwd",
        "/memories/a/../../b",
        "/memories/./a",
        "/memories/%2e%2e/etc",
        "/memories/%2e%2e%2fetc",
        "/memories/..\\..\\etc",
        "/memories/a\x00b",
        "/memories/%00",
        "/memories/a\nb",
        "C:\\memories\\a",
        "/Memories/a",
    ],
)
def test_nothing_outside_the_folder_has_a_path(path: str) -> None:
    with pytest.raises(FileProblem, match=r"^Error: Path"):
        key_of(path)


@given(st.text())
def test_no_path_leads_out(path: str) -> None:
    try:
        key = key_of(path)
    except FileProblem:
        return
    assert ".." not in key.split("/")
    assert not key.startswith("/")


def test_a_listing_shows_two_levels_with_sizes_and_no_hidden_things() -> None:
    sizes = {
        "notes.md": 512,
        "people/ana.md": 1024,
        "people/far/away.md": 4608,
        ".secret": 9,
        "people/.hidden.md": 9,
        "node_modules/x.js": 9,
    }
    assert listing("/memories", sizes) == (
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden "
        "items and node_modules:\n"
        "6.0K\t/memories\n"
        "512B\t/memories/notes.md\n"
        "5.5K\t/memories/people\n"
        "1.0K\t/memories/people/ana.md\n"
        "4.5K\t/memories/people/far"
    )


def test_a_folder_further_down_is_listed_from_there() -> None:
    text = listing("/memories/people/", {"people/far/away.md": 3, "other.md": 7})
    assert text.split("\n")[1:] == [
        "3B\t/memories/people",
        "3B\t/memories/people/far",
        "3B\t/memories/people/far/away.md",
    ]


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0B"), (1023, "1023B"), (1024, "1.0K"), (5632, "5.5K"), (1_258_291, "1.2M")],
)
def test_sizes_are_for_people(size: int, text: str) -> None:
    assert size_text(size) == text


def test_a_file_is_shown_with_six_wide_line_numbers() -> None:
    text = "\n".join(f"line {n}" for n in range(1, 101))
    shown = view("/memories/a.txt", text).split("\n")
    assert shown[0] == "Here's the content of /memories/a.txt with line numbers:"
    assert (shown[1], shown[10], shown[100]) == (
        "     1\tline 1",
        "    10\tline 10",
        "   100\tline 100",
    )


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        ([2, 3], ["two", "three"]),
        ([2, -1], ["two", "three", "four"]),
        ([0, 1], ["one"]),
        ([4, 99], ["four"]),
        ([9, 12], []),
    ],
)
def test_a_range_shows_its_lines(wanted: list[int], lines: list[str]) -> None:
    shown = view("/memories/a", "one\ntwo\nthree\nfour", wanted).split("\n")[1:]
    assert [line.split("\t")[1] for line in shown if line] == lines


def test_a_file_of_too_many_lines_is_not_shown() -> None:
    with pytest.raises(FileProblem) as refused:
        view("/memories/a", "\n" * LINES_MOST)
    assert str(refused.value) == ("File /memories/a exceeds maximum line limit of 999,999 lines.")


def test_replacing_shows_a_snippet_of_the_change() -> None:
    text = "\n".join("abcdefg")
    changed, reply = replaced("/memories/a", text, "d", "D1\nD2")
    assert changed == "a\nb\nc\nD1\nD2\ne\nf\ng"
    assert reply == (
        "The memory file has been edited. Here is the snippet showing the change (with line "
        "numbers):\n     2\tb\n     3\tc\n     4\tD1\n     5\tD2\n     6\te\n     7\tf"
    )


def test_replacing_what_is_not_there_changes_nothing() -> None:
    with pytest.raises(FileProblem) as refused:
        replaced("/memories/a", "blue", "red", "x")
    assert str(refused.value) == (
        "No replacement was performed, old_str `red` did not appear verbatim in /memories/a."
    )


def test_replacing_what_is_there_twice_names_the_lines() -> None:
    with pytest.raises(FileProblem) as refused:
        replaced("/memories/a", "red\nblue\nred red", "red", "x")
    assert str(refused.value) == (
        "No replacement was performed. Multiple occurrences of old_str `red` in lines: 1, 3, 3. "
        "Please ensure it is unique"
    )


@pytest.mark.parametrize(
    ("line", "after"),
    [(0, "new\none\ntwo\n"), (1, "one\nnew\ntwo\n"), (2, "one\ntwo\nnew\n")],
)
def test_inserting_goes_after_the_line(line: int, after: str) -> None:
    assert inserted("one\ntwo\n", line, "new\n") == after


@pytest.mark.parametrize("line", [-1, 3])
def test_inserting_past_the_end_names_the_range(line: int) -> None:
    with pytest.raises(FileProblem) as refused:
        inserted("one\ntwo\n", line, "new")
    assert str(refused.value) == (
        f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines "
        "of the file: [0, 2]"
    )
