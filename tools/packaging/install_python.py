#!/usr/bin/env python3
"""Installs the Python package, as tools/packaging/build_python.sh has built it, into a folder of packages, with its metadata.

    tools/packaging/install_python.py FOLDER [BUILT]

BUILT is the folder of the native module; without it, the folder of the release build.
"""

import os
import pathlib
import shutil
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    site = pathlib.Path(sys.argv[1])
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("CARGO_BUILD_TARGET", "")
    built = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else target / "release"
    project = tomllib.loads((ROOT / "python/pyproject.toml").read_text(encoding="utf-8"))["project"]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]

    package = site / project["name"]
    package.mkdir(parents=True)
    for file in sorted((ROOT / "python/src" / project["name"]).iterdir()):
        if file.suffix in (".py", ".pyi") or file.name == "py.typed":
            shutil.copyfile(file, package / file.name)
    shutil.copyfile(built / "lib_franking.so", package / "_franking.abi3.so")

    version = workspace["package"]["version"]
    metadata = site / f"{project['name']}-{version}.dist-info"
    metadata.mkdir()
    fields = {
        "Metadata-Version": "2.4",
        "Name": project["name"],
        "Version": version,
        "Summary": project["description"],
        "License-Expression": project["license"],
        "Requires-Python": project["requires-python"],
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (metadata / "METADATA").write_text(text, encoding="utf-8")
    scripts = "".join(f"{name} = {function}\n" for name, function in project["scripts"].items())
    (metadata / "entry_points.txt").write_text(f"[console_scripts]\n{scripts}", encoding="utf-8")


if __name__ == "__main__":
    main()
