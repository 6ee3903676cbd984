"""Serving from the start of the session."""

from __future__ import annotations

import plistlib
from pathlib import Path

import pytest

from app.connect import autostart
from app.errors import Refused


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_on_and_off_again(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDATA", str(tmp_path))
    assert not autostart.is_on(platform)
    vault = tmp_path / "my vault.db"
    path = autostart.switch(True, vault, platform)
    assert autostart.is_on(platform)
    assert "my vault.db" in path.read_text()
    autostart.switch(False, platform=platform)
    assert not autostart.is_on(platform)
    autostart.switch(False, platform=platform)


def test_the_mac_reads_it_as_the_command() -> None:
    told = autostart.text(["/opt/a & b/keepsake", "serve"], "darwin")
    assert plistlib.loads(told.encode())["ProgramArguments"] == ["/opt/a & b/keepsake", "serve"]


def test_linux_reads_a_path_with_spaces_as_one_word() -> None:
    assert "Exec='/home/a b/keepsake' serve\n" in autostart.text(
        ["/home/a b/keepsake", "serve"], "linux"
    )


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    path = autostart.start_file("linux")
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.write_text("a file where the folder should be")
    with pytest.raises(Refused, match="cannot be changed"):
        autostart.switch(True, platform="linux")
