"""There are no import cycles in the package: each module can be read after those that it builds on."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "src" / "franking"

Imports = dict[str, set[str]]


def python() -> Imports:
    """The imports of each module of the package, including those for type checkers only. The extension is
    the lowest layer."""
    imports: Imports = {}
    for path in PACKAGE.glob("_[a-z]*.py"):
        found = imports[path.stem] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                found.update([node.module] if node.module else [name.name for name in node.names])
        found.discard("_franking")
    return imports


@pytest.mark.skipif(not PACKAGE.exists(), reason="the sources are not beside the tests")
def test_no_two_modules_import_each_other() -> None:
    imports = python()
    assert len(imports) > 5
    unknown = set().union(*imports.values()) - imports.keys()
    assert not unknown
    list(TopologicalSorter(imports).static_order())


def test_a_circle_is_found() -> None:
    with pytest.raises(CycleError):
        list(TopologicalSorter({"a": {"b"}, "b": {"c"}, "c": {"a"}}).static_order())
