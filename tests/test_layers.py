"""Imports point one way, Qt stays in the window, and one SQL engine opens the file."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "store": {"store"},
    "app": {"app", "store", "resources"},
    "ui": {"ui", "app", "store", "resources"},
    "resources": {"resources"},
}
# The folders of each layer, from the ground up: a folder imports only those in the rows above its
# own. A row's folders know nothing of each other.
ROWS = (
    ("store.errors", "store.instants", "store.cjk_pairs"),
    ("store.records",),
    ("store.file", "store.models"),
    ("store.tables",),
    ("store.search", "store.care"),
    ("app.errors", "app.outcomes", "app.version", "app.default_vault", "app.throw_away"),
    ("app.private_file",),
    ("app.ending", "app.confirmed"),
    ("app.text",),
    ("app.rules",),
    ("app.settings",),
    ("app.access", "app.blocks", "app.recall"),
    ("app.entries",),
    ("app.history", "app.review"),
    ("app.hydration", "app.learning"),
    ("app.care", "app.memory", "app.connect"),
    ("app.markdown", "app.sync"),
    ("app.wiring",),
    ("app.vault",),
    ("app.hooks",),
    ("app.proof",),
    ("app.background", "app.samples"),
    ("app.api",),
    ("app.mcp",),
    ("app.serving",),
    ("app.cli",),
)
OURS = set(ALLOWED) | {"tests"}
# Who may import whom inside the window; a feature knows no other, and none knows the window.
_BASE = {"ui.toolkit", "ui.memory"}
FEATURES = (
    *("ui.agents", "ui.blocks", "ui.conversations", "ui.files"),
    *("ui.hydration", "ui.insight", "ui.proof", "ui.review", "ui.vault"),
)
UI_MAY_IMPORT = {
    "ui.toolkit": {"ui.toolkit"},
    "ui.memory": _BASE,
    **{feature: {*_BASE, feature} for feature in FEATURES},
    "ui.window": {*_BASE, *FEATURES, "ui.window"},
    "ui.main": {"ui.window"},
}
LAZY_MOST = 9  # imports of our own modules inside functions of the window, at doors
QT = {"PySide6", "qtawesome", "superqt", "pyqtgraph", "shiboken6"}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def imports(path: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The modules imported at run time, inside functions too, not those for types only; with the
    names that are taken from each."""
    skipped: set[ast.AST] = set()
    found: list[tuple[str, tuple[str, ...]]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for inner in node.body:
                skipped |= set(ast.walk(inner))
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found += ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.module, tuple(alias.name for alias in node.names)))
    return tuple(found)


def imported(path: Path) -> list[str]:
    return [module for module, _ in imports(path)]


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_imports_point_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(package)
        for name in imported(path)
        if name.split(".")[0] in OURS - ALLOWED[package]
    ]
    assert wrong == []


def folder_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_folders_import_only_what_is_below_them() -> None:
    row_of = {folder: row for row, folders in enumerate(ROWS) for folder in folders}
    wrong = []
    for layer in ("store", "app"):
        for path in sources(layer):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            mine = folder_of(module)
            if mine.endswith("__init__"):
                continue
            for name in imported(path):
                other = folder_of(name)
                if other in row_of and other != mine and row_of[other] >= row_of[mine]:
                    wrong.append(f"{module} imports {name}")
    assert wrong == []


def test_every_folder_has_its_row() -> None:
    known = {folder for folders in ROWS for folder in folders}
    there = {
        folder_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for layer in ("store", "app")
        for path in sources(layer)
    }
    assert {folder for folder in there if not folder.endswith("__init__")} == known


