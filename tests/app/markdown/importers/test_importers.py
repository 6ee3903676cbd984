"""Each format is recognised by itself and read without loss or surprise."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from app.errors import Invalid
from app.markdown.found import (
    Found,
    FoundClaim,
    FoundConversation,
    FoundEntry,
    Ignored,
    Refusal,
    key_for,
    moment,
)
from app.markdown.importers import recognise
from app.markdown.source_files import Sources, from_folder, from_text, from_zip, open_sources
from store.records import USER, EntryDraft, Scope

SAMPLES = Path(__file__).parents[3] / "samples"


def found_in(path: Path, scope: Scope | None = None) -> tuple[str, list[Found]]:
    with open_sources(path) as sources:
        return read_all(sources, scope=scope)


def read_all(
    sources: Sources, format: str | None = None, scope: Scope | None = None
) -> tuple[str, list[Found]]:
    """The formats' names, and what is found."""
    recognised = recognise(sources, format)
    found: list[Found] = [*recognised.ignored]
    for part in recognised.parts:
        found += part.importer.read(part.sources, scope)
    return ", ".join(part.importer.name for part in recognised.parts), found


def ignored(found: list[Found]) -> dict[str, str]:
    return {one.origin: one.reason for one in found if isinstance(one, Ignored)}


def drafts(found: list[Found]) -> dict[str, EntryDraft]:
    return {one.draft.key or "": one.draft for one in found if isinstance(one, FoundEntry)}


def refusals(found: list[Found]) -> dict[str, str]:
    return {one.origin: one.reason for one in found if isinstance(one, Refusal)}


@pytest.mark.utc
def test_an_obsidian_vault_keeps_fields_tags_and_links() -> None:
    name, found = found_in(SAMPLES / "obsidian")
    notes = drafts(found)
    assert name == "obsidian"
    assert set(notes) == {"Tea", "Projects/Plan", "Archive/Plan"}
    tea = notes["Tea"]
    assert tea.tags == ("drinks", "kitchen", "habit", "drinks/green")
    assert "[[Kettle|the kettle]]" in tea.content
    assert tea.created_at == "2023-11-02T00:00:00.000000Z"
    assert json.loads(tea.extra or "")["aliases"] == ["Brewing", "Cha"]
    assert notes["Archive/Plan"].importance == 2
    assert set(refusals(found)) == {"Broken.md", "Empty.md"}


def test_claude_codes_memory_takes_hooks_from_its_index_and_sections_from_claude_md() -> None:
    name, found = found_in(SAMPLES / "claude_code")
    notes = drafts(found)
    assert name == "claude-code"
    style = notes["feedback_answer_style"]
    assert (style.hook, style.kind) == ("keep answers short, no summary at the end", "instruction")
    assert json.loads(style.extra or "")["type"] == "feedback"
    assert notes["project_deploys"].kind == "decision"
    assert notes["user_role"].hook == "What the user does"
    assert notes["style"].content == "- Two spaces in YAML\n- No abbreviations"
    assert "# not a heading" in notes["build"].content
    assert notes["build"].kind == "instruction"
    assert len(notes) == 6


def test_chatgpt_conversations_follow_the_shown_branch_and_claims_are_not_stored() -> None:
    name, found = found_in(SAMPLES / "chatgpt")
    assert name == "chatgpt"
    talks = [one for one in found if isinstance(one, FoundConversation)]
    assert [talk.title for talk in talks] == ["Weekend in Porto", "A loop"]
    assert [(turn.role, turn.content) for turn in talks[0].turns] == [
        ("user", "Two days in Porto, I am vegetarian."),
        ("assistant", "Start at the Ribeira."),
        ("user", "My sister Ana comes too."),
    ]
    assert talks[0].started_at == "2024-04-30T16:00:00.250000Z"
    claims = [one.draft.content for one in found if isinstance(one, FoundClaim)]
    assert claims == [
        "I live in Lyon and teach physics.",
        "Is vegetarian.",
        "Plans a trip to Porto.",
    ]
    assert not drafts(found)
    assert refusals(found) == {
        "conversations.json #2 Nothing was said": "nothing in it was said in words",
        "conversations.json #4": "it holds no messages",
    }


