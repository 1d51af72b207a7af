"""No module imports one that imports it, neither in Rust nor in Python: each can be read after those that it builds on."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent / "native" / "src"
PACKAGE = HERE.parent / "src" / "franking"

Imports = dict[str, set[str]]


def rust() -> Imports:
    """For each module of the extension those that it imports."""
    imports: Imports = {}
    for path in NATIVE.glob("*.rs"):
        code = "\n".join(
            line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("//")
        )
        assert "crate::{" not in code, "one `use` for each module, so that this test can read them"
        if path.stem != "lib":
            imports[path.stem] = set(re.findall(r"\bcrate::([a-z_]+)", code)) - {path.stem}
    return imports


def python() -> Imports:
    """For each module of the package those that it imports, also for type checkers alone. The extension is the ground."""
    imports: Imports = {}
    for path in PACKAGE.glob("_[a-z]*.py"):
        found = imports[path.stem] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                found.update([node.module] if node.module else [name.name for name in node.names])
        found.discard("_franking")
    return imports


@pytest.mark.skipif(not (NATIVE.exists() and PACKAGE.exists()), reason="the sources are not beside the tests")
def test_no_two_modules_import_each_other() -> None:
    for imports in (rust(), python()):
        assert len(imports) > 5
        unknown = set().union(*imports.values()) - imports.keys()
        assert not unknown
        list(TopologicalSorter(imports).static_order())


def test_a_circle_is_found() -> None:
    with pytest.raises(CycleError):
        list(TopologicalSorter({"a": {"b"}, "b": {"c"}, "c": {"a"}}).static_order())
