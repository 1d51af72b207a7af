"""The command `franking`, also `python -m franking`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TextIO, TypeVar

import franking

if TYPE_CHECKING:
    from collections.abc import Sequence

Row = TypeVar("Row")

OK = 0
REFUSED = 1
USAGE = 2

EXIT = """exit status: 0 when nothing is wrong, 1 when something is, 2 when the command could not be carried out"""


class CommandError(Exception):
    """The command cannot be carried out; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; its exit status."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except CommandError as error:
        print(f"franking: {error}", file=sys.stderr)
        return USAGE
    except franking.FrankingError as error:
        print(f"franking: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        # Whoever reads has seen enough; nothing more is written, not even when the program ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    return status


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="franking", description="Looks at calls of a transactional email API.", epilog=EXIT
    )
    top.add_argument("--version", action="version", version=f"franking {franking.__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="say everything that is wrong with calls", epilog=EXIT)
    check.add_argument(
        "files", nargs="*", default=["-"], metavar="FILE", help="a body, or - for standard input"
    )
    check.add_argument(
        "--operation",
        "-o",
        choices=[*franking.Operation, "auto"],
        default="auto",
        help="what is called; else guessed from the fields",
    )
    check.add_argument("--lines", action="store_true", help="each line of the files is a body")
    check.add_argument("--json", action="store_true", help="write one JSON object a body")
    check.add_argument("--no-warnings", action="store_true", help="leave warnings out")
    check.add_argument("--most", type=int, default=20, metavar="N", help="findings shown of one body (20)")
    check.add_argument("--policy", metavar="FILE", help="a policy in its JSON form")
    check.set_defaults(run=run_check)

    rules = commands.add_parser("rules", help="list the rules, in their order")
    rules.add_argument(
        "--operation", "-o", choices=list(franking.Operation), help="only those that apply to it"
    )
    rules.add_argument("--json", action="store_true", help="write a JSON array")
    rules.set_defaults(run=run_rules)

    explain = commands.add_parser("explain", help="explain a result code or a rule")
    explain.add_argument("name", metavar="CODE|RULE", help="such as 454, or recipient-malformed")
    explain.set_defaults(run=run_explain)

    address = commands.add_parser("address", help="say whether addresses are valid", epilog=EXIT)
    address.add_argument("addresses", nargs="+", metavar="ADDRESS")
    address.set_defaults(run=run_address)

    links = commands.add_parser("links", help="list the links of HTML and the hosts that are judged")
    links.add_argument("file", nargs="?", default="-", metavar="FILE", help="HTML, or - for standard input")
    links.set_defaults(run=run_links)

    answer = commands.add_parser("answer", help="read a response of the service", epilog=EXIT)
    answer.add_argument("file", nargs="?", default="-", metavar="FILE", help="a response body, or -")
    answer.set_defaults(run=run_answer)

    replay = commands.add_parser("replay", help="replay a transcript and show what is decided", epilog=EXIT)
    replay.add_argument("file", nargs="?", default="-", metavar="FILE", help="a transcript, or -")
    replay.add_argument("--masked", action="store_true", help="only write it without the texts of the call")
    replay.set_defaults(run=run_replay)
    return top


# check


class Finding(NamedTuple):
    """A violation or a warning, as it is shown."""

    is_error: bool
    label: str
    pointer: str | None
    span: tuple[int, int] | None
    text: str


def run_check(options: argparse.Namespace) -> int:
    policy = franking.Policy.from_json(read_text(options.policy)) if options.policy else None
    paint = Paint(sys.stdout)
    status = OK
    for name in options.files:
        for label, body in bodies(name, options.lines):
            operation = guess_operation(body) if options.operation == "auto" else options.operation
            report = franking.preflight(operation, body, policy)
            if not report.is_clean:
                status = REFUSED
            if options.json:
                line = {"file": label, **report.to_dict()}
                print(json.dumps(line, ensure_ascii=False))
            else:
                show_report(paint, label, body, report, options)
    return status


def bodies(name: str, lines: bool) -> list[tuple[str, bytes]]:
    content = read_bytes(name)
    label = "standard input" if name == "-" else name
    if not lines:
        return [(label, content)]
    numbered = enumerate(content.splitlines(), start=1)
    return [(f"{label}:{number}", line) for number, line in numbered if line.strip()]


def guess_operation(body: bytes) -> franking.Operation:
    """httpSendMail when the body has its requests."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        fields = None
    is_http = (
        "requests" in fields or "ApiKey" in fields if isinstance(fields, dict) else b'"requests"' in body
    )
    return franking.Operation.HTTP_SEND_MAIL if is_http else franking.Operation.SEND_MAILER


def show_report(
    paint: Paint, label: str, body: bytes, report: franking.Preflight, options: argparse.Namespace
) -> None:
    findings = [
        Finding(True, f"{row.code} {row.rule}", row.pointer, row.span, f"{row.rule.meaning}. {row.remedy}")
        for row in take(report.violations, options.most)
    ]
    if not options.no_warnings:
        findings += [
            Finding(False, f"warning {row.kind}", row.pointer, row.span, row.message)
            for row in take(report.warnings, options.most)
        ]
    verdict = paint.good("ok") if report.is_clean else paint.bad(f"would be answered with {report.code}")
    meaning = "" if report.is_clean else f", {franking.code_meaning(report.code, report.operation)}"
    print(f"{paint.strong(label)} ({report.operation}): {verdict}{meaning}")
    for finding in findings:
        colour = paint.bad if finding.is_error else paint.mild
        place = f" at {finding.pointer or 'the whole body'}" if finding.pointer is not None else ""
        print(f"\n  {colour(finding.label)}{paint.strong(visible(place))}")
        if finding.span is not None and finding.pointer:
            for line in excerpt(body, finding.span, paint.width):
                print(f"    {line}")
        print(f"    {visible(finding.text)}")
    left = 0 if report.is_clean else len(report.violations) - options.most
    if left > 0:
        print(f"\n  and {left} more (--most N shows more)")
    if findings:
        print()


def take(rows: franking.Rows[Row], most: int) -> list[Row]:
    return [row for row, _ in zip(rows, range(most), strict=False)]


def excerpt(body: bytes, span: tuple[int, int], width: int) -> list[str]:
    """The line of the body in which the span starts, cut to the width, and a line that underlines the span."""
    start, end = span
    # A line may be as long as the body: no more of it is looked at than could be shown.
    most = 8 * width
    line_start = max(body.rfind(b"\n", max(0, start - most), start) + 1, start - most)
    line_end = body.find(b"\n", start, end + most)
    line_end = min(len(body), end + most) if line_end < 0 else line_end
    end = min(end, line_end)
    before = visible(body[line_start:start].decode("utf-8", "replace"))
    inside = visible(body[start : min(end, start + most)].decode("utf-8", "replace"))
    after = visible(body[end:line_end].decode("utf-8", "replace"))
    room = max(20, width - 8)
    # The offending part is what matters: what stands around it gets the rest.
    inside = cut(inside, room, keep_start=True)
    room = max(0, room - columns(inside))
    before = cut(before, room // 2, keep_start=False)
    after = cut(after, max(0, room - columns(before)), keep_start=True)
    marks = "^" * max(1, columns(inside))
    return [before + inside + after, " " * columns(before) + marks]


def cut(text: str, room: int, *, keep_start: bool) -> str:
    """The text, with an ellipsis where it does not fit."""
    if columns(text) <= room:
        return text
    if room < 2:
        return ""
    kept: list[str] = []
    left = room - 1
    for character in text if keep_start else reversed(text):
        left -= columns(character)
        if left < 0:
            break
        kept.append(character)
    return "".join(kept) + "…" if keep_start else "…" + "".join(reversed(kept))


def columns(text: str) -> int:
    """How wide a terminal shows the text."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    none = sum(unicodedata.combining(character) != 0 for character in text)
    return len(text) + wide - none


def visible(text: str) -> str:
    """The text with what a terminal would obey, or not show, replaced."""
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(character) in hidden else character
        for character in text
    )


