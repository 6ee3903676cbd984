from __future__ import annotations

import itertools

import pytest

from app.errors import Invalid
from app.rules.layers import PRESETS, keeps_turns, layers_config, parse, session_mode, sleep_mode
from store.records import Agent, Layers


def test_the_three_layers_are_switched_independently() -> None:
    for session in (True, False):
        for types in ([], ["working"], ["long_term"], ["working", "long_term"]):
            config = {"session_memory": session, "types": types}
            assert layers_config(parse(config)) == config


def test_a_field_left_out_keeps_its_default() -> None:
    assert parse({}) == Layers()
    assert parse({"types": []}) == Layers(session_memory=True, types=())


def test_types_come_back_in_one_order_and_once() -> None:
    assert parse({"types": ["long_term", "working", "working"]}).types == ("working", "long_term")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"session_memory": "yes"}, "true or false"),
        ({"types": "working"}, "list"),
        ({"types": ["session"]}, "'session'"),
        ({"kinds": []}, "kinds"),
        ([], "object"),
        ("forgetful", "preset"),
    ],
)
def test_a_wrong_configuration_is_refused_by_name(value: object, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        parse(value)


def test_each_style_of_agent_has_a_preset() -> None:
    switches = {
        name: (layers.working, layers.session_memory, layers.long_term)
        for name, layers in PRESETS.items()
    }
    assert switches == {
        "one-shot": (False, False, False),
        "chat": (True, False, False),
        "recurring": (True, True, False),
        "personal": (True, True, True),
    }
    assert [parse(name) for name in PRESETS] == list(PRESETS.values())


def test_learning_follows_the_strictest_of_switch_trust_and_layer() -> None:
    order = {"off": 0, "review": 1, "direct": 2}
    for sleep, trust in itertools.product(order, ("direct", "review", "read_only")):
        agent = Agent("a", "A", trust=trust, sleep=sleep)
        allowed = {"direct": 2, "review": 1, "read_only": 0}[trust]
        assert order[sleep_mode(agent)] == min(order[sleep], allowed)
    assert sleep_mode(Agent("a", "A", sleep="direct", layers=Layers(types=("working",)))) == "off"
    assert sleep_mode(Agent("a", "A", sleep="direct", write_scopes=("user",))) == "off"
    assert sleep_mode(Agent("a", "A", sleep="direct", revoked_at="2026")) == "off"


def test_session_memory_waits_for_review_where_the_agent_is_reviewed() -> None:
    assert session_mode(Agent("a", "A")) == "direct"
    assert session_mode(Agent("a", "A", trust="review")) == "review"
    assert session_mode(Agent("a", "A", trust="read_only")) == "off"
    assert session_mode(Agent("a", "A", layers=Layers(session_memory=False))) == "off"


def test_turns_are_kept_while_any_layer_needs_them() -> None:
    assert not keeps_turns(Agent("a", "A", layers=PRESETS["one-shot"]))
    assert keeps_turns(Agent("a", "A", layers=PRESETS["chat"]))
    assert keeps_turns(Agent("a", "A", layers=Layers(True, ())))
    assert keeps_turns(Agent("a", "A", layers=Layers(False, ("long_term",))))
    assert not keeps_turns(Agent("a", "A", layers=Layers(False, ("long_term",)), sleep="off"))
