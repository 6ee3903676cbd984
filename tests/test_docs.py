"""What the docs say is what the code does."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layers import OURS, sources

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
GENERATED = [page for page in PAGES if "[[[cog" in page.read_text("utf-8")]


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.name)
def test_generated_parts_are_current(page: Path) -> None:
    """If this fails: cog -r -I packaging docs/*.md README.md"""
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", "-I", "packaging", str(page)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    broken = [
        target
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_the_docs_name_exist(page: Path) -> None:
    from app.cli.command import COMMANDS

    text = page.read_text("utf-8")
    named = set(re.findall(r"^(?:\$ )?keepsake ([a-z]+(?:-[a-z]+)*)", text, flags=re.M))
    named |= set(re.findall(r"`keepsake ([a-z]+(?:-[a-z]+)*)", text))
    assert named <= set(COMMANDS), named - set(COMMANDS)


CLIENT_PAGES = sorted((ROOT / "docs" / "clients").glob("*.md"))


@pytest.mark.parametrize("page", CLIENT_PAGES, ids=lambda page: page.stem)
def test_a_client_is_chosen_by_the_name_the_window_shows(page: Path) -> None:
    from app.connect.mcp_clients import CLIENTS

    chosen = re.findall(r"choose \*([^*]+)\*", page.read_text("utf-8"))
    assert chosen == ([CLIENTS[page.stem].label] if page.stem in CLIENTS else [])


def test_files_the_docs_name_exist() -> None:
    missing = []
    for page in PAGES:
        named = r"`((?:app|store|ui|bench|tests|packaging|docs)/[\w/.-]+)`"
        for name in re.findall(named, page.read_text("utf-8")):
            if not (ROOT / name).exists():
                missing.append(f"{page.name}: {name}")
    assert missing == []


def test_files_that_comments_name_exist() -> None:
    named = re.compile(r"\b(?:app|store|ui|bench|tests|packaging|docs)/[\w/.-]+\.(?:py|md)\b")
    said = [path for name in (*OURS, "bench", "packaging") for path in sources(name)]
    said += [ROOT / "pyproject.toml", ROOT / ".ci" / "run", *(ROOT / "resources").rglob("*.md")]
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in said
        for name in named.findall(path.read_text("utf-8"))
        if not (ROOT / name).exists()
    }
    assert missing == set()


def test_a_client_that_does_not_start_without_us_has_its_way_out_in_the_docs() -> None:
    from app.connect.mcp_clients import CLIENTS, entry_of, launch

    strict = [one for one in CLIENTS.values() if entry_of(one, launch("t")).get("required")]
    assert [one.name for one in strict] == ["codex"]
    for client in strict:
        page = (ROOT / "docs" / "clients" / f"{client.name}.md").read_text("utf-8")
        for said in ("`required = true`", "does not start", "`required = false`"):
            assert said in page
        installing = (ROOT / "docs" / "install.md").read_text("utf-8")
        assert f"`keepsake disconnect {client.name}`" in installing


def test_the_readmes_two_commands_are_whole() -> None:
    """Both set themselves up: no step before them is needed. CI runs the second one for real."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/keepsake" in text
    assert "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest" in text


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_readmes_run_command_works_on_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    command = "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/keepsake"
    done = subprocess.run(
        ["bash", "-c", f"unset DISPLAY QT_QPA_PLATFORM; {command}"],
        cwd=clone,
        capture_output=True,
        text=True,
    )
    shutil.rmtree(clone)
    assert done.returncode == 2
    assert "keepsake serve" in done.stderr


def test_the_ways_name_their_modules() -> None:
    """The architecture page follows four ways through the house, each by its modules."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for way, least in (("write", 20), ("recall", 12), ("keystroke", 10), ("save", 12)):
        part = text.split(f"## The path of one {way}\n")[1].split("\n## ")[0]
        named = set(re.findall(r"`((?:app|store|ui)/[\w/]+\.py)`", part))
        assert len(named) >= least, (way, len(named))
        assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_module_that_a_write_runs_is_named() -> None:
    """As measured: `keepsake store`, and an agent's `memory_store`."""
    done = subprocess.run(
        [sys.executable, "packaging/measure_house.py", "--ways", "store", "mcp"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    ran = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    assert len(ran) > 30
    assert [name for name in ran if f"`{name.replace('.', '/')}.py`" not in text] == []
