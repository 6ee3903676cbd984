"""Lists what a translation lacks: `python packaging/translations.py de`; exit code 1 if so."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def sources(folder: Path = ROOT / "ui") -> dict[str, str]:
    """Every text the window says, and the file that says it."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        for text in _said(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(text, path.relative_to(ROOT).as_posix())
    return found


def _said(tree: ast.AST) -> Iterator[str]:
    """The literals in tr("…") and translate("Context", "…")."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = {"tr": 0, "translate": 1}.get(name)
        if place is None or len(node.args) <= place:
            continue
        argument = node.args[place]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            yield argument.value


def missing(language: str) -> dict[str, str]:
    path = ROOT / "resources" / "translations" / f"{language}.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    return {text: place for text, place in sources().items() if text not in known}


if __name__ == "__main__":
    lacking = missing(sys.argv[1] if len(sys.argv) > 1 else "de")
    for text, place in lacking.items():
        print(f"{place}: {text!r}")
    sys.exit(bool(lacking))