def test_features_of_the_window_know_only_what_is_below_them() -> None:
    for path in sources("ui"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if module == "ui.__init__":
            continue
        known = {folder_of(name) for name in imported(path) if name.startswith("ui.")}
        assert known <= UI_MAY_IMPORT[folder_of(module)], module


def test_a_feature_is_installed_through_the_shell_and_not_the_window() -> None:
    for feature in FEATURES:
        path = ROOT / feature.replace(".", "/") / "install.py"
        assert "def install(shell: Shell, vault: Vault) -> None:" in path.read_text("utf-8")


def test_our_own_modules_are_imported_at_the_top() -> None:
    lazy = {
        f"{path.relative_to(ROOT)}:{node.lineno} imports {node.module}"
        for path in sources("ui")
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OURS
    }
    assert len(lazy) <= LAZY_MOST, sorted(lazy)


def test_ui_takes_from_the_store_only_its_values() -> None:
    values = {"records", "instants", "errors", "entry_filter"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources("ui")
        for name in imported(path)
        if name.startswith("store.") and name.split(".")[-1] not in values
    ]
    assert wrong == []


# What stands behind memory_for(caller), and the names it has in a vault.
BEHIND_MEMORY = {
    "Entries": "entries",
    "Blocks": "blocks",
    "Search": "search",
    "Recall": "recall",
    "Corrections": "corrections",
    "Hydrator": "hydrator",
    "Why": "why",
    "Usage": "usage",
}


def round_memory(path: Path) -> Iterator[str]:
    """Where a module names a service that stands behind memory, for a type too, or takes it from
    the vault."""
    names = set(BEHIND_MEMORY.values())
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=aliases) if module.startswith("app."):
                wrong = [alias.name for alias in aliases if alias.name in BEHIND_MEMORY]
            case ast.Attribute(attr=attr, value=ast.Name(id=owner) | ast.Attribute(attr=owner)):
                vault = owner.strip("_") in ("vault", "services", "on", "its")
                wrong = [f"{owner}.{attr}"] if vault and attr in names else []
            case _:
                continue
        yield from (f"{path.relative_to(ROOT)}:{node.lineno} {name}" for name in wrong)


@pytest.mark.parametrize("door", ["ui", "app/api", "app/mcp", "app/cli"])
def test_a_door_asks_for_memory_and_not_for_what_is_behind_it(door: str) -> None:
    assert [place for path in sources(door) for place in round_memory(path)] == []


def test_the_vault_has_the_services_behind_memory_under_these_names() -> None:
    text = (ROOT / "app/vault.py").read_text("utf-8")
    assert all(f"def {name}(self) -> {kind}:" in text for kind, name in BEHIND_MEMORY.items())


@pytest.mark.parametrize("package", ["store", "app", "resources"])
def test_qt_lives_only_in_the_window(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(package)
        for name in imported(path)
        if name.split(".")[0] in QT
    ]
    assert wrong == []


def test_only_the_database_module_talks_to_an_engine() -> None:
    engines = {"sqlite3", "sqlcipher3", "apsw", "pysqlite3", "PySide6.QtSql"}
    talking = {
        str(path.relative_to(ROOT))
        for package in ALLOWED
        for path in sources(package)
        for name in imported(path)
        if name.split(".")[0] in engines or name in engines
    }
    assert talking <= {"store/file/database.py", "store/file/schema_tools.py"}


def test_one_module_imports_sqlite_utils_and_tells_it_which_engine_it_works_on() -> None:
    importing = {
        str(path.relative_to(ROOT))
        for package in ALLOWED
        for path in sources(package)
        for name in imported(path)
        if name.split(".")[0] == "sqlite_utils"
    }
    assert importing == {"store/file/schema_tools.py"}


@pytest.mark.parametrize("command", [["--help"], ["store", "--help"], ["list", "--json"]])
def test_headless_commands_import_no_qt_and_nothing_heavy(
    command: list[str], tmp_path: Path
) -> None:
    program = (
        "import sys, atexit\n"
        "from ui.main import main\n"
        f"sys.argv = ['keepsake', *{command!r}]\n"
        "heavy = ('PySide6', 'fastapi', 'onnxruntime', 'mcp', 'torch')\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert not done.code, done.code\n"
        "found = [name for name in heavy if name in sys.modules]\n"
        "assert not found, found\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"KEEPSAKE_VAULT": str(tmp_path / "v.db"), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_windows_start_imports_nothing_that_can_wait() -> None:
    waiting = {
        "app.memory.memory",
        "app.entries.entries",
        "app.care",
        "app.learning",
        "app.wiring",
        "ui.memory.history_view",
        "ui.memory.erase_dialog",
        "ui.window.features",
        "difflib",
        "PySide6.QtNetwork",
    }
    program = "import sys, ui.window.startup; sys.stdout.write(' '.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert waiting & set(done.stdout.split()) == set()


def sql_in(path: Path) -> Iterator[str]:
    """Calls that hand a statement of their own to the database."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(attr="execute" | "executemany" | "executescript")):
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


@pytest.mark.parametrize("package", ["app", "ui"])
def test_sql_is_written_in_the_store_alone(package: str) -> None:
    assert [place for path in sources(package) for place in sql_in(path)] == []


LONGEST_FUNCTION = 50  # lines, with its signature; a longer one does several things


@pytest.mark.parametrize("package", ["app", "store", "ui", "resources", "packaging", "bench"])
def test_no_function_is_longer_than_a_screen(package: str) -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sources(package)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []
