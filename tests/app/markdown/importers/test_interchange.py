"""The Open Knowledge Format and Portable AI Memory, both ways."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.access.caller_scope import Caller
from app.markdown.found import FoundEntry
from app.markdown.frontmatter_fields import split
from app.markdown.import_plan import ImportPlan
from app.markdown.importers.portable_memory import canonical, content_hash, semantic
from app.vault import Vault
from store.records import DRAFT_FIELDS, USER, EntryDraft, Scope
from store.tables.entry_filter import EntryFilter
from tests.app.markdown.made_memories import memories

AGENT = Scope("agent", "claude")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def write(vault: Vault, format: str, path: Path) -> Path:
    if format == "pam":
        return vault.export.to_portable(path.with_suffix(".json")).path or path
    return vault.export.to_folder(path, format=format).path or path


def content_of(vault: Vault) -> dict[tuple[str, str], tuple[object, ...]]:
    """Everything about every memory but what is each vault's own."""
    names = (*DRAFT_FIELDS, "scope")
    return {
        (str(entry.scope), entry.key): tuple(getattr(entry, name) for name in names)
        for entry in vault.entries.read_many(vault.entries.ids(EntryFilter()))
    }


def bytes_of(path: Path) -> dict[str, bytes]:
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file()}


@pytest.mark.parametrize("format", ["okf", "pam"])
def test_nothing_is_lost_there_and_back(
    vault: Vault, other: Vault, tmp_path: Path, format: str
) -> None:
    for one in (vault, other):
        one.settings.set("entry_cap", 0)
    some = [*memories(150), EntryDraft("An index.", key="index"), EntryDraft("A log.", key="log")]
    vault.entries.store_many(some)
    vault.blocks.replace(AGENT, "core", "- tea\n", expected_updated_at=None)
    path = write(vault, format, tmp_path / "one")
    plan = other.importing.plan(path)
    assert (plan.format, plan.count("refused")) == (format, 0)
    other.importing.apply(plan)
    assert content_of(other) == content_of(vault)
    assert [block.content for block in other.blocks.listed()] == ["- tea\n"]
    again = vault.importing.plan(path)
    assert again.count("duplicate") == len(again.rows)
    assert bytes_of(write(vault, format, tmp_path / "two")) == bytes_of(path)


def test_a_bundle_follows_the_specification(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store_many(
        [
            *memories(60),
            EntryDraft("Ein Index.", key="index"),
            EntryDraft("Typed.", key="typed", extra='{"type": ["a", "list"], "title": "Mine"}'),
            EntryDraft("Was so.", key="was", true_until="2020-01-01T00:00:00.000000Z"),
        ]
    )
    vault.blocks.replace(USER, "core", "Drinks tea.", expected_updated_at=None)
    vault.export.to_folder(tmp_path / "out", format="okf")
    files = {path.relative_to(tmp_path / "out"): path for path in (tmp_path / "out").rglob("*.md")}
    for name, path in files.items():
        text = path.read_text("utf-8")
        if name.name == "index.md":
            head = (
                yaml.safe_load(split(text) and text.split("---")[1])
                if name.parts == ("index.md",)
                else None
            )
            assert head in (None, {"okf_version": "0.2"})
            assert head is not None or text.startswith("# ")
            for link in re.findall(r"^\* \[.*\]\(([^)]+)\)", text, re.MULTILINE):
                assert re.fullmatch(r"[^\s()<>]+", link)
            continue
        head = yaml.safe_load(text.split("\n---\n")[0].removeprefix("---\n"))
        assert isinstance(head["type"], str), name
        assert head["type"].strip()
        if "block" not in head:
            assert re.fullmatch(r"human:\S+|process:\S+|\S+/\S+", head["generated"]["by"])
            assert _DATE.fullmatch(head["generated"]["at"])
    typed = split(files[Path("user/typed.md")].read_text("utf-8"))[0]
    assert (typed["type"], typed["title"]) == ("Fact", "Mine")
    assert split(files[Path("user/was.md")].read_text("utf-8"))[0]["status"] == "deprecated"


def check_memory(memory: dict[str, Any]) -> None:
    assert re.fullmatch(r"sha256:[a-f0-9]{64}", memory["content_hash"])
    assert memory["id"]
    assert memory["content"]
    assert (memory["type"] == "custom") == bool(memory["custom_type"])
    assert memory["status"] in ("active", "archived")
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_-]*", tag) for tag in memory.get("tags", ()))
    assert re.fullmatch(r"[a-z0-9_-]{2,32}", memory["provenance"]["platform"])
    for at in memory["temporal"].values():
        assert at is None or _DATE.fullmatch(at)
    known = {"id", "type", "custom_type", "status", "content", "content_hash", "summary", "tags"}
    known |= {"confidence", "temporal", "provenance", "access", "metadata"}
    assert memory.keys() <= known


