"""Plain heads are read without YAML; what is read so is what YAML reads."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.markdown.frontmatter_fields import FieldsError, _split_yaml, simple_fields, split

_LETTERS = st.text("ab1.-_:#,'\"[]{}&*!|>%@`?~ \t\\é茶—0\x85\u2028\ufeff$()/+=", max_size=12)
_SCALARS = st.one_of(
    _LETTERS,
    st.sampled_from(
        (
            *("true", "False", "NULL", "~", "no", "yes", "0", "-1", "+2", "007", "12:30", "1_000"),
            *("2024-01-05", "2024-01-05T10:00:00Z", "2024-01-05 10:00", "1.5", ".5", "1e3", ".inf"),
            *("[[Link]]", "[a, b]", "[a, 'b, c', 2024-01-05]", "[]", "[ ]", "[a,]", "[a, , b]"),
            *("a: b", "a #b", "a#b", "http://x.y/z", "it's", "'it''s'", '"a\\n"', "'x' y", '""'),
            *("{a: 1}", "- x", "? a", "| x", ">", "&a b", "*a", "!!str 5", "a,b]", "[a b?]", "1 2"),
        )
    ),
    st.integers().map(str),
    st.dates().map(str),
)
_NAMES = st.one_of(
    st.sampled_from(("key", "tags", "date created", "a-b", "true", "null", "no", "on", "A", "x ")),
    _LETTERS,
)
_LINES = st.one_of(
    st.tuples(_NAMES, st.sampled_from((": ", ":", ":  ", " : ")), _SCALARS).map("".join),
    st.tuples(st.sampled_from(("- ", "  - ", "-", "   - ", " -  ")), _SCALARS).map("".join),
    st.tuples(st.sampled_from(("", "  ", "# ", "...")), _LETTERS).map("".join),
)
_HEADS = st.tuples(
    st.lists(_LINES, max_size=6), st.sampled_from(("\n", "\n", "\n", "\r\n", "\n\n"))
).map(lambda made: "".join(line + made[1] for line in made[0]))


@settings(max_examples=400, deadline=None)
@given(_HEADS)
def test_what_is_read_without_yaml_is_what_yaml_reads(head: str) -> None:
    text = f"---\n{head}---\n\nThe body\n"
    try:
        fields, body = split(text)
    except FieldsError:
        return  # YAML was asked: nothing simple is refused
    slow_fields, slow_body = _split_yaml(text)
    assert (fields, body) == (slow_fields, slow_body)
    assert [type(value) for value in _flat(fields)] == [type(value) for value in _flat(slow_fields)]


def _flat(value: object) -> list[object]:
    """The value and what is in it: 1 equals true for Python."""
    if isinstance(value, dict):
        return [value, *(one for item in value.values() for one in _flat(item))]
    return (
        [value, *(one for item in value for one in _flat(item))]
        if isinstance(value, list)
        else [value]
    )


def test_the_usual_head_is_simple() -> None:
    """Else nothing would be won."""
    head = (
        "title: A note without a colon\n"
        "aliases:\n  - One\n  - 'Two, too'\ntags: [one, two words]\ncreated: 2024-05-01\n"
        "rating: 7\npublished: false\nsource: https://example.org/a?b=c\nempty:\n\nlist:\n- x\n"
    )
    assert simple_fields(head) == {
        "title": "A note without a colon",
        "aliases": ["One", "Two, too"],
        "tags": ["one", "two words"],
        "created": "2024-05-01",
        "rating": 7,
        "published": False,
        "source": "https://example.org/a?b=c",
        "empty": None,
        "list": ["x"],
    }
