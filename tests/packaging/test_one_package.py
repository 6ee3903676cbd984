"""What ships is one import package, and meets nobody else's `app`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from one_package import OURS, PACKAGE, renamed, stage

from tests.test_layers import ROOT

MODULES = {"app", "app.vault", "app.cli.entries", "resources", "store.records"}


@pytest.mark.parametrize(
    ("source", "moved"),
    [
        ("from app.vault import x\n", "from keepsake_desk.app.vault import x\n"),
        ("from app import vault\n", "from keepsake_desk.app import vault\n"),
        ("import resources\n", "import keepsake_desk.resources as resources\n"),
        ("import app.vault as v\n", "import keepsake_desk.app.vault as v\n"),
        ("import os, resources\n", "import os, keepsake_desk.resources as resources\n"),
        ('name = "app.cli.entries"\n', 'name = "keepsake_desk.app.cli.entries"\n'),
        (
            'x = ("ä", "store.records"); from store.records import y\n',
            'x = ("ä", "keepsake_desk.store.records"); from keepsake_desk.store.records import y\n',
        ),
    ],
)
def test_every_name_of_ours_moves(source: str, moved: str) -> None:
    assert renamed(source, MODULES) == moved


@pytest.mark.parametrize(
    "source",
    [
        "from apple import x\n",
        "from .app import x\n",
        'action = "store"\n',  # a word, not a module
        'text = "see app.vault for more"\n',
        "import appdirs, storehouse\n",
    ],
)
def test_what_is_not_ours_stays(source: str) -> None:
    assert renamed(source, MODULES) == source


def test_an_import_that_binds_a_name_of_ours_is_refused() -> None:
    with pytest.raises(ValueError, match=r"import app\.vault"):
        renamed("import app.vault\n", MODULES)


THEIRS = f"""
import sys
import app                                   # the project's own
from {PACKAGE}.ui.main import main
assert app.NAME == "theirs"
sys.argv = ["keepsake", *sys.argv[1:]]
try:
    main()
finally:
    assert app.NAME == "theirs" and sys.modules["app"] is app
    assert not set(sys.modules) & set({OURS[1:]!r}), "a short name was imported"
"""


def test_it_runs_beside_a_project_that_has_its_own_app(tmp_path: Path) -> None:
    shipped, project = tmp_path / "shipped", tmp_path / "project"
    shipped.mkdir()
    stage(ROOT, shipped)
    (project / "app").mkdir(parents=True)
    (project / "app" / "__init__.py").write_text('NAME = "theirs"\n')
    environment = {**os.environ, "PYTHONPATH": str(shipped)}

    def ran(*arguments: str) -> str:
        command = [sys.executable, "-W", "ignore", *arguments, "--vault", str(tmp_path / "v.db")]
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    ran("-c", THEIRS, "store", "Tea is green", "--key", "tea")
    assert "Tea is green" in ran("-m", PACKAGE, "recall", "which tea?")