def test_a_memory_store_follows_the_specification(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store_many(memories(60))
    vault.entries.store(EntryDraft("Was so.", true_until="2020-01-01T00:00:00.000000Z"))
    path = write(vault, "pam", tmp_path / "store")
    value = json.loads(path.read_text("utf-8"))
    assert (value["schema"], value["schema_version"]) == ("portable-ai-memory", "1.0")
    assert re.fullmatch(r"keepsake/\d+\.\d+\.\d+", value["exported_by"])
    for memory in value["memories"]:
        check_memory(memory)
    assert {memory["status"] for memory in value["memories"]} == {"active", "archived"}
    integrity = value["integrity"]
    plain = json.dumps(value["memories"], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert integrity["checksum"] == f"sha256:{hashlib.sha256(plain.encode()).hexdigest()}"
    assert integrity["total_memories"] == len(value["memories"])
    assert value["owner"] == json.loads(write(vault, "pam", tmp_path / "b").read_text())["owner"]


def test_numbers_and_texts_are_canonical() -> None:
    said = {"b": [1.0, 0.95, 1e-7, 0.0000015, 1e21], "a": "ü\n\u0001", "c": None, "d": True}
    expected = '{"a":"ü\\n\\u0001","b":[1,0.95,1e-7,0.0000015,1e+21],"c":null,"d":true}'
    assert canonical(said) == expected
    assert content_hash("  Drinks\n  TEA ") == content_hash("drinks tea")
    assert [semantic(v) for v in ("0", "1.2", "1.2.3.dev4")] == ["0.0.0", "1.2.0", "1.2.3"]


FOREIGN: dict[str, Any] = {
    "schema": "portable-ai-memory",
    "schema_version": "1.0",
    "owner": {"id": "somebody"},
    "memories": [
        {
            "id": "one",
            "type": "skill",
            "content": "Writes Rust since 2019.",
            "content_hash": content_hash("Writes Rust since 2019."),
            "summary": "Rust",
            "tags": ["rust"],
            "confidence": {"current": 0.9, "last_reinforced": "2026-01-01T00:00:00Z"},
            "temporal": {
                "created_at": "2025-05-01T10:00:00Z",
                "valid_from": "2019-01-01T00:00:00Z",
            },
            "provenance": {"platform": "chatgpt", "conversation_ref": "c-1"},
        },
        {"id": "two", "type": "fact", "content": "Gone.", "status": "retracted", "temporal": {}},
        {"id": "three", "type": "fact", "content": "Lived in Bonn.", "status": "superseded"},
        {"id": "four", "type": "fact", "content": "  "},
        "five",
    ],
    "relations": [{"id": "r", "from": "one", "to": "two", "type": "related_to"}],
}


def planned(vault: Vault, path: Path, value: object, **how: str) -> ImportPlan:
    path.write_text(json.dumps(value) if not isinstance(value, str) else value, "utf-8")
    return vault.importing.plan(path, **how)  # type: ignore[arg-type]


def test_memories_of_others_come_in_with_what_they_say(vault: Vault, tmp_path: Path) -> None:
    plan = planned(vault, tmp_path / "store.json", FOREIGN)
    assert plan.format == "pam"
    kinds = {row.origin[-1]: (row.what, row.status) for row in plan.rows}
    assert kinds["1"] == ("entry", "new")
    assert kinds["3"] == ("proposal", "new")  # since when it is over is not said: asked
    assert kinds["4"] == kinds["5"] == ("file", "refused")
    assert "took it back" in str(plan.ignored)
    assert "relations" in str(plan.ignored)
    vault.importing.apply(plan)
    entry = next(
        e for e in vault.entries.read_many(vault.entries.ids(EntryFilter())) if e.kind == "skill"
    )
    assert (entry.hook, entry.tags, entry.true_from) == (
        "Rust",
        ("rust",),
        "2019-01-01T00:00:00.000000Z",
    )
    assert entry.verified_at is None  # any use of it counts as reinforced there
    written = json.loads(write(vault, "pam", tmp_path / "again").read_text("utf-8"))["memories"][0]
    assert written["provenance"] == {"platform": "chatgpt", "conversation_ref": "c-1"}
    assert written["confidence"]["current"] == 0.9


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema_version": "2.0"}, "Keepsake reads 1.x"),
        ({"memories": {}}, "no list of memories"),
        ({"integrity": {"checksum": "sha256:00", "total_memories": 5}}, "checksum does not fit"),
        ({"integrity": {"total_memories": 7}}, "says that it has 7 memories, and has 5"),
    ],
)
def test_what_is_wrong_with_a_store_is_said(
    vault: Vault, tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    plan = planned(vault, tmp_path / "store.json", FOREIGN | change)
    assert reason in " ".join(row.reason for row in plan.rows if row.status == "refused")


def test_a_broken_file_is_refused_and_nothing_is_lost(vault: Vault, tmp_path: Path) -> None:
    plan = planned(vault, tmp_path / "x.json", '{"schema": "portable-ai-memory", ', format="pam")
    assert "not valid JSON" in plan.rows[0].reason
    plan = planned(vault, tmp_path / "x.json", '{"schema": "other"}', format="pam")
    assert "does not say that its schema" in plan.rows[0].reason


def test_conversations_beside_the_store_come_in(vault: Vault, tmp_path: Path) -> None:
    talk = {
        "schema": "portable-ai-memory-conversation",
        "schema_version": "1.0",
        "id": "c-1",
        "provider": {"name": "chatgpt"},
        "temporal": {"created_at": "2025-05-01T10:00:00Z"},
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "Hello"}},
            {"role": "assistant", "content": {"type": "text", "text": "hm"}, "is_thought": True},
            {
                "role": "assistant",
                "content": {"type": "multipart", "parts": [{"type": "text", "text": "Hi"}]},
            },
        ],
    }
    plan = planned(vault, tmp_path / "c.json", talk)
    assert [(row.what, row.status) for row in plan.rows] == [("conversation", "new")]
    vault.importing.apply(plan)
    assert [turn.content for turn in vault.conversations.turns(Caller(), "pam-c-1")] == [
        "Hello",
        "Hi",
    ]


