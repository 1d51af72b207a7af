"""The recipes of docs/bulk.md, as modules that workers can import."""

import importlib
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "bulk.md"
BLOCK = re.compile(r"^```python (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write(folder):
    """Writes a module `recipe_NAME` for each block of the page, and returns their names."""
    blocks = dict(BLOCK.findall(PAGE.read_text(encoding="utf-8")))
    for name, text in blocks.items():
        (folder / f"recipe_{name}.py").write_text(text, encoding="utf-8")
    return sorted(blocks)


def load(folder, name):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    return importlib.import_module(f"recipe_{name}")
