"""Figures of the house that can be read from the sources: folders, imports, names, sizes."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LAYERS = ("app", "ui", "store")
BIG_CLASS = 15  # methods; more make a class hard to hold in the head


@dataclass(frozen=True, slots=True)
class Import:
    """One module naming another. `lazy`: inside a function, run when that function is.
    `typing`: for the type checker alone, never run."""

    importer: str
    imported: str
    line: int
    lazy: bool
    typing: bool


@dataclass(slots=True)
class House:
    """The modules of one checkout and what they import of each other."""

    root: Path
    modules: dict[str, Path] = field(default_factory=dict)
    trees: dict[str, ast.Module] = field(default_factory=dict)
    imports: list[Import] = field(default_factory=list)

    @classmethod
    def of(cls, root: Path) -> House:
        house = cls(root)
        for layer in LAYERS:
            for path in sorted((root / layer).rglob("*.py")):
                tree = ast.parse(path.read_text("utf-8"))
                if path.name == "__init__.py" and not _has_code(tree):
                    continue
                name = ".".join(path.relative_to(root).with_suffix("").parts)
                name = name.removesuffix(".__init__")
                house.modules[name], house.trees[name] = path, tree
        for name, tree in house.trees.items():
            house.imports += house._imports_of(name, tree)
        return house

    def _imports_of(self, name: str, tree: ast.Module) -> Iterator[Import]:
        for node, lazy, typing in _import_nodes(tree):
            for imported in self._named(node):
                if imported in self.modules and imported != name:
                    yield Import(name, imported, node.lineno, lazy, typing)

    def _named(self, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            return
        for alias in node.names:
            whole = f"{node.module}.{alias.name}"
            yield whole if whole in self.modules else str(node.module)

    # Figures

    def fullest_folder(self) -> tuple[int, str]:
        """How many modules the fullest folder holds, and which it is."""
        count = Counter(str(path.parent.relative_to(self.root)) for path in self.modules.values())
        folder, number = count.most_common(1)[0]
        return number, folder

    def imported_once(self) -> tuple[int, int]:
        """How many modules are imported by exactly one other, and how many there are."""
        importers: dict[str, set[str]] = defaultdict(set)
        for each in self.imports:
            importers[each.imported].add(each.importer)
        return sum(len(importers[name]) == 1 for name in self.modules), len(self.modules)

    def lazy_imports(self) -> list[Import]:
        """Imports of our own modules that stand inside functions."""
        return sorted(
            {each for each in self.imports if each.lazy}, key=lambda i: (i.importer, i.line)
        )

    def cycles(self) -> list[list[str]]:
        """Groups of modules that import each other, imports inside functions counted."""
        graph: dict[str, set[str]] = defaultdict(set)
        for each in self.imports:
            if not each.typing:
                graph[each.importer].add(each.imported)
        return _knots(graph)

    def shared_names(self) -> dict[str, list[str]]:
        """Public classes of one name, with the modules that define them."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, tree in self.trees.items():
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(name)
        return {name: where for name, where in sorted(found.items()) if len(where) > 1}

    def unformatted(self) -> int:
        """How often the formatter is switched off."""
        return sum(path.read_text("utf-8").count("# fmt: skip") for path in self.modules.values())

    def big_classes(self, layer: str) -> tuple[float, list[str]]:
        """Classes over 15 methods per 10,000 lines of a layer, and their names."""
        lines, big = 0, []
        for name, path in self.modules.items():
            if name.split(".")[0] != layer:
                continue
            lines += path.read_text("utf-8").count("\n")
            for node in ast.walk(self.trees[name]):
                if isinstance(node, ast.ClassDef):
                    methods = sum(
                        isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
                        for part in node.body
                    )
                    if methods > BIG_CLASS:
                        big.append(f"{node.name} {methods}")
        return 10_000 * len(big) / lines, big

    def lines(self) -> int:
        return sum(path.read_text("utf-8").count("\n") for path in self.modules.values())


def _has_code(tree: ast.Module) -> bool:
    """Whether there is more than a docstring."""
    return any(not isinstance(node, ast.Expr) for node in tree.body)


def _import_nodes(
    node: ast.AST, lazy: bool = False, typing: bool = False
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, lazy, typing
        inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        checked = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        yield from _import_nodes(child, lazy or inside, typing or checked)


def _knots(graph: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected groups of more than one (Tarjan's way)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    knots: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in sorted(graph.get(name, ())):
            if other not in number:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], number[other])
        if low[name] == number[name]:
            at = stack.index(name)
            knot = stack[at:]
            del stack[at:]
            if len(knot) > 1:
                knots.append(sorted(knot))

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return knots
