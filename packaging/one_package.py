"""The program as one import package, `keepsake_desk`, for whatever ships it.

The repository keeps its short names at the top level (`app`, `ui`, `store`, `resources`). Installed
like that they would meet everybody else's `app`. What ships is a staged copy in which they live
inside one package, and every import of one of ours, and every string that is the dotted name of one
of our modules, says so.
"""

from __future__ import annotations

import ast
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "keepsake_desk"
OURS = ("app", "ui", "store", "resources")
ENTRY = "ui.main:main"
LEFT_BEHIND = shutil.ignore_patterns("__pycache__", "*.egg-info")
NOT_SHOWN = shutil.ignore_patterns("examples", "site", "*@2x.png")  # of docs, in the Help


def stage(top: Path, folder: Path) -> None:
    """Copies the project into `folder`, its packages inside one package."""
    for name in ("README.md", "LICENSE"):
        shutil.copy2(top / name, folder / name)
    (folder / "pyproject.toml").write_text(staged_project((top / "pyproject.toml").read_text()))
    package = folder / PACKAGE
    for name in OURS:
        shutil.copytree(top / name, package / name, ignore=LEFT_BEHIND)
    modules = {
        ".".join(path.relative_to(package).with_suffix("").parts) for path in sources(package)
    }
    for path in sources(package):
        text = path.read_text("utf-8")
        if (moved := renamed(text, modules)) != text:
            path.write_text(moved, "utf-8")
    shutil.copytree(top / "docs", package / "resources" / "docs", ignore=NOT_SHOWN)
    _note_commit(top, package / "resources" / "commit")
    runpy.run_path(str(top / "resources" / "__init__.py"))["make_all"](
        package / "resources" / "translations"
    )
    (package / "__init__.py").write_text('"""Keepsake, the desk: everything it is made of."""\n')
    (package / "__main__.py").write_text(
        f'"""`python -m {PACKAGE}` is `keepsake`."""\n\n'
        f"from {PACKAGE}.ui.main import main\n\nmain()\n"
    )


def _note_commit(top: Path, file: Path) -> None:
    """For `keepsake --version`; a source distribution has no history to ask."""
    asked = ["git", "-C", str(top), "rev-parse", "--short", "HEAD"]
    if (top / ".git").exists() and shutil.which("git"):
        said = subprocess.run(asked, capture_output=True, text=True)
        file.write_text(said.stdout)


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def staged_project(text: str) -> str:
    """The project file for the staged copy; each line that has to change must be there."""
    for old, new in (
        (f'"{ENTRY}"', f'"{PACKAGE}.{ENTRY}"'),
        ('build-backend = "one_package_wheel"', 'build-backend = "setuptools.build_meta"'),
        ('backend-path = ["packaging"]\n', ""),
        ('include = ["app*", "ui*", "store*", "resources*"]', f'include = ["{PACKAGE}*"]'),
        ('resources = ["**/*"]', f'"{PACKAGE}.resources" = ["**/*"]'),
    ):
        if old not in text:
            raise ValueError(f"pyproject.toml has no {old!r}, which the wheel needs changed.")
        text = text.replace(old, new)
    return text


def renamed(text: str, modules: set[str]) -> str:
    """The source with every name of ours inside the one package.

    Edits are made from the end to the beginning, so that earlier positions stay right."""
    lines = text.splitlines(keepends=True)
    for row, column, old, new in sorted(_edits(ast.parse(text), modules), reverse=True):
        raw = lines[row].encode()  # ast counts in bytes
        begin = raw.index(old.encode(), column)
        lines[row] = (raw[:begin] + new.encode() + raw[begin + len(old.encode()) :]).decode()
    return "".join(lines)


def _edits(tree: ast.AST, modules: set[str]) -> Iterator[tuple[int, int, str, str]]:
    """Row, column to look from, and what is replaced by what."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and _ours(node.module or ""):
            old = f"from {node.module}"
            yield node.lineno - 1, node.col_offset, old, f"from {PACKAGE}.{node.module}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _ours(alias.name):
                    yield alias.lineno - 1, alias.col_offset, alias.name, _imported(alias)
        elif isinstance(node, ast.Constant) and node.value in modules and "." in str(node.value):
            yield node.lineno - 1, node.col_offset, node.value, f"{PACKAGE}.{node.value}"


def _imported(alias: ast.alias) -> str:
    """`import app.x` binds `app`: there is no way to say that of a module that moved."""
    if "." in alias.name and not alias.asname:
        raise ValueError(f"`import {alias.name}` cannot be moved: write `from … import …`.")
    return f"{PACKAGE}.{alias.name}" + ("" if alias.asname else f" as {alias.name}")


def _ours(name: str) -> bool:
    return name.split(".")[0] in OURS
