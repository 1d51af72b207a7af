from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hosts import http_send_mail, request, send_mailer

import franking
from franking.__main__ import main

Run = pytest.CaptureFixture[str]


def test_a_check_underlines_what_is_wrong_and_says_so_in_the_exit_status(tmp_path: Path, capsys: Run) -> None:
    path = tmp_path / "call.json"
    path.write_bytes(send_mailer(subID=None, email="nobody"))
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "would be answered with 412, Invalid recipient email address" in lines[0]
    (line,) = [number for number, text in enumerate(lines) if '"nobody"' in text]
    assert lines[line].index('"nobody"') == lines[line + 1].index("^")
    assert lines[line + 1].count("^") == len('"nobody"')


def test_a_clean_call_has_exit_status_0(tmp_path: Path, capsys: Run) -> None:
    path = tmp_path / "call.json"
    path.write_bytes(send_mailer())
    assert main(["check", "--operation", "sendMailer", str(path)]) == 0
    assert capsys.readouterr().out.endswith("(sendMailer): ok\n")


def test_standard_input_lines_and_json(monkeypatch: pytest.MonkeyPatch, capsys: Run) -> None:
    content = send_mailer() + b"\n\n" + http_send_mail(request(to=None)) + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(["check", "--lines", "--json"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["file"], first["code"], first["operation"]) == ("standard input:1", 200, "sendMailer")
    assert (second["file"], second["code"]) == ("standard input:3", 411)
    assert second["violations"][0]["pointer"] == "/requests/0/to"


def test_what_a_terminal_would_obey_is_not_written(tmp_path: Path, capsys: Run) -> None:
    path = tmp_path / "call.json"
    path.write_bytes(
        send_mailer(subID=None, email="a\x1b[31m\u202eb", **{"\x1b]0;x\x07": 1}).replace(b"\\u001b", b"\x1b")
    )
    main(["check", str(path)])
    path.write_text(
        json.dumps({"apiKey": "k", "mailerID": 1, "email": "\u202eb"}, ensure_ascii=False), "utf-8"
    )
    main(["check", str(path)])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "\u202e" not in shown and "\x07" not in shown


def test_a_huge_line_is_cut_and_shown_fast(tmp_path: Path, capsys: Run) -> None:
    path = tmp_path / "call.json"
    path.write_bytes(http_send_mail(request(body="a" * 5_000_000), request(to="bad", body="b" * 5_000_000)))
    assert main(["check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 200
    (line,) = [number for number, text in enumerate(lines) if "^" in text and set(text) <= {" ", "^"}]
    assert lines[line - 1][lines[line].index("^") :].startswith("bad")


def test_only_so_many_findings_are_shown(tmp_path: Path, capsys: Run) -> None:
    path = tmp_path / "call.json"
    path.write_bytes(http_send_mail(request(to=",".join(["bad"] * 50))))
    assert main(["check", "--most", "3", "--no-warnings", str(path)]) == 1
    shown = capsys.readouterr().out
    assert shown.count("recipient-malformed") == 3 and "and 47 more" in shown


@pytest.mark.parametrize(
    ("arguments", "status", "shown"),
    [
        (["rules"], 0, "recipient-malformed"),
        (["rules", "-o", "sendMailer"], 0, "mailer-missing"),
        (["explain", "454"], 0, "API call exceeds the allowed size"),
        (["explain", "html-missing"], 0, "408 on httpSendMail"),
        (["explain", "417"], 0, "Bounced"),
        (["explain", "999"], 2, "no code 999"),
        (["explain", "nothing"], 2, "no rule nothing"),
        (["address", "A@B.example"], 0, "valid, compared as a@b.example"),
        (["address", "a@b.example", "x"], 1, "has no @"),
        (["check", "/nowhere/at/all"], 2, "cannot be read"),
    ],
)
def test_commands(arguments: list[str], status: int, shown: str, capsys: Run) -> None:
    assert main(arguments) == status
    captured = capsys.readouterr()
    assert shown in (captured.err if status == 2 else captured.out)
    assert bool(captured.err) == (status == 2)


def test_rules_as_json(capsys: Run) -> None:
    assert main(["rules", "--json"]) == 0
    assert [row["rule"] for row in json.loads(capsys.readouterr().out)] == list(franking.Rule)


def test_links_answers_and_transcripts(tmp_path: Path, capsys: Run) -> None:
    path = tmp_path / "file"
    path.write_text('<a href="https://www.example.com/">x</a>')
    assert main(["links", str(path)]) == 0
    assert capsys.readouterr().out == "href of <a>: https://www.example.com/: www.example.com\n"
    path.write_text('{"code":404,"status":"Error"}')
    assert main(["answer", str(path)]) == 1
    assert "Account sending blocked" in capsys.readouterr().out
    path.write_text("<html>")
    assert main(["answer", str(path)]) == 2
    call = franking.Call("sendMailer", send_mailer(), record=True)
    call.answer_account(None)
    path.write_text(call.transcript().to_json())
    assert main(["replay", str(path)]) == 1
    assert "key-unknown" in capsys.readouterr().out
    assert main(["replay", "--masked", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["masked"] is True


def test_a_policy_is_read_and_refused(tmp_path: Path, capsys: Run) -> None:
    body, policy = tmp_path / "call.json", tmp_path / "policy.json"
    body.write_bytes(http_send_mail(request(), request()))
    policy.write_text('{"max_requests": 1}')
    assert main(["check", "--policy", str(policy), str(body)]) == 1
    assert "453" in capsys.readouterr().out
    policy.write_text('{"max_requests": 0}')
    assert main(["check", "--policy", str(policy), str(body)]) == 2
    assert "max_requests" in capsys.readouterr().err


def test_the_command_is_a_program_and_ends_quietly_when_nobody_reads(tmp_path: Path) -> None:
    run = [sys.executable, "-W", "error", "-m", "franking"]
    assert subprocess.run([*run, "--version"], capture_output=True, check=True).stdout.startswith(
        b"franking "
    )
    assert subprocess.run(run, capture_output=True, check=False).returncode == 2
    path = tmp_path / "calls"
    path.write_bytes(b"{}\n" * 20_000)
    with subprocess.Popen(
        [*run, "check", "--lines", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