def test_chatgpt_is_read_from_its_zip() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(SAMPLES / "chatgpt" / "conversations.json", "conversations.json")
        archive.writestr("chat.html", "<html></html>")
    sources = from_zip(packed, "export")
    name, found = read_all(sources)
    assert name == "chatgpt"
    assert list(ignored(found)) == ["chat.html"]


def test_saved_memories_pasted_as_text_are_one_a_line() -> None:
    name, found = found_in(SAMPLES / "saved_memories.txt")
    assert name == "list"
    assert [draft.content for draft in drafts(found).values()] == [
        "Has a daughter named Lio.",
        "Prefers answers in bullet points.",
        "Is training for a half marathon in May.",
    ]


def test_claudes_export_gives_memories_projects_and_conversations() -> None:
    name, found = found_in(SAMPLES / "claude_export")
    assert name == "claude"
    by_text = {draft.content: draft for draft in drafts(found).values()}
    assert by_text["Mira runs a bindery in Ghent."].tags == ("work-context",)
    assert by_text["Prefers metric units"].scope == USER
    assert by_text["Wants sources named"].tags == ("preferences",)
    catalogue = Scope("workspace", "spring-catalogue")
    assert by_text["The catalogue is printed in March."].scope == catalogue
    assert by_text["Answer as a typesetter."].kind == "instruction"
    assert by_text["Paper is 120 g."].key == "paper.md"
    (talk,) = [one for one in found if isinstance(one, FoundConversation)]
    assert [(turn.role, turn.content) for turn in talk.turns] == [
        ("user", "Which glue for leather? I am allergic to latex."),
        ("assistant", "Wheat paste."),
    ]
    assert refusals(found) == {"conversations.json #2 Empty": "it holds no messages"}


def test_claudes_newer_export_holds_one_object_per_account() -> None:
    name, found = found_in(SAMPLES / "claude_export_files")
    assert name == "claude"
    assert [draft.content for draft in drafts(found).values()] == [
        "Mira runs a bindery in Ghent.",
        "Wheat paste for leather.",
    ]


def test_memory_jsonl_skips_and_counts_bad_lines() -> None:
    name, found = found_in(SAMPLES / "memory.jsonl")
    notes = drafts(found)
    assert name == "memory-jsonl"
    assert notes["Ada"].content == "- Writes programs\n- Lives in London"
    assert notes["Ada"].tags == ("person",)
    relation = next(draft for draft in notes.values() if draft.kind == "relationship")
    assert relation.content == "Ada works on Engine"
    assert list(refusals(found)) == ["memory.jsonl:4", "memory.jsonl:5", "memory.jsonl:6"]


def test_mem0_rows_keep_dates_categories_and_agents() -> None:
    name, found = found_in(SAMPLES / "mem0.json")
    by_text = {draft.content: draft for draft in drafts(found).values()}
    assert name == "mem0"
    peanuts = by_text["Allergic to peanuts"]
    assert (peanuts.tags, peanuts.created_at) == (("health", "food"), "2025-05-01T15:00:00.000000Z")
    assert by_text["Answers in Spanish"].scope == Scope("agent", "tutor")
    assert refusals(found) == {"mem0.json #3": "the row holds no memory"}


@pytest.mark.utc
def test_a_markdown_list_is_one_memory_an_item() -> None:
    name, found = found_in(SAMPLES / "list.md")
    by_text = {draft.content: draft for draft in drafts(found).values()}
    assert name == "list"
    assert set(by_text) == {
        "Drinks tea without milk",
        "Cycles to work\n  except when it snows",
        "Speaks Dutch and French",
        "Leads the print room",
    }
    led = by_text["Leads the print room"]
    assert (led.tags, led.created_at) == (("work",), "2024-03-09T00:00:00.000000Z")


