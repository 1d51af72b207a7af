"""Both type checkers reject each wrong use, and nothing else of that file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parent / "wrong_uses.py"
WRONG = {
    number
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1)
    if line.endswith("  # wrong")
}


def run(folder: Path, *arguments: str) -> str:
    shutil.copy(FILE, folder / FILE.name)
    command = [sys.executable, "-m", *arguments, FILE.name]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True).stdout


def test_mypy_rejects_each_wrong_use(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    shown = run(tmp_path, "mypy", "--strict", "--no-error-summary")
    rejected = {int(number) for number in re.findall(r"wrong_uses\.py:(\d+): error", shown)}
    assert rejected == WRONG, shown


def test_pyright_rejects_each_wrong_use(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    report = json.loads(run(tmp_path, "pyright", "--outputjson", "--pythonpath", sys.executable))
    errors = [row for row in report["generalDiagnostics"] if row["severity"] == "error"]
    rejected = {row["range"]["start"]["line"] + 1 for row in errors}
    assert rejected == WRONG, json.dumps(errors, indent=1)
