"""Runs one generated stream of cases through several executors and compares their answers.

    python -m fuzz.languages [--cases N] [--seed TEXT] [--first N] LANGUAGE LANGUAGE...

with the folder `tests` on the module path. A LANGUAGE is what tests/conformance.py takes: `rust`, `c`, `cpp`,
`python`, `reference`, or `NAME=COMMAND`. The same seed gives the same stream; --first N --cases 1 gives one case of
it again. Answers are compared after sorting keys; of an answer that says only `error`, the text is not compared,
because each language words its own. A difference is made as small as possible and printed: as a transcript where the
case is a call or a replay, else as the case. Exit status 1 when there is one. Standard library only, but for the
transcripts that are replayed: the reference records them in this process (tests/reference/requirements.txt).
"""

import argparse
import collections
import concurrent.futures
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
import time

from conformance import TESTS, canonical, command, differences

from .minimise import minimise
from .stream import Stream
from .transcripts import recorder, unmade

CHUNK = 250  # cases that every executor answers before the next are sent
PATIENCE = 120  # seconds for one answer
BUILDING = 2400  # seconds for the first one, which may wait for a build
SHOWN = 5  # differences minimised and shown
LINES = 12
KINDS = [
    "decide", "http", "preflight", "address", "addresses", "decode", "hosts", "blacklisted", "date", "outcome",
    "answer", "compose", "replay", "rules",
]  # fmt: skip


class Executor:
    """A running executor, started anew when it ends or does not answer."""

    def __init__(self, language, patience=PATIENCE):
        self.name = language.partition("=")[0]
        self.command = command(language)
        self.patience = patience
        self.seconds = 0.0
        self.process = None
        # A shorter limit than the usual one holds from the first answer on.
        self.first = BUILDING if patience >= PATIENCE else patience

    def start(self):
        module_path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": module_path},
        )
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self.read, args=(self.process, self.lines), daemon=True).start()

    @staticmethod
    def read(process, lines):
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    def stop(self):
        if self.process is None:
            return
        try:
            self.process.stdin.close()
            self.process.wait(timeout=5)  # clock: then it is ended; its answers are judged already
        except (subprocess.TimeoutExpired, BrokenPipeError):
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process = None

    def answers(self, cases):
        """One answer for each case; {"failed": why} if there is none."""
        started = time.monotonic()  # clock: printed, not judged
        given = []
        while len(given) < len(cases):
            if self.process is None:
                self.start()
            writer = threading.Thread(target=self.write, args=(self.process, cases[len(given) :]), daemon=True)
            writer.start()
            while len(given) < len(cases):
                answer = self.answer()
                given.append(answer)
                if "failed" in answer:
                    self.process.kill()
                    self.stop()
                    break
            writer.join()
        self.seconds += time.monotonic() - started  # clock: printed, not judged
        return given

    @staticmethod
    def write(process, cases):
        try:
            for case in cases:
                process.stdin.write(json.dumps(case, ensure_ascii=False).encode("utf-8") + b"\n")
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass

    def answer(self):
        patience, self.first = self.first or self.patience, None
        try:
            # clock: an executor that hangs has to end at some time; minutes are far above what an answer takes
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            return {"failed": f"no answer in {patience} seconds"}
        if line is None:
            return {"failed": "the executor ended"}
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        return answer if isinstance(answer, dict) else {"failed": "the answer is not a JSON object"}


class Languages:
    def __init__(self, languages, patience=PATIENCE):
        self.executors = [Executor(language, patience) for language in languages]
        self.is_worded = not any(executor.name == "reference" for executor in self.executors)
        self.pool = concurrent.futures.ThreadPoolExecutor(len(self.executors))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for executor in self.executors:
            executor.stop()
        self.pool.shutdown()

    def answers(self, cases):
        """For each case the answers of all executors."""
        columns = self.pool.map(lambda executor: executor.answers(cases), self.executors)
        return list(zip(*columns, strict=True))

    def comparable(self, answer):
        if set(answer) == {"id", "error"} and isinstance(answer["error"], str) and answer["error"]:
            return {**answer, "error": True}
        if "rules" in answer and not self.is_worded:
            # The reference does not word the rules.
            rows = [{**row, "meaning": "", "remedy": ""} for row in answer["rules"]]
            return {**answer, "rules": rows}
        return answer

    def is_equal(self, answers):
        return "failed" not in answers[0] and len({canonical(self.comparable(answer)) for answer in answers}) == 1

    def still_differs(self, answers):
        """Whether a smaller case shows a difference of the same kind. A text that is not a case any more does not."""
        had_errors = [set(answer) == {"id", "error"} for answer in answers]

        def holds(case):
            smaller = self.answers([case])[0]
            has_errors = [set(answer) == {"id", "error"} for answer in smaller]
            return not self.is_equal(smaller) and has_errors == had_errors

        return holds