class Paint:
    """Colours, where they are wanted."""

    def __init__(self, stream: TextIO) -> None:
        self._is_on = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        try:
            self.width = os.get_terminal_size(stream.fileno()).columns
        except (OSError, ValueError):
            self.width = 100

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._is_on and text else text

    def good(self, text: str) -> str:
        return self._paint("32", text)

    def bad(self, text: str) -> str:
        return self._paint("31", text)

    def mild(self, text: str) -> str:
        return self._paint("33", text)

    def strong(self, text: str) -> str:
        return self._paint("1", text)


# The other commands.


def run_rules(options: argparse.Namespace) -> int:
    operations = [options.operation] if options.operation else list(franking.Operation)
    shown = [rule for rule in franking.Rule if any(rule.code(operation) for operation in operations)]
    if options.json:
        rows = [
            {
                "rule": rule,
                "phase": rule.phase,
                **{operation: rule.code(operation) for operation in operations},
                "meaning": rule.meaning,
                "remedy": rule.remedy,
            }
            for rule in shown
        ]
        print(json.dumps(rows, indent=2))
        return OK
    print("phase           " + "".join(f"{operation:<14}" for operation in operations) + "rule")
    for rule in shown:
        codes = "".join(f"{rule.code(operation) or '-':<14}" for operation in operations)
        print(f"{rule.phase} {rule.phase.name.lower():<14}{codes}{rule}: {rule.meaning}")
    return OK


