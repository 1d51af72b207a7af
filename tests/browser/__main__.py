"""The library has to find every host that a browser asks for or names in a document.

    python -m browser

with the folder `tests` on the module path. Documents of a fixed seed are tried in Chromium in two ways: CASES_DOM
(8,000) are parsed by DOMParser, CASES_NAVIGATION (400) are pages of their own, CASES_NESTED (300) are documents in
documents. CASES_FIREFOX (0) are pages in Firefox, as many of each of the last two. SEED is another seed, EXECUTOR
another program in place of `tests/executors/run rust`. Hosts that the library reports and the browser does not see are counted,
and are not findings. Exit status 1 when there are findings, 2 when
something could not be run. Standard library only.
"""

import asyncio
import os
import shlex
import signal
import sys

from . import report
from .chromium import BrowserFault, Chromium
from .compare import OWN, missed
from .documents import document, known, nested
from .firefox import Firefox
from .library import Library, LibraryFault
from .navigation import Navigation
from .parsing import Parsing

CHUNK = 1000
SECONDS = 3600
# A browser sees hosts in about half of the documents. If the share is far lower, the browser is not observed.
LEAST_WITH_HOSTS = 0.25
CASES = {"DOM": 8000, "NAVIGATION": 400, "NESTED": 300, "FIREFOX": 0}


class Mode:
    """One way to look at documents. It has documents of its own: its name is part of their seed."""

    def __init__(self, name, cases, browser, own, make=document):
        self.name, self.browser, self.own, self.make = name, browser, own, make
        # The known ones are always tried.
        self.cases = max(cases, len(known())) if make is document else cases
        self.with_hosts = self.beyond = 0
        self.findings = []

    async def run(self, library, seed):
        await self.browser.start()
        for begin in range(0, self.cases, CHUNK):
            numbers = range(begin, min(begin + CHUNK, self.cases))
            documents = [self.make(f"{seed} {self.name}", number) for number in numbers]
            all_seen = await self.browser.hosts([one.html for one in documents])
            for one, seen in zip(documents, all_seen, strict=True):
                self.judge(library, one, self.own(one, seen))
        await report.show(self, library)
        if self.with_hosts < self.cases * LEAST_WITH_HOSTS:
            raise BrowserFault(f"{self.name}: the browser was seen to ask for too little")

    def judge(self, library, one, seen):
        self.with_hosts += any(own_of(one, seen))
        self.beyond += any(own_of(one, library.hosts(one.html) - seen))
        if hosts := missed(library, one.html, seen):
            self.findings.append(report.Finding(one, hosts))


def own_of(one, hosts):
    """The hosts that bear the mark of the document."""
    return {host for host in hosts if (match := OWN.search(host)) and int(match[1]) == one.number}


async def run():
    seed = os.environ.get("SEED", "franking")
    cases = {way: int(os.environ.get(f"CASES_{way}", number)) for way, number in CASES.items()}
    signal.alarm(SECONDS + cases["DOM"] // 100 + (cases["NAVIGATION"] + cases["NESTED"]) // 2 + cases["FIREFOX"])
    command = shlex.split(os.environ["EXECUTOR"]) if "EXECUTOR" in os.environ else None
    modes = []
    with Library(command) as library:
        async with Chromium() as browser:
            print(browser.version, flush=True)
            modes.append(Mode("DOMParser", cases["DOM"], Parsing(browser), lambda _, seen: seen))
            # A host that is seen on a page may be one that the page before it asks for late.
            pages = Navigation(browser)
            modes.append(Mode("navigation", cases["NAVIGATION"], pages, own_of))
            modes.append(Mode("documents in documents", cases["NESTED"], pages, own_of, nested))
            for mode in modes:
                await mode.run(library, seed)
        if cases["FIREFOX"]:
            async with Firefox() as browser:
                print(browser.version, flush=True)
                modes.append(Mode("navigation of Firefox", cases["FIREFOX"], browser, own_of))
                modes.append(Mode("documents in documents in Firefox", cases["FIREFOX"], browser, own_of, nested))
                for mode in modes[-2:]:
                    await mode.run(library, seed)
    findings = sum(len(mode.findings) for mode in modes)
    print(f"cases tried {sum(mode.cases for mode in modes)}, findings {findings}")
    return 1 if findings else 0


def main():
    # It exits instead of taking the default action, so that the browser is ended in every case.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(not_checked("the time is over")))
    try:
        sys.exit(asyncio.run(run()))
    except (BrowserFault, LibraryFault, OSError) as fault:
        sys.exit(not_checked(fault))


def not_checked(why):
    print(f"NOT CHECKED: {why}", file=sys.stderr)
    return 2


main()