def report(languages, case, answers, record):
    """Prints a difference, as small as it gets."""
    print(f"\nDifferent: case {case.get('id')}, {kind_of(case)}", flush=True)
    small = minimise(case, languages.still_differs(answers))
    told = transcript_of(small, record)
    if told is not None:
        print("transcript (its decision is the reference's):")
        print("  " + canonical({"do": "replay", "transcript": told}))
    print("case:")
    print("  " + canonical(small))
    small_answers = languages.answers([small])[0]
    first = languages.comparable(small_answers[0])
    print(f"  {languages.executors[0].name}: {canonical(small_answers[0])}")
    for executor, answer in zip(languages.executors[1:], small_answers[1:], strict=True):
        lines = list(differences(first, languages.comparable(answer)))
        if not lines:
            print(f"  {executor.name}: the same")
            continue
        print(f"  {executor.name}, where {languages.executors[0].name} is what is expected:")
        for line in lines[:LINES]:
            print(f"    {line}")


def kind_of(case):
    return case["do"] if case.get("do") in KINDS else "of no kind"


def transcript_of(case, record):
    if case.get("do") == "decide":
        return record(case)
    return case.get("transcript") if case.get("do") == "replay" else None


def run(names, stream, numbers, record, shown=SHOWN, is_over=lambda: False, patience=PATIENCE):
    """(cases equal, cases different, seconds of each executor, cases of each kind)."""
    equal, different, kinds = 0, 0, collections.Counter()
    with Languages(names, patience) as languages:
        for start in range(0, len(numbers), CHUNK):
            if is_over():
                break
            cases = [stream.case(number) for number in numbers[start : start + CHUNK]]
            kinds.update(kind_of(case) for case in cases)
            for case, answers in zip(cases, languages.answers(cases), strict=True):
                if languages.is_equal(answers):
                    equal += 1
                    continue
                different += 1
                if different <= shown:
                    report(languages, case, answers, record)
        times = [(executor.name, executor.seconds) for executor in languages.executors]
    return equal, different, times, kinds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("languages", nargs="+", metavar="LANGUAGE")
    parser.add_argument("--cases", type=int, default=50000)
    parser.add_argument("--seconds", type=float, default=None, help="for so long at most")
    parser.add_argument("--seed", default=None, help="a text; another one every time if left out")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    arguments = parser.parse_args()
    if len(arguments.languages) < 2:
        parser.error("two languages at least: one has nothing to be compared with")
    seed = arguments.seed or secrets.token_hex(8)
    try:
        record = recorder()
    except ImportError as error:
        print(f"No transcripts but those of the vectors ({error}; see tests/reference/requirements.txt)")
        record = unmade
    numbers = range(arguments.first, arguments.first + arguments.cases)
    started = time.monotonic()  # clock: says how many cases are made, not whether they are equal

    def is_over():
        # clock: the same
        return arguments.seconds is not None and time.monotonic() - started >= arguments.seconds

    equal, different, times, kinds = run(arguments.languages, Stream(seed, record), numbers, record, is_over=is_over)
    print(f"seed {seed}: " + ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds)))
    print(f"{'language':<12}{'cases':>8}{'seconds':>9}")
    for name, seconds in times:
        print(f"{name:<12}{equal + different:>8}{seconds:>9.1f}")
    if different > SHOWN:
        print(f"{different - SHOWN} more differences are not shown")
    print(f"{equal} passed, {different} failed")
    sys.exit(1 if different or not equal else 0)


if __name__ == "__main__":
    main()