def run_explain(options: argparse.Namespace) -> int:
    if options.name.isascii() and options.name.isdigit():
        return explain_code(int(options.name))
    try:
        rule = franking.Rule(options.name)
    except ValueError:
        fail(f"there is no rule {visible(options.name)}: `franking rules` lists them")
    codes = [
        f"{rule.code(operation)} on {operation}" for operation in franking.Operation if rule.code(operation)
    ]
    print(f"{rule}: {', '.join(codes)}, phase {rule.phase} ({rule.phase.name.lower()})")
    print(f"  Broken when {rule.meaning}.")
    print(f"  {rule.remedy}")
    return OK


def explain_code(code: int) -> int:
    is_known = False
    for operation in franking.Operation:
        meaning = franking.code_meaning(code, operation)
        if meaning is None:
            continue
        is_known = True
        retry = (franking.code_retry(code, operation) or "").replace("-", " ")
        print(f"{code} on {operation}: {meaning} (sent again: {retry})")
        for rule in franking.Rule:
            if rule.code(operation) == code:
                print(f"  {rule}: {rule.meaning}")
                print(f"    {rule.remedy}")
    if not is_known:
        fail(f"the interface lists no code {code}")
    return OK


def run_address(options: argparse.Namespace) -> int:
    status = OK
    for text in options.addresses:
        try:
            address = franking.Address.parse(text)
        except franking.InvalidError as error:
            status = REFUSED
            print(f"{visible(text)}: {error}")
        else:
            print(f"{visible(text)}: valid, compared as {address.match_key}")
    return status


def run_links(options: argparse.Namespace) -> int:
    for link in franking.html_links(read_text(options.file)):
        hosts = ", ".join(link.hosts) if link.hosts else "no host"
        remark = "" if link.readable else " (no browser can read it)"
        print(f"{link.place}: {visible(link.url)}: {hosts}{remark}")
    return OK


def run_answer(options: argparse.Namespace) -> int:
    response = franking.Response.read(read_bytes(options.file))
    status = visible(response.status or "none")
    print(f"code {response.code:d}, status {status}, transaction {response.transaction_id}")
    for operation in franking.Operation:
        meaning = franking.code_meaning(response.code, operation)
        if meaning is not None:
            print(f"  on {operation}: {meaning}")
    return OK if response.is_success else REFUSED


def run_replay(options: argparse.Namespace) -> int:
    transcript = franking.Transcript.from_json(read_text(options.file))
    if options.masked:
        print(transcript.to_masked_json())
        return OK
    replay = transcript.replay()
    for number, step in enumerate(replay.steps):
        print(f"step {number}: {'ok' if step else 'misuse'}")
    if replay.decision is None:
        print("not decided yet")
        return REFUSED
    print(json.dumps(replay.decision, ensure_ascii=False, indent=2))
    return OK if replay.decision["code"] == 200 else REFUSED


# Files.


def read_bytes(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        fail(f"{visible(name)} cannot be read: {error.strerror}")


def read_text(name: str) -> str:
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError:
        fail(f"{visible(name)} is not UTF-8")


def fail(message: str) -> NoReturn:
    raise CommandError(message)


if __name__ == "__main__":
    sys.exit(main())
