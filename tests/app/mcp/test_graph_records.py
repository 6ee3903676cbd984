from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.mcp.actions.graph import (
    KEY_CHARS,
    Relation,
    content_of,
    entity_extra,
    graph_of,
    observations_of,
    relation_extra,
    relation_key,
)
from tests.fakes import an_entry

lines = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1)
observations = st.lists(st.lists(lines, min_size=1, max_size=3).map("\n".join), max_size=5)


@given(observations)
def test_observations_survive_being_written_as_a_list(said: list[str]) -> None:
    assert observations_of("Ana", content_of("Ana", said)) == tuple(said)


def test_what_a_person_wrote_by_hand_is_an_observation_too() -> None:
    assert observations_of("Ana", "Lives in Oslo.\n- likes tea") == ("Lives in Oslo.", "likes tea")


def test_a_graph_is_read_from_entries_as_importing_makes_them() -> None:
    ana = an_entry("- likes tea", key="Ana", category="memory", extra=entity_extra("person"))
    acme = an_entry("Acme", key="Acme", category="memory", extra=entity_extra("company"))
    works = an_entry(
        "Ana works at Acme",
        key="ana-works-at",
        kind="relationship",
        extra=relation_extra(Relation("Ana", "Acme", "works_at")),
    )
    graph = graph_of([works, acme, ana])
    assert graph.as_json() == {
        "entities": [
            {"name": "Ana", "entityType": "person", "observations": ["likes tea"]},
            {"name": "Acme", "entityType": "company", "observations": []},
        ],
        "relations": [{"from": "Ana", "to": "Acme", "relationType": "works_at"}],
    }


def test_searching_ignores_case_and_brings_the_relations_that_touch() -> None:
    ana = an_entry("- likes Tea", key="Ana", extra=entity_extra("person"))
    bob = an_entry("- runs", key="Bob", extra=entity_extra("person"))
    extra = relation_extra(Relation("Bob", "Ana", "knows"))
    knows = an_entry("x", kind="relationship", extra=extra)
    found = graph_of([ana, bob, knows]).matching("tea")
    assert list(found.entities) == ["Ana"]
    assert list(found.relations) == [Relation("Bob", "Ana", "knows")]


def test_a_fact_another_agent_stored_is_an_entity_of_its_kind() -> None:
    entry = an_entry("Prefers tea.", key="tea", kind="preference")
    assert graph_of([entry]).as_json()["entities"] == [
        {"name": "tea", "entityType": "preference", "observations": ["Prefers tea."]}
    ]


@given(lines, lines, lines)
def test_the_same_relation_has_the_same_key_and_it_fits(a: str, b: str, kind: str) -> None:
    relation = Relation(a, b, kind)
    assert relation_key(relation) == relation_key(Relation(a, b, kind))
    assert len(relation_key(relation)) <= KEY_CHARS


def test_long_relations_that_start_alike_have_keys_of_their_own() -> None:
    one, other = Relation("a" * 300, "b", "knows"), Relation("a" * 300, "c", "knows")
    assert relation_key(one) != relation_key(other)
