"""The layout: what the wheel holds, that no folder shadows the standard library, the floors, and the docstrings."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = ["events", "store", "fetch", "actors", "http", "cli"]  # each imports itself and those before it
SIBLINGS = [("store", "fetch"), ("fetch", "store")]  # but these two not each other
TEST_LIBRARIES = {"pytest", "_pytest", "pytest_trio", "hypothesis", "trustme", "httpx", "unittest", "tests"}
PLUGIN = Path("actors/pytest_plugin.py")  # pytest loads it, and nothing else does


def parsed(*folders: str) -> dict[Path, ast.Module]:
    """Each module in the folders, by its path from the root."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT): ast.parse(path.read_text(), str(path)) for path in paths}


@pytest.fixture(scope="module")
def modules() -> dict[Path, ast.Module]:
    """The package's own modules."""
    found = parsed(*FLOORS)
    assert {path.parts[0] for path in found} == set(FLOORS)
    return found


def imports(path: Path, tree: ast.Module) -> Iterator[str]:
    """What a module imports, spelled absolutely: gofer.events.job.Job, trio.testing; a bare name as it stands."""
    package = ["gofer", *path.parent.parts]
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module, names, level):
                base = package[: len(package) - level + 1] if level else []
                yield from (".".join([*base, *([module] if module else []), alias.name]) for alias in names)


# ---------------------------------------------------------------- wheel and standard library


def test_the_wheel_holds_every_file_of_the_packages(tmp_path: Path) -> None:
    source = tmp_path / "source"  # a copy: a build leaves folders behind, and takes up what older ones left there
    source.mkdir()
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    for floor in FLOORS:
        shutil.copytree(ROOT / floor, source / floor, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)]
    built = subprocess.run(build, capture_output=True, text=True, cwd=tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = {file for file in archive.namelist() if ".dist-info/" not in file}
    files = [path for floor in FLOORS for path in (source / floor).rglob("*") if path.is_file()]
    assert held == {f"gofer/{path.relative_to(source).as_posix()}" for path in files}
    assert "gofer/events/job.py" in held


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", "import http.client; http.client.HTTPConnection"],
        ["-c", "import http, gofer.http; assert gofer.http is not http"],
        ["-m", "pytest", "--version"],
    ],
)
def test_no_folder_of_ours_shadows_the_standard_library(arguments: list[str]) -> None:
    ran = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_no_folder_has_an_init() -> None:
    assert [path for path in parsed(*FLOORS, "tests", "bench") if path.name == "__init__.py"] == []


# ---------------------------------------------------------------- floors


def test_imports_are_spelled_absolutely() -> None:
    source = """
import http.client, apsw as sqlite
from . import log
from .rows import BatchJob as Row
from ..events import job
from ..events.job import Job
from trio.testing import MockClock
def later():
    from ..fetch import target
"""
    assert list(imports(Path("store/batch.py"), ast.parse(source))) == [
        "http.client",
        "apsw",
        "gofer.store.log",
        "gofer.store.rows.BatchJob",
        "gofer.events.job",
        "gofer.events.job.Job",
        "trio.testing.MockClock",
        "gofer.fetch.target",
    ]


def test_a_floor_imports_only_those_before_it(modules: dict[Path, ast.Module]) -> None:
    crossings = []
    for path, tree in modules.items():
        own = path.parts[0]
        for imported in imports(path, tree):
            if imported.startswith("gofer."):
                floor = imported.split(".")[1]
                if FLOORS.index(floor) > FLOORS.index(own) or (own, floor) in SIBLINGS:
                    crossings.append(f"{path} imports {imported}")
    assert crossings == []


def test_production_code_does_not_reach_for_a_test_library(modules: dict[Path, ast.Module]) -> None:
    assert [
        f"{path} imports {imported}"
        for path, tree in modules.items()
        for imported in imports(path, tree)
        if imported.split(".")[0] in TEST_LIBRARIES and path != PLUGIN
    ] == []


def test_the_package_imports_itself_relatively(modules: dict[Path, ast.Module]) -> None:
    absolute = []
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                absolute += [f"{path}: import {alias.name}" for alias in node.names if alias.name.startswith("gofer")]
            elif isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("gofer"):
                absolute.append(f"{path}: from {node.module}")
    assert absolute == []


def test_no_folder_of_ours_is_imported_by_its_bare_name() -> None:
    bare = set(FLOORS) - {"http"}  # a bare `http` is the standard library's
    assert [
        f"{path} imports {imported}"
        for path, tree in parsed(*FLOORS, "tests", "bench").items()
        for imported in imports(path, tree)
        if imported.split(".")[0] in bare
    ] == []


# ---------------------------------------------------------------- docstrings


def test_each_module_says_in_its_first_line_what_may_live_in_it(modules: dict[Path, ast.Module]) -> None:
    assert [
        str(path) for path, tree in modules.items() if not (ast.get_docstring(tree, clean=False) or "").split("\n")[0]
    ] == []


def test_each_public_name_is_described(modules: dict[Path, ast.Module]) -> None:
    """What carries out a `Protocol`, or overrides a method of ours, need not say again what that does."""
    classes = [node for tree in modules.values() for node in tree.body if isinstance(node, ast.ClassDef)]
    parents = {"Protocol"} | {ast.unparse(base) for node in classes for base in node.bases}
    declared = {
        method.name
        for node in classes
        if node.name in parents or "Protocol" in map(ast.unparse, node.bases)
        for method in functions(node)
        if ast.get_docstring(method)
    }
    missing = [f"{path}: {name}" for path, tree in modules.items() for name in undescribed(tree, "", declared)]
    assert missing == []


def functions(node: ast.Module | ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [child for child in node.body if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)]


def undescribed(node: ast.Module | ast.ClassDef, prefix: str, declared: set[str]) -> Iterator[str]:
    """The public functions, classes and methods without a docstring."""
    for function in functions(node):
        inherited = isinstance(node, ast.ClassDef) and function.name in declared
        if not (function.name.startswith("_") or ast.get_docstring(function) or inherited):
            yield prefix + function.name
    for child in node.body:
        if isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
            if not ast.get_docstring(child):
                yield prefix + child.name
            yield from undescribed(child, f"{prefix}{child.name}.", declared)


def test_no_pattern_repeats_a_group_possessively(modules: dict[Path, ast.Module]) -> None:
    """Before Python 3.11.5 `re` goes on from the wrong place behind such a group (python/cpython#106052)."""
    texts = [
        (path, node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value)
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    ]
    possessive = re.compile(r"\)(?:[*+?]|\{[^}]*\})\+")
    assert possessive.search(r"(?:a|b)*+")
    assert [each for each in texts if possessive.search(each[1])] == []
