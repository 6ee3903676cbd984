"""Makes the Debian package with one command: `python packaging/make_deb.py dist`.

The one-folder build goes to /usr/lib/keepsake-desk. Libraries that Debian has (X, Wayland, fonts,
glib, OpenSSL) are left to it: they are taken out of the build, and dpkg-shlibdeps names the
packages they come from. Runs on Debian or Ubuntu with `dpkg-dev`, in the project's environment."""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

from freeze import ROOT, freeze
from icon_pngs import ICON, SIZES, png
from man_page import man_page

from app.cli.installation import completion_script

ID = "io.github.keepsake_desk.Keepsake"
NAME = "keepsake-desk"
DESKTOP = ROOT / "packaging" / "desktop"
SHELLS = {
    "bash": "usr/share/bash-completion/completions/keepsake",
    "zsh": "usr/share/zsh/vendor-completions/_keepsake",
    "fish": "usr/share/fish/vendor_completions.d/keepsake.fish",
}


def make(target: Path, frozen: Path | None = None) -> Path:
    """Returns the package's file. `frozen`: a build that is there already."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        tree = work / "tree"
        shutil.copytree(frozen or freeze(work / "frozen"), tree / "usr/lib" / NAME, symlinks=True)
        leave_to_debian(tree / "usr/lib" / NAME / "_internal")
        furnish(tree)
        control = tree / "DEBIAN" / "control"
        _put(control, control_text(tree, dependencies(tree, work)))
        file = target / f"{NAME}_{project()['version']}_{_said('dpkg', '--print-architecture')}.deb"
        build = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z12", "--build"]
        subprocess.run([*build, str(tree), str(file)], check=True, stdout=subprocess.DEVNULL)
    return file


def leave_to_debian(folder: Path) -> None:
    """Removes the shared libraries that a package of this system owns."""
    for file in sorted(folder.glob("lib*.so*")):
        owned = subprocess.run(["dpkg", "-S", f"*/lib/*/{file.name}"], capture_output=True)
        if owned.returncode == 0 and not file.name.startswith("libpython"):  # ours, not Debian's
            file.unlink()


def furnish(tree: Path) -> None:
    """Everything a desktop, a terminal and a reader look for."""
    share = tree / "usr/share"
    for name, place in (
        (f"{ID}.desktop", "applications"),
        (f"{ID}.open.desktop", "applications"),
        (f"{ID}.metainfo.xml", "metainfo"),
    ):
        _put(share / place / name, (DESKTOP / name).read_text("utf-8"))
    _put(share / f"mime/packages/{ID}.xml", (DESKTOP / f"{ID}.mime.xml").read_text("utf-8"))
    icons = share / "icons/hicolor"
    for size in SIZES:
        _put(icons / f"{size}x{size}/apps/{ID}.png", png(size))
    _put(icons / f"scalable/apps/{ID}.svg", ICON.read_bytes())
    for shell, place in SHELLS.items():
        _put(tree / place, completion_script(shell) + "\n")
    _put(share / "man/man1/keepsake.1.gz", gzip.compress(man_page().encode(), mtime=0))
    changes = (ROOT / "CHANGELOG.md").read_bytes()
    _put(share / f"doc/{NAME}/changelog.gz", gzip.compress(changes, mtime=0))
    _put(share / f"doc/{NAME}/copyright", copyright_text())
    (tree / "usr/bin").mkdir(parents=True)
    for name in ("keepsake", NAME):
        (tree / "usr/bin" / name).symlink_to(f"../lib/{NAME}/keepsake")
        if name != "keepsake":
            (share / f"man/man1/{name}.1.gz").symlink_to("keepsake.1.gz")


def dependencies(tree: Path, work: Path) -> str:
    """What dpkg-shlibdeps finds that the program's libraries need of the system."""
    _put(work / "debian" / "control", f"Source: {NAME}\n\nPackage: {NAME}\nArchitecture: any\n")
    home = tree / "usr/lib" / NAME
    libraries = [path for path in home.rglob("*") if _is_elf(path)]
    folders = sorted({str(path.parent) for path in libraries})
    command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0"]
    command += [f"-l{folder}" for folder in folders]
    done = subprocess.run(
        [*command, *map(str, libraries)], cwd=work, capture_output=True, text=True
    )
    found = re.search(r"^shlibs:Depends=(.*)$", done.stdout, flags=re.M)
    if found is None:
        raise SystemExit(f"dpkg-shlibdeps named no package:\n{done.stderr}")
    # Opened by name at run time, which no library says: Qt's way to X, and glyphs at all.
    return f"{found[1]}, libegl1, libgl1, fontconfig-config"


def control_text(tree: Path, depends: str) -> str:
    size = sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_dir())
    fields = {
        "Package": NAME,
        "Version": project()["version"],
        "Architecture": _said("dpkg", "--print-architecture"),
        "Maintainer": "The Keepsake maintainers <maintainers@keepsake-desk.example>",
        "Installed-Size": str(size // 1024),
        "Depends": depends,
        "Section": "utils",
        "Priority": "optional",
        "Homepage": "https://github.com/keepsake-desk/keepsake",
        "Description": "desk where you curate what your AI assistants remember\n"
        " One memory for all the assistants and agents on your machine, in a file that is\n"
        " yours: see what they know, fix it, forget it, and see what each of them will be\n"
        " told at its next start, and why. Agents read and write it by MCP or a localhost API.",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def copyright_text() -> str:
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Keepsake\n\nFiles: *\nCopyright: The Keepsake maintainers\n"
        "License: Apache-2.0\n On Debian systems the text is in "
        "/usr/share/common-licenses/Apache-2.0.\n .\n The libraries beside it (Python, Qt and "
        "others) have their licences in\n /usr/lib/keepsake-desk/_internal.\n"
    )


def project() -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def _is_elf(path: Path) -> bool:
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _put(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


if __name__ == "__main__":
    os.umask(0o022)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frozen", type=Path, help="a build by packaging/freeze.py")
    given = parser.parse_args()
    print(make(given.folder.resolve(), given.frozen))
