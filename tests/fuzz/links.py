"""Compares the links that an executor finds in generated documents with those that the reference finds.

    python -m fuzz.links [--cases N] [--seconds N] [--seed TEXT] [--first N] [LANGUAGE]

with the folder `tests` on the module path and what tests/reference/requirements.txt names. LANGUAGE is what
tests/conformance.py takes (`rust` if left out). The same seed gives the same documents; --first N --cases 1 gives one
of them again. A host that only the reference finds is missed. A host that only the executor finds is one too
many, and is counted apart. Both are shown as small as they get. Exit status 1 when a host is missed, or, with --both,
when the two differ at all.
"""

import argparse
import re
import sys
import time

from reference.links import HIDDEN, hosts_in_order

from .documents import Documents
from .languages import Executor
from .minimise import minimise

CHUNK = 200  # documents that the executor answers before the next are sent
MISSED, NO_NAME, MORE = "missed", "missed, but no name of DNS", "reported too much"
# The last label of a name that a registry can give has letters, digits and hyphens (RFC 1123, 2.1). An IPv6 address ends with a bracket.
NAME = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?|.*\]")


def is_name(host):
    """Whether the host can be a name that a registry gives, or an IP address."""
    return NAME.fullmatch(host.rstrip(".").rsplit(".", 1)[-1]) is not None


def is_covered(host, found):
    """Whether a host that was found is this one, or below it."""
    return any(other.endswith(f".{host}") for other in found)


class Comparison:
    def __init__(self, executor):
        self.executor = executor

    def differences(self, documents):
        """For each document the kinds of differences with the hosts: {kind: hosts}."""
        answers = self.executor.answers([case(html) for html in documents])
        for html, answer in zip(documents, answers, strict=True):
            expected = set(hosts_in_order(html))
            if "hosts" not in answer:
                yield {MISSED: [str(answer.get("failed", answer))]}
                continue
            found = set(answer["hosts"])
            # Mail with hidden hosts is refused, so an executor that alone finds that they are may leave out the others.
            is_refused = HIDDEN in found - expected
            missed = [] if is_refused else [host for host in sorted(expected - found) if not is_covered(host, found)]
            kinds = {
                MISSED: [host for host in missed if is_name(host)],
                NO_NAME: [host for host in missed if not is_name(host)],
                MORE: sorted(found - expected),
            }
            yield {kind: hosts for kind, hosts in kinds.items() if hosts}

    def smallest(self, html, kind, seconds):
        """The smallest document found that has a difference of the kind."""

        def holds(smaller):
            if not isinstance(smaller.get("html"), str):
                return False
            return kind in next(iter(self.differences([smaller["html"]])))

        return minimise(case(html), holds, seconds)["html"]


def case(html):
    return {"id": 1, "do": "hosts", "html": html}


def run(language, documents, numbers, seconds, shown, patience):
    """(documents compared, {kind: documents with such a difference})."""
    executor = Executor(language)
    comparison = Comparison(executor)
    counts, done = {MISSED: 0, NO_NAME: 0, MORE: 0}, 0
    # clock: says how many are compared, not how they come out
    end = time.monotonic() + seconds
    try:
        for start in range(0, len(numbers), CHUNK):
            # clock: as above
            if time.monotonic() > end:
                break
            part = numbers[start : start + CHUNK]
            texts = [documents.document(number) for number in part]
            for number, html, kinds in zip(part, texts, list(comparison.differences(texts)), strict=True):
                done += 1
                for kind in kinds:
                    counts[kind] += 1
                    if counts[kind] <= shown:
                        small = comparison.smallest(html, kind, patience)
                        hosts = next(iter(comparison.differences([small]))).get(kind)
                        print(f"{kind}, document {number}: {hosts}\n  {small!r}", flush=True)
    finally:
        executor.stop()
    return done, counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", nargs="?", default="rust")
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="no new documents after that time"
    )
    parser.add_argument("--seed", default=None, help="a text; another one every time if left out")
    parser.add_argument("--first", type=int, default=0, help="the number of the first document")
    parser.add_argument("--shown", type=int, default=5, help="differences of each kind made small and shown")
    parser.add_argument("--patience", type=float, default=20.0, help="seconds to make one of them small")
    parser.add_argument("--both", action="store_true", help="fail for what is reported too much, too")
    given = parser.parse_args()
    # clock: a seed, which is printed
    seed = given.seed or f"{time.time_ns():x}"
    numbers = range(given.first, given.first + given.cases)
    done, counts = run(given.language, Documents(seed), numbers, given.seconds, given.shown, given.patience)
    print(f"seed {seed}")
    print(f"{done - counts[MISSED]} passed, {counts[MISSED]} failed, " + ", ".join(f"{counts[it]} {it}" for it in (NO_NAME, MORE)))
    sys.exit(1 if done == 0 or counts[MISSED] or given.both and (counts[NO_NAME] or counts[MORE]) else 0)


if __name__ == "__main__":
    main()