def test_a_csv_table_is_read_by_its_header() -> None:
    name, found = found_in(SAMPLES / "table.csv")
    notes = drafts(found)
    assert name == "csv"
    router = notes["router"]
    assert (router.importance, router.tags) == (7, ("home", "network"))
    assert router.content == "The router is in the hall, behind the coats"
    assert len(notes) == 2
    assert list(refusals(found)) == ["table.csv:4", "table.csv:5"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", "content\nBins go out on Tuesday\n"),
        ("x.csv", "Key;Content;Tags\nb;Bins go out on Tuesday;home, week\n\n"),
        ("x.tsv", "key\tcontent\nb\tBins go out on Tuesday\t\tmore than the header\n"),
        ("x.csv", '\ufeffcontent|key\r\n"Bins go out on Tuesday"|b\r\n'),
        ("x.json", '[{"id": "b", "content": "Bins go out on Tuesday", "tags": ["home", "week"]}]'),
        ("x.jsonl", '{"text": "Bins go out on Tuesday", "importance": 7}\n\n'),
    ],
)
def test_a_table_is_read_in_whatever_form_it_comes(name: str, text: str) -> None:
    sources = from_text(text, name)
    name, (found,) = read_all(sources)
    assert name == "csv"
    assert isinstance(found, FoundEntry)
    assert found.draft.content == "Bins go out on Tuesday"
    assert found.draft.tags in ((), ("home", "week"))


def test_a_broken_line_of_rows_costs_itself_alone() -> None:
    lines = [
        "{nope",
        '{"memory": "Likes tea"}',
        "",
        "[1]",
        '{"size": 5}',
        '{"memory": "Has a dog"}',
    ]
    name, found = read_all(from_text("\n".join(lines), "x.jsonl"))
    assert name == "csv"
    assert [one.draft.content for one in found if isinstance(one, FoundEntry)] == [
        "Likes tea",
        "Has a dog",
    ]
    assert list(refusals(found)) == ["x.jsonl:1", "x.jsonl:4", "x.jsonl:5"]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_line_of_json_goes_on_after_what_ends_lines_elsewhere(mark: str) -> None:
    """JavaScript writes most of them into its strings as they are."""
    said = f"likes{mark}tea"
    entity = {"type": "entity", "name": "Ana", "entityType": "person", "observations": [said]}
    name, (one,) = read_all(from_text(json.dumps(entity, ensure_ascii=False), "memory.jsonl"))
    assert name == "memory-jsonl"
    assert isinstance(one, FoundEntry), one


def test_json_that_is_no_table_is_not_taken_for_one() -> None:
    for text in ('[{"size": 5}]', '{"value": 5}', '{"content": {"a": 1}}', "[]", "[1, 2]", "{"):
        with pytest.raises(Invalid):
            recognise(from_text(text, "x.json"))


def test_the_owners_scope_wins_over_the_formats() -> None:
    _, found = found_in(SAMPLES / "mem0.json", Scope("workspace", "shop"))
    assert {draft.scope for draft in drafts(found).values()} == {Scope("workspace", "shop")}


def test_files_of_no_known_kind_are_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    with pytest.raises(Invalid, match="looks like memories"):
        recognise(from_folder(tmp_path))
    (tmp_path / "sizes.json").write_text('{"size": 5}')
    with (
        open_sources(tmp_path / "sizes.json") as sources,
        pytest.raises(Invalid, match=r"Nothing in sizes\.json looks like"),
    ):
        recognise(sources)


def test_the_same_words_always_make_the_same_key() -> None:
    assert key_for("Drinks tea") == key_for("Drinks tea") != key_for("Drinks tea.")
    assert key_for("茶") != key_for("水")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30, "soon", None, True, [], -1e30])
def test_a_date_that_is_none_is_left_out(value: object) -> None:
    assert moment(value) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '"x"',
        "[1, [2]]",
        "[" * 100_000,
        '{"results": 5}',
        '[{"memory": 5}]',
        '{"mapping": []}',
        '[{"mapping": {"a": 1}, "current_node": 7}]',
        '[{"chat_messages": [1]}]',
        '{"conversations_memory": 5, "project_memories": [1]}',
        "NaN",
        "\ud800",
    ],
)
@pytest.mark.parametrize(
    "name", ["conversations.json", "memories.json", "x.json", "x.jsonl", "x.csv"]
)
def test_strange_json_is_refused_or_empty_never_a_crash(text: str, name: str) -> None:
    sources: Sources = from_text(text, name)
    for format_ in (
        "chatgpt",
        "claude",
        "mem0",
        "memory-jsonl",
        "csv",
        "list",
        "notes",
        "obsidian",
        "logseq",
        "notion",
        "letta",
    ):
        _, found = read_all(sources, format_)
        assert all(isinstance(one, Refusal | Ignored) for one in found)
    try:
        _, found = read_all(sources)
    except Invalid:
        return
    assert all(isinstance(one, Refusal | Ignored) for one in found)
