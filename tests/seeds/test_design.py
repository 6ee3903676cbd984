"""What Keepsake is made of."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.seeds.rows import rows

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("distribution", "module", "folder"),
    [
        ("PySide6-Essentials", "PySide6", "ui"),
        ("sentence-transformers", "sentence_transformers", "store/models"),
        ("markdown-it-py", "markdown_it", "ui"),
        ("python-frontmatter", "frontmatter", "app/markdown"),
        ("pytest-qt", "pytestqt", "tests/ui"),
    ],
)
@rows(217, 219, 220, 221, 223)
def test_it_is_declared_and_used_where_it_belongs(
    distribution: str, module: str, folder: str
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(one for extra in extras for one in extra)]
    assert distribution in {re.split(r"[\[<>=!~; ]", one)[0] for one in wanted}
    used = re.compile(rf"^\s*(?:from|import) {module}\b", re.MULTILINE)
    files = (ROOT / folder).rglob("*.py")
    assert any(used.search(path.read_text(encoding="utf-8")) for path in files)
