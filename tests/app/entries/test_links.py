"""How memories speak of one another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.entries.links import NAMES, RELATION, TALK, Links, links_of, names_in
from app.vault import Vault, open_vault
from store.records import USER, Entry, EntryDraft, Scope
from tests.fakes import FakeEmbedder

CLAUDE = Scope("agent", "claude")


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    opened = open_vault(tmp_path / "vault.db", embedder=lambda _name: FakeEmbedder())
    opened.agents.add("claude")
    yield opened
    opened.close()


def keep(vault: Vault, key: str, text: str, scope: Scope = USER, **fields: str) -> Entry:
    return vault.entries.store(EntryDraft(text, scope, key or None, **fields), actor="owner").entry


def links(vault: Vault) -> Links:
    return Links(vault.database, vault.embedding)


def test_a_name_in_double_brackets_links_and_is_heard_on_the_other_side(vault: Vault) -> None:
    anna = keep(vault, "anna", "Anna bakes.")
    cake = keep(vault, "cake", "Ask [[Anna]] about the [[anna|cake]] recipe.")
    found = links(vault)
    assert [(one.kind, two.key) for one, two in found.around(cake).out] == [(NAMES, "anna")]
    assert [two.key for _, two in found.around(anna).back] == ["cake"]
    assert found.around(anna).out == []


def test_a_name_means_the_memory_of_the_same_scope_first(vault: Vault) -> None:
    keep(vault, "target", "The owner's.")
    own = keep(vault, "target", "Claude's own.", CLAUDE)
    speaks = keep(vault, "plan", "See [[target]].", CLAUDE)
    ((_, meant),) = links(vault).around(speaks).out
    assert meant.id == own.id


def test_a_memory_without_a_key_is_called_by_its_first_line(vault: Vault) -> None:
    keep(vault, "", "Sunday market")
    speaks = keep(vault, "list", "For the [[sunday market]].")
    assert len(links(vault).around(speaks).out) == 1


def test_a_relation_joins_the_two_it_names(vault: Vault) -> None:
    keep(vault, "Ida", "A child.")
    keep(vault, "School", "A place.")
    extra = json.dumps({"from": "Ida", "to": "School", "relationType": "goes to"})
    keep(vault, "rel", "Ida goes to School", kind="relationship", extra=extra)
    picture = links(vault).picture()
    (link,) = picture.links
    assert (link.kind, link.word) == (RELATION, "goes to")
    assert {entry.key for entry in picture.entries} == {"Ida", "School"}


def test_what_was_learned_from_one_talk_is_a_chain(vault: Vault) -> None:
    made = [keep(vault, key, f"{key}.") for key in ("one", "two", "three")]
    talks = {entry.id: ("talk",) for entry in made}
    found = links_of(made, talks)
    assert [link.kind for link in found] == [TALK, TALK]
    assert found[0].target == found[1].source


def test_what_is_in_the_trash_is_not_drawn(vault: Vault) -> None:
    anna = keep(vault, "anna", "Anna bakes.")
    keep(vault, "cake", "Ask [[anna]].")
    vault.entries.forget([anna.id], actor="owner")
    assert links(vault).picture().links == []


def test_the_picture_says_how_many_are_linked_at_all(vault: Vault) -> None:
    keep(vault, "hub", "The hub.")
    for number in range(6):
        keep(vault, f"spoke{number}", "Of the [[hub]].")
    picture = links(vault).picture(most=3)
    assert (len(picture.entries), picture.linked) == (3, 7)
    assert picture.entries[0].key == "hub"
    assert len(picture.links) == 2


def test_related_are_the_nearest_in_meaning_and_not_itself(vault: Vault) -> None:
    tea = keep(vault, "tea", "green tea in the morning")
    keep(vault, "tea2", "green tea in the evening")
    vault.embedding.embed_waiting()
    related = links(vault).around(tea).related
    assert [one.key for one in related] == ["tea2"]


@pytest.mark.parametrize("text", ["[[", "[[]]", "[[a\nb]]", "[a]", "]] [["])
def test_what_is_no_name_is_none(vault: Vault, text: str) -> None:
    assert names_in(keep(vault, "x", text)) == []
