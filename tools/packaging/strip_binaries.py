#!/usr/bin/env python3
"""Removes compiled files from vendored crates, so that a source package has only sources.

    tools/packaging/strip_binaries.py VENDOR

Some crates bring libraries along that only Windows and WebAssembly link, and object files for their own tests. Debian's lintian
refuses archives that it cannot read, and a distribution takes nothing that it cannot build. cargo compares the files of a
crate with the list in its .cargo-checksum.json, so they are removed from that list as well.
"""

import json
import pathlib
import sys

COMPILED = {".a", ".dll", ".exe", ".lib", ".o", ".so"}


def main(vendor):
    for crate in sorted(vendor.iterdir()):
        checksums = crate / ".cargo-checksum.json"
        listed = json.loads(checksums.read_text())
        compiled = [name for name in listed["files"] if pathlib.PurePath(name).suffix in COMPILED]
        for name in compiled:
            del listed["files"][name]
            (crate / name).unlink()
        if compiled:
            checksums.write_text(json.dumps(listed, separators=(",", ":")))


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(pathlib.Path(sys.argv[1]))
