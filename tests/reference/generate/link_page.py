"""The examples of docs/links.md: every place in which a link is looked for, and texts that are not links."""

import pathlib
import re

from .kit import Suite

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "links.md"
ROW = re.compile(r"\| (?P<place>.*?) \| `(?P<html>.*)` \| `(?P<hosts>[^`]*)` \|")


def suites():
    suite = Suite(
        "hosts-of-the-page",
        "Every row of the tables of docs/links.md: its example, and the hosts that the page says are in it.",
    )
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        row = ROW.fullmatch(line)
        if row:
            hosts = sorted({host for host in row["hosts"].split(" ") if host != "-"})
            # Within a table a bar is escaped.
            html = row["html"].replace("\\|", "|")
            suite.add(row["place"], {"do": "hosts", "html": html}, {"hosts": hosts})
    assert len(suite.vectors) > 70, len(suite.vectors)
    return [suite]
