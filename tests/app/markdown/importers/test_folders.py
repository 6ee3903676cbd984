"""A real folder holds more than one kind of file. Nothing of it is lost silently, and importing it
twice is importing it once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.markdown.import_plan import ImportPlan
from app.vault import Vault
from store.records import Entry
from store.tables.entry_filter import EntryFilter

ID = "0123456789abcdef0123456789abcdef"


def made(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def taken(vault: Vault, folder: Path) -> tuple[ImportPlan, dict[str, Entry]]:
    """The plan of an import that was carried out, and every entry by its key."""
    plan = vault.importing.plan(folder)
    vault.importing.apply(plan)
    return plan, {entry.key: entry for entry in every(vault)}


def every(vault: Vault) -> list[Entry]:
    return vault.entries.page(EntryFilter(), 500).entries


def left_alone(plan: ImportPlan) -> dict[str, str]:
    return {one.origin: one.reason for one in plan.ignored}


def assert_twice_is_once(vault: Vault, folder: Path) -> None:
    before = {entry.id: entry.updated_at for entry in every(vault)}
    again = vault.importing.plan(folder)
    assert {row.status for row in again.rows} <= {"duplicate", "refused"}, again.rows
    assert vault.importing.apply(again).created == 0
    assert {entry.id: entry.updated_at for entry in every(vault)} == before


def test_a_stray_file_does_not_decide_for_the_others(vault: Vault, tmp_path: Path) -> None:
    entity = {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["runs"]}
    row = {"id": "1", "memory": "Allergic to nuts", "user_id": "me"}
    folder = made(
        tmp_path / "vault",
        {
            ".obsidian/app.json": "{}",
            "Tea.md": "Green tea",
            "server.json": '{"memory": "16GB", "cpu": 4}',
            "package.json": '{"name": "x", "text": "y"}',
            "memory.jsonl": json.dumps(entity),
            "export/mem0.json": json.dumps([row]),
            "prices.csv": "name,value\ntea,4\n",
            "facts.csv": "key,content\nbins,Out on Tuesday\n",
            "photo.png": "",
            "CLAUDE.md": "# Style\nBe brief",
        },
    )
    plan, entries = taken(vault, folder)
    assert {entry.key.partition("-")[0]: entry.source for entry in entries.values()} == {
        "Tea": "import:obsidian",
        "Ana": "import:memory-jsonl",
        "allergic": "import:mem0",
        "bins": "import:csv",
        "style": "import:claude-code",
    }
    assert set(left_alone(plan)) == {
        ".obsidian/",
        "server.json",
        "package.json",
        "prices.csv",
        "photo.png",
    }
    assert all(left_alone(plan).values())
    assert_twice_is_once(vault, folder)


def test_two_files_of_one_name_stay_apart_at_every_import(vault: Vault, tmp_path: Path) -> None:
    folder = made(
        tmp_path / "r",
        {
            "README.md": "of all",
            "x/README.md": "of x",
            "y/README.md": "of y",
            "x/CLAUDE.md": "# Style\nTabs",
            "y/CLAUDE.md": "# Style\nSpaces",
        },
    )
    _, entries = taken(vault, folder)
    assert {key: entry.content for key, entry in entries.items()} == {
        "README": "of all",
        "x/README": "of x",
        "y/README": "of y",
        "x/style": "Tabs",
        "y/style": "Spaces",
    }
    assert_twice_is_once(vault, folder)
    # A file that comes or goes moves none of the others.
    made(folder, {"z/README.md": "of z"})
    (folder / "x" / "README.md").unlink()
    plan, entries = taken(vault, folder)
    assert (plan.count("new"), plan.count("changed")) == (1, 0)
    assert entries["z/README"].content == "of z"


def test_what_has_one_key_by_its_own_words_is_numbered_the_same_every_time(
    vault: Vault, tmp_path: Path
) -> None:
    folder = made(
        tmp_path / "r",
        {f"{name}.md": f"---\nkey: tea\n---\nfrom {name}" for name in ("a", "b", "c")},
    )
    _, entries = taken(vault, folder)
    assert {key: entry.content for key, entry in entries.items()} == {
        "tea": "from a",
        "tea-2": "from b",
        "tea-3": "from c",
    }
    assert_twice_is_once(vault, folder)


def test_a_long_path_is_a_key_all_the_same(vault: Vault, tmp_path: Path) -> None:
    deep = "/".join(["a folder with a long name"] * 9)
    folder = made(tmp_path / "r", {f"{deep}/one.md": "1", f"b/{deep}/one.md": "2"})
    _, entries = taken(vault, folder)
    assert sorted(entry.content for entry in entries.values()) == ["1", "2"]
    assert all(len(key) <= 200 and key.endswith("/one") for key in entries)
    assert_twice_is_once(vault, folder)


def test_a_file_called_memory_is_a_note_unless_it_is_the_index(
    vault: Vault, tmp_path: Path
) -> None:
    folder = made(
        tmp_path / "r",
        {
            "MEMORY.md": "# Notes\n\n- [tea](tea.md): how it is brewed\n",
            "tea.md": "Green",
            "psych/memory.md": "How people remember",
            "concepts/Memory.md": "Episodic, semantic",
            "prose/MEMORY.md": "My memory of Lisbon",
            "concepts/Claude.md": "A model",
        },
    )
    plan, entries = taken(vault, folder)
    assert set(entries) == {
        "tea",
        "psych/memory",
        "concepts/Memory",
        "prose/MEMORY",
        "concepts/Claude",
    }
    assert entries["tea"].hook == "how it is brewed"
    assert {entry.kind for entry in entries.values()} == {"note"}
    assert set(left_alone(plan)) == {"MEMORY.md"}
    assert_twice_is_once(vault, folder)


def test_a_note_of_properties_alone_comes_in_and_is_found(vault: Vault, tmp_path: Path) -> None:
    film = (
        "---\ncategories:\n  - '[[Movies]]'\ndirector: Ridley Scott\nyear: 1982\n"
        "last: 2023-09-01\nrating:\n---\n"
    )
    folder = made(
        tmp_path / "r", {"Blade Runner.md": film, "Nothing.md": "---\na:\n---\n", "No.md": ""}
    )
    plan, entries = taken(vault, folder)
    assert entries["Blade Runner"].content == (
        "categories: [[Movies]]\ndirector: Ridley Scott\nyear: 1982\nlast: 2023-09-01"
    )
    assert json.loads(entries["Blade Runner"].extra)["year"] == 1982
    assert [hit.entry.key for hit in vault.search.search("ridley scott", mode="keyword")] == [
        "Blade Runner"
    ]
    assert {row.origin: row.reason for row in plan.rows if row.status == "refused"} == {
        "Nothing.md": "it is empty",
        "No.md": "it is empty",
    }
    assert_twice_is_once(vault, folder)


def test_texts_among_notes_are_notes(vault: Vault, tmp_path: Path) -> None:
    _, entries = taken(vault, made(tmp_path / "r", {"a.txt": "one\ntwo\n", "b.md": "- x\n- y\n"}))
    assert {key: entry.content for key, entry in entries.items()} == {
        "a": "one\ntwo",
        "b": "- x\n- y",
    }


def test_logseqs_names_and_properties_are_understood(vault: Vault, tmp_path: Path) -> None:
    folder = made(
        tmp_path / "graph",
        {
            "logseq/config.edn": "{}",
            "logseq/bak/pages/Tea/2023.md": "old",
            "pages/Food___Tea.md": (
                "type:: [[Drink]]\ntags:: green, [[slow morning]]\n\n"
                "- How to brew #kitchen\n  id:: 1\n"
            ),
            "pages/What is it%3F.md": "- A question",
            "pages/Only.md": "alias:: Sole\n",
            "pages/Named.md": "title:: Called/Otherwise\n\n- text",
            "journals/2023_01_05.md": "- Snow",
            "README.md": "About this graph",
        },
    )
    plan, entries = taken(vault, folder)
    assert set(entries) == {
        "Food/Tea",
        "What is it?",
        "Only",
        "Called/Otherwise",
        "journals/2023_01_05",
        "README",
    }
    tea = entries["Food/Tea"]
    assert tea.content == "- How to brew #kitchen\n  id:: 1"
    assert tea.tags == ("green", "slow morning", "kitchen")
    assert json.loads(tea.extra)["type"] == "[[Drink]]"
    assert entries["Only"].content == "alias: Sole"
    assert entries["journals/2023_01_05"].created_at.startswith(("2023-01-04", "2023-01-05"))
    assert left_alone(plan) == {
        "logseq/bak/pages/Tea/2023.md": "it is a backup that Logseq made",
        "logseq/config.edn": left_alone(plan)["logseq/config.edn"],
    }
    assert_twice_is_once(vault, folder)


def test_notions_ids_go_and_its_properties_and_tables_come(vault: Vault, tmp_path: Path) -> None:
    page = "# Brew tea\n\nTags: kitchen, slow\nStatus: Done\n\nUse soft water.\n"
    folder = made(
        tmp_path / "export",
        {
            f"Home {ID}.md": "# Home\n\nStatus: this is a sentence here.\n",
            f"Home {ID}/Tasks {ID}.csv": 'Name,Tags,Status\nBrew tea,"kitchen, slow",Done\n',
            f"Home {ID}/Tasks {ID}_all.csv": (
                'Name,Tags,Status\nBrew tea,"kitchen, slow",Done\nBuy milk,shop,Open\n'
                "No body,,Open\n"
            ),
            f"Home {ID}/Tasks {ID}/Brew tea {ID}.md": page,
            f"Home {ID}/Tasks {ID}/No body {ID}.md": "# No body\n\nStatus: Open\n",
            "Loose.md": "A note",
        },
    )
    plan, entries = taken(vault, folder)
    assert set(entries) == {
        "Home",
        "Home/Tasks/Brew tea",
        "Home/Tasks/No body",
        "Home/Tasks/Buy milk",
        "Loose",
    }
    tea = entries["Home/Tasks/Brew tea"]
    assert tea.content == "# Brew tea\n\nUse soft water."
    assert (tea.tags, json.loads(tea.extra)["Status"]) == (("kitchen", "slow"), "Done")
    assert entries["Home/Tasks/No body"].content == "# No body\n\nStatus: Open"
    assert "Status: Open" in entries["Home/Tasks/Buy milk"].content
    assert entries["Home"].content == "# Home\n\nStatus: this is a sentence here."
    assert len(left_alone(plan)) == 2
    assert_twice_is_once(vault, folder)


@pytest.mark.parametrize("older", [False, True])
def test_lettas_blocks_are_memories_and_its_messages_a_conversation(
    vault: Vault, tmp_path: Path, older: bool
) -> None:
    blocks = [
        {"id": "b-0", "label": "human", "value": "Name: Chad", "description": "Who it talks to"},
        {"id": "b-1", "label": "persona", "value": "I am Sam."},
        {"id": "b-2", "label": "/notes/trips", "value": "Porto in May"},
        {"id": "b-3", "label": "empty", "value": ""},
    ]
    said = [
        {"role": "system", "content": [{"type": "text", "text": "You are Sam"}]},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Hello"}],
            "created_at": "2025-01-02",
        },
        {"role": "assistant", "text": "Hi"},
    ]
    agent: dict[str, object] = {"name": "sam", "messages": said}
    whole: dict[str, object] = (
        {**agent, "agent_type": "memgpt_agent", "core_memory": blocks, "tools": []}
        if older
        else {
            "agents": [{**agent, "block_ids": [block["id"] for block in blocks]}],
            "blocks": [*blocks, {"id": "b-9", "label": "other", "value": "Of nobody"}],
        }
    )
    text = json.dumps(whole)
    folder = made(tmp_path / "r", {"sam.af": json.dumps(text) if older else text})
    plan, entries = taken(vault, folder)
    assert {key: (entry.content, entry.category) for key, entry in entries.items()} == {
        "sam/human": ("Name: Chad", "core"),
        "sam/persona": ("I am Sam.", "core"),
        "sam/notes/trips": ("Porto in May", "memory"),
    }
    assert entries["sam/human"].hook == "Who it talks to"
    assert plan.count("new", "conversation") == 1
    assert "sam.af" in left_alone(plan)
    assert_twice_is_once(vault, folder)
