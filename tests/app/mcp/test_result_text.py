"""What a model is told when something is not there, waits, or is more than was asked."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from app.mcp.session import Seat
from app.vault import Vault, open_vault
from store.records import EntryDraft, Scope
from tests.app.mcp.conftest import Speaker, Speaks
from tests.fakes import machine_in


def of_shop(home: Vault, key: str = "prices", content: str = "Prices are in euros") -> None:
    home.entries.store(EntryDraft(content, Scope("workspace", "shop"), key))


def test_recalling_everything_stays_where_the_agent_works(speaks: Speaks, home: Vault) -> None:
    ana = speaks(workspaces=("shop",))
    of_shop(home)
    ana.data("memory_store", key="tea", content="Prefers tea")
    for everything in ("*", "all", ""):
        found = ana.data("memory_recall", query=everything)["entries"]
        assert [entry["key"] for entry in found] == ["tea"]


def test_recall_of_more_than_it_brings_names_no_cursor(speaks: Speaks) -> None:
    ana = speaks()
    for n in range(3):
        ana.data("memory_store", key=f"k{n}", content=f"fact {n}")
    text = ana.text("memory_recall", query="*", limit=2)
    assert "These are 2 of 3." in text
    assert "cursor" not in text


def test_what_has_nothing_to_do_with_the_question_is_left_out(tmp_path: Path) -> None:
    said = ("Prefers green tea", "Guests stay in the blue room", "Marie leads the shop team")
    with closing(open_vault(tmp_path / "real.db")) as vault:  # with the model that ships
        _, token = vault.agents.add("ana", dialect="standard")
        ana = Speaker(Seat(vault, token))
        for content in said:
            vault.entries.store(EntryDraft(content))
        assert len(vault.search.search("green tea")) > 1
        (found,) = ana.data("memory_recall", query="green tea")["matches"]
        assert found["content"] == said[0]
        assert ana.data("memory_recall", query="who was here")["matches"]  # the nearest there is


def test_keyed_lists_on_with_the_cursor_it_was_given(speaks: Speaks) -> None:
    ana = speaks("keyed")
    for n in range(3):
        ana.data("memory_store", key=f"k{n}", category="core", content=f"fact {n}")
    first = ana.data("memory_list", filter={"limit": 2})
    rest = ana.data("memory_list", filter={"limit": 2, "cursor": first["next"]})
    keys = [entry["key"] for page in (first, rest) for entry in page["entries"]]
    assert sorted(keys) == ["k0", "k1", "k2"]
    assert ana.data("memory_list", limit=2, cursor=first["next"]) == rest


def test_no_key_is_called_close_to_itself(speaks: Speaks, home: Vault) -> None:
    ana = speaks(workspaces=("shop",))
    of_shop(home)
    assert ana.text("memory_recall", key="prices") == "no entry `prices`"


def test_a_forget_that_waits_says_that_nothing_was_forgotten(speaks: Speaks, home: Vault) -> None:
    ana = speaks(trust="review")
    home.entries.store(EntryDraft("Prefers tea", Scope("agent", "ana"), "tea"))
    said = ana.text("memory_forget", key="tea")
    assert "nothing was forgotten yet" in said
    assert "remembered" not in said


def test_a_deletion_in_the_graph_that_waits_says_that_nothing_was_deleted(
    speaks: Speaks, home: Vault
) -> None:
    home.entries.store(EntryDraft("- likes tea", key="Marie", category="memory"))
    ana = speaks("graph", trust="review")
    said = ana.text("delete_entities", entityNames=["Marie"])
    assert "nothing was deleted yet" in said
    assert "remembered" not in said


def test_an_edit_of_a_note_speaks_of_the_note(speaks: Speaks) -> None:
    ana = speaks("notes", workspace="shop")
    ana.data("remember", note="Prices are in euros", name="prices", hook="Prices")
    edits = [{"oldText": "dollars", "newText": "euros"}]
    said = ana.refused("edit_note", name="prices", edits=edits)
    assert "is not in the note" in said
    assert "block" not in said


def test_a_file_may_be_empty(speaks: Speaks) -> None:
    ana = speaks("files")
    path = "/memories/todo.md"

    def says(command: str, **arguments: object) -> str:
        return ana("memory", command=command, path=path, **arguments).text

    assert says("create", file_text="") == f"File created successfully at: {path}"
    assert says("view") == f"Here's the content of {path} with line numbers:\n     1\t"
    assert f"0B\t{path}" in ana.text("memory", command="view", path="/memories")
    assert says("insert", insert_line=0, insert_text="one\n") == (
        f"The file {path} has been edited."
    )
    assert says("view").endswith("     1\tone\n     2\t")
    assert says("str_replace", old_str="one\n", new_str="").startswith("The memory file")
    assert says("view").endswith("numbers:\n     1\t")


def test_creating_a_block_that_is_there_says_so(speaks: Speaks) -> None:
    ana = speaks("blocks")
    assert "expected_updated_at null" in ana.refused("memory_get", block="core")
    block = {"block": "core", "content": "- x", "expected_updated_at": None}
    ana.data("update_memory", **block)
    assert "there is a core block already" in ana.refused("update_memory", **block)


def test_a_write_that_contradicts_is_told_so(speaks: Speaks, home: Vault) -> None:
    ana = speaks()
    home.entries.store(EntryDraft("The shop runs on Heroku.", key="host"))
    said = ana.text("memory_store", content="The shop runs on Hetzner.", scope="user")
    assert "It contradicts `host`" in said
    assert "agents are told what was there before" in said
    assert "Heroku" in ana.text("memory_hydrate")
    assert "Hetzner" not in ana.text("memory_hydrate")


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
def test_a_memory_says_when_it_was_true(speaks: Speaks, zone: str) -> None:
    ana = speaks()
    with machine_in(zone):
        said_until_march(ana)


def said_until_march(ana: Speaker) -> None:
    ana.data("memory_store", key="home", content="Lives in Bonn.", true_until="2024-03-01")
    assert "true until 2024-03-01" in ana.text("memory_recall", key="home")
    assert "Bonn" not in ana.text("memory_hydrate")
