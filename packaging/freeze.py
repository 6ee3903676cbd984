"""Makes the one-folder build, Python and Qt inside: `python packaging/freeze.py build`.

It installs the wheel and PyInstaller into an environment of its own and leaves `build/keepsake/`,
on macOS `build/Keepsake.app` too. Made by the Python that runs this and for its system; only Linux
is tried."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "packaging" / "desktop" / "keepsake.spec"
ICON_KINDS = {"darwin": "icns", "win32": "ico"}


def environment(folder: Path) -> Path:
    """Returns the python of a new environment with the wheel and PyInstaller in it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [str(python), "-m", "pip", "install", "-q", str(ROOT), "pyinstaller>=6.10"]
    subprocess.run(install, check=True)
    return python


def icon(folder: Path) -> dict[str, str]:
    """The icon as the system wants it inside a program; Linux takes it from the package."""
    kind = ICON_KINDS.get(sys.platform)
    if kind is None:
        return {}
    from icon_pngs import png
    from PySide6.QtGui import QImage

    file = folder / f"keepsake.{kind}"
    QImage.fromData(png(256)).save(str(file), kind.upper())  # type: ignore[call-overload]
    return {"KEEPSAKE_ICON": str(file)}


def freeze(target: Path, python: Path | None = None) -> Path:
    """Returns the folder of the program. `python`: of an environment that has what it needs."""
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        chosen = python or environment(work / "environment")
        command = [str(chosen), "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
        command += ["--distpath", str(target), "--workpath", str(work / "work"), str(SPEC)]
        subprocess.run(command, check=True, env={**os.environ, **icon(work)})
    return target / "keepsake"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", type=Path, help="an environment that has the wheel already")
    given = parser.parse_args()
    print(freeze(given.folder.resolve(), given.python))
