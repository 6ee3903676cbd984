"""The site is made of the pages that are there, and knows every one of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import resources
from tests.test_layers import ROOT

CONFIG = ROOT / "packaging" / "mkdocs.yml"


def named(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [name for part in parts for name in named(part)]


def test_every_page_has_its_place() -> None:
    # The base loader takes the tag with which the site names a function for what it is: a mapping.
    pages = named(yaml.load(CONFIG.read_text("utf-8"), yaml.BaseLoader)["nav"])
    german = [f"de/{name}.md" for name in resources.docs_pages("de")]
    assert sorted(pages) == sorted([*(f"{name}.md" for name in resources.docs_pages()), *german])
    assert len(pages) == len(set(pages))


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "mkdocs-material"], check=True)
    command = [python, "-m", "mkdocs", "build", "--strict", "--config-file", CONFIG]
    done = subprocess.run(
        [*command, "--site-dir", tmp_path / "site"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "clients" / "claude-code" / "index.html").is_file()
