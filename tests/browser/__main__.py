"""Whatever Chromium asks for or names in a document, the library has to find.

    python -m browser

with the folder `tests` on the module path. Documents of a fixed seed are tried in two ways: CASES_DOM (20,000) are parsed
by DOMParser, CASES_NAVIGATION (1,000) are pages of their own. SEED is another seed, EXECUTOR another program in place
of `tests/executors/run rust`. What the library reports beyond that is counted and is no finding. Exit status 1 when
there are findings, 2 when something could not be run. Standard library only.
"""

import asyncio
import os
import shlex
import signal
import sys

from . import chromium, report
from .compare import OWN, missed
from .documents import document, known
from .library import Library
from .navigation import Navigation
from .parsing import Parsing

CHUNK = 1000
# The share of documents in which a browser sees hosts is above a half. Far below it, the browser is not seen.
LEAST_WITH_HOSTS = 0.4
CASES = {"DOM": 20000, "NAVIGATION": 1000}


class Mode:
    """One way to look at documents. It has documents of its own: its name is part of their seed."""

    def __init__(self, name, cases, browser, own):
        self.name, self.browser, self.own = name, browser, own
        # The known ones are always tried.
        self.cases = max(cases, len(known()))
        self.with_hosts = self.beyond = 0
        self.findings = []

    async def run(self, library, seed):
        await self.browser.start()
        for begin in range(0, self.cases, CHUNK):
            numbers = range(begin, min(begin + CHUNK, self.cases))
            documents = [document(f"{seed} {self.name}", number) for number in numbers]
            for one, seen in zip(documents, await self.browser.hosts([one.html for one in documents])):
                self.judge(library, one, self.own(one, seen))

    def judge(self, library, one, seen):
        self.with_hosts += any(own_of(one, seen))
        self.beyond += any(own_of(one, library.hosts(one.html) - seen))
        if hosts := missed(library, one.html, seen):
            self.findings.append(report.Finding(one, hosts))


def own_of(one, hosts):
    """Those of the hosts that bear the mark of the document."""
    return {host for host in hosts if (match := OWN.search(host)) and int(match[1]) == one.number}


async def run():
    path = chromium.find()
    if path is None:
        print("NOT CHECKED: there is no Chromium (Debian's package `chromium`)", file=sys.stderr)
        return 2
    seed = os.environ.get("SEED", "franking")
    cases = {way: int(os.environ.get(f"CASES_{way}", number)) for way, number in CASES.items()}
    with Library(shlex.split(os.environ["EXECUTOR"]) if "EXECUTOR" in os.environ else None) as library:
        async with chromium.Chromium(path) as browser:
            print(browser.version)
            modes = [
                Mode("DOMParser", cases["DOM"], Parsing(browser), lambda _, seen: seen),
                # What was seen may be what the page before it asks for late.
                Mode("navigation", cases["NAVIGATION"], Navigation(browser), own_of),
            ]
            for mode in modes:
                await mode.run(library, seed)
                await report.show(mode, library)
                if mode.with_hosts < mode.cases * LEAST_WITH_HOSTS:
                    raise chromium.BrowserFault(f"{mode.name}: it was seen to ask for too little")
    findings = sum(len(mode.findings) for mode in modes)
    print(f"cases tried {sum(mode.cases for mode in modes)}, findings {findings}")
    return 1 if findings else 0


def main():
    # So that the browser is ended in every case.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(asyncio.run(run()))
    except (chromium.BrowserFault, OSError) as fault:
        print(f"NOT CHECKED: {fault}", file=sys.stderr)
        sys.exit(2)


main()
