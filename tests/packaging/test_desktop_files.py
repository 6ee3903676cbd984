"""What a desktop reads of the packages is what its own tools accept."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from icon_pngs import SIZES, png
from man_page import man_page

from app.cli.command import COMMANDS
from store.file.migrations import APPLICATION_ID
from tests.test_layers import ROOT

DESKTOP = ROOT / "packaging" / "desktop"
ID = "io.github.keepsake_desk.Keepsake"
FLATPAK = ROOT / "packaging" / "flatpak" / f"{ID}.yml"


def accepted(*command: str | Path) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [f"{ID}.desktop", f"{ID}.open.desktop"])
def test_menu_entries(name: str) -> None:
    accepted("desktop-file-validate", DESKTOP / name)


def test_what_software_centres_show() -> None:
    accepted("appstreamcli", "validate", "--no-net", DESKTOP / f"{ID}.metainfo.xml")


def test_the_window_names_its_menu_entry() -> None:
    start = (ROOT / "ui" / "window" / "startup.py").read_text("utf-8")
    assert f'setDesktopFileName("{ID}")' in start


def test_a_vault_is_told_from_any_other_database() -> None:
    tree = ElementTree.parse(DESKTOP / f"{ID}.mime.xml")
    kind = "{http://www.freedesktop.org/standards/shared-mime-info}match"
    marks = [match.get("value") for match in tree.iter(kind) if match.get("offset") == "68"]
    assert marks == [APPLICATION_ID.to_bytes(4).decode()]


@pytest.mark.parametrize("size", SIZES)
def test_icons(size: int) -> None:
    picture = png(size)
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20]) == int.from_bytes(picture[20:24]) == size


def test_the_manual_names_every_command(tmp_path: Path) -> None:
    page = man_page()
    for name in COMMANDS:
        assert f".SS {name.replace('-', chr(92) + '-')}" in page
    file = tmp_path / "keepsake.1"
    file.write_text(page, "utf-8")
    accepted("man", "--warnings", "-l", file)


def test_the_flatpak_names_files_that_are_there() -> None:
    manifest = yaml.safe_load(FLATPAK.read_text("utf-8"))
    assert manifest["id"] == ID
    known = "id runtime runtime-version sdk command finish-args modules"
    assert set(manifest) == set(known.split())
    (module,) = manifest["modules"]
    files = [one["path"] for one in module["sources"] if one["type"] == "file"]
    assert [name for name in files if not (FLATPAK.parent / name).is_file()] == []
    assert "--share=ipc" in manifest["finish-args"]


@pytest.mark.parametrize("name", ["ci", "release"])
def test_the_workflows_name_files_that_are_there(name: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    workflow = yaml.safe_load(text)
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    runs = " ".join(step.get("run", "") for step in steps)
    named = {word for word in runs.split() if word.startswith(("packaging/", ".ci/"))}
    assert named
    assert [one for one in named if not (ROOT / one).exists()] == []
