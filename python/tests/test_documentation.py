"""The examples of the docstrings, of the guide and of the README run."""

from __future__ import annotations

import doctest
import inspect
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import franking

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = [
    page
    for page in (HERE.parent / "README.md", ROOT / "README.md", ROOT / "docs" / "python.md")
    if page.exists()
]


def documented() -> Iterator[tuple[str, str]]:
    """(name, docstring) of everything public."""
    for name in franking.__all__:
        thing = getattr(franking, name)
        yield name, inspect.getdoc(thing) or ""
        if isinstance(thing, type):
            for member_name, member in vars(thing).items():
                if not member_name.startswith("_"):
                    yield f"{name}.{member_name}", inspect.getdoc(member) or ""
    yield "franking", franking.__doc__ or ""


EXAMPLES = [(name, text) for name, text in documented() if ">>>" in text]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_examples_of_docstrings(name: str, text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {"franking": franking}, name, None, None)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_most_functions_have_an_example() -> None:
    functions = {name for name in franking.__all__ if inspect.isroutine(getattr(franking, name))}
    assert functions - {name for name, _ in EXAMPLES} <= {"adecide", "decide"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_examples_of_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of Python run in the order of the page, in one module; those with `>>>` are doctests."""
    monkeypatch.chdir(tmp_path)
    module = ModuleType("page")
    text = page.read_text("utf-8")
    blocks = re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    count = 0
    for block in blocks:
        count += 1
        line = text.count("\n", 0, block.start()) + 1
        source = block.group(1)
        if source.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(source, vars(module), page.name, str(page), line)
            test.globs = vars(module)
            assert doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False).failed == 0
        else:
            exec(compile("\n" * line + source, str(page), "exec"), vars(module))
    assert count, f"{page.name} has no examples"
    assert os.getcwd() == str(tmp_path)
