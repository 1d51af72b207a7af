#!/usr/bin/env python3
"""Builds the pages of docs/ as a book, into target/book. Closes with the number of its pages and links.

It fails if a page is not in the book, or if a link of the book leads to no file or to no place in a file.
"""

import html.parser
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BOOK = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "book"
# The files that mdBook adds to the pages, such as all pages on one page, and a page for addresses that do not exist.
MADE = ("print.html", "404.html", "toc.html")


class Page(html.parser.HTMLParser):
    """The links of a page, and the places that links can name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, _tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id":
                self.places.add(value)


def broken(path, pages):
    """The links of a page that lead nowhere."""
    for link in pages[path].links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        if not target.is_file():
            yield f"{path.name}: {link}"
        elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
            yield f"{path.name}: {link}: no such place"


def main():
    listed = set(re.findall(r"\]\((.+?)\)", (DOCS / "SUMMARY.md").read_text(encoding="utf-8")))
    found = {page.name for page in DOCS.glob("*.md")} - {"SUMMARY.md"}
    faults = [f"docs/{page} is not in docs/SUMMARY.md" for page in sorted(found - listed)]
    built = subprocess.run(["mdbook", "build", str(DOCS), "--dest-dir", str(BOOK)], capture_output=True, text=True)
    if built.returncode or "WARN" in built.stderr or "ERROR" in built.stderr:
        sys.exit(f"mdbook: {built.stderr}")
    pages = {path: Page(path) for path in sorted(BOOK.glob("*.html")) if path.name not in MADE}
    faults += [fault for path in pages for fault in broken(path, pages)]
    for fault in faults:
        print(f"FAILED: {fault}")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
