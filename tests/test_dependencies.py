"""What is imported is declared, under the name and in the place where it is needed."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.test_layers import OURS, ROOT, imported, sources

DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, BUILD = DECLARED["project"], DECLARED["build-system"]["requires"]
DISTRIBUTIONS = packages_distributions()
PROGRAM = ("app", "ui", "store", "resources")
# Modules of the extra `models`, which is not installed everywhere the tests run.
NOT_INSTALLED = {
    "transformers": "sentence-transformers",  # which brings it along
    "sentence_transformers": "sentence-transformers",
    "torch": "torch",
}

# Imported by a program that runs in a Python of its own, which KEEPSAKE_MEM0_PYTHON names.
ELSEWHERE = {"mem0"}

SCRIPTS = {path.stem for path in (ROOT / "packaging").glob("*.py")}
SCRIPTS |= {"keepsake_client", "keepsake_desk"}  # and what they make


def plain(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*requirements: Iterable[str]) -> set[str]:
    """The names in lists of requirements; those for some systems only do not count."""
    found = set()
    for requirement in (each for group in requirements for each in group):
        name = re.match(r"[A-Za-z0-9._-]+", requirement)
        assert name is not None, requirement
        if "sys_platform" not in requirement:
            found.add(plain(name[0]))
    return found


def undeclared(paths: Iterable[Path], names: set[str]) -> list[str]:
    """Imports of other people's modules that come with none of these distributions."""
    wrong = []
    for path in paths:
        for top in sorted({module.split(".")[0] for module in imported(path)}):
            if top in sys.stdlib_module_names or top in {*OURS, "bench", *SCRIPTS, *ELSEWHERE}:
                continue
            from_ = DISTRIBUTIONS.get(top) or [NOT_INSTALLED.get(top, top)]
            if not names & {plain(name) for name in from_}:
                wrong.append(f"{path.relative_to(ROOT)} imports {top}, of {', '.join(from_)}")
    return wrong


@pytest.mark.parametrize("package", PROGRAM)
def test_what_the_program_imports_is_declared(package: str) -> None:
    extras = PROJECT["optional-dependencies"]
    assert undeclared(sources(package), declared(PROJECT["dependencies"], extras["models"])) == []


@pytest.mark.parametrize("package", ["tests", "bench"])
def test_what_tests_and_benchmarks_import_is_declared(package: str) -> None:
    extras = PROJECT["optional-dependencies"]
    names = declared(PROJECT["dependencies"], extras["dev"], extras["models"])
    # What others are measured with runs in environments of theirs, not in ours.
    ours = [path for path in sources(package) if path.name != "systems.py"]
    assert undeclared(ours, names) == []


@pytest.mark.parametrize("path", sources("packaging"), ids=lambda path: path.name)
def test_what_a_script_needs_is_declared_or_it_says_what_to_install(path: Path) -> None:
    extras = PROJECT["optional-dependencies"]
    said = " ".join(re.findall(r"^ +pip install (.+)$", path.read_text("utf-8"), re.MULTILINE))
    names = declared(PROJECT["dependencies"], extras["dev"], BUILD, shlex.split(said))
    if "[models]" in said:
        names |= declared(extras["models"])
    assert undeclared([path], names) == []


def test_the_models_are_imported_in_one_place_only() -> None:
    """Everything else runs without the extra `models`."""
    optional = {
        path.relative_to(ROOT).as_posix()
        for package in PROGRAM
        for path in sources(package)
        if NOT_INSTALLED.keys() & {module.split(".")[0] for module in imported(path)}
    }
    assert optional == {"store/models/sentence_model.py"}


def test_an_import_nobody_declared_is_noticed() -> None:
    path = ROOT / "tests" / "test_dependencies.py"
    assert undeclared([path], {"hypothesis"}) == [
        "tests/test_dependencies.py imports pytest, of pytest"
    ]
    assert undeclared([path], {"pytest"}) == []


def test_a_requirement_of_one_system_does_not_count_for_all() -> None:
    assert declared(["filelock>=3; sys_platform == 'win32'", "PyYAML>=6"]) == {"pyyaml"}
