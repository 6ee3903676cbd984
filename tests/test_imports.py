"""No module needs itself, and only doors import late."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.test_layers import ALLOWED, OURS, ROOT, imports, sources


def modules() -> dict[str, Path]:
    """Our modules by their dotted names."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in ALLOWED
        for path in sources(package)
    }


def test_no_module_needs_itself_not_even_late() -> None:
    """No cycle of imports, those inside functions counted."""
    known = modules()
    needs = {name: set(named(path)) & known.keys() - {name} for name, path in known.items()}
    while free := {name for name, needed in needs.items() if not needed}:
        needs = {name: needed - free for name, needed in needs.items() if name not in free}
    # What is left is in a cycle, or needs what is.
    assert needs == {}


def named(path: Path) -> Iterator[str]:
    """What a module imports at run time, with `from a import b` as `a` and `a.b`."""
    for module, names in imports(path):
        yield module
        yield from (f"{module}.{name}" for name in names)


# Where a module of our own may wait until a function runs, and why.
DOORS = {
    "app/vault.py",  # the larger parts, the keyring, the way out of a damaged file
    "app/cli/command.py",  # help touches no vault
    "app/hooks/quick.py",  # a vault, where nobody has it open
    "app/mcp/stdio.py",  # the MCP SDK, and what tends a vault in one server of several
    "app/wiring/memories.py",  # prose, which only forgetting reads
    "app/recall/embedding.py",  # NumPy
    "app/recall/search.py",  # NumPy
    "store/care/opening.py",  # needed after a power cut or by an upgrade only
}


def test_only_doors_import_late() -> None:
    late = {
        path.relative_to(ROOT).as_posix()
        for package in ("app", "store")
        for path in sources(package)
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in OURS
    }
    assert late == DOORS


def test_commands_ask_the_owners_memory() -> None:
    """Commands over memories and blocks go the way of every other caller."""
    commands = [ROOT / "app" / "cli" / f"{name}.py" for name in ("entries", "search", "blocks")]
    asked = [
        f"{path.name} asks vault.{node.attr}"
        for path in commands
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in ("entries", "blocks", "search", "recall", "history")
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "vault"
    ]
    assert asked == []
