"""Memories in a project's own files: between two marks, current, within a budget, gone without a
trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Invalid, NotFound
from app.hooks.transcripts import said
from app.markdown.projection import (
    FILES,
    Projection,
    Projections,
    block_span,
    with_block,
    without_block,
)
from app.vault import Vault
from store.records import USER, EntryDraft, Scope

OWN = "# Shop\n\nBuild with make.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "AGENTS.md").write_text(OWN)
    return folder


def store(vault: Vault, text: str, **fields: object) -> str:
    draft = EntryDraft(text, Scope("workspace", "shop"), **fields)  # type: ignore[arg-type]
    return vault.entries.store(draft).entry.id


def projections(vault: Vault) -> Projections:
    return Projections(vault.database, vault.clock)


@given(st.text(alphabet="ab \n#", max_size=40), st.text(alphabet="xy", min_size=1, max_size=20))
def test_a_block_comes_and_goes_and_the_rest_stays(own: str, body: str) -> None:
    text = with_block(own, body)
    assert body in text
    assert with_block(text, body) == text
    assert with_block(with_block(text, "other"), body) == text
    assert without_block(text) == own
    assert said(text) == said(own)  # nothing of it is ever learned


def test_the_files_of_a_project_hold_its_memories_and_no_others(
    vault: Vault, project: Path
) -> None:
    store(vault, "We use Postgres 16.")
    vault.entries.store(EntryDraft("The owner drinks tea.", USER))
    projections(vault).add(Projection(str(project), "shop"))
    agents = (project / "AGENTS.md").read_text()
    assert agents.startswith(OWN)
    assert "- We use Postgres 16." in agents
    assert "tea" not in agents
    assert "@.keepsake/memory.md" in (project / "CLAUDE.md").read_text()
    assert "Postgres" not in (project / "CLAUDE.md").read_text()
    assert "Postgres" in (project / ".keepsake" / "memory.md").read_text()
    assert "Postgres" in (project / "GEMINI.md").read_text()


def test_it_follows_the_vault_and_goes_without_a_trace(vault: Vault, project: Path) -> None:
    ident = store(vault, "We use Postgres 16.")
    store(vault, "We deploy on Fridays.")
    held = projections(vault)
    held.add(Projection(str(project), "shop"))
    assert held.refresh() == []
    vault.entries.forget([ident])
    assert len(held.refresh()) == 3
    assert "Postgres" not in (project / "AGENTS.md").read_text()
    held.remove(project)
    assert (project / "AGENTS.md").read_text() == OWN
    assert [path.name for path in project.iterdir()] == ["AGENTS.md"]
    with pytest.raises(NotFound):
        held.remove(project)


def test_lines_that_were_moved_around_the_block_stay_lines() -> None:
    block = with_block("", "- a\n")
    assert without_block(f"# Title\n{block}More\n") == "# Title\nMore\n"


@pytest.mark.parametrize("own", [b"# Ours\r\n\r\nmore\r\n", b"no line end", b"\n# Ours\n\n"])
def test_the_rest_of_a_file_stays_to_the_byte(vault: Vault, project: Path, own: bytes) -> None:
    (project / "AGENTS.md").write_bytes(own)
    store(vault, "We use Postgres 16.")
    held = projections(vault)
    held.add(Projection(str(project), "shop", ("AGENTS.md",)))
    with_it = (project / "AGENTS.md").read_bytes()
    assert with_it.startswith(own)
    assert block_span(with_it.decode()) == (len(own) + (2 if b"\r" in own else 1), len(with_it))
    assert b"\r\n" not in own or with_it.count(b"\n") == with_it.count(b"\r\n")
    held.remove(project)
    assert (project / "AGENTS.md").read_bytes() == own


def test_it_keeps_to_its_budget_and_to_what_was_chosen(vault: Vault, project: Path) -> None:
    for number in range(40):
        store(vault, f"Fact number {number} of this project.", tags=("api",) if number else ())
    store(vault, "x" * 5_000, importance=10)
    held = projections(vault)
    held.add(Projection(str(project), "shop", ("GEMINI.md",), budget=512))
    assert len((project / "GEMINI.md").read_bytes()) < 700
    held.add(Projection(str(project), "shop", ("GEMINI.md",), tag="api"))
    assert "number 0 " not in (project / "GEMINI.md").read_text()


def test_what_cannot_be_is_refused(vault: Vault, project: Path) -> None:
    with pytest.raises(Invalid, match="Memories go into"):
        projections(vault).add(Projection(str(project), "shop", ("README.md",)))
    with pytest.raises(NotFound):
        projections(vault).add(Projection(str(project / "none"), "shop"))
    assert FILES == ("AGENTS.md", "GEMINI.md", "CLAUDE.md")