def zipped(path: Path, **files: str) -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    path.write_bytes(data.getvalue())
    return path


CONCEPT = """---
type: BigQuery Table
title: Customer Orders
description: One row per completed order.
resource: https://example.org/orders
tags: [sales, orders]
generated: { by: reference_agent/1.5, at: 2026-05-28T14:30:00Z }
verified:
  - { by: process:nightly, at: 2026-06-26T02:00:00Z }
  - { by: human:ahmed, at: 2026-06-25T09:00:00Z }
stale_after: 2026-09-23T00:00:00Z
---

# Schema

Joined with [customers](/tables/customers.md).
"""


def test_a_bundle_of_others_comes_in_and_goes_out_again(
    vault: Vault, other: Vault, tmp_path: Path
) -> None:
    files = {
        "okf/index.md": '---\nokf_version: "0.2"\n---\n\n# Tables\n\n* [Orders](tables/o.md) - x\n',
        "okf/log.md": "# Log\n\n## 2026-05-22\n* **Update**: x\n",
        "okf/tables/orders.md": CONCEPT,
        "okf/old.md": "---\ntype: Preference\nstatus: deprecated\n---\n\nDrank coffee.\n",
        "okf/bad.md": "---\ntype: [\n---\n\nx\n",
        "okf/v01.md": "---\ntype: Fact\ntimestamp: '2026-05-28T22:53:05+00:00'\n---\n\nA fact.\n",
    }
    plan = vault.importing.plan(zipped(tmp_path / "b.zip", **files))
    assert plan.format == "okf"
    status = {row.origin: (row.what, row.status) for row in plan.rows}
    assert status["okf/old.md"] == ("proposal", "new")
    assert status["okf/bad.md"] == ("file", "refused")
    assert len(plan.ignored) == 2  # the index and the log
    vault.importing.apply(plan)
    found = vault.entries.find(USER, "tables/orders")
    assert found is not None
    assert found.hook == "One row per completed order."
    assert (found.written_at[:16], found.stale_after) == (
        "2026-05-28T14:30",
        "2026-09-23T00:00:00.000000Z",
    )
    assert found.verified_at == "2026-06-25T09:00:00.000000Z"
    old = vault.entries.find(USER, "v01")
    assert old is not None
    assert (old.kind, old.written_at[:16]) == ("fact", "2026-05-28T22:53")
    # What is theirs is said again in their words, also from another vault.
    vault.export.to_folder(tmp_path / "out", format="okf")
    other.importing.apply(other.importing.plan(tmp_path / "out"))
    other.export.to_folder(tmp_path / "again", format="okf")
    head = split((tmp_path / "again/user/tables-orders.md").read_text("utf-8"))[0]
    assert (head["type"], head["title"]) == ("BigQuery Table", "Customer Orders")
    assert head["resource"] == "https://example.org/orders"
    assert head["generated"] == {"by": "reference_agent/1.5", "at": "2026-05-28T14:30:00Z"}


def test_a_bundle_is_known_by_its_types_beside_an_index(vault: Vault, tmp_path: Path) -> None:
    files = {"index.md": "# A\n\n* [b](b.md)\n", "b.md": "---\ntype: Fact\n---\n\nB.\n"}
    assert vault.importing.plan(zipped(tmp_path / "b.zip", **files)).format == "okf"
    files["c.md"] = "---\nrating: 5\n---\n\nNo type: some folder of notes.\n"
    plan = vault.importing.plan(zipped(tmp_path / "c.zip", **files))
    assert plan.format == "notes"
    named = vault.importing.plan(tmp_path / "c.zip", format="okf")
    drafts = [row.thing.draft.key for row in named.rows if isinstance(row.thing, FoundEntry)]
    assert sorted(map(str, drafts)) == ["b", "c"]


def test_cancelling_leaves_what_was_there(vault: Vault, tmp_path: Path) -> None:
    vault.entries.store(EntryDraft("Green tea"))
    target = tmp_path / "store.json"
    target.write_text("before")

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        vault.export.to_portable(target, progress=stop)
    assert target.read_text() == "before"
    assert list(tmp_path.glob("*.partial")) == []
