"""No test judges by a clock. A test that reads a clock, waits or sets a limit of time says why it does not judge by that.

    python3 -m unittest tests/test_clocks.py

The reason is in a comment that begins with `clock:`, on the line itself or on the line above:

    sleep 0.1  # clock: until the server has written its address; nothing depends on how long that takes

Every source file of the repository is read, except those of programs that measure time, which print it, and those of the
service and the example hosts, which have a clock of their own. Tests count work instead of time: tests/hostile counts
instructions and memory.
"""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]

# Folders whose programs measure time, or are hosts, which have a clock and limits of time.
ELSEWHERE = re.compile(r"(^|/)(bench|benches|benchmarks|examples)/|^programs/service/src/")
MARK = re.compile(r"(#|//|/\*|\*).*\bclock: \w+,? \w+")

RUST = r"""\bInstant\b | \bSystemTime\b | \bUNIX_EPOCH\b | \bTimestamp::now\b | \bZoned::now\b | \bClockId\b
    | \b(elapsed|sleep|sleep_until|park_timeout|recv_timeout|wait_timeout|wait_timeout_while|set_read_timeout)\(
    | \bschedstat\b"""
PYTHON = r"""\bfrom\s+time\b
    | \btime\.(time|monotonic|perf_counter|process_time|thread_time|sleep)(_ns)?\b | \b(perf_counter|monotonic)(_ns)?\(
    | \basyncio\.(sleep|timeout|timeout_at|wait_for)\b | \b(datetime|date)\.(now|utcnow|today)\b | \btimeit\b
    | \btimeout\s*= | \bsettimeout\( | \bgetrusage\b"""
SHELL = r"""\$\{?\(*\s*(SECONDS|EPOCHSECONDS|EPOCHREALTIME)\b | \bSECONDS\s*= | \(\(.*\bSECONDS\b | \bsleep\s+["'$\d.]
    | (^|[;&|(]\s*|\bdo\s+|\bthen\s+)(time|timeout)\s+[^=)\s] | \bdate\s+["']?\+ | --(cpu|timeout)[=\s]"""
C = r"""\b(clock|clock_gettime|gettimeofday|times|getrusage|timespec_get|usleep|nanosleep|sleep|alarm|setitimer)\s*\(
    | \btime\s*\(\s*(NULL|nullptr|0|&) | \bchrono\b | \bsleep_(for|until)\b | \bwait_(for|until)\b"""
SCRIPT = r"""\bDate\.now\b | \bnew\s+Date\b | \bperformance\.(now|mark|measure)\b | \bset(Timeout|Interval)\b
    | \btimeout\s*: | \bhrtime\b | \bwaitForTimeout\b"""
CLOCKS = {
    language: re.compile(pattern, re.VERBOSE)
    for language, pattern in {"rust": RUST, "python": PYTHON, "shell": SHELL, "c": C, "script": SCRIPT}.items()
}
LANGUAGES = {
    ".rs": "rust", ".py": "python", ".sh": "shell", ".c": "c", ".h": "c", ".cpp": "c", ".hpp": "c",
    ".js": "script", ".mjs": "script", ".cjs": "script", ".ts": "script",
}  # fmt: skip


def without_comment(line, language):
    """The line, or nothing if a comment fills it, because prose may speak of clocks."""
    bare = line.strip()
    return "" if bare.startswith("#" if language in ("python", "shell") else ("//", "/*", "* ")) else bare


def unexplained(text, language):
    """The numbers of the lines that use a clock and do not say why."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not CLOCKS[language].search(without_comment(line, language)):
            continue
        above = lines[number - 2].strip() if number > 1 else ""
        if not MARK.search(line) and not (without_comment(above, language) == "" and MARK.search(above)):
            yield number


def language_of(path):
    """The language of a source file, or None for any other file."""
    if path.suffix in LANGUAGES:
        return LANGUAGES[path.suffix]
    if path.suffix or not path.is_file():
        return None
    with path.open("rb") as file:
        first = file.readline(200)
    if first.startswith(b"#!"):
        return "shell" if b"sh" in first else "python" if b"python" in first else None
    return None


def sources():
    """The source files of the repository in which no clock may judge."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    here = pathlib.Path(__file__).resolve()
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.is_file() and path != here and not ELSEWHERE.search(name):
            yield path


class ClockTest(unittest.TestCase):
    def test_no_test_judges_by_a_clock(self):
        found, read = [], 0
        for path in sources():
            language = language_of(path)
            if language is not None:
                read += 1
                text = path.read_text(encoding="utf-8")
                found += [f"{path.relative_to(ROOT)}:{number}" for number in unexplained(text, language)]
        self.assertGreater(read, 200)
        self.assertEqual(found, [], "a clock without a comment `clock: why nothing is judged by it`")

    def test_clocks_of_all_languages_are_found(self):
        uses = {
            "rust": [
                "let started = std::time::Instant::now();",
                "assert!(started.elapsed().as_secs() < 60);",
                "std::thread::sleep(pause);",
                'read_to_string("/proc/thread-self/schedstat")',
            ],
            "python": [
                "from time import perf_counter",
                "started = time.perf_counter()",
                "time.sleep(0.1)",
                "process.wait(timeout=5)",
                "await asyncio.wait_for(task, 1)",
                "day = datetime.now()",
            ],
            "shell": [
                "begun=$SECONDS",
                "(( SECONDS < 60 )) || exit 1",
                "sleep 0.1",
                "timeout 60 ./program",
                "if x; then time make; fi",
                "now=$(date +%s)",
                "prlimit --cpu=30 ./program",
            ],
            "c": [
                "clock_gettime(CLOCK_MONOTONIC, &now);",
                "const time_t now = time(NULL);",
                "auto now = std::chrono::steady_clock::now();",
                "usleep(1000);",
            ],
            "script": ["const now = Date.now();", "setTimeout(done, 100);", "performance.now()", "await page.goto(url, {timeout: 5});"],
        }
        for language, lines in uses.items():
            for line in lines:
                with self.subTest(line):
                    self.assertEqual(list(unexplained(line, language)), [1])

    def test_what_only_sounds_like_a_clock_is_left_alone(self):
        for line, language in [
            ("// A clock would be Instant::now().", "rust"),
            ("# sleep 5 would be too short", "shell"),
            ("let times = 5; counted(times);", "rust"),
            ('name = "timeout"', "python"),
            ("runtime=$(ls); sometime make", "shell"),
            ("int times = 3;", "c"),
        ]:
            with self.subTest(line):
                self.assertEqual(list(unexplained(line, language)), [])

    def test_a_reason_stands_on_the_line_or_right_above_it(self):
        reason = "# clock: waits for the address; nothing is judged by it"
        self.assertEqual(list(unexplained(f"sleep 1 {reason}", "shell")), [])
        self.assertEqual(list(unexplained(f"{reason}\nsleep 1", "shell")), [])
        self.assertEqual(list(unexplained(f"{reason}\n\nsleep 1", "shell")), [3])
        self.assertEqual(list(unexplained(f"ls {reason}\nsleep 1", "shell")), [2])
        self.assertEqual(list(unexplained("sleep 1 # clock:", "shell")), [1])


if __name__ == "__main__":
    unittest.main()
