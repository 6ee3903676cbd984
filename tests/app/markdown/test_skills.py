"""A note becomes a skill that agents can load."""

from __future__ import annotations

from pathlib import Path

import frontmatter
import pytest

from app.errors import Invalid, Refused
from app.markdown.notes import promote, skill_of
from app.outcomes import Saved
from app.vault import Vault
from store.records import Entry, EntryDraft


def stored(vault: Vault, **fields: object) -> Entry:
    saved = vault.entries.store(EntryDraft(**{"content": "Wash, then dry.", **fields}))  # type: ignore[arg-type]
    assert isinstance(saved, Saved)
    return saved.entry


def test_a_skill_has_a_folder_a_name_and_a_description(vault: Vault, tmp_path: Path) -> None:
    entry = stored(vault, key="Salad: how to!", hook="when salad is to be made <now>")
    path = promote(entry, tmp_path / "skills")
    assert path == tmp_path / "skills/salad-how-to/SKILL.md"
    fields, body = frontmatter.parse(path.read_text())
    assert fields == {"name": "salad-how-to", "description": "when salad is to be made now"}
    assert body == "# Salad: how to!\n\nWash, then dry."


def test_an_existing_skill_is_replaced_only_when_asked(vault: Vault, tmp_path: Path) -> None:
    entry = stored(vault, key="salad")
    promote(entry, tmp_path)
    with pytest.raises(Refused, match="--replace"):
        promote(entry, tmp_path)
    promote(entry, tmp_path, replace=True, description="other")
    assert "description: other" in (tmp_path / "salad/SKILL.md").read_text()


def test_a_skills_name_is_short_plain_letters(vault: Vault) -> None:
    assert len(skill_of(stored(vault, key="long " * 30)).name) <= 64
    with pytest.raises(Invalid, match="--name"):
        skill_of(stored(vault, key="塩"))
    assert skill_of(stored(vault, key="塩"), name="Salt").name == "salt"


def test_a_skill_never_lands_outside_its_folder(vault: Vault, tmp_path: Path) -> None:
    path = promote(stored(vault, key="../../etc/x"), tmp_path / "skills")
    assert (tmp_path / "skills") in path.parents
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "skills/salad").symlink_to(tmp_path)
    with pytest.raises(Refused, match="symbolic link"):
        promote(stored(vault, key="salad"), tmp_path / "skills")
