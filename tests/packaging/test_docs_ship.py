"""The pages of docs/ travel with the program, where Help reads them without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from one_package import PACKAGE, stage

import resources
from tests.test_layers import ROOT

ASK = f"from {PACKAGE} import resources as r; print(r.docs_folder()); print(r.docs_page('rules'))"


def test_a_source_tree_reads_its_own_docs() -> None:
    assert resources.docs_folder() == ROOT / "docs"
    assert "rules" in resources.docs_pages()
    assert resources.docs_page("rules") == (ROOT / "docs" / "rules.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["../README", "no-such-page", "", "/etc/hostname", "rules.md"])
def test_only_a_page_is_read(name: str) -> None:
    with pytest.raises(LookupError):
        resources.docs_page(name)


def test_what_ships_has_every_page_and_picture(tmp_path: Path) -> None:
    stage(ROOT, tmp_path)
    shipped = tmp_path / PACKAGE / "resources" / "docs"
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    where, _, said = done.stdout.partition("\n")
    assert Path(where) == shipped
    assert said.strip() == resources.docs_page("rules").strip()
    for name in [*resources.docs_pages(), *(f"de/{one}" for one in resources.docs_pages("de"))]:
        page = shipped / f"{name}.md"
        pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text("utf-8"))
        assert [one for one in pictures if not (page.parent / one).is_file()] == [], name
