"""Prints findings: by kind, the shortest document first, made shorter still."""

import asyncio
import dataclasses
import re

from fuzz.minimise import minimise

from .compare import OWN, missed
from .documents import KINDS, Document

SHOWN = 5  # findings of each kind that are made shorter
SECONDS_EACH = 4


@dataclasses.dataclass(frozen=True)
class Finding:
    document: Document
    hosts: set


async def show(mode, library):
    print(
        f"{mode.name}: {mode.cases} documents, {mode.with_hosts} with hosts of their own; "
        f"{len(mode.findings)} with a host missed, {mode.beyond} with one more than the browser sees"
    )
    kinds = {}
    for finding in sorted(mode.findings, key=lambda finding: len(finding.document.html)):
        kinds.setdefault(finding.document.kind, []).append(finding)
    for kind in sorted(kinds, key=lambda kind: (kind in KINDS, kind)):
        print(f"  {kind}: {len(kinds[kind])}")
        shown = {}
        for finding in kinds[kind][: SHOWN if kind in KINDS else 1]:
            html, hosts = await shortest(mode, library, finding)
            shown.setdefault(re.sub(r"h[0-9]+-[0-9]+", "H", html), (html, hosts))
        for html, hosts in shown.values():
            print(f"    missed {', '.join(sorted(hosts))} in {abridged(repr(html))}", flush=True)


def abridged(text):
    """The text with what is repeated in it written once."""
    return re.sub(r"((?:<[^<>]*>))\1{20,}", lambda match: f"{match[1]}×{len(match[0]) // len(match[1])}", text)


async def shortest(mode, library, finding):
    """The shortest document found in which a host of its own is missed, and the host."""
    loop = asyncio.get_running_loop()

    async def missed_in(html):
        return {
            host for host in missed(library, html, await mode.browser.alone(html)) if OWN.search(host.split(" ")[0])
        }

    def holds(case):
        return "html" in case and bool(asyncio.run_coroutine_threadsafe(missed_in(case["html"]), loop).result())

    if finding.document.kind not in KINDS or not await missed_in(finding.document.html):
        return finding.document.html, finding.hosts
    case = await asyncio.to_thread(minimise, {"html": finding.document.html}, holds, SECONDS_EACH)
    # A request that came late may have misled it.
    hosts = await missed_in(case["html"])
    return (case["html"], hosts) if hosts else (finding.document.html, finding.hosts)
