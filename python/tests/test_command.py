"""The command of the package is the program of `programs/cli/`, with the same output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLI = ROOT / "programs" / "cli" / "tests"
COMMAND = [str(Path(sys.executable).with_name("franking"))]
MODULE = [sys.executable, "-m", "franking"]
# Runs the command once for each argument, as the installed program does, and shows what was typed.
EACH = """
import sys
from franking.__main__ import main

for name in sys.argv[1:]:
    print(f"$ franking check {name}", flush=True)
    sys.argv = ["franking", "check", name]
    main()
    print(flush=True)
"""


def run(
    command: list[str], *arguments: str, given: bytes = b"", folder: Path = CLI
) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CLICOLOR")}
    return subprocess.run(
        [*command, *arguments], input=given, capture_output=True, cwd=folder, env=environment, check=False
    )


def test_each_wrong_call_is_shown_as_the_program_shows_it(tmp_path: Path) -> None:
    (tmp_path / "wrong").mkdir()
    names: list[str] = []
    for line in (CLI / "wrong_calls.jsonl").read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        name = f"wrong/{call['file']}"
        (tmp_path / name).write_bytes(bytes(call["bytes"]) if "bytes" in call else call["body"].encode())
        names.append(name)
    assert len(names) == 200
    # One process runs the command for all of them, because starting Python takes longer than the command.
    said = run([sys.executable, "-c", EACH], *names, folder=tmp_path)
    assert (said.returncode, said.stderr) == (0, b"")
    assert said.stdout.decode() == (CLI / "wrong_calls.txt").read_text(encoding="utf-8")


def test_the_configurations_of_the_page_find_a_wrong_call(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "checking.md").read_text(encoding="utf-8")
    hook, scan = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (entry,) = re.findall(r"entry: franking (.*)", hook)
    (files,) = re.findall(r"files: (.*)", hook)
    (step,) = re.findall(r"run: franking (.*) > (\S+) \|\| \[ \$\? = 1 \]", scan)
    wrong, right = "calls/a.sendMailer.json", "calls/b.sendMailer.json"
    (tmp_path / "calls").mkdir()
    (tmp_path / wrong).write_bytes(b"{}")
    (tmp_path / right).write_bytes(b'{"apiKey":"k","mailerID":1,"email":"a@b.example"}')
    assert all(re.search(files, name) for name in (wrong, right)) and not re.search(files, "package.json")
    assert run(COMMAND, *entry.split(), right, folder=tmp_path).returncode == 0
    assert run(COMMAND, *entry.split(), wrong, folder=tmp_path).returncode == 1
    arguments, log = step
    said = run(COMMAND, *arguments.split(), folder=tmp_path)
    assert said.returncode == 1 and json.loads(said.stdout)["version"] == "2.1.0"
    assert f"sarif_file: {log}" in scan


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
