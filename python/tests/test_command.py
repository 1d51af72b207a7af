"""The command of the package is the program of `programs/cli/`, with the same output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CLI = Path(__file__).resolve().parents[2] / "programs" / "cli" / "tests"
COMMAND = [str(Path(sys.executable).with_name("franking"))]
MODULE = [sys.executable, "-m", "franking"]


def run(command: list[str], *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLICOLOR")}
    return subprocess.run(
        [*command, *arguments], input=given, capture_output=True, cwd=CLI, env=environment, check=False
    )


def test_each_wrong_call_is_shown_as_the_program_shows_it() -> None:
    calls = sorted((CLI / "wrong").glob("*.json"))
    assert len(calls) == 200
    for call in calls:
        shown = run(COMMAND, "check", f"wrong/{call.name}")
        assert shown.stderr == b""
        assert shown.stdout.decode() == call.with_suffix(".txt").read_text(encoding="utf-8"), call.name


@pytest.mark.parametrize("command", [COMMAND, MODULE], ids=["franking", "python -m franking"])
def test_it_tells_what_happens_to_calls(command: list[str]) -> None:
    told = run(command, "decide", "--world", "../../../examples/world.json", "../../../examples/calls")
    assert (told.returncode, told.stderr) == (1, b"")
    assert told.stdout.decode() == (CLI / "decide.txt").read_text(encoding="utf-8")


def test_its_exit_status_says_what_came_of_it() -> None:
    assert run(COMMAND, "check", given=b'{"apiKey":"k","mailerID":1,"email":"a@b.example"}').returncode == 0
    assert run(COMMAND, "check", given=b"{}").returncode == 1
    failed = run(COMMAND, "check", "no-such-file.json")
    assert (failed.returncode, failed.stdout) == (2, b"")
    assert b"cannot be read" in failed.stderr
    assert run(COMMAND, "no-such-command").returncode == 2


def test_it_is_called_by_its_own_name() -> None:
    for command in (COMMAND, MODULE):
        shown = run(command, "--help").stdout.decode()
        assert "Usage: franking " in shown
    assert run(COMMAND, "--version").stdout.decode().startswith("franking ")
