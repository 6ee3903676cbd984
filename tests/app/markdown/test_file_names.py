"""Names made from keys, on the least friendly of file systems."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.markdown.file_names import folded, free_name, names, stem

keys = st.lists(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=200)
    | st.sampled_from(["con", "Con", "a/b", "a:b", "..", "é", "e\u0301", "STRASSE", "straße"]),
    unique=True,
    max_size=12,
)


@given(keys)
def test_no_two_keys_share_a_file_on_any_file_system(wanted: list[str]) -> None:
    found = names(wanted)
    assert len({folded(name) for name in found.values()}) == len(wanted)
    assert names(reversed(wanted)) == found


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_a_name_is_one_safe_path_part(key: str) -> None:
    name = stem(key)
    assert name
    assert not set(name) & set('<>:"/\\|?*\0\n\r')
    assert not name.startswith(".")
    assert not name.endswith((".", " "))
    assert len(name.encode()) <= 170
    assert unicodedata.is_normalized("NFC", name)


@pytest.mark.parametrize("key", ["con", "NUL", "com1", "Memory", "aux.txt", "LPT³"])
def test_reserved_names_are_avoided(key: str) -> None:
    assert folded(stem(key)) not in {"con", "nul", "com1", "memory", "aux", "lpt3", "aux.txt"}


def test_ordinary_keys_keep_their_look() -> None:
    assert names(["favourite-editor", "Project Alpha", "db/host"]) == {
        "favourite-editor": "favourite-editor.md",
        "Project Alpha": "Project-Alpha.md",
        "db/host": "db-host.md",
    }


def test_keys_that_differ_only_in_case_are_told_apart_by_a_mark() -> None:
    found = names(["Tea", "tea"])
    assert all(name.lower().startswith("tea-") for name in found.values())


def test_a_free_name_steps_aside_for_what_is_there() -> None:
    assert free_name("tea", set()) == "tea.md"
    assert free_name("tea", {"tea.md"}).startswith("tea-")
