"""A file of somebody else is changed in one place; every other byte stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.connect import settings_text
from app.errors import Refused

ZED = """// Zed settings
{
  "theme": "One Dark", // the dark one
  /* servers */
  "context_servers": {
    "other": {"command": "x", "args": []},
  },
}
"""
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
objects = st.dictionaries(st.text(max_size=8), plain, max_size=4)


def test_comments_and_trailing_commas_stay() -> None:
    after = settings_text.put(ZED, ["context_servers", "keepsake"], {"command": "k"})
    assert settings_text.read(after)["context_servers"]["keepsake"] == {"command": "k"}
    for line in ZED.splitlines():
        assert line in after
    assert settings_text.remove(after, ["context_servers", "keepsake"]) == ZED


@given(objects, st.sampled_from([None, 2, 4, "\t"]), st.text(max_size=5), plain)
def test_putting_and_taking_out_again_leaves_the_file_as_it_was(
    held: dict[str, object], indent: int | str | None, name: str, value: object
) -> None:
    text = json.dumps(held, indent=indent) + "\n"
    after = settings_text.put(text, [name], value)
    assert settings_text.read(after) == {**held, name: value}
    assert json.loads(after) == {**held, name: value}
    if name not in held:
        back = settings_text.remove(after, [name])
        assert json.loads(back) == held
        assert back == text or not held


@given(st.lists(plain, max_size=4), st.sampled_from([None, 2]), plain)
def test_an_item_is_appended_and_removed(
    held: list[object], indent: int | None, value: object
) -> None:
    text = json.dumps({"a": {"b": held}, "c": 1}, indent=indent)
    after = settings_text.append(text, ["a", "b"], value)
    assert json.loads(after) == {"a": {"b": [*held, value]}, "c": 1}
    assert json.loads(settings_text.remove(after, ["a", "b", len(held)])) == json.loads(text)


@given(objects)
def test_removing_any_member_keeps_the_others(held: dict[str, object]) -> None:
    text = json.dumps(held, indent=2)
    for name in held:
        rest = {key: value for key, value in held.items() if key != name}
        assert json.loads(settings_text.remove(text, [name])) == rest


def test_an_empty_file_becomes_an_object() -> None:
    assert json.loads(settings_text.put("", ["a", "b"], 1)) == {"a": {"b": 1}}


@pytest.mark.parametrize(
    "text", ["[1]", "{", '{"a": 1} x', '{"a" 1}', '{"a": 1, "a": 2}', "{'a': 1}", '{"a": tru}']
)
def test_what_cannot_be_read_is_left_alone(text: str) -> None:
    with pytest.raises(Refused, match="left alone"):
        settings_text.put(text, ["b"], 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{\n  "a": 1,\n', "it ends in line 2, before it is complete"),
        ('{\n  "a": [1,\n  2\n}', "line 4 cannot be read"),
        ('{\n  "a": "\\x"\n}', "line 2 cannot be read"),
        ('{\n  "a": 1,\n  "a": 2\n}', "line 3: the name 'a' stands in it twice"),
        ("{}\n\n{}", "line 3 follows its end"),
    ],
)
def test_what_is_no_json_is_said_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        settings_text.read(text)
    assert str(refused.value) == f"It is not JSON ({reason}), so it was left alone."


def test_what_is_no_yaml_is_said_with_its_line() -> None:
    with pytest.raises(Refused) as refused:
        settings_text.yaml_entry("a: 1\nb: [\n", "a", "b")
    assert str(refused.value) == "It is not YAML (line 3 cannot be read), so it was left alone."
