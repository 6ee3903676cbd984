from __future__ import annotations

import pytest

from app.errors import Invalid
from app.mcp.tool import (
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    TIME_OR_NULL,
    Param,
    Tool,
    ToolAnswer,
    one_of,
    read_arguments,
    record,
    records,
    whole,
)


def a_tool(*params: Param, **fixed: object) -> Tool:
    return Tool("try", "Try", "Tries.", lambda call: ToolAnswer(""), params, fixed)


def test_a_word_models_guess_is_taken_for_the_one_that_is_meant() -> None:
    tool = a_tool(Param("query", TEXT, "What.", required=True, also=("q", "text")))
    assert read_arguments(tool, {"q": "tea"}) == {"query": "tea"}


def test_the_actions_own_word_is_used_for_a_renamed_parameter() -> None:
    tool = a_tool(Param("daysBack", whole(0, 99), "Days.", default=30, to="days_back"))
    assert read_arguments(tool, {}) == {"days_back": 30}
    assert read_arguments(tool, {"daysBack": 7}) == {"days_back": 7}


def test_what_the_dialect_takes_for_granted_comes_along() -> None:
    assert read_arguments(a_tool(category="journal"), {}) == {"category": "journal"}


def test_null_means_left_out_unless_it_is_a_value_of_its_own() -> None:
    plain = a_tool(Param("scope", TEXT, "Whose."))
    assert read_arguments(plain, {"scope": None}) == {}
    nullable = a_tool(Param("expected_updated_at", TIME_OR_NULL, "Seen.", nullable=True))
    assert read_arguments(nullable, {"expected_updated_at": None}) == {"expected_updated_at": None}
    assert read_arguments(nullable, {}) == {}


@pytest.mark.parametrize("nothing", [None, "", []])
def test_what_says_nothing_is_left_out_where_it_may_be(nothing: object) -> None:
    tool = a_tool(
        Param("content", TEXT, "What.", required=True),
        Param("limit", whole(1, 9), "Most.", default=5),
        Param("tags", TEXTS, "Tags."),
    )
    sent = {"content": "x", "limit": nothing, "tags": nothing, "unheard_of": nothing}
    assert read_arguments(tool, sent) == {"content": "x", "limit": 5}


def test_an_empty_text_counts_where_it_is_one() -> None:
    tool = a_tool(Param("new_str", TEXT, "New.", empty_counts=True))
    assert read_arguments(tool, {"new_str": ""}) == {"new_str": ""}
    assert read_arguments(tool, {"new_str": None}) == {}


def test_create_only_has_a_word_of_its_own_where_null_means_left_out() -> None:
    tool = a_tool(Param("expected", TEXT, "Seen.", null_word="absent"))
    assert read_arguments(tool, {"expected": None}) == {}
    assert read_arguments(tool, {"expected": "absent"}) == {"expected": None}


@pytest.mark.parametrize(
    ("schema", "sent", "taken"),
    [
        (whole(1, 10), "7", 7),
        (whole(1, 10), 7.0, 7),
        (TEXTS, "travel", ["travel"]),
        (TEXTS, '["a", "b"]', ["a", "b"]),
        (TEXT_OR_TEXTS, "a", "a"),
        (TEXT_OR_TEXTS, ["a", "b"], ["a", "b"]),
        (TEXT, 42, "42"),
        (record(limit=whole(1, 9)), '{"limit": "3"}', {"limit": 3}),
        (records("a", a=TEXT), {"a": "x"}, [{"a": "x"}]),
        ({"type": "boolean"}, "true", True),
    ],
)
def test_what_can_be_meant_in_one_way_only_is_taken(
    schema: dict[str, object], sent: object, taken: object
) -> None:
    assert read_arguments(a_tool(Param("it", schema, "It.")), {"it": sent}) == {"it": taken}


@pytest.mark.parametrize(
    ("schema", "sent", "said"),
    [
        (whole(1, 10), 11, "it is from 1 to 10."),
        (whole(1, 10), True, "it is a whole number."),
        (whole(1, 10), "many", "it is a whole number."),
        (TEXT, ["a"], "it is text."),
        (TEXT, "\ud800", "it holds half a character (a lone surrogate); send whole text."),
        (TEXT, {"a": 1}, "it is text."),
        (one_of("a", "b"), "c", "it is one of a, b; not 'c'."),
        (TEXTS, 3, "it is a list."),
        (TEXTS, [["a"]], "it[0] is text."),
        (records("a", a=TEXT), [{}], "it[0] needs a."),
        (record(a=TEXT), "nonsense", "it is an object."),
        ({"type": "string", "maxLength": 3}, "four", "it has at most 3 characters."),
    ],
)
def test_the_rest_is_refused_in_words_that_say_what_to_send(
    schema: dict[str, object], sent: object, said: str
) -> None:
    with pytest.raises(Invalid) as refused:
        read_arguments(a_tool(Param("it", schema, "It.")), {"it": sent})
    assert str(refused.value) == said


def test_a_missing_parameter_is_named_with_what_it_is_for() -> None:
    tool = a_tool(Param("content", TEXT, "What to remember.", required=True))
    with pytest.raises(Invalid, match=r"try needs content: What to remember\."):
        read_arguments(tool, {})


def test_an_unknown_parameter_is_refused_with_those_there_are() -> None:
    tool = a_tool(Param("key", TEXT, "Key."), Param("tag", TEXT, "Tag.", hidden=True))
    with pytest.raises(Invalid, match=r"try has no parameter 'color'\. It takes: key\."):
        read_arguments(tool, {"key": "a", "color": "red"})
    assert read_arguments(tool, {"tag": "a"}) == {"tag": "a"}


def test_hidden_parameters_are_taken_and_not_offered() -> None:
    tool = a_tool(Param("key", TEXT, "Key."), Param("tag", TEXT, "Tag.", hidden=True))
    assert list(tool.input_schema()["properties"]) == ["key"]
