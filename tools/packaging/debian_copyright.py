#!/usr/bin/env python3
"""Prints debian/copyright: tools/packaging/debian/copyright.in with a paragraph for each licence of the vendored crates.

    tools/packaging/debian_copyright.py VENDOR

VENDOR is the folder of the vendor archive. A crate's Cargo.toml names its licence, and the licence files beside it name
whose work it is. A licence whose text is not in copyright.in is an error.
"""

import collections
import pathlib
import re
import sys
import tomllib

TEMPLATE = pathlib.Path(__file__).resolve().parent / "debian/copyright.in"
# The licences that Debian names differently from SPDX.
NAMES = {
    "MIT": "Expat",
    "Apache-2.0 WITH LLVM-exception": "Apache-2.0 with LLVM exception",
    "GPL-2.0-only": "GPL-2",
    "LGPL-2.1-or-later": "LGPL-2.1+",
}
LICENCE_FILES = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)", re.IGNORECASE)
# A line with a year or a name after the word. Prose about copyrights and forms that nobody has filled in do not match.
HOLDER = re.compile(r"\W*Copyright[\s:]*((?:\(c\)|©)[^<\[]*\w.*|\d{4}[^<\[]*)", re.IGNORECASE)


def terms(expression):
    """The names of licences in an expression of Debian's."""
    return re.split(r",? (?:and|or) ", expression)


def debian_expression(expression):
    """An expression of SPDX as Debian writes it, with a comma in place of brackets."""
    written = []
    for part in re.split(r" AND ", expression.replace("/", " OR ")):
        choices = re.split(r" +OR +", part.strip("()"))
        written.append(" or ".join(sorted(NAMES.get(choice, choice) for choice in choices)))
    return (", and " if any(" or " in part for part in written) else " and ").join(written)


def has_text(name):
    """Whether the text of a licence is in the template."""
    return f"\nLicense: {name}\n " in TEMPLATE.read_text(encoding="utf-8")


def holders(crate, package):
    """The people whose work a crate is, as its licences and its Cargo.toml say."""
    found = set(package.get("authors", ()))
    for file in crate.iterdir():
        if file.is_file() and LICENCE_FILES.match(file.name):
            lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
            found.update(" ".join(match[1].split()) for match in map(HOLDER.fullmatch, lines) if match)
    return found or {f"the authors of {package['name']}"}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folders = collections.defaultdict(list)
    owners = collections.defaultdict(set)
    for crate in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        package = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))["package"]
        if "license" not in package:
            sys.exit(f"{crate.name} names no licence in its Cargo.toml")
        expression = debian_expression(package["license"])
        folders[expression].append(crate.name)
        owners[expression].update(holders(crate, package))

    for name in {name for expression in folders for name in terms(expression)}:
        if not has_text(name):
            sys.exit(f"{TEMPLATE.name} has not the text of the licence {name}")
    paragraphs = []
    for expression in sorted(folders):
        files = "\n ".join(f"vendor/{name}/*" for name in folders[expression])
        whose = "\n ".join(sorted(owners[expression], key=str.casefold))
        paragraphs.append(f"Files:\n {files}\nCopyright:\n {whose}\nLicense: {expression}\n\n")
    template = TEMPLATE.read_text(encoding="utf-8")
    sys.stdout.write(template.replace("@VENDORED@\n", "".join(paragraphs)))


if __name__ == "__main__":
    main()
