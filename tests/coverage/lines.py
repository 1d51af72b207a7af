"""Prints the line coverage of the core from an lcov file, with the lines that are not reached; fails below a percentage.

    python tests/coverage/lines.py FILE.lcov PERCENT
"""

import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORE = ROOT / "core" / "src"


def is_test(path):
    return path.stem.endswith("tests") or "tests" in path.parts[len(CORE.parts) :]


def first_test_line(path):
    """The line at which a module of unit tests begins. Code after it is not code of the core."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() == "#[cfg(test)]":
            return number
    return sys.maxsize


def read(lcov):
    """{path: {line: how often it ran}}."""
    lines, path = collections.defaultdict(collections.Counter), None
    for row in pathlib.Path(lcov).read_text(encoding="utf-8").splitlines():
        kind, _, rest = row.partition(":")
        if kind == "SF":
            path = pathlib.Path(rest)
        elif kind == "DA" and CORE in path.parents and not is_test(path):
            number, count = rest.split(",")[:2]
            lines[path][int(number)] += int(count)
    return lines


def ranges(numbers):
    """1, 2, 3, 7 as 1-3, 7."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)


def main():
    lcov, least = sys.argv[1], float(sys.argv[2])
    reached_of_all = lines_of_all = 0
    print(f"{'file':<44}{'lines':>7}{'reached':>9}{'per cent':>10}  not reached")
    for path, counts in sorted(read(lcov).items()):
        end = first_test_line(path)
        counts = {number: count for number, count in counts.items() if number < end}
        missed = sorted(number for number, count in counts.items() if not count)
        reached = len(counts) - len(missed)
        reached_of_all += reached
        lines_of_all += len(counts)
        share = 100 * reached / max(len(counts), 1)
        print(f"{path.relative_to(CORE)!s:<44}{len(counts):>7}{reached:>9}{share:>10.1f}  {ranges(missed)}")
    share = 100 * reached_of_all / max(lines_of_all, 1)
    print(f"{'all':<44}{lines_of_all:>7}{reached_of_all:>9}{share:>10.1f}")
    if not lines_of_all or share < least:
        print(f"less than {least} per cent")
        sys.exit(1)


if __name__ == "__main__":
    main()
